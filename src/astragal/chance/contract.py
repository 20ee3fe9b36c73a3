"""Contract of rules, ours and third-party: checked in their source and in play.

`faults(rule)` returns a sentence for each clause that a rule breaks; a correct rule has none. A ruleset's own test
needs no more than `assert not faults(rule)` for each of `rules_in(module)`.
"""

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from inspect import Parameter, get_annotations, getclosurevars, getsourcelines
from itertools import count, cycle, repeat
from math import gcd, prod
from textwrap import dedent
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeGuard, Union, cast, get_args, get_origin, get_type_hints

from astragal.chance.chances import Chance
from astragal.chance.counting import chi_square_tail
from astragal.chance.dice import Dice, EnteredDice, SeededDice, Tray
from astragal.chance.errors import NoEnd, NotAStep, RecordMismatch
from astragal.chance.odds import Odds
from astragal.chance.play import LONGEST_PATH, LONGEST_PLAY, Call, Settled, Waiting, no_end_of, play, replay
from astragal.chance.readings import odds
from astragal.chance.steps import Offer, Question, Rule, Step, Together
from astragal.chance.weigh import Policy, answered, decline
from astragal.fields import field_names

__all__ = ["faults", "faults_in_play", "faults_in_source", "rules_in", "samples"]

# ---------------------------------------------------------------- the source

OUTSIDE = frozenset({"datetime", "io", "_io", "os", "pathlib", "random", "secrets", "socket", "time", "uuid"})


def faults_in_source(rule: Rule[..., Any]) -> list[str]:
    """Faults in a rule's source: unanswered steps, endless loops, late refusals, use of the outside world."""
    return [f"{rule.name}, line {line}: {sentence}" for line, sentence in sorted(set(_Body(rule).faults()))]


class _Body:
    """A rule's source, and the objects that its names refer to."""

    def __init__(self, rule: Rule[..., Any]) -> None:
        lines, first = getsourcelines(rule.body)
        function = cast("ast.FunctionDef", ast.parse(dedent("".join(lines))).body[0])
        ast.increment_lineno(function, first - 1)
        self._nodes = [node for statement in function.body for node in ast.walk(statement)]
        self._parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        local = {*rule.body.__code__.co_varnames, *rule.body.__code__.co_cellvars}
        named = {**vars(builtins), **rule.body.__globals__, **getclosurevars(rule.body).nonlocals}
        self._named = {name: value for name, value in named.items() if name not in local}

    def faults(self) -> Iterator[tuple[int, str]]:
        """Yield each faulty line, and what is wrong with it."""
        stops = [node.lineno for node in self._nodes if isinstance(node, ast.YieldFrom)]
        for node in self._nodes:
            if self._is_step(node) and not self._is_answered(node, frozenset()):
                yield node.lineno, f"`{ast.unparse(node)}` decides nothing by itself; it wants a `yield from`"
            match node:
                case ast.Yield():
                    yield node.lineno, f"`{ast.unparse(node)}` is a bare yield; a rule stops with `yield from` alone"
                case ast.For() | ast.While() if self._is_endless(node):
                    if any(isinstance(inside, ast.YieldFrom) for inside in ast.walk(node)):
                        yield (
                            node.lineno,
                            "stops inside a loop that may never end; dice that bring dice are a pool, one step",
                        )
                case ast.Raise() if stops and node.lineno > min(stops):
                    yield node.lineno, f"`{ast.unparse(node)}` refuses when dice have fallen; refuse before the first"
                case ast.Global() | ast.Nonlocal() | ast.Import() | ast.ImportFrom():
                    yield node.lineno, f"`{ast.unparse(node)}` reaches outside; a rule knows its arguments and its dice"
                case ast.Name():
                    meant = self._meant(node)
                    home = meant.__name__ if isinstance(meant, ModuleType) else getattr(meant, "__module__", None)
                    if home in OUTSIDE or meant is input or meant is print:
                        yield node.lineno, f"`{node.id}` reaches outside; chance, time and files never enter a rule"

    def _meant(self, node: ast.AST) -> Any:
        """The object that a name refers to, if it is defined outside the body."""
        if isinstance(node, ast.Name):
            return self._named.get(node.id)
        return getattr(self._meant(node.value), node.attr, None) if isinstance(node, ast.Attribute) else None

    def _is_step(self, node: ast.AST) -> TypeGuard[ast.expr]:
        if isinstance(node, ast.Call):
            return _makes_a_step(self._meant(node.func))
        named = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(self._meant(node), Step)
        return named and not isinstance(self._parents[node], ast.Attribute)

    def _is_answered(self, node: ast.AST, seen: frozenset[str]) -> bool:
        """Return whether the value of this expression reaches a `yield from`: directly, in another step, or by name."""
        parent = self._parents[node]
        if isinstance(parent, (ast.YieldFrom, ast.Yield)):
            return True
        if any(self._is_answered_by_name(target, seen) for target in self._given_to(parent)):
            return True
        is_condition = isinstance(parent, ast.IfExp) and node is parent.test
        wants_a_value = isinstance(parent, ast.Call) and _takes_values(self._meant(parent.func))
        passes_on = isinstance(parent, (ast.expr, ast.keyword)) and not isinstance(parent, _USES)
        return passes_on and not is_condition and not wants_a_value and self._is_answered(parent, seen)

    def _given_to(self, parent: ast.AST) -> list[ast.expr]:
        match parent:
            case ast.Assign(targets=into):
                return into
            case ast.AnnAssign() | ast.NamedExpr() | ast.For() | ast.comprehension():
                return [parent.target]
            case ast.Call(func=ast.Attribute(value=ast.Name() as receiver)) if self._meant(receiver) is None:
                return [receiver]
        return []

    def _is_answered_by_name(self, target: ast.AST, seen: frozenset[str]) -> bool:
        names = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)} - seen
        return any(
            self._is_answered(node, seen | names)
            for node in self._nodes
            if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
        )

    def _is_endless(self, loop: ast.For | ast.While) -> bool:
        if isinstance(loop, ast.While) or not isinstance(loop.iter, ast.Call):
            return isinstance(loop, ast.While)
        maker, given = self._meant(loop.iter.func), len(loop.iter.args) + len(loop.iter.keywords)
        return maker in (count, cycle) or (maker is repeat and given == 1) or (maker is iter and given == 2)


