"""The commands and their options, and the help that teaches them."""

from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

from cyclopts import App, CycloptsError, Group, Parameter
from cyclopts.validators import Number, mutually_exclusive

from astragal.surfaces.cli.pages import Page

MOST_TIMES = 10_000


def installed_version() -> str:
    try:
        return version("astragal")
    except PackageNotFoundError:
        return "not installed: this is the source"


program = App(
    name="astragal",
    help="""Tabletop dice: honest rolls and exact odds.

Try:
  astragal roll 1d20+7
  astragal odds 4d6dl1
  astragal demo""",
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
Flag = Parameter(negative="", show_default=False)
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

    show_rolls(_notation(words), times=times, seed=seed, as_json=json)


@program.command
def odds(
    *words: Words,
    json: Annotated[bool, Flag, Parameter(group=ONE_FORMAT, help="Print JSON, with exact fractions.")] = False,
    csv: Annotated[bool, Flag, Parameter(group=ONE_FORMAT, help="Print CSV.")] = False,
    markdown: Annotated[bool, Flag, Parameter(group=ONE_FORMAT, help="Print a Markdown table.")] = False,
) -> None:
    """Show the exact odds of a roll.

    astragal odds 2d6+3
    astragal odds '10d6>=5'
    astragal odds '5d6!'     even where dice explode without end
    astragal odds -- -1d6+3  after -- nothing is taken for an option
    astragal odds 4d6dl1 --csv > strength.csv
    """
    from astragal.surfaces.cli.weights import show_odds

    pages = [page for page, wanted in ((Page.JSON, json), (Page.CSV, csv), (Page.MARKDOWN, markdown)) if wanted]
    show_odds(_notation(words), *pages)


@program.command
def demo() -> None:
    """See what this is about: a rule played, replayed, weighed and advised."""
    from astragal.surfaces.cli.demo import show_demo

    show_demo()


def _notation(words: tuple[str, ...]) -> str:
    if not words:
        raise CycloptsError(msg="Which dice? For example: 1d20+7")
    if strange := [word for word in words if word.startswith("--") and word[2:3].isalpha()]:
        raise CycloptsError(msg=f"There is no option {strange[0]} here.")
    return " ".join(words)
