"""Linting for authors: wrong declarations, and rules with flaws.

A rule is checked for parameters that change nothing, answers that are never worth it, outcomes that can't happen,
decisions that flip, and ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from random import Random
from typing import Any

from astragal.chance import Advice, ChanceError, Odds, Offer, Others, Policy, Question, advise, odds
from astragal.chance.contract import values_of
from astragal.chance.pictures import words
from astragal.chance.steps import Together
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract.manifest import declared_faults, place_of
from astragal.table.declarations import Value
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.shapes import NumberShape, RecordShape, said

from .rolls import Roll, countable, number_range, policies_of, rolls_of, success_part

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
    found = [
        Finding(rule="", kind=Kind.DECLARED, about=place_of(kind) if kind else "", words=f"{fault}.")
        for fault, kind in declared_faults(game)
    ]
    for number, roll in enumerate(rolls_of(game).values()):
        tell(number)
        found += _RollLint(game, roll).findings()
    return found


def sampled(roll: Roll) -> dict[str, list[Any]]:
    """Choose values to try for each parameter, the usual one first; a required record has none."""
    found: dict[str, list[Any]] = {}
    for field in fields_of(roll.parameters):
        values = [] if field.required else [field.default]
        match said(field.shape):
            case NumberShape():
                span = number_range(field, roll.usual.get(field.name))
                middle = [span[len(span) // 2]] if field.required else []
                values += [*middle, *(span[(len(span) - 1) * part // 4] for part in range(5))]
            case RecordShape() if field.required:
                pass  # has too many parts to guess
            case _:
                with suppress(TypeError, ValueError):
                    values += values_of(roll.rule, field.name) if roll.rule else []
        found[field.name] = list(dict.fromkeys(values))
    return found


class _RollLint:
    def __init__(self, game: Ruleset, roll: Roll) -> None:
        self.roll, self.values = roll, sampled(roll)
        # These policies take the second option, the third, or the last; fewer options, the last.
        taking = [lambda offer, place=place: offer.options[:place][-1] for place in (2, 3, None)]
        self.policies: list[Policy] = [*policies_of(game).values(), *taking]
        self._seen: dict[Question[Any], _Seen | None] = {}
        self.raised: dict[str, str] = {}
        dice = Random(len(roll.name))  # noqa: S311 - the same samples each time
        usual = {name: values[0] for name, values in self.values.items() if values}
        tried = ({name: dice.choice(values) for name, values in self.values.items()} for _ in range(MOST_SAMPLES))
        self.points = [usual, *tried] if all(self.values.values()) else []

    def findings(self) -> Iterator[Finding]:
        yield from self.inert()
        yield from self.impossible()
        yield from self.offers()
        yield from self.ties()
        for fault, where in self.raised.items():
            yield self._found(Kind.FAILS, "", f"{fault} at {where}")

    def _found(self, kind: Kind, about: str, words: str) -> Finding:
        return Finding(rule=self.roll.name, kind=kind, about=about, words=words)

    @cached_property
    def questions(self) -> list[Question[Any]]:
        return list(dict.fromkeys(filter(None, map(self._asked, self.points))))

    def _asked(self, point: Mapping[str, Any]) -> Question[Any] | None:
        try:
            return self.roll.ask(**point)
        except Exception as fault:  # noqa: BLE001 - whatever a rule raises, its author wants to know
            self.raised.setdefault(repr(fault), ", ".join(f"{name}={value}" for name, value in point.items()))
        return None

    def seen(self, question: Question[Any]) -> _Seen | None:
        if question not in self._seen:
            self._seen[question] = None
            try:
                self._seen[question] = _Seen.of(question, self.policies)
            except ChanceError:
                pass  # has too many paths to look at
            except Exception as fault:  # noqa: BLE001 - as above
                self.raised.setdefault(repr(fault), str(question))
        return self._seen[question]

    # ---------------------------------------------------------------- parameters

    def inert(self) -> Iterator[Finding]:
        for name, values in self.values.items():
            compared = 0
            for point in self.points:
                asked = [self._asked({**point, name: value}) for value in values]
                known = [
                    (value, seen)
                    for value, one in zip(values, asked, strict=True)
                    if one is not None and (seen := self.seen(one))
                ]
                compared += len(known) - 1
                if any(known[0][1].differs(one, (known[0][0], value)) for value, one in known[1:]):
                    break
            else:
                if compared > 0:
                    yield self._found(Kind.INERT, name, f"{name} changes nothing, in {compared} comparisons.")

    # ---------------------------------------------------------------- outcomes

    def impossible(self) -> Iterator[Finding]:
        met: dict[str, set[Any]] = {}
        for question in self.questions:
            seen = self.seen(question)
            for name, values in countable(seen.verdicts).items() if seen else ():
                met.setdefault(name, set()).update(values)
        for name, found in met.items():
            kinds = {type(one) for one in found if isinstance(one, Enum)}
            for kind in kinds:
                asked = any(isinstance(one, kind) for question in self.questions for one in question.arguments)
                never = [] if asked else [one for one in kind if one not in found]
                if never and len(found) > 1:
                    listed = ", ".join(map(words, never))
                    yield self._found(Kind.IMPOSSIBLE, name, f"{name} never comes to {listed}.")

    def ties(self) -> Iterator[Finding]:
        for question in self.questions:
            seen = self.seen(question)
            margins = countable(seen.verdicts).get("margin", ()) if seen else ()
            success = _success(seen.verdicts) if seen else None
            if seen is None or 0 not in margins or success is None:
                continue
            meets = seen.declined.chance(lambda verdict: verdict.margin == 0)
            wins = {bool(success(verdict)) for verdict in seen.verdicts if verdict.margin == 0}
            goes = "either way" if len(wins) > 1 else "a success" if True in wins else "no success"
            needed = {name for name, one in question.rule.parameters.items() if one.default is one.empty}
            given = ", ".join(f"{name} {words(value)}" for name, value in question.named.items() if name in needed)
            said = f"{goes}: {float(meets):.1%} at {question.rule.name}, {given}"
            yield self._found(Kind.TIE, "margin", f"Meeting it exactly is {said}.")
            return

    # ---------------------------------------------------------------- decisions

    def offers(self) -> Iterator[Finding]:
        advised = [found for found in map(self._advised, self._with_offers()) if found]
        by_offer: dict[tuple[str, str], Met] = {}
        for found in advised:
            for choice in found.choices:
                if isinstance(choice.offer, Offer) and len(choice.offer.options) > 1:
                    key = choice.offer.side, choice.offer.name
                    by_offer.setdefault(key, []).append((choice.values, choice.offer.default))
        for (side, name), met in by_offer.items():
            helps = any(max(values.values()) > values[default] for values, default in met)
            if not helps and len(met) >= ENOUGH:
                many = f"in {len(met)} decisions, as far as success goes"
                yield self._found(Kind.NEVER_TAKEN, name, f"{side} never gains by {name}, {many}.")
            if not helps:
                continue
            idle = [
                one for one in dict.fromkeys(answer for values, _ in met for answer in values) if _is_idle(one, met)
            ]
            if idle:
                yield self._found(Kind.DOMINATED, name, f"{name}: {_listed(idle)} is never a better answer of {side}.")
        yield from self.flips()

    def _with_offers(self) -> list[Question[Any]]:
        return [one for one in self.questions if (seen := self.seen(one)) and seen.offers][:MOST_ADVISED]

    def _advised(self, question: Question[Any]) -> Advice[Any] | None:
        seen = self.seen(question)
        success = _success(seen.verdicts) if seen else None
        if seen is None or success is None:
            return None
        side = next(iter(seen.offers))[0]
        aim = success if side == self.acting else lambda verdict: not success(verdict)
        with suppress(ChanceError):
            return advise(question, aim, side=side, others=Others.OPPOSE, most_paths=MOST_PATHS)
        return None

    @cached_property
    def acting(self) -> str:
        """The side that a success is good for: if two decide, the one that is asked first."""
        asked = [list(dict.fromkeys(offer[0] for offer in seen.offers)) for seen in self._seen.values() if seen]
        return next((sides[0] for sides in sorted(asked, key=len, reverse=True) if sides), "")

    def flips(self) -> Iterator[Finding]:
        """Find where a decision made before any die falls flips, along each number."""
        for question in self._with_offers()[:1]:
            if not isinstance(next(iter(question.begin()), None), (Offer, Together)):
                return
            for name, values in self.values.items():
                numbers = sorted(one for one in values if type(one) is int)
                if len(numbers) < 3 or self.roll.rule is None:
                    continue
                best = {}
                for number in range(numbers[0], numbers[-1] + 1, max(1, (numbers[-1] - numbers[0]) // BETWEEN)):
                    asked = self._asked({**question.named, name: number})
                    advice = self._advised(asked) if asked else None
                    if advice is not None and advice.choices:
                        best[number] = advice.choices[0].best
                for (low, before), (high, after) in pairwise(best.items()):
                    if before != after:
                        flip = f"from {words(before)} to {words(after)} between {name} {low} and {high}"
                        yield self._found(Kind.FLIPS, name, f"The best answer turns {flip}.")


class _Seen(Value):
    """The odds of one question, declined and under the game's policies, with the offers that were made."""

    declined: Odds[Any]
    others: tuple[Odds[Any], ...]
    offers: tuple[tuple[str, str, tuple[Any, ...]], ...]

    @classmethod
    def of(cls, question: Question[Any], policies: list[Any]) -> _Seen:
        offers: dict[tuple[str, str, tuple[Any, ...]], None] = {}

        def listening(policy: Any) -> Callable[[Offer[Any]], Any]:
            def answer(offer: Offer[Any]) -> Any:
                offers[offer.side, offer.name, offer.options] = None
                return policy(offer)

            return answer

        declined, *others = (odds(question, listening(policy), most_paths=MOST_PATHS) for policy in policies)
        return cls(declined=declined, others=tuple(others), offers=tuple(offers))

    @property
    def verdicts(self) -> list[Any]:
        return [verdict for one in (self.declined, *self.others) for verdict in one.weights]

    def differs(self, other: _Seen, given: tuple[Any, Any]) -> bool:
        """Return whether anything differs but the parameter itself. `given` has its values here and there."""
        if self.offers != other.offers:
            return True
        pairs = zip((self.declined, *self.others), (other.declined, *other.others), strict=True)
        return any(_differ(one, two, given) for one, two in pairs)


