"""People decide: forms in both eras, accepted, declined and absent; co-pilots; lent seats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio

from astragal.storage import open_store
from astragal.surfaces.mcp.server import bound_place, build_server
from astragal.surfaces.shared.context import AppContext
from astragal.wiring import installed_rulesets
from tests.surfaces.mcp.driving import Person, agreeable, both_eras, driving, honest, play, scripted, unwilling


def nerve_of(house: AppContext, table: str) -> int:
    seat = next(iter(house.seats_at(house.find_table(table))))
    return int(next(iter(house.host.look(table, seat).characters.values())).sheet.nerve)


@both_eras
def test_a_spend_is_put_to_the_person_and_taken_from_their_seat(tmp_path: Path, era: str) -> None:
    house, ann = scripted(tmp_path, 2), agreeable()

    async def evening() -> None:
        async with driving(build_server(house), era, ann) as drive:
            table = await drive.open()
            made = await drive.done("act", command="dare", fields={"who": "Kira", "danger": 4})
            assert len(ann.asked) == 1
            assert made["waits"] == []
            assert nerve_of(house, table) == 1
            decided = next(event for event in made["events"] if event["kind"] == "decided")
            assert decided["by"] == "Ann"

    play(evening)


@both_eras
def test_a_person_who_does_not_decide_leaves_it_waiting(tmp_path: Path, era: str) -> None:
    house, ann = scripted(tmp_path, 2), unwilling("cancel")

    async def evening() -> None:
        async with driving(build_server(house), era, ann) as drive:
            table = await drive.open()
            made = await drive.done("act", command="dare", fields={"who": "Kira", "danger": 4})
            assert made["waits"][0]["whose"] == "the person's"
            assert "don't decide for them" in made["warnings"][0]
            again = await drive.done("answer", id=made["waits"][0]["id"], answer=2)
            assert "don't decide for them" in again["warnings"][0]
            assert nerve_of(house, table) == 3

    play(evening)


@both_eras
def test_a_prompt_to_a_player_is_put_to_the_person(tmp_path: Path, era: str) -> None:
    ann = agreeable()

    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path)), era, ann) as drive:
            await drive.open()
            made = await drive.done("act", command="put_prompt", fields={"to": "Kira", "words": "What do you fear?"})
            assert ann.asked == ["Kira, you decide: What do you fear?"]
            assert [one["words"] for one in made["events"]][-1] == "Kira: deep water"
            assert made["waits"] == []

    play(evening)


@both_eras
def test_rewinds_and_reveals_need_a_yes(tmp_path: Path, era: str) -> None:
    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 6)), era, unwilling()) as drive:
            await drive.open()
            await drive.done("act", command="dare", fields={"who": "Kira"})
            assert "declined" in await drive.refused("act", command="undo")
            kept = await drive.done("secret", do="keep", title="The mayor", words="He paid the thieves.")
            assert "declined" in await drive.refused("secret", do="reveal", handle=kept["handle"])

    async def another() -> None:
        ann = Person(lambda _, form: {"allow": True})
        async with driving(build_server(scripted(tmp_path / "b", 6)), era, ann) as drive:
            await drive.open()
            await drive.done("act", command="dare", fields={"who": "Kira"})
            undone = await drive.done("act", command="undo")
            assert "undone" in undone["events"][0]["words"]
            assert len(ann.asked) == 1

    (tmp_path / "b").mkdir()
    play(evening)
    play(another)


@both_eras
def test_a_co_pilot_acts_only_on_confirmation(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path, 6)
    opened = house.host.open("dare", name="The Cliff", game_master="Ada")
    house.host.act(opened.table, opened.seat, ("join", {"name": "Kira"}))

    async def evening() -> None:
        place = bound_place(house, "The Cliff", "Ada", None, copilot=True)
        async with driving(build_server(house, place=place), era) as drive:
            assert "co-pilot" in (await drive.done("look"))["you"]
            assert "confirmation" in await drive.refused("act", command="dare", fields={"who": "Kira"})
            assert "confirmation" in await drive.refused("narrate", words="Night falls.")
        async with driving(build_server(house, place=place), era, unwilling()) as drive:
            assert "said no" in await drive.refused("act", command="dare", fields={"who": "Kira"})
        ada = agreeable()
        async with driving(build_server(house, place=place), era, ada) as drive:
            await drive.done("act", command="dare", fields={"who": "Kira"})
            assert len(ada.asked) == 1

    play(evening)


@both_eras
def test_a_persons_seat_is_lent_by_the_person_alone(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path)
    house.host.open("dare", name="The Cliff", game_master="Ada")
    sit = {"do": "sit", "table": "The Cliff", "seat": "Ada"}

    async def evening() -> None:
        async with driving(build_server(house), era) as drive:
            assert "They lend it" in await drive.refused("table", **sit)
            assert "not_seated" in await drive.refused("look")
        async with driving(build_server(house), era, unwilling()) as drive:
            assert "keeps their seat" in await drive.refused("table", **sit)
        async with driving(build_server(house), era, agreeable()) as drive:
            assert "co-pilot" in (await drive.done("table", **sit))["you"]

    play(evening)


def test_a_decision_of_somebody_elsewhere_is_not_answered_here(tmp_path: Path) -> None:
    house = scripted(tmp_path, 2)
    opened = house.host.open("dare", name="The Cliff", game_master="AI", ai=True)
    for name in ("Bo", "Cy"):
        house.host.act(opened.table, opened.seat, ("take_seat", {"name": name}))
    house.host.act(opened.table, opened.seat, ("join", {"name": "Kira"}))
    house.host.act(opened.table, opened.seat, ("give_character", {"character": "Kira", "seat": "Bo"}))

    async def evening() -> None:
        ann = agreeable()
        async with driving(build_server(house), "auto", ann) as drive:
            assert "one of Bo, Cy, or nobody" in await drive.refused("table", do="sit", table="The Cliff")
            await drive.done("table", do="sit", table="The Cliff", player="Cy")
            made = await drive.done("act", command="dare", fields={"who": "Kira", "danger": 4})
            assert made["waits"][0]["whose"] == "somebody else's"
            assert "own window" in await drive.refused("answer", id=made["act"], answer=2)
            assert ann.asked == []

    play(evening)


def test_a_bound_server_sits_where_it_was_put(tmp_path: Path) -> None:
    house = scripted(tmp_path)
    house.host.open("dare", name="The Cliff", game_master="AI", ai=True)
    house.host.open("dare", name="The Cave", game_master="AI", ai=True)

    async def evening() -> None:
        place = bound_place(house, "The Cliff", None, None, copilot=False)
        async with driving(build_server(house, place=place)) as drive:
            assert "can't be changed" in await drive.refused("table", do="sit", table="The Cave")
            assert "one table" in await drive.refused("table", do="open", game="dare")
            assert [one["name"] for one in (await drive.done("table"))["tables"]] == ["The Cliff"]

    play(evening)


# ---------------------------------------------------------------- forms in words


@both_eras
def test_an_answer_that_no_form_offered_is_explained_and_the_die_waits(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path, 2)
    ann = Person(lambda _, form: {"answer": "all of it"})

    async def evening() -> None:
        async with driving(build_server(house), era, ann) as drive:
            table = await drive.open()
            said = await drive.refused("act", command="dare", fields={"who": "Kira", "danger": 4})
            (waiting,) = (await drive.done("look", what="waiting"))["waits"]
            assert "did not offer" in said
            assert waiting["id"] in said
            assert nerve_of(house, table) == 3

    play(evening)


@both_eras
def test_a_form_offers_what_makes_sense_the_best_first_in_words(tmp_path: Path, era: str) -> None:
    house = honest(open_store(f"sqlite:///{tmp_path}/tables.db"), [installed_rulesets()["sinew_steel"]()])
    offered: list[list[str]] = []

    def says(_: str, form: dict[str, Any]) -> dict[str, Any]:
        offered.append(form["answer"]["enum"])
        return {"answer": offered[-1][-1]}

    async def evening() -> None:
        async with driving(build_server(house), era, Person(says)) as drive:
            samples = (await drive.done("table"))["games"][0]["samples"]
            await drive.open("sinew_steel", heroes=samples[:1])
            for number in range(200):
                fields = {"who": samples[0], "attribute": "MGT", "stakes": f"plank {number}"}
                await drive.done("act", command="test", fields=fields)
                if offered:
                    break

    play(evening)
    (first, *_, last) = offered[0]
    assert "success" in first
    assert last.startswith("Let it stand")
    assert not any(one.startswith(("0", "-", "−")) for one in offered[0])


@both_eras
def test_undo_says_what_is_undone(tmp_path: Path, era: str) -> None:
    ann = unwilling()

    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 6)), era, ann) as drive:
            await drive.open()
            await drive.done("act", command="start_clock", fields={"name": "The tide", "size": 4})
            await drive.refused("act", command="undo")
            assert "The tide" in ann.asked[-1]

    play(evening)


def test_the_same_test_in_other_words_is_noticed_and_fields_are_explained(tmp_path: Path) -> None:
    house = honest(open_store(f"sqlite:///{tmp_path}/tables.db"), [installed_rulesets()["sinew_steel"]()])

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            samples = (await drive.done("table"))["games"][0]["samples"]
            await drive.open("sinew_steel", heroes=samples[:1], player="nobody at all")
            await drive.done("act", command="make_npc", fields={"name": "Guard", "tier": 10})
            test = {"who": "Guard", "attribute": "MGT"}
            first = await drive.done("act", command="test", fields={**test, "stakes": "the rope"})
            again = await drive.done("act", command="test", fields={**test, "stakes": "the other rope"})
            assert f"The same test was just rolled: act {first['act']}" in " ".join(again["warnings"])
            assert not first["warnings"]
            shown = (await drive("actions", command="test")).text
            assert "  who (needed): who rolls; here: " in shown
            assert "  stakes: " in shown
            assert "True" not in shown
            wrong = await drive.refused("act", command="test", fields={"who": "Guard", "attribute": 3})
            assert "test needs who, attribute. Example: {" in wrong

    play(evening)


@both_eras
def test_equal_calls_side_by_side_make_one_form(tmp_path: Path, era: str) -> None:
    house, shown = scripted(tmp_path), anyio.Event()
    answers = anyio.Event()

    class Slow(Person):
        async def form(self, context: Any, params: Any) -> Any:
            shown.set()
            await answers.wait()
            return await super().form(context, params)

    ann = Slow(lambda _, form: {"allow": True})
    take = {"command": "give_character", "fields": {"character": "Kira"}}

    async def evening() -> None:
        async with driving(build_server(house), era, ann) as drive:
            await drive.open()
            async with anyio.create_task_group() as both:
                both.start_soon(lambda: drive.done("act", **take))
                await shown.wait()
                assert "one form is enough" in await drive.refused("act", **take)
                answers.set()
            assert len(ann.asked) == 1

    play(evening)
