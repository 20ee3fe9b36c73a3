"""Commands and their fields in words, from their own definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields as parts_of
from dataclasses import is_dataclass
from enum import Enum
from textwrap import fill
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le

from astragal.table.declarations import kind_of_command
from astragal.table.fields import Field, fields_of, unwrapped
from astragal.table.seats import Role
from astragal.table.seen import plain

if TYPE_CHECKING:
    from astragal.table.book import Book

WIDTH = 80
INDENT = 4


def first_sentence(kind: Any) -> str:
    """What a command or a rule is for, in a sentence."""
    return (kind.__doc__ or "").strip().splitlines()[0] if kind.__doc__ else ""


def commands_for(book: Book, role: Role) -> dict[str, type]:
    """What a role may ask for: the game's own commands first, then those that every table has."""
    own = [action.command for chapter in book.ruleset.chapters for action in chapter.actions]
    ordered = {kind_of_command(kind).name: kind for kind in (*own, *book.commands.values())}
    return {name: kind for name, kind in ordered.items() if role in kind_of_command(kind).may}


def list_of(named: Mapping[str, str], width: int = WIDTH) -> Iterator[str]:
    """Names with what they are for, in two columns."""
    room = min(max(map(len, named), default=0), 24) + 4
    for name, words in named.items():
        beside = fill(words, width, initial_indent=" " * room, subsequent_indent=" " * room)
        start = f"  {name}"
        yield start + beside[len(start) :] if len(start) + 1 < room else f"{start}\n{beside}"


def command_help(usage: str, words: str, given: Sequence[Field], width: int = WIDTH) -> Iterator[str]:
    """A page of help: what it does, and each field with its meaning, choices, limits and default."""
    yield f"Usage: {usage}"
    yield ""
    yield "\n".join(fill(part, width) for part in words.strip().splitlines())
    for title, some in (("Needed", [one for one in given if one.required]), ("Optional", _optional(given))):
        if some:
            yield ""
            yield f"{title}:"
            yield from (line for field in some for line in field_help(field, width))


def field_help(field: Field, width: int = WIDTH) -> Iterator[str]:
    yield f"  --{field.name.replace('_', '-')} {kind_words(field.type, field.names)}".rstrip()
    remarks = "; ".join(part for part in (field.doc, limits(field), default_words(field)) if part)
    if remarks:
        yield fill(remarks, width, initial_indent=" " * INDENT, subsequent_indent=" " * INDENT)


def kind_words(hint: Any, names: str | None = None) -> str:
    """What is to be typed, in short."""
    hint, _ = unwrapped(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if found := choices_of(hint):
        return "|".join(str(one) for one in found)
    if origin in (Union, UnionType):
        return "|".join(dict.fromkeys(kind_words(one, names) for one in inner if one is not NoneType))
    if origin is tuple:
        return f"{kind_words(inner[0], names)},…"
    if origin is not None:
        return f"KEY={kind_words(inner[1])},…"
    if is_dataclass(hint) and isinstance(hint, type):
        return _as_json(hint) if _holds_things(hint) else ",".join(f"{one.name}=…" for one in parts_of(hint))
    if names:
        return names.upper().replace(" ", "_")
    return {int: "NUMBER", str: "TEXT", bool: ""}.get(hint, "VALUE")


def _holds_things(kind: type) -> bool:
    """Has it a part that is a list of things of several parts? Commas can't say what belongs to which."""
    return any(_things(field.type) for field in fields_of(kind))


def _things(hint: Any) -> Any:
    """What a list of things is a list of."""
    hint, _ = unwrapped(hint)
    inner = unwrapped(get_args(hint)[0])[0] if get_origin(hint) is tuple else None
    return inner if is_dataclass(inner) else None


def _as_json(kind: type) -> str:
    """The form that JSON has for it, to be filled in: {"terms":[{"source":…,"dice":…}]}."""
    parts = (
        f'"{one.name}":{f"[{_as_json(inner)}]" if (inner := _things(one.type)) else "…"}' for one in fields_of(kind)
    )
    return f"{{{','.join(parts)}}}"


def choices_of(hint: Any) -> tuple[Any, ...]:
    """The few values of a kind that has few."""
    hint, _ = unwrapped(hint)
    if get_origin(hint) is Literal:
        return get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return tuple(member.value for member in hint)
    if get_origin(hint) in (Union, UnionType):
        return tuple(choice for one in get_args(hint) if one is not NoneType for choice in choices_of(one))
    return ()


def limits(field: Field) -> str:
    least, most = field.limit(Ge), field.limit(Le)
    if least is not None and most is not None:
        return f"{least} to {most}"
    if least is not None:
        return f"at least {least}"
    return f"at most {most}" if most is not None else ""


def default_words(field: Field) -> str:
    if field.required or field.default in (None, "", False, (), {}):
        return ""
    return f"unsaid: {value_words(plain(field.default))}"


def value_words(value: Any) -> str:
    """A plain value as one would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        said = [f"{key} {value_words(part)}" for key, part in value.items() if part not in (None, "", [], {}, 0, False)]
        return f"({', '.join(said)})" if said else "nothing"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(value_words, value))
    return "nothing" if value is None else str(value)


def _optional(given: Sequence[Field]) -> list[Field]:
    return [one for one in given if not one.required]
