"""MCP calls: the cost of a call over stdio and over HTTP, and many seats at once. Loopback alone."""

import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import anyio
import apsw
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from benchmarks.harness import Mark, benchmark, medians, shown, within
from benchmarks.storage import COMMITS, bare_commits_to_sqlite
from benchmarks.terminal import environment_in

SERVER = str(Path(__file__).parent / "_mcp_server.py")
HERO, SEXTON = "Hero 0", "The sexton"
WARM, TURNS = 3, 60
STDIO, HTTP = 0.010, 0.020
"""Seconds for a call, besides a durable commit."""
CALLS_A_SECOND, SECONDS, WORST = 20, 15, 0.150
START = 0.6
MALFORMED = 10_000


class Caller:
    """Makes the calls of an evening, each different from the last."""

    def __init__(self, client: Client, hero: str) -> None:
        self.client, self.hero, self.turn = client, hero, 0

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        return result.structured_content or {}

    async def begin(self) -> None:
        """Begin an evening with a character for whom this client itself decides."""
        await self.call("act", command="begin_evening")
        await self.call("act", command="make_npc", fields={"name": SEXTON, "luck": 20})

    async def look(self) -> None:
        await self.call("look")

    async def recap(self) -> None:
        await self.call("recap")

    async def odds(self) -> None:
        await self.call("odds", command="test", fields=self._test())

    async def roll(self) -> str | None:
        """Roll a test; returns the act that waits for a decision, if any."""
        done = await self.call("act", command="test", fields=self._test())
        return done["act"] if done["waits"] else None

    async def settle(self, waits: str | None) -> None:
        if waits:
            await self.call("answer", id=waits, answer=0)

    async def narrate(self) -> None:
        self.turn += 1
        await self.call("narrate", words=f"The rain has not stopped, night {self.turn}.")

    def _test(self) -> dict[str, Any]:
        self.turn += 1
        return {"who": self.hero, "attribute": "REF", "stakes": f"rope {self.turn}"}


Call = Callable[[Caller, int], Awaitable[None]]


# ---------------------------------------------------------------- the server itself


@benchmark("mcp.start")
def start_of_the_server() -> Iterator[Mark]:
    """Time to the first answer, over an interpreter that imports only the SDK and what it needs to serve."""
    with TemporaryDirectory() as folder:
        installed, sdk = environment_in(Path(folder)), "import mcp.server.mcpserver, mcp.server.stdio"
        _first_answer(installed)  # compiles the bytecode
        times = medians(
            {
                "ours": lambda: _first_answer(installed),
                "sdk": lambda: subprocess.run([sys.executable, "-c", sdk], env=installed, check=True),  # noqa: S603 - ours
            }
        )
    detail = f"{shown(times['ours'])} against {shown(times['sdk'])}"
    yield within("mcp.start", "astragal mcp, over the import of its SDK", times["ours"] - times["sdk"], START, detail)


def _first_answer(environment: dict[str, str]) -> None:
    ping, program = {"jsonrpc": "2.0", "id": 1, "method": "ping"}, [sys.executable, "-m", "astragal", "mcp"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:  # noqa: S603
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(ping).encode() + b"\n")
        server.stdin.flush()
        assert server.stdout.readline()
        server.stdin.close()


@benchmark("mcp.tools")
def size_of_the_list_of_tools() -> Iterator[Mark]:
    """Tokens, estimated at four bytes each, of the list as compact JSON: the figure that any tokenizer is near."""
    with TemporaryDirectory() as folder:
        tokens = anyio.run(_tokens_of_tools, folder)
    yield Mark("mcp.tools", "the list of tools, bytes / 4", f"{tokens:,.0f} tokens", "≤ 4,000", tokens <= 4000)


async def _tokens_of_tools(folder: str) -> float:
    ours = StdioServerParameters(command=sys.executable, args=[SERVER, "stdio", f"{folder}/tables.db"])
    async with Client(ours) as client:
        listed = (await client.list_tools()).tools
    plain = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]
    return len(json.dumps(plain, separators=(",", ":")).encode()) / 4


@benchmark("mcp.malformed")
def malformed_calls() -> Iterator[Mark]:
    """Three hundred malformed calls, as the tests make them: none is an internal error, and no secret is revealed."""
    from tests.surfaces.mcp.test_hostile import shouted_at

    with TemporaryDirectory() as folder:
        started = perf_counter()
        shouted_at(Path(folder), "auto", MALFORMED)
    detail = f"{shown((perf_counter() - started) / MALFORMED)} each"
    yield Mark("mcp.malformed", f"{MALFORMED:,} malformed calls", "no internal error", "none", met=True, detail=detail)


async def _medians(caller: Caller, idle: Caller, folder: str) -> dict[str, float]:
    """Time the calls in turn with calls to a server that does nothing, and with bare commits to a file beside."""
    taken: dict[str, list[float]] = {}
    with closing(apsw.Connection(f"{folder}/bare.db")) as bare:
        commits = bare_commits_to_sqlite(bare)
        for turn in range(WARM + TURNS):
            times = {name: await _timed(getattr(caller, name)) for name in ("look", "recap", "odds", "narrate")}
            times["idle"] = await _timed(idle.look)
            started = perf_counter()
            waits = await caller.roll()
            times["roll"] = perf_counter() - started
            await caller.settle(waits)
            if turn % 10 == 0:
                started = perf_counter()
                commits()
                times["commit"] = (perf_counter() - started) / COMMITS
            if turn >= WARM:
                for name, seconds in times.items():
                    taken.setdefault(name, []).append(seconds)
    return {name: median(seconds) for name, seconds in taken.items()}


