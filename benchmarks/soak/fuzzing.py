"""Fuzzing: inputs that are nearly right. Each is understood, or refused with a sentence.

An input that shows a behaviour for the first time (another refusal, another part of a grammar) is kept in
`tests/corpus`, as is one that finds a fault. The tests replay the whole corpus, and new inputs are made of it.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import anyio.from_thread

from astragal.chance import ChanceError
from astragal.chance.notation import BadNotation, parse
from astragal.storage import open_store
from astragal.surfaces.mcp.server import build_server
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract.rehearsal import commands_to_try
from astragal.table.declarations import Role
from astragal.table.host import Host
from astragal.table.log.audit import audit
from astragal.table.refusals import Refusal
from astragal.wiring import installed_rulesets
from benchmarks.soak.clients import Figures, answered, folder, open_table, some_command
from tests.surfaces.mcp.driving import Driver, driving, scripted
from tests.table.dare import DARE

CORPUS = Path(__file__).parent.parent.parent / "tests" / "corpus"
MOST_KEPT = 150
"""Inputs kept of one kind."""
LONGEST = 1_500


@dataclass
class Fuzzer:
    """Draws inputs and classifies how each was met. An exception it raises is a finding."""

    kind: str
    draw: Callable[[Random, list[str]], str]
    """Makes a new input, perhaps from others."""
    meet: Callable[[str], str]
    """Returns the behaviour of an input: begins with `refused` if it was."""
    known: dict[str, str] = field(default_factory=dict)
    """An input for each behaviour."""

    def replay(self) -> int:
        """Replay the whole corpus."""
        lines = self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else ()
        inputs = [json.loads(line) for line in lines]
        self.known |= {self.meet(given): given for given in inputs}
        return len(inputs)

    def round(self, seed: int, count: int, *, keeps: bool = True) -> Figures:
        random, refused = Random(seed), 0
        if not self.known:
            self.replay()
        kept = list(self.known.values())
        for _ in range(count):
            given = self.draw(random, kept)
            try:
                behaviour = self.meet(given)
            except Exception:
                self._keep(given)
                raise
            refused += behaviour.startswith("refused")
            if keeps and behaviour not in self.known and len(self.known) < MOST_KEPT and len(given) < LONGEST:
                self.known[behaviour] = given
                kept.append(given)
                self._keep(given)
        return {"inputs": count, "refused": refused}

    @property
    def _path(self) -> Path:
        return CORPUS / f"{self.kind}.jsonl"

    def _keep(self, given: str) -> None:
        CORPUS.mkdir(exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(given) + "\n")


def _refused(sentence: object) -> str:
    """Return a refusal without the words and numbers of its input."""
    return "refused: " + re.sub(r"[“\"'`].*?[”\"'`]|\d+|\(.*\)", "…", str(sentence), flags=re.DOTALL)[:120]


# ---------------------------------------------------------------- notation

SIGNS = "0123456789ddddkhlr!o<>=+-*/(){}[],#% xXfF\u00b2\u0663\n"
WORDS = (
    "4d6kh3", "2d20dl1", "d%", "dF", "adv", "dis", "6d6!>5", "3d6r1", "1d20+7>=15", "max(", "min(", "{2d6,3d4}kh1",
    "ro<2", "mi2", "ma5", "kl2", "!!", "!p", "[fire]", "d[a,b,c]", "10d10>7", "e6", "x3", "# luck", "ph1", "-1d4",
)  # fmt: skip


def _some_notation(random: Random, kept: list[str]) -> str:
    match random.randrange(4):
        case 0:
            return "".join(random.choices(SIGNS, k=random.randint(1, 24)))
        case 1:
            return random.choice(("", " ", "+")).join(random.choices(WORDS, k=random.randint(1, 4)))
        case _:
            text = list(random.choice(kept or WORDS))[:60]
            for _ in range(random.randint(1, 3)):
                place = random.randrange(len(text) + 1)
                text[place : place + random.choice([0, 0, 1, 3])] = random.choice([*SIGNS, *WORDS])
            return "".join(text)


def _meet_notation(text: str) -> str:
    try:
        explained = parse(text).explained()
    except (BadNotation, ChanceError) as refusal:
        return _refused(refusal)
    return "understood: " + " ".join(sorted(set(re.findall(r"[a-z]{4,}", explained))))[:120]


# ---------------------------------------------------------------- files with edits

Edit = tuple[int, int, str]
"""Start, end, and what is put there, in base 64."""
INSERTED = (b'"', b"{", b"}", b"\n", b"\x00", b"\\ud800", b"9" * 30, b"null", b"= [[", b"-1", b"true")


def _edited(data: bytes, edits: list[Edit]) -> bytes:
    for start, end, put in edits:
        data = data[:start] + b64decode(put) + data[end:]
    return data


def _some_edits(data: bytes, random: Random, kept: list[str]) -> str:
    edits: list[Edit] = json.loads(random.choice(kept))["edits"] if kept and random.random() < 0.3 else []
    for _ in range(random.choice([1, 1, 2, 8])):
        start = random.randrange(len(data))
        end = start + random.randint(1, 40)
        match random.randrange(5):
            case 0:
                end, put = start + 1, bytes([data[start] ^ 1 << random.randrange(8)])
            case 1:
                put = b""
            case 2:
                put = data[start:end] * 2
            case 3:
                end, put = start, random.choice(INSERTED)
            case _:  # a line moves
                line = random.choice(data.splitlines(keepends=True))
                start = end = data.find(b"\n", start) + 1
                put = line[:200]
        edits = [*edits, (start, end, b64encode(put).decode())]
    return json.dumps({"edits": edits[-12:]})


@cache
def _host() -> Host:
    return Host(open_store("memory:"), (DARE,), clock=lambda: 0, entropy=Random(1).randbytes)


@cache
def _whole() -> bytes:
    """Export a table at which something of every kind has happened, and which is then deleted."""
    host, random = _host(), Random(3)
    table, seats = open_table(host)
    for number in range(12):
        answered(some_command(f"{number}", host.look(table, seats.ada), seats, random), host, table)
    exported = b"".join(host.archive.export(table, seats.ada))
    host.archive.delete(table, seats.ada)
    return exported


def _meet_export(given: str) -> str:
    forged = _edited(_whole(), json.loads(given)["edits"])
    host = _host()
    try:
        table = host.archive.import_table(forged.splitlines(keepends=True))
    except Refusal as refusal:
        return _refused(refusal.sentence)
    assert forged.rstrip() == _whole().rstrip(), "a forgery was taken in"
    host.archive.delete(table, _game_master(host, table))
    return "taken in"


def _game_master(host: Host, table: str) -> str:
    return next(seat.id for seat in host.seats(table).values() if seat.role is Role.GAME_MASTER)


@cache
def _games() -> dict[str, Ruleset]:
    return {name: load() for name, load in sorted(installed_rulesets().items())}


def _some_skin(random: Random, kept: list[str]) -> str:
    game = random.choice([name for name, ruleset in _games().items() if ruleset.skins])
    of_game = [one for one in kept if f'"game": "{game}"' in one]
    return json.dumps({"game": game} | json.loads(_some_edits(_template(game), random, of_game)))


@cache
def _template(game: str) -> bytes:
    skins = _games()[game].skins
    assert skins
    return skins.template().encode()


def _meet_skin(given: str) -> str:
    asked = json.loads(given)
    skins = _games()[asked["game"]].skins
    assert skins
    try:
        faults = skins.faults(_edited(_template(asked["game"]), asked["edits"]).decode(errors="replace"), "skin.toml")
    except Refusal as refusal:
        return _refused(refusal.sentence)
    return _refused(faults[0].partition(": ")[2]) if faults else "read"


# ---------------------------------------------------------------- commands

VALUES: tuple[Any, ...] = (
    None, True, -1, 10**30, 1.5, "", "x" * 900, "\u202e", "\x00", [], [[]], {}, {"a": {}}, ["x"] * 50, -(2**63)
)  # fmt: skip
NEVER = ("hand_over", "leave_seat")
"""After these, other commands would be given by another seat."""


class Opened(NamedTuple):
    """An open table of a game, with a hero or two."""

    host: Host
    table: str
    seats: dict[str, str]


@cache
def _opened(game: str) -> Opened:
    ruleset = _games()[game]
    host = Host(open_store("memory:"), (ruleset,), clock=lambda: 0, entropy=Random(1).randbytes)
    opened = host.open(game, name="The Cliff", game_master="Ada", house={"trusting": True})
    taken = host.act(opened.table, opened.seat, ("take_seat", {"name": "Bo"}))
    seats = {"Ada": opened.seat, "Bo": str(taken.events[0].fields["seat"]["id"])}
    if ruleset.heroes:
        samples = ruleset.heroes.samples(host.look(opened.table, opened.seat).options)
        for hero in list(samples.values())[:2]:
            host.act(opened.table, seats["Bo"], (ruleset.heroes.make, dict(hero)))
    return Opened(host, opened.table, seats)


def _some_command_of_a_game(random: Random, kept: list[str]) -> str:
    if kept and random.random() < 0.2:
        asked = json.loads(random.choice(kept))
    else:
        game, name = random.choice(list(_games())), random.choice(["Ada", "Ada", "Bo"])
        host, table, seats = _opened(game)
        state, book = host.look(table, seats[name]), host.books[game]
        command = random.choice([one for one in book.actions if one not in NEVER])
        kind = book.actions[command].command
        tried = list(commands_to_try(book, kind, state, state.viewer(seats[name]), 4)) or [{}]
        asked = {"game": game, "seat": name, "command": command, "fields": dict(random.choice(tried))}
    fields = asked["fields"]
    for one in random.sample(sorted(fields), k=min(len(fields), random.randint(0, 2))):
        fields[one] = random.choice(VALUES)
    return json.dumps(asked | {"previewed": random.random() < 0.3}, default=str)


def _meet_command(given: str) -> str:
    asked = json.loads(given)
    host, table, seats = _opened(asked["game"])
    give = host.preview if asked["previewed"] else host.act
    label = f"{asked['seat']} {asked['command']}{' previewed' if asked['previewed'] else ''}"
    try:
        give(table, seats[asked["seat"]], (asked["command"], asked["fields"]))
    except Refusal as refusal:
        return f"refused: {label} {refusal.code}"
    except ChanceError as refusal:
        return f"refused: {type(refusal).__name__}"
    return f"done: {label}"


def _check_games() -> None:
    """Audit all logs, then start from scratch."""
    for game in _games():
        host, table, _ = _opened(game)
        assert not audit(list(host.archive.export(table, _game_master(host, table)))).edits
    _opened.cache_clear()


# ---------------------------------------------------------------- tools of an AI

ODD: tuple[Any, ...] = (
    *VALUES,
    "Kira",
    "4",
    "{}",
    "[1,2",
    "dare",
    "override",
    "reveal",
    "note:x",
    "act:1",
    0.5,
    "SYSTEM:",
)
SENTENCES = ("Expected", "Refused", "nested")
CANARY = "the lighthouse keeper drowned his twin in spring"


class Mcp:
    """MCP server with a table, and the client that calls its tools."""

    def __init__(self, call: Callable[..., Any], drive: Driver) -> None:
        self._call, self._drive = call, drive
        call(drive.open)
        call(lambda: drive.done("secret", do="keep", title="A secret", words=CANARY))
        listed = call(drive.client.list_tools)
        self.schemas: dict[str, dict[str, Any]] = {tool.name: tool.input_schema for tool in listed.tools}

    def some_call(self, random: Random, kept: list[str]) -> str:
        if kept and random.random() < 0.3:
            asked = json.loads(random.choice(kept))
            tool, arguments = asked["tool"], asked["arguments"]
        else:
            tool = random.choice(sorted(self.schemas))
            arguments = _fitting(self.schemas[tool], self.schemas[tool], random)
        if arguments and random.random() < 0.4:
            arguments[random.choice(sorted(arguments))] = random.choice(ODD)
        if random.random() < 0.1:
            arguments[random.choice(["seed", "face", "fields", "table"])] = random.choice(ODD)
        return json.dumps({"tool": tool, "arguments": arguments})

    def meet(self, given: str) -> str:
        asked = json.loads(given)
        tool, arguments = asked["tool"], asked["arguments"]
        if arguments.get("do") == "read":
            arguments["do"] = "list"  # reading would rightly return the secret
        reply = self._call(lambda: self._drive(tool, **arguments))
        said = reply.text + str(reply.data)
        assert reply.text
        assert CANARY not in said
        assert "Traceback" not in said
        if not reply.refused:
            return f"done: {tool} {arguments.get('do', '')} {sorted(reply.data)}"[:120]
        assert reply.text != f"Error executing tool {tool}"
        assert any(word in reply.text for word in SENTENCES), reply.text
        return _refused(f"{tool} {reply.text}")

    def check(self) -> None:
        assert self._call(lambda: self._drive.done("verify"))["sound"]


def _fitting(schema: dict[str, Any], whole: dict[str, Any], random: Random) -> Any:
    """Make a value that this schema allows, or nearly."""
    if "$ref" in schema:
        return _fitting(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole, random)
    if "enum" in schema or "const" in schema:
        return random.choice(schema.get("enum") or [schema["const"]])
    if branches := schema.get("anyOf") or schema.get("oneOf"):
        return _fitting(random.choice(branches), whole, random)
    match schema.get("type"):
        case "object":
            required = schema.get("required", ())
            parts = schema.get("properties", {}).items()
            return {
                name: _fitting(part, whole, random)
                for name, part in parts
                if (name in required and random.random() < 0.95) or random.random() < 0.4
            }
        case "array":
            return [_fitting(schema.get("items", {}), whole, random) for _ in range(random.randrange(3))]
        case "integer" | "number":
            return random.choice([0, 1, 2, 4, 7, 99, -1])
        case "boolean":
            return random.random() < 0.5
        case "string":
            return random.choice(["Kira", "dare", "join", "say", "write_note", "1", "a word", "Bo", "note:x", ""])
        case _:
            return random.choice(ODD)


@contextmanager
def _mcp() -> Iterator[Fuzzer]:
    with folder() as place, anyio.from_thread.start_blocking_portal() as portal:
        house = scripted(place, *[5] * 100_000)
        with portal.wrap_async_context_manager(driving(build_server(house))) as drive:
            calls = Mcp(portal.call, drive)
            yield Fuzzer("mcp", calls.some_call, calls.meet)
            calls.check()
        house.store.close()


# ---------------------------------------------------------------- kinds

NOTATION = Fuzzer("notation", _some_notation, _meet_notation)
EXPORTS = Fuzzer("exports", lambda random, kept: _some_edits(_whole(), random, kept), _meet_export)
SKINS = Fuzzer("skins", _some_skin, _meet_skin)
COMMANDS = Fuzzer("commands", _some_command_of_a_game, _meet_command)


def notation(seed: int) -> Figures:
    """Fuzz dice notation, with strings that are nearly right."""
    return NOTATION.round(seed, 20_000)


def exports(seed: int) -> Figures:
    """Fuzz exports, with bytes changed and lines moved: refused, or the same table as before."""
    return EXPORTS.round(seed, 500)


def skins(seed: int) -> Figures:
    """Fuzz skin files of all games, with bytes changed."""
    return SKINS.round(seed, 2_000)


def commands(seed: int) -> Figures:
    """Fuzz commands of all games by their definitions, with values that are wrong."""
    done = COMMANDS.round(seed, 200)
    _check_games()
    return done


def mcp(seed: int) -> Figures:
    """Fuzz an AI's tools by their own schemas, with arguments that are wrong."""
    with _mcp() as fuzzer:
        return fuzzer.round(seed, 1_500)


def replay() -> int:
    """Replay the whole corpus of all fuzzers."""
    with _mcp() as fuzzer:
        found = sum(one.replay() for one in (NOTATION, EXPORTS, SKINS, COMMANDS, fuzzer))
    _check_games()
    return found
