"""Fields of a game's commands: parse them from typed words, and explain them in help.

Nothing is validated here: text that can't be read as its field's type stays text, and the table refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.terminal import WIDTH
from astragal.surfaces.shared.words import kind_words, limits, value_words
from astragal.table.fields import definitions, lookup, shapes, validation
from astragal.table.visibility import redact

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView

INNER = "fields"
"""The field that holds the fields of another command."""
FIELD = re.compile(r"(?:--)?(?P<name>[A-Za-z][\w-]*)=(?P<value>.*)", re.DOTALL)


def fields_from(kind: type, words: Sequence[str]) -> dict[str, Any]:
    """Parse words into fields. A single word may be a JSON object with all of them."""
    fields, rest = fields_and_rest(kind, words)
    if rest:  # suggest required fields that are still missing, else any
        known = definitions.fields_of(kind)
        open_ones = [one for one in known if one.name not in fields] or known
        needed = [one for one in open_ones if one.required] or open_ones
        ways = " or ".join(f"{_option(one.name)} {rest[0]}" for one in needed[:3]) or "nothing: it has no fields"
        raise BadCall(f"Which field is {rest[0]!r} for? Write {ways}.")
    return fields


def fields_and_rest(kind: type, words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Parse the words that name fields. Return the fields, and the words that name none."""
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        return json_object(words[0], "The fields of a command are a JSON object."), []
    known = {field.name: field for field in definitions.fields_of(kind)}
    texts: dict[str, list[str]] = {}
    left, rest = list(words), list[str]()
    while left:
        word = left.pop(0)
        if (match := FIELD.fullmatch(word)) and _is_inner(known, match["name"]):
            field, text = known[INNER], word.removeprefix("--")
        elif match:
            field, text = field_named(known, match["name"]), match["value"]
        elif word.startswith("--"):
            field = field_named(known, word[2:])
            alone = not left or left[0].startswith("--") or FIELD.fullmatch(left[0])
            if field.type is not bool and not left:
                raise BadCall(f"{word} needs a value.")
            text = "yes" if field.type is bool and alone else left.pop(0)
        else:
            rest.append(word)
            continue
        texts.setdefault(field.name, []).append(text)
    return {name: value_of(known[name], said) for name, said in texts.items()}, rest


def field_named(known: Mapping[str, definitions.Field], said: str) -> definitions.Field:
    """Find a field by its name, or by a beginning that only one field has."""
    name = said.replace("-", "_").casefold()
    fitting = lookup.beginning(known, name)
    if len(fitting) > 1:
        raise BadCall(f"--{said} could be {' or '.join(_option(one) for one in fitting)}.")
    if not fitting:
        listed = ", ".join(map(_option, known)) or "none"
        raise BadCall(f"There is no field --{said}; the fields are {listed}.")
    return known[fitting[0]]


def _is_inner(known: Mapping[str, definitions.Field], said: str) -> bool:
    """Return whether this is a field of the command that is asked for, as in `request_roll … skill=climbing`."""
    name = said.replace("-", "_").casefold()
    return INNER in known and not any(one.startswith(name) for one in known)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def json_object(text: str, expected: str) -> dict[str, Any]:
    """Parse a JSON object. `expected` is the error message for any other value."""

    try:
        found = validation.read_json(text)
    except (ValueError, RecursionError) as fault:
        raise BadCall(f"That is not JSON: {fault}.") from fault
    if not isinstance(found, dict):
        raise BadCall(expected)
    return found


# ---------------------------------------------------------------- values


YES = frozenset({"yes", "y", "true", "on", "1"})
NO = frozenset({"no", "n", "false", "off", "0"})
NOTHING = frozenset({"none", "nothing", "nobody", "null", "-"})
NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


def value_of(field: definitions.Field, texts: Sequence[str]) -> Any:
    """Parse the texts typed for a field. For a list, each text is an entry, or several separated by commas."""
    match shapes.said(field.shape):
        case shapes.ListShape(item=item):
            return [value for text in texts for value in _entries(item, text)]
        case shapes.MappingShape(item=item):
            return _joined_pairs(item, texts)
        case _:
            return read_value(field.shape, texts[-1])


def read_value(shape: shapes.Shape, text: str) -> Any:
    """Parse one text as a value of this shape. A text that doesn't fit is returned as it is."""
    match shape:
        case shapes.AnyShape():
            return _json_or_text(text)
        case shapes.EitherShape(shapes=several):
            if shape.optional and text.casefold() in NOTHING:
                return None
            is_several = "," in text or text.lstrip().startswith("[")
            fitting = [
                one for one in several if is_several or len(several) == 1 or not isinstance(one, shapes.ListShape)
            ]
            found = (
                read_value(one, text) for one in sorted(fitting, key=lambda one: isinstance(one, shapes.TextShape))
            )
            return next((value for value in found if value != text), text)
        case shapes.ChoiceShape(values=values):
            return choice(values, text)
        case shapes.ListShape(item=item):
            return _entries(item, text)
        case shapes.MappingShape(item=item):
            return _joined_pairs(item, [text])
        case shapes.RecordShape(kind=kind):
            return _parts(kind, text)
        case shapes.NumberShape() if NUMBER.fullmatch(text.replace("−", "-")):
            return int(text.replace("−", "-"))
        case shapes.FlagShape() if text.casefold() in YES | NO:
            return text.casefold() in YES
        case _:
            return text


