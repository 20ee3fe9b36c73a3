"""Rolls: advantage and disadvantage, named circumstances, conditions that affect a roll, modifiers, and requests.

A game says which circumstances its book names, and whether high or low rolls are good; the rest is shared:

    USUAL = {"flanking": Footing.ADVANTAGE, "blind": Footing.DISADVANTAGE}

    ground = Ground.of(conditions_on(call.state, self.who), self.advantage, self.disadvantage, USUAL)
    natural = yield from stance.die(d20)  # in the rule: the higher of two with advantage; low=True for the lower
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Annotated, Any, TypeAlias

from typing_extensions import Doc

from astragal.chance import Chance, highest, lowest
from astragal.table.authoring.display import Choices
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.conditions import ConditionEnded, end_of
from astragal.table.chapters.prompts import find_request
from astragal.table.declarations import Seen, Value, kind_of_command
from astragal.table.fields.definitions import MaySet, Name
from astragal.table.refusals import Refusal
from astragal.table.state.table import State
from astragal.table.state.things import Condition, Request

__all__ = [
    "HELP",
    "HINDRANCE",
    "NEXT_ROLL",
    "Advantage",
    "Disadvantage",
    "Footing",
    "Ground",
    "Term",
    "circumstance_choices",
    "ended_by_roll",
    "footing",
    "request_for",
    "sum_words",
    "terms",
    "total",
]

# ---------------------------------------------------------------- one die, or the better or worse of two


class Footing(Enum):
    """Advantage, level or disadvantage: the better of two dice, one die, or the worse of two."""

    ADVANTAGE = "advantage"
    LEVEL = "level"
    DISADVANTAGE = "disadvantage"

    def die(self, each: Chance[int], *, low: bool = False) -> Chance[int]:
        """Return the die that counts. `low` means that low rolls are good."""
        if self is Footing.LEVEL:
            return each
        return _of_two(each, is_lower=(self is Footing.ADVANTAGE) is low)

    def words(self, because: Sequence[str]) -> str:
        """Return the end of "a roll with advantage (flanking)"; empty if nothing helps or hinders."""
        if self is Footing.LEVEL and not because:
            return ""
        words = " with one die" if self is Footing.LEVEL else f" with {self.value}"
        return f"{words} ({', '.join(because)})" if because else words


@cache
def _of_two(each: Chance[int], *, is_lower: bool) -> Chance[int]:
    """Make the step for two dice. The cache saves making it hundreds of times for odds; a game has a few dice."""
    return lowest(2, each) if is_lower else highest(2, each)


def footing(*, helped: bool, hindered: bool) -> Footing:
    """Return the footing. Several sources of one kind count as one; both kinds cancel to one die, however many."""
    if helped == hindered:
        return Footing.LEVEL
    return Footing.ADVANTAGE if helped else Footing.DISADVANTAGE


# ---------------------------------------------------------------- circumstances by name

Advantage: TypeAlias = Annotated[tuple[Name, ...], Doc("what helps, a word each"), MaySet.PROPOSAL]
Disadvantage: TypeAlias = Annotated[tuple[Name, ...], Doc("what hinders, a word each")]


def _check_circumstances(usual: Mapping[str, Footing], advantage: Sequence[str], disadvantage: Sequence[str]) -> None:
    """Refuse a usual word on the wrong side. The game master decides whether one applies; players propose."""
    for kind, words in ((Footing.ADVANTAGE, advantage), (Footing.DISADVANTAGE, disadvantage)):
        for word in words:
            gives = usual.get(word.casefold())
            if gives not in (None, kind):
                raise Refusal(f"{word.capitalize()} gives {gives.value}, not {kind.value}.", code="circumstance")


def circumstance_choices(usual: Mapping[str, Footing]) -> list[Choices]:
    """Return the usual words as pieces of a sheet, where a click adds one to a roll."""
    meanings = {Footing.ADVANTAGE: "helps", Footing.DISADVANTAGE: "hinders"}
    choices = []
    for kind, meaning in meanings.items():
        rows = tuple((word, meaning) for word, gives in usual.items() if gives is kind)
        choices.append(Choices(kind.value.capitalize(), rows))
    return choices


# ---------------------------------------------------------------- conditions

HELP = "advantage"
"""Key of a condition's number: it helps every roll."""
HINDRANCE = "disadvantage"
"""Key of a condition's number: it hinders every roll."""
NEXT_ROLL = "next_roll"
"""Key of a condition's number: it ends with the next roll."""


