"""Hostile proxy between clients and a real server: it cuts, delays, doubles and trickles the traffic.

Clients send a command again under the same `Idempotency-Key` until they have its result, as the pages of the web table
do, and follow their seat's stream from their last cursor whenever it is cut.
"""

import asyncio
import atexit
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import msgspec

from astragal.fair import Receipt
from benchmarks.soak.clients import Figures, Seats, Sent, check_whole, folder, open_table, some_command
from benchmarks.soak.kills import forks
from tests.patience import LONG
from tests.surfaces.web.open_tables import AtSeat, Web, opened_web
from tests.surfaces.web.processes import serve_on
from tests.table.dare import DARE

CLIENTS = 4
PATIENCE = 5.0
"""Seconds that a client waits for an answer before it sends again."""
PIECE = 30
"""Most bytes in a trickled piece."""
WAYS = (
    "pass", "pass", "delay", "double", "double later", "trickle",
    "cut before", "cut in the request", "cut without an answer", "cut in the answer",
)  # fmt: skip
CUT_OFF = (OSError, EOFError, TimeoutError)


class Proxy:
    """Proxy with one connection to the server for each of a client's; its faults are random."""

    def __init__(self, upstream: int, random: Random) -> None:
        self._upstream, self._random = upstream, random
        self._tasks: set[asyncio.Task[None]] = set()
        self.done: Counter[str] = Counter()
        self.port = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with await asyncio.start_server(self._serve, "127.0.0.1", 0) as server:
            self.port = server.sockets[0].getsockname()[1]
            yield
            for task in self._tasks:
                task.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        try:
            with suppress(*CUT_OFF):
                request = await _request(reader)
                await (self._stream if b"/events HTTP" in request else self._command)(request, writer)
        except asyncio.CancelledError:
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _command(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        way = self._random.choice(WAYS)
        self.done[way] += 1
        if way == "cut before":
            return
        if way == "delay":
            await asyncio.sleep(self._random.uniform(0, 0.1))
        if way == "cut in the request":
            await self._passed_on(request[: self._random.randrange(1, len(request))], is_answered=False)
            return
        if way == "cut without an answer":
            await self._passed_on(request, is_answered=self._random.random() < 0.5)
            return
        copies = 2 if way == "double" else 1
        passed = (self._passed_on(request, trickles=way == "trickle") for _ in range(copies))
        answer = (await asyncio.gather(*passed))[-1]
        if way == "cut in the answer":
            answer = answer[: self._random.randrange(len(answer) + 1)]
        await self._write(writer, answer, trickles=way == "trickle")
        writer.close()
        if way == "double later":
            await asyncio.sleep(self._random.uniform(0, 0.3))
            await self._passed_on(request)

    async def _passed_on(self, request: bytes, *, trickles: bool = False, is_answered: bool = True) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._upstream)
        try:
            await self._write(writer, request, trickles=trickles)
            return await reader.read(-1) if is_answered else b""
        finally:
            writer.close()

    async def _stream(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        """Pass a stream on as it comes, whole or in pieces, up to any byte of it."""
        self.done["streams cut"] += 1
        reader, upstream = await asyncio.open_connection("127.0.0.1", self._upstream)
        left, trickles = self._random.choice([0, 100, 500, 3_000, 100_000]), self._random.random() < 0.3
        try:
            await self._write(upstream, request, trickles=False)
            while left > 0 and (read := await reader.read(left)):
                await self._write(writer, read, trickles=trickles)
                left -= len(read)
        finally:
            upstream.close()

    async def _write(self, writer: asyncio.StreamWriter, data: bytes, *, trickles: bool) -> None:
        while data:
            size = self._random.randint(1, PIECE) if trickles else len(data)
            writer.write(data[:size])
            await writer.drain()
            data = data[size:]
            await asyncio.sleep(0)


async def _request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    return head + await reader.readexactly(_length(head))


def _length(head: bytes) -> int:
    found = [line.partition(b":")[2] for line in head.splitlines() if line.lower().startswith(b"content-length:")]
    return int(found[0]) if found else 0


class Acknowledged(NamedTuple):
    act: str
    receipt: list[Any]


class Client:
    """Client with the tokens of all seats, which reaches the server through the proxy alone."""

    def __init__(self, proxy: Proxy, server: int, table: str, tokens: Mapping[str, str]) -> None:
        self.proxy, self._server, self.table, self._tokens = proxy, server, table, tokens
        self.resent = 0
        self.news = asyncio.Event()

    async def give(self, sent: Sent) -> Acknowledged | None:
        """Give a command until its result is known; None if it was refused."""
        path = f"/commands/{sent.command}?sight={sent.sight}"
        body = json.dumps(sent.fields).encode()
        request = self._request("POST", path, sent.seat, {"Idempotency-Key": sent.id}, body)
        while True:
            try:
                async with asyncio.timeout(PATIENCE):
                    status, answer = await self._answer(request)
            except CUT_OFF:
                self.resent += 1
                continue
            if status == 200:
                told = json.loads(answer)
                return Acknowledged(told["act"], [told["receipt"]["line"], told["receipt"]["head"]])
            assert status == 422, (status, answer)
            if json.loads(answer)["code"] != "no_room":  # then it's unknown whether it was stored
                return None

    async def follow(self, seat: str, heard: list[tuple[str, str]]) -> None:
        """Follow a seat's stream through every cut, from the last cursor on."""
        cursor = ""
        while True:
            with suppress(*CUT_OFF):
                async with asyncio.timeout(PATIENCE):
                    async for name, key, data in self._messages(seat, cursor):
                        if name == "restarted":
                            heard.clear()
                        heard += [(event["act"], event["name"]) for event in json.loads(data)]
                        cursor = key
                        self.news.set()

    async def _answer(self, request: bytes) -> tuple[int, bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.proxy.port)
        try:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            return int(head.split(maxsplit=2)[1]), await reader.readexactly(_length(head))
        finally:
            writer.close()

    async def _messages(self, seat: str, cursor: str) -> AsyncIterator[tuple[str, str, str]]:
        """Yield name, cursor and data of each message that arrived whole."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.proxy.port)
        try:
            writer.write(self._request("GET", "/events", seat, {"Last-Event-ID": cursor} if cursor else {}))
            await reader.readuntil(b"\r\n\r\n")
            while True:
                fields: dict[str, str] = {}
                while line := (await _chunked_line(reader)):
                    name, _, value = line.partition(": ")
                    fields[name] = value
                if fields.get("event") in ("happened", "restarted"):
                    yield fields["event"], fields["id"], fields["data"]
        finally:
            writer.close()

    def _request(self, method: str, path: str, seat: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
        lines = {
            "Host": f"127.0.0.1:{self._server}",
            "Authorization": f"Bearer {self._tokens[seat]}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"{method} /api/tables/{self.table}{path} HTTP/1.1\r\n{head}\r\n".encode() + body


async def _chunked_line(reader: asyncio.StreamReader) -> str:
    """Read a line of a message. Sizes of chunks are on lines of their own, and end as HTTP's do."""
    while True:
        line = await reader.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        if not line.endswith(b"\r\n"):
            return line.decode().rstrip("\n")


# ---------------------------------------------------------------- a round


def proxies(seed: int) -> Figures:
    """Send commands and streams through a hostile proxy: each is done once, answered, and seen by all without a gap."""
    return play_through(*_server(), seed, commands=40)


def play_through(web: Web, port: int, seed: int, commands: int) -> Figures:
    """Open a table of this host, and play at it through a proxy in front of the server at this port."""
    table, seats = open_table(web.host)
    tokens = {seat: web.token(AtSeat(table, seat)) for seat in (seats.ada, seats.bo, seats.cy)}
    proxy = Proxy(port, Random(seed))
    client = Client(proxy, port, table, tokens)
    sent, told = asyncio.run(_play(web, client, seats, Random(seed + 1), commands))
    for known in told.values():
        for key, answer in known.items():
            again = sent[key].give(web.host, table)
            assert again.receipt
            receipt = [again.receipt.line, again.receipt.head]
            assert (again.act, receipt) == (answer.act, answer.receipt), f"{sent[key]} is {again} now"
    written = Counter(text.words for text in web.context.store.texts(table).values())
    for known in told.values():
        assert all(written[mark] == 1 for key in known for mark in sent[key].marks), "something was said twice"
        answers = [web.context.store.answer(table, key) for key in known]
        places = [msgspec.json.decode(answer.data)["first"] for answer in answers if answer]
        assert all(early < late for early, late in pairwise(places)), "what came later stands first"
    receipts = [Receipt(*answer.receipt) for known in told.values() for answer in known.values()]
    check_whole(web.context.store, web.host, table, seats.ada, receipts)
    return {
        "commands": sum(map(len, told.values())),
        "sent again": client.resent,
        "doubled": proxy.done["double"] + proxy.done["double later"],
        "streams cut": proxy.done["streams cut"],
    }


@cache
def _server() -> tuple[Web, int]:
    """Start a server in a process of its own, for all rounds of a campaign, and a host of our own on the same store."""
    stack = ExitStack()
    atexit.register(stack.close)
    url = f"sqlite:///{stack.enter_context(folder())}/tables.db"
    web = stack.enter_context(opened_web(url, games=[DARE]))
    heard, saying = forks().Pipe(duplex=False)
    process = forks().Process(target=serve_on, args=(saying, url), daemon=True)
    process.start()
    stack.callback(process.kill)
    assert heard.poll(LONG), "it does not start"
    return web, int(heard.recv())


async def _play(
    web: Web, client: Client, seats: Seats, random: Random, commands: int
) -> tuple[dict[str, Sent], dict[int, dict[str, Acknowledged]]]:
    sent: dict[str, Sent] = {}
    told: dict[int, dict[str, Acknowledged]] = {number: {} for number in range(CLIENTS)}
    heard: dict[str, list[tuple[str, str]]] = {seat: [] for seat in (seats.ada, seats.bo, seats.cy)}

    async def act(number: int) -> None:
        for turn in range(commands // CLIENTS):
            view = web.host.look(client.table, seats.ada)
            given = some_command(f"{number}-{turn}", view, seats, random)
            sent[given.id] = given
            if answer := await client.give(given):
                told[number][given.id] = answer

    async with client.proxy.running():
        listening = [asyncio.create_task(client.follow(seat, heard[seat])) for seat in heard]
        await asyncio.gather(*map(act, range(CLIENTS)))
        with suppress(TimeoutError):  # the number of events is not enough: a rewind may still arrive
            async with asyncio.timeout(LONG):
                for seat, events in heard.items():
                    while events != _all_seen(web, client.table, seat):
                        await client.news.wait()
                        client.news.clear()
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
    for seat, events in heard.items():
        assert events == _all_seen(web, client.table, seat), "a stream has a gap"
    return sent, told


def _all_seen(web: Web, table: str, seat: str) -> list[tuple[str, str]]:
    seen, cursor, more = [], "", True
    while more:
        page = web.host.follow(table, seat, cursor)
        seen += [(event.act, event.name) for event in page.events]
        cursor, more = page.cursor, page.more
    return seen