def choice(choices: Sequence[Any], text: str) -> Any:
    """Find a choice by its name, or by a beginning that only one has. Spaces, hyphens and underscores are equal."""
    named = {lookup.normalised(str(one)): one for one in choices}
    fitting = lookup.beginning(named, lookup.normalised(text))
    return named[fitting[0]] if len(fitting) == 1 else text


def _entries(item: shapes.Shape, text: str) -> list[Any]:
    if text.casefold() in NOTHING:
        return []
    if text.lstrip().startswith("[") and isinstance(found := _json_or_text(text), list):
        return found
    if isinstance(item, shapes.RecordShape):
        return [read_value(item, text)]
    return [read_value(item, part.strip()) for part in text.split(",") if part.strip()]


def _joined_pairs(item: shapes.Shape, texts: Sequence[str]) -> Any:
    joined: dict[str, Any] = {}
    for text in texts:
        pairs = _object(text)
        if pairs is None:
            return text
        joined |= {key: read_value(item, value) if isinstance(value, str) else value for key, value in pairs.items()}
    return joined


def _parts(kind: type, text: str) -> Any:
    """Parse a record: `name=Axe,edge=1`, or one word for its first field."""
    first, known = definitions.fields_of(kind)[0], {field.name: field for field in definitions.fields_of(kind)}
    head, *rest = text.split(",") if not text.lstrip().startswith("{") else (text,)
    pairs = _object(text if "=" in head or text.lstrip().startswith("{") else ",".join([f"{first.name}={head}", *rest]))
    if pairs is None:
        return text
    return {
        name: read_value(known[name].shape, value) if name in known and isinstance(value, str) else value
        for name, value in pairs.items()
    }


def _object(text: str) -> dict[str, Any] | None:
    """Parse `key=value,key=value`, or JSON."""
    if text.lstrip().startswith("{"):
        found = _json_or_text(text)
        return found if isinstance(found, dict) else None
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if not all(sign for _, sign, _ in pairs):
        return None
    return {key.strip(): value.strip() for key, _, value in pairs}


def _json_or_text(text: str) -> Any:
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def is_list(field: definitions.Field) -> bool:
    """Return whether the field is a list."""
    return isinstance(field.shape, shapes.ListShape)


def typed(name: str, labels: Sequence[str]) -> str:
    """Format what to type for a field that names one of several things: “who=Ann, or Bo, Cy”."""
    first, *others = (f'"{one}"' if " " in one else one for one in labels[: lookup.MOST_LISTED])
    listed = ", ".join(others) + (" …" if len(labels) > lookup.MOST_LISTED else "")
    return f"{name}={first}, or {listed}" if others else f"{name}={first}"


# ---------------------------------------------------------------- help


INDENT = 4
MOST_NAMED = 40


def command_help(
    usage: str, words: str, given: Sequence[definitions.Field], width: int = WIDTH, view: SeatView | None = None
) -> Iterator[str]:
    """Format a help page: what a command does, and each field with its meaning, choices, limits and default, and what
    it can name at this table.
    """
    yield f"Usage: {usage}"
    yield ""
    yield "\n".join(fill(part, width) for part in words.strip().splitlines())
    for title, needed in (("Needed", True), ("Optional", False)):
        if some := [one for one in given if one.required is needed]:
            yield ""
            yield f"{title}:"
            yield from (line for field in some for line in field_help(field, width, view))


def field_help(field: definitions.Field, width: int = WIDTH, view: SeatView | None = None) -> Iterator[str]:
    yield f"  --{field.name.replace('_', '-')} {kind_words(field.shape, field.names)}".rstrip()
    kind = field.names or field.suggests
    here = ", ".join(list((view.things(kind) or {}).values())[:MOST_NAMED]) if view and kind else ""
    parts = (field.doc, limits(field), default_words(field), f"here: {here}" if here else "")
    remarks = "; ".join(part for part in parts if part)
    if remarks:
        yield fill(remarks, width, initial_indent=" " * INDENT, subsequent_indent=" " * INDENT)


def default_words(field: definitions.Field) -> str:
    if field.required or field.default in (None, "", False, (), {}):
        return ""
    return f"default: {value_words(redact.plain(field.default))}"
