"""A seat whose rolls are paired, or that witnesses hidden ones: the terminal keeps its chains and sends their links."""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from astragal.fair import Report, verify
from astragal.storage import open_store
from astragal.surfaces.cli.errors import Declined
from astragal.surfaces.cli.seats import SeatClient
from astragal.surfaces.shared.context import AppContext
from astragal.table.host import Host
from tests.surfaces.cli.conftest import Run, Terminal
from tests.surfaces.cli.daring import DARING

DARE = ("dare", "who=Kira", "danger=1", "--as", "Bo")
PAIR = ("do", "cliff", "promise_chain", "--kind", "paired", "--as", "Bo")


def report(run: Run, tmp_path: Path) -> Report:
    file = tmp_path / "ledger"
    file.unlink(missing_ok=True)
    run("table", "export", "cliff", str(file), "--ledger")
    return verify(file.read_bytes().splitlines(), [])


def chains(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "data" / "astragal" / "chains").glob("*.json"))


@pytest.fixture
def paired(cliff: Run) -> Run:
    assert cliff(*PAIR).returncode == 0
    return cliff


def test_every_roll_of_a_paired_seat_takes_a_link_of_its_own(paired: Run, tmp_path: Path) -> None:
    assert paired("do", "cliff", *DARE).returncode == 0
    assert (
        paired("play", "cliff", "--as", "Bo", said="dare 1\nsay nothing is rolled for this\ndare 1\n").returncode == 0
    )
    found = report(paired, tmp_path)
    assert found.sound
    assert (found.rolls, found.paired) == (3, 3)


def test_another_seat_rolls_as_before(paired: Run, tmp_path: Path) -> None:
    assert paired("do", "cliff", "dare", "who=Lund", "danger=1", "--as", "Cy").returncode == 0
    assert report(paired, tmp_path).paired == 0


@pytest.mark.usefixtures("paired")
def test_a_chain_is_for_its_owner_alone_and_not_in_the_store(tmp_path: Path) -> None:
    (kept,) = chains(tmp_path)
    assert kept.stat().st_mode & 0o777 == 0o600
    seed = json.loads(json.loads(kept.read_bytes())["chain"])["seed"]
    assert not any(seed.encode() in file.read_bytes() for file in tmp_path.glob("tables.db*"))


def test_a_chain_is_promised_once(paired: Run, tmp_path: Path) -> None:
    (kept,) = chains(tmp_path)
    before = kept.read_bytes()
    again = paired(*PAIR)
    assert again.returncode == 1
    assert "This seat has promised a chain already" in again.stderr
    assert kept.read_bytes() == before


def test_a_lost_chain_is_declared_and_followed_by_another(paired: Run, tmp_path: Path) -> None:
    (kept,) = chains(tmp_path)
    kept.unlink()
    assert "paired with a chain that another program keeps" in paired("do", "cliff", *DARE).stderr
    assert paired("do", "cliff", "declare_chain_lost", "--kind", "paired", "--as", "Bo").returncode == 0
    assert paired(*PAIR).returncode == 0
    assert paired("do", "cliff", *DARE).returncode == 0
    found = report(paired, tmp_path)
    assert (found.sound, found.paired) == (True, 1)


def test_after_a_restore_the_chain_is_renewed_by_itself(paired: Run, tmp_path: Path) -> None:
    assert paired("table", "backup", str(tmp_path / "all")).returncode == 0
    assert paired("table", "restore", str(tmp_path / "all"), "--yes").returncode == 0
    assert paired("do", "cliff", "say", "words=Back again", "--as", "Ada").returncode == 0
    assert paired("do", "cliff", *DARE).returncode == 0
    found = report(paired, tmp_path)
    assert (found.sound, found.paired) == (True, 1)


