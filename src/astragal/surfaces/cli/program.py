"""The commands and their options, and the help that teaches them.

A command that needs more than dice is named by the place of its function, and imported when it is called.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

from cyclopts import App, CycloptsError, Group, Parameter
from cyclopts.validators import Number, mutually_exclusive

from astragal.surfaces.cli.options import Flag, Given
from astragal.surfaces.cli.pages import Page

MOST_TIMES = 10_000
HERE = "astragal.surfaces.cli"


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

Words = Annotated[
    str,
    Parameter(
        name="EXPR",
        # "2d6 - 3" has a word that starts with a hyphen.
        allow_leading_hyphen=True,
        help="Dice notation, in one word or several.",
    ),
]
RuleWords = Annotated[
    str,
    Parameter(
        name="EXPR | GAME RULE",
        allow_leading_hyphen=True,
        help="Dice notation, or a game, one of its rules, and the rule's parameters: --score 12.",
    ),
]
ONE_FORMAT = Group("Format", validator=mutually_exclusive)


@program.command
def roll(
    *words: Words,
    times: Annotated[int, Parameter(validator=Number(gte=1, lte=MOST_TIMES), help="Roll so often.")] = 1,
    seed: Annotated[
        int | str | None,
        Parameter(help="The same seed gives the same dice. Such rolls are marked as seeded."),
    ] = None,
    json: Annotated[bool, Flag, Parameter(help="Print JSON, with every die.")] = False,
) -> None:
    """Roll dice, and show each of them.

    astragal roll 1d20+7             one die and a number
    astragal roll 2d20kl1            the lowest of two (kh1: the highest)
    astragal roll 4d6dl1             four, without the lowest
    astragal roll '10d6>=5'          how many show 5 or more
    astragal roll '5d6!'             sixes explode (!o: once)
    astragal roll 2d6r1              ones are rerolled ('2d6ro<=2': once)
    astragal roll '(1d4+2)*2'        + - * / and brackets; / rounds down
    astragal roll '1d20+7 # to hit'  with a label
    astragal roll 2d6 - 1 --times 3

    A shell has its own uses for > < ! * # and brackets: quote them.
    """
    from astragal.surfaces.cli.rolls import show_rolls

    show_rolls(notation(words), times=times, seed=seed, as_json=json)


@program.command(help_flags=())
def odds(
    *words: RuleWords,
    json: Annotated[bool, Flag, Parameter(group=ONE_FORMAT, help="Print JSON, with exact fractions.")] = False,
    csv: Annotated[bool, Flag, Parameter(group=ONE_FORMAT, help="Print CSV.")] = False,
    markdown: Annotated[bool, Flag, Parameter(group=ONE_FORMAT, help="Print a Markdown table.")] = False,
    svg: Annotated[str | None, Parameter(group=ONE_FORMAT, help="Draw a picture into this file.")] = None,
    vary: Annotated[
        tuple[str, ...],
        Parameter(negative="", help="A rule's parameter over a range: score=6..16, or score=6,8,12. Once or twice."),
    ] = (),
    of: Annotated[str | None, Parameter(help="Which part of a rule's verdict is counted: success, margin …")] = None,
    policy: Annotated[
        str, Parameter(help="How a rule's decisions are taken: decline, best, or a way that the game names.")
    ] = "decline",
    aim: Annotated[str | None, Parameter(help="Under best: the outcome that is wanted.")] = None,
    side: Annotated[str | None, Parameter(help="Under best: whose decisions; else of who decides first.")] = None,
    house: Given,
) -> int:
    """Show the exact odds of a roll, or of a rule of a game.

    astragal odds 2d6+3
    astragal odds '10d6>=5'
    astragal odds '5d6!'     even where dice explode without end
    astragal odds -- -1d6+3  after -- nothing is taken for an option
    astragal odds 4d6dl1 --csv > strength.csv
    astragal odds sinew_steel
    astragal odds sinew_steel simple_test --score 12
    astragal odds sinew_steel simple_test --vary score=6..16 --of success
    """
    from astragal.surfaces.cli.asking_odds import Wanted, show

    pages = [page for page, wanted in ((Page.JSON, json), (Page.CSV, csv), (Page.MARKDOWN, markdown)) if wanted]
    return show(house, words, Wanted(pages[0] if pages else None, svg, vary, of, policy, aim, side))


def notation(words: Sequence[str]) -> str:
    """The words as one notation; an option that does not exist is no part of one."""
    if not words:
        raise CycloptsError(msg="Which dice? For example: 1d20+7")
    if strange := [word for word in words if word.startswith("--") and word[2:3].isalpha()]:
        raise CycloptsError(msg=f"There is no option {strange[0]} here.")
    return " ".join(words)


# ---------------------------------------------------------------- what is imported when it is called

program.command(f"{HERE}.games:games", name="games")
program.command(f"{HERE}.book_tables:tables", name="tables")
program.command(f"{HERE}.converting:convert", name="convert")
program.command(f"{HERE}.doctor:doctor", name="doctor")
program.command(f"{HERE}.shells:completion", name="completion")
program.command(f"{HERE}.shells:complete", name="complete", show=False)
program.command(f"{HERE}.demo:demo", name="demo")
program.command(f"{HERE}.verifying:verify", name="verify")

table = App(name="table", help="Tables: open, list, show, carry, store away, forget.", help_format="plaintext")
for _name, _function in (
    ("new", "new"),
    ("list", "list_tables"),
    ("show", "show"),
    ("log", "log"),
    ("seats", "seats"),
    ("export", "export"),
    ("import", "import_table"),
    ("backup", "backup"),
    ("restore", "restore"),
    ("delete", "delete"),
):
    table.command(f"{HERE}.tables:{_function}", name=_name)
program.command(table)

program.command(f"{HERE}.doing:do", name="do", help_flags=())
program.command(f"{HERE}.doing:preview", name="preview", help_flags=())
program.command(f"{HERE}.doing:answer", name="answer")
program.command(f"{HERE}.playing:play", name="play")

hero = App(name="hero", help="Heroes on paper: make, check, show, let grow.", help_format="plaintext")
for _name in ("new", "random", "check", "show", "advance"):
    _silent = {"help_flags": ()} if _name in ("new", "advance") else {}
    hero.command(f"{HERE}.heroes:{_name}", name=_name, **_silent)
program.command(hero)

skin = App(name="skin", help="Skins: settings over a game, as files.", help_format="plaintext")
for _name in ("list", "show", "check", "new"):
    skin.command(f"{HERE}.skins:{_name}_{'skins' if _name == 'list' else 'skin'}", name=_name)
program.command(skin)


def join(others: Mapping[str, str]) -> None:
    """Take in commands that other surfaces bring, each by the place of its function."""
    for name, place in others.items():
        if name not in set(program):
            program.command(place, name=name)


def load_all(app: App) -> None:
    """Import what is imported late, so that a list of commands can say what each is for."""
    for one in app.resolved_commands().values():
        load_all(one)
