"""An event loop that the tests of the web table share."""

from collections.abc import Iterator

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """A loop in a thread, with those of its requests: to start and end them all takes longer than many a test."""
    with start_blocking_portal() as found:
        yield found
