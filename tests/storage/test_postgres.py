"""What is PostgreSQL's own: a server that goes away and comes back."""

import time
from collections.abc import Iterator

import pytest

from astragal.storage import open_store
from astragal.table.log.store import Store, StoreError, StoreFull, StoreUnavailable
from tests.patience import LONG
from tests.storage.batches import answered, entries
from tests.storage.places import PostgresPlace, Server, postgres_server
from tests.storage.test_watching import Ear


@pytest.fixture
def store(postgres_place: PostgresPlace) -> Iterator[Store]:
    opened = open_store(postgres_place.url)
    yield opened
    opened.close()


@pytest.fixture
def own_server() -> Iterator[Server]:
    """One that may be stopped."""
    with postgres_server() as server:
        yield server


def append_when_possible(store: Store, after: int) -> None:
    deadline = time.monotonic() + LONG
    while True:
        try:
            return store.append("table", after, answered(after + 1, f"command {after}"))
        except StoreUnavailable:
            assert time.monotonic() < deadline


@pytest.mark.slow
def test_a_server_that_is_away_is_told_and_when_it_is_back_all_goes_on(own_server: Server) -> None:
    store, other = open_store(own_server.get_uri()), open_store(own_server.get_uri())
    store.create("table", entries(1))
    ear = Ear(store)
    ear.wait_for(None)
    own_server.stop()
    for ask in (
        lambda: store.append("table", 1, entries(2)),
        lambda: store.last("table"),
        lambda: store.read("table"),
        store.tables,
        lambda: open_store(own_server.get_uri()),
    ):
        with pytest.raises(StoreUnavailable, match="can't be used now"):
            ask()
    own_server.ensure_postgres_running()
    ear.wait_for(None)
    append_when_possible(store, 1)
    ear.settle()
    append_when_possible(other, 2)
    ear.wait_for("table")
    assert [entry.number for entry in store.read("table")] == [1, 2, 3]
    store.close()
    other.close()


def test_connections_that_the_server_ended_are_not_used_again(store: Store, postgres_place: PostgresPlace) -> None:
    store.create("table", entries(1))
    for after in range(1, 4):
        postgres_place.run(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        store.append("table", after, entries(after + 1))
    assert store.last("table") == 4


def fail_with(place: PostgresPlace, code: str) -> None:
    place.run(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '{code}'; END $$"
    )
    place.run("CREATE TRIGGER fail BEFORE INSERT ON answers FOR EACH ROW EXECUTE FUNCTION fail()")


@pytest.mark.parametrize(
    ("code", "fault"),
    [("53100", StoreFull), ("53200", StoreUnavailable), ("25006", StoreUnavailable), ("22000", StoreError)],
)
def test_what_the_server_refuses_is_told_in_a_sentence_and_leaves_nothing(
    store: Store, postgres_place: PostgresPlace, code: str, fault: type[StoreError]
) -> None:
    store.create("table", entries(1))
    fail_with(postgres_place, code)
    for _ in range(20):  # more than there are connections
        with pytest.raises(fault, match=r"PostgreSQL database .*\.$"):
            store.append("table", 1, answered(2, "roll"))
    assert store.last("table") == 1
    postgres_place.run("DROP TRIGGER fail ON answers")
    store.append("table", 1, answered(2, "roll"))


def test_a_server_set_to_forget_is_asked_to_remember(postgres_place: PostgresPlace) -> None:
    postgres_place.run(
        "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET synchronous_commit = off'; END $$"
    )
    store = open_store(postgres_place.url)
    postgres_place.run(
        "CREATE FUNCTION check_setting() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF current_setting('synchronous_commit') = 'off' THEN RAISE EXCEPTION 'forgetful'; END IF; RETURN NEW; END $$"
    )
    postgres_place.run(
        "CREATE TRIGGER check_setting BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION check_setting()"
    )
    store.create("table", entries(1))
    assert store.last("table") == 1
    store.close()


def test_another_programs_tables_of_the_same_names_do_not_matter(postgres_place: PostgresPlace) -> None:
    postgres_place.run("CREATE TABLE public.entries (x int)")
    store = open_store(postgres_place.url)
    store.create("table", entries(1))
    assert postgres_place.run("SELECT count(*) FROM public.entries") == [(0,)]
    store.close()


def test_a_closed_store_says_so(store: Store) -> None:
    store.create("table", entries(1))
    store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        store.last("table")
    with pytest.raises(StoreUnavailable, match="closed"):
        store.append("table", 1, entries(2))
