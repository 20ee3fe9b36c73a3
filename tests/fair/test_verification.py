import io
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from astragal.fair import LINKS, Fault, Ledger, Verdict, lines, sources, verify
from astragal.fair.spelling import read, spell
from tests.fair.tables import Table, an_evening

GARBAGE = [
    b"",
    b"\xff",
    b"null",
    b'{"t":7}',
    b'{"t":"tip"}',
    b'{"t":"unseal"}',
    b'{"t":"genesis","table":"\\ud800","v":"FD1"}',
]


PROMISED_LATE = (
    "The dice of {} were promised in the call that rolled them: whoever runs the server could have tried several "
    "promises, knowing what for."
)


@pytest.fixture(scope="module")
def evening() -> Table:
    return an_evening()


def test_a_report_counts_what_was_checked(evening: Table) -> None:
    report = verify(evening.lines, evening.receipts)
    assert report.sound
    assert (report.table, report.lines, report.head) == ("demo-table", len(evening.lines), evening.ledger.head.hex())
    assert (report.rolls, report.paired, report.dice) == (11, 5, 21)
    assert (report.hidden, report.witnessed, report.opened, report.voided, len(report.unopened)) == (5, 3, 3, 1, 1)
    assert (report.rewinds, report.overrides, report.entered, report.renewed, report.gaps) == (2, 1, 1, 0, 0)
    assert (report.facts, report.unseals, report.uninterpreted) == (2, 2, 1)


def test_a_report_speaks_to_people(evening: Table) -> None:
    assert verify(evening.lines, evening.receipts).sentences() == (
        "Nobody changed these 15 rolls. 3 were hidden and have been opened; 1 is still closed.",
        f"46 lines of the ledger of demo-table hold, head {evening.ledger.head.hex()}.",
        "11 open rolls, 5 of them paired with a player's own chain.",
        "5 hidden rolls: 3 opened, 1 unopened, 1 withdrawn before an answer; 3 witnessed.",
        "21 dice of these drawn again from the links, and the same.",
        "2 facts and 2 opened seals.",
        "It was begun by an older program: not every command left a fact, so what rolls led to is not sealed.",
        "46 receipts agreed with the ledger.",
        "Not opened: the hidden rolls of line 20.",
        PROMISED_LATE.format("line 15"),
        "The table was rewound 2 times.",
        "The game master overrode the dice once.",
        "1 roll entered by hand: nothing proves these.",
        "1 line of other kinds: chained, not interpreted.",
    )


def test_a_roll_is_named_if_nothing_but_promises_stands_between_it_and_its_own() -> None:
    table = Table()
    table.promise("s:alice", sources.GM_OPEN)
    table.begin_scene("harbour", 2)
    table.roll("alice", 20)
    late = verify(table.lines)
    assert (late.promised, late.late, late.findings().verdict) == (((5, 4),), (5,), Verdict.SOUND)
    table.roll("alice", 20)
    table.ask("do they hear it?", 20)
    table.write(lines.gap("restored"))
    table.promise("s:alice")
    table.roll("alice", 20)
    assert verify(table.lines).promised == ((5, 4), (6, 5), (7, 4), (10, 1))
    assert verify(table.lines).late == (5, 10)
    assert PROMISED_LATE.format("lines 5, 10") in verify(table.lines).sentences()


def test_a_report_says_how_long_before_each_roll_its_dice_were_promised() -> None:
    table = Table()
    table.promise("s:alice")
    table.note("Alice sits down.")
    table.roll("alice", 20)
    assert "The dice of each roll were promised 2 lines before it, or more." in verify(table.lines).sentences()


def test_a_failure_names_the_line_the_code_and_the_reason(evening: Table) -> None:
    forged = [*evening.lines, evening.lines[-1]]
    report = verify(forged)
    assert report.failure
    assert (report.failure.line, report.failure.code) == (46, Fault.LINK_REPLAYED)
    assert report.sentences()[0] == (
        "Line 46 fails (link-replayed): This link of s:gm-open was spent before: no link is spent twice."
    )
    assert report.sentences()[1] == "Apart from that:"
    assert report.lines == 46


def test_a_report_without_receipts_says_what_it_could_not_see(evening: Table) -> None:
    assert "No receipt was given" in " ".join(verify(evening.lines).sentences())


def test_a_file_is_verified_as_it_lies(evening: Table) -> None:
    assert verify(io.BytesIO(evening.file())) == verify(evening.lines)


def test_an_empty_ledger_proves_nothing() -> None:
    failure = verify([]).failure
    assert failure
    assert failure.code == Fault.NO_GENESIS


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_is_a_failure_and_no_crash(garbage: bytes, evening: Table) -> None:
    assert not verify([*evening.lines, garbage]).sound
    assert not verify([garbage]).sound


