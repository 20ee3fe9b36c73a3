"""Application context of a call: the installed games, the store, the host."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.host import Host
    from astragal.table.log.store import Store

GAME_FILE = ".py"
"""Suffix of a file with a game, which the name of an installed game doesn't have."""


class NoSuchGame(Exception):
    """A game of this name is not installed, or can't be loaded."""


class Context:
    """Dependencies of a call, loaded on demand. Only games in files are read as soon as they are added."""

    def __init__(
        self,
        rulesets: Callable[[], Mapping[str, Callable[[], Ruleset]]],
        store: Callable[[str | None], Store],
        host: Callable[[Store, Iterable[Ruleset]], Host],
        files: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self.rulesets = rulesets
        self.store = store
        self.host = host
        self._files = files
        self.db: str | None = None
        """The store that the call names."""
        self.game_files: Sequence[str] = ()
        """Files with games that the call names."""

    @cached_property
    def _in_files(self) -> dict[str, Ruleset]:
        return {game.id: game for game in map(_read_game, self._files())}

    def add(self, files: Iterable[str]) -> None:
        """Add games in files to the installed ones."""
        self._in_files.update((game.id, game) for game in map(_read_game, files))

    @cached_property
    def _points(self) -> Mapping[str, Callable[[], Ruleset]]:
        return self.rulesets()

    @property
    def games(self) -> tuple[str, ...]:
        """The names of the installed games."""
        return tuple(dict.fromkeys((*self._in_files, *self._points)))

    def game(self, name: str) -> Ruleset:
        """Find a game by its name (`sinew_steel`, `sinew-steel`, or the beginning of one), or load it from a file."""
        if name.endswith(GAME_FILE):
            self.add([name])
            return next(reversed(self._in_files.values()))
        beginning = name.casefold().replace("-", "_")
        if beginning in self._in_files or beginning in self._points:
            return self.load(beginning)
        fitting = [game for game in self.games if game.startswith(beginning)]
        if len(fitting) != 1 or not beginning:
            raise NoSuchGame(f"There is no game {name!r} here; there are {', '.join(self.games) or 'none'}.")
        return self.load(fitting[0])

    def load(self, point: str) -> Ruleset:
        if point in self._in_files:
            return self._in_files[point]
        try:
            return self._points[point]()
        except Exception as broken:
            raise NoSuchGame(f"The game {point} is installed, but can't be loaded: {broken}.") from broken

    def all_games(self) -> Iterator[Ruleset]:
        """Iterate over the games that can be loaded, loading each on demand."""
        for point in self.games:
            with suppress(NoSuchGame):
                yield self.load(point)


def _read_game(file: str) -> Ruleset:
    from pathlib import Path

    from astragal.surfaces.shared.game_files import read_game

    return read_game(Path(file))
