"""NJ-01 to NJ-03 and NJ-06: intents, rolls that are called and not, and what comes true."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.table.authoring.display import Tone, Went
from astragal.table.preview import Span
from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import SHOT, Playing

DANCE = {"who": "Kira", "goal": "the King's army", "approach": "an ancestral dance"}


def request(playing: Playing, difficulty: int | str | None, *, hidden: bool = False, command: str = "attempt") -> str:
    asked = playing.act("Ada", "request_roll", who="Kira", command=command, difficulty=difficulty, hidden=hidden)
    found: str = playing.told(asked, "roll_requested")["request"]["id"]
    return found


def test_goal_and_approach_are_recorded_with_the_roll(playing: Playing) -> None:
    """NJ-01: an action is an intent and an approach, and both stay with the dice."""
    told = playing.told(playing.shoot(5, 1, 1), "attempted")
    assert (told["goal"], told["approach"]) == ("the target to fall", "one shot")


@pytest.mark.parametrize(
    ("goal", "approach"),
    [("Open the hatch", "with the boat hook"), ("to be let in", "by lying"), ("the hatch open", "one shot")],
)
def test_whatever_is_said_reads_as_it_was_said(playing: Playing, goal: str, approach: str) -> None:
    """NJ-01: no word stands before the answers that only some of them go with, and no full stop within the sentence."""
    said = {"goal": f"{goal}.", "approach": f" {approach}."}
    declared = playing.act("Bo", "declare_intent", who="Kira", **said).events[-1].words
    assert declared == f"Kira wants: {goal} ({approach})"
    assert playing.shoot(5, 1, 1, **said).events[-1].words.startswith(f"{declared}. 3 dice, a desperation roll: ")
    done = playing.act("Ada", "say_yes", who="Kira", **said, missing="challenge").events[-1].words
    assert done == f"{declared}. Done without dice, since it is too easy to fail"


@pytest.mark.parametrize("missing", ["goal", "approach"])
def test_nobody_rolls_without_an_intent(playing: Playing, missing: str) -> None:
    """NJ-01: what is wanted and how, both."""
    fields = {**SHOT, missing: "  "}
    assert playing.refused("Bo", "attempt", **fields, difficulty=1) == "no_intent"
    assert (
        playing.refused("Bo", "declare_intent", who="Kira", **{"goal": "x", "approach": "y", missing: ""})
        == "no_intent"
    )


def test_what_was_declared_need_not_be_said_again(playing: Playing) -> None:
    """NJ-01: the declared intent is the one that is rolled for, and then it is done with."""
    playing.act("Bo", "declare_intent", **DANCE)
    assert playing.game().intents[playing.who("Kira").id].goal == "the King's army"
    shown = playing.preview("Bo", "attempt", who="Kira", stat="persona", difficulty=2)
    assert shown.recalls == {"goal": "the King's army", "approach": "an ancestral dance"}
    assert playing.preview("Cy", "attempt", **{**SHOT, "who": "Lund"}, difficulty=2).recalls == {}
    playing.roll(5, 5)
    outcome = playing.act("Bo", "attempt", who="Kira", stat="persona", difficulty=2)
    assert playing.told(outcome, "attempted")["goal"] == "the King's army"
    assert playing.game().intents == {}
    assert playing.refused("Bo", "attempt", who="Kira", stat="persona", difficulty=2) == "no_intent"


@pytest.mark.parametrize("missing", ["uncertainty", "consequences", "challenge"])
def test_without_a_reason_to_roll_it_is_done(playing: Playing, missing: str) -> None:
    """NJ-02: no dice, and which of the three was missing is on record."""
    outcome = playing.act("Ada", "say_yes", **DANCE, missing=missing)
    assert playing.told(outcome, "done_without_dice")["missing"] == missing
    assert playing.names(outcome) == ["done_without_dice"]
    assert playing.facts() == ["the King's army"]


def test_nobody_is_asked_to_roll_any_more_for_what_is_done(playing: Playing) -> None:
    """NJ-02: and all read so; what others are asked for, and other rolls, stay."""
    for who, command in (("Kira", "attempt"), ("Kira", "defend"), ("Lund", "attempt")):
        playing.act("Ada", "request_roll", who=who, command=command, difficulty=2)
    outcome = playing.act("Ada", "say_yes", **DANCE, missing="challenge")
    assert playing.names(outcome) == ["done_without_dice", "request_withdrawn"]
    assert playing.words("Bo")[-1] == "Kira need not roll"
    left = [(playing.look("Bo").characters[one.who].name, one.command) for one in playing.look("Bo").requests.values()]
    assert left == [("Kira", "defend"), ("Lund", "attempt")]


def test_only_the_game_master_says_yes(playing: Playing) -> None:
    """NJ-02: and says which reason is missing."""
    assert playing.refused("Bo", "say_yes", **DANCE, missing="challenge") == "not_allowed"
    assert playing.refused("Ada", "say_yes", **DANCE) == "bad_fields"


def test_a_success_makes_the_intent_true_whole(playing: Playing) -> None:
    """NJ-03: the goal itself, word for word, is a fact of the story; a failure is none."""
    playing.shoot(1, 1, 1, goal="the guard asleep")
    assert playing.facts() == []
    playing.shoot(5, 1, 1, goal="the guard asleep")
    (fact,) = playing.game().facts.values()
    assert (fact.words, fact.by) == ("the guard asleep", playing.who("Kira").id)
    assert playing.words("Di")[-1].endswith("against 1 (easy). It comes true")


@pytest.mark.parametrize(
    ("faces", "went"),
    [
        ((1, 1, 1), Went(Tone.BAD, "failed, 1 short")),
        ((5, 1, 1), Went(Tone.GOOD, "it comes true")),
        ((5, 5, 5), Went(Tone.GOOD, "it comes true, 2 to spare")),
    ],
)
def test_a_headline_says_what_the_count_means_to_those_who_may_know(
    playing: Playing, faces: tuple[int, ...], went: Went
) -> None:
    """NJ-03, NJ-05: under a hidden difficulty nobody but the game master."""
    playing.shoot(*faces)
    assert playing.host.follow(playing.table, playing.seats["Bo"]).events[-1].went == went
    assert ("2 to spare" in playing.words("Bo")[-1]) is (faces == (5, 5, 5))
    act = playing.shoot(*faces, request=request(playing, 1, hidden=True)).act
    seen = [playing.host.events_of(playing.table, playing.seats[seat], act) for seat in ("Ada", "Bo")]
    assert [[one.went for one in events if one.name == "attempted"] for events in seen] == [[went], [None]]


def test_a_fact_is_undone_with_its_roll(playing: Playing) -> None:
    """NJ-03: facts are story, and the Reserve comes back with them."""
    playing.shoot(5, 5, 5, focus=0)
    playing.shoot(5, 5, 5, 5, focus=1, goal="the bell silent")
    playing.act("Ada", "undo")
    assert playing.facts() == ["the target to fall"]
    assert playing.sheet("Kira").reserves.agility == 11


# ---------------------------------------------------------------- requests


def test_a_request_holds_the_difficulty(playing: Playing) -> None:
    """NJ-04: set by the game master, it is not named again, and is met by the roll."""
    asked = request(playing, 2)
    assert playing.refused("Bo", "attempt", **SHOT, request=asked, difficulty=1) == "difficulty"
    outcome = playing.shoot(5, 5, 1, request=asked)
    assert playing.told(outcome, "attempted")["difficulty"] == 2
    assert playing.names(outcome) == ["rolled", "attempted", "request_met"]
    assert playing.refused("Bo", "attempt", **SHOT, request=asked) == "no_such_thing"


def test_a_request_may_leave_the_difficulty_open(playing: Playing) -> None:
    """NJ-04: then it is said with the roll."""
    asked = request(playing, None)
    assert playing.refused("Bo", "attempt", **SHOT, request=asked) == "difficulty"
    assert playing.told(playing.shoot(5, 5, 1, request=asked, difficulty=3), "attempted")["excess"] == -1


@pytest.mark.parametrize("difficulty", [-1, 61])
def test_a_request_for_what_is_no_difficulty_is_refused(playing: Playing, difficulty: int) -> None:
    """NJ-04: at once, and not when the dice are in hand."""
    fields: dict[str, Any] = {"who": "Kira", "command": "attempt", "difficulty": difficulty}
    assert playing.refused("Ada", "request_roll", **fields) == "difficulty"
    assert playing.refused("Ada", "request_roll", **fields, hidden=True) == "difficulty"
    assert playing.look("Ada").requests == {}


def test_a_request_is_for_one_roll_and_one_hero(playing: Playing) -> None:
    """NJ-04: another's request, or one for another command, is no difficulty."""
    assert playing.refused("Bo", "attempt", **SHOT, request=request(playing, 2, command="defend")) == "other_roll"
    lund = {**SHOT, "who": "Lund"}
    assert playing.refused("Cy", "attempt", **lund, request=request(playing, 2)) == "no_such_thing"


