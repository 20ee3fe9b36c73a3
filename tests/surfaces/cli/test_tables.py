"""`astragal table`: open, show, export, import, back up, delete."""

import json
import os
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pexpect
import pytest

from astragal.storage import open_store
from astragal.surfaces.cli.errors import Exit
from astragal.table.chapters.chat import Said
from astragal.table.chapters.notes import NoteWritten
from astragal.table.chapters.seats import SeatRenamed
from astragal.table.commands.handlers import CommandResult
from astragal.table.log.store import Batch, Entry
from astragal.table.state.things import Audience, Note
from astragal.wiring import all_games, host_of
from tests.surfaces.cli.conftest import Run, Terminal
from tests.surfaces.web.test_pictures import photograph

SHOWN_CURSOR = "\x1b[?25h"


def test_a_table_is_opened_listed_and_found_by_a_part_of_its_name(here: Run) -> None:
    assert "no tables yet" in here("table", "list").stdout
    opened = json.loads(here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo", "--json").stdout)
    assert list(opened["seats"]) == ["Ada", "Bo"]
    listed = json.loads(here("table", "list", "--json").stdout)
    assert listed == [{"table": opened["table"], "name": "The Cliff", "game": "dare"}]
    for name in ("The Cliff", "the cliff", "cliff", opened["table"], opened["table"][:5]):
        assert "game master  Ada" in here("table", "seats", name).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("The Cliff", "--gm", "Ada", "--player", "Bo", "--player", "Bo"), "Somebody called Bo sits here already"),
        (("The Cliff", "--gm", "Ada", "--player", "Ada"), "Somebody called Ada sits here already"),
        (("The Cliff", "--player", "B" * 61), "name"),
        (("The Cliff", "--player", "Bo", "--player", " "), "A player’s name must not be empty."),
        (("The Cliff", "--gm", "  "), "A game master’s name must not be empty"),
        (("The Cliff", "--gm", ""), "A game master’s name must not be empty"),
        ((" ",), "A table’s name must not be empty"),
        (("The Cliff", "--skin", "velvet"), "velvet"),
        (("The Cliff", "--option", "nerve=many"), "nerve"),
        (("The Cliff", "--house", "hand_dice=perhaps"), "hand_dice"),
    ],
)
def test_a_table_that_can_not_be_opened_as_it_was_asked_for_is_not_there(
    here: Run, words: tuple[str, ...], said: str
) -> None:
    refused = here("table", "new", "dare", *words)
    assert refused.returncode in (Exit.REFUSED, Exit.BAD_INPUT)
    assert said in refused.stderr
    assert "no tables yet" in here("table", "list").stdout


