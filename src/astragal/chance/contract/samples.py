"""Sample questions of a rule, from what its parameters say of themselves."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from inspect import Parameter, get_annotations
from math import gcd, prod
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from astragal.chance.steps import Question, Rule
from astragal.values import field_names


def samples(rule: Rule[..., Any], most: int = 12) -> list[Question[Any]]:
    """Questions to try a rule with: the ends and the middle of its parameters' limits, in many combinations."""
    values = [values_of(rule, name) for name in rule.parameters]
    return [rule(*arguments) for arguments in _spread(values, most)]


def values_of(rule: Rule[..., Any], name: str) -> list[Any]:
    """Values worth trying for a parameter of a rule."""
    hints = get_annotations(rule.body, eval_str=True)
    return _values(f"{name!r} of {rule.name}", hints.get(name, Any), rule.parameters[name].default)


def _spread(values: list[list[Any]], most: int) -> list[tuple[Any, ...]]:
    """Combinations in which every value comes up while there is room, then others, evenly."""
    longest, size = max(map(len, values), default=1), prod(map(len, values))
    diagonal = [tuple(each[i % len(each)] for each in values) for i in range(longest)]
    stride = max(1, size // most)
    while gcd(stride, size) > 1:
        stride += 1
    others = []
    for i in range(min(most, size)):
        place, chosen = i * stride % size, []
        for each in values:
            place, digit = divmod(place, len(each))
            chosen.append(each[digit])
        others.append(tuple(chosen))
    return list(dict.fromkeys(diagonal + others))[:most]


def _values(what: str, hint: Any, default: Any = Parameter.empty) -> list[Any]:
    """Values worth trying for a parameter or a field. A default is one of them."""
    found = [] if default in (Parameter.empty, MISSING) else [default]
    try:
        found += _derived(what, hint)
    except TypeError:
        if not found:
            raise
    if not found:
        raise TypeError(f"{what} takes none of the values that were tried")
    return list(dict.fromkeys(found))


def _derived(what: str, hint: Any) -> list[Any]:
    hint, *limits = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    origin, parts = get_origin(hint), get_args(hint)
    if hint is int:
        return _whole_numbers(what, limits)
    if origin is Literal:
        return list(parts)
    if origin in (Union, UnionType):
        return [value for part in parts for value in _values(what, part)]
    if origin is tuple and parts[-1:] == (Ellipsis,):
        each = _values(what, parts[0])
        return [(), (each[0],), tuple(each), (each[-1], each[-1])]
    if origin is tuple:
        return list(_spread([_values(what, part) for part in parts], 5))
    if isinstance(hint, type) and field_names(hint):
        return _instances(what, hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return list(hint)
    few: dict[Any, list[Any]] = {bool: [False, True], None: [None], NoneType: [None]}
    if hint not in few:
        raise TypeError(f"no values to try can be derived for {what} from {hint}: {_REMEDY}")
    return few[hint]


_REMEDY = "annotate it with limits such as Ge(0) and Le(20), an enum or a Literal, or give it a default"


def _whole_numbers(what: str, limits: list[Any]) -> list[int]:
    """The ends, their neighbours and the middle. Limits are known by their attributes, whoever made them."""
    low = _limit(limits, ge=0, gt=1)
    high = _limit(limits, le=0, lt=-1)
    if low is None or high is None:
        raise TypeError(f"no values to try can be derived for {what}, which has no end: {_REMEDY}")
    return sorted({low, min(low + 1, high), (low + high) // 2, max(high - 1, low), high})


def _limit(limits: list[Any], **beside: int) -> int | None:
    said = ((getattr(limit, name, None), by) for limit in limits for name, by in beside.items())
    return next((number + by for number, by in said if number is not None), None)


def _instances(what: str, kind: type[Any]) -> list[Any]:
    """Values made of the fields that their maker takes; MISSING is the default of one that has none."""
    if is_dataclass(kind):
        defaults = {field.name: field.default for field in fields(kind) if field.init}
    else:
        from msgspec import NODEFAULT, structs

        defaults = {it.name: MISSING if it.default is NODEFAULT else it.default for it in structs.fields(kind)}
    hints = get_type_hints(kind, include_extras=True)
    values = [_values(f"the field {name!r} of {what}", hints[name], default) for name, default in defaults.items()]
    made = []
    for chosen in _spread(values, 8):
        with suppress(ValueError):  # a value may know better than its fields which of them go together
            made.append(kind(**dict(zip(defaults, chosen, strict=True))))
    return made
