"""Chapters: the commands, events and reactions of a game that belong together, registered by decorators.

LUCK = Chapter(seen=Seen.ALL)

@LUCK.event("blessed", owner="who", says="{who} is blessed by {by}")
class Blessed(Event): ...  # with `fold(self, state)`, `says(self, teller)`, `went(self, teller)` where needed

@LUCK.command("bless", may=GAME_MASTER_ONLY)
class Bless(Command): ...  # `does(self, call)` returns events; one that rolls yields its question first

@LUCK.fact("rest_gives_luck", told="luck_from_rest_settled", may=GAME_MASTER_ONLY, says="…")
class RestGivesLuck(Fact): ...  # a command that is its own event; `check(self, call)` may refuse it

@LUCK.after(Rested)
def luck_from_rest(state, rested): ...  # a reaction: returns further events
"""

# ruff: noqa: ARG002, ARG004 - the default of a hook takes what those of games take, and needs none of it

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from inspect import isgeneratorfunction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

from annotated_types import Le
from msgspec import Struct, field

from astragal.chance import Policy, Question
from astragal.fields import field_names
from astragal.table import declarations
from astragal.table.authoring.display import Piece, Proposal, RollCard, Went
from astragal.table.authoring.log_lines import Teller, template
from astragal.table.declarations import (
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Lift,
    Nature,
    Rights,
    Seen,
    Sight,
    Value,
    Viewer,
    kind_of_command,
    kind_of_event,
    replace,
)
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.lookup import Things
from astragal.table.state.setting import MoveKind

if TYPE_CHECKING:
    from astragal.table.state.table import State

__all__ = ["Call", "Chapter", "Command", "Doing", "Due", "Event", "Fact", "Spend", "SpendAfter", "TableCall"]

C = TypeVar("C")
E = TypeVar("E")
T = TypeVar("T", bound=Value)
V = TypeVar("V")
S = TypeVar("S", bound="State", covariant=True)  # noqa: PLC0105 - the state


class TableCall(Struct, Generic[S], frozen=True):
    """Context of a command: the state, the viewer who gives it, a fresh id for anything that it creates, and who will
    see what it rolls. A game names the type of its own state: `TableCall[TableState[Game, Sheet, Options]]`.
    """

    state: S
    viewer: Viewer
    fresh: str
    sight: Sight = Sight.OPEN


if TYPE_CHECKING:
    Call: TypeAlias = TableCall[State]
    """A call at a table of any game."""
else:
    Call = TableCall


class Spend(Struct, frozen=True):
    """Field that pays for a roll before the dice fall. `legal` returns its range, calculated from the state.

    `worth` returns how much a spend brings. Set it where a further point can bring nothing: previews mark such a point.
    `held` describes how much there is to spend: “7 in Might”.
    """

    field: str
    legal: Callable[[Call, Any], range]
    worth: Callable[[Call, Any], int] | None = None
    held: Callable[[Call, Any], str] = lambda call, command: ""


class SpendAfter(Struct, frozen=True):
    """Points that the actor may spend once the dice are seen.

    `policy` spends as few as bring success, for the actor's side only. `price` returns how many points a verdict took:
    0 if it came about without any.
    """

    points: str
    policy: Policy
    price: Callable[[Any], int]


class Action(Struct, Generic[C, V], frozen=True):
    """A command and its functions: `gather` makes the question, the rule decides it, `tell` returns the events.

    Without `gather` nothing is rolled, and `tell` gets None as the verdict. `sides` maps each side of the question's
    offers to the character or seat that answers for it; by default a side is the command's field of that name. `hides`
    returns whether the roll's difficulty is hidden from players. `card` is how the roll is presented. `everyday` are
    words that people look for the command by, separated by commas.

    Previews use the rest. `outcome` returns what is counted of a verdict, `hopes` whether the actor would be glad of
    an outcome. `policies` are further ways to answer offers, besides declining them all. `variants` yields other
    questions to show beside the one that is rolled, each with what would be different: “without the rope +2”. `bid` is
    the name of the offers in which points are declared in secret before the roll, `after` declares what may be spent
    once the dice are seen.
    """

    command: type[C]
    tell: Callable[[Call, C, V], Sequence[Any]]
    gather: Callable[[Call, C], Question[V]] | None = None
    sides: Callable[[Call, C], Mapping[str, str]] | None = None
    spend: Spend | None = None
    outcome: Callable[[V], Hashable] = lambda verdict: verdict
    hopes: Callable[[Any], bool] | None = None
    policies: Mapping[str, Policy] = field(default_factory=dict)
    bid: str | None = None
    after: SpendAfter | None = None
    hides: Callable[[Call, C], bool] = lambda call, command: False
    variants: Callable[[Call, C], Iterable[tuple[str, Question[V]]]] = lambda call, command: ()
    card: RollCard | None = None
    everyday: str = ""

    def pays(self, command: C) -> bool:
        """Return whether the actor spends something before the roll."""
        payments = [field.name for field in fields_of(self.command) if field.is_paid]
        if self.spend is not None:
            payments.append(self.spend.field)
        return any(getattr(command, name) for name in payments)

    @property
    def name(self) -> str:
        return kind_of_command(self.command).name