def test_nobodys_words_control_the_terminal(here: Run, tmp_path: Path) -> None:
    """An older program, or a file that was tampered with, may have left such words in the store."""
    opened = json.loads(here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo", "--json").stdout)
    table, seats, evil = opened["table"], opened["seats"], "\x1b[2J\x9b31m\x07\u202eBo"
    bo = seats["Bo"]
    note = Note(id="n1", title=evil, words=evil, author=bo, audience=Audience.ALL, seat=None)
    written = [
        SeatRenamed(seat=bo, before="Bo", after=evil),
        Said(seat=bo, who=None, words=f"hello {evil}"),
        NoteWritten(note=note),
    ]
    with closing(open_store(str(tmp_path / "tables.db"))) as store:
        repository = host_of(store, all_games())._repository  # noqa: SLF001 - no command takes such words
        live = repository.at(table)
        for event in written:
            with live:
                repository.keep(live, bo, CommandResult([event], repository.fresh()))
    calls = [
        ("table", "log", table),
        ("table", "log", table, "--json"),
        ("table", "seats", table),
        ("table", "seats", table, "--json"),
        ("table", "show", table),
        ("table", "recap", table),
        ("table", "export", table),
        ("table", "export", table, "--transcript"),
        ("do", table, "say", "words=hello", "--as", "Bo"),
        ("table", "seats", table, "--seat", evil),
    ]
    for call in calls:
        answer = here(*call)
        printed = answer.stdout + answer.stderr
        assert printed, call
        assert not {"\x1b", "\x07"} & set(printed), call
        if call[1] != "export":  # what is exported is for programs, and they get what was written
            assert not {"\x9b", "\u202e"} & set(printed), call
    (renamed,) = [one for one in json.loads(here("table", "seats", table, "--json").stdout) if one["role"] == "player"]
    assert renamed["name"] == evil, "programs get what was written"


def test_blanks_around_a_name_are_no_part_of_it(here: Run) -> None:
    opened = here("table", "new", "dare", " The Cliff ", "--gm", " Ada", "--player", "Bo ", "--json").stdout
    assert json.loads(opened)["name"] == "The Cliff"
    assert list(json.loads(opened)["seats"]) == ["Ada", "Bo"]


def test_a_name_that_two_tables_have_is_not_what_one_is_told_to_say(here: Run) -> None:
    assert 'astragal play "The Cliff"' in here("table", "new", "dare", "The Cliff").stdout
    told = here("table", "new", "dare", "the cliff").stdout
    assert "Another table has the same name" in told
    table = told.splitlines()[-1].removeprefix("Sit down with: astragal play ")
    assert here("table", "show", table).returncode == 0
    assert "say its id" in here("table", "show", "The Cliff").stderr


def test_a_table_takes_options_a_skin_and_what_the_house_agrees_on(here: Run) -> None:
    words = ("--option", "nerve=5", "--house", "hand_dice=yes", "--skin", "plucky")
    assert here("table", "new", "dare", "The Cliff", *words).returncode == 0
    state = json.loads(here("table", "show", "cliff", "--json").stdout)
    assert (state["options"], state["house"]["hand_dice"], state["skin"]) == ({"nerve": 5}, True, "plucky")
    here("do", "cliff", "join", "--name", "Kira")
    assert "Pluck ●●●●●○ 5/6" in here("table", "show", "cliff").stdout


def test_a_table_is_shown_as_each_seat_sees_it(cliff: Run) -> None:
    for_all = cliff("table", "show", "cliff").stdout
    assert "Kira (Bo)" in for_all
    assert "nerve ●●●○○○ 3/6" in for_all
    sheets = [
        json.loads(cliff("table", "show", "cliff", "--as", seat, "--json").stdout)["characters"]
        for seat in ("Ada", "Bo", "Cy")
    ]
    fears = [[one["sheet"].get("fear") for one in some.values()] for some in sheets]
    assert fears == [["nothing", "nothing"], ["nothing", None], [None, "nothing"]]


def test_a_log_is_told_and_can_be_read_by_programs(cliff: Run) -> None:
    told = cliff("table", "log", "cliff", "--last", "2").stdout.splitlines()
    assert [line.split("  ", 1)[1] for line in told] == ["Kira joins", "Lund joins"]
    events = [json.loads(line) for line in cliff("table", "log", "cliff", "--json").stdout.splitlines()]
    assert [event["name"] for event in events][-2:] == ["joined", "joined"]


def test_a_table_is_carried_to_another_store(cliff: Run, tmp_path: Path) -> None:
    export, elsewhere = str(tmp_path / "cliff.jsonl"), ("--db", str(tmp_path / "elsewhere.db"))
    assert cliff("table", "export", "cliff", export).stdout == f"The Cliff is written to {export}.\n"
    assert "The Cliff is imported" in cliff("table", "import", export, *elsewhere).stdout
    assert "Kira joins" in cliff("table", "log", "cliff", *elsewhere).stdout
    again = cliff("table", "import", export, *elsewhere)
    assert (again.returncode, again.stderr) == (1, "astragal: This table is here already.\n")
    assert cliff("table", "export", "cliff", export).returncode == 2  # nothing is written over


def test_an_import_that_takes_long_says_so_on_a_terminal(cliff: Run, terminal: Terminal, tmp_path: Path) -> None:
    cliff("table", "export", "cliff", str(tmp_path / "cliff.jsonl"))
    first, *rest = (tmp_path / "cliff.jsonl").read_bytes().splitlines(keepends=True)
    os.mkfifo(tmp_path / "slow.jsonl")
    reading = terminal("table", "import", "slow.jsonl", "--db", "elsewhere.db")
    with (tmp_path / "slow.jsonl").open("wb", buffering=0) as slow:
        slow.write(first)
        reading.expect("Importing slow.jsonl")
        slow.write(b"".join(rest))
    reading.expect("The Cliff is imported")


def test_ctrl_c_leaves_an_import_undone_and_the_terminal_sound(cliff: Run, terminal: Terminal, tmp_path: Path) -> None:
    cliff("table", "export", "cliff", str(tmp_path / "cliff.jsonl"))
    os.mkfifo(tmp_path / "slow.jsonl")
    reading = terminal("table", "import", "slow.jsonl", "--db", "elsewhere.db")
    with (tmp_path / "slow.jsonl").open("wb", buffering=0) as slow:
        slow.write((tmp_path / "cliff.jsonl").read_bytes().splitlines(keepends=True)[0])
        reading.expect("Importing slow.jsonl")
        reading.sendintr()
        reading.expect(pexpect.EOF)
    reading.wait()
    assert reading.exitstatus == Exit.INTERRUPTED
    assert SHOWN_CURSOR in str(reading.before)
    assert cliff("table", "list", "--db", str(tmp_path / "elsewhere.db")).stdout.startswith("There are no tables yet")
    assert cliff("table", "import", "cliff.jsonl", "--db", str(tmp_path / "elsewhere.db")).returncode == 0


def test_an_export_is_for_people_and_for_verifiers_too(cliff: Run) -> None:
    assert "- Kira joins" in cliff("table", "export", "cliff", "--transcript").stdout
    cliff("table", "export", "cliff", "ledger.jsonl", "--ledger")
    assert cliff("verify", "ledger.jsonl").returncode == 0
    assert cliff("table", "export", "cliff", "--transcript", "--ledger").returncode == 2


def test_a_backup_brings_everything_back(cliff: Run, tmp_path: Path) -> None:
    backup = str(tmp_path / "backup.db")
    assert cliff("table", "backup", backup).returncode == 0
    assert cliff("table", "backup", backup).returncode == 2
    cliff("do", "cliff", "say", "words=Gone soon")
    refused = cliff("table", "restore", backup)
    assert (refused.returncode, "--yes" in refused.stderr) == (2, True)
    assert cliff("table", "restore", backup, "--yes").returncode == 0
    log = cliff("table", "log", "cliff").stdout
    assert "Gone soon" not in log
    assert "restored" in log


def test_words_are_forgotten_by_whoever_said_them_and_not_by_accident(cliff: Run) -> None:
    said = json.loads(cliff("do", "cliff", "say", "words=My name is Wilhelmina", "--as", "Bo", "--json").stdout)
    asked = cliff("table", "forget", "cliff", said["act"], "--as", "Bo")
    assert asked.returncode == Exit.REFUSED
    assert "Wilhelmina" in asked.stderr
    assert "add --yes" in asked.stderr
    assert cliff("table", "forget", "cliff", said["act"], "--yes", "--as", "Bo").stdout == "The words are forgotten.\n"
    assert "Wilhelmina" not in cliff("table", "log", "cliff").stdout
    adas = json.loads(cliff("do", "cliff", "say", "words=Go on.", "--json").stdout)
    assert "You wrote nothing there." in cliff("table", "forget", "cliff", adas["act"], "--yes", "--as", "Bo").stderr


def test_only_the_game_master_deletes_and_not_by_accident(cliff: Run) -> None:
    assert cliff("table", "delete", "cliff").returncode == 1
    assert "Only the game master" in cliff("table", "delete", "cliff", "--yes", "--as", "Bo").stderr
    assert cliff("table", "delete", "cliff", "--yes").stdout == "The Cliff is deleted.\n"
    assert "no tables yet" in cliff("table", "list").stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("table", "show", "nowhere"), 2, "There is no table 'nowhere'"),
        (
            ("table", "show", "cliff", "--as", "Zed"),
            2,
            "Nobody called 'Zed' sits here. Seats: Ada (game master), Bo (player)",
        ),
        (("table", "new", "chess", "X"), 2, "There is no game 'chess' here"),
        (("table", "new", "dare", "X", "--option", "nerve=9"), 1, "nerve must be at most 6, not 9"),
        (("table", "new", "dare", ""), 1, "name must not be empty"),
        (("table", "list", "--db", "sqlite:///"), 3, "names no file"),
        (("table", "list", "--db", "no/such/folder/x.db"), 3, "There is no folder"),
        (("table", "import", "nothing.jsonl"), 2, "nothing.jsonl: no such file"),
    ],
)
def test_what_can_not_be_is_said_in_a_sentence(cliff: Run, words: tuple[str, ...], code: int, said: str) -> None:
    done = cliff(*words)
    assert done.returncode == code
    assert done.stderr.startswith("astragal: ")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_store_is_named_and_nothing_is_traced(cliff: Run, tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_bytes(b"this is no database" * 100)
    done = cliff("table", "list")
    assert done.returncode == 3
    assert "tables.db" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_table_whose_opening_can_not_be_read_is_listed_as_such(cliff: Run, tmp_path: Path) -> None:
    opening = Entry(1, "table_opened", 1, 0, b"[]")
    with closing(open_store(str(tmp_path / "tables.db"))) as store:
        store.create("broken", Batch((opening,)))
    listed = cliff("table", "list")
    assert listed.returncode == Exit.DONE
    assert "The Cliff" in listed.stdout
    assert "can't be read: entry 1 is no opening" in listed.stdout
    assert [one["name"] for one in json.loads(cliff("table", "list", "--json").stdout)] == ["The Cliff", "broken"]
    shown = cliff("table", "show", "broken")
    assert (shown.returncode, "entry 1" in shown.stderr) == (Exit.REFUSED, True)


@pytest.mark.parametrize("line", [b"[1]", b'"x"', b'{"entry":[1,2]}', b'{"entry":' + b"[" * 5000, b'{"a":"\xff"}'])
def test_a_malformed_export_is_refused_in_a_sentence_and_leaves_nothing(
    cliff: Run, tmp_path: Path, line: bytes
) -> None:
    export = tmp_path / "bad.jsonl"
    header = b'{"astragal":"table","format":1,"table":"x"}\n' + line + b"\n"
    export.write_bytes(header + json.dumps({"end": sha256(header).hexdigest()}).encode())
    elsewhere = ("--db", str(tmp_path / "elsewhere.db"))
    refused = cliff("table", "import", str(export), *elsewhere)
    assert refused.returncode == Exit.REFUSED
    assert "export" in refused.stderr
    assert "There are no tables yet" in cliff("table", "list", *elsewhere).stdout


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")
def test_what_the_program_writes_down_is_for_its_owner_alone(cliff: Run, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        cliff("table", "export", "Cliff", str(tmp_path / "cliff.jsonl"))
        cliff("table", "backup", str(tmp_path / "cliff.db"))
        cliff("do", "Cliff", "promise_chain", "--kind", "paired", "--as", "Bo")
    finally:
        os.umask(before)
    kept = [tmp_path / "cliff.jsonl", tmp_path / "cliff.db", tmp_path / "tables.db"]
    ours = [path for place in ("data", "state") for path in (tmp_path / place / "astragal").rglob("*.json")]
    folders = [path for place in ("data", "state") for path in [tmp_path / place / "astragal"] if path.exists()]
    assert len(ours) == 1
    assert {path.stat().st_mode & 0o777 for path in [*kept, *ours]} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}


@pytest.mark.slow
def test_a_picture_is_brought_made_anew_used_and_removed(here: Run, tmp_path: Path) -> None:
    (tmp_path / "letter.png").write_bytes(photograph("PNG"))
    (tmp_path / "no.svg").write_text("<svg/>")
    here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo")
    said = here("table", "picture", "Cliff", "letter.png", "--handout", "A letter", "--show", "--alt", "Grey", "--json")
    assert json.loads(said.stdout)["title"] == "A letter"
    assert "shown: A letter [Grey]" in here("table", "log", "Cliff", "--as", "Bo").stdout
    here("table", "recap", "Cliff", "evening.md", "--as", "Bo")
    assert "![Grey][picture-1]" in (tmp_path / "evening.md").read_text("utf-8")
    assert here("do", "Cliff", "remove_picture", "A letter", "--as", "Bo").returncode == 1
    assert here("do", "Cliff", "remove_picture", "A letter").returncode == 0
    assert json.loads(here("table", "show", "Cliff", "--json").stdout)["handouts"] == {}
    assert here("table", "picture", "Cliff", "no.svg").returncode == 1
    assert here("table", "picture", "Cliff", "letter.png", "--show").returncode == 2


@pytest.mark.slow
def test_an_evening_is_told_again_and_printed(here: Run, tmp_path: Path) -> None:
    here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo")
    for words in (["begin_evening"], ["improvise_scene", "title=The bridge"], ["narrate", "The rope hums."]):
        assert here("do", "Cliff", *words, "--as", "Ada").returncode == 0
    said = "/roll 2d6 # a leap\n/w Ada hush\n/rol d6\n/gmr d20\n"
    played = here("play", "Cliff", "--as", "Bo", said=said)
    assert "Bo rolls 2d6 (a leap)" in played.stdout
    told = here("table", "recap", "Cliff", "--as", "Bo").stdout
    assert told.startswith("# The Cliff, evening 1")
    assert "## The bridge" in told
    assert "The rope hums." in told
    assert "hush" not in told
    assert here("table", "recap", "Cliff", "--evening", "3").returncode == 1
    assert here("table", "recap", "Cliff", "--pdf").returncode == 2
    assert here("table", "recap", "Cliff", "evening.pdf", "--pdf").returncode == 0
    assert (tmp_path / "evening.pdf").read_bytes().startswith(b"%PDF")
