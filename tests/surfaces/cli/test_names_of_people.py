"""Names in the terminal, as people write them: accents, quotes, scores by name, who does it to whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.storage import open_store
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.play.readings import understood
from astragal.surfaces.cli.play.session import PlaySession
from astragal.surfaces.cli.seats import SeatClient
from astragal.surfaces.cli.terminal import WIDTH
from astragal.surfaces.shared.context import AppContext, find_seat
from astragal.table.log.store import Store
from astragal.table.refusals import NoSuchThing
from tests.table.seated import ScriptedDice, Seated, new_host


@dataclass
class AtTheGate(Seated):
    store: Store = field(kw_only=True)

    def place(self, seat: str) -> SeatClient:
        return SeatClient(AppContext(self.host, self.store), self.table, self.seats[seat])


@pytest.fixture
def seated(tmp_path: Path) -> AtTheGate:
    store = open_store(str(tmp_path / "tables.db"))
    dice = ScriptedDice()
    host = new_host(store, dice, (SINEW_STEEL,))
    opened = host.open("sinew_steel", name="The Gate", game_master="Ada", house={"trusting": True})
    seated = AtTheGate(host, opened.table, opened.seat, dice, {"Ada": opened.seat}, store=store)
    seated.sit("Bo")
    seated.act("Bo", "make_hero", name="Zoë", scores={"Might": 12, "ref": 11})
    seated.act("Ada", "make_npc", name="Guard", tier=10)
    seated.act("Ada", "make_npc", name="Old guard", tier=8)
    return seated


class Heard:
    """A listener that keeps what is shown and refused."""

    width = WIDTH

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None

    def shown(self, lines: list[str]) -> None:
        self.lines += lines

    def refused(self, code: str, sentence: str) -> None:
        self.lines.append(f"{code}: {sentence}")


def heard(seated: AtTheGate, seat: str, *lines: str) -> list[str]:
    listener = Heard()
    sitting = PlaySession(seated.place(seat), listener)
    for line in lines:
        sitting.hear(line)
    return listener.lines


def meant(seated: AtTheGate, seat: str, line: str) -> dict[str, Any]:
    names = {key: one.name for key, one in seated.look(seat).characters.items()}
    reading = understood(seated.place(seat).view, line)
    return {key: names.get(value, value) if isinstance(value, str) else value for key, value in reading.fields.items()}


def test_scores_are_given_by_name_or_by_key(seated: AtTheGate) -> None:
    (zoe,) = (one for one in seated.look("Ada").characters.values() if one.name == "Zoë")
    assert (zoe.sheet.scores.open["MGT"], zoe.sheet.scores.open["REF"]) == (12, 11)


@pytest.mark.parametrize("name", ["Zoë", "zoe", "ZOE", "zo"])
def test_an_accent_may_be_left_out(seated: AtTheGate, name: str) -> None:
    assert meant(seated, "Ada", f"test {name} reflex")["who"] == "Zoë"


def test_the_name_with_its_accent_comes_first(seated: AtTheGate) -> None:
    seated.act("Ada", "make_npc", name="Zoe", tier=10)
    assert meant(seated, "Ada", "test Zoë reflex")["who"] == "Zoë"
    assert meant(seated, "Ada", "test Zoe reflex")["who"] == "Zoe"


def test_whoever_stands_after_with_does_it(seated: AtTheGate) -> None:
    assert meant(seated, "Ada", "attack zoe with guard") == {"attacker": "Guard", "defender": "Zoë"}
    assert meant(seated, "Bo", "attack guard with might") == {
        "attacker": "Zoë",
        "defender": "Guard",
        "attribute": "MGT",
    }


def test_a_line_about_two_people_is_echoed_before_it_is_done(seated: AtTheGate) -> None:
    assert heard(seated, "Ada", "attack zoe with guard")[0] == "attack: attacker Guard, defender Zoë"


def test_quotes_inside_a_name_stay_and_little_words_too(seated: AtTheGate) -> None:
    assert meant(seated, "Ada", 'make npc The warden of the "Low" gate tier=10')["name"] == (
        'The warden of the "Low" gate'
    )
    assert meant(seated, "Ada", 'make npc "The warden of the gate" tier=10')["name"] == "The warden of the gate"


def test_a_name_of_several_words_in_one_argument_is_the_name(seated: AtTheGate) -> None:
    assert meant(seated, "Ada", 'make npc "Mother Anne" tier=10') == {"name": "Mother Anne", "tier": 10}


@pytest.mark.parametrize(
    ("line", "field", "text"),
    [
        ("start clock The tide is in", "name", "The tide is in"),
        ("start clock In the dark 6", "name", "In the dark"),
        ("start clock The alarm of 4", "name", "The alarm"),
        ("whisper to bo the gate is open", "words", "the gate is open"),
        ("test zoe might for the heavy door", "stakes", "the heavy door"),
        ('improvise scene At the "old" mill of it', "title", 'At the "old" mill of it'),
    ],
)
def test_titles_and_texts_keep_their_little_words(seated: AtTheGate, line: str, field: str, text: str) -> None:
    assert meant(seated, "Ada", line)[field] == text


def test_seats_and_tables_are_found_without_accents_and_by_a_part_of_their_names(seated: AtTheGate) -> None:
    seated.sit("Bögh the Tall")
    house = AppContext(seated.host, seated.store)
    seats = house.seats_at(house.find_table("gate"))
    assert {find_seat(seats, said).name for said in ("Bogh", "tall", "BÖGH")} == {"Bögh the Tall"}
    with pytest.raises(NoSuchThing, match="Nobody called 'Kim' sits here"):
        find_seat(seats, "Kim")
    with pytest.raises(NoSuchThing, match="More than one called 'b' sits here"):
        find_seat(seats, "b")


def test_a_part_of_two_names_is_asked_back(seated: AtTheGate) -> None:
    seated.act("Ada", "make_npc", name="Young Anne", tier=8)
    seated.act("Ada", "make_npc", name="Mother Anne", tier=8)
    with pytest.raises(BadCall, match="'anne' could be Young Anne or Mother Anne"):
        meant(seated, "Bo", "attack anne")


def test_help_groups_what_can_be_done_now_and_finds_commands_by_everyday_words(seated: AtTheGate) -> None:
    lines = heard(seated, "Ada", "?")
    own, table = lines.index("You can now, in Sinew & Steel:"), lines.index("At every table:")
    assert any(line.startswith("  attack ") for line in lines[own:table])
    assert "begin evening" in lines[table + 1].replace("\n", " ")
    assert "tick clock" not in " ".join(lines), "there is no clock"
    assert any("tick clock" in line for line in heard(seated, "Ada", "? all"))
    assert heard(seated, "Ada", "? hurt")[0].startswith("Usage: harm")
    assert heard(seated, "Ada", "? juggle") == [
        "not_understood: There is no command 'juggle' for a game master here. ? lists what you can do."
    ]
