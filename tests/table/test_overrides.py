"""Declared overrides: within limits, and for all to see."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.storage import open_store
from astragal.table.refusals import NoSuchThing, Refusal
from tests.table.dare import DARE
from tests.table.seated import ScriptedDice, Seated, new_host


@pytest.fixture
def seated(tmp_path: Path) -> Seated:
    dice = ScriptedDice()
    host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (DARE,))
    opened = host.open("dare", name="The Cliff", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    seated.sit("Bo")
    seated.sit("Di", "spectator")
    seated.act("Bo", "join", name="Kira")
    return seated


def nerve(seated: Seated) -> int:
    (kira,) = seated.look("Di").characters.values()
    held: int = kira.sheet.nerve
    return held


def test_an_override_is_shown_to_all_with_before_after_and_why(seated: Seated) -> None:
    done = seated.act("Ada", "override", who="Kira", what="nerve", value=6, why="we forgot the rest")
    assert {key: done.events[0].fields[key] for key in ("what", "before", "after", "why")} == {
        "what": "nerve",
        "before": 3,
        "after": 6,
        "why": "we forgot the rest",
    }
    assert seated.words("Di")[-1] == "override: Kira, nerve 3 → 6 (we forgot the rest)"
    assert nerve(seated) == 6


@pytest.mark.parametrize("value", [-1, 7])
def test_an_override_outside_its_limits_is_refused_with_the_numbers(seated: Seated, value: int) -> None:
    with pytest.raises(Refusal, match=f"nerve goes from 0 to 6, not to {value}"):
        seated.act("Ada", "override", who="Kira", what="nerve", value=value)


def test_only_what_the_game_names_can_be_overridden(seated: Seated) -> None:
    with pytest.raises(NoSuchThing, match="here: nerve"):
        seated.act("Ada", "override", who="Kira", what="fear", value=1)
    assert seated.refused("Ada", "override", who="nobody", what="nerve", value=1) == "no_such_thing"
    assert seated.refused("Ada", "override", who="Kira", what="nerve", value=3) == "no_change"


def test_only_the_game_master_overrides(seated: Seated) -> None:
    assert seated.refused("Bo", "override", who="Kira", what="nerve", value=6) == "not_allowed"


def test_an_override_is_rewound_like_the_story(seated: Seated) -> None:
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.act("Ada", "override", who="Kira", what="nerve", value=6)
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert nerve(seated) == 2
