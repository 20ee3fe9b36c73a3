"""Exact odds, path by path: read a question every way at once.

A rule is run once for each path through it. Sub-questions count as one draw each, are weighed once and cached, and
those that a rule asks as its last step are states of a chain (`chains`). The reference for every faster reading.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from astragal.chance.play import LONG_PATH, LONGEST_PATH, REPEATS, loops_forever, nested_too_deep, no_end

from .chains import Row, estimated_states, solved
from .chances import Chance, check_hashable
from .errors import Circular, NotAStep, TooManyPaths
from .odds import Odds, backwards
from .play import legal
from .steps import Offer, Question, Step, Together, is_last_step

if TYPE_CHECKING:
    from random import Random

T = TypeVar("T")

Policy = Callable[[Offer[Any]], Any]
"""Function that answers offers from what the offer itself says."""

MOST_PATHS = 5_000_000
MOST_OUTCOMES = 1_000_000
"""Different verdicts of one question, each of which is kept in memory."""
MANY_PATHS = 20_000
"""After this many paths, estimate how many there are …"""
GROUPS, PROBES = 7, 32
"""… from so many groups of paths picked at random, and so many paths in each."""
PATHS_PER_SECOND = 300_000
"""What a usual machine walks."""
MOST_NESTED = 10_000
"""Questions asked inside each other."""
MOST_IN_A_CHAIN = 2_500
"""Questions asked one after the other, on the shortest way to the last one."""
FIRST_ESTIMATE = 20_000
"""After this many paths through the states of a chain, and again and again later, estimate how many it has …"""
PLAYS = 5
"""… by the length of this many plays."""

INSTEAD = (
    "Many dice are one step: total, highest and hits count them, pool(8, d10).largest_set() and others their sets. "
    f"{REPEATS}"
)

_Parting = tuple[int, Iterator[tuple[Any, int]], int, int]
"""Number of steps before a branching point, the other outcomes there, and the weight and total up to there."""


def too_many_paths(question: Question[Any], paths: float | None = None) -> TooManyPaths:
    """Error for a question that takes too long, with an estimate of how long."""
    number = f", some {paths:.0e}, which would take {duration(paths / PATHS_PER_SECOND)}" if paths else ""
    return TooManyPaths(f"{question} has too many paths to be weighed one by one{number}. {INSTEAD}")


def duration(seconds: float) -> str:
    """A duration in words: the largest unit of which it has more than one."""
    for unit, length in (("year", 31_557_600), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds > length:
            return "for ever" if seconds > 1e6 * length else f"about {seconds / length:,.0f} {unit}s"
    return f"about {seconds:,.0f} seconds"


def estimated_paths(probe: Callable[[Random], float]) -> float:
    """Estimate a number of paths: if one is picked at random, the product of its choices is that number on average.

    `probe` returns the product along one path. Few paths may lie behind many choices, and most behind few, so that one
    probe in a thousand can be enormous: the median of several means is not misled by it.
    """
    from random import Random  # slow to import, and seldom needed

    dice = Random(PROBES)  # noqa: S311 - the same answer each time
    return median([mean([probe(dice) for _ in range(PROBES)]) for _ in range(GROUPS)])


def mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def median(numbers: Sequence[float]) -> float:
    return sorted(numbers)[len(numbers) // 2]


def decline(offer: Offer[Any]) -> Any:
    """The default answer: the first of the options.

    >>> from astragal import Offer, decline
    >>> decline(Offer("hero", "luck", (0, 1, 2)))
    0
    """
    return offer.default


def answered(step: Offer[Any] | Together, policy: Policy) -> Any:
    """The policy's answer, if the offer lists it."""
    if isinstance(step, Offer):
        return legal(step, policy(step))
    return legal(step, tuple(policy(offer) for offer in step.offers))


