"""Explore rules: exact odds, curves over one parameter, heat maps over two; two settings or two games on one chart.

    explore(setting(SIX_POOL, "check", dc=15, bonus=5).over(bonus=range(11)))

An answer draws itself, and is a table, CSV and JSON. `Explorer` caches odds, and stops early if told that it is enough.
Points that it did not reach are missing from the answer, until it is asked again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, wraps
from math import prod
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from astragal.chance import Odds, Policy, Question, Rolls, Rule, TooManyPaths, odds_grid
from astragal.chance.odds import in_words
from astragal.chance.pictures import Picture, bars, csv_text, percent_words, words
from astragal.chance.weigh import MOST_PATHS
from astragal.lab.rolls import (
    BadQuestion,
    OddsOptions,
    Point,
    Setting,
    countable,
    declined_odds,
    default_part,
    part,
    setting,
)
from astragal.table.fields.lookup import normalised
from astragal.wording import capitalised

if TYPE_CHECKING:
    from astragal.chance.drawings import Drawing


__all__ = ["Answer", "Explorer", "Setting", "explore", "setting"]


class Found(Struct, frozen=True, eq=False, dict=True):
    """Odds found for a setting: at each point those of the counted part of the verdict."""

    setting: Setting
    part: str | None
    points: Mapping[Point, Odds[Any]]
    """In order. A point that was not reached is missing."""
    parts: tuple[str, ...] = ()
    """The parts of its verdict that could be counted."""

    @cached_property
    def outcomes(self) -> list[Any]:
        return _in_order(outcome for one in self.points.values() for outcome in one.weights)

    @cached_property
    def wanted(self) -> frozenset[Any] | None:
        """The outcomes whose chance is drawn: those of the goal, a yes, else the first; None if the mean is drawn."""
        goal = self.setting.reading.goal
        if goal is not None:
            said = {normalised(one) for one in goal.split(",")}
            found = frozenset(it for it in self.outcomes if normalised(words(it)) in said)
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
        """Return the value drawn there: a chance, or the mean, in which None counts as 0."""
        wanted, odds = self.wanted, self.points[point]
        if wanted is not None:
            return odds.chance(lambda it: it in wanted)
        return odds.mean() if None not in odds.weights else odds.map(lambda it: it or 0).mean()

    def shown(self, point: Point) -> str:
        value = self.value(point)
        return percent_words(value, 1) if self.wanted is not None else f"{float(value):.2f}"

    @property
    def drawn(self) -> str:
        """Name of the drawn value: “success”, “mean damage”."""
        name = (self.part or "").replace("_", " ")
        if self.wanted is None:
            return f"mean {name}".rstrip()
        if self.wanted == {True}:
            return name or "yes"
        return " or ".join(words(it) for it in self.outcomes if it in self.wanted) or (self.setting.reading.goal or "")


class Answer(Picture, Struct, frozen=True, eq=False):
    """The odds of one setting or two, as a chart, a table, CSV, JSON or text."""

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
            return first.setting.label if len(self.found) == 1 else capitalised(part)
        over = " and ".join(dict.fromkeys(axis.words for one in self.found for axis in one.setting.axes))
        what = f"Chance of {said} by {over}" if first.wanted is not None else f"{capitalised(said)} by {over}"
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
            return first.points[()].drawing(title)
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
            values: dict[Any, Fraction] = {point: one.value(point) for point in one.points}
            named = self._name(one) if others else title
            maps.append(charts.heat_map(across, down, values, named, are_chances=are_chances))
        return charts.stacked(maps, title)

    def _name(self, one: Found) -> str:
        """Name a setting on a chart, and what is drawn of it if that differs among the settings."""
        differs = len({it.drawn for it in self.found}) > 1
        return f"{one.setting.label} ({one.drawn})" if differs else one.setting.label

    def rows(self) -> list[list[str]]:
        """Return a head and rows of words: percentages, or for two axes a grid of what is drawn."""
        first = self.found[0]
        if not first.setting.axes:
            outcomes = _in_order(outcome for one in self.found for outcome in one.outcomes)
            names = [one.setting.label for one in self.found] if len(self.found) > 1 else ["percent"]
            chances = [[percent_words(one.points[()].chance(it), 1) for one in self.found] for it in outcomes]
            return [["outcome", *names], *([words(it), *row] for it, row in zip(outcomes, chances, strict=True))]
        if len(first.setting.axes) == 2 and len(self.found) == 1:
            return self._grid(first)
        several = len(self.found) > 1
        rows = [["setting"] * several + [*(axis.words for axis in first.setting.axes), "drawn", "outcomes"]]
        for one in self.found:
            for point, odds in one.points.items():
                each = ", ".join(f"{words(it)} {percent_words(odds.chance(it), 1)}" for it in one.outcomes)
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
        """Yield every outcome at every point with its exact chance, for CSV and JSON."""
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
        records = list(self.records())
        columns = list(dict.fromkeys(name for one in records for name in one))
        return csv_text([columns, *([one.get(name, "") for name in columns] for one in records)])

    def json(self) -> str:
        import msgspec

        told = [{"game": one.setting.game.id, "rule": one.setting.roll.name, "counted": one.part} for one in self.found]
        return msgspec.json.encode({"settings": told, "odds": list(self.records())}).decode()

    def text(self, width: int = 80) -> str:
        """Render for a terminal: bars, or a table of two parameters."""
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


PATHS_AT_ONCE = 200_000
"""A whole grid is calculated at once if its points have no more paths in all, judged by its corners."""
ENOUGH_VERDICTS = 50
MOST_KEPT = 20_000
"""Most odds that an explorer caches."""


def explore(*settings: Setting) -> Answer:
    """Calculate the odds of one setting or two, over their axes."""
    return Explorer().answer(settings)


class Explorer:
    """Answers explorations, and caches the odds that it has calculated.

    `most_paths` limits the work for one point; a question that would take more is refused with a sentence. Safe to
    share between threads: two that ask the same at once calculate it twice.
    """

    def __init__(self, most_paths: int = MOST_PATHS) -> None:
        self._most_paths = most_paths
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._lock = Lock()

    def answer(self, settings: Sequence[Setting], enough: Callable[[], bool] = lambda: False) -> Answer:
        """Calculate one setting or two. Once `enough()` is true, no further point is begun, except the ends of each."""
        if not 1 <= len(settings) <= 2 or len({len(one.axes) for one in settings}) > 1:
            raise BadQuestion("One setting or two, each with as many parameters that vary as the other.")
        return Answer(tuple(self._look(one, enough) for one in settings))

    def _look(self, one: Setting, enough: Callable[[], bool]) -> Found:
        asked = one.questions()
        points = list(asked)
        corners = [asked[points[0]], asked[points[-1]]]
        is_cheap = self._is_cheap(one, corners, len(points))
        whole = [self._remembered((question, None), self._declined, question) for question in corners]
        all_of_them = [list(odds.weights) for odds, _ in whole]  # a sample, enough to see what parts they have
        verdicts = {it: 1 for some in all_of_them for it in some[:: len(some) // ENOUGH_VERDICTS + 1]}
        sides = list(dict.fromkeys(side for _, some in whole for side in some))
        name, meaning = part(verdicts, one.reading.of or (default_part(verdicts) if one.axes else None))
        policy = one.reading.policy_of(one.game)
        reading = (
            one.reading
            if policy is not None
            else replace(one.reading, side=one.reading.side or next(iter(sides), None))
        )
        keys = {point: (question, reading, name) for point, question in asked.items()}
        if policy is not None and not sides and is_cheap:
            self._ask_at_once(one, policy, name, keys)

        def count(question: Question[Any]) -> Odds[Any]:
            found = self._decided(question, one, reading)
            return in_words(found.map(meaning) if name else found)

        found: dict[Point, Odds[Any]] = {}
        # Both ends, then a coarse grid, then the points between: the first points tell the most.
        ends = (0, len(points) - 1)
        coarse_first = sorted(range(len(points)), key=lambda it: (it not in ends, -(it & -it), it))
        for number, point in enumerate(points[place] for place in coarse_first):
            known = self._known(keys[point])
            if known is None and number > 1 and enough():
                continue
            found[point] = known or self._remembered(keys[point], count, keys[point][0])
        return Found(one, name, {point: found[point] for point in points if point in found}, tuple(countable(verdicts)))

    def _declined(self, question: Question[Any]) -> tuple[Odds[Any], list[str]]:
        return declined_odds(question, self._most_paths)

    def _decided(self, question: Question[Any], one: Setting, reading: OddsOptions) -> Odds[Any]:
        """Return the odds with decisions made; if the side that plays best has none, as if all were declined."""
        declined: Odds[Any]
        declined, sides = self._remembered((question, None), self._declined, question)
        policy = reading.policy_of(one.game)
        if not sides or (policy is None and reading.side not in sides):
            return declined
        return reading.odds(question, one.game, self._most_paths)

    # ---------------------------------------------------------------- a whole grid at once

    def _is_cheap(self, one: Setting, corners: Sequence[Question[Any]], points: int) -> bool:
        """Return whether it would still be cheap if the grid had to be walked path by path after all."""
        if points <= 2 or one.roll.rule is None or any("." in axis.path for axis in one.axes):
            return False
        few = min(self._most_paths, PATHS_AT_ONCE // points)
        try:
            for question in corners:
                self._remembered((question, None), lambda it: declined_odds(it, few), question)
        except TooManyPaths:
            return False
        return True

    def _ask_at_once(self, one: Setting, policy: Policy, name: str | None, keys: Mapping[Point, Any]) -> None:
        if one.roll.rule is None or all(self._known(key) is not None for key in keys.values()):
            return  # or everything is cached
        asked = [question.named for question, *_ in keys.values()]
        spread = {axis.path: list(dict.fromkeys(it[axis.path] for it in asked)) for axis in one.axes}
        grid = odds_grid(_counting(one.roll.rule, name), policy, **{**asked[0], **spread})
        for key, named in zip(keys.values(), asked, strict=True):
            self._keep(key, in_words(grid.at(**{axis.path: named[axis.path] for axis in one.axes})))

    # ---------------------------------------------------------------- cache

    def _remembered(self, key: Any, find: Callable[[Question[Any]], Any], question: Question[Any]) -> Any:
        known = self._known(key)
        return self._keep(key, find(question)) if known is None else known

    def _known(self, key: Any) -> Any:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: Any, found: Any) -> Any:
        with self._lock:
            self._kept[key] = found
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return found


@lru_cache(maxsize=256)
def _counting(rule: Rule[..., Any], name: str | None) -> Rule[..., Any]:
    """Return the rule with only a part of its verdict.

    It has few outcomes, so that thousands of points are one reading in lanes.
    """

    @wraps(rule.body)
    def body(*args: Any, **kwargs: Any) -> Rolls[Any]:
        verdict = yield from rule.body(*args, **kwargs)
        return verdict if name is None else attrgetter(name)(verdict)

    return Rule(body)
