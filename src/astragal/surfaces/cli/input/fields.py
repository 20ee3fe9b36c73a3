"""Fields of a game's command from words: `--field value`, `--field=value` and `field=value`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.input.values import value_of
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.validation import read_json

INNER = "fields"
"""The field that holds those of another command."""
FIELD = re.compile(r"(?:--)?(?P<name>[A-Za-z][\w-]*)=(?P<value>.*)", re.DOTALL)


def fields_from(kind: type, words: Sequence[str]) -> dict[str, Any]:
    """The fields that the words name. A single word that is a JSON object holds them all."""
    fields, rest = fields_and_rest(kind, words)
    if rest:
        known = {field.name: field for field in fields_of(kind)}
        raise BadCall(f"Which field is {rest[0]!r} for? Write {_ways_to_say(known, fields, rest[0])}.")
    return fields


def fields_and_rest(kind: type, words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """The fields that the words name, and the words that name none."""
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        return _from_json(words[0]), []
    known = {field.name: field for field in fields_of(kind)}
    texts, rest = _texts(known, list(words))
    return {name: value_of(known[name], said) for name, said in texts.items()}, rest


def field_named(known: Mapping[str, Field], said: str) -> Field:
    """The field of this name, or the one whose name begins so."""
    name = said.replace("-", "_").casefold()
    fitting = [name] if name in known else [one for one in known if name and one.startswith(name)]
    if len(fitting) > 1:
        raise BadCall(f"--{said} could be {' or '.join(_option(one) for one in fitting)}.")
    if not fitting:
        listed = ", ".join(map(_option, known)) or "none"
        raise BadCall(f"There is no field --{said}; the fields are {listed}.")
    return known[fitting[0]]


def _is_inner(known: Mapping[str, Field], said: str) -> bool:
    """Whether it is a field of another command, which is filled in for somebody: `request_roll … skill=climbing`."""
    name = said.replace("-", "_").casefold()
    return INNER in known and not any(one.startswith(name) for one in known)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _texts(known: Mapping[str, Field], words: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    texts: dict[str, list[str]] = {}
    rest: list[str] = []
    while words:
        word = words.pop(0)
        if (match := FIELD.fullmatch(word)) and _is_inner(known, match["name"]):
            field, text = known[INNER], word.removeprefix("--")
        elif match:
            field, text = field_named(known, match["name"]), match["value"]
        elif word.startswith("--"):
            field = field_named(known, word[2:])
            alone = not words or words[0].startswith("--") or FIELD.fullmatch(words[0])
            if field.type is not bool and not words:
                raise BadCall(f"{word} needs a value.")
            text = "yes" if field.type is bool and alone else words.pop(0)
        else:
            rest.append(word)
            continue
        texts.setdefault(field.name, []).append(text)
    return texts, rest


def _ways_to_say(known: Mapping[str, Field], said: Mapping[str, Any], word: str) -> str:
    """Suggestions: the required fields that are still missing; without those, any."""
    open_ones = [one for one in known.values() if one.name not in said] or list(known.values())
    needed = [one for one in open_ones if one.required] or open_ones
    return " or ".join(f"{_option(one.name)} {word}" for one in needed[:3]) or "nothing: it has no fields"


def _from_json(text: str) -> dict[str, Any]:
    try:
        found = read_json(text)
    except (ValueError, RecursionError) as fault:
        raise BadCall(f"That is not JSON: {fault}.") from fault
    if not isinstance(found, dict):
        raise BadCall("The fields of a command are a JSON object.")
    return found
