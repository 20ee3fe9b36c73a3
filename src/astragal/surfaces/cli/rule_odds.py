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
        options = {
            "svg": self.svg,
            "vary": self.vary,
            "of": self.of,
            "policy": self.policy,
            "goal": self.goal,
            "side": self.side,
            "at_least": self.at_least,
            "at_most": self.at_most,
            "reach": self.reach,
        }
        names = [self.page] if self.page else []
        return names + [name for name, value in options.items() if value not in (None, (), False)]

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


def show_grid(game: Ruleset, roll: Roll, parameters: Sequence[str], options: Wanted) -> None:
    """Show the odds of a rule for each value of one or two parameters that vary."""
    if options.svg is not None:
        raise errors.BadCall("--vary makes a table, which can't be drawn as SVG; use --csv, --markdown or --json.")
    values_by_axis = dict(axis_from(roll, text) for text in options.vary)
    fixed = fields_from(roll.parameters, parameters)
    if len(values_by_axis) < len(options.vary):
        raise errors.BadCall("--vary takes one or two different parameters.")
    setting = Setting(game, roll, fixed, options).over(values_by_axis)
    first_point = {axis.path: axis.values[0] for axis in setting.axes}
    validation.read(roll.parameters, {**fixed, **first_point})  # refuse early
    verdicts_by_point = _odds_at(setting, options)
    if options.reach is not None:
        from astragal.surfaces.shared.odds import read_chance

        _show_reach(setting.axes, dict(verdicts_by_point), options, read_chance(options.reach))
        return
    odds_by_point = {point: options.counted(verdicts)[1] for point, verdicts in verdicts_by_point}
    paper = terminal.Output()
    if options.page == "json":
        paper.write(terminal.in_json(_plain_grid(setting, odds_by_point)))
        return
    table = _table(setting.axes, odds_by_point)
    if options.page == "csv":
        paper.write(terminal.as_csv(table))
    elif options.page == "markdown":
        paper.write(terminal.as_markdown(table))
    else:
        paper.write(terminal.as_text(table))


def _plain_grid(setting: Setting, odds_by_point: Mapping[Point, Odds[Any]]) -> dict[str, Any]:
    """Return the odds at each point as plain values, with exact fractions."""
    from astragal.surfaces.cli.table_view import plain_odds

    names = [axis.path for axis in setting.axes]
    points = []
    for point, odds in odds_by_point.items():
        points.append({"at": dict(zip(names, point, strict=True)), "outcomes": plain_odds(odds)})
    return {"rule": setting.roll.name, "vary": names, "points": points}


def _show_reach(
    axes: Sequence[Axis], verdicts_by_point: Mapping[Point, Odds[Any]], options: Wanted, chance: Fraction
) -> None:
    """Show the first value of the parameter that reaches the wanted chance of success, or else the best value."""
    from astragal.table.preview import chance_words

    if len(axes) > 1:
        raise errors.BadCall("--reach takes one parameter of --vary.")
    name = axes[0].path
    chance_by_value = {
        value: verdicts.chance(options.aim(verdicts)) for (value,), verdicts in verdicts_by_point.items()
    }
    first = next((value for value, value_chance in chance_by_value.items() if value_chance >= chance), None)
    best = first
    if first is None:
        best = max(chance_by_value, key=lambda value: chance_by_value[value])
    paper = terminal.Output()
    if options.page == "json":
        answer = {"wanted": str(chance), name: first, "chance": str(chance_by_value[best]), "best": {name: best}}
        paper.write(terminal.in_json(answer))
        return
    setting = f"{axes[0].words} {words(best)}"
    best_chance = chance_words(chance_by_value[best], 1)
    wanted_chance = chance_words(chance, 1)
    if first is None:
        paper.write(f"None of these reaches {wanted_chance}: the best is {best_chance}, with {setting}.")
    else:
        paper.write(f"{setting} is the first to reach {wanted_chance}: {best_chance}.")


def _odds_at(setting: Setting, options: Wanted) -> Iterator[tuple[Point, Odds[Any]]]:
    """Calculate the odds at each point: many points at once on a grid, a few one by one."""
    question_by_point = setting.questions()
    policy = options.policy_of(setting.game)
    rule = setting.roll.rule
    if policy is None or rule is None or len(question_by_point) <= FEW_POINTS:
        for point, question in terminal.counted(question_by_point.items(), "Calculating", len(question_by_point)):
            yield point, options.odds(question, setting.game)
        return
    arguments = [question.named for question in question_by_point.values()]
    values_by_axis = {}
    for axis in setting.axes:
        values_by_axis[axis.path] = list(dict.fromkeys(parameters[axis.path] for parameters in arguments))
    with terminal.watched("Calculating"):
        grid = odds_grid(rule, policy, **{**arguments[0], **values_by_axis})
    for point, parameters in zip(question_by_point, arguments, strict=True):
        yield point, grid.at(**{name: parameters[name] for name in values_by_axis})


def axis_from(roll: Roll, text: str) -> tuple[str, tuple[Any, ...]]:
    """Parse a parameter and its values: `score=6..16`, `score=6,8,12`, or `stance=all`."""
    name, sign, values = text.partition("=")
    if not sign:
        raise errors.BadCall(f"--vary takes a parameter and its values, such as score=6..16, not {text!r}.")
    field_by_name = {field.name: field for field in definitions.fields_of(roll.parameters)}
    varied = field_named(field_by_name, name)
    return varied.name, tuple(values_in(varied, values))


def values_in(varied: definitions.Field, text: str) -> Iterator[Any]:
    """Parse the values of a parameter that varies: `6..16`, `6,8,12`, or `all` for a choice."""
    if match := RANGE.fullmatch(text):
        first = int(match["first"])
        last = int(match["last"])
        if not 0 <= last - first < MOST_POINTS:
            raise errors.BadCall(f"A range goes up, over at most {MOST_POINTS:,} numbers; {text} does not.")
        yield from range(first, last + 1)
        return
    choices = shapes.choices_in(varied.shape)
    if not choices and varied.type is bool:
        choices = (False, True)
    if text == "all" and choices:
        yield from choices
        return
    for part in text.split(","):
        yield read_value(varied.shape, part.strip())


def _table(axes: Sequence[Axis], odds_by_point: Mapping[Point, Odds[Any]]) -> list[list[str]]:
    """Lay out a row for each point and a column for each outcome.

    Two parameters and a yes-or-no outcome make a grid instead, with the chances of yes.
    """
    outcomes: dict[Any, int] = {}
    for odds in odds_by_point.values():
        outcomes.update((outcome, 1) for outcome, _ in odds)
    ordered = [outcome for outcome, _ in Odds(outcomes, 1)]
    if len(axes) == 2 and set(ordered) <= {True, False}:
        down, across = axes
        return _grid(down, across, odds_by_point)
    table = [[*(axis.path for axis in axes), *map(words, ordered)]]
    for point, odds in odds_by_point.items():
        table.append([*map(words, point), *(_percent(odds, outcome) for outcome in ordered)])
    return table


def _grid(down: Axis, across: Axis, odds_by_point: Mapping[Point, Odds[Any]]) -> list[list[str]]:
    """Lay out the chances of yes, a row for each value of one parameter and a column for each of the other."""
    table = [[f"{down.path} \\ {across.path}", *map(words, across.values)]]
    for row in down.values:
        percents = [_percent(odds_by_point[row, column], True) for column in across.values]
        table.append([words(row), *percents])
    return table


def _percent(odds: Odds[Any], outcome: Any) -> str:
    return f"{float(odds.percent(lambda candidate: candidate == outcome, 1)):.1f}%"
