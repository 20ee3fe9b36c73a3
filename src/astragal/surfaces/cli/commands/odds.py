"""`astragal odds`: of dice, or of a rule of a game with its parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astragal.chance import Odds, Question, Rule, pictures
from astragal.surfaces.cli.commands.roll import notation
from astragal.surfaces.cli.errors import BadCall, Exit
from astragal.surfaces.cli.input.rule_question import Wanted, counted, find_rule, parameters_of, question_from
from astragal.surfaces.cli.output.odds_bars import WRITTEN, draw, show_odds
from astragal.surfaces.cli.output.progress import watched
from astragal.surfaces.cli.output.terminal import Paper

if TYPE_CHECKING:
    from astragal.surfaces.cli.context import House
    from astragal.table.authoring.ruleset import Ruleset

A_GAME = re.compile(r"[A-Za-z][A-Za-z_-]{2,}[a-z]*|.*\.py")
"""The name of a game, or a file with one: dice notation never looks so."""


def show(house: House, words: Sequence[str], wanted: Wanted) -> int:
    if words and words[0] in ("--help", "-h"):
        from astragal.surfaces.cli.app import program

        program.help_print(["odds"])
        return Exit.FINE
    if words and A_GAME.fullmatch(words[0]):
        return _show_rule(house.game(words[0]), words[1:], wanted)
    _show_notation(notation(words), wanted)
    return Exit.FINE


def _show_notation(text: str, wanted: Wanted) -> None:
    if wanted != Wanted(wanted.page, wanted.svg, at_least=wanted.at_least, at_most=wanted.at_most):
        raise BadCall("--vary, --of, --policy, --goal and --side are for the rules of a game: astragal odds GAME RULE.")
    if wanted.svg is not None:
        from astragal.chance.notation import odds as notation_odds
        from astragal.chance.notation import parse

        expression = parse(text)
        _write_svg(wanted.svg, str(expression), notation_odds(expression))
        return
    show_odds(text, wanted.page, partial(_added_up, wanted))


def _added_up(wanted: Wanted, found: Odds[Any]) -> pictures.Weighted:
    """The odds, or each number or more, or less, if that is wanted."""
    if not wanted.at_least and not wanted.at_most:
        return found
    if wanted.at_least and wanted.at_most:
        raise BadCall("--at-least or --at-most: one of them.")
    return pictures.cumulative(found, at_least=wanted.at_least)


# ---------------------------------------------------------------- rules


def _show_rule(game: Ruleset, words: Sequence[str], wanted: Wanted) -> int:
    from astragal.surfaces.cli.input.fields import HELP

    named = [word for word in words if word not in HELP]
    if not named:
        if wanted.said:
            raise BadCall(f"Which rule of {game.name}? --{wanted.said[0]} is about the odds of one.")
        _list_rules(game)
        return Exit.FINE
    rule = find_rule(game, named[0])
    _check_names(rule, wanted)
    if HELP & set(words):
        _explain(game, rule)
    elif wanted.vary:
        from astragal.surfaces.cli.output.vary_table import show_grid

        show_grid(game, rule, named[1:], wanted)
    else:
        question = question_from(rule, named[1:])
        with watched("Weighing"):
            weighed = wanted.deciding.weigh(question, wanted.of, game)
        _show_odds(question, weighed, wanted)
    return Exit.FINE


def _check_names(rule: Rule[..., Any], wanted: Wanted) -> None:
    """An option of ours never takes what may be meant for a parameter of the rule."""
    if both := [name for name in wanted.said if name in rule.parameters]:
        raise BadCall(
            f"{rule.name} has a parameter {both[0]!r}: say {both[0]}=VALUE; --{both[0]} is the terminal's own."
        )


def _show_odds(question: Question[Any], weighed: Odds[Any], wanted: Wanted) -> None:
    paper = Paper()
    name, found = counted(weighed, wanted)
    if wanted.svg is not None:
        _write_svg(wanted.svg, _title(question), found)
    elif wanted.page:
        paper.write(WRITTEN[wanted.page](_added_up(wanted, found)).rstrip("\n"))
    else:
        _write_head(paper, question, name, wanted)
        draw(paper, _added_up(wanted, found))


def _title(question: Question[Any]) -> str:
    from astragal.surfaces.shared.words import value_words
    from astragal.table.visibility.redact import plain

    given = ", ".join(f"{name} {value_words(plain(value))}" for name, value in question.named.items())
    return f"{question.rule.name.replace('_', ' ')}: {given}"


def _write_head(paper: Paper, question: Question[Any], name: str | None, wanted: Wanted) -> None:
    from astragal.surfaces.shared.words import first_sentence

    paper.write(_title(question), "bold")
    paper.write(first_sentence(question.rule.body))
    counted = f"Counted by {name.replace('_', ' ')}; --of names another part, or all." if name else ""
    decided = "" if wanted.policy in (None, "decline") else f"Decisions are taken by the policy {wanted.policy}."
    if remarks := " ".join(part for part in (counted, decided) if part):
        paper.write(remarks, "dim")
    paper.write()


def _list_rules(game: Ruleset) -> None:
    from astragal.surfaces.cli.output.command_help import list_of
    from astragal.surfaces.shared.words import first_sentence

    paper = Paper()
    paper.write(f"The rules of {game.name}; --help after one says what it needs:")
    for line in list_of({rule.name: first_sentence(rule.body) for rule in game.rules}, paper.width):
        paper.write(line)


def _explain(game: Ruleset, rule: Rule[..., Any]) -> None:
    from astragal.surfaces.cli.output.command_help import command_help
    from astragal.table.fields.definitions import fields_of

    paper = Paper()
    usage = f"astragal odds {game.id} {rule.name} --parameter value …"
    for line in command_help(usage, rule.body.__doc__ or "", fields_of(parameters_of(rule)), paper.width):
        paper.write(line)


def _write_svg(file: str, title: str, found: Odds[Any]) -> None:
    with Path(file).open("x", encoding="utf-8") as out:
        out.write(found.svg(title))
    Paper().write(f"{file} is drawn.")