def test_another_intent_reopens_the_difficulty(playing: Playing) -> None:
    """NJ-06: what was set for one intent does not hold for the next."""
    playing.act("Bo", "declare_intent", **DANCE)
    asked = request(playing, 5)
    playing.act("Ada", "request_roll", who="Lund", command="attempt", difficulty=2)
    playing.act("Ada", "request_roll", who="Kira", command="defend", difficulty=2)
    assert playing.refused("Bo", "declare_intent", **DANCE) == "no_change"
    bolder = {"who": "Kira", "stat": "persona", "goal": "the King's crown", "approach": "an ancestral dance"}
    assert playing.refused("Bo", "attempt", **bolder, request=asked) == "intent_changed"
    outcome = playing.act("Bo", "declare_intent", **{**DANCE, "goal": "the King's crown"})
    assert playing.names(outcome) == ["intent_declared", "request_withdrawn"]
    assert playing.refused("Bo", "attempt", who="Kira", stat="persona", request=asked) == "no_such_thing"


def test_an_intent_does_not_change_while_its_dice_are_in_the_air(open_table: Open) -> None:
    """NJ-01: nasty: dice by hand are waited for, and so is the next intent."""
    playing = open_table(house={"hand_dice": True})
    playing.act("Bo", "declare_intent", **DANCE)
    command = ("attempt", {"who": "Kira", "stat": "persona", "difficulty": 1})
    waiting = playing.host.act(playing.table, playing.seats["Bo"], command, by_hand=True)
    assert playing.refused("Bo", "declare_intent", **{**DANCE, "goal": "the King's crown"}) == "still_deciding"
    playing.act("Bo", "answer", act=waiting.act, answer=[5, 1])
    assert playing.facts() == ["the King's army"]


