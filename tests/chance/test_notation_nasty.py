"""Texts that do harm to others: each is answered rightly, or refused in one type, with its place."""

import pickle
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from astragal.chance import ChanceError, SeededDice, SystemDice
from astragal.chance.errors import Unweighable
from astragal.chance.notation import BadNotation, Expression, explain, odds, parse, roll

REFUSED = {
    "999999999d999999999": (0, "numbers reach up to 1,000,000"),
    "1d1e1": (2, "a die has 2 to 1,000,000 sides, not 1"),
    "(" * 3000: (200, "a notation has up to 200 characters, not 3,000"),
    "(" * 11 + "1" + ")" * 11: (10, "brackets go up to 10 deep"),
    "-" * 3000: (200, "up to 200 characters"),
    "-" * 30 + "1": (1, "can't stand here"),
    "1+" * 20000: (200, "up to 200 characters"),
    "1+" * 99 + "1": (40, "up to 20 numbers and pools"),
    "9" * 5000: (200, "up to 200 characters"),
    "9" * 190: (0, "numbers reach up to"),
    "1000d6" + "kh1000" * 40: (200, "up to 200 characters"),
    "1000d6" + "kh1000" * 20: (12, "kept, dropped or counted once"),
    "0d6": (0, "one rolls 1 to 1,000 dice, not 0"),
    "1001d6": (0, "one rolls 1 to 1,000 dice, not 1,001"),
    "600d6+600d6": (6, "up to 1,000 dice in all"),
    "1d0": (2, "a die has 2 to 1,000,000 sides, not 0"),
    "d1": (1, "a die has 2 to 1,000,000 sides, not 1"),
    "d1000001": (1, "numbers reach up to 1,000,000"),
    "1.5d6": (1, "“.” can't stand here"),
    "1e9d6": (1, "right behind the die"),
    "1/0": (2, "always be over 0, or always under"),
    "1/(1d3-2)": (2, "always be over 0, or always under"),
    "1/1d6>=5": (2, "always be over 0, or always under"),
    "\u0661d\u0662\u0660": (0, "not the plain digit 1"),
    "1d²": (2, "not the plain digit 2"),
    "\uff12d\uff16": (0, "not the plain digit 2"),
    "1d6\u202e": (3, "invisible sign"),
    "1d\u200b6": (2, "invisible sign"),
    "\x00": (0, "invisible sign"),
    "1d6\ud800": (3, "invisible sign"),
    "🎲": (0, "means nothing here"),
    "1d6 # a\u202eb": (7, "no invisible signs"),
    "1d6 # \x00": (6, "no invisible signs"),
    "2\N{KELVIN SIGN}": (1, "means nothing here"),
    "": (0, "ends too early"),
    "   ": (3, "ends too early"),
    "# only a label": (0, "ends too early"),
    "d": (1, "ends too early"),
    "2d6+": (4, "ends too early"),
    "(2d6": (4, "ends too early"),
    "2d6)": (3, "can't stand here"),
    "1 2": (2, "can't stand here"),
    "1d6 1d6": (4, "can't stand here"),
    "2d6\n+1": (3, "invisible sign"),
    "10d6>5": (4, "some read > as >= and some do not"),
    "2d6r<2": (4, "some read < as <= and some do not"),
    "10d6<2": (4, "some read < as <= and some do not"),
    "9d6>=5>=3>=1": (9, "compared once, at its end"),
    "{1d20, 2d6": (10, "ends too early"),
    "{1d20}kh1": (6, "of one value none is dropped"),
    "{1d20,1d6}kh3": (10, "of 2 values you can keep 1 to 2, not 3"),
    "{}": (1, "can't stand here"),
    "max()": (4, "can't stand here"),
    "max(" * 20 + "1" + ")" * 20: (40, "brackets go up to 10 deep"),
    "2d20adv": (0, "adv is for one die"),
    "4dF!": (3, "no highest number to explode on"),
    "4dFr1": (3, "are not rerolled"),
    "5d6!mi2": (4, "have no least and no most"),
    "5d6mi5ma2": (3, "the least, 5, lies over the most, 2"),
    "2d6[fire": (3, "a label stands in square brackets"),
    "2d6[]": (3, "a label stands in square brackets"),
    "2d6[\u202e]": (4, "invisible sign"),
    "2d6r7": (3, "not on a d6"),
    "2d6r<=0": (3, "not on a d6"),
    "2d6r<=6": (3, "too few faces would stay"),
    "1d1000000r<=500000": (9, "up to 100 faces can be rerolled"),
    "60d100r<=95+d100r<=95": (12, "dice are rolled on average"),
    "1000d2!": (0, "dice are rolled on average"),
    "5d6!5": (3, "explodes on its highest face only"),
    "5d6e5": (3, "explodes on its highest face only"),
    "5d6!r1": (4, "either explode or are rerolled"),
    "5d6!!!": (5, "either explode or are rerolled"),
    "4d6kh3!": (6, "right behind the die"),
    "2d6kh3": (3, "you can keep 1 to 2, not 3"),
    "2d6kh0": (3, "you can keep 1 to 2, not 0"),
    "2d6dl2": (3, "you can drop 0 to 1, not 2"),
    "2x6": (1, "can't stand here"),
    "__import__('os')": (0, "can't stand here"),
    "2**9": (2, "can't stand here"),
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text)[:30])
def test_a_nasty_text_is_refused_at_its_place(text: str) -> None:
    position, fault = REFUSED[text]
    with pytest.raises(BadNotation) as refused:
        parse(text)
    assert fault in refused.value.fault
    assert refused.value.position == position


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text)[:30])
def test_a_refusal_can_be_printed_anywhere(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        roll(text, SeededDice(1))
    _, line, caret = str(refused.value).splitlines()
    assert str(refused.value).encode()
    assert line.isprintable()
    assert len(line) < 80
    assert caret.lstrip().startswith("^")


def test_the_caret_stands_under_the_place_and_says_what_was_expected() -> None:
    with pytest.raises(BadNotation) as refused:
        parse("2d6 + x")
    assert str(refused.value) == (
        "“x” can't stand here\n  2d6 + x\n        ^ expected a number, dice such as 2d6, or ("
    )
    assert refused.value.expected == "a number, dice such as 2d6, or ("


def test_a_refusal_is_a_chance_error_and_survives_a_pipe() -> None:
    with pytest.raises(BadNotation) as refused:
        parse("2d6>4")
    assert isinstance(refused.value, ChanceError)
    assert isinstance(refused.value, ValueError)
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)  # noqa: S301  our own bytes


