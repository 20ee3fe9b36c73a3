"""Over HTTP, what nobody should send: bodies that are none, floods, and a server that goes away in the middle."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.surfaces.mcp.http import LARGEST
from astragal.surfaces.mcp.server import MOST_AT_ONCE
from tests.surfaces.mcp.driving import agreeable, both_eras, play, scripted
from tests.surfaces.mcp.over_http import OLDER, InTurns, Lodge, bearing, caller, driving_over_http, serving
from tests.surfaces.mcp.test_http import DARE, a_table

NEWER = "2026-07-28"
BODIES = {
    "empty": b"",
    "half": b'{"jsonrpc": "2.0", "id":',
    "a batch": b"[]",
    "a number": b"7",
    "no text": b"\xff\xfe\x00",
    "deep": b"[" * 60_000,
    "a long number": b'{"jsonrpc": "2.0", "id": ' + b"9" * 10_000 + b', "method": "tools/list"}',
    "no method": b'{"jsonrpc": "2.0", "id": 1}',
    "no such method": b'{"jsonrpc": "2.0", "id": 1, "method": "roll/again", "params": {"seed": 1}}',
}


@pytest.mark.parametrize("version", [OLDER, NEWER, "1999-01-01", ""])
def test_a_body_that_is_none_is_answered_as_one(tmp_path: Path, version: str) -> None:
    house = scripted(tmp_path)
    table = a_table(house)

    async def knocks(lodge: Lodge) -> None:
        kinds = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        headers = {**bearing(lodge.admit("t0ken", table, "AI")), **kinds}
        headers |= {"mcp-protocol-version": version} if version else {}
        async with caller(headers=headers) as http:
            for name, body in BODIES.items():
                assert 400 <= (await http.post(lodge.url, content=body)).status_code < 500, name
            assert (await http.post(lodge.url, content=b" " * (LARGEST + 1))).status_code == 413
        async with driving_over_http(lodge, "t0ken") as drive:
            assert "Kira" in (await drive("look")).text

    with serving(house) as lodge:
        play(lambda: knocks(lodge))


@pytest.mark.slow
@both_eras
def test_a_restart_in_the_middle_of_a_decision(tmp_path: Path, era: str) -> None:
    """The decision waits in the log; the same intent is the same roll; the person is asked again, and decides."""
    table = a_table(scripted(tmp_path))

    async def before(lodge: Lodge) -> None:
        async with driving_over_http(lodge, lodge.admit("t0ken", table, "AI", player="Ann"), era) as drive:
            acts.append((await drive.done("act", **DARE))["act"])

    async def after(lodge: Lodge) -> None:
        token = lodge.admit("t0ken", table, "AI", player="Ann")
        async with driving_over_http(lodge, token, era, agreeable()) as drive:
            done = await drive.done("act", **DARE)
            assert [done["act"]] == acts
            assert done["waits"] == []

    acts: list[str] = []
    for faces, sitting in (([2], before), ([], after)):
        with serving(scripted(tmp_path, *faces)) as lodge:
            play(lambda lodge=lodge, sitting=sitting: sitting(lodge))  # type: ignore[misc]


def test_a_form_may_come_back_to_another_process(tmp_path: Path) -> None:
    """In the newer protocol each call stands alone: behind a balancer the answer reaches whichever server is next."""
    first, second, ann = scripted(tmp_path, 2), scripted(tmp_path, 2), agreeable()
    table = a_table(first)

    async def evening(*lodges: Lodge) -> None:
        for lodge in lodges:
            lodge.admit("t0ken", table, "AI", player="Ann")
        async with driving_over_http(lodges[0], "t0ken", NEWER, ann, InTurns(*lodges)) as drive:
            made = await drive.done("act", **DARE)
            assert len(ann.asked) == 1
            assert made["waits"] == []

    with serving(first) as one, serving(second) as other:
        play(lambda: evening(one, other))


@pytest.mark.slow
@both_eras
def test_a_flood_from_one_seat_leaves_the_others_alone(tmp_path: Path, era: str) -> None:
    house = scripted(tmp_path)
    table = a_table(house)

    async def evening(lodge: Lodge) -> None:
        loud, calm = lodge.admit("loud", table, "Echo"), lodge.admit("calm", table, "AI")
        async with driving_over_http(lodge, loud, era) as flood, driving_over_http(lodge, calm, era) as drive:
            replies = [await flood("table") for _ in range(3 * MOST_AT_ONCE)]
            assert any("too_fast" in reply.text for reply in replies)
            await drive.done("look")

    with serving(house, hours=lambda: 0.0) as lodge:
        play(lambda: evening(lodge))
