"""Odds of a game's rule on the command line: parse its parameters and options, and calculate a table over one or two
parameters (`astragal odds GAME RULE --vary score=6..16`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from astragal.chance import Odds, Policy, Question, odds_grid
from astragal.chance.pictures import words
from astragal.fields import field_names
from astragal.lab.rolls import BEST, MOST_POINTS, Axis, OddsOptions, Point, Roll, Setting
from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.fields import field_named, fields_from, read_value
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields import definitions, shapes, validation


class Wanted(OddsOptions, frozen=True, kw_only=True):
    """Options for odds: how they are shown, what is counted, and how decisions in the rule are made."""

    page: str | None = None
    svg: str | None = None
    vary: tuple[str, ...] = ()
    at_least: bool = False
    at_most: bool = False
    reach: str | None = None

    @property
    def given(self) -> list[str]:
        """The names of the options that were given."""
        names = ("svg", "vary", "of", "policy", "goal", "side", "at_least", "at_most", "reach")
        options = {name: getattr(self, name) for name in names}
        pages = [self.page] if self.page else []
        return pages + [name for name, value in options.items() if value not in (None, (), False)]

    def policy_of(self, game: Ruleset) -> Policy | None:
        if self.policy != BEST and (self.side or (self.goal and self.reach is None)):
            raise errors.BadCall(f"{'--goal' if self.goal else '--side'} needs --policy best.")
        return OddsOptions.policy_of(self, game)


def question_from(roll: Roll, words: Sequence[str]) -> Question[Any]:
    """Build the question from the typed parameters. Raises a refusal that lists everything wrong with them."""
    checked: Any = validation.read(roll.parameters, fields_from(roll.parameters, words))
    return roll.ask(**{name: getattr(checked, name) for name in field_names(roll.parameters)})


# ---------------------------------------------------------------- over one or two parameters


FEW_POINTS = 20
"""Up to this many points, calculating them one by one is as fast as loading NumPy to do all at once."""
RANGE = re.compile(r"(?P<first>-?\d{1,6})\.\.(?P<last>-?\d{1,6})")


def show_grid(game: Ruleset, roll: Roll, given: Sequence[str], wanted: Wanted) -> None:
    if wanted.svg is not None:
        raise errors.BadCall("--vary makes a table, which can't be drawn as SVG; use --csv, --markdown or --json.")
    varied, fixed = dict(axis_from(roll, text) for text in wanted.vary), fields_from(roll.parameters, given)
    if len(varied) < len(wanted.vary):
        raise errors.BadCall("--vary takes one or two different parameters.")
    setting = Setting(game, roll, fixed, wanted).over(varied)
    validation.read(roll.parameters, {**fixed, **{axis.path: axis.values[0] for axis in setting.axes}})  # refuse early
    found = _odds_at(setting, wanted)
    if wanted.reach is not None:
        from astragal.surfaces.shared.odds import read_chance

        _show_reach(setting.axes, dict(found), wanted, read_chance(wanted.reach))
        return
    cells = {point: wanted.counted(one)[1] for point, one in found}
    if wanted.page == "json":
        from astragal.surfaces.cli.table_view import plain_odds

        points = [
            {"at": dict(zip(varied, point, strict=True)), "outcomes": plain_odds(one)} for point, one in cells.items()
        ]
        terminal.Output().write(terminal.in_json({"rule": roll.name, "vary": list(varied), "points": points}))
        return
    written = {"csv": terminal.as_csv, "markdown": terminal.as_markdown}.get(wanted.page or "", terminal.as_text)
    terminal.Output().write(written(_table(setting.axes, cells)))


def _show_reach(axes: Sequence[Axis], found: Mapping[Point, Odds[Any]], wanted: Wanted, chance: Fraction) -> None:
    """Show the first value of the parameter that reaches the wanted chance of success, or else the best value."""
    from astragal.table.preview import chance_words

    if len(axes) > 1:
        raise errors.BadCall("--reach takes one parameter of --vary.")
    name, chances = axes[0].path, {value: one.chance(wanted.aim(one)) for (value,), one in found.items()}
    first = next((value for value, one in chances.items() if one >= chance), None)
    value = max(chances, key=lambda one: chances[one]) if first is None else first
    if wanted.page == "json":
        told = {"wanted": str(chance), name: first, "chance": str(chances[value]), "best": {name: value}}
        terminal.Output().write(terminal.in_json(told))
        return
    at = f"{axes[0].words} {words(value)}"
    shown, asked = chance_words(chances[value], 1), chance_words(chance, 1)
    missed = f"None of these reaches {asked}: the best is {shown}, with {at}."
    terminal.Output().write(missed if first is None else f"{at} is the first to reach {asked}: {shown}.")


def _odds_at(setting: Setting, wanted: Wanted) -> Iterator[tuple[Point, Odds[Any]]]:
    """Calculate the odds at each point: many points at once on a grid, a few one by one."""
    asked, policy, rule = setting.questions(), wanted.policy_of(setting.game), setting.roll.rule
    if policy is None or rule is None or len(asked) <= FEW_POINTS:
        for point, question in terminal.counted(asked.items(), "Calculating", len(asked)):
            yield point, wanted.odds(question, setting.game)
        return
    arguments = [question.named for question in asked.values()]
    spread = {axis.path: list(dict.fromkeys(one[axis.path] for one in arguments)) for axis in setting.axes}
    with terminal.watched("Calculating"):
        grid = odds_grid(rule, policy, **{**arguments[0], **spread})
    for point, named in zip(asked, arguments, strict=True):
        yield point, grid.at(**{name: named[name] for name in spread})


def axis_from(roll: Roll, text: str) -> tuple[str, tuple[Any, ...]]:
    """Parse a parameter and its values: `score=6..16`, `score=6,8,12`, or `stance=all`."""
    name, sign, values = text.partition("=")
    if not sign:
        raise errors.BadCall(f"--vary takes a parameter and its values, such as score=6..16, not {text!r}.")
    known = {one.name: one for one in definitions.fields_of(roll.parameters)}
    varied = field_named(known, name)
    return varied.name, tuple(values_in(varied, values))


def values_in(varied: definitions.Field, text: str) -> Iterator[Any]:
    """Parse the values of a parameter that varies: `6..16`, `6,8,12`, or `all` for a choice."""
    if match := RANGE.fullmatch(text):
        first, last = int(match["first"]), int(match["last"])
        if not 0 <= last - first < MOST_POINTS:
            raise errors.BadCall(f"A range goes up, over at most {MOST_POINTS:,} numbers; {text} does not.")
        yield from range(first, last + 1)
    elif text == "all" and (
        choices := shapes.choices_in(varied.shape) or ((False, True) if varied.type is bool else ())
    ):
        yield from choices
    else:
        yield from (read_value(varied.shape, part.strip()) for part in text.split(","))


def _table(axes: Sequence[Axis], found: dict[Point, Odds[Any]]) -> list[list[str]]:
    """Lay out a row for each point and a column for each outcome.

    Two parameters and a yes-or-no outcome make a grid instead, with the chances of yes.
    """
    outcomes = list(dict.fromkeys(outcome for one in found.values() for outcome, _ in one))
    ordered = [outcome for outcome, _ in Odds(dict.fromkeys(outcomes, 1), 1)]
    if len(axes) == 2 and set(ordered) <= {True, False}:
        down, across = axes
        head = [f"{down.path} \\ {across.path}", *map(words, across.values)]
        return [head, *([words(row), *(_percent(found[row, it], True) for it in across.values)] for row in down.values)]
    head = [*(axis.path for axis in axes), *map(words, ordered)]
    return [
        head,
        *([*map(words, point), *(_percent(one, outcome) for outcome in ordered)] for point, one in found.items()),
    ]


def _percent(one: Odds[Any], outcome: Any) -> str:
    return f"{float(one.percent(lambda it: it == outcome, 1)):.1f}%"
