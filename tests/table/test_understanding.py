"""From what was said to a checked command: by name and fields, or as an object built in Python."""

from __future__ import annotations

from typing import Annotated

import pytest
from typing_extensions import Doc

from astragal.table.authoring.chapter import Command
from astragal.table.chapters.clocks import StartClock
from astragal.table.chapters.scenes import ImproviseScene
from astragal.table.declarations import EVERYONE, command
from astragal.table.fields.definitions import CharacterId
from astragal.table.fields.json_schema import schema_of
from astragal.table.refusals import BadFields, NoSuchThing, UnknownCommand
from tests.table.dare import Dare
from tests.table.seated import Seated


def test_a_command_object_names_people_as_plain_fields_do(seated: Seated) -> None:
    seated.dice.faces = [6]
    outcome = seated.host.act(seated.table, seated.seats["Bo"], Dare(who="Kira", danger=2))
    assert outcome.events[-1].words == "Kira dares: True"


def test_who_acts_may_be_left_out_where_there_is_only_one_character(seated: Seated) -> None:
    with pytest.raises(BadFields, match="who is missing"):
        seated.act("Ada", "dare", danger=2)
    opened = seated.host.open("dare", name="Another cliff", game_master="Ada")
    seated.host.act(opened.table, opened.seat, ("join", {"name": "Mara"}))
    seated.dice.faces = [6]
    outcome = seated.host.act(opened.table, opened.seat, ("dare", {"danger": 2}))
    assert outcome.events[-1].words == "Mara dares: True"


def test_a_command_object_about_nobody_is_refused(seated: Seated) -> None:
    with pytest.raises(NoSuchThing):
        seated.host.act(seated.table, seated.game_master, Dare(who="nobody", danger=2))


def test_a_command_object_is_held_against_its_limits(seated: Seated) -> None:
    with pytest.raises(BadFields):
        seated.host.act(seated.table, seated.seats["Bo"], Dare(who="Kira", danger=99))


@command("dare", may=EVERYONE)
class AnotherDare(Command):
    """A command of the same name, of another game."""

    who: Annotated[CharacterId, Doc("who dares")]


def test_a_command_object_of_another_game_has_no_more_rights_than_ours(seated: Seated) -> None:
    with pytest.raises(UnknownCommand):
        seated.host.act(seated.table, seated.seats["Di"], AnotherDare(who="Kira"))


@pytest.mark.parametrize("said", [("fly", {}), 5, object()])
def test_what_is_no_command_is_refused(seated: Seated, said: object) -> None:
    with pytest.raises(UnknownCommand):
        seated.host.act(seated.table, seated.seats["Bo"], said)


BLANKS = [" ", "\t \n", "\u00a0\u3000", "\u200d"]


@pytest.mark.parametrize("blank", BLANKS)
def test_nobody_and_nothing_is_called_by_blanks(seated: Seated, blank: str) -> None:
    for said in ("take_seat", "rename_seat", "start_clock", "improvise_scene"):
        field = "title" if said == "improvise_scene" else "name"
        with pytest.raises(BadFields, match=f"{field} must not be empty"):
            seated.act("Ada", said, **{field: blank})
    for name, game_master in ((blank, "Ada"), ("The Cliff", blank)):
        with pytest.raises(BadFields, match="name must not be empty"):
            seated.host.open("dare", name=name, game_master=game_master)


def test_a_schema_says_that_a_name_is_not_blank() -> None:
    name = schema_of(StartClock)["properties"]["name"]
    assert (name["minLength"], name["pattern"]) == (1, r"\S")
    assert "pattern" not in schema_of(ImproviseScene)["properties"]["hook"]
