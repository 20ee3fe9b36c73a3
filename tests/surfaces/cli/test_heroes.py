"""`astragal hero`: made, checked, repaired, shown and grown on paper, by the game's own commands."""

import json
from pathlib import Path

import pexpect
import pytest

from astragal.wiring import OURS
from tests.surfaces.cli.conftest import Run, Terminal


@pytest.fixture
def kira(here: Run, tmp_path: Path) -> Path:
    here("hero", "new", "dare", "--name", "Kira", "--fear", "deep water", "--out", "kira.json")
    return tmp_path / "kira.json"


def test_a_hero_is_made_from_fields_and_written_down(here: Run) -> None:
    done = here("hero", "new", "dare", "--name", "Kira")
    assert json.loads(done.stdout) == {"astragal": "hero", "game": "dare", "hero": {"name": "Kira"}}


def test_an_illegal_hero_is_not_written_down(here: Run, tmp_path: Path) -> None:
    done = here("hero", "new", "dare", "--name", "", "--out", "x.json")
    assert done.returncode == 1
    assert "name must not be empty" in done.stderr
    assert not (tmp_path / "x.json").exists()


def test_help_on_a_hero_comes_from_the_command_that_makes_one(here: Run) -> None:
    assert "--fear TEXT\n    what they fear; default: nothing" in here("hero", "new", "dare", "--help").stdout


def test_a_random_hero_is_the_same_for_the_same_seed(here: Run) -> None:
    first, second = (here("hero", "random", "dare", "--seed", "7", "--wish", "fear=cats").stdout for _ in range(2))
    assert first == second
    assert json.loads(first)["hero"]["fear"] == "cats"
    refused = here("hero", "random", "dare", "--wish", "hair=red")
    assert (refused.returncode, "Wishes are fear: what they fear" in refused.stderr) == (2, True)


@pytest.mark.parametrize("game", OURS)
def test_a_random_hero_of_each_game_passes_the_check(here: Run, game: str) -> None:
    assert here("hero", "random", game, "--out", f"{game}.json").returncode == 0
    assert here("hero", "check", f"{game}.json").returncode == 0


def test_a_random_hero_with_something_of_ones_own_is_tried_out(here: Run) -> None:
    refused = here("hero", "random", "narraject", "--name", "x" * 1000)
    assert (refused.returncode, "can't be played yet" in refused.stderr) == (1, True)


def test_a_check_says_everything_and_proposes_repairs(here: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"game": "dare", "hero": {"name": "", "hat": 1}}', encoding="utf-8")
    done = here("hero", "check", "bad.json")
    assert done.returncode == 1
    for said in ("there is no field 'hat'", "name must not be empty", "repair 1: call them Nobody"):
        assert said in done.stdout
    found = json.loads(here("hero", "check", "bad.json", "--json").stdout)
    assert (found["legal"], found["repairs"][0]["hero"]["name"]) == (False, "Nobody")
    assert here("hero", "check", "bad.json", "--repair", "2").returncode == 2


def test_a_check_shows_a_hero_of_the_same_budget_who_is_better_everywhere(here: Run, tmp_path: Path) -> None:
    hero = {"name": "Kira", "scores": {"MGT": 12}}
    (tmp_path / "kira.json").write_text(json.dumps({"game": "sinew_steel", "hero": hero}), encoding="utf-8")
    done = here("hero", "check", "kira.json")
    assert (done.returncode, "  change 1: Might 12 → 13\n" in done.stdout) == (0, True)
    assert '"MGT": 13' in here("hero", "check", "kira.json", "--repair", "1").stdout


def test_a_check_says_each_thing_once(here: Run, tmp_path: Path) -> None:
    hero = {"name": "Kira", "scores": {"MGT": 19}, "kit": ["rope", "lamp", "knife"], "advantage": "knows the gorge"}
    (tmp_path / "kira.json").write_text(json.dumps({"game": "sinew_steel", "hero": hero}), encoding="utf-8")
    done = here("hero", "check", "kira.json")
    assert done.returncode == 1
    for said in ("Might 19 is above 16: lower it by 3", "Might 19 → 13"):
        assert done.stdout.count(said) == 1, done.stdout
    assert "astragal hero check kira.json --repair 1 --out FILE" in done.stdout


