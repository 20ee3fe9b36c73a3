"""The cast: heroes and foes enter the story, their fates are recorded, and their numbers are change.

A game's command makes a sheet and returns `entered(call, name, sheet, seat)` for a hero, or `introduced(call, name,
sheet)` for a character that the game master plays. A sheet may have a method `says(self, teller)`: its words are added
to the hero's log line.

A command that brings in foes derives from `BringIn` and defines `sheet`. Or it has a `name: NameOfFoe = ""` and a
`foe: WhichFoe = None`, and begins with `foe = from_setting(call, self)`, which returns the command filled in from a foe
that the setting has ready.

The ruleset decides which numbers can be overridden and within which limits: that chapter is made from its `overrides`.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from annotated_types import MaxLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Action, Call, Chapter, Command, Event, EventSpec, Fact
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Overridable, Ruleset, ready_heroes
from astragal.table.chapters.seats import find_seat
from astragal.table.declarations import (
    GAME_MASTER_AND_PLAYERS,
    GAME_MASTER_ONLY,
    Nature,
    Role,
    Seen,
    command,
    event,
    parts_of,
    replace,
)
from astragal.table.fields import lookup, validation
from astragal.table.fields.definitions import CharacterId, Label, Name, Names, PlayerSeat, Words, fields_of
from astragal.table.refusals import BadFields, NoSuchThing, Refusal
from astragal.table.state import pictures, setting, things
from astragal.table.state.table import Character, State
from astragal.table.visibility.redact import WITHHELD

__all__ = [
    "BringIn",
    "Entered",
    "FateRecorded",
    "Introduced",
    "NameOfFoe",
    "Overridden",
    "WhichFoe",
    "entered",
    "from_setting",
    "introduced",
]

S = TypeVar("S")
C = TypeVar("C")

ENTERING = Chapter(seen=Seen.ALL)


@ENTERING.event("entered", nature=Nature.LASTING, owner="who")
class Entered(Event, Generic[S]):
    """A hero came into the story, for good: no rewind takes one out. The sheet declares who may see its parts."""

    who: CharacterId
    name: str
    seat: str | None
    sheet: S

    def says(self, teller: Teller) -> str:
        says = getattr(self.sheet, "says", None)  # a sheet is the author's own class
        if says is None:
            return f"{self.name} enters the story"
        return f"{self.name} enters the story: {says(teller)}"

    def fold(self, state: State) -> State:
        seat = self.seat if self.seat in state.seats else None
        return state.with_character(_newcomer(state, self.who, self.name, self.sheet, seat))


@ENTERING.event("introduced", owner="", says="{name} enters the story")
class Introduced(Event, Generic[S]):
    """Somebody whom the game master plays came into the story. The owner's part of the sheet is the game master's."""

    who: CharacterId
    name: str
    sheet: S

    def fold(self, state: State) -> State:
        return state.with_character(_newcomer(state, self.who, self.name, self.sheet))


def _newcomer(state: State, who: str, name: str, sheet: S, seat: str | None = None) -> Character[S]:
    """Make a new character, with the portrait that the setting has for their name."""
    portrait = pictures.portrait_in(state.setting.portraits, name)
    return Character(id=who, name=name, seat=seat, sheet=sheet, portrait=portrait)


def entered(call: Call, name: str, sheet: S, seat: str | None = None) -> Entered[S]:
    """Return the event of a new hero. A player gets the hero; a game master names the `seat`, or keeps the hero."""
    _check_name(call.state, name)
    if not call.viewer.is_game_master:
        if seat not in (None, call.viewer.seat):
            raise Refusal("Only the game master makes a hero for somebody else.", code="not_allowed")
        seat = call.viewer.seat
    elif seat is not None and find_seat(call.state, seat).role is Role.SPECTATOR:
        raise Refusal("A spectator has no hero.", code="not_allowed")
    return Entered(who=call.fresh, name=name, seat=seat, sheet=sheet)


def introduced(call: Call, name: str, sheet: S) -> Introduced[S]:
    """Return the event of a new character that the game master plays."""
    _check_name(call.state, name)
    return Introduced(who=call.fresh, name=name, sheet=sheet)


def _check_name(state: State, name: str) -> None:
    """Refuse a name that a character in the story has already, ignoring case."""
    if any(character.name.casefold() == name.casefold() for character in state.characters.values()):
        raise Refusal(f"Somebody called {name} is in the story already.", code="name_taken")


# ---------------------------------------------------------------- foes that the setting has ready


@ENTERING.names("foe")
def foes_named(state: State) -> list[lookup.Named]:
    if state.setting.foes is WITHHELD:
        return []
    return [lookup.Named(foe.id, foe.name) for foe in state.setting.foes]


@ENTERING.names("boon")
def boons_named(state: State) -> list[lookup.Named]:
    if state.setting.boons is WITHHELD:
        return []
    return [lookup.Named(boon, boon) for boon in state.setting.boons]


@ENTERING.names("rite")
def rites_named(state: State) -> list[lookup.Named]:
    return [lookup.Named(rite, rite) for rite in state.setting.rites]


LONGEST_NAME = 60

NameOfFoe: TypeAlias = Annotated[
    str, MaxLen(LONGEST_NAME), Doc("what they are called; a foe’s name brings that foe in")
]
WhichFoe: TypeAlias = Annotated[
    Annotated[str, MaxLen(LONGEST_NAME), Names("foe")] | None,
    Doc("a foe of the setting: fills in what is not said, the name too"),
]


def from_setting(call: Call, order: C, taken: Iterable[str] | None = None) -> C:
    """Return the command with its unset fields filled in from a foe of the setting.

    `taken` are the names in use, by default those of all characters in the story: a second foe of a name gets a number.
    """
    fields: Any = order  # has `name` and `foe`; which other fields there are depends on the game
    foe = _foe_called(call.state, fields.foe, fields.name)
    if foe is None:
        if not fields.name.strip():
            raise BadFields(
                ["name is missing: say what they are called, or which foe of the setting it is"], [("name",)]
            )
        return order
    defaults = {field.name: field.default for field in fields_of(type(order))}
    set_fields = {name: value for name, value in parts_of(order).items() if value != defaults[name]}
    if fields.name.strip().casefold() in ("", foe.name.casefold()):
        if taken is None:
            taken = [character.name for character in call.state.characters.values()]
        set_fields["name"] = _free_name(foe.name, taken)
    return validation.read(type(order), {**foe.fields, **set_fields})


def _foe_called(state: State, which: str | None, name: str) -> setting.Foe | None:
    """Find the foe called `which`, or else `name`, ignoring case. Refused if `which` names no foe."""
    foe_name = (which or name).strip().casefold()
    for foe in state.setting.foes:
        if foe.name.casefold() == foe_name:
            return foe
    if which is not None:
        raise NoSuchThing(f"This setting has no foe {which[:40]!r}.")
    return None


def _free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number added if it is taken."""
    taken_names = {taken_name.casefold() for taken_name in taken}
    if name.casefold() not in taken_names:
        return name
    numbered = (f"{name[: LONGEST_NAME - 4]} {number}" for number in count(2))
    return next(candidate for candidate in numbered if candidate.casefold() not in taken_names)


