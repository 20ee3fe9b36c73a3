"""Data files in a game's package: names, words, skins. They are read on first use."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["Lazily", "words_in"]


class Lazily(Mapping[str, str]):
    """A mapping that is made on first use, so that a game is imported without reading its files."""

    def __init__(self, make: Callable[[], Mapping[str, str]]) -> None:
        self._make = make

    @cached_property
    def _mapping(self) -> Mapping[str, str]:
        """What `make` returned. It is made once, and goes with this object."""
        return self._make()

    def __getitem__(self, key: str) -> str:
        return self._mapping[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._mapping)

    def __len__(self) -> int:
        return len(self._mapping)


def folder_of(package: str) -> Path:
    """Folder of a package. Finding it with importlib.resources would take longer than reading a file of it."""
    return Path(import_module(package).__path__[0])


@cache
def toml_in(package: str, file: str) -> Mapping[str, Any]:
    """Read a TOML file of a package.

    The cache saves parsing the file again for each page that shows words or ready heroes. The file is part of an
    installed package, so nothing ends it.
    """
    import tomllib

    return tomllib.loads((folder_of(package) / file).read_text("utf-8"))


def words_in(package: str, file: str) -> Mapping[str, str]:
    """Return the words of a TOML file of a package, read on first use, so that a game loads without it."""
    return Lazily(lambda: toml_in(package, file))
