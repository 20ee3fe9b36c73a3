"""Odds to look at: every rendering says the same, and nothing in an outcome can do harm."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from astragal.chance import (
    EnteredDice,
    Odds,
    Offer,
    Rolls,
    SeededDice,
    advise,
    compare,
    d6,
    d20,
    exploding,
    odds,
    odds_grid,
    percent,
    pictures,
    play,
    rule,
    total,
)
from astragal.chance.drawings import Box
from astragal.chance.notation import roll
from astragal.chance.odds import cumulative

TWO_DICE = total(2, d6).odds()
COIN = Odds({True: 1, False: 3}, 4)
EXPLODING = exploding(2, d6, ceiling=20).odds()


class Weather(Enum):
    FAIR = "fair and warm"
    FOUL = "foul"


@dataclass(frozen=True)
class Margin:
    by: int

    def __str__(self) -> str:
        return f"won by {self.by}"


def test_bars_show_the_name_the_percent_and_the_fraction() -> None:
    first, *_, last = pictures.bars(TWO_DICE).splitlines()
    assert first.split() == ["2", "2.8%", "██████████▉", "1/36"]
    assert last.startswith("12 ")
    assert str(TWO_DICE) == pictures.bars(TWO_DICE)


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("text", ["2d6", "5d6!", "100d6", "10d6>=5", "1d100-50"])
def test_bars_keep_to_their_width(text: str, width: int) -> None:
    assert max(len(line) for line in pictures.bars(odds(text), width).splitlines()) <= width


def test_the_likeliest_outcome_has_the_longest_bar() -> None:
    lines = pictures.bars(TWO_DICE).splitlines()
    assert max(lines, key=lambda line: line.count("█")).lstrip().startswith("7 ")


def test_thin_ends_are_gathered_and_nothing_is_lost() -> None:
    rows = pictures.gathered(odds("20d6"))
    assert rows[0].words.startswith("≤ ")
    assert rows[-1].words.startswith("≥ ")
    assert sum(row.chance for row in rows) == 1
    assert len(rows) <= pictures.MOST_ROWS + 2


def test_what_is_still_too_long_is_shown_in_bands() -> None:
    rows = pictures.gathered(odds("1d1000"))
    assert rows[3] == ("151 to 200", Fraction(1, 20))
    assert sum(row.chance for row in rows) == 1


def test_tables_for_programs_gather_nothing() -> None:
    long = odds("1d100")
    assert len(pictures.csv(long).splitlines()) == 101
    assert len(pictures.markdown(long).splitlines()) == 102
    assert len(json.loads(pictures.json(long))["outcomes"]) == 100


def test_an_open_end_has_a_plus_everywhere() -> None:
    assert pictures.bars(EXPLODING).splitlines()[-1].startswith("20+")
    assert "| 20+ |" in pictures.markdown(EXPLODING)
    assert "\n20+," in pictures.csv(EXPLODING)
    assert json.loads(pictures.json(EXPLODING))["outcomes"][-1]["outcome"] == "20+"
    assert ">20+</text>" in EXPLODING.svg()


@pytest.mark.parametrize(
    ("outcome", "words"),
    [(True, "yes"), (False, "no"), (Weather.FAIR, "fair and warm"), (Margin(3), "won by 3"), (7, "7")],
)
def test_outcomes_are_said_as_people_say_them(outcome: object, words: str) -> None:
    assert pictures.words(outcome) == words


def test_json_holds_exact_fractions_as_strings_in_order() -> None:
    read = json.loads(pictures.json(COIN))
    assert read["total"] == "4"
    assert read["outcomes"] == [
        {"outcome": "no", "exactly": "3/4", "percent": 75.0},
        {"outcome": "yes", "exactly": "1/4", "percent": 25.0},
    ]


def test_csv_can_be_read_back() -> None:
    quoted = Odds({'a, "b"': 1, "c": 2}, 3)
    rows = list(csv.reader(io.StringIO(pictures.csv(quoted))))
    assert rows[1] == ['a, "b"', "33.333333", "1/3"]


@pytest.mark.parametrize("chance", [Fraction(1, 3), Fraction(1, 8 * 10**7), Fraction(3, 16 * 10**7), Fraction(1)])
def test_percents_in_tables_are_rounded_half_to_even(chance: Fraction) -> None:
    told = json.loads(pictures.json(Odds.of_fractions({1: chance, 2: 1 - chance})))["outcomes"][0]
    assert told["percent"] == float(percent(chance, 6))


def test_numbers_of_any_length_are_written_out() -> None:
    total_of_many = json.loads(pictures.json(Odds({1: 1, 2: 10**6000 - 1}, 10**6000)))["total"]
    assert total_of_many == "1" + "0" * 6000


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (Fraction(1, 3), "33.3%"),
        (Fraction(1, 1296), "0.08%"),
        (Fraction(1, 10**9), "<0.01%"),
        (1 - Fraction(1, 10**9), ">99.99%"),
        (Fraction(1), "100.0%"),
        (Fraction(1, 8), "12.5%"),
    ],
)
def test_percents_never_round_to_never_or_always(chance: Fraction, shown: str) -> None:
    assert pictures.Row("", chance).percent == shown


def test_pictures_escape_everything() -> None:
    nasty = Odds({"<img src=x onerror=alert(1)>": 1, 'a"&b\u202e\n': 1}, 2)
    for page in (nasty.svg('<script>"'), nasty._repr_html_()):
        assert "<img" not in page
        assert "<script" not in page
        assert "a&quot;&amp;b  <" in page
        ET.fromstring(page)  # noqa: S314 - our own text


def test_markdown_cells_cannot_break_the_table() -> None:
    assert "| a\\|b &lt;i> c |" in pictures.markdown(Odds({"a|b <i>\nc": 1}, 1))


def test_text_cannot_move_the_cursor() -> None:
    assert "\x1b" not in pictures.bars(Odds({"\x1b[2Jgone": 1, "\r": 1}, 2))


def test_a_terminal_gets_a_table_of_the_same_rows() -> None:
    console = Console(width=60, file=io.StringIO(), color_system=None)
    console.print(Odds({"[bold]loud": 1, "calm": 3}, 4))
    assert isinstance(console.file, io.StringIO)
    first, second = console.file.getvalue().splitlines()
    assert first.split()[:2] == ["[bold]loud", "25.0%"]
    assert second.split()[-1] == "3/4"


# ---------------------------------------------------------------- charts


@rule
def steady(score: int, bonus: int) -> Rolls[bool]:
    return (yield from d20) <= score + bonus


@rule
def push(again: bool) -> Rolls[int]:
    face = yield from d6
    answers = (False, True) if again else (False,)
    return (yield from d6) if (yield from Offer("hero", "again", answers)) else face


SHOWN: dict[str, Any] = {
    "odds": odds(2 @ d6),
    "many": odds(total(60, d6)),
    "grid": odds_grid(steady, score=range(6, 17), bonus=range(3)),
    "line": odds_grid(steady, score=range(6, 17), bonus=0),
    "means": odds_grid(push, again=[True, False]),
    "advice": advise(push(again=True), lambda face: face, side="hero"),
    "roll": roll("4d6dl1 # strength", SeededDice(1)),
    "long roll": roll("100d6", SeededDice(1)),
    "no dice": roll("7", SeededDice(1)),
    "settled": play(steady(12, 0), SeededDice(1)),
    "comparison": compare("4d6kh3", "3d6"),
    "long comparison": compare("60d6", "30d12", "many", "few"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_everything_shows_itself(name: str) -> None:
    shown = SHOWN[name]
    for page in (shown.svg("A title"), shown.drawing() and shown._repr_html_()):
        for picture in re.findall("<svg.*?</svg>", page, re.DOTALL):
            root = ET.fromstring(picture)  # noqa: S314 - our own text
            _, _, width, height = map(float, root.attrib["viewBox"].split())
            for box in root.iter("{http://www.w3.org/2000/svg}rect"):
                assert float(box.attrib["x"]) + float(box.attrib["width"]) <= width
                assert float(box.attrib["y"]) + float(box.attrib["height"]) <= height
    assert "A title" in shown.svg("A title")
    assert "prefers-color-scheme:dark" in shown.svg()
    assert "prefers-color-scheme" not in shown._repr_html_()  # the page alone knows
    assert str(shown)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_a_png_is_as_large_as_the_drawing_light_and_dark(name: str) -> None:
    images = pytest.importorskip("PIL.Image")
    drawing = SHOWN[name].drawing()
    light, dark = (images.open(BytesIO(SHOWN[name].png(dark=dark))) for dark in (False, True))
    assert light.size == dark.size == (round(2 * drawing.width), round(2 * drawing.height))
    assert light.getpixel((1, 1)) > (200, 200, 200)
    assert dark.getpixel((1, 1)) < (60, 60, 60)


def test_the_longest_bar_takes_all_the_room_there_is() -> None:
    rare = Odds({0: 1, 1: 999_999}, 10**9 // 1000)
    longest = [max(box.width for box in it.drawing().shapes if isinstance(box, Box)) for it in (rare, odds(d6))]
    assert longest[0] == longest[1]


def test_a_heat_map_is_scaled_to_its_data() -> None:
    shares = {box.share for box in SHOWN["grid"].drawing().shapes if isinstance(box, Box)}
    assert min(shares) == pytest.approx(0.08)
    assert max(shares) == pytest.approx(0.7)


def test_advice_is_a_table_of_decisions() -> None:
    assert str(SHOWN["advice"]).splitlines()[:4] == [
        "Worth 4.25 (17/4); the others answer by the policy decline.",
        "decides      after  answers and what they are worth",
        "hero: again  1      no: 1, → yes: 3.5",
        "hero: again  2      no: 2, → yes: 3.5",
    ]
    assert "<td>no: 1, → yes: 3.5</td>" in SHOWN["advice"]._repr_html_()


def test_what_was_played_says_what_it_came_to() -> None:
    assert str(SHOWN["roll"]) == SHOWN["roll"].breakdown
    assert str(play(steady(20, 0), EnteredDice([13]))) == "yes (d20 13)"


def test_cumulative_odds_add_up_either_way() -> None:
    two = odds(2 @ d6)
    for sign, at_least, chance in (("≥", True, two.at_least), ("≤", False, two.at_most)):
        assert dict(cumulative(two, at_least=at_least)) == {
            f"{sign} {number}": 36 * chance(number) for number in range(2, 13)
        }
    assert list(cumulative(EXPLODING, at_least=True))[-1][0] == "≥ 20"
    assert list(cumulative(EXPLODING, at_least=False))[-1][0] == "≤ 19"
    assert two.deviation() == pytest.approx((35 / 6) ** 0.5)


def test_without_pillow_a_png_says_what_to_install(new_interpreter: Callable[[str], str]) -> None:
    without = "sys.modules['PIL'] = None\nfrom astragal import MissingExtra, d6, odds\n"
    asked = "try: odds(d6).png()\nexcept MissingExtra as missing: print(missing)"
    assert new_interpreter(without + asked) == "PNG pictures come with the extra 'lab' of astragal."
