"""Frozen values: dataclasses whose methods and fields are generated lazily, on first use.

`dataclasses` writes methods as source and compiles them, which takes the better part of a millisecond for each class,
and importing it takes as long as importing all of `astragal.chance`. The games have hundreds of small values, and one
call of the program uses a handful of them. Otherwise nothing differs: `fields`, `replace`, `is_dataclass` and all code
that uses them see a frozen dataclass.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import field
    from typing import dataclass_transform, overload

    @overload
    def frozen(cls: type[T], /) -> type[T]: ...
    @overload
    def frozen(*, kw_only: bool = False, slots: bool = False, eq: bool = True) -> Callable[[type[T]], type[T]]: ...
    @dataclass_transform(frozen_default=True, field_specifiers=(field,))
    def frozen(*_: Any, **__: Any) -> Any: ...

else:

    def frozen(cls=None, /, **how):
        """Make a class a frozen value, as `dataclass(frozen=True)` does."""
        return lazy_dataclass(cls, **how) if cls is not None else lambda given: lazy_dataclass(given, **how)


LAZY_NAMES = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")
"""Attributes that make a class a dataclass, and let `match` take its instances apart."""


def lazy_dataclass(cls: type[T], *, kw_only: bool = False, slots: bool = False, eq: bool = True) -> type[T]:
    """Return the class as a frozen value. Its methods and what `dataclasses` stores on a class are generated later."""
    methods = ("__init__", "__repr__", "__eq__", "__hash__") if eq else ("__init__", "__repr__")
    missing = [name for name in methods if vars(cls).get(name) is None]
    inherits = any(LAZY_NAMES[1] in vars(base) for base in cls.__mro__[1:])
    made: Any = _slotted(cls) if slots else cls
    for name in LAZY_NAMES:
        setattr(made, name, LazyAttribute(name, made, cls, {"kw_only": kw_only, "frozen": inherits}, eq))
    made.__setattr__ = made.__delattr__ = _refuse
    if slots:
        made.__getstate__, made.__setstate__ = _parts, _take_parts
    for name in missing:
        setattr(made, name, _first_call(made, name, missing))
    declaration: type[T] = made
    return declaration


def field_names(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a frozen value: a dataclass, or a Struct (which has them as an attribute)."""
    from dataclasses import fields, is_dataclass

    found: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return tuple([one.name for one in fields(kind)]) if is_dataclass(kind) else found


def _own_fields(cls: type) -> list[str]:
    return [name for name, hint in cls.__annotations__.items() if "ClassVar" not in str(hint)]


def _slotted(cls: type) -> type:
    """Return a copy of the class with slots for its fields: slots can't be added to an existing class."""
    names = _own_fields(cls)
    inherited = {slot for base in cls.__mro__[1:] for slot in getattr(base, "__slots__", ())}
    namespace = {name: it for name, it in vars(cls).items() if name not in (*names, "__dict__", "__weakref__")}
    namespace["__slots__"] = tuple([name for name in names if name not in inherited])
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return made


class LazyAttribute:
    """Placeholder for an attribute of a dataclass. On first access it generates a dataclass twin and copies from it.

    Two threads that access it at once write the same values twice.
    """

    def __init__(self, name: str, made: type, source: type, how: dict[str, bool], eq: bool) -> None:
        self._name, self._made, self._source, self._how, self._eq = name, made, source, how, eq

    def __get__(self, _value: object, _kind: type | None = None) -> Any:
        from dataclasses import Field, dataclass

        source = self._source
        kept = ("__module__", "__orig_bases__", "__parameters__", *_own_fields(source))
        namespace = {name: vars(source)[name] for name in kept if name in vars(source)}
        namespace["__annotations__"] = dict(source.__annotations__)  # since Python 3.14 not in the class's namespace
        twin = type(source)(source.__name__, source.__bases__, {**namespace, "__doc__": "Never seen."})
        twin.__qualname__ = source.__qualname__
        written: Any = dataclass(init=False, repr=False, eq=False, **self._how)(twin)
        written.__dataclass_params__.frozen, written.__dataclass_params__.eq = True, self._eq
        for name in LAZY_NAMES:
            setattr(self._made, name, getattr(written, name))
        for name in _own_fields(source):  # replace a field() by its default, or remove it if it has none
            if isinstance(vars(self._made).get(name), Field):
                delattr(self._made, name)
                if name in vars(written):
                    setattr(self._made, name, vars(written)[name])
        return getattr(written, self._name)


def _first_call(made: Any, name: str, missing: list[str]) -> Callable[..., Any]:
    """Return a placeholder that generates the method on its first call; equality and hash are generated together.

    Two threads that call it at once write the same method twice.
    """

    def method(self: Any, *given: Any, **named: Any) -> Any:
        from dataclasses import dataclass

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


def _refuse(self: Any, name: str, *_: Any) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"{type(self).__name__} is frozen: its {name} can't be changed")


def _parts(self: Any) -> list[Any]:
    return [getattr(self, name) for name in field_names(type(self))]


def _take_parts(self: Any, parts: list[Any]) -> None:
    """Restore a copied or unpickled value field by field: a slotted value has no `__dict__` to update."""
    for name, part in zip(field_names(type(self)), parts, strict=True):
        object.__setattr__(self, name, part)
