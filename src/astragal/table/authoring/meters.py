"""Meters: numbers between 0 and a maximum that are lost and gained. A game declares each once.

OIL = Meter("oil", most=lambda sheet: 3, seen=Seen.ALL, loses="burns", override="oil in the lantern")
METERS = Meters(OIL)

`METERS` is a chapter. It has the events (`Lost`, `Gained`, and `Paid` for a rewind) with their words and folds, and
recovery by rest. `METERS.overrides` and `METERS.price(…)` go into the ruleset. `OIL.lost(…)` and `OIL.gained(…)` make
the events for a command that changes it; `Lose` and `Gain` are bases of commands that do nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
        """Return the number that this holder has."""
        part = _part(holder)
        if self.read is not None:
            return self.read(part)
        number: int = getattr(part, self.field or self.name)
        return number

    def put(self, part: Any, number: int) -> Any:
        """Return the sheet, or the game's own state, with this number."""
        if self.write is not None:
            return self.write(part, number)
        return replace(part, **{self.field or self.name: number})

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
        if self.counted is not None:
            return self.counted(points, teller)
        return f"{points} {teller.term(self.name)}"

    def piece(self, holder: Holder, doc: str = "", command: str | None = None, **fields: Any) -> Pips | Track:
        """Return the piece that shows the number. A click on pips opens the command's form with these fields."""
        number = self.of(holder)
        if self.steps:
            return Track(self.name, number, self.steps, dire=False)
        most = max(number, self.most(_part(holder)))
        return Pips(self.name, number, most, doc, command, tuple(fields.items()))


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
    losses = {meter: loss for meter, loss in points.items() if loss > 0}
    if not losses:
        return []
    new_values = {meter: max(0, meter.of(holder) - loss) for meter, loss in losses.items()}
    emptied = tuple(meter.name for meter in losses if meter.of(holder) and not new_values[meter])
    return [Lost(**_fields_of_change(holder, losses, new_values, why), emptied=emptied)]


def gained(holder: Holder, points: Mapping[Meter, int], why: str = "") -> list[Gained]:
    """Make the event of gaining points of one or more meters; none if there is no room. Meters stop at the maximum."""
    gains = {}
    for meter, gain in points.items():
        gain_with_room = min(gain, meter.room(holder))
        if gain_with_room > 0:
            gains[meter] = gain_with_room
    if not gains:
        return []
    new_values = {meter: meter.of(holder) + gain for meter, gain in gains.items()}
    revived = tuple(meter.name for meter in gains if not meter.of(holder))
    return [Gained(**_fields_of_change(holder, gains, new_values, why), revived=revived)]


def _part(holder: Holder) -> Any:
    if isinstance(holder, Character):
        return holder.sheet
    if isinstance(holder, TableState):
        return holder.game
    return holder


def _fields_of_change(
    holder: Holder, points: Mapping[Meter, int], new_values: Mapping[Meter, int], why: str = ""
) -> dict[str, Any]:
    """Make the fields of an event. It is shown to those who may see all of its meters."""
    return {
        "who": holder.id if isinstance(holder, Character) else None,
        "points": {meter.name: number for meter, number in points.items()},
        "now": {meter.name: number for meter, number in new_values.items() if not meter.is_closed(holder)},
        "why": why,
        "told_to": max((meter.seen for meter in points), key=_NARROWER.index),
    }


# ---------------------------------------------------------------- the chapter


