"""Explanation of a roll: its rule in a sentence, and what goes into it, in the game's own words if it has some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from astragal.surfaces.shared.words import first_paragraph, value_words, without_clauses
from astragal.table.log.codec import RuleHasChanged
from astragal.table.state.table import Asked
from astragal.wording import capitalised, in_words

if TYPE_CHECKING:
    from astragal.table.authoring.log_lines import Teller
    from astragal.table.preview import Preview
    from astragal.table.registry import Book

NOTHING: tuple[Any, ...] = ("", [], {})
DEEPEST = 3


class Explained(Struct, frozen=True):
    """A rule in a sentence, and its arguments in words."""

    doc: str
    terms: tuple[tuple[str, str], ...] = ()


def explained(book: Book, teller: Teller, question: Mapping[str, Any]) -> Explained | None:
    """Explain a question, in the game's own words if it has some; None if the rule no longer exists."""
    rule = book.rules.get(question.get("rule", ""))
    if rule is None:
        return None
    doc = capitalised(teller.label(without_clauses(first_paragraph(rule))))
    arguments = question.get("arguments")
    if not isinstance(arguments, list):
        return Explained(doc)
    terms: Iterable[tuple[str, str]] | None = None
    if book.ruleset.breakdown is not None:
        with suppress(RuleHasChanged):
            terms = book.ruleset.breakdown(
                book.codec.question(Asked(rule=rule.name, arguments=tuple(arguments))), teller
            )
    if terms is None:
        terms = _terms(dict(zip(rule.parameters, arguments, strict=False)), teller)
    return Explained(doc, tuple((teller.label(name), teller.label(value)) for name, value in terms))


def _terms(arguments: Mapping[str, Any], teller: Teller, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Arguments in words: empty ones are left out, and records are listed field by field."""
    for name, value in arguments.items():
        if value is None or value is False or value in NOTHING:
            continue
        if isinstance(value, Mapping) and depth < DEEPEST:
            yield from _terms(value, teller, depth + 1)
        else:
            yield in_words(teller.term(str(name))), value_words(value).replace("_", " ")


def parts_of(book: Book, teller: Teller, preview: Preview) -> tuple[tuple[str, str], ...]:
    """List what would go into a roll; empty if a part of it is hidden."""
    rule = book.rules.get(preview.rule)
    if rule is None or any(name not in preview.arguments for name in rule.parameters):
        return ()
    arguments = [preview.arguments[name] for name in rule.parameters]
    question_words = explained(book, teller, {"rule": rule.name, "arguments": arguments})
    return question_words.terms if question_words else ()
