"""Meters: numbers that are declared once, and lost, gained, rested for, paid with, overridden and shown from that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest

from astragal.game import Call, Chapter, Character, Command, Seen, Value, game
from astragal.game.display import Pips, Track
from astragal.game.fields import Doc, Ge, Le
from astragal.game.meters import Gain, Lose, Lost, Meter, Meters, gained, lost
from astragal.game.shared import Rest
from astragal.storage import open_store
from astragal.table.contract import GAME_MASTER, PLAYER, Step, faults
from astragal.table.refusals import Refusal
from tests.table.seated import ScriptedDice, Seated, new_host

Number = Annotated[int, Ge(0), Le(9), Doc("how much")]


class Sheet(Value, seen=Seen.ALL):
    oil: Number = 3
    nerve: Number = 2
    warmth: Annotated[int, Ge(0), Le(9), Doc("how warm they are"), Seen.OWNER] = 3
    doom: Annotated[int, Ge(0), Le(9), Doc("what comes"), Seen.GAME_MASTER] = 0
    secret: Annotated[int, Ge(0), Le(9), Doc("what only they know"), Seen.OWNER] = 1


class Night(Value, seen=Seen.ALL):
    light: int = 2


OIL = Meter(
    "oil",
    most=lambda sheet: 3,
    seen=Seen.ALL,
    loses="burns",
    gains="finds",
    rest=lambda state, who, rest: 3 if rest is Rest.LONG else 1,
    override="oil in the lantern",
    limit=9,
)
NERVE = Meter(
    "nerve",
    most=lambda sheet: 2,
    seen=Seen.ALL,
    steps=("broken", "shaken", "steady"),
    rest=lambda state, who, rest: 1,
    kept=1,
)
DOOM = Meter("doom", most=lambda sheet: 9, rest=lambda state, who, rest: 1)
SECRET = Meter("secret", most=lambda sheet: 9, seen=Seen.OWNER)
LIGHT = Meter("light", most=lambda night: 2, seen=Seen.ALL, holder="the camp fire")
WARMTH = Meter(
    "warmth", most=lambda sheet: 3, seen=Seen.ALL, closed=lambda sheet: True, rest=lambda state, who, rest: 3
)
METERS = Meters(OIL, NERVE, DOOM, SECRET, LIGHT, WARMTH)
DARK = Chapter(seen=Seen.ALL)


@DARK.command("burn")
class Burn(Lose):
    """Burn oil."""

    meter = OIL


@DARK.command("refuel")
class Refuel(Gain):
    """Find oil."""

    meter = OIL


@DARK.command("scare")
class Scare(Lose):
    """Take nerve from somebody."""

    meter = NERVE


@DARK.command("doom")
class Doomed(Gain):
    """Bring doom nearer."""

    meter = DOOM


@DARK.command("confide")
class Confide(Gain):
    """Tell somebody what nobody else knows."""

    meter = SECRET


@DARK.command("chill")
class Chill(Lose):
    """Take warmth from somebody."""

    meter = WARMTH


@DARK.command("dim")
class Dim(Command):
    """Let the fire burn down."""

    def does(self, call: Call) -> list[Lost]:
        return LIGHT.lost(call.state, 1, "rain")


DARKNESS = game(
    "Darkness",
    sheet=Sheet,
    state=Night,
    rules=[],
    chapters=[DARK, METERS],
    overrides=METERS.overrides,
    prices={"oil": METERS.price("oil or nerve, from whatever there is most of", OIL, NERVE)},
)


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Seated]:
    """Bo plays Kira, Cy plays Moth."""
    store, dice = open_store(f"sqlite:///{tmp_path}/night.db"), ScriptedDice()
    host = new_host(store, dice, (DARKNESS,))
    opened = host.open("darkness", name="Night", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    for player, hero in (("Bo", "Kira"), ("Cy", "Moth")):
        seated.sit(player)
        seated.act(player, "join", name=hero)
    yield seated
    store.close()


def sheet(night: Seated) -> Any:
    return next(one for one in night.look("Ada").characters.values() if one.name == "Kira").sheet


def last(night: Seated) -> str:
    """The last line of the log, as another player reads it."""
    return night.words("Cy")[-1]


def test_a_loss_never_goes_below_nothing(night: Seated) -> None:
    night.act("Ada", "burn", who="Kira", points=2, why="wind")
    assert (sheet(night).oil, last(night)) == (1, "Kira burns 2 oil (wind) and has 1 left")
    night.act("Ada", "burn", who="Kira", points=5)
    assert (sheet(night).oil, last(night)) == (0, "Kira burns 5 oil and has 0 left")


def test_a_gain_never_goes_past_the_most(night: Seated) -> None:
    night.act("Ada", "burn", who="Kira")
    night.act("Ada", "refuel", who="Kira", points=9)
    assert (sheet(night).oil, last(night)) == (3, "Kira finds 1 oil and has 3 now")
    with pytest.raises(Refusal, match="Kira has 3 of 3 oil already"):
        night.act("Ada", "refuel", who="Kira")


def test_what_lies_past_the_most_by_override_stays(night: Seated) -> None:
    night.act("Ada", "override", who="Kira", what="oil", value=9)
    assert night.refused("Ada", "refuel", who="Kira") == "full"
    night.act("Ada", "burn", who="Kira")
    assert sheet(night).oil == 8


def test_a_meter_with_words_for_its_steps_is_told_in_them(night: Seated) -> None:
    night.act("Ada", "scare", who="Kira")
    assert last(night) == "Kira loses 1 nerve and is shaken (1)"
    assert NERVE.piece(sheet(night)) == Track("nerve", 1, NERVE.steps, dire=False)
    assert OIL.piece(sheet(night), command="burn", who="Kira") == Pips("oil", 3, 3, "", "burn", (("who", "Kira"),))


def test_a_number_of_the_table_has_a_holder_of_its_own(night: Seated) -> None:
    night.act("Ada", "dim")
    assert (night.look("Cy").game.light, last(night)) == (1, "the camp fire loses 1 light (rain) and has 1 left")


def test_a_rest_is_one_line_for_each_who_gains_by_it(night: Seated) -> None:
    night.act("Ada", "burn", who="Kira", points=3)
    night.act("Ada", "scare", who="Kira")
    night.act("Ada", "rest", kind="long")
    assert last(night) == "Kira finds 3 oil (3 now), 1 nerve (2 now)"
    assert night.words("Ada")[-2:] == ["Kira gains 1 doom and has 1 now", "Moth gains 1 doom and has 1 now"]


def test_a_meter_that_does_not_say_who_may_know_is_the_game_masters(night: Seated) -> None:
    before = {name: night.words(name) for name in ("Bo", "Cy")}
    night.act("Ada", "doom", who="Kira")
    assert night.words("Ada")[-1] == "Kira gains 1 doom and has 1 now"
    assert {name: night.words(name) for name in ("Bo", "Cy")} == before


def test_what_only_an_owner_may_know_is_told_to_no_other_player(night: Seated) -> None:
    before = night.words("Cy")
    night.act("Ada", "confide", who="Kira")
    assert night.words("Bo")[-1] == "Kira gains 1 secret and has 2 now"
    assert night.words("Cy") == before


def test_a_change_of_open_and_secret_meters_at_once_is_secret(night: Seated) -> None:
    kira = next(iter(night.look("Ada").characters.values()))
    (told,) = lost(kira, {OIL: 1, SECRET: 1})
    assert told.told_to is Seen.OWNER
    (more,) = gained(kira, {SECRET: 1, DOOM: 1})
    assert more.told_to is Seen.GAME_MASTER


def test_nobody_but_the_game_master_is_told_that_the_last_point_went(night: Seated) -> None:
    """Where a sheet is closed to players, that would say where the number stands."""
    outcome = night.act("Ada", "burn", who="Kira", points=3)
    assert outcome.events[0].fields["emptied"] == ["oil"]
    seen = night.host.follow(night.table, night.seats["Cy"]).events[-1]
    assert "emptied" not in seen.fields
    assert "told_to" not in seen.fields


def test_a_closed_sheet_tells_the_change_and_not_where_it_stands(night: Seated) -> None:
    night.act("Ada", "chill", who="Kira", points=5)
    assert (sheet(night).warmth, last(night)) == (0, "Kira loses 5 warmth")


def test_a_rest_does_not_tell_others_how_much_a_closed_sheet_was_missing(night: Seated) -> None:
    night.act("Ada", "chill", who="Kira", points=2)
    night.act("Ada", "rest", kind="long")
    assert "Kira gains 2 warmth" in night.words("Bo")
    assert "Kira gains 2 warmth" not in night.words("Cy")


def _somebody() -> Any:
    return Character(id="kira", name="Kira", seat=None, sheet=Sheet())


def test_nothing_lost_or_gained_is_no_event() -> None:
    assert OIL.lost(_somebody(), 0) == []
    assert OIL.gained(_somebody(), 1) == []


def test_a_rewind_is_paid_point_by_point_from_the_fullest_and_leaves_what_is_kept(night: Seated) -> None:
    node = night.act("Ada", "mark_save_node", label="dusk").events[0].fields["node"]
    night.act("Ada", "rewind", node=node, price="oil", amount=2)
    assert (sheet(night).oil, sheet(night).nerve, last(night)) == (1, 2, "Moth pays 2 oil")
    night.act("Ada", "rewind", node=node, price="oil", amount=9)
    assert (sheet(night).oil, sheet(night).nerve) == (0, 1)
    with pytest.raises(Refusal, match="Nobody has any oil or nerve to spare"):
        night.act("Ada", "rewind", node=node, price="oil")


def test_a_game_of_meters_keeps_the_contract() -> None:
    evening = [
        Step(PLAYER, "join", {"name": "Kira"}),
        Step(GAME_MASTER, "burn", {"who": "Kira", "points": 2}),
        Step(GAME_MASTER, "refuel", {"who": "Kira"}),
    ]
    assert faults(DARKNESS, evening) == []


def test_a_meter_that_tells_more_than_the_sheet_shows_breaks_the_contract() -> None:
    meters = Meters(Meter("doom", most=lambda sheet: 9, seen=Seen.ALL), SECRET)
    leaking = game("Leaking", sheet=Sheet, rules=[], chapters=[meters])
    assert faults(leaking) == ["The meter 'doom' is told to everyone, and its field is for the game master."]
