"""The documentation's page on the terminal says what the program says."""

from io import StringIO

from rich.console import Console

from astragal.surfaces.cli.app import join, load_all, program
from astragal.surfaces.cli.contents import contents
from astragal.wiring import OTHER_SURFACES
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


def test_the_list_of_commands_says_of_each_what_the_command_says() -> None:
    join(OTHER_SURFACES)
    load_all(program)
    page = StringIO()
    contents(program, OTHER_SURFACES).help_print([], console=Console(file=page, width=WIDTH, no_color=True))
    assert [line.rstrip() for line in page.getvalue().rstrip().splitlines()] == help_on(()).splitlines()
