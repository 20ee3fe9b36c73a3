"""What a form sent, as the plain fields that a command asks for.

Names of inputs spell where a value belongs: `who`, `rises.MGT`, `gear.0.name`. `advantage;` holds several texts with
semicolons or line breaks between them, `notes=` a line for each pair of a mapping. Nothing is judged here: what can't
be read as its field's type stays text, and the table says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin
from urllib.parse import quote, unquote

from astragal.table.fields import fields_of, unwrapped
from astragal.table.seen import plain

NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
OWN = "."
"""Names that begin with it belong to the form itself, not to the command."""

Tree = dict[str, Any]
"""Inputs by the parts of their names; texts, all of them in order, are its leaves."""


def key_in_name(key: str) -> str:
    """A key of a mapping as a part of an input's name."""
    return quote(key, safe="").replace(".", "%2E")


def read_form(kind: type, sent: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The fields of a command from the names and texts of a form's inputs."""
    return _parts(kind, _tree(sent))


def _tree(sent: Iterable[tuple[str, str]]) -> Tree:
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
    return tree


def _parts(kind: type, tree: Tree) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields_of(kind):
        value = _value(field.type, field.name, tree)
        if value is not None:
            found[field.name] = value
    known = {field.name for field in fields_of(kind)}
    strangers = {
        name: texts[-1] for name, texts in tree.items() if _bare(name) not in known and isinstance(texts, list)
    }
    return found | strangers


def _bare(name: str) -> str:
    return name.rstrip(";=")


def _value(hint: Any, name: str, tree: Tree) -> Any:
    """None where nothing was said, so that the default holds."""
    hint = _said(hint)
    if get_origin(hint) is tuple:
        return _list(get_args(hint)[0], name, tree)
    if _is_mapping(hint):
        return _mapping(get_args(hint)[1], name, tree)
    node = tree.get(name)
    if is_dataclass(hint) and isinstance(hint, type):
        return _thing(hint, node) if isinstance(node, dict) else None
    if not isinstance(node, list) or not node[-1].strip():
        return None
    return single(hint, node[-1])


def _said(hint: Any) -> Any:
    """The type itself, where it may be left out."""
    bare, _ = unwrapped(hint)
    if get_origin(bare) in (Union, UnionType):
        inner = [one for one in get_args(bare) if one is not NoneType]
        return unwrapped(inner[0])[0] if len(inner) == 1 else bare
    return bare


def _list(inner: Any, name: str, tree: Tree) -> list[Any] | None:
    node, typed = tree.get(name), tree.get(f"{name};")
    inner = _said(inner)
    if is_dataclass(inner) and isinstance(inner, type):
        rows = node.values() if isinstance(node, dict) else ()
        found = [thing for row in rows if isinstance(row, dict) and (thing := _thing(inner, row)) is not None]
        return found if rows else None
    if node is None and typed is None:
        return None
    texts = [text for text in node or () if isinstance(text, str)]
    texts += [part for text in typed or () if isinstance(text, str) for part in re.split(r"[;\n]", text)]
    return [single(inner, text.strip()) for text in texts if text.strip()]


def _mapping(inner: Any, name: str, tree: Tree) -> dict[str, Any] | None:
    node, typed = tree.get(name), tree.get(f"{name}=")
    if node is None and typed is None:
        return None
    said = node.items() if isinstance(node, dict) else ()
    pairs = {unquote(key): texts[-1] for key, texts in said if isinstance(texts, list)}
    for line in "\n".join(typed if isinstance(typed, list) else ()).splitlines():
        key, _, text = line.partition("=" if "=" in line else ":")
        pairs[key.strip()] = text.strip()
    inner = _said(inner)
    return {key: single(inner, text) for key, text in pairs.items() if key and text.strip()}


def _thing(kind: type, node: Tree) -> dict[str, Any] | None:
    """A thing of several parts; one of which nobody said anything is no thing."""
    parts = _parts(kind, node)
    usual = {field.name: plain(field.default) for field in fields_of(kind)}
    return parts if any(value != usual.get(name) and value != [] for name, value in parts.items()) else None


def single(hint: Any, text: str) -> Any:
    """One text, read by a type."""
    hint, _ = unwrapped(hint)
    if get_origin(hint) in (Union, UnionType):
        return _first_that_fits(get_args(hint), text)
    if get_origin(hint) is Literal:
        return next((one for one in get_args(hint) if str(one) == text), text)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next((one.value for one in hint if str(one.value) == text), text)
    if hint is int and NUMBER.fullmatch(text.strip().replace("−", "-")):
        return int(text.strip().replace("−", "-"))
    if hint is bool and text in ("yes", "no"):
        return text == "yes"
    return text


def _first_that_fits(inner: tuple[Any, ...], text: str) -> Any:
    kinds = [unwrapped(one)[0] for one in inner if one is not NoneType]
    read = (single(kind, text) for kind in sorted(kinds, key=lambda kind: kind is str))
    return next((value for value in read if value != text), text)


def _is_mapping(hint: Any) -> bool:
    origin = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Mapping)
