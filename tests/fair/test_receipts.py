import pytest

from astragal.fair import Fault, Receipt, read_receipts, verify, write_receipts
from tests.fair.tables import Table, an_evening, refused


@pytest.fixture(scope="module")
def evening() -> Table:
    return an_evening()


def test_a_file_of_receipts_reads_back(evening: Table) -> None:
    assert list(read_receipts(write_receipts(evening.receipts).splitlines(keepends=True))) == evening.receipts


def test_a_receipt_is_the_number_of_a_line_and_the_head_after_it(evening: Table) -> None:
    assert evening.ledger.receipt == (len(evening.lines) - 1, evening.ledger.head.hex())
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
