"""Two players against each other."""

from __future__ import annotations

import pytest

from tests.rulesets.new_shoes.playing import Playing


@pytest.fixture
def opposed(playing: Playing) -> Playing:
    """Kira (Mind 3) wants something, and Lund (Body 2) is against it. Neither means harm."""
    playing.describe("Kira")
    playing.describe("Lund")
    call(playing)
    return playing


def call(playing: Playing, **fields: object) -> None:
    playing.act(
        "Ada",
        "call_opposed",
        who="Kira",
        attribute="mind",
        opponent="Lund",
        opposing_attribute="body",
        **fields,
    )


@pytest.mark.parametrize(
    ("mine", "theirs", "result"),
    [
        ((3, 3, 3), (5, 3), "success"),
        ((3, 3, 3), (6, 1, 2), "partial success"),
        ((3, 3, 3), (6, 1, 3), "failure"),
    ],
)
def test_the_others_total_is_the_target(
    opposed: Playing, mine: tuple[int, ...], theirs: tuple[int, ...], result: str
) -> None:
    """NS-06: a tie is a partial success for the one who acts."""
    outcome = opposed.roll("Kira", *mine, *theirs)
    assert opposed.told(outcome, "approach_rolled")["result"] == result
    assert opposed.told(outcome, "dice_thrown")["opposing_total"] == sum(theirs)


def test_each_side_has_its_own_statuses(playing: Playing) -> None:
    """NS-06: the opponent's count on the opponent's side, and not the other way round on mine as well."""
    playing.status("angry", 2, who="Lund")
    playing.status("tired", -1, who="Kira")
    playing.describe("Kira")
    playing.describe("Lund")
    call(playing)
    outcome = playing.roll("Kira", 4, 4, 4, 4, 4)
    thrown = playing.told(outcome, "dice_thrown")
    assert (thrown["total"], thrown["opposing_total"]) == (11, 10)
    rolled = playing.told(outcome, "approach_rolled")
    assert rolled["result"] == "success"
    assert (rolled["terms"], rolled["opposing_terms"]) == (
        [{"name": "tired", "amount": -1}],
        [{"name": "angry", "amount": 2}],
    )
    assert "Kira, Mind (tired −1) against Lund, Body (angry +2): success, and the player tells it" in playing.words(
        "Di"
    )


def test_both_approaches_are_done_with_one_roll(opposed: Playing) -> None:
    """NS-06: who opposes has no roll of their own."""
    (_, theirs) = opposed.look("Cy").game.approaches
    assert opposed.refused("Cy", "roll_approach", who="Lund", approach=theirs) == "opposes"
    opposed.roll("Kira", 3, 3, 3, 1, 1)
    assert not opposed.look("Cy").game.approaches
    assert not opposed.look("Cy").requests


def test_the_player_who_beats_the_other_tells_it(opposed: Playing) -> None:
    """NS-05, NS-06: a failure of the one who acts is the game master's to tell."""
    (acting, _) = opposed.look("Cy").game.approaches
    opposed.roll("Kira", 1, 1, 1, 4, 4)
    assert opposed.look("Cy").prompts[acting].to == opposed.game_master


def test_who_opposes_harms_only_if_they_said_so(opposed: Playing) -> None:
    """NS-10: Lund's approach did not."""
    outcome = opposed.roll("Kira", 1, 1, 1, 5, 5)
    assert "lost" not in opposed.names(outcome)


def test_harm_between_players_goes_both_ways(playing: Playing) -> None:
    """NS-06, NS-10: by default it takes the attribute that the victim rolled."""
    playing.describe("Kira", harmful=True)
    playing.describe("Lund", harmful=True)
    call(playing)
    harmed = playing.told(playing.roll("Kira", 3, 3, 1, 4, 2), "lost")
    assert (harmed["who"], harmed["points"]) == (playing.who("Lund").id, {"body": 1})


def test_a_failed_attack_on_a_harmful_opponent_hurts(playing: Playing) -> None:
    """NS-10: by what the other is ahead; the game master may name another attribute."""
    playing.describe("Kira", harmful=True)
    playing.describe("Lund", harmful=True)
    call(playing, hurt="will")
    outcome = playing.roll("Kira", 1, 1, 2, 4, 2)
    harmed = playing.told(outcome, "lost")
    assert (harmed["who"], harmed["points"], harmed["now"]) == (playing.who("Kira").id, {"will": 2}, {"will": 1})


def test_an_opposed_tie_harms_no_one(playing: Playing) -> None:
    """NS-10: whatever was meant."""
    playing.describe("Kira", harmful=True)
    playing.describe("Lund", harmful=True)
    call(playing)
    assert "lost" not in playing.names(playing.roll("Kira", 2, 2, 2, 3, 3))


def test_both_sides_must_have_described(playing: Playing) -> None:
    """NS-06: the other rolls an approach of their own."""
    playing.describe("Kira")
    fields = {"who": "Kira", "attribute": "mind", "opponent": "Lund", "opposing_attribute": "body"}
    assert playing.refused("Ada", "call_opposed", **fields) == "no_approach"
    assert playing.refused("Ada", "call_opposed", **{**fields, "opponent": "Troll"}) == "never_rolls"
    assert playing.refused("Ada", "call_opposed", **{**fields, "opponent": "Kira"}) == "one_side"


def test_when_one_side_leaves_nothing_is_left_to_roll(opposed: Playing) -> None:
    (acting, _) = opposed.look("Cy").game.approaches
    opposed.act("Cy", "drop_approach", who="Lund")
    assert not opposed.look("Cy").game.approaches
    assert not opposed.look("Cy").requests
    assert opposed.refused("Bo", "roll_approach", who="Kira", approach=acting) == "no_such_thing"


def test_an_opposed_approach_can_be_called_anew_against_a_target(opposed: Playing) -> None:
    """NS-02, NS-06: the other is free again, and there is one request."""
    opposed.call("Kira", "mind", 4)
    (mine, theirs) = opposed.look("Bo").game.approaches.values()
    assert theirs.called is None
    assert [request.id for request in opposed.look("Bo").requests.values()] == [mine.called.request]
    opposed.roll("Kira", 3, 3, 3)
    assert list(opposed.look("Bo").game.approaches) == [theirs.id]


def test_the_opponent_can_be_called_away(opposed: Playing) -> None:
    """NS-06: then whoever acted waits for another call."""
    opposed.call("Lund", "body", 4)
    (mine, theirs) = opposed.look("Bo").game.approaches.values()
    assert mine.called is None
    assert [request.id for request in opposed.look("Bo").requests.values()] == [theirs.called.request]
