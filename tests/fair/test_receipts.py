import json
from typing import Any

import pytest

from astragal.fair import Fault, Receipt, Verdict, read_receipts, verify, write_receipts
from tests.fair.tables import Table, an_evening, refused


@pytest.fixture(scope="module")
def evening() -> Table:
    return an_evening()


def test_a_file_of_receipts_reads_back(evening: Table) -> None:
    assert list(read_receipts(write_receipts(evening.receipts).splitlines(keepends=True))) == evening.receipts


def test_a_receipt_is_the_number_of_a_line_and_the_head_after_it(evening: Table) -> None:
    assert evening.ledger.receipt.public == {"line": len(evening.lines) - 1, "head": evening.ledger.head.hex()}
    assert write_receipts([Receipt(3, "0" * 64)]) == b'{"head":"%b","line":3}\n' % (b"0" * 64)


@pytest.mark.parametrize("line", [b"", b"{}", b'{"head":"00","line":1}', b'{"head":"%b","line":-1}' % (b"0" * 64)])
def test_what_is_not_a_receipt_is_refused(line: bytes) -> None:
    assert refused(lambda: read_receipts([line])) == Fault.MALFORMED


def test_receipts_of_the_same_ledger_agree(evening: Table) -> None:
    report = verify(evening.lines, evening.receipts)
    assert report.receipts == len(evening.lines)
    assert report.sound


def test_a_receipt_of_another_table_does_not_agree(evening: Table) -> None:
    assert not verify(evening.lines, Table("another-table").receipts).sound


def test_receipts_that_name_another_table_accuse_nobody(evening: Table) -> None:
    report = verify(evening.lines, read_receipts([write_receipts(evening.receipts, "another-table")]))
    assert report.findings().verdict is Verdict.SOUND_SO_FAR
    assert "your receipts are of another table, another-table" in report.sentences()[0]


def test_receipts_newer_than_the_ledger_say_how_far_it_is_sound(evening: Table) -> None:
    report = verify(evening.lines[:8], evening.receipts)
    assert report.findings().verdict is Verdict.SOUND_SO_FAR
    assert "sound up to line 7, and you have seen later ones" in report.sentences()[0]


@pytest.mark.parametrize("spelling", [{"indent": 2}, {"separators": (" ,", " : ")}, {"sort_keys": True}])
def test_receipts_are_read_in_every_spelling_of_json(spelling: dict[str, Any], evening: Table) -> None:
    receipts = [receipt.public for receipt in evening.receipts]
    separate = "\r\n".join(json.dumps(receipt, **spelling) for receipt in receipts).encode()
    assert list(read_receipts(separate.splitlines(keepends=True))) == evening.receipts
    assert list(read_receipts([json.dumps(receipts, **spelling).encode()])) == evening.receipts
