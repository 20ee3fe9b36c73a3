"""No seat fills a table with more than its people can look at."""

from __future__ import annotations

import pytest

from astragal.table.commands import execute
from astragal.table.refusals import Refusal
from tests.table.seated import Seated


def test_a_player_brings_so_many_notes_and_heroes_and_leaves_room_for_others(
    seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execute, "MOST_OF_A_PLAYER", 3)
    for number in range(3):
        seated.act("Bo", "write_note", title=f"Note {number}")
    with pytest.raises(Refusal, match=r"^You have 3 notes at this table, and there is room for 3\.$"):
        seated.act("Bo", "write_note", title="One more")
    seated.act("Bo", "write_note", title="Another", note=next(iter(seated.look("Bo").notes)))
    for number in range(2):
        seated.act("Bo", "join", name=f"Hero {number}")
    with pytest.raises(Refusal, match=r"^You have 3 characters at this table") as refused:
        seated.act("Bo", "join", name="One more")
    assert refused.value.code == "too_many"
    seated.act("Cy", "write_note", title="Cy has room")
    seated.act("Ada", "write_note", title="Ada has, too")


def test_a_table_has_so_many_things_of_a_kind(seated: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute, "MOST_OF_A_KIND", 3)
    for number in range(3):
        seated.act("Ada", "mark_save_node", label=f"Node {number}")
    with pytest.raises(Refusal, match=r"^There are 3 nodes at this table, and no room for more\.$"):
        seated.act("Ada", "mark_save_node", label="One more")
    seated.act("Ada", "undo")
    seated.act("Ada", "mark_save_node", label="There is room again")


def test_a_command_with_more_values_than_any_has_is_refused_at_once(seated: Seated) -> None:
    for odd in (["x"] * 2_000, {str(number): 1 for number in range(2_000)}, [[["x"] * 600], ["x"] * 600]):
        with pytest.raises(Refusal, match="a command has at most 1000 values"):
            seated.act("Bo", "join", name="Mote", fear=odd)
