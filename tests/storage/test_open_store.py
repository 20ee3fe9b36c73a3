"""A URL says where the tables are kept."""

import subprocess
import sys
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from astragal.storage import BadStoreUrl, default_path, open_store
from astragal.storage.urls import check_postgres_url, without_password
from astragal.table.log.store import StoreError, StoreUnavailable
from tests.storage.batches import entries
from tests.storage.places import environment


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("ASTRAGAL_DB", raising=False)


@pytest.mark.parametrize("url", ["sqlite:///here.db", "here.db", "./here.db", "sqlite:///{}/here.db", "{}/here.db"])
def test_a_file_is_named_by_url_or_path_from_here_or_from_the_root(tmp_path: Path, url: str) -> None:
    open_store(url.format(tmp_path)).close()
    assert (tmp_path / "here.db").is_file()


def test_a_path_is_taken_as_it_is_written(tmp_path: Path) -> None:
    name = "räuber & gendarm? 100%20.db"
    open_store(f"sqlite:///{name}").close()
    assert (tmp_path / name).is_file()


def test_the_environment_names_the_store_where_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTRAGAL_DB", "sqlite:///environment.db")
    open_store().close()
    assert (tmp_path / "environment.db").is_file()
    open_store("given.db").close()
    assert (tmp_path / "given.db").is_file()


def test_without_a_word_the_store_lies_in_the_users_data_folder() -> None:
    store = open_store()
    store.create("table", entries(1))
    store.close()
    assert default_path().is_file()
    store = open_store()
    assert store.tables() == ["table"]
    store.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "sqlite://",
        "sqlite:///",
        "sqlite:tables.db",
        "sqlite://host/tables.db",
        "mysql://host/db",
        "postgresql+psycopg://host/db",
        "http://x",
        "a\0b",
        "postgresql://host:port/db?x=y",
    ],
)
def test_a_url_that_says_nothing_is_refused_in_one_sentence(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadStoreUrl) as told:
        open_store(url)
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "url", ["postgresql://gm:hunter2@[::1]:1/db?connect_timeout=1", "postgresql://gm:hunter2@host:port/db?x=hunter2"]
)
def test_no_sentence_tells_a_password(url: str) -> None:
    with pytest.raises(StoreError) as told:
        open_store(url)
    assert isinstance(told.value, StoreUnavailable | BadStoreUrl)
    assert "hunter2" not in str(told.value)


URLS = {
    "postgresql://gm:hunter2@host/db": "postgresql://gm:…@host/db",
    "postgresql://gm:hunter%402@host:5432/db?sslmode=require": "postgresql://gm:…@host:5432/db?sslmode=require",
    "postgresql://gm:hun:ter2@[::1]:5432/db": "postgresql://gm:…@[::1]:5432/db",
    "postgresql://gm@host/db": "postgresql://gm@host/db",
    "postgresql://gm@host/db?password=hunter2&user=a@b": "postgresql://gm@host/db?password=…&user=a@b",
    "postgres://one:1,two:2/db": "postgres://one:1,two:2/db",
    "postgresql:///db?host=/var/run": "postgresql:///db?host=/var/run",
    "postgresql://gm:hun?ter#2@host/db": "postgresql://gm:…@host/db",
    "sqlite:////srv/a@b.db": "sqlite:////srv/a@b.db",
    "/srv/tables.db": "/srv/tables.db",
}
BROKEN_URLS = {
    "postgresql://gm:hunt@er2@host/db": "postgresql://…@host/db",
    "postgresql://gm:hunt/er2@host/db": "postgresql://…@host/db",
    "postgresql://gm:hunt@er/2@host/db?x=er2": "postgresql://…@host/db",
    "postgresql://gm:5432/er2@host/db": "postgresql://…@host/db",
    "postgresql://gm:hunt/er2": "postgresql://…",
    "mysql://gm:hunter2@host/db": "mysql://…@host/db",
}


@pytest.mark.parametrize(("url", "shown"), [*URLS.items(), *BROKEN_URLS.items()])
def test_a_url_is_shown_without_its_password(url: str, shown: str) -> None:
    assert without_password(url) == shown


@pytest.mark.parametrize("url", [url for url in URLS if url.startswith("postgres")])
def test_urls_that_postgres_reads_as_they_are_meant_are_accepted(url: str) -> None:
    check_postgres_url(url)
    assert conninfo_to_dict(url)


@pytest.mark.parametrize("url", [url for url in BROKEN_URLS if url.startswith("postgres")])
def test_a_password_that_is_not_encoded_is_refused_with_how_to_write_it(url: str) -> None:
    with pytest.raises(BadStoreUrl, match="In a password, @ is written %40") as told:
        open_store(url)
    assert "er2" not in str(told.value)


@pytest.mark.slow
@pytest.mark.parametrize(("url", "unwanted"), [("here.db", "psycopg"), (None, "psycopg")])
def test_a_driver_that_is_not_needed_is_not_imported(url: str | None, unwanted: str) -> None:
    lines = (
        f"import sys; from astragal.storage import open_store; assert 'apsw' not in sys.modules; open_store({url!r})"
    )
    checked = f"{lines}; assert {unwanted!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", checked], check=True, env=environment())


@pytest.mark.parametrize("url", ["memory:", ":memory:", "sqlite:///:memory:"])
def test_a_store_in_memory_is_gone_when_it_is_closed(tmp_path: Path, url: str) -> None:
    store, other = open_store(url), open_store(url)
    store.create("table", entries(1))
    assert store.tables() == ["table"]
    assert other.tables() == []
    store.close()
    other.close()
    assert not list(tmp_path.iterdir())
    again = open_store(url)
    assert again.tables() == []
    again.close()
