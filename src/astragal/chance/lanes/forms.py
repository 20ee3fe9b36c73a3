"""Split values into a form and the numbers in it, and rebuild them.

Only numbers become lanes. Outcomes of one form (the same types, enums, bools and texts in the same places) differ only
in their numbers and go through a rule together; outcomes of another form go separately.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import MemberDescriptorType
from typing import Any, NamedTuple

import numpy as np

from astragal.fields import field_names

from .lane import Array, Bounds, Lane

SAFE = 2**62
ATOMS = frozenset({bool, float, int, str, type(None)})
"""The most common types, known to contain nothing."""


class _Fixed(NamedTuple):
    """A value, or a part of one, that is the same for all lanes."""

    kind: type
    value: Any


class _Gap:
    """Placeholder for a number in a form."""


GAP = _Gap()


class _Joint(NamedTuple):
    """A tuple or a frozen dataclass that contains a gap."""

    kind: type
    names: tuple[str, ...]
    parts: tuple[Any, ...]


Form = _Fixed | _Gap | _Joint


def split(value: Any, kind: Any, found: list[Any]) -> Form:
    """Return the value's form, and append the ints, or the lanes, in it to `found`."""
    if type(value) is kind and (kind is not int or -SAFE < value < SAFE):
        found.append(value)
        return GAP
    if type(value) in ATOMS:
        return _Fixed(type(value), value)
    names, inside = _inside(value)
    if inside:
        before = len(found)
        parts = tuple([split(part, kind, found) for part in inside])
        if len(found) > before:
            return _Joint(type(value), names, parts)
    return _Fixed(type(value), value)


def builder(form: Form) -> Callable[[Iterator[Any]], Any]:
    """Return a function that builds values of this form from an iterator of the numbers for its gaps, in order."""
    if isinstance(form, _Gap):
        return next
    if isinstance(form, _Fixed):
        return lambda _numbers: form.value
    kind, row = form.kind, [part.value if isinstance(part, _Fixed) else None for part in form.parts]
    gaps = [(place, builder(part)) for place, part in enumerate(form.parts) if not isinstance(part, _Fixed)]
    is_struct = hasattr(kind, "__struct_fields__")
    fields = [getattr(kind, name, None) for name in form.names]
    setters = [it.__set__ for it in fields if isinstance(it, MemberDescriptorType)]

    def build(numbers: Iterator[Any]) -> Any:
        parts = row.copy()
        for place, fill in gaps:
            parts[place] = fill(numbers)
        if not form.names:
            return tuple(parts) if kind is tuple else tuple.__new__(kind, parts)
        if is_struct:
            return kind(**dict(zip(form.names, parts, strict=True)))
        made: Any = object.__new__(kind)
        if len(setters) == len(fields):
            for put, part in zip(setters, parts):  # noqa: B905 - of equal length, and this is the innermost loop
                put(made, part)
        else:
            made.__dict__.update(zip(form.names, parts, strict=True))
        return made

    return build


def has_lanes(value: Any) -> bool:
    if type(value) is Lane:
        return True
    for part in _inside(value)[1]:
        if type(part) not in ATOMS and has_lanes(part):
            return True
    return False


def _inside(value: Any) -> tuple[tuple[str, ...], Sequence[Any]]:
    """Parts of a tuple or a frozen dataclass; none for other values, or for one with attributes beyond its fields."""
    kind = type(value)
    if kind is tuple:
        return (), value
    names = _field_names(kind)
    if names:
        more_than_it_says = any(attribute not in names for attribute in getattr(value, "__dict__", ()))
        return ((), ()) if more_than_it_says else (names, [getattr(value, name) for name in names])
    return (), value if isinstance(value, tuple) and hasattr(kind, "_fields") else ()


MOST_TYPES = 1_000
_FIELDS: dict[type, tuple[str, ...]] = {}
"""Cache of the fields of types; cleared when it becomes too large."""


def _field_names(kind: type) -> tuple[str, ...]:
    """The fields of a frozen dataclass that has no other attributes."""
    names = _FIELDS.get(kind)
    if names is None:
        if len(_FIELDS) >= MOST_TYPES:
            _FIELDS.clear()
        config: Any = getattr(kind, "__dataclass_params__", getattr(kind, "__struct_config__", None))
        names = field_names(kind) if config is not None and config.frozen else ()
        slots = {name for base in kind.__mro__ for name in base.__dict__.get("__slots__", ())}
        names = _FIELDS[kind] = names if slots - {"__weakref__", "__dict__"} <= set(names) else ()
    return names


# ---------------------------------------------------------------- outcomes, by form


class Group:
    """Outcomes of one form: the outcomes, a column of numbers for each gap, and the weights."""

    __slots__ = ("_filled", "bounds", "columns", "form", "outcomes", "places", "size", "weight", "weights")

    def __init__(
        self,
        form: Form,
        outcomes: Sequence[Any],
        columns: Sequence[Sequence[int]],
        *,
        bounds: list[Bounds],
        weights: tuple[int, ...],
        places: Sequence[int],
    ) -> None:
        self.form, self.outcomes, self.bounds, self.weights, self.places = form, outcomes, bounds, weights, places
        self.size, self.weight = len(weights), sum(weights)
        self._filled = builder(form)
        self.columns: tuple[Array, ...] = tuple([np.array(column, dtype=np.int64) for column in columns])

    @classmethod
    def even(cls, size: int) -> Group:
        """The numbers from 0 to `size` - 1, equally likely."""
        return cls(GAP, range(size), (range(size),), bounds=[(0, size - 1)], weights=(1,) * size, places=range(size))

    def filled(self, numbers: Iterable[Any]) -> Any:
        return self._filled(iter(numbers))


class Draw:
    """Possible outcomes of a step, or values of an argument."""

    __slots__ = ("groups", "outcomes", "total")

    def __init__(self, outcomes: Iterable[Any], weights: Iterable[int] | None = None, total: int = 1) -> None:
        all_of_them = tuple(outcomes)
        each = (1,) * len(all_of_them) if weights is None else tuple(weights)
        places: Sequence[int] = range(len(each))
        is_whole = set(map(type, all_of_them)) == {int} and all(each)
        low, high = (min(all_of_them), max(all_of_them)) if is_whole else (0, 0)
        self.groups: tuple[Group, ...]
        if is_whole and low > -SAFE and high < SAFE:  # the common case
            self.groups = (Group(GAP, all_of_them, (all_of_them,), bounds=[(low, high)], weights=each, places=places),)
        else:
            by_form: dict[Form, list[tuple[Any, Sequence[int], int, int]]] = {}
            for place, outcome, weight in zip(places, all_of_them, each, strict=True):
                if weight:
                    numbers: list[int] = []
                    form = split(outcome, int, numbers)
                    by_form.setdefault(form, []).append((outcome, numbers, weight, place))
            self.groups = tuple([_group(form, *zip(*rows, strict=True)) for form, rows in by_form.items()])
        self.outcomes = sum([group.size for group in self.groups])
        self.total = total


def _group(form: Form, outcomes: Any, rows: Any, weights: Any, places: Any) -> Group:
    columns = tuple(zip(*rows, strict=True))
    bounds = [(min(column), max(column)) for column in columns]
    return Group(form, outcomes, columns, bounds=bounds, weights=weights, places=places)
