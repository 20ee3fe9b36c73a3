"""The story's form: what is due is surfaced, a table that stalls is dealt a move, and every clause can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astragal.storage import open_store
from astragal.surfaces.mcp.server import build_server
from astragal.surfaces.shared import rulebook
from astragal.table import reminders
from tests.rulesets import test_clauses
from tests.surfaces.mcp.driving import Driver, agreeable, both_eras, driving, honest, play, scripted
from tests.surfaces.mcp.test_sessions import GAMES

WAYS = [{"words": "jump", "way": "risky"}, {"words": "walk"}]
SCENE: dict[str, Any] = {"title": "Cliff", "hook": "a", "action": "b", "consequence": "c", "options": WAYS}


async def talk(drive: Driver, times: int = reminders.STALLED_AFTER) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for number in range(times):
        told = await drive.done("narrate", words=f"It rains, and rains {number}.")
    return told


@both_eras
def test_a_clock_is_surfaced_before_and_when_it_is_full(tmp_path: Path, era: str) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path)), era, agreeable()) as drive:
            await drive.open()
            await drive.done("act", command="start_clock", fields={"name": "The flood", "size": 4})
            found = await drive.done("look")
            assert not any("The flood" in line for line in found["due"])
            tick = {"command": "tick_clock", "fields": {"clock": "The flood", "ticks": 3}}
            await drive.done("act", **tick)
            assert "full with its next tick" in str((await drive.done("look"))["due"])
            await drive.done("act", command="tick_clock", fields={"clock": "The flood"})
            assert "The clock The flood is full" in (await drive("look")).text
            assert "> due: The clock The flood is full" in (await drive("recap")).text
            assert "The flood is full" in str((await drive.done("narrate", words="It comes."))["due"])

    play(evening)


def test_a_clock_that_the_person_must_not_know_of_is_a_handle(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path)), "auto", agreeable()) as drive:
            await drive.open()
            hidden = {"name": "The traitor strikes", "size": 2, "face": "hidden"}
            await drive.done("act", command="start_clock", fields=hidden)
            handle = next(one for one in (await drive.done("look"))["handles"] if one.startswith("clock:"))
            tick = {"clock": handle.partition(":")[2], "ticks": 2}
            await drive.done("act", command="tick_clock", fields=tick)
            for tool in ("look", "recap"):
                reply = await drive(tool)
                assert f"{handle} is full" in reply.text
                assert "traitor" not in reply.text + str(reply.data)

    play(evening)


def test_an_evening_a_scene_and_a_save_node_are_asked_for_in_turn(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open()
            assert "begin_evening" in str((await drive.done("look"))["due"])
            await drive.done("act", command="begin_evening")
            assert "There is no scene" in str((await drive.done("look"))["due"])
            await drive.done("scene", **SCENE)
            assert "mark_save_node" in str((await drive.done("look"))["due"])
            await drive.done("act", command="mark_save_node", fields={"label": "Before the cliff"})
            assert (await drive.done("look"))["due"] == []

    play(evening)


def test_a_table_that_stalls_is_dealt_a_move_until_something_happens(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 5))) as drive:
            await drive.open()
            await drive.done("act", command="begin_evening")
            await drive.done("scene", **SCENE, save_node=True)
            assert "stalls" not in str(await talk(drive, reminders.STALLED_AFTER - 1))
            dealt = (await talk(drive, 1))["due"]
            assert len(dealt) == 1
            assert "Have a move dealt (deal_move)" in dealt[0]
            assert (await talk(drive, 1))["due"] == dealt
            await drive.done("act", command="dare", fields={"who": "Kira"})
            assert "stalls" not in str(await drive.done("look"))

    play(evening)


def test_nobody_stalls_who_waits_for_somebody(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open()
            await drive.done("act", command="begin_evening")
            await drive.done("act", command="put_prompt", fields={"to": "Kira", "words": "What do you fear?"})
            assert "stalls" not in str(await talk(drive))

    play(evening)


def test_a_move_is_dealt_to_the_game_master_alone(tmp_path: Path) -> None:
    """SS-66"""
    house = honest(open_store(f"{tmp_path}/tables.db"), GAMES)

    async def evening() -> None:
        async with driving(build_server(house), "auto", agreeable()) as drive:
            await drive.open("sinew_steel", heroes=["Mara Quill"])
            await drive.done("act", command="begin_evening")
            assert "(deal_move)" in str((await talk(drive))["due"])
            dealt = await drive.done("act", command="deal_move")
            assert "your move" not in str(dealt)
            assert "your move" in str(await drive.done("secret", do="read", handle=dealt["handle"]))
            assert "stalls" not in str(await drive.done("look"))

    play(evening)


def test_milestones_and_pressure_are_surfaced_when_they_are_due(tmp_path: Path) -> None:
    """SS-53, SS-60, SS-61."""
    house = honest(open_store(f"{tmp_path}/tables.db"), GAMES)

    async def evening() -> None:
        async with driving(build_server(house), "auto", agreeable()) as drive:
            await drive.open("sinew_steel", heroes=["Mara Quill"])
            await drive.done("act", command="begin_evening")
            for number in range(3):
                await drive.done("act", command="mark_beat", fields={"what": f"beat {number}"})
            assert "a milestone is due (milestone)" in str((await drive.done("look"))["due"])
            await drive.done("act", command="milestone", fields={"boon": "a favour"})
            assert "Mara Quill: A milestone to use: 2 to spend" in str((await drive.done("look"))["due"])
            for number in range(2):
                await drive.done("act", command="raise_pressure", fields={"why": f"a bargain {number}"})
            assert "stands at 2" in str((await drive.done("narrate", words="The air thickens."))["due"])

    play(evening)


def test_a_player_is_not_reminded_of_what_is_the_game_masters(tmp_path: Path) -> None:
    house = scripted(tmp_path)
    opened = house.host.open("dare", name="The Cliff", game_master="Ada")
    house.host.act(opened.table, opened.seat, ("take_seat", {"name": "Echo", "ai": True}))

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            await drive.done("table", do="sit", table=opened.table, seat="Echo")
            assert (await drive.done("look"))["due"] == []

    play(evening)


@pytest.mark.parametrize("ledger", test_clauses.GAMES, ids=str)
def test_every_clause_can_be_read_by_its_id(tmp_path: Path, ledger: test_clauses.Game) -> None:
    house = honest(open_store(f"{tmp_path}/tables.db"), GAMES)
    book = house.book(ledger.tests)
    clauses = [one.clause for one in rulebook.entries(book)]
    assert set(clauses) == ledger.clauses
    assert all(found in rulebook.whole(book) for found in clauses)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            for clause in sorted(ledger.clauses)[:3]:
                read = await drive.client.read_resource(f"astragal://rules/{ledger.tests}/{clause.replace('+', '%2B')}")
                assert clause in read.contents[0].text  # type: ignore[union-attr]

    play(evening)


# ---------------------------------------------------------------- by name


def test_whatever_is_shown_is_named_as_it_is_shown(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path)), "auto", agreeable()) as drive:
            await drive.open()
            for name in ("The flood", "The fire"):
                await drive.done("act", command="start_clock", fields={"name": name})
            told = await drive.done("act", command="tick_clock", fields={"clock": "flood"})
            assert told["events"][-1]["words"] == "The flood: 0 → 1 of 6"
            assert (await drive.done("actions", command="tick_clock"))["fields"]["clock"]["here"] == [
                "The flood",
                "The fire",
            ]
            await drive.done("act", command="put_prompt", fields={"to": "AI", "words": "Who are you?"})
            assert (await drive.done("answer", answer="Nobody"))["events"][-1]["words"].endswith("Nobody")

    play(evening)


def test_a_name_that_fits_nothing_is_refused_without_what_the_person_must_not_know(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path)), "auto", agreeable()) as drive:
            await drive.open()
            hidden = {"name": "The traitor strikes", "size": 2, "face": "hidden"}
            await drive.done("act", command="start_clock", fields=hidden)
            await drive.done("act", command="start_clock", fields={"name": "The flood"})
            wrong = {"command": "tick_clock", "fields": {"clock": "the trator"}}
            for tool in ("act", "odds"):
                refused = await drive.refused(tool, **wrong)
                assert "here: The flood" in refused
                assert "traitor" not in refused

    play(evening)
