"""Rolls out of sight: closed ones open when the scene ends, secret ones stay sealed until somebody opens them."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import msgspec
import pytest

from astragal.fair import verify
from astragal.rulesets.sinew_steel.manifest import SINEW_STEEL
from astragal.storage import open_store
from astragal.table.declarations import Sight
from astragal.table.host import Host
from astragal.table.log.repository import Outcome
from astragal.table.refusals import NoSuchThing, OpensRolls, Refusal
from astragal.table.state.table import MOST_SEALED_NAMED, HouseOptions, State, TableState
from astragal.table.visibility.redact import plain
from tests.table.fair_tables import FairTable
from tests.table.seated import Seated, seat_everyone
from tests.table.twice import TWICE

CANARY = "the-innkeeper-is-the-murderer"


def closed(seated: Seated, face: int, who: str = "Kira", sight: Sight = Sight.HIDDEN) -> str:
    seated.dice.faces.append(face)
    return seated.hidden("dare", sight, who=who, danger=10).act


@pytest.fixture
def at_the_cliff(seated: Seated) -> Seated:
    seated.act("Ada", "improvise_scene", title="The cliff")
    return seated


def test_a_scene_does_not_end_before_what_it_opens_was_listed(at_the_cliff: Seated) -> None:
    first, second = closed(at_the_cliff, 2), closed(at_the_cliff, 5, "Lund")
    closed(at_the_cliff, 3, sight=Sight.SECRET)
    for ending in (("end_scene", {}), ("improvise_scene", {"title": "Camp"})):
        with pytest.raises(OpensRolls) as refused:
            at_the_cliff.act("Ada", ending[0], **ending[1])
        assert refused.value.rolls == {first: "dare: Kira (2)", second: "dare: Lund (5)"}
        assert "everyone: dare: Kira (2); dare: Lund (5)." in refused.value.sentence
    assert at_the_cliff.look("Bo").revealed == ()


def test_what_is_not_kept_opens_and_what_is_kept_can_be_revealed_later(at_the_cliff: Seated) -> None:
    shown, kept, also_kept = closed(at_the_cliff, 2), closed(at_the_cliff, 5, "Lund"), closed(at_the_cliff, 6, "Lund")
    ended = at_the_cliff.act("Ada", "end_scene", keep=["dare: Lund (5)", also_kept])
    assert [one.words for one in ended.events if one.name == "kept_sealed"] == [
        "kept sealed: dare: Lund (5)",
        "kept sealed: dare: Lund (6)",
    ]
    assert at_the_cliff.look("Bo").revealed == (shown,)
    at_the_cliff.act("Ada", "improvise_scene", title="Camp")
    at_the_cliff.act("Ada", "end_scene")
    assert at_the_cliff.look("Bo").revealed == (shown,)
    at_the_cliff.act("Ada", "reveal", act=kept)
    assert at_the_cliff.look("Bo").revealed == (shown, kept)


def test_a_roll_to_keep_is_found_by_how_its_name_begins_if_that_is_one(at_the_cliff: Seated) -> None:
    closed(at_the_cliff, 2)
    closed(at_the_cliff, 5, "Lund")
    for said in ("dare", "no such roll"):
        with pytest.raises(NoSuchThing):
            at_the_cliff.act("Ada", "end_scene", keep=[said])
    at_the_cliff.act("Ada", "end_scene", keep=["Dare: L"])
    assert len(at_the_cliff.look("Bo").revealed) == 1


def test_a_closed_card_says_when_it_opens(at_the_cliff: Seated) -> None:
    closed(at_the_cliff, 2)
    assert at_the_cliff.words("Bo")[-1].endswith("It opens when the scene ends, unless it is kept sealed.")
    at_the_cliff.act("Ada", "end_scene", keep=["dare: Kira"])
    assert "It stays sealed until the game master opens it." in at_the_cliff.words("Bo")[-2]
    assert "kept sealed" not in str(at_the_cliff.words("Bo")[-1])


def test_a_table_may_agree_that_closed_rolls_stay_closed_when_the_scene_ends(tmp_path: Path) -> None:
    seated = seat_everyone(open_store(f"sqlite:///{tmp_path}/tables.db"), house={"opens_rolls": False})
    seated.act("Ada", "improvise_scene", title="The cliff")
    act = closed(seated, 2)
    assert seated.words("Bo")[-1].endswith("It stays sealed until the game master opens it.")
    seated.act("Ada", "end_scene")
    assert seated.look("Bo").revealed == ()
    seated.act("Ada", "reveal", act=act)
    assert seated.look("Bo").revealed == (act,)


def test_a_closed_roll_that_waits_for_its_dice_leaves_one_card_when_they_fall(tmp_path: Path) -> None:
    table = FairTable(open_store(f"sqlite:///{tmp_path}/tables.db"), ruleset=TWICE, hand_dice=True)
    waiting = table.give(table.ada, "dare_twice", {"who": "Kira"}, sight=Sight.HIDDEN, by_hand=True).act
    assert cards(table, waiting) == 0
    for answer in ([2], True, [5]):
        table.act(table.ada, "answer", act=waiting, answer=answer)
        assert cards(table, waiting) == 1


def cards(table: FairTable, act: str) -> int:
    """How many closed cards of the deed Bo sees."""
    return sum(one.act == act and one.closed for one in table.host.follow(table.table, table.bo).events)


def test_a_closed_roll_outlasts_a_rewind_and_so_does_what_is_kept(at_the_cliff: Seated) -> None:
    node = str(at_the_cliff.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    act = closed(at_the_cliff, 2)
    at_the_cliff.act("Ada", "rewind", node=node, price="nerve")
    assert act in at_the_cliff.look("Ada").closed_rolls
    at_the_cliff.act("Ada", "end_scene", keep=[act])
    at_the_cliff.act("Ada", "undo")
    assert at_the_cliff.look("Ada").closed_rolls == {}
    assert at_the_cliff.look("Bo").calendar.scene is not None


def test_a_secret_roll_can_still_be_opened(at_the_cliff: Seated) -> None:
    act = closed(at_the_cliff, 2, sight=Sight.SECRET)
    at_the_cliff.act("Ada", "end_scene")
    at_the_cliff.act("Ada", "reveal", act=act)
    revealed = at_the_cliff.host.follow(at_the_cliff.table, at_the_cliff.seats["Bo"]).events[-1]
    assert "rolled" in [one.name for one in revealed.opened]


def test_a_secret_roll_is_revealed_by_its_name_and_the_only_one_without(at_the_cliff: Seated) -> None:
    first, second = (closed(at_the_cliff, face, sight=Sight.SECRET) for face in (2, 5))
    assert at_the_cliff.look("Ada").sealed_rolls == {first: "dare: Kira (2)", second: "dare: Kira (5)"}
    with pytest.raises(NoSuchThing) as refused:
        at_the_cliff.act("Ada", "reveal", act="dare: Kira (3)")
    assert "dare: Kira (2), dare: Kira (5)" in refused.value.sentence
    at_the_cliff.act("Ada", "reveal", act="dare: Kira (5)")
    at_the_cliff.act("Ada", "reveal")
    assert at_the_cliff.look("Bo").revealed == (second, first)
    assert at_the_cliff.look("Ada").sealed_rolls == {}


def test_a_closed_roll_that_was_kept_has_its_name_still(at_the_cliff: Seated) -> None:
    kept = closed(at_the_cliff, 2)
    at_the_cliff.act("Ada", "end_scene", keep=["dare"])
    at_the_cliff.act("Ada", "reveal", act="dare: Kira")
    assert at_the_cliff.look("Bo").revealed == (kept,)


def test_of_many_sealed_rolls_the_newest_have_names() -> None:
    state: State = TableState(id="t", name="", ruleset="", options=None, house=HouseOptions(), game=None)
    for number in range(MOST_SEALED_NAMED + 1):
        state = state.with_sealed_roll(str(number), "a roll")
    assert list(state.sealed_rolls) == [str(number) for number in range(1, MOST_SEALED_NAMED + 1)]


@pytest.mark.parametrize("sight", [Sight.HIDDEN, Sight.SECRET])
def test_hidden_rolls_are_not_for_players_to_know(at_the_cliff: Seated, sight: Sight) -> None:
    act = closed(at_the_cliff, 2, sight=sight)
    assert "dare: Kira (2)" not in msgspec.json.encode(plain(at_the_cliff.look("Bo"))).decode()
    refusals = set()
    for said in (act, "dare: Kira (2)", "no such roll"):
        with pytest.raises(Refusal) as refused:
            at_the_cliff.act("Bo", "reveal", act=said)
        refusals.add(refused.value.sentence)
    assert len(refusals) == 1


# ---------------------------------------------------------------- over a whole evening


class Evening:
    """A real game with real dice: Ada runs it, Bo plays."""

    def __init__(self, folder: Path, **house: Any) -> None:
        store = open_store(f"sqlite:///{folder}/evening.db")
        self.host = Host(store, (SINEW_STEEL,), clock=lambda: 0, entropy=secrets.token_bytes)
        opened = self.host.open("sinew_steel", name="The inn", game_master="Ada", house=house)
        self.table, self.ada = opened.table, opened.seat
        self.bo = str(self.act("take_seat", name="Bo").events[0].fields["seat"]["id"])
        self.act("make_npc", name="Innkeeper", tier=10)

    def act(self, command: str, sight: Sight = Sight.OPEN, /, **fields: Any) -> Outcome:
        return self.host.act(self.table, self.ada, (command, fields), sight=sight)

    def test(self, sight: Sight) -> Outcome:
        return self.act("test", sight, who="Innkeeper", attribute="REF", stakes=CANARY)

    def reaches_bo(self) -> str:
        """The table, the log, the transcript, the exported view with the ledger."""
        view, log = self.host.look(self.table, self.bo), self.host.follow(self.table, self.bo)
        exported = b"".join(self.host.archive.export(self.table, self.bo)).decode()
        told = msgspec.json.encode([plain(view), log]).decode()
        return "\n".join([told, repr(view), self.host.archive.transcript(self.table, self.bo), exported])


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


def test_a_secret_roll_reaches_nobody_over_scenes_and_evenings(evening: Evening) -> None:
    evening.act("begin_evening")
    evening.act("improvise_scene", title="The inn")
    rolled = evening.test(Sight.SECRET)
    evening.act("improvise_scene", title="The yard")
    evening.act("end_scene")
    evening.act("end_evening")
    evening.act("begin_evening")
    evening.act("improvise_scene", title="The road")
    evening.act("end_scene")
    assert CANARY not in evening.reaches_bo()
    events = evening.host.follow(evening.table, evening.bo).events
    assert rolled.act not in {one.act for one in events} | {found.act for one in events for found in one.opened}
    report = verify(list(evening.host.ledger(evening.table, evening.bo)))
    assert (report.sound, report.hidden, report.opened, len(report.unopened)) == (True, 1, 0, 1)


def test_a_closed_roll_that_is_kept_reaches_nobody(evening: Evening) -> None:
    evening.act("improvise_scene", title="The inn")
    evening.test(Sight.HIDDEN)
    kept = evening.test(Sight.HIDDEN).act
    evening.act("improvise_scene", title="The yard", keep=[kept])
    assert evening.reaches_bo().count(f'"act":"{kept}"') > 0, "the closed card is there"
    assert CANARY in evening.reaches_bo(), "the other one was opened"
    assert len(verify(list(evening.host.ledger(evening.table, evening.bo))).unopened) == 1


@pytest.mark.parametrize("sight", [Sight.HIDDEN, Sight.SECRET])
def test_dice_that_are_thrown_by_hand_out_of_sight_are_in_no_line_before_they_are_opened(
    tmp_path: Path, sight: Sight
) -> None:
    table = FairTable(open_store(f"sqlite:///{tmp_path}/tables.db"), hand_dice=True)
    rolled = table.dare(table.ada, sight=sight, by_hand=True)
    table.act(table.ada, "answer", act=rolled.act, answer=[4])
    assert table.lines("entered") == []
    table.act(table.ada, "reveal", act=rolled.act)
    assert [line["dice"] for line in table.lines("entered")] == [[4]]
    assert verify(table.ledger(), table.receipts).sound
