"""Secrets: hidden and secret deeds, cursors without gaps, withheld fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
import pytest

from astragal.table.declarations import Role, Seen, Sight, Viewer, replace
from astragal.table.refusals import DependsOnHidden
from astragal.table.visibility.events import SeenEvent
from astragal.table.visibility.redact import WITHHELD, plain, redact
from tests.table.seated import Seated


def everything(seated: Seated, seat: str) -> str:
    """All that a seat can get, as text."""
    seat = seated.seats[seat]
    view = plain(seated.host.look(seated.table, seat))
    page = seated.host.follow(seated.table, seat)
    export = b"".join(seated.host.archive.export(seated.table, seat)).decode()
    return msgspec.json.encode([view, page]).decode() + export + seated.host.archive.transcript(seated.table, seat)


def test_a_hidden_roll_leaves_a_closed_card_and_no_more(seated: Seated) -> None:
    seated.dice.faces = [5]
    outcome = seated.hidden("dare", who="Kira", danger=4)
    card = seated.host.follow(seated.table, seated.seats["Bo"]).events[-1]
    assert (card.closed, dict(card.fields)) == (True, {})
    assert outcome.events[-1].fields["made_it"] is True
    assert "made_it" not in everything(seated, "Bo")


def test_a_secret_roll_leaves_nothing_at_all(seated: Seated) -> None:
    before = seated.host.follow(seated.table, seated.seats["Bo"])
    seated.dice.faces = [5]
    seated.hidden("dare", Sight.SECRET, who="Kira", danger=4)
    after = seated.host.follow(seated.table, seated.seats["Bo"])
    assert after == before
    assert seated.host.follow(seated.table, seated.seats["Bo"], before.cursor).events == ()


@pytest.mark.parametrize("sight", [Sight.HIDDEN, Sight.SECRET])
def test_a_reveal_turns_the_card_over_for_good(seated: Seated, sight: Sight) -> None:
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.dice.faces = [5]
    hidden = seated.hidden("dare", sight, who="Kira", danger=4)
    seated.act("Ada", "reveal", act=hidden.act)
    revealed = seated.host.follow(seated.table, seated.seats["Di"]).events[-1]
    assert [event.name for event in revealed.opened] == ["rolled", "dared"]
    assert revealed.opened[1].fields["made_it"] is True
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert hidden.act in seated.look("Di").revealed


def test_a_hidden_deed_with_a_decision_has_one_card(seated: Seated) -> None:
    seated.dice.faces = [2]
    waiting = seated.hidden("dare", who="Kira", danger=4)
    assert seated.look("Bo").decisions == {}
    assert seated.refused("Bo", "answer", act=waiting.act, answer=0) == "nothing_to_answer"
    before = len(seated.words("Bo"))
    seated.act("Ada", "answer", act=waiting.act, answer=2)
    assert len(seated.words("Bo")) == before


def test_players_can_not_roll_out_of_sight(seated: Seated) -> None:
    with pytest.raises(Exception, match="Only the game master"):
        seated.host.act(seated.table, seated.seats["Bo"], ("dare", {"who": "Kira"}), sight=Sight.HIDDEN)


def test_what_only_an_owner_may_see_reaches_nobody_else(seated: Seated) -> None:
    assert "deep water" in everything(seated, "Bo")
    assert "deep water" in everything(seated, "Ada")
    assert "deep water" not in everything(seated, "Cy")
    assert "deep water" not in everything(seated, "Di")


def test_cursors_are_dense_whatever_is_secret(seated: Seated) -> None:
    cursor = seated.host.follow(seated.table, seated.seats["Bo"]).cursor
    for _ in range(3):
        seated.dice.faces = [6]
        seated.hidden("dare", Sight.SECRET, who="Kira", danger=4)
    seated.dice.faces = [6]
    seated.act("Bo", "dare", who="Kira", danger=4)
    page = seated.host.follow(seated.table, seated.seats["Bo"], cursor)
    assert [event.name for event in page.events] == ["rolled", "dared"]
    assert int(page.cursor.rpartition("-")[2]) == int(cursor.rpartition("-")[2]) + 2


def test_a_cursor_from_another_role_or_from_nowhere_begins_anew(seated: Seated) -> None:
    cursor = seated.host.follow(seated.table, seated.seats["Bo"]).cursor
    seated.act("Ada", "hand_over", seat="Bo")
    page = seated.host.follow(seated.table, seated.seats["Bo"], cursor)
    assert page.restarted
    assert page.events[0].name == "table_opened"
    for nonsense in ("player-999999", "player--1", "x", "player-\u0661"):
        assert seated.host.follow(seated.table, seated.seats["Cy"], nonsense).restarted


def test_pages_are_read_one_after_the_other(seated: Seated) -> None:
    whole = seated.host.follow(seated.table, seated.seats["Cy"]).events
    paged: list[SeenEvent] = []
    cursor, more = "", True
    while more:
        page = seated.host.follow(seated.table, seated.seats["Cy"], cursor, most=2)
        paged += page.events
        cursor, more = page.cursor, page.more
    assert tuple(paged) == whole


def test_what_is_withheld_can_be_passed_on_but_not_decided_by() -> None:
    assert WITHHELD + 3 is WITHHELD
    assert WITHHELD.sheet.nerve is WITHHELD
    with pytest.raises(DependsOnHidden):
        bool(WITHHELD)
    with pytest.raises(DependsOnHidden):
        assert WITHHELD > 3
    assert plain({"known": 1, "hidden": WITHHELD}) == {"known": 1}


def test_a_waiting_roll_with_a_hidden_difficulty_does_not_tell_it(seated: Seated) -> None:
    seated.dice.faces = [2]
    waiting = seated.act("Bo", "dare", who="Kira", danger=4)
    decision = replace(seated.look("Ada").decisions[waiting.act], hides=True)
    player = Viewer(seated.seats["Bo"], Role.PLAYER)
    assert redact(decision, player).question.arguments is WITHHELD
    assert redact(replace(decision, hides=False), player).question.arguments == (4, 3)


@dataclass(frozen=True, kw_only=True)
class Purse:
    colour: Annotated[str, Seen.ALL]
    coins: Annotated[int, Seen.OWNER]


@dataclass(frozen=True, kw_only=True)
class Whisper:
    words: Annotated[str, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.seat == "Bo"


@dataclass(frozen=True, kw_only=True)
class Pocket:
    """Everyone may look into it; what lies in it says by itself who may see it, however deep it lies."""

    plainly: Annotated[tuple[tuple[str, int], ...], Seen.ALL] = ()
    maybe: Annotated[Purse | None, Seen.ALL] = None
    row: Annotated[tuple[Purse, ...], Seen.ALL] = ()
    named: Annotated[Mapping[str, Purse], Seen.ALL] = field(default_factory=dict)
    anything: Annotated[Any, Seen.ALL] = None
    heard: Annotated[tuple[Whisper, ...], Seen.ALL] = ()


BO, CY = Viewer("Bo", Role.PLAYER), Viewer("Cy", Role.PLAYER)
PURSE = Purse(colour="red", coins=7)


@pytest.mark.parametrize(
    "pocket",
    [
        Pocket(maybe=PURSE),
        Pocket(row=(PURSE,)),
        Pocket(named={"it": PURSE}),
        Pocket(anything=PURSE),
        Pocket(anything=({"it": PURSE},)),
        Pocket(anything=Pocket(row=(PURSE,))),
    ],
)
def test_what_lies_in_something_open_is_still_cut(pocket: Pocket) -> None:
    shown = plain(redact(pocket, CY))
    assert "red" in str(shown)
    assert "7" not in str(shown)
    assert "7" in str(plain(pocket))


def test_what_is_not_for_a_viewer_is_left_out_of_something_open() -> None:
    pocket = Pocket(heard=(Whisper(words="the bridge is down"),))
    assert redact(pocket, BO) is pocket
    assert redact(pocket, CY).heard == ()


def test_what_is_seen_whole_is_not_made_again() -> None:
    pocket = Pocket(plainly=(("a", 1),), anything=(1, {"b": 2}))
    assert redact(pocket, CY) is pocket
    assert redact(pocket, Viewer("Ada", Role.GAME_MASTER)) is pocket
    assert plain(pocket)["anything"] == [1, {"b": 2}]
