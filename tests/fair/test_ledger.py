import pytest

from astragal.fair import RENEWED_WITHIN, Chain, Fault, Ledger, lines, next_head, verify
from tests.fair.tables import Table, an_evening, refused, seed_of, thrown


@pytest.fixture
def table() -> Table:
    table = Table()
    table.promise("s:alice", "s:bob", "s:gm-open")
    return table


def test_a_ledger_is_a_value(table: Table) -> None:
    before, head = table.ledger, table.ledger.head
    table.roll("alice", 20)
    assert before.head == head
    assert before.spent("s:alice") == 0
    assert table.ledger.spent("s:alice") == 1
    assert table.ledger.head == next_head(head, table.lines[-1])


def test_what_is_kept_of_a_ledger_is_enough_to_write_its_next_line() -> None:
    table = an_evening()
    pending = table.ask("who comes?", 20, witnesses=["w:bob"])
    kept = table.ledger.to_json()
    assert Ledger.from_json(kept) == table.ledger
    table.ledger = Ledger.from_json(kept)
    table.roll("alice", 20)
    table.answer(pending)
    table.open(pending)
    assert verify(table.lines, table.receipts).sound


def test_what_is_kept_stays_small_however_long_the_ledger_grows(table: Table) -> None:
    for _ in range(300):
        table.roll("alice", 20)
        table.note("a note")
    assert table.ledger.lines > 600
    assert len(table.ledger.to_json()) < 1000


@pytest.mark.parametrize("line", [lines.genesis("another-table"), lines.fact(bytes(32))])
def test_a_ledger_begins_with_the_genesis_of_its_table(line: bytes) -> None:
    assert refused(lambda: Ledger.empty("demo-table").append(line)) == Fault.NO_GENESIS


def test_a_ledger_begins_once(table: Table) -> None:
    assert refused(lambda: table.write(lines.genesis("demo-table"))) == Fault.SECOND_GENESIS


def test_a_seeded_table_is_marked_for_good() -> None:
    table = Table(seeded=True)
    assert Ledger.from_json(table.ledger.to_json()).seeded
    report = verify(table.lines)
    assert report.seeded
    assert "seeded" in report.sentences()[0]


def test_nobody_rolls_without_a_promise(table: Table) -> None:
    links = [("s:carol", bytes(32))]
    line = lines.roll("c", "carol", "", links, thrown(links, [20]))
    assert refused(lambda: table.write(line)) == Fault.NO_TIP


def test_nobody_rolls_from_another_chain(table: Table) -> None:
    links = [("s:bob", table.chains["s:bob"].spend(1))]
    line = lines.roll("c", "alice", "", links, thrown(links, [20]))
    assert refused(lambda: table.write(line)) == Fault.WRONG_CHAIN


def test_the_game_master_rolls_openly_from_one_chain(table: Table) -> None:
    assert table.ledger.drawn_from("gm") == ("s:gm-open",)
    table.roll("gm", 20)
    assert table.ledger.spent("s:gm-open") == 1


def test_a_paired_seat_stays_paired(table: Table) -> None:
    table.keep_own_chain("u:alice")
    assert table.ledger.drawn_from("alice") == ("s:alice", "u:alice")
    links = [("s:alice", table.chains["s:alice"].spend(1))]
    line = lines.roll("c", "alice", "", links, thrown(links, [20]))
    assert refused(lambda: table.write(line)) == Fault.UNPAIRED


def test_links_once_sent_are_spent_though_no_die_was_thrown(table: Table) -> None:
    table.keep_own_chain("u:alice")
    table.roll("alice", req="refused: Kira holds 2 tokens, not 5")
    table.roll("alice", 20)
    report = verify(table.lines)
    assert (report.unused, report.rolls) == (1, 1)


def test_a_used_up_chain_is_followed_by_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.fair.rules.LINKS", RENEWED_WITHIN + 2)
    table = Table()
    table.promise("s:alice")
    table.roll("alice", 20)
    assert "s:alice" not in table.ledger.to_renew
    table.roll("alice", 20)
    assert table.ledger.to_renew == ("s:alice",)
    for _ in range(RENEWED_WITHIN):
        table.roll("alice", 20)
    assert refused(lambda: table.roll("alice", 20)) == Fault.USED_UP
    table.promise("s:alice")
    table.roll("alice", 20)
    report = verify(table.lines)
    assert (report.sound, report.rolls, report.renewed) == (True, RENEWED_WITHIN + 3, 1)


