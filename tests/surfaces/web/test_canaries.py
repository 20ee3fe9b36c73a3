"""Nothing that a seat may not know is in any byte sent to it: no page, panel, stream, answer or error has it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property, partial
from http.client import HTTPMessage
from typing import Any

import pytest
from fastapi.openapi.utils import get_openapi
from msgspec.structs import replace

from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.settings import Settings
from astragal.table.declarations import Sight
from astragal.table.fields.definitions import fields_of
from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import OpenTable, Web, opened_web
from tests.surfaces.web.serving import Caller, bound_socket, serving

WATCHED = ("Bo", "Cy", "Di")
GAME = "sinew_steel"
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
PARAMETER = re.compile(r"{(\w+)(?::path)?}")
LEAVES_THE_TABLE = "leave_seat"
SIGNS_OUT = "/sign-out"


@dataclass
class Planted:
    """A table full of secrets: each with its words, who may know it, and the id by which one could ask for it."""

    web: Web
    table: OpenTable
    port: int
    callers: Mapping[str, Caller] = field(default_factory=dict)
    secrets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    """The id of a secret thing of each kind."""

    def give(self, by: str, command: str, sight: Sight = Sight.OPEN, /, **fields: Any) -> dict[str, Any]:
        done = self.web.host.act(self.table.id, self.table.seats[by], (command, fields), sight=sight)
        found = dict(done.events[0].fields)
        if sight is not Sight.OPEN:
            self.ids["act"] = done.act
        self.ids |= {name: found[name]["id"] for name in ("note", "clock", "request") if name in found}
        self.ids |= {name: found[name] for name in ("scene",) if name in found}
        return found

    def secret(self, name: str, *known_to: str) -> str:
        """Words that are nowhere else, and who may read them."""
        words = f"canary-{name}-{len(self.secrets)}x"
        self.secrets[words] = known_to
        return words

    def plant(self) -> None:
        give, secret, seats = self.give, self.secret, self.table.seats
        give("Ada", "begin_evening")
        give("Ada", "write_note", title=secret("title"), words=secret("note"), audience="game master")
        give("Ada", "write_note", title="For one", words=secret("own", "Cy"), audience="seat", seat=seats["Cy"])
        give("Bo", "whisper", to=[seats["Cy"]], words=secret("whisper", "Bo", "Cy"))
        give("Ada", "whisper", to=[seats["Bo"]], words=secret("aside", "Bo"))
        give("Ada", "start_clock", name=secret("clock"), face="hidden")
        give("Ada", "start_clock", name="The fuse", size=7, face="known")
        gear = [{"name": secret("gear"), "soak": 2}]
        npc = give("Ada", "make_npc", name="The villain", score=13, stamina=17, gear=gear)["who"]
        give("Ada", "improvise_scene", title="The yard")
        give("Ada", "test", Sight.HIDDEN, who=npc, attribute="REF", stakes=secret("hidden"))
        kept = self.ids["act"]
        give("Ada", "test", Sight.SECRET, who=npc, attribute="REF", stakes=secret("secret"))
        ways = [
            {"words": "the open way"},
            {"words": "the risky way", "way": "risky"},
            {"words": secret("way"), "way": "hidden"},
        ]
        scene = give("Ada", "write_scene", title="The gate", hook="It is shut.", options=ways)["scene"]
        give("Ada", "begin_scene", scene=scene, keep=[kept])
        give("Ada", "write_scene", title=secret("draft"), hook=secret("hook"), options=[])
        hero = next(
            one.id
            for one in self.web.host.look(self.table.id, seats["Ada"]).characters.values()
            if one.seat == seats["Bo"]
        )
        asked = {"who": hero, "command": "test", "fields": {"attribute": "REF"}, "what_for": "the wall"}
        give("Ada", "request_roll", **asked, difficulty=7, hidden=True)
        give("Ada", "take_option", number=1)
        give("Ada", "improvise_scene", title="The cellar")
        give("Ada", "end_scene")
        give("Ada", "end_evening")
        give("Ada", "begin_evening")
        give("Ada", "begin_scene", scene=scene)

    # ------------------------------------------------------------ all that can be asked for

    def paths(self, method: str) -> Iterator[str]:
        """Every address there is, for every command, with the ids of secret things in it."""
        for template in [path for path, operations in self.operations.items() if method.lower() in operations]:
            names = PARAMETER.findall(template)
            commands = self.rolls if re.search("odds|preview", template) else self.commands
            for command in commands if "command" in names else [""]:
                filled = {**self.ids, "table": self.table.id, "game": GAME, "command": command}
                yield PARAMETER.sub(partial(_named, filled), template)

    @cached_property
    def operations(self) -> dict[str, Any]:
        found: dict[str, Any] = get_openapi(title="", version="", routes=self.web.app.routes)["paths"]
        return found

    @property
    def commands(self) -> list[str]:
        return [name for name in self.web.context.books[GAME].commands if name != LEAVES_THE_TABLE]

    @property
    def rolls(self) -> list[str]:
        return [name for name, action in self.web.context.books[GAME].actions.items() if action.gather]

    def guess(self, path: str) -> dict[str, Any]:
        """What could be sent there: the id of a secret thing wherever a field takes one."""
        command = path.rpartition("/")[2]
        if command not in self.commands:
            return {}
        about = [one for one in fields_of(self.web.context.books[GAME].commands[command]) if one.required or one.names]
        return {one.name: self.ids.get(one.names or "act", self.ids["act"]) for one in about}


@pytest.fixture
def planted(sqlite_place: SqlitePlace) -> Iterator[Planted]:
    listening = bound_socket()
    port = listening.getsockname()[1]
    settings = replace(Settings.local(port), seat_pace=Pace(1_000_000, 100_000))
    with ExitStack() as stack:
        web = stack.enter_context(opened_web(sqlite_place.url, settings))
        stack.enter_context(serving(web.app, listening))
        table = web.table()
        callers = {name: Caller(port, "=".join(web.cookie(table[name]))) for name in WATCHED}
        found = Planted(web, table, port, callers)
        yield found
        for caller in callers.values():
            caller.hang_up()


def leaks(planted: Planted, name: str, read: bytes) -> list[str]:
    """The secrets in these bytes that this seat may not know."""
    return [words for words, known_to in planted.secrets.items() if name not in known_to and words.encode() in read]


def told(headers: HTTPMessage) -> bytes:
    return "\n".join(f"{name}: {words}" for name, words in headers.items()).encode()


@pytest.mark.slow
def test_no_byte_tells_what_its_seat_may_not_know(planted: Planted) -> None:
    streams = {
        name: [caller.listen(f"/t/{planted.table.id}/events"), caller.listen(f"/api/tables/{planted.table.id}/events")]
        for name, caller in planted.callers.items()
    }
    planted.plant()
    found, answered = [], 0
    for name, caller in planted.callers.items():
        for path in planted.paths("GET"):
            if path.endswith("/events"):
                continue
            status, headers, read = caller.exchange("GET", path)
            assert status < 500, path
            answered += status == 200
            found += [(name, path, leak) for leak in leaks(planted, name, read + told(headers))]
        for path in planted.paths("POST"):
            if path == SIGNS_OUT:  # it ends the streams, as it should
                continue
            guess = planted.guess(path)
            kind, body = (FORM, _form(guess)) if path.startswith("/t/") else (JSON, json.dumps(guess).encode())
            status, headers, read = caller.exchange("POST", path, body, Content_Type=kind, HX_Request="true")
            assert status < 500, (path, guess)
            found += [(name, path, leak) for leak in leaks(planted, name, read + told(headers))]
    planted.web.host.act(planted.table.id, planted.table.seats["Ada"], ("say", {"words": "the last word"}))
    for name, heard in streams.items():
        for stream in heard:
            stream.until("the last word")
            found += [(name, "a stream", leak) for leak in leaks(planted, name, stream.bytes)]
    assert found == []
    assert answered > 100, "the pages were there to be read"


def test_those_who_may_know_are_told(planted: Planted) -> None:
    """Or the other test would find nothing because there is nothing to find."""
    planted.plant()
    for words, known_to in planted.secrets.items():
        for name in known_to:
            if name in planted.callers:
                _, read = planted.callers[name].call("GET", f"/t/{planted.table.id}")
                assert words.encode() in read, (name, words)


def test_numbers_that_are_hidden_are_in_no_state(planted: Planted) -> None:
    planted.plant()
    for caller in planted.callers.values():
        state = caller.get(f"/api/tables/{planted.table.id}")["state"]
        (fuse,) = state["clocks"].values()
        assert fuse["name"] == "The fuse"
        assert "hands" not in fuse
        villain = next(one for one in state["characters"].values() if one["name"] == "The villain")
        assert "13" not in json.dumps(villain["sheet"])
        (request,) = state["requests"].values()
        assert 7 not in request.values()


def _named(known: Mapping[str, str], found: re.Match[str]) -> str:
    return known.get(found[1], "1")


def _form(fields: Mapping[str, Any]) -> bytes:
    return "&".join(f"{name}={value}" for name, value in fields.items()).encode()
