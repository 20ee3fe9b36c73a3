"""The log and what is kept with it, on every store."""

from hashlib import sha256
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from msgspec.structs import replace

from astragal.table.log.store import Answer, Append, Batch, Conflict, Entry, NoSuchTable, Store, TableExists, Text
from tests.storage.batches import answered, entries, entry

NAMES = some.text(some.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)
INTEGERS = some.integers(-(2**63), 2**63 - 1)
WORDS = some.none() | some.text(some.characters(codec=None, exclude_categories=()))
happened = some.tuples(NAMES, INTEGERS, INTEGERS, some.binary())
batches = some.builds(
    lambda events, answer, texts, private: Batch(
        tuple(Entry(number, *event) for number, event in enumerate(events, start=1)), answer, tuple(texts), private
    ),
    some.lists(happened, max_size=5),
    some.none() | some.builds(Answer, NAMES, some.binary(), some.binary()),
    some.lists(some.builds(Text, NAMES, some.binary(), WORDS), max_size=3, unique_by=lambda text: text.digest),
    some.dictionaries(NAMES, some.binary(), max_size=3),
)
fresh = count(1)


def in_turn(batch: Batch, turn: int, after: int) -> Batch:
    """The batch, numbered after this entry; its command and texts are no other turn's."""
    numbered = tuple(kept._replace(number=kept.number + after) for kept in batch.entries)
    answer = batch.answer and batch.answer._replace(command=f"{turn} {batch.answer.command}")
    texts = tuple(text._replace(digest=f"{turn} {text.digest}") for text in batch.texts)
    return replace(batch, entries=numbered, answer=answer, texts=texts)


