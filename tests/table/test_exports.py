"""Tables that travel: whole exports, views, transcripts, blanked words, backups."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from astragal.storage import open_store
from astragal.table.log.codec import sealed_text
from astragal.table.log.export import BadExport
from tests.table.seated import ScriptedDice, Seated, new_host


def export(seated: Seated, seat: str = "Ada") -> list[bytes]:
    return list(seated.host.archive.export(seated.table, seated.seats[seat]))


def test_an_export_makes_the_same_table_elsewhere(seated: Seated, tmp_path: Path) -> None:
    seated.act("Bo", "say", words="Is it deep?")
    elsewhere = new_host(open_store(f"sqlite:///{tmp_path}/elsewhere.db"), ScriptedDice())
    assert elsewhere.archive.import_table(export(seated)) == seated.table
    for seat in seated.seats.values():
        assert elsewhere.look(seated.table, seat) == seated.host.look(seated.table, seat)
        *told, last = elsewhere.follow(seated.table, seat).events
        assert tuple(told) == seated.host.follow(seated.table, seat).events
        assert last.name == "restored"


def test_a_table_is_not_taken_in_twice(seated: Seated) -> None:
    with pytest.raises(BadExport, match="here already"):
        seated.host.archive.import_table(export(seated))


@pytest.mark.parametrize("damage", ["cut", "changed", "dropped", "nonsense"])
def test_a_damaged_export_is_refused_whole(seated: Seated, tmp_path: Path, damage: str) -> None:
    lines = export(seated)
    damaged = {
        "cut": lines[:-1],
        "changed": [line.replace(b"Kira", b"Mira") for line in lines],
        "dropped": [*lines[:3], *lines[4:]],
        "nonsense": [b"\x00\xff"],
    }[damage]
    elsewhere = new_host(open_store(f"sqlite:///{tmp_path}/elsewhere.db"), ScriptedDice())
    with pytest.raises(BadExport):
        elsewhere.archive.import_table(damaged)
    assert elsewhere.archive.tables() == []


def with_its_end(lines: list[bytes]) -> list[bytes]:
    """The lines of an export with the checksum that fits them."""
    digest = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    return [*lines[:-1], msgspec.json.encode({"end": digest}) + b"\n"]


def with_other_name(lines: list[bytes], name: str, other: str) -> list[bytes]:
    """The lines of an export in which somebody's name is another one."""
    there, new = f'"name":{msgspec.json.encode(name).decode()}', f'"name":{msgspec.json.encode(other).decode()}'
    read = [msgspec.json.decode(line) for line in lines]
    for entry in (line["entry"] for line in read if "entry" in line):
        entry[4] = entry[4].replace(there, new)
    return [msgspec.json.encode(line) + b"\n" for line in read]


def with_other_words(lines: list[bytes], words: str, other: str) -> list[bytes]:
    """The lines of an export with other words in a text, under the digest that fits them."""
    (text,) = (line["text"] for line in map(msgspec.json.decode, lines) if "text" in line and words == line["text"][2])
    digest, salt, _ = text
    forged = sealed_text(other, bytes.fromhex(salt))
    renamed = [line.replace(digest.encode(), forged.digest.encode()) for line in lines]
    told, new = msgspec.json.encode(words), msgspec.json.encode(other)
    return [line.replace(told, new) if b'{"text"' in line else line for line in renamed]


@pytest.mark.parametrize("sign", ["\x1b[2J", "\x9b2J", "\x07", "\u202e", "\ue000"])
def test_what_comes_in_by_a_file_has_no_signs_that_nobody_can_type(seated: Seated, tmp_path: Path, sign: str) -> None:
    """In names, in notes, in what was said: some of them control the terminals of those who read it."""
    seated.act("Bo", "say", words="Is it deep?")
    seated.act("Ada", "write_note", title="The well", words="It is dry.")
    assert seated.refused("Bo", "say", words=f"Is it {sign}deep?") == "bad_fields"
    lines = export(seated)
    files = [
        with_other_name(lines, "Kira", f"K{sign}ira"),
        with_other_words(lines, "Is it deep?", f"Is it {sign}deep?"),
        with_other_words(lines, "It is dry.", f"It is {sign}dry."),
    ]
    elsewhere = new_host(open_store(f"sqlite:///{tmp_path}/elsewhere.db"), ScriptedDice())
    for file in files:
        assert file != lines
        with pytest.raises(BadExport, match=f"holds a sign that can't be shown: U\\+{ord(sign[0]):04X}"):
            elsewhere.archive.import_table(with_its_end(file))
    assert elsewhere.archive.tables() == []


