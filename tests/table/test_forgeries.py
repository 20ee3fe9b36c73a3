"""Every forgery is made from the export of a table that was really played; and every one is caught."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from astragal.fair import Fault, Report, Verdict, verify, write_receipts
from astragal.storage import open_store
from astragal.table.log.audit import Edit, audit
from astragal.table.log.export import BadExport, ledger_in, receipts_in
from astragal.table.log.store import Store
from tests.table.exported import Exported
from tests.table.fair_tables import FairTable, an_evening, fair_host
from tests.table.forgeries import SHOWN_BY_THE_LEDGER_ITSELF

VERIFIER = Path(__file__).parents[2] / "docs" / "verifier.py"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> FairTable:
    return an_evening(open_store(f"sqlite:///{tmp_path_factory.mktemp('evening')}/tables.db"))


@pytest.fixture
def exported(evening: FairTable) -> Exported:
    return Exported(evening.export())


def check(table: FairTable, file: Sequence[bytes]) -> Report:
    """With all receipts that people at the table have kept."""
    return verify(ledger_in(file), table.receipts)


def edits_in(file: Sequence[bytes]) -> tuple[Edit, ...]:
    return audit(file).edits


def by_a_stranger(folder: Path, ledger: Sequence[bytes], receipts: bytes = b"") -> subprocess.CompletedProcess[str]:
    """The stand-alone verifier of the documentation, without this package."""
    (folder / "ledger").write_bytes(b"".join(line + b"\n" for line in ledger))
    (folder / "receipts").write_bytes(receipts)
    command: list[str | Path] = [sys.executable, "-I", VERIFIER, folder / "ledger", folder / "receipts"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# ---------------------------------------------------------------- what is sound


def test_a_real_export_is_sound_and_nothing_in_it_was_edited(evening: FairTable) -> None:
    report = check(evening, evening.export())
    assert report.sound
    assert (report.rolls, report.hidden, report.opened, report.voided, report.rewinds) == (11, 6, 3, 1, 2)
    assert edits_in(evening.export()) == ()


def test_an_export_taken_apart_and_put_together_is_the_same(evening: FairTable, exported: Exported) -> None:
    assert exported.file() == evening.export()


def test_every_export_holds_the_same_ledger_and_the_newest_receipt(evening: FairTable) -> None:
    ledger = evening.ledger()
    assert ledger_in(evening.export()) == ledger
    assert ledger_in(evening.export(evening.bo)) == ledger
    assert ledger_in([line + b"\n" for line in ledger]) == ledger
    assert receipts_in(evening.export(evening.cy)) == (evening.receipts[-1]._replace(table=evening.table),)


def test_the_ledger_can_be_followed_from_a_line_on(evening: FairTable) -> None:
    whole = evening.ledger()
    for after in (0, 1, len(whole) - 1, len(whole), len(whole) + 5):
        assert list(evening.host.ledger(evening.table, evening.bo, after)) == whole[after:]


@pytest.mark.slow
def test_a_stranger_finds_a_real_export_sound(evening: FairTable, tmp_path: Path) -> None:
    for file in (evening.export(), evening.export(evening.bo)):
        ran = by_a_stranger(tmp_path, ledger_in(file), write_receipts(evening.receipts))
        assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("file", [[], [b""], [b"[]"], [b"\xff\xfe"], [b'{"astragal":"view"}'], [b'{"x":1}']])
def test_what_is_no_export_is_not_taken_for_one(file: list[bytes]) -> None:
    with pytest.raises(BadExport):
        ledger_in(file)


# ---------------------------------------------------------------- what the ledger shows by itself


@pytest.mark.parametrize("name", SHOWN_BY_THE_LEDGER_ITSELF)
def test_an_export_with_a_forged_ledger_fails_verification(name: str, evening: FairTable, exported: Exported) -> None:
    forgery, pages = SHOWN_BY_THE_LEDGER_ITSELF[name], exported.pages()
    forgery.forge(pages, evening)
    exported.rewrite(pages.lines())
    failure = verify(ledger_in(exported.file())).failure
    assert failure
    assert failure.code == forgery.code


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN_BY_THE_LEDGER_ITSELF)
def test_the_small_verifier_finds_an_export_with_a_forged_ledger(
    name: str, evening: FairTable, exported: Exported, tmp_path: Path
) -> None:
    pages = exported.pages()
    SHOWN_BY_THE_LEDGER_ITSELF[name].forge(pages, evening)
    ran = by_a_stranger(tmp_path, pages.lines())
    assert ran.returncode == 1
    assert ran.stderr.startswith("Line ")


# ---------------------------------------------------------------- what receipts show


def test_a_receipt_shows_a_cut_tail(evening: FairTable, exported: Exported) -> None:
    exported.rewrite(exported.pages().lines()[:-2])
    assert verify(ledger_in(exported.file())).sound
    report = check(evening, exported.file())
    assert report.newer
    assert report.findings().verdict is Verdict.SOUND_SO_FAR


def test_other_words_of_a_note_show_by_their_digest(exported: Exported) -> None:
    (note,) = exported.of("note_written")
    text = next(row["text"] for row in exported.rows if row.get("text", [""])[-1] == "is a spy")
    text[-1] = "is a friend"
    (edit,) = edits_in(exported.file())
    assert (edit.entry, edit.event) == (note["entry"][0], "note_written")


def test_a_note_edited_with_its_digest_shows_by_its_fact(exported: Exported) -> None:
    (note,) = exported.of("note_written")
    exported.say(note, "note", "words", "is a friend")
    (edit,) = edits_in(exported.file())
    assert edit.entry == note["entry"][0]
    assert "line" in edit.why


def test_a_receipt_shows_a_note_edited_with_its_fact(evening: FairTable, exported: Exported) -> None:
    """Everything is computed anew: the export is such as an honest table could have written. A receipt tells."""
    (note,) = exported.of("note_written")
    exported.say(note, "note", "words", "is a friend")
    exported.seal_again(note)
    assert edits_in(exported.file()) == ()
    assert verify(ledger_in(exported.file())).sound
    failure = check(evening, exported.file()).failure
    assert failure
    assert failure.code is Fault.RECEIPT_DIFFERS


def test_a_roll_edited_in_the_log_alone_shows_by_its_line(exported: Exported) -> None:
    (first, *_) = exported.of("rolled")
    first["entry"][4] = first["entry"][4].replace('"face":', '"face":1')
    edits = edits_in(exported.file())
    assert {(edit.entry, edit.event) for edit in edits} == {(first["entry"][0], "rolled")}
    assert len(edits) == 2, "its line and its fact both tell"


def test_an_entry_slipped_in_shows_since_no_line_stands_for_it(exported: Exported) -> None:
    (said,) = exported.of("said")
    place = exported.rows.index(exported.of("rolled")[0])
    exported.rows.insert(place, {"entry": list(said["entry"])})
    exported.rewrite(exported.pages().lines())
    assert any(edit.entry == exported.rows[place]["entry"][0] for edit in edits_in(exported.file()))


@pytest.mark.parametrize("cut", [1, 5])
def test_a_file_that_ends_too_early_shows(cut: int, evening: FairTable) -> None:
    assert edits_in(evening.export()[:-cut])


def two_stories(store: Store, folder: Path) -> tuple[FairTable, FairTable]:
    """The operator copies the store and goes on with both: the same chains, the same first lines, two histories."""
    bos = an_evening(store)
    store.close()
    shutil.copyfile(folder / "tables.db", folder / "copy.db")
    cys = object.__new__(FairTable)
    cys.__dict__ |= bos.__dict__ | {"receipts": list(bos.receipts)}
    bos.host, cys.host = (fair_host(open_store(f"sqlite:///{folder}/{name}.db")) for name in ("tables", "copy"))
    bos.act(bos.ada, "write_note", title="Cy", words="betrayed you")
    cys.act(cys.ada, "write_note", title="Bo", words="betrayed you")
    for table in (bos, cys):
        table.dare(table.bo)
        table.dare(table.cy, "Lund")
    return bos, cys


@pytest.mark.slow
def test_a_history_rewritten_for_one_player_shows_when_receipts_meet(tmp_path: Path) -> None:
    bos, cys = two_stories(open_store(f"sqlite:///{tmp_path}/tables.db"), tmp_path)
    for table in (bos, cys):
        assert check(table, table.export(table.bo)).sound
    failure = verify(ledger_in(bos.export(bos.bo)), receipts_in(cys.export(cys.cy))).failure
    assert failure
    assert failure.code is Fault.RECEIPT_DIFFERS


@pytest.mark.slow
@pytest.mark.parametrize("forge", ["cut", "edited"])
def test_a_stranger_with_receipts_sees(forge: str, evening: FairTable, exported: Exported, tmp_path: Path) -> None:
    if forge == "cut":
        exported.rewrite(exported.pages().lines()[:-2])
    else:
        (note,) = exported.of("note_written")
        exported.say(note, "note", "words", "is a friend")
        exported.seal_again(note)
    ledger = ledger_in(exported.file())
    assert by_a_stranger(tmp_path, ledger).returncode == 0
    expected = {"cut": 3, "edited": 1}
    assert by_a_stranger(tmp_path, ledger, write_receipts(evening.receipts)).returncode == expected[forge]


@pytest.mark.slow
def test_a_stranger_sees_that_a_story_told_to_a_player_was_not_the_one_sealed(
    evening: FairTable, tmp_path: Path
) -> None:
    (view,) = evening.export(evening.bo)
    (tmp_path / "view").write_bytes(view)
    command: list[str | Path] = [sys.executable, "-I", VERIFIER, tmp_path / "view"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stdout.splitlines()[:2] == ["Sound.", "55 of 55 events that this seat saw are proved."], ran.stderr
    (tmp_path / "view").write_bytes(view.replace(b'"fate":"kept"', b'"fate":"dropped"', 1))
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
