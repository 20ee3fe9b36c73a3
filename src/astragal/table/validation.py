"""Plain values held against a definition: everything that is wrong is said at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen

from .fields import LONGEST_LIST, Field, fields_of, unwrapped
from .refusals import BadFields

T = TypeVar("T")

LONGEST_KEY = 60
LARGEST_BITS = 63
JOINERS = ("\u200c", "\u200d")


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
    known = _readers(kind)
    problems.extend(f"there is no field {_shown(name)}" for name in raw if name not in known)
    values: dict[str, Any] = {}
    for name, (field, reads) in known.items():
        if name in raw:
            values[name] = reads(raw[name], f"{where}.{name}" if where else name, problems)
        elif field.required:
            problems.append(f"{where}.{name} is missing" if where else f"{name} is missing")
        else:
            values[name] = field.default
    if problems:
        return None
    try:
        return kind(**values)
    except ValueError as fault:
        problems.append(str(fault))
        return None


# ---------------------------------------------------------------- how a type is read, found once for each


_Reader = Callable[[Any, str, list[str]], Any]
"""Reads a plain value: given also its label, and where to say what is wrong with it."""


@cache
def _readers(kind: type) -> Mapping[str, tuple[Field, _Reader]]:
    return {field.name: (field, _limited(_reader(field.type), field.marks)) for field in fields_of(kind)}


def _limited(reads: _Reader, marks: tuple[Any, ...]) -> _Reader:
    limits = tuple(mark for mark in marks if isinstance(mark, (Ge, Le, MinLen, MaxLen)))
    return partial(_read_within, reads, limits) if limits else reads


def _read_within(reads: _Reader, limits: tuple[Any, ...], raw: Any, label: str, problems: list[str]) -> Any:
    before = len(problems)
    value = reads(raw, label, problems)
    if len(problems) == before and value is not None:
        problems.extend(f"{label} {fault}" for mark in limits if (fault := _beyond(mark, value)))
    return value


@cache
def _reader(hint: Any) -> _Reader:
    if hint is Any:
        return _read_anything
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        bare, marks = unwrapped(hint)
        return _limited(_reader(bare), marks)
    if origin in (Union, UnionType):
        return partial(_read_union, tuple(_reader(one) for one in inner if one is not NoneType), NoneType in inner)
    if origin is tuple:
        return partial(_read_list, _reader(inner[0]))
    if origin is Literal:
        return partial(_read_choice, inner)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return partial(_read_mapping, _reader(inner[1]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return partial(_read_enum, hint)
    if is_dataclass(hint):
        return partial(_read_dataclass, hint)  # type: ignore[arg-type]
    return _read_text if hint is str else partial(_read_single, hint)


# ---------------------------------------------------------------- reading


def _read_anything(raw: Any, _label: str, _problems: list[str]) -> Any:
    return raw


def _read_enum(kind: type[Enum], raw: Any, label: str, problems: list[str]) -> Any:
    if isinstance(raw, kind):
        return raw
    value = _read_choice(tuple(member.value for member in kind), raw, label, problems)
    return None if value is None else kind(value)


def _read_single(kind: Any, raw: Any, label: str, problems: list[str]) -> Any:
    if type(raw) is not kind:
        problems.append(f"{label} must be {_KINDS[kind]}, not {_shown(raw)}")
        return None
    if kind is int and raw.bit_length() > LARGEST_BITS:
        problems.append(f"{label} is too large a number")
        return None
    return raw


_KINDS = {int: "a whole number", bool: "yes or no (true or false)", NoneType: "nothing"}


def _read_union(ways: tuple[_Reader, ...], may_be_none: bool, raw: Any, label: str, problems: list[str]) -> Any:
    if raw is None and may_be_none:
        return None
    tried: list[str] = []
    for reads in ways:
        found: list[str] = []
        value = reads(raw, label, found)
        if not found:
            return value
        tried = found
    problems.extend(tried)
    return None


def _read_list(reads: _Reader, raw: Any, label: str, problems: list[str]) -> Any:
    if not isinstance(raw, (list, tuple)):
        problems.append(f"{label} must be a list")
        return None
    if len(raw) > LONGEST_LIST:
        problems.append(f"{label} has {len(raw)} entries; at most {LONGEST_LIST} are taken")
        return None
    return tuple(reads(one, f"{label}[{place}]", problems) for place, one in enumerate(raw))


def _read_mapping(reads: _Reader, raw: Any, label: str, problems: list[str]) -> Any:
    if not isinstance(raw, Mapping) or len(raw) > LONGEST_LIST or not all(_is_key(key) for key in raw):
        problems.append(f"{label} must be an object with at most {LONGEST_LIST} values, each under a short name")
        return None
    return {key: reads(one, f"{label}.{key}", problems) for key, one in raw.items()}


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
    return unicodedata.category(sign) in ("Cc", "Cs", "Cf", "Co") and sign not in ("\n", "\t", *JOINERS)


def _read_choice(choices: tuple[Any, ...], raw: Any, label: str, problems: list[str]) -> Any:
    if raw in choices and type(raw) in {type(choice) for choice in choices}:
        return raw
    problems.append(f"{label} must be one of {', '.join(map(str, choices))}, not {_shown(raw)}")
    return None


def _beyond(limit: Any, value: Any) -> str | None:
    match limit:
        case Ge(ge=least) if value < least:
            return f"must be at least {least}, not {value}"
        case Le(le=most) if value > most:
            return f"must be at most {most}, not {value}"
        case MinLen(min_length=least) if _size(value) < least:
            return "must not be empty" if least == 1 else f"must have at least {least} signs"
        case MaxLen(max_length=most) if len(value) > most:
            return f"must have at most {most} signs, not {len(value)}"
        case _:
            return None


def _size(value: Any) -> int:
    """How many signs or entries there are; a text of blanks alone is as good as empty."""
    is_blank = isinstance(value, str) and all(sign.isspace() or sign in JOINERS for sign in value)
    return 0 if is_blank else len(value)


def _shown(raw: Any) -> str:
    text = ascii(raw) if not isinstance(raw, int) or raw.bit_length() <= LARGEST_BITS else "a very large number"
    return text if len(text) <= 40 else f"{text[:37]}..."
