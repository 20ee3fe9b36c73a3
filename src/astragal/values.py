"""Frozen values: dataclasses whose methods are written when one of them is first called.

A dataclass writes its methods as source and has them compiled, the better part of a millisecond for each class. The
games have hundreds of commands, events and small values, and one call of the program uses a handful of them. Apart
from that moment nothing differs: `fields`, `replace`, `is_dataclass` and whoever reads them see a frozen dataclass.
"""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False, slots: bool = False, eq: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[T] | None = None, /, *, kw_only: bool = False, slots: bool = False, eq: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a frozen value, as `dataclass(frozen=True)` does."""
    if cls is not None:
        return declared(cls)
    return lambda given: declared(given, kw_only=kw_only, slots=slots, eq=eq)


def declared(cls: type[T], *, kw_only: bool = False, slots: bool = False, eq: bool = True) -> type[T]:
    """The class as a frozen dataclass, its methods yet to be written."""
    methods = ("__init__", "__repr__", "__eq__", "__hash__") if eq else ("__init__", "__repr__")
    missing = [name for name in methods if vars(cls).get(name) is None]
    inherits = any(_is_frozen(base) for base in cls.__mro__[1:])
    made: Any = dataclass(init=False, repr=False, eq=False, frozen=inherits, kw_only=kw_only, slots=slots)(cls)
    made.__dataclass_params__.frozen, made.__dataclass_params__.eq = True, eq
    if not inherits:
        made.__setattr__ = made.__delattr__ = _refuse
        if slots:
            made.__getstate__, made.__setstate__ = _parts, _take_parts
    for name in missing:
        setattr(made, name, _first_call(made, name, missing))
    declaration: type[T] = made
    return declaration


def field_names(kind: type) -> tuple[str, ...]:
    """The names of the fields of a frozen value: a dataclass, or a Struct (which has them as an attribute)."""
    found: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else found


def _first_call(made: Any, name: str, missing: list[str]) -> Callable[..., Any]:
    """Stands in for a method until it is called, and writes it then; equality and hash are written together.

    Two threads that call it at once write the same twice.
    """

    def method(self: Any, *given: Any, **named: Any) -> Any:
        known_as = {"__module__": made.__module__, "__qualname__": made.__qualname__}
        twin = type(made.__name__, (made,), known_as)
        init, represents = name == "__init__", name == "__repr__"
        written: type = dataclass(init=init, repr=represents, eq=not init and not represents, frozen=True)(twin)
        for one in missing:
            if one in vars(written):
                setattr(made, one, vars(written)[one])
        return getattr(made, name)(self, *given, **named)

    method.__name__ = name
    return method


def _is_frozen(base: type) -> bool:
    return bool(getattr(vars(base).get("__dataclass_params__"), "frozen", False))


def _refuse(self: Any, name: str, *_: Any) -> NoReturn:
    raise FrozenInstanceError(f"{type(self).__name__} is frozen: its {name} can't be changed")


def _parts(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _take_parts(self: Any, parts: list[Any]) -> None:
    """A slotted value has no `__dict__` that a copy or a pickle could be put into."""
    for one, part in zip(fields(self), parts, strict=True):
        object.__setattr__(self, one.name, part)
