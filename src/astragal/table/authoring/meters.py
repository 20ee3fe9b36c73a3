"""Meters: numbers between 0 and a maximum that are lost and gained. A game declares each once.

OIL = Meter("oil", most=lambda sheet: 3, seen=Seen.ALL, loses="burns", override="oil in the lantern")
METERS = Meters(OIL)

`METERS` is a chapter. It has the events (`Lost`, `Gained`, and `Paid` for a rewind) with their words and folds, and
recovery by rest. `METERS.overrides` and `METERS.price(…)` go into the ruleset. `OIL.lost(…)` and `OIL.gained(…)` make
the events for a command that changes it; `Lose` and `Gain` are bases of commands that do nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from annotated_types import Ge, Le
from msgspec import Struct
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event, EventSpec, Reaction
from astragal.table.authoring.display import Pips, Track
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Overridable, Price
from astragal.table.chapters.calendar import Rested
from astragal.table.declarations import Nature, Seen, Value, Viewer, event, replace
from astragal.table.fields.definitions import CharacterId, Words
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.table import Character, State, TableState
from astragal.table.state.things import Rest

__all__ = ["Gain", "Gained", "Lose", "Lost", "Meter", "Meters", "gained", "lost"]

Holder: TypeAlias = Character[Any] | State | Value
"""Holder of a number: a character or the table, or directly the sheet or game state that the number is a field of."""

_NARROWER = (Seen.ALL, Seen.OWNER, Seen.GAME_MASTER)


class Meter(Struct, frozen=True):
    """A number that is lost and gained. Its name is a term that skins can replace, and the name of its override.

    It is the field of that name on the sheet; `field` names another, `read` and `write` reach one that is nested
    deeper. `most` returns its maximum. `seen` says who sees a change; if the sheet is `closed`, the change doesn't show
    the new value.
    """

    name: str
    most: Callable[[Any], int]
    seen: Seen = Seen.GAME_MASTER
    field: str = ""
    read: Callable[[Any], int] | None = None
    write: Callable[[Any, int], Any] | None = None
    closed: Callable[[Any], bool] | None = None
    loses: str = "loses"
    gains: str = "gains"
    """Verbs of the log."""
    counted: Callable[[int, Teller], str] | None = None
    """Words for a number of points; by default the number and the term."""
    steps: tuple[str, ...] = ()
    """A word for each value, from 0 on."""
    holder: str = "the party"
    """Term for the holder of a number that belongs to the table."""
    rest: Callable[[Any, Character[Any], Rest], int] | None = None
    """Returns the points that a rest gives back to a character."""
    check: Callable[[Any, Character[Any]], None] = lambda state, who: None
    """Refuses `Lose` and `Gain` at a table that plays without this meter."""
    override: str = ""
    """Description of what an override sets; if empty, nobody can override it."""
    limit: int = 99
    """Maximum for an override."""
    kept: int = 0
    """Points that the price of a rewind never takes."""
    emptied: type | None = None
    """Event of `who` going down with the last point. The game master is reminded of payers who are down."""
    revived: type | None = None
    """Event of `who` getting up with the first point."""

    def of(self, holder: Holder) -> int:
        part = _part(holder)
        now: int = self.read(part) if self.read else getattr(part, self.field or self.name)
        return now

    def put(self, part: Any, now: int) -> Any:
        """Return the sheet, or the game's own state, with this number."""
        return self.write(part, now) if self.write else replace(part, **{self.field or self.name: now})

    def room(self, holder: Holder) -> int:
        return max(0, self.most(_part(holder)) - self.of(holder))

    def is_closed(self, holder: Holder) -> bool:
        return self.closed is not None and self.closed(_part(holder))

    def is_played(self, state: State, who: Character[Any]) -> bool:
        try:
            self.check(state, who)
        except Refusal:
            return False
        return True

    def lost(self, holder: Holder, points: int, why: str = "") -> list[Lost]:
        return lost(holder, {self: points}, why)

    def gained(self, holder: Holder, points: int, why: str = "") -> list[Gained]:
        return gained(holder, {self: points}, why)

    def words(self, points: int, teller: Teller) -> str:
        return self.counted(points, teller) if self.counted else f"{points} {teller.term(self.name)}"

    def piece(self, holder: Holder, doc: str = "", command: str | None = None, **fields: Any) -> Pips | Track:
        """Return the piece that shows the number. A click on pips opens the command's form with these fields."""
        now = self.of(holder)
        if self.steps:
            return Track(self.name, now, self.steps, dire=False)
        return Pips(self.name, now, max(now, self.most(_part(holder))), doc, command, tuple(fields.items()))


# ---------------------------------------------------------------- what happened


