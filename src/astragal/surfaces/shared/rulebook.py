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
    texts = sorted(_documentation(_package(book)), key=lambda text: _place(_clauses_in(text)[0]))
    for chapter in book.ruleset.chapters:
        for action in chapter.actions:
            texts.append(f"{action.name}: {inspect.cleandoc(action.command.__doc__ or '')}")
    return "\n\n".join(texts)


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
    """Return every clause of a package. Cached until the process ends: it saves sorting the texts for each question."""
    texts_by_clause: dict[str, list[str]] = {}
    for text in sorted(_documentation(package)):
        for clause in _clauses_in(text):
            texts_by_clause.setdefault(clause, []).append(text)
    clauses: list[Clause] = []
    for clause in sorted(texts_by_clause, key=_place):
        texts = texts_by_clause[clause]
        name, _, first_text = texts[0].partition(": ")
        clauses.append(Clause(clause, name, first_text.partition("\n")[0], "\n\n".join(texts)))
    return tuple(clauses)


@lru_cache(maxsize=64)
def _documentation(package: str) -> frozenset[str]:
    """Collect a package's docstrings that name clauses: of functions, classes, fields, constants and modules.

    Cached until the process ends: it saves parsing every module of a game for each question about its rules.
    """
    texts: set[str] = set()
    path = getattr(sys.modules.get(package), "__path__", None)
    inner = pkgutil.walk_packages(path, f"{package}.") if path is not None else ()
    modules = [package, *(module_info.name for module_info in inner)]
    for module in modules:  # as source: none is imported just for this
        spec = find_spec(module)
        loader: Any = spec.loader if spec else None
        source = loader.get_source(module) if loader else None
        for name, text in _texts(ast.parse(source or ""), module.rpartition(".")[2]):
            if CLAUSE.search(text):
                texts.add(f"{name.strip('_').replace('_', ' ')}: {inspect.cleandoc(text)}")
    return frozenset(texts)


def _texts(node: ast.AST, called: str) -> Iterator[tuple[str, str]]:
    """Yield every docstring with the name of what it documents: the definition around it, or the one above it."""
    previous = called
    for part in ast.iter_child_nodes(node):
        match part:
            case ast.Expr(ast.Constant(str(text))):
                yield previous, text
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield from _texts(part, name)
                previous = called
            case ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]):
                previous = f"{called}, {name}" if isinstance(node, ast.ClassDef) else name


def _package(book: Book) -> str:
    """Return the package that a game's parts have in common."""
    ruleset = book.ruleset
    paths: list[list[str]] = []
    for part in (ruleset.sheet, ruleset.options, ruleset.game, *ruleset.rules):
        definition = part.body if isinstance(part, Rule) else part
        paths.append(str(getattr(definition, "__module__", "")).split("."))
    shared = [segments[0] for segments in zip(*paths, strict=False) if len(set(segments)) == 1]
    return ".".join(shared)


def _clauses_in(text: str) -> list[str]:
    """Return the clauses that a text names, including those within ranges."""
    clauses = CLAUSE.findall(text)
    for sign, first, last in SPAN.findall(text):
        clauses += [f"{sign}{number:0{len(first)}}" for number in range(int(first), int(last) + 1)]
    return list(dict.fromkeys(clauses))


def _place(clause: str) -> tuple[str, bool, int]:
    letters, number = re.split(r"[-+]", clause)
    return letters, "+" in clause, int(number)
