"""`astragal verify`: says in words what was checked, and where and why it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from astragal.fair import write_receipts
from astragal.storage import open_store
from tests.table.exported import Exported
from tests.table.fair_tables import FairTable, an_evening

Run = Callable[..., CompletedProcess[str]]
EARLIER = Path(__file__).parents[2] / "fair" / "older"
"""Files that earlier versions wrote."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> FairTable:
    return an_evening(open_store(f"sqlite:///{tmp_path_factory.mktemp('evening')}/tables.db"))


@pytest.fixture
def folder(evening: FairTable, tmp_path: Path) -> Path:
    """What the people at the table have."""
    for name, lines in {
        "whole": evening.export(),
        "view": evening.export(evening.bo),
        "ledger": [line + b"\n" for line in evening.ledger()],
        "receipts": [write_receipts(evening.receipts)],
    }.items():
        (tmp_path / name).write_bytes(b"".join(lines))
    return tmp_path


@pytest.mark.parametrize("file", ["whole", "view", "ledger"])
def test_a_ledger_and_every_export_of_a_table_can_be_verified(file: str, here: Run, folder: Path) -> None:
    ran = here("verify", str(folder / file), str(folder / "receipts"))
    assert ran.returncode == 0, ran.stderr
    said = ran.stdout.splitlines()
    assert said[0] == "Nobody changed these 16 rolls. 3 were hidden and have been opened; 2 are still closed."
    assert any(line.startswith("11 open rolls") for line in said)
    assert "6 hidden rolls: 3 opened, 2 unopened, 1 withdrawn before an answer; 3 witnessed." in said
    assert "The table was rewound 2 times." in said
    assert any(line.endswith("receipts agreed with the ledger.") for line in said)
    story = {
        "whole": "entries of the log are as the facts of the ledger sealed them.",
        "view": "things that this seat saw are as the facts of the ledger sealed them.",
    }
    assert any(line.endswith(story.get(file, "")) for line in said)


def test_a_players_own_export_serves_as_a_receipt(here: Run, folder: Path) -> None:
    assert "1 receipt agreed" in here("verify", str(folder / "whole"), str(folder / "view")).stdout


def test_without_receipts_it_says_what_could_not_show(here: Run, folder: Path) -> None:
    assert "No receipt was given" in here("verify", str(folder / "ledger")).stdout


def test_a_forged_ledger_is_told_with_its_line_and_why(here: Run, folder: Path) -> None:
    lines = (folder / "ledger").read_bytes().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"t":"roll"' in line)
    (folder / "ledger").write_bytes(b"".join(lines[:place] + lines[place + 1 :]))
    ran = here("verify", str(folder / "ledger"))
    assert ran.returncode == 1
    assert ran.stdout.startswith("Line ")
    assert "was dropped" in ran.stdout.splitlines()[0]


def test_an_edited_note_is_told_with_its_entry(here: Run, folder: Path, evening: FairTable) -> None:
    exported = Exported(evening.export())
    (note,) = exported.of("note_written")
    exported.say(note, "note", "words", "is a friend")
    (folder / "whole").write_bytes(b"".join(exported.file()))
    ran = here("verify", str(folder / "whole"))
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[0].startswith(f"Entry {note['entry'][0]} (note_written): ")


def test_a_cut_tail_shows_by_receipts(here: Run, folder: Path) -> None:
    lines = (folder / "ledger").read_bytes().splitlines(keepends=True)
    (folder / "ledger").write_bytes(b"".join(lines[:-2]))
    assert here("verify", str(folder / "ledger")).returncode == 0
    ran = here("verify", str(folder / "ledger"), str(folder / "receipts"))
    assert ran.returncode == 3
    assert "and you have seen later ones" in ran.stdout.splitlines()[0]


