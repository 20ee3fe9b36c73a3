"""Chains in lanes: a rule that asks itself runs for a whole layer of its states at once.

The state is one more axis beside those of the dice. What a state leads to, a verdict or the next question, is the
verdict of its run. A race of two dice to 100 is 26 layers of four runs, where one by one it is 480,000 paths.
"""

from collections.abc import Callable, Sequence
from typing import Any

from astragal.chance.chains import Row
from astragal.chance.steps import Question, Rule
from astragal.chance.weigh import MOST_PATHS, Policy, Weigher, decline

from .forms import Draw, builder, split
from .lane import Lane, Space
from .runs import Run
from .seen import tallied
from .weighing import LaneWeigher, LeadsOn, Survey, try_in_lanes

FEW_STATES = 12
"""A layer of fewer states is walked path by path."""
MOST_STATES = 2_048
"""States that run at once."""


class ChainWeigher(Weigher):
    """Weighs chains layer by layer, those of many states in lanes."""

    def __init__(self, policy: Policy = decline, most_paths: int = MOST_PATHS) -> None:
        super().__init__(policy, most_paths)
        self._lanes = LaneWeigher(policy)
        self._lanes.known = self.known
        self._beyond_lanes: set[Rule[..., Any]] = set()

    def _read_layer(self, layer: Sequence[int]) -> None:
        by_rule: dict[Rule[..., Any], list[int]] = {}
        for state in layer:
            if state not in self._rows:
                by_rule.setdefault(self._questions[state].rule, []).append(state)
        for rule, states in by_rule.items():
            for first in range(0, len(states), MOST_STATES):
                if len(states) - first >= FEW_STATES and rule not in self._beyond_lanes:
                    self._read_states(rule, states[first : first + MOST_STATES])

    def _read_states(self, rule: Rule[..., Any], states: Sequence[int]) -> None:
        asked = Draw(enumerate(self._questions[state].arguments for state in states), total=1)

        def follow(run: Run) -> tuple[Lane | int, Any]:
            place, arguments = run.draw(asked)
            return place, self._lanes.follow(run, Question(rule, arguments), to_next_question=True)

        survey = try_in_lanes(
            rule, lambda: self._lanes.surveyed(follow, lambda space: _LayerSurvey(space, len(states), self._state))
        )
        if survey is None:
            self._beyond_lanes.add(rule)
        else:
            rows = survey.rows()
            self._rows.update(zip(states, rows, strict=True))
            self._spend(sum([len(row.verdicts) + len(row.states) for row in rows]), self._questions[states[0]])


class _LayerSurvey(Survey):
    """All runs of a rule for many of its questions at once. A run's result is the place of the question, and an end."""

    def __init__(self, space: Space, size: int, state_of: Callable[[Question[Any]], int]) -> None:
        super().__init__(space, ())
        self._state_of = state_of
        self._verdicts: list[dict[int, dict[Any, int]]] = [{} for _ in range(size)]
        self._states: list[dict[int, dict[int, int]]] = [{} for _ in range(size)]

    def rows(self) -> list[Row]:
        """Return what each of the questions leads to."""
        return [Row.merged(*weights) for weights in zip(self._verdicts, self._states, strict=True)]

    def settle(self, run: Run, verdict: tuple[Lane | int, Any]) -> None:
        """Note what the lanes of a run come to. Few ends differ, so each is built once, not once for each lane."""
        place, end = verdict
        lanes = [place] if type(place) is Lane else []
        build = builder(split(end, Lane, lanes))
        weights_by_place = self._states if isinstance(end, LeadsOn) else self._verdicts
        total = run.ground.total
        ends: dict[tuple[int, ...], Any] = {}
        for numbers, weight in tallied(run, lanes):
            own_place = numbers[0] if type(place) is Lane else place
            own_numbers = numbers[1:] if type(place) is Lane else numbers
            if own_numbers not in ends:
                built = build(iter(own_numbers))
                ends[own_numbers] = self._state_of(built.question) if isinstance(end, LeadsOn) else built
            weights = weights_by_place[own_place].setdefault(total, {})
            key = ends[own_numbers]
            weights[key] = weights.get(key, 0) + weight
