"""All that a seat can get out of a table, as text: to be searched for what it may not know."""

from __future__ import annotations

from typing import Any

import msgspec

from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.refusals import Refusal
from astragal.table.registry import Book
from astragal.table.visibility.redact import plain
from tests.table.dare import DARE
from tests.table.seated import Seated


def reaches(seated: Seated, seat: str) -> str:
    """What a seat sees: the table, what happened, the transcript, as values and as text."""
    who = seated.seats[seat]
    view, page = seated.host.look(seated.table, who), seated.host.follow(seated.table, who)
    told = msgspec.json.encode([plain(view), page]).decode()
    return "\n".join([told, repr(view), repr(page), seated.host.archive.transcript(seated.table, who)])


def probed(seated: Seated, seat: str, thing: str, ruleset: Ruleset = DARE) -> str:
    """What a seat is answered when it gives every command there is with the id of a thing it may not know."""
    return "\n".join(_answer(seated, seat, name, kind, thing) for name, kind in Book.of(ruleset).commands.items())


def _answer(seated: Seated, seat: str, name: str, kind: type, thing: str) -> str:
    fields = {field.name: _filled(field, thing) for field in fields_of(kind) if field.required or _is_id(field)}
    try:
        return repr(seated.host.act(seated.table, seated.seats[seat], (name, fields)))
    except Refusal as refusal:
        return f"{refusal.code}: {refusal.sentence} {refusal!r}"


def _filled(field: Field, thing: str) -> Any:
    if _is_id(field):
        return thing
    return {int: 1, str: "a word", bool: False}.get(field.type, ())


def _is_id(field: Field) -> bool:
    return field.names is not None or "Names" in str(field.type)


def assert_unknown(seated: Seated, seats: tuple[str, ...], canary: str, thing: str) -> None:
    """Neither the words nor the id of a thing reach these seats, whatever they look at or try. Leaves a mess."""
    for seat in seats:
        assert canary not in reaches(seated, seat)
        assert thing not in reaches(seated, seat)
    for seat in seats:
        assert canary not in probed(seated, seat, thing)
        assert canary not in reaches(seated, seat)
