"""Verdicts in words: what a rule comes to, part by part."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from astragal.chance.odds import Odds
from astragal.chance.pictures import words
from astragal.values import field_names


def verdict_words(verdict: Any) -> str:
    """A value with named parts, part by part; what is nothing is not said. Of several values, each."""
    parts = own_parts(verdict)
    if parts is None:
        return ", ".join(map(verdict_words, verdict)) if isinstance(verdict, tuple) else words(verdict)
    said = [_part_words(name, value) for name, value in parts.items() if value is not None]
    return ", ".join(said) or "nothing"


def own_parts(verdict: Any) -> Mapping[str, Any] | None:
    if isinstance(verdict, type):
        return None
    if names := field_names(type(verdict)):
        return {name: getattr(verdict, name) for name in names}
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
