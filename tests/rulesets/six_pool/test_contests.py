"""Contests: SP-13."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.chance import Offer, Together, odds, play
from astragal.chance.dice import EnteredDice
from astragal.chance.play import Settled, Waiting
from astragal.rulesets.six_pool.catalogue import CONTESTS, Pool, Side
from astragal.rulesets.six_pool.contests import Contender, Outcome, contest
from astragal.rulesets.six_pool.rerolls import Declared
from astragal.rulesets.six_pool.state import WithPoints
from astragal.table.log.repository import Outcome as Kept
from astragal.table.preview import Span
from tests.rulesets.six_pool.conftest import Open
from tests.rulesets.six_pool.playing import Playing

BARD, NOBLE = Contender(bonus=5), Contender(bonus=3)


def test_the_bard_and_the_noble() -> None:
    """SP-13: +5 against +3 wins 57.25 %, and 4.5 % are ties."""
    weighed = odds(contest(BARD, NOBLE)).map(lambda verdict: verdict.outcome)
    assert weighed.chance(Outcome.ACTOR_WINS) == Fraction("0.5725")
    assert weighed.chance(Outcome.TIE) == Fraction("0.045")


@pytest.mark.parametrize("tie_to", list(Side))
def test_the_call_names_who_has_a_tie(tie_to: Side) -> None:
    """SP-13: the defender, or the status quo."""
    played = play(contest(BARD, NOBLE, tie_to), EnteredDice([8, 10]))
    assert isinstance(played, Settled)
    assert (played.value.winner, played.value.margin) == (tie_to, 0)


@pytest.mark.parametrize(
    ("faces", "winner", "outcome"),
    [([9, 10], Side.ACTOR, Outcome.ACTOR_WINS), ([7, 10], Side.HOLDER, Outcome.HOLDER_WINS)],
)
def test_the_higher_total_wins_a_contest_by_one(faces: list[int], winner: Side, outcome: Outcome) -> None:
    """SP-13: the higher total wins, whoever has a tie."""
    for tie_to in Side:
        played = play(contest(BARD, NOBLE, tie_to), EnteredDice(faces))
        assert isinstance(played, Settled)
        assert (played.value.winner, played.value.outcome) == (winner, outcome)


def test_all_that_a_side_may_declare() -> None:
    """SP-13, SP-18: points up to the most; Inspiration instead, or under `yes` with any of them."""
    assert list(Contender(most=2, inspired=True).declarations.values()) == [
        *(Declared(points) for points in range(3)),
        Declared(inspired=True),
    ]
    both = Contender(most=2, inspired=True, with_points=WithPoints.YES).declarations
    assert list(both) == [0, 1, 2, "inspiration", "inspiration and 1", "inspiration and 2"]
    assert both["inspiration and 2"] == Declared(2, inspired=True)


def test_naturals_have_no_force_in_a_contest() -> None:
    """SP-13: a 20 can lose and a 1 can win."""
    played = play(contest(Contender(bonus=30), Contender()), EnteredDice([1, 20]))
    assert isinstance(played, Settled)
    assert played.value.winner is Side.ACTOR


def test_both_declare_before_any_die() -> None:
    """SP-13: together, and nobody is asked who has nothing to declare."""
    waiting = play(contest(Contender(most=2), Contender(most=1)), EnteredDice())
    assert isinstance(waiting, Waiting)
    assert isinstance(waiting.need, Together)
    assert [offer.options for offer in waiting.need.offers] == [(0, 1, 2), (0, 1)]
    assert waiting.record.rolled == ()
    least = play(contest(Contender(most=1), Contender(most=1)), EnteredDice())
    assert isinstance(least, Waiting)
    assert isinstance(least.need, Together)
    for sides, asked in (((Contender(most=1), Contender()), "actor"), ((Contender(), Contender(most=1)), "holder")):
        alone = play(contest(*sides), EnteredDice())
        assert isinstance(alone, Waiting)
        assert isinstance(alone.need, Offer)
        assert alone.need.side == asked


@pytest.mark.parametrize(
    ("helped", "hindered", "faces", "natural"),
    [(True, False, [7, 15], 15), (False, True, [7, 15], 7), (True, True, [7], 7)],
)
def test_advantage_counts_in_a_contest(helped: bool, hindered: bool, faces: list[int], natural: int) -> None:
    """SP-13, SP-10: for either side, by itself."""
    side = Contender(helped=helped, hindered=hindered)
    acting = play(contest(side, NOBLE), EnteredDice([*faces, 10]))
    holding = play(contest(NOBLE, side), EnteredDice([10, *faces]))
    assert isinstance(acting, Settled)
    assert isinstance(holding, Settled)
    assert acting.value.actor.thrown.natural == holding.value.holder.thrown.natural == natural


# ---------------------------------------------------------------- at the table


def hide(playing: Playing, **fields: object) -> Kept:
    """Kira creeps past Lund."""
    return playing.act("Bo", "contest", **{"who": "Kira", "against": "Lund", "contest": "stealth", **fields})


def test_neither_side_sees_the_other_before_both_are_in(playing: Playing) -> None:
    """SP-13: not on a card, not in the state, not as game master: sealed answers are for nobody."""
    waiting = hide(playing)
    assert set(waiting.waits_for) == {"actor", "holder"}
    playing.answer("Bo", waiting, 3)
    for seat in ("Ada", "Bo", "Cy", "Di"):
        sealed = playing.host.follow(playing.table, playing.seats[seat]).events[-1]
        assert sealed.name == "answer_sealed"
        assert "answer" not in sealed.fields
        assert sealed.words == "Kira has decided"
    assert playing.held("Kira", Pool.DEX) == 18
    told = playing.told(playing.answer("Cy", waiting, 2, 10, 12), "contested")
    assert (told["actor"]["total"], told["holder"]["total"]) == (10 + 2 + 1 + 3, 12 + 2)
    assert (told["winner"], told["margin"]) == ("actor", 2)
    assert (playing.held("Kira", Pool.DEX), playing.held("Lund", Pool.WIS)) == (15, 10)


def test_when_both_are_in_all_are_told_what_each_put_in(playing: Playing) -> None:
    """SP-13: and who declared in the place of somebody else."""
    waiting = hide(playing)
    assert playing.answer("Ada", waiting, 0).events[-1].words == "Kira has decided (decided for Bo)"
    playing.answer("Cy", waiting, 2, 10, 12)
    for seat in ("Ada", "Bo", "Cy", "Di"):
        words = [event.words for event in playing.host.follow(playing.table, playing.seats[seat]).events]
        assert "Kira answers “Put nothing in”, Lund answers “Put 2 in”" in words


def test_skills_may_be_named_instead_of_a_contest(playing: Playing) -> None:
    """SP-13: each side its own, or a pool; a tie is the holder's, unless the call says otherwise."""
    named = {"skill": "lock picking", "against_pool": "INT"}
    for fields, winner, words in (({}, "holder", "Lund holds out"), ({"tie_to": "actor"}, "actor", "Kira wins")):
        waiting = hide(playing, contest=None, **named, **fields)
        playing.answer("Bo", waiting, 0)
        outcome = playing.answer("Cy", waiting, 0, 10, 15)
        told = playing.told(outcome, "contested")
        assert (told["actor"]["aim"]["name"], told["holder"]["aim"]["name"]) == ("lock picking", "")
        assert (told["actor"]["total"], told["holder"]["total"], told["winner"]) == (15, 15, winner)
        (contested,) = (event for event in outcome.events if event.name == "contested")
        assert contested.went is not None
        assert contested.went.words == words
        assert contested.words.endswith(f". {'Kira' if winner == 'actor' else 'Lund'} has the tie")


