"""Explore rules: exact odds, curves over one parameter, heat maps over two; two settings or two games on one chart.

    explore(setting(SIX_POOL, "check", dc=15, bonus=5).over(bonus=range(11)))

An answer draws itself, and is a table, CSV and JSON. `Explorer` keeps what it has found, and stops when it is told that
it is enough: what is missing is missing in the answer, until it is asked again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, wraps
from operator import attrgetter
from threading import Lock
from typing import Any

from astragal.chance import Odds, Policy, Question, Rolls, Rule, TooManyPaths, odds_grid
from astragal.chance.verdicts import in_words
from astragal.chance.weigh import MOST_PATHS

from .findings import Answer, Found
from .reading import BadQuestion, Reading, countable, declined_odds, part, telling_part
from .settings import Point, Setting, setting

__all__ = ["Answer", "Explorer", "Setting", "explore", "setting"]

PATHS_AT_ONCE = 200_000
"""A whole grid is asked at once if its points have no more paths in all, judged by its corners."""
ENOUGH_VERDICTS = 50
MOST_KEPT = 20_000
"""Odds that an explorer remembers."""


def explore(*settings: Setting) -> Answer:
    """The odds of one setting or two, over their axes."""
    return Explorer().answer(settings)


def _never() -> bool:
    return False


class Explorer:
    """Answers explorations, and remembers the odds that it has found.

    `most_paths` is how much work one point may be; a question that would take more is refused with a sentence. Safe to
    be shared between threads: two that ask the same at once calculate it twice.
    """

    def __init__(self, most_paths: int = MOST_PATHS) -> None:
        self._most_paths = most_paths
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._lock = Lock()

    def answer(self, settings: Sequence[Setting], enough: Callable[[], bool] = _never) -> Answer:
        """Look at one setting or two. Once it is enough, no further point is begun; each has at least its ends."""
        if not 1 <= len(settings) <= 2 or len({len(one.axes) for one in settings}) > 1:
            raise BadQuestion("One setting or two, each with as many parameters that vary as the other.")
        return Answer(tuple(self._look(one, enough) for one in settings))

    def _look(self, one: Setting, enough: Callable[[], bool]) -> Found:
        asked = one.questions()
        points = list(asked)
        corners = [asked[points[0]], asked[points[-1]]]
        is_cheap = self._is_cheap(one, corners, len(points))
        whole = [self._remembered((question, None), self._declined, question) for question in corners]
        verdicts = {verdict: 1 for odds, _ in whole for verdict in _some(list(odds.weights))}
        sides = list(dict.fromkeys(side for _, some in whole for side in some))
        name, meaning = part(verdicts, one.reading.of or (telling_part(verdicts) if one.axes else None))
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
        for number, point in enumerate(_coarse_first(points)):
            known = self._known(keys[point])
            if known is None and number > 1 and enough():
                continue
            found[point] = known or self._remembered(keys[point], count, keys[point][0])
        return Found(one, name, {point: found[point] for point in points if point in found}, tuple(countable(verdicts)))

    def _declined(self, question: Question[Any]) -> tuple[Odds[Any], list[str]]:
        return declined_odds(question, self._most_paths)

    def _decided(self, question: Question[Any], one: Setting, reading: Reading) -> Odds[Any]:
        """The odds with decisions made; where the side that plays best has none, as if all were declined."""
        declined: Odds[Any]
        declined, sides = self._remembered((question, None), self._declined, question)
        policy = reading.policy_of(one.game)
        if not sides or (policy is None and reading.side not in sides):
            return declined
        return reading.odds(question, one.game, self._most_paths)

    # ---------------------------------------------------------------- a whole grid at once

    def _is_cheap(self, one: Setting, corners: Sequence[Question[Any]], points: int) -> bool:
        """Would it be no great loss if the grid had to be walked path by path after all?"""
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
            return  # or somebody has asked before
        asked = [question.named for question, *_ in keys.values()]
        spread = {axis.path: list(dict.fromkeys(it[axis.path] for it in asked)) for axis in one.axes}
        grid = odds_grid(_counting(one.roll.rule, name), policy, **{**asked[0], **spread})
        for key, named in zip(keys.values(), asked, strict=True):
            self._keep(key, in_words(grid.at(**{axis.path: named[axis.path] for axis in one.axes})))

    # ---------------------------------------------------------------- what was found before

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
    """The rule with only a part of its verdict: few outcomes, so that thousands of points are one reading in lanes."""

    @wraps(rule.body)
    def body(*args: Any, **kwargs: Any) -> Rolls[Any]:
        verdict = yield from rule.body(*args, **kwargs)
        return verdict if name is None else attrgetter(name)(verdict)

    return Rule(body)


def _some(verdicts: list[Any]) -> list[Any]:
    """Verdicts from all over: enough to see what parts they have."""
    return verdicts[:: len(verdicts) // ENOUGH_VERDICTS + 1]


def _coarse_first(points: Sequence[Point]) -> list[Point]:
    """Both ends, then every so many, then those between: what is there early says most."""
    last = len(points) - 1
    places = sorted(range(len(points)), key=lambda it: (it not in (0, last), -(it & -it), it))
    return [points[place] for place in places]
