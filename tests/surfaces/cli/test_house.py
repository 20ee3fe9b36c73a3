"""What is around the tables: games, skins, the doctor, shells, faults and exit codes."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from astragal.surfaces.cli.app import COMMANDS, FOR_SHELLS, help_page, load
from astragal.surfaces.cli.errors import Exit
from tests.patience import LONG
from tests.rulesets.sinew_steel.test_manifests import MANIFEST
from tests.surfaces.cli.conftest import PROGRAM, Run, our_games


def test_every_installed_game_is_listed_a_stranger_s_too(here: Run) -> None:
    listed = json.loads(here("games", "--json").stdout)
    assert {*our_games(), "dare"} <= {one["id"] for one in listed}
    told = here("games", "dare").stdout
    for said in ("join", "leap", "nerve NUMBER", "Tables of the book: chances", "Skins: plucky"):
        assert said in told


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(our_games()))
def test_each_of_our_games_opens_a_table_and_explains_itself(here: Run, game: str) -> None:
    assert here("table", "new", game, "Trial", "--gm", "Ada", "--player", "Bo").returncode == 0
    assert here("table", "show", "Trial").returncode == 0
    told = json.loads(here("games", game, "--json").stdout)
    for command in told["commands"]:
        helped = here("do", "Trial", command, "--help")
        assert helped.stdout.startswith("Usage: astragal do TABLE")
    for rule in told["rules"]:
        assert here("odds", game, rule, "--help").returncode == 0
    for table in told["tables"]:
        assert here("tables", game, table).returncode == 0


@pytest.mark.parametrize("game", sorted(our_games()))
def test_each_of_our_games_makes_heroes_and_has_five_minutes_to_play(here: Run, game: str) -> None:
    assert here("hero", "random", game, "--seed", "5", "--out", "hero.json").returncode == 0
    assert here("hero", "check", "hero.json").returncode == 0
    for page in ((), ("--json",), ("--markdown",), ("--html",)):
        shown = here("hero", "show", "hero.json", *page)
        assert (shown.returncode, bool(shown.stdout)) == (0, True)
    assert max(map(len, here("hero", "show", "hero.json").stdout.splitlines())) <= 80
    played = here("demo", game, said="look\nsheet\n?\nsay Hello\n")
    assert (played.returncode, played.stdout.count('"shown"')) == (0, 3)


@pytest.mark.parametrize("game", sorted(our_games()))
def test_each_shipped_skin_of_our_games_is_in_order_and_can_be_worn(here: Run, game: str) -> None:
    for skin in json.loads(here("games", game, "--json").stdout)["skins"]:
        assert here("skin", "show", game, skin).returncode == 0
        worn = here("table", "new", game, f"In {skin}", "--skin", skin)
        assert worn.returncode == 0, worn.stderr


@pytest.mark.parametrize("game", sorted(our_games()))
def test_a_skin_that_is_not_utf_8_is_refused_with_the_place_of_the_first_byte(
    here: Run, tmp_path: Path, game: str
) -> None:
    assert here("skin", "new", game, "mine.toml").returncode == 0
    text = (tmp_path / "mine.toml").read_text(encoding="utf-8").replace('"My s', '"Caf\u00e9 s')
    (tmp_path / "mine.toml").write_bytes(text.encode("latin-1", errors="replace"))
    line = 1 + text[: text.index("Caf")].count("\n")
    told = f"mine.toml:{line}:12: the byte 0xE9 is not UTF-8; expected text in UTF-8\n"
    checked = here("skin", "check", game, "mine.toml")
    assert (checked.returncode, checked.stdout) == (1, told)
    worn = here("table", "new", game, "X", "--skin", "mine.toml")
    assert (worn.returncode, told.strip() in worn.stderr) == (1, True)


@pytest.mark.parametrize("game", sorted(our_games()))
def test_a_skin_of_ones_own_is_written_checked_shown_and_played(here: Run, game: str) -> None:
    assert here("skin", "new", game, "mine.toml").returncode == 0
    assert here("skin", "check", game, "mine.toml").stdout == "mine.toml has no faults.\n"
    shown = here("skin", "show", game, "mine.toml").stdout
    assert all(words in shown for words in ("Watchman: Tired", "First Hero", "Adventure: How it began", "→ Inside"))
    opened = here("table", "new", game, "Mine", "--skin", "mine.toml").stdout
    assert 'Its first adventure is How it began: begin_evening, then begin_scene "A door".' in opened
    command = "raise_threat" if game == "narraject" else "make_npc"
    assert "Watchman" in here("do", "Mine", command, "--foe", "Watchman").stdout
    assert json.loads(here("skin", "schema", game).stdout)["title"].startswith("A skin for ")


def test_skins_of_an_older_manifest_are_imported_and_played(here: Run, tmp_path: Path) -> None:
    """SS-70, SS-71: each becomes a file of its own; a faulty manifest is refused with the place, and writes nothing."""
    (tmp_path / "manifest.yaml").write_text(MANIFEST, encoding="utf-8")
    told = here("skin", "import", "sinew_steel", "manifest.yaml")
    assert told.returncode == 0, told.stderr
    assert "emberfall.toml is written." in told.stdout
    for skin in ("emberfall.toml", "old_entry.toml"):
        assert here("skin", "check", "sinew_steel", skin).stdout == f"{skin} has no faults.\n"
    assert "FOR is Luck (Fortune)" in here("skin", "show", "sinew_steel", "emberfall.toml").stdout
    assert here("table", "new", "sinew_steel", "X", "--skin", "emberfall.toml").returncode == 0
    again = here("skin", "import", "sinew_steel", "manifest.yaml")
    assert (again.returncode, "is there already" in again.stderr) == (1, True)
    (tmp_path / "bad.yaml").write_text(MANIFEST.replace("luck_key: FOR", "luck_key: XYZ"), encoding="utf-8")
    refused = here("skin", "import", "sinew_steel", "bad.yaml", "elsewhere")
    assert (refused.returncode, "bad.yaml:" in refused.stderr) == (1, True)
    assert "has no older format of skins" in here("skin", "import", "new_shoes", "bad.yaml").stderr


def test_a_list_of_games_says_what_each_is_about(here: Run) -> None:
    told = here("games").stdout
    assert "sinew_steel  Sinew & Steel. Roll low, spend luck" in told
    assert "Roll low" in here("games", "sinew_steel").stdout.splitlines()[1]


def test_a_skin_that_is_nowhere_is_answered_with_those_there_are(here: Run) -> None:
    refused = here("skin", "show", "dare", "glum")
    assert (refused.returncode, "has no skin 'glum'" in refused.stderr, "plucky" in refused.stderr) == (2, True, True)
    assert here("skin", "list", "narraject").stdout == "narraject: orchard_nine, unlit_quarter\n"


def test_a_skin_is_listed_shown_checked_and_begun(here: Run, tmp_path: Path) -> None:
    assert json.loads(here("skin", "list", "dare", "--json").stdout) == {"dare": ["plucky"]}
    assert here("skin", "show", "dare", "plucky").stdout == "It says: nerve = Pluck\n"
    assert here("skin", "new", "dare", "mine.txt").returncode == 0
    assert here("skin", "check", "dare", "mine.txt").stdout == "mine.txt has no faults.\n"
    (tmp_path / "mine.txt").write_text("nerve\nx = y\n", encoding="utf-8")
    broken = here("skin", "check", "dare", "mine.txt")
    assert (broken.returncode, broken.stdout) == (1, "mine.txt, line 1: no “=”\n")
    assert here("table", "new", "dare", "X", "--skin", "mine.txt").returncode == 1
    assert here("skin", "check", "dare", "no-such.txt").returncode == 2


def test_a_huge_file_is_not_even_read(here: Run, tmp_path: Path) -> None:
    (tmp_path / "huge.txt").write_bytes(b"x" * (10 * 1024 * 1024))
    refused = here("skin", "check", "dare", "huge.txt")
    assert (refused.returncode, "10,485,760 bytes" in refused.stderr) == (1, True)


def test_the_doctor_finds_a_sound_house(cliff: Run) -> None:
    done = cliff("doctor")
    assert done.returncode == 0, done.stdout
    assert "entries, all sound" in done.stdout
    found = {one["what"]: one for one in json.loads(cliff("doctor", "--json").stdout)}
    assert found["game dare"]["found"] == "Dare, version 1"
    assert found["store"]["found"].endswith("tables.db, 1 table")
    assert "fastapi" in found["astragal serve"]["found"]


def test_the_doctor_loads_each_part_if_asked_and_names_one_that_is_there_and_can_not_be_loaded(
    astragal: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    """What is loaded leaves a trace here."""
    trace = tmp_path / "loaded"
    broken = f"open({str(trace)!r}, 'w').close()\nraise ImportError('half of it is gone')"
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "segno.py").write_text(broken, encoding="utf-8")
    environment["PYTHONPATH"] = f"{tmp_path / 'more'}{os.pathsep}{environment['PYTHONPATH']}"
    told = astragal("doctor").stdout
    assert "segno" in told
    assert "doctor --thorough loads each" in told
    assert not trace.exists()
    done = astragal("doctor", "--thorough")
    assert done.returncode == 0
    assert "not ready, and nothing else needs it: half of it is gone" in done.stdout
    assert trace.exists()


def test_the_doctor_says_which_settings_are_used_and_no_password(
    here: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "astragal.toml").write_text('db = "elsewhere.db"\n')
    monkeypatch.setenv("ASTRAGAL_SETTINGS", str(tmp_path / "astragal.toml"))
    done = here("doctor", "--db", "postgresql://gm:hunt@er2@host/db")
    assert done.returncode == 1
    assert str(tmp_path / "astragal.toml") in done.stdout
    assert "ASTRAGAL_DB in the environment overrides db of the file" in done.stdout
    assert "postgresql://…@host/db: This is not a PostgreSQL URL" in done.stdout
    assert "@ is written %40" in done.stdout
    assert "er2" not in done.stdout
    assert "backup" not in done.stdout


def test_the_doctor_says_what_is_broken_and_what_to_do(here: Run, tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_bytes(b"this is no database" * 100)
    done = here("doctor")
    assert done.returncode == 1
    assert "no  store" in done.stdout
    assert "restore a backup" in done.stdout


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["ta"], ["table", "tables"]),
        (["table", "de"], ["delete"]),
        (["table", "show", ""], ["The\\ Cliff"]),
        (["do", "The Cliff", "dar"], ["dare"]),
        (["do", "The\\ Cliff", "dare", "--d"], ["--danger", "--db"]),
        (["do", "cliff", "dare", "--who", ""], ["Kira", "Lund"]),
        (["do", "cliff", "take_seat", "--role", "sp"], ["spectator"]),
        (["play", "cliff", "--as", "B"], ["Bo"]),
        (["odds", "da"], ["dare"]),
        (["odds", "dare", ""], ["leap"]),
        (["odds", "dare", "leap", "--ne"], ["--nerve"]),
        (["tables", "dare", ""], ["chances"]),
        (["skin", "show", "dare", ""], ["plucky"]),
        (["do", "nowhere", ""], []),
    ],
)
def test_a_shell_completes_commands_tables_people_and_fields(cliff: Run, words: list[str], found: list[str]) -> None:
    assert cliff("complete", "--", *words).stdout.splitlines() == found


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("rol 1d6", "There is no command 'rol' here. Did you mean roll? There are answer, "),
        ("tabel", "Did you mean table?"),
        (
            "table nope",
            "seats, show, token, webhook.\nastragal table",
        ),
        ("hero show a.json b.json", "hero show takes HERO; 'b.json' is one too many.\nastragal hero show --help"),
        ("tables", "tables needs GAME.\nastragal tables --help says more."),
        ("verify", "verify needs FILE."),
        ("table show cliff --as", "--as: expected one argument."),
        ("table log cliff --last x", "--last takes a whole number, not 'x'."),
        ("roll 1d6 --times 0", "--times takes a whole number from 1 to 10000, not 0."),
        ("games --jsn", "There is no option --jsn here. Did you mean --json?"),
        ("games --jso", "There is no option --jso here."),
        ("games --json=yes", "--json: "),
        ("do --hiden cliff dare", "Did you mean --hidden?"),
        ("do", "do needs TABLE."),
        ("hero show a.json --html --markdown", "--markdown: not allowed with argument --html."),
        ("table export cliff --ledger --transcript", "--transcript: not allowed with argument --ledger."),
        ("completion csh", "SHELL takes bash, zsh or fish, not 'csh'."),
        ("serve --prt 80", "Did you mean --port?"),
    ],
)
def test_what_is_mistyped_is_answered_in_a_sentence_with_the_help_to_read(here: Run, call: str, said: str) -> None:
    done = here(*call.split())
    assert (done.returncode, done.stdout) == (Exit.BAD_INPUT, "")
    assert said in done.stderr
    assert done.stderr.endswith(" --help says more.\n")


@pytest.mark.parametrize("words", [["hero"], ["hero", "--help"], ["skin"], ["table", "-h"]])
def test_a_group_says_what_each_of_its_commands_is_for(here: Run, words: list[str]) -> None:
    told = here(*words).stdout
    commands = [line.split() for line in told.partition("Commands:\n")[2].splitlines() if line[2] != " "]
    assert {name for name, *_ in commands} >= {"new", "show"}
    assert all(sentence for _, *sentence in commands)


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {FOR_SHELLS}))
def test_the_list_of_commands_has_the_first_line_of_each_commands_own_help(name: str) -> None:
    group, _, word = name.rpartition(" ")
    listed = " ".join(help_page(group, {}, width=500).split())
    own = load(name).__doc__.splitlines()[0]
    assert f"{word} {' '.join(own.split())}" in listed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_its_script(here: Run, shell: str) -> None:
    assert "astragal complete" in here("completion", shell).stdout


@pytest.mark.slow
def test_bash_completes_with_the_script(here: Run, environment: dict[str, str], tmp_path: Path) -> None:
    script = here("completion", "bash").stdout
    program = tmp_path / "astragal"
    program.write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    asked = f'{script}\nCOMP_WORDS=(astragal table se)\nCOMP_CWORD=2\n_astragal\necho "${{COMPREPLY[@]}}"'
    environment["PATH"] = f"{tmp_path}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(["bash", "-c", asked], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "seats\n"


# ---------------------------------------------------------------- the real program


def test_the_real_program_plays_an_evening(astragal: Run) -> None:
    assert astragal("table", "new", "dare", "The Cliff", "--gm", "Ada").returncode == 0
    assert "Kira joins" in astragal("do", "cliff", "join", "name=Kira").stdout
    refused = astragal("do", "cliff", "dare", "who=Nobody")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "astragal: There is no character 'Nobody' here: Kira.\n"
    played = astragal("play", "cliff", said="dare Kira 1\nsay Good night\n").stdout
    assert '"event"' in played
    assert "Kira dares: True" in played


def test_debug_shows_where_a_fault_lies_wherever_it_is_said(astragal: Run) -> None:
    for words in (("--debug", "table", "show", "nowhere"), ("table", "show", "nowhere", "--debug")):
        done = astragal(*words)
        assert "Traceback" in done.stderr
        assert done.returncode == 1


@pytest.mark.slow
def test_ctrl_c_ends_with_130_and_leaves_everything_sound(
    cliff: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    with subprocess.Popen(
        [*PROGRAM, "play", "cliff", "--as", "Bo"],
        env=environment,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin
        assert running.stdout
        running.stdin.write("say I was here\n")
        running.stdin.flush()
        assert "I was here" in running.stdout.readline()
        assert '"done"' in running.stdout.readline()
        running.send_signal(signal.SIGINT)
        assert running.wait(LONG) == Exit.INTERRUPTED
        assert running.stderr
        assert "Traceback" not in running.stderr.read()
    assert "I was here" in cliff("table", "log", "cliff").stdout
    assert cliff("doctor").returncode == 0


def test_a_broken_game_spoils_no_other(here: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    info = tmp_path / "more" / "broken-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[astragal.rulesets]\nbroken = no.such:GAME\n", encoding="utf-8")
    monkeypatch.syspath_prepend(info.parent)
    assert here("table", "new", "dare", "The Cliff").returncode == 0
    assert "The game broken is installed, but can't be loaded" in here("table", "new", "broken", "X").stderr
    assert here("doctor").returncode == 1
