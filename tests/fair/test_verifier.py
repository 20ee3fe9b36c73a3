"""The stand-alone verifier of the documentation, run as a stranger runs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from astragal.fair import LINKS, lines, read_receipts, verify, write_receipts
from tests.fair.forgeries import SHOWN_BY_THE_LEDGER_ITSELF
from tests.fair.rewritings import SHOWN_BY_RECEIPTS_ALONE
from tests.fair.tables import Table, an_evening, as_file

pytestmark = pytest.mark.slow

VERIFIER = Path(__file__).parents[2] / "docs" / "verifier.py"


@pytest.fixture(scope="module")
def evening() -> Table:
    return an_evening()


@pytest.fixture
def receipts(tmp_path: Path, evening: Table) -> Path:
    path = tmp_path / "receipts.jsonl"
    path.write_bytes(write_receipts(evening.receipts))
    return path


def run(folder: Path, written: list[bytes], *arguments: Path) -> subprocess.CompletedProcess[str]:
    ledger = folder / "ledger.jsonl"
    ledger.write_bytes(as_file(written))
    command: list[str | Path] = [sys.executable, "-I", VERIFIER, ledger, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_small_verifier_needs_nothing_of_the_package() -> None:
    text = VERIFIER.read_text(encoding="utf-8")
    assert "import astragal" not in text
    assert "from astragal" not in text


def test_the_small_verifier_finds_a_real_ledger_sound(tmp_path: Path, evening: Table, receipts: Path) -> None:
    for arguments in ((), (receipts,)):
        ran = run(tmp_path, evening.lines, *arguments)
        assert ran.returncode == 0, ran.stderr
        assert evening.ledger.head.hex() in ran.stdout
        assert "not opened: [20]" in ran.stdout


def test_the_small_verifier_understands_renewals_and_gaps(tmp_path: Path) -> None:
    table = Table()
    table.promise("s:alice")
    for _ in range(LINKS):
        table.roll("alice", 20)
    table.promise("s:alice")
    table.keep_own_chain("u:alice")
    table.roll("alice", 20)
    table.write(lines.gap("a new telephone", "u:alice"))
    table.roll("alice", 20)
    table.write(lines.gap("restored"))
    table.promise("s:alice")
    table.keep_own_chain("u:alice")
    table.roll("alice", 20)
    ran = run(tmp_path, table.lines)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("name", SHOWN_BY_THE_LEDGER_ITSELF)
def test_the_small_verifier_finds_a_forged_ledger(name: str, tmp_path: Path, evening: Table) -> None:
    ran = run(tmp_path, SHOWN_BY_THE_LEDGER_ITSELF[name].forge(evening))
    assert ran.returncode == 1
    assert ran.stderr.startswith("Line ")


@pytest.mark.parametrize("name", SHOWN_BY_RECEIPTS_ALONE)
def test_with_receipts_the_small_verifier_finds_a_forged_ledger(
    name: str, tmp_path: Path, evening: Table, receipts: Path
) -> None:
    ran = run(tmp_path, SHOWN_BY_RECEIPTS_ALONE[name](evening), receipts)
    if ran.returncode == 3:  # the tail is cut off
        assert ran.stdout.startswith("Sound as far as it goes: sound up to line ")
    else:
        assert ran.returncode == 1
        assert ran.stderr.startswith("Line ")


def test_an_older_ledger_still_verifies_with_a_word_on_what_it_does_not_prove() -> None:
    older = Path(__file__).parent / "older"
    lines = (older / "ledger.jsonl").read_bytes().splitlines()
    report = verify(lines, read_receipts((older / "receipts.jsonl").read_bytes().splitlines()))
    assert report.sound
    assert (report.facts_of_all, report.unnamed) == (False, (29,))
    told = " ".join(report.sentences())
    assert "what rolls led to is not sealed" in told
    assert "Not proved: the witnessed rolls of line 29" in told
