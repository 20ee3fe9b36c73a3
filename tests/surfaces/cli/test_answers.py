"""Answers as they are typed: what is shown is what to type, and a number without its sign is no guess."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.play.answers import choice_of
from astragal.surfaces.cli.table_view import asking_lines
from astragal.surfaces.shared.pending import Answer, Asking


def offered(*values: int) -> Asking:
    """Luck that moves a die down or up, for as many tokens."""
    answers = tuple(Answer(value, str(value), "a success" if value == -9 else "", abs(value)) for value in values)
    return Asking(act="1", who="Kira", name="luck", command="test", own=True, answers=answers)


LUCK = offered(0, -3, -9, 3)


def test_numbers_are_shown_with_their_sign_where_some_are_below_nought() -> None:
    shown = "\n".join(asking_lines(LUCK))
    assert "every legal answer: 0, -3, -9, +3" in shown
    assert "one of 0, 3" in "\n".join(asking_lines(offered(0, 3)))


def test_what_is_shown_is_what_to_type() -> None:
    assert [choice_of(LUCK, [typed]) for typed in ("0", "-3", "-9", "+3")] == [0, -3, -9, 3]


def test_a_bare_number_is_the_only_one_that_it_can_be_or_is_asked_back() -> None:
    assert choice_of(LUCK, ["9"]) == -9
    assert choice_of(offered(0, 3), ["3"]) == 3
    with pytest.raises(BadCall, match=r"'3' could be any of -3, \+3. Which one\?"):
        choice_of(LUCK, ["3"])


def moving_a_die(*chances: tuple[int, Fraction | None]) -> Asking:
    answers = tuple(Answer(value, str(value), "a success", abs(value), success=chance) for value, chance in chances)
    return Asking(act="1", who="Kira", name="luck", command="test", own=True, answers=answers)


def test_points_are_spent_in_the_direction_that_helps() -> None:
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert choice_of(moving_a_die((0, quarter), (-2, half), (2, quarter)), ["spend", "2"]) == -2
    assert choice_of(moving_a_die((0, quarter), (-2, quarter), (2, half)), ["spend", "2", "luck"]) == 2
    assert choice_of(moving_a_die((0, quarter), (-2, quarter), (2, quarter), (-4, half)), ["spend", "2"]) == -2
    for unclear in (moving_a_die((0, half), (-2, half), (2, half)), moving_a_die((0, None), (-2, None), (2, None))):
        with pytest.raises(BadCall, match="could be any of"):
            choice_of(unclear, ["spend", "2"])


def test_a_price_in_a_sentence_is_no_answer() -> None:
    asking = moving_a_die((0, None), (2, None))
    assert choice_of(asking, ["spend", "2", "points"]) == 2
    with pytest.raises(BadCall, match="is no answer to 'luck'"):
        choice_of(asking, ["spend", "2", "hours", "in", "the", "library"])


def test_nobody_declines_a_choice_between_words() -> None:
    answers = (Answer("parry", "Parry"), Answer("dodge", "Dodge"))
    asking = Asking(act="1", who="Kira", name="guard", command="attack", own=True, answers=answers)
    for word in ("no", "pass", "keep"):
        assert choice_of(LUCK, [word]) == 0
        with pytest.raises(BadCall, match="is no answer"):
            choice_of(asking, [word])


def test_the_beginning_of_a_word_is_no_answer() -> None:
    answers = (Answer(False, "let it stand"), Answer("parry", "Parry"))
    asking = Asking(act="1", who="Kira", name="guard", command="attack", own=True, answers=answers)
    assert choice_of(asking, ["let", "it"]) is False
    assert choice_of(asking, ["parry"]) == "parry"
    for letters in ("l", "le", "p"):
        with pytest.raises(BadCall, match="is no answer"):
            choice_of(asking, [letters])
