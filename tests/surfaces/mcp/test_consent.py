"""A model decides nothing that is a person's: a form where the client shows one, else a click at the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.storage import open_store
from astragal.surfaces.mcp.server import build_server
from astragal.surfaces.shared.context import AppContext
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract.rehearsal import commands_to_try
from astragal.table.declarations import Role, kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.table.refusals import Refusal
from astragal.table.registry import Book
from astragal.table.state.table import State
from astragal.wiring import installed_rulesets
from tests.surfaces.mcp.driving import (
    Driver,
    Person,
    agreeable,
    both_eras,
    driving,
    honest,
    play,
    refusal_of,
    scripted,
    unwilling,
)
from tests.table.test_proposals import GAME as LOCKS_GAME

GAMES = [load() for load in installed_rulesets().values()]
DARE: dict[str, Any] = {"command": "dare", "fields": {"who": "Kira", "danger": 4}}
PROPOSED = "The AI at the table proposes: "


def seat_called(house: AppContext, table: str, name: str) -> str:
    return next(seat.id for seat in house.seats_at(house.find_table(table)).values() if seat.name == name)


def state_of(house: AppContext, table: str) -> State:
    return house.host.look(table, next(iter(house.seats_at(house.find_table(table)))))


def nerve_of(house: AppContext, table: str) -> int:
    return int(next(iter(state_of(house, table).characters.values())).sheet.nerve)


def log_of(house: AppContext, table: str, name: str = "Ann") -> list[str]:
    return [event.words for event in house.host.follow(table, seat_called(house, table, name)).events]


# ---------------------------------------------------------------- every command of every game

MOST_TRIES = 6
FEW_TRIES = 2
"""Of a command that every table has and that is no person's to decide: one game tries it as often as all others."""
FEWEST_TRICKS = 200
"""Of which none may succeed, in each game."""
TABLE_MATTERS = {
    "give_character",
    "name_stand_in",
    "rename_seat",
    "leave_seat",
    "hand_over",
    "rewind",
    "undo",
    "withdraw",
    "reveal",
    "override",
    "record_fate",
    "edit_answer",
    "lift_boundary",
    "go_on",
    "reveal_note",
    "remove_note",
    "remove_clock",
    "discard_scene",
}
SPENDS = {
    "sinew_steel": {"feat", "carry"},
    "narraject": {"attempt", "defend", "treat"},
    "new_shoes": set(),
    "six_pool": {"check", "save", "attack", "wear"},
}


class Hostile:
    """A model that tries every command on the hero of a person who says no to everything."""

    def __init__(self, drive: Driver, house: AppContext, table: str, ann: Person) -> None:
        self.drive, self.house, self.table, self.ann = drive, house, table, ann
        self.seat = seat_called(house, table, "Ann")
        self.asked: set[str] = set()
        self.tricks = 0

    async def tries(self, book: Book, name: str, fields: dict[str, Any]) -> None:
        self.tricks += 1
        before = state_of(self.house, self.table)
        self.ann.asked.clear()
        reply = await self.drive("act", command=name, fields=fields)
        forms = [one for one in self.ann.asked if one.startswith(PROPOSED)]
        self.asked |= {name} if forms else set()
        after = state_of(self.house, self.table)
        assert after.seats[self.seat] == before.seats[self.seat], (name, fields)
        assert set(self.held(before)) <= set(self.held(after)), (name, fields)
        if forms:
            assert reply.refused, (name, fields)
            assert after == before, (name, fields)
        actor = kind_of_command(book.commands[name]).actor
        rolled = any(event["kind"] == "rolled" for event in reply.data.get("events", ()))
        if actor and not rolled:
            assert self.sheets(after) == self.sheets(before), (name, fields)
        action = book.actions.get(name)
        if actor and rolled and action:
            assert not action.pays(Plain(fields)), (name, fields)
        self.let_ann_decline()

    def held(self, state: State) -> list[str]:
        return [who for who, one in state.characters.items() if one.seat == self.seat]

    def sheets(self, state: State) -> list[Any]:
        return [state.characters[who].sheet for who in self.held(state)]

    def let_ann_decline(self) -> None:
        """At the table: so that the next command finds nobody deciding."""
        while waiting := [one for one in self.house.host.decisions(self.table, self.seat) if one.choices]:
            answer = {"act": waiting[0].act, "answer": waiting[0].choices[0].answer}
            self.house.host.act(self.table, self.seat, ("answer", answer))


