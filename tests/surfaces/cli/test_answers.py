"""Answers as they are typed: what is shown is what to type, and a number without its sign is no guess."""

from __future__ import annotations

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
