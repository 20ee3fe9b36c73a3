"""The rules of Sinew & Steel, their books, and the tables that the books print: SS-01, SS-04, SS-07, SS-34."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from astragal.chance import Odds, Question, odds, percent
from astragal.game import BookTable
from astragal.game.rolls import Footing

from .combat.damage import Blow
from .trials.contests import beats, both_tests
from .trials.rolling import Roll, simple_test

SCORES = range(6, 17)
"""The rails of an attribute."""

# ---------------------------------------------------------------- the numbers of the books


def success_table(scores: Iterable[int] = SCORES) -> dict[int, tuple[int, ...]]:
    """Percent of success by score: straight, with advantage, with disadvantage."""
    stances = (Footing.LEVEL, Footing.ADVANTAGE, Footing.DISADVANTAGE)
    return {
        score: tuple(int(percent(odds(simple_test(score, one)).chance(lambda roll: roll.success))) for one in stances)
        for score in scores
    }


def opposed_table(scores: Sequence[int] = SCORES) -> dict[tuple[int, int], int]:
    """Percent of opposed tests that the attacker wins, by the attacker's and the defender's score.

    SS-07: without Luck nobody decides anything, and of two rolls nothing counts but the margins of successes.
    """

    @cache
    def margins(test: Question[Roll]) -> Odds[int | None]:
        return odds(test).map(lambda roll: roll.success_margin)

    def wins(attack: int, defence: int) -> int:
        attacks, defends = both_tests(attack, defence)
        return int(percent(margins(attacks).joined(margins(defends), beats).chance(True)))

    return {(attack, defence): wins(attack, defence) for attack in scores for defence in scores}


def damage_table(blow: Blow, margins: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Soak left and damage by the attacker's margin."""
    return {margin: (blow.soak_left(margin), blow.damage(margin)) for margin in margins}


# ---------------------------------------------------------------- as books print them


def printed_success() -> BookTable:
    rows = tuple((str(score), *(f"{cell} %" for cell in cells)) for score, cells in success_table().items())
    return BookTable("Chance to succeed", ("Score", "Straight", "Advantage", "Disadvantage"), rows)


def printed_opposed() -> BookTable:
    cells, scores = opposed_table(), list(SCORES)
    rows = tuple((str(attack), *(str(cells[attack, defence]) for defence in scores)) for attack in scores)
    return BookTable("Attacker wins, in percent", ("Attacker \\ defender", *map(str, scores)), rows)


def printed_damage() -> BookTable:
    found = damage_table(Blow(edge=1, soak=2), (3, 4, 8, 10, 12))
    rows = tuple((str(margin), str(soak), str(damage)) for margin, (soak, damage) in found.items())
    return BookTable("Edge 1 against soak 2", ("Margin", "Soak left", "Damage"), rows)
