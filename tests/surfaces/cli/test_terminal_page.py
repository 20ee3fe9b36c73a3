"""The documentation's page on the terminal says what the program says."""

from inspect import cleandoc

from astragal.surfaces.cli.app import help_page, load
from astragal.surfaces.cli.parser import arguments_of
from astragal.wiring import OTHER_SURFACES
from tests.surfaces.cli.terminal_page import PAGE, WIDTH, current, help_pages


def test_the_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == current(), "python -m tests.surfaces.cli.terminal_page writes it anew"


def test_every_command_says_what_it_is_for_and_fits_a_terminal() -> None:
    for name, text in help_pages().items():
        usage, _, rest = text.partition("\n\n")
        assert usage.startswith("Usage: astragal"), name
        assert "." in rest.split("\n\n", 1)[0], f"{name} has no sentence"
        assert max(map(len, text.splitlines())) <= WIDTH, name


def test_every_argument_and_option_says_what_it_is_for() -> None:
    commands = {name: load(name, OTHER_SURFACES) for name, text in help_pages().items() if "COMMAND\n" not in text}
    silent = [(name, one.typed) for name, command in commands.items() for one in arguments_of(command) if not one.help]
    assert not silent


def test_the_list_of_commands_says_of_each_what_the_command_says() -> None:
    listed = " ".join(help_page("", OTHER_SURFACES, WIDTH).split())
    for name in ("roll", "do", "serve", "mcp"):
        doc = cleandoc(load(name, OTHER_SURFACES).__doc__ or "")
        assert f"{name} {doc.partition(chr(10))[0]}" in listed