def test_neither_side_may_be_down(playing: Playing) -> None:
    """SP-13, SP+04: both roll, and who is down can make saves only."""
    playing.act("Ada", "harm", who="Lund", damage="99")
    assert playing.refused("Bo", "contest", who="Kira", against="Lund", contest="stealth") == "down"
    assert playing.refused("Cy", "contest", who="Lund", against="Kira", contest="stealth") == "down"


def test_a_sealed_declaration_can_not_be_changed(playing: Playing) -> None:
    """SP-13: declared is declared."""
    waiting = hide(playing)
    playing.answer("Bo", waiting, 3)
    assert playing.refused("Bo", "answer", act=waiting.act, answer=0) == "not_yours"
    assert playing.refused("Cy", "answer", act=waiting.act, answer=9) == "not_an_option"


def test_who_declares_can_not_roll_something_else_meanwhile(playing: Playing) -> None:
    """SP-13, SP-03: points that are in play can't be spent twice."""
    hide(playing)
    assert playing.refused("Bo", "check", who="Kira", skill="stealth", dc=10, points=5) == "still_deciding"
    assert playing.refused("Ada", "override", who="Kira", what="DEX", value=1) == "still_deciding"


def test_npcs_have_no_pools_unless_given_some(playing: Playing) -> None:
    """SP-13: the Guard declares nothing, the Captain may."""
    waiting = playing.act("Bo", "contest", who="Kira", against="Guard", contest="stealth")
    assert waiting.waits_for == ("actor",)
    playing.answer("Bo", waiting, 0, 10, 10)
    playing.act("Ada", "make_npc", name="Captain", level=9, pools={"WIS": 4}, edges={"WIS": 2})
    waiting = playing.act("Bo", "contest", who="Kira", against="Captain", contest="stealth")
    playing.answer("Bo", waiting, 0)
    told = playing.told(playing.answer("Ada", waiting, 4, 10, 10), "contested")
    assert told["holder"]["total"] == 10 + 2 + 4


