"""Before the roll."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import odds
from astragal.game.rolls import Term
from astragal.rulesets.new_shoes.rules import Reached, Result, approach, opposed_approach
from astragal.rulesets.new_shoes.state import Explode
from astragal.surfaces.shared.odds import case_words
from astragal.table.refusals import QuestionChanged
from tests.rulesets.new_shoes.conftest import Open
from tests.rulesets.new_shoes.playing import Playing
from tests.rulesets.new_shoes.prospects import before_approach, before_opposed, before_the_roll, chances_of

ROPE, RAIN = Term(name="rope", amount=2), Term(name="rain", amount=-3)
ROLL = ("roll_approach", {"who": "Kira"})


def test_chances_with_and_without_each_thing() -> None:
    """NS-16: as it stands, without what counts, with what does not."""
    prospect = before_approach(3, 12, counted=[ROPE], others=[RAIN])
    assert prospect.chances == chances_of(approach(3, 12, 2))
    assert [(turn.term, turn.counts, turn.otherwise) for turn in prospect.turns] == [
        (ROPE, True, chances_of(approach(3, 12))),
        (RAIN, False, chances_of(approach(3, 12, -1))),
    ]


def test_chances_against_another_player() -> None:
    """NS-06, NS-16: 1 against 1 beats 3 in 7; with +2 it is more."""
    prospect = before_opposed(1, 1, others=[ROPE])
    assert prospect.chances.beat == Fraction(3, 7)
    assert prospect.turns[0].otherwise == chances_of(opposed_approach(1, 1, 2))


@pytest.mark.parametrize("explode", Explode)
def test_beat_meet_and_miss_are_all_there_is(explode: Explode) -> None:
    """NS-16: in both options."""
    chances = before_approach(4, 20, [ROPE], explode=explode).chances
    assert chances.beat + chances.meet + chances.miss == 1


def test_the_preview_counts_results(playing: Playing) -> None:
    """NS-16: the chances of beating, meeting and missing, at the table."""
    playing.approach("Kira", "mind", 12)
    preview = playing.host.preview(playing.table, playing.seats["Bo"], ROLL)
    assert preview is not None
    assert preview.arguments == {
        "dice": 3,
        "target": 12,
        "statuses": 0,
        "won": 1,
        "lost": 1,
        "explode": "chain",
    }
    (case,) = preview.cases
    assert case.odds == odds(approach(3, 12)).map(lambda reached: reached.result)


def test_before_a_roll_at_the_table(playing: Playing) -> None:
    """NS-16: each status and each offered support, those that do not apply among them."""
    playing.status("moonlight", 1)
    playing.status("frayed", -2, what="the rope bridge")
    playing.approach("Kira", "mind", 12)
    playing.act("Cy", "support", who="Lund", supported="Kira", attribute="will")
    view = playing.look("Bo")
    prospects = before_the_roll(view, playing.who("Kira").id)
    assert list(prospects) == [12]
    prospect = prospects[12]
    assert prospect.chances == chances_of(approach(3, 12, 4))
    assert [(turn.term.name, turn.counts) for turn in prospect.turns] == [
        ("moonlight", True),
        ("support of Lund", True),
        ("frayed", False),
    ]
    assert prospect.turns[1].otherwise == chances_of(approach(3, 12, 1))
    shown = playing.preview("Bo", "roll_approach", who="Kira")
    assert [case_words(case) for case in shown.cases] == [
        "as it falls",
        "without moonlight +1",
        "without support of Lund +3",
        "with frayed −2",
    ]
    assert [case.odds.chance(Result.SUCCESS) for case in shown.cases[1:]] == [
        turn.otherwise.beat for turn in prospect.turns
    ]


def test_before_a_roll_against_a_hidden_target(playing: Playing) -> None:
    """NS-16: a span over the targets that it could be, for each status too; the game master knows better."""
    playing.approach("Kira", "mind", 12, hidden=True)
    kira = playing.who("Kira").id
    assert list(before_the_roll(playing.look("Bo"), kira)) == list(range(4, 21))
    playing.status("moonlight", 1)
    shown = playing.preview("Bo", "roll_approach", who="Kira")
    assert [(case.span.against, case.variant) for case in shown.cases if case.span] == [
        (12, None),
        (12, "without moonlight +1"),
    ]
    assert list(before_the_roll(playing.look("Ada"), kira)) == [12]


def test_before_an_opposed_roll(playing: Playing) -> None:
    """NS-06, NS-16: both sides' statuses are in it, and the preview says the same."""
    playing.status("angry", 2, who="Lund")
    playing.describe("Kira")
    playing.describe("Lund")
    fields = {"attribute": "mind", "opponent": "Lund", "opposing_attribute": "body"}
    playing.act("Ada", "call_opposed", who="Kira", **fields)
    prospect = before_the_roll(playing.look("Bo"), playing.who("Kira").id)[None]
    assert prospect.chances == chances_of(opposed_approach(3, 2, 0, 2))
    preview = playing.host.preview(playing.table, playing.seats["Bo"], ROLL)
    assert preview is not None
    assert preview.cases[0].odds.chance(Result.SUCCESS) == prospect.chances.beat


