"""Backups: a store's tables in one SQLite file of the same form. It can be restored, or simply opened."""

import os
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from astragal.storage import private_files
from astragal.storage.queries import Session, bring_up_to_date
from astragal.storage.sqlite_files import (
    SqliteSchema,
    SqliteSession,
    check_ours,
    connect,
    in_words,
    open_up_to_date,
    transaction,
)
from astragal.table.log.store import Damaged, NotAStore

_KINDS = ("table", "entry", "answer", "text", "private", "picture")
"""In the order in which they refer to each other. Snapshots are caches, and stay behind; so do passes and jobs: a
backup lets nobody in again who has been sent away since, and holds no secret of a webhook."""
_AT_ONCE = 500


@contextmanager
def new_backup(path: Path) -> Iterator[Path]:
    """A place to write to. It takes the name `path` when it is whole, and not before. Raises `FileExistsError`."""
    with open(path, "xb", opener=private_files.opener):
        pass
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        yield part
        part.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        raise


def copy_file(source: apsw.Connection, path: Path) -> None:
    """Page by page, as of one moment. The copy needs no second file beside it."""
    private_files.make_file(path)
    with closing(apsw.Connection(str(path))) as copy:
        with copy.backup("main", source, "main") as pages:
            pages.step(-1)
        copy.pragma("journal_mode", "delete")


def leave_passes_behind(path: Path) -> None:
    with closing(connect(path)) as copy, transaction(copy) as session:
        session.change("forget_passes")
        session.change("forget_jobs")
        session.change("forget_presence")


def put_in_place(session: Session, backup: Session) -> None:
    """Put the rows of a backup in the place of all that is there. Passes and jobs stay, of tables that do."""
    passes, jobs = list(session.stream("every_pass")), list(session.stream("every_job"))
    session.change("delete_everything")
    copy_rows(backup, session)
    session.change_all("add_pass", passes)
    session.change_all("keep_job", jobs)


def copy_rows_to_file(source: Session, path: Path) -> None:
    with closing(open_up_to_date(path)) as copy:
        with transaction(copy) as target:
            copy_rows(source, target)
        copy.pragma("journal_mode", "delete")


def copy_rows(source: Session, target: Session) -> None:
    for kind in _KINDS:
        rows = source.stream(f"every_{kind}")
        while some := list(islice(rows, _AT_ONCE)):
            target.change_all(f"put_{kind}", some)


@contextmanager
def opened_backup(path: Path) -> Iterator[Session]:
    """A backup as this version of the program would have written it. The file itself stays as it is."""
    if not path.is_file():
        raise FileNotFoundError(f"There is no backup {path}.")
    with TemporaryDirectory(prefix="astragal-") as folder, in_words(path):
        copy = Path(folder) / "backup.db"
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as original:
            copy_file(original, copy)
        with closing(connect(copy)) as connection:
            check_ours(connection, path)
            if connection.pragma("user_version") == 0:
                raise NotAStore(f"{path} is empty.")
            if connection.pragma("integrity_check") != "ok":
                raise Damaged(f"{path} is damaged.")
            bring_up_to_date(SqliteSchema(connection), "sqlite", str(path))
            session = SqliteSession(connection)
            for kind in _KINDS:  # whatever can't be read is found before anything is changed for its sake
                deque(session.stream(f"every_{kind}"), maxlen=0)
            yield session


def _sync_folder(folder: Path) -> None:
    """So that the name outlives a power cut too, where folders can be opened for that."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
