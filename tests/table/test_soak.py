"""A short round of the soak; `./run soak` has the long ones."""

from pathlib import Path

import pytest

from benchmarks.soak import PROCESSES, soak_store
from tests.storage.places import Place


@pytest.mark.slow
def test_nothing_told_is_lost_doubled_or_reordered_whoever_is_killed(place: Place, tmp_path: Path) -> None:
    soaked = soak_store(place.url, tmp_path, seconds=5, seed=1)
    assert soaked.told
    assert soaked.kills > PROCESSES
