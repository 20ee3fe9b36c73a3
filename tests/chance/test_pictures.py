"""Odds to look at: every rendering says the same, and nothing in an outcome can do harm."""

import csv
import io
import json
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import pytest
from rich.console import Console

from astragal.chance import Odds, d6, exploding, percent, pictures, total
from astragal.chance.notation import odds

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
    assert "<th>20+</th>" in pictures.html(EXPLODING)


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


@pytest.mark.slow
def test_numbers_of_any_length_are_written_out() -> None:
    total_of_many = json.loads(pictures.json(odds("1000d1000000>=5")))["total"]
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


def test_html_escapes_everything() -> None:
    page = pictures.html(Odds({"<img src=x onerror=alert(1)>": 1, 'a"&b': 1}, 2))
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "a&quot;&amp;b" in page


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