class EventSpec(Struct, Generic[E], frozen=True):
    """An event with its fold and its words. One without a fold changes nothing (chat, narration).

    `went` returns the result for a headline, or None for no result. No result is shown to a viewer if it depends on
    something that they may not know. `template` is the template that `words` was made from, if any. `in_short` returns
    the few words with which a recap tells the event; without it, the event is bookkeeping.
    """

    event: type[E]
    words: Callable[[E, Teller], str]
    fold: Callable[[State, E], State] | None = None
    went: Callable[[E, Teller], Went | None] | None = None
    template: str = ""
    in_short: Callable[[E, Teller], str] | None = None

    @property
    def name(self) -> str:
        return kind_of_event(self.event).name


class Reaction(Struct, Generic[E], frozen=True):
    """Further events that follow from an event. `tell` gets the state after it."""

    event: type[E]
    tell: Callable[[State, E], Sequence[Any]]


# ---------------------------------------------------------------- how they are declared

Doing: TypeAlias = Generator[Question[V], V, Sequence[Any]]
"""Generator of a command that rolls: yields its question, is sent the verdict, returns events."""

Due: TypeAlias = Callable[["State", Teller], Iterable[str]]
"""Reminders for the game master: sentences read off the state, each with the command that settles it. They are not
shown to a viewer if they depend on something that this viewer may not know."""

Board: TypeAlias = Callable[["State"], Sequence[Piece]]
"""Rows of the board. They belong to the table and not to a character: a shared track, threats, what is under way."""

Proposals: TypeAlias = Callable[["State", Teller], Iterable[Proposal]]
"""Commands to propose in this state: moves that are allowed, approaches to be called."""

Moves: TypeAlias = Callable[["State", MoveKind, Teller], Iterable[str]]
"""Moves of one kind that a game master could make from what lies open, for when the players stall."""

Fold: TypeAlias = Callable[[Any, "State"], "State"]
"""Function from an event and the state before it to the state after it."""

Follows = TypeVar("Follows", bound=Callable[[Any, Any], Sequence[Any]])


# In the hooks below, `Any` stands for what each game has its own type for: its call, its state, its sheet. A game's
# method says which.


class Command(Value):
    """Base of a chapter's commands. `does` is required; the other methods are hooks with a default.

    All hooks but `is_of_use` are called on the command as it was given, with names resolved to ids.
    """

    def does(self, call: TableCall[Any]) -> Any:
        """Return the events of the command. If it rolls, it is a generator (`Doing`) that yields one question."""
        raise NotImplementedError

    def sides(self, call: TableCall[Any]) -> Mapping[str, str]:
        """Return who answers for each side of the question's offers; by default the command's field of that name."""
        return {}

    def hides(self, call: TableCall[Any]) -> bool:
        """Return whether the roll's difficulty is hidden from players."""
        return False

    def variants(self, call: TableCall[Any]) -> Iterable[tuple[str, Question[Any]]]:
        """Yield other questions for a preview, each with what would be different."""
        return ()

    def granted(self, call: TableCall[Any]) -> Iterable[str]:
        """Return fields that players may only propose, but that need no ruling as they are filled in here."""
        return ()

    def risks(self, call: TableCall[Any]) -> str:
        """Return what a failure would cost, as far as the viewer can see."""
        return ""

    def recalls(self, call: TableCall[Any]) -> Mapping[str, str]:
        """Return words by field that were said before and need not be said again."""
        return {}

    @staticmethod
    def is_of_use(state: Any) -> bool:
        """Return whether there is any use for the command in this state; if not, it is not suggested."""
        return True