def test_what_harm_can_take_is_in_the_question(playing: Playing) -> None:
    """NS-10, NS-17: the troll has 5 Body to lose, and Kira 4: past that, all totals are one."""
    playing.act("Ada", "prompt_reaction", who="Kira", words="!", by="Troll", attribute="body", target=12)
    (reaction,) = playing.look("Bo").game.approaches
    playing.describe("Kira", harmful=True, approach=reaction)
    preview = playing.host.preview(playing.table, playing.seats["Bo"], ROLL)
    assert preview is not None
    assert (preview.arguments["won"], preview.arguments["lost"]) == (5, 4)
    weighed = odds(approach(4, 12, won=5, lost=4))
    assert set(weighed.weights) == {Reached(margin) for margin in range(-4, 6)}


def test_what_healing_can_give_is_in_the_question(playing: Playing) -> None:
    """NS-14, NS-17: the points that are missing, and at least 1, which tells success from failure."""

    def counted(who: str) -> tuple[int, int]:
        shown = playing.preview("Ada", "roll_approach", who=who).arguments
        return shown["won"], shown["lost"]

    playing.act("Ada", "override", who="Kira", what="body", value=1)
    playing.describe("Lund")
    heals = {"who": "Lund", "attribute": "mind", "target": 8, "patient": "Kira", "healed": "body"}
    playing.act("Ada", "call_healing", **heals)
    assert counted("Lund") == (3, 1)
    playing.act("Ada", "override", who="Kira", what="body", value=3)
    assert counted("Lund") == (1, 1)
    playing.act("Ada", "override", who="Kira", what="body", value=4)
    assert counted("Lund") == (1, 1)
    playing.act("Ada", "override", who="Troll", what="body", value=1)
    playing.approach("Kira", "body", 8, harmful=True, against="Troll")
    assert counted("Kira") == (1, 1)
    playing.act("Ada", "override", who="Troll", what="body", value=0)
    assert counted("Kira") == (1, 1)


def test_the_option_is_in_the_question(open_table: Open) -> None:
    """NS-03, NS-16: previews know how sixes explode here."""
    playing = open_table(explode="once")
    playing.approach("Kira", "mind", 16)
    prospect = before_the_roll(playing.look("Bo"), playing.who("Kira").id)[16]
    assert prospect.chances == chances_of(approach(3, 16, explode=Explode.ONCE))


def test_a_roll_may_state_the_question_it_was_shown(playing: Playing) -> None:
    playing.approach("Kira", "mind", 12)
    shown = playing.host.preview(playing.table, playing.seats["Bo"], ROLL)
    assert shown is not None
    playing.status("fog", -2)
    with pytest.raises(QuestionChanged):
        playing.host.act(playing.table, playing.seats["Bo"], ROLL, shown=shown.question)
