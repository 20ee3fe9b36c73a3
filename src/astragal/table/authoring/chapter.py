"""A chapter of a game: its commands, its events, and what follows from them, collected as they are declared.

LUCK = Chapter(seen=Seen.ALL)

@LUCK.event("blessed", owner="who", says="{who} is blessed by {by}")
class Blessed(Event): ...  # with `fold(self, state)`, `says(self, teller)`, `went(self, teller)` where needed

@LUCK.command("bless", may=GAME_MASTER_ONLY)
class Bless(Command): ...  # `does(self, call)` returns events; one that rolls yields its question first

@LUCK.fact("rest_gives_luck", told="luck_from_rest_settled", may=GAME_MASTER_ONLY, says="…")
class RestGivesLuck(Fact): ...  # a command that is its own event; `check(self, call)` may refuse it

@LUCK.after(Rested)
def luck_from_rest(state, rested): ...  # what an event brings with it: further events
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from inspect import isgeneratorfunction
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from annotated_types import Le

from astragal.chance import Policy, Question
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
from astragal.values import field_names, frozen

if TYPE_CHECKING:
    from astragal.table.state.table import State

__all__ = ["Call", "Chapter", "Command", "Doing", "Due", "Event", "Fact", "Spend", "SpendAfter", "TableCall"]

C = TypeVar("C")
E = TypeVar("E")
T = TypeVar("T", bound=Value)
V = TypeVar("V")
S = TypeVar("S", bound="State", covariant=True)  # noqa: PLC0105 - the state


@frozen
class TableCall(Generic[S]):
    """A command as it reaches its functions: the state it is asked in, who asks, an id for whatever is new, and how
    it will be shown. A game says which state its own calls have: `TableCall[TableState[Game, Sheet, Options]]`.
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


@frozen
class Spend:
    """A field that pays for the roll before it: its legal range comes from the state.

    `worth` says what a spend brings, where a point can bring nothing: a preview marks such a point. `held` says what
    there is to spend: “7 in Might”.
    """

    field: str
    legal: Callable[[Call, Any], range]
    worth: Callable[[Call, Any], int] | None = None
    held: Callable[[Call, Any], str] = lambda call, asked: ""


@frozen
class SpendAfter:
    """Points that whoever acts may spend once the dice are seen.

    `policy` spends as few as bring success, for that side alone; `price` says what a verdict took, and that it took
    nothing where it came so by itself.
    """

    points: str
    policy: Policy
    price: Callable[[Any], int]


@frozen
class Action(Generic[C, V]):
    """A command and its functions: *gather* makes the question, the rule decides it, *tell* says what happened.

    Without `gather` nothing is rolled, and `tell` gets None for a verdict. `sides` says who answers for each side of
    the question's offers, by character or seat; by default a side is the command's field of that name. `outcome` is
    what a preview counts, `hopes` whether whoever acts would be glad of an outcome, and `policies` are further ways to
    answer offers that a preview counts by, beside declining all. `bid` is the name of the offers in which points are
    declared in secret before the roll, `after` what may be spent once it is seen. `hides` tells whether the roll's
    difficulty is hidden from players. `variants` are other questions that a preview counts beside the one that is
    rolled, each by what would be different: “without the rope +2”. `card` is how the
    roll is presented, `everyday` the words that people look for the command by, with commas between.
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
        """Does whoever acts spend something before the roll?"""
        spent = [field.name for field in fields_of(self.command) if field.is_paid]
        spent += [self.spend.field] if self.spend else []
        return any(getattr(command, name) for name in spent)

    @property
    def name(self) -> str:
        return kind_of_command(self.command).name


@frozen
class Happening(Generic[E]):
    """An event, what it changes, and how it is told. One without a fold changes nothing (chat, narration).

    `went` says how it went: None says nothing, and nothing is said where it depends on what the viewer may not know.
    `template` is what its words were made from, where it is one. `in_short` are the few words by which a story that is
    told again has it; without them, it is bookkeeping.
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


@frozen
class Reaction(Generic[E]):
    """Further events that an event brings with it: asked with the state after the event."""

    event: type[E]
    tell: Callable[[State, E], Sequence[Any]]


# ---------------------------------------------------------------- how they are declared

Doing: TypeAlias = Generator[Question[V], V, Sequence[Any]]
"""A command that rolls: it yields its question, is sent the verdict, and returns what happened."""

Due: TypeAlias = Callable[["State", Teller], Iterable[str]]
"""Reminders for whoever runs the game: sentences read off the state, each with the command that settles it. Where one
depends on something that a viewer may not know, that viewer is told nothing."""

Board: TypeAlias = Callable[["State"], Sequence[Piece]]
"""Rows that lie on the table for all, and belong to no character: a shared track, threats, what is under way."""

Proposals: TypeAlias = Callable[["State", Teller], Iterable[Proposal]]
"""Proposals for the game master as things stand: moves that are allowed, approaches to be called."""

Moves: TypeAlias = Callable[["State", MoveKind, Teller], Iterable[str]]
"""Moves of a kind that a game master could make of what lies open, when the players stall."""

Fold: TypeAlias = Callable[[Any, "State"], "State"]
"""What an event changes: from the event and the state before it to the state after."""

Follows = TypeVar("Follows", bound=Callable[[Any, Any], Sequence[Any]])


class Command(Value):
    """Base of a chapter's commands.

    `does(self, call)` returns events, or, where the command rolls, is a generator (`Doing`). Optional methods:
    `sides(self, call)` says who answers for each side of the question, `hides(self, call)` whether its difficulty is
    hidden from players, `granted(self, call)` which of the fields that players may only propose need no ruling, as they
    are filled in, `risks(self, call)` what a failure would cost, in words, as far as one sees it, and
    `recalls(self, call)` words by field that were said before and need not be said again. A static one,
    `is_of_use(state)`, says whether there is anything to do it for: where there is not, it is not put forward.
    """


