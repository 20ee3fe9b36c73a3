"""What lies on the table for all, in each game; and how a deed went, in a headline's words, as far as one may know."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from astragal.storage import open_store
from astragal.surfaces.shared.context import AppContext, SeatView
from astragal.surfaces.shared.sheets import sheet_lines
from astragal.table.authoring.display import Choices, Piece, Tags, Tone, Track, Went
from astragal.table.authoring.ruleset import Ruleset
from astragal.wiring import installed_rulesets
from tests.rulesets.narraject.playing import KIRA
from tests.rulesets.six_pool.playing import KIRA as ROGUE
from tests.table.seated import ScriptedDice, Seated, new_host


class Table(Seated):
    """Ada runs the game, Bo plays."""

    ruleset: Ruleset
    context: AppContext

    def sheet(self, seat: str, who: str) -> list[str]:
        """A character's sheet in lines, as every surface has them."""
        view = SeatView(self.context, self.table, self.seats[seat])
        return sheet_lines(view, view.state.characters[who])

    def board(self, seat: str) -> list[Piece]:
        return self.ruleset.board(self.look(seat))

    def went(self, seat: str) -> Went | None:
        """Of the newest deed that went one way or another."""
        events = self.host.follow(self.table, self.seats[seat]).events
        return next((event.went for event in reversed(events) if event.went), None)

    def make(self, **hero: Any) -> str:
        self.act("Bo", "make_hero", **hero)
        return next(iter(self.look("Ada").characters))

    def roll(self, seat: str, command: str, *faces: int, **fields: Any) -> None:
        self.dice.faces = list(faces)
        self.act(seat, command, **fields)


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    ruleset = installed_rulesets()[request.param]()
    dice, store = ScriptedDice(), open_store(f"sqlite:///{tmp_path}/boards.db")
    host = new_host(store, dice, (ruleset,))
    opened = host.open(ruleset.id, name="A table", game_master="Ada")
    found = Table(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    found.ruleset, found.context = ruleset, AppContext(host, store)
    found.sit("Bo")
    yield found
    store.close()


@pytest.mark.parametrize("table", ["sinew_steel"], indirect=True)
def test_sinew_and_steel_lays_its_fuse_on_the_table(table: Table) -> None:
    table.act("Ada", "raise_pressure", rise=3)
    table.act("Ada", "set_quest", objective="Hang the bell again.")
    track, quests = table.board("Bo")
    assert isinstance(track, Track)
    assert (track.label, track.now, len(track.steps)) == ("pressure", 3, 6)
    assert quests == Choices("Quests", (("Hang the bell again.", ""),))


@pytest.mark.parametrize("table", ["narraject"], indirect=True)
def test_narraject_lays_out_threats_aspects_and_what_is_wanted(table: Table) -> None:
    """NJ+04, NJ-18"""
    table.act("Ada", "raise_threat", name="The verger", level=2, boss=True)
    table.act("Ada", "grant_aspect", name="Slack water", preset="perfect conditions")
    threats, aspects = table.board("Bo")
    assert threats == Choices("Threats", (("The verger", "a boss, level 2, physical"),))
    assert aspects == Choices("Aspects", (("Slack water", "+1"),))


@pytest.mark.parametrize("table", ["new_shoes"], indirect=True)
def test_new_shoes_lays_out_the_scene_and_what_is_under_way(table: Table) -> None:
    """NS-02, NS-09: statuses, and approaches with the attribute that was called."""
    who = table.make(name="Ottilie", body=2, mind=5, will=3)
    table.act("Ada", "attach_status", name="fog", value=-2)
    table.act("Bo", "describe", who=who, words="I hum.")
    table.act("Ada", "call_approach", who=who, attribute="will", target=9, hidden=True)
    assert table.board("Bo") == [Tags("The scene", ("fog −2",)), Choices("Under way", (("Ottilie", "I hum. (Will)"),))]


@pytest.mark.parametrize("table", ["new_shoes"], indirect=True)
def test_how_it_went_is_told_to_those_who_may_know_what_it_was_against(table: Table) -> None:
    who = table.make(name="Ottilie", body=2, mind=5, will=3)
    table.act("Bo", "describe", who=who, words="I lift it.")
    table.act("Ada", "call_approach", who=who, attribute="body", target=9, hidden=True)
    table.roll("Bo", "roll_approach", 4, 5, who=who)
    assert table.went("Ada") == Went(Tone.MIXED, "partial success")
    assert table.went("Bo") is None


@pytest.mark.parametrize("table", ["sinew_steel"], indirect=True)
def test_a_margin_is_part_of_the_headline(table: Table) -> None:
    table.act("Ada", "make_npc", name="Reed priest", tier=12)
    who = next(iter(table.look("Ada").characters))
    key = next(iter(table.look("Ada").characters[who].sheet.scores.closed))
    table.roll("Ada", "test", 9, who=who, attribute=key, stakes="who was heard")
    assert table.went("Ada") == Went(Tone.GOOD, "success, margin +3")
    assert table.went("Bo") == Went(Tone.GOOD, "success")


HEROES: dict[str, dict[str, Any]] = {
    "sinew_steel": {"scores": {"MGT": 12, "REF": 11}},
    "narraject": KIRA,
    "new_shoes": {"body": 2, "mind": 5, "will": 3},
    "six_pool": ROGUE,
}


@pytest.mark.parametrize(("table", "hero"), list(HEROES.items()), indirect=["table"])
def test_the_sheet_of_a_dead_hero_says_so_in_every_game(table: Table, hero: dict[str, Any]) -> None:
    who = table.make(**{**hero, "name": "Ottilie"})
    assert "Fate: dead" not in table.sheet("Bo", who)
    table.act("Ada", "record_fate", who=who, fate="dead")
    assert "Fate: dead" in table.sheet("Bo", who)
