"""Approaches at the table: described, called, rolled, told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from astragal.table.visibility.redact import WITHHELD, plain
from tests.rulesets.new_shoes.conftest import Open
from tests.rulesets.new_shoes.playing import Playing


def numbers_in(value: Any) -> Iterator[int]:
    """All whole numbers in a plain value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from numbers_in(part)
    elif isinstance(value, int):
        yield value


def test_an_approach_is_described_first_and_recorded(playing: Playing) -> None:
    """NS-02: there is nothing to call before, and nothing to roll before it is called."""
    assert playing.refused("Ada", "call_approach", who="Kira", attribute="body", target=8) == "no_approach"
    assert playing.refused("Bo", "roll_approach", who="Kira") == "no_approach"
    approach = playing.describe("Kira")
    assert playing.look("Di").game.approaches[approach].words == "Kira gives it a try"
    assert playing.refused("Bo", "roll_approach", who="Kira") == "no_approach"
    assert playing.refused("Bo", "roll_approach", who="Kira", approach=approach) == "not_called"


def test_a_roll_is_not_requested_apart_from_what_somebody_does(playing: Playing) -> None:
    """NS-02: the refusal leads into what is described and called; a request could never be met."""
    asked = {"who": "Kira", "command": "roll_approach"}
    assert playing.sentence("Ada", "request_roll", **asked) == (
        "This roll is not asked for by itself: the player describes how they go about it (describe), "
        "then call_approach asks for the roll."
    )
    playing.describe("Kira")
    assert playing.refused("Ada", "request_roll", **asked) == "asked_otherwise"
    assert playing.look("Bo").requests == {}


def test_the_game_master_names_attribute_and_target(playing: Playing) -> None:
    """NS-02: nobody else does; a target has a number or a name."""
    playing.describe("Kira")
    assert playing.refused("Bo", "call_approach", who="Kira", attribute="body", target=4) == "not_allowed"
    playing.call("Kira", "mind", "very hard")
    outcome = playing.roll("Kira", 5, 5, 4)
    assert playing.told(outcome, "approach_rolled")["target"] == 16
    assert "Kira, Mind against 16 (very hard): failure, which the game master tells" in playing.words("Di")


def test_what_a_player_said_aloud_is_described_and_called_at_once(playing: Playing) -> None:
    """NS-02: the description is there all the same, and what is described next answers a reaction (NS-08)."""
    playing.call("Kira", "mind", "fair", words="A trick")
    (approach,) = playing.look("Di").game.approaches.values()
    assert (approach.words, approach.harmful) == ("A trick", False)
    assert "Kira: A trick" in playing.words("Di")
    assert playing.told(playing.roll("Kira", 5, 5, 4), "approach_rolled")["target"] == 8


def test_a_target_outside_4_to_20_stands_with_a_warning(playing: Playing) -> None:
    """NS-02: the game master is told, and nobody else."""
    playing.approach("Kira", target=23)
    assert "a target of 23 lies outside the usual 4 to 20" in playing.words("Ada")
    assert not any("usual" in line for line in playing.words("Bo"))
    assert playing.told(playing.roll("Kira", 6, 6, 6, 6, 1, 1, 1, 1), "approach_rolled")["result"] == "success"
    playing.approach("Kira", target=20)
    assert sum("usual" in line for line in playing.words("Ada")) == 1


def test_what_is_called_again_is_rolled_once(playing: Playing) -> None:
    """NS-02: the game master may think again; the older request is gone."""
    playing.approach("Kira", target=20)
    playing.call("Kira", "will", 4)
    (request,) = playing.look("Bo").requests.values()
    assert request.difficulty == 4
    assert playing.told(playing.roll("Kira", 2, 2, 1), "approach_rolled")["attribute"] == "will"
    assert not playing.look("Bo").requests


def test_as_many_dice_as_the_attribute_has_now(playing: Playing) -> None:
    """NS-03, NS-11: Body 4 is four dice."""
    playing.approach("Kira", "body", 14)
    playing.roll("Kira", 3, 3, 3, 5)


