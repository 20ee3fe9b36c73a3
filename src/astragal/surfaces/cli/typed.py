"""What was typed, as the plain values that a definition asks for.

Nothing is judged here: what can't be read as its field's type stays text, and the table says what is wrong with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from astragal.table.fields import Field, fields_of, unwrapped

YES = frozenset({"yes", "y", "true", "on", "1"})
NO = frozenset({"no", "n", "false", "off", "0"})
NOTHING = frozenset({"none", "nothing", "nobody", "null", "-"})
NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


def value_of(field: Field, texts: Sequence[str]) -> Any:
    """A field's value from all that was typed for it; a list takes each text as an entry, or several with commas."""
    bare = _optional(field.type)
    if is_list(bare):
        inner = get_args(bare)[0]
        return [value for text in texts for value in _entries(inner, text)]
    if _is_mapping(bare):
        return _joined_pairs(get_args(bare)[1], texts)
    return plain(field.type, texts[-1])


def plain(hint: Any, text: str) -> Any:
    """One text, read by a type."""
    hint, _ = unwrapped(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return _json_or_text(text)
    if origin in (Union, UnionType):
        return _first_that_fits(inner, text)
    if origin is Literal:
        return choice(inner, text)
    if is_list(hint):
        return _entries(inner[0], text)
    if _is_mapping(hint):
        return _joined_pairs(inner[1], [text])
    if isinstance(hint, type) and issubclass(hint, Enum):
        return choice(tuple(member.value for member in hint), text)
    if is_dataclass(hint) and isinstance(hint, type):
        return _parts(hint, text)
    return _single(hint, text)


def choice(choices: Sequence[Any], text: str) -> Any:
    """The choice that is meant, by its beginning too; spaces, hyphens and underscores are one."""
    said = spoken(text)
    named = {spoken(str(one)): one for one in choices}
    fitting = [said] if said in named else [name for name in named if said and name.startswith(said)]
    return named[fitting[0]] if len(fitting) == 1 else text


def spoken(name: str) -> str:
    """A name as it is said: without the marks that hold its words together."""
    return re.sub(r"[\s_-]+", " ", name.strip()).casefold()


def _single(hint: Any, text: str) -> Any:
    if hint is int and NUMBER.fullmatch(text.replace("−", "-")):
        return int(text.replace("−", "-"))
    if hint is bool and text.casefold() in YES | NO:
        return text.casefold() in YES
    return text


def _first_that_fits(inner: tuple[Any, ...], text: str) -> Any:
    if NoneType in inner and text.casefold() in NOTHING:
        return None
    kinds = [one for one in inner if one is not NoneType]
    for kind in sorted(kinds, key=lambda one: unwrapped(one)[0] is str):
        value = plain(kind, text)
        if value != text:
            return value
    return text


def _entries(inner: Any, text: str) -> list[Any]:
    if text.casefold() in NOTHING:
        return []
    if text.lstrip().startswith("[") and isinstance(found := _json_or_text(text), list):
        return found
    if is_dataclass(unwrapped(inner)[0]):
        return [plain(inner, text)]
    return [plain(inner, part.strip()) for part in text.split(",") if part.strip()]


def _joined_pairs(inner: Any, texts: Sequence[str]) -> Any:
    joined: dict[str, Any] = {}
    for text in texts:
        pairs = _object(text)
        if pairs is None:
            return text
        joined |= {key: plain(inner, value) if isinstance(value, str) else value for key, value in pairs.items()}
    return joined


def _parts(kind: type, text: str) -> Any:
    """A thing of several parts: `name=Axe,edge=1`, or one word for the first part."""
    first, known = fields_of(kind)[0], {field.name: field for field in fields_of(kind)}
    head, *rest = text.split(",") if not text.lstrip().startswith("{") else (text,)
    pairs = _object(text if "=" in head or text.lstrip().startswith("{") else ",".join([f"{first.name}={head}", *rest]))
    if pairs is None:
        return text
    return {
        name: plain(known[name].type, value) if name in known and isinstance(value, str) else value
        for name, value in pairs.items()
    }


def _object(text: str) -> dict[str, Any] | None:
    """`key=value,key=value`, or JSON."""
    if text.lstrip().startswith("{"):
        found = _json_or_text(text)
        return found if isinstance(found, dict) else None
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if not all(sign for _, sign, _ in pairs):
        return None
    return {key.strip(): value.strip() for key, _, value in pairs}


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _optional(hint: Any) -> Any:
    """The type itself, where it may be left out."""
    if get_origin(hint) in (Union, UnionType):
        inner = [one for one in get_args(hint) if one is not NoneType]
        return unwrapped(inner[0])[0] if len(inner) == 1 else hint
    return hint


def is_list(hint: Any) -> bool:
    """Does it hold any number of values?"""
    return get_origin(hint) is tuple


def _is_mapping(hint: Any) -> bool:
    origin = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Mapping)
