"""`astragal odds`: of dice, or of a rule of a game with its parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import MISSING, field, make_dataclass
from functools import partial
from inspect import Signature, get_annotations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astragal.chance import Odds, Question, Rule, pictures
from astragal.surfaces.cli.faults import BadCall, Exit
from astragal.surfaces.cli.pages import Page
from astragal.surfaces.cli.paper import Paper
from astragal.surfaces.cli.patience import watched
from astragal.surfaces.cli.weights import WRITTEN, draw, show_odds
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.cli.deciding import Deciding
    from astragal.surfaces.cli.house import House
    from astragal.table.rulebook import Rulebook
    from astragal.table.ruleset import Ruleset

A_NAME = re.compile(r"[A-Za-z][A-Za-z_-]{2,}[a-z]*")
"""Dice notation never begins so; the name of a game does."""


@frozen
class Wanted:
    """How odds are to be shown, and how decisions are taken."""

    page: Page | None = None
    svg: str | None = None
    vary: tuple[str, ...] = ()
    of: str | None = None
    policy: str | None = None
    goal: str | None = None
    side: str | None = None

    @property
    def deciding(self) -> Deciding:
        from astragal.surfaces.cli.deciding import DECLINE, Deciding

        return Deciding(self.policy or DECLINE, self.goal, self.side)

    @property
    def said(self) -> list[str]:
        """The options that were said, by their names."""
        options = {name: getattr(self, name) for name in ("svg", "vary", "of", "policy", "goal", "side")}
        pages = [self.page.name.lower()] if self.page else []
        return pages + [name for name, value in options.items() if value not in (None, ())]


def show(house: House, words: Sequence[str], wanted: Wanted) -> int:
    if words and words[0] in ("--help", "-h"):
        from astragal.surfaces.cli.program import program

        program.help_print(["odds"])
        return Exit.FINE
    if words and A_NAME.fullmatch(words[0]):
        return _show_rule(house.rulebook(words[0]), words[1:], wanted, partial(house.game, words[0]))
    from astragal.surfaces.cli.dice import notation

    _show_notation(notation(words), wanted)
    return Exit.FINE


def _show_notation(text: str, wanted: Wanted) -> None:
    if wanted != Wanted(wanted.page, wanted.svg):
        raise BadCall("--vary, --of, --policy, --goal and --side are for the rules of a game: astragal odds GAME RULE.")
    if wanted.svg is not None:
        from astragal.chance.notation import odds as notation_odds
        from astragal.chance.notation import parse

        expression = parse(text)
        _write_svg(wanted.svg, str(expression), notation_odds(expression))
        return
    show_odds(text, *([wanted.page] if wanted.page else []))


# ---------------------------------------------------------------- rules


def _show_rule(game: Rulebook, words: Sequence[str], wanted: Wanted, whole: Callable[[], Ruleset]) -> int:
    """The whole game is loaded only for a policy that its actions name."""
    from astragal.surfaces.cli.asked import HELP

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
        from astragal.surfaces.cli.varying import show_grid

        show_grid(rule, named[1:], wanted, whole)
    else:
        question = question_from(rule, named[1:])
        with watched("Weighing"):
            weighed = wanted.deciding.weigh(question, wanted.of, whole)
        _show_odds(question, weighed, wanted)
    return Exit.FINE


def _check_names(rule: Rule[..., Any], wanted: Wanted) -> None:
    """An option of ours never takes what may be meant for a parameter of the rule."""
    if both := [name for name in wanted.said if name in rule.parameters]:
        raise BadCall(
            f"{rule.name} has a parameter {both[0]!r}: say {both[0]}=VALUE; --{both[0]} is the terminal's own."
        )


def find_rule(game: Rulebook, said: str) -> Rule[..., Any]:
    from astragal.surfaces.cli.typed import spoken

    rules = {spoken(rule.name): rule for rule in game.rules}
    name = spoken(said)
    fitting = [name] if name in rules else [one for one in rules if name and one.startswith(name)]
    if len(fitting) != 1:
        listed = ", ".join(rule.name for rule in game.rules)
        raise BadCall(f"{game.name} has no rule {said!r}; there are {listed}.")
    return rules[fitting[0]]


def parameters_of(rule: Rule[..., Any]) -> type:
    """A rule's parameters as a definition, so that they are read, checked and explained as a command's fields are."""
    hints = get_annotations(rule.body, eval_str=True)
    given = []
    for name, parameter in rule.parameters.items():
        default = MISSING if parameter.default is Signature.empty else parameter.default
        given.append((name, hints.get(name, Any), field(default=default)))
    return make_dataclass(rule.name, given, frozen=True, kw_only=True)


def question_from(rule: Rule[..., Any], words: Sequence[str]) -> Question[Any]:
    """The question that the typed parameters make, or all that is wrong with them."""
    from astragal.surfaces.cli.asked import fields_from
    from astragal.table.validation import read

    kind = parameters_of(rule)
    checked: Any = read(kind, fields_from(kind, words))
    return rule(**{name: getattr(checked, name) for name in rule.parameters})


def counted(found: Odds[Any], wanted: Wanted) -> tuple[str | None, Odds[Any]]:
    """The odds of the part that is counted, and that part's name."""
    from astragal.chance.verdicts import in_words
    from astragal.surfaces.cli.verdicts import part

    name, meaning = part(found.weights, wanted.of)
    return name, in_words(found.map(meaning) if name else found)


