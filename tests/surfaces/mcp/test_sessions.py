"""Whole short sessions: every installed game with its sample heroes, in memory and over stdio, in both eras."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError, StdioServerParameters

from astragal.storage import open_store
from astragal.surfaces.mcp.server import build_server
from astragal.surfaces.shared import rulebook
from astragal.surfaces.shared.context import AppContext
from astragal.wiring import installed_rulesets
from tests.surfaces.mcp.driving import ERAS, Driver, Person, agreeable, driving, honest, play, unwilling

Command = tuple[str, dict[str, Any]]

EVENINGS: dict[str, list[Command]] = {
    "sinew_steel": [
        ("make_npc", {"name": "Guard", "score": 10}),
        ("test", {"who": "{hero}", "attribute": "REF", "stakes": "the rope"}),
        ("attack", {"attacker": "{hero}", "defender": "Guard"}),
    ],
    "narraject": [
        ("grant_aspect", {"name": "Fog"}),
        ("attempt", {"who": "{hero}", "stat": "agility", "goal": "across", "approach": "a leap", "difficulty": 2}),
    ],
    "new_shoes": [
        ("make_npc", {"name": "Wolf", "body": 4}),
        ("describe", {"who": "{hero}", "words": "a leap at its throat", "harmful": True}),
        ("call_approach", {"who": "{hero}", "attribute": "body", "target": 8, "against": "Wolf"}),
        ("roll_approach", {"who": "{hero}"}),
    ],
    "six_pool": [
        ("make_npc", {"name": "Guard", "pools": {"STR": 6, "DEX": 6}}),
        ("check", {"who": "{hero}", "pool": "DEX", "dc": 12}),
        ("check", {"who": "{hero}", "pool": "DEX", "dc": 12, "points": 1}),
        ("contest", {"who": "Guard", "against": "{hero}", "pool": "STR", "against_pool": "DEX"}),
    ],
}
"""What is done in each game; the hero is the first of its samples."""

GAMES = [load() for load in installed_rulesets().values()]
WORDS = "The rain has not stopped for nine days, and the bridge is gone. " * 7
PEOPLE: dict[str, Callable[[], Person | None]] = {
    "agreeable": agreeable,
    "unwilling": unwilling,
    "absent": lambda: None,
}


def with_hero(fields: dict[str, Any], hero: str) -> dict[str, Any]:
    return {name: hero if value == "{hero}" else value for name, value in fields.items()}


async def answer_all(drive: Driver, house: AppContext, table: str) -> None:
    """Decide what is open as a model does that asks its person; what it can't, the person does at the table."""
    ann = next(seat.id for seat in house.seats_at(house.find_table(table)).values() if not seat.ai)
    for consent in house.host.look(table, ann).consents:
        house.host.act(table, ann, ("agree", {"consent": consent}))
    for _ in range(12):
        waits = (await drive.done("look", what="waiting"))["waits"]
        if not waits:
            return
        wait, options = waits[0]["id"], waits[0]["options"]
        reply = await drive("answer", id=wait, answer=options[0]["answer"] if options else "So be it.")
        if (reply.refused or reply.data["warnings"]) and options:
            house.host.act(table, ann, ("answer", {"act": wait, "answer": options[0]["answer"]}))
        elif reply.refused or reply.data["warnings"]:
            await drive.done("act", command="withdraw_prompt", fields={"prompt": wait})


async def evening_of(drive: Driver, house: AppContext, game: str) -> str:
    """Open, begin, set a scene, roll, decide, narrate, save, recap, verify."""
    games = {one["id"]: one for one in (await drive.done("table"))["games"]}
    hero = games[game]["samples"][0]
    opening = {"do": "open", "game": game, "name": f"A night of {game}", "player": "Ann", "heroes": [hero]}
    table = str((await drive.done("table", **opening))["table"])
    await drive.done("act", command="begin_evening")
    ways = [{"words": "Swim", "way": "risky"}, {"words": "Wait"}, {"words": "The ferryman", "way": "hidden"}]
    scene = {"title": "The ford", "hook": WORDS, "action": WORDS, "consequence": WORDS, "options": ways}
    assert (await drive.done("scene", **scene, save_node=True))["warnings"] == []
    rolled = ""
    for command, fields in EVENINGS[game]:
        if rolled or "who" in fields:
            await drive("odds", command=command, fields=with_hero(fields, hero))
        made = await drive("act", command=command, fields=with_hero(fields, hero))
        assert not made.refused or "declined" in made.text, made.text
        rolled = made.data["act"] if "rolled" in [one["kind"] for one in made.data.get("events", ())] else rolled
        await answer_all(drive, house, table)
    assert rolled
    await drive.done("narrate", words="And so it goes.", cites=[rolled])
    await drive.done("act", command="take_option", fields={"number": 2})
    await drive.done("act", command="end_evening")
    recap = await drive.done("recap")
    assert hero in recap["words"]
    assert recap["tokens"] <= 1500
    assert (await drive.done("verify"))["sound"]
    return table


