"""What a model reads is short: nothing twice, nothing that it wrote itself, and no list where a word would do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp_types import TextContent

from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.six_pool import SIX_POOL
from astragal.storage import open_store
from astragal.surfaces.mcp.results import reply
from astragal.surfaces.mcp.server import bound_place, build_server
from astragal.surfaces.mcp.session import McpSession, SeatBinding
from astragal.surfaces.mcp.tools.read import commands
from astragal.surfaces.mcp.untrusted_text import MARK
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.registry import Book
from astragal.table.starter import start_table
from tests.surfaces.mcp.driving import Driver, driving, honest, play, scripted

GAMES = (NARRAJECT, NEW_SHOES, SINEW_STEEL, SIX_POOL)
LONG = "The door groans, and behind it somebody counts backwards from a hundred, slowly, in your own voice. " * 4


def test_a_deed_is_named_once_and_the_mark_stands_once(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 6))) as drive:
            await drive.open()
            told = await drive("act", command="dare", fields={"who": "Kira", "danger": 1})
            assert told.text.count(told.data["act"]) == 1
            assert len(told.data["events"]) > 1
            await drive.done("act", command="start_clock", fields={"name": "The tide", "size": 4})
            seen = (await drive("look")).text
            assert seen.count(MARK) == 1
            assert "Due now" in seen

    play(evening)


def test_news_names_each_deed_where_it_begins(tmp_path: Path) -> None:
    house = scripted(tmp_path, 6)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            table = await drive.open()
            ann = next(seat for seat in house.host.seats(table).values() if seat.name == "Ann")
            acted = house.host.act(table, ann.id, ("dare", {"who": "Kira", "danger": 1}))
            seen = (await drive("look", what="news")).text
            assert seen.count(acted.act) == 1
            assert "Kira dares" in seen

    play(evening)


def test_whoever_opens_a_table_is_not_told_that_it_was_opened(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open()
            reply = await drive("look", what="news")
            assert reply.data["news"] == []
            assert "Nothing waits, and nothing is new." in reply.text

    play(evening)


def test_a_model_is_given_back_the_beginning_of_its_own_words(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open()
            ways = [{"words": "Knock", "way": "risky"}, {"words": "Leave"}]
            scene = {"title": "The door", "hook": LONG, "action": LONG, "consequence": LONG, "options": ways}
            for reply in (await drive("narrate", words=LONG), await drive("scene", **scene)):
                assert not reply.refused, reply.text
                assert "groans" in reply.text
                assert "voice" not in reply.text

    play(evening)


def test_an_unknown_command_is_answered_with_the_nearest_one(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open()
            for tool, command in (("act", "daer"), ("odds", "dar"), ("actions", "Dare")):
                fields: dict[str, Any] = {} if tool == "actions" else {"fields": {}}
                assert "Did you mean dare?" in await drive.refused(tool, command=command, **fields)
            assert "Did you mean take_seat or " in await drive.refused("act", command="add_seat")
            assert "Did you" not in await drive.refused("act", command="xyz")

    play(evening)


def test_a_refusal_that_lists_what_there_is_says_no_more(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open()
            assert (await drive.refused("act", command="dare", fields={"who": "Bob"})).endswith("here: Kira.")
            assert (await drive.refused("answer")).endswith("Nothing waits for an answer now.")
            assert (await drive.refused("act", command="say")).endswith('"fields": {"words": "…"}}.')
            assert "table with do=list" in await drive.refused("table", do="sit", table="elsewhere")

    play(evening)


def test_a_game_is_found_by_a_part_of_its_name(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(honest(open_store(f"sqlite:///{tmp_path}/t.db"), [SINEW_STEEL]))) as drive:
            assert [one["id"] for one in (await drive.done("table", game="sinew"))["games"]] == ["sinew_steel"]
            assert "there are sinew_steel" in await drive.refused("table", game="chess")

    play(evening)


def test_a_seat_that_can_open_no_table_is_told_of_its_own_game_alone(tmp_path: Path) -> None:
    house = honest(open_store(f"sqlite:///{tmp_path}/t.db"), GAMES)
    opened = start_table(house.host, NEW_SHOES, name="T", game_master="Ada", players=["Bo"])
    place = bound_place(house, "T", "Bo", None, copilot=False)
    assert place.table == opened.table

    async def evening() -> None:
        async with driving(build_server(house, place=place)) as drive:
            found = await drive.done("table")
            assert [one["id"] for one in found["games"]] == ["new_shoes"]
            assert found["you"] == "Bo (player, whose person decides what is theirs)"

    play(evening)


async def at_the_gorge(drive: Driver) -> None:
    await drive.open("sinew_steel", heroes=["Mara Quill"])
    await drive.done("act", command="make_npc", fields={"name": "Guard", "tier": 10})


def test_fields_are_told_in_words_and_an_example_names_two_people(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(honest(open_store(f"sqlite:///{tmp_path}/t.db"), [SINEW_STEEL]))) as drive:
            await at_the_gorge(drive)
            told = (await drive("actions", command="attack")).text
            assert "  attacker (needed): who attacks; here: Mara Quill, Guard\n" in told
            assert '"heavy" | "fast" | "clever" | "presence" | "lucky"; default "heavy"' in told
            assert '"attacker": "Mara Quill", "defender": "Guard"' in told
            assert len(told) < 2000

    play(evening)


def test_odds_say_what_the_roll_is_made_with_where_nothing_is_hidden(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(honest(open_store(f"sqlite:///{tmp_path}/t.db"), [SINEW_STEEL]))) as drive:
            await at_the_gorge(drive)
            test = {"who": "Mara Quill", "attribute": "REF", "stakes": "the rope"}
            assert (await drive("odds", command="test", fields=test)).text.startswith("nudged test: Score 10, Luck 10")
            attack = {"attacker": "Mara Quill", "defender": "Guard"}
            assert (await drive("odds", command="attack", fields=attack)).text.startswith("attack\n")

    play(evening)


def test_a_question_for_the_person_is_not_told_twice(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 3))) as drive:
            await drive.open()
            told = await drive("act", command="dare", fields={"who": "Kira", "danger": 4})
            assert told.data["waits"]
            assert "Waiting" not in told.text
            assert "Ask the person" in told.text
            assert ".." not in told.text

    play(evening)


@pytest.mark.parametrize("game", GAMES, ids=lambda one: one.id)
def test_every_command_of_a_game_is_told_in_words_with_an_example(tmp_path: Path, game: Ruleset) -> None:
    house = honest(open_store(f"sqlite:///{tmp_path}/t.db"), [game])
    session = McpSession(house)
    opened = start_table(house.host, game, name="T", game_master="AI", ai=True)
    session.sit(SeatBinding(opened.table, opened.seat))
    for name in commands(session).commands:
        (shown,) = reply(commands(session, name)).content
        assert isinstance(shown, TextContent)
        assert shown.text.startswith(f"{name}: ")
        assert f'Example: act {{"command": "{name}"' in shown.text
        assert len(shown.text) < 6000


def test_what_can_be_chosen_from_is_told_of_one_sheet_alone(tmp_path: Path) -> None:
    """Else it reads as if everybody were flanking and blind."""

    async def evening() -> None:
        async with driving(build_server(honest(open_store(f"sqlite:///{tmp_path}/t.db"), [SINEW_STEEL]))) as drive:
            await at_the_gorge(drive)
            for reply in (await drive("look"), await drive("recap")):
                assert "flanking" not in reply.text
            assert (
                "to choose from: Advantage: flanking (helps)" in (await drive("look", what="people", who="mara")).text
            )
            assert await drive.refused("look", who="Bob") == (
                "Refused (no_such_thing): There is no character 'Bob' here: Mara Quill, Guard."
            )

    play(evening)


def test_a_roll_that_was_asked_for_is_among_what_waits(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open()
            asked = {"who": "Kira", "command": "dare", "what_for": "the gap"}
            await drive.done("act", command="request_roll", fields=asked)
            told = await drive("look", what="waiting")
            assert "> Kira is asked to dare: the gap [" in told.text
            assert "Nothing waits" not in told.text

    play(evening)


def test_ways_on_may_be_given_as_words_alone(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open()
            scene = {"title": "The door", "hook": LONG, "action": LONG, "consequence": LONG}
            told = await drive.done("scene", **scene, options=["Knock", {"words": "Break it", "way": "risky"}])
            assert [event["words"] for event in told["events"]][1:3] == ["1. Knock", "2. Break it (risky)"]

    play(evening)


def test_everyday_words_lead_to_the_command_that_is_meant() -> None:
    book = Book.of(SINEW_STEEL)
    assert book.meant("damage", book.commands) == " Did you mean harm?"
    assert book.meant("long rest", book.commands).startswith(" Did you mean rest")


def test_fields_beside_the_command_are_sent_where_they_belong(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open(heroes=["kir"])
            assert "A command's own fields go into fields." in await drive.refused("act", command="say", words="hi")
            assert "fields" not in await drive.refused("look", words="hi")

    play(evening)
