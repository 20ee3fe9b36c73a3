"""Circumstances: the difficulty of a roll, and what gives advantage or disadvantage. SP-05, SP-10, SP+05."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import combinations_with_replacement
from typing import Annotated, TypeAlias

from astragal.chance import Chance, Odds, Tray, d20, highest, lowest
from astragal.game import Character, NotAllowed, Refusal, Value
from astragal.game.fields import Doc, Ge, Le, Name
from astragal.game.shared import conditions_on
from astragal.values import frozen

from .catalogue import Pool
from .state import NO_POOL, Call, Sheet, State

# ---------------------------------------------------------------- difficulty

EASIEST, HARDEST = 1, 40

Difficulty: TypeAlias = Annotated[
    int, Ge(EASIEST), Le(HARDEST), Doc("the difficulty class: what the total has to reach")
]


class Rung(Enum):
    """SP-05: the ladder of difficulties."""

    TRIVIAL = "trivial"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"
    NEARLY_IMPOSSIBLE = "nearly impossible"

    @property
    def dc(self) -> int:
        return 5 * (1 + list(Rung).index(self))


class Circumstance(Enum):
    """SP-05: what makes a thing easier or harder."""

    FAVOURABLE = "favourable"
    UNFAVOURABLE = "unfavourable"
    EXTREMELY_DIFFICULT = "extremely difficult"
    PERFECT_SET_UP = "perfect set-up"

    @property
    def shift(self) -> int:
        return SHIFTS[self]


SHIFTS = {
    Circumstance.FAVOURABLE: -2,
    Circumstance.UNFAVOURABLE: 2,
    Circumstance.EXTREMELY_DIFFICULT: 5,
    Circumstance.PERFECT_SET_UP: -5,
}


def shifted(dc: int, circumstances: Iterable[Circumstance]) -> int:
    """SP-05: several circumstances add up."""
    return dc + sum(circumstance.shift for circumstance in circumstances)


Circumstances: TypeAlias = Annotated[tuple[Circumstance, ...], Doc("what makes it easier or harder; they add up")]


def within_reach(dc: int) -> int:
    """SP-05: a difficulty is 1 to 40, with what makes it easier or harder."""
    if not EASIEST <= dc <= HARDEST:
        raise Refusal(f"That comes to a difficulty of {dc}; it goes from {EASIEST} to {HARDEST}.", code="out_of_range")
    return dc


# ---------------------------------------------------------------- one die, or the better or worse of two


class Footing(Enum):
    """Advantage, level or disadvantage: the higher of two dice, one die, or the lower of two."""

    ADVANTAGE = "advantage"
    LEVEL = "level"
    DISADVANTAGE = "disadvantage"

    def die(self) -> Chance[int]:
        """SP-10: advantage keeps the higher of two dice, disadvantage the lower."""
        match self:
            case Footing.ADVANTAGE:
                return highest(2, d20)
            case Footing.DISADVANTAGE:
                return lowest(2, d20)
            case Footing.LEVEL:
                return d20

    def kept(self, dice: tuple[int, ...]) -> int:
        """Which of the dice counts."""
        return min(dice) if self is Footing.DISADVANTAGE else max(dice)


def footing(*, helped: bool, hindered: bool) -> Footing:
    """SP-10: any number of sources of one kind are one; any number of both cancel to one die."""
    if helped == hindered:
        return Footing.LEVEL
    return Footing.ADVANTAGE if helped else Footing.DISADVANTAGE


@frozen(slots=True)
class AllDice(Chance[tuple[int, ...]]):
    """The die, or both of them, higher first: for whoever may still choose one to reroll."""

    footing: Footing

    def throw(self, tray: Tray) -> tuple[int, ...]:
        start = len(tray.rolled)
        thrown = tray.draw_all(len(self.needs()), 20)
        if len(thrown) == 2:
            dropped = start + thrown.index(min(thrown) if self.footing is Footing.ADVANTAGE else max(thrown))
            tray.drop((dropped,))
        return tuple(sorted(thrown, reverse=True))

    def odds(self) -> Odds[tuple[int, ...]]:
        if self.footing is Footing.LEVEL:
            return Odds.uniform((face,) for face in range(1, 21))
        pairs = combinations_with_replacement(range(20, 0, -1), 2)
        return Odds({pair: 1 if pair[0] == pair[1] else 2 for pair in pairs}, 400)

    def needs(self) -> tuple[int, ...]:
        return (20,) if self.footing is Footing.LEVEL else (20, 20)


# ---------------------------------------------------------------- what helps and hinders

Advantage: TypeAlias = Annotated[tuple[Name, ...], Doc("what helps, a word each")]
Disadvantage: TypeAlias = Annotated[tuple[Name, ...], Doc("what hinders, a word each")]

ADVANTAGES = ("flanking", "position", "proper tools", "surprised target", "helpless target")
DISADVANTAGES = ("prone", "shooting into melee", "bad weather", "improvised tools", "injured", "exhausted")
"""SP-10: what anyone may name. Help is asked for; any other word is the game master's to give."""

HELP, HINDRANCE, BONUS, NEXT_ROLL = "advantage", "disadvantage", "bonus", "next_roll"
"""The keys under which a condition's numbers help, hinder or add to every roll, or end with the next one."""

INSPIRED = "inspiration"
BROKEN = "broken pool"


class Ground(Value, kw_only=False):
    """Sources of advantage and disadvantage for one roll."""

    helps: tuple[str, ...] = ()
    hinders: tuple[str, ...] = ()

    @property
    def footing(self) -> Footing:
        """SP-10: sources do not stack, and both kinds cancel."""
        return footing(helped=bool(self.helps), hindered=bool(self.hinders))

    @property
    def because(self) -> tuple[str, ...]:
        return (*self.helps, *self.hinders)


def ground(
    state: State,
    who: Character[Sheet],
    pool: Pool,
    advantage: Sequence[str],
    disadvantage: Sequence[str],
    *,
    inspired: bool = False,
) -> Ground:
    """SP-10, SP+05: everything that helps and hinders a roll.

    A condition that players don't know of counts without its name. SP+05: a pool at 0 is broken until a point returns;
    a spend that empties it counts from the next roll on.
    """
    helps, hinders = list(advantage), list(disadvantage)
    for condition in conditions_on(state, who.id):
        name = "unknown" if condition.hidden is True else condition.name
        helps += [name] if condition.numbers.get(HELP, 0) > 0 else []
        hinders += [name] if condition.numbers.get(HINDRANCE, 0) > 0 else []
    points = who.sheet.numbers.pool(pool)
    if inspired:
        helps.append(INSPIRED)
    if state.options.broken_pools and points is not NO_POOL and points.now == 0:
        hinders.append(BROKEN)
    return Ground(tuple(helps), tuple(hinders))


def check_named(call: Call, advantage: Sequence[str], disadvantage: Sequence[str]) -> None:
    """SP-10: the usual sources are anyone's to name; others are the game master's."""
    for kind, words, usual, other in (
        (Footing.ADVANTAGE, advantage, ADVANTAGES, DISADVANTAGES),
        (Footing.DISADVANTAGE, disadvantage, DISADVANTAGES, ADVANTAGES),
    ):
        for word in words:
            if word.casefold() in other:
                raise Refusal(f"{word.capitalize()} does not give {kind.value}.", code="circumstance")
            if word.casefold() not in usual and not call.viewer.is_game_master:
                raise NotAllowed(f"Only the game master names {word!r}; you may name {', '.join(usual)}.")
