"""A property that is worked out when it is first asked for.

`functools.cached_property` does the same, but until Python 3.12 under one lock for all objects of its class: here that
would let every table wait for the slowest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazily(Generic[T]):  # noqa: N801 - a decorator, named as one
    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out, self.__doc__ = work_out, work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, of: None, owner: type) -> lazily[T]: ...
    @overload
    def __get__(self, of: object, owner: type) -> T: ...
    def __get__(self, of: object | None, owner: type) -> lazily[T] | T:
        if of is None:
            return self
        found = of.__dict__[self._name] = self._work_out(of)
        return found
