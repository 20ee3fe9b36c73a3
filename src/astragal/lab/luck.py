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
from astragal.table.log.audit import audit, audit_view
from astragal.table.log.codec import RuleHasChanged
from astragal.table.log.export import BadExport, entries_in, ledger_in, opened
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
        what = self.command.replace("_", " ")
        if self.chance is None:
            return f"{what}: {dice}"
        return f"{what}, {percent_words(self.chance, 1)}: {'succeeded' if self.success else 'failed'} with {dice}"


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
        told = (
            f"{self.rolled:,} d{self.sides}, mean {float(self.mean):.2f} where {(self.sides + 1) / 2:.1f} is expected"
        )
        evenness = self.evenness
        if evenness is None:
            return f"{told}; {ENOUGH * self.sides} are needed to judge their faces"
        if evenness > COMMON / 5:
            return f"{told}; nothing unusual about their faces"
        return f"{told}; faces this uneven fall once in {_one_in(evenness)} evenings"


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
        return sum(one.chance is not None for one in self.rolls)

    @property
    def words(self) -> str:
        """The result, and how surprising it is, in a sentence or two."""
        if not self.judged:
            return f"{self.name} made no roll whose chance is known."
        rolls = "roll" if self.judged == 1 else "rolls"
        were = f"{float(self.expected):.1f} {'was' if self.expected == 1 else 'were'} to be expected"
        head = f"{self.name}: {self.successes} of {self.judged} {rolls} succeeded, where {were}."
        return f"{head} {self.verdict}"

    @property
    def plain(self) -> dict[str, Any]:
        """Plain values for programs, with exact fractions."""
        import msgspec

        evenness = {one.sides: one.evenness for one in self.faces}
        told = {"words": self.words, "judged": self.judged, "evenness": evenness}
        return {**msgspec.to_builtins(self, enc_hook=str), **told}

    @property
    def verdict(self) -> str:
        lucky = self.successes > self.expected
        chance = self.this_or_more if lucky else self.this_or_fewer
        if chance >= COMMON:
            return "That is about what dice do."
        return f"One evening in {_one_in(float(chance))} is this {'lucky' if lucky else 'unlucky'}."


def luck(book: Book, told: Iterable[SeenEvent], names: Mapping[str, str]) -> tuple[PersonLuck, ...]:
    """Calculate the luck of everyone who rolled, then of all together, from events as a seat sees them."""
    rolls: dict[str, list[RollLuck]] = {}
    for by, roll in _rolls(book, told):
        rolls.setdefault(by, []).append(roll)
    people = [_person(seat, names.get(seat, "Somebody"), found) for seat, found in rolls.items()]
    together = [roll for found in rolls.values() for roll in found]
    return (*people, _person("", "All together", together)) if len(people) > 1 else tuple(people)


def _rolls(book: Book, told: Iterable[SeenEvent]) -> Iterator[tuple[str, RollLuck]]:
    """Yield rolls in their order, each with all dice of its act: some fall after a decision."""
    by_act: dict[str, list[SeenEvent]] = {}
    for one in told:
        if one.name == "rolled" and one.fields.get("dice"):
            by_act.setdefault(one.act, []).append(one)
    for act, events in by_act.items():
        first, dice = events[0], _dice(events)
        if any(die.source == ENTERED for die in dice):
            continue
        chance, success = judged(book, events) or (None, None)
        faces = tuple((die.sides, die.face) for die in dice)
        yield first.by, RollLuck(act, first.at, first.fields["command"], faces, chance, success)


def _dice(rolled: Sequence[SeenEvent]) -> list[Rolled]:
    dice = (die for one in rolled for die in one.fields.get("dice", ()))
    return [Rolled(die["sides"], die["face"], die["by"], source=die["source"]) for die in dice]


