"""The key that links to tables are derived from is made once, in a private file outside of every store."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from astragal.surfaces.web.security.link_key import KEY_BYTES, own_link_key

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems keep it elsewhere")


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "astragal"


def test_the_key_is_the_same_at_every_start(state: Path) -> None:
    key = own_link_key()
    assert len(key) == KEY_BYTES
    assert own_link_key() == key
    assert (state / "links.key").read_bytes() == key
    assert (state / "links.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("is_damaged", [True, False])
def test_without_a_place_for_its_key_a_server_starts_and_says_what_is_missing(
    state: Path, caplog: pytest.LogCaptureFixture, is_damaged: bool
) -> None:
    if is_damaged:
        state.mkdir()
        (state / "links.key").write_bytes(b"")
    else:
        state.write_text("a file in place of the folder", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        keys = {own_link_key() for _ in range(2)}
    assert len(keys) == 2, "nobody can guess it"
    assert {len(key) for key in keys} == {KEY_BYTES}
    assert "links to tables are shown by the process that made them alone" in caplog.text
