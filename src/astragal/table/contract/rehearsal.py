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

GAME_MASTER, PLAYER, OTHER_PLAYER, SPECTATOR = "game master", "player", "other player", "spectator"
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
        said = ", ".join(f"{name}={value!r}" for name, value in self.fields.items())
        return f"{self.command}({said}) by the {self.seat}"


class ScriptedFaces:
    """Dice with the faces that a step sets, and then seeded ones."""

    source = "rehearsal"

    def __init__(self, faces: Iterable[int], seed: int) -> None:
        self._faces, self._then = deque(faces), SeededDice(seed)

    def face(self, sides: int) -> int:
        face = self._faces.popleft() if self._faces else self._then.face(sides)
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
        self.book, self.history, self.commands_done = book, history, 0
        self.waited: list[State] = []
        """States in which it waited for a decision."""

    @property
    def state(self) -> State:
        return self.history.state

    def fork(self) -> Rehearsal:
        """Copy the table, to try something that is then forgotten."""
        other = Rehearsal(self.book, copy(self.history))
        other.commands_done = self.commands_done
        other.history.saved = dict(self.history.saved)
        other.history.recent = self.history.recent.copy()
        other.history.lasting = list(self.history.lasting)
        other.history.abandoned = list(self.history.abandoned)
        return other

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
            checked = self._checked(step)
            told = handlers.HANDLERS[type(checked)](self._handler_context(step.seat, dice), checked)
        else:
            hides = invocation.action.hides(invocation.call, invocation.command)
            told = handlers.CommandResult(execute.perform(invocation, dice), invocation.call.fresh, hides=hides)
        self.commands_done += 1
        return [*self.keep(step.seat, told), *self._decided(told.act, dice, deque(step.answers), choice)]

    def keep(self, seat: str, told: handlers.CommandResult) -> list[builtin.Happened]:
        """Fold the events of a result and the further events that follow from them."""
        _, events = execute.settle(self.book, self.history, told.events)
        first = self.history.number + 1
        happened = [
            builtin.Happened(number, 0, seat, told.act, event, told.sight, told.hides)
            for number, event in enumerate(events, first)
        ]
        for one in happened:
            self.history.advance(one)
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
            happened += self.keep(
                GAME_MASTER, handlers.HANDLERS[builtin.Answer](context, builtin.Answer(act=act, answer=answer))
            )
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
    known = _Known(book, state, viewer)
    values = {field.name: known.values(field) for field in definitions.fields_of(kind)}
    required = [field.name for field in definitions.fields_of(kind) if field.required]
    tried: set[str] = set()
    for chosen in _combinations(values, required):
        if len(tried) == most:
            return
        if (told := repr(chosen)) not in tried:
            tried.add(told)
            yield chosen


def _combinations(values: Mapping[str, list[Any]], required: list[str]) -> Iterator[dict[str, Any]]:
    """Combine each value with those of other fields, in step and out of step with them."""
    turns = range(max(map(len, values.values()), default=1))
    for names in (required, list(values)):
        for stagger in (0, 1, 2):
            for turn in turns:
                yield {
                    name: values[name][(turn * (1 + stagger * place) + place * stagger) % len(values[name])]
                    for place, name in enumerate(names)
                }


def events_to_try(kind: type, state: State) -> Iterator[Any]:
    """Generate events from their fields: about a character who is there, and about no one."""
    who = next(iter(state.characters), A_WORD)
    for word in (who, A_WORD):
        for turn in (0, 1):
            with suppress(ValueError):  # a value may refuse combinations that its fields allow
                yield _made(kind, word, turn)


def _made(kind: type, word: str, turn: int) -> Any:
    return kind(**{field.name: _valued(field.shape, word, turn) for field in definitions.fields_of(kind)})


def _valued(shape: shapes.Shape, word: str, turn: int) -> Any:
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
        case shapes.EitherShape(shapes=ways, optional=optional):
            ways = (*ways, *([shapes.NothingShape()] if optional else []))
            return _valued(ways[turn % len(ways)], word, turn)
        case shapes.ListShape(item=item, least=least):
            return (_valued(item, word, turn),) * (max(least, 1) if turn else least)
        case shapes.MappingShape(key=key, item=item):
            return {_valued(key, word, turn): _valued(item, word, turn)} if turn else {}
        case shapes.RecordShape(kind=kind):
            return _made(kind, word, turn)
        case _:
            return None


def _numbers(shape: shapes.NumberShape) -> list[int]:
    """Return the minimum, the maximum and the middle."""
    least = 0 if shape.least is None else shape.least
    most = least + 3 if shape.most is None else shape.most
    return [least, most, (least + most) // 2]


class _Known:
    """Values that a seat could fill in: characters, ids of things, words on sheets."""

    def __init__(self, book: Book, state: State, viewer: Viewer) -> None:
        self._kinds, self._state = book.kinds, state
        self._people = sorted(state.characters, key=lambda who: who not in viewer.characters)
        sheets = [state.characters[who].sheet for who in self._people]
        self._words = list(dict.fromkeys([A_WORD, *_words_in((sheets, state.game, state.options))]))[:MOST_WORDS]

    def values(self, field: definitions.Field) -> list[Any]:
        by_id = field.names and not isinstance(field.shape, shapes.NumberShape)
        if not by_id:
            found = self._plain(field.shape)
        elif field.names == "character":
            found = list(self._people)
        else:
            found = list(lookup.things_of(self._kinds, self._state, field.names or "") or ())
        if field.names and isinstance(field.shape, shapes.ListShape):
            found = [[one] for one in found] + [found]
        if field.required:
            return found or [NO_ID if by_id else A_WORD]
        return [field.default, *found]

    def _plain(self, shape: shapes.Shape) -> list[Any]:
        match shape:
            case shapes.NumberShape():
                return _numbers(shape)
            case shapes.TextShape(least=least):
                return [word for word in self._words if len(word) >= least] or ["0" * least]
            case shapes.FlagShape():
                return [False, True]
            case shapes.ChoiceShape(values=values):
                return list(values)
            case shapes.EitherShape(shapes=ways, optional=optional):
                return [value for one in ways for value in self._plain(one)] + [None] * optional
            case shapes.ListShape(item=item, least=least):
                return [*([] if least else [[]]), *([one] * max(least, 1) for one in self._plain(item))]
            case shapes.MappingShape(item=item):
                return [{}, *({word: one} for word in self._words for one in self._plain(item)[-1:])]
            case shapes.RecordShape(kind=kind):
                return [{one.name: self._plain(one.shape)[0] for one in definitions.fields_of(kind)}]
            case _:
                return [None]


def _words_in(value: Any) -> Iterator[str]:
    """Yield keys and names of things, which commands of the game are likely to name."""
    if isinstance(value, Mapping):
        yield from (key for key in map(plain, value) if isinstance(key, str))
        yield from (word for part in value.values() for word in _words_in(part))
    elif isinstance(value, (tuple, list)):
        yield from (word for part in value for word in ([part] if isinstance(part, str) else _words_in(part)))
    elif is_value(type(value)):
        for name, part in parts_of(value).items():
            yield from [part] if name == "name" and isinstance(part, str) else _words_in(part)