class Event(Value):
    """Base of a chapter's events. All of its methods are hooks with a default.

    Besides, `is_for(self, viewer)` limits who sees an event at all (see `Guarded`).
    """

    in_journal: ClassVar[bool] = True
    """False keeps the event out of everybody's journal: it is bookkeeping of the table's own."""
    between_seats: ClassVar[bool] = False
    """True hides the event from the game master, too, unless it `is_for` them: talk among players."""
    anonymous: ClassVar[bool] = False
    """True leaves out who did it, for everyone."""

    def says(self, teller: Teller) -> str:
        """Return the line of the log. By default it is made from the template that the event is declared with."""
        return ""

    def went(self, teller: Teller) -> Went | None:
        """Return the result for a headline; None for no result."""
        return None

    def in_short(self, teller: Teller) -> str:
        """Return the few words with which a recap tells the event. An event without them is bookkeeping."""
        return ""

    def fold(self, state: Any) -> Any:
        """Return the state after the event. By default it changes nothing."""
        return state

    def changes(self, sheet: Any) -> Any:
        """Return the sheet of `who` after the event, for one that changes nothing else: in place of a fold."""
        return sheet


class Fact(Command, Event):
    """Base of a chapter's facts: commands that are their own events. It has the hooks of both, and `check`."""

    def does(self, call: TableCall[Any]) -> Sequence[Any]:
        """Return the fact itself, as its `check` has returned it."""
        checked = self.check(call)
        return [self if checked is None else checked]

    def check(self, call: TableCall[Any]) -> Self | None:
        """Refuse the fact, or return it with its names as the table spells them. None leaves it as it is."""
        return None


@runtime_checkable
class Guarded(Protocol):
    """Something that not everybody may see: an event, or a thing that lies on the table."""

    def is_for(self, viewer: Viewer) -> bool:
        """Return whether this viewer may see it at all."""


HOOKS_OF_COMMANDS = ("does", "sides", "hides", "variants", "granted", "risks", "recalls", "is_of_use")
HOOKS_OF_EVENTS = ("says", "went", "in_short", "fold", "changes", "is_for")
HOOKS_OF_FACTS = (*HOOKS_OF_COMMANDS, *HOOKS_OF_EVENTS, "check")


def hooks_of(kind: type) -> tuple[str, ...]:
    """Return the names of the methods that a command, an event or a fact may define."""
    if issubclass(kind, Fact):
        return HOOKS_OF_FACTS
    if issubclass(kind, Command):
        return HOOKS_OF_COMMANDS
    if issubclass(kind, Event):
        return HOOKS_OF_EVENTS
    return ()


