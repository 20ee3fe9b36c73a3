"""Rehearsal: a table without a store, with scripted dice, that can be forked to try a command and forget it.

Commands and events to try there are generated from their own definitions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from typing import Any

from msgspec import Struct, field

from astragal.chance import Dice, Offer, SeededDice, Together
from astragal.table.authoring.chapter import Call
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.chapters.seats import SeatTaken
from astragal.table.commands import builtin, execute, handlers
from astragal.table.declarations import Role, Seat, Viewer, is_value, parts_of
from astragal.table.fields import definitions, lookup, parse, shapes, validation
from astragal.table.log.history import History
from astragal.table.refusals import NoSuchThing
from astragal.table.registry import Book, TableOpened
from astragal.table.state.table import Decision, HouseOptions, State
from astragal.table.visibility.redact import plain, redact

GAME_MASTER = "game master"
PLAYER = "player"
OTHER_PLAYER = "other player"
SPECTATOR = "spectator"
SEATS = {
    GAME_MASTER: Role.GAME_MASTER,
    PLAYER: Role.PLAYER,
    OTHER_PLAYER: Role.PLAYER,
    SPECTATOR: Role.SPECTATOR,
}
"""Seats of the table and their roles. A seat's name is its id."""


class Step(Struct, frozen=True):
    """One command of an evening: its seat, its fields, the faces that fall, and the answers to its offers.

    Characters and seats are named by name. Anything else that a command creates is named by the command's id: that of
    the first step of an evening is `act-1`. Further dice are seeded, and further offers declined.
    """

    seat: str
    command: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    faces: tuple[int, ...] = ()
    answers: tuple[Any, ...] = ()

    def __str__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.fields.items())
        return f"{self.command}({fields}) by the {self.seat}"


class ScriptedFaces:
    """Dice with the faces that a step sets, and then seeded ones."""

    source = "rehearsal"

    def __init__(self, faces: Iterable[int], seed: int) -> None:
        self._faces = deque(faces)
        self._further_dice = SeededDice(seed)

    def face(self, sides: int) -> int:
        face = self._faces.popleft() if self._faces else self._further_dice.face(sides)
        if not 1 <= face <= sides:
            raise NoSuchThing(f"The evening wants a {face} on a die of {sides} sides.")
        return face


Choice = Callable[[Offer[Any]], Any]
"""Answers offers that a step doesn't answer."""


def declined(offer: Offer[Any]) -> Any:
    return offer.default


def taken(offer: Offer[Any]) -> Any:
    """Choose the last option, which goes furthest."""
    return offer.options[-1]


