"""An evening run by a scripted AI as game master, for two people; and what a long one costs."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from astragal import fair
from astragal.surfaces.mcp.agent.briefing import MOST_TOKENS, briefing, instructions
from astragal.surfaces.mcp.session import McpSession, SeatBinding
from astragal.surfaces.shared.ai_seats import AiRole
from astragal.surfaces.shared.context import SeatView
from astragal.surfaces.shared.pending import requests_of
from astragal.table.refusals import Refusal
from tests.surfaces.ai.model_server import Answer, Asked, calls, model_server
from tests.surfaces.ai.seated import Evening, evening

pytestmark = pytest.mark.slow  # they load the libraries of the models

REQUESTS: dict[str, dict[str, Any]] = {
    "sinew_steel": {"command": "test", "fields": {"attribute": "Reaction"}},
    "narraject": {
        "command": "attempt",
        "fields": {"stat": "might", "goal": "the door open", "approach": "my shoulder"},
        "difficulty": 2,
    },
    "six_pool": {"command": "check", "fields": {"pool": "DEX"}, "difficulty": 14},
}
DEED = re.compile(r"> \[(\w+)\]")


class GameMaster:
    """A model that runs an evening by what it reads: a scene's clock, a roll, what came of it, a foe, the end."""

    def __init__(self, game: str, player: str) -> None:
        self.game, self.player, self.done = game, player, set[str]()

    def __call__(self, asked: Asked) -> Answer:
        news = asked.prompt.rpartition("New since your last turn.")[2]
        steps = {
            "clock": (
                "",
                calls("act", command="start_clock", fields={"name": "The water", "size": 4, "face": "public"}),
            ),
            "opens": ("", Answer("The water rises around your boots, and a door stands ajar.")),
            "asks": ("I push the door", calls("act", command=self.asking, fields=self.asked_for(asked))),
            "waits": ("I push the door", Answer("PASS")),
            "tells": ("has rolled", calls("narrate", words="The door gives way.", cites=DEED.findall(news)[-1:])),
            "ticks": ("has rolled", calls("act", command="tick_clock", fields={"clock": "The water"})),
            "told": ("has rolled", Answer("Beyond it somebody is breathing.")),
            "foe": ("Who is there", calls("act", command=self.brings, fields=self.foe(asked))),
            "meets": ("Who is there", Answer("Somebody steps out of the dark and shows both hands.")),
            "ends": ("Good night", calls("act", command="end_evening", fields={})),
            "over": ("Good night", Answer("The water keeps rising. To be continued.")),
        }
        for name, (cue, answer) in steps.items():
            if name not in self.done and cue in news:
                self.done.add(name)
                return answer
        return Answer("PASS")

    @property
    def asking(self) -> str:
        return "request_roll" if self.game in REQUESTS else "call_approach"

    @property
    def brings(self) -> str:
        return "raise_threat" if self.game == "narraject" else "make_npc"

    def asked_for(self, asked: Asked) -> dict[str, Any]:
        hero = str(re.search(rf"> ([^(\n]+) \({self.player}\)", asked.prompt)[1])  # type: ignore[index]
        if self.game in REQUESTS:
            return {"who": hero, "what_for": "the door", **REQUESTS[self.game]}
        return {"who": hero, "attribute": "body", "target": 8, "words": "with a shoulder"}

    def foe(self, asked: Asked) -> dict[str, Any]:
        return {"foe": str(re.search(r"foes: ([^,\n]+)", asked.prompt)[1])}  # type: ignore[index]


def roll_as_asked(table: Evening) -> None:
    """Bo rolls what the AI asked for, and lets it stand."""
    (request,) = requests_of(SeatView(table.house, table.table, table.bo))
    table.act(table.bo, request.command, **dict(request.fields or {}))
    while waiting := [one for one in table.house.host.decisions(table.table, table.bo) if one.choices]:
        table.act(table.bo, "answer", act=waiting[0].act, answer=waiting[0].choices[0].answer)


