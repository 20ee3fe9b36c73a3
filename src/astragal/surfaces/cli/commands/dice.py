"""`astragal roll` and `astragal odds`: what can be asked of dice."""

from __future__ import annotations

from typing import Annotated

from astragal.surfaces.cli.input.options import FORMAT, Flag, Given, Parameter
from astragal.surfaces.cli.output.formats import Page

MOST_TIMES = 10_000


def roll(
    *words: Annotated[
        str,
        Parameter(
            name="EXPR",
            # "2d6 - 3" has a word that starts with a hyphen.
            allow_leading_hyphen=True,
            help="Dice notation, in one word or several.",
        ),
    ],
    times: Annotated[int, Parameter(limits=(1, MOST_TIMES), help="Roll so often.")] = 1,
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
    astragal roll '1d20+7>=15'       1 if the sum reaches it, else 0
    astragal roll d20adv+5           the better of two (dis: the worse)
    astragal roll '5d6!'             sixes explode (!o: once)
    astragal roll 2d6r1              ones are rerolled ('2d6ro<=2': once)
    astragal roll '(1d4+2)*2'        + - * / and brackets; / rounds down
    astragal roll '1d20+7 # to hit'  with a label
    astragal roll 2d6 - 1 --times 3

    A shell has its own uses for > < ! * # and brackets: quote them.
    """
    from astragal.surfaces.cli.commands.roll import notation, show_rolls

    show_rolls(notation(words), times=times, seed=seed, as_json=json)


def odds(
    *words: Annotated[
        str,
        Parameter(
            name="EXPR | GAME RULE",
            allow_leading_hyphen=True,
            help="Dice notation, or a game, one of its rules, and the rule's parameters: --score 12.",
        ),
    ],
    json: Annotated[bool, Flag, Parameter(group=FORMAT, help="Print JSON, with exact fractions.")] = False,
    csv: Annotated[bool, Flag, Parameter(group=FORMAT, help="Print CSV.")] = False,
    markdown: Annotated[bool, Flag, Parameter(group=FORMAT, help="Print a Markdown table.")] = False,
    svg: Annotated[str | None, Parameter(group=FORMAT, help="Draw a picture into this file.")] = None,
    at_least: Annotated[bool, Flag, Parameter(help="Add up: the chance of each number or more.")] = False,
    at_most: Annotated[bool, Flag, Parameter(help="Add up: the chance of each number or less.")] = False,
    vary: Annotated[
        tuple[str, ...],
        Parameter(negative="", help="A rule's parameter over a range: score=6..16, or score=6,8,12. Once or twice."),
    ] = (),
    of: Annotated[str | None, Parameter(help="Which part of a rule's verdict is counted: success, margin …")] = None,
    policy: Annotated[
        str | None,
        Parameter(help="How a rule's decisions are taken: decline, if unsaid; best; or a way that the game names."),
    ] = None,
    goal: Annotated[str | None, Parameter(help="Under best: the outcome that is wanted.")] = None,
    side: Annotated[str | None, Parameter(help="Under best: whose decisions; else of who decides first.")] = None,
    house: Given,
) -> int:
    """Show the exact odds of a roll, or of a rule of a game.

    astragal odds 2d6+3
    astragal odds '10d6>=5'
    astragal odds '5d6!'        even where dice explode without end
    astragal odds -- -1d6+3     after -- nothing is taken for an option
    astragal odds '1d20+7>=15'  does a total reach its target
    astragal odds 4d6dl1 --at-least
    astragal odds 4d6dl1 --csv > strength.csv
    astragal odds sinew_steel
    astragal odds sinew_steel simple_test --score 12
    astragal odds sinew_steel simple_test --vary score=6..16 --of success
    """
    from astragal.surfaces.cli.commands.odds import show
    from astragal.surfaces.cli.input.rule_question import Wanted

    pages = [page for page, wanted in ((Page.JSON, json), (Page.CSV, csv), (Page.MARKDOWN, markdown)) if wanted]
    page = pages[0] if pages else None
    return show(house, words, Wanted(page, svg, vary, of, policy, goal, side, at_least, at_most))