def test_a_sheet_is_the_hero_s_and_not_the_book_s(here: Run) -> None:
    """What one may choose from is in the book; a sheet fits a terminal, and a file says what was written to it."""
    here("hero", "random", "six_pool", "--seed", "7", "--out", "wend.json")
    shown = here("hero", "show", "wend.json").stdout.splitlines()
    assert len(shown) <= 24
    assert not any("arm wrestling" in line for line in shown)
    assert here("hero", "show", "wend.json", "--html", "--out", "wend.html").stdout.endswith(
        " is written to wend.html.\n"
    )
    assert here("hero", "show", "wend.json", "--out", "wend.txt").returncode == 2


def test_a_legal_hero_passes_the_check(here: Run, kira: Path) -> None:
    done = here("hero", "check", str(kira))
    assert (done.returncode, done.stdout) == (0, "4 letters\nKira is ready to play.\n")


def test_a_sheet_is_shown_for_the_terminal_for_programs_and_to_print(here: Run, kira: Path) -> None:
    assert "nerve ●●●○○○ 3/6 (what is spent)" in here("hero", "show", str(kira)).stdout
    assert json.loads(here("hero", "show", str(kira), "--json").stdout)["sheet"]["fear"] == "deep water"
    markdown = here("hero", "show", str(kira), "--markdown").stdout
    assert markdown.startswith('---\nname: "Kira"\ngame: "dare"\n---\n\n# Kira\n')
    assert here("hero", "show", str(kira), "--json", "--html").returncode == 2


def test_a_page_to_print_holds_no_markup_of_a_stranger_s(here: Run) -> None:
    here("hero", "new", "dare", "--name", "<script>x</script>", "--out", "x.json")
    page = here("hero", "show", "x.json", "--html").stdout
    assert "<script>" not in page
    assert "<h1>&lt;script&gt;" in page


def test_somebody_at_a_table_is_shown_as_the_seat_sees_them(cliff: Run) -> None:
    fears = [
        json.loads(cliff("hero", "show", "kira", "--table", "cliff", "--as", seat, "--json").stdout)["sheet"].get(
            "fear"
        )
        for seat in ("Bo", "Cy")
    ]
    assert fears == ["nothing", None]


def test_a_hero_grows_by_the_game_s_own_commands(here: Run, kira: Path) -> None:
    assert "override" in here("hero", "advance", str(kira)).stdout
    words = ("--who", "Kira", "--value", "6", "--what", "nerve", "--why", "a brave evening")
    done = here("hero", "advance", str(kira), "override", *words, "--out", str(kira))
    assert done.returncode == 0, done.stderr
    assert "nerve ●●●●●● 6/6" in here("hero", "show", str(kira)).stdout
    refused = here("hero", "advance", str(kira), "dare")
    assert (refused.returncode, "no command 'dare' to advance by" in refused.stderr) == (2, True)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"game": 3}', '{"game": "dare", "hero": 3}', "[" * 9000, "\x00"])
def test_what_is_no_hero_s_file_is_said_so(here: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    done = here("hero", "check", "x.json")
    assert (done.returncode, "is no hero's file" in done.stderr) == (2, True)


def test_a_hero_is_made_step_by_step_with_the_accounts_live(terminal: Terminal, tmp_path: Path) -> None:
    asked = terminal("hero", "new", "dare", "--out", "kira.json")
    asked.expect("name \\(TEXT\\) what they are called")
    asked.sendline("")
    asked.expect("fear")
    asked.sendline("deep water")
    asked.expect("0 letters")
    asked.expect("name is missing")
    asked.expect("1: call them Nobody")
    asked.sendline("name")
    asked.expect("what they are called")
    asked.sendline("Kira")
    asked.expect("Kira is written to kira.json")
    asked.expect(pexpect.EOF)
    written = json.loads((tmp_path / "kira.json").read_text("utf-8"))
    assert written["hero"] == {"fear": "deep water", "name": "Kira"}


def test_a_sheet_is_printed_as_pdf(here: Run, kira: Path, tmp_path: Path) -> None:
    assert here("hero", "show", str(kira), "--pdf").returncode == 2
    assert here("hero", "show", str(kira), "--pdf", "--out", "kira.pdf").returncode == 0
    assert (tmp_path / "kira.pdf").read_bytes().startswith(b"%PDF")