@pytest.mark.slow
@settings(
    max_examples=60,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(drawn=some.lists(batches, min_size=1, max_size=4))
def test_what_is_read_is_what_was_given(store: Store, drawn: list[Batch]) -> None:
    table = f"table {next(fresh)}"
    given = [in_turn(drawn[0], 0, after=0)]
    store.create(table, given[0])
    for turn, batch in enumerate(drawn[1:], start=1):
        last = store.last(table)
        given.append(in_turn(batch, turn, after=last))
        store.append(table, last, given[-1])
    answers = [batch.answer for batch in given if batch.answer]
    assert list(store.read(table)) == [kept for batch in given for kept in batch.entries]
    assert [store.answer(table, answer.command) for answer in answers] == answers
    texts = [text if text.words is not None else text._replace(salt=b"") for batch in given for text in batch.texts]
    assert store.texts(table) == {text.digest: text for text in texts}
    assert store.private(table) == {name: data for batch in given for name, data in batch.private.items()}


def test_a_long_log_is_read_in_order_and_from_anywhere(store: Store) -> None:
    store.create("table", entries(1, 2_000))
    assert [kept.number for kept in store.read("table")] == list(range(1, 2_001))
    assert [kept.number for kept in store.read("table", after=1_990)] == list(range(1_991, 2_001))
    assert [kept.number for kept in store.read("table", after=499, up_to=1_003)] == list(range(500, 1_004))
    assert not list(store.read("table", after=2_000))
    assert not list(store.read("table", after=10**30))
    assert len(list(store.read("table", up_to=10**30))) == 2_000


def test_entries_may_be_added_while_a_log_is_read(store: Store) -> None:
    store.create("table", entries(1, 1_000))
    reading = store.read("table")
    assert next(reading).number == 1
    store.append("table", 1_000, entries(1_001))
    assert [kept.number for kept in reading] == list(range(2, 1_002))


def test_a_table_can_begin_empty(store: Store) -> None:
    store.create("table", Batch(()))
    assert store.last("table") == 0
    assert not list(store.read("table"))
    store.append("table", 0, entries(1))
    assert store.last("table") == 1


def test_a_table_is_created_once(store: Store) -> None:
    store.create("table", answered(1, "open", b"first"))
    with pytest.raises(TableExists, match="There is a table table already"):
        store.create("table", answered(1, "open again", b"second"))
    assert [kept.data for kept in store.read("table")] == [b"first"]
    assert store.answer("table", "open again") is None


@pytest.mark.parametrize("stale", [0, 2, 4, 1_000])
def test_only_who_knows_the_last_entry_can_append(store: Store, stale: int) -> None:
    store.create("table", entries(1, 3))
    with pytest.raises(Conflict, match=f"at entry 3, not {stale}"):
        store.append("table", stale, answered(stale + 1, "late"))
    assert store.last("table") == 3
    assert store.answer("table", "late") is None
    assert not store.texts("table")
    assert not store.private("table")


def test_what_is_appended_to_several_tables_is_one_transaction(store: Store) -> None:
    for table in "ba":
        store.create(table, entries(1))
    before = store.changes()
    store.append_all([Append("b", 1, answered(2, "roll")), Append("a", 1, answered(2, "say", b"words"))])
    assert [(store.last(table), store.private(table)) for table in "ba"] == [
        (2, answered(2, "roll").private),
        (2, answered(2, "say", b"words").private),
    ]
    assert (before is None) == (store.changes() is None)


@pytest.mark.parametrize(
    "late",
    [
        Append("other", 0, entries(1)),
        Append("other", 1, entries(2), b"another tail"),
        Append("other", 1, answered(2, "begin")),
        Append("nowhere", 1, entries(2)),
        Append("one", 1, answered(2, "again")),
    ],
    ids=["an entry of another", "another log", "an answered command", "no such table", "twice"],
)
def test_nothing_is_appended_where_others_were_first_at_any_table(store: Store, late: Append) -> None:
    store.create("one", entries(1))
    store.create("other", answered(1, "begin"))
    with pytest.raises(Conflict):
        store.append_all([Append("one", 1, answered(2, "roll")), late])
    assert [store.last(table) for table in ("one", "other")] == [1, 1]
    assert store.answer("one", "roll") is store.answer("one", "again") is None


def test_a_command_is_answered_once_and_the_second_time_leaves_nothing(store: Store) -> None:
    store.create("table", entries(1))
    store.append("table", 1, answered(2, "roll", b"six"))
    again = replace(answered(3, "roll", b"one"), private={"key": b"new"})
    with pytest.raises(Conflict, match="Command roll of table table is answered already"):
        store.append("table", 2, again)
    assert store.last("table") == 2
    assert store.answer("table", "roll") == Answer("roll", b"asked six", b"answer six")
    assert "key" not in store.private("table")


def test_the_same_command_id_at_another_table_is_another_command(store: Store) -> None:
    store.create("one", answered(1, "roll", b"1"))
    store.create("other", answered(1, "roll", b"2"))
    assert store.answer("other", "roll") == Answer("roll", b"asked 2", b"answer 2")


def test_an_answer_without_entries_is_kept_if_nobody_was_there_first(store: Store) -> None:
    store.create("table", entries(1))
    store.append("table", 1, Batch((), Answer("look", b"", b"seen")))
    assert store.answer("table", "look") == Answer("look", b"", b"seen")
    with pytest.raises(Conflict):
        store.append("table", 0, Batch((), Answer("look again", b"", b"seen")))


def test_entries_with_wrong_numbers_are_the_callers_mistake(store: Store) -> None:
    store.create("table", entries(1))
    for wrong in (Batch((entry(3),)), Batch((entry(2), entry(4))), Batch((entry(2), entry(2)))):
        with pytest.raises(ValueError, match="numbered from 2 on"):
            store.append("table", 1, wrong)
    store.append("table", 1, entries(2))


def test_an_unknown_table_is_named_as_such(store: Store) -> None:
    for ask in (
        lambda: store.last("nowhere"),
        lambda: store.read("nowhere"),
        lambda: store.append("nowhere", 0, entries(1)),
        lambda: store.append("nowhere", 5, entries(6)),
        lambda: store.delete("nowhere"),
    ):
        with pytest.raises(NoSuchTable, match="There is no table nowhere"):
            ask()
    assert store.answer("nowhere", "roll") is None
    assert store.snapshot("nowhere") is None
    assert not store.texts("nowhere")
    assert not store.private("nowhere")
    assert not store.tables()


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800", "new\nline", "x" * 201, "\u200b"])
def test_what_can_be_no_name_is_refused_when_written_and_not_there_when_read(store: Store, name: str) -> None:
    store.create("table", entries(1))
    with pytest.raises(ValueError, match="is no name"):
        store.create(name, entries(1))
    with pytest.raises(ValueError, match="is no name"):
        store.append("table", 1, answered(2, name))
    with pytest.raises(NoSuchTable):
        store.last(name)
    with pytest.raises(NoSuchTable):
        store.read(name)
    with pytest.raises(NoSuchTable):
        store.delete(name)
    assert store.answer(name, "roll") is None
    assert store.answer("table", name) is None
    assert not store.texts("table", [name])
    store.blank("table", name)
    assert store.last("table") == 1


@pytest.mark.parametrize("name", ["Ω", "räuber & gendarm", "'; DROP TABLE entries; --", "%s", "x" * 200, "🎲" * 200])
def test_any_printable_name_will_do(store: Store, name: str) -> None:
    store.create(name, answered(1, name[:180]))
    assert store.tables() == [name]
    assert store.last(name) == 1
    assert store.answer(name, name[:180])


def test_names_that_differ_in_case_or_unicode_form_are_different(store: Store) -> None:
    for name in ("table", "Table", "caf\u00e9", "cafe\u0301"):
        store.create(name, entries(1))
    assert store.tables() == ["table", "Table", "caf\u00e9", "cafe\u0301"]


def test_tables_are_listed_oldest_first_and_know_nothing_of_each_other(store: Store) -> None:
    for name in ("c", "a", "b"):
        store.create(name, answered(1, "open", name.encode()))
    store.delete("a")
    store.create("a", entries(1, 2))
    assert store.tables() == ["c", "b", "a"]
    assert [kept.data for kept in store.read("b")] == [b"b"]
    assert store.private("b") == {"key of open": b"b"}


def test_a_deleted_table_leaves_nothing_behind(store: Store) -> None:
    store.create("table", answered(1, "open"))
    store.delete("table")
    with pytest.raises(NoSuchTable):
        store.last("table")
    store.create("table", Batch(()))
    assert store.answer("table", "open") is None
    assert not store.texts("table")
    assert not store.private("table")


def test_texts_are_found_by_digest(store: Store) -> None:
    texts = tuple(Text(f"digest {number}", b"salt", f"words {number}") for number in range(5))
    store.create("table", Batch((entry(1),), texts=texts))
    found = store.texts("table", ["digest 1", "digest 3", "digest 9", "digest 1"])
    assert found == {"digest 1": texts[1], "digest 3": texts[3]}
    assert store.texts("table", []) == {}
    assert len(store.texts("table")) == 5


def test_a_blanked_text_stays_blank(store: Store) -> None:
    text = Text("digest", b"salt", "a name that should not be here")
    store.create("table", Batch((entry(1),), texts=(text,)))
    store.blank("table", "digest")
    store.append("table", 1, Batch((entry(2),), texts=(text,)))
    assert store.texts("table") == {"digest": Text("digest", b"", None)}, "nobody can try out what it said"
    store.blank("table", "no such digest")
    store.blank("nowhere", "digest")


def test_a_private_value_can_be_given_anew(store: Store) -> None:
    store.create("table", Batch((entry(1),), private={"seed": b"1", "key": b"k"}))
    store.append("table", 1, Batch((entry(2),), private={"seed": b"2"}))
    assert store.private("table") == {"seed": b"2", "key": b"k"}


def test_what_one_store_keeps_another_reads(store: Store, other_store: Store) -> None:
    store.create("table", answered(1, "open", b"1"))
    other_store.append("table", 1, answered(2, "roll", b"2"))
    assert list(store.read("table")) == list(other_store.read("table"))
    assert store.answer("table", "roll") == other_store.answer("table", "roll")


def test_who_appends_may_say_what_the_last_entry_holds(store: Store) -> None:
    store.create("table", Batch((entry(1, b"one"),)))
    with pytest.raises(Conflict, match="another entry 1"):
        store.append("table", 1, answered(2, "late"), b"another one")
    assert store.last("table") == 1
    assert store.answer("table", "late") is None
    store.append("table", 1, answered(2, "roll"), b"one")
    assert store.last("table") == 2


def test_where_changes_are_counted_every_change_counts(store: Store, other_store: Store) -> None:
    counted = [store.changes()]
    assert store.changes() == counted[0]
    store.create("table", entries(1))
    counted.append(store.changes())
    other_store.append("table", 1, entries(2))
    counted.append(store.changes())
    assert counted == [None] * 3 or len(set(counted)) == 3
    assert store.changes() == counted[-1]


def test_pictures_are_kept_with_their_entry_and_go_with_their_table(store: Store) -> None:
    digest = sha256(b"a picture").hexdigest()
    store.create("table", replace(entries(1), pictures={digest: b"a picture"}))
    assert store.pictures("table") == [digest]
    assert store.picture("table", digest) == b"a picture"
    assert store.picture("another", digest) is None
    with pytest.raises(Conflict):
        store.append("table", 7, replace(entries(8), pictures={"0" * 64: b"not kept"}))
    assert store.picture("table", "0" * 64) is None
    store.append("table", 1, replace(entries(2), pictures={digest: b"a picture", "f" * 64: b"damaged"}))
    assert store.picture("table", "f" * 64) is None, "its bytes are not those of its digest"
    store.drop_picture("table", digest)
    assert store.picture("table", digest) is None
    store.delete("table")
    assert store.pictures("table") == []
