"""Dice that people write down: rolled by the table's fair dice like any other, and refused where they can't be read."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from astragal.chance import odds
from astragal.storage import open_store
from astragal.table.chapters.chat import free_roll
from astragal.table.declarations import Sight
from astragal.table.host import Host
from astragal.table.log.audit import audit
from astragal.table.refusals import Refusal
from tests.table.dare import DARE
from tests.table.seated import Seated


def test_the_rule_has_the_odds_of_its_notation() -> None:
    assert odds(free_roll("4d6dl1")).mean() == odds("4d6dl1").mean()


def test_what_falls_is_told_to_all_with_every_die(seated: Seated) -> None:
    seated.dice.faces = [4, 1]
    seated.act("Bo", "roll_dice", notation="2D6 + 3", label="a leap")
    assert seated.words("Di")[-1] == "Bo rolls 2d6 + 3 (a leap): 8"


def test_a_notation_that_can_not_be_read_is_refused_before_any_die(seated: Seated) -> None:
    with pytest.raises(Refusal, match="adv, the nearest to “advantage”") as refused:
        seated.act("Bo", "roll_dice", notation="d20advantage")
    assert (refused.value.code, refused.value.field) == ("notation", "notation")
    assert seated.refused("Di", "roll_dice", notation="d6") == "not_allowed"


def test_a_preview_says_nothing_where_there_is_too_much_to_count(seated: Seated) -> None:
    shown = seated.host.preview(seated.table, seated.seats["Bo"], ("roll_dice", {"notation": "999d1000"}))
    assert shown is not None
    assert shown.cases == ()


def test_a_free_roll_is_in_the_ledger_hidden_or_not_and_its_export_verifies(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/tables.db")
    host = Host(store, (DARE,), clock=lambda: 0, entropy=secrets.token_bytes)
    opened = host.open(DARE.id, name="The Gorge", game_master="Ada")
    before = len(list(host.ledger(opened.table, opened.seat)))
    host.act(opened.table, opened.seat, ("roll_dice", {"notation": "3d6!", "label": "a secret"}), sight=Sight.HIDDEN)
    host.act(opened.table, opened.seat, ("roll_dice", {"notation": "3d6!"}))
    assert len(list(host.ledger(opened.table, opened.seat))) > before
    file = list(host.archive.export(opened.table, opened.seat))
    assert not audit(file).edits
    other = Host(open_store(f"sqlite:///{tmp_path}/other.db"), (DARE,), clock=lambda: 0, entropy=secrets.token_bytes)
    assert other.archive.import_table(file) == opened.table
