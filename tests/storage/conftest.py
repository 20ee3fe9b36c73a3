"""Every test that asks for a `place` or a `store` runs on SQLite and on PostgreSQL, both real."""

from collections.abc import Iterator

import pytest

from astragal.storage import open_store
from astragal.table.log.store import Store
from tests.storage.places import Place


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    opened = open_store(place.url)
    yield opened
    opened.close()


@pytest.fixture
def other_store(place: Place) -> Iterator[Store]:
    """Another store of the same place, as another process would have it."""
    opened = open_store(place.url)
    yield opened
    opened.close()