def test_a_roll_lapses_when_its_player_has_left(open_table: Open) -> None:
    """NJ-01, NJ+04: nasty: the dice by hand are nobody's then, and the table is told why nothing comes of them."""
    playing = open_table(house={"hand_dice": True})
    command = ("attempt", {**SHOT, "difficulty": 1})
    waiting = playing.host.act(playing.table, playing.seats["Bo"], command, by_hand=True)
    playing.act("Ada", "leave_seat", seat=playing.seats["Bo"])
    outcome = playing.act("Ada", "answer", act=waiting.act, answer=[5, 1, 1])
    assert "Kira is no player’s" in playing.told(outcome, "decision_lapsed")["why"]
    assert playing.facts() == []


# ---------------------------------------------------------------- hidden difficulties


def test_under_a_hidden_difficulty_the_preview_is_a_span(playing: Playing) -> None:
    """NJ-24, NJ-04: at every spend, from easy to very hard; likely challenging."""
    asked = request(playing, 2, hidden=True)
    shown = playing.preview("Bo", "attempt", **SHOT, request=asked)
    assert "difficulty" not in shown.arguments
    assert {case.spend for case in shown.cases} == set(range(6))
    assert shown.cases[0].span == Span(Fraction(0), Fraction(1, 27), 1 - Fraction(2, 3) ** 3, against=3)
    seen_by_the_game_master = playing.preview("Ada", "attempt", **SHOT, request=asked)
    assert seen_by_the_game_master.arguments["difficulty"] == 2


