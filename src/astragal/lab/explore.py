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
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from astragal.chance import Odds, Policy, Question, Rolls, Rule, TooManyPaths, odds_grid
from astragal.chance.odds import in_words
from astragal.chance.pictures import Picture, bars, csv_text, percent_words, words
from astragal.chance.weigh import MOST_PATHS
from astragal.lab.rolls import DeclinedOdds, OddsOptions, Point, Setting, declined_odds, setting
from astragal.lab.verdicts import BadQuestion, countable, default_part, part
from astragal.table.fields.lookup import normalised
from astragal.wording import capitalised

if TYPE_CHECKING:
    from astragal.chance.drawings import Drawing


__all__ = ["Answer", "Explorer", "Setting", "explore", "setting"]


Outcome = Any
"""A value of the counted part of a verdict: a number, a word, a yes or no, None, or the whole verdict of a game."""


class SettingOdds(Struct, frozen=True, eq=False, dict=True):
    """Odds found for a setting: at each point those of the counted part of the verdict."""

    setting: Setting
    part: str | None
    points: Mapping[Point, Odds[Outcome]]
    """In order. A point that was not reached is missing."""
    parts: tuple[str, ...] = ()
    """The parts of its verdict that could be counted."""

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """Every outcome at any point, in order. Cached, since each point that is drawn asks for it."""
        return _in_order(outcome for odds in self.points.values() for outcome in odds.weights)

    @cached_property
    def wanted(self) -> frozenset[Outcome] | None:
        """The outcomes whose chance is drawn: those of the goal, a yes, else the first; None if the mean is drawn.

        Cached, since each point that is drawn asks for it.
        """
        if self.setting.reading.goal is not None:
            return self._outcomes_of_goal(self.setting.reading.goal)
        if all(isinstance(outcome, bool) for outcome in self.outcomes):
            return frozenset({True})
        outcomes = [outcome for outcome in self.outcomes if outcome is not None]
        if all(isinstance(outcome, int) for outcome in outcomes):
            return None
        return frozenset(outcomes[:1])

    def _outcomes_of_goal(self, goal: str) -> frozenset[Outcome]:
        """Return the outcomes that a goal names, such as "hit, critical hit"."""
        names = {normalised(name) for name in goal.split(",")}
        outcomes = frozenset(outcome for outcome in self.outcomes if normalised(words(outcome)) in names)
        if not outcomes and not self.missing:
            raise BadQuestion(f"{goal[:60]!r} is no outcome here; {', '.join(map(words, self.outcomes))} are.")
        return outcomes

    @property
    def missing(self) -> int:
        return prod(len(axis.values) for axis in self.setting.axes) - len(self.points)

    def value(self, point: Point) -> Fraction:
        """Return the value drawn there: a chance, or the mean, in which None counts as 0."""
        odds = self.points[point]
        outcomes = self.wanted
        if outcomes is not None:
            return odds.chance(lambda outcome: outcome in outcomes)
        if None in odds.weights:
            return odds.map(lambda outcome: outcome or 0).mean()
        return odds.mean()

    def shown(self, point: Point) -> str:
        value = self.value(point)
        if self.wanted is None:
            return f"{float(value):.2f}"
        return percent_words(value, 1)

    @property
    def drawn(self) -> str:
        """Name of the drawn value: “success”, “mean damage”."""
        part_in_words = (self.part or "").replace("_", " ")
        if self.wanted is None:
            return f"mean {part_in_words}".rstrip()
        if self.wanted == {True}:
            return part_in_words or "yes"
        outcomes = " or ".join(words(outcome) for outcome in self.outcomes if outcome in self.wanted)
        return outcomes or (self.setting.reading.goal or "")


