"""`astragal odds`: exact odds of dice, or of a game's rule with its parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from astragal.chance import Odds, Question, Unweighable, pictures
from astragal.chance.odds import cumulative
from astragal.fields import field_names
from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import FORMAT, HELP, Parameter, arguments_of, no_such_option

if TYPE_CHECKING:
    from astragal.surfaces.cli import rule_odds
    from astragal.table.authoring.ruleset import Ruleset

A_GAME = re.compile(r"[A-Za-z][A-Za-z_-]{2,}[a-z]*|.*\.py")
"""Matches the name of a game or of a file with one, and no dice notation."""
WRITERS = {"json": pictures.json, "csv": pictures.csv, "markdown": pictures.markdown}


def odds(
    *words: Annotated[
        str,
        Parameter(
            "Dice notation, or a game, one of its rules, and the rule's parameters: --score 12.",
            "EXPR | GAME RULE",
            fields=True,
        ),
    ],
    vary: Annotated[
        tuple[str, ...],
        Parameter("Vary a parameter of the rule: score=6..16, or score=6,8,12. Once or twice."),
    ] = (),
    of: Annotated[str | None, Parameter("The part of the rule's verdict to count: success, margin …")] = None,
    policy: Annotated[
        str | None,
        Parameter("How decisions in the rule are made: decline (default), best, or a policy of the game."),
    ] = None,
    goal: Annotated[str | None, Parameter("With --policy best or --reach: the outcome to aim for.")] = None,
    side: Annotated[
        str | None, Parameter("With --policy best: whose decisions; default: the side that decides first.")
    ] = None,
    reach: Annotated[
        str | None, Parameter("With --vary: a chance, such as 75%; show the first value of the parameter to reach it.")
    ] = None,
    at_least: Annotated[bool, Parameter("Add up: the chance of each number or more.")] = False,
    at_most: Annotated[bool, Parameter("Add up: the chance of each number or less.")] = False,
    json: Annotated[bool, Parameter("Print JSON, with exact fractions.", one_of=FORMAT)] = False,
    csv: Annotated[bool, Parameter("Print CSV.", one_of=FORMAT)] = False,
    markdown: Annotated[bool, Parameter("Print a Markdown table.", one_of=FORMAT)] = False,
    svg: Annotated[str | None, Parameter("Draw a picture into this file.", one_of=FORMAT)] = None,
    context: Context,
) -> None:
    """Show the exact odds of a roll, or of a rule of a game.

    astragal odds 2d6+3
    astragal odds '10d6>=5'
    astragal odds '5d6!'        even where dice explode without end
    astragal odds '1d20+7>=15'  does the total reach its target
    astragal odds -- -1d6+3     after -- nothing is read as an option
    astragal odds 4d6dl1 --at-least
    astragal odds 4d6dl1 --csv > strength.csv
    astragal odds sinew_steel
    astragal odds sinew_steel simple_test --score 12
    astragal odds sinew_steel simple_test --vary score=6..16 --of success
    astragal odds six_pool check --dc 18 --vary bonus=3..9 --reach 50%
    """
    if at_least and at_most:
        raise errors.BadCall("Use --at-least or --at-most, not both.")
    formats = {"json": json, "csv": csv, "markdown": markdown}
    page = next((name for name, is_chosen in formats.items() if is_chosen), None)
    if words and A_GAME.fullmatch(words[0]):
        from astragal.surfaces.cli import rule_odds

        _show_rule(
            context.game(words[0]),
            words[1:],
            rule_odds.Wanted(
                of=of,
                policy=policy,
                goal=goal,
                side=side,
                page=page,
                svg=svg,
                vary=vary,
                at_least=at_least,
                at_most=at_most,
                reach=reach,
            ),
        )
        return
    if vary or of or policy or goal or side or reach:
        raise errors.BadCall(
            "--vary, --of, --policy, --goal, --side and --reach are for the rules of a game: astragal odds GAME RULE."
        )
    _show_notation(words, page, svg, at_least=at_least, at_most=at_most)


def _show_notation(words: Sequence[str], page: str | None, svg: str | None, *, at_least: bool, at_most: bool) -> None:
    from astragal.chance import notation

    if not words:
        raise errors.BadCall("Which dice? For example: astragal odds 2d6+3")
    if strange := [word for word in words if word.startswith("--") and word[2:3].isalpha()]:
        raise no_such_option(strange[0], [argument.typed for argument in arguments_of(odds)])
    expression = notation.parse(" ".join(words))
    paper = terminal.Output()
    result = notation.odds(expression)
    summed = _added_up(result, at_least=at_least, at_most=at_most)
    if svg is not None:
        paper.draw_into(svg, result.svg(str(expression)).encode())
    elif page:
        paper.write(WRITERS[page](summed).rstrip("\n"))
    else:
        paper.write(str(expression), "bold")
        paper.write(notation.explain(expression))
        half = f"alf of all rolls come to {result.quantile(0.5):,} or less."
        try:
            mean = expression.mean()
            deviation = expression.deviation()
        except Unweighable:  # something that has no end is kept or divided
            paper.write(f"H{half}")
        else:
            exactly = pictures.short_fraction(mean)
            middle = f"{float(mean):,.2f}" + (f" ({exactly})" if "/" in exactly else "")
            paper.write(f"On average {middle} ± {deviation:,.2f}; h{half}")
        paper.write()
        paper.draw(summed)


def _added_up(result: Odds[Any], *, at_least: bool, at_most: bool) -> Odds[Any]:
    """Return the odds as they are, or added up: the chance of each number or more, or of each number or less."""
    return cumulative(result, at_least=at_least) if at_least or at_most else result


# ---------------------------------------------------------------- rules


def _show_rule(game: Ruleset, words: Sequence[str], options: rule_odds.Wanted) -> None:
    from astragal.lab.rolls import find_roll, rolls_of
    from astragal.surfaces.cli import rule_odds
    from astragal.surfaces.cli.fields import command_help
    from astragal.table.fields.definitions import fields_of

    paper = terminal.Output()
    rule_words = [word for word in words if word not in HELP]
    if not rule_words:
        if options.given:
            raise errors.BadCall(f"Which rule of {game.name}? --{options.given[0]} is about the odds of one.")
        paper.write(f"The rules of {game.name}; --help after one says what it needs:")
        about_by_rule = {name: roll.about for name, roll in rolls_of(game).items()}
        paper.write_lines(terminal.in_two_columns(about_by_rule, paper.width))
        return
    roll = find_roll(game, rule_words[0])
    if names := [name for name in options.given if name in field_names(roll.parameters)]:
        raise errors.BadCall(
            f"{roll.name} has a parameter {names[0]!r}: write {names[0]}=VALUE; "
            f"--{names[0]} is an option of this command."
        )
    if HELP & set(words):
        usage = f"astragal odds {game.id} {roll.name} --parameter value …"
        paper.write_lines(command_help(usage, roll.doc, fields_of(roll.parameters), paper.width))
    elif options.vary:
        from astragal.surfaces.cli import rule_odds

        rule_odds.show_grid(game, roll, rule_words[1:], options)
    elif options.reach is not None:
        raise errors.BadCall(
            "--reach asks which value of a parameter reaches a chance: add --vary, such as score=6..16."
        )
    else:
        question = rule_odds.question_from(roll, rule_words[1:])
        with terminal.watched("Calculating"):
            result = options.odds(question, game)
        _show_odds(question, result, options)


def _show_odds(question: Question[Any], all_parts: Odds[Any], options: rule_odds.Wanted) -> None:
    from astragal.surfaces.shared.words import first_sentence, value_words
    from astragal.table.visibility.redact import plain

    paper = terminal.Output()
    part, counted = options.counted(all_parts)
    parameters = ", ".join(f"{name} {value_words(plain(value))}" for name, value in question.named.items())
    title = f"{question.rule.name.replace('_', ' ')}: {parameters}"
    summed = _added_up(counted, at_least=options.at_least, at_most=options.at_most)
    if options.svg is not None:
        paper.draw_into(options.svg, counted.svg(title).encode())
    elif options.page:
        paper.write(WRITERS[options.page](summed).rstrip("\n"))
    else:
        paper.write(title, "bold")
        paper.write(first_sentence(question.rule.body))
        remarks = [f"Counted by {part.replace('_', ' ')}; --of names another part, or all."] if part else []
        if options.policy not in (None, "decline"):
            remarks.append(f"Decisions follow the policy {options.policy}.")
        if remarks:
            paper.write(" ".join(remarks), "dim")
        paper.write()
        paper.draw(summed)
