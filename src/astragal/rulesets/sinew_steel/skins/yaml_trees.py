"""The tree of a YAML file, all of it text: no tag is resolved and nothing is constructed, so nothing can be run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from .faults import Fault, FaultySkin, Path, Place, printable, shown
from .loading import DEEPEST, place_of


@dataclass
class Tree:
    where: str
    value: Any = None
    places: dict[Path, Place] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, path: Path, wrong: str, expected: str) -> Fault:
        """At the value's own place, or at that of the innermost table that should have held it."""
        while path and path not in self.places:
            path = path[:-1]
        return Fault(self.where, self.places.get(path, Place()), wrong, expected)


def read_tree(text: str, where: str) -> Tree:
    """The tree, with keys that are given twice among its faults; a file that is no YAML, or abuses it, is refused."""
    tree = Tree(where)
    try:
        root = yaml.compose(text, Loader=_PlainLoader)
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        place = _place(mark) if mark else Place()
        raise FaultySkin([Fault(where, place, f"this can't be read: {printable(fault.problem or '', 120)}")]) from None
    except yaml.reader.ReaderError as fault:
        place = place_of(text, fault.position)
        raise FaultySkin([Fault(where, place, f"this can't be read: {fault.reason}")]) from None
    tree.value = None if root is None else _plain(root, (), tree)
    return tree


class _PlainLoader(yaml.SafeLoader):
    """Refuses aliases, by which a small file can stand for an endless one, and deep nests."""

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise self._abuse("an alias, where it should be written out")
        if self._depth == DEEPEST:
            raise self._abuse(f"lists or tables nested more than {DEEPEST} deep")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def _abuse(self, problem: str) -> yaml.MarkedYAMLError:
        return yaml.MarkedYAMLError(problem=problem, problem_mark=self.current_event.start_mark)


def _plain(node: yaml.Node, path: Path, tree: Tree) -> Any:
    tree.places[path] = _place(node.start_mark)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(one, (*path, number), tree) for number, one in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        return _table(node, path, tree)
    return node.value


def _table(node: yaml.MappingNode, path: Path, tree: Tree) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in node.value:
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else "?"
        if name in table:
            wrong = f"{shown((*path, name))} is given twice"
            tree.faults.append(Fault(tree.where, _place(key.start_mark), wrong, "each key once"))
        table[name] = _plain(value, (*path, name), tree)
    return table


def _place(mark: yaml.Mark) -> Place:
    return Place(mark.line + 1, mark.column + 1)
