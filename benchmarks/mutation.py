"""Mutation testing by clause: break the code that a clause of the rule books names, and see whether its tests notice.

    ./run mutate                                          every ruleset: hours
    ./run mutate src/astragal/rulesets/new_shoes/harm.py  one file
    ./run mutate --clause SS-26 --clause SS-27            clauses
    ./run mutate --sample 200                             so many mutants, the same ones each time

A mutant is one small change of one function: a comparison, a number, an operator, a condition, a statement left out.
The tests are those files of the game that name the clause, and in them first those tests that do. Each mutant runs in
a child process of its own, which finds the changed module in place of the real one; no file is written.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.util
import os
import random
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
RULESETS = SOURCE / "astragal" / "rulesets"
TESTS = ROOT / "tests" / "rulesets"
CLAUSE = re.compile(r"\b((?:SS|NJ|NS|SP)[-+])(\d\d)\b(?: to \1(\d\d)\b)?")
"""A clause, or a span of them: “SS-10 to SS-15”."""
WANTED = 0.95
LONGEST = 120
"""Seconds that the tests of one mutant may take: a loop that never ends is noticed too."""

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One change: where, of what, and the clauses that the changed code names."""

    path: Path
    line: int
    change: str
    clauses: tuple[str, ...]
    source: str
    """The whole module as it would be."""

    @property
    def module(self) -> str:
        return ".".join(self.path.relative_to(SOURCE).with_suffix("").parts)

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}  {self.change}  ({', '.join(self.clauses)})"


# ---------------------------------------------------------------- mutants


def mutants_of(path: Path, wanted: frozenset[str] = frozenset()) -> Iterator[Mutant]:
    """Mutants of the code that names one of these clauses; of all, where none is said."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function, clauses in functions_with_clauses(tree):
        if wanted and not wanted & set(clauses):
            continue
        for node in ast.walk(function):
            for change, apply in changes_of(node):
                changed, undo = apply()
                source = ast.unparse(tree)
                undo()
                yield Mutant(path, getattr(changed, "lineno", function.lineno), change, clauses, source)


def functions_with_clauses(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, tuple[str, ...]]]:
    """Functions, with the clauses that the nearest docstring around them names."""

    def walk(
        node: ast.Module | ast.ClassDef, around: tuple[str, ...]
    ) -> Iterator[tuple[ast.FunctionDef, tuple[str, ...]]]:
        for one in node.body:
            if isinstance(one, ast.FunctionDef):
                clauses = clauses_in(ast.get_docstring(one)) or around
                if clauses:
                    yield one, clauses
            elif isinstance(one, ast.ClassDef):
                yield from walk(one, clauses_in(ast.get_docstring(one)) or around)

    return walk(tree, clauses_in(ast.get_docstring(tree)))


def clauses_in(text: str | None) -> tuple[str, ...]:
    """Clauses that code names one by one; of a span, which is a table of contents, only its ends."""
    found = CLAUSE.findall(text or "")
    return tuple(dict.fromkeys(f"{book}{number}" for book, *ends in found for number in ends if number))


def clauses_tested(text: str) -> set[str]:
    """Clauses that tests name; a span names all between its ends, too."""
    spans = ((book, range(int(first), int(last or first) + 1)) for book, first, last in CLAUSE.findall(text))
    return {f"{book}{number:02}" for book, numbers in spans for number in numbers}


Apply = Callable[[], tuple[ast.AST, Callable[[], None]]]


def changes_of(node: ast.AST) -> Iterator[tuple[str, Apply]]:
    """Changes at this node: how each reads, and a function that makes it and returns how to undo it."""
    yield from changed_expression(node)
    if isinstance(node, ast.If | ast.IfExp):
        never = ast.BoolOp(ast.And(), [copy.deepcopy(node.test), ast.Constant(value=False)])
        yield f"if {ast.unparse(node.test)}: never", put(node, "test", never)
    if isinstance(node, ast.FunctionDef | ast.If | ast.For | ast.While | ast.With):
        for index, statement in enumerate(node.body):
            is_call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            if is_call or isinstance(statement, ast.Raise | ast.AugAssign):
                left_out = [*node.body[:index], ast.copy_location(ast.Pass(), statement), *node.body[index + 1 :]]
                yield f"{ast.unparse(statement)[:60]}: left out", put(node, "body", left_out)


def changed_expression(node: ast.AST) -> Iterator[tuple[str, Apply]]:
    match node:
        case ast.Compare(ops=[first, *others]) if type(first) in COMPARISONS:
            turned = [COMPARISONS[type(first)](), *others]
            yield f"{ast.unparse(node)}: comparison turned", put(node, "ops", turned)
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            yield f"{ast.unparse(node)}: operator turned", put(node, "op", OPERATORS[type(op)]())
        case ast.BoolOp(op=op):
            yield (
                f"{ast.unparse(node)}: and/or turned",
                put(node, "op", ast.Or() if isinstance(op, ast.And) else ast.And()),
            )
        case ast.Constant(value=bool(value)):
            yield f"{value} becomes {not value}", put(node, "value", not value)
        case ast.Constant(value=int(value)):
            yield f"{value} becomes {value + 1}", put(node, "value", value + 1)
        case ast.UnaryOp(op=ast.USub()):
            yield f"{ast.unparse(node)}: sign dropped", put(node, "op", ast.UAdd())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"{ast.unparse(node)}: not dropped", put(node, "operand", ast.UnaryOp(ast.Not(), operand))
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            yield f"{name} becomes {CALLS[name]}", put(node.func, "id", CALLS[name])


def put(owner: ast.AST, name: str, value: object) -> Apply:
    def apply() -> tuple[ast.AST, Callable[[], None]]:
        before = getattr(owner, name)
        setattr(owner, name, value)
        return owner, lambda: setattr(owner, name, before)

    return apply


# ---------------------------------------------------------------- trying one


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the changed module in place of the real one."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self.mutant.module:
            return None
        return importlib.util.spec_from_file_location(name, self.mutant.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.mutant.source, str(self.mutant.path), "exec"), module.__dict__)  # noqa: S102 - our own code


def tests_for(mutant: Mutant) -> list[str]:
    game = mutant.path.relative_to(RULESETS).parts[0]
    tested = [one for one in tested_clauses(game) if one.clauses & set(mutant.clauses)]
    named = [
        f"{one.path}::{name}" for one in tested for name, clauses in one.tests.items() if clauses & set(mutant.clauses)
    ]
    return [*named, *(str(one.path) for one in tested)]


@dataclass(frozen=True)
class TestFile:
    """A file of tests: the clauses that it names, and those that each of its tests does."""

    path: Path
    clauses: set[str]
    tests: dict[str, set[str]]


@cache
def tested_clauses(game: str) -> tuple[TestFile, ...]:
    """The test files of a game, the smallest first."""
    found = []
    for file in sorted((TESTS / game).rglob("test_*.py"), key=lambda file: file.stat().st_size):
        text = file.read_text(encoding="utf-8")
        tests = [
            one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef) and one.name.startswith("test")
        ]
        named = {one.name: clauses_tested(ast.get_docstring(one) or "") for one in tests}
        found.append(TestFile(file, clauses_tested(text), named))
    return tuple(found)


def start(mutant: Mutant) -> int:
    """Run the tests of a mutant in a child process; its exit code says whether they passed."""
    tests = tests_for(mutant)
    if child := os.fork():
        return child
    code = 1
    try:
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        signal.alarm(LONGEST)
        sys.meta_path.insert(0, Changed(mutant))
        import pytest

        code = int(pytest.main(["-x", "-q", "-n0", "-p", "no:cacheprovider", *tests]))
    finally:
        os._exit(code)


def survivors(mutants: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant, and whether its tests passed although the code was changed."""
    running: dict[int, Mutant] = {}
    waiting = list(reversed(mutants))
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            running[start(mutant)] = mutant
        child, status = os.wait()
        yield running.pop(child), os.waitstatus_to_exitcode(status) == 0


