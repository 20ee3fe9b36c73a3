"""The one part of a verdict that is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Any

from astragal.chance.verdicts import own_parts
from astragal.table.fields.definitions import once_for_each_type
from astragal.table.refusals import Refusal

COUNTABLE = (bool, int, str, Enum, NoneType)
WHOLE = "all"
"""What is asked for to see every part of a verdict."""


class BadQuestion(Refusal):
    """A rule can't be asked so; the sentence says how it can."""

    code = "bad_question"


def countable(verdicts: Iterable[Any]) -> dict[str, list[Any]]:
    """Every part that a verdict's kind has, fields and properties, with its values: those that are numbers or words."""
    found: dict[str, list[Any]] = {}
    for verdict in verdicts:
        for name in _names(verdict):
            value = getattr(verdict, name)
            if isinstance(value, COUNTABLE):
                found.setdefault(name, []).append(value)
    return found


def inner_parts(verdicts: Iterable[Any]) -> dict[str, list[Any]]:
    """The parts of those parts that every verdict has and that have parts themselves: `roll.success`."""
    known = list(verdicts)
    own = [name for name in own_parts(known[0]) or {} if all(own_parts(getattr(it, name, None)) for it in known)]
    inner = {name: countable(getattr(it, name) for it in known) for name in own}
    return {f"{name}.{part}": values for name, parts in inner.items() for part, values in parts.items()}


def _names(verdict: Any) -> dict[str, None]:
    own = own_parts(verdict)
    return {} if own is None else dict.fromkeys((*own, *_properties(type(verdict))))


def part(verdicts: Iterable[Any], wanted: str | None) -> tuple[str | None, Callable[[Any], Any]]:
    """Which part is counted: the one that is wanted; else the one word or yes-or-no that says how it went."""
    known = list(verdicts)
    parts = countable(known)
    if wanted == WHOLE or not parts:
        return None, lambda verdict: verdict
    if wanted is not None:
        name = wanted.replace("-", "_")
        parts |= inner_parts(known) if "." in name else {}
        if name not in parts:
            raise BadQuestion(f"A verdict of this rule has no part {wanted!r}; it has {', '.join(parts)}, or {WHOLE}.")
        return name, attrgetter(name)
    worked_out = {name for verdict in known for name in _properties(type(verdict))}
    changing = {name: values for name, values in parts.items() if len(set(values)) > 1}
    telling = _telling(changing, worked_out) or _telling(parts, worked_out)
    return (telling, attrgetter(telling)) if telling else (None, lambda verdict: verdict)


def _telling(parts: Mapping[str, list[Any]], worked_out: set[str]) -> str | None:
    """The only word among the parts; of several, the last that is worked out from the others; else the only
    yes-or-no.
    """
    words, answers = (
        [name for name, values in parts.items() if all(isinstance(value, kind) for value in values)]
        for kind in (Enum, bool)
    )
    concluded = [name for name in words if name in worked_out]
    if len(words) == 1 or concluded:
        return (concluded or words)[-1]
    return answers[0] if len(answers) == 1 else None


@once_for_each_type
def _properties(kind: type) -> list[str]:
    return [name for base in reversed(kind.__mro__) for name, one in vars(base).items() if isinstance(one, property)]