class Rehearsal:
    """A table of one game, with a game master, two players and a spectator."""

    def __init__(self, book: Book, history: History) -> None:
        self.book = book
        self.history = history
        self.commands_done = 0
        self.waited: list[State] = []
        """States in which it waited for a decision."""

    @property
    def state(self) -> State:
        return self.history.state

    def fork(self) -> Rehearsal:
        """Copy the table, to try something that is then forgotten."""
        fork = Rehearsal(self.book, copy(self.history))
        fork.commands_done = self.commands_done
        fork.history.saved = dict(self.history.saved)
        fork.history.recent = self.history.recent.copy()
        fork.history.lasting = list(self.history.lasting)
        fork.history.abandoned = list(self.history.abandoned)
        return fork

    def invocation(self, step: Step) -> execute.Invocation | None:
        """Make the invocation of a step; None for a built-in command."""
        checked = self._checked(step)
        if type(checked) in handlers.HANDLERS:
            return None
        call = Call(self.state, self.state.viewer(step.seat), self._fresh())
        return execute.Invocation(self.book, call, self.book.action(step.command), checked)

    def act(self, step: Step, choice: Choice = declined) -> list[builtin.Happened]:
        """Carry out a step with its reactions, and answer its offers."""
        invocation = self.invocation(step)
        dice = ScriptedFaces(step.faces, self.commands_done)
        if invocation is None:
            command = self._checked(step)
            result = handlers.HANDLERS[type(command)](self._handler_context(step.seat, dice), command)
        else:
            hides = invocation.action.hides(invocation.call, invocation.command)
            result = handlers.CommandResult(execute.perform(invocation, dice), invocation.call.fresh, hides=hides)
        self.commands_done += 1
        happened = self.keep(step.seat, result)
        happened += self._decided(result.act, dice, deque(step.answers), choice)
        return happened

    def keep(self, seat: str, result: handlers.CommandResult) -> list[builtin.Happened]:
        """Fold the events of a result and the further events that follow from them."""
        _, events = execute.settle(self.book, self.history, result.events)
        first_number = self.history.number + 1
        happened = []
        for number, event in enumerate(events, first_number):
            happened.append(builtin.Happened(number, 0, seat, result.act, event, result.sight, result.hides))
        for entry in happened:
            self.history.advance(entry)
        return happened

    def _checked(self, step: Step) -> Any:
        """Parse the step's command, or refuse one that its seat may not give."""
        viewer = self.state.viewer(step.seat)
        checked = parse.understood(
            self.book, self.state, viewer, (step.command, step.fields), lambda: redact(self.state, viewer)
        )
        execute.allow(self.state, viewer, checked)
        return checked

    def _decided(self, act: str, dice: Dice, answers: deque[Any], choice: Choice) -> list[builtin.Happened]:
        happened: list[builtin.Happened] = []
        while act in self.state.decisions:
            decision = self.state.decisions[act]
            for side in decision.awaited:
                if side not in decision.sides:
                    raise LookupError(f"nobody answers for the side {side!r}; the action's `sides` says who does")
            self.waited.append(self.state)
            answer = answers.popleft() if answers else plain(choice(self._offer(decision)))
            context = self._handler_context(GAME_MASTER, dice)
            result = handlers.HANDLERS[builtin.Answer](context, builtin.Answer(act=act, answer=answer))
            happened += self.keep(GAME_MASTER, result)
        return happened

    def _offer(self, decision: Decision) -> Offer[Any]:
        """Return the next offer to the game master, who may decide for everyone."""
        need = execute.waiting_of(self.book, decision).need
        if isinstance(need, Together):
            side, _ = handlers.side_to_answer(self.state, decision, self.state.viewer(GAME_MASTER))
            return next(offer for offer in need.offers if offer.side == side)
        assert isinstance(need, Offer)  # noqa: S101 - scripted dice never wait, and there are no witnesses here
        return need

    def _handler_context(self, seat: str, dice: Dice) -> handlers.HandlerContext:
        viewer = self.state.viewer(seat)
        return handlers.HandlerContext(
            self.book, self.history, viewer, self._fresh(), lambda decision: dice, is_known=lambda act: True
        )

    def _fresh(self) -> str:
        return f"act-{self.commands_done + 1}"


def rehearse(ruleset: Ruleset, options: Mapping[str, Any] | None = None) -> tuple[Rehearsal, TableOpened]:
    """Open a new table of a game and fill its seats. Returns the opening event, too."""
    chosen: Any = validation.read(ruleset.options, options or {})
    opened = TableOpened(
        table="rehearsal",
        name="A rehearsal",
        ruleset=ruleset.id,
        version=ruleset.version,
        options=plain(chosen),
        house=HouseOptions(trusting=True),  # nobody is there to rule on proposals
        skin="",
        terms={},
    )
    book = Book.of(ruleset)
    rehearsal = Rehearsal(book, book.history(opened))
    seats = [SeatTaken(seat=Seat(id=name, name=name, role=role)) for name, role in SEATS.items()]
    rehearsal.keep(GAME_MASTER, handlers.CommandResult([opened, *seats], "opening"))
    return rehearsal, opened


# ---------------------------------------------------------------- commands and events to try


A_WORD = "a word"
NO_ID = "0" * 16
"""Id of a thing that doesn't exist."""
MOST_WORDS = 12


def commands_to_try(book: Book, kind: type, state: State, viewer: Viewer, most: int = 24) -> Iterator[dict[str, Any]]:
    """Generate plain fields of a command for this viewer: the least first, then many combinations."""
    fields = definitions.fields_of(kind)
    samples = _FieldValues(book, state, viewer)
    values = {field.name: samples.of(field) for field in fields}
    required = [field.name for field in fields if field.required]
    tried: set[str] = set()
    for combination in _combinations(values, required):
        if len(tried) == most:
            return
        key = repr(combination)
        if key not in tried:
            tried.add(key)
            yield combination


def _combinations(values: Mapping[str, list[Any]], required: list[str]) -> Iterator[dict[str, Any]]:
    """Combine each value with those of other fields, in step and out of step with them."""
    turns = range(max(map(len, values.values()), default=1))
    for names in (required, list(values)):
        for stagger in (0, 1, 2):
            for turn in turns:
                combination = {}
                for place, name in enumerate(names):
                    number = turn * (1 + stagger * place) + place * stagger
                    combination[name] = values[name][number % len(values[name])]
                yield combination


