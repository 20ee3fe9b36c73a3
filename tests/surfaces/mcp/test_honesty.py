"""A model can't cheat: repeated intents, wrong citations, secrets told, hidden rolls, the form of scenes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio

from astragal.surfaces.mcp.server import build_server
from tests.surfaces.mcp.driving import Driver, Person, agreeable, both_eras, driving, play, scripted

DARE: dict[str, Any] = {"command": "dare", "fields": {"who": "Kira", "danger": 4}}


@both_eras
def test_the_same_intent_three_times_is_one_roll(tmp_path: Path, era: str) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 5, 1)), era) as drive:
            await drive.open()
            acts = [(await drive.done("act", **DARE))["act"] for _ in range(3)]
            assert len(set(acts)) == 1
            await drive.done("narrate", words="She breathes out.")
            assert (await drive.done("act", **DARE))["act"] not in acts

    play(evening)


def test_the_same_intent_side_by_side_is_one_roll(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 5))) as drive:
            await drive.open()
            acts: set[str] = set()

            async def dare() -> None:
                acts.add((await drive.done("act", **DARE))["act"])

            async with anyio.create_task_group() as group:
                for _ in range(5):
                    group.start_soon(dare)
            assert len(acts) == 1

    play(evening)


@both_eras
def test_the_same_intent_with_a_form_in_between_is_one_roll(tmp_path: Path, era: str) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 2)), era, agreeable()) as drive:
            await drive.open()
            first = await drive.done("act", **DARE)
            again = await drive.done("act", **DARE)
            assert again["act"] == first["act"]
            assert again["events"] == first["events"]

    play(evening)


def test_a_restart_does_not_make_it_another_intent(tmp_path: Path) -> None:
    house = scripted(tmp_path, 5)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            table = await drive.open()
            first = await drive.done("act", **DARE)
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.done("table", do="sit", table=table)
            assert (await drive.done("act", **DARE))["act"] == first["act"]
            assert "Kira" in (await drive.done("recap"))["words"]

    play(evening)


def test_a_named_intent_is_kept_to(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 5, 6))) as drive:
            await drive.open()
            first = await drive.done("act", **DARE, intent="first leap")
            second = await drive.done("act", **DARE, intent="second leap")
            assert first["act"] != second["act"]
            other = {"command": "dare", "fields": {"who": "Kira", "danger": 9}, "intent": "first leap"}
            assert "id_reused" in await drive.refused("act", **other)

    play(evening)


def test_narration_cites_what_it_tells(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 5))) as drive:
            await drive.open()
            nothing = await drive.refused("narrate", words="She rolls a 19!", cites=["made up"])
            assert "Nothing has been rolled yet" in nothing
            act = (await drive.done("act", **DARE))["act"]
            wrong = await drive.refused("narrate", words="She rolls a 5.", cites=["made up"])
            assert act in wrong
            uncited = await drive.done("narrate", words="She rolls a 5 and lands.")
            assert act in uncited["warnings"][0]
            lied = await drive.done("narrate", words="She rolls a 19 and lands.", cites=[act])
            assert "19 is not among the numbers" in lied["warnings"][0]
            told = await drive.done("narrate", words="She rolls a 5, and lands at 7 in the evening.", cites=[act])
            assert told["warnings"] == []
            assert "told of: dare: 5" in told["events"][0]["words"]

    play(evening)


def test_narration_has_one_door(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path))) as drive:
            await drive.open()
            assert "Use the tool narrate" in await drive.refused("act", command="narrate", fields={"words": "…"})
            assert "Use the tool answer" in await drive.refused("act", command="answer", fields={"act": "x"})

    play(evening)


HELD_BACK = "The mayor paid the thieves with the temple's own silver."


async def keep(drive: Driver) -> str:
    kept = await drive.done("secret", do="keep", title="About somebody", words=HELD_BACK)
    assert "mayor" not in str(kept)
    return str(kept["handle"])


@both_eras
def test_a_secret_is_a_handle_until_it_is_read_or_revealed(tmp_path: Path, era: str) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path)), era, agreeable()) as drive:
            await drive.open()
            handle = await keep(drive)
            for tool in ("look", "recap", "secret", "table"):
                reply = await drive(tool)
                assert "thieves" not in reply.text + str(reply.data), tool
            for words in (
                HELD_BACK,
                HELD_BACK.upper(),
                "So: the mayor paid the thieves, with the\u200b temple's own silver!",
            ):
                refused = await drive.refused("narrate", words=words)
                assert handle in refused
                assert "thieves" not in refused
            assert handle in await drive.refused("act", command="say", fields={"words": HELD_BACK})
            note = {"title": "For all", "words": HELD_BACK}
            assert handle in await drive.refused("act", command="write_note", fields=note)
            asked = {"to": "Kira", "words": HELD_BACK}
            assert handle in await drive.refused("act", command="put_prompt", fields=asked)
            parts = {"hook": HELD_BACK, "action": "b", "consequence": "c"}
            assert handle in await drive.refused("scene", title="Night", **parts)
            draft = await drive.done("scene", title="Night", **parts, begin=False)
            begin = {"command": "begin_scene", "fields": {"scene": draft["handle"].removeprefix("scene:")}}
            assert handle in await drive.refused("act", **begin)
            assert "thieves" in str(await drive.done("secret", do="read", handle=handle))
            await drive.done("secret", do="reveal", handle=handle)
            await drive.done("narrate", words=HELD_BACK)

    play(evening)


def test_a_scene_ends_when_it_is_said_which_closed_rolls_stay_sealed(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 5, 6)), "auto", agreeable()) as drive:
            await drive.open()
            await drive.done("act", command="join", fields={"name": "Wolf"})
            await drive.done("act", command="improvise_scene", fields={"title": "The den"})
            acts = [
                (await drive("act", command="dare", fields={"who": "Wolf", "danger": danger}, sight="hidden")).data[
                    "act"
                ]
                for danger in (1, 2)
            ]
            parts = {"title": "Night", "hook": "a", "action": "b", "consequence": "c"}
            for refused in (await drive.refused("act", command="end_scene"), await drive.refused("scene", **parts)):
                assert all(f"act:{act}" in refused for act in acts)
                assert "Wolf" not in refused, "the person reads along"
            begun = await drive.done("scene", **parts, keep=[f"act:{acts[0]}"])
            assert [one["kind"] for one in begun["events"]].count("revealed") == 1
            assert "dare: 5" in str(await drive.done("secret", do="read", handle=f"act:{acts[0]}"))
            assert acts[0] in str(await drive.done("secret"))
            assert acts[1] not in str(await drive.done("secret"))

    play(evening)


def test_a_hidden_roll_is_a_closed_card_where_the_person_reads_along(tmp_path: Path) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 5)), "auto", agreeable()) as drive:
            await drive.open()
            await drive.done("act", command="join", fields={"name": "Wolf"})
            hidden = await drive("act", command="dare", fields={"who": "Wolf", "danger": 4}, sight="hidden")
            assert "dare: 5" not in hidden.text + str(hidden.data)
            handle = hidden.data["handle"]
            assert "dare: 5" in str(await drive.done("secret", do="read", handle=handle))
            assert "is hidden" in await drive.refused("narrate", words="The wolf leaps.", cites=[hidden.data["act"]])
            guessed = [
                await drive("narrate", words="The wolf rolls a 3.", cites=["made up"]),
                await drive("narrate", words="The wolf rolls a 5."),
                await drive("look"),
                await drive("recap"),
            ]
            assert not any("dare: 5" in reply.text + str(reply.data) for reply in guessed)
            await drive.done("secret", do="reveal", handle=handle)
            await drive.done("narrate", words="The wolf rolls a 5.", cites=[hidden.data["act"]])

    play(evening)


def test_a_scene_has_a_form(tmp_path: Path) -> None:
    long = "word " * 80
    parts = {"hook": long, "action": long, "consequence": long}
    ways = [{"words": "jump", "way": "risky"}, {"words": "walk"}]

    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path)), "auto") as drive:
            await drive.open()
            assert "no hook" in await drive.refused("scene", title="Cliff", **{**parts, "hook": ""})
            assert "2 to 4" in await drive.refused("scene", title="Cliff", **parts, options=ways[:1])
            short = await drive.done(
                "scene", title="Cliff", hook="a", action="b", consequence="c", options=ways[1:] * 2
            )
            assert len(short["warnings"]) == 2
            right = await drive.done("scene", title="Cave", **parts, options=ways, save_node=True)
            assert right["warnings"] == []
            again = await drive.done("scene", title="Cave", **parts, options=ways, save_node=True)
            assert again["handle"] == right["handle"]
            assert "save node: Cave" in (await drive("look")).text
            await drive.done("act", command="take_option", fields={"number": 1})

    play(evening)


@both_eras
def test_what_others_do_while_a_person_decides_makes_no_second_roll(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path, 2)
    tables: list[str] = []

    def says(_: str, form: dict[str, Any]) -> dict[str, Any]:
        seats = house.seats_at(house.find_table(tables[0]))
        bo = next(seat.id for seat in seats.values() if seat.name == "Bo")
        house.host.act(tables[0], bo, ("say", {"words": "Hurry up!"}))
        return {"answer": form["answer"]["enum"][-1]}

    async def evening() -> None:
        async with driving(build_server(house), era, Person(says)) as drive:
            tables.append(await drive.open())
            await drive.done("act", command="take_seat", fields={"name": "Bo"})
            made = await drive.done("act", **DARE)
            assert made["waits"] == []
            kinds = [event["kind"] for event in made["events"]]
            assert kinds == ["rolled", "decision_opened", "done_on_ai_word", "decided", "dared"]
            assert "Hurry up!" in (await drive("look", what="news")).text

    play(evening)


def test_where_nobody_reads_along_a_secret_roll_is_listed_and_revealed_by_its_name(tmp_path: Path) -> None:
    async def evening() -> None:
        server = build_server(scripted(tmp_path, 5, 6), open_secrets=True)
        async with driving(server, "auto", agreeable()) as drive:
            await drive.open()
            await drive.done("act", command="join", fields={"name": "Wolf"})
            for danger in (9, 10):
                await drive.done("act", command="dare", fields={"who": "Wolf", "danger": danger}, sight="secret")
            assert "dare: Wolf (5)" in str(await drive.done("secret"))
            await drive.done("secret", do="reveal", handle="act:dare: Wolf (5)")
            assert "dare: Wolf (5)" not in str(await drive.done("secret"))
            await drive.done("act", command="reveal")
            assert "dare: Wolf" not in str(await drive.done("secret"))

    play(evening)