class Plain:
    """Fields as a command has them; what is not said is nothing."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        return self._fields.get(name)


def in_order(book: Book) -> Iterator[str]:
    """First what rolls no dice and brings nobody new: a hero who has fallen is asked for less, and names are taken."""
    names = [name for name in book.commands if name not in ("answer", "answer_prompt", "narrate", "agree")]
    may = [name for name in names if Role.GAME_MASTER in kind_of_command(book.commands[name]).may]
    rolls = {name for name, action in book.actions.items() if action.gather is not None}
    yield from sorted(may, key=lambda name: (name == "take_sample", name in rolls | {"take_seat"}))


def tries_of(book: Book, name: str, state: State) -> Iterator[dict[str, Any]]:
    """Fields of all sorts, and every spend that the command declares by itself."""
    kind, action = book.commands[name], book.actions.get(name)
    own = {one.name for chapter in book.ruleset.chapters for one in chapter.actions}
    in_earnest = book.ruleset is GAMES[0] or name in own | TABLE_MATTERS
    most = MOST_TRIES if in_earnest else FEW_TRIES
    tried = list(commands_to_try(book, kind, state, state.viewer(state.game_master), most))
    yield from reversed(tried)
    if action is not None:
        paid = {field.name: field for field in fields_of(kind) if field.is_paid}
        paid |= {field.name: field for field in fields_of(kind) if action.spend and field.name == action.spend.field}
        yield from ({**tried[0], one.name: True if one.type is bool else 1} for one in paid.values())


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_hostile_model_neither_takes_nor_spends_what_is_a_persons(tmp_path: Path, game: Ruleset) -> None:
    house, ann = honest(open_store(f"sqlite:///{tmp_path}/tables.db"), [game]), unwilling()
    book = house.books[game.id]

    async def evening() -> None:
        async with driving(build_server(house), "auto", ann) as drive:
            samples = (await drive.done("table"))["games"][0]["samples"]
            table = await drive.open(game.id, heroes=samples[:1])
            model = Hostile(drive, house, table, ann)
            seats = state_of(house, table).seats
            for name in in_order(book):
                for fields in tries_of(book, name, replace(state_of(house, table), seats=seats)):
                    await model.tries(book, name, fields)
            expected = TABLE_MATTERS | SPENDS[game.id]
            assert expected <= model.asked, expected - model.asked
            assert model.tricks >= FEWEST_TRICKS

    play(evening)


# ---------------------------------------------------------------- with forms


@both_eras
def test_a_hero_is_not_taken_to_decide_for_it(tmp_path: Path, era: str) -> None:
    """The player won't spend; the model takes the hero, spends, and gives it back."""
    house, ann = scripted(tmp_path, 2), unwilling()

    async def evening() -> None:
        async with driving(build_server(house), era, ann) as drive:
            table = await drive.open()
            act = (await drive.done("act", **DARE))["act"]
            take = {"command": "give_character", "fields": {"character": "Kira"}}
            assert "declined" in await drive.refused("act", **take)
            assert ann.asked[-1] == f"{PROPOSED}give character Kira: shall it be done?"
            stand_in = {"command": "name_stand_in", "fields": {"seat": "Ann", "stand_in": "AI"}}
            assert "declined" in await drive.refused("act", **stand_in)
            assert "don't decide for them" in (await drive.done("answer", id=act, answer=2))["warnings"][0]
            assert nerve_of(house, table) == 3

    play(evening)


