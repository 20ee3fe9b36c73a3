"""Duels: what somebody brings into one, and each turn of it. NS-06, NS-08, NS-10, NS-12, NS-15."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.chance import Question, play
from astragal.chance.dice import EnteredDice
from astragal.chance.play import Settled
from astragal.game import Refusal, Takes
from astragal.rulesets.new_shoes.duel import DUEL, Fighter, clash, defends, fighter_of, strikes, turn
from astragal.rulesets.new_shoes.state import Explode, Options
from tests.rulesets.new_shoes.playing import Playing


def takes(question: Question[Takes], *faces: int) -> Takes:
    played = play(question, EnteredDice(faces))
    assert isinstance(played, Settled)
    return played.value


@pytest.mark.parametrize(
    ("mine", "theirs", "harm"), [((5, 3), (2, 2), (0, 4)), ((2, 2), (5, 2), (3, 0)), ((2, 3), (4, 1), (0, 0))]
)
def test_of_two_players_whoever_rolled_less_is_harmed(
    mine: tuple[int, ...], theirs: tuple[int, ...], harm: tuple[int, int]
) -> None:
    """NS-06, NS-10: by the difference; a tie harms no one."""
    question = clash(2, 2, 0, 0, won=8, lost=8, explode=Explode.CHAIN)
    assert takes(question, *mine, *theirs) == Takes(harm[:1], harm[1:])


@pytest.mark.parametrize(("faces", "struck", "cost"), [((5, 3), 3, 0), ((2, 3), 0, 0), ((1, 2), 0, 2)])
def test_against_those_who_never_roll_only_success_strikes_and_failure_costs(
    faces: tuple[int, ...], struck: int, cost: int
) -> None:
    """NS-08, NS-10: one's own attack harms them by the difference, a failed reaction costs it."""
    assert takes(strikes(2, 5, 0, 8, Explode.CHAIN), *faces) == Takes((0,), (struck,))
    assert takes(defends(2, 5, 0, 8, Explode.CHAIN), *faces) == Takes((0,), (cost,))


def test_each_turn_is_rolled_with_the_dice_that_are_left() -> None:
    """NS-11, NS-08, NS-15: who has a target never rolls, and endures 5 without attributes; two of them can't fight."""
    hero, other, wolf = Fighter(statuses=1), Fighter(dice=3, statuses=-1), Fighter(target=8, statuses=2)
    assert (DUEL.left(hero), DUEL.left(wolf)) == ((4,), (5,))
    asked: list[tuple[Any, Any, Question[Takes]]] = [
        (hero, other, clash(3, 2, 1, -1, won=2, lost=3, explode=Explode.ONCE)),
        (hero, wolf, strikes(3, 8, 1, 2, Explode.ONCE)),
        (wolf, hero, defends(2, 8, 1, 2, Explode.ONCE)),
    ]
    for acting, opponent, question in asked:
        assert turn(Options(explode=Explode.ONCE), acting, opponent, (3,), (2,)) == question
    with pytest.raises(Refusal):
        turn(Options(), wolf, wolf, (5,), (5,))


def test_a_fighter_has_the_attribute_with_most_dice(playing: Playing) -> None:
    """NS-02, NS-12: as many as are left, and at least one."""
    assert fighter_of(playing.sheet("Lund"), Options()) == Fighter(dice=5)
    for what in ("body", "mind"):
        playing.act("Ada", "override", who="Lund", what=what, value=0)
    playing.act("Ada", "override", who="Lund", what="will", value=1)
    assert fighter_of(playing.sheet("Lund"), Options()) == Fighter(dice=1)
    playing.act("Ada", "override", who="Lund", what="will", value=0)
    assert fighter_of(playing.sheet("Lund"), Options()) == Fighter(dice=1)
    assert DUEL.is_down(playing.sheet("Lund"))
