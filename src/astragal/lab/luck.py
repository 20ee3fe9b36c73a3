"""Luck report: each person's luck against exact expectation, by roll and in all, from what a seat may see.

A roll counts as it fell, before anyone spent or rerolled anything: its exact chance of success was known, and it
succeeded or not. So the number of successes has an exact distribution, the sum of unlike coins. Faces are tested
separately for each kind of die, with Pearson's test. Dice that were entered by hand are left out: nothing proves them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from operator import add
from typing import Any

from msgspec import Struct

from astragal.chance import (
    ChanceError,
    Odds,
    Offer,
    Question,
    RecordedDice,
    RecordMismatch,
    Rolled,
    Settled,
    Together,
    odds,
    play,
)
from astragal.chance.counting import chi_square_tail
from astragal.chance.pictures import percent_words
from astragal.fair import verify
from astragal.table.log.audit import audit
from astragal.table.log.codec import RuleHasChanged
from astragal.table.log.export import BadExport, entries_in, ledger_in, opened
from astragal.table.log.seat_audit import audit_view
from astragal.table.registry import Book
from astragal.table.state.table import Asked
from astragal.table.visibility.events import SeenEvent

MOST_PATHS = 20_000
"""The most paths of one roll. The chance of a roll with more is not judged."""
ENOUGH = 5
"""Number of times that each face has to be expected for Pearson's test to be a good one."""
COMMON = Fraction(1, 4)
"""A result with at least this chance surprises nobody."""
ENTERED = "entered"


class RollLuck(Struct, frozen=True):
    """One roll: what it was, its exact chance of success, and whether the dice gave it."""

    act: str
    at: int
    command: str
    faces: tuple[tuple[int, int], ...]
    """Sides and face of each die."""
    chance: Fraction | None = None
    """None where the game names no success, or this seat may not know the chance."""
    success: bool | None = None

    @property
    def words(self) -> str:
        """“check, 55.0%: succeeded with d20 14”."""
        dice = " ".join(f"d{sides} {face}" for sides, face in self.faces)
        roll = self.command.replace("_", " ")
        if self.chance is None:
            return f"{roll}: {dice}"
        result = "succeeded" if self.success else "failed"
        return f"{roll}, {percent_words(self.chance, 1)}: {result} with {dice}"


class Faces(Struct, frozen=True):
    """The faces of one kind of die: how often each fell, and how surprising that is."""

    sides: int
    counts: tuple[int, ...]

    @property
    def rolled(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(face * count for face, count in enumerate(self.counts, 1)), self.rolled)

    @property
    def evenness(self) -> float | None:
        """The chance that fair dice fall at least as unevenly; None for too few dice."""
        expected = self.rolled / self.sides
        if expected < ENOUGH:
            return None
        return chi_square_tail(sum((count - expected) ** 2 / expected for count in self.counts), self.sides - 1)

    @property
    def words(self) -> str:
        expected_mean = (self.sides + 1) / 2
        mean = f"{self.rolled:,} d{self.sides}, mean {float(self.mean):.2f} where {expected_mean:.1f} is expected"
        evenness = self.evenness
        if evenness is None:
            return f"{mean}; {ENOUGH * self.sides} are needed to judge their faces"
        if evenness > COMMON / 5:
            return f"{mean}; nothing unusual about their faces"
        return f"{mean}; faces this uneven fall once in {_one_in(evenness)} evenings"


class PersonLuck(Struct, frozen=True):
    """The luck of one seat, or of all together."""

    seat: str
    name: str
    rolls: tuple[RollLuck, ...]
    faces: tuple[Faces, ...]
    successes: int
    expected: Fraction
    """The mean number of successes."""
    this_or_more: Fraction
    """The exact chance of as many successes or more."""
    this_or_fewer: Fraction

    @property
    def judged(self) -> int:
        """Rolls whose chance is known."""
        return sum(roll.chance is not None for roll in self.rolls)

    @property
    def words(self) -> str:
        """The result, and how surprising it is, in a sentence or two."""
        if not self.judged:
            return f"{self.name} made no roll whose chance is known."
        rolls = "roll" if self.judged == 1 else "rolls"
        verb = "was" if self.expected == 1 else "were"
        expectation = f"where {float(self.expected):.1f} {verb} to be expected"
        return f"{self.name}: {self.successes} of {self.judged} {rolls} succeeded, {expectation}. {self.verdict}"

    @property
    def plain(self) -> dict[str, Any]:
        """Plain values for programs, with exact fractions."""
        import msgspec

        values: dict[str, Any] = msgspec.to_builtins(self, enc_hook=str)
        values["words"] = self.words
        values["judged"] = self.judged
        values["evenness"] = {faces.sides: faces.evenness for faces in self.faces}
        return values

    @property
    def verdict(self) -> str:
        is_lucky = self.successes > self.expected
        chance = self.this_or_more if is_lucky else self.this_or_fewer
        if chance >= COMMON:
            return "That is about what dice do."
        return f"One evening in {_one_in(float(chance))} is this {'lucky' if is_lucky else 'unlucky'}."