class Weigher:
    """Weighs each question once, under one policy, and caches its odds.

    A question that a rule asks in the middle is weighed first, and is then one draw. A question that a rule asks as its
    last step is a state of a chain: it is only noted, and all questions that lead on like this are solved together.
    Nothing recurses, so that questions may be nested, or follow each other, as deep as they like.
    """

    def __init__(self, policy: Policy = decline, most_paths: int = MOST_PATHS) -> None:
        self._policy = policy
        self._most_paths = self._paths_left = most_paths
        self.known: dict[Step[Any], Odds[Any]] = {}
        self._being_weighed: dict[Question[Any], None] = {}
        self._questions: list[Question[Any]] = []
        """The questions that were met in chains: their places here are the states."""
        self._states: dict[Question[Any], int] = {}
        self._rows: dict[int, Row] = {}
        self._solved: dict[int, Odds[Any]] = {}

    def weigh(self, step: Step[T]) -> Odds[T]:
        known = self.known.get(step)
        if known is None:
            known = self.known[step] = self._find(step)
        return known

    def _find(self, step: Step[Any]) -> Odds[Any]:
        if isinstance(step, Chance):
            return step.odds()
        if not isinstance(step, Question):
            raise NotAStep(f"a rule stopped for {step!r}, which is no step with odds")
        return self._weigh_question(step)

    def _weigh_question(self, question: Question[Any]) -> Odds[Any]:
        chains: list[_Chain] = []
        needed: Question[Any] | None = question
        try:
            while True:
                if needed is not None:
                    self._begin(needed)
                    chains.append(_Chain(needed, self._state(needed)))
                chain = chains[-1]
                needed = self._advance(chain)
                if needed is None:
                    self._solved.update(solved(chain.rows, self._solved, self._questions))
                    self.known[chain.start] = self._solved[self._state(chain.start)]
                    del self._being_weighed[chains.pop().start]
                    if not chains:
                        return self.known[question]
        finally:
            for chain in chains:
                self._being_weighed.pop(chain.start, None)

    def _state(self, question: Question[Any]) -> int:
        """The number of a question among the states."""
        state = self._states.setdefault(question, len(self._questions))
        if state == len(self._questions):
            self._questions.append(question)
        return state

    def _begin(self, question: Question[Any]) -> None:
        """Note that a question is being weighed. Refuse one that needs its own odds to find its odds."""
        if question in self._being_weighed:
            raise Circular(f"{question} asks itself, and goes on with what that comes to. {REPEATS}")
        for outer in self._being_weighed:
            if outer.rule is question.rule:
                question.rule.asks_itself = True
        self._being_weighed[question] = None
        if len(self._being_weighed) > MOST_NESTED:
            raise nested_too_deep(question, len(self._being_weighed))

    def _advance(self, chain: _Chain) -> Question[Any] | None:
        """Walk the questions of a chain, layer by layer. Return the next question whose odds are needed, if any."""
        while chain.layer or chain.walk:
            if chain.walk is None:
                chain.state = chain.layer.pop()
                row = self._rows.get(chain.state)
                if row is not None:
                    self._lead_on(chain, row)
                    continue
                chain.walk = self._walk(self._questions[chain.state])
                found = continued(chain.walk, None)
            else:
                found = continued(chain.walk, self.known[chain.needed])
            if isinstance(found, Question):
                chain.needed = found
                return found
            chain.walk = None
            self._rows[chain.state] = found
            self._lead_on(chain, found)
        return None

    def _lead_on(self, chain: _Chain, row: Row) -> None:
        """Note where a question of a chain leads to: what was not met before comes in the next layer."""
        chain.rows[chain.state] = row
        for state in row.states:
            if state not in chain.met and state not in self._solved:
                chain.met.add(state)
                chain.next_layer.append(state)
        if chain.layer:
            return
        rule = self._questions[chain.state].rule
        rule.asks_itself |= any(self._questions[state].rule is rule for state in chain.next_layer)
        chain.begin_next_layer()
        if not chain.layer:
            return
        if len(chain.sizes) > MOST_IN_A_CHAIN:
            raise nested_too_deep(self._questions[chain.state], len(chain.sizes))
        if self._most_paths - self._paths_left > chain.next_estimate:
            chain.next_estimate *= 4
            self._check_size(chain)
        self._read_layer(chain.layer)

    def _read_layer(self, layer: Sequence[int]) -> None:
        """Find at once where the states of a layer lead to, for readings that can."""

    def _walk(self, question: Question[Any]) -> Generator[Question[Any], Odds[Any], Row]:
        """Walk each path with a run of its own, deepest first. Of the others only the branching points are stored.

        Yields the questions whose odds it needs, is sent them, and returns where the question leads to.
        """
        begin = question.rule.started(question.arguments)
        verdicts: dict[int, dict[Any, int]] = {}
        states: dict[int, dict[int, int]] = {}
        taken: list[Any] = []
        partings: list[_Parting] = []
        weight = total = 1
        long = LONG_PATH
        walked = 0
        while True:
            self._spend(1, question)
            walked += 1
            if walked == MANY_PATHS:
                self._check_width(question)
            run = begin()
            send = run.send
            try:
                step = send(None)
                for value in taken:
                    step = send(value)
                while True:
                    if len(taken) >= long:
                        self._look_ahead(question, taken)
                        long = min(2 * long, LONGEST_PATH)
                    if isinstance(step, (Offer, Together)):
                        value = answered(step, self._policy)
                    elif isinstance(step, Question) and is_last_step(run):
                        weights, state = states.setdefault(total, {}), self._state(step)
                        weights[state] = weights.get(state, 0) + weight
                        break
                    else:
                        draw = self.known.get(step)
                        if draw is None:
                            draw = (yield step) if isinstance(step, Question) else self.weigh(step)
                        total *= draw.total
                        value, share = next(iter(draw.weights.items()))
                        others = islice(backwards(draw.weights), len(draw.weights) - 1)
                        partings.append((len(taken), others, weight, total))
                        weight *= share
                    taken.append(value)
                    step = send(value)
            except StopIteration as done:
                found = verdicts.setdefault(total, {})
                _add(found, done.value, weight)
                if len(found) > MOST_OUTCOMES:
                    raise TooManyPaths(f"{question} has more than {MOST_OUTCOMES:,} outcomes. {INSTEAD}") from None
            other = _other_way(partings)
            if other is None:
                return Row.merged(verdicts, states)
            place, _, weight, total = partings[-1]
            taken[place:] = other[:1]
            weight *= other[1]

    def _spend(self, paths: int, question: Question[Any]) -> None:
        self._paths_left -= paths
        if self._paths_left < 0:
            raise too_many_paths(question)

    def _check_size(self, chain: _Chain) -> None:
        """Refuse a chain that has almost certainly too many states, before they are all walked."""
        played = {question for seed in range(PLAYS) for question in self._play(chain.start, seed)}
        met = [question for question in played if self._states.get(question) in chain.met]
        states = estimated_states(chain.sizes, len(met) / len(played))
        paths = states * (self._most_paths - self._paths_left) / len(chain.rows)
        if paths > self._most_paths:
            raise TooManyPaths(
                f"{chain.start} leads to some {states:.0e} states, too many for exact odds. Carry less in the "
                "arguments, or give it an end: a number that it stops at."
            )

    def _play(self, question: Question[Any], seed: int) -> Iterator[Question[Any]]:
        """Yield the questions that follow each other in one play of a chain, up to a limit."""
        from random import Random  # slow to import, and seldom needed

        dice = Random(seed)  # noqa: S311 - the same answer each time
        for _ in range(LONGEST_PATH):
            yield question
            last_step: Step[Any] | None = None
            for step, _ in self.one_path(question, dice.randrange):
                last_step = step
            if not isinstance(last_step, Question):
                return
            question = last_step

    def _check_width(self, question: Question[Any]) -> None:
        """Refuse a question that has probably more paths than may be walked."""

        def probe(dice: Random) -> int:
            return max(paths for _, paths in self.one_path(question, dice.randrange))

        paths = estimated_paths(probe)
        if 2 * paths > self._paths_left:  # half as many are walked in the time that a refusal may take, or nearly
            raise too_many_paths(question, paths)

    def one_path(self, question: Question[Any], pick: Callable[[int], int]) -> Iterator[tuple[Step[Any] | None, int]]:
        """Walk one path and yield its steps, then None at its end; `pick` chooses among the outcomes of a draw.

        Each step comes, before it is weighed, with an estimate of the number of paths, judged by this path so far. A
        path may also end with a question that is its last step: what that leads to is weighed for itself.
        """
        run, paths = question.begin(), 1
        value: Any = None
        for _ in range(LONGEST_PATH):
            try:
                step = run.send(value)
            except StopIteration:
                break
            yield step, paths
            if isinstance(step, Question) and is_last_step(run):
                step.rule.asks_itself |= step.rule is question.rule
                return
            if isinstance(step, (Offer, Together)):
                value = answered(step, self._policy)
            else:
                outcomes = self.weigh(step).weights
                paths *= len(outcomes)
                value = next(islice(outcomes, pick(len(outcomes)), None))
        yield None, paths

    def _look_ahead(self, question: Question[Any], taken: list[Any]) -> None:
        """Raise `NoEnd` for a path that is too long, or that will be."""
        run = question.begin()
        if loops_forever(run, taken, self._possible):
            raise no_end(question, run, LONGEST_PATH)

    def _possible(self, step: Step[Any]) -> Container[Any]:
        return (answered(step, self._policy),) if isinstance(step, (Offer, Together)) else self.weigh(step).weights


