"""Prompts: who is asked, who may answer, and what is kept of the answer."""

from __future__ import annotations

import pytest

from astragal.table.chapters.prompts import new_prompt
from tests.table.canaries import assert_unknown, reaches
from tests.table.seated import Seated

CANARY = "she-left-her-brother-to-die"


def character(seated: Seated, name: str) -> str:
    return next(who for who, one in seated.look("Ada").characters.items() if one.name == name)


def put(seated: Seated, to: str, words: str = "Whom do you miss?", *, secret: bool = False) -> str:
    asked = seated.act("Ada", "put_prompt", to=to, words=words, secret=secret)
    return str(asked.events[0].fields["prompt"]["id"])


def test_a_prompt_waits_until_its_owner_answers_once(seated: Seated) -> None:
    prompt = put(seated, character(seated, "Kira"))
    assert seated.look("Di").prompts[prompt].is_open
    assert seated.words("Di")[-1] == "Kira is asked: Whom do you miss?"
    seated.act("Bo", "answer_prompt", prompt=prompt, words="My sister.")
    assert seated.look("Di").prompts[prompt].told == "My sister."
    assert seated.refused("Bo", "answer_prompt", prompt=prompt, words="Nobody.") == "answered"


def test_a_prompt_is_answered_once_and_by_whom_it_is_put_to(seated: Seated) -> None:
    for to in (character(seated, "Kira"), seated.seats["Bo"]):
        prompt = put(seated, to)
        assert seated.refused("Cy", "answer_prompt", prompt=prompt, words="x") == "not_yours"
        assert seated.refused("Di", "answer_prompt", prompt=prompt, words="x") == "not_allowed"
        assert seated.refused("Bo", "answer_prompt", prompt=prompt, words="x") == "done"


def test_a_stand_in_or_the_game_master_answers_for_the_absent_and_the_log_says_so(seated: Seated) -> None:
    seated.act("Ada", "name_stand_in", seat=seated.seats["Bo"], stand_in=seated.seats["Cy"])
    first, second = put(seated, character(seated, "Kira")), put(seated, seated.seats["Bo"])
    answered = seated.act("Cy", "answer_prompt", prompt=first, words="x").events[0]
    assert answered.fields["by"] == seated.seats["Cy"]
    assert seated.act("Ada", "answer_prompt", prompt=second, words="x").events[0].fields["by"] == seated.game_master


def test_the_game_master_answers_for_characters_without_a_player(seated: Seated) -> None:
    seated.act("Ada", "join", name="The innkeeper")
    prompt = put(seated, character(seated, "The innkeeper"))
    assert seated.refused("Bo", "answer_prompt", prompt=prompt, words="x") == "not_yours"
    assert seated.refused("Ada", "answer_prompt", prompt=prompt, words="x") == "done"


def test_both_texts_are_kept_when_the_game_master_edits(seated: Seated) -> None:
    prompt = put(seated, seated.seats["Bo"])
    assert seated.refused("Ada", "edit_answer", prompt=prompt, words="x") == "not_answered"
    seated.act("Bo", "answer_prompt", prompt=prompt, words="My sister.")
    seated.act("Ada", "edit_answer", prompt=prompt, words="My twin.")
    edited = seated.act("Ada", "edit_answer", prompt=prompt, words="My twin sister.").events[0]
    assert (edited.fields["before"], edited.fields["prompt"]["edited"]) == ("My twin.", "My twin sister.")
    kept = seated.look("Cy").prompts[prompt]
    assert (kept.answer, kept.edited, kept.told) == ("My sister.", "My twin sister.", "My twin sister.")


def test_a_withdrawn_prompt_is_gone(seated: Seated) -> None:
    prompt = put(seated, seated.seats["Bo"])
    seated.act("Ada", "withdraw_prompt", prompt=prompt)
    assert seated.look("Bo").prompts == {}
    assert seated.refused("Bo", "answer_prompt", prompt=prompt, words="x") == "no_such_thing"


@pytest.mark.parametrize("to", ["nobody", "Di"])
def test_nobody_unknown_and_no_spectator_is_asked(seated: Seated, to: str) -> None:
    code = seated.refused("Ada", "put_prompt", to=seated.seats.get(to, to), words="x")
    assert code == ("not_allowed" if to == "Di" else "no_such_thing")


def test_a_secret_prompt_is_between_its_owner_and_the_game_master(seated: Seated) -> None:
    before = seated.host.follow(seated.table, seated.seats["Cy"])
    prompt = put(seated, character(seated, "Kira"), CANARY, secret=True)
    seated.act("Bo", "answer_prompt", prompt=prompt, words=CANARY)
    seated.act("Ada", "edit_answer", prompt=prompt, words=CANARY)
    open_prompt = put(seated, seated.seats["Bo"], CANARY, secret=True)
    for seat in ("Ada", "Bo"):
        assert CANARY in reaches(seated, seat)
    assert seated.host.follow(seated.table, seated.seats["Cy"]) == before
    assert_unknown(seated, ("Cy", "Di"), CANARY, prompt)
    assert_unknown(seated, ("Cy", "Di"), CANARY, open_prompt)
    assert seated.refused("Cy", "answer_prompt", prompt=open_prompt, words="x") == "no_such_thing"
    seated.act("Ada", "withdraw_prompt", prompt=open_prompt)
    assert CANARY not in reaches(seated, "Cy")


def test_a_character_that_changes_hands_takes_no_secret_of_the_past_along(seated: Seated) -> None:
    kira = character(seated, "Kira")
    prompt = put(seated, kira, "Why?", secret=True)
    seated.act("Bo", "answer_prompt", prompt=prompt, words=CANARY)
    seated.act("Ada", "withdraw_prompt", prompt=prompt)
    seated.act("Ada", "give_character", character=kira, seat=seated.seats["Cy"])
    assert CANARY not in reaches(seated, "Cy")


def test_a_ruleset_opens_prompts_of_its_own_kind(seated: Seated) -> None:
    kira = character(seated, "Kira")
    asked = new_prompt(seated.look("Ada"), "p1", kira, "What does it cost?", kind="twist")
    prompt = asked.prompt
    assert (prompt.id, prompt.to, prompt.seat, prompt.kind, prompt.secret) == (
        "p1",
        kira,
        seated.seats["Bo"],
        "twist",
        False,
    )
