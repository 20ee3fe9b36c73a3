"""The program as cyclopts has it: its commands, their options, and the help that teaches them."""

from collections.abc import Mapping

from cyclopts import App

from astragal.surfaces.cli.command_list import COMMANDS, FOR_SHELLS, GROUPS, HELP_OF_THEIR_OWN

SIGNATURES = "astragal.surfaces.cli.input.signatures"


def installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("astragal")
    except PackageNotFoundError:
        return "not installed: this is the source"


program = App(
    name="astragal",
    help="""Tabletop games by the book: honest rolls, exact odds, live tables.

Try:
  astragal roll 1d20+7
  astragal odds 4d6dl1
  astragal demo
  astragal games
  astragal table new sinew_steel "The Gorge" --gm Ada --player Bo
  astragal play "The Gorge"

Wherever it is said, --debug shows where a fault lies. Exit codes: 0 done,
1 refused, 2 not understood, 3 no store, 70 a fault of ours, 130 interrupted.""",
    version=installed_version,
    help_format="plaintext",
)

for _words, _place in COMMANDS.items():
    _group, _, _name = _words.rpartition(" ")
    if _group and _group not in set(program):
        program.command(App(name=_group, help=GROUPS[_group], help_format="plaintext"))
    _own_help = {"help_flags": ()} if _words in HELP_OF_THEIR_OWN else {}
    (program[_group] if _group else program).command(
        f"{SIGNATURES}:{_place}", name=_name, show=_words not in FOR_SHELLS, **_own_help
    )


def join(others: Mapping[str, str]) -> None:
    """Take in commands that other surfaces bring, each by the place of its function."""
    for name, place in others.items():
        if name not in set(program):
            program.command(place, name=name)


def load_all(app: App) -> None:
    """Import what is imported late, so that a list of commands can say what each is for."""
    for one in app.resolved_commands().values():
        load_all(one)