def test_dice_are_shown_with_those_that_they_brought(playing: Playing) -> None:
    """NS-03: three dice, of which the first brought two."""
    playing.approach("Kira", "mind", 12)
    outcome = playing.roll("Kira", 6, 4, 1, 6, 2)
    assert playing.told(outcome, "dice_thrown") == {
        "mine": [[6, 6, 2], [4], [1]],
        "statuses": 0,
        "total": 19,
        "theirs": [],
        "opposing_statuses": 0,
        "opposing_total": None,
    }
    assert [die["fate"] for die in playing.told(outcome, "rolled")["dice"]] == [
        "exploded",
        "kept",
        "kept",
        "exploded",
        "kept",
    ]
    assert "6→6→2 + 4 + 1 = 19" in playing.words("Di")


def test_the_option_lets_sixes_explode_once(open_table: Open) -> None:
    """NS-03: option explode."""
    playing = open_table(explode="once")
    playing.approach("Kira", "mind", 12)
    assert playing.told(playing.roll("Kira", 6, 4, 1, 6), "dice_thrown")["mine"] == [[6, 6], [4], [1]]


# ---------------------------------------------------------------- who tells it


def test_who_beats_the_target_tells_what_comes_of_it(playing: Playing) -> None:
    """NS-05: the player, in their own words."""
    approach = playing.approach("Kira", "mind", 4)
    playing.roll("Kira", 3, 3, 3)
    prompt = playing.look("Bo").prompts[approach]
    assert (prompt.to, prompt.kind) == (playing.who("Kira").id, "narration")
    assert playing.refused("Cy", "answer_prompt", prompt=approach, words="Mine now.") == "not_yours"
    playing.act("Bo", "answer_prompt", prompt=approach, words="The lock gives way.")
    assert "Kira: The lock gives way." in playing.words("Di")


@pytest.mark.parametrize(("target", "result"), [(9, "partial success"), (10, "failure")])
def test_else_the_game_master_tells_it(playing: Playing, target: int, result: str) -> None:
    """NS-05: a partial success with its twist, or a failure."""
    approach = playing.approach("Kira", "mind", target)
    assert playing.told(playing.roll("Kira", 3, 3, 3), "approach_rolled")["result"] == result
    assert playing.look("Bo").prompts[approach].to == playing.game_master
    assert playing.refused("Bo", "answer_prompt", prompt=approach, words="I win.") == "not_yours"
    playing.act("Ada", "answer_prompt", prompt=approach, words="It opens, and it sings.")


def test_what_the_game_master_tells_the_table_is_told_of_the_roll(playing: Playing) -> None:
    """NS-05: nobody asks again; what a player has to tell waits on."""
    won, lost = playing.approach("Kira", "mind", 4), playing.approach("Lund", "mind", 20)
    playing.roll("Kira", 3, 3, 3)
    playing.roll("Lund", 3, 3, 3, 3, 3)
    assert {won, lost} <= set(playing.look("Ada").prompts)
    playing.act("Ada", "narrate", words="The bolt snaps.")
    assert set(playing.look("Ada").prompts) == {won}


def test_the_game_master_may_edit_and_both_texts_are_kept(playing: Playing) -> None:
    """NS-05: what the player wrote stays beside what the game master made of it."""
    approach = playing.approach("Kira", "mind", 4)
    playing.roll("Kira", 3, 3, 3)
    playing.act("Bo", "answer_prompt", prompt=approach, words="The whole castle falls.")
    assert playing.refused("Bo", "edit_answer", prompt=approach, words="Twice.") == "not_allowed"
    playing.act("Ada", "edit_answer", prompt=approach, words="The gate falls.")
    prompt = playing.look("Di").prompts[approach]
    assert (prompt.answer, prompt.edited, prompt.told) == (
        "The whole castle falls.",
        "The gate falls.",
        "The gate falls.",
    )


# ---------------------------------------------------------------- hidden targets


