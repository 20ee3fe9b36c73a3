"""Load generator of the web benchmark: people who listen and people who act. A program of its own, on the loopback
only.

It speaks just enough HTTP to be light, as it shares the machine with what it measures. It reads what the server printed
from standard input, and prints figures as one line of JSON.
"""

import asyncio
import gc
import json
import os
import re
import socket
import sys
import zlib
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from time import perf_counter, process_time
from typing import Any
from urllib.parse import quote, urlencode

HOST = "127.0.0.1"
CARD = re.compile(rb'id="card-([0-9a-f]+)"')
RELOAD = b"event: reload\n"
LAST_ID = re.compile(rb"\nid: (\S+)")
STREAM = re.compile(r'hx-sse:connect="([^"]+)"')
LINKED = re.compile(r'(?:href|src)="(/static/[^"]+)"')
LONGEST_CARD = 40
"""Bytes of a card's beginning that may arrive in two pieces."""
MOST_CARDS = 100
"""Cards that a stream remembers. Those of ten minutes would take more of the machine's cache than the server."""
MOST_STREAMS, MOST_SECONDS = 6000, 3700
OK = 200
GZIP = {"Accept-Encoding": "gzip"}
CLICKS = 200
CHANGES = 60
CIRCUMSTANCES = (("advantage", "flanking"), ("disadvantage", "blind"), ("defence_advantage", "cover"))
WARM, APART = 2, 6
"""Commands for each seat before any is timed: a player's first roll hashes a chain, once for 4096 rolls. Tables start a
few commands apart, or all of them would roll at once, and speak at once."""
KEPT = 4.0
"""Seconds for which a connection is reused: servers close idle ones soon after."""
LONG = 15.0
NEVER = 60.0
"""Seconds after which a card counts as lost. Under more load than a server can carry, many come late."""
AGAIN = 0.5
"""Seconds after which a disconnected listener tries again."""
SETTLED = 1.0
SERVED: dict[str, Any] = {}
"""The line that the server printed about itself."""


class Listener(asyncio.Protocol):
    """Stream of events: when each card arrived, and how many bytes."""

    def __init__(self) -> None:
        self.cards: dict[str, float] = {}
        self.bytes = 0
        self.ended = self.told = self.is_over = False
        """`is_over`: the page has to be loaded again, and nothing more comes."""
        self.first_cursor = ""
        self.something = asyncio.Event()
        self._tail = b""
        self._request = b""

    def asking(self, request: bytes) -> "Listener":
        self._request = request
        return self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = perf_counter()
        self.bytes += len(data)
        if not self.told and (found := LAST_ID.search(data)):
            self.told, self.first_cursor = True, found[1].decode()
            self.something.set()
        seen = self._tail + data
        for found in CARD.finditer(seen):
            self.cards.setdefault(found[1].decode(), now)
            if len(self.cards) > MOST_CARDS:
                del self.cards[next(iter(self.cards))]
            self.something.set()
        if RELOAD in seen:
            self.is_over = True
            self.something.set()
        self._tail = seen[-LONGEST_CARD:]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's own signature
        self.ended = True
        self.something.set()

    async def has(self, act: str) -> bool:
        """Wait for the card of this act; returns whether it came."""
        with suppress(TimeoutError):
            async with asyncio.timeout(NEVER):
                while act not in self.cards and not self.is_over:
                    self.something.clear()
                    await self.something.wait()
        return act in self.cards

    async def heard(self) -> None:
        """Wait for the first message."""
        while not self.told:
            self.something.clear()
            await self.something.wait()
            if self.ended:
                raise ConnectionError

    async def lost(self) -> None:
        """Wait until the stream is cut off."""
        while not self.ended:
            self.something.clear()
            await self.something.wait()

    async def card(self) -> float:
        """Wait for the next card, and return when it came."""
        newest = next(reversed(self.cards), None)
        while next(reversed(self.cards), None) == newest:
            self.something.clear()
            await asyncio.wait_for(self.something.wait(), LONG)
        return list(self.cards.values())[-1]