class Answer(Picture, Struct, frozen=True, eq=False):
    """The odds of one setting or two, as a chart, a table, CSV, JSON or text."""

    found: tuple[SettingOdds, ...]
    """The odds of each setting."""

    @property
    def missing(self) -> int:
        """Points that are still to be calculated."""
        return sum(result.missing for result in self.found)

    @property
    def title(self) -> str:
        first = self.found[0]
        is_single = len(self.found) == 1
        if not first.setting.axes:
            part_in_words = (first.part or "odds").replace("_", " ")
            return first.setting.label if is_single else capitalised(part_in_words)
        drawn_values = " and ".join(dict.fromkeys(result.drawn for result in self.found))
        axes = [axis.words for result in self.found for axis in result.setting.axes]
        axes_in_words = " and ".join(dict.fromkeys(axes))
        if first.wanted is None:
            title = f"{capitalised(drawn_values)} by {axes_in_words}"
        else:
            title = f"Chance of {drawn_values} by {axes_in_words}"
        return f"{title}. {first.setting.label}" if is_single else title

    def drawing(self, title: str = "") -> Drawing:
        if len({result.wanted is None for result in self.found}) > 1:
            raise BadQuestion("A chance and a mean don't go on one chart: count the same part of both.")
        title = title or self.title
        number_of_axes = len(self.found[0].setting.axes)
        if number_of_axes == 0:
            return self._bars(title)
        if number_of_axes == 1:
            return self._curves(title)
        return self._heat_maps(title)

    def _bars(self, title: str) -> Drawing:
        """Draw the odds of a setting in which nothing varies, or compare two of them."""
        if len(self.found) == 1:
            return self.found[0].points[()].drawing(title)

        from astragal.chance import compare

        first, second = self.found
        comparison = compare(first.points[()], second.points[()], first.setting.label, second.setting.label)
        return comparison.drawing(title)

    def _curves(self, title: str) -> Drawing:
        """Draw a curve for each setting, over its only axis."""
        from astragal.chance import charts

        curves = []
        for result in self.found:
            name = result.drawn if len(self.found) == 1 else self._name(result)
            heights: dict[Any, Fraction] = {point[0]: result.value(point) for point in result.points}
            curves.append((name, result.setting.axes[0].words, heights))
        return charts.curves(curves, title, are_chances=self.found[0].wanted is not None)

    def _heat_maps(self, title: str) -> Drawing:
        """Draw a heat map for each setting, over its two axes."""
        from astragal.chance import charts

        maps = []
        for result in self.found:
            down, across = result.setting.axes
            values: dict[Any, Fraction] = {point: result.value(point) for point in result.points}
            maps.append(
                charts.heat_map(
                    (across.words, across.values),
                    (down.words, down.values),
                    values,
                    title if len(self.found) == 1 else self._name(result),
                    are_chances=result.wanted is not None,
                )
            )
        return charts.stacked(maps, title)

    def _name(self, result: SettingOdds) -> str:
        """Name a setting on a chart, and what is drawn of it if that differs among the settings."""
        if len({each_result.drawn for each_result in self.found}) > 1:
            return f"{result.setting.label} ({result.drawn})"
        return result.setting.label

    def rows(self) -> list[list[str]]:
        """Return a head and rows of words: percentages, or for two axes a grid of what is drawn."""
        axes = self.found[0].setting.axes
        if not axes:
            return self._rows_by_outcome()
        if len(axes) == 2 and len(self.found) == 1:
            return _grid(self.found[0])
        return self._rows_by_point()

    def _rows_by_outcome(self) -> list[list[str]]:
        """Return a row for each outcome, with its percentage in every setting."""
        labels = [result.setting.label for result in self.found]
        rows = [["outcome", *(labels if len(labels) > 1 else ["percent"])]]
        for outcome in _in_order(outcome for result in self.found for outcome in result.outcomes):
            percentages = [percent_words(result.points[()].chance(outcome), 1) for result in self.found]
            rows.append([words(outcome), *percentages])
        return rows

    def _rows_by_point(self) -> list[list[str]]:
        """Return a row for each point, with what is drawn there and all its outcomes."""
        names_settings = len(self.found) > 1
        head = [*(axis.words for axis in self.found[0].setting.axes), "drawn", "outcomes"]
        rows = [["setting", *head] if names_settings else head]
        for result in self.found:
            for point, odds in result.points.items():
                percentages = [
                    f"{words(outcome)} {percent_words(odds.chance(outcome), 1)}" for outcome in result.outcomes
                ]
                row = [*map(words, point), result.shown(point), ", ".join(percentages)]
                rows.append([result.setting.label, *row] if names_settings else row)
        return rows

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield every outcome at every point with its exact chance, for CSV and JSON."""
        for result in self.found:
            for point, odds in result.points.items():
                value_by_axis = {axis.path: value for axis, value in zip(result.setting.axes, point, strict=True)}
                for outcome, weight in odds:
                    chance = Fraction(weight, odds.total)
                    yield {
                        "setting": result.setting.label,
                        **value_by_axis,
                        "outcome": words(outcome, odds.open_end),
                        "exactly": str(chance),
                        "percent": round(float(chance) * 100, 6),
                    }

    def csv(self) -> str:
        records = list(self.records())
        columns = list(dict.fromkeys(name for record in records for name in record))
        rows = [[record.get(name, "") for name in columns] for record in records]
        return csv_text([columns, *rows])

    def json(self) -> str:
        import msgspec

        settings = []
        for result in self.found:
            setting = result.setting
            settings.append({"game": setting.game.id, "rule": setting.roll.name, "counted": result.part})
        return msgspec.json.encode({"settings": settings, "odds": list(self.records())}).decode()

    def text(self, width: int = 80) -> str:
        """Render for a terminal: bars, or a table of two parameters."""
        if len(self.found[0].setting.axes) == 2:
            from astragal.chance.charts import text_table

            return "\n\n".join(f"{result.setting.label}\n{text_table(_grid(result))}" for result in self.found)
        blocks = []
        for result in self.found:
            chart = _curve_in_text(result, width) if result.setting.axes else bars(result.points[()], width)
            blocks.append(f"{self._name(result)}\n{chart}" if len(self.found) > 1 else chart)
        return "\n\n".join(blocks)


def _grid(result: SettingOdds) -> list[list[str]]:
    """Return a head and rows for a setting with two axes: the first goes down, the second across."""
    down, across = result.setting.axes
    rows = [[f"{down.words} \\ {across.words}", *map(words, across.values)]]
    for value_down in down.values:
        points = [(value_down, value_across) for value_across in across.values]
        cells = [result.shown(point) if point in result.points else "…" for point in points]
        rows.append([words(value_down), *cells])
    return rows


def _curve_in_text(result: SettingOdds, width: int) -> str:
    axis = result.setting.axes[0]
    point_by_label = {f"{axis.words} {words(point[0])}": point for point in result.points}
    label_width = max(map(len, point_by_label))
    full_length = Fraction(1)
    if result.wanted is None:
        full_length = max(abs(result.value(point)) for point in result.points) or Fraction(1)
    lines = []
    for label, point in point_by_label.items():
        length = float(abs(result.value(point)) / full_length) * (width - label_width - 10)
        bar = "█" * round(length)
        lines.append(f"{label:>{label_width}} {result.shown(point):>7} {bar}".rstrip())
    return "\n".join(lines)


def _in_order(outcomes: Iterable[Outcome]) -> list[Outcome]:
    return [outcome for outcome, _ in Odds(dict.fromkeys(outcomes, 1), 1)]


# ---------------------------------------------------------------- calculating


PATHS_AT_ONCE = 200_000
"""A whole grid is calculated at once if its points have no more paths in all, judged by its corners."""
ENOUGH_VERDICTS = 50
"""About as many verdicts of a corner are looked at to see what parts they have."""
MOST_KEPT = 20_000
"""Most odds that an explorer caches."""


def explore(*settings: Setting) -> Answer:
    """Calculate the odds of one setting or two, over their axes."""
    return Explorer().answer(settings)


class OddsKey(NamedTuple):
    """What the odds of a point depend on: the question, how decisions are made, and the part that is counted."""

    question: Question[Any]
    reading: OddsOptions
    part: str | None


class Explorer:
    """Answers explorations, and caches the odds that it has calculated.

    `most_paths` limits the work for one point; a question that would take more is refused with a sentence. Safe to
    share between threads: two that ask the same at once calculate it twice.
    """

    def __init__(self, most_paths: int = MOST_PATHS) -> None:
        self._most_paths = most_paths
        self._declined_odds = _RecentlyUsed[Question[Any], DeclinedOdds]()
        self._odds = _RecentlyUsed[OddsKey, Odds[Outcome]]()

    def answer(self, settings: Sequence[Setting], enough: Callable[[], bool] = lambda: False) -> Answer:
        """Calculate one setting or two. Once `enough()` is true, no further point is begun, except the ends of each."""
        if not 1 <= len(settings) <= 2 or len({len(setting.axes) for setting in settings}) > 1:
            raise BadQuestion("One setting or two, each with as many parameters that vary as the other.")
        return Answer(tuple(self._explored(setting, enough) for setting in settings))

    def _explored(self, setting: Setting, enough: Callable[[], bool]) -> SettingOdds:
        questions = setting.questions()
        points = list(questions)
        corners = [questions[points[0]], questions[points[-1]]]
        is_cheap = self._is_cheap(setting, corners, len(points))
        odds_of_corners = [self._declined(question, self._most_paths) for question in corners]
        sides = list(dict.fromkeys(side for declined in odds_of_corners for side in declined.sides))
        verdicts = _sampled_verdicts(odds_of_corners)

        wanted_part = setting.reading.of
        if not wanted_part and setting.axes:
            wanted_part = default_part(verdicts)
        name, meaning = part(verdicts, wanted_part)

        policy = setting.reading.policy_of(setting.game)
        reading = setting.reading
        if policy is None and not reading.side and sides:
            reading = replace(reading, side=sides[0])

        keys = {point: OddsKey(question, reading, name) for point, question in questions.items()}
        if policy is not None and not sides and is_cheap:
            self._calculate_grid(setting, policy, name, keys)

        odds_by_point: dict[Point, Odds[Outcome]] = {}
        for number, place in enumerate(_ends_first(len(points))):
            point = points[place]
            odds = self._odds.get(keys[point])
            if odds is None:
                if number > 1 and enough():
                    continue
                verdict_odds = self._decided(keys[point], setting)
                odds = in_words(verdict_odds.map(meaning) if name else verdict_odds)
                self._odds.put(keys[point], odds)
            odds_by_point[point] = odds
        in_order = {point: odds_by_point[point] for point in points if point in odds_by_point}
        return SettingOdds(setting, name, in_order, tuple(countable(verdicts)))

    def _declined(self, question: Question[Any], most_paths: int) -> DeclinedOdds:
        """Return the odds of a question if every offer is declined, and who was asked."""
        declined = self._declined_odds.get(question)
        if declined is None:
            declined = declined_odds(question, most_paths)
            self._declined_odds.put(question, declined)
        return declined

    def _decided(self, key: OddsKey, setting: Setting) -> Odds[Any]:
        """Return the odds with decisions made; if the side that plays best has none, as if all were declined."""
        declined = self._declined(key.question, self._most_paths)
        policy = key.reading.policy_of(setting.game)
        if not declined.sides or (policy is None and key.reading.side not in declined.sides):
            return declined.odds
        return key.reading.odds(key.question, setting.game, self._most_paths)

    # ---------------------------------------------------------------- a whole grid at once

    def _is_cheap(self, setting: Setting, corners: Sequence[Question[Any]], number_of_points: int) -> bool:
        """Return whether it would still be cheap if the grid had to be walked path by path after all."""
        if number_of_points <= 2 or setting.roll.rule is None:
            return False
        if any("." in axis.path for axis in setting.axes):
            return False
        paths_per_point = min(self._most_paths, PATHS_AT_ONCE // number_of_points)
        try:
            for question in corners:
                self._declined(question, paths_per_point)
        except TooManyPaths:
            return False
        return True

    def _calculate_grid(
        self, setting: Setting, policy: Policy, name: str | None, keys: Mapping[Point, OddsKey]
    ) -> None:
        """Calculate the odds of all points at once, unless they are cached already."""
        if setting.roll.rule is None or all(self._odds.get(key) is not None for key in keys.values()):
            return
        arguments_by_point = [key.question.named for key in keys.values()]
        arguments: dict[str, Any] = dict(arguments_by_point[0])
        for axis in setting.axes:
            arguments[axis.path] = list(
                dict.fromkeys(arguments_there[axis.path] for arguments_there in arguments_by_point)
            )
        grid = odds_grid(_counting(setting.roll.rule, name), policy, **arguments)
        for key, arguments_there in zip(keys.values(), arguments_by_point, strict=True):
            place = {axis.path: arguments_there[axis.path] for axis in setting.axes}
            self._odds.put(key, in_words(grid.at(**place)))


def _sampled_verdicts(odds_of_corners: Iterable[DeclinedOdds]) -> dict[Any, int]:
    """Return some of the verdicts at the corners, enough to see what parts they have."""
    verdicts: dict[Any, int] = {}
    for declined in odds_of_corners:
        verdicts_of_corner = list(declined.odds.weights)
        step = len(verdicts_of_corner) // ENOUGH_VERDICTS + 1
        verdicts.update(dict.fromkeys(verdicts_of_corner[::step], 1))
    return verdicts


def _ends_first(length: int) -> list[int]:
    """Order places so that the first tell the most: both ends, then a coarse grid, then those between."""

    def rank(place: int) -> tuple[bool, int, int]:
        is_between = place not in (0, length - 1)
        coarseness = place & -place  # the largest power of two that divides it
        return is_between, -coarseness, place

    return sorted(range(length), key=rank)


Key = TypeVar("Key")
Cached = TypeVar("Cached")


class _RecentlyUsed(Generic[Key, Cached]):
    """Cache that saves calculating odds again, and drops those used longest ago. Safe to share between threads."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Key, Cached] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Cached | None:
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: Key, entry: Cached) -> None:
        with self._lock:
            self._entries[key] = entry
            if len(self._entries) > MOST_KEPT:
                self._entries.popitem(last=False)


@lru_cache(maxsize=256)
def _counting(rule: Rule[..., Any], name: str | None) -> Rule[..., Any]:
    """Return the rule with only a part of its verdict.

    It has few outcomes, so that thousands of points are one reading in lanes. Cached, so that the same part of a rule
    is always the same `Rule`; of 256, the least recently used goes.
    """

    @wraps(rule.body)
    def body(*args: Any, **kwargs: Any) -> Rolls[Any]:
        verdict = yield from rule.body(*args, **kwargs)
        return verdict if name is None else attrgetter(name)(verdict)

    return Rule(body)
