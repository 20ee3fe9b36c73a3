"""Stores under concurrency: four processes that spend one pool, and programs killed while they migrate a database."""

import atexit
from functools import cache
from itertools import count
from multiprocessing.pool import Pool
from random import Random

from astragal.storage import open_store
from astragal.storage.queries import scripts
from astragal.table.log.audit import audit
from astragal.table.refusals import Refusal
from benchmarks.soak.clients import Figures, folder
from benchmarks.soak.kills import forks, own_postgres
from tests.storage.places import Place, SqlitePlace, finished, postgres_database
from tests.table.fair_tables import FairTable, fair_host

PROCESSES = 4
NERVE = 6
DIALECTS = ("sqlite", "postgres")
ADDED = {2: ("texts", "private"), 3: ("snapshots",), 4: ("presence", "passes"), 6: ("pictures",), 7: ("jobs",)}
"""Tables that each migration creates; the fifth and the eighth add a column, the ninth changes rows."""


def pool(seed: int) -> Figures:
    """Let four processes spend one pool of nerve at once: no point is spent twice."""
    random = Random(seed)
    with folder() as place:
        url = f"sqlite:///{place}/tables.db"
        store = open_store(url)
        host = fair_host(store)
        opened = host.open("dare", name="The Cliff", game_master="Ada", options={"nerve": NERVE})
        joined = host.act(opened.table, opened.seat, ("join", {"name": "Kira"}))
        kira = str(joined.events[0].fields["who"])
        given = [(url, opened.table, opened.seat, kira, random.getrandbits(32)) for _ in range(PROCESSES)]
        spent = sum(_processes().starmap(_spend, given, chunksize=1))
        left = host.look(opened.table, opened.seat).characters[kira].sheet.nerve
        assert left == NERVE - spent, f"{spent} were spent of {NERVE}, and {left} are left"
        assert left >= 0
        assert not audit(list(host.archive.export(opened.table, opened.seat))).edits
        store.close()
    return {"points spent": spent}


@cache
def _processes() -> Pool:
    found = forks().Pool(PROCESSES)
    atexit.register(found.terminate)
    return found


def _spend(url: str, table: str, seat: str, who: str, seed: int) -> int:
    """Dare, and pay what is asked, until the nerve is gone; returns what was paid."""
    random, store, spent = Random(seed), open_store(url), 0
    host = fair_host(store)
    for _ in range(12):
        try:
            done = host.act(table, seat, ("dare", {"who": who, "danger": random.randint(5, 8)}))
            if done.waits_for:
                (asked,) = (one for one in host.decisions(table, seat) if one.act == done.act)
                most = asked.choices[-1].answer
                done = host.act(table, seat, ("answer", {"act": done.act, "answer": most}))
            spent += sum(event.fields["spent"] for event in done.events if "spent" in event.fields)
        except (Refusal, ValueError):  # another process was faster
            continue
    store.close()
    return spent


def migrations(seed: int) -> Figures:
    """Kill a program before each statement of migrating a database; the next one continues.

    Each round has one older version of one database: 16 rounds have all.
    """
    version, dialect = divmod(seed % (len(DIALECTS) * len(scripts("sqlite"))), len(DIALECTS))
    if DIALECTS[dialect] == "sqlite":
        with folder() as path:
            for statement in count():
                if not killed_at(SqlitePlace(path / f"{statement}.db"), version, statement):
                    return {"databases": 1, "kills": statement}
    for statement in count():
        with postgres_database(own_postgres().url) as place:
            if not killed_at(place, version, statement):
                return {"databases": 1, "kills": statement}
    raise AssertionError("it is killed without end")


def killed_at(place: Place, version: int, statement: int) -> bool:
    """Return whether a program that opened a database of this version was killed before this statement."""
    dialect = "sqlite" if isinstance(place, SqlitePlace) else "postgres"
    store = open_store(place.url) if version else None
    table = FairTable(store) if store else None
    before = list(store.read(table.table)) if store and table else []
    if store:
        store.close()
        _make_older(place, dialect, version)
    code, said = finished("open_and_die", place.url, str(statement))
    assert said == "opened\n" or code < 0, said
    store = open_store(place.url)
    if table:
        assert list(store.read(table.table)) == before
        if version > 1:  # the first version had no place for dice seeds
            fair_host(store).act(table.table, table.bo, ("dare", {"who": "Kira", "danger": 9}))
    else:
        FairTable(store)
    store.close()
    asked = "PRAGMA user_version" if dialect == "sqlite" else "SELECT max(number) FROM migrations"
    assert place.run(asked) == [(len(scripts(dialect)),)]
    return code < 0


def _make_older(place: Place, dialect: str, version: int) -> None:
    for number in range(len(scripts(dialect)), version, -1):
        for name in ADDED.get(number, ()):
            place.run(f"DROP TABLE {name}")
    if version < 5:
        place.run("ALTER TABLE tables DROP COLUMN length")
    if 4 <= version < 8:
        place.run("DROP INDEX passes_of_a_device")
        place.run("ALTER TABLE passes DROP COLUMN device")
    if dialect == "sqlite":
        place.run(f"PRAGMA user_version = {version}")
    else:
        place.run(f"DELETE FROM migrations WHERE number > {version}")  # noqa: S608 - the number is ours
