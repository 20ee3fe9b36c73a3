"""Import what is rarely needed: the page fetches it when it is missed.

The build puts what an evening imports into one pack, and the rest into another; `rest.json` names the modules there.
"""

import json
import sys
from collections.abc import Callable
from importlib import invalidate_caches
from importlib.machinery import ModuleSpec, PathFinder
from importlib.resources import files

NAMES = "rest.json"


class RarelyImported:
    """Last import finder: at the first module that is in the rest, fetches all of it into a folder."""

    def __init__(self, names: frozenset[str], folder: str, fetch: Callable[[], object]) -> None:
        self._names, self._folder, self._fetch = names, folder, fetch
        self._is_fetched = False

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        if name not in self._names:
            return None
        if not self._is_fetched:
            self._fetch()
            self._is_fetched = True
            invalidate_caches()
        package = name.split(".")[:-1]
        return PathFinder.find_spec(name, ["/".join([self._folder, *package])])


def install(folder: str, fetch: Callable[[], object]) -> None:
    """Find modules of the rest, which `fetch` puts into this folder."""
    names = frozenset(json.loads(files(__package__).joinpath(NAMES).read_bytes()))
    sys.meta_path.append(RarelyImported(names, folder, fetch))
