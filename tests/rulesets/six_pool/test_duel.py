"""Duels: what somebody brings into one, and each turn of it. SP-03, SP-08, SP-20, SP+04, SP+05."""

from __future__ import annotations

from astragal.chance import Offer, play
from astragal.chance.dice import EnteredDice
from astragal.chance.play import Settled, Waiting
from astragal.game import Takes
from astragal.game.rolls import Footing
from astragal.rulesets.six_pool.duel import DUEL, Fighter, blow, fighter_of, turn
from astragal.rulesets.six_pool.state import EdgeRule, Options
from tests.rulesets.six_pool.playing import Playing

WAND = {"name": "Wand", "damage": "2d4", "manner": "spell"}
BOW = {"name": "Bow", "damage": "1d8", "manner": "ranged"}


def test_a_fighter_is_what_the_sheet_says_with_the_first_weapon_that_is_carried(playing: Playing) -> None:
    """SP-08: its damage and its pool, with that pool's limit and Edge. SP+04: at least the last hit point is left."""

    def fighter(name: str) -> Fighter:
        return fighter_of(playing.sheet(name), Options())

    lund = {"bonus": 3, "armour_class": 16, "hit_points": 17}
    assert fighter("Lund") == Fighter(**lund, damage="1d6", points=24, limit=6, edge=1)
    playing.act("Ada", "give_weapon", who="Lund", weapon=BOW)
    playing.act("Ada", "give_weapon", who="Lund", weapon={"name": "Axe", "damage": "1d12"})
    assert fighter("Lund") == Fighter(**lund, damage="1d8", points=12, limit=4, edge=0)
    playing.act("Ada", "give_weapon", who="Kira", weapon=WAND)
    assert fighter("Kira") == Fighter(bonus=2, armour_class=12, hit_points=14, damage="2d4", points=10, limit=3)
    playing.act("Ada", "harm", who="Kira", damage="13")
    assert (fighter("Kira").hit_points, DUEL.is_down(playing.sheet("Kira"))) == (1, False)
    playing.act("Ada", "harm", who="Kira", damage="1")
    assert (fighter("Kira").hit_points, DUEL.is_down(playing.sheet("Kira"))) == (1, True)


def test_points_are_declared_then_the_attack_is_rolled() -> None:
    """SP-03, SP-08, SP-20: spent whether or not it hits; 2 of the 3 points count double, so that 7 + 2 + 5 meet 14."""
    question = blow(14, 2, "1d6", most=3, doubled=2)
    waiting = play(question, EnteredDice([]))
    assert isinstance(waiting, Waiting)
    assert isinstance(waiting.need, Offer)
    assert waiting.need.options == (0, 1, 2, 3)
    assert DUEL.greedy(waiting.need) == 3
    for face, damage, taken in ((7, (4,), 4), (6, (), 0)):
        struck = play(question, EnteredDice([face, *damage]), [3])
        assert isinstance(struck, Settled)
        assert struck.value == Takes((0, 3), (taken, 0))


def test_each_turn_is_an_attack_with_what_is_left() -> None:
    """SP-20: Edge is a bonus, or doubles points. SP+05: an emptied pool is broken; who never had one breaks nothing."""
    acting, other = Fighter(points=4, limit=3, edge=2), Fighter(armour_class=15)
    efficient, unbroken = Options(edge=EdgeRule.EFFICIENCY), Options(broken_pools=False)
    assert turn(Options(), acting, other, (12, 4), (9, 0)) == blow(15, 4, "1d6", most=3, doubled=0)
    assert turn(efficient, acting, other, (12, 2), (9, 0)) == blow(15, 2, "1d6", most=2, doubled=3)
    broken = blow(15, 4, "1d6", Footing.DISADVANTAGE, most=0, doubled=0)
    assert turn(Options(), acting, other, (12, 0), (9, 0)) == broken
    assert turn(unbroken, acting, other, (12, 0), (9, 0)) == blow(15, 4, "1d6", most=0, doubled=0)
    assert turn(Options(), Fighter(points=1), other, (12, 0), (9, 0)).named["stance"] is Footing.DISADVANTAGE
    assert turn(Options(), Fighter(), other, (12, 0), (9, 0)).named["stance"] is Footing.LEVEL
