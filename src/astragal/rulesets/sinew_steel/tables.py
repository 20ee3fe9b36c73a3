"""The tables that the books print, made anew from the rules: SS-01, SS-04, SS-07, SS-34 to SS-36."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from astragal.chance import Odds, Question, odds, percent
from astragal.table.creation import BookTable

from .blow import Blow
from .opposed import beats, both_tests
from .rolling import Footing, Roll, simple_test

SCORES = range(6, 17)
"""The rails of an attribute."""


def success_table(scores: Iterable[int] = SCORES) -> dict[int, tuple[int, int, int]]:
    """Percent of success by score: straight, with advantage, with disadvantage."""
    return {
        score: (
            _succeeds(score, Footing.LEVEL),
            _succeeds(score, Footing.ADVANTAGE),
            _succeeds(score, Footing.DISADVANTAGE),
        )
        for score in scores
    }


def _succeeds(score: int, stance: Footing) -> int:
    return int(percent(odds(simple_test(score, stance)).chance(lambda roll: roll.success)))


def opposed_table(scores: Sequence[int] = SCORES) -> dict[tuple[int, int], int]:
    """Percent of opposed tests that the attacker wins, by the attacker's and the defender's score."""
    known = cache(_success_margins)
    return {(attack, defence): _wins(attack, defence, known) for attack in scores for defence in scores}


def _wins(attack: int, defence: int, margins: Callable[[Question[Roll]], Odds[int | None]]) -> int:
    """SS-07: without Luck nobody decides anything, and of two rolls nothing counts but the margins of successes."""
    attacks, defends = both_tests(attack, defence)
    return int(percent(margins(attacks).joined(margins(defends), beats).chance(True)))


def _success_margins(test: Question[Roll]) -> Odds[int | None]:
    return odds(test).map(lambda roll: roll.success_margin)


def damage_table(blow: Blow, margins: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Soak left and damage by the attacker's margin."""
    return {margin: (blow.soak_left(margin), blow.damage(margin)) for margin in margins}


# ---------------------------------------------------------------- as books print them


def _success() -> BookTable:
    rows = tuple((str(score), *(f"{cell} %" for cell in cells)) for score, cells in success_table().items())
    return BookTable("Chance to succeed", ("Score", "Straight", "Advantage", "Disadvantage"), rows)


def _opposed() -> BookTable:
    cells, scores = opposed_table(), list(SCORES)
    rows = tuple((str(attack), *(str(cells[attack, defence]) for defence in scores)) for attack in scores)
    return BookTable("Attacker wins, in percent", ("Attacker \\ defender", *map(str, scores)), rows)


def _damage() -> BookTable:
    found = damage_table(Blow(edge=1, soak=2), (3, 4, 8, 10, 12))
    rows = tuple((str(margin), str(soak), str(damage)) for margin, (soak, damage) in found.items())
    return BookTable("Edge 1 against soak 2", ("Margin", "Soak left", "Damage"), rows)


TABLES: Mapping[str, Callable[[], BookTable]] = {"success": _success, "opposed": _opposed, "damage": _damage}


def as_markdown(table: BookTable) -> str:
    lines = (table.head, ("---:",) * len(table.head), *table.rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