_USES = (ast.Attribute, ast.JoinedStr, ast.FormattedValue, ast.Lambda)
"""Expressions that use a step as if it were its value, which it does not have yet."""


def _takes_values(called: Any) -> bool:
    """Return whether it is made of values, never of steps: rules and the small values they work with."""
    is_made_of_steps = isinstance(called, type) and (issubclass(called, Step) or called.__module__ == "builtins")
    return isinstance(called, (Rule, type)) and not is_made_of_steps


def _makes_a_step(called: Any) -> bool:
    if isinstance(called, Rule):
        return True
    with suppress(TypeError, NameError, AttributeError):  # not every callable declares what it returns
        made = called if isinstance(called, type) else get_annotations(called, eval_str=True).get("return")
        made = get_origin(made) or made
        return isinstance(made, type) and issubclass(made, Step)
    return False


# ---------------------------------------------------------------- samples, derived from the types of parameters


def samples(rule: Rule[..., Any], most: int = 12) -> list[Question[Any]]:
    """Questions to try a rule with: the ends and the middle of its parameters' limits, in many combinations."""
    values = [values_of(rule, name) for name in rule.parameters]
    return [rule(*arguments) for arguments in _spread(values, most)]


def values_of(rule: Rule[..., Any], name: str) -> list[Any]:
    """Values worth trying for a parameter of a rule."""
    hints = get_annotations(rule.body, eval_str=True)
    return _values(f"{name!r} of {rule.name}", hints.get(name, Any), rule.parameters[name].default)