def controls(mutants: Sequence[Mutant]) -> list[Mutant]:
    """Each module as it is, with all the tests that its mutants will meet: they must pass."""
    clauses: dict[Path, dict[str, None]] = defaultdict(dict)
    for mutant in mutants:
        clauses[mutant.path] |= dict.fromkeys(mutant.clauses)
    return [Mutant(path, 1, "unchanged", tuple(named), path.read_text("utf-8")) for path, named in clauses.items()]


# ---------------------------------------------------------------- the command


def main() -> int:
    reader = argparse.ArgumentParser(prog="./run mutate", description="Break clauses, and see whether tests notice.")
    reader.add_argument("paths", nargs="*", type=Path, default=[RULESETS], help="files or folders of the rulesets")
    reader.add_argument(
        "--clause", action="append", default=[], help="only code that names this clause; may be repeated"
    )
    reader.add_argument("--sample", type=int, help="so many mutants, chosen by chance but the same each time")
    reader.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="child processes at once")
    asked = reader.parse_args()
    files = sorted(
        {file.resolve() for path in asked.paths for file in ([path] if path.is_file() else path.rglob("*.py"))}
    )
    mutants = [mutant for file in files for mutant in mutants_of(file, frozenset(asked.clause))]
    if asked.sample and asked.sample < len(mutants):
        mutants = random.Random(1).sample(mutants, asked.sample)
    if not mutants:
        print("No code there names a clause.")
        return 2
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    preload()
    if faulty := sorted({mutant.module for mutant, passed in survivors(controls(mutants), asked.jobs) if not passed}):
        print(f"Nothing was changed, and yet the tests of {', '.join(faulty)} fail. Mend them first.")
        return 2
    made: dict[str, int] = defaultdict(int)
    noticed: dict[str, int] = defaultdict(int)
    lived: list[Mutant] = []
    began = time.monotonic()
    for done, (mutant, survived) in enumerate(survivors(mutants, asked.jobs), 1):
        for clause in mutant.clauses:
            made[clause] += 1
            noticed[clause] += not survived
        if survived:
            lived.append(mutant)
            print(f"\r\033[K{mutant}" if sys.stderr.isatty() else str(mutant), flush=True)
        if sys.stderr.isatty():
            left = (time.monotonic() - began) / done * (len(mutants) - done)
            sys.stderr.write(f"\r\033[K{done} of {len(mutants)}, {len(lived)} survived, {left / 60:.0f} min to go")
    print(f"\n{'clause':8} {'noticed':>8} {'mutants':>8}")
    for clause in sorted(made):
        print(f"{clause:8} {noticed[clause] / made[clause]:8.0%} {made[clause]:8}")
    score = 1 - len(lived) / len(mutants)
    print(f"{'all':8} {score:8.1%} {len(mutants):8}   wanted: {WANTED:.0%}")
    return 0 if score >= WANTED else 1


def preload() -> None:
    """Import what every child needs, and nothing that may be changed."""
    import pytest  # noqa: F401

    import astragal.game
    import astragal.storage
    import astragal.table.host  # noqa: F401


if __name__ == "__main__":
    sys.exit(main())
