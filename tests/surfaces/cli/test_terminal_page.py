"""The documentation's page on the terminal says what the program says."""

from astragal.surfaces.cli.program import load_all, program
from tests.surfaces.cli.terminal_page import PAGE, WIDTH, commands, current, help_on


def test_the_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == current(), "python -m tests.surfaces.cli.terminal_page writes it anew"


def test_every_command_says_what_it_is_for_and_fits_a_terminal() -> None:
    load_all(program)
    for words in commands(program, ()):
        helped = help_on(words)
        usage, _, rest = helped.partition("\n\n")
        assert usage.startswith("Usage: astragal"), words
        assert "." in rest.split("\n\n", 1)[0], f"{words} has no sentence"
        assert max(map(len, helped.splitlines())) <= WIDTH, words