@pytest.mark.parametrize(
    ("name", "pools"),
    [
        ("grappling", [("STR", "STR"), ("STR", "DEX")]),
        ("deception", [("CHA", "WIS")]),
        ("stealth", [("DEX", "WIS")]),
        ("intimidation", [("CHA", "WIS"), ("CHA", "CHA")]),
        ("arm wrestling", [("STR", "STR")]),
        ("debate", [("CHA", "CHA"), ("INT", "INT")]),
    ],
)
def test_the_common_contests(playing: Playing, name: str, pools: list[tuple[str, str]]) -> None:
    """SP-13: presets by name; where there are several ways, the pool says which."""
    assert name in CONTESTS
    for actor, holder in pools:
        fields = {"who": "Kira", "against": "Lund", "contest": name, "pool": actor, "against_pool": holder}
        waiting = playing.act("Bo", "contest", **fields)
        playing.answer("Bo", waiting, 0)
        told = playing.told(playing.answer("Cy", waiting, 0, 9, 9), "contested")
        assert (told["actor"]["aim"]["pool"], told["holder"]["aim"]["pool"]) == (actor, holder)


def test_a_table_adds_contests_of_its_own(playing: Playing) -> None:
    """SP-13: and says who has a tie in them."""
    fields = {"name": "Staring", "actor": ["CON"], "holder": ["insight", "CON"], "tie_to": "actor"}
    playing.act("Ada", "add_contest", **fields)
    waiting = playing.act("Bo", "contest", who="Kira", against="Lund", contest="staring")
    playing.answer("Bo", waiting, 0)
    assert playing.told(playing.answer("Cy", waiting, 0, 9, 9), "contested")["winner"] == "actor"
    assert playing.refused("Ada", "add_contest", name="void", actor=[], holder=["CON"]) == "no_skill"
    assert playing.refused("Ada", "add_contest", name="void", actor=["CON"], holder=[]) == "no_skill"
    assert playing.refused("Ada", "add_contest", name="STARING", actor=["CON"], holder=["CON"]) == "name_taken"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"against": "Kira"}, "same_side"),
        ({"contest": "juggling"}, "no_such_thing"),
        ({"contest": "debate", "pool": "STR"}, "other_pool"),
        ({"advantage": ["prone"]}, "circumstance"),
        ({"against_disadvantage": ["flanking"]}, "circumstance"),
        ({"contest": None}, "no_skill"),
    ],
)
def test_a_contest_that_can_not_be_is_refused(playing: Playing, fields: dict[str, object], code: str) -> None:
    """SP-13: before anybody declares."""
    asked = {"who": "Kira", "against": "Lund", "contest": "stealth", **fields}
    assert playing.refused("Bo", "contest", **asked) == code