def _differ(one: Odds[Any], two: Odds[Any], given: tuple[Any, Any]) -> bool:
    parts, others = countable(one.weights), countable(two.weights)
    if not parts or not others:
        return one != two
    for name in parts.keys() | others.keys():
        mine, theirs = parts.get(name, []), others.get(name, [])
        if (set(mine), set(theirs)) == ({given[0]}, {given[1]}):
            continue  # the parameter itself, passed through
        if len(mine) < len(one.weights) or len(theirs) < len(two.weights):
            if set(mine) != set(theirs):
                return True
        elif one.map(attrgetter(name)) != two.map(attrgetter(name)):
            return True
    return False


Met = list[tuple[Mapping[Any, Fraction], Any]]
"""Decisions: the worth of each answer, and the default."""


def _is_idle(answer: Any, met: Met) -> bool:
    """Return whether an answer is never better than the default; if answers are words, than one that is never worse."""
    asked = [(values, default) for values, default in met if answer in values and answer != default]
    if not asked:
        return False
    if type(answer) is int:
        return all(values[answer] <= values[default] for values, default in asked)
    for other in {one for values, _ in asked for one in values if one != answer}:
        gains = [values[other] - values[answer] for values, _ in asked if other in values]
        if len(gains) == len(asked) and min(gains) >= 0 and max(gains) > 0:
            return True
    return False


def _success(verdicts: list[Any]) -> Callable[[Any], bool] | None:
    """Return the test for success, if the verdicts have one."""
    if verdicts and all(isinstance(one, bool) for one in verdicts):
        return bool
    name = success_part(verdicts, None, "won")
    return attrgetter(name) if name is not None else None


def _listed(answers: list[Any]) -> str:
    """List answers in words; many numbers as a span."""
    numbers = sorted(one for one in answers if type(one) is int)
    if len(numbers) == len(answers) > 3 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(words, answers[:8])) + (" …" if len(answers) > 8 else "")
