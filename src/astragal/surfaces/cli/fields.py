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
    values, unused_words = fields_and_rest(kind, words)
    if unused_words:
        raise BadCall(f"Which field is {unused_words[0]!r} for? Write {_suggestions(kind, values, unused_words[0])}.")
    return values


def _suggestions(kind: type, values: Mapping[str, Any], word: str) -> str:
    """Suggest options for a word that names no field: required ones that are still missing, else any."""
    fields = definitions.fields_of(kind)
    open_fields = [field for field in fields if field.name not in values] or fields
    candidates = [field for field in open_fields if field.required] or open_fields
    options = [f"{_option(field.name)} {word}" for field in candidates[:3]]
    return " or ".join(options) or "nothing: it has no fields"


def fields_and_rest(kind: type, words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Parse the words that name fields. Return the fields, and the words that name none."""
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        return json_object(words[0], "The fields of a command are a JSON object."), []
    field_by_name = {field.name: field for field in definitions.fields_of(kind)}
    texts_by_name: dict[str, list[str]] = {}
    unread = list(words)
    unused_words: list[str] = []
    while unread:
        word = unread.pop(0)
        if (match := FIELD.fullmatch(word)) and _is_inner(field_by_name, match["name"]):
            field = field_by_name[INNER]
            text = word.removeprefix("--")
        elif match:
            field = field_named(field_by_name, match["name"])
            text = match["value"]
        elif word.startswith("--"):
            field = field_named(field_by_name, word[2:])
            text = _next_text(field, word, unread)
        else:
            unused_words.append(word)
            continue
        texts_by_name.setdefault(field.name, []).append(text)
    values = {name: value_of(field_by_name[name], texts) for name, texts in texts_by_name.items()}
    return values, unused_words


def _next_text(field: definitions.Field, option: str, unread: list[str]) -> str:
    """Take the value of `--field` from the words that follow it. A flag without a value is on."""
    if field.type is bool:
        is_alone = not unread or unread[0].startswith("--") or FIELD.fullmatch(unread[0])
        return "yes" if is_alone else unread.pop(0)
    if not unread:
        raise BadCall(f"{option} needs a value.")
    return unread.pop(0)


def field_named(field_by_name: Mapping[str, definitions.Field], text: str) -> definitions.Field:
    """Find a field by its name, or by a beginning that only one field has."""
    names = lookup.beginning(field_by_name, _name_from(text))
    if len(names) > 1:
        raise BadCall(f"--{text} could be {' or '.join(map(_option, names))}.")
    if not names:
        listed = ", ".join(map(_option, field_by_name)) or "none"
        raise BadCall(f"There is no field --{text}; the fields are {listed}.")
    return field_by_name[names[0]]


def _is_inner(field_by_name: Mapping[str, definitions.Field], text: str) -> bool:
    """Return whether this is a field of the command that is asked for, as in `request_roll … skill=climbing`."""
    beginning = _name_from(text)
    return INNER in field_by_name and not any(name.startswith(beginning) for name in field_by_name)


def _name_from(text: str) -> str:
    """Return a field's name as it is declared: `weapon_skill` for `Weapon-Skill`."""
    return text.replace("-", "_").casefold()


def _option(name: str) -> str:
    """Return a field's name as it is typed: `--weapon-skill` for `weapon_skill`."""
    return f"--{name.replace('_', '-')}"


def json_object(text: str, expected: str) -> dict[str, Any]:
    """Parse a JSON object. `expected` is the error message for any other value."""
    try:
        value = validation.read_json(text)
    except (ValueError, RecursionError) as fault:
        raise BadCall(f"That is not JSON: {fault}.") from fault
    if not isinstance(value, dict):
        raise BadCall(expected)
    return value


# ---------------------------------------------------------------- values


YES = frozenset({"yes", "y", "true", "on", "1"})
NO = frozenset({"no", "n", "false", "off", "0"})
NOTHING = frozenset({"none", "nothing", "nobody", "null", "-"})
NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


def value_of(field: definitions.Field, texts: Sequence[str]) -> Any:
    """Parse the texts typed for a field. For a list, each text is an entry, or several separated by commas."""
    match shapes.said(field.shape):
        case shapes.ListShape(item=item):
            entries: list[Any] = []
            for text in texts:
                entries += _entries(item, text)
            return entries
        case shapes.MappingShape(item=item):
            return _joined_pairs(item, texts)
        case _:
            return read_value(field.shape, texts[-1])


def read_value(shape: shapes.Shape, text: str) -> Any:
    """Parse one text as a value of this shape. A text that doesn't fit is returned as it is."""
    match shape:
        case shapes.AnyShape():
            return _json_or_text(text)
        case shapes.EitherShape():
            return _one_of_several(shape, text)
        case shapes.ChoiceShape(values=values):
            return choice(values, text)
        case shapes.ListShape(item=item):
            return _entries(item, text)
        case shapes.MappingShape(item=item):
            return _joined_pairs(item, [text])
        case shapes.RecordShape(kind=kind):
            return _record(kind, text)
        case shapes.NumberShape() if NUMBER.fullmatch(text.replace("−", "-")):
            return int(text.replace("−", "-"))
        case shapes.FlagShape() if text.casefold() in YES | NO:
            return text.casefold() in YES
        case _:
            return text


def _one_of_several(shape: shapes.EitherShape, text: str) -> Any:
    """Parse a text as the first of several shapes that it fits. Text comes last, since everything fits it."""
    if shape.optional and text.casefold() in NOTHING:
        return None
    candidates = list(shape.shapes)
    could_be_list = "," in text or text.lstrip().startswith("[")
    if len(candidates) > 1 and not could_be_list:
        candidates = [candidate for candidate in candidates if not isinstance(candidate, shapes.ListShape)]
    candidates.sort(key=lambda candidate: isinstance(candidate, shapes.TextShape))
    for candidate in candidates:
        value = read_value(candidate, text)
        if value != text:
            return value
    return text


def choice(choices: Sequence[Any], text: str) -> Any:
    """Find a choice by its name, or by a beginning that only one has. Spaces, hyphens and underscores are equal."""
    choice_by_name = {lookup.normalised(str(value)): value for value in choices}
    names = lookup.beginning(choice_by_name, lookup.normalised(text))
    return choice_by_name[names[0]] if len(names) == 1 else text


def _entries(item: shapes.Shape, text: str) -> list[Any]:
    """Parse the entries of a list: JSON, several separated by commas, or one record."""
    if text.casefold() in NOTHING:
        return []
    if text.lstrip().startswith("["):
        entries = _json_or_text(text)
        if isinstance(entries, list):
            return entries
    if isinstance(item, shapes.RecordShape):
        return [read_value(item, text)]
    parts = [part.strip() for part in text.split(",")]
    return [read_value(item, part) for part in parts if part]


def _joined_pairs(item: shapes.Shape, texts: Sequence[str]) -> Any:
    """Parse a mapping from several texts of pairs. A text that has no pairs is returned as it is."""
    joined_values: dict[str, Any] = {}
    for text in texts:
        pairs = _pairs(text)
        if pairs is None:
            return text
        for key, value in pairs.items():
            joined_values[key] = read_value(item, value) if isinstance(value, str) else value
    return joined_values


def _record(kind: type, text: str) -> Any:
    """Parse a record: `name=Axe,edge=1`, or one word for its first field."""
    fields = definitions.fields_of(kind)
    shape_by_name = {field.name: field.shape for field in fields}
    is_json = text.lstrip().startswith("{")
    first_part = text.partition(",")[0]
    pairs = _pairs(text if is_json or "=" in first_part else f"{fields[0].name}={text}")
    if pairs is None:
        return text
    values: dict[str, Any] = {}
    for name, value in pairs.items():
        is_readable = name in shape_by_name and isinstance(value, str)
        values[name] = read_value(shape_by_name[name], value) if is_readable else value
    return values


def _pairs(text: str) -> dict[str, Any] | None:
    """Parse `key=value,key=value`, or JSON; None if it is neither."""
    if text.lstrip().startswith("{"):
        value = _json_or_text(text)
        return value if isinstance(value, dict) else None
    pairs: dict[str, Any] = {}
    for part in text.split(","):
        if not part.strip():
            continue
        key, equals, value = part.partition("=")
        if not equals:
            return None
        pairs[key.strip()] = value.strip()
    return pairs


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
    first, *alternatives = (f'"{label}"' if " " in label else label for label in labels[: lookup.MOST_LISTED])
    if not alternatives:
        return f"{name}={first}"
    listed = ", ".join(alternatives)
    if len(labels) > lookup.MOST_LISTED:
        listed += " …"
    return f"{name}={first}, or {listed}"


# ---------------------------------------------------------------- help


INDENT = 4
MOST_NAMED = 40


def command_help(
    usage: str, words: str, fields: Sequence[definitions.Field], width: int = WIDTH, view: SeatView | None = None
) -> Iterator[str]:
    """Format a help page: what a command does, and each field with its meaning, choices, limits and default, and what
    it can name at this table.
    """
    yield f"Usage: {usage}"
    yield ""
    yield "\n".join(fill(part, width) for part in words.strip().splitlines())
    yield from _help_section("Needed", [field for field in fields if field.required], width, view)
    yield from _help_section("Optional", [field for field in fields if not field.required], width, view)


def _help_section(title: str, fields: Sequence[definitions.Field], width: int, view: SeatView | None) -> Iterator[str]:
    """Format the help on some fields under a title; nothing if there are none."""
    if fields:
        yield ""
        yield f"{title}:"
        for field in fields:
            yield from field_help(field, width, view)


def field_help(field: definitions.Field, width: int = WIDTH, view: SeatView | None = None) -> Iterator[str]:
    """Format the help on a field: its name and kind, and its remarks below."""
    yield f"  {_option(field.name)} {kind_words(field.shape, field.names)}".rstrip()
    remarks = [field.doc, limits(field), default_words(field), _things_here(field, view)]
    text = "; ".join(remark for remark in remarks if remark)
    if text:
        indent = " " * INDENT
        yield fill(text, width, initial_indent=indent, subsequent_indent=indent)


def _things_here(field: definitions.Field, view: SeatView | None) -> str:
    """List what the field can name at this table."""
    kind = field.names or field.suggests
    if not view or not kind:
        return ""
    labels = list((view.things(kind) or {}).values())
    return f"here: {', '.join(labels[:MOST_NAMED])}" if labels else ""


def default_words(field: definitions.Field) -> str:
    """Describe a field's default; "" if it is required or empty by default."""
    if field.required or field.default in (None, "", False, (), {}):
        return ""
    return f"default: {value_words(redact.plain(field.default))}"