def luck(book: Book, events: Iterable[SeenEvent], names: Mapping[str, str]) -> tuple[PersonLuck, ...]:
    """Calculate the luck of everyone who rolled, then of all together, from events as a seat sees them."""
    rolls_by_seat: dict[str, list[RollLuck]] = {}
    for seat, roll in _rolls(book, events):
        rolls_by_seat.setdefault(seat, []).append(roll)
    people = [_person(seat, names.get(seat, "Somebody"), rolls) for seat, rolls in rolls_by_seat.items()]
    if len(people) > 1:
        all_rolls = [roll for rolls in rolls_by_seat.values() for roll in rolls]
        people.append(_person("", "All together", all_rolls))
    return tuple(people)


def _rolls(book: Book, events: Iterable[SeenEvent]) -> Iterator[tuple[str, RollLuck]]:
    """Yield rolls in their order with who rolled, each with all dice of its act: some fall after a decision."""
    rolled_by_act: dict[str, list[SeenEvent]] = {}
    for event in events:
        if event.name == "rolled" and event.fields.get("dice"):
            rolled_by_act.setdefault(event.act, []).append(event)
    for act, rolled in rolled_by_act.items():
        dice = _dice(rolled)
        if any(die.source == ENTERED for die in dice):
            continue
        first = rolled[0]
        chance, success = judged(book, rolled) or (None, None)
        faces = tuple((die.sides, die.face) for die in dice)
        yield first.by, RollLuck(act, first.at, first.fields["command"], faces, chance, success)


def _dice(rolled: Sequence[SeenEvent]) -> list[Rolled]:
    dice = []
    for event in rolled:
        for die in event.fields.get("dice", ()):
            dice.append(Rolled(die["sides"], die["face"], die["by"], source=die["source"]))
    return dice


def judged(book: Book, rolled: Sequence[SeenEvent]) -> tuple[Fraction, bool] | None:
    """Return the chance of success of a roll, and whether the dice alone gave it, as if every offer were declined.

    `rolled` has the events in which the dice of one act fell. None if the game names no success, or the reader may not
    know.
    """
    fields = rolled[0].fields
    action = book.actions.get(fields.get("command", ""))
    stored = fields.get("question") or {}
    if action is None or not isinstance(stored.get("arguments"), list):
        return None
    with suppress(RuleHasChanged, ChanceError):
        question = book.codec.question(Asked(rule=str(stored["rule"]), arguments=tuple(stored["arguments"])))
        outcome = action.outcome(_declined(question, _dice(rolled)))
        chance = _chance(question, action.outcome, action.hopes)
        if chance is not None:
            return chance, bool(action.hopes(outcome) if action.hopes else outcome)
    return None


def _declined(question: Question[Any], dice: Sequence[Rolled]) -> Any:
    """Return the verdict that these dice give if nobody spends or rerolls anything."""
    answers: list[Any] = []
    state = play(question, RecordedDice(dice), answers)
    while not isinstance(state, Settled):
        need = state.need
        if isinstance(need, Offer):
            answers.append(need.default)
        elif isinstance(need, Together):
            answers.append(tuple(offer.default for offer in need.offers))
        else:
            raise RecordMismatch("it waited for something else than a decision")
        state = play(question, RecordedDice(dice), answers)
    return state.value