def events_to_try(kind: type, state: State) -> Iterator[Any]:
    """Generate events from their fields: about a character who is there, and about no one."""
    who = next(iter(state.characters), A_WORD)
    for word in (who, A_WORD):
        for turn in (0, 1):
            with suppress(ValueError):  # a value may refuse combinations that its fields allow
                yield _sample_of(kind, word, turn)


def _sample_of(kind: type, word: str, turn: int) -> Any:
    return kind(**{field.name: _sample(field.shape, word, turn) for field in definitions.fields_of(kind)})


def _sample(shape: shapes.Shape, word: str, turn: int) -> Any:
    match shape:
        case shapes.NumberShape():
            return _numbers(shape)[turn]
        case shapes.TextShape():
            return word
        case shapes.FlagShape():
            return bool(turn)
        case shapes.ChoiceShape(values=values, enum=enum):
            value = values[turn % len(values)]
            return value if enum is None else enum(value)
        case shapes.EitherShape(shapes=alternatives, optional=optional):
            if optional:
                alternatives = (*alternatives, shapes.NothingShape())
            return _sample(alternatives[turn % len(alternatives)], word, turn)
        case shapes.ListShape(item=item, least=least):
            length = max(least, 1) if turn else least
            return (_sample(item, word, turn),) * length
        case shapes.MappingShape(key=key, item=item):
            return {_sample(key, word, turn): _sample(item, word, turn)} if turn else {}
        case shapes.RecordShape(kind=kind):
            return _sample_of(kind, word, turn)
        case _:
            return None


def _numbers(shape: shapes.NumberShape) -> list[int]:
    """Return the minimum, the maximum and the middle."""
    least = 0 if shape.least is None else shape.least
    most = least + 3 if shape.most is None else shape.most
    return [least, most, (least + most) // 2]


class _FieldValues:
    """Values that a seat could fill in: characters, ids of things, words on sheets."""

    def __init__(self, book: Book, state: State, viewer: Viewer) -> None:
        self._kinds = book.kinds
        self._state = state
        self._characters = sorted(state.characters, key=lambda who: who not in viewer.characters)
        sheets = [state.characters[who].sheet for who in self._characters]
        words = dict.fromkeys([A_WORD, *_words_in((sheets, state.game, state.options))])
        self._words = list(words)[:MOST_WORDS]

    def of(self, field: definitions.Field) -> list[Any]:
        """Return values for a field: its default first, if it has one."""
        by_id = field.names and not isinstance(field.shape, shapes.NumberShape)
        if not by_id:
            values = self._of_shape(field.shape)
        elif field.names == "character":
            values = list(self._characters)
        else:
            values = list(lookup.things_of(self._kinds, self._state, field.names or "") or ())
        if field.names and isinstance(field.shape, shapes.ListShape):
            values = [*([value] for value in values), values]
        if not field.required:
            return [field.default, *values]
        return values or [NO_ID if by_id else A_WORD]

    def _of_shape(self, shape: shapes.Shape) -> list[Any]:
        match shape:
            case shapes.NumberShape():
                return _numbers(shape)
            case shapes.TextShape(least=least):
                return [word for word in self._words if len(word) >= least] or ["0" * least]
            case shapes.FlagShape():
                return [False, True]
            case shapes.ChoiceShape(values=values):
                return list(values)
            case shapes.EitherShape(shapes=alternatives, optional=optional):
                either: list[Any] = []
                for alternative in alternatives:
                    either += self._of_shape(alternative)
                if optional:
                    either.append(None)
                return either
            case shapes.ListShape(item=item, least=least):
                lists: list[Any] = [] if least else [[]]
                lists += [[value] * max(least, 1) for value in self._of_shape(item)]
                return lists
            case shapes.MappingShape(item=item):
                last_values = self._of_shape(item)[-1:]
                mappings: list[Any] = [{}]
                for word in self._words:
                    mappings += [{word: value} for value in last_values]
                return mappings
            case shapes.RecordShape(kind=kind):
                return [{inner.name: self._of_shape(inner.shape)[0] for inner in definitions.fields_of(kind)}]
            case _:
                return [None]


def _words_in(value: Any) -> Iterator[str]:
    """Yield keys and names of things, which commands of the game are likely to name."""
    if isinstance(value, Mapping):
        for key in map(plain, value):
            if isinstance(key, str):
                yield key
        for part in value.values():
            yield from _words_in(part)
    elif isinstance(value, (tuple, list)):
        for part in value:
            if isinstance(part, str):
                yield part
            else:
                yield from _words_in(part)
    elif is_value(type(value)):
        for name, part in parts_of(value).items():
            if name == "name" and isinstance(part, str):
                yield part
            else:
                yield from _words_in(part)
