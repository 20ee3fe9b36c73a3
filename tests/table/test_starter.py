"""Starter tables: everything that was asked for, or no table."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.rulesets.six_pool import SIX_POOL
from astragal.storage import open_store
from astragal.table.authoring.ruleset import AppliedSkin
from astragal.table.declarations import Role
from astragal.table.refusals import Refusal
from astragal.table.starter import GAME_MASTERS, sample_heroes, start_table
from tests.table.seated import ScriptedDice, new_host


def test_a_starter_table_has_its_people_their_heroes_and_a_scene(tmp_path: Path) -> None:
    host = new_host(open_store(str(tmp_path / "tables.db")), ScriptedDice(), (SIX_POOL,))
    first, second = list(sample_heroes(SIX_POOL, AppliedSkin({}, {})).values())[:2]
    started = start_table(
        host,
        SIX_POOL,
        name="The Bridge",
        game_master="Ada",
        players=["Bo"],
        heroes=[(0, first), (GAME_MASTERS, second)],
        begins=True,
    )
    state = host.look(started.table, started.seat)
    assert [(one.name, one.role) for one in state.seats.values()] == [
        ("Ada", Role.GAME_MASTER),
        ("Bo", Role.PLAYER),
    ]
    assert [one.name for one in state.characters.values()] == [first["name"], second["name"]]
    assert next(iter(state.characters.values())).seat == started.players[0]
    assert state.calendar.scene is not None


@pytest.mark.parametrize("players", [("Bo", "Bo" * 100), ("Bo",)])
def test_a_table_that_lacks_something_is_not_opened(tmp_path: Path, players: tuple[str, ...]) -> None:
    store = open_store(str(tmp_path / "tables.db"))
    host = new_host(store, ScriptedDice(), (SIX_POOL,))
    with pytest.raises(Refusal):
        start_table(
            host, SIX_POOL, name="The Bridge", game_master="Ada", players=players, heroes=[(0, {"name": "Nobody"})]
        )
    assert list(store.tables()) == []
