"""Whatever a chapter only declares: folds, words, rights, owners, and what a ruleset gathers from its chapters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import pytest

from astragal.game import Chapter, Event, Fact, Seen, State, Teller, Value, copied_into, game, replace
from astragal.game.display import Tags
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaxLen
from astragal.table.authoring.log_lines import template
from astragal.table.contract import GAME_MASTER, PLAYER, Step, faults
from astragal.table.contract.rehearsal import Rehearsal, rehearse
from astragal.table.declarations import kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.table.refusals import NotAllowed

ROAD = Chapter(seen=Seen.ALL)
Thing = Annotated[str, MaxLen(20), Doc("what it is")]


class Sheet(Value, seen=Seen.ALL):
    oil: Annotated[int, Ge(0), Le(3), Doc("measures of oil")] = 3
    gear: Annotated[tuple[Annotated[str, MaxLen(20)], ...], Doc("what they carry")] = ()
    lost: Annotated[bool, Doc("whether they are lost")] = False


@ROAD.fact(
    "pick_up", told="picked_up", actor="who", says="{who} has {thing}", adds={"gear": "thing"}, everyday="take, loot"
)
class PickUp(Fact):
    """Take something along."""

    who: Annotated[CharacterId, Doc("who takes it")]
    thing: Thing


@ROAD.fact("lose", told="lost", says="{who} is lost[ in {where}]", sets={"lost": True}, seen=Seen.OWNER)
class Lose(Fact):
    """Say that somebody is lost."""

    who: Annotated[CharacterId, Doc("who is lost")]
    where: Thing = ""

    def changes(self, sheet: Sheet) -> Sheet:
        return replace(sheet, oil=sheet.oil - 1)


@ROAD.board
def the_lost(state: State) -> list[Tags]:
    return [Tags("Lost", tuple(one.name for one in state.characters.values() if one.sheet.lost))]


@ROAD.due
def to_be_found(state: State, teller: Teller) -> Iterator[str]:
    return (f"Find {teller.name(one.id)}." for one in state.characters.values() if one.sheet.lost)


GAME = game("Roads", sheet=Sheet, rules=[], chapters=[ROAD])
EVENING = [
    Step(PLAYER, "join", {"name": "Kira"}),
    Step(PLAYER, "pick_up", {"who": "Kira", "thing": "a rope"}),
    Step(GAME_MASTER, "lose", {"who": "Kira", "where": "fog"}),
]


@pytest.fixture
def played() -> Rehearsal:
    table, _ = rehearse(GAME)
    for step in EVENING:
        table.act(step)
    return table


def test_what_a_field_is_for_is_said_by_its_doc_before_its_types_and_else_by_its_label() -> None:
    class Walk(Value):
        where: Annotated[Thing, Doc("which way"), Label("way")]
        what: Annotated[Thing, Label("luggage")]
        why: Annotated[str, Label("what for")]
        how: str

    assert [one.doc for one in fields_of(Walk)] == ["which way", "what it is", "what for", ""]


def test_a_game_that_declares_its_folds_is_in_order() -> None:
    assert faults(GAME, EVENING) == []


def test_a_declared_fold_sets_adds_and_changes_fields_of_the_sheet(played: Rehearsal) -> None:
    (kira,) = played.state.characters.values()
    assert kira.sheet == Sheet(oil=2, gear=("a rope",), lost=True)


def test_a_declared_fold_takes_a_state_without_the_character(played: Rehearsal) -> None:
    beginning, _ = rehearse(GAME)
    assert played.book.fold(beginning.state, Lose(who="nobody")) == beginning.state


def test_a_fact_has_the_usual_rights(played: Rehearsal) -> None:
    with pytest.raises(NotAllowed):
        played.act(Step(PLAYER, "lose", {"who": "Kira"}))
    assert kind_of_command(PickUp).actor == "who"


def test_the_ruleset_gathers_board_reminders_and_everyday_words(played: Rehearsal) -> None:
    assert GAME.board(played.state) == [Tags("Lost", ("Kira",))]
    assert [line for due in GAME.due for line in due(played.state, Teller(played.state, {}))] == ["Find Kira."]
    assert played.book.everyday("pick_up") == ("take", "loot")


def test_an_event_belongs_to_whom_it_is_about_unless_that_is_a_list() -> None:
    class Met(Event):
        who: Any

    ROAD_TWO = Chapter(seen=Seen.ALL)  # noqa: N806 - a chapter
    met: Any = ROAD_TWO.event("met")(Met)
    assert met(who="kira").owner == "kira"
    assert met(who=("kira", "moth")).owner is None


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("{name}[ ({why})]", "fog"),
        ("{name}[ ({more})]", "fog (thick)"),
        ("[{why}: ]{name} {worth:+}", "fog −2"),
        ("{more}[ and {worth}][ and {nothing}]", "thick and -2"),
    ],
)
def test_a_part_in_brackets_is_left_out_where_a_field_in_it_is_empty(says: str, told: str, played: Rehearsal) -> None:
    class Fog(Value):
        name: str = "fog"
        why: str = ""
        more: str = "thick"
        worth: int = -2
        nothing: int = 0

    assert template(says)(Fog(), Teller(played.state, {})) == told


def test_fields_of_the_same_name_are_copied() -> None:
    assert copied_into(Sheet, Sheet(oil=1), lost=True) == Sheet(oil=1, lost=True)