def test_inspiration_is_declared_in_secret_too(playing: Playing) -> None:
    """SP-13, SP-18: for advantage and without points, or under `yes` with them."""
    playing.act("Ada", "award_inspiration", who="Kira")
    waiting = hide(playing)
    assert playing.refused("Bo", "answer", act=waiting.act, answer="inspiration and 2") == "not_an_option"
    playing.answer("Bo", waiting, "inspiration")
    told = playing.told(playing.answer("Cy", waiting, 0, 4, 16, 12), "contested")
    assert (told["actor"]["natural"], told["actor"]["footing"]) == (16, "advantage")
    assert playing.sheet("Kira").inspiration == 0


def test_inspiration_and_points_together_where_the_table_says_so(open_table: Open) -> None:
    """SP-18: option `inspiration_with_points`."""
    playing = open_table(inspiration_with_points="yes")
    playing.act("Ada", "award_inspiration", who="Kira")
    waiting = hide(playing)
    playing.answer("Bo", waiting, "inspiration and 2")
    told = playing.told(playing.answer("Cy", waiting, 0, 4, 16, 12), "contested")
    assert told["actor"]["total"] == 16 + 2 + 1 + 2


def test_a_die_of_a_contest_can_be_rerolled_after_seeing_it(playing: Playing) -> None:
    """SP-13, SP-18: by its own side, before the other rolls."""
    playing.act("Ada", "award_inspiration", who="Kira")
    waiting = hide(playing, rerolls="if it fails")  # which nobody knows yet
    playing.answer("Bo", waiting, 1)
    assert playing.answer("Cy", waiting, 0, 2).waits_for == ("actor",)
    told = playing.told(playing.answer("Bo", waiting, "inspiration", 18, 12), "contested")
    assert (told["actor"]["natural"], told["actor"]["rerolled"]) == (18, ["inspiration"])


def test_efficient_edge_counts_in_a_contest(open_table: Open) -> None:
    """SP-20, SP-13: the first two of three points double at Edge 1."""
    playing = open_table(edge="efficiency")
    waiting = hide(playing)
    playing.answer("Bo", waiting, 3)
    told = playing.told(playing.answer("Cy", waiting, 0, 10, 10), "contested")
    assert told["actor"]["total"] == 10 + 2 + 5


def test_a_preview_of_a_contest_is_exact(playing: Playing) -> None:
    """SP-13: against what is known, with nothing declared."""
    case, *_ = playing.preview("Bo", "contest", who="Kira", against="Lund", contest="stealth").cases
    wins = sum(one + 2 + 1 > other for one, other in product(range(1, 21), repeat=2))
    assert case.odds.chance(Outcome.ACTOR_WINS) == Fraction(wins, 400)


def wins(ahead: int) -> Fraction:
    """The chance that a d20 and so much beats another d20."""
    return Fraction(sum(one + ahead > other for one, other in product(range(1, 21), repeat=2)), 400)


def test_a_preview_of_a_contest_has_the_odds_of_every_bid(playing: Playing) -> None:
    """SP-13, SP-21: whatever Lund declares, up to the 4 that he may; 2 is the middle of it."""
    bids = playing.preview("Bo", "contest", who="Kira", against="Lund", contest="stealth").cases[1:]
    assert [case.bid for case in bids] == [0, 1, 2, 3, 4, 5]
    for case in bids:
        assert isinstance(case.bid, int)
        ahead = 2 + 1 + case.bid
        assert case.span == Span(wins(ahead - 4), wins(ahead - 2), wins(ahead), against=2, noun="a bid of")