@both_eras
def test_what_a_person_agreed_to_in_a_form_is_told_as_theirs(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path)

    async def evening() -> None:
        async with driving(build_server(house), era, agreeable()) as drive:
            table = await drive.open()
            await drive.done("act", command="give_character", fields={"character": "Kira"})
            assert log_of(house, table)[-1] == "Ann agreed: give character Kira"
            assert [one.seat for one in state_of(house, table).characters.values()] == [None]

    play(evening)


@pytest.mark.parametrize(
    ("command", "fields"),
    [("say", {"words": "I give up."}), ("emote", {"words": "kneels"}), ("dare", {"danger": 1})],
)
def test_what_is_done_as_a_persons_hero_is_marked_for_all(tmp_path: Path, command: str, fields: dict[str, Any]) -> None:
    house = scripted(tmp_path, 5)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            table = await drive.open()
            await drive.done("act", command=command, fields={"who": "Kira", **fields})
            assert log_of(house, table)[-1] == "for Kira on the AI's word, not on Ann's"

    play(evening)


def test_what_a_model_does_as_its_own_is_not_marked(tmp_path: Path) -> None:
    house = scripted(tmp_path, 5)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            table = await drive.open()
            await drive.done("act", command="say", fields={"words": "Night falls."})
            await drive.done("act", command="join", fields={"name": "Guard"})
            await drive.done("act", command="dare", fields={"who": "Guard", "danger": 1})
            assert not any("AI's word" in line for line in log_of(house, table))

    play(evening)


def test_words_put_into_a_persons_mouth_say_who_answered(tmp_path: Path) -> None:
    house = scripted(tmp_path)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            table = await drive.open()
            put = await drive.done("act", command="put_prompt", fields={"to": "Kira", "words": "What do you fear?"})
            await drive.done("answer", id=put["waits"][0]["id"], answer="Nothing")
            assert log_of(house, table)[-1] == "Kira: Nothing (AI answered for Ann)"

    play(evening)


# ---------------------------------------------------------------- without forms


@both_eras
def test_without_forms_it_waits_for_a_click_at_the_table(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path, 6)

    async def evening() -> None:
        async with driving(build_server(house), era) as drive:
            table = await drive.open()
            await drive.done("act", **DARE)
            held = await drive.done("act", command="undo")
            assert "not done yet" in held["warnings"][0]
            assert "takes no asked" in await drive.refused("act", command="undo", asked=True)
            (consent,) = state_of(house, table).consents.values()
            assert [one["whose"] for one in held["waits"] if one["id"] == consent.id] == ["somebody else's"]
            assert "not_allowed" in await drive.refused("act", command="agree", fields={"consent": consent.id})
            assert "not_yours" in await drive.refused("answer", id=consent.id, answer="yes")
            assert "dared" in [
                event.name for event in house.host.follow(table, seat_called(house, table, "Ann")).events
            ]
            house.host.act(table, seat_called(house, table, "Ann"), ("agree", {"consent": consent.id}))
            assert log_of(house, table)[-2:] == ["the last command was undone", "Ann agreed: undo the last command"]
            assert state_of(house, table).game.dares == 0
            assert not state_of(house, table).consents

    play(evening)


def test_what_is_refused_at_the_table_is_not_done(tmp_path: Path) -> None:
    house = scripted(tmp_path, 6)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            table = await drive.open()
            await drive.done("act", command="leave_seat", fields={"seat": "Ann"})
            (consent,) = state_of(house, table).consents
            ann = seat_called(house, table, "Ann")
            house.host.act(table, ann, ("decline", {"consent": consent}))
            assert ann in state_of(house, table).seats
            assert (await drive.done("look", what="news"))["news"][-1]["words"] == "Ann said no: leave seat Ann"

    play(evening)