async def _timed(work: Any) -> float:
    started = perf_counter()
    await work()
    return perf_counter() - started


def _marks(name: str, over: str, times: dict[str, float], limit: float) -> Iterator[Mark]:
    for call in ("look", "recap", "odds", "narrate", "roll"):
        commit = times["commit"] if call in ("narrate", "roll") else 0.0
        ours, floor = times[call] - commit, times["idle"]
        detail = f"a call that does nothing {shown(floor)}" + (f", a bare commit {shown(commit)}" if commit else "")
        figure = f"{ours / floor:.1f}×, {shown(ours)}"
        what = f"{call} over {over}{', without a commit' if commit else ''}, of a call that does nothing"
        yield Mark(name, what, figure, f"≤ {shown(limit)}", ours <= limit, detail)


@benchmark("mcp.stdio")
def calls_over_stdio() -> Iterator[Mark]:
    logging.disable(logging.CRITICAL)
    with TemporaryDirectory() as folder:
        yield from _marks("mcp.stdio", "stdio", anyio.run(_over_stdio, folder), STDIO)


async def _over_stdio(folder: str) -> dict[str, float]:
    ours, idle = (
        StdioServerParameters(command=sys.executable, args=[SERVER, how, f"{folder}/tables.db"])
        for how in ("stdio", "idle")
    )
    async with Client(ours) as client, Client(idle) as doing_nothing:
        caller = Caller(client, SEXTON)
        await caller.call("table", do="open", game="sinew_steel", heroes=["Mara Quill"], player="Ann")
        await caller.begin()
        return await _medians(caller, Caller(doing_nothing, ""), folder)


# ---------------------------------------------------------------- over HTTP


@contextmanager
def _serving(folder: str) -> Iterator[tuple[str, list[str]]]:
    """Start the server; yields its address and the tokens of fifty seats; each table's first is its game master's."""
    server = subprocess.Popen([sys.executable, SERVER, "http", f"{folder}/tables.db"], stdout=subprocess.PIPE)  # noqa: S603 - ours
    try:
        assert server.stdout is not None
        said = json.loads(server.stdout.readline())
        yield f"http://127.0.0.1:{said['port']}/mcp", said["tokens"]
    finally:
        server.terminate()
        server.communicate()


@asynccontextmanager
async def _seated(url: str, token: str, hero: str = HERO) -> AsyncIterator[Caller]:
    headers = {"Authorization": f"Bearer {token or 'none'}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield Caller(client, hero)


@benchmark("mcp.http")
def calls_over_http() -> Iterator[Mark]:
    logging.disable(logging.CRITICAL)
    with TemporaryDirectory() as folder, _serving(folder) as (url, tokens):
        yield from _marks("mcp.http", "HTTP", anyio.run(_over_http, url, tokens[0], folder), HTTP)


async def _over_http(url: str, token: str, folder: str) -> dict[str, float]:
    async with _seated(url, token, SEXTON) as caller, _seated(url.replace("/mcp", "/idle"), "") as idle:
        await caller.begin()
        return await _medians(caller, idle, folder)


@benchmark("mcp.seats")
def many_seats() -> Iterator[Mark]:
    """Calls at even intervals, whether or not the one before has returned; each is timed from when it was due."""
    logging.disable(logging.CRITICAL)
    with TemporaryDirectory() as folder, _serving(folder) as (url, tokens):
        taken = anyio.run(_from_every_seat, url, tokens, _one_call)
        idle = anyio.run(_from_every_seat, url.replace("/mcp", "/idle"), tokens, _nothing)
    name = f"{CALLS_A_SECOND} calls/s from {len(tokens)} seats, p99"
    detail = (
        f"half within {shown(median(taken))}; of calls that do nothing {shown(median(idle))}, p99 {shown(p99(idle))}"
    )
    yield within("mcp.seats", name, p99(taken), WORST, detail)


def p99(taken: list[float]) -> float:
    return sorted(taken)[int(len(taken) * 0.99)]


async def _from_every_seat(url: str, tokens: list[str], work: Call) -> list[float]:
    taken: list[float] = []
    async with anyio.create_task_group() as group:
        callers = [await group.start(_sit, url, token, work) for token in tokens]
        started = perf_counter() + 0.5
        async with anyio.create_task_group() as calls:
            for number in range(CALLS_A_SECOND * SECONDS):
                due = started + number / CALLS_A_SECOND
                await anyio.sleep(max(0.0, due - perf_counter()))
                calls.start_soon(_timed_from, due, taken, work, callers[number % len(callers)], number)
        group.cancel_scope.cancel()
    return taken


async def _sit(url: str, token: str, work: Call, *, task_status: anyio.abc.TaskStatus[Caller]) -> None:
    """Connect a client. It reads a tool's schema on its first call, so each kind of call is made once beforehand."""
    async with _seated(url, token) as caller:
        for number in range(3):
            await work(caller, number)
        task_status.started(caller)
        await anyio.sleep_forever()


async def _timed_from(due: float, taken: list[float], work: Call, caller: Caller, number: int) -> None:
    await work(caller, number)
    taken.append(perf_counter() - due)


async def _nothing(caller: Caller, _: int) -> None:
    await caller.look()


async def _one_call(caller: Caller, number: int) -> None:
    """Make one call; one in three writes."""
    if number % 3 == 0:
        await caller.call("act", command="say", fields={"words": f"Hello {number}"})
    elif number % 3 == 1:
        await caller.look()
    else:
        await caller.recap()
