"""What holds for every chapter that all games share."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from astragal.storage import open_store
from astragal.table.chapters import SHARED
from astragal.table.chapters.cast import overriding
from astragal.table.contract.manifest import faults_in_sight
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.json_schema import schema_of
from tests.table.dare import DARE
from tests.table.seated import ScriptedDice, Seated, new_host

CHAPTERS = (*SHARED, overriding(DARE.overrides))
COMMANDS = [action.command for chapter in CHAPTERS for action in chapter.actions]
EVENTS = [happening.event for chapter in CHAPTERS for happening in chapter.event_specs]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda kind: kind.__name__)
def test_a_command_and_each_of_its_fields_is_documented(command: type) -> None:
    assert (command.__doc__ or "").strip().endswith(".")
    assert not [field.name for field in fields_of(command) if not field.doc]
    assert msgspec.json.encode(schema_of(command))


@pytest.mark.parametrize("event", EVENTS, ids=lambda kind: kind.__name__)
def test_an_event_is_documented_and_each_of_its_fields_says_who_may_see_it(event: type) -> None:
    assert (event.__doc__ or "").strip().endswith(".")
    assert not list(faults_in_sight(event))


def furnish(seated: Seated) -> None:
    """Lay one of everything on the table."""
    ways = [{"words": "on"}, {"words": "down", "way": "hidden"}]
    written = seated.act("Ada", "write_scene", title="The cliff", hook="Wind.", options=ways, save_node=True)
    seated.act("Ada", "begin_evening")
    seated.act("Ada", "begin_scene", scene=written.events[0].fields["scene"])
    seated.act("Ada", "begin_encounter", name="The bridge")
    seated.act("Ada", "begin_condition", name="fog", numbers={"nerve": -1}, hidden=True)
    for face in ("public", "known", "hidden"):
        seated.act("Ada", "start_clock", name=face, face=face)
    seated.act("Ada", "write_note", title="A secret", audience="game master")
    seated.act("Ada", "put_prompt", to=seated.seats["Bo"], words="Why?", secret=True)
    seated.act("Ada", "request_roll", who="Kira", command="dare", fields={"danger": 3}, difficulty=5, hidden=True)
    seated.act("Bo", "agree_boundary", words="spiders")
    seated.act("Bo", "stop_scene")
    seated.act("Bo", "go_on")


def test_all_that_lies_on_a_table_is_there_after_a_restart(seated: Seated, tmp_path: Path) -> None:
    furnish(seated)
    later = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice())
    for seat in seated.seats.values():
        assert later.look(seated.table, seat) == seated.host.look(seated.table, seat)
        assert later.follow(seated.table, seat) == seated.host.follow(seated.table, seat)


def test_every_seat_is_told_every_event_in_words(seated: Seated) -> None:
    furnish(seated)
    for seat in seated.seats:
        assert all(words and "hidden" not in words for words in seated.words(seat) if seat != "Ada")
