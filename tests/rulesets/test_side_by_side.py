"""The four games beside each other: what is advantage, what is a tie, when points are spent, and who rolls.

Nothing in the shared engine may assume one of them. Every cell of the table in the rule ledgers is held here; where a
game has no such thing, that is what is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from astragal.chance import Odds, Question, Rule, Settled, Waiting, odds, play
from astragal.game.rolls import Footing
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.narraject.hand import Hand, Source, Term, roll_hand
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.new_shoes.rules import Reached, Result, approach, opposed_approach
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel import rolls as steel
from astragal.rulesets.sinew_steel.contests import Side as SteelSide
from astragal.rulesets.sinew_steel.contests import opposed_test
from astragal.rulesets.sinew_steel.luck import nudged_test
from astragal.rulesets.sinew_steel.rolls import Stand
from astragal.rulesets.six_pool import SIX_POOL
from astragal.rulesets.six_pool.catalogue import Side as PoolSide
from astragal.rulesets.six_pool.contests import contest
from astragal.rulesets.six_pool.rolls import check
from astragal.storage import open_store
from astragal.table.authoring.chapter import Spend
from astragal.table.authoring.ruleset import Ruleset
from tests.rulesets.narraject.playing import KIRA as A_NARRAJECT_HERO
from tests.table.seated import ScriptedDice, Seated, new_host

ALL = (SINEW_STEEL, NARRAJECT, NEW_SHOES, SIX_POOL)


def named(ruleset: Ruleset) -> str:
    return ruleset.id


def thrown(question: Question[Any], *faces: int) -> Any:
    """The verdict of these faces."""
    played = play(question, ScriptedDice(faces))
    assert isinstance(played, Settled)
    return played.value


def is_success(verdict: Any) -> bool:
    """Every game's verdict knows it; that of New Shoes has three results."""
    return verdict.result is Result.SUCCESS if isinstance(verdict, Reached) else bool(verdict.success)


def hand(dice: int) -> Hand:
    return Hand((Term(Source.RATING, dice),))


def chance(question: Question[Any], is_good: Callable[[Any], bool]) -> Fraction:
    weighed: Odds[Any] = odds(question)
    return weighed.chance(is_good)


# ---------------------------------------------------------------- dice


@pytest.mark.parametrize(
    ("question", "good", "bad"),
    [
        pytest.param(steel.simple_test(10), 3, 18, id="Sinew & Steel: d20 at or under a score"),
        pytest.param(roll_hand(hand(1), 1), 5, 3, id="Narraject: each 5 or 6 is a success"),
        pytest.param(approach(1, 4), 5, 3, id="New Shoes: over a target"),
        pytest.param(check(12, 0), 18, 3, id="Six-Pool: d20 at or over a difficulty"),
    ],
)
def test_a_good_die_is_low_in_one_game_and_high_in_three(question: Question[Any], good: int, bad: int) -> None:
    assert is_success(thrown(question, good))
    assert not is_success(thrown(question, bad))


def test_only_new_shoes_rolls_its_sixes_again() -> None:
    """Of the two games that roll d6, one counts a 6 and one goes on."""
    assert thrown(roll_hand(hand(1), 1), 6).successes == 1
    assert isinstance(play(approach(1, 20), ScriptedDice([6, 6, 1])), Settled)
    assert thrown(approach(1, 12), 6, 6, 1).result is Result.SUCCESS


# ---------------------------------------------------------------- meeting it exactly


def test_what_meets_exactly_succeeds_in_three_games_and_brings_a_twist_in_one() -> None:
    assert thrown(steel.simple_test(12), 12).success
    assert thrown(roll_hand(hand(3), 2), 5, 6, 1).success
    assert thrown(check(15, 3), 12).success
    assert thrown(approach(2, 8), 4, 4).result is Result.PARTIAL


# ---------------------------------------------------------------- ties between two sides


def test_who_wins_a_tie_in_each_game() -> None:
    """The defender's, the defender's or status quo's, and in New Shoes a partial success for whoever acts."""
    assert thrown(opposed_test(12, 12), 7, 7).winner is SteelSide.DEFENDER
    assert thrown(contest(), 11, 11).winner is PoolSide.HOLDER
    assert thrown(opposed_approach(2, 2), 4, 3, 5, 2).result is Result.PARTIAL


def test_in_narraject_there_are_no_two_sides() -> None:
    """Players roll against a difficulty: no rule of it takes more than one hand."""
    (only,) = NARRAJECT.rules
    assert list(only.parameters) == ["hand", "difficulty"]


# ---------------------------------------------------------------- advantage


def test_advantage_keeps_the_lower_of_two_in_one_game_and_the_higher_in_another() -> None:
    faces = (4, 17)
    assert thrown(steel.simple_test(10, Footing.ADVANTAGE), *faces).natural == 4
    assert thrown(steel.simple_test(10, Footing.DISADVANTAGE), *faces).natural == 17
    assert thrown(check(12, 0, Footing.ADVANTAGE), *faces).natural == 17
    assert thrown(check(12, 0, Footing.DISADVANTAGE), *faces).natural == 4


