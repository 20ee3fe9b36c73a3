"""Over HTTP: a pass opens one seat, sessions of both eras decide with people, and what was taken back is over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import MCPError

from astragal.storage import open_store
from astragal.surfaces.mcp.http import Admission, place_of
from astragal.surfaces.shared.context import AppContext
from tests.surfaces.mcp.driving import (
    EVERY_TOOL,
    Person,
    agreeable,
    both_eras,
    honest,
    play,
    refusal_of,
    scripted,
    unwilling,
)
from tests.surfaces.mcp.over_http import Lodge, asked, bearing, driving_over_http, listening, serving, session_of
from tests.surfaces.mcp.test_sessions import EVENINGS, GAMES, answer_all, with_hero

DARE: dict[str, Any] = {"command": "dare", "fields": {"who": "Kira", "danger": 4}}


def a_table(house: AppContext, name: str = "The Cliff") -> str:
    """Run by an AI, with Ann, who plays Kira, and Echo, a program that plays along."""
    opened = house.host.open("dare", name=name, game_master="AI", ai=True)
    host, table, ai = house.host, opened.table, opened.seat
    host.act(table, ai, ("take_seat", {"name": "Ann"}))
    host.act(table, ai, ("take_seat", {"name": "Echo", "ai": True}))
    ann = next(seat.id for seat in host.look(table, ai).seats.values() if seat.name == "Ann")
    host.act(table, ann, ("join", {"name": "Kira"}))
    return table


@both_eras
def test_a_spend_is_put_to_the_person_whom_the_pass_names(tmp_path: Path, era: str) -> None:
    house, ann = scripted(tmp_path, 2), agreeable()
    table = a_table(house)

    async def evening(lodge: Lodge) -> None:
        token = lodge.admit("t0ken", table, "AI", player="Ann")
        async with driving_over_http(lodge, token, era, ann) as drive:
            assert {tool.name for tool in (await drive.client.list_tools()).tools} == EVERY_TOOL
            made = await drive.done("act", **DARE)
            assert len(ann.asked) == 1
            assert made["waits"] == []
            assert next(event for event in made["events"] if event["kind"] == "decided")["by"] == "Ann"

    with serving(house) as lodge:
        play(lambda: evening(lodge))


@both_eras
@pytest.mark.parametrize("person", [unwilling("cancel"), None], ids=["declined", "absent"])
def test_what_is_not_decided_waits(tmp_path: Path, era: str, person: Person | None) -> None:
    house = scripted(tmp_path, 2)
    table = a_table(house)

    async def evening(lodge: Lodge) -> None:
        token = lodge.admit("t0ken", table, "AI", player="Ann")
        async with driving_over_http(lodge, token, era, person) as drive:
            made = await drive.done("act", **DARE)
            assert made["waits"][0]["whose"] == "the person's"
            assert ("Kira decides" in made["ask"]) == (person is None)
            again = await drive.done("act", **DARE)
            assert again["act"] == made["act"]

    with serving(house) as lodge:
        play(lambda: evening(lodge))


@both_eras
def test_a_game_masters_pass_decides_for_no_player(tmp_path: Path, era: str) -> None:
    house, holder = scripted(tmp_path, 2), agreeable()
    table = a_table(house)

    async def evening(lodge: Lodge) -> None:
        async with driving_over_http(lodge, lodge.admit("t0ken", table, "AI"), era, holder) as drive:
            made = await drive.done("act", **DARE)
            assert made["waits"][0]["whose"] == "somebody else's"
            assert holder.asked == []
            assert "own window" in await drive.refused("answer", id=made["act"], answer=2)

    with serving(house) as lodge:
        play(lambda: evening(lodge))


@both_eras
def test_a_pass_is_bound_to_one_seat_at_one_table(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path)
    table, other = a_table(house), a_table(house, "The Cave")

    async def evening(lodge: Lodge) -> None:
        async with driving_over_http(lodge, lodge.admit("echo", table, "Echo"), era) as drive:
            assert "player" in (await drive.done("table"))["you"]
            assert [one["id"] for one in (await drive.done("table"))["tables"]] == [table]
            assert "can't be changed" in await drive.refused("table", do="sit", table=other, seat="AI")
            assert "one table" in await drive.refused("table", do="open", game="dare")
            assert "not_yours" in await drive.refused("act", **DARE)

    with serving(house) as lodge:
        play(lambda: evening(lodge))


@both_eras
def test_a_co_pilot_proposes_and_the_person_confirms(tmp_path: Path, era: str) -> None:
    house, ann = scripted(tmp_path), agreeable()
    table = a_table(house)

    async def evening(lodge: Lodge) -> None:
        token = lodge.admit("ann", table, "Ann", copilot=True)
        async with driving_over_http(lodge, token, era, ann) as drive:
            assert "co-pilot" in (await drive.done("look"))["you"]
            await drive.done("act", command="say", fields={"words": "I go first."})
            assert ["say" in question for question in ann.asked] == [True]

    with serving(house) as lodge:
        play(lambda: evening(lodge))


# ---------------------------------------------------------------- the door


def test_nobody_comes_in_without_a_pass(tmp_path: Path) -> None:
    house = scripted(tmp_path)

    async def knocks(lodge: Lodge) -> None:
        for headers in ({}, {"Authorization": "Basic YTpi"}, {"Authorization": "Bearer"}):
            turned_away = await asked(lodge, headers)
            assert turned_away.status_code == 401
            assert turned_away.headers["www-authenticate"] == 'Bearer realm="astragal"'
        guessed = await asked(lodge, bearing("guessed"))
        assert guessed.status_code == 401
        assert 'error="invalid_token"' in guessed.headers["www-authenticate"]

    with serving(house) as lodge:
        play(lambda: knocks(lodge))


def test_a_page_of_another_name_is_turned_away(tmp_path: Path) -> None:
    house = scripted(tmp_path)

    async def knocks(lodge: Lodge) -> None:
        mine = bearing(lodge.admit("t0ken", a_table(house), "AI"))
        assert (await asked(lodge, {**mine, "Host": "rebound.example"})).status_code == 421
        assert (await asked(lodge, {**mine, "Origin": "http://rebound.example"})).status_code == 403

    with serving(house) as lodge:
        play(lambda: knocks(lodge))


def test_a_pass_to_a_seat_that_is_not_there_says_so(tmp_path: Path) -> None:
    house = scripted(tmp_path)
    table = a_table(house)

    async def knocks(lodge: Lodge) -> None:
        found = await asked(lodge, bearing(lodge.admit("t0ken", table, "Nobody")))
        assert found.status_code == 403
        assert "Nobody" in found.json()["error"]

    with serving(house) as lodge:
        play(lambda: knocks(lodge))
    assert refusal_of(lambda: place_of(house, Admission("no table", "AI"))) == "no_such_thing"


def test_a_pass_to_a_table_that_is_gone_learns_of_no_other(tmp_path: Path) -> None:
    house = scripted(tmp_path)
    a_table(house)

    async def knocks(lodge: Lodge) -> None:
        found = await asked(lodge, bearing(lodge.admit("t0ken", "gone", "AI")))
        assert found.status_code == 403
        assert "Cliff" not in found.text

    with serving(house) as lodge:
        play(lambda: knocks(lodge))


def test_what_is_kept_with_a_token_is_read_with_care() -> None:
    assert Admission.of("t", "s", {}) == Admission("t", "s")
    assert Admission.of("t", "s", {"player": "Ann", "copilot": True}) == Admission("t", "s", player="Ann", copilot=True)
    assert Admission.of("t", "s", {"copilot": "yes", "open_secrets": 1}) == Admission("t", "s")


@pytest.mark.slow
@both_eras
def test_a_pass_that_is_taken_back_ends(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path, 5)
    table = a_table(house)

    async def evening(lodge: Lodge) -> None:
        async with driving_over_http(lodge, lodge.admit("t0ken", table, "AI"), era) as drive:
            await drive.done("act", **DARE)
            del lodge.passes["t0ken"]
            before = house.store.last(table)
            with pytest.raises(MCPError, match="error response"):
                await drive.done("narrate", words="And on she goes.")
            assert house.store.last(table) == before
            lodge.admit("t0ken", table, "Echo")
        async with driving_over_http(lodge, "t0ken", era) as drive:
            assert "player" in (await drive.done("table"))["you"]

    with serving(house) as lodge:
        play(lambda: evening(lodge))


def test_an_open_stream_ends_with_its_pass(tmp_path: Path) -> None:
    house = scripted(tmp_path)
    table = a_table(house)

    async def evening(lodge: Lodge) -> None:
        async with listening(lodge, lodge.admit("t0ken", table, "AI")) as stream:
            lodge.review()
            del lodge.passes["t0ken"]
            lodge.review()
            assert await stream.aread() == b""

    with serving(house) as lodge:
        play(lambda: evening(lodge))


@pytest.mark.slow
def test_a_session_belongs_to_the_pass_that_opened_it(tmp_path: Path) -> None:
    house = scripted(tmp_path)
    table = a_table(house)

    async def evening(lodge: Lodge) -> None:
        mine, theirs = lodge.admit("mine", table, "AI"), lodge.admit("theirs", table, "Echo")
        session = await session_of(lodge, mine)
        listing = {"method": "tools/list", "params": {}}
        assert (await asked(lodge, {**bearing(theirs), **session}, listing)).status_code == 404
        assert (await asked(lodge, {**bearing(mine), **session}, listing)).status_code == 200

    with serving(house) as lodge:
        play(lambda: evening(lodge))


@pytest.mark.slow
def test_the_desk_that_was_used_longest_ago_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = scripted(tmp_path)
    table = a_table(house)
    monkeypatch.setattr("astragal.surfaces.mcp.http.MOST_PASSES_IN_USE", 1)

    async def evening(lodge: Lodge) -> None:
        first, second = lodge.admit("first", table, "AI"), lodge.admit("second", table, "Echo")
        session = await session_of(lodge, first)
        await session_of(lodge, second)
        gone = await asked(lodge, {**bearing(first), **session}, {"method": "tools/list"})
        assert gone.status_code == 404
        async with listening(lodge, first):
            full = await asked(lodge, bearing(second))
            assert full.status_code == 503
            assert full.headers["retry-after"] == "60"

    with serving(house) as lodge:
        play(lambda: evening(lodge))


# ---------------------------------------------------------------- side by side


@pytest.mark.slow
@both_eras
def test_two_seats_play_at_once(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path)
    table = a_table(house)

    async def evening(lodge: Lodge) -> None:
        ai, echo = lodge.admit("ai", table, "AI"), lodge.admit("echo", table, "Echo")
        async with driving_over_http(lodge, ai, era) as master, driving_over_http(lodge, echo, era) as player:
            await master.done("narrate", words="It is dark.")

            async def speak() -> None:
                for number in range(5):
                    await player.done("act", command="say", fields={"words": f"Hello {number}!"})

            async def tell() -> None:
                for number in range(5):
                    await master.done("narrate", words=f"Nobody answers {number}.")

            async with anyio.create_task_group() as group:
                group.start_soon(speak)
                group.start_soon(tell)
            heard = (await player("look", what="news")).text
            assert all(f"Nobody answers {number}." in heard for number in range(5))
            assert "Hello 4!" in (await master("look", what="news")).text

    with serving(house) as lodge:
        play(lambda: evening(lodge))


@pytest.mark.slow
@both_eras
@pytest.mark.parametrize("game", sorted(EVENINGS))
def test_an_evening_of_each_game(tmp_path: Path, game: str, era: str) -> None:
    """Opened beforehand, as passes are for tables that there are."""
    house = honest(open_store(f"{tmp_path}/tables.db"), GAMES)
    book = house.book(game)
    assert book.ruleset.heroes is not None
    hero, fields = next(iter(book.ruleset.heroes.samples(book.ruleset.options()).items()))
    opened = house.host.open(game, name="A night", game_master="AI", ai=True)
    ann = house.host.act(opened.table, opened.seat, ("take_seat", {"name": "Ann"})).events[0].fields["seat"]["id"]
    made = house.host.act(opened.table, opened.seat, (book.ruleset.heroes.make, fields))
    who = next(one.id for one in house.host.look(opened.table, opened.seat).characters.values() if one.name == hero)
    house.host.act(opened.table, opened.seat, ("give_character", {"character": who, "seat": ann}))
    assert made.act

    async def evening(lodge: Lodge) -> None:
        token = lodge.admit("t0ken", opened.table, "AI", player="Ann")
        async with driving_over_http(lodge, token, era, agreeable()) as drive:
            await drive.done("act", command="begin_evening")
            for command, given in EVENINGS[game]:
                await drive.done("act", command=command, fields=with_hero(given, hero))
                await answer_all(drive, house, opened.table)
            assert hero in (await drive.done("recap"))["words"]
            assert (await drive.done("verify"))["sound"]

    with serving(house) as lodge:
        play(lambda: evening(lodge))