class Meters(Chapter):
    """The meters of a game, as a chapter that has their events, words and folds.

    `payer` returns whether a character pays for a rewind: by default, whether a seat plays them.
    """

    def __init__(self, *meters: Meter, payer: Callable[[Character[Any]], bool] = lambda who: who.seat is not None):
        event_specs = [EventSpec(kind, self._says, self._fold) for kind in (Lost, Gained, Paid)]
        reactions: list[Reaction[Any]] = [
            Reaction(Rested, self._rest),
            Reaction(Lost, self._turns),
            Reaction(Gained, self._turns),
        ]
        super().__init__(event_specs=event_specs, reactions=reactions)
        self.meters = meters
        self._payer = payer
        self._meter_by_name = {meter.name: meter for meter in meters}
        self.due(self._down)

    @property
    def overrides(self) -> dict[str, Overridable]:
        """Numbers that the game master can set by hand."""
        overrides = {}
        for meter in self.meters:
            if meter.override:
                overrides[meter.name] = Overridable(meter.override, (0, meter.limit), meter.of, meter.put)
        return overrides

    def price(self, doc: str, *meters: Meter) -> Price:
        """Make the price of a rewind: every payer loses this many points, each from the fullest meter at the time.

        A payer who has fewer loses them all.
        """

        def tell(state: State, amount: int) -> list[Paid]:
            payments = []
            for who in filter(self._payer, state.characters.values()):
                payment = _from_the_fullest(who, meters, amount)
                if payment:
                    payments.append(Paid(**_fields_of_change(who, payment, {})))
            if not payments:
                terms = " or ".join(state.terms.get(meter.name, meter.name) for meter in meters)
                raise Refusal(f"Nobody has any {terms} to spare.", code="price")
            return payments

        return Price(doc, tell)

    def _rest(self, state: State, rested: Rested) -> list[Gained]:
        """Make the events of recovery by rest: for each character, one for all meters that the same people may see.

        Such an event reveals how much was missing, so for a closed sheet only the owner and the game master see it.
        """
        events: list[Gained] = []
        for who in (state.characters[character] for character in rested.who):
            points_by_sight: dict[Seen, dict[Meter, int]] = {sight: {} for sight in _NARROWER}
            for meter in self.meters:
                if meter.rest:
                    sight = Seen.OWNER if meter.seen is Seen.ALL and meter.is_closed(who) else meter.seen
                    points_by_sight[sight][meter] = meter.rest(state, who, rested.kind)
            for sight, points in points_by_sight.items():
                events += [replace(event, told_to=sight) for event in gained(who, points)]
        return events

    def _turns(self, _: State, change: Lost | Gained) -> list[Any]:
        """Make the events of going down with the last point and getting up with the first. Nobody goes down twice."""
        if isinstance(change, Lost):
            kinds = [self._meter_by_name[name].emptied for name in change.emptied]
        else:
            kinds = [self._meter_by_name[name].revived for name in change.revived]
        return [kind(who=change.who) for kind in kinds if kind and change.who]

    def _down(self, state: State, teller: Teller) -> Iterator[str]:
        for who in state.characters.values():
            if self._payer(who) and who.fate is None and self._is_down(state, who):
                yield f"{teller.name(who.id)} is down: say what that means (record_fate), or let somebody help (heal)."

    def _is_down(self, state: State, who: Character[Any]) -> bool:
        """Return whether a meter without which nobody stays up is at 0."""
        return any(meter.emptied and meter.is_played(state, who) and not meter.of(who) for meter in self.meters)

    def _fold(self, state: State, change: Change) -> State:
        """Apply a change. Characters and meters that don't exist are skipped.

        A rewind may have gone back to before the character was there, and the game may have dropped a meter.
        """
        if change.who is None:
            return replace(state, game=self._with_change(state.game, change))
        if change.who not in state.characters:
            return state
        sheet = state.characters[change.who].sheet
        return state.with_sheet(change.who, self._with_change(sheet, change))

    def _with_change(self, part: Any, change: Change) -> Any:
        """Return a sheet, or the game's own state, with the points of a change added or taken."""
        for name, points in change.points.items():
            meter = self._meter_by_name.get(name)
            if meter is None:
                continue
            number = meter.of(part)
            if isinstance(change, Gained):
                new_number = number + points
            else:
                least = meter.kept if isinstance(change, Paid) else 0
                new_number = min(number, max(least, number - points))
            part = meter.put(part, new_number)
        return part

    def _says(self, change: Change, teller: Teller) -> str:
        """Write the line of the log, such as “Kira loses 3 Stamina (a fall) and has 2 left”.

        With several meters: “Kira regains 1 Body (3 now), 1 Mind (4 now)”.
        """
        meters = [self._meter_by_name.get(name) or Meter(name, lambda _: 0) for name in change.points]
        first = meters[0] if meters else Meter("", lambda _: 0)
        why = f" ({change.why})" if change.why else ""
        who = teller.name(change.who) if change.who else teller.term(first.holder)
        if isinstance(change, Gained):
            verb, stands = first.gains, "now"
        elif isinstance(change, Paid):
            verb, stands = "pays", "left"
        else:
            verb, stands = first.loses, "left"
        words = {meter.name: meter.words(change.points[meter.name], teller) for meter in meters}
        if len(meters) == 1 and first.name in change.now:
            number = change.now[first.name]
            is_step = number in range(len(first.steps))
            result = f"is {first.steps[number]} ({number})" if is_step else f"has {number} {stands}"
            return f"{who} {verb} {words[first.name]}{why} and {result}"
        for name, number in change.now.items():
            words[name] += f" ({number} {stands})"
        return f"{who} {verb} {', '.join(words.values())}{why}"


def _from_the_fullest(who: Character[Any], meters: Sequence[Meter], amount: int) -> dict[Meter, int]:
    """Take this many points, one after the other from the fullest meter; fewer if there are fewer to spare."""
    spare = {meter: max(0, meter.of(who) - meter.kept) for meter in meters}
    payment = dict.fromkeys(meters, 0)
    for _ in range(min(amount, sum(spare.values()))):
        fullest = max(spare, key=lambda meter: spare[meter])
        spare[fullest] -= 1
        payment[fullest] += 1
    return {meter: points for meter, points in payment.items() if points}


# ---------------------------------------------------------------- commands


class _ForOne(Command):
    meter: ClassVar[Meter]

    who: Annotated[CharacterId, Doc("who it is")]
    points: Annotated[int, Ge(1), Le(99), Doc("how much")] = 1
    why: Annotated[Words, Doc("what for")] = ""

    def find_character(self, call: Call) -> Character[Any]:
        if self.who not in call.state.characters:
            raise NoSuchThing(f"There is no character {self.who[:40]!r} at this table.")
        who = call.state.characters[self.who]
        who.check_lives()
        self.meter.check(call.state, who)
        return who


class Lose(_ForOne):
    """Base of a command that takes points of its `meter`."""

    def does(self, call: Call) -> list[Lost]:
        return self.meter.lost(self.find_character(call), self.points, self.why)


class Gain(_ForOne):
    """Base of a command that gives points of its `meter`, up to the maximum."""

    def does(self, call: Call) -> list[Gained]:
        who = self.find_character(call)
        events = self.meter.gained(who, self.points, self.why)
        if not events:
            number = self.meter.of(who)
            most = self.meter.most(who.sheet)
            term = call.state.terms.get(self.meter.name, self.meter.name)
            raise Refusal(f"{who.name} has {number} of {most} {term} already.", code="full")
        return events
