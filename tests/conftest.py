"""Real databases: every test that asks for a `place` runs on SQLite and on PostgreSQL. And a real web server."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from astragal.storage import open_store
from astragal.wiring import GC_THRESHOLD
from tests.storage.places import Place, PostgresPlace, SqlitePlace, hurry, postgres_database, postgres_server
from tests.table.seated import Laid, LaidOnce, S

if TYPE_CHECKING:
    from astragal.table.log.store import Store
    from tests.surfaces.web.open_tables import Web

# No test depends on time: neither on how long an example takes, nor on how long it takes to draw one. And none depends
# on chance: examples are the same each time. `./run test --hypothesis-profile=roaming` looks at others.
settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("roaming", settings.get_profile("house"), derandomize=False)
settings.load_profile("house")

# Whatever is started in the background of a shell ignores interrupts, and so would every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Nor does any know the models that somebody has set up on this machine.
os.environ["ASTRAGAL_AI"] = str(Path(__file__).parent / "no-models.json")


# A database waits for the disk at every commit. Those of the tests lie in memory, where there is some to spare.
MEMORY = Path("/dev/shm")  # noqa: S108 - what lies there is in folders that are closed to others
IN_MEMORY = MEMORY if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 2 << 30 else None
if IN_MEMORY:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


# Python looks for objects that nobody needs as often as the program lets it: where all tests are loaded, and all kept,
# the looking takes a tenth of the time.
gc.set_threshold(GC_THRESHOLD)

BROWSERS = 3
"""Workers that have one. More would only share the same cores."""

WITH_MODELS = "tests/surfaces/ai/"
"""They go to one worker, as it takes seconds to load the libraries of the models."""

OTHER_PROGRAMS = frozenset({"astragal", "new_interpreter", "playwright", "server_url", "terminal"})
"""Fixtures that start a program: ours, another Python, a browser, PostgreSQL."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start programs are slow; others say so where they are."""
    for item in items:
        if isinstance(item, pytest.Function) and OTHER_PROGRAMS & set(item.fixturenames):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """What was loaded until now stays: nobody has to look through it again."""
    gc.freeze()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """For `-n auto`: one more than there are cores, as tests of servers, databases and browsers wait now and then.

    None more where these are left out: each has to load every test first.
    """
    waits: bool = config.option.markexpr != "not slow"
    return min((os.cpu_count() or 1) + waits, 12)


@pytest.fixture(autouse=True, scope="session")
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes where the tables of this machine have their secrets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True, scope="module")
def leftovers() -> Iterator[None]:
    """A module's stores are closed with it: each has seven files, and many a host refers to itself. What is left stays,
    and the next module's end need not look through it.
    """
    yield
    gc.collect()
    gc.freeze()


class ModuleScheduling(LoadScopeScheduling):  # type: ignore[misc] # it has no types
    """Gives out the tests of a module together, as they share what it sets up; those with a browser, to few workers."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        self._with_browser: set[Any] = set()

    def _split_scope(self, nodeid: str) -> str:
        return WITH_MODELS if nodeid.startswith(WITH_MODELS) else nodeid.partition("::")[0]

    def _assign_work_unit(self, node: Any) -> None:
        """Those with a browser come last, so there is nothing more to do for a worker that is to have none."""
        if next(iter(self.workqueue)).startswith("tests/browser/"):
            if node not in self._with_browser and len(self._with_browser) == BROWSERS:
                node.shutdown()
                return
            self._with_browser.add(node)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ModuleScheduling:
    return ModuleScheduling(config, log)


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    if given := os.environ.get("ASTRAGAL_TEST_POSTGRES"):
        yield given
        return
    with postgres_server(IN_MEMORY) as server:
        hurry(server.get_uri())
        yield server.get_uri()


@pytest.fixture(scope="session")
def laid_tables() -> dict[Any, Laid[Any]]:
    """Those of which there are copies, by how they were laid."""
    return {}


@pytest.fixture
def laid_once(laid_tables: dict[Any, Laid[Any]], tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> LaidOnce:
    def laid(lay: Callable[..., S], /, **options: Any) -> S:
        if any(tmp_path.iterdir()):  # as the second table of a store, there is none to copy
            return lay(tmp_path, **options)
        how = lay, repr(options)
        if how not in laid_tables:
            folder = tmp_path_factory.mktemp("laid")
            laid_tables[how] = Laid(folder, lay(folder, **options))
        copied: S = laid_tables[how].copied(tmp_path)
        return copied

    return laid


@pytest.fixture
def sqlite_place(tmp_path: Path) -> SqlitePlace:
    return SqlitePlace(tmp_path / "tables.db")


@pytest.fixture(scope="session")
def opened_once(server_url: str) -> Iterator[str]:
    """The name of a database in which a store has made its tables."""
    with postgres_database(server_url) as place:
        open_store(place.url).close()
        yield urlsplit(place.url).path.removeprefix("/")


@pytest.fixture
def postgres_place(request: pytest.FixtureRequest, server_url: str) -> Iterator[PostgresPlace]:
    """Empty; or, for a test that asks for a store, with the tables that a store makes, as making them takes longest."""
    copied = request.getfixturevalue("opened_once") if "store" in request.fixturenames else "template1"
    with postgres_database(server_url, copied) as place:
        yield place


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(f"{request.param}_place")
    return found


@pytest.fixture
def store(sqlite_place: SqlitePlace) -> Iterator[Store]:
    opened = open_store(sqlite_place.url)
    yield opened
    opened.close()


@pytest.fixture
def live_web(sqlite_place: SqlitePlace) -> Iterator[Web]:
    """The web table behind a real server on the loopback, in real time: for browsers and streams."""
    from tests.surfaces.web.serving import served_web

    with served_web(sqlite_place.url) as found:
        yield found