def test_a_witness_answers_hidden_rolls_by_itself(here: Run, tmp_path: Path) -> None:
    here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo", "--house", "witnessed=yes")
    here("do", "cliff", "join", "--name", "Kira", "--as", "Bo")
    assert here("do", "cliff", "promise_chain", "--kind", "witness", "--as", "Bo").returncode == 0
    for answered_by in (("play", "cliff", "--as", "Bo"), ("answer", "cliff", "--as", "Bo")):
        hidden = here("do", "cliff", "dare", "who=Kira", "danger=1", "--hidden", "--json")
        assert '"waits_for":["w:' in hidden.stdout.replace(" ", ""), hidden
        assert here(*answered_by).returncode == 0
    found = report(here, tmp_path)
    assert (found.sound, found.witnessed) == (True, 2)


def test_a_witness_at_the_prompt_answers_while_others_play(here: Run, terminal: Terminal, tmp_path: Path) -> None:
    here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo", "--house", "witnessed=yes")
    here("do", "cliff", "join", "--name", "Kira", "--as", "Bo")
    bo = terminal("play", "cliff", "--as", "Bo")
    bo.expect("Bo>")
    bo.sendline("promise chain witness")
    bo.expect("a private chain was promised")
    ada = terminal("play", "cliff", "--as", "Ada")
    ada.expect("Ada>")
    here("do", "cliff", "dare", "who=Kira", "danger=1", "--hidden")
    ada.expect("Kira dares: True")
    for one in (bo, ada):
        one.sendline("quit")
        one.expect(pexpect.EOF)
    found = report(here, tmp_path)
    assert (found.sound, found.witnessed) == (True, 1)


# ---------------------------------------------------------------- what is sent is sent for one command


@pytest.fixture
def bo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SeatClient]:
    """Bo's place at a table with fair dice; Bo's rolls are paired."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    store = open_store(str(tmp_path / "tables.db"))
    host = Host(store, [DARING], clock=lambda: 0, entropy=secrets.token_bytes)
    opened = host.open("dare", name="The Cliff", game_master="Ada")
    seat = host.act(opened.table, opened.seat, ("take_seat", {"name": "Bo"})).events[0].fields["seat"]["id"]
    place = SeatClient(AppContext(host, store), opened.table, seat)
    place.act("join", {"name": "Kira"})
    place.act("promise_chain", {"kind": "paired"})
    yield place
    store.close()


def daring(danger: int) -> dict[str, Any]:
    return {"who": "Kira", "danger": danger}


def unsent(place: SeatClient, danger: int) -> str:
    """A link that was written down, and then the program was killed."""
    with place.chains.sending("first", "dare", daring(danger)) as sending:
        return sending[0]


def test_a_command_that_may_not_have_arrived_is_given_again_under_its_own_id(bo: SeatClient) -> None:
    assert unsent(bo, 1) == "first"
    again = SeatClient(bo.context, bo.table, bo.seat)
    done = again.act("dare", daring(1), command_id="second")
    assert bo.host.act(bo.table, bo.seat, ("dare", daring(1)), command_id="first").act == done.act


def test_no_other_command_gets_a_link_before_the_last_one_is_shown(bo: SeatClient) -> None:
    unsent(bo, 1)
    with pytest.raises(Declined, match="The ledger does not show the link sent for the command first"):
        bo.act("dare", daring(2))
    bo.act("dare", daring(1))
    bo.act("dare", daring(2))


def test_a_used_up_chain_is_followed_by_another(bo: SeatClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.fair.rules.LINKS", 1)
    bo.act("dare", daring(1))
    bo.act("dare", daring(1))
    assert bo.chains.seen().sources[f"u:{bo.seat}"].renewed == 1


def test_a_chain_file_that_is_damaged_is_named(bo: SeatClient, tmp_path: Path) -> None:
    (kept,) = (tmp_path / "astragal" / "chains").glob("*.json")
    kept.write_bytes(b"{")
    with pytest.raises(Declined, match=kept.name):
        bo.act("dare", daring(1))
