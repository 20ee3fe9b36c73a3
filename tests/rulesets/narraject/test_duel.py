"""Duels: what a hero brings into one, what a hit does, and each turn. NJ-10, NJ-11, NJ-13, NJ-20, NJ+03, NJ+04."""

from __future__ import annotations

import pytest

from astragal.chance import Offer, Question, Waiting, play
from astragal.chance.dice import EnteredDice
from astragal.chance.play import Settled
from astragal.game import Refusal, Takes
from astragal.rulesets.narraject.duel import (
    DUEL,
    HEALTH,
    UNHURT,
    Fighter,
    defends,
    fighter_of,
    hurt,
    makings,
    strikes,
    turn,
)
from astragal.rulesets.narraject.hand import HandFloor, HandParts, Source, Term
from astragal.rulesets.narraject.state import Grade, Options, Stat
from tests.rulesets.narraject.playing import Playing

HERO, OGRE = Fighter(), Fighter(level=2, hits=3)
FLOOR = HandFloor.RATING


def wounds(now: int) -> tuple[int, set[Grade]]:
    """Filled boxes and Conditions of somebody who still stands."""
    boxes, taken = HEALTH[now - 1]
    return boxes, set(taken)


def health(boxes: int, *taken: Grade) -> int:
    return 1 + HEALTH.index((boxes, frozenset(taken)))


def test_hits_fill_boxes_then_slots_and_then_one_is_out() -> None:
    """NJ+03: 4 at once are one more than the boxes hold; who is out stays so."""
    assert (DUEL.left(HERO), wounds(UNHURT)) == ((UNHURT, 11), (0, set()))
    assert wounds(hurt(HERO, UNHURT, 2)) == (2, set())
    assert wounds(hurt(HERO, UNHURT, 4)) == (0, {Grade.MINOR})
    assert wounds(hurt(HERO, health(0, Grade.MINOR), 2)) == (2, {Grade.MINOR})
    assert wounds(hurt(HERO, health(2, Grade.MINOR), 2)) == (0, {Grade.MINOR, Grade.MODERATE})
    assert hurt(HERO, health(3, *Grade), 1) == 0
    assert hurt(HERO, 0, 1) == 0


def test_armour_takes_its_part_and_a_threat_counts_its_hits() -> None:
    """NJ+03: no more than the whole of a hit. NJ+04: threats have no track; they are over when nothing is left."""
    assert wounds(hurt(Fighter(armour=1), UNHURT, 3)) == (2, set())
    assert hurt(Fighter(armour=3), UNHURT, 2) == UNHURT
    assert DUEL.left(OGRE) == (3, 0)
    assert (hurt(OGRE, 3, 1), hurt(OGRE, 1, 2)) == (2, 0)


@pytest.mark.parametrize(
    ("helps", "source"), [(2, Source.ASSET), (1, Source.ASSET), (0, Source.BURDEN), (-1, Source.BURDEN)]
)
def test_a_hand_has_the_rating_and_what_helps_or_hinders(helps: int, source: Source) -> None:
    """NJ-10, NJ-20: down to its floor. What is nothing makes no roll less desperate."""
    assert makings(3, helps, HandFloor.ONE) == HandParts((Term(Source.RATING, 3), Term(source, helps)), 1)
    assert makings(3, 0, HandFloor.ONE).hand().is_desperate


def answered(question: Question[Takes], spent: int, *faces: int) -> Takes:
    waiting = play(question, EnteredDice([]))
    assert isinstance(waiting, Waiting)
    assert isinstance(waiting.need, Offer)
    assert waiting.need.options == (0, 1, 2)
    assert DUEL.greedy(waiting.need) == 2
    settled = play(question, EnteredDice(faces), [spent])
    assert isinstance(settled, Settled)
    return settled.value


def test_focus_is_declared_before_the_hand_is_rolled() -> None:
    """NJ-13, NJ+04: a point a die, spent either way. A strike that succeeds is a hit, a failed defence costs stress."""
    strike, defence = strikes(1, 0, FLOOR, 2, 2), defends(1, 0, FLOOR, 2, 2, stress=3)
    assert answered(strike, 1, 5, 6) == Takes((0, 1), (1, 0))
    assert answered(strike, 2, 5, 4, 1) == Takes((0, 2), (0, 0))
    assert answered(defence, 1, 5, 6) == Takes((0, 0), (0, 1))
    assert answered(defence, 2, 5, 4, 1) == Takes((0, 0), (3, 2))


def test_a_hero_strikes_and_then_defends_with_what_is_left() -> None:
    """NJ+04: level and 1, of a boss 2. NJ+03: Conditions hinder. NJ-13: no more Focus than the Reserve holds."""
    hero, boss = Fighter(rating=2, dice=1), Fighter(level=4, boss=True)
    sore = health(3, Grade.MODERATE)
    one = Options(hand_floor=HandFloor.ONE)
    assert turn(Options(), hero, OGRE, (UNHURT, 11), (3, 0)) == strikes(2, 1, FLOOR, 4, 2)
    assert turn(one, hero, OGRE, (sore, 3), (3, 0)) == strikes(2, -1, HandFloor.ONE, 3, 2)
    assert turn(Options(), OGRE, hero, (3, 0), (sore, 0)) == defends(2, -1, FLOOR, 0, 2, stress=3)
    assert turn(Options(), boss, hero, (3, 0), (UNHURT, 11)) == defends(2, 1, FLOOR, 4, 4, stress=6)
    for both in ((hero, hero), (OGRE, boss)):
        with pytest.raises(Refusal):
            turn(Options(), *both, (3, 0), (3, 0))


def test_a_fighter_has_the_best_stat_of_the_body(playing: Playing) -> None:
    """NJ-11: with its Reserve, which may be overdrawn, and the armour that is worn."""
    kira, lund = playing.sheet("Kira"), playing.sheet("Lund")
    assert fighter_of(kira, Options()) == Fighter(rating=3, reserve=11)
    assert fighter_of(lund, Options()) == Fighter(rating=4, reserve=lund.reserves.might, armour=2)
    for left in (0, -2):
        assert fighter_of(kira.with_reserve(Stat.AGILITY, left), Options()).reserve == 0
    assert not DUEL.is_down(kira)
