"""Rates: a burst is fine, a flood is told when to come back, and a person's answer is never turned away."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp import MCPError

from astragal.surfaces.mcp.server import Rate, build_server
from tests.surfaces.mcp.driving import Person, both_eras, driving, play, scripted


class Hours:
    """A clock that a test turns."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_is_full_at_first_and_fills_again() -> None:
    hours = Hours()
    pace = Rate(hours, most=3, each_second=2)
    assert [pace.wait() for _ in range(3)] == [0, 0, 0]
    assert pace.wait() == 0.5
    hours.now = 0.25
    assert pace.wait() == 0.25
    hours.now = 0.5
    assert [pace.wait(), pace.wait()] == [0, 0.5]


def test_a_bucket_never_holds_more_than_its_most() -> None:
    hours = Hours()
    pace = Rate(hours, most=2, each_second=2)
    hours.now = 1000
    assert [pace.wait() > 0 for _ in range(3)] == [False, False, True]


@both_eras
def test_a_flood_is_told_when_to_come_back(tmp_path: Path, era: str) -> None:
    hours = Hours()

    async def evening() -> None:
        server = build_server(scripted(tmp_path), pace=Rate(hours, most=4, each_second=2))
        async with driving(server, era) as drive:
            hours.now = 100
            await drive.client.list_tools()  # whether or not the client has asked for them already
            while not (reply := await drive("table")).refused:
                pass
            assert "too_fast" in reply.text
            assert "Try again in 0.5 seconds" in reply.text
            with pytest.raises(MCPError, match=r"Try again in 0\.5 seconds"):
                await drive.client.read_resource("astragal://rules/dare")
            hours.now += 0.5
            await drive.done("table")

    play(evening)


@both_eras
def test_a_persons_answer_is_part_of_the_call_that_asked(tmp_path: Path, era: str) -> None:
    """However slow the person is, and however empty the bucket."""
    hours = Hours()
    pace = Rate(hours, most=60, each_second=1)

    def says(_: str, form: dict[str, dict[str, list[str]]]) -> dict[str, str]:
        while not pace.wait():
            pass
        return {"answer": form["answer"]["enum"][-1]}

    async def evening() -> None:
        async with driving(build_server(scripted(tmp_path, 2), pace=pace), era, Person(says)) as drive:
            await drive.open()
            made = await drive.done("act", command="dare", fields={"who": "Kira", "danger": 4})
            assert made["waits"] == []
            assert "too_fast" in await drive.refused("look")

    play(evening)
