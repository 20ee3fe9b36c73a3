"""Whatever is sent to the API, it answers as its document says, and never with a fault of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.soak.api import UNHURRIED, fuzz
from tests.surfaces.web.served import served


@pytest.mark.slow
def test_every_operation_answers_everybody_as_it_is_documented(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path}/tables.db", UNHURRIED) as table:
        assert fuzz(table, ("Ada", "Bo", "Di"), each=3)
