"""Tokens and webhooks from the terminal, and an AI that plays until it is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from astragal.programs import issue_token, keep_webhook
from astragal.storage import open_store
from astragal.surfaces.web.security.auth import digest
from astragal.table.log.store import PassKind
from astragal.wiring import host_of, installed_rulesets
from tests.surfaces.ai.model_server import Answer, in_turn, model_server


def open_table(path: Path) -> str:
    url = f"sqlite:///{path}/tables.db"
    store = open_store(url)
    host_of(store, [installed_rulesets()["new_shoes"]()]).open("new_shoes", name="The Cliff", game_master="Ada")
    store.close()
    return url


def test_a_program_gets_a_seat_and_a_receiver_without_a_browser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = open_table(tmp_path)
    issue_token("Cliff", db=url)
    token = capsys.readouterr().out.strip()
    store = open_store(url)
    found = store.passes.find(digest(token))
    store.close()
    assert found is not None
    assert found.kind is PassKind.TOKEN
    keep_webhook("Cliff", "https://bot.example/hook", db=url)
    secret = capsys.readouterr().out.splitlines()[-1]
    keep_webhook("Cliff", db=url)
    listed = capsys.readouterr().out
    assert "https://bot.example/hook" in listed
    assert secret not in listed
    keep_webhook("Cliff", remove=True, db=url)
    keep_webhook("Cliff", db=url)
    assert capsys.readouterr().out == "1 removed.\n\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_an_ai_plays_from_a_terminal_until_it_is_interrupted(tmp_path: Path) -> None:
    url = open_table(tmp_path)
    with model_server(in_turn(Answer("A storm is coming."))) as server:
        words = ["table", "seat-ai", "Cliff", "--model", "m", "--address", server.openai, "--db", url]
        env = {**os.environ, "ASTRAGAL_AI": str(tmp_path / "ai.json")}
        with subprocess.Popen([sys.executable, "-m", "astragal", *words], stdout=subprocess.PIPE, env=env) as program:
            assert program.stdout is not None
            said = [program.stdout.readline().decode()]
            while said[-1] and "waiting, 1,050 of 300,000 tokens" not in said[-1]:
                said.append(program.stdout.readline().decode())
            program.send_signal(signal.SIGINT)
            program.wait()
    assert said[-1], said
    store = open_store(url)
    host = host_of(store, [installed_rulesets()["new_shoes"]()])
    (table,) = store.tables()
    ada = next(seat for seat in host.seats(table).values() if seat.name == "Ada")
    assert ada.role.value == "game master"
    assert "A storm is coming." in [event.words for event in host.follow(table, ada.id).events]
    store.close()
