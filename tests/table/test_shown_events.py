"""Events as each seat sees them: open, hidden and secret ones, before and after they are revealed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
from annotated_types import Ge, Le

from astragal.chance import Rolls, d6, rule
from astragal.game import Call, Chapter, Command, Doing, Event, Seen, Value, game
from astragal.game.fields import Against, CharacterId, Doc
from astragal.storage import open_store
from astragal.table.authoring.display import Tone, Went
from astragal.table.authoring.log_lines import Teller
from astragal.table.declarations import Sight
from astragal.table.visibility.events import SeenEvent, seen_event
from tests.table.seated import LaidOnce, ScriptedDice, Seated, new_host


class Sheet(Value, seen=Seen.ALL):
    calm: Annotated[int, Ge(0), Le(9)] = 3


@rule
def force(against: int) -> Rolls[bool]:
    """A d6 reaches what it is against."""
    return (yield from d6) >= against


DOORS = Chapter(seen=Seen.ALL)


@DOORS.event("door_forced")
class DoorForced(Event):
    who: CharacterId
    against: Annotated[int, Seen.DIFFICULTY]
    opened: Annotated[bool, Seen.DIFFICULTY]

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} forces the door"

    def went(self, _: Teller) -> Went:
        return Went(Tone.GOOD, "open") if self.opened else Went(Tone.BAD, "shut")

    def in_short(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} at the door"


@DOORS.event("noise_made", says="{who} makes a noise")
class NoiseMade(Event):
    """Nothing in it is hidden from anybody."""

    who: CharacterId


@DOORS.command("force_door", actor="who")
class ForceDoor(Command):
    """Force a door."""

    who: Annotated[CharacterId, Doc("who forces it")]
    against: Annotated[int, Ge(1), Le(9), Against(), Doc("what to reach")] = 4
    concealed: Annotated[bool, Doc("whether nobody knows how strong it is")] = False

    def does(self, _: Call) -> Doing[bool]:
        opened = yield force(self.against)
        forced = DoorForced(who=self.who, against=self.against, opened=opened)
        return [forced, NoiseMade(who=self.who)] if self.concealed else [forced]

    def hides(self, _: Call) -> bool:
        return self.concealed


GAME = game("Doors", sheet=Sheet, rules=[force], chapters=[DOORS], dice="d6")
SEATS = ("Ada", "Bo", "Cy", "Di")


def at_the_door(folder: Path) -> Seated:
    """Ada runs the game, Bo plays Kira, Cy has no hero, Di looks on."""
    dice = ScriptedDice([5] * 9)
    host = new_host(open_store(f"sqlite:///{folder}/tables.db"), dice, (GAME,))
    opened = host.open("doors", name="The Door", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    seated.sit("Bo")
    seated.sit("Cy")
    seated.sit("Di", "spectator")
    seated.act("Bo", "join", name="Kira")
    return seated


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(at_the_door)


def forced(seated: Seated, sight: Sight = Sight.OPEN, **fields: Any) -> str:
    return seated.hidden("force_door", sight, who="Kira", **fields).act


def events(seated: Seated, seat: str, act: str) -> tuple[SeenEvent, ...]:
    return seated.host.events_of(seated.table, seated.seats[seat], act)


def marks(event: SeenEvent) -> str:
    """Which of the marks of an event are set."""
    names = [name for name in ("closed", "covered", "out_of_sight", "abandoned") if getattr(event, name)]
    return " ".join([event.name, *names])


def test_what_is_done_in_the_open_is_shown_to_all_in_the_same_way(seated: Seated) -> None:
    act = forced(seated)
    for seat in SEATS:
        rolled, told = events(seated, seat, act)
        assert [marks(rolled), marks(told)] == ["rolled", "door_forced"]
        assert (told.words, told.in_short) == ("Kira forces the door", "Kira at the door")
        assert told.went == Went(Tone.GOOD, "open")
        assert told.fields["against"] == 4
        assert told.by == rolled.by == seated.game_master


@pytest.mark.parametrize("sight", [Sight.HIDDEN, Sight.SECRET])
def test_the_game_master_sees_what_others_do_not_and_that_they_do_not(seated: Seated, sight: Sight) -> None:
    rolled, told = events(seated, "Ada", forced(seated, sight))
    assert [marks(rolled), marks(told)] == ["rolled covered out_of_sight", "door_forced covered out_of_sight"]
    assert told.fields["against"] == 4
    assert told.went == Went(Tone.GOOD, "open")


def test_of_a_hidden_roll_others_see_one_closed_card(seated: Seated) -> None:
    act = forced(seated, Sight.HIDDEN)
    for seat in ("Bo", "Cy", "Di"):
        (card,) = events(seated, seat, act)
        assert marks(card) == "rolled closed out_of_sight"
        assert card.words == (
            "The game master rolled, and keeps it hidden. It opens when the scene ends, unless it is kept sealed."
        )
        assert (dict(card.fields), card.by, card.act, card.went, card.opened) == ({}, seated.game_master, act, None, ())


def test_of_a_secret_roll_others_see_nothing(seated: Seated) -> None:
    act = forced(seated, Sight.SECRET)
    for seat in ("Bo", "Cy", "Di"):
        assert events(seated, seat, act) == ()
        assert act not in str(seated.host.follow(seated.table, seated.seats[seat]))


@pytest.mark.parametrize("sight", [Sight.HIDDEN, Sight.SECRET])
def test_what_was_revealed_is_open_to_all_and_was_out_of_sight(seated: Seated, sight: Sight) -> None:
    act = forced(seated, sight, concealed=True)
    seen_before = {seat: events(seated, seat, act) for seat in SEATS}
    seated.act("Ada", "reveal", act=act)
    for seat in SEATS:
        rolled, told, noise = events(seated, seat, act)
        assert [marks(rolled), marks(told)] == ["rolled out_of_sight", "door_forced out_of_sight"]
        assert (told.fields["against"], told.went) == (4, Went(Tone.GOOD, "open"))
        assert (rolled, told, noise) != seen_before[seat]
        revealed = seated.host.follow(seated.table, seated.seats[seat]).events[-1]
        assert revealed.opened == (rolled, told, noise)
        assert revealed.out_of_sight is False


@pytest.mark.parametrize("first", SEATS)
def test_a_hidden_difficulty_is_the_game_masters_until_it_is_revealed(seated: Seated, first: str) -> None:
    """Whoever looks first: what one seat was shown is not what another is shown."""
    act = forced(seated, concealed=True)
    for seat in (first, *SEATS):
        rolled, told, noise = events(seated, seat, act)
        cover = " covered" if seat == "Ada" else ""
        assert [marks(rolled), marks(told), marks(noise)] == [
            f"rolled{cover}",
            f"door_forced{cover}",
            f"noise_made{cover}",
        ]
        assert told.went == (Went(Tone.GOOD, "open") if cover else None)
        assert bool({"against", "opened"} & told.fields.keys()) == bool(cover)
        assert told.words == "Kira forces the door"
        assert rolled.fields["dice"]
    seated.act("Ada", "reveal", act=act)
    for seat in SEATS:
        assert [marks(event) for event in events(seated, seat, act)] == ["rolled", "door_forced", "noise_made"]
        assert events(seated, seat, act)[1].fields["against"] == 4


def test_of_a_reveal_no_ledger_line_is_shown(seated: Seated) -> None:
    """Lines of the ledger belong to the same command, and are no events of the story."""
    act = forced(seated, Sight.SECRET)
    seated.act("Ada", "reveal", act=act)
    for seat in SEATS:
        assert {event.name for event in events(seated, seat, act)} == {"rolled", "door_forced"}
        names = {event.name for event in seated.host.follow(seated.table, seated.seats[seat]).events}
        assert not {name for name in names if "ledger" in name}


def test_what_a_rewind_leaves_behind_is_marked_for_all(seated: Seated) -> None:
    open_act, hidden_act = forced(seated), forced(seated, Sight.HIDDEN)
    seated.act("Ada", "undo")
    seated.act("Ada", "undo")
    for seat in SEATS:
        assert all(event.abandoned for act in (open_act, hidden_act) for event in events(seated, seat, act))
    (card,) = events(seated, "Bo", hidden_act)
    assert marks(card) == "rolled closed out_of_sight abandoned"


def test_who_stopped_the_game_is_told_to_nobody(seated: Seated) -> None:
    act = seated.act("Bo", "stop_scene").act
    for seat in SEATS:
        assert {event.by for event in events(seated, seat, act)} == {""}
        assert seated.seats["Bo"] not in str(events(seated, seat, act))


def test_who_stopped_the_game_is_told_to_nobody_even_if_a_log_says_it(seated: Seated) -> None:
    """Logs of earlier versions name the seat."""
    live = seated.host._repository.at(seated.table)  # noqa: SLF001 - logs of earlier versions can't be written any more
    (happened, *_) = live.log.entries_of(seated.act("Bo", "stop_scene").act)
    named = happened._replace(by=seated.seats["Bo"])
    for seat in SEATS:
        shown = seen_event(named, live.viewer(seated.seats[seat]), live.state, live.book.event_specs[type(named.event)])
        assert shown is not None
        assert shown.by == ""