class BringIn(Command):
    """Base of a command that brings in a character of the game master's. `sheet` is called with the foe filled in."""

    name: NameOfFoe = ""
    foe: WhichFoe = None

    def sheet(self, call: Any) -> Any:
        raise NotImplementedError

    def does(self, call: Call) -> list[Introduced[Any]]:
        order = from_setting(call, self)
        return [introduced(call, order.name, order.sheet(call))]


# ---------------------------------------------------------------- sample heroes: the setting's, or else the game's own


@command("take_sample", may=GAME_MASTER_AND_PLAYERS)
class TakeSample(Command):
    """Play one of the heroes that are ready."""

    sample: Annotated[str, MaxLen(60), Names("sample hero"), Label("hero"), Doc("the sample hero's name")]
    seat: Annotated[PlayerSeat, Doc("whose hero it is, where the game master gives it")] = None


def sampling(ruleset: Ruleset) -> Chapter:
    """Make the chapter of sample heroes. It is empty if the game doesn't declare how heroes are made.

    Nobody has to rule on the fields of a sample.
    """
    heroes = ruleset.heroes
    commands = {action.name: action.command for chapter in ruleset.chapters for action in chapter.actions}
    if heroes is None or heroes.make not in commands:
        return Chapter()
    making: Any = commands[heroes.make]

    def does(call: Call, order: TakeSample, _: None) -> Sequence[Any]:
        """Run the command that makes heroes with the sample's fields."""
        ready = ready_heroes(heroes, call.state.options, call.state.setting)
        if order.sample not in ready:
            raise NoSuchThing(f"No hero called {order.sample!r} is ready; there is {', '.join(ready) or 'none'}.")
        fields = dict(ready[order.sample])
        if order.seat is not None:
            fields["seat"] = order.seat
        events: Sequence[Any] = validation.read(making, fields).does(call)
        return events

    def free_samples(state: State) -> list[lookup.Named]:
        """Samples that are not in the story yet."""
        names_in_story = {character.name for character in state.characters.values()}
        ready = ready_heroes(heroes, state.options, state.setting)
        return [lookup.Named(name, name) for name in ready if name not in names_in_story]

    chapter = Chapter(actions=[Action(TakeSample, does)])
    chapter.names("sample hero")(free_samples)
    return chapter


