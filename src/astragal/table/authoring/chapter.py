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

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from inspect import isgeneratorfunction
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

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
    held: Callable[[Call, Any], str] = lambda call, asked: ""


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
        spent = [field.name for field in fields_of(self.command) if field.is_paid]
        spent += [self.spend.field] if self.spend else []
        return any(getattr(command, name) for name in spent)

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


class Command(Value):
    """Base of a chapter's commands.

    `does(self, call)` returns events. If the command rolls, `does` is a generator (`Doing`). Optional methods are
    `sides`, `hides` and `variants`, as in `Action`, and:

    - `granted(self, call)` names fields that players may only propose, but that need no ruling as they are filled in.
    - `risks(self, call)` says what a failure would cost, as far as the viewer can see.
    - `recalls(self, call)` returns words by field that were said before and need not be said again.
    - `is_of_use(state)`, a static method: if it returns False, there is no use for the command, and it isn't suggested.
    """


class Event(Value):
    """Base of a chapter's events. Optional methods: `says(self, teller)` returns the line of the log,
    `went(self, teller)` the result for a headline, `in_short(self, teller)` a few words for recaps, `fold(self, state)`
    the state after it. An event that changes only the sheet of `who` can have `changes(self, sheet)` instead of a fold.
    """


class Fact(Command):
    """Base of a chapter's facts: commands that are their own events.

    An optional `check(self, call)` may refuse one, or return it with its names as the table spells them.
    """


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
        self._seen, self._dead_may = seen, dead_may

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
            made = declarations.command(name, may=rights, actor=actor, grave=grave, title=title)(cls)
            _check_names(made, "does", "sides", "hides", "granted", "risks", "recalls", "is_of_use")
            pays = Spend(spend, _held(spend, actor)) if isinstance(spend, str) else spend
            _check_fields(made, actor=actor, spend=pays.field if pays else None)
            further: dict[str, Any] = {"hopes": hopes, "spend": pays, "policies": policies or {}, "everyday": everyday}
            further |= {"bid": bid, "after": after, "card": card} | ({"outcome": outcome} if outcome else {})
            self.actions.append(_action(made, self._check, **further))
            return made

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
            made = declarations.event(name, version=version, nature=nature, owner=owner, lifts=lifts)(cls)
            _check_fields(made, owner=owner)
            fold = _changes_sheet(made, sets or {}, adds or {}, drops or {})
            self.event_specs.append(self._happening(made, says, Seen.GAME_MASTER if secret else seen, fold))
            return made

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

        def tell(call: Call, asked: Any, _: None) -> Sequence[Any]:
            self._check(call, asked)
            settled = asked.check(call) if hasattr(asked, "check") else None
            return [asked if settled is None else settled]

        def declare(cls: type[T]) -> type[T]:
            rights = may or usual_rights(actor)
            made = declarations.command(name, may=rights, actor=actor, grave=grave, title=title)(cls)
            made = declarations.event(told, nature=nature, owner=owner)(made)
            _check_fields(made, actor=actor, owner=owner)
            self.actions.append(Action(made, tell, everyday=everyday))
            fold = _changes_sheet(made, sets or {}, adds or {}, drops or {})
            self.event_specs.append(self._happening(made, says, seen, fold))
            return made

        return declare

    def after(self, *events: type) -> Callable[[Follows], Follows]:
        """Register a reaction: a function that returns further events after each of these, from the state after it."""

        def declare(function: Follows) -> Follows:
            self.reactions += [Reaction(one, function) for one in events]
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

    def _check(self, call: Call, asked: Any) -> None:
        """Refuse a command whose actor is dead."""
        actor = kind_of_command(type(asked)).actor
        who = call.state.characters.get(getattr(asked, actor)) if actor and not self._dead_may else None
        if who is not None:
            who.check_lives()

    def _happening(self, made: Any, says: str, seen: Seen | None, changes: Fold | None) -> EventSpec[Any]:
        _check_names(made, "says", "fold", "went", "in_short", "check", "changes")
        if made.__seen__ is None:
            made.__seen__ = seen or self._seen
        if changes:
            made.fold = changes
        fold = (lambda state, event: event.fold(state)) if hasattr(made, "fold") else None
        own, went, in_short = (getattr(made, name, None) for name in ("says", "went", "in_short"))
        return EventSpec(made, own or template(says), fold, went, "" if own else says, in_short)


def usual_rights(actor: str | None) -> Rights:
    """Return the default rights: the game master and the actor's owner; without an actor, the game master alone."""
    return GAME_MASTER_OR_OWNER if actor else GAME_MASTER_ONLY


def _check_names(made: type, *methods: str) -> None:
    """Raise TypeError for a field with the name of a method that the chapter would call."""
    if taken := set(methods) & set(field_names(made)):
        raise TypeError(f"{made.__name__} can't have a field called {', '.join(sorted(taken))}")


def _check_fields(made: type, **named: str | None) -> None:
    """Raise TypeError for an option that names a field which the class doesn't have."""
    known = field_names(made)
    for option, name in named.items():
        if name and name not in known:
            raise TypeError(f"{option}={name!r} is no field of {made.__name__}: it has {', '.join(known) or 'none'}")


def _changes_sheet(
    made: type, sets: Mapping[str, Any], adds: Mapping[str, str], drops: Mapping[str, str]
) -> Fold | None:
    """Make the fold that changes the sheet of `who`. A rewind may have gone back to before they were there."""
    if not (sets or adds or drops or hasattr(made, "changes")):
        return None
    for option, names in {"adds": adds, "drops": drops}.items():
        for one in names.values():
            _check_fields(made, **{option: one})

    def fold(event: Any, state: State) -> State:
        if event.who not in state.characters:
            return state
        sheet = state.characters[event.who].sheet
        added = {name: (*getattr(sheet, name), getattr(event, one)) for name, one in adds.items()}
        left = {
            name: tuple(one for one in getattr(sheet, name) if one.name != getattr(event, gone))
            for name, gone in drops.items()
        }
        changed = replace(sheet, **sets, **added, **left)
        return state.with_sheet(event.who, event.changes(changed) if hasattr(event, "changes") else changed)

    return fold


def _action(made: Any, check: Callable[[Call, Any], None], **further: Any) -> Action[Any, Any]:
    """Split a command at its question: `gather` runs it up to there, `tell` runs it again and sends the verdict."""

    def does(call: Call, asked: Any) -> Any:
        check(call, asked)
        return asked.does(call)

    for method in {"sides", "hides", "variants"} & set(dir(made)):
        further[method] = lambda call, asked, method=method: getattr(asked, method)(call)
    if not isgeneratorfunction(made.does):
        return Action(made, lambda call, asked, _: does(call, asked), **further)

    def gather(call: Call, asked: Any) -> Question[Any]:
        question: Question[Any] = next(does(call, asked))
        return question

    def tell(call: Call, asked: Any, verdict: Any) -> Sequence[Any]:
        doing = does(call, asked)
        next(doing)
        try:
            doing.send(verdict)
        except StopIteration as done:
            events: Sequence[Any] = done.value
            return events
        raise TypeError(f"{type(asked).__name__} asks more than one question")

    return Action(made, tell, gather, **further)


def _held(what: str, actor: str | None) -> Callable[[Call, Any], range]:
    """Make a range from 0 to what the actor's sheet has, within the limit of the field."""

    def legal(call: Call, asked: Any) -> range:
        held = getattr(call.state.characters[getattr(asked, actor or "")].sheet, what)
        (spent,) = (field for field in fields_of(type(asked)) if field.name == what)
        most = spent.limit(Le)
        return range((held if most is None else min(held, most)) + 1)

    return legal
