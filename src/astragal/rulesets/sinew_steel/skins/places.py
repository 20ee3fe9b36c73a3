"""Where in a TOML file each value stands. `tomllib` reads the values, and keeps no places."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .faults import Path, Place

if TYPE_CHECKING:
    from tree_sitter import Node

KEYS = ("bare_key", "quoted_key", "dotted_key")
NESTS = ("array", "inline_table")


@dataclass
class Places:
    """The places of a document's values and keys, keys that are given twice, and the first nest that is too deep."""

    values: dict[Path, Place] = field(default_factory=dict)
    keys: dict[Path, Place] = field(default_factory=dict)
    twice: list[tuple[Path, Place]] = field(default_factory=list)
    too_deep: Place | None = None

    def nearest(self, path: Path) -> Place:
        """The value's own place, or that of the innermost table that should have held it."""
        while path and path not in self.values:
            path = path[:-1]
        return self.values.get(path, Place())

    def key(self, path: Path) -> Place:
        return self.keys.get(path) or self.nearest(path)


def places_in(text: str, deepest: int) -> Places:
    """Read the places of a document, as far as it can be read at all."""
    # Only a faulty file needs places: the shipped skins are read without this.
    import tree_sitter
    import tree_sitter_toml

    source = text.encode()
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
    return _Reader(source, deepest).read(parser.parse(source).root_node)


class _Reader:
    def __init__(self, source: bytes, deepest: int) -> None:
        self._lines = source.split(b"\n")
        self._deepest = deepest
        self._lengths: dict[Path, int] = {}
        self._found = Places()

    def read(self, document: Node) -> Places:
        for node in document.named_children:
            if node.type == "pair":
                self._pair(node, ())
            elif node.type in ("table", "table_array_element"):
                self._table(node)
        return self._found

    def _table(self, table: Node) -> None:
        """`[a.b]` opens a table, `[[a.b]]` one more entry of a list; each may stand in the last entry of another."""
        names = next((self._names(node) for node in table.named_children if node.type in KEYS), None)
        if names is None:
            return
        header, place = self._resolved(names[:-1]) + names[-1:], self._place(table)
        if table.type == "table_array_element":
            self._found.values.setdefault(header, place)
            header = (*header, self._next_entry(header))
        elif header in self._found.values:
            self._found.twice.append((header, place))
        self._found.values[header] = place
        for node in table.named_children:
            if node.type == "pair":
                self._pair(node, header)

    def _resolved(self, names: Path) -> Path:
        """A way through lists of tables goes through the last entry of each."""
        path: Path = ()
        for name in names:
            path = (*path, name)
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
        return path

    def _next_entry(self, header: Path) -> int:
        self._lengths[header] = self._lengths.get(header, 0) + 1
        return self._lengths[header] - 1

    def _pair(self, pair: Node, within: Path, depth: int = 0) -> None:
        nodes = [node for node in pair.named_children if node.type != "comment"]
        if len(nodes) < 2 or nodes[0].type not in KEYS:
            return
        names, place = self._names(nodes[0]), self._place(nodes[0])
        for length in range(1, len(names)):
            self._found.values.setdefault((*within, *names[:length]), place)
            self._found.keys.setdefault((*within, *names[:length]), place)
        path = (*within, *names)
        if path in self._found.values:
            self._found.twice.append((path, place))
        self._found.keys[path] = place
        self._value(nodes[1], path, depth)

    def _value(self, node: Node, path: Path, depth: int) -> None:
        self._found.values[path] = self._place(node)
        if node.type not in NESTS:
            return
        if depth == self._deepest:
            self._found.too_deep = self._found.too_deep or self._place(node)
            return
        entries = [child for child in node.named_children if child.type not in ("comment", "pair")]
        for number, entry in enumerate(entries):
            self._value(entry, (*path, number), depth + 1)
        for pair in node.named_children:
            if pair.type == "pair":
                self._pair(pair, path, depth + 1)

    def _names(self, key: Node) -> Path:
        """The parts of a key; a dotted one is nested to the left, as deep as it has dots."""
        return tuple(reversed(list(self._names_from_the_right(key))))

    def _names_from_the_right(self, key: Node) -> Iterator[str]:
        while key.type == "dotted_key":
            key, last = key.named_children[0], key.named_children[-1]
            yield self._name(last)
        yield self._name(key)

    def _name(self, key: Node) -> str:
        spelled = (key.text or b"").decode()
        if key.type == "bare_key":
            return spelled
        try:
            return next(iter(tomllib.loads(f"{spelled} = 0")))
        except tomllib.TOMLDecodeError:
            return spelled

    def _place(self, node: Node) -> Place:
        row, column = node.start_point
        return Place(row + 1, len(self._lines[row][:column].decode(errors="replace")) + 1)
