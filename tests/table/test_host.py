"""The one way in: commands, ids, rights, decisions that wait."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from astragal.storage import open_store
from astragal.table.refusals import (
    BadFields,
    IdReused,
    NoSuchTable,
    NothingToAnswer,
    NotYours,
    QuestionChanged,
    Refusal,
    StillDeciding,
)
from tests.table.seated import ScriptedDice, Seated, new_host, seat_everyone


def test_a_command_is_told_to_everyone_who_may_know(seated: Seated) -> None:
    seated.dice.faces = [5]
    seated.act("Bo", "dare", who="Kira", danger=4)
    for seat in ("Ada", "Bo", "Cy", "Di"):
        assert seated.words(seat)[-2:] == ["dare: 5", "Kira dares: True"]


def test_the_same_id_is_one_command_with_one_outcome(seated: Seated) -> None:
    seated.dice.faces = [5, 1]
    command = ("dare", {"who": "Kira", "danger": 4})
    first = seated.host.act(seated.table, seated.seats["Bo"], command, command_id="once")
    again = seated.host.act(seated.table, seated.seats["Bo"], command, command_id="once")
    assert first == again
    assert seated.dice.faces == [1]


def test_the_same_id_with_other_arguments_is_refused(seated: Seated) -> None:
    seated.dice.faces = [5]
    seated.host.act(seated.table, seated.seats["Bo"], ("dare", {"who": "Kira", "danger": 4}), command_id="once")
    with pytest.raises(IdReused):
        seated.host.act(seated.table, seated.seats["Bo"], ("dare", {"who": "Kira", "danger": 5}), command_id="once")


def test_an_outcome_survives_a_restart(seated: Seated, tmp_path: Path) -> None:
    seated.dice.faces = [5]
    command = ("dare", {"who": "Kira", "danger": 4})
    first = seated.host.act(seated.table, seated.seats["Bo"], command, command_id="once")
    later = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice())
    assert later.act(seated.table, seated.seats["Bo"], command, command_id="once") == first


def test_all_that_is_wrong_with_a_command_is_said_at_once(seated: Seated) -> None:
    with pytest.raises(BadFields) as refused:
        seated.act("Bo", "dare", who="Kira", danger=0, colour="red")
    assert refused.value.problems == ("there is no field 'colour'", "danger must be at least 1, not 0")


@pytest.mark.parametrize(
    ("seat", "fields", "code"),
    [
        ("Cy", {"who": "Kira"}, "not_yours"),
        ("Di", {"who": "Kira"}, "not_allowed"),
        ("Bo", {"who": "Nobody"}, "no_such_thing"),
        ("Bo", {"who": "Kira", "danger": "4"}, "bad_fields"),
        ("Bo", {"who": "Kira", "danger": True}, "bad_fields"),
        ("Bo", {"who": "Kira", "danger": 10**5000}, "bad_fields"),
        ("Bo", {"who": 10**5000}, "bad_fields"),
    ],
)
def test_refusals_have_codes(seated: Seated, seat: str, fields: dict[str, object], code: str) -> None:
    assert seated.refused(seat, "dare", **fields) == code


def test_a_stranger_learns_nothing_of_a_table(seated: Seated) -> None:
    with pytest.raises(NoSuchTable) as at_this:
        seated.host.look(seated.table, "nobody")
    with pytest.raises(NoSuchTable) as at_none:
        seated.host.look("no-table", "nobody")
    assert str(at_this.value) == str(at_none.value)


def test_a_decision_waits_and_is_answered_by_its_owner(seated: Seated) -> None:
    seated.dice.faces = [2]
    waiting = seated.act("Bo", "dare", who="Kira", danger=4)
    assert waiting.waits_for == ("who",)
    assert seated.refused("Cy", "answer", act=waiting.act, answer=2) == "not_yours"
    assert seated.refused("Bo", "answer", act=waiting.act, answer=1) == "not_an_option"
    seated.act("Bo", "answer", act=waiting.act, answer=2)
    assert seated.look("Bo").characters[_who(seated, "Kira")].sheet.nerve == 1
    with pytest.raises(NothingToAnswer):
        seated.act("Bo", "answer", act=waiting.act, answer=2)


def test_a_waiting_decision_survives_a_restart(seated: Seated, tmp_path: Path) -> None:
    seated.dice.faces = [2]
    waiting = seated.act("Bo", "dare", who="Kira", danger=4)
    later = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice())
    outcome = later.act(seated.table, seated.seats["Bo"], ("answer", {"act": waiting.act, "answer": 2}))
    assert outcome.events[-1].fields["made_it"] is True


def test_who_decides_comes_first(seated: Seated) -> None:
    seated.dice.faces = [2, 6]
    seated.act("Bo", "dare", who="Kira", danger=4)
    with pytest.raises(StillDeciding, match="Kira still has to decide"):
        seated.act("Bo", "dare", who="Kira", danger=2)
    seated.act("Cy", "dare", who="Lund", danger=2)
    assert seated.dice.faces == []


def test_people_say_what_they_are_called(seated: Seated) -> None:
    bo, cy = seated.seats["Bo"], seated.seats["Cy"]
    assert seated.act("Bo", "rename_seat", seat=bo, name="Bodil").events[0].words == "Bo is called Bodil now"
    assert seated.host.look(seated.table, cy).seats[bo].name == "Bodil"
    assert seated.refused("Bo", "rename_seat", seat=bo, name="Bodil") == "no_change"
    assert seated.refused("Bo", "rename_seat", seat=bo, name="CY") == "name_taken"
    assert seated.refused("Bo", "rename_seat", seat=cy, name="Cyril") == "not_allowed"
    seated.act("Ada", "rename_seat", seat=cy, name="Cyril")
    seated.act("Cy", "rename_seat", seat=cy, name="cyril")


def test_a_stand_in_decides_for_the_absent_and_the_log_says_so(seated: Seated) -> None:
    seated.act("Bo", "name_stand_in", seat="Bo", stand_in="Cy")
    seated.dice.faces = [2]
    waiting = seated.act("Bo", "dare", who="Kira", danger=4)
    outcome = seated.act("Cy", "answer", act=waiting.act, answer=0)
    assert outcome.events[0].fields["for_seat"] == seated.seats["Bo"]


def test_the_game_master_may_withdraw_what_waits(seated: Seated) -> None:
    seated.dice.faces = [2]
    waiting = seated.act("Bo", "dare", who="Kira", danger=4)
    assert seated.refused("Bo", "withdraw", act=waiting.act) == "not_allowed"
    seated.act("Ada", "withdraw", act=waiting.act)
    assert seated.refused("Bo", "answer", act=waiting.act, answer=0) == "nothing_to_answer"
    assert "dare: 2" in seated.words("Bo")


def test_a_command_may_state_the_question_it_was_shown(seated: Seated) -> None:
    command = ("dare", {"who": "Kira", "danger": 4})
    shown = seated.host.preview(seated.table, seated.seats["Bo"], command)
    assert shown is not None
    seated.dice.faces = [2]
    waiting = seated.act("Bo", "dare", who="Kira", danger=4)
    seated.act("Bo", "answer", act=waiting.act, answer=2)
    with pytest.raises(QuestionChanged):
        seated.host.act(seated.table, seated.seats["Bo"], command, shown=shown.question)
    now = seated.host.preview(seated.table, seated.seats["Bo"], command)
    assert now is not None
    seated.dice.faces = [6]
    seated.host.act(seated.table, seated.seats["Bo"], command, shown=now.question)


def test_dice_can_be_thrown_by_hand_where_the_table_agreed(tmp_path: Path) -> None:
    seated = seat_everyone(open_store(f"sqlite:///{tmp_path}/tables.db"), house={"hand_dice": True})
    command = ("dare", {"who": "Kira", "danger": 4})
    waiting = seated.host.act(seated.table, seated.seats["Bo"], command, by_hand=True)
    assert waiting.waits_for == ("dice",)
    assert seated.refused("Bo", "answer", act=waiting.act, answer=[7]) == "not_an_option"
    assert seated.refused("Ada", "answer", act=waiting.act, answer=[6]) == "not_yours"
    outcome = seated.act("Bo", "answer", act=waiting.act, answer=[5])
    rolled = next(event for event in outcome.events if event.name == "rolled")
    assert rolled.fields["dice"][0]["source"] == "entered"


def test_a_program_never_throws_dice_by_hand(tmp_path: Path) -> None:
    seated = seat_everyone(open_store(f"sqlite:///{tmp_path}/tables.db"), house={"hand_dice": True})
    seat = seated.sit("Eve", ai=True)
    joined = seated.act("Eve", "join", name="Mote")
    with pytest.raises(Refusal, match="program"):
        seated.host.act(seated.table, seat, ("dare", {"who": joined.events[0].fields["who"]}), by_hand=True)


def test_two_at_once_with_one_id_are_one_command(seated: Seated) -> None:
    seated.dice.faces = [5, 5, 5, 5]
    command, outcomes = ("dare", {"who": "Kira", "danger": 4}), []

    def dare() -> None:
        outcomes.append(seated.host.act(seated.table, seated.seats["Bo"], command, command_id="once"))

    threads = [Thread(target=dare) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({outcome.act for outcome in outcomes}) == 1
    assert len(seated.dice.faces) == 3


def test_two_hosts_on_one_store_decide_anew_when_they_meet(seated: Seated, tmp_path: Path) -> None:
    other = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice([6] * 50))
    seated.dice.faces = [6] * 50
    bo, cy = seated.seats["Bo"], seated.seats["Cy"]

    def play(host: object, seat: str, who: str) -> None:
        for _ in range(25):
            host.act(seated.table, seat, ("dare", {"who": who, "danger": 2}))  # type: ignore[attr-defined]

    threads = [Thread(target=play, args=(seated.host, bo, "Kira")), Thread(target=play, args=(other, cy, "Lund"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seated.look("Ada").game.dares == 50


def test_a_removed_player_is_at_no_table(seated: Seated) -> None:
    seated.act("Ada", "leave_seat", seat="Cy")
    with pytest.raises(NoSuchTable):
        seated.words("Cy")
    with pytest.raises(NoSuchTable):
        seated.act("Cy", "dare", who="Lund")
    assert seated.look("Ada").characters[_who(seated, "Lund")].seat is None


def test_only_owners_act_for_their_characters(seated: Seated) -> None:
    with pytest.raises(NotYours):
        seated.act("Bo", "dare", who="Lund")
    seated.act("Ada", "give_character", character="Lund", seat="Bo")
    seated.dice.faces = [6]
    seated.act("Bo", "dare", who="Lund")


def _who(seated: Seated, name: str) -> str:
    return next(who for who, one in seated.look("Ada").characters.items() if one.name == name)


@pytest.mark.parametrize(
    "nonsense", [5, None, (5, {}), ("dare", 5), ("dare", {"who": object()}), ("dare", {"who": "Kira", "danger": 1.5})]
)
def test_nonsense_is_refused_with_a_sentence(seated: Seated, nonsense: object) -> None:
    for command_id in (None, "an id"):
        with pytest.raises(Refusal, match=r"\.$"):
            seated.host.act(seated.table, seated.seats["Bo"], nonsense, command_id=command_id)


@pytest.mark.parametrize("command_id", ["", "a" * 101, "line\nbreak", "\x00"])
def test_an_id_that_no_store_can_keep_is_refused(seated: Seated, command_id: str) -> None:
    with pytest.raises(BadFields):
        seated.host.act(seated.table, seated.seats["Bo"], ("say", {"words": "hm"}), command_id=command_id)
