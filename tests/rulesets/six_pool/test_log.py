"""Everything that happened is in the log: read again, from the start or from a snapshot, the table is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.rulesets.six_pool import SIX_POOL
from astragal.storage import open_store
from astragal.table.host import Host
from tests.rulesets.six_pool.playing import Playing
from tests.table.seated import ScriptedDice, new_host


def restarted(folder: Path, *faces: int) -> Host:
    return new_host(open_store(f"sqlite:///{folder}/tables.db"), ScriptedDice(faces), (SIX_POOL,))


def play_something_of_everything(playing: Playing) -> None:
    playing.act("Ada", "add_skill", name="kite flying", pool="WIS")
    playing.act("Ada", "add_class", name="ferryman", primary="CON")
    playing.act("Ada", "add_contest", name="staring", actor=["CON"], holder=["WIS"])
    playing.act("Ada", "award_inspiration", who="Lund")
    playing.check(20, points=2)
    playing.act("Ada", "call_group_check", skill="stealth", leader="Lund")
    playing.act("Cy", "lead", who="Lund", ally="Kira", points=2)
    playing.act("Cy", "help", who="Lund", ally="Kira")
    playing.roll(12, 4)
    playing.act("Ada", "attack", who="Guard", target="Kira", damage="1d6")
    playing.act("Ada", "rest")
    playing.roll(4)
    playing.act("Bo", "recover", who="Kira")
    playing.act("Ada", "change_edge_rule", edge="efficiency")


@pytest.mark.parametrize("snapped", [False, True])
def test_a_table_is_what_its_log_says(playing: Playing, tmp_path: Path, snapped: bool) -> None:
    """SP-02: sheets, groups, help, rests and house rules come back to the letter."""
    play_something_of_everything(playing)
    waiting = playing.act("Bo", "contest", who="Kira", against="Lund", contest="stealth")
    playing.answer("Bo", waiting, 1)
    if snapped:
        keeper = playing.host._repository  # noqa: SLF001 - when snapshots are made is the keeper's own business
        keeper.snap(keeper.at(playing.table))
    again = restarted(tmp_path)
    for seat in playing.seats.values():
        assert again.look(playing.table, seat) == playing.host.look(playing.table, seat)


def test_a_reroll_is_still_offered_after_a_restart(playing: Playing, tmp_path: Path) -> None:
    """SP-18: a week later, in another process."""
    playing.act("Ada", "award_inspiration", who="Kira")
    waiting = playing.check(3, points=2)
    later = restarted(tmp_path, 18)
    outcome = later.act(playing.table, playing.seats["Bo"], ("answer", {"act": waiting.act, "answer": "inspiration"}))
    assert playing.rolled(outcome)["natural"] == 18


def test_a_sealed_declaration_is_still_sealed_after_a_restart(playing: Playing, tmp_path: Path) -> None:
    """SP-13: and it counts when the other is in."""
    waiting = playing.act("Bo", "contest", who="Kira", against="Lund", contest="stealth")
    playing.answer("Bo", waiting, 3)
    later = restarted(tmp_path, 10, 12)
    outcome = later.act(playing.table, playing.seats["Cy"], ("answer", {"act": waiting.act, "answer": 0}))
    assert playing.told(outcome, "contested")["actor"]["total"] == 10 + 3 + 3


def test_an_attack_waits_and_goes_on_after_a_restart(playing: Playing, tmp_path: Path) -> None:
    """SP-08, SP-18: with its damage."""
    playing.act("Ada", "award_inspiration", who="Lund")
    playing.roll(2)
    waiting = playing.act("Cy", "attack", who="Lund", target="Guard", damage="1d8+3")
    later = restarted(tmp_path, 20, 3, 4)
    outcome = later.act(playing.table, playing.seats["Cy"], ("answer", {"act": waiting.act, "answer": "inspiration"}))
    assert playing.told(outcome, "attacked")["damage"] == 10