def test_a_successor_is_promised_while_links_are_left_and_follows_the_last_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("astragal.fair.rules.LINKS", 2)
    table = Table()
    table.promise("s:alice")
    table.roll("alice", 20)
    table.promise("s:alice")
    assert refused(lambda: table.promise("s:alice")) == Fault.RENEWED_EARLY
    assert table.ledger.sources["s:alice"].renewed == 0
    table.roll("alice", 20)
    assert table.ledger.sources["s:alice"].renewed == 1
    table.roll("alice", 20)
    report = verify(table.lines)
    assert (report.sound, report.rolls, report.renewed) == (True, 3, 1)


def test_a_gap_voids_the_promise_of_a_successor(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts as an earlier chain, so that its seed, which a copy of the store may hold, is never drawn from."""
    monkeypatch.setattr("astragal.fair.rules.LINKS", 2)
    table = Table()
    table.promise("s:alice")
    table.roll("alice", 20)
    table.promise("s:alice")
    table.write(lines.gap("restored"))
    assert refused(lambda: table.roll("alice", 20)) == Fault.NOT_RENEWED
    table.promise("s:alice")
    assert table.ledger.sources["s:alice"].renewed == 2
    table.roll("alice", 20)
    assert verify(table.lines).sound


@pytest.mark.parametrize(
    ("src", "renew", "code"),
    [
        ("s:alice", 0, Fault.RE_SEEDED),
        ("s:alice", 1, Fault.RENEWED_EARLY),
        ("s:carol", 1, Fault.RENEW_COUNT),
        ("s:gm-harbour-1", 1, Fault.HIDDEN_ORDER),
        ("s:gm-harbour-2", 0, Fault.HIDDEN_ORDER),
    ],
)
def test_a_chain_is_not_replaced_at_will(table: Table, src: str, renew: int, code: Fault) -> None:
    tip = Chain(src, seed_of("another"), length=8).tip
    assert refused(lambda: table.write(lines.tip(src, tip, renew))) == code


def test_after_a_restore_every_chain_is_renewed() -> None:
    table = an_evening()
    waiting = table.ask("who comes?", 20, witnesses=["w:bob"])
    sealed = table.ask("what is it?", 20)
    table.write(lines.gap("restored from the backup of Tuesday"))
    assert refused(lambda: table.roll("bob", 20)) == Fault.NOT_RENEWED
    assert refused(lambda: table.ask("and now?", 20)) == Fault.NO_HIDDEN_TIP
    assert set(table.ledger.to_renew) == set(table.ledger.sources)
    table.promise("s:alice", "s:bob", "s:gm-open")
    table.keep_own_chain("u:alice", "w:alice", "w:bob")
    table.begin_scene("harbour", 2)
    link = [("w:bob", table.clients["w:bob"].chain.spend(1))]
    assert refused(lambda: table.write(lines.answer(waiting, link))) == Fault.LAPSED
    table.write(lines.void(waiting))
    table.open(sealed)
    table.open(table.ask("and now?", 20))
    table.roll("alice", 20)
    report = verify(table.lines, table.receipts)
    assert (report.sound, report.gaps, report.renewed) == (True, 1, 6)


def test_renewals_after_a_gap_are_counted(table: Table) -> None:
    table.write(lines.gap("restored"))
    assert refused(lambda: table.write(lines.tip("s:alice", bytes(32), 2))) == Fault.RENEW_COUNT


def test_a_player_may_lose_a_chain_and_begin_another(table: Table) -> None:
    table.keep_own_chain("u:alice", "w:bob")
    table.roll("alice", 20)
    table.write(lines.gap("a new telephone", "u:alice"))
    table.roll("alice", 20)
    table.keep_own_chain("u:alice")
    table.roll("alice", 20)
    report = verify(table.lines)
    assert (report.sound, report.rolls, report.paired, report.gaps) == (True, 3, 2, 1)


@pytest.mark.parametrize(("src", "code"), [("s:alice", Fault.BAD_SOURCE), ("u:carol", Fault.NO_TIP)])
def test_the_server_loses_all_its_chains_or_none(table: Table, src: str, code: Fault) -> None:
    assert refused(lambda: table.write(lines.gap("lost", src))) == code


def test_a_rewind_gives_back_no_link(table: Table) -> None:
    table.roll("alice", 20)
    spent = table.ledger.spent("s:alice")
    table.rewind()
    assert table.ledger.spent("s:alice") == spent
    table.roll("alice", 20)
    assert table.ledger.spent("s:alice") == spent + 1


def test_an_override_speaks_of_an_earlier_line(table: Table) -> None:
    roll = table.roll("gm", 20)
    assert refused(lambda: table.write(lines.override("c", "gm", roll + 1, "It was late."))) == Fault.NO_LINE
    table.write(lines.override("c", "gm", roll, "It was late."))
    assert verify(table.lines).overrides == 1