def _show_odds(question: Question[Any], weighed: Odds[Any], wanted: Wanted) -> None:
    paper = Paper()
    name, found = counted(weighed, wanted)
    if wanted.svg is not None:
        _write_svg(wanted.svg, _title(question), found)
    elif wanted.page:
        paper.write(WRITTEN[wanted.page](found).rstrip("\n"))
    else:
        _write_head(paper, question, name, wanted)
        draw(paper, found)


def _title(question: Question[Any]) -> str:
    from astragal.surfaces.cli.describing import value_words
    from astragal.table.seen import plain

    given = ", ".join(f"{name} {value_words(plain(value))}" for name, value in question.named.items())
    return f"{question.rule.name.replace('_', ' ')}: {given}"


def _write_head(paper: Paper, question: Question[Any], name: str | None, wanted: Wanted) -> None:
    from astragal.surfaces.cli.describing import first_sentence

    paper.write(_title(question), "bold")
    paper.write(first_sentence(question.rule.body))
    counted = f"Counted by {name.replace('_', ' ')}; --of names another part, or all." if name else ""
    decided = "" if wanted.policy in (None, "decline") else f"Decisions are taken by the policy {wanted.policy}."
    if remarks := " ".join(part for part in (counted, decided) if part):
        paper.write(remarks, "dim")
    paper.write()


def _list_rules(game: Rulebook) -> None:
    from astragal.surfaces.cli.describing import first_sentence, list_of

    paper = Paper()
    paper.write(f"The rules of {game.name}; --help after one says what it needs:")
    for line in list_of({rule.name: first_sentence(rule.body) for rule in game.rules}, paper.width):
        paper.write(line)


def _explain(game: Rulebook, rule: Rule[..., Any]) -> None:
    from astragal.surfaces.cli.describing import command_help
    from astragal.table.fields import fields_of

    paper = Paper()
    usage = f"astragal odds {game.id} {rule.name} --parameter value …"
    for line in command_help(usage, rule.body.__doc__ or "", fields_of(parameters_of(rule)), paper.width):
        paper.write(line)


def _write_svg(file: str, title: str, found: Odds[Any]) -> None:
    from astragal.surfaces.cli.drawn import svg

    with Path(file).open("x", encoding="utf-8") as out:
        out.write(svg(title, pictures.gathered(found)))
    Paper().write(f"{file} is drawn.")
