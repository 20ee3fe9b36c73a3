"""YAML and JSON files. No tag is resolved and no object constructed, so nothing can be executed."""

import re
from typing import Any

import yaml

from astragal.table.fields.validation import Path, printable
from astragal.table.settings.documents import DEEPEST, Document, Fault, FaultyFile, Place, Places, fit, place_of

_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def read_yaml(text: str, where: str) -> Document:
    """Parse a file, or refuse one that is no YAML or abuses it. Numbers, true, false and null are those of JSON."""
    where = printable(where, 200)
    text = fit(text, where)
    try:
        root = yaml.compose(text, Loader=_PlainLoader)
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        wrong = f"this can't be read: {printable(fault.problem or '', 120)}"
        raise FaultyFile(Fault(where, _place(mark) if mark else Place(), wrong)) from None
    except yaml.reader.ReaderError as fault:
        wrong = f"this can't be read: {fault.reason}"
        raise FaultyFile(Fault(where, place_of(text, fault.position), wrong)) from None
    places = Places()
    value = None if root is None else _plain(root, (), places)
    return Document(where, value, lambda: places, places.doubled(where))


class _PlainLoader(yaml.SafeLoader):
    """Refuses aliases, with which a small file can expand endlessly, and deep nesting."""

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


def _plain(node: yaml.Node, path: Path, places: Places) -> Any:
    places.values[path] = _place(node.start_mark)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*path, number), places) for number, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        table: dict[str, Any] = {}
        for key, value in node.value:
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else "?"
            if name in table:
                places.twice.append(((*path, name), _place(key.start_mark)))
            places.keys[*path, name] = _place(key.start_mark)
            table[name] = _plain(value, (*path, name), places)
        return table
    if isinstance(node, yaml.ScalarNode) and node.style is None:  # anything in quotation marks is text
        if _NUMBER.fullmatch(node.value):
            return int(node.value)
        return _WORDS.get(node.value, node.value)
    return node.value


def _place(mark: yaml.Mark) -> Place:
    return Place(mark.line + 1, mark.column + 1)
