"""Rewinds: fiction goes back, prices stay paid, nothing is deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astragal.storage import open_store
from astragal.table.log.history import History
from astragal.table.state.table import State
from tests.table.seated import ScriptedDice, Seated, new_host


def nerve(seated: Seated) -> dict[str, int]:
    return {one.name: one.sheet.nerve for one in seated.look("Ada").characters.values()}


def mark(seated: Seated, label: str) -> str:
    return str(seated.act("Ada", "mark_save_node", label=label).events[0].fields["node"])


def spend(seated: Seated, points: int) -> None:
    seated.dice.faces = [1]
    waiting = seated.act("Bo", "dare", who="Kira", danger=1 + points)
    seated.act("Bo", "answer", act=waiting.act, answer=points)


def told(seated: Seated) -> dict[str, bool]:
    """What was told, and whether it was left behind."""
    return {event.words: event.abandoned for event in seated.host.follow(seated.table, seated.seats["Bo"]).events}


def test_a_rewind_returns_what_was_spent_and_costs_its_price(seated: Seated) -> None:
    node = mark(seated, "the edge")
    spend(seated, 2)
    assert nerve(seated)["Kira"] == 1
    seated.act("Ada", "rewind", node=node, price="nerve", amount=1)
    assert nerve(seated) == {"Kira": 2, "Lund": 2}


def test_rewinding_twice_costs_twice_and_refunds_no_price(seated: Seated) -> None:
    node = mark(seated, "the edge")
    spend(seated, 1)
    seated.act("Ada", "rewind", node=node, price="nerve")
    spend(seated, 1)
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert nerve(seated) == {"Kira": 1, "Lund": 1}
    assert seated.look("Ada").rewinds == 2


def test_heroes_and_seats_made_after_the_node_stay(seated: Seated) -> None:
    node = mark(seated, "the edge")
    seated.sit("Eve")
    seated.act("Eve", "join", name="Mote")
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert "Mote" in nerve(seated)
    assert "Eve" in {seat.name for seat in seated.look("Ada").seats.values()}


def test_the_abandoned_branch_stays_readable(seated: Seated) -> None:
    node = mark(seated, "the edge")
    spend(seated, 2)
    seated.act("Ada", "rewind", node=node, price="nerve")
    left_behind = told(seated)
    assert left_behind["Kira dares: True"]
    assert not left_behind["save node: the edge"]


def test_what_was_told_of_the_abandoned_branch_goes_with_it_and_what_people_said_does_not(seated: Seated) -> None:
    seated.act("Ada", "narrate", words="A long way down.")
    node = mark(seated, "the edge")
    spend(seated, 2)
    seated.act("Ada", "narrate", words="Kira lands on her feet.")
    seated.act("Bo", "emote", who="Kira", words="laughs")
    seated.act("Bo", "say", words="Phew.")
    seated.act("Ada", "rewind", node=node, price="nerve")
    expected = {
        "A long way down.": False,
        "Kira dares: True": True,
        "Kira lands on her feet.": True,
        "Kira laughs": True,
        "Bo: Phew.": False,
    }
    assert {words: behind for words, behind in told(seated).items() if words in expected} == expected


def test_an_undo_takes_the_last_command_back_and_what_was_told_of_it(seated: Seated) -> None:
    seated.act("Ada", "narrate", words="A long way down.")
    spend(seated, 2)
    seated.act("Ada", "narrate", words="Kira lands on her feet.")
    seated.act("Ada", "undo")
    assert nerve(seated)["Kira"] == 3
    left_behind = told(seated)
    assert not left_behind["A long way down."]
    assert left_behind["Kira lands on her feet."]


def test_nodes_on_an_abandoned_branch_can_not_be_gone_to(seated: Seated) -> None:
    first = mark(seated, "the edge")
    second = mark(seated, "half way down")
    seated.act("Ada", "rewind", node=first, price="nerve")
    assert seated.refused("Ada", "rewind", node=second, price="nerve") == "no_such_thing"
    assert set(seated.look("Bo").nodes) == {first}


def test_a_rewind_takes_a_waiting_decision_with_it(seated: Seated) -> None:
    node = mark(seated, "the edge")
    seated.dice.faces = [1]
    waiting = seated.act("Bo", "dare", who="Kira", danger=3)
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert seated.refused("Bo", "answer", act=waiting.act, answer=0) == "nothing_to_answer"


def test_a_decision_that_a_rewind_brings_back_at_another_price_keeps_nobody_from_talking(seated: Seated) -> None:
    seated.dice.faces = [1]
    waiting = seated.act("Bo", "dare", who="Kira", danger=3)
    node = mark(seated, "the edge")
    seated.act("Bo", "answer", act=waiting.act, answer=2)
    seated.act("Ada", "rewind", node=node, price="nerve", amount=1)
    assert list(seated.look("Bo").decisions) == [waiting.act]
    seated.act("Cy", "say", words="And now?")
    assert seated.refused("Ada", "override", who="Kira", what="nerve", value=1) == "still_deciding"
    seated.act("Bo", "answer", act=waiting.act, answer=2)
    assert nerve(seated)["Kira"] == 0


def test_undo_takes_the_last_command_back_and_everybody_sees_it(seated: Seated) -> None:
    spend(seated, 2)
    seated.act("Ada", "undo")
    assert nerve(seated)["Kira"] == 3
    assert seated.words("Di")[-1] == "the last command was undone"
    assert len(seated.look("Ada").decisions) == 0


def test_undo_after_undo_goes_further_back(seated: Seated) -> None:
    spend(seated, 1)
    spend(seated, 1)
    seated.act("Ada", "undo")
    assert nerve(seated)["Kira"] == 2
    seated.act("Ada", "undo")
    assert nerve(seated)["Kira"] == 3


def test_only_the_game_master_rewinds(seated: Seated) -> None:
    node = mark(seated, "the edge")
    assert seated.refused("Bo", "rewind", node=node, price="nerve") == "not_allowed"
    assert seated.refused("Bo", "undo") == "not_allowed"
    assert seated.refused("Ada", "rewind", node=node, price="blood") == "no_such_thing"


def test_a_table_read_anew_stands_where_it_stood(seated: Seated, tmp_path: Path) -> None:
    node = mark(seated, "the edge")
    spend(seated, 2)
    seated.act("Ada", "rewind", node=node, price="nerve")
    spend(seated, 1)
    seated.act("Ada", "undo")
    later = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice())
    for seat in seated.seats.values():
        assert later.look(seated.table, seat) == seated.host.look(seated.table, seat)
        assert later.follow(seated.table, seat) == seated.host.follow(seated.table, seat)


@pytest.mark.slow
def test_the_hundredth_rewind_costs_no_more_than_the_tenth(seated: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    folded = [0]
    fold = History._folded  # noqa: SLF001 - counted, not replaced

    def counted(history: History, state: State, event: Any) -> State:
        folded[-1] += 1
        return fold(history, state, event)

    monkeypatch.setattr(History, "_folded", counted)
    node = mark(seated, "the edge")
    for _ in range(100):
        folded.append(0)
        seated.act("Ada", "rewind", node=node, price="nerve")
    assert folded[100] == folded[10]
    assert seated.look("Ada").rewinds == 100
    live = seated.host._repository.at(seated.table)  # noqa: SLF001
    assert len(live.history.abandoned) == 1, "what is left behind is one stretch"
