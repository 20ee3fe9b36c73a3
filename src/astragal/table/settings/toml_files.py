"""TOML files. `tomllib` parses the values but keeps no places; those come from a syntax tree."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from astragal.table.fields.validation import Path, printable
from astragal.table.settings.documents import DEEPEST, Document, Fault, FaultyFile, Place, Places, fit, place_of

if TYPE_CHECKING:
    from tree_sitter import Node

KEYS = ("bare_key", "quoted_key", "dotted_key")

_LONG_KEY = re.compile(r"""(?<![\w."'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){9}""")
"""Matches a key of ten parts. A key of thousands would keep `tomllib` busy for minutes."""

_SLIP = re.compile(r"(?P<wrong>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_GIVEN_TWICE = re.compile(r"Cannot (?:declare|overwrite|mutate)|Duplicate")
"""Beginning of the messages of `tomllib` for a key that is given twice."""


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
        pairs = (f"{_written(name)} = {_written(one)}" for name, one in value.items() if one is not None)
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_written, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _slip(text: str, where: str, said: str) -> Fault:
    told = _SLIP.fullmatch(said)
    at_line = told and told["line"]
    place = Place(int(told["line"]), int(told["column"])) if told and at_line else place_of(text, len(text))
    return Fault(where, place, f"this is not TOML: {printable(told['wrong'] if told else said, 120)}")


def places_in(text: str) -> Places:
    """Find the places of values and keys, as far as the document can be parsed."""
    # Imported here because only a faulty file needs places.
    import tree_sitter
    import tree_sitter_toml

    source = text.encode()
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
    walk = _Walk(source)
    for node in parser.parse(source).root_node.named_children:
        if node.type == "pair":
            walk.pair(node, (), 0)
        elif node.type in ("table", "table_array_element"):
            walk.table(node)
    return walk.found


class _Walk:
    def __init__(self, source: bytes) -> None:
        self._lines = source.split(b"\n")
        self._lengths: dict[Path, int] = {}
        self.found = Places()

    def table(self, table: Node) -> None:
        """Note a table. `[a.b]` opens one, `[[a.b]]` appends one to a list; both may be in the last entry of a list."""
        names = next((_names(node) for node in table.named_children if node.type in KEYS), None)
        if names is None:
            return
        header: Path = ()
        for name in names[:-1]:
            header = (*header, name)
            if header in self._lengths:
                header = (*header, self._lengths[header] - 1)
        header, place = (*header, names[-1]), self._place(table)
        if table.type == "table_array_element":
            self.found.values.setdefault(header, place)
            number = self._lengths.get(header, 0)
            self._lengths[header] = number + 1
            header = (*header, number)
        elif header in self.found.values:
            self.found.twice.append((header, place))
        self.found.values[header] = place
        for node in table.named_children:
            if node.type == "pair":
                self.pair(node, header, 0)

    def pair(self, pair: Node, within: Path, depth: int) -> None:
        nodes = [node for node in pair.named_children if node.type != "comment"]
        if len(nodes) < 2 or nodes[0].type not in KEYS:
            return
        *names, last = _names(nodes[0])
        place = self._place(nodes[0])
        for name in names:
            within = (*within, name)
            self.found.values.setdefault(within, place)
            self.found.keys.setdefault(within, place)
        path = (*within, last)
        if path in self.found.values:
            self.found.twice.append((path, place))
        self.found.keys[path] = place
        self._value(nodes[1], path, depth)

    def _value(self, node: Node, path: Path, depth: int) -> None:
        self.found.values[path] = self._place(node)
        if node.type not in ("array", "inline_table"):
            return
        if depth == DEEPEST:
            self.found.too_deep = self.found.too_deep or self._place(node)
            return
        number = 0
        for child in node.named_children:
            if child.type == "pair":
                self.pair(child, path, depth + 1)
            elif child.type != "comment":
                self._value(child, (*path, number), depth + 1)
                number += 1

    def _place(self, node: Node) -> Place:
        row, column = node.start_point
        return Place(row + 1, len(self._lines[row][:column].decode(errors="replace")) + 1)


def _names(key: Node) -> list[str]:
    """Return the parts of a key. A dotted key is a tree nested to the left, as deep as it has dots."""
    names: list[str] = []
    while key.type == "dotted_key":
        key, last = key.named_children[0], key.named_children[-1]
        names.append(_name(last))
    return [_name(key), *reversed(names)]


def _name(key: Node) -> str:
    spelled = (key.text or b"").decode()
    try:
        return spelled if key.type == "bare_key" else next(iter(tomllib.loads(f"{spelled} = 0")))
    except tomllib.TOMLDecodeError:
        return spelled
