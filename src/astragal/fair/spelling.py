"""Canonical JSON spelling of a line, so that equal fields always give equal bytes.

JSON with its keys sorted, no spaces, everything beyond ASCII escaped, no NaN. A line in any other spelling is refused:
two spellings of one key in an object would let two readers see two different lines.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from astragal.fair.faults import FairError, Fault

Json = str | int | float | bool | Sequence["Json"] | Mapping[str, "Json"] | None
Fields = Mapping[str, Any]

MOST_SHOWN = 60
"""Characters of a malformed line that its error message quotes."""

_encoder = json.JSONEncoder(
    ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False
)


def spell_text(value: Json) -> str:
    try:
        return str(value) if type(value) is int else _encoder.encode(value)  # a shortcut for ints, many times as fast
    except (TypeError, ValueError, RecursionError) as error:
        raise FairError(Fault.BAD_FIELD, f"This can not be written as JSON: {error}.") from error


def spell(fields: Fields) -> bytes:
    return spell_text(fields).encode("ascii")


class Line(bytes):
    """A line just written. It keeps its fields, so that they need not be parsed again to append it."""

    fields: Fields

    @classmethod
    def of(cls, fields: Fields) -> "Line":
        line = cls(spell(fields))
        line.fields = fields
        return line


def read_text(text: str) -> dict[str, Any]:
    """Parse a JSON object in canonical spelling."""
    try:
        fields = json.loads(text)
        if isinstance(fields, dict) and _encoder.encode(fields) == text:
            return fields
    except (ValueError, RecursionError):
        pass
    beginning = text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
    raise FairError(Fault.MALFORMED, f"This is not a JSON object in FD1's spelling: {beginning!r}")


def read(line: bytes) -> Fields:
    try:
        return read_text(line.decode("ascii"))
    except UnicodeDecodeError as error:
        raise FairError(Fault.MALFORMED, f"This line is not plain ASCII from its byte {error.start} on.") from error
