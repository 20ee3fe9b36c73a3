"""Settings: an option that a call does not give comes from the environment, then from the settings file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from astragal.surfaces.cli.app import COMMANDS, load
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.parser import FILE, SETTINGS, Settings, arguments_of, variable
from astragal.surfaces.cli.settings_in_use import settings_in_use
from astragal.wiring import OTHER_SURFACES, game_files
from tests.surfaces.cli.settings_page import PAGE, current
from tests.surfaces.cli.test_parser import CONTEXT, parsed


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in (*SETTINGS, "settings"):
        monkeypatch.delenv(variable(key), raising=False)


def serve_with(*words: str) -> dict[str, Any]:
    return parsed(["serve", *words])[1]


def test_a_call_comes_before_the_environment_and_that_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "astragal.toml").write_text('port = 1\nlisten = "10.0.0.7"\nlan = true\nowner_key = "x"\n')
    monkeypatch.setenv(FILE, str(tmp_path / "astragal.toml"))
    monkeypatch.setenv("ASTRAGAL_PORT", "2")
    assert serve_with("--port", "3") == {"port": 3, "listen": "10.0.0.7", "lan": True, "owner_key": "x"}
    assert serve_with() == {"port": 2, "listen": "10.0.0.7", "lan": True, "owner_key": "x"}
    monkeypatch.delenv("ASTRAGAL_PORT")
    assert serve_with("--no-lan") == {"port": 1, "listen": "10.0.0.7", "lan": False, "owner_key": "x"}


def test_every_command_with_a_store_knows_where_the_settings_put_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_DB", "postgresql://somewhere/tables")
    parsed(["table", "list"])
    assert CONTEXT.db == "postgresql://somewhere/tables"
    assert parsed(["mcp"])[1] == {"db": "postgresql://somewhere/tables"}


def test_a_start_says_which_store_and_settings_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "astragal.toml"
    file.write_text('db = "postgresql://gm:hunter2@there/tables"\nport = 1\nowner_key = "hush"\n')
    monkeypatch.setenv(FILE, str(file))
    used = list(settings_in_use(serve_with()["db"]))
    assert used == ["Tables are stored in postgresql://gm:…@there/tables", f"Settings are read from {file}"]
    monkeypatch.setenv("ASTRAGAL_DB", "/srv/tables.db")
    assert list(settings_in_use(serve_with()["db"])) == [
        "Tables are stored in /srv/tables.db",
        f"Settings are read from {file}",
        "  but ASTRAGAL_DB in the environment overrides db of the file",
    ]


def test_games_in_files_are_a_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "astragal.toml").write_text('games = ["a.py", "b.py"]\n')
    monkeypatch.setenv(FILE, str(tmp_path / "astragal.toml"))
    assert game_files() == ["a.py", "b.py"]
    monkeypatch.setenv("ASTRAGAL_GAMES", os.pathsep.join(["c.py", "d.py"]))
    assert game_files() == ["c.py", "d.py"]


def test_a_secret_is_no_option() -> None:
    with pytest.raises(BadCall, match="no option --owner-key"):
        serve_with("--owner-key", "x")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 8000\n", "has no setting 'prot'. Did you mean port?"),
        ("= 3", "is not TOML"),
        ("port = 'many'\n", "port in .*: --port takes a whole number, not 'many'"),
        ("lan = 3\n", "lan in .*: it is true or false, not '3'"),
        ("log_format = 'xml'\n", "text or json, not 'xml'"),
    ],
)
def test_a_faulty_file_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    (tmp_path / "astragal.toml").write_text(text)
    monkeypatch.setenv(FILE, str(tmp_path / "astragal.toml"))
    with pytest.raises(BadCall, match=sentence):
        serve_with()


def test_a_file_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FILE, "/nowhere/astragal.toml")
    with pytest.raises(BadCall, match="can't be read: No such file"):
        Settings().texts("port")


def test_the_list_of_settings_is_what_commands_declare() -> None:
    commands = [load(name, OTHER_SURFACES) for name in (*COMMANDS, *OTHER_SURFACES)]
    declared = {one.says.setting for command in commands for one in arguments_of(command)}
    assert declared - {""} | {"games"} == set(SETTINGS)


def test_the_page_of_settings_is_current() -> None:
    assert PAGE.read_text("utf-8") == current(), "python -m tests.surfaces.cli.settings_page writes it"
