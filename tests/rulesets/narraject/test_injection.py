"""NJ-22: Narrative Injection, once a session, and the game master's veto."""

from __future__ import annotations

import pytest

from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import SHOT, Playing


def inject(playing: Playing, seat: str = "Bo", fact: str = "the mayor is my aunt", **fields: object) -> str:
    injected = playing.act(seat, "inject", fact=fact, **fields)
    found: str = playing.told(injected, "injected")["injection"]["id"]
    return found


def test_a_fact_enters_the_story_without_dice_or_points(playing: Playing) -> None:
    """NJ-22: at any moment, and all are told."""
    before = playing.sheet("Kira")
    inject(playing)
    assert playing.facts("Di") == ["the mayor is my aunt"]
    assert playing.words("Di")[-1] == "Bo injects: the mayor is my aunt"
    assert playing.sheet("Kira") == before


def test_once_per_session_and_player(playing: Playing) -> None:
    """NJ-22: each player has one, and a new evening brings another."""
    playing.act("Ada", "begin_evening")
    inject(playing, "Bo")
    assert playing.refused("Bo", "inject", fact="and my uncle") == "injected"
    inject(playing, "Cy")
    playing.act("Ada", "end_evening")
    assert playing.refused("Bo", "inject", fact="and my uncle") == "injected"
    playing.act("Ada", "begin_evening")
    inject(playing, "Bo", "and my uncle")


def test_a_veto_takes_it_out_and_gives_it_back(playing: Playing) -> None:
    """NJ-22, ruling: fact and aspect are gone, and the player may inject again."""
    made = inject(playing, aspect="Family ties", span="story")
    assert playing.aspects() == ["Family ties"]
    playing.act("Ada", "veto_injection", injection=made, why="she has no family")
    assert playing.facts() == []
    assert playing.aspects() == []
    assert playing.refused("Ada", "veto_injection", injection=made) == "no_such_thing"
    inject(playing, fact="the mayor owes me")
    assert playing.facts() == ["the mayor owes me"]


def test_a_veto_of_an_older_one_leaves_this_session_s_as_it_is(playing: Playing) -> None:
    """NJ-22: nasty: what was of the last evening gives nothing back in this one."""
    old = inject(playing)
    playing.act("Ada", "begin_evening")
    inject(playing, fact="the mayor owes me")
    playing.act("Ada", "veto_injection", injection=old)
    assert playing.refused("Bo", "inject", fact="more") == "injected"


@pytest.mark.parametrize(("seat", "code"), [("Ada", "not_allowed"), ("Di", "not_allowed")])
def test_injections_are_the_players(playing: Playing, seat: str, code: str) -> None:
    """NJ-22: per player; only the game master vetoes."""
    assert playing.refused(seat, "inject", fact="it rains") == code
    assert playing.refused("Cy", "veto_injection", injection=inject(playing)) == "not_allowed"


def test_an_empty_fact_is_none(playing: Playing) -> None:
    """NJ-22: something has to be true."""
    assert playing.refused("Bo", "inject", fact=" ") == "no_fact"


def test_an_injection_is_no_term_but_the_aspect_it_made_is(playing: Playing) -> None:
    """NJ-22: a fact lends no dice; its aspect does, to rolls that come after."""
    made = inject(playing, aspect="Loose tiles")
    assert playing.hand() == [("rating", "agility", 3)]
    assert playing.hand(aspects=["Loose tiles"])[1:] == [("aspect", "Loose tiles", 1)]
    assert playing.hand(aspects=[made])[1:] == [("aspect", "Loose tiles", 1)]
    assert playing.refused("Cy", "inject", fact="more tiles", aspect="loose tiles") == "name_taken"


def test_an_aspect_adds_no_dice_to_a_hand_already_thrown(open_table: Open) -> None:
    """NJ-22: the hand is closed when the dice fall; an aspect made then is for the next roll."""
    playing = open_table(house={"hand_dice": True})
    command = ("attempt", {**SHOT, "difficulty": 2})
    waiting = playing.host.act(playing.table, playing.seats["Bo"], command, by_hand=True)
    inject(playing, aspect="Loose tiles")
    assert playing.refused("Bo", "answer", act=waiting.act, answer=[5, 1, 1, 6]) == "not_an_option"
    outcome = playing.act("Bo", "answer", act=waiting.act, answer=[5, 1, 1])
    told = playing.told(outcome, "attempted")
    assert (told["dice"], told["success"]) == (3, False)


def test_a_rewind_gives_the_injection_back(playing: Playing) -> None:
    """NJ-22: what was injected on an abandoned branch was not."""
    marked = playing.act("Ada", "mark_save_node", label="before")
    inject(playing)
    playing.act("Ada", "rewind", node=playing.told(marked, "save_node_marked")["node"], price="reserve")
    assert playing.facts() == []
    inject(playing)
