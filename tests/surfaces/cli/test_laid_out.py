"""A ruleset's furniture in lines of text: every word of the vocabulary, and nothing wider than the terminal."""

from io import StringIO

import pytest
from msgspec.structs import replace

from astragal.surfaces.cli.terminal import WrappedOutput
from astragal.surfaces.shared.sheets import lines_of
from astragal.surfaces.shared.words import first_sentence
from astragal.table.authoring.display import Choices, DiceRow, Hand, Piece, Pips, Score, Tags, Track
from astragal.table.authoring.log_lines import Teller
from astragal.table.contract.rehearsal import rehearse
from tests.table.dare import DARE

STATE = replace(rehearse(DARE)[0].state, renamed={"Body": "Boots", "Rating": "Rank"})
TELLER = Teller(STATE, {"MGT": "Might"})
PIECES: list[Piece] = [
    Score("MGT", 12),
    Pips("Luck", 2, 4, "a test is 10 %"),
    Pips("Hoard", 70, 90),
    Track("Pressure", 1, ("calm", "tense", "crisis")),
    DiceRow("Body", 3, 6),
    Tags("Gear", ("Axe", "MGT")),
    Hand("Might hand", (("Rating", 3), ("Burden", -1))),
    Choices("Difficulty", (("easy", "4"),)),
]


def lines(width: int = 80, *, brief: bool = False) -> list[str]:
    return list(lines_of(PIECES, TELLER, width, brief=brief))


def test_each_piece_has_its_line_in_the_skin_s_words() -> None:
    assert lines() == [
        "Might 12",
        "Luck ●●○○ 2/4 (a test is 10 %)",
        "Hoard 70/90",
        "Pressure ●○ 1/2: tense",
        "Boots 3d6",
        "Gear: Axe, Might",
        "Might hand 2: +3 Rating -1 Burden",
        "Difficulty:",
        "  easy: 4",
    ]


def test_in_brief_what_can_be_chosen_from_is_left_out() -> None:
    assert lines(brief=True) == lines()[:-2]


def test_nothing_is_wider_than_the_terminal_and_no_score_is_broken() -> None:
    scores = [Score(f"Passive {number}", number) for number in range(12)]
    wide = list(lines_of([*scores, Tags("Gear", ("a long thing",) * 9)], TELLER, 40))
    assert max(map(len, wide)) <= 40
    assert sum(line.count("Passive") for line in wide) == 12
    assert not any(line.endswith("Passive") for line in wide)


class Screen(StringIO):
    """A terminal, as far as whoever writes can tell."""

    def isatty(self) -> bool:
        return True


def test_prose_is_broken_between_words_on_a_terminal_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("NO_COLOR", "1")
    screen, pipe = Screen(), StringIO()
    for stream in (screen, pipe):
        WrappedOutput(stream).write(
            "  as it falls: success 45.0%, failure 45.0%\nand https://example.org/a-link-of-some-length"
        )
    assert screen.getvalue().splitlines() == [
        "  as it falls: success 45.0%,",
        "    failure 45.0%",
        "and",
        "  https://example.org/a-link-of-some-length",
    ]
    assert len(pipe.getvalue().splitlines()) == 2


def test_a_rule_s_first_sentence_is_whole() -> None:
    class Rolls:
        """An opposed test. Where there is a choice
        the defender makes it."""

    class Long:
        """A test of an attribute, which anybody
        may ask for. More."""

    assert first_sentence(Rolls) == "An opposed test."
    assert first_sentence(Long) == "A test of an attribute, which anybody may ask for."