class Caller:
    """Client that acts, over one connection that is kept."""

    def __init__(self, port: int, cookie: str) -> None:
        self._port, self.headers = port, {"Cookie": cookie}
        self._lock = asyncio.Lock()
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter
        self._used = 0.0

    async def ask(
        self, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b""
    ) -> tuple[int, bytes]:
        async with self._lock:
            if self._reader is None or perf_counter() - self._used > KEPT:
                if self._reader:
                    self._writer.close()
                self._reader, self._writer = await asyncio.open_connection(HOST, self._port)
            self._used = perf_counter()
            self._writer.write(request(self._port, method, path, {**self.headers, **(headers or {})}, body))
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
            return int(head.split(" ", 2)[1]), await self._body(head)

    async def _body(self, head: str) -> bytes:
        assert self._reader
        if found := re.search(r"content-length: (\d+)", head):
            return await self._reader.readexactly(int(found[1]))
        body = b""
        while "transfer-encoding: chunked" in head:
            size = int(await self._reader.readuntil(b"\r\n"), 16)
            body += (await self._reader.readexactly(size + 2))[:-2]
            if not size:
                break
        return body

    async def post(self, path: str, form: dict[str, Any]) -> tuple[int, bytes]:
        """Post a form, as a page does."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        return await self.ask("POST", path, headers, urlencode(form).encode())

    async def command(self, table: str, command: str, fields: dict[str, Any]) -> tuple[int, Any]:
        """Give a command, as a program does."""
        path, headers = f"/api/tables/{table}/commands/{command}", {"Content-Type": "application/json"}
        status, body = await self.ask("POST", path, headers, json.dumps(fields).encode())
        return status, json.loads(body) if body else None

    async def stream(self, table: str) -> str:
        """Load a page, and return the address of its stream."""
        status, body = await self.ask("GET", f"/t/{table}")
        found = STREAM.search(body.decode())
        assert status == OK, (status, body)
        assert found, "the page has no stream"
        return found[1].replace("&amp;", "&")

    def listening(self, path: str, after: str = "") -> bytes:
        """Build the request for a stream."""
        more = {"Accept": "text/event-stream"} | ({"Last-Event-ID": after} if after else {})
        return request(self._port, "GET", path, {**self.headers, **more})

    async def listen(self, path: str, after: str = "") -> Listener:
        asked = self.listening(path, after)
        _, listener = await asyncio.get_running_loop().create_connection(
            lambda: Listener().asking(asked), HOST, self._port
        )
        return listener


def request(port: int, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    own = {"Host": f"{HOST}:{port}", "Origin": f"http://{HOST}:{port}", "Content-Length": str(len(body))}
    lines = [f"{name}: {value}" for name, value in {**own, **headers}.items()]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode() + body


class Playing:
    """One table in play: tests, the decisions they stop for, and talk."""

    def __init__(self, port: int, laid: dict[str, Any]) -> None:
        self.table = laid["table"]
        ports = [port, *(one["port"] for one in SERVED.get("others", ()))]
        self.callers = [Caller(ports[number % len(ports)], one["cookie"]) for number, one in enumerate(laid["seats"])]
        self.heroes = [seat["hero"] for seat in laid["seats"]]
        self.listeners: list[Listener] = []
        self._turn = count(1)
        self._waits: tuple[Caller, str] | None = None
        self._lock = asyncio.Lock()

    async def connect(self) -> None:
        for caller in self.callers:
            self.listeners.append(await caller.listen(await caller.stream(self.table)))

    async def load_again(self, seat: int) -> None:
        """Reload the page and its stream, as a page does that has missed too much."""
        caller = self.callers[seat]
        self.listeners[seat].transport.close()
        self.listeners[seat] = await caller.listen(await caller.stream(self.table))

    async def only_listen(self) -> None:
        """Listen without loading the page first: the stream has everything."""
        for caller in self.callers:
            self.listeners.append(await caller.listen(f"/t/{self.table}/events"))

    async def act(self) -> tuple[int, str]:
        """Give the next command of this table; returns its status and its act."""
        async with self._lock:
            turn = next(self._turn)
            seat = 1 + turn % (len(self.callers) - 1)
            caller = self.callers[seat]
            if self._waits:
                caller, act = self._waits
                status, done = await caller.command(self.table, "answer", {"act": act, "answer": 0})
            elif turn % 3 == 0:
                status, done = await caller.command(self.table, "say", {"words": f"What of the {turn}th rope?"})
            else:
                asked = {"who": self.heroes[seat], "attribute": "REF", "stakes": f"rope {turn}"}
                status, done = await caller.command(self.table, "sinew_steel/test", asked)
            self._waits = (caller, done["act"]) if status == OK and done["waits_for"] else None
            return status, done["act"] if status == OK else ""


# ---------------------------------------------------------------- what is asked


async def clicks(port: int, tables: list[dict[str, Any]]) -> dict[str, Any]:
    """Time single clicks: from a click in one window to its card in another."""
    playing = Playing(port, tables[0])
    await playing.connect()
    clicker, watching = playing.callers[1], playing.listeners[2]
    taken: list[float] = []
    waits = ""
    while len(taken) < CLICKS:
        await asyncio.sleep(0.03)
        coming = asyncio.create_task(watching.card())
        await asyncio.sleep(0)
        started = perf_counter()
        if waits:
            await clicker.post(f"/t/{playing.table}/answer/{waits}", {"answer": "0"})
            waits = ""
            coming.cancel()
            continue
        asked = {"who": playing.heroes[1], "attribute": "REF", "stakes": "the rope"}
        status, body = await clicker.post(f"/t/{playing.table}/do/test", asked)
        assert status == OK, body
        taken.append(await coming - started)
        waits = await _waiting(playing)
    return {"taken": taken}


async def hidden(port: int, tables: list[dict[str, Any]]) -> dict[str, Any]:
    """Time the new odds after a player changes an attack on a foe whose numbers are closed."""
    playing = Playing(port, tables[0])
    game_master, player = playing.callers[:2]
    status, _ = await game_master.command(playing.table, "sinew_steel/make_npc", {"name": "Guard", "tier": 10})
    assert status == OK
    await player.ask("GET", f"/t/{playing.table}/form/attack?attacker={quote(playing.heroes[1])}&defender=Guard")
    taken: list[float] = []
    for number in range(CHANGES):
        side, words = CIRCUMSTANCES[number % len(CIRCUMSTANCES)]
        asked = {"attacker": playing.heroes[1], "defender": "Guard", side: words}
        started = perf_counter()
        status, body = await player.post(f"/t/{playing.table}/odds/attack", asked)
        taken.append(perf_counter() - started)
        assert status == OK, body
        assert b"chance" in body, body
    return {"taken": taken}


async def _waiting(playing: Playing) -> str:
    _, body = await playing.callers[1].ask("GET", f"/api/tables/{playing.table}/decisions")
    return next((one["act"] for one in json.loads(body)), "")


class Load:
    """Commands that are due one after the other, and their results, timed from when each was due."""

    def __init__(self) -> None:
        self.acknowledged, self.seen, self.errors = list[float](), list[float](), list[str]()
        self.reloaded = 0

    async def give(self, due: float, one: Playing) -> None:
        try:
            status, act = await one.act()
        except (OSError, asyncio.IncompleteReadError) as fault:
            self.errors.append(repr(fault))
            return
        self.acknowledged.append(perf_counter() - due)
        if status != OK:
            self.errors.append(str(status))
            return
        for seat, listener in enumerate(tuple(one.listeners)):
            if await listener.has(act):
                self.seen.append(listener.cards[act] - due)
            elif not listener.is_over:
                self.errors.append(f"a card never came: {act}")
            elif not listener.transport.is_closing():
                self.reloaded += 1
                await one.load_again(seat)


async def load(port: int, tables: list[dict[str, Any]], rate: float, seconds: float) -> dict[str, Any]:
    """Give commands at a rate while everyone listens."""
    playing = [Playing(port, laid) for laid in tables]
    assert sum(len(one.callers) for one in playing) <= MOST_STREAMS
    for number, one in enumerate(playing):
        for _ in range(WARM * len(one.callers) + number % APART):
            await one.act()
        await one.only_listen()
        _say(f"{number + 1} of {len(playing)} tables are listened to")
    for listener in (listener for one in playing for listener in one.listeners):
        await listener.heard()
    await asyncio.sleep(SETTLED)
    _say("commands are given")
    done, began, worked, generated = Load(), perf_counter(), _processor(), process_time()
    async with asyncio.TaskGroup() as group:
        for number in range(int(rate * min(seconds, MOST_SECONDS))):
            due = began + number / rate
            await asyncio.sleep(max(0.0, due - perf_counter()))
            group.create_task(done.give(due, playing[number % len(playing)]))
    listeners = [listener for one in playing for listener in one.listeners]
    return {
        **vars(done),
        "lost": sum(one.ended for one in listeners),
        "streams": len(listeners),
        "processor": _processor() - worked,
        "generator": process_time() - generated,
        "drained": perf_counter() - began - seconds,
        "memory": _memory(),
    }


async def idle(port: int, tables: list[dict[str, Any]], each: float) -> dict[str, Any]:
    """Measure idle streams: their memory, and the time that the owner's list of tables takes beside them."""
    began = perf_counter()
    listeners = [
        await caller.listen(f"/api/tables/{laid['table']}/events")
        for laid in tables
        for caller in Playing(port, laid).callers
        for _ in range(int(each))
    ]
    await asyncio.sleep(SETTLED)
    connected = perf_counter() - began
    owner = Caller(port, f"{SERVED['owner']}")
    await owner.ask("GET", "/")
    began, worked = perf_counter(), _processor()
    status, _ = await owner.ask("GET", "/")
    assert status == OK
    return {
        "home_processor": _processor() - worked,
        "streams": sum(not one.ended for one in listeners),
        "connected": connected,
        "home": perf_counter() - began,
        "memory": _memory(),
    }


