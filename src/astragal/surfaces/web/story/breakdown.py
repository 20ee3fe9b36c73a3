"""How a roll was reckoned: the rule that decided it, and every number that went into it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from astragal.surfaces.web.forms.choices import in_words
from astragal.table.authoring.chapter import Teller
from astragal.table.log.codec import RuleHasChanged
from astragal.table.registry import Book
from astragal.table.state.table import Asked

CLAUSE = re.compile(r"^(?:[A-Z]{2}[-+]\d+(?: to [A-Z]{2}[-+]\d+)?(?:, | and )?)+: ")
"""The clauses of a book that a rule's first sentence begins with."""
DEEPEST = 3
NOTHING: tuple[Any, ...] = ("", [], {})


@dataclass(frozen=True)
class Explained:
    """A rule in a sentence, and its arguments in words."""

    rule: str
    doc: str
    terms: tuple[tuple[str, str], ...] = ()


def explained(book: Book, teller: Teller, question: Mapping[str, Any]) -> Explained | None:
    """None where the rule is no longer there. In the game's own words, where it has any for this."""
    rules = _rules(book)
    name = str(question.get("rule", ""))
    if name not in rules:
        return None
    doc, parameters = rules[name]
    given = question.get("arguments")
    if not isinstance(given, list):
        return Explained(in_words(name), doc)
    terms = _reckoned(book, teller, Asked(rule=name, arguments=tuple(given)))
    if terms is None:
        terms = _terms(dict(zip(parameters, given, strict=False)), teller)
    return Explained(in_words(name), doc, tuple(terms))


def _reckoned(book: Book, teller: Teller, asked: Asked) -> Iterable[tuple[str, str]] | None:
    if book.ruleset.reckoning is None:
        return None
    try:
        return book.ruleset.reckoning(book.codec.question(asked), teller)
    except RuleHasChanged:
        return None


@lru_cache
def _rules_of(rules: tuple[Any, ...]) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    return {rule.name: (_sentence(rule.__doc__ or ""), tuple(rule.parameters)) for rule in rules}


def _rules(book: Book) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    return _rules_of(book.ruleset.rules)


def _sentence(doc: str) -> str:
    first = " ".join(doc.strip().split("\n\n")[0].split())
    told = CLAUSE.sub("", first)
    return told[:1].upper() + told[1:]


def _terms(given: Mapping[str, Any], teller: Teller, depth: int = 0) -> Iterator[tuple[str, str]]:
    """What is nothing is not said; a value with parts is said part by part."""
    for name, value in given.items():
        if value is None or value is False or value in NOTHING:
            continue
        if isinstance(value, Mapping) and depth < DEEPEST:
            yield from _terms(value, teller, depth + 1)
        else:
            yield in_words(teller.term(str(name))), _words(value)


def _words(value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, list):
        return ", ".join(_words(one) for one in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{str(name).replace('_', ' ')} {_words(one)}" for name, one in value.items())
    return str(value).replace("_", " ")
