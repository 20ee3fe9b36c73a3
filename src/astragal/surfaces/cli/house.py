"""What the program stands on, given to it by whoever starts it: the installed games, a store, a host."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from astragal.table.host import Host
    from astragal.table.ruleset import Ruleset
    from astragal.table.store import Store


class NoSuchGame(Exception):
    """A game of this name is not installed, or can't be loaded."""


class House:
    """Nothing is opened or loaded before it is asked for."""

    def __init__(
        self,
        rulesets: Callable[[], Mapping[str, Callable[[], Ruleset]]],
        store: Callable[[str | None], Store],
        host: Callable[[Store, Iterable[Ruleset]], Host],
    ) -> None:
        self._rulesets, self.store, self.host = rulesets, store, host

    @cached_property
    def _points(self) -> Mapping[str, Callable[[], Ruleset]]:
        return self._rulesets()

    @property
    def games(self) -> tuple[str, ...]:
        """The names of the installed games."""
        return tuple(self._points)

    def game(self, name: str) -> Ruleset:
        """The game of this name: `sinew_steel`, `sinew-steel`, or the beginning of one."""
        said = name.casefold().replace("-", "_")
        fitting = [one for one in self.games if one == said] or [one for one in self.games if one.startswith(said)]
        if len(fitting) != 1 or not said:
            raise NoSuchGame(f"There is no game {name!r} here; there are {', '.join(self.games) or 'none'}.")
        return self.load(fitting[0])

    def load(self, point: str) -> Ruleset:
        try:
            return self._points[point]()
        except Exception as broken:
            raise NoSuchGame(f"The game {point} is installed, but can't be loaded: {broken}.") from broken

    def all_games(self) -> list[Ruleset]:
        """Every game that can be loaded."""
        found = []
        for point in self.games:
            try:
                found.append(self.load(point))
            except NoSuchGame:
                continue
        return found