RIGHT = {
    "-1d6": (-6, -1),
    "-0": (0, 0),
    "007": (7, 7),
    "1d2": (1, 2),
    "1000d1000000": (1000, 10**9),
    "((((((((((1d6))))))))))": (1, 6),
    "+".join(["1"] * 20): (20, 20),
    "*".join(["1000000"] * 20): (10**120, 10**120),
    "10d6>=7": (0, 0),
    "10d6>=0": (10, 10),
    "10d6>=1000000": (0, 0),
    "1000d6kh1000": (1000, 6000),
    "1000d6!": (1000, float("inf")),
    "1000d6r1": (2000, 6000),
    "60d100r<=95": (5760, 6000),
    "1d6 # 🎲 Kira’s roll": (1, 6),
    "1d6#": (1, 6),
    "-1000000/1000000": (-1, -1),
    "1000000/-3": (-333334, -333334),
}


@pytest.mark.parametrize("text", RIGHT, ids=lambda text: ascii(text)[:30])
def test_a_text_at_the_limit_is_answered_rightly(text: str) -> None:
    assert parse(text).root.span == RIGHT[text]
    low, high = RIGHT[text]
    assert low <= roll(text, SystemDice()).total <= high
    assert explain(text)


@pytest.mark.parametrize("text", ["1d6!", "1d2!", "1d6r1", "1000d6!"])
def test_dice_that_never_end_are_given_up(text: str) -> None:
    class Stuck:
        source = "stuck"

        def face(self, sides: int) -> int:
            return 1 if "r" in text else sides

    with pytest.raises(BadNotation, match="not fair"):
        roll(text, Stuck())


SIGNS = st.text(alphabet="0123456789dkhlproe%!<>=+-*/() #DKx.fFmiat{},[]", max_size=30)


@pytest.mark.slow
@settings(max_examples=500)
@given(st.one_of(SIGNS, st.text(max_size=30)), st.integers(0, 99))
@example("1d6\ud800", 0)
def test_any_text_is_read_or_refused(text: str, seed: int) -> None:
    try:
        expression = parse(text)
    except BadNotation as refused:
        fault = refused
    else:
        check_reading(expression, seed)
        return
    assert 0 <= fault.position <= len(text)
    assert str(fault).encode()


def check_reading(expression: Expression, seed: int) -> None:
    found = roll(expression, SeededDice(seed))
    assert found.breakdown.endswith(f"= {found.total}")
    assert explain(expression).encode()
    assert parse(str(expression)) == expression


@settings(max_examples=60)
@given(SIGNS)
def test_odds_are_found_or_refused_by_name(text: str) -> None:
    try:
        found = odds(text)
    except (BadNotation, Unweighable):
        return
    assert sum(found.weights.values()) == found.total


def test_an_unknown_word_is_answered_with_nothing_more_to_load(new_interpreter: Callable[[str], str]) -> None:
    program = """
import sys
from astragal.chance.notation import BadNotation, parse, roll
from astragal.chance import SeededDice
roll("1d6", SeededDice(1))
loaded = set(sys.modules)
for text in ("1d6 advantge", "mx(1d6, 2)", "1d6" + "x" * 190):
    try:
        parse(text)
    except BadNotation as refused:
        print("nearest" in str(refused))
print(sorted(set(sys.modules) - loaded))
"""
    assert new_interpreter(program).split() == ["True", "True", "False", "[]"]