def test_advantage_helps_in_both() -> None:
    level, better, worse = (
        chance(steel.simple_test(10, footing), lambda roll: roll.success)
        for footing in (Footing.LEVEL, Footing.ADVANTAGE, Footing.DISADVANTAGE)
    )
    assert worse < level < better
    level, better, worse = (
        chance(check(12, 0, footing), lambda roll: roll.success)
        for footing in (Footing.LEVEL, Footing.ADVANTAGE, Footing.DISADVANTAGE)
    )
    assert worse < level < better


@pytest.mark.parametrize("ruleset", [NARRAJECT, NEW_SHOES], ids=named)
def test_two_games_know_no_two_dice(ruleset: Ruleset) -> None:
    """What helps there is another die in the hand, or a number on the total."""
    taken = [name for rule in ruleset.rules for name in rule.parameters]
    assert not any(word in name for name in taken for word in ("stance", "footing", "advantage"))
    assert chance(roll_hand(hand(4), 2), lambda one: one.success) > chance(
        roll_hand(hand(3), 2), lambda one: one.success
    )
    helped, alone = (chance(approach(3, 12, more), lambda one: one.margin > 0) for more in (2, 0))
    assert helped > alone


# ---------------------------------------------------------------- when points are spent


def spends(ruleset: Ruleset) -> dict[str, Spend]:
    """The commands that pay before the roll."""
    actions = [action for chapter in ruleset.chapters for action in chapter.actions]
    return {action.name: action.spend for action in actions if action.spend is not None}


def test_luck_is_spent_after_the_roll() -> None:
    """Sinew & Steel: the die lies on the table, and then somebody decides."""
    waiting = play(nudged_test(10, Stand(luck=5)), ScriptedDice([12]))
    assert isinstance(waiting, Waiting)
    assert [die.face for die in waiting.record.rolled] == [12]
    assert not spends(SINEW_STEEL)


@pytest.mark.parametrize(
    ("ruleset", "question", "command", "field"),
    [
        pytest.param(NARRAJECT, roll_hand(hand(2), 1), "attempt", "focus", id="Narraject: Focus"),
        pytest.param(SIX_POOL, check(12, 3), "check", "points", id="Six-Pool: Effort"),
    ],
)
def test_focus_and_effort_are_spent_before_it(
    ruleset: Ruleset, question: Question[Any], command: str, field: str
) -> None:
    """The command names them, and when the dice have fallen nobody is asked."""
    assert spends(ruleset)[command].field == field
    assert isinstance(play(question, ScriptedDice([3, 3])), Settled)


def test_new_shoes_has_nothing_to_spend() -> None:
    """Neither before the roll nor after it."""
    assert not spends(NEW_SHOES)
    assert isinstance(play(approach(2, 20), ScriptedDice([3, 3])), Settled)
    assert isinstance(play(opposed_approach(1, 1), ScriptedDice([3, 3])), Settled)


# ---------------------------------------------------------------- who rolls


@dataclass(frozen=True)
class Somebody:
    """How the game master brings somebody in, and has them try something."""

    make: str
    sheet: dict[str, Any]
    act: str
    fields: dict[str, Any]
    rolls: bool


NPCS = {
    SINEW_STEEL.id: Somebody(
        "make_npc", {"name": "Guard", "score": 10}, "test", {"attribute": "REF", "stakes": "the gate"}, rolls=True
    ),
    SIX_POOL.id: Somebody("make_npc", {"name": "Guard", "level": 1}, "check", {"pool": "DEX", "dc": 12}, rolls=True),
    NARRAJECT.id: Somebody(
        "make_hero",
        {**A_NARRAJECT_HERO, "name": "Guard"},
        "attempt",
        {"stat": "agility", "goal": "the gate shut", "approach": "by force", "difficulty": 1},
        rolls=False,
    ),
    NEW_SHOES.id: Somebody("make_npc", {"name": "Guard", "body": 4}, "describe", {"words": "It charges."}, rolls=False),
}


@pytest.mark.parametrize("ruleset", ALL, ids=named)
def test_in_two_games_the_game_masters_people_roll(ruleset: Ruleset, tmp_path: Path) -> None:
    """In two games the game master's people roll, in two they never do."""
    guard = NPCS[ruleset.id]
    dice = ScriptedDice([10])
    host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (ruleset,))
    opened = host.open(ruleset.id, name="The Gate", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    seated.act("Ada", guard.make, **guard.sheet)
    said = seated.refused("Ada", guard.act, who="Guard", **guard.fields)
    assert said == ("done" if guard.rolls else "never_rolls")
    assert len(dice.faces) == (0 if guard.rolls else 1)


# ---------------------------------------------------------------- nobody is left out


def test_all_four_games_are_compared() -> None:
    """A fifth game would have to take its place in this table."""
    assert {ruleset.id for ruleset in ALL} == {"sinew_steel", "narraject", "new_shoes", "six_pool"} == NPCS.keys()


def test_no_two_games_share_a_rule() -> None:
    rules: list[Rule[..., Any]] = [rule for ruleset in ALL for rule in ruleset.rules]
    assert len({(rule.__module__, rule.name) for rule in rules}) == len(rules)
