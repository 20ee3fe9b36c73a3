"""What is due in each game: said when it is, and not before or after, and to nobody who may not know."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.six_pool import SIX_POOL
from astragal.storage import open_store
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.reminders import SHARED, due
from tests.table.seated import ScriptedDice, Seated, new_host

Opens = Callable[..., "Table"]


class Table(Seated):
    """Ada runs it, Bo plays the first of the game's sample heroes."""

    ruleset: Ruleset
    hero: str

    def due(self, seat: str = "Ada") -> str:
        """What the game itself says is due, as a seat sees it."""
        state = self.host.look(self.table, self.seats[seat])
        shared = {line for part in SHARED for line in part(state, Teller(state, state.terms))}
        return "\n".join(line for line in due(self.ruleset, state) if line not in shared)

    def master(self, command: str, **fields: Any) -> Any:
        return self.act("Ada", command, **fields)


@pytest.fixture
def opens(tmp_path: Path) -> Opens:
    def open_table(ruleset: Ruleset, *faces: int, **options: Any) -> Table:
        dice = ScriptedDice(faces)
        host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (ruleset,))
        opened = host.open(ruleset.id, name="A night", game_master="Ada", options=options)
        table = Table(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
        table.ruleset = ruleset
        table.sit("Bo")
        assert ruleset.heroes is not None
        table.hero, fields = next(iter(ruleset.heroes.samples(ruleset.options(**options)).items()))
        table.act("Bo", ruleset.heroes.make, **fields)
        table.master("begin_evening")
        return table

    return open_table


def test_a_milestone_is_due_after_three_beats(opens: Opens) -> None:
    """SS-60, SS-61."""
    table = opens(SINEW_STEEL)
    said = []
    for number in range(4):
        table.master("mark_beat", what=f"beat {number}")
        said.append(table.due())
    assert said[0] == ""
    assert said[1] == "With the next perilous beat (mark_beat) a milestone is due."
    assert "3 perilous beats: a milestone is due" in said[2]
    assert "overdue" in said[3]
    table.master("milestone", boon="a favour")
    assert table.due() == f"{table.hero}: A milestone to use: 2 to spend (advance)."
    table.act("Bo", "advance", who=table.hero)
    assert table.due() == ""


def test_pressure_that_rises_reminds_of_its_moves(opens: Opens) -> None:
    """SS-52, SS-53."""
    table = opens(SINEW_STEEL)
    said = []
    for number in range(4):
        table.master("raise_pressure", why=f"a bargain {number}")
        said.append(table.due())
    assert said[0] == ""
    assert "stands at 2" in said[1]
    assert "Disadvantage (pressure_move)" in said[1]
    assert "side effect" in said[2]
    assert "; one more brings the crisis. " in said[3]


def test_luck_tests_are_counted_for_the_custodian_alone(opens: Opens) -> None:
    """SS-29: hidden ones count, so the number is nobody else's."""
    table = opens(SINEW_STEEL, 5, 5)
    for number in range(2):
        table.master("luck_test", who=table.hero, stakes=f"the rope {number}", why="chance")
    assert "2 tests of Luck this evening" in table.due()
    assert table.due("Bo") == ""


def test_whoever_has_fallen_is_due_a_fate_in_sinew_and_steel(opens: Opens) -> None:
    """SS-30."""
    table = opens(SINEW_STEEL)
    table.master("harm", who=table.hero, points=9)
    assert f"{table.hero} is down" in table.due()
    table.master("record_fate", who=table.hero, fate="captured")
    assert table.due() == ""


def test_an_intent_waits_for_a_ruling(opens: Opens) -> None:
    """NJ-01, NJ-02."""
    table = opens(NARRAJECT)
    table.act("Bo", "declare_intent", who=table.hero, goal="the roof", approach="a leap")
    assert f"{table.hero} wants: the roof (a leap)" in table.due()
    table.act("Ada", "request_roll", who=table.hero, command="attempt", difficulty=2)
    assert table.due() == "", "it is the player's now"
    table.master("withdraw_request", request=next(iter(table.host.look(table.table, table.seats["Ada"]).requests)))
    assert f"{table.hero} wants: the roof (a leap)" in table.due()
    table.master("say_yes", who=table.hero, missing="challenge")
    assert table.due() == ""


def test_points_are_due_when_the_evening_has_ended(opens: Opens) -> None:
    """NJ+06: once the evening is over, for all who can earn some and have earned none."""
    table = opens(NARRAJECT)
    assert table.due() == ""
    table.master("end_evening")
    assert table.due() == f"A Narrative Point or two is due for the evening: {table.hero} (award_points)."
    table.master("award_points")
    assert table.due() == ""
    table.master("begin_evening")
    table.master("end_evening")
    assert "A Narrative Point or two is due" in table.due()
    table.master("override", who=table.hero, what="narrative_points", value=5)
    assert table.due() == ""
    table.master("override", who=table.hero, what="narrative_points", value=4)
    table.master("record_fate", who=table.hero, fate="dead")
    assert table.due() == ""
    table = opens(NARRAJECT, advancement=False)
    table.master("end_evening")
    assert table.due() == ""


def test_whoever_is_taken_out_is_due_a_fate_in_narraject(opens: Opens) -> None:
    """NJ+03: until it is told what that means."""
    table = opens(NARRAJECT, advancement=False)
    for _ in range(8):
        table.master("take_stress", who=table.hero, damage=3, armour=False)
        if table.due():
            break
    assert table.due() == f"{table.hero} is taken out: tell what that means (record_fate), or bring_back."
    table.master("record_fate", who=table.hero, fate="captured")
    assert table.due() == ""


def test_approaches_and_the_knocked_out(opens: Opens) -> None:
    """NS-02, NS-08, NS-12."""
    table = opens(NEW_SHOES, *[1] * 8)
    table.act("Bo", "describe", who=table.hero, words="up the wall")
    assert table.due() == f"{table.hero}: up the wall. Call for the roll (call_approach)."
    table.master("call_approach", who=table.hero, attribute="body", target=20)
    assert table.due() == ""
    table.act("Bo", "roll_approach", who=table.hero)
    assert table.due() == ""
    table.master("prompt_reaction", who=table.hero, words="it bites", attribute="body", target=20)
    assert table.due() == f"{table.hero}: it bites. React (describe)."
    table.master("override", who=table.hero, what="body", value=0)
    out = f"{table.hero} is out, and wakes with the next scene"
    assert table.due() == f"{out} or evening unless you say otherwise (keep_down)."
    table.master("improvise_scene", title="The wall")
    table.master("override", who=table.hero, what="body", value=0)
    assert table.due() == f"{out} unless you say otherwise (keep_down)."
    table.master("keep_down", who=table.hero)
    assert table.due() == ""


def test_a_roll_that_taught_something_reminds_of_the_lesson(opens: Opens) -> None:
    """NS+01."""
    table = opens(NEW_SHOES, 6, 6, 1, 1, lessons=True)
    table.act("Bo", "describe", who=table.hero, words="up the wall")
    table.master("call_approach", who=table.hero, attribute="body", target=4)
    table.act("Bo", "roll_approach", who=table.hero)
    taught = "The last roll taught something: name it for 0 XP, or let it pass"
    assert f"{table.hero}: {taught} (learn)." in table.due()
    table.act("Bo", "learn", who=table.hero, speciality="climbing")
    assert table.due() == ""


def test_an_offer_of_help_and_the_points_of_a_rest_are_due(opens: Opens) -> None:
    """SP-14, SP-15, SP+03."""
    table = opens(SIX_POOL, 10, 3)
    table.master("make_npc", name="Guard", pools={"STR": 6, "DEX": 6})
    table.master("call_group_check", members=[table.hero, "Guard"], pool="STR", dc=10)
    assert table.due() == ""
    table.master("help", who="Guard", ally=table.hero, skill="athletics")
    offers = f"Guard offers {table.hero} help with athletics"
    assert table.due() == f"{offers}. It helps or it does not (judge_help)."
    table.master("rest", kind="short")
    assert "recover" not in table.due()
    table.master("override", who=table.hero, what="STR", value=1)
    assert f"{table.hero}: Roll for the points of a short rest (recover)." in table.due()


def test_whoever_is_down_is_a_reminder_in_six_pool(opens: Opens) -> None:
    """SP+04."""
    table = opens(SIX_POOL)
    table.master("harm", who=table.hero, damage="99")
    assert f"{table.hero} is down" in table.due()


@pytest.mark.parametrize("ruleset", [SINEW_STEEL, NARRAJECT, NEW_SHOES, SIX_POOL], ids=lambda one: one.id)
def test_every_game_has_reminders_of_its_own(ruleset: Ruleset) -> None:
    assert ruleset.due