class Ground(Value, kw_only=False):
    """Sources of advantage and disadvantage for one roll."""

    helps: tuple[str, ...] = ()
    hinders: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        conditions: Iterable[Condition],
        helps: Sequence[str] = (),
        hinders: Sequence[str] = (),
        usual: Mapping[str, Footing] | None = None,
    ) -> Ground:
        """Combine circumstances with the conditions that affect the roll. A hidden condition counts, as “unknown”.

        A `usual` word on the wrong side is refused.
        """
        _check_circumstances(usual or {}, helps, hinders)
        all_helps = list(helps)
        all_hinders = list(hinders)
        for condition in conditions:
            name = "unknown" if condition.hidden is True else condition.name
            if condition.numbers.get(HELP, 0) > 0:
                all_helps.append(name)
            if condition.numbers.get(HINDRANCE, 0) > 0:
                all_hinders.append(name)
        return cls(tuple(all_helps), tuple(all_hinders))

    def also(self, helps: Iterable[str] = (), hinders: Iterable[str] = ()) -> Ground:
        return Ground((*self.helps, *helps), (*self.hinders, *hinders))

    @property
    def footing(self) -> Footing:
        return footing(helped=bool(self.helps), hindered=bool(self.hinders))

    @property
    def because(self) -> tuple[str, ...]:
        return (*self.helps, *self.hinders)


def ended_by_roll(conditions: Iterable[Condition]) -> list[ConditionEnded]:
    """Make the events that end conditions which last for one roll, even if they only cancelled something."""
    by_id = {condition.id: condition for condition in conditions if condition.numbers.get(NEXT_ROLL, 0) > 0}
    return [end_of(condition, words="used") for condition in by_id.values()]


# ---------------------------------------------------------------- modifiers


class Term(Value, seen=Seen.ALL):
    """A named modifier of a roll."""

    name: str
    amount: int


def total(terms: Iterable[Term]) -> int:
    return sum(term.amount for term in terms)


def terms(**amounts: int) -> tuple[Term, ...]:
    """Make terms by name, without those of 0."""
    return tuple(Term(name=name, amount=amount) for name, amount in amounts.items() if amount)


def sum_words(natural: int, modifiers: Sequence[Term], total: int, teller: Teller) -> str:
    """Write out the die, its modifiers and the total: "14 + 3 proficiency + 2 Edge = 19"."""
    words = str(natural)
    if not modifiers:
        return words
    for term in modifiers:
        sign = "+" if term.amount > 0 else "−"
        words += f" {sign} {abs(term.amount)} {teller.term(term.name)}"
    return f"{words} = {total}"


# ---------------------------------------------------------------- the request that a roll answers


def request_for(state: State, roll: Any, *, is_against: bool, taken_for: str = "") -> Request | None:
    """Find the request that a roll answers: the one that it names, or else the only one that fits.

    A roll that says itself what it `is_against` and names no request answers none. `taken_for` is another command whose
    requests this one can answer, too.
    """
    name = kind_of_command(type(roll)).name
    commands = (name, taken_for)
    if roll.request is not None:
        request = find_request(state, roll.request, roll.who)
        if request.command not in commands:
            command = request.command.replace("_", " ")
            raise Refusal(f"You are asked to {command}, not to {name}.", code="other_roll")
        for key, requested in _differences(request, roll):
            raise Refusal(f"You are asked for a roll with {key} {requested}.", code="other_roll")
        return request
    if is_against:
        return None
    requests = [request for request in state.requests.values() if request.who == roll.who]
    fitting = [request for request in requests if request.command in commands and not any(_differences(request, roll))]
    if len(fitting) > 1:
        raise Refusal(f"{len(fitting)} such rolls are asked of this character; say which.", code="which_request")
    return fitting[0] if fitting else None


def _differences(request: Request, roll: Any) -> Iterator[tuple[str, int | str | bool]]:
    """Yield the fields in which a roll differs from the request, with their requested values."""
    for key, requested in request.fields.items():
        if _folded(getattr(roll, key, None)) != _folded(requested):
            yield key, requested


def _folded(value: object) -> object:
    """Prepare a value for comparison: case and surrounding spaces don't matter."""
    plain = value.value if isinstance(value, Enum) else value
    return plain.strip().casefold() if isinstance(plain, str) else plain
