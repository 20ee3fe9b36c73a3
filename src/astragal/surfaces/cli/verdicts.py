"""Verdicts in words: what a rule comes to, or the one part of it that is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import Any

from astragal.chance import Odds
from astragal.chance.pictures import words
from astragal.surfaces.cli.faults import BadCall

WHOLE = "all"
"""What is asked for to see every part of a verdict."""


def verdict_words(verdict: Any) -> str:
    """A value with named parts, part by part; what is nothing is not said."""
    parts = own_parts(verdict)
    if parts is None:
        return words(verdict)
    said = [_part_words(name, value) for name, value in parts.items() if value is not None]
    return ", ".join(said) or "nothing"


def own_parts(verdict: Any) -> Mapping[str, Any] | None:
    if is_dataclass(verdict) and not isinstance(verdict, type):
        return {one.name: getattr(verdict, one.name) for one in fields(verdict)}
    if isinstance(verdict, tuple) and hasattr(verdict, "_asdict"):
        found: Mapping[str, Any] = verdict._asdict()
        return found
    return None


def _part_words(name: str, value: Any) -> str:
    label = name.replace("_", " ")
    if isinstance(value, bool):
        return label if value else f"no {label}"
    if isinstance(value, Enum):
        return words(value)
    inner = verdict_words(value)
    return f"{label} ({inner})" if own_parts(value) is not None else f"{label} {inner}"


def in_words(odds: Odds[Any]) -> Odds[Any]:
    """The same odds, outcomes of several parts said in words, and in order where they have one."""
    if all(own_parts(outcome) is None for outcome in odds.weights):
        return odds
    ordered = sorted(odds.weights.items(), key=lambda pair: _order(pair[0]))
    return Odds(dict(ordered), odds.total).map(verdict_words)


def _order(verdict: Any) -> tuple[Any, ...]:
    """By the parts, one after the other: numbers by size, enums as they were defined."""
    parts = own_parts(verdict)
    if parts is not None:
        return tuple(key for value in parts.values() for key in _order(value))
    if isinstance(verdict, (bool, int)):
        return (0, int(verdict))
    if isinstance(verdict, Enum):
        return (1, list(type(verdict)).index(verdict))
    return (2, str(verdict))


# ---------------------------------------------------------------- one part


def countable(verdicts: Iterable[Any]) -> dict[str, list[Any]]:
    """Every part that a verdict's kind has, fields and properties, with its values: those that are numbers or words."""
    found: dict[str, list[Any]] = {}
    for verdict in verdicts:
        names = [*(own_parts(verdict) or {}), *_properties(type(verdict))]
        for name in dict.fromkeys(names):
            value = getattr(verdict, name)
            if isinstance(value, (bool, int, str, Enum, NoneType)):
                found.setdefault(name, []).append(value)
    return found


def part(verdicts: Iterable[Any], wanted: str | None) -> tuple[str | None, Callable[[Any], Any]]:
    """Which part is counted: the one that is wanted; else the one word or yes-or-no that says how it went."""
    parts = countable(verdicts)
    if wanted == WHOLE or not parts:
        return None, lambda verdict: verdict
    if wanted is not None:
        name = wanted.replace("-", "_")
        if name not in parts:
            raise BadCall(f"A verdict of this rule has no part {wanted!r}; it has {', '.join(parts)}, or {WHOLE}.")
        return name, lambda verdict: getattr(verdict, name)
    telling = _telling(parts)
    return (telling, lambda verdict: getattr(verdict, telling)) if telling else (None, lambda verdict: verdict)


def _telling(parts: Mapping[str, list[Any]]) -> str | None:
    """The only word among the parts, or the only yes-or-no."""
    for kind in (Enum, bool):
        fitting = [name for name, values in parts.items() if all(isinstance(value, kind) for value in values)]
        if len(fitting) == 1:
            return fitting[0]
    return None


def _properties(kind: type) -> list[str]:
    return [name for base in reversed(kind.__mro__) for name, one in vars(base).items() if isinstance(one, property)]