async def restart(port: int, tables: list[dict[str, Any]]) -> dict[str, Any]:
    """Kill the server and bring it back while everyone listens; each listener tries again as pages do."""
    callers = [(laid["table"], one) for laid in tables for one in Playing(port, laid).callers]
    streams = [(one, f"/t/{table}/events") for table, one in callers]
    listeners = [await one.listen(path) for one, path in streams]
    for one in listeners:
        await one.heard()
    print("connected", flush=True)
    _say(f"{len(listeners)} streams are connected")
    await listeners[0].lost()
    gone = perf_counter()

    async def come_back(caller: Caller, path: str, after: str) -> float:
        while True:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(LONG):
                    await (await caller.listen(path, after)).heard()
                    return perf_counter() - gone
            await asyncio.sleep(AGAIN)

    cursors = [one.first_cursor for one in listeners]
    back = await asyncio.gather(*(come_back(*stream, after) for stream, after in zip(streams, cursors, strict=True)))
    return {"streams": len(listeners), "back": back}


def _say(doing: str) -> None:
    print(f"    {doing}", end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


def _processor() -> float:
    """Return the seconds of processor time that the server has used, in all of its processes."""
    ticks = 0
    first = [str(served["process"]) for served in (SERVED, *SERVED.get("others", ()))]
    workers = [Path(f"/proc/{one}/task/{one}/children").read_text(encoding="ascii").split() for one in first]
    for process in (*first, *chain.from_iterable(workers)):
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _memory() -> int:
    """Return the bytes of memory that are the server's own."""
    pages = Path(f"/proc/{SERVED['process']}/statm").read_text(encoding="ascii").split()
    return (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")


async def stalled(port: int, tables: list[dict[str, Any]], seconds: float, number: float) -> dict[str, Any]:
    """Compare a busy table with the same beside clients that never read, and see what becomes of such a client."""
    playing = Playing(port, tables[0])
    await playing.connect()
    before = await _chatter(playing, seconds)
    path = await playing.callers[2].stream(playing.table)
    idle = [playing.callers[2 + one % 4] for one in range(int(number))]
    never_read = [await _never_reading(port, one.listening(path)) for one in idle]
    _say(f"{len(never_read)} never read")
    during = await _chatter(playing, seconds)
    await asyncio.sleep(LONG)
    heard, was_cut = b"", False
    with suppress(TimeoutError):
        async with asyncio.timeout(LONG):
            while more := await _received(never_read[0]):
                heard += more
            was_cut = True
    for deaf in never_read:
        deaf.close()
    last = [found.decode() for found in LAST_ID.findall(heard)]
    again = await idle[0].listen(path, last[-1] if last else "")
    status, _ = await playing.act()
    await asyncio.sleep(1)
    return {
        "before": before,
        "during": during,
        "cut": was_cut,
        "heard": len(heard),
        "resumed": status == OK and again.bytes > 0 and not again.ended,
    }


async def _never_reading(port: int, asks: bytes) -> socket.socket:
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(deaf, (HOST, port))
    await loop.sock_sendall(deaf, asks)
    return deaf


async def _received(deaf: socket.socket) -> bytes:
    try:
        return await asyncio.get_running_loop().sock_recv(deaf, 65536)
    except ConnectionError:
        return b""


async def _chatter(playing: Playing, seconds: float) -> list[float]:
    """Narrate long texts, so that the buffers of a client who does not read fill up. Returns when others see each."""
    taken, watching = list[float](), playing.listeners[3]
    ends = perf_counter() + seconds
    while perf_counter() < ends:
        coming = asyncio.create_task(watching.card())
        await asyncio.sleep(0)
        started = perf_counter()
        status, _ = await playing.callers[0].command(playing.table, "narrate", {"words": "lorem ipsum " * 320})
        assert status == OK, status
        taken.append(await coming - started)
        await asyncio.sleep(0.02)
    return taken


async def page(port: int, tables: list[dict[str, Any]]) -> dict[str, Any]:
    """Load what a browser needs before anything is seen: the page and all it links, as they are sent."""
    caller = Caller(port, tables[0]["seats"][1]["cookie"])
    status, body = await caller.ask("GET", f"/t/{tables[0]['table']}", GZIP)
    assert status == OK
    text = zlib.decompress(body, wbits=31).decode()
    weights = {"the page": len(body)}
    wanted = list(dict.fromkeys(LINKED.findall(text)))
    while wanted:
        path = wanted.pop()
        _, read = await caller.ask("GET", path, GZIP)
        weights[path] = len(read)
        source = zlib.decompress(read, wbits=31) if read[:2] == b"\x1f\x8b" else read
        folder = path.rpartition("/")[0]
        for found in re.findall(rb'(?:from|import) "\./([^"]+)"', source):
            if (further := f"{folder}/{found.decode()}") not in weights and further not in wanted:
                wanted.append(further)
    return {"weights": weights}


ASKED: dict[str, Callable[..., Coroutine[Any, Any, dict[str, Any]]]] = {
    "clicks": clicks,
    "hidden": hidden,
    "load": load,
    "idle": idle,
    "restart": restart,
    "stalled": stalled,
    "page": page,
}


if __name__ == "__main__":
    gc.disable()  # a pause of this program would count as the server's
    SERVED.update(json.loads(sys.stdin.readline()))
    print(json.dumps(asyncio.run(ASKED[sys.argv[1]](SERVED["port"], SERVED["tables"], *map(float, sys.argv[2:])))))
