"""Benchmarks that write to a store by themselves write what the program reads."""

import pytest

from benchmarks import table


@pytest.mark.slow
def test_a_long_log_is_read_from_its_snapshot_as_from_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "EVENTS", 60)
    monkeypatch.setattr(table, "SNAPSHOT_EVERY", 20)
    assert [mark.benchmark for mark in table.long_log()] == ["table.log", "table.log"]
