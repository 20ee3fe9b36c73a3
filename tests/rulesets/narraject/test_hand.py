"""NJ-10, NJ-20, NJ-21: the hand in numbers, before any table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.rulesets.narraject.hand import Hand, HandFloor, HandParts, Source, Term, breakdown, roll_hand
from astragal.rulesets.narraject.state import TERMS
from astragal.table.authoring.log_lines import Teller
from tests.rulesets.narraject.playing import Playing

RATING = Term(Source.RATING, 3, "agility")
HURT = Term(Source.BURDEN, -3, "Afraid of Fire")


def makings(*terms: Term, floor: HandFloor = HandFloor.RATING) -> HandParts:
    return HandParts((RATING, *terms), floor.dice(3))


def test_kira_builds_ten_dice() -> None:
    """NJ-10: the book's own example: 3 + 2 + 2 + 2 + 1."""
    gathered = makings(Term(Source.ANCHOR, 2), Term(Source.ASSET, 2), Term(Source.ASPECT, 1))
    assert gathered.hand(2).dice == 10
    assert [term.source.value for term in gathered.hand(2).terms] == ["rating", "focus", "anchor", "asset", "aspect"]


@pytest.mark.parametrize(
    ("floor", "focus", "dice", "idle"),
    [
        (HandFloor.RATING, 0, 3, 0),
        (HandFloor.RATING, 2, 3, 2),
        (HandFloor.RATING, 3, 3, 3),
        (HandFloor.RATING, 4, 4, 3),
        (HandFloor.ONE, 0, 1, 0),
        (HandFloor.ONE, 1, 1, 1),
        (HandFloor.ONE, 2, 2, 1),
        (HandFloor.ZERO, 0, 0, 0),
        (HandFloor.ZERO, 1, 1, 0),
    ],
)
def test_focus_may_do_no_more_than_the_floor_does(floor: HandFloor, focus: int, dice: int, idle: int) -> None:
    """NJ-20: the floor holds the whole sum, Focus included; points that add no die are marked."""
    hand = makings(HURT, floor=floor).hand(focus)
    assert (hand.dice, hand.idle) == (dice, idle)


def test_burdens_past_an_empty_hand_leave_it_empty() -> None:
    """NJ-20: with the floor at zero a hand has no dice, never fewer."""
    hand = makings(HURT, HURT, floor=HandFloor.ZERO).hand(1)
    assert (hand.dice, hand.idle) == (0, 1)


def test_a_desperation_roll_is_the_rating() -> None:
    """NJ-21: nothing applies, so the hand is the Rating; a Burden still counts, down to the floor."""
    assert makings().hand() == Hand((RATING,))
    assert makings().hand().is_desperate
    burdened = makings(Term(Source.BURDEN, -1), floor=HandFloor.ONE).hand()
    assert burdened.is_desperate
    assert burdened.dice == 2
    assert makings(HURT).hand().dice == 3
    assert not makings().hand(1).is_desperate


terms = st.lists(
    st.builds(Term, st.sampled_from([Source.ANCHOR, Source.BURDEN, Source.TAG]), st.integers(-6, 6)), max_size=6
)


@pytest.mark.slow
@given(terms, st.sampled_from(HandFloor), st.integers(0, 5))
def test_the_terms_always_add_up_to_the_dice(others: list[Term], floor: HandFloor, focus: int) -> None:
    """NJ-10, NJ-20: what is listed is what is rolled, and every point of Focus is a die or idle."""
    gathered = makings(*others, floor=floor)
    hand, bare = gathered.hand(focus), gathered.hand()
    assert hand.dice == max(floor.dice(3), 3 + focus + sum(term.dice for term in others))
    assert hand.dice - bare.dice == focus - hand.idle


def test_a_hand_of_less_than_nothing_can_not_be_made() -> None:
    """NJ-20: not even from outside."""
    with pytest.raises(ValueError, match="less than no dice"):
        Hand((HURT,))


def test_a_roll_is_explained_as_players_say_it(playing: Playing) -> None:
    """NJ-10: each source with its dice, what the hand comes to, and what was needed."""
    gathered = makings(Term(Source.ANCHOR, 2, "Breath of a Seal"), Term(Source.TAG, -1, "Brass Helmet (Heavy)"))
    question = roll_hand(gathered.hand(2), 4)
    assert list(breakdown(question, Teller(playing.look("Ada"), TERMS))) == [
        ("Agility", "3"),
        ("Focus", "+2"),
        ("Anchor: Breath of a Seal", "+2"),
        ("Brass Helmet (Heavy)", "−1"),
        ("The hand", "6 dice"),
        ("Needed", "4 successes (hard)"),
    ]


def test_the_floor_and_focus_that_does_nothing_are_explained_too(playing: Playing) -> None:
    """NJ-20: points that only do the floor's work."""
    assert list(breakdown(roll_hand(makings(HURT).hand(2), 1), Teller(playing.look("Ada"), TERMS))) == [
        ("Agility", "3"),
        ("Focus", "+2"),
        ("Burden: Afraid of Fire", "−3"),
        ("Floor", "+1"),
        ("The hand", "3 dice"),
        ("Focus without effect", "2"),
        ("Needed", "1 success (easy)"),
    ]