@lru_cache(maxsize=4096)
def _chance(
    question: Question[Any], outcome: Callable[[Any], Any], hopes: Callable[[Any], bool] | None
) -> Fraction | None:
    """Calculate the chance of success. Cached, since an evening asks the same questions again and again.

    Of 4,096, the least recently used goes.
    """
    outcome_odds = odds(question, most_paths=MOST_PATHS).map(outcome)
    if hopes is not None:
        return outcome_odds.chance(hopes)
    if all(isinstance(value, bool) for value in outcome_odds.weights):
        return outcome_odds.chance(True)
    return None


def _person(seat: str, name: str, rolls: Sequence[RollLuck]) -> PersonLuck:
    chances = [roll.chance for roll in rolls if roll.chance is not None]
    hits = sum(bool(roll.success) for roll in rolls if roll.chance is not None)
    distribution = successes(chances)
    return PersonLuck(
        seat=seat,
        name=name,
        rolls=tuple(rolls),
        faces=_faces(rolls),
        successes=hits,
        expected=sum(chances, Fraction(0)),
        this_or_more=distribution.chance(lambda number: number >= hits),
        this_or_fewer=distribution.chance(lambda number: number <= hits),
    )


def _faces(rolls: Sequence[RollLuck]) -> tuple[Faces, ...]:
    """Count the faces of each kind of die, the smallest first."""
    counts = Counter(face for roll in rolls for face in roll.faces)
    all_faces = []
    for sides in sorted({sides for sides, _ in counts}):
        counts_of_die = tuple(counts[sides, face] for face in range(1, sides + 1))
        all_faces.append(Faces(sides, counts_of_die))
    return tuple(all_faces)


def successes(chances: Sequence[Fraction]) -> Odds[int]:
    """Calculate the exact distribution of the number of successes: two by two, so that numbers stay short for long."""
    parts = []
    for chance in chances:
        weights = {0: chance.denominator - chance.numerator, 1: chance.numerator}
        parts.append(Odds(weights, chance.denominator))
    while len(parts) > 1:
        joined = [left.joined(right, add) for left, right in zip(parts[::2], parts[1::2], strict=False)]
        if len(parts) % 2:
            joined.append(parts[-1])
        parts = joined
    return parts[0] if parts else Odds.certain(0)


def _one_in(chance: float) -> str:
    """Format 1/12 as 12; large numbers to two digits."""
    evenings = max(round(1 / chance), 2) if chance > 0 else 10**12
    digits = len(str(evenings))
    if digits > 2:
        evenings = round(evenings, 2 - digits)
    return f"{evenings:,}"


# ---------------------------------------------------------------- files


def read_export(lines: Sequence[bytes]) -> tuple[str, list[SeenEvent], dict[str, str]]:
    """Read the game of an export, its events and the names of its seats.

    Raises `BadExport` unless its ledger is sound and agrees with it. A whole export has all events, a player's those
    that they saw.
    """
    failure = verify(ledger_in(lines)).failure
    if failure is not None:
        raise BadExport(f"Its ledger is not sound: {failure.why.rstrip('.')}. astragal verify says more.")
    header = opened(lines[0])
    events = []
    if header.get("astragal") == "view":
        faults = audit_view(header).findings().faults
        for record in header.get("events", ()):
            events.append(_event(record, record.get("fields")))
    elif header.get("astragal") == "table":
        faults = audit(lines).findings().faults
        for entry in entries_in(lines[1:]):
            record = {**opened(entry.data), "at": entry.at, "name": entry.name}
            events.append(_event(record, record.get("event")))
    else:
        raise BadExport("A ledger by itself does not say who rolled what for; take the export of a table or a seat.")
    if faults:
        raise BadExport(f"It was edited: {faults[0]}")
    games = [event.fields.get("ruleset") for event in events if event.name == "table_opened"]
    if not games:
        raise BadExport("This export does not say which game it is of.")
    names = {}
    for event in events:
        if event.name == "seat_taken" and "seat" in event.fields:
            names[event.fields["seat"]["id"]] = event.fields["seat"]["name"]
    return str(games[0]), events, names


def _event(record: Mapping[str, Any], fields: Any) -> SeenEvent:
    return SeenEvent(
        record.get("at", 0),
        record.get("by", ""),
        record.get("act", ""),
        record.get("name", ""),
        "",
        fields if isinstance(fields, dict) else {},
    )