def test_a_preview_against_closed_numbers_is_a_span_over_usual_bonuses(playing: Playing) -> None:
    """SP-13, SP-06: from the untrained to a master at the highest level; the true bonus plays no part."""
    falls, *bids = playing.preview("Bo", "contest", who="Kira", against="Guard", contest="stealth").cases
    assert falls.span == Span(wins(3 - 10), wins(3 - 5), wins(3), against=5, noun="a bonus of")
    assert [case.span.likely for case in bids if case.span] == [wins(3 + bid - 5) for bid in range(6)]


def told_before_declaring(playing: Playing, seat: str) -> dict[Any, str]:
    """What somebody who is asked to declare is told of each answer."""
    (waits,) = playing.host.decisions(playing.table, playing.seats[seat])
    return {choice.answer: choice.words for choice in waits.choices}


def test_whoever_declares_sees_the_chance_of_every_bid(playing: Playing) -> None:
    """SP-13, SP-21: each side its own, whatever the other may declare."""
    hide(playing)
    kira, lund = told_before_declaring(playing, "Bo"), told_before_declaring(playing, "Cy")
    assert kira[0] == "43–62 %, 52 % against a bid of 2"
    assert lund[0] == "20–38 %, 30 % against a bid of 2"
    assert list(kira) == [0, 1, 2, 3, 4, 5]
    assert list(lund) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("bid", [0, 5])
def test_a_sealed_bid_changes_nothing_that_the_other_side_is_told(playing: Playing, bid: int) -> None:
    """SP-13: the odds of one's own bids do not betray the other's."""
    waiting = hide(playing)
    before = told_before_declaring(playing, "Cy")
    playing.answer("Bo", waiting, bid)
    assert told_before_declaring(playing, "Cy") == before


@pytest.mark.parametrize(("level", "training"), [(1, "trained"), (20, "master")])
def test_whoever_declares_against_closed_numbers_is_told_nothing_of_them(
    playing: Playing, level: int, training: str
) -> None:
    """SP-13: as the actor and as the one who holds out: a span over what is usual, the same for everybody."""
    sneak = {"perception": training, "stealth": training}
    playing.act("Ada", "make_npc", name="Watch", level=level, training=sneak)
    waiting = playing.act("Bo", "contest", who="Kira", against="Watch", contest="stealth")
    assert told_before_declaring(playing, "Bo")[3] == "30–74 %, 52 % against a bonus of 5"
    playing.answer("Bo", waiting, 0, 10, 10)
    playing.act("Ada", "contest", who="Watch", against="Kira", contest="stealth")
    assert told_before_declaring(playing, "Bo")[0] == "14–52 %, 30 % against a bonus of 5"


def test_a_tie_that_is_the_actors_counts_as_a_win(playing: Playing) -> None:
    """SP-13: the call names who has a tie."""
    fields = {"who": "Kira", "against": "Lund", "contest": "stealth", "tie_to": "actor"}
    assert playing.preview("Bo", "contest", **fields).cases[0].success == wins(3 + 1)


def test_the_question_betrays_no_closed_numbers(playing: Playing) -> None:
    """SP-13: who declares against the Guard does not read his bonus in what waits."""
    waiting = playing.act("Bo", "contest", who="Kira", against="Guard", contest="stealth")
    assert "arguments" not in waiting.events[-1].fields["decision"]["question"]
    rolled = playing.told(playing.answer("Bo", waiting, 0, 10, 10), "rolled")
    assert "arguments" not in rolled["question"]
    known = playing.act("Bo", "contest", who="Kira", against="Lund", contest="stealth")
    assert "arguments" in known.events[-1].fields["decision"]["question"]
