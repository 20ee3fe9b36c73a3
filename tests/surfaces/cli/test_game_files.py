"""Games in one file, played by pointing at them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from astragal.storage import open_store
from astragal.surfaces.shared.game_files import BadGameFile, read_game
from astragal.table.contract import GAME_MASTER, PLAYER, Step, faults
from astragal.wiring import all_games, host_of
from tests.surfaces.cli.conftest import Run

LANTERNS = Path(__file__).parents[3] / "examples" / "lanterns.py"


@pytest.fixture
def lanterns(tmp_path: Path) -> Path:
    return Path(shutil.copy(LANTERNS, tmp_path))


def test_the_example_is_in_order_and_short() -> None:
    evening = [
        Step(PLAYER, "join", {"name": "Kira", "dread": "water"}),
        Step(GAME_MASTER, "join", {"name": "Moth"}),
        Step(PLAYER, "walk", {"who": "Kira", "dark": 6, "oil": 2}, faces=(4,)),
    ]
    assert faults(read_game(LANTERNS), evening) == []
    assert len(LANTERNS.read_text(encoding="utf-8").splitlines()) <= 70


@pytest.mark.usefixtures("lanterns")
def test_odds_of_a_rule_in_a_file(here: Run) -> None:
    shown = here("odds", "./lanterns.py", "find_the_way", "--dark", "6", "--oil", "2", "--json")
    assert shown.returncode == 0, shown.stderr
    assert '"1/2"' in shown.stdout


def test_a_file_is_played_by_pointing_at_it(
    astragal: Run, here: Run, lanterns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = astragal("play", "./lanterns.py", said="join Kira\nwalk Kira dark 2\n")
    assert "finds the way" in played.stdout, played.stderr
    shown = here("table", "show", "Lanterns", "--game-file", "./lanterns.py")
    assert "Kira" in shown.stdout, shown.stderr
    without = here("table", "show", "Lanterns")
    assert without.returncode != 0
    assert "lanterns" in without.stderr
    monkeypatch.setenv("ASTRAGAL_GAMES", str(lanterns))
    assert here("table", "show", "Lanterns").stdout == shown.stdout


def test_a_fault_in_a_file_is_told_with_its_line(here: Run, tmp_path: Path) -> None:
    for text, told in (
        ("a = 1\nb = a + c\n", "line 2: NameError"),
        ("def broken(:\n", "line 1: SyntaxError"),
        ("import astragal\n", "has no games in it"),
    ):
        file = tmp_path / "broken.py"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(BadGameFile, match=told):
            read_game(file)
        shown = here("odds", "./broken.py", "rule")
        assert shown.returncode != 0
        assert told in shown.stderr
        assert "Traceback" not in shown.stderr
    with pytest.raises(BadGameFile, match="can't be read"):
        read_game(tmp_path / "absent.py")


def test_a_changed_file_is_read_again_for_the_next_table(lanterns: Path) -> None:
    store = open_store(f"sqlite:///{lanterns.parent}/tables.db")
    try:
        host = host_of(store, [game for game in all_games([str(lanterns)]) if game.id == "lanterns"])
        first = host.open("lanterns", name="The Mine", game_master="Ada")
        host.act(first.table, first.seat, ("join", {"name": "Kira"}))
        text = lanterns.read_text(encoding="utf-8")
        lanterns.write_text(text.replace('Doc("oil in the lantern")] = 3', 'Doc("oil in the lantern")] = 5'), "utf-8")
        second = host.open("lanterns", name="The Moor", game_master="Ada")
        host.act(second.table, second.seat, ("join", {"name": "Moth"}))
        oil = {
            one.name: one.sheet.oil
            for table, seat in ((first.table, first.seat), (second.table, second.seat))
            for one in host.look(table, seat).characters.values()
        }
        assert oil == {"Kira": 3, "Moth": 5}
    finally:
        store.close()


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ('actor="who"', 'actor="whom"', "line 46: TypeError: actor='whom' is no field of Walk: it has who, dark, oil"),
        ('spend="oil"', 'spend="coal"', "line 46: TypeError: spend='coal' is no field of Walk"),
        ('event("walked"', 'event("walked", owner="whom"', "line 32: TypeError: owner='whom' is no field of Walked"),
        ('"walked", ', '"walked", adds={"gear": "item"}, ', "line 32: TypeError: adds='item' is no field of Walked"),
        (
            "{burned}",
            "{burnt}",
            r"line 32: The event 'walked' says \{burnt\}, which is neither a field of it nor a term",
        ),
        ('command("walk"', 'command("say"', "lanterns.py: The command 'say' has a name that every table has already"),
    ],
)
def test_a_name_that_nothing_has_is_told_when_the_file_is_read(
    lanterns: Path, right: str, wrong: str, told: str
) -> None:
    text = lanterns.read_text(encoding="utf-8")
    lanterns.write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises(BadGameFile, match=told):
        read_game(lanterns)
