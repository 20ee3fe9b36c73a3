"""TOML files. `tomllib` parses the values but keeps no places; a scanner finds those in a faulty file."""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from functools import partial
from typing import Any

from astragal.table.fields.validation import Path, printable
from astragal.table.settings.documents import DEEPEST, Document, Fault, FaultyFile, Place, Places, fit, place_of

_LONG_KEY = re.compile(r"""(?<![\w."'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){9}""")
"""Matches a key of ten parts. A key of thousands would keep `tomllib` busy for minutes."""

_SLIP = re.compile(r"(?P<wrong>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_GIVEN_TWICE = re.compile(r"Cannot (?:declare|overwrite|mutate)|Duplicate")
"""Beginning of the messages of `tomllib` for a key that is given twice."""

_QUOTED = r"""(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_TRIPLE_QUOTED = r"""(?:\"{3}(?:[^\\]|\\(?s:.))*?\"{3,5}(?!")|'{3}[\s\S]*?'{3,5}(?!'))"""
_BLANKS = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_REST_OF_LINE = re.compile(r"[ \t\r]*+(?:#[^\n]*+)?+(?:\n|\Z)")
_LINE = re.compile(r"[^\n]*+\n?+")
_HEADER_OPENS = re.compile(r"(\[\[?+)[ \t]*+")
_HEADER_CLOSES = re.compile(r"[ \t]*+\]{1,2}+")
_KEY_PART = re.compile(rf"({_QUOTED}|[\w-]++)[ \t]*+(\.?+)[ \t]*+")
_EQUALS = re.compile(r"[ \t]*+=[ \t]*+")
_SCALAR = re.compile(rf"{_TRIPLE_QUOTED}|{_QUOTED}|[^\s\[\]{{}},#\"'][^\n\[\]{{}},#]*+")
_BRACKET = re.compile(r"[\[{]")
_COMMA = re.compile(",")
_BRACKET_OR_OTHER = re.compile(rf"#[^\n]*+|{_TRIPLE_QUOTED}|{_QUOTED}|[\[\]{{}}]|[^#\"'\[\]{{}}]++|[\"']")


def read_toml(text: str, where: str) -> Document:
    """Parse a file, or refuse it with the place of the syntax error. All keys that are given twice are named."""
    where = printable(where, 200)
    text = fit(text, where)
    has_many_dots = any(line.count(".") >= 9 for line in text.split("\n"))  # faster than the search for a long key
    if has_many_dots and (long := _LONG_KEY.search(text)):
        wrong = "a key of ten or more parts"
        raise FaultyFile(Fault(where, place_of(text, long.start()), wrong, "keys as in the template"))
    try:
        return Document(where, tomllib.loads(text), partial(places_in, text))
    except tomllib.TOMLDecodeError as slip:
        doubled = places_in(text).doubled(where) if _GIVEN_TWICE.match(str(slip)) else ()
        raise Document(where, None, Places, doubled or (_slip(text, where, str(slip)),)).refused(()) from None
    except RecursionError:
        wrong = f"lists or tables nested more than {DEEPEST} deep"
        place = places_in(text).too_deep or Place()
        raise FaultyFile(Fault(where, place, wrong, "lists and tables as in the template")) from None
    except ValueError:  # tomllib lets this one through: Python parses no number of more than 4,300 digits
        digits = re.search(r"[0-9_]{4300}", text)
        place = place_of(text, digits.start() if digits else 0)
        raise FaultyFile(Fault(where, place, "a number of thousands of digits", "a small one")) from None


def written_toml(values: Mapping[str, Any]) -> str:
    """Write plain values as TOML for `read_toml`, a key on each line. None is left out."""
    lines = (f"{_written(name)} = {_written(value)}" for name, value in values.items() if value is not None)
    return "".join(f"{line}\n" for line in lines)


def _written(value: Any) -> str:
    """Write a value as TOML. Text, numbers and booleans are written as in JSON."""
    if isinstance(value, Mapping):
        pairs = (f"{_written(name)} = {_written(part)}" for name, part in value.items() if part is not None)
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_written, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _slip(text: str, where: str, message: str) -> Fault:
    """Make the fault that a message of `tomllib` is about."""
    match = _SLIP.fullmatch(message)
    wrong = match["wrong"] if match else message
    place = place_of(text, len(text))
    if match and match["line"]:
        place = Place(int(match["line"]), int(match["column"]))
    return Fault(where, place, f"this is not TOML: {printable(wrong, 120)}")


def places_in(text: str) -> Places:
    """Find the places of values and keys, as far as the document can be parsed."""
    scanner = _Scanner(text)
    while scanner.skip_blanks():
        scanner.statement()
    return scanner.places


class _Scanner:
    """Reader of a TOML file that keeps places alone. A statement that it can't read ends with its line."""

    def __init__(self, text: str) -> None:
        self.places = Places()
        self._text = text
        self._position = 0
        self._line_starts = [0, *(line.end() for line in re.finditer("\n", text))]
        self._table: Path = ()
        self._lengths: dict[Path, int] = {}

    def statement(self) -> None:
        """Read a table's header, or a key and its value."""
        is_read = self._header() if self._text[self._position] == "[" else self._pair(self._table, 0)
        if not is_read or self._skips(_REST_OF_LINE) is None:
            self._skips(_LINE)

    def skip_blanks(self) -> bool:
        """Skip comments, spaces and line breaks. Return whether anything follows."""
        self._skips(_BLANKS)
        return self._position < len(self._text)

    def _header(self) -> bool:
        """Read a header. `[a.b]` opens a table, `[[a.b]]` appends one to a list; both may be in a list's last table."""
        place = self._place()
        brackets = self._skips(_HEADER_OPENS)
        key = self._key()
        if brackets is None or not key or self._skips(_HEADER_CLOSES) is None:
            return False
        header: Path = ()
        for name in key[:-1]:
            header = (*header, name)
            if header in self._lengths:
                header = (*header, self._lengths[header] - 1)
        header = (*header, key[-1])
        if brackets[1] == "[[":
            self.places.values.setdefault(header, place)
            number = self._lengths.get(header, 0)
            self._lengths[header] = number + 1
            header = (*header, number)
        elif header in self.places.values:
            self.places.twice.append((header, place))
        self.places.values[header] = place
        self._table = header
        return True

    def _pair(self, within: Path, depth: int) -> bool:
        place = self._place()
        key = self._key()
        if not key or self._skips(_EQUALS) is None:
            return False
        for name in key[:-1]:
            within = (*within, name)
            self.places.values.setdefault(within, place)
            self.places.keys.setdefault(within, place)
        path = (*within, key[-1])
        if path in self.places.values:
            self.places.twice.append((path, place))
        self.places.keys[path] = place
        return self._value(path, depth)

    def _key(self) -> list[str]:
        """Read a key and return its parts: none if there is no key here."""
        parts: list[str] = []
        while (part := self._skips(_KEY_PART)) is not None:
            parts.append(_name(part[1]))
            if not part[2]:
                return parts
        return []

    def _value(self, path: Path, depth: int) -> bool:
        self.places.values[path] = self._place()
        if self._skips(_SCALAR) is not None:
            return True
        if depth == DEEPEST:
            self.places.too_deep = self.places.too_deep or self._place()
            return self._skip_brackets()
        bracket = self._skips(_BRACKET)
        if bracket is None:
            return False
        if bracket[0] == "[":
            return self._members(path, "]", depth + 1)
        return self._members(path, "}", depth + 1)

    def _members(self, path: Path, end: str, depth: int) -> bool:
        """Read the values of a list, or the pairs of an inline table, up to the bracket that ends it."""
        number = 0
        while self.skip_blanks():
            if self._text[self._position] == end:
                self._position += 1
                return True
            is_read = self._pair(path, depth) if end == "}" else self._value((*path, number), depth)
            if not is_read:
                return False
            number += 1
            self.skip_blanks()
            self._skips(_COMMA)
        return False

    def _skip_brackets(self) -> bool:
        """Skip a list or an inline table with everything in it, however deep."""
        depth = 0
        while (token := self._skips(_BRACKET_OR_OTHER)) is not None:
            if token[0] in ("[", "{"):
                depth += 1
            elif token[0] in ("]", "}"):
                depth -= 1
            if depth == 0:
                return True
        return False

    def _skips(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Skip what matches here, and return it."""
        match = pattern.match(self._text, self._position)
        if match is not None:
            self._position = match.end()
        return match

    def _place(self) -> Place:
        line = bisect_right(self._line_starts, self._position)
        return Place(line, self._position - self._line_starts[line - 1] + 1)


def _name(spelled: str) -> str:
    """Return the name that a part of a key spells."""
    if spelled[0] == "'":
        return spelled[1:-1]
    if spelled[0] != '"':
        return spelled
    try:
        return next(iter(tomllib.loads(f"{spelled} = 0")))
    except tomllib.TOMLDecodeError:
        return spelled