class _Chain:
    """Questions that lead on from one question by their last steps, walked layer by layer."""

    def __init__(self, start: Question[Any], state: int) -> None:
        self.start = start
        self.rows: dict[int, Row] = {}
        self.met = {state}
        self.layer = [state]
        self.next_layer: list[int] = []
        self.sizes = [1]
        self.next_estimate = FIRST_ESTIMATE
        self.state = state
        """The state that is walked …"""
        self.walk: Generator[Question[Any], Odds[Any], Row] | None = None
        """… the walk, while it waits for the odds of another question …"""
        self.needed = start
        """… and that question."""

    def begin_next_layer(self) -> None:
        self.layer = self.next_layer
        self.next_layer = []
        self.sizes.append(len(self.layer))


def continued(walk: Generator[Question[Any], Odds[Any], Row], odds: Odds[Any] | None) -> Question[Any] | Row:
    """Continue a walk with the odds that it asked for; return the next question that it needs, or its result."""
    try:
        return walk.send(odds)  # type: ignore[arg-type] # None starts it
    except StopIteration as done:
        row: Row = done.value
        return row


def _other_way(partings: list[_Parting]) -> tuple[Any, int] | None:
    """The next alternative at the last branching point."""
    while partings:
        for other in partings[-1][1]:
            return other
        partings.pop()
    return None


def _add(found: dict[Any, int], value: Any, weight: int) -> None:
    """Add a verdict's weight. A new verdict, the usual case, is hashed once: a hash may cost as much as a path."""
    known = len(found)
    try:
        before = found.setdefault(value, weight)
    except TypeError:
        check_hashable(value, "the verdict of a rule")
        raise
    if len(found) == known:
        found[value] = before + weight
