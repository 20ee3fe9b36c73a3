"""Rules of a game by clause, read from the docstrings of the code that implements them."""

import ast
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from astragal.chance import Rule
from astragal.table.registry import Book

CLAUSE = re.compile(r"\b[A-Z]{2,5}[-+]\d{1,3}\b")
SPAN = re.compile(r"\b([A-Z]{2,5}[-+])(\d{1,3}) (?:to|–) \1(\d{1,3})\b")
"""A range of clauses, such as SS-01 to SS-06."""


def whole(book: Book) -> str:
    """Return all text that names a clause, in the order of the clauses; then all commands."""
    rules = sorted(_said(_package(book)), key=lambda text: _place(_named(text)[0]))
    actions = (one for chapter in book.ruleset.chapters for one in chapter.actions)
    asked = [f"{one.name}: {inspect.cleandoc(one.command.__doc__ or '')}" for one in actions]
    return "\n\n".join([*rules, *asked])


class Clause(Struct, frozen=True):
    """A clause of a game: its number, the name and first line of the first text on it, and all texts on it."""

    clause: str
    name: str
    about: str
    text: str


def entries(book: Book) -> tuple[Clause, ...]:
    """Return every clause of a game."""
    return _entries(_package(book))


@lru_cache(maxsize=64)
def _entries(package: str) -> tuple[Clause, ...]:
    found: dict[str, list[str]] = {}
    for text in sorted(_said(package)):
        for one in _named(text):
            found.setdefault(one, []).append(text)
    return tuple(
        Clause(one, name, said.partition("\n")[0], "\n\n".join(texts))
        for one, texts in sorted(found.items(), key=lambda pair: _place(pair[0]))
        for name, _, said in [texts[0].partition(": ")]
    )


@lru_cache(maxsize=64)
def _said(package: str) -> frozenset[str]:
    """Collect a package's docstrings that name clauses: of functions, classes, fields, constants and modules."""
    found: set[str] = set()
    path = getattr(sys.modules.get(package), "__path__", None)
    inner = pkgutil.walk_packages(path, f"{package}.") if path is not None else ()
    for module in (package, *(one.name for one in inner)):  # as source: none is imported just for this
        spec = find_spec(module)
        loader: Any = spec.loader if spec else None
        source = loader.get_source(module) if loader else None
        for called, text in _texts(ast.parse(source or ""), module.rpartition(".")[2]):
            if CLAUSE.search(text):
                found.add(f"{called.strip('_').replace('_', ' ')}: {inspect.cleandoc(text)}")
    return frozenset(found)


def _texts(node: ast.AST, called: str) -> Iterator[tuple[str, str]]:
    """Yield every docstring with the name of what it documents: the definition around it, or the one above it."""
    before = called
    for part in ast.iter_child_nodes(node):
        match part:
            case ast.Expr(ast.Constant(str(text))):
                yield before, text
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield from _texts(part, name)
                before = called
            case ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]):
                before = f"{called}, {name}" if isinstance(node, ast.ClassDef) else name


def _package(book: Book) -> str:
    """Return the package that a game's parts have in common."""
    ruleset = book.ruleset
    parts = [
        str(getattr(one.body if isinstance(one, Rule) else one, "__module__", "")).split(".")
        for one in (ruleset.sheet, ruleset.options, ruleset.game, *ruleset.rules)
    ]
    shared = [some[0] for some in zip(*parts, strict=False) if len(set(some)) == 1]
    return ".".join(shared)


def _named(text: str) -> list[str]:
    """Return the clauses that a text names, including those within ranges."""
    named = CLAUSE.findall(text)
    for sign, first, last in SPAN.findall(text):
        named += [f"{sign}{number:0{len(first)}}" for number in range(int(first), int(last) + 1)]
    return list(dict.fromkeys(named))


def _place(found: str) -> tuple[str, bool, int]:
    letters, number = re.split(r"[-+]", found)
    return letters, "+" in found, int(number)