def judged(book: Book, rolled: Sequence[SeenEvent]) -> tuple[Fraction, bool] | None:
    """Return the chance of success of a roll, and whether the dice alone gave it, as if every offer were declined.

    `rolled` has the events in which the dice of one act fell. None if the game names no success, or the reader may not
    know.
    """
    fields = rolled[0].fields
    action, asked = book.actions.get(fields.get("command", "")), fields.get("question") or {}
    if action is None or not isinstance(asked.get("arguments"), list):
        return None
    with suppress(RuleHasChanged, ChanceError):
        question = book.codec.question(Asked(rule=str(asked["rule"]), arguments=tuple(asked["arguments"])))
        outcome = action.outcome(_declined(question, _dice(rolled)))
        chance = _chance(question, action.outcome, action.hopes)
        return None if chance is None else (chance, bool(action.hopes(outcome) if action.hopes else outcome))
    return None


def _declined(question: Question[Any], dice: Sequence[Rolled]) -> Any:
    """Return the verdict that these dice give if nobody spends or rerolls anything."""
    answers: list[Any] = []
    while not isinstance(state := play(question, RecordedDice(dice), answers), Settled):
        need = state.need
        if not isinstance(need, (Offer, Together)):
            raise RecordMismatch("it waited for something else than a decision")
        answers.append(need.default if isinstance(need, Offer) else tuple(offer.default for offer in need.offers))
    return state.value


@lru_cache(maxsize=4096)
def _chance(
    question: Question[Any], outcome: Callable[[Any], Any], hopes: Callable[[Any], bool] | None
) -> Fraction | None:
    """Calculate the chance of success. Cached, since an evening asks the same questions again and again."""
    found = odds(question, most_paths=MOST_PATHS).map(outcome)
    if hopes is not None:
        return found.chance(hopes)
    return found.chance(True) if all(isinstance(one, bool) for one in found.weights) else None


def _person(seat: str, name: str, rolls: Sequence[RollLuck]) -> PersonLuck:
    judged = [(one.chance, bool(one.success)) for one in rolls if one.chance is not None]
    spread = successes([chance for chance, _ in judged])
    hits = sum(success for _, success in judged)
    counts = Counter(face for roll in rolls for face in roll.faces)
    faces = tuple(
        Faces(sides, tuple(counts[sides, face] for face in range(1, sides + 1)))
        for sides in sorted({sides for sides, _ in counts})
    )
    expected = sum((chance for chance, _ in judged), Fraction(0))
    more, fewer = spread.chance(lambda it: it >= hits), spread.chance(lambda it: it <= hits)
    return PersonLuck(seat, name, tuple(rolls), faces, hits, expected, more, fewer)


def successes(chances: Sequence[Fraction]) -> Odds[int]:
    """Calculate the exact distribution of the number of successes: two by two, so that numbers stay short for long."""
    parts = [Odds({0: it.denominator - it.numerator, 1: it.numerator}, it.denominator) for it in chances]
    while len(parts) > 1:
        pairs = [one.joined(other, add) for one, other in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*pairs, *([parts[-1]] if len(parts) % 2 else [])]
    return parts[0] if parts else Odds.certain(0)


def _one_in(chance: float) -> str:
    """Format 1/12 as 12; large numbers to two digits."""
    many = max(round(1 / chance), 2) if chance > 0 else 10**12
    digits = len(str(many))
    return f"{round(many, 2 - digits) if digits > 2 else many:,}"


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
    if header.get("astragal") == "view":
        edits = audit_view(header).edits
        told = [_seen(one, one.get("fields")) for one in header.get("events", ())]
    elif header.get("astragal") == "table":
        edits = audit(lines).edits
        data = ((entry, opened(entry.data)) for entry in entries_in(lines[1:]))
        told = [_seen({**one, "at": entry.at, "name": entry.name}, one.get("event")) for entry, one in data]
    else:
        raise BadExport("A ledger by itself does not say who rolled what for; take the export of a table or a seat.")
    if edits:
        raise BadExport(f"It was edited: {edits[0].sentence}")
    games = [one.fields.get("ruleset") for one in told if one.name == "table_opened"]
    seats = [one.fields["seat"] for one in told if one.name == "seat_taken" and "seat" in one.fields]
    if not games:
        raise BadExport("This export does not say which game it is of.")
    return str(games[0]), told, {seat["id"]: seat["name"] for seat in seats}


def _seen(one: Mapping[str, Any], fields: Any) -> SeenEvent:
    known = fields if isinstance(fields, dict) else {}
    return SeenEvent(one.get("at", 0), one.get("by", ""), one.get("act", ""), one.get("name", ""), "", known)