def test_successes_are_public_and_what_they_mean_is_not(playing: Playing) -> None:
    """NJ-03, NJ-05: a hidden difficulty is betrayed by no field, no word, no fact and no aspect."""
    asked = request(playing, 2, hidden=True)
    outcome = playing.shoot(5, 5, 1, request=asked, makes_aspect="Smoke")
    told = playing.told(outcome, "attempted")
    assert told["successes"] == 2
    assert not {"difficulty", "success", "excess"} & told.keys()
    for seat in ("Bo", "Cy", "Di"):
        assert not [one.went for one in playing.host.follow(playing.table, playing.seats[seat]).events if one.went]
        assert playing.facts(seat) == playing.aspects(seat) == []
        assert not [line for line in playing.words(seat) if "comes true" in line or "Smoke" in line]
    assert playing.facts("Ada") == ["the target to fall"]
    assert playing.aspects("Ada") == ["Smoke"]


def test_what_is_concealed_can_not_be_felt_for(playing: Playing) -> None:
    """NJ-23: nasty: naming the concealed aspect finds nothing, and its name is free."""
    playing.shoot(5, 5, 1, request=request(playing, 2, hidden=True), makes_aspect="Smoke")
    assert playing.refused("Bo", "attempt", **SHOT, difficulty=1, aspects=["Smoke"]) == "no_such_thing"
    playing.act("Bo", "inject", fact="it is foggy", aspect="Smoke")


def test_a_reveal_brings_the_fact_to_light_for_good(playing: Playing) -> None:
    """NJ-03: everyone learns the difficulty, the fact and the aspect."""
    outcome = playing.shoot(5, 5, 1, request=request(playing, 2, hidden=True), makes_aspect="Smoke")
    playing.act("Ada", "reveal", act=outcome.act)
    assert playing.facts("Bo") == ["the target to fall"]
    assert playing.aspects("Bo") == ["Smoke"]
    assert "2 successes against 2 (moderate). It comes true" in "\n".join(playing.words("Bo"))
    assert playing.words("Bo")[-1] == "It came true: the target to fall (“Smoke” lends 1 die)"


def test_a_reveal_tells_of_no_aspect_where_none_was_made(playing: Playing) -> None:
    """NJ-03: the fact alone."""
    outcome = playing.shoot(5, 5, 1, request=request(playing, 2, hidden=True))
    playing.act("Ada", "reveal", act=outcome.act)
    assert playing.words("Bo")[-1] == "It came true: the target to fall"


def test_the_reveal_of_a_failure_brings_nothing_to_light(playing: Playing) -> None:
    """NJ-03: only the numbers."""
    outcome = playing.shoot(5, 1, 1, request=request(playing, 2, hidden=True))
    revealed = playing.act("Ada", "reveal", act=outcome.act)
    assert playing.names(revealed) == ["revealed"]
    assert playing.facts() == []


@pytest.mark.parametrize(("said", "successes"), [("trivial", 0), ("hard", 4), ("Very hard", 5), ("mythic", 11)])
def test_a_request_names_its_difficulty(playing: Playing, said: str, successes: int) -> None:
    """NJ-04: as a number or as a name, in a request too; a name of a span takes the lower number."""
    asked = request(playing, said)
    assert playing.look("Ada").requests[asked].difficulty == successes