class Change(Event):
    """Base of the events: points by meter, and the new value of each, unless the sheet is closed."""

    who: CharacterId | None
    points: Mapping[str, int]
    now: Mapping[str, int]
    why: Words
    told_to: Annotated[Seen, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        is_own = self.told_to is Seen.OWNER and self.who in viewer.characters
        return self.told_to is Seen.ALL or is_own or viewer.is_game_master


@event("lost")
class Lost(Change, seen=Seen.ALL):
    """Someone lost points of one or more meters."""

    emptied: Annotated[tuple[str, ...], Seen.GAME_MASTER]
    """Meters that fell to 0."""


@event("gained")
class Gained(Change, seen=Seen.ALL):
    """Someone gained points of one or more meters."""

    revived: Annotated[tuple[str, ...], Seen.GAME_MASTER]
    """Meters that were at 0 before."""


@event("paid", nature=Nature.LASTING)
class Paid(Change, seen=Seen.ALL):
    """Someone paid for a rewind. Later rewinds don't return it."""


def lost(holder: Holder, points: Mapping[Meter, int], why: str = "") -> list[Lost]:
    """Make the event of losing points of one or more meters; none if there are no points. Meters stop at 0."""
    taken = {meter: number for meter, number in points.items() if number > 0}
    now = {meter: max(0, meter.of(holder) - number) for meter, number in taken.items()}
    emptied = tuple(meter.name for meter in taken if meter.of(holder) and not now[meter])
    return [Lost(**_told(holder, taken, now, why), emptied=emptied)] if taken else []


def gained(holder: Holder, points: Mapping[Meter, int], why: str = "") -> list[Gained]:
    """Make the event of gaining points of one or more meters; none if there is no room. Meters stop at the maximum."""
    given = {meter: few for meter, number in points.items() if (few := min(number, meter.room(holder))) > 0}
    now = {meter: meter.of(holder) + number for meter, number in given.items()}
    revived = tuple(meter.name for meter in given if not meter.of(holder))
    return [Gained(**_told(holder, given, now, why), revived=revived)] if given else []


def _part(holder: Holder) -> Any:
    if isinstance(holder, Character):
        return holder.sheet
    return holder.game if isinstance(holder, TableState) else holder


def _told(holder: Holder, points: Mapping[Meter, int], now: Mapping[Meter, int], why: str = "") -> dict[str, Any]:
    """Make the fields of an event. It is shown to those who may see all of its meters."""
    return {
        "who": holder.id if isinstance(holder, Character) else None,
        "points": {meter.name: number for meter, number in points.items()},
        "now": {meter.name: number for meter, number in now.items() if not meter.is_closed(holder)},
        "why": why,
        "told_to": max((meter.seen for meter in points), key=_NARROWER.index),
    }


# ---------------------------------------------------------------- the chapter


class Meters(Chapter):
    """The meters of a game, as a chapter that has their events, words and folds.

    `payer` returns whether a character pays for a rewind: by default, whether a seat plays them.
    """

    def __init__(self, *meters: Meter, payer: Callable[[Character[Any]], bool] = lambda one: one.seat is not None):
        event_specs = [EventSpec(kind, self._says, self._fold) for kind in (Lost, Gained, Paid)]
        follows: dict[type, Any] = {Rested: self._rest, Lost: self._turns, Gained: self._turns}
        super().__init__(event_specs=event_specs, reactions=[Reaction(kind, tell) for kind, tell in follows.items()])
        self.meters, self._payer = meters, payer
        self._named = {meter.name: meter for meter in meters}
        self.due(self._down)

    @property
    def overrides(self) -> dict[str, Overridable]:
        """Numbers that the game master can set by hand."""
        known = [meter for meter in self.meters if meter.override]
        return {one.name: Overridable(one.override, (0, one.limit), one.of, one.put) for one in known}

    def price(self, doc: str, *meters: Meter) -> Price:
        """Make the price of a rewind: every payer loses this many points, each from the fullest meter at the time.

        A payer who has fewer loses them all.
        """

        def tell(state: State, amount: int) -> list[Paid]:
            told = []
            for who in filter(self._payer, state.characters.values()):
                left = {meter: max(0, meter.of(who) - meter.kept) for meter in meters}
                paid = dict.fromkeys(meters, 0)
                for _ in range(min(amount, sum(left.values()))):
                    fullest = max(left, key=lambda meter: left[meter])
                    left[fullest] -= 1
                    paid[fullest] += 1
                paid = {meter: number for meter, number in paid.items() if number}
                told += [Paid(**_told(who, paid, {}))] if paid else []
            if not told:
                known = " or ".join(state.terms.get(meter.name, meter.name) for meter in meters)
                raise Refusal(f"Nobody has any {known} to spare.", code="price")
            return told

        return Price(doc, tell)

    def _rest(self, state: State, rested: Rested) -> list[Gained]:
        """Make the events of recovery by rest: for each character, one for all meters that the same people may see.

        Such an event reveals how much was missing, so for a closed sheet only the owner and the game master see it.
        """
        told, kind = list[Gained](), rested.kind
        for who in (state.characters[one] for one in rested.who):
            open_to: dict[Seen, dict[Meter, int]] = {sight: {} for sight in _NARROWER}
            for meter in self.meters:
                if meter.rest:
                    sight = Seen.OWNER if meter.seen is Seen.ALL and meter.is_closed(who) else meter.seen
                    open_to[sight][meter] = meter.rest(state, who, kind)
            told += [replace(one, told_to=sight) for sight, given in open_to.items() for one in gained(who, given)]
        return told

    def _turns(self, _: State, told: Lost | Gained) -> list[Any]:
        """Make the events of going down with the last point and getting up with the first. Nobody goes down twice."""
        if isinstance(told, Lost):
            kinds = [self._named[name].emptied for name in told.emptied]
        else:
            kinds = [self._named[name].revived for name in told.revived]
        return [kind(who=told.who) for kind in kinds if kind and told.who]

    def _down(self, state: State, teller: Teller) -> Iterator[str]:
        for who in (one for one in state.characters.values() if self._payer(one) and one.fate is None):
            if any(meter.emptied and meter.is_played(state, who) and not meter.of(who) for meter in self.meters):
                yield f"{teller.name(who.id)} is down: say what that means (record_fate), or let somebody help (heal)."

    def _fold(self, state: State, told: Change) -> State:
        """Apply a change. Characters and meters that don't exist are skipped.

        A rewind may have gone back to before the character was there, and the game may have dropped a meter.
        """
        if told.who is not None and told.who not in state.characters:
            return state
        part = state.game if told.who is None else state.characters[told.who].sheet
        for meter in (self._named[name] for name in told.points if name in self._named):
            now, points = meter.of(part), told.points[meter.name]
            least = meter.kept if isinstance(told, Paid) else 0
            after = now + points if isinstance(told, Gained) else min(now, max(least, now - points))
            part = meter.put(part, after)
        return replace(state, game=part) if told.who is None else state.with_sheet(told.who, part)

    def _says(self, told: Change, teller: Teller) -> str:
        """Write the line of the log, such as “Kira loses 3 Stamina (a fall) and has 2 left”.

        With several meters: “Kira regains 1 Body (3 now), 1 Mind (4 now)”.
        """
        meters = [self._named.get(name) or Meter(name, lambda _: 0) for name in told.points]
        first, why = next(iter(meters), Meter("", lambda _: 0)), f" ({told.why})" if told.why else ""
        who = teller.name(told.who) if told.who else teller.term(first.holder)
        does, stands = "pays" if isinstance(told, Paid) else first.loses, "left"
        if isinstance(told, Gained):
            does, stands = first.gains, "now"
        words = {meter.name: meter.words(told.points[meter.name], teller) for meter in meters}
        if len(meters) == 1 and first.name in told.now:
            now = told.now[first.name]
            step = f"is {first.steps[now]} ({now})" if now in range(len(first.steps)) else f"has {now} {stands}"
            return f"{who} {does} {words[first.name]}{why} and {step}"
        ends = {name: f" ({now} {stands})" for name, now in told.now.items()}
        return f"{who} {does} {', '.join(part + ends.get(name, '') for name, part in words.items())}{why}"


# ---------------------------------------------------------------- commands


class _ForOne(Command):
    meter: ClassVar[Meter]

    who: Annotated[CharacterId, Doc("who it is")]
    points: Annotated[int, Ge(1), Le(99), Doc("how much")] = 1
    why: Annotated[Words, Doc("what for")] = ""

    def found(self, call: Call) -> Character[Any]:
        if self.who not in call.state.characters:
            raise NoSuchThing(f"There is no character {self.who[:40]!r} at this table.")
        found = call.state.characters[self.who]
        found.check_lives()
        self.meter.check(call.state, found)
        return found


class Lose(_ForOne):
    """Base of a command that takes points of its `meter`."""

    def does(self, call: Call) -> list[Lost]:
        return self.meter.lost(self.found(call), self.points, self.why)


class Gain(_ForOne):
    """Base of a command that gives points of its `meter`, up to the maximum."""

    def does(self, call: Call) -> list[Gained]:
        who = self.found(call)
        told = self.meter.gained(who, self.points, self.why)
        if not told:
            now, most, name = self.meter.of(who), self.meter.most(who.sheet), self.meter.name
            raise Refusal(f"{who.name} has {now} of {most} {call.state.terms.get(name, name)} already.", code="full")
        return told