def test_every_installed_game_has_an_evening_here() -> None:
    assert set(EVENINGS) == set(installed_rulesets())


@pytest.mark.slow
@pytest.mark.parametrize("who", sorted(PEOPLE))
@pytest.mark.parametrize("game", sorted(EVENINGS))
def test_an_evening_of_each_game(tmp_path: Path, game: str, who: str) -> None:
    house = honest(open_store(f"{tmp_path}/tables.db"), GAMES)

    async def evening() -> None:
        era = ERAS[len(game + who) % 2]
        async with driving(build_server(house), era, PEOPLE[who]()) as drive:
            await evening_of(drive, house, game)

    play(evening)


def stdio(path: Path, *more: str) -> StdioServerParameters:
    words = ["-m", "astragal", "mcp", "--db", f"sqlite:///{path}/tables.db", *more]
    return StdioServerParameters(command=sys.executable, args=words)


@pytest.mark.slow
def test_an_evening_over_stdio_with_a_restart_another_process_and_a_form_in_the_older_era(tmp_path: Path) -> None:
    house = honest(open_store(f"{tmp_path}/tables.db"), GAMES)

    async def evening() -> None:
        ann = agreeable()
        async with driving(stdio(tmp_path), "auto", ann) as drive:
            table = await evening_of(drive, house, "new_shoes")
        person = next(seat.id for seat in house.seats_at(house.find_table(table)).values() if not seat.ai)
        ann.asked.clear()
        async with driving(stdio(tmp_path, "--table", table, "--seat", "AI"), "legacy", ann) as drive:
            assert "Ottilie" in (await drive.done("recap"))["words"]
            house.host.act(table, person, ("say", {"words": "I am in the browser."}))
            assert "I am in the browser." in (await drive("look", what="news")).text
            asked = {"to": "Ann", "words": "What do you hear?"}
            made = await drive.done("act", command="put_prompt", fields=asked)
            assert made["events"][-1]["words"] == "Ann: deep water"
            assert len(ann.asked) == 1
            await drive.done("narrate", words="A voice from elsewhere.")
            heard = [event.words for event in house.host.follow(table, person).events]
            assert heard[-1] == "A voice from elsewhere."

    play(evening)


@pytest.mark.slow
def test_every_skin_has_heroes_that_can_be_played(tmp_path: Path) -> None:
    house = honest(open_store(f"{tmp_path}/tables.db"), GAMES)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            for game in (await drive.done("table"))["games"]:
                for skin in game["skins"]:
                    heroes = (await drive.done("table", game=game["id"], skin=skin))["games"][0]["samples"]
                    opening = {"do": "open", "game": game["id"], "skin": skin, "heroes": heroes[:1], "player": "Ann"}
                    assert heroes[0] in str(await drive.done("table", **opening))
                    assert (await drive.client.read_resource(f"astragal://skins/{game['id']}/{skin}")).contents

    play(evening)


@pytest.mark.parametrize(
    ("game", "fewest"), [("sinew_steel", 50), ("narraject", 20), ("new_shoes", 15), ("six_pool", 20)]
)
def test_the_rules_can_be_read_by_clause(tmp_path: Path, game: str, fewest: int) -> None:
    house = honest(open_store(f"{tmp_path}/tables.db"), GAMES)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            book = house.book(game)
            known = [one.clause for one in rulebook.entries(book)]
            assert len(known) >= fewest
            read = await drive.client.read_resource(f"astragal://rules/{game}/{known[0]}")
            assert known[0] in read.contents[0].text  # type: ignore[union-attr]
            with pytest.raises(MCPError, match=known[0]):
                await drive.client.read_resource(f"astragal://rules/{game}/ZZ-99")

    play(evening)


@pytest.mark.slow
def test_a_persons_answer_is_asked_in_words_they_can_read(tmp_path: Path) -> None:
    house = honest(open_store(f"{tmp_path}/tables.db"), GAMES)
    asked: list[dict[str, Any]] = []

    def says(_: str, form: dict[str, Any]) -> dict[str, Any]:
        asked.append(form)
        return {name: part["enum"][0] if "enum" in part else "yes" for name, part in form.items()}

    async def evening() -> None:
        async with driving(build_server(house), "auto", Person(says)) as drive:
            opening = {"do": "open", "game": "sinew_steel", "heroes": ["Mara Quill"], "player": "Ann"}
            await drive.done("table", **opening)
            await drive.done("act", command="begin_evening")
            for number in range(20):
                fields = {"who": "Mara Quill", "attribute": "MGT", "stakes": f"door {number}"}
                await drive.done("act", command="test", fields=fields)
                if asked:
                    break
        assert all(len(option) < 200 for form in asked for option in form["answer"]["enum"])

    play(evening)
