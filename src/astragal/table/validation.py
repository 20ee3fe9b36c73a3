"""Plain values held against a definition: everything that is wrong is said at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen

from .fields import LONGEST_LIST, fields_of, unwrapped
from .refusals import BadFields

T = TypeVar("T")

LONGEST_KEY = 60
LARGEST_BITS = 63


def read(kind: type[T], raw: Mapping[str, Any]) -> T:
    """A command from plain values, or a refusal that lists everything that is wrong with them."""
    problems: list[str] = []
    made = _read_dataclass(kind, raw, "", problems)
    if problems:
        raise BadFields(problems)
    checked: T = made
    return checked


def check(command: T) -> T:
    """A command that was built in Python, held against its own definition."""
    return read(type(command), {one.name: getattr(command, one.name) for one in fields(command)})  # type: ignore[arg-type]


def _read_dataclass(kind: type, raw: Any, where: str, problems: list[str]) -> Any:
    if isinstance(raw, kind):
        raw = {one.name: getattr(raw, one.name) for one in fields(kind)}
    if not isinstance(raw, Mapping):
        problems.append(f"{where or 'a command'} must be an object with named fields")
        return None
    known = {field.name: field for field in fields_of(kind)}
    problems.extend(f"there is no field {_shown(name)}" for name in raw if name not in known)
    values: dict[str, Any] = {}
    for name, field in known.items():
        label = f"{where}.{name}" if where else name
        if name in raw:
            values[name] = _read_value(field.type, field.marks, raw[name], label, problems)
        elif field.required:
            problems.append(f"{label} is missing")
        else:
            values[name] = field.default
    if problems:
        return None
    try:
        return kind(**values)
    except ValueError as fault:
        problems.append(str(fault))
        return None


def _read_value(hint: Any, marks: tuple[Any, ...], raw: Any, label: str, problems: list[str]) -> Any:
    before = len(problems)
    value = _read_type(hint, raw, label, problems)
    if len(problems) == before and value is not None:
        problems.extend(f"{label} {fault}" for fault in _beyond_limits(marks, value))
    return value


def _read_type(hint: Any, raw: Any, label: str, problems: list[str]) -> Any:
    if hint is Any:
        return raw
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        bare, marks = unwrapped(hint)
        return _read_value(bare, marks, raw, label, problems)
    if origin in (Union, UnionType):
        return _read_union(inner, raw, label, problems)
    if origin is tuple:
        return _read_list(inner[0], raw, label, problems)
    if origin is Literal:
        return _one_of(raw, inner, label, problems)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _read_mapping(inner[1], raw, label, problems)
    return _read_single(hint, raw, label, problems)


def _read_single(hint: Any, raw: Any, label: str, problems: list[str]) -> Any:
    if isinstance(hint, type) and issubclass(hint, Enum):
        if isinstance(raw, hint):
            return raw
        value = _one_of(raw, tuple(member.value for member in hint), label, problems)
        return None if value is None else hint(value)
    if is_dataclass(hint):
        return _read_dataclass(hint, raw, label, problems)  # type: ignore[arg-type]
    if hint is str:
        return _read_text(raw, label, problems)
    if type(raw) is not hint:
        problems.append(f"{label} must be {_KINDS[hint]}, not {_shown(raw)}")
        return None
    if hint is int and raw.bit_length() > LARGEST_BITS:
        problems.append(f"{label} is too large a number")
        return None
    return raw


_KINDS = {int: "a whole number", bool: "yes or no (true or false)", NoneType: "nothing"}


def _read_union(inner: tuple[Any, ...], raw: Any, label: str, problems: list[str]) -> Any:
    if raw is None and NoneType in inner:
        return None
    tried: list[str] = []
    for one in inner:
        if one is NoneType:
            continue
        found: list[str] = []
        value = _read_type(one, raw, label, found)
        if not found:
            return value
        tried = found
    problems.extend(tried)
    return None


def _read_list(inner: Any, raw: Any, label: str, problems: list[str]) -> Any:
    if not isinstance(raw, (list, tuple)):
        problems.append(f"{label} must be a list")
        return None
    if len(raw) > LONGEST_LIST:
        problems.append(f"{label} has {len(raw)} entries; at most {LONGEST_LIST} are taken")
        return None
    return tuple(_read_type(inner, one, f"{label}[{place}]", problems) for place, one in enumerate(raw))


def _read_mapping(inner: Any, raw: Any, label: str, problems: list[str]) -> Any:
    if not isinstance(raw, Mapping) or len(raw) > LONGEST_LIST or not all(_is_key(key) for key in raw):
        problems.append(f"{label} must be an object with at most {LONGEST_LIST} values, each under a short name")
        return None
    return {key: _read_type(inner, one, f"{label}.{key}", problems) for key, one in raw.items()}


def _is_key(key: Any) -> bool:
    return isinstance(key, str) and 0 < len(key) <= LONGEST_KEY and not any(_is_strange(sign) for sign in key)


def _read_text(raw: Any, label: str, problems: list[str]) -> str | None:
    if not isinstance(raw, str):
        problems.append(f"{label} must be text, not {_shown(raw)}")
        return None
    if raw.isascii() and raw.isprintable():
        return raw
    if any(_is_strange(sign) for sign in raw):
        problems.append(f"{label} holds signs that can't be shown (control signs or stray halves of a pair)")
        return None
    return unicodedata.normalize("NFC", raw)


def _is_strange(sign: str) -> bool:
    """Control, format and surrogate signs; line breaks and tabs are text, joiners belong to emoji and scripts."""
    return unicodedata.category(sign) in ("Cc", "Cs", "Cf", "Co") and sign not in "\n\t\u200c\u200d"


def _one_of(raw: Any, choices: tuple[Any, ...], label: str, problems: list[str]) -> Any:
    if raw in choices and type(raw) in {type(choice) for choice in choices}:
        return raw
    problems.append(f"{label} must be one of {', '.join(map(str, choices))}, not {_shown(raw)}")
    return None


def _beyond_limits(marks: tuple[Any, ...], value: Any) -> Iterator[str]:
    for mark in marks:
        match mark:
            case Ge(ge=least) if value < least:
                yield f"must be at least {least}, not {value}"
            case Le(le=most) if value > most:
                yield f"must be at most {most}, not {value}"
            case MinLen(min_length=least) if len(value) < least:
                yield "must not be empty" if least == 1 else f"must have at least {least} signs"
            case MaxLen(max_length=most) if len(value) > most:
                yield f"must have at most {most} signs, not {len(value)}"
            case _:
                pass


def _shown(raw: Any) -> str:
    text = ascii(raw) if not isinstance(raw, int) or raw.bit_length() <= LARGEST_BITS else "a very large number"
    return text if len(text) <= 40 else f"{text[:37]}..."
