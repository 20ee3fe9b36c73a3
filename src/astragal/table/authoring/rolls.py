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
        return each if self is Footing.LEVEL else _of_two(each, is_lower=(self is Footing.ADVANTAGE) is low)

    def words(self, because: Sequence[str]) -> str:
        """Return the end of "a roll with advantage (flanking)"; empty if nothing helps or hinders."""
        if self is Footing.LEVEL and not because:
            return ""
        named = f" ({', '.join(because)})" if because else ""
        return f" with {'one die' if self is Footing.LEVEL else self.value}{named}"


@cache
def _of_two(each: Chance[int], *, is_lower: bool) -> Chance[int]:
    """Make the step for two dice. It is cached, since calculating odds asks for it hundreds of times."""
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
    kinds = {Footing.ADVANTAGE: "helps", Footing.DISADVANTAGE: "hinders"}
    return [
        Choices(kind.value.capitalize(), tuple((word, does) for word, gives in usual.items() if gives is kind))
        for kind, does in kinds.items()
    ]


# ---------------------------------------------------------------- conditions

HELP, HINDRANCE, NEXT_ROLL = "advantage", "disadvantage", "next_roll"
"""Keys of a condition's numbers: it helps every roll, hinders every roll, or ends with the next roll."""


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
        named = [("unknown" if one.hidden is True else one.name, one.numbers) for one in conditions]
        return cls(
            (*helps, *(name for name, numbers in named if numbers.get(HELP, 0) > 0)),
            (*hinders, *(name for name, numbers in named if numbers.get(HINDRANCE, 0) > 0)),
        )

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
    once = {one.id: one for one in conditions if one.numbers.get(NEXT_ROLL, 0) > 0}
    return [end_of(one, words="used") for one in once.values()]


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


def sum_words(natural: int, added: Sequence[Term], total: int, teller: Teller) -> str:
    """Write out the die, its modifiers and the total: "14 + 3 proficiency + 2 Edge = 19"."""
    signed = "".join(f" {'+' if one.amount > 0 else '−'} {abs(one.amount)} {teller.term(one.name)}" for one in added)
    return f"{natural}{signed} = {total}" if added else str(natural)


# ---------------------------------------------------------------- the request that a roll answers


def request_for(state: State, asked: Any, *, is_against: bool, taken_for: str = "") -> Request | None:
    """Find the request that a roll answers: the one that it names, or else the only one that fits.

    A roll that says itself what it `is_against` and names no request answers none. `taken_for` is another command whose
    requests this one can answer, too.
    """
    name = kind_of_command(type(asked)).name
    meets = (name, taken_for)
    if asked.request is not None:
        request = find_request(state, asked.request, asked.who)
        if request.command not in meets:
            command = request.command.replace("_", " ")
            raise Refusal(f"You are asked to {command}, not to {name}.", code="other_roll")
        for key, wanted in _differences(request, asked):
            raise Refusal(f"You are asked for a roll with {key} {wanted}.", code="other_roll")
        return request
    own = [one for one in state.requests.values() if one.who == asked.who and one.command in meets]
    fitting = [] if is_against else [one for one in own if not any(_differences(one, asked))]
    if len(fitting) > 1:
        raise Refusal(f"{len(fitting)} such rolls are asked of this character; say which.", code="which_request")
    return fitting[0] if fitting else None


def _differences(request: Request, asked: Any) -> Iterator[tuple[str, int | str | bool]]:
    """Yield the fields in which a roll differs from the request. Case and surrounding spaces don't matter."""

    def folded(value: object) -> object:
        said = value.value if isinstance(value, Enum) else value
        return said.strip().casefold() if isinstance(said, str) else said

    for key, wanted in request.fields.items():
        if folded(getattr(asked, key, None)) != folded(wanted):
            yield key, wanted