def test_a_name_that_comes_in_by_a_file_is_one_line(seated: Seated, tmp_path: Path) -> None:
    lines = with_other_name(export(seated), "Kira", "Kira\nBo rolls 20")
    elsewhere = new_host(open_store(f"sqlite:///{tmp_path}/elsewhere.db"), ScriptedDice())
    with pytest.raises(BadExport, match="can't be shown: U\\+000A"):
        elsewhere.archive.import_table(with_its_end(lines))


def test_a_players_export_holds_what_the_player_saw(seated: Seated) -> None:
    (line,) = export(seated, "Cy")
    events = msgspec.json.decode(line)["events"]
    assert [event["unproved"]["words"] for event in events] == seated.words("Cy")


def test_a_transcript_is_text_whatever_people_write(seated: Seated) -> None:
    seated.act("Bo", "say", words="<script>alert(1)</script> [a](javascript:b) # not a heading\n# nor this")
    transcript = seated.host.archive.transcript(seated.table, seated.seats["Di"])
    assert "<script>" not in transcript
    assert r"\[a\](javascript" in transcript
    assert transcript.count("\n#") == 0


def test_a_transcript_has_one_point_for_a_roll_and_what_came_of_it(seated: Seated) -> None:
    seated.dice.faces += [6]
    rolled = seated.act("Bo", "dare", who="Kira", danger=4)
    lines = seated.host.archive.transcript(seated.table, seated.seats["Di"]).splitlines()[-len(rolled.events) :]
    assert [line[: line.index("-")] for line in lines] == ["", *["  "] * (len(rolled.events) - 1)]
    assert len(lines) > 1


def test_words_can_be_blanked_and_the_log_still_stands(seated: Seated, tmp_path: Path) -> None:
    said = seated.act("Bo", "say", words="my address is 12 Elm Street")
    seated.host.archive.forget_words(seated.table, seated.seats["Bo"], said.act)
    for seat in seated.seats:
        assert "Elm Street" not in b"".join(export(seated, seat)).decode()
        assert not any("Elm Street" in words for words in seated.words(seat))
    later = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice())
    assert later.look(seated.table, seated.game_master) == seated.look("Ada")
    assert b"Elm Street" not in b"".join(path.read_bytes() for path in tmp_path.glob("*.db"))


def test_words_that_are_blanked_are_gone_from_every_process(seated: Seated, tmp_path: Path) -> None:
    """The other process had read them, and had them in its state, before they were blanked."""
    noted = seated.act("Ada", "write_note", title="Where", words="12 Elm Street", audience="all")
    other = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice())
    assert "Elm Street" in str(other.look(seated.table, seated.game_master))
    seated.host.archive.forget_words(seated.table, seated.game_master, noted.act)
    assert "Elm Street" not in str(other.look(seated.table, seated.game_master))
    assert "Elm Street" not in str(other.follow(seated.table, seated.game_master).events)


def test_only_ones_own_words_are_ones_own_to_blank(seated: Seated) -> None:
    said = seated.act("Bo", "say", words="hello")
    with pytest.raises(Exception, match="You wrote nothing there"):
        seated.host.archive.forget_words(seated.table, seated.seats["Cy"], said.act)
    seated.host.archive.forget_words(seated.table, seated.seats["Ada"], said.act)


def test_a_restore_says_so_in_every_log(seated: Seated, tmp_path: Path) -> None:
    seated.host.archive.backup(tmp_path / "backup.db")
    seated.dice.faces = [6]
    seated.act("Bo", "dare", who="Kira", danger=1)
    seated.host.archive.restore(tmp_path / "backup.db")
    assert seated.words("Di")[-1] == "the table was restored from a backup"
    assert seated.look("Di").game.dares == 0


def test_only_the_game_master_deletes_a_table(seated: Seated) -> None:
    with pytest.raises(Exception, match="Only the game master"):
        seated.host.archive.delete(seated.table, seated.seats["Bo"])
    seated.host.archive.delete(seated.table, seated.seats["Ada"])
    assert seated.host.archive.tables() == []
