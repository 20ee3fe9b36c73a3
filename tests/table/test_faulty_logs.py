"""Logs that can't be read to the end, stores that are full: named, contained, and got over."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest

from astragal.fair import verify
from astragal.storage import open_store
from astragal.table.declarations import Nature, Sight, event
from astragal.table.dice import SeedsLost
from astragal.table.log.codec import DAMAGED
from astragal.table.log.store import Batch, Entry, StoreError, StoreFull
from astragal.table.refusals import NoRoom, ReadOnly, Refusal
from tests.table.fair_tables import FairTable, fair_host
from tests.table.seated import ScriptedDice, Seated, new_host, seat_everyone


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def seated(path: Path) -> Seated:
    return seat_everyone(open_store(f"sqlite:///{path}"))


def last_number(seated: Seated) -> int:
    return seated.host._repository.store.last(seated.table)  # noqa: SLF001 - the log as the store has it


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (Entry(0, "unheard_of", 1, 0, b'{"by":"x","act":"y","event":{}}'), "does not know"),
        (Entry(0, "dared", 99, 0, b'{"by":"x","act":"y","event":{}}'), "newer"),
        (Entry(0, "dared", 1, 0, b'{"by":"x","act":"y","event":{"who":7}}'), "can't be read"),
    ],
    ids=["unknown", "newer", "unreadable"],
)
def test_an_entry_that_can_not_be_read_opens_its_table_read_only(
    seated: Seated, path: Path, entry: Entry, why: str
) -> None:
    number = last_number(seated) + 1
    store = open_store(f"sqlite:///{path}")
    store.append(seated.table, number - 1, Batch((entry._replace(number=number),)))
    other = new_host(store, ScriptedDice())
    untouched = other.open("dare", name="Elsewhere", game_master="Ada")
    with pytest.raises(ReadOnly, match=rf"entry {number} .*{why}"):
        other.act(seated.table, seated.seats["Bo"], ("say", {"words": "hello"}))
    assert other.look(seated.table, seated.seats["Bo"]).characters == seated.look("Bo").characters
    assert other.follow(seated.table, seated.seats["Bo"]).events
    other.act(untouched.table, untouched.seat, ("say", {"words": "hello"}))


def test_a_damaged_entry_is_named_and_what_came_before_can_be_read(seated: Seated, path: Path) -> None:
    before = seated.look("Bo").characters
    seated.dice.faces = [6]
    seated.act("Bo", "dare", who="Kira", danger=2)
    seated.host._repository.store.close()  # noqa: SLF001
    database = apsw.Connection(str(path))
    damage = "CAST(replace(CAST(data AS TEXT), 'made_it', 'made_up') AS BLOB)"
    database.execute(f"UPDATE entries SET data = {damage} WHERE name = 'dared'")  # noqa: S608 - our own text
    database.close()
    later = new_host(open_store(f"sqlite:///{path}"), ScriptedDice())
    with pytest.raises(ReadOnly, match="damaged"):
        later.act(seated.table, seated.seats["Bo"], ("say", {"words": "hello"}))
    assert later.look(seated.table, seated.seats["Bo"]).characters == before


def test_a_full_store_refuses_and_recovers_by_itself(seated: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_full(*_: object) -> None:
        raise StoreFull("no room")

    with monkeypatch.context() as patched:
        patched.setattr(seated.host._repository.store, "append", is_full)  # noqa: SLF001 - the disk is full
        with pytest.raises(NoRoom, match="Nothing was lost"):
            seated.act("Bo", "say", words="hello")
    seated.act("Bo", "say", words="hello again")
    assert [words for words in seated.words("Cy") if "hello" in words] == ["Bo: hello again"]


def test_old_versions_of_an_event_are_lifted() -> None:
    from astragal.table.authoring.chapter import Event, EventSpec
    from astragal.table.log.codec import Codec

    @event("moved", version=3, nature=Nature.STORY, lifts={1: lambda old: old | {"far": 1}, 2: _in_feet})
    class Moved(Event):
        who: str
        far: int

    codec = Codec([EventSpec(Moved, lambda moved, teller: moved.who)], [], object)
    first = Entry(1, "moved", 1, 0, b'{"by":"a","act":"b","event":{"who":"Kira"}}')
    second = Entry(2, "moved", 2, 0, b'{"by":"a","act":"b","event":{"who":"Kira","far":4}}')
    assert [codec.decode(entry, {}).event.far for entry in (first, second)] == [3, 12]


def _in_feet(old: dict[str, object]) -> dict[str, object]:
    return old | {"far": int(str(old["far"])) * 3}


def test_the_log_of_every_release_can_still_be_read(tmp_path: Path) -> None:
    """An export of each release is kept beside this file; it opens, and stands where it stood."""
    logs = sorted((Path(__file__).parent / "logs").glob("*.jsonl"))
    assert logs
    for log in logs:
        folder = tmp_path / log.stem
        folder.mkdir()
        host = new_host(open_store(f"sqlite:///{folder}/tables.db"), ScriptedDice())
        table = host.archive.import_table(log.read_bytes().splitlines(keepends=True))
        live = host._repository.at(table)  # noqa: SLF001 - no seat is known here
        assert live.fault is None
        assert {one.name: one.sheet.nerve for one in live.state.characters.values()} == {"Kira": 1, "Lund": 2}
        assert live.state.rewinds == 1
        shutil.rmtree(folder)


# ---------------------------------------------------------------- what is missing or was changed beside the log


def run_on(path: Path, sql: str) -> None:
    with closing(apsw.Connection(str(path))) as database:
        database.execute(sql)


def test_words_that_were_changed_in_the_store_are_not_passed_off_as_said(seated: Seated, path: Path) -> None:
    seated.act("Bo", "say", words="I open the door")
    run_on(path, "UPDATE texts SET words = CAST('I burn the door' AS BLOB) WHERE CAST(words AS TEXT) LIKE 'I open%'")
    later = new_host(open_store(f"sqlite:///{path}"), ScriptedDice())
    told = later.follow(seated.table, seated.seats["Bo"]).events[-1].words
    assert told == "Bo: [this text was changed in the database]"
    later.act(seated.table, seated.seats["Bo"], ("say", {"words": "hello"}))


def test_words_that_are_lost_in_the_store_are_not_passed_off_as_blanked(seated: Seated, path: Path) -> None:
    lost = seated.act("Bo", "say", words="I open the door")
    blanked = seated.act("Bo", "say", words="my address is 12 Elm Street")
    seated.host.archive.forget_words(seated.table, seated.seats["Bo"], blanked.act)
    for sql in (
        "UPDATE texts SET words = NULL WHERE CAST(words AS TEXT) LIKE 'I open%'",
        "UPDATE texts SET digest = 'other' WHERE words IS NULL AND salt <> x''",
    ):
        run_on(path, sql)
        later = new_host(open_store(f"sqlite:///{path}"), ScriptedDice())
        told = {one.act: one.words for one in later.follow(seated.table, seated.seats["Bo"]).events}
        assert told[lost.act] == "Bo: [this text was changed in the database]"
        assert told[blanked.act] == "Bo: …"


def told_by(path: Path, table: str, seat: str) -> list[str] | None:
    """Everything that a seat reads of a table, in words; None if a sentence says that something is wrong."""
    store = None
    try:
        store = open_store(f"sqlite:///{path}")
        host = new_host(store, ScriptedDice())
        events = host.follow(table, seat, most=1_000).events
        notes = [f"{note.title}: {note.words}" for note in host.look(table, seat).notes.values()]
        if host.archive.fault(table):
            return None
    except (StoreError, Refusal):
        return None
    finally:
        if store is not None:
            with suppress(StoreError):
                store.close()
    return [*(event.words for event in events), *notes]


def reads_as_before_or_says_so(told: list[str] | None, before: list[str]) -> bool:
    """Return whether each text is as it was, or is named as changed."""
    if told is None:
        return True
    if len(told) != len(before):
        return False
    return all(now == then or DAMAGED in now for now, then in zip(told, before, strict=True))


def bits_of_texts(file: bytes, words: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of bits of rows of texts, every third: the words, and salt, digest and header before them."""
    for said in words:
        start = file.index(said.encode())
        yield from range(8 * (start - 110), 8 * (start + len(said)), 3)


