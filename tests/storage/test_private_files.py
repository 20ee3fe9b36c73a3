"""What holds secrets is for its owner's eyes alone; what is a user's own is left as the user has it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import apsw
import pytest

from astragal.storage import NotAStore, open_store
from astragal.storage.private_files import read_or_make
from tests.patience import LONG
from tests.storage.batches import entries

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """Most systems let everybody read a new file."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


def test_the_files_of_a_store_are_closed_to_others(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "tables.db"))) as store:
        store.create("table", entries(1))
        assert modes(tmp_path) == {"tables.db": 0o600, "tables.db-wal": 0o600, "tables.db-shm": 0o600}


def test_files_that_were_left_open_are_closed_at_the_next_start(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "tables.db"))) as store:
        store.create("table", entries(1))
        for path in tmp_path.iterdir():
            path.chmod(0o644)
        with closing(open_store(str(tmp_path / "tables.db"))) as again:
            assert again.last("table") == 1
            assert set(modes(tmp_path).values()) == {0o600}


def test_a_file_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with closing(apsw.Connection(str(path))) as others:
        others.execute("CREATE TABLE photos (name TEXT)")
    path.chmod(0o644)
    with pytest.raises(NotAStore):
        open_store(str(path))
    assert modes(tmp_path) == {"photos.db": 0o644}


def test_a_folder_that_the_user_names_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    open_store(str(tmp_path / "tables.db")).close()
    assert tmp_path.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("was_there", [False, True])
def test_the_programs_own_folder_is_closed_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was_there: bool
) -> None:
    monkeypatch.delenv("ASTRAGAL_DB", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if was_there:
        (tmp_path / "data" / "astragal").mkdir(parents=True, mode=0o755)
    open_store().close()
    assert modes(tmp_path / "data") == {"astragal": 0o700}
    assert modes(tmp_path / "data" / "astragal")["tables.db"] == 0o600
    assert modes(tmp_path)["data"] == 0o755


def test_a_backup_is_closed_to_others(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "tables.db"))) as store:
        store.create("table", entries(1))
        store.backup(tmp_path / "backup.db")
    assert modes(tmp_path)["backup.db"] == 0o600


def test_a_private_file_is_made_once_by_all_who_start_together(tmp_path: Path) -> None:
    path = tmp_path / "state" / "secret.key"
    start = Barrier(8)

    def read(number: int) -> bytes:
        start.wait(LONG)
        return read_or_make(path, lambda: b"%d" % number * 32)

    with ThreadPoolExecutor(8) as pool:
        contents = set(pool.map(read, range(8)))
    assert contents == {path.read_bytes()}
    assert read_or_make(path, lambda: b"another") in contents
    assert modes(path.parent) == {"secret.key": 0o600}
    assert modes(tmp_path)["state"] == 0o700


def test_a_file_system_without_links_has_private_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    assert read_or_make(tmp_path / "secret.key", lambda: b"made") == b"made"
    assert modes(tmp_path) == {"secret.key": 0o600}
