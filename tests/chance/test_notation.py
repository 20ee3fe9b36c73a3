"""Dice notation: what is written is what is thrown, weighed and explained."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from astragal.chance import Chance, EnteredDice, Fate, Odds, Pause, SeededDice, Tray, d6, pools
from astragal.chance import odds as read_odds
from astragal.chance.chances import Total
from astragal.chance.notation import BadNotation, explain, odds, parse, roll
from astragal.chance.notation.nodes import Pool


def rolled(text: str, *faces: int) -> Any:
    """Roll with these faces, which must be just enough."""
    dice = EnteredDice(faces)
    found = roll(text, dice)
    assert not dice.left
    return found


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("d20", pools.Die(20)),
        ("3d6", Total(3, d6)),
        ("2d20kl1", pools.Kept(2, pools.Die(20), 1, pools.Keep.LOWEST)),
        ("4d6dl1", pools.Kept(4, d6, 3, pools.Keep.HIGHEST)),
        ("10d6>=5", pools.Hits(10, d6, 5)),
        ("5d6!", pools.Exploding(5, d6)),
        ("5d6!o", pools.Exploding(5, d6, once=True)),
        ("2d6r1", Total(2, pools.Rerolled(d6, (1,)))),
        ("2d6ro<=2", Total(2, pools.Rerolled(d6, (1, 2), once=True))),
        ("5d6!>=8", pools.Hits(5, pools.Exploding(1, d6, ceiling=8), 8)),
    ],
)
def test_a_pool_is_one_step(text: str, step: Chance[int]) -> None:
    root = parse(text).root
    assert isinstance(root, Pool)
    assert root.step == step


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2D20KL1", "2d20kl1"),
        (" 2 d 20 kl 1 ", "2d20kl1"),
        ("2d20k", "2d20kh1"),
        ("2d20kh", "2d20kh1"),
        ("4d6d1", "4d6dl1"),
        ("4d6pl1", "4d6dl1"),
        ("4d6ph1", "4d6kl3"),
        ("4d6dl1", "4d6kh3"),
        ("d%", "1d100"),
        ("5d6e6", "5d6!"),
        ("5d6!6", "5d6!"),
        ("5d6!!", "5d6!"),
        ("2d6rr<=2", "2d6r<=2"),
        ("((1d6))", "1d6"),
        ("1d6+-2", "1d6-2"),
        ("1d20+7 # to hit Kira", "1d20+7"),
        ("adv+5", "2d20kh1+5"),
        ("dis", "2d20kl1"),
        ("1d20adv", "2d20kh1"),
        ("d12dis", "2d12kl1"),
        ("10d6t5", "10d6>=5"),
        ("3d6==6", "3d6=6"),
        ("max(1d6, 1d8)", "{1d6,1d8}kh1"),
        ("min(1d6, 1d8)", "(1d6,1d8)kl"),
        ("{1d6, 1d8, 1d10}dl1", "{1d6,1d8,1d10}kh2"),
        ("{1d6, 2}", "1d6+2"),
        ("{1d20+7}>=15", "1d20+7>=15"),
    ],
)
def test_spellings_that_mean_the_same_are_the_same(one: str, other: str) -> None:
    assert parse(one) == parse(other)
    assert hash(parse(one)) == hash(parse(other))


SPELLED = """
1d20+7 | (1d4+2)*2 | -1d6+3 | 10-(2-1d4) | 2*-3 | 5d6!o/2*3 | 2*(3/2) | 4dF | 2d20mi5ma15kh1 | (1d6)>=3 | (3d6)>=3 |
2d6 [fire]+1d8 [cold and dark] | (1d6+1) [x]*2 | {1d6,2d4+1}kh1 | {1d6,2d4+1}>=4 | 9d6>=5>=3 | (1d20+7>=15)*2d6 |
1d6-2>=-1 | max(1d6!, 4) | 4d6<=2 | -(1d6>=3)+2 | 1+(2d6+1=7) | {1d6, 1d4>=2}kl1 | 1d6 [Kälte]
"""


@pytest.mark.parametrize("text", [text.strip() for text in SPELLED.split("|")])
def test_an_expression_spells_itself(text: str) -> None:
    assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize(
    ("text", "faces", "breakdown"),
    [
        ("1d20+7", [13], "1d20 [13] + 7 = 20"),
        ("2d20kl1", [17, 4], "2d20kl1 [(17), 4] = 4"),
        ("4d6dl1", [6, 2, 5, 4], "4d6dl1 [6, (2), 5, 4] = 15"),
        ("4d6>=5", [6, 2, 5, 4], "4d6>=5 [6, 2, 5, 4] = 2"),
        ("2d6!", [6, 1, 6, 3], "2d6! [6!+6!+3, 1] = 16"),
        ("2d6!o", [6, 3, 6], "2d6!o [6!+6, 3] = 15"),
        ("2d6!kh1", [6, 3, 1], "2d6!kh1 [6!+1, (3)] = 7"),
        ("2d6!kl1", [6, 3, 1], "2d6!kl1 [(6!+1), 3] = 3"),
        ("2d6!>=7", [6, 5, 1], "2d6!>=7 [6!+1, 5] = 1"),
        ("2d6r1", [1, 5, 1, 4], "2d6r1 [1→1→4, 5] = 9"),
        ("2d6ro<=2", [2, 5, 1], "2d6ro<=2 [2→1, 5] = 6"),
        ("(1d4+2)*2", [3], "(1d4 [3] + 2) * 2 = 10"),
        ("-7/2", [], "-(7 / 2) = -3"),
        ("(-7)/2", [], "(-7) / 2 = -4"),
        ("1d6-10", [3], "1d6 [3] - 10 = -7"),
        ("1d6 + 1d8 * 2 - 1d4", [1, 2, 3], "1d6 [1] + 1d8 [2] * 2 - 1d4 [3] = 2"),
        ("1d20+7>=15", [13], "1d20 [13] + 7 >= 15 = 1"),
        ("4dF", [1, 3, 2, 3], "4dF [-1, 1, 0, 1] = 1"),
        ("2d20mi10", [3, 15], "2d20mi10 [3, 15] = 25"),
        ("{1d6, 1d8}kh1", [5, 2], "{1d6 [5], 1d8 [(2)]}kh1 = 5"),
        ("2d6[fire]+1", [2, 2], "2d6 [2, 2] [fire] + 1 = 5"),
    ],
)
def test_a_roll_shows_how_it_came_about(text: str, faces: list[int], breakdown: str) -> None:
    assert rolled(text, *faces).breakdown == breakdown


def test_a_long_pool_is_shown_in_part_and_recorded_whole() -> None:
    found = roll("1000d6", SeededDice(1))
    assert "… 970 more] = " in found.breakdown
    assert len(found.rolled) == 1000
    assert sum(die.face for die in found.rolled) == found.total


def test_every_die_is_recorded_with_what_became_of_it() -> None:
    found = rolled("3d6!kh2 + 1d8r1 # a charge", 6, 5, 1, 2, 1, 7)
    assert [(die.sides, die.face, die.fate) for die in found.rolled] == [
        (6, 6, Fate.EXPLODED),
        (6, 5, Fate.KEPT),
        (6, 1, Fate.DROPPED),
        (6, 2, Fate.KEPT),
        (8, 1, Fate.REROLLED),
        (8, 7, Fate.KEPT),
    ]
    assert found.total == 8 + 5 + 7
    assert found.label == "a charge"
    assert {die.by for die in found.rolled} == {"3d6!kh2 + 1d8r1"}
    assert found.record.rolled == found.rolled
    assert {die.source for die in found.rolled} == {"entered"}


@pytest.mark.parametrize("text", ["4d6!dl1+2d8r1", "3d6ro<=2kl2", "6d4!>=3"])
def test_the_record_is_the_one_that_any_tray_would_hold(text: str) -> None:
    expression = parse(text)
    tray = Tray(SeededDice(7), str(expression))
    total = expression.throw(tray)
    assert roll(text, SeededDice(7))[:2] == (total, tuple(tray.rolled))


def test_an_expression_is_a_step_like_any_other() -> None:
    step: Chance[int] = parse("1d20+2d4kh1")
    assert step.needs() == (20, 4, 4)
    assert read_odds(step) == odds("1d20+2d4kh1")


def test_a_parse_is_remembered() -> None:
    assert parse("3d8+1") is parse("3d8+1")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("1d20+7", "One die of 20 sides, plus 7. From 8 to 27."),
        ("1d20+7 # to hit", "to hit: one die of 20 sides, plus 7. From 8 to 27."),
        ("2d20kl1", "The lowest of 2 dice of 20 sides. From 1 to 20."),
        ("4d6dl1", "The sum of the highest 3 of 4 dice of 6 sides. From 3 to 18."),
        ("10d6>=5", "How many of 10 dice of 6 sides show 5 or more. From 0 to 10."),
        ("1d6>=5", "1 if one die of 6 sides shows 5 or more, else 0. From 0 to 1."),
        ("2d6r1", "The sum of 2 dice of 6 sides (a 1 is rerolled until another face shows). From 4 to 12."),
        ("d6ro<=2", "One die of 6 sides (1 to 2 is rerolled once, and the new face stands). From 1 to 6."),
        (
            "5d6!",
            (
                "The sum of 5 dice of 6 sides (a 6 is rolled again and added, for as long as it shows). "
                "At least 5, with no upper end."
            ),
        ),
        ("(1d4+2)*2", "(one die of 4 sides, plus 2) times 2. From 6 to 12."),
        ("7/2", "7 divided by 2 and rounded down. Always 3."),
        ("1d20+7>=15", "1 if this comes to 15 or more, else 0: one die of 20 sides, plus 7. From 0 to 1."),
        ("4dF", "The sum of 4 dice with the faces -1, 0 and 1. From -4 to 4."),
        ("2d20mi10", "The sum of 2 dice of 20 sides (less than 10 counts as 10). From 20 to 40."),
        ("max(1d6, 2d4)", "The highest of these: one die of 6 sides; the sum of 2 dice of 4 sides. From 2 to 8."),
        ("2d6[fire]", "The sum of 2 dice of 6 sides [fire]. From 2 to 12."),
        ("3-1d6!o", "3, minus one die of 6 sides (a 6 is rolled once more and added). From -9 to 2."),
    ],
)
def test_an_explanation_is_plain(text: str, meaning: str) -> None:
    assert explain(text) == meaning


def test_needs_name_the_dice_that_are_thrown_before_any_is_looked_at() -> None:
    assert parse("2d6!+1d20r1").needs() == (6, 6)
    assert parse("1d20r1+2d6!").needs() == (20,)


@pytest.mark.parametrize(
    "text",
    [
        "1d6+2>=5",
        "1d6<=2",
        "3d4<=2",
        "3d4=2",
        "2d4>=3>=2",
        "4dF",
        "2dF+1>=2",
        "3dFkh2",
        "2d4mi2",
        "3d4ma3kl2",
        "2d4r1mi3",
        "d6adv-1",
        "max(1d4, 1d6)",
        "min(2d4, 1d6, 5)",
        "{1d4, 1d6, 1d3}kh2",
        "{1d4, 1d6}>=3",
        "(1d6>=4)*1d4",
        "{2d4kh1, 1d4+1}kl1",
        "2d4[fire]+1d4[cold]",
    ],
)
def test_odds_are_those_of_every_throw(text: str) -> None:
    step = parse(text)
    tried: Counter[int] = Counter()
    total = 0
    for faces in product(*(range(1, sides + 1) for sides in step.needs())):
        try:
            tried[rolled(text, *faces).total] += 1
            total += 1
        except Pause:  # a die that is rerolled wants more
            continue
    if "r" not in text:
        assert odds(text) == Odds(tried, total)
    assert set(odds(text).weights) >= set(tried)


def test_a_target_needs_no_end_of_what_explodes() -> None:
    assert odds("5d6!+2>=22").chance(1) == odds("5d6!").at_least(20)
    assert odds("max(2d6!, 8)>=12").chance(1) == odds("2d6!").at_least(12)


def test_the_mean_and_the_deviation_of_an_endless_explosion_are_exact() -> None:
    assert parse("5d6!").mean() == 21
    assert parse("2*5d6! - 1").mean() == 41
    assert parse("1d6!").deviation() ** 2 == pytest.approx(
        float(
            sum(
                (value - Fraction(21, 5)) ** 2 * chance
                for value, chance in pools.exploding(1, d6, ceiling=300).odds().chances().items()
            )
        )
    )
    assert parse("2d6!*2d6!").deviation() > parse("2d6!*2d6").deviation()
    assert parse("4d6dl1").mean() == Fraction(15869, 1296)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("2d6x6", "!"), ("5d10cs>=8", ">="), ("2d20min5", "mi"), ("1d20advantage", "adv"), ("max1d6", "max"),
        ("advan", "adv"), ("2d6kk1", "kh"), ("4d6drop1", "dl"),
    ],
)  # fmt: skip
def test_an_unknown_spelling_is_refused_with_the_nearest(text: str, nearest: str) -> None:
    with pytest.raises(BadNotation) as refused:
        parse(text)
    assert refused.value.expected.startswith(nearest), refused.value
