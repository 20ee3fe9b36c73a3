"""Findings: the odds of one setting or two over their axes, as a chart, a table, CSV, JSON, text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from astragal.chance import Odds
from astragal.chance.pictures import Picture, bars, gathered, percent_words, words
from astragal.table.fields.lookup import spoken
from astragal.values import frozen

from .reading import BadQuestion
from .settings import Point, Setting

if TYPE_CHECKING:
    from astragal.chance.drawings import Drawing


@frozen(eq=False)
class Found:
    """What was found of a setting: at each point the odds of the part of the verdict that is counted."""

    setting: Setting
    part: str | None
    points: Mapping[Point, Odds[Any]]
    """In order. A point that was not reached is not there."""
    parts: tuple[str, ...] = ()
    """The parts of its verdict that could be counted."""

    @cached_property
    def outcomes(self) -> list[Any]:
        return _in_order(outcome for one in self.points.values() for outcome in one.weights)

    @cached_property
    def wanted(self) -> frozenset[Any] | None:
        """The outcomes whose chance is drawn: those of the goal, a yes, else the first; None where it is the mean."""
        goal = self.setting.reading.goal
        if goal is not None:
            said = {spoken(one) for one in goal.split(",")}
            found = frozenset(it for it in self.outcomes if spoken(words(it)) in said)
            if not found and not self.missing:
                raise BadQuestion(f"{goal[:60]!r} is no outcome here; {', '.join(map(words, self.outcomes))} are.")
            return found
        if all(isinstance(it, bool) for it in self.outcomes):
            return frozenset({True})
        some = [it for it in self.outcomes if it is not None]
        return None if all(isinstance(it, int) for it in some) else frozenset(some[:1])

    @property
    def missing(self) -> int:
        return prod(len(axis.values) for axis in self.setting.axes) - len(self.points)

    def value(self, point: Point) -> Fraction:
        """What is drawn there: a chance, or the mean, in which nothing counts as 0."""
        wanted, odds = self.wanted, self.points[point]
        if wanted is not None:
            return odds.chance(lambda it: it in wanted)
        return odds.mean() if None not in odds.weights else odds.map(lambda it: it or 0).mean()

    def shown(self, point: Point) -> str:
        value = self.value(point)
        return percent_words(value, 1) if self.wanted is not None else f"{float(value):.2f}"

    @property
    def drawn(self) -> str:
        """What is drawn, in words: “success”, “mean damage”."""
        name = (self.part or "").replace("_", " ")
        if self.wanted is None:
            return f"mean {name}".rstrip()
        if self.wanted == {True}:
            return name or "yes"
        return " or ".join(words(it) for it in self.outcomes if it in self.wanted) or (self.setting.reading.goal or "")


@frozen(eq=False)
class Answer(Picture):
    """What was found of one setting or two: a chart, a table, CSV, JSON, text."""

    found: tuple[Found, ...]

    @property
    def missing(self) -> int:
        """Points that are still to be calculated."""
        return sum(one.missing for one in self.found)

    @property
    def title(self) -> str:
        said = " and ".join(dict.fromkeys(one.drawn for one in self.found))
        first = self.found[0]
        if not first.setting.axes:
            part = (first.part or "odds").replace("_", " ")
            return first.setting.label if len(self.found) == 1 else f"{part[:1].upper()}{part[1:]}"
        over = " and ".join(dict.fromkeys(axis.words for one in self.found for axis in one.setting.axes))
        what = f"Chance of {said} by {over}" if first.wanted is not None else f"{said[:1].upper()}{said[1:]} by {over}"
        return f"{what}. {first.setting.label}" if len(self.found) == 1 else what

    def drawing(self, title: str = "") -> Drawing:
        from astragal.chance import charts

        title, (first, *others) = title or self.title, self.found
        if len({one.wanted is None for one in self.found}) > 1:
            raise BadQuestion("A chance and a mean don't go on one chart: count the same part of both.")
        if not first.setting.axes:
            if others:
                from astragal.chance import compare

                both = first.points[()], others[0].points[()]
                return compare(*both, *(one.setting.label for one in self.found)).drawing(title)
            return charts.bars(gathered(first.points[()]), title)
        are_chances = first.wanted is not None
        if len(first.setting.axes) == 1:
            lines = [
                (
                    self._name(one) if others else one.drawn,
                    one.setting.axes[0].words,
                    {point[0]: one.value(point) for point in one.points},
                )
                for one in self.found
            ]
            return charts.curves(lines, title, are_chances=are_chances)
        maps = []
        for one in self.found:
            down, across = ((axis.words, axis.values) for axis in one.setting.axes)
            values = {(row, column): one.value((row, column)) for row, column in one.points}
            named = self._name(one) if others else title
            maps.append(charts.heat_map(across, down, values, named, are_chances=one.wanted is not None))
        return charts.stacked(maps, title)

    def _name(self, one: Found) -> str:
        """A setting among those on the chart, and what is drawn of it where that is not the same of all."""
        differs = len({it.drawn for it in self.found}) > 1
        return f"{one.setting.label} ({one.drawn})" if differs else one.setting.label

    def rows(self) -> list[list[str]]:
        """A head and rows of words: percentages, or of two axes a grid of what is drawn."""
        first = self.found[0]
        if not first.setting.axes:
            outcomes = _in_order(outcome for one in self.found for outcome in one.outcomes)
            names = [one.setting.label for one in self.found] if len(self.found) > 1 else ["percent"]
            chances = [[_percent(one.points[()], it) for one in self.found] for it in outcomes]
            return [["outcome", *names], *([words(it), *row] for it, row in zip(outcomes, chances, strict=True))]
        if len(first.setting.axes) == 2 and len(self.found) == 1:
            return self._grid(first)
        several = len(self.found) > 1
        rows = [["setting"] * several + [*(axis.words for axis in first.setting.axes), "drawn", "outcomes"]]
        for one in self.found:
            for point, odds in one.points.items():
                each = ", ".join(f"{words(it)} {_percent(odds, it)}" for it in one.outcomes)
                named = [one.setting.label] * several
                rows.append([*named, *map(words, point), one.shown(point), each])
        return rows

    def _grid(self, one: Found) -> list[list[str]]:
        down, across = one.setting.axes
        head = [f"{down.words} \\ {across.words}", *map(words, across.values)]
        return [
            head,
            *(
                [words(row), *(one.shown((row, it)) if (row, it) in one.points else "…" for it in across.values)]
                for row in down.values
            ),
        ]

    def records(self) -> Iterator[dict[str, Any]]:
        """Every outcome at every point, with its exact chance: what CSV and JSON are made of."""
        for one in self.found:
            for point, odds in one.points.items():
                at = {axis.path: value for axis, value in zip(one.setting.axes, point, strict=True)}
                for outcome, weight in odds:
                    chance = Fraction(weight, odds.total)
                    yield {
                        "setting": one.setting.label,
                        **at,
                        "outcome": words(outcome, odds.open_end),
                        "exactly": str(chance),
                        "percent": round(float(chance) * 100, 6),
                    }

    def csv(self) -> str:
        import csv
        from io import StringIO

        text = StringIO()
        records = list(self.records())
        columns = list(dict.fromkeys(name for one in records for name in one))
        writer = csv.DictWriter(text, columns, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(records)
        return text.getvalue()

    def json(self) -> str:
        import msgspec

        told = [{"game": one.setting.game.id, "rule": one.setting.roll.name, "counted": one.part} for one in self.found]
        return msgspec.json.encode({"settings": told, "odds": list(self.records())}).decode()

    def text(self, width: int = 80) -> str:
        """For a terminal: bars, or a table of two parameters."""
        first = self.found[0]
        if len(first.setting.axes) == 2:
            from astragal.chance.charts import text_table

            return "\n\n".join(f"{one.setting.label}\n{text_table(self._grid(one))}" for one in self.found)
        shown = []
        for one in self.found:
            head = [self._name(one)] if len(self.found) > 1 else []
            drawn = bars(one.points[()], width) if not one.setting.axes else _curve_in_text(one, width)
            shown.append("\n".join((*head, drawn)))
        return "\n\n".join(shown)


def _curve_in_text(one: Found, width: int) -> str:
    names = {f"{one.setting.axes[0].words} {words(point[0])}": point for point in one.points}
    most = Fraction(1) if one.wanted is not None else max(abs(one.value(point)) for point in one.points) or Fraction(1)
    wide = max(map(len, names))
    lines = []
    for said, point in names.items():
        bar = "█" * round(float(abs(one.value(point)) / most) * (width - wide - 10))
        lines.append(f"{said:>{wide}} {one.shown(point):>7} {bar}".rstrip())
    return "\n".join(lines)


def _in_order(outcomes: Iterable[Any]) -> list[Any]:
    return [outcome for outcome, _ in Odds(dict.fromkeys(outcomes, 1), 1)]


def _percent(odds: Odds[Any], outcome: Any) -> str:
    return percent_words(odds.chance(lambda it: it == outcome), 1)