def test_an_evening_is_run_by_an_ai(tmp_path: Path) -> None:
    """Those of the other games, with people in browsers, are in tests/browser/test_ai_seated.py."""
    script = GameMaster("six_pool", "Bo")
    with model_server(script) as server, evening(tmp_path, server, "six_pool", skin="long_toll") as table:
        table.seat()
        table.until(lambda: "The water rises around your boots, and a door stands ajar." in table.log())
        table.rests()
        table.act(table.bo, "say", words="I push the door")
        table.until(lambda: "waits" in script.done)
        table.rests()
        roll_as_asked(table)
        table.act(table.bo, "say", words="Bo has rolled.")
        table.until(lambda: "Beyond it somebody is breathing." in table.log())
        table.rests()
        table.act(table.ada, "say", words="Who is there?")
        table.until(lambda: "Somebody steps out of the dark and shows both hands." in table.log())
        table.rests()
        table.act(table.bo, "say", words="Good night!")
        table.until(lambda: "The water keeps rising. To be continued." in table.log())
        status = table.rests()
        log = "\n".join(table.log())
        assert "told of:" in log
        assert "AI's word" not in log
        clocks = table.house.host.look(table.table, table.bo).clocks.values()
        assert [one.name for one in clocks].count("The water") == 1
        assert not table.house.host.look(table.table, table.bo).calendar.sitting
        assert status.meter.read == 1000 * len(server.asked)
        assert fair.verify(list(table.house.host.ledger(table.table, table.bo))).sound
        assert all(len(one.prompt) <= 4 * MOST_TOKENS for one in server.asked)


def test_an_ai_frames_a_scene_of_the_adventure_and_keeps_notes_of_its_own(tmp_path: Path) -> None:
    """What it is told names the drafts; what it wrote down is there in its next turn, and nobody else's."""
    kept = "the ferryman drowned his brother in the cold spring of that year"

    def script(asked: Asked) -> Answer:
        steps = [
            calls("act", command="begin_scene", fields={"scene": re.findall(r"scene:([\w-]+)", asked.prompt)[0]}),
            calls("secret", do="keep", title="About him", words=kept),
            Answer("A lamp is lit."),
        ]
        if "And then?" not in asked.prompt:
            return steps[len(asked.results)]
        handle = re.findall(r"(note:[\w-]+)[^\n]*About him", asked.prompt)[0]
        return Answer("He looks away.") if asked.results else calls("secret", do="read", handle=handle)

    with model_server(script) as server, evening(tmp_path, server, "sinew_steel", skin="borrowed_hours") as table:
        begun = table.house.host.look(table.table, table.bo).calendar.scene
        table.seat()
        table.until(lambda: "A lamp is lit." in table.log())
        table.rests()
        state = table.house.host.look(table.table, table.bo)
        assert state.calendar.scene not in (None, begun)
        table.act(table.bo, "say", words="And then?")
        table.until(lambda: "He looks away." in table.log())
        assert kept in server.asked[-1].results[-1]
        assert "About him" in server.asked[-1].prompt
        for seat in (table.bo, table.ada):
            assert "About him" not in " ".join(table.log(seat))
            assert kept not in repr(table.house.host.look(table.table, seat).notes)


def test_a_long_campaign_costs_what_a_short_one_does(tmp_path: Path) -> None:
    """Much talk, many notes and clocks: the briefing of a game master and of a player stays in its budget."""
    with model_server(lambda asked: Answer("PASS")) as server, evening(tmp_path, server, "sinew_steel") as table:
        for number in range(90):
            table.act(table.bo, "say", words=f"Line {number}: " + "so it goes on and on " * 40)
            if number % 3 == 0:
                table.act(table.ada, "write_note", title=f"Note {number}", words="remember " * 60)
                with suppress(Refusal):  # there may be enough of them
                    table.act(table.ada, "start_clock", name=f"Clock {number} " + "x" * 40, size=6)
        for role, seat in ((AiRole.GAME_MASTER, table.ada), (AiRole.PLAYER, table.bo)):
            session = McpSession(table.house)
            session.sit(SeatBinding(table.table, seat, bound=True))
            brief = briefing(session)
            assert len(instructions(role)) + len(brief) <= 4 * MOST_TOKENS
            assert "Line 89" in brief
            assert "Line 5:" not in brief
