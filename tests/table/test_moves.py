"""Moves for when the players stall: dealt by the table's dice, from the setting and from what lies open."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from astragal.chance import odds
from astragal.chance.contract import faults
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.table.chapters.oracle import IMPROVISED, Deal, deal_move
from astragal.table.state.setting import MoveKind, Setting
from tests.rulesets.at_table import AtTable
from tests.table.seated import LaidOnce, Seated, everyone

HERO = {
    "name": "Aune",
    "ratings": {"might": 2, "agility": 2, "intellect": 2, "persona": 2},
    "anchors": [{"name": f"A{number}"} for number in range(3)],
    "burdens": [{"name": f"B{number}"} for number in range(3)],
}
SETTING = Setting(moves={"escalate": ("The dam groans.",), "omen": ("A crow, walking.", "A clock that sweats.")})


def in_the_setting(folder: Path) -> Seated:
    return everyone(folder, setting=SETTING)


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(in_the_setting)


def dealt(table: Seated, *faces: int, **fields: Any) -> str:
    """The move that is dealt with these faces of the d4 and the d12."""
    table.dice.faces = list(faces)
    (event,) = [one for one in table.act("Ada", "deal_move", **fields).events if one.name == "move_dealt"]
    return event.words.removeprefix("your move: ")


@pytest.mark.slow
def test_the_rule_keeps_the_contract() -> None:
    assert faults(deal_move) == []


@pytest.mark.parametrize("count", range(13))
def test_moves_of_a_kind_are_equally_likely(count: int) -> None:
    chances = odds(deal_move(count, 0, 0, 0))
    each = Fraction(12 // count, 48) if count else 0
    for place in range(count):
        assert chances.chance(Deal(MoveKind.ESCALATE, place)) == each
    assert chances.chance(lambda deal: deal.kind is MoveKind.ESCALATE) == Fraction(1, 4)


def test_the_setting_has_moves_ready(seated: Seated) -> None:
    assert dealt(seated, 1, 1) == "The dam groans."
    assert dealt(seated, 2, 1) == "A crow, walking."
    assert dealt(seated, 2, 12) == "A clock that sweats."
    assert dealt(seated, 3, 5) == IMPROVISED[MoveKind.TERRAIN]


def test_a_clock_that_runs_is_dealt_with_where_it_stands(seated: Seated) -> None:
    clock = seated.act("Ada", "start_clock", name="The tide", size=6, face="hidden").act
    seated.act("Ada", "tick_clock", clock=clock, ticks=3)
    assert dealt(seated, 1, 1) == "advance the clock “The tide” (3/6)"
    assert dealt(seated, 1, 12) == "The dam groans."
    assert dealt(seated, 1, 12, clock=clock) == "advance the clock “The tide” (3/6)"
    seated.act("Ada", "tick_clock", clock=clock, ticks=3)
    assert dealt(seated, 1, 1) == "The dam groans."


def test_secrets_and_promises_are_dealt(seated: Seated) -> None:
    seated.act("Ada", "write_note", title="About the mayor", words="He paid.", audience="game master")
    assert dealt(seated, 2, 1) == "show a sign of what you keep secret: “About the mayor”"
    kira = next(iter(seated.look("Ada").characters))
    prompt = seated.act("Ada", "put_prompt", to=kira, words="What do you swear?").act
    assert dealt(seated, 4, 1) == IMPROVISED[MoveKind.BARGAIN]
    seated.act("Bo", "answer_prompt", prompt=prompt, words="Never to run.")
    assert dealt(seated, 4, 1) == "hold Kira to their word: “Never to run.”"


def test_players_see_two_dice_and_nothing_of_what_could_be_dealt(seated: Seated) -> None:
    """How many things are hidden can't be told from the dice, nor from the question."""
    before = len(seated.words("Bo"))
    dealt(seated, 1, 1)
    (rolled,) = seated.host.follow(seated.table, seated.seats["Bo"]).events[before:]
    assert [die["sides"] for die in rolled.fields["dice"]] == [4, 12]
    assert "arguments" not in rolled.fields["question"]


def test_the_setting_keeps_its_share_of_a_crowded_table(seated: Seated) -> None:
    for number in range(20):
        seated.act("Ada", "start_clock", name=f"Clock {number}")
    assert dealt(seated, 1, 12) == "The dam groans."
    assert dealt(seated, 1, 11) == "advance the clock “Clock 10” (0/6)"


def test_narraject_deals_threats_aspects_and_facts(tmp_path: Path) -> None:
    table: AtTable[Any] = AtTable.opened(tmp_path, NARRAJECT, "Moves")
    table.act("Ada", "raise_threat", name="Wolves", level=3)
    assert dealt(table, 1, 1) == "let “Wolves” come closer (level 3)"
    table.act("Ada", "grant_aspect", name="Deep snow", dice=1)
    assert dealt(table, 3, 1) == "turn it against the heroes, or take it away: “Deep snow”"
    table.act("Bo", "make_hero", **HERO)
    table.act("Bo", "declare_intent", who="Aune", goal="the bridge is out", approach="sawing")
    table.act("Ada", "say_yes", who="Aune", missing="challenge")
    for face in (2, 4):
        assert "“the bridge is out”" in dealt(table, face, 1)


def test_new_shoes_deals_what_is_true_of_the_scene(tmp_path: Path) -> None:
    table: AtTable[Any] = AtTable.opened(tmp_path, NEW_SHOES, "Moves")
    table.act("Ada", "attach_status", name="pitch dark", value=-2)
    assert dealt(table, 3, 1) == "turn it round: pitch dark −2"