@pytest.mark.parametrize("escape", ["another version", "no facts"])
def test_a_whole_table_whose_rules_could_not_be_checked_says_so_first(
    escape: str, here: Run, folder: Path, evening: FairTable
) -> None:
    """Whoever says that a file is older escapes the replay, and is not called sound."""
    exported = Exported(evening.export())
    if escape == "another version":
        (opened,) = exported.of("table_opened")
        opened["entry"][4] = opened["entry"][4].replace('"version":"1"', '"version":"0"')
        exported.seal_again(opened)
    else:
        (genesis, *_) = exported.of("ledger_line")
        genesis["entry"][4] = genesis["entry"][4].replace(r"{\"facts\":true,", "{")
    (folder / "whole").write_bytes(b"".join(exported.file()))
    ran = here("verify", str(folder / "whole"))
    assert ran.returncode == 3, ran.stdout
    assert ran.stdout.startswith("Sound as far as it goes: the rules were not checked")
    told = json.loads(here("verify", str(folder / "whole"), "--json").stdout)
    assert (told["verdict"], told["sound"]) == ("sound as far as it goes", False)


def test_an_export_of_an_earlier_version_is_sound_as_far_as_it_goes(here: Run) -> None:
    """The format of older programs proves neither the order nor the number of a player's events."""
    ran = here("verify", str(EARLIER / "seen-1.jsonl"))
    assert ran.returncode == 3, ran.stdout
    assert ran.stdout.startswith("Sound as far as it goes: an older program wrote this file")


def test_in_an_export_of_an_earlier_version_two_values_exchanged_with_their_proofs_show(
    here: Run, tmp_path: Path
) -> None:
    document = json.loads((EARLIER / "seen-1.jsonl").read_bytes())
    number = next(place for place, event in enumerate(document["events"]) if event["name"] == "overridden")
    fields, seals = document["events"][number]["fields"], document["proofs"][number]["values"]
    fields["before"], fields["after"] = fields["after"], fields["before"]
    seals["event.before"], seals["event.after"] = seals["event.after"], seals["event.before"]
    (tmp_path / "forged").write_bytes(json.dumps(document).encode())
    ran = here("verify", str(tmp_path / "forged"))
    assert ran.returncode == 1, ran.stdout
    assert "a proof is that of another value" in ran.stdout.splitlines()[0]


def test_programs_get_json(here: Run, folder: Path) -> None:
    ran = here("verify", str(folder / "whole"), "--json")
    told = json.loads(ran.stdout)
    assert (told["verdict"], told["sound"], told["unchecked"]) == ("sound", True, [])
    assert (told["rolls"], told["rewinds"], told["story"], told["failure"]) == (11, 2, {"edits": []}, None)


@pytest.mark.parametrize("content", [b"", b"not a ledger\n", b"\x00\xff", b'{"a":1}\n'])
def test_a_file_that_is_no_ledger_is_not_understood(content: bytes, here: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    ran = here("verify", str(tmp_path / "file"))
    assert ran.returncode == 2
    assert ran.stderr.startswith("astragal: ")
    assert ran.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_named(here: Run, tmp_path: Path) -> None:
    ran = here("verify", str(tmp_path / "nowhere"))
    assert ran.returncode == 2
    assert "nowhere" in ran.stderr


def test_receipts_that_are_none_are_not_understood(here: Run, folder: Path) -> None:
    assert here("verify", str(folder / "ledger"), str(folder / "ledger")).returncode == 2


def test_the_terminal_keeps_receipts_and_verify_finds_them(cliff: Run, tmp_path: Path) -> None:
    """A tail that was cut shows by what this program was told when the lines were still there."""
    cliff("do", "cliff", "say", "--words", "hello", "--as", "Bo")
    cliff("table", "export", "cliff", "ledger.jsonl", "--ledger")
    sound = cliff("verify", "ledger.jsonl")
    assert "receipts agreed with the ledger." in sound.stdout
    ledger = tmp_path / "ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))
    cut = cliff("verify", "ledger.jsonl")
    assert cut.returncode == 3
    assert "and you have seen later ones" in cut.stdout.splitlines()[0]
