"""Rolls: advantage and disadvantage, circumstances by name, conditions that bear on a roll, and what is added to it.

A game says which words its book names, and which end of its die is good; the rest is the same everywhere:

    USUAL = {"flanking": Footing.ADVANTAGE, "blind": Footing.DISADVANTAGE}

    check_circumstances(USUAL, self.advantage, self.disadvantage)
    ground = Ground.of(conditions_on(call.state, self.who), self.advantage, self.disadvantage)
    natural = yield from stance.die(d20)  # in the rule: the higher of two with advantage; low=True for the lower
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Annotated, TypeAlias

from typing_extensions import Doc

from astragal.chance import Chance, highest, lowest
from astragal.table.authoring.display import Choices
from astragal.table.chapters.conditions import ConditionEnded, end_of
from astragal.table.declarations import Seen, Value
from astragal.table.fields.definitions import Name, Whose
from astragal.table.refusals import Refusal
from astragal.table.state.things import Condition

# ---------------------------------------------------------------- one die, or the better or worse of two


class Footing(Enum):
    """Advantage, level or disadvantage: the better of two dice, one die, or the worse of two."""

    ADVANTAGE = "advantage"
    LEVEL = "level"
    DISADVANTAGE = "disadvantage"

    def die(self, each: Chance[int], *, low: bool = False) -> Chance[int]:
        """The die that counts. `low` says that low rolls are the good ones."""
        return each if self is Footing.LEVEL else _of_two(each, is_lower=(self is Footing.ADVANTAGE) is low)

    def words(self, because: Sequence[str]) -> str:
        """The end of "a roll with advantage (flanking)"; empty where nothing helps or hinders."""
        if self is Footing.LEVEL and not because:
            return ""
        named = f" ({', '.join(because)})" if because else ""
        return f" with {'one die' if self is Footing.LEVEL else self.value}{named}"


@cache
def _of_two(each: Chance[int], *, is_lower: bool) -> Chance[int]:
    """One step for each die there is: odds ask for it by the hundred."""
    return lowest(2, each) if is_lower else highest(2, each)


def footing(*, helped: bool, hindered: bool) -> Footing:
    """Any number of sources of one kind are one; any number of both cancel to one die."""
    if helped == hindered:
        return Footing.LEVEL
    return Footing.ADVANTAGE if helped else Footing.DISADVANTAGE


# ---------------------------------------------------------------- circumstances by name

Advantage: TypeAlias = Annotated[tuple[Name, ...], Doc("what helps, a word each"), Whose.PROPOSAL]
Disadvantage: TypeAlias = Annotated[tuple[Name, ...], Doc("what hinders, a word each")]


def check_circumstances(usual: Mapping[str, Footing], advantage: Sequence[str], disadvantage: Sequence[str]) -> None:
    """Refuse a usual word on the wrong side. Whether one fits is the game master's to say: players propose."""
    for kind, words in ((Footing.ADVANTAGE, advantage), (Footing.DISADVANTAGE, disadvantage)):
        for word in words:
            gives = usual.get(word.casefold())
            if gives not in (None, kind):
                raise Refusal(f"{word.capitalize()} gives {gives.value}, not {kind.value}.", code="circumstance")


def circumstance_choices(usual: Mapping[str, Footing]) -> list[Choices]:
    """The usual words for a sheet, where a click puts one into a roll."""
    kinds = {Footing.ADVANTAGE: "helps", Footing.DISADVANTAGE: "hinders"}
    return [
        Choices(kind.value.capitalize(), tuple((word, does) for word, gives in usual.items() if gives is kind))
        for kind, does in kinds.items()
    ]


# ---------------------------------------------------------------- conditions

HELP, HINDRANCE, NEXT_ROLL = "advantage", "disadvantage", "next_roll"
"""Keys of a condition's numbers: it helps or hinders every roll, and the next roll ends it."""


class Ground(Value, kw_only=False):
    """Sources of advantage and disadvantage for one roll."""

    helps: tuple[str, ...] = ()
    hinders: tuple[str, ...] = ()

    @classmethod
    def of(cls, conditions: Iterable[Condition], helps: Iterable[str] = (), hinders: Iterable[str] = ()) -> Ground:
        """Circumstances, and the conditions that bear on the roll. A hidden condition counts without its name."""
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
    """The end of those that held for one roll, even where they only cancelled something."""
    once = {one.id: one for one in conditions if one.numbers.get(NEXT_ROLL, 0) > 0}
    return [end_of(one, words="used") for one in once.values()]


# ---------------------------------------------------------------- what is added


class Term(Value, seen=Seen.ALL):
    """One thing that counts for or against a roll."""

    name: str
    amount: int


def total(terms: Iterable[Term]) -> int:
    return sum(term.amount for term in terms)