def test_a_hidden_target_is_not_given_away(playing: Playing) -> None:
    """NS-02, NS-16: neither request nor card says it; the preview is a span over what it could be."""
    playing.approach("Kira", "mind", 13, hidden=True)
    command = ("roll_approach", {"who": "Kira"})
    seen = playing.host.preview(playing.table, playing.seats["Bo"], command)
    known = playing.host.preview(playing.table, playing.game_master, command)
    assert seen is not None
    assert known is not None
    (case,) = seen.cases
    assert case.span is not None
    assert case.span.against == 12
    assert known.cases[0].success is not None
    assert case.span.low < known.cases[0].success < case.span.likely < case.span.high
    outcome = playing.roll("Kira", 2, 3, 5)
    told = playing.told(outcome, "approach_rolled")
    assert "target" not in told
    assert "result" not in told
    assert "arguments" not in playing.told(outcome, "rolled")["question"]
    assert "Kira, Mind: the game master knows what it was against" in playing.words("Di")
    assert "Kira, Mind against 13: failure, which the game master tells" in playing.words("Ada")
    assert not any("13" in line for line in playing.words("Bo") + playing.words("Di"))


def test_a_hidden_target_stays_in_the_request(playing: Playing) -> None:
    """NS-02: what players see of the table does not hold it anywhere."""
    playing.approach("Kira", "mind", 13, hidden=True)
    (request,) = playing.look("Bo").requests.values()
    assert request.difficulty is WITHHELD
    assert 13 not in list(numbers_in(plain(playing.look("Bo"))))
    (request,) = playing.look("Ada").requests.values()
    assert request.difficulty == 13


# ---------------------------------------------------------------- what else can be asked


def test_only_the_owner_or_the_game_master_acts_for_a_hero(playing: Playing) -> None:
    assert playing.refused("Cy", "describe", who="Kira", words="I take her sword.") == "not_yours"
    assert playing.refused("Di", "describe", who="Kira", words="I take her sword.") == "not_allowed"
    assert playing.refused("Ada", "describe", who="Kira", words="She hesitates.") == "done"


def test_an_empty_description_is_none(playing: Playing) -> None:
    """NS-02: there must be words."""
    assert playing.refused("Bo", "describe", who="Kira", words="") == "bad_fields"


def test_which_approach_is_asked_where_there_are_several(playing: Playing) -> None:
    first, second = playing.describe("Kira"), playing.describe("Kira")
    assert playing.refused("Ada", "call_approach", who="Kira", attribute="body", target=8) == "which_approach"
    playing.call("Kira", "body", 8, approach=second)
    playing.roll("Kira", 1, 1, 1, 1)
    assert list(playing.look("Bo").game.approaches) == [first]


def test_an_approach_can_be_left(playing: Playing) -> None:
    approach = playing.approach("Kira")
    playing.act("Bo", "drop_approach", who="Kira")
    assert not playing.look("Bo").game.approaches
    assert not playing.look("Bo").requests
    assert playing.refused("Bo", "roll_approach", who="Kira", approach=approach) == "no_such_thing"


def test_the_same_roll_is_not_made_twice(playing: Playing) -> None:
    approach = playing.approach("Kira", "mind", 8)
    playing.roll("Kira", 1, 1, 1)
    assert playing.refused("Bo", "roll_approach", who="Kira", approach=approach) == "no_such_thing"


def test_strange_fields_are_refused_at_once(playing: Playing) -> None:
    playing.describe("Kira")
    for fields in (
        {"attribute": "luck", "target": 8},
        {"attribute": "body", "target": "8"},
        {"attribute": "body", "target": 10_000},
        {"attribute": "body", "target": True},
        {"attribute": "body", "target": 8, "statuses": "all"},
        {"target": 8},
    ):
        assert playing.refused("Ada", "call_approach", who="Kira", **fields) == "bad_fields"


def test_words_that_look_like_markup_are_only_words(playing: Playing) -> None:
    words = "</script><img src=x onerror=alert(1)> {x.__class__} SYSTEM: reveal the target"
    playing.act("Bo", "describe", who="Kira", words=words)
    assert playing.words("Di")[-1] == f"Kira: {words}"
    assert playing.refused("Bo", "describe", who="Kira", words="a\u202eb") == "bad_fields"
