"""What a point is worth in a fight, and builds that another beats everywhere."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from astragal.lab.duels import Play, duel
from astragal.lab.worth import compare_builds, legal_builds, worth
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.duel import DUEL, Fighter
from astragal.rulesets.sinew_steel.options import Options
from astragal.table.authoring.point_buy import Budget, Number, PointBuy
from astragal.table.refusals import NoSuchThing


def small_budget(options: Options) -> PointBuy:
    might, *others, luck = options.attributes
    numbers = [
        Number(might, 9, 11, might, 10),
        *(Number(key, 10, 10, key, 10) for key in others),
        Number(luck, 0, 2, luck),
        Number("STM", 2, 4, "Stamina"),
    ]
    return PointBuy((Budget(key="scores", numbers=tuple(numbers), most=45),))


FOES = {"guard": Fighter(stamina=3), "captain": Fighter(attack=12, defence=12, stamina=3, soak=1)}
SMALL = replace(SINEW_STEEL, duel=replace(DUEL, foes=FOES, points=small_budget))
"""Might 9 to 11, Luck 0 to 2, Stamina 2 to 4, 15 in all; the other three are at 10."""


@pytest.mark.slow
def test_the_worth_of_a_number_is_the_difference_it_makes_to_the_exact_chance() -> None:
    hero, foe = Fighter(stamina=3), Fighter(attack=11, stamina=3)
    found = worth(SINEW_STEEL, hero, {"foe": foe}, play=Play.DECLINE)
    stronger = duel(SINEW_STEEL, Fighter(attack=11, stamina=3), foe, play=Play.DECLINE)
    (attack,) = [one for one in found.numbers if (one.name, one.after) == ("attack", "11")]
    assert found.wins + attack.changes == pytest.approx(stronger.wins)
    assert [one.changes for one in found.numbers] == sorted((one.changes for one in found.numbers), reverse=True)
    assert {one.name for one in found.numbers} >= {"attack", "defence", "stamina", "edge", "soak", "luck"}


@pytest.mark.slow
def test_a_house_rule_is_worth_something_only_where_it_changes_the_fight() -> None:
    found = worth(SINEW_STEEL, Fighter(attack=14, stamina=3), {"foe": Fighter(stamina=4)}, play=Play.DECLINE)
    assert [(one.name, one.after) for one in found.rules] == [("bonus_margin", "11")]
    assert found.rules[0].changes < 0


@pytest.mark.slow
def test_a_setting_is_worth_what_its_options_change() -> None:
    found = worth(SINEW_STEEL, Fighter(pierces=True, stamina=3), {"foe": Fighter(stamina=3, soak=1)}, play=Play.DECLINE)
    (rule,) = [one for one in found.rules if one.name == "piercing"]
    assert {"borrowed_hours": rule.changes}.items() <= {one.after: one.changes for one in found.skins}.items()


def test_every_legal_build_of_the_standard_budget_is_counted() -> None:
    _, rows = legal_builds(DUEL, SINEW_STEEL.options())
    assert len(rows) == 228_944


@pytest.mark.slow
def test_builds_that_another_beats_everywhere_are_found_whoever_does_the_work() -> None:
    found = compare_builds(SMALL)
    with ThreadPoolExecutor(2) as pool:
        assert compare_builds(SMALL, executor=pool) == found
    assert sum(one.count for one in found.classes) == found.builds
    for one in found.classes[::5]:
        fighter = DUEL.build(one.build, SINEW_STEEL.options()) if DUEL.build else None
        assert one.wins[0] == pytest.approx(duel(SMALL, fighter, FOES["guard"], exact=False).wins)
    weak = {"MGT": 9, "REF": 10, "INT": 10, "EMP": 10, "LCK": 0, "STM": 2}
    (mine,) = [one for one in found.classes if one.build == weak]
    assert mine.beaten_by is not None
    assert all(own < theirs for own, theirs in zip(mine.wins, found.classes[mine.beaten_by].wins, strict=True))
    assert all(one.beaten_by is None for one in found.unbeaten)


def test_a_game_whose_heroes_are_not_bought_has_no_builds_to_compare() -> None:
    with pytest.raises(NoSuchThing):
        compare_builds(NARRAJECT)