def _spread(values: list[list[Any]], most: int) -> list[tuple[Any, ...]]:
    """Combine values: first so that every value occurs if there is room, then evenly spread."""
    longest, size = max(map(len, values), default=1), prod(map(len, values))
    diagonal = [tuple(each[i % len(each)] for each in values) for i in range(longest)]
    stride = max(1, size // most)
    while gcd(stride, size) > 1:
        stride += 1
    others = []
    for i in range(min(most, size)):
        place, chosen = i * stride % size, []
        for each in values:
            place, digit = divmod(place, len(each))
            chosen.append(each[digit])
        others.append(tuple(chosen))
    return list(dict.fromkeys(diagonal + others))[:most]


def _values(what: str, hint: Any, default: Any = Parameter.empty) -> list[Any]:
    """Values worth trying for a parameter or a field, including its default."""
    found = [] if default in (Parameter.empty, MISSING) else [default]
    try:
        found += _derived(what, hint)
    except TypeError:
        if not found:
            raise
    if not found:
        raise TypeError(f"{what} takes none of the values that were tried")
    return list(dict.fromkeys(found))


def _derived(what: str, hint: Any) -> list[Any]:
    hint, *limits = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    origin, parts = get_origin(hint), get_args(hint)
    if hint is int:
        return _whole_numbers(what, limits)
    if origin is Literal:
        return list(parts)
    if origin in (Union, UnionType):
        return [value for part in parts for value in _values(what, part)]
    if origin is tuple and parts[-1:] == (Ellipsis,):
        each = _values(what, parts[0])
        return [(), (each[0],), tuple(each), (each[-1], each[-1])]
    if origin is tuple:
        return list(_spread([_values(what, part) for part in parts], 5))
    if isinstance(hint, type) and field_names(hint):
        return _instances(what, hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return list(hint)
    few: dict[Any, list[Any]] = {bool: [False, True], None: [None], NoneType: [None]}
    if hint not in few:
        raise TypeError(f"no values to try can be derived for {what} from {hint}: {_REMEDY}")
    return few[hint]


_REMEDY = "annotate it with limits such as Ge(0) and Le(20), an enum or a Literal, or give it a default"


def _whole_numbers(what: str, limits: list[Any]) -> list[int]:
    """The ends, their neighbours and the middle. Limits are recognised by their attributes, not by their classes."""
    low = _limit(limits, ge=0, gt=1)
    high = _limit(limits, le=0, lt=-1)
    if low is None or high is None:
        raise TypeError(f"no values to try can be derived for {what}, which has no end: {_REMEDY}")
    return sorted({low, min(low + 1, high), (low + high) // 2, max(high - 1, low), high})


def _limit(limits: list[Any], **beside: int) -> int | None:
    said = ((getattr(limit, name, None), by) for limit in limits for name, by in beside.items())
    return next((number + by for number, by in said if number is not None), None)


def _instances(what: str, kind: type[Any]) -> list[Any]:
    """Instances built from the fields of their constructor; MISSING stands for no default."""
    if is_dataclass(kind):
        defaults = {field.name: field.default for field in fields(kind) if field.init}
    else:
        from msgspec import NODEFAULT, structs

        defaults = {it.name: MISSING if it.default is NODEFAULT else it.default for it in structs.fields(kind)}
    hints = get_type_hints(kind, include_extras=True)
    values = [_values(f"the field {name!r} of {what}", hints[name], default) for name, default in defaults.items()]
    made = []
    for chosen in _spread(values, 8):
        with suppress(ValueError):  # a constructor may refuse combinations that its fields allow
            made.append(kind(**dict(zip(defaults, chosen, strict=True))))
    return made


# ---------------------------------------------------------------- in play

SEEDS = range(400)
FIVE_SIGMA = 2.9e-7
CLOSE_LOOKS = 40
"""Number of plays that wait for each answer and are replayed; the others are only counted."""


def rules_in(module: ModuleType) -> list[Rule[..., Any]]:
    """The rules that a module defines, in order, without those that it imports."""
    return [it for it in vars(module).values() if isinstance(it, Rule) and it.__module__ == module.__name__]


def faults(rule: Rule[..., Any], most: int = 12, seeds: Sequence[int] = SEEDS) -> list[str]:
    """Everything that the rule breaks, in its source and in play with sample arguments."""
    asked = samples(rule, most)
    if all(is_refused(question) for question in asked):
        return [*faults_in_source(rule), f"{rule.name} refuses all of its samples, {asked[0]} among them"]
    return faults_in_source(rule) + [fault for question in asked for fault in faults_in_play(question, seeds)]


def faults_in_play(question: Question[Any], seeds: Sequence[int] = SEEDS) -> list[str]:
    """Faults that show when the question is played and weighed, with offers declined and then taken."""
    if is_refused(question):
        return []
    found: list[str] = []
    try:
        for policy in (decline, lambda offer: offer.options[-1]):
            runs = [_run(question, SeededDice(seed), policy) for seed in seeds[:CLOSE_LOOKS]]
            going_on = SeededDice(str(seeds))  # to begin anew with each seed takes as long as most plays do
            runs += [_run(question, going_on, policy) for _ in seeds[CLOSE_LOOKS:]]
            found += _faults_under(policy, question, [run.value for run in runs])
            for seed, run in zip(seeds[:CLOSE_LOOKS], runs, strict=False):
                found += _faults_on_a_close_look(policy, question, seed, run.asked)
            if not any(isinstance(step, (Offer, Together)) for run in runs for step in run.asked):
                break  # no offers, so playing again with another policy changes nothing
    except Exception as broken:  # noqa: BLE001 - whatever a third-party rule raises is reported as a fault
        found.append(f"raises {type(broken).__name__}, and did not refuse before the first die: {broken}")
    return [f"{question} {fault}" for fault in dict.fromkeys(found)]


def _faults_under(policy: Policy, question: Question[Any], values: Sequence[Any]) -> Iterator[str]:
    counted: Counter[Any] = Counter()
    for value in values:
        try:
            counted[value] += 1
        except TypeError:
            yield f"comes to {value!r}, which can't be hashed, so it can't be weighed"
            return
    weighed = odds(question, policy)
    for value in counted:
        if value not in weighed.weights:
            yield f"came to {value!r}, which is not among its odds"
    if sum(weighed.weights.values()) != weighed.total or min(weighed.weights.values()) < 0:
        yield f"has weights that do not add up to their total of {weighed.total}"
    elif _is_far_from(weighed, counted):
        yield f"does not come out as often as its odds say, in {counted.total()} plays"


def _faults_on_a_close_look(
    policy: Policy, question: Question[Any], seed: int, first: list[Step[Any]]
) -> Iterator[str]:
    second = _run(question, SeededDice(seed), policy).asked
    if first != second:
        yield "asks for other things in a second run with the same dice"
    elif list(map(hash, first)) != list(map(hash, second)):
        yield "stops for steps that are equal and hash differently"
    played = cast("Settled[Any]", _played(question, SeededDice(seed), policy))
    if play(question, SeededDice(seed), played.record.answers) != played:
        yield "ends otherwise when all answers are given at once than when it waits for each"
    try:
        if replay(question, played.record) != played.value:
            yield "comes to another verdict when its record is read again"
    except RecordMismatch as mismatch:
        yield f"can't be read again from its record: {mismatch}"


def _is_far_from(weighed: Odds[Any], counted: Counter[Any]) -> bool:
    """Run Pearson's test, with rare outcomes pooled; a deviation beyond five sigma is no accident."""
    plays = counted.total()
    cells = [(plays * weight / weighed.total, counted[outcome]) for outcome, weight in weighed.weights.items()]
    common = [(expected, seen) for expected, seen in cells if expected >= 5]
    if len(common) < len(cells):
        rare = plays - sum(expected for expected, _ in common)
        common.append((max(rare, 1.0), plays - sum(seen for _, seen in common)))
    squares = sum((seen - expected) ** 2 / expected for expected, seen in common)
    return len(common) > 1 and chi_square_tail(squares, len(common) - 1) < FIVE_SIGMA


def is_refused(question: Question[Any]) -> bool:
    """Return whether the rule refuses these arguments before the first die, as it may."""
    try:
        _played(question, EnteredDice(), decline)
    except Exception as broken:  # noqa: BLE001 - anything but a refusal is reported when it is played next
        return isinstance(broken, ValueError)
    return False


def _played(question: Question[Any], dice: Dice, policy: Policy) -> Settled[Any] | Waiting[Any]:
    """Play, answering each offer with the policy, until the question is settled or more dice are needed."""
    played = play(question, dice)
    while isinstance(played, Waiting) and isinstance(played.need, (Offer, Together)):
        _check_end(question, len(played.record.answers))
        played = played.resume(dice, answered(played.need, policy))
    return played


def _check_end(question: Question[Any], answers: int) -> None:
    if answers >= LONGEST_PATH:
        raise NoEnd(f"{question} asks on after {LONGEST_PATH:,} answers")


class _Run(NamedTuple):
    """Result of a question, and every step that it and its sub-questions stopped for, in order."""

    value: Any
    asked: list[Step[Any]]


def _run(question: Question[Any], dice: Dice, policy: Policy) -> _Run:
    """Play without waiting; each offer is answered at once."""
    tray, calls = Tray(dice, ""), [Call(question)]
    asked: list[Step[Any]] = []
    value: Any = None
    answers = 0
    while calls:
        try:
            step = calls[-1].run.send(value)
        except StopIteration as done:
            calls.pop()
            value = done.value
            continue
        asked.append(step)
        if len(asked) > LONGEST_PLAY:
            raise no_end_of(calls, len(asked))
        if isinstance(step, Chance):
            value = step.throw(tray)
        elif isinstance(step, Question):
            calls.append(Call(step))
            value = None
        elif isinstance(step, (Offer, Together)):
            _check_end(question, answers)
            value = answered(step, policy)
            answers += 1
        else:
            raise NotAStep(f"{calls[-1].question.rule.name} stopped for {step!r}, which is no step")
    return _Run(value, asked)
