"""Notes and secrets: who reads them, who changes them, and what a reveal does."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.table.chapters.notes import MOST_NOTES
from astragal.table.refusals import BadFields, Refusal
from tests.table.canaries import assert_unknown, reaches
from tests.table.seated import Seated

CANARY = "the-mayor-is-the-wolf"


def write(seated: Seated, by: str = "Ada", /, title: str = "A note", **fields: Any) -> str:
    if "seat" in fields:
        fields["seat"] = seated.seats[fields["seat"]]
    return str(seated.act(by, "write_note", title=title, **fields).events[0].fields["note"]["id"])


def test_a_note_for_all_is_read_by_all(seated: Seated) -> None:
    write(seated, "Bo", words=CANARY)
    assert all(CANARY in reaches(seated, seat) for seat in seated.seats)


def test_a_secret_is_the_game_masters_alone(seated: Seated) -> None:
    before = seated.host.follow(seated.table, seated.seats["Bo"])
    note = write(seated, title=CANARY, words=CANARY, audience="game master")
    assert CANARY in reaches(seated, "Ada")
    assert seated.host.follow(seated.table, seated.seats["Bo"]) == before
    assert_unknown(seated, ("Bo", "Cy", "Di"), CANARY, note)


def test_a_note_for_one_seat_reaches_no_other(seated: Seated) -> None:
    note = write(seated, title=CANARY, audience="seat", seat="Bo")
    assert CANARY in reaches(seated, "Bo")
    assert_unknown(seated, ("Cy", "Di"), CANARY, note)


def test_a_players_own_note_reaches_the_game_master_and_no_player(seated: Seated) -> None:
    note = write(seated, "Bo", title=CANARY, audience="seat", seat="Bo")
    assert CANARY in reaches(seated, "Ada")
    assert_unknown(seated, ("Cy", "Di"), CANARY, note)


def test_a_player_writes_for_all_or_for_themselves(seated: Seated) -> None:
    assert seated.refused("Bo", "write_note", title="x", audience="game master") == "not_allowed"
    other = seated.seats["Cy"]
    assert seated.refused("Bo", "write_note", title="x", audience="seat", seat=other) == "not_allowed"
    assert seated.refused("Bo", "write_note", title="x", audience="seat") == "no_seat"
    assert seated.refused("Ada", "write_note", title="x", audience="seat", seat="nobody") == "no_such_thing"


def test_a_reveal_is_for_good(seated: Seated) -> None:
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    note = write(seated, title="The mayor", words=CANARY, audience="game master")
    revealed = seated.act("Ada", "reveal_note", note=note).events[0]
    shown = revealed.fields["note"]
    assert (shown["id"], shown["title"], shown["words"], shown["audience"]) == (note, "The mayor", CANARY, "all")
    assert seated.refused("Ada", "reveal_note", note=note) == "no_change"
    seated.act("Ada", "rewind", node=node, price="nerve")
    for seat in ("Bo", "Cy", "Di"):
        assert seated.look(seat).notes[note].words == CANARY
    seated.act("Ada", "write_note", note=note, title="The mayor", words="again", audience="game master")
    assert seated.look("Di").notes[note].words == "again"


def test_a_secret_that_is_written_anew_or_removed_stays_secret(seated: Seated) -> None:
    note = write(seated, title="x", audience="game master")
    write(seated, title=CANARY, words=CANARY, audience="game master", note=note)
    assert CANARY not in reaches(seated, "Bo")
    seated.act("Ada", "remove_note", note=note)
    assert note not in seated.look("Ada").notes
    assert CANARY not in reaches(seated, "Bo")


@pytest.mark.parametrize("command", ["reveal_note", "remove_note"])
def test_only_the_author_and_the_game_master_change_a_note(seated: Seated, command: str) -> None:
    note = write(seated, "Bo", audience="seat", seat="Bo")
    assert seated.refused("Cy", command, note=note) == "no_such_thing"
    given = write(seated, audience="seat", seat="Bo")
    assert seated.refused("Bo", command, note=given) == "not_allowed"
    assert seated.refused("Bo", command, note=note) == "done"
    assert seated.refused("Ada", command, note=given) == "done"


def test_a_note_keeps_its_author_when_the_game_master_writes_it_anew(seated: Seated) -> None:
    note = write(seated, "Bo")
    seated.act("Ada", "write_note", note=note, title="Better")
    assert seated.look("Cy").notes[note].author == seated.seats["Bo"]
    assert seated.look("Cy").notes[note].title == "Better"
    assert seated.refused("Cy", "write_note", note=note, title="Worse") == "not_allowed"


def test_to_reveal_the_deed_of_a_secret_note_opens_nothing(seated: Seated) -> None:
    """A deed's reveal lifts what was hidden by sight; a note has a reveal of its own."""
    written = seated.act("Ada", "write_note", title=CANARY, audience="game master")
    seated.act("Ada", "reveal", act=written.act)
    assert CANARY not in reaches(seated, "Bo")


@pytest.mark.slow
def test_no_more_notes_are_kept_than_a_page_can_hold(seated: Seated) -> None:
    first, *_ = [write(seated, "Ada", title=f"Note {number}") for number in range(MOST_NOTES)]
    for seat in ("Ada", "Bo"):
        with pytest.raises(Refusal, match=f"There are {MOST_NOTES} notes already") as refused:
            write(seated, seat)
        assert refused.value.code == "too_many"
    write(seated, "Ada", title="The first one, written anew", note=first)
    seated.act("Ada", "remove_note", note=first)
    write(seated, "Ada")


@pytest.mark.slow
def test_room_for_notes_tells_nothing_of_secrets(seated: Seated) -> None:
    for number in range(MOST_NOTES):
        write(seated, "Ada", title=f"Secret {number}", audience="game master")
    assert seated.refused("Ada", "write_note", title="x") == "too_many"
    write(seated, "Bo")


@pytest.mark.parametrize("blank", [" ", "\t \n", "\u00a0\u3000", "\u200d"])
def test_a_title_of_blanks_is_none(seated: Seated, blank: str) -> None:
    with pytest.raises(BadFields, match="title must not be empty"):
        write(seated, title=blank)