class Chapter:
    """Commands, events and reactions that belong together.

    `seen` is the default for who may see the fields of its events; an event or a field can say otherwise. Where none of
    the three says anything, only the game master sees a field. A command whose actor is dead is refused, unless
    `dead_may` allows it, as it does for talk.
    """

    def __init__(
        self,
        actions: Iterable[Action[Any, Any]] = (),
        event_specs: Iterable[EventSpec[Any]] = (),
        reactions: Iterable[Reaction[Any]] = (),
        *,
        seen: Seen | None = None,
        dead_may: bool = False,
    ) -> None:
        self.actions = list(actions)
        self.event_specs = list(event_specs)
        self.reactions = list(reactions)
        self.reminders: list[Due] = []
        self.boards: list[Board] = []
        self.proposals: list[Proposals] = []
        self.named: dict[str, Things] = {}
        self.moves: list[Moves] = []
        self._seen = seen
        self._dead_may = dead_may

    def command(
        self,
        name: str,
        *,
        may: Rights | None = None,
        actor: str | None = None,
        outcome: Callable[[Any], Hashable] | None = None,
        hopes: Callable[[Any], bool] | None = None,
        policies: Mapping[str, Policy] | None = None,
        spend: Spend | str | None = None,
        bid: str | None = None,
        after: SpendAfter | None = None,
        grave: bool = False,
        title: str = "",
        card: RollCard | None = None,
        everyday: str = "",
    ) -> Callable[[type[T]], type[T]]:
        """Declare a command. `Action` explains the options.

        By default the game master and the owner of the `actor` may give it; without an `actor`, only the game master
        may. A program gives a `grave` command only when a person has said so. `spend` may be the name of a field that
        spends what the actor's sheet has under the same name.
        """

        def declare(cls: type[T]) -> type[T]:
            rights = may or usual_rights(actor)
            kind = declarations.command(name, may=rights, actor=actor, grave=grave, title=title)(cls)
            _check_names(kind)
            payment = Spend(spend, _up_to_what_is_held(spend, actor)) if isinstance(spend, str) else spend
            _check_fields(kind, actor=actor, spend=payment.field if payment else None)
            options: dict[str, Any] = {
                "hopes": hopes,
                "spend": payment,
                "policies": policies or {},
                "everyday": everyday,
                "bid": bid,
                "after": after,
                "card": card,
            }
            if outcome is not None:
                options["outcome"] = outcome
            self.actions.append(_action(kind, self._check, options))
            return kind

        return declare

    def event(
        self,
        name: str,
        *,
        says: str = "",
        seen: Seen | None = None,
        secret: bool = False,
        owner: str | None = None,
        nature: Nature = Nature.STORY,
        version: int = 1,
        lifts: Mapping[int, Lift] | None = None,
        sets: Mapping[str, Any] | None = None,
        adds: Mapping[str, str] | None = None,
        drops: Mapping[str, str] | None = None,
    ) -> Callable[[type[T]], type[T]]:
        """Declare an event. `says` is its line in the log, with fields in braces (see `template`). `owner` names the
        field that holds its owner, for what only owners may see; the default is `who`. Only the game master sees a
        `secret` one.

        Changes to the sheet of `who` can be declared here. `sets` maps fields to their new values. `adds` and `drops`
        map fields that hold several things to the event's field with the thing to add, or with the name of the one to
        remove: `sets={"taken_out": True}`, `adds={"gear": "item"}`, `drops={"gear": "item"}`.
        """

        def declare(cls: type[T]) -> type[T]:
            if secret:
                cls.is_for = lambda _, viewer: viewer.is_game_master  # type: ignore[attr-defined]
            kind = declarations.event(name, version=version, nature=nature, owner=owner, lifts=lifts)(cls)
            _check_fields(kind, owner=owner)
            fold = _changes_sheet(kind, sets or {}, adds or {}, drops or {})
            self.event_specs.append(self._event_spec(kind, says, Seen.GAME_MASTER if secret else seen, fold))
            return kind

        return declare

    def fact(
        self,
        name: str,
        *,
        told: str,
        may: Rights | None = None,
        actor: str | None = None,
        says: str = "",
        seen: Seen | None = None,
        owner: str | None = None,
        nature: Nature = Nature.STORY,
        grave: bool = False,
        title: str = "",
        everyday: str = "",
        sets: Mapping[str, Any] | None = None,
        adds: Mapping[str, str] | None = None,
        drops: Mapping[str, str] | None = None,
    ) -> Callable[[type[T]], type[T]]:
        """Declare a command that is its own event, named `told`, with the same fields. It takes the options of both."""

        def declare(cls: type[T]) -> type[T]:
            rights = may or usual_rights(actor)
            kind = declarations.command(name, may=rights, actor=actor, grave=grave, title=title)(cls)
            kind = declarations.event(told, nature=nature, owner=owner)(kind)
            _check_fields(kind, actor=actor, owner=owner)
            self.actions.append(_action(kind, self._check, {"everyday": everyday}))
            fold = _changes_sheet(kind, sets or {}, adds or {}, drops or {})
            self.event_specs.append(self._event_spec(kind, says, seen, fold))
            return kind

        return declare

    def after(self, *events: type) -> Callable[[Follows], Follows]:
        """Register a reaction: a function that returns further events after each of these, from the state after it."""

        def declare(function: Follows) -> Follows:
            self.reactions += [Reaction(event, function) for event in events]
            return function

        return declare

    def due(self, function: Due) -> Due:
        """Declare a reminder."""
        self.reminders.append(function)
        return function

    def board(self, function: Board) -> Board:
        """Declare rows of the board."""
        self.boards.append(function)
        return function

    def proposes(self, function: Proposals) -> Proposals:
        """Declare proposals."""
        self.proposals.append(function)
        return function

    def names(self, kind: str) -> Callable[[Things], Things]:
        """Register the look-up of a kind of things, for the fields that name one (`Names`)."""

        def declare(function: Things) -> Things:
            self.named[kind] = function
            return function

        return declare

    def _check(self, call: Call, command: Any) -> None:
        """Refuse a command whose actor is dead."""
        actor = kind_of_command(type(command)).actor
        if actor is None or self._dead_may:
            return
        who = call.state.characters.get(getattr(command, actor))
        if who is not None:
            who.check_lives()

    def _event_spec(self, kind: Any, says: str, seen: Seen | None, fold: Fold | None) -> EventSpec[Any]:
        """Collect an event's fold and words: those that its class defines, or else those of its declaration."""
        _check_names(kind)
        if kind.__seen__ is None:
            kind.__seen__ = seen or self._seen
        if fold is not None:
            kind.fold = fold
        has_own_words = kind.says is not Event.says
        return EventSpec(
            kind,
            words=kind.says if has_own_words else template(says),
            fold=None if kind.fold is Event.fold else lambda state, event: event.fold(state),
            went=None if kind.went is Event.went else kind.went,
            template="" if has_own_words else says,
            in_short=None if kind.in_short is Event.in_short else kind.in_short,
        )