# ---------------------------------------------------------------- fates

FATES = Chapter(seen=Seen.ALL)

_BECAME = {
    None: "is back in the story",
    things.Fate.DEAD: "is dead",
    things.Fate.RESCUED: "is rescued",
    things.Fate.CAPTURED: "is captured",
}


@FATES.fact("record_fate", told="fate_recorded", may=GAME_MASTER_ONLY, owner="who", grave=True)
class FateRecorded(Fact):
    """Record what became of somebody. The dead act no more."""

    who: Annotated[CharacterId, Doc("whose fate")]
    fate: Annotated[things.Fate | None, Doc("dead, rescued or captured; nothing takes it back")]
    told: Annotated[Words, Label("how it came")] = ""

    def check(self, call: Call) -> None:
        character = call.state.find(self.who)
        if character.fate is self.fate:
            raise Refusal(f"That is already so of {character.name}.", code="no_change")

    def says(self, teller: Teller) -> str:
        sentence = f"{teller.name(self.who)} {_BECAME[self.fate]}"
        return f"{sentence}: {self.told}" if self.told else sentence

    def fold(self, state: State) -> State:
        if self.who not in state.characters:
            return state
        return state.with_character(replace(state.characters[self.who], fate=self.fate))


# ---------------------------------------------------------------- numbers set by hand


@event("overridden", owner="who")
class Overridden(Event, seen=Seen.ALL):
    """The game master set a number by hand."""

    who: str
    what: str
    before: int
    after: int
    why: Words

    def says(self, teller: Teller) -> str:
        why = f" ({self.why})" if self.why else ""
        return f"override: {teller.name(self.who)}, {teller.term(self.what)} {self.before} → {self.after}{why}"


@command("override", title="Set a number by hand", may=GAME_MASTER_ONLY, grave=True)
class Override(Command):
    """Set a number by hand. All are told what it was, what it is, and why."""

    who: Annotated[CharacterId, Doc("whose number")]
    what: Annotated[Name, Names("number"), Label("number")]
    value: Annotated[int, Label("new value")]
    why: Annotated[Words, Doc("why the rules are set aside")] = ""


def overriding(overrides: Mapping[str, Overridable]) -> Chapter:
    """Make the chapter of overrides, for the numbers that a ruleset lets be change."""

    def does(call: Call, order: Override, _: None) -> list[Overridden]:
        character = call.state.find(order.who)
        if order.what not in overrides:
            raise NoSuchThing("This game has no such number to override.")
        overridable = overrides[order.what]
        least, most = overridable.limits
        if not least <= order.value <= most:
            raise Refusal(f"{order.what} goes from {least} to {most}, not to {order.value}.", code="out_of_range")
        number = overridable.read(character.sheet)
        if number == order.value:
            raise Refusal(f"{character.name} has {order.what} {number} already.", code="no_change")
        return [Overridden(who=character.id, what=order.what, before=number, after=order.value, why=order.why)]

    def fold(state: State, change: Overridden) -> State:
        """Set the number; one that the ruleset no longer has is left as it is."""
        if change.what not in overrides or change.who not in state.characters:
            return state
        sheet = state.characters[change.who].sheet
        return state.with_sheet(change.who, overrides[change.what].write(sheet, change.after))

    chapter = Chapter(actions=[Action(Override, does)], event_specs=[EventSpec(Overridden, Overridden.says, fold)])
    chapter.names("number")(lambda _: [lookup.Named(name, name) for name in overrides])
    return chapter
