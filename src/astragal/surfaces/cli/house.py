"""What the program stands on, given to it by whoever starts it: the installed games, a store, a host."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from astragal.table.host import Host
    from astragal.table.rulebook import Rulebook
    from astragal.table.ruleset import Ruleset
    from astragal.table.store import Store

T = TypeVar("T")


class NoSuchGame(Exception):
    """A game of this name is not installed, or can't be loaded."""


class House:
    """Nothing is opened or loaded before it is asked for."""

    def __init__(
        self,
        rulesets: Callable[[], Mapping[str, Callable[[], Ruleset]]],
        store: Callable[[str | None], Store],
        host: Callable[[Store, Iterable[Ruleset]], Host],
        rulebooks: Callable[[], Mapping[str, Callable[[], Rulebook]]] = dict,
    ) -> None:
        self._rulesets, self.store, self.host, self._rulebooks = rulesets, store, host, rulebooks

    @cached_property
    def _points(self) -> Mapping[str, Callable[[], Ruleset]]:
        return self._rulesets()

    @cached_property
    def _lone_rules(self) -> Mapping[str, Callable[[], Rulebook]]:
        return self._rulebooks()

    @property
    def games(self) -> tuple[str, ...]:
        """The names of the installed games."""
        return tuple(self._points)

    def game(self, name: str) -> Ruleset:
        """The game of this name: `sinew_steel`, `sinew-steel`, or the beginning of one."""
        return self.load(self._point(name))

    def rulebook(self, name: str) -> Rulebook:
        """The rules of the game of this name. The rest of it is loaded only where it does not offer them alone."""
        return self._read(self._point(name))

    def _point(self, name: str) -> str:
        said = name.casefold().replace("-", "_")
        if said in self._points:
            return said
        fitting = [one for one in self.games if one.startswith(said)]
        if len(fitting) != 1 or not said:
            raise NoSuchGame(f"There is no game {name!r} here; there are {', '.join(self.games) or 'none'}.")
        return fitting[0]

    def load(self, point: str) -> Ruleset:
        return _loaded(point, self._points[point])

    def _read(self, point: str) -> Rulebook:
        return _loaded(point, self._lone_rules.get(point) or self._points[point])

    def all_games(self) -> list[Ruleset]:
        """Every game that can be loaded."""
        return list(_sound(self.load, self.games))

    def all_rulebooks(self) -> list[Rulebook]:
        """The rules of every game that can be loaded."""
        return list(_sound(self._read, self.games))


def _loaded(point: str, load: Callable[[], T]) -> T:
    try:
        return load()
    except Exception as broken:
        raise NoSuchGame(f"The game {point} is installed, but can't be loaded: {broken}.") from broken


def _sound(load: Callable[[str], T], points: Iterable[str]) -> Iterator[T]:
    for point in points:
        with suppress(NoSuchGame):
            yield load(point)
