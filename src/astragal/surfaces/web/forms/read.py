"""Parsing of a submitted form into the plain fields that a command asks for.

Names of inputs spell where a value belongs: `who`, `rises.MGT`, `gear.0.name`. `advantage;` holds several texts with
semicolons or line breaks between them, `notes=` a line for each pair of a mapping. Nothing is judged here: what can't
be read as its field's type stays text, and the table says what is wrong with it.
"""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote

from astragal.table.fields.definitions import fields_of
from astragal.table.fields.shapes import (
    ChoiceShape,
    EitherShape,
    FlagShape,
    ListShape,
    MappingShape,
    NumberShape,
    RecordShape,
    Shape,
    TextShape,
    said,
)
from astragal.table.visibility.redact import plain

NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
OWN = "."
"""Names that begin with it belong to the form itself, not to the command."""

Tree = dict[str, Any]
"""Inputs by the parts of their names; texts, all of them in order, are its leaves."""


def key_in_name(key: str) -> str:
    """A key of a mapping as a part of an input's name."""
    return quote(key, safe="").replace(".", "%2E")


def read_form(kind: type, sent: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Read the fields of a command from the names and texts of a form's inputs."""
    tree: Tree = {}
    for name, text in sent:
        if name.startswith(OWN):
            continue
        *path, last = name.split(".")
        node = tree
        for part in path:
            inner = node.setdefault(part, {})
            node = inner if isinstance(inner, dict) else {}
        texts = node.setdefault(last, [])
        if isinstance(texts, list):
            texts.append(text.replace("\r\n", "\n"))
    return _parts(kind, tree)


def _parts(kind: type, tree: Tree) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields_of(kind):
        value = _value(field.shape, field.name, tree)
        if value is not None:
            found[field.name] = value
    known = {field.name for field in fields_of(kind)}
    strangers = {
        name: texts[-1] for name, texts in tree.items() if name.rstrip(";=") not in known and isinstance(texts, list)
    }
    return found | strangers


def _value(shape: Shape, name: str, tree: Tree) -> Any:
    """A field's value; None where the input is empty, so that the default holds."""
    shape = said(shape)
    if isinstance(shape, ListShape):
        return _list(said(shape.item), name, tree)
    if isinstance(shape, MappingShape):
        return _mapping(said(shape.item), name, tree)
    node = tree.get(name)
    if isinstance(shape, RecordShape):
        return _thing(shape.kind, node) if isinstance(node, dict) else None
    if not isinstance(node, list) or not node[-1].strip():
        return None
    return _single(shape, node[-1])


def _list(item: Shape, name: str, tree: Tree) -> list[Any] | None:
    node, typed = tree.get(name), tree.get(f"{name};")
    if isinstance(item, RecordShape):
        rows = node.values() if isinstance(node, dict) else ()
        found = [thing for row in rows if isinstance(row, dict) and (thing := _thing(item.kind, row)) is not None]
        return found if rows else None
    if node is None and typed is None:
        return None
    texts = [text for text in node or () if isinstance(text, str)]
    texts += [part for text in typed or () if isinstance(text, str) for part in re.split(r"[;\n]", text)]
    return [_single(item, text.strip()) for text in texts if text.strip()]


def _mapping(item: Shape, name: str, tree: Tree) -> dict[str, Any] | None:
    node, typed = tree.get(name), tree.get(f"{name}=")
    if node is None and typed is None:
        return None
    sent = node.items() if isinstance(node, dict) else ()
    pairs = {unquote(key): texts[-1] for key, texts in sent if isinstance(texts, list)}
    for line in "\n".join(typed if isinstance(typed, list) else ()).splitlines():
        key, _, text = line.partition("=" if "=" in line else ":")
        pairs[key.strip()] = text.strip()
    return {key: _single(item, text) for key, text in pairs.items() if key and text.strip()}


def _thing(kind: type, node: Tree) -> dict[str, Any] | None:
    """A record from several inputs; None where all of them are empty."""
    parts = _parts(kind, node)
    usual = {field.name: plain(field.default) for field in fields_of(kind)}
    return parts if any(value != usual.get(name) and value != [] for name, value in parts.items()) else None


def _single(shape: Shape, text: str) -> Any:
    """One text, read by its shape."""
    match shape:
        case EitherShape(shapes=shapes):
            read = (_single(one, text) for one in sorted(shapes, key=lambda one: isinstance(one, TextShape)))
            return next((value for value in read if value != text), text)
        case ChoiceShape(values=values):
            return next((one for one in values if str(one) == text), text)
        case NumberShape() if NUMBER.fullmatch(text.strip().replace("−", "-")):
            return int(text.strip().replace("−", "-"))
        case FlagShape() if text in ("yes", "no"):
            return text == "yes"
        case _:
            return text
