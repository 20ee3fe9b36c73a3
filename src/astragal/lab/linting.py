"""Linting for authors: wrong declarations, and rules with flaws.

A rule is checked for parameters that change nothing, answers that are never worth it, outcomes that can't happen,
decisions that flip, and ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple

from astragal.chance import Advice, ChanceError, Odds, Offer, Others, Policy, Question, advise, odds
from astragal.chance.contract import values_of
from astragal.chance.pictures import words
from astragal.chance.steps import Together
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract.manifest import declared_faults, place_of
from astragal.table.declarations import Value
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.shapes import NumberShape, RecordShape, said

from .rolls import Roll, number_range, policies_of, rolls_of
from .verdicts import countable, success_part

MOST_PATHS = 20_000
"""Paths of one question: enough to look at a rule without waiting for it."""
MOST_SAMPLES = 24
MOST_ADVISED = 8
ENOUGH = 8
"""Decisions after which an offer that never gained anything is reported."""
BETWEEN = 8
"""Values of a number that are tried between its ends, to find where a choice flips."""


class Kind(Enum):
    """Kind of a finding."""

    INERT = "changes nothing"
    IMPOSSIBLE = "can't happen"
    NEVER_TAKEN = "never worth taking"
    DOMINATED = "dominated"
    FLIPS = "flips"
    TIE = "tie"
    FAILS = "fails"
    DECLARED = "declared wrongly"


class Finding(Value):
    """One thing that an author may want to look at; not all are faults.

    A wrong declaration always is one. It has no rule, and `about` says where it is.
    """

    rule: str
    kind: Kind
    about: str
    words: str


def lint(game: Ruleset, tell: Callable[[int], None] = lambda done: None) -> list[Finding]:
    """Check what a game declares, then each of its rolls over its usual parameters."""
    findings = []
    for fault, kind in declared_faults(game):
        place = place_of(kind) if kind else ""
        findings.append(Finding(rule="", kind=Kind.DECLARED, about=place, words=f"{fault}."))
    for number, roll in enumerate(rolls_of(game).values()):
        tell(number)
        findings += _RollLint(game, roll).findings()
    return findings


def sampled(roll: Roll) -> dict[str, list[Any]]:
    """Choose values to try for each parameter, the usual one first; a required record has none."""
    values_by_name: dict[str, list[Any]] = {}
    for field in fields_of(roll.parameters):
        values = [] if field.required else [field.default]
        match said(field.shape):
            case NumberShape():
                numbers = number_range(field, roll.usual.get(field.name))
                if field.required:
                    values.append(numbers[len(numbers) // 2])
                values += [numbers[(len(numbers) - 1) * quarter // 4] for quarter in range(5)]
            case RecordShape() if field.required:
                pass  # has too many parts to guess
            case _:
                with suppress(TypeError, ValueError):
                    if roll.rule is not None:
                        values += values_of(roll.rule, field.name)
        values_by_name[field.name] = list(dict.fromkeys(values))
    return values_by_name


class OfferMade(NamedTuple):
    """An offer that a question makes, whatever its situation: whom it asks, what it is called, and its answers."""

    side: str
    name: str
    options: tuple[Any, ...]


class Decision(NamedTuple):
    """A decision that was advised on: the worth of each answer, and the default."""

    values: Mapping[Any, Fraction]
    default: Any

    def gain(self, answer: Any) -> Fraction:
        """Return what an answer is worth more than the default."""
        return self.values[answer] - self.values[self.default]


class _RollLint:
    """Checks one roll at some points, chosen by chance but the same each time."""

    def __init__(self, game: Ruleset, roll: Roll) -> None:
        self.roll = roll
        self.values = sampled(roll)
        # These policies take the second option, the third, or the last; fewer options, the last.
        takers = [lambda offer, place=place: offer.options[:place][-1] for place in (2, 3, None)]
        self.policies: list[Policy] = [*policies_of(game).values(), *takers]
        self._results: dict[Question[Any], _Result | None] = {}
        """Cache, so that each question is calculated once for all checks; it ends with the checks of this roll."""
        self.raised: dict[str, str] = {}
        """What the rule raised, and the first point or question where it did."""
        self.points = self._chosen_points() if all(self.values.values()) else []

    def _chosen_points(self) -> list[dict[str, Any]]:
        """Return the point with the usual values, and some at random."""
        dice = Random(len(self.roll.name))  # noqa: S311 - the same samples each time
        points = [{name: values[0] for name, values in self.values.items()}]
        for _ in range(MOST_SAMPLES):
            points.append({name: dice.choice(values) for name, values in self.values.items()})
        return points

    def findings(self) -> Iterator[Finding]:
        yield from self.inert()
        yield from self.impossible()
        yield from self.offers()
        yield from self.ties()
        for fault, place in self.raised.items():
            yield self._finding(Kind.FAILS, "", f"{fault} at {place}")

    def _finding(self, kind: Kind, about: str, words: str) -> Finding:
        return Finding(rule=self.roll.name, kind=kind, about=about, words=words)

    @cached_property
    def questions(self) -> list[Question[Any]]:
        """The different questions at the points. Cached, since several checks go through them."""
        questions = [self._question(point) for point in self.points]
        return list(dict.fromkeys(question for question in questions if question))

    def _question(self, point: Mapping[str, Any]) -> Question[Any] | None:
        try:
            return self.roll.ask(**point)
        except Exception as fault:  # noqa: BLE001 - whatever a rule raises, its author wants to know
            self.raised.setdefault(repr(fault), ", ".join(f"{name}={value}" for name, value in point.items()))
        return None

    def result(self, question: Question[Any]) -> _Result | None:
        """Calculate the odds of a question; None if it has too many paths, or the rule raises something."""
        if question not in self._results:
            self._results[question] = None
            try:
                self._results[question] = _Result.of(question, self.policies)
            except ChanceError:
                pass  # has too many paths to look at
            except Exception as fault:  # noqa: BLE001 - as above
                self.raised.setdefault(repr(fault), str(question))
        return self._results[question]

    # ---------------------------------------------------------------- parameters

    def inert(self) -> Iterator[Finding]:
        """Find parameters that change nothing."""
        for name in self.values:
            comparisons = self._comparisons(name)
            if comparisons:
                yield self._finding(Kind.INERT, name, f"{name} changes nothing, in {comparisons} comparisons.")

    def _comparisons(self, name: str) -> int:
        """Return how many values of a parameter were compared without any difference; 0 if it makes one."""
        comparisons = 0
        for point in self.points:
            results = self._results_along(name, point)
            if not results:
                continue
            first_value, first_result = results[0]
            for value, result in results[1:]:
                if first_result.differs(result, (first_value, value)):
                    return 0
                comparisons += 1
        return comparisons

    def _results_along(self, name: str, point: Mapping[str, Any]) -> list[tuple[Any, _Result]]:
        """Return each value of a parameter with the result there, the others as at the point."""
        questions = [(value, self._question({**point, name: value})) for value in self.values[name]]
        results = []
        for value, question in questions:
            result = self.result(question) if question is not None else None
            if result is not None:
                results.append((value, result))
        return results

    # ---------------------------------------------------------------- outcomes

    def impossible(self) -> Iterator[Finding]:
        """Find the members of an outcome's enum that never come up, unless the enum is also a parameter."""
        values_by_part: dict[str, set[Any]] = {}
        for question in self.questions:
            result = self.result(question)
            if result is not None:
                for name, values in countable(result.verdicts).items():
                    values_by_part.setdefault(name, set()).update(values)
        for name, outcomes in values_by_part.items():
            for kind in {type(outcome) for outcome in outcomes if isinstance(outcome, Enum)}:
                missing = [member for member in kind if member not in outcomes]
                if missing and len(outcomes) > 1 and not self._is_argument(kind):
                    listed = ", ".join(map(words, missing))
                    yield self._finding(Kind.IMPOSSIBLE, name, f"{name} never comes to {listed}.")

    def _is_argument(self, kind: type[Enum]) -> bool:
        for question in self.questions:
            if any(isinstance(argument, kind) for argument in question.arguments):
                return True
        return False

    def ties(self) -> Iterator[Finding]:
        """Say what meeting the number exactly comes to, at the first question where that can happen."""
        for question in self.questions:
            result = self.result(question)
            if result is None or 0 not in countable(result.verdicts).get("margin", ()):
                continue
            is_success = _success_test(result.verdicts)
            if is_success is None:
                continue
            chance = result.declined.chance(lambda verdict: verdict.margin == 0)
            answers = {bool(is_success(verdict)) for verdict in result.verdicts if verdict.margin == 0}
            if len(answers) > 1:
                meaning = "either way"
            else:
                meaning = "a success" if True in answers else "no success"
            arguments = []
            for name, value in question.named.items():
                parameter = question.rule.parameters[name]
                if parameter.default is parameter.empty:
                    arguments.append(f"{name} {words(value)}")
            place = f"{float(chance):.1%} at {question.rule.name}, {', '.join(arguments)}"
            yield self._finding(Kind.TIE, "margin", f"Meeting it exactly is {meaning}: {place}.")
            return

    # ---------------------------------------------------------------- decisions

    def offers(self) -> Iterator[Finding]:
        """Find offers that are never worth taking, answers that are never better, and decisions that flip."""
        for (side, name), decisions in self._decisions_by_offer().items():
            helps = any(max(decision.values.values()) > decision.values[decision.default] for decision in decisions)
            if not helps:
                if len(decisions) >= ENOUGH:
                    scope = f"in {len(decisions)} decisions, as far as success goes"
                    yield self._finding(Kind.NEVER_TAKEN, name, f"{side} never gains by {name}, {scope}.")
                continue
            answers = dict.fromkeys(answer for decision in decisions for answer in decision.values)
            idle = [answer for answer in answers if _is_idle(answer, decisions)]
            if idle:
                listed = _listed(idle)
                yield self._finding(Kind.DOMINATED, name, f"{name}: {listed} is never a better answer of {side}.")
        yield from self.flips()

    def _decisions_by_offer(self) -> dict[tuple[str, str], list[Decision]]:
        """Collect the decisions with a choice, by the side and the name of the offer."""
        decisions_by_offer: dict[tuple[str, str], list[Decision]] = {}
        advised = [self._advice(question) for question in self._questions_with_offers()]
        for advice in advised:
            for choice in advice.choices if advice else ():
                offer = choice.offer
                if isinstance(offer, Offer) and len(offer.options) > 1:
                    decisions = decisions_by_offer.setdefault((offer.side, offer.name), [])
                    decisions.append(Decision(choice.values, offer.default))
        return decisions_by_offer

    def _questions_with_offers(self) -> list[Question[Any]]:
        questions = []
        for question in self.questions:
            result = self.result(question)
            if result is not None and result.offers:
                questions.append(question)
        return questions[:MOST_ADVISED]

    def _advice(self, question: Question[Any]) -> Advice[Any] | None:
        """Advise the side that is asked first: to succeed, or to keep the acting side from it."""
        result = self.result(question)
        if result is None or not result.offers:
            return None
        is_success = _success_test(result.verdicts)
        if is_success is None:
            return None
        side = result.offers[0].side
        aim = is_success if side == self.acting else lambda verdict: not is_success(verdict)
        with suppress(ChanceError):
            return advise(question, aim, side=side, others=Others.OPPOSE, most_paths=MOST_PATHS)
        return None

    @cached_property
    def acting(self) -> str:
        """The side that a success is good for: if two decide, the one that is asked first.

        Cached, since every decision is weighed for or against it.
        """
        most_sides: list[str] = []
        for result in self._results.values():
            sides = list(dict.fromkeys(offer.side for offer in result.offers)) if result else []
            if len(sides) > len(most_sides):
                most_sides = sides
        return most_sides[0] if most_sides else ""

    def flips(self) -> Iterator[Finding]:
        """Find where a decision made before any die falls flips, along each number."""
        for question in self._questions_with_offers()[:1]:
            if not isinstance(next(iter(question.begin()), None), (Offer, Together)):
                return
            for name, values in self.values.items():
                numbers = sorted(value for value in values if type(value) is int)
                if len(numbers) < 3 or self.roll.rule is None:
                    continue
                step = max(1, (numbers[-1] - numbers[0]) // BETWEEN)
                best_by_number = self._best_answers(question, name, range(numbers[0], numbers[-1] + 1, step))
                for (low, best_below), (high, best_above) in pairwise(best_by_number.items()):
                    if best_below != best_above:
                        flip = f"from {words(best_below)} to {words(best_above)} between {name} {low} and {high}"
                        yield self._finding(Kind.FLIPS, name, f"The best answer turns {flip}.")

    def _best_answers(self, question: Question[Any], name: str, numbers: Iterable[int]) -> dict[int, Any]:
        """Return the best answer to the first decision for each number of a parameter."""
        best_by_number = {}
        for number in numbers:
            changed = self._question({**question.named, name: number})
            advice = self._advice(changed) if changed else None
            if advice is not None and advice.choices:
                best_by_number[number] = advice.choices[0].best
        return best_by_number


class _Result(Value):
    """The odds of one question, declined and under the game's policies, with the offers that were made."""

    declined: Odds[Any]
    by_policy: tuple[Odds[Any], ...]
    """Under each of the other policies."""
    offers: tuple[OfferMade, ...]

    @classmethod
    def of(cls, question: Question[Any], policies: Sequence[Policy]) -> _Result:
        offers: dict[OfferMade, None] = {}

        def listening(policy: Policy) -> Policy:
            def answer(offer: Offer[Any]) -> Any:
                offers[OfferMade(offer.side, offer.name, offer.options)] = None
                return policy(offer)

            return answer

        declined, *by_policy = (odds(question, listening(policy), most_paths=MOST_PATHS) for policy in policies)
        return cls(declined=declined, by_policy=tuple(by_policy), offers=tuple(offers))

    @property
    def verdicts(self) -> list[Any]:
        return [verdict for verdict_odds in (self.declined, *self.by_policy) for verdict in verdict_odds.weights]

    def differs(self, result: _Result, values: tuple[Any, Any]) -> bool:
        """Return whether anything differs but the parameter itself, which has one value here and the other there."""
        if self.offers != result.offers:
            return True
        pairs = zip((self.declined, *self.by_policy), (result.declined, *result.by_policy), strict=True)
        return any(_differ(odds_here, odds_there, values) for odds_here, odds_there in pairs)


def _differ(odds_here: Odds[Any], odds_there: Odds[Any], values: tuple[Any, Any]) -> bool:
    """Return whether two odds differ in a part that is not the parameter itself, passed through."""
    parts_here = countable(odds_here.weights)
    parts_there = countable(odds_there.weights)
    if not parts_here or not parts_there:
        return odds_here != odds_there
    for name in parts_here.keys() | parts_there.keys():
        values_here = parts_here.get(name, [])
        values_there = parts_there.get(name, [])
        if set(values_here) == {values[0]} and set(values_there) == {values[1]}:
            continue  # the parameter itself
        is_everywhere = len(values_here) >= len(odds_here.weights) and len(values_there) >= len(odds_there.weights)
        if is_everywhere:
            if odds_here.map(attrgetter(name)) != odds_there.map(attrgetter(name)):
                return True
        elif set(values_here) != set(values_there):
            return True
    return False


def _is_idle(answer: Any, decisions: Sequence[Decision]) -> bool:
    """Return whether an answer is never better than the default; if answers are words, than one that is never worse."""
    where_offered = [decision for decision in decisions if answer in decision.values and answer != decision.default]
    if not where_offered:
        return False
    if type(answer) is int:
        return all(decision.gain(answer) <= 0 for decision in where_offered)
    rivals = {rival for decision in where_offered for rival in decision.values if rival != answer}
    return any(_dominates(rival, answer, where_offered) for rival in rivals)


def _dominates(rival: Any, answer: Any, decisions: Sequence[Decision]) -> bool:
    """Return whether a rival is offered in all of these decisions, is never worse than the answer, and once better."""
    gains = []
    for decision in decisions:
        if rival not in decision.values:
            return False
        gains.append(decision.values[rival] - decision.values[answer])
    return min(gains) >= 0 and max(gains) > 0


def _success_test(verdicts: list[Any]) -> Callable[[Any], bool] | None:
    """Return the test for success, if the verdicts have one."""
    if verdicts and all(isinstance(verdict, bool) for verdict in verdicts):
        return bool
    name = success_part(verdicts, None, "won")
    return attrgetter(name) if name is not None else None


def _listed(answers: list[Any]) -> str:
    """List answers in words; many numbers as a span."""
    numbers = sorted(answer for answer in answers if type(answer) is int)
    if len(numbers) == len(answers) > 3 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    listed = ", ".join(map(words, answers[:8]))
    return f"{listed} …" if len(answers) > 8 else listed