@pytest.mark.slow
def test_a_flipped_bit_changes_nothing_that_is_read_without_a_word(seated: Seated, path: Path, tmp_path: Path) -> None:
    """Bits of two texts in the file, and 300 others anywhere in it."""
    words = ["I open the door, and go down.", "The well is deep."]
    seated.act("Bo", "say", words=words[0])
    seated.act("Ada", "write_note", title="The well", words=words[1], audience="all")
    for number in range(20):
        seated.act("Bo", "say", words=f"Step {number}.")
    blanked = seated.act("Bo", "say", words="my address is 12 Elm Street")
    seated.host.archive.forget_words(seated.table, seated.seats["Bo"], blanked.act)
    seat = seated.seats["Bo"]
    seated.host._repository.store.close()  # noqa: SLF001 - so that all is in one file
    whole, flipped = path.read_bytes(), tmp_path / "flipped.db"
    flipped.write_bytes(whole)
    before = told_by(flipped, seated.table, seat)
    assert before
    assert {True} == {any(said in line for line in before) for said in words}
    dice = random.Random(46)
    bits = [*bits_of_texts(whole, words), *(dice.randrange(8 * len(whole)) for _ in range(300))]
    silent = []
    named = 0
    for bit in bits:
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        for beside in tmp_path.glob("flipped.db*"):
            beside.unlink()
        flipped.write_bytes(damaged)
        told = told_by(flipped, seated.table, seat)
        named += told != before
        if not reads_as_before_or_says_so(told, before):
            silent.append((bit, told))
    assert not silent
    assert named > len(bits) / 3, "most bits of a file are of no use to anybody"


def test_a_log_that_ends_early_can_only_be_read(seated: Seated, path: Path) -> None:
    number = last_number(seated)
    seated.act("Bo", "say", words="hello")
    run_on(path, f"DELETE FROM entries WHERE number > {number}")  # noqa: S608 - a number
    later = new_host(open_store(f"sqlite:///{path}"), ScriptedDice())
    with pytest.raises(ReadOnly, match=rf"^This table can only be read: it is damaged after entry {number}\.$"):
        later.act(seated.table, seated.seats["Bo"], ("say", {"words": "hello"}))
    assert later.follow(seated.table, seated.seats["Bo"]).events


def test_where_seeds_are_lost_the_ledger_says_so_and_new_dice_are_rolled(path: Path) -> None:
    table = FairTable(open_store(f"sqlite:///{path}"))
    table.dare(table.bo)
    table.dare(table.ada, sight=Sight.HIDDEN)
    run_on(path, "DELETE FROM private")
    table.host = fair_host(open_store(f"sqlite:///{path}"))
    with pytest.raises(SeedsLost, match="try again, and it goes on with new ones"):
        table.dare(table.bo)
    table.dare(table.bo)
    table.dare(table.ada, sight=Sight.HIDDEN)
    assert [line["why"] for line in table.lines("gap")] == ["the seeds of the dice were lost"]
    assert verify(table.ledger(), table.receipts).sound
