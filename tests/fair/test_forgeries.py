"""Every forgery is made from a real ledger, by someone who knows every seed and computes every head anew."""

import pytest

from astragal.fair import Fault, Verdict, lines, verify
from tests.fair.forgeries import SHOWN_BY_THE_LEDGER_ITSELF
from tests.fair.pages import receipts_of
from tests.fair.rewritings import SHOWN_BY_RECEIPTS_ALONE
from tests.fair.tables import Table, an_evening


@pytest.fixture(scope="module")
def evening() -> Table:
    return an_evening()


@pytest.mark.parametrize("name", SHOWN_BY_THE_LEDGER_ITSELF)
def test_a_forged_ledger_fails_verification(name: str, evening: Table) -> None:
    forged = SHOWN_BY_THE_LEDGER_ITSELF[name].forge(evening)
    assert forged != evening.lines
    failure = verify(forged, receipts_of("demo-table", forged)).failure
    assert failure
    assert failure.code == SHOWN_BY_THE_LEDGER_ITSELF[name].code


@pytest.mark.parametrize("name", SHOWN_BY_RECEIPTS_ALONE)
def test_a_rewritten_ledger_fails_verification_with_receipts(name: str, evening: Table) -> None:
    report = verify(SHOWN_BY_RECEIPTS_ALONE[name](evening), evening.receipts)
    assert not report.sound
    assert report.newer if report.failure is None else report.failure.code is Fault.RECEIPT_DIFFERS


@pytest.mark.parametrize("name", SHOWN_BY_RECEIPTS_ALONE)
def test_one_receipt_of_the_last_line_is_enough_to_show(name: str, evening: Table) -> None:
    assert not verify(SHOWN_BY_RECEIPTS_ALONE[name](evening), evening.receipts[-1:]).sound


@pytest.mark.parametrize("name", SHOWN_BY_RECEIPTS_ALONE)
def test_without_receipts_nothing_could_show(name: str, evening: Table) -> None:
    """The limits, told honestly: these ledgers are such as an honest table could have written."""
    forged = SHOWN_BY_RECEIPTS_ALONE[name](evening)
    assert verify(forged, receipts_of("demo-table", forged)).sound


def two_stories() -> tuple[Table, Table]:
    """The operator shows Alice one evening and Bob another: the same chains, the same first lines."""
    alices, bobs = an_evening(), an_evening()
    alices.roll("bob", 20, req="betray Alice")
    bobs.roll("bob", 20, req="save Alice")
    for table in (alices, bobs):
        table.roll("alice", 20)
    return alices, bobs


def test_a_history_rewritten_for_one_player_shows_when_receipts_meet() -> None:
    alices, bobs = two_stories()
    assert verify(alices.lines, alices.receipts).sound
    assert verify(bobs.lines, bobs.receipts).sound
    failure = verify(alices.lines, bobs.receipts).failure
    assert failure
    assert (failure.line, failure.code) == (len(alices.lines) - 2, Fault.RECEIPT_DIFFERS)


def test_two_players_receipts_of_one_line_can_not_both_be_true() -> None:
    alices, bobs = two_stories()
    assert not verify(alices.lines, [*alices.receipts, *bobs.receipts]).sound


def test_a_gap_does_not_excuse_what_differs_but_is_named() -> None:
    """After a restore the tail is another one; who kept receipts of the lost tail is told of the gap."""
    table = an_evening()
    seen = an_evening()
    seen.roll("bob", 20)
    seen.roll("bob", 20)
    table.write(lines.gap("restored from the backup of Tuesday"))
    report = verify(table.lines, seen.receipts)
    assert report.findings().verdict is Verdict.SOUND_SO_FAR
    assert report.lost == (report.gap,) == (len(table.lines) - 1,)
    assert f"line {report.gap} declares a gap" in report.sentences()[0]
    assert not verify(table.lines, seen.receipts[-1:]).sound
