"""Needs: the dice that a step throws first, whatever they show. A hidden roll seals them before any is thrown."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.chance import (
    Chance,
    Offer,
    Rolls,
    SeededDice,
    Tray,
    d4,
    d6,
    d8,
    d20,
    exploding,
    exploding_difference,
    highest,
    hits,
    lowest,
    play,
    pool,
    rerolled,
    rule,
    total,
    until,
)
from astragal.chance.notation import parse
from astragal.chance.play import next_dice

STEPS: list[Chance[Any]] = [
    d20,
    highest(2, d20),
    lowest(2, d20),
    hits(7, d6, at_least=5),
    total(3, d6),
    total(3, rerolled(d6, [1])),
    total(3, rerolled(d6, [1]).map(lambda face: -face)),
    total(2, until(d6, lambda face: face > 2)),
    exploding(4, d6),
    exploding(2, d6) + d8,
    d8 + exploding(2, d6),
    exploding_difference(exploding(3, d6), exploding(2, d6), low=-10, high=10),
    pool(3, d6).plus(2, d8),
    pool(2, rerolled(d6, [1])).plus(2, d8),
    parse("4d6!dl1+2d8r1"),
    parse("1d20+2d4kh1"),
    parse("3d6mi2"),
]


@pytest.mark.parametrize("step", STEPS)
def test_a_step_throws_the_dice_that_it_needs_first(step: Chance[Any]) -> None:
    needed = step.needs()
    assert needed
    for seed in range(200):
        tray = Tray(SeededDice(seed), "test")
        step.throw(tray)
        assert tuple(die.sides for die in tray.rolled)[: len(needed)] == needed
        assert step.may_throw_more or len(tray.rolled) == len(needed)


def test_dice_that_come_after_a_look_are_not_needed() -> None:
    assert (exploding(2, d6) + d8).needs() == (6, 6)
    assert (d8 + exploding(2, d6)).needs() == (8, 6, 6)
    assert total(2, until(d6, lambda face: face > 2)).needs() == (6,)


@rule
def asks_between(count: int) -> Rolls[int]:
    first = yield from hits(count, d6, at_least=5)
    more = yield from Offer("who", "more dice", (0, 2))
    return first + (yield from hits(more, d4, at_least=4))


def test_the_next_dice_of_a_rule_are_known_before_they_are_thrown() -> None:
    assert next_dice(asks_between(3)) == (6, 6, 6)
    waiting = play(asks_between(3), SeededDice(1))
    assert next_dice(asks_between(3), waiting.record.rolled, (2,)) == (4, 4)
    assert next_dice(asks_between(3), waiting.record.rolled) == (), "somebody has to decide first"