def usual_rights(actor: str | None) -> Rights:
    """Return the default rights: the game master and the actor's owner; without an actor, the game master alone."""
    return GAME_MASTER_OR_OWNER if actor else GAME_MASTER_ONLY


def _check_names(kind: type) -> None:
    """Raise TypeError for a field with the name of a method that the chapter would call."""
    conflicts = set(hooks_of(kind)) & set(field_names(kind))
    if conflicts:
        raise TypeError(f"{kind.__name__} can't have a field called {', '.join(sorted(conflicts))}")


def _check_fields(kind: type, **names_by_option: str | None) -> None:
    """Raise TypeError for an option that names a field which the class doesn't have."""
    names = field_names(kind)
    for option, name in names_by_option.items():
        if name and name not in names:
            raise TypeError(f"{option}={name!r} is no field of {kind.__name__}: it has {', '.join(names) or 'none'}")


def _changes_sheet(
    kind: Any, sets: Mapping[str, Any], adds: Mapping[str, str], drops: Mapping[str, str]
) -> Fold | None:
    """Make the fold that changes the sheet of `who`. A rewind may have gone back to before they were there."""
    if not (sets or adds or drops) and kind.changes is Event.changes:
        return None
    for field_of_event in adds.values():
        _check_fields(kind, adds=field_of_event)
    for field_of_event in drops.values():
        _check_fields(kind, drops=field_of_event)

    def fold(event: Any, state: State) -> State:
        if event.who not in state.characters:
            return state
        sheet = state.characters[event.who].sheet
        changes = dict(sets)
        for field_of_sheet, field_of_event in adds.items():
            changes[field_of_sheet] = (*getattr(sheet, field_of_sheet), getattr(event, field_of_event))
        for field_of_sheet, field_of_event in drops.items():
            name = getattr(event, field_of_event)
            changes[field_of_sheet] = tuple(thing for thing in getattr(sheet, field_of_sheet) if thing.name != name)
        return state.with_sheet(event.who, event.changes(replace(sheet, **changes)))

    return fold


def _action(kind: Any, check: Callable[[Call, Any], None], options: Mapping[str, Any]) -> Action[Any, Any]:
    """Split a command at its question: `gather` runs it up to there, `tell` runs it again and sends the verdict."""

    def does(call: Call, command: Any) -> Any:
        check(call, command)
        return command.does(call)

    def gather(call: Call, command: Any) -> Question[Any]:
        question: Question[Any] = next(does(call, command))
        return question

    def events_without_roll(call: Call, command: Any, _: None) -> Sequence[Any]:
        events: Sequence[Any] = does(call, command)
        return events

    def events_of_verdict(call: Call, command: Any, verdict: Any) -> Sequence[Any]:
        doing = does(call, command)
        next(doing)
        try:
            doing.send(verdict)
        except StopIteration as finished:
            events: Sequence[Any] = finished.value
            return events
        raise TypeError(f"{type(command).__name__} asks more than one question")

    if kind.does is Command.does:
        raise TypeError(f"{kind.__name__} has no method `does`")
    rolls = isgeneratorfunction(kind.does)
    return Action(
        kind,
        events_of_verdict if rolls else events_without_roll,
        gather if rolls else None,
        sides=None if kind.sides is Command.sides else lambda call, command: command.sides(call),
        hides=lambda call, command: command.hides(call),
        variants=lambda call, command: command.variants(call),
        **options,
    )


def _up_to_what_is_held(field_name: str, actor: str | None) -> Callable[[Call, Any], range]:
    """Make a range from 0 to what the actor's sheet has under the name of the field, within the limit of the field."""
    if actor is None:
        raise TypeError(f"spend={field_name!r} needs an actor, whose sheet holds what is spent")

    def legal(call: Call, command: Any) -> range:
        sheet = call.state.characters[getattr(command, actor)].sheet
        held = getattr(sheet, field_name)
        (field,) = (field for field in fields_of(type(command)) if field.name == field_name)
        limit = field.limit(Le)
        most = held if limit is None else min(held, limit)
        return range(most + 1)

    return legal
