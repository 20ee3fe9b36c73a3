"""Words of a game that are read when somebody first looks into them, so that a game loads without its files."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property


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


def words_in(package: str, file: str) -> Mapping[str, str]:
    """The words of a TOML file of a package."""

    def read() -> Mapping[str, str]:
        import tomllib
        from importlib import import_module
        from pathlib import Path

        return tomllib.loads(Path(import_module(package).__path__[0], file).read_text("utf-8"))

    return Lazily(read)
