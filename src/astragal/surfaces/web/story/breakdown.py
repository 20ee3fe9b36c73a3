"""Breakdown of a roll: the rule that decided it, and every number that went into it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from astragal.surfaces.shared.words import first_paragraph, value_words
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
    """Explain a question, in the game's own words where it has some; None if the rule no longer exists."""
    rule = next((one for one in book.ruleset.rules if one.name == question.get("rule")), None)
    if rule is None:
        return None
    told = teller.label(CLAUSE.sub("", first_paragraph(rule)))
    doc = told[:1].upper() + told[1:]
    given = question.get("arguments")
    if not isinstance(given, list):
        return Explained(in_words(rule.name), doc)
    terms: Iterable[tuple[str, str]] | None = None
    if book.ruleset.breakdown is not None:
        with suppress(RuleHasChanged):
            terms = book.ruleset.breakdown(book.codec.question(Asked(rule=rule.name, arguments=tuple(given))), teller)
    if terms is None:
        terms = _terms(dict(zip(rule.parameters, given, strict=False)), teller)
    said = tuple((teller.label(name), teller.label(value)) for name, value in terms)
    return Explained(in_words(rule.name), doc, said)


def _terms(given: Mapping[str, Any], teller: Teller, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Arguments in words: empty ones are left out, and records are listed field by field."""
    for name, value in given.items():
        if value is None or value is False or value in NOTHING:
            continue
        if isinstance(value, Mapping) and depth < DEEPEST:
            yield from _terms(value, teller, depth + 1)
        else:
            yield in_words(teller.term(str(name))), value_words(value).replace("_", " ")
