"""Checks of a rule by reading its source."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from contextlib import suppress
from inspect import get_annotations, getclosurevars, getsourcelines
from itertools import count, cycle, repeat
from textwrap import dedent
from types import ModuleType
from typing import Any, TypeGuard, cast, get_origin

from astragal.chance.steps import Rule, Step

OUTSIDE = frozenset({"datetime", "io", "_io", "os", "pathlib", "random", "secrets", "socket", "time", "uuid"})


def faults_in_source(rule: Rule[..., Any]) -> list[str]:
    """Faults in a rule's source: steps nobody answers, endless loops, late refusals, use of the world outside."""
    body = _Body(rule)
    found = sorted({*body.unanswered(), *body.bare_yields(), *body.endless(), *body.late_refusals(), *body.outside()})
    return [f"{rule.name}, line {line}: {sentence}" for line, sentence in found]


class _Body:
    """A rule's source, and what its names stand for."""

    def __init__(self, rule: Rule[..., Any]) -> None:
        lines, first = getsourcelines(rule.body)
        function = cast("ast.FunctionDef", ast.parse(dedent("".join(lines))).body[0])
        ast.increment_lineno(function, first - 1)
        self._nodes = [node for statement in function.body for node in ast.walk(statement)]
        self._parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        local = {*rule.body.__code__.co_varnames, *rule.body.__code__.co_cellvars}
        named = {**vars(builtins), **rule.body.__globals__, **getclosurevars(rule.body).nonlocals}
        self._named = {name: value for name, value in named.items() if name not in local}

    def unanswered(self) -> Iterator[tuple[int, str]]:
        for node in self._nodes:
            if self._is_step(node) and not self._is_answered(node, frozenset()):
                yield node.lineno, f"`{ast.unparse(node)}` decides nothing by itself; it wants a `yield from`"

    def bare_yields(self) -> Iterator[tuple[int, str]]:
        for node in self._nodes:
            if isinstance(node, ast.Yield):
                yield node.lineno, f"`{ast.unparse(node)}` is a bare yield; a rule stops with `yield from` alone"

    def endless(self) -> Iterator[tuple[int, str]]:
        for node in self._nodes:
            if self._is_endless(node) and any(isinstance(inside, ast.YieldFrom) for inside in ast.walk(node)):
                yield node.lineno, "stops inside a loop that may never end; dice that bring dice are a pool, one step"

    def late_refusals(self) -> Iterator[tuple[int, str]]:
        first = min((node.lineno for node in self._nodes if isinstance(node, ast.YieldFrom)), default=None)
        for node in self._nodes:
            if isinstance(node, ast.Raise) and first is not None and node.lineno > first:
                yield node.lineno, f"`{ast.unparse(node)}` refuses when dice have fallen; refuse before the first"

    def outside(self) -> Iterator[tuple[int, str]]:
        for node in self._nodes:
            if isinstance(node, (ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)):
                yield node.lineno, f"`{ast.unparse(node)}` reaches outside; a rule knows its arguments and its dice"
            elif isinstance(node, ast.Name):
                meant = self._meant(node)
                home = meant.__name__ if isinstance(meant, ModuleType) else getattr(meant, "__module__", None)
                if home in OUTSIDE or meant is input or meant is print:
                    yield node.lineno, f"`{node.id}` reaches outside; chance, time and files never enter a rule"

    def _meant(self, node: ast.AST) -> Any:
        """The object that a name stands for, if it is defined outside the body."""
        if isinstance(node, ast.Name):
            return self._named.get(node.id)
        return getattr(self._meant(node.value), node.attr, None) if isinstance(node, ast.Attribute) else None

    def _is_step(self, node: ast.AST) -> TypeGuard[ast.expr]:
        if isinstance(node, ast.Call):
            return _makes_a_step(self._meant(node.func))
        named = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(self._meant(node), Step)
        return named and not isinstance(self._parents[node], ast.Attribute)

    def _is_answered(self, node: ast.AST, seen: frozenset[str]) -> bool:
        """Does what this expression holds come to a `yield from`, at once, inside another step or by a name?"""
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

    def _is_endless(self, node: ast.AST) -> TypeGuard[ast.For | ast.While]:
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            maker, given = self._meant(node.iter.func), len(node.iter.args) + len(node.iter.keywords)
            return maker in (count, cycle) or (maker is repeat and given == 1) or (maker is iter and given == 2)
        return isinstance(node, ast.While)


_USES = (ast.Attribute, ast.JoinedStr, ast.FormattedValue, ast.Lambda)
"""Expressions that take a step for its value, which it has not."""


def _takes_values(called: Any) -> bool:
    """Rules and the small values they work with are made of values, never of steps."""
    is_made_of_steps = isinstance(called, type) and (issubclass(called, Step) or called.__module__ == "builtins")
    return isinstance(called, (Rule, type)) and not is_made_of_steps


def _makes_a_step(called: Any) -> bool:
    if isinstance(called, Rule):
        return True
    with suppress(TypeError, NameError, AttributeError):  # not all that can be called says what it returns
        made = called if isinstance(called, type) else get_annotations(called, eval_str=True).get("return")
        made = get_origin(made) or made
        return isinstance(made, type) and issubclass(made, Step)
    return False
