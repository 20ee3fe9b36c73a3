"""Whatever is sent to the API, it answers as its document says, and never with a fault of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.surfaces.web.served import Served, served

pytestmark = pytest.mark.xdist_group("fuzz")  # one worker, which loads schemathesis and starts a server


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with served(f"sqlite:///{folder}/tables.db") as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Ada", "Bo"])
def test_every_operation_answers_as_it_is_documented(table: Served, name: str) -> None:
    from benchmarks.soak.api import fuzz  # loads schemathesis, which no other test needs

    assert fuzz(table, name, each=4)