@pytest.mark.parametrize("line", [0, 14, 20])
def test_only_the_seal_of_a_roll_or_a_fact_is_unsealed(line: int, evening: Table) -> None:
    unseal = b'{"line":%d,"req":"text","salt":"%b","t":"unseal"}' % (line, b"0" * 32)
    failure = verify([*evening.lines, unseal]).failure
    assert failure
    assert failure.code == Fault.NO_SEAL


def test_progress_is_told_by_the_thousand_and_at_the_end() -> None:
    table = Table()
    for _ in range(2500):
        table.write(lines.fact(bytes(32)))
    told: list[int] = []
    verify(table.lines, progress=told.append)
    assert told == [1000, 2000, 2501]


ACTS: list[Callable[[Table, int], object]] = [
    lambda table, n: table.roll("alice", *[n + 2] * (n % 4)),
    lambda table, n: table.roll("bob", 1_000_000 - n, difficulty=f"difficulty {n}"),
    lambda table, n: table.roll("gm", 6, 6, req=f"{n} é \u2028"),
    lambda table, n: table.begin_scene(f"scene-{n % 3}", n % 3),
    lambda table, _: table.ledger.hidden_left and table.ask("secret", 20),
    lambda table, n: table.ledger.hidden_left and table.ask("watched", 20, witnesses=["w:bob", "w:alice"][: n % 2 + 1]),
    lambda table, _: [table.answer(line) for line in unanswered(table)[:1]],
    lambda table, _: [table.write(lines.void(line)) for line in unanswered(table)[-1:]],
    lambda table, n: [table.open(line, *[6] * (n % 3)) for line in answered(table)[n % 2 : n % 2 + 1]],
    lambda table, n: table.unseal(table.note(f"note {n}")),
    lambda table, n: table.rewind(why=f"reason {n}"),
    lambda table, n: table.write(lines.entered("e", "bob", "by hand", [6], [n % 6 + 1])),
    lambda table, n: table.write(lines.override("o", "gm", n % table.ledger.lines, "late")),
    lambda table, _: lose_a_chain(table, "u:alice"),
    lambda table, _: restore(table),
]


def unanswered(table: Table) -> list[int]:
    return [line for line, ask in table.ledger.asks.items() if ask.waits]


def answered(table: Table) -> list[int]:
    return [line for line, ask in table.ledger.asks.items() if ask.answered]


def lose_a_chain(table: Table, src: str) -> None:
    table.write(lines.gap("lost", src))
    table.keep_own_chain(src)


def restore(table: Table) -> None:
    table.write(lines.gap("restored"))
    table.promise("s:alice", "s:bob", "s:gm-open")
    table.keep_own_chain("u:alice", "w:alice", "w:bob")


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(ACTS), st.integers(min_value=0, max_value=50)), max_size=30))
def test_any_ledger_that_the_library_writes_verifies(acts: list[tuple[Callable[[Table, int], object], int]]) -> None:
    table = Table()
    table.promise("s:alice", "s:bob", "s:gm-open")
    table.keep_own_chain("u:alice", "w:alice", "w:bob")
    table.begin_scene("scene-0", 3)
    for act, n in acts:
        act(table, n)
    report = verify(io.BytesIO(table.file()), table.receipts)
    assert report.failure is None
    assert report.head == table.ledger.head.hex()
    assert report.unopened == tuple(table.ledger.asks)
    assert Ledger.from_json(table.ledger.to_json()) == table.ledger


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_any_change_of_a_single_byte_shows_against_the_last_receipt(evening: Table, data: st.DataObject) -> None:
    file = bytearray(evening.file())
    place = data.draw(st.integers(min_value=0, max_value=len(file) - 1))
    file[place] = data.draw(st.integers(min_value=0, max_value=255).filter(lambda byte: byte != file[place]))
    assert not verify(io.BytesIO(bytes(file)), evening.receipts[-1:]).sound


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_whatever_stands_in_a_field_is_judged_and_crashes_nothing(evening: Table, data: st.DataObject) -> None:
    forged = list(evening.lines)
    number = data.draw(st.integers(min_value=0, max_value=len(forged) - 1))
    fields = read(forged[number])
    name = data.draw(st.sampled_from(sorted(fields)))
    forged[number] = spell({**fields, name: data.draw(anything)})
    assert verify(forged).lines <= len(forged)
    assert verify(forged, evening.receipts).sound == (forged == evening.lines)


@pytest.mark.slow
def test_thousands_of_rolls_and_their_renewed_chains_verify() -> None:
    table = Table()
    table.promise("s:alice")
    for n in range(2 * LINKS + 1):
        if n and n % LINKS == 0:
            assert table.ledger.to_renew == ("s:alice",)
            table.promise("s:alice")
        table.roll("alice", 20)
    report = verify(table.lines)
    assert (report.rolls, report.renewed) == (2 * LINKS + 1, 2)
