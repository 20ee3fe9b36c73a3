"""The part of a verdict that is counted: which fields and properties there are, and which of them tells the outcome."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Any

from astragal.chance.pictures import own_parts
from astragal.table.fields import definitions
from astragal.table.refusals import Refusal

SUCCESSES = ("success", "wins", "hit")
"""Parts of a verdict to aim for if no goal is given."""
COUNTABLE = (bool, int, str, Enum, NoneType)
WHOLE = "all"
"""Name that stands for every part of a verdict."""


class BadQuestion(Refusal):
    """A rule can't be asked this way. The sentence says how it can."""

    code = "bad_question"


def default_part(verdicts: Mapping[Any, int]) -> str | None:
    """Choose the part to draw if none is named.

    It is the success, else the outcome, else the success of a part, else the last number.
    """
    name = success_part(verdicts, None) or part(verdicts, None)[0]
    if name:
        return name
    for inner_name in inner_parts(verdicts):
        if inner_name.rpartition(".")[2] in SUCCESSES:
            return inner_name
    for last_name, values in reversed(countable(verdicts).items()):
        if len(set(values)) > 1 and all(_is_number(value) for value in values):
            return last_name
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def success_part(verdicts: Iterable[Any], preferred: str | None, *fallbacks: str | None) -> str | None:
    """Find the yes-or-no of a verdict that tells success.

    The preferred name goes before the usual ones, the others after them.
    """
    flags = set()
    for name, values in countable(verdicts).items():
        if all(isinstance(value, bool) for value in values):
            flags.add(name)
    names = (preferred, *SUCCESSES, *fallbacks)
    return next((name for name in names if name in flags), None)


def countable(verdicts: Iterable[Any]) -> dict[str, list[Any]]:
    """Collect the parts of verdicts, fields and properties, whose values are numbers or words, with these values."""
    values_by_part: dict[str, list[Any]] = {}
    for verdict in verdicts:
        fields = own_parts(verdict)
        if fields is None:
            continue
        for name in dict.fromkeys((*fields, *_properties(type(verdict)))):
            value = getattr(verdict, name)
            if isinstance(value, COUNTABLE):
                values_by_part.setdefault(name, []).append(value)
    return values_by_part


def inner_parts(verdicts: Iterable[Any]) -> dict[str, list[Any]]:
    """Collect the parts, such as `roll.success`, of those parts that every verdict has and that have parts."""
    verdicts = list(verdicts)
    values_by_path: dict[str, list[Any]] = {}
    for name in own_parts(verdicts[0]) or {}:
        if not all(own_parts(getattr(verdict, name, None)) for verdict in verdicts):
            continue
        for inner_name, values in countable(getattr(verdict, name) for verdict in verdicts).items():
            values_by_path[f"{name}.{inner_name}"] = values
    return values_by_path


def part(verdicts: Iterable[Any], wanted_part: str | None) -> tuple[str | None, Callable[[Any], Any]]:
    """Find the part to count: the wanted one, else the one word or yes-or-no that tells the outcome.

    Returns its name, and a function that reads it.
    """
    verdicts = list(verdicts)
    parts = countable(verdicts)
    if wanted_part == WHOLE or not parts:
        return None, _whole_verdict
    if wanted_part is not None:
        name = wanted_part.replace("-", "_")
        if "." in name:
            parts |= inner_parts(verdicts)
        if name not in parts:
            listed = ", ".join(parts)
            raise BadQuestion(f"A verdict of this rule has no part {wanted_part!r}; it has {listed}, or {WHOLE}.")
        return name, attrgetter(name)
    calculated = {name for verdict in verdicts for name in _properties(type(verdict))}
    varying_parts = {name: values for name, values in parts.items() if len(set(values)) > 1}
    outcome = _outcome_part(varying_parts, calculated) or _outcome_part(parts, calculated)
    if outcome is None:
        return None, _whole_verdict
    return outcome, attrgetter(outcome)


def _whole_verdict(verdict: Any) -> Any:
    return verdict


def _outcome_part(parts: Mapping[str, list[Any]], calculated: set[str]) -> str | None:
    """Find the only word among the parts; of several, the last calculated one; else the only yes-or-no."""
    word_parts = [name for name, values in parts.items() if all(isinstance(value, Enum) for value in values)]
    if len(word_parts) == 1:
        return word_parts[0]
    calculated_words = [name for name in word_parts if name in calculated]
    if calculated_words:
        return calculated_words[-1]
    flags = [name for name, values in parts.items() if all(isinstance(value, bool) for value in values)]
    return flags[0] if len(flags) == 1 else None


@definitions.once_for_each_type
def _properties(kind: type) -> list[str]:
    names = []
    for base in reversed(kind.__mro__):
        names += [name for name, attribute in vars(base).items() if isinstance(attribute, property)]
    return names
