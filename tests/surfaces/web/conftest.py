"""The web table on a store of its own, in this process. `live_web`, with a real server, is for browsers' tests too."""

from collections.abc import Iterator

import pytest
from anyio.from_thread import BlockingPortal

from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import Clock, Web, opened_web


@pytest.fixture
def web(sqlite_place: SqlitePlace, portal: BlockingPortal) -> Iterator[Web]:
    with opened_web(sqlite_place.url, clock=Clock()) as found, found.running(portal):
        yield found
