"""A game's rules by clause, in the words of the functions that obey them: what is read here is what is played."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any

from astragal.chance import Rule
from astragal.table.book import Book

CLAUSE = re.compile(r"\b[A-Z]{2,5}-\d{1,3}\b")


def whole(book: Book) -> str:
    """Every rule that names its clause, in the clauses' order; then what can be asked for."""
    rules = sorted(set(_obeyed(book)), key=lambda text: _place(CLAUSE.findall(text)[0]))
    asked = [f"{one.name}: {_doc(one.command)}" for chapter in book.ruleset.chapters for one in chapter.actions]
    return "\n\n".join([*rules, *asked])


def clause(book: Book, wanted: str) -> str:
    """What is written about one clause; nothing, where there is none."""
    return "\n\n".join(text for text in sorted(set(_obeyed(book))) if wanted.upper() in CLAUSE.findall(text))


def clauses(book: Book) -> list[str]:
    return sorted({found for text in _obeyed(book) for found in CLAUSE.findall(text)}, key=_place)


def _obeyed(book: Book) -> Iterator[str]:
    package = _package(book)
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            for one in list(vars(module).values()):
                said = _doc(one.body if isinstance(one, Rule) else one)
                if CLAUSE.search(said) and _home(one) == name:
                    yield f"{_called(one)}: {said}"


def _package(book: Book) -> str:
    """The package that a game's parts have in common."""
    ruleset = book.ruleset
    parts = [_home(one).split(".") for one in (ruleset.sheet, ruleset.options, ruleset.game, *ruleset.rules)]
    shared = [some[0] for some in zip(*parts, strict=False) if len(set(some)) == 1]
    return ".".join(shared)


def _home(one: Any) -> str:
    return str(getattr(one.body if isinstance(one, Rule) else one, "__module__", ""))


def _called(one: Any) -> str:
    name = one.name if isinstance(one, Rule) else str(getattr(one, "__name__", ""))
    return name.strip("_").replace("_", " ")


def _doc(one: Any) -> str:
    """A function's or a class's own words, and not what it has from elsewhere."""
    if not (inspect.isfunction(one) or inspect.isclass(one)):
        return ""
    return inspect.cleandoc(one.__doc__ or "")


def _place(found: str) -> tuple[str, int]:
    letters, _, number = found.partition("-")
    return letters, int(number)