def test_the_same_proposal_waits_once(tmp_path: Path) -> None:
    house = scripted(tmp_path, 6)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            table = await drive.open()
            for _ in range(2):
                await drive.done("act", command="override", fields={"who": "Kira", "what": "nerve", "value": 6})
            await drive.done("narrate", words="Night falls.")
            again = {"command": "override", "fields": {"who": "Kira", "what": "nerve", "value": 6}}
            assert "still_deciding" in await drive.refused("act", **again)
            assert len(state_of(house, table).consents) == 1
            assert nerve_of(house, table) == 3

    play(evening)


def test_without_forms_a_person_decides_at_the_table(tmp_path: Path) -> None:
    house = scripted(tmp_path, 2)

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            table = await drive.open()
            made = await drive.done("act", **DARE)
            assert "at the table" in made["ask"]
            assert "not_yours" in await drive.refused("answer", id=made["act"], answer=2)
            ai, ann = (seat_called(house, table, name) for name in ("AI", "Ann"))
            answer = ("answer", {"act": made["act"], "answer": 2})
            assert refusal_of(lambda: house.host.act(table, ai, answer)) == "not_yours"
            house.host.act(table, ann, answer)
            assert nerve_of(house, table) == 1

    play(evening)


def test_what_is_somebody_elses_waits_for_them_alone(tmp_path: Path) -> None:
    house = scripted(tmp_path)
    opened = house.host.open("dare", name="The Cliff", game_master="AI", ai=True)
    for name in ("Bo", "Cy"):
        house.host.act(opened.table, opened.seat, ("take_seat", {"name": name}))
    house.host.act(opened.table, opened.seat, ("join", {"name": "Kira"}))
    house.host.act(opened.table, opened.seat, ("give_character", {"character": "Kira", "seat": "Bo"}))

    async def evening() -> None:
        cy = agreeable()
        async with driving(build_server(house), "auto", cy) as drive:
            await drive.done("table", do="sit", table="The Cliff", player="Cy")
            await drive.done("act", command="give_character", fields={"character": "Kira"})
            assert cy.asked == []
            (consent,) = state_of(house, opened.table).consents
            agree = ("agree", {"consent": consent})
            seats = {name: seat_called(house, opened.table, name) for name in ("Bo", "Cy")}
            assert not house.host.look(opened.table, seats["Cy"]).consents
            with pytest.raises(Refusal, match="no such proposal"):
                house.host.act(opened.table, seats["Cy"], agree)
            house.host.act(opened.table, seats["Bo"], agree)
            assert [one.seat for one in state_of(house, opened.table).characters.values()] == [None]

    play(evening)


def test_where_no_person_sits_it_is_done_and_marked(tmp_path: Path) -> None:
    house = scripted(tmp_path, 6)
    opened = house.host.open("dare", name="The Cliff", game_master="AI", ai=True)
    house.host.act(opened.table, opened.seat, ("join", {"name": "Kira"}))

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            await drive.done("table", do="sit", table="The Cliff")
            await drive.done("act", **DARE)
            undone = await drive.done("act", command="undo")
            assert undone["events"][-1]["words"] == "on the AI's word: there was no person to ask"

    play(evening)


def test_an_ai_game_master_rules_on_what_a_player_proposes(tmp_path: Path) -> None:
    house = honest(open_store(f"{tmp_path}/tables.db"), (LOCKS_GAME,))
    opened = house.host.open("locks", name="The Vault", game_master="AI", ai=True)
    house.host.act(opened.table, opened.seat, ("take_seat", {"name": "Bo"}))
    bo = seat_called(house, opened.table, "Bo")
    house.host.act(opened.table, bo, ("join", {"name": "Kira"}))
    house.host.act(opened.table, bo, ("pick_lock", {"who": "Kira", "bonus": 20}))

    async def evening() -> None:
        async with driving(build_server(house)) as drive:
            await drive.done("table", do="sit", table="The Vault")
            (waits,) = (await drive.done("look"))["waits"]
            assert waits["whose"] == "yours"
            fields = {"consent": waits["id"], "changes": {"bonus": 1}}
            told = await drive.done("act", command="agree", fields=fields)
            assert told["events"][-1]["words"] == "AI agreed: bonus 1"

    play(evening)