class Event(Value):
    """Base of a chapter's events. Optional methods: `says(self, teller)`, `went(self, teller)`, `fold(self, state)`; in
    place of a fold, `changes(self, sheet)` of one that changes nothing but the sheet of `who`; and for the story told
    again, `in_short(self, teller)`.
    """


class Fact(Command):
    """Base of a chapter's facts: commands that are their own events.

    `check(self, call)` may refuse one, or return it with what it names as the table has it.
    """


class Chapter:
    """Commands, events and reactions that belong together.

    `seen` says who may see the fields of its events, where neither the event nor the field says otherwise; where none
    of the three says anything, a field is the game master's. A command that a dead character would carry out is
    refused; `dead_may` is for a chapter where it is not, such as talk.
    """

    def __init__(
        self,
        actions: Iterable[Action[Any, Any]] = (),
        happenings: Iterable[Happening[Any]] = (),
        reactions: Iterable[Reaction[Any]] = (),
        *,
        seen: Seen | None = None,
        dead_may: bool = False,
    ) -> None:
        self.actions = list(actions)
        self.happenings = list(happenings)
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
        """Declare a command and what it does. See `Action` for what the options mean.

        By default a command with an `actor` is for the game master and that character's owner, any other for the game
        master alone. A program gives a `grave` one only on a person's word. `spend` may be the name of a field that
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
        """Declare an event. `says` is its line in the log, with fields in braces (see `template`); `owner` the field
        that says whose it is, for what only owners may see: `who`, unless another is named. Of a `secret` one only the
        game master is told.

        What becomes of the sheet of `who` can be said here: `sets` are fields and what they become, `adds` fields that
        hold several and the event's field that is one more, `drops` those and the field that names one that goes.
        `sets={"taken_out": True}`, `adds={"gear": "item"}`, `drops={"gear": "item"}`.
        """

        def declare(cls: type[T]) -> type[T]:
            if secret:
                cls.is_for = lambda _, viewer: viewer.is_game_master  # type: ignore[attr-defined]
            made = declarations.event(name, version=version, nature=nature, owner=owner, lifts=lifts)(cls)
            _check_fields(made, owner=owner)
            fold = _changes_sheet(made, sets or {}, adds or {}, drops or {})
            self.happenings.append(self._happening(made, says, Seen.GAME_MASTER if secret else seen, fold))
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
        """Declare a command that is its own event, `told`, with the same fields. Its options are those of both."""

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
            self.happenings.append(self._happening(made, says, seen, fold))
            return made

        return declare

    def after(self, *events: type) -> Callable[[Follows], Follows]:
        """Declare what one of these events brings with it, from the state after the event."""

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
        """Declare what lies at hand for the game master."""
        self.proposals.append(function)
        return function

    def names(self, kind: str) -> Callable[[Things], Things]:
        """Declare what there is of a kind, for the fields that name one (`Names`)."""

        def declare(function: Things) -> Things:
            self.named[kind] = function
            return function

        return declare

    def _check(self, call: Call, asked: Any) -> None:
        """Refuse what the dead would do."""
        actor = kind_of_command(type(asked)).actor
        who = call.state.characters.get(getattr(asked, actor)) if actor and not self._dead_may else None
        if who is not None:
            who.check_lives()

    def _happening(self, made: Any, says: str, seen: Seen | None, changes: Fold | None) -> Happening[Any]:
        _check_names(made, "says", "fold", "went", "in_short", "check", "changes")
        if made.__seen__ is None:
            made.__seen__ = seen or self._seen
        if changes:
            made.fold = changes
        fold = (lambda state, event: event.fold(state)) if hasattr(made, "fold") else None
        own, went, in_short = (getattr(made, name, None) for name in ("says", "went", "in_short"))
        return Happening(made, own or template(says), fold, went, "" if own else says, in_short)


def usual_rights(actor: str | None) -> Rights:
    """Who may give a command: the game master and whoever plays the actor; without one, the game master alone."""
    return GAME_MASTER_OR_OWNER if actor else GAME_MASTER_ONLY


def _check_names(made: type, *methods: str) -> None:
    """Refuse a field that has the name of a method which the chapter would call."""
    if taken := set(methods) & set(field_names(made)):
        raise TypeError(f"{made.__name__} can't have a field called {', '.join(sorted(taken))}")


def _check_fields(made: type, **named: str | None) -> None:
    """Refuse a declaration that names a field which is none."""
    known = field_names(made)
    for option, name in named.items():
        if name and name not in known:
            raise TypeError(f"{option}={name!r} is no field of {made.__name__}: it has {', '.join(known) or 'none'}")


def _changes_sheet(
    made: type, sets: Mapping[str, Any], adds: Mapping[str, str], drops: Mapping[str, str]
) -> Fold | None:
    """The fold of an event that changes the sheet of `who`. A rewind may have gone back to before they were there."""
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
    """Split a command at its question: what comes before is `gather`, the rest `tell`."""

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
    """As much as the actor's sheet has, within the limits of the field."""

    def legal(call: Call, asked: Any) -> range:
        held = getattr(call.state.characters[getattr(asked, actor or "")].sheet, what)
        (spent,) = (field for field in fields_of(type(asked)) if field.name == what)
        most = spent.limit(Le)
        return range((held if most is None else min(held, most)) + 1)

    return legal
