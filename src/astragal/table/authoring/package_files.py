"""Files that lie beside a game in its package: names, words, skins. They are read when somebody first asks for them."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["Lazily", "words_in"]


class Lazily(Mapping[str, str]):
    """A mapping that is made when it is first looked into."""

    def __init__(self, make: Callable[[], Mapping[str, str]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Mapping[str, str]:
        return self._make()

    def __getitem__(self, key: str) -> str:
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def folder_of(package: str) -> Path:
    """Folder of a package. Finding it with importlib.resources would take longer than reading a file of it."""
    return Path(import_module(package).__path__[0])


@cache
def toml_in(package: str, file: str) -> Mapping[str, Any]:
    """A TOML file of a package."""
    import tomllib

    return tomllib.loads((folder_of(package) / file).read_text("utf-8"))


def words_in(package: str, file: str) -> Mapping[str, str]:
    """The words of a TOML file of a package, so that a game loads without it."""
    return Lazily(lambda: toml_in(package, file))
