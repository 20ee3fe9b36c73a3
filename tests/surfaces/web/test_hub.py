"""Those who follow a table are told what happens, nobody waits for another, and whoever is removed is told no more."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from time import sleep
from typing import Any, TypeVar

import pytest

from astragal.surfaces.web.live import hub, workers
from astragal.surfaces.web.live.hub import Hub
from astragal.surfaces.web.live.presence import Presence
from astragal.surfaces.web.live.queue import LONGEST_QUEUE
from astragal.table.host import Host
from astragal.table.log.group_commit import Steps
from astragal.table.log.repository import Outcome
from astragal.table.log.session import LiveTable
from astragal.table.log.store import Append, Store, StoreUnavailable
from tests.patience import LONG
from tests.table.fair_tables import fair_host
from tests.table.seated import Seated, seat_everyone

T = TypeVar("T")


class Told:
    """Follows a table as a stream does, with the words of each event; it can be held up, and it can fail."""

    def __init__(self, seated: Seated, name: str) -> None:
        self.seat, self._seated = seated.seats[name], seated
        self._cursor = seated.host.follow(seated.table, self.seat).cursor
        self.fault: Exception | None = None
        self.asked, self.is_revoked = 0, False
        self.is_asked, self.may_go_on = threading.Event(), threading.Event()
        self.may_go_on.set()

    def news(self) -> Iterator[bytes]:
        self.asked += 1
        page = self._seated.host.follow(self._seated.table, self.seat, self._cursor)
        self.is_asked.set()
        assert self.may_go_on.wait(LONG)
        if self.fault:
            fault, self.fault = self.fault, None
            raise fault
        self._cursor = page.cursor
        if page.events:
            yield "|".join(event.words for event in page.events).encode()

    def is_allowed(self) -> bool:
        return not self.is_revoked

    def last_message(self) -> bytes:
        return b"gone"


@dataclass
class Open:
    """A hub that is open, and its table."""

    seated: Seated
    hub: Hub

    @asynccontextmanager
    async def follow(self, follower: Told) -> AsyncIterator[Callable[[], Coroutine[Any, Any, bytes]]]:
        """Somebody follows in this block; gives what waits for the next message."""
        stream = self.hub.follow(self.seated.table, lambda memory: follower)

        async def ended() -> bytes:
            return await anext(stream, b"the end")

        def following() -> Coroutine[Any, Any, bytes]:
            return asyncio.wait_for(ended(), LONG)

        try:
            yield following
        finally:
            await stream.aclose()

    @asynccontextmanager
    async def held_up(self) -> AsyncIterator[tuple[Told, asyncio.Task[bytes]]]:
        """Bo follows in this block, and is held up before he is told anything; gives him and his first message."""
        bo = Told(self.seated, "Bo")
        bo.may_go_on.clear()
        async with self.follow(bo) as following:
            first = asyncio.create_task(following())
            await asyncio.to_thread(bo.is_asked.wait, LONG)
            yield bo, first

    async def say(self, *words: str, by: str = "Ada") -> None:
        for one in words:
            await asyncio.to_thread(self.seated.act, by, "say", words=one)


def make_ready(host: Host, seated: Seated) -> None:
    """Read a table into memory, and have its dice promised."""
    host.act(seated.table, seated.game_master, ("mark_save_node", {"label": "ready"}))


@pytest.fixture
def seated(store: Store) -> Seated:
    return seat_everyone(store)


def run(hub: Hub, work: Callable[[], T], table: str = "") -> Coroutine[Any, Any, T]:
    """Run something in a worker thread, as a command of this table, or of one of its own."""

    def steps() -> Steps[T]:
        yield from ()
        return work()

    return hub.run(table or f"table {id(steps)}", steps)


def played(store: Store, seated: Seated, play: Callable[[Open], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        hub = Hub(seated.host, store, linger=0.0, check=0.02)
        async with hub.open():
            await play(Open(seated, hub))

    asyncio.run(run())


def test_everyone_is_told_what_happens(store: Store, seated: Seated) -> None:
    async def play(table: Open) -> None:
        async with table.follow(Told(seated, "Bo")) as bo, table.follow(Told(seated, "Di")) as di:
            waiting = asyncio.gather(bo(), di())
            await table.say("a bell tolls")
            assert all(b"a bell tolls" in told for told in await waiting)

    played(store, seated, play)


def test_what_happens_while_one_is_being_told_comes_in_one_message(store: Store, seated: Seated) -> None:
    async def play(table: Open) -> None:
        async with table.held_up() as (bo, first):
            await table.say("one", "two", "three")
            bo.may_go_on.set()
            told = (await first).decode()
            assert [word in told for word in ("one", "two", "three")] == [True, True, True]
            assert bo.asked == 2

    played(store, seated, play)


def test_whoever_acts_faster_than_others_are_told_waits_for_them(
    store: Store, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "LONGEST_ROUND", LONG)
    stored = threading.Event()

    def act() -> None:
        seated.act("Ada", "say", words="two")
        stored.set()

    async def play(table: Open) -> None:
        async with table.held_up() as (bo, first):
            await table.say(*["one"] * hub.MOST_IN_A_ROUND)  # which wait to be told
            answer = asyncio.create_task(run(table.hub, act, seated.table))
            await asyncio.to_thread(stored.wait, LONG)
            for _ in range(9):  # others are answered meanwhile
                await run(table.hub, lambda: None)
            is_answered = answer.done()
            bo.may_go_on.set()
            assert not is_answered
            await asyncio.gather(first, answer)

    played(store, seated, play)


def test_an_answer_does_not_wait_for_others_for_long(
    store: Store, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "LONGEST_ROUND", 0.01)

    async def play(table: Open) -> None:
        async with table.held_up() as (bo, first):
            await table.say(*["one"] * hub.MOST_IN_A_ROUND)
            await asyncio.wait_for(run(table.hub, lambda: seated.act("Ada", "say", words="two"), seated.table), LONG)
            assert not first.done()
            bo.may_go_on.set()
            await first

    played(store, seated, play)


def test_commands_that_wait_are_answered_before_others_are_told_of_earlier_ones(store: Store, seated: Seated) -> None:
    begun = threading.Semaphore(0)
    asked: list[int] = []
    may_end = [threading.Event() for _ in range(workers.THREADS)]

    def hold(until: threading.Event) -> None:
        begun.release()
        assert until.wait(LONG)

    async def play(table: Open) -> None:
        bo = Told(seated, "Bo")
        async with table.follow(bo) as following:
            await table.say("one")
            assert b"one" in await following()
            held = [asyncio.create_task(run(table.hub, partial(hold, until))) for until in may_end]
            for _ in held:
                assert await asyncio.to_thread(begun.acquire, timeout=LONG)
            was_asked = bo.asked
            says = asyncio.create_task(run(table.hub, lambda: seated.act("Ada", "say", words="two"), seated.table))
            looks = asyncio.create_task(run(table.hub, lambda: asked.append(bo.asked)))
            await asyncio.sleep(0)  # both wait for a thread now
            may_end[0].set()  # one thread is free
            await asyncio.gather(held[0], says, looks)
            assert b"two" in await following()
            for until in may_end:
                until.set()
            await asyncio.gather(*held)
            assert asked == [was_asked]

    played(store, seated, play)


def test_commands_that_wait_are_stored_together_if_they_are_of_different_tables(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, together = fair_host(store), list[list[str]]()
    tables = [seat_everyone(store) for _ in range(workers.MOST_TOGETHER + 1)]
    may_begin, append_all = threading.Event(), store.append_all
    for one in tables:
        make_ready(host, one)  # who has to read a table first is alone

    def counted(appends: list[Append]) -> None:
        together.append([one.table for one in appends])
        append_all(appends)

    async def play(table: Open) -> None:
        def say(at: Seated) -> asyncio.Task[Outcome]:
            steps = partial(host.acting, at.table, at.seats["Bo"], ("say", {"words": "hello"}))
            return asyncio.create_task(table.hub.run(at.table, steps))

        first = asyncio.create_task(run(table.hub, partial(may_begin.wait, LONG)))
        waiting = [say(one) for one in (*tables, tables[-1], tables[0])]
        await asyncio.sleep(0)
        may_begin.set()
        await asyncio.gather(first, *waiting)

    monkeypatch.setattr(workers, "THREADS", 1)
    monkeypatch.setattr(store, "append_all", counted)
    played(store, tables[0], play)
    *ids, last_but_one, last = (one.table for one in tables)
    assert together == [ids, [last_but_one, last], [last, ids[0]]], "the first that waited was none of these"


def test_whoever_is_stored_together_with_a_command_that_waits_is_answered_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the tables, one is being read by a thread that takes its time."""
    host, may_begin, is_read = fair_host(store), threading.Event(), threading.Event()
    busy, free = seat_everyone(store), seat_everyone(store)
    make_ready(host, free)
    make_ready(fair_host(store), busy)

    def wait_to_read(table: str) -> LiveTable:
        is_read.wait(LONG)
        return read_table(table)

    async def play(table: Open) -> None:
        def say(at: Seated) -> asyncio.Task[Outcome]:
            steps = partial(host.acting, at.table, at.seats["Bo"], ("say", {"words": "hello"}))
            return asyncio.create_task(table.hub.run(at.table, steps))

        first = asyncio.create_task(run(table.hub, partial(may_begin.wait, LONG)))
        late, prompt = say(busy), say(free)
        await asyncio.sleep(0)
        may_begin.set()
        try:
            await asyncio.wait_for(prompt, LONG)
            assert not late.done()
        finally:
            is_read.set()
        await asyncio.gather(first, late)

    read_table = host._repository.at  # noqa: SLF001 - to read a table takes as long as it is told to
    monkeypatch.setattr(host._repository, "at", wait_to_read)  # noqa: SLF001
    monkeypatch.setattr(workers, "THREADS", 1)
    played(store, free, play)


def test_others_are_told_though_commands_keep_coming(store: Store, seated: Seated) -> None:
    may_begin, are_told = threading.Event(), threading.Event()

    async def play(table: Open) -> None:
        async with table.follow(Told(seated, "Bo")) as following:
            await table.say("one")
            assert b"one" in await following()
            as_many = range(workers.THREADS * workers.COMMANDS_BEFORE_NOTIFYING)
            first = [asyncio.create_task(run(table.hub, partial(may_begin.wait, LONG))) for _ in as_many]
            more = [asyncio.create_task(run(table.hub, partial(are_told.wait, LONG))) for _ in as_many]
            await asyncio.sleep(0)  # all of them wait for a thread now
            await table.say("a bell tolls")  # elsewhere
            may_begin.set()
            try:
                assert b"a bell tolls" in await following()
            finally:
                are_told.set()
            assert all(await asyncio.gather(*first, *more))

    played(store, seated, play)


def test_an_answer_does_not_wait_for_what_waits_for_its_own_thread(
    store: Store, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "LONGEST_ROUND", LONG)
    begun = threading.Semaphore(0)
    may_act, may_end = threading.Event(), threading.Event()

    def act() -> None:
        begun.release()
        assert may_act.wait(LONG)
        seated.act("Ada", "say", words="and more")

    def hold() -> None:
        begun.release()
        assert may_end.wait(LONG)

    async def play(table: Open) -> None:
        async with table.follow(Told(seated, "Bo")) as following:
            await table.say("one")
            assert b"one" in await following()
            answer = asyncio.create_task(run(table.hub, act, seated.table))
            held = [asyncio.create_task(run(table.hub, hold)) for _ in range(workers.THREADS - 1)]
            for _ in range(workers.THREADS):
                assert await asyncio.to_thread(begun.acquire, timeout=LONG)
            await table.say(*["more"] * hub.MOST_IN_A_ROUND)  # to be told once there is a thread for it
            may_act.set()
            await asyncio.wait_for(answer, LONG / 2)
            assert b"and more" in await following()
            may_end.set()
            await asyncio.gather(*held)

    played(store, seated, play)


def test_of_many_followers_the_first_are_sent_what_they_are_told_before_the_next_are_asked(
    store: Store, seated: Seated
) -> None:
    asked, sent = list[int](), list[bytes]()

    class Counting(Told):
        def news(self) -> Iterator[bytes]:
            asked.append(len(sent))
            yield from super().news()

    def send(message: bytes) -> bool:
        sent.append(message)
        return True

    async def play(table: Open) -> None:
        many = hub.BATCH + 1
        streams = [
            table.hub.follow(seated.table, lambda _: Counting(seated, "Bo"), send_at_once=send) for _ in range(many)
        ]
        following = [asyncio.create_task(anext(stream, b"the end")) for stream in streams]
        await until(lambda: len(asked) == many)
        asked.clear()
        await table.say("hello")
        await until(lambda: len(sent) == many)
        assert asked == [0] * hub.BATCH + [hub.BATCH]
        table.hub.end_streams()
        await asyncio.gather(*following)

    played(store, seated, play)


def test_one_who_does_not_read_is_not_asked_and_told_all_of_it_later(store: Store, seated: Seated) -> None:
    async def play(table: Open) -> None:
        idle = Told(seated, "Bo")
        async with table.follow(idle) as later, table.follow(Told(seated, "Cy")) as cy:
            first_reading = asyncio.create_task(later())
            told = []
            for number in range(3 * LONGEST_QUEUE):
                waiting = asyncio.create_task(cy())
                await table.say(f"word {number}")
                told.append((await waiting).decode())
            assert f"word {number}" in told[-1], "others are told as it happens"
            assert idle.asked <= LONGEST_QUEUE + 2
            heard = (await first_reading).decode()
            while f"word {number}" not in heard:
                heard += "|" + (await later()).decode()
            assert [heard.count(f"word {one}") >= 1 for one in range(number + 1)] == [True] * (number + 1)

    played(store, seated, play)


def test_a_table_that_is_slow_to_tell_holds_up_no_other(store: Store, seated: Seated) -> None:
    other = seat_everyone(store)

    async def play(table: Open) -> None:
        slow = Told(seated, "Bo")
        slow.may_go_on.clear()
        async with table.follow(slow) as waits, Open(other, table.hub).follow(Told(other, "Bo")) as elsewhere:
            stuck, told = asyncio.create_task(waits()), asyncio.create_task(elsewhere())
            await asyncio.to_thread(slow.is_asked.wait, LONG)
            await asyncio.to_thread(other.act, "Ada", "say", words="over here")
            assert b"over here" in await told
            slow.may_go_on.set()
            await table.say("and here")
            assert b"and here" in await stuck

    played(store, seated, play)


def test_a_command_does_not_wait_until_tables_are_told(
    store: Store, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "SLOW", LONG)
    other = seat_everyone(store)
    slow = Told(other, "Bo")
    slow.may_go_on.clear()

    async def play(table: Open) -> None:
        async with table.held_up() as (bo, first), Open(other, table.hub).follow(slow) as elsewhere:
            waits = asyncio.create_task(elsewhere())
            await table.say("over here")
            try:
                for _ in range(3):
                    act = partial(other.act, "Ada", "say", words="and there")
                    await asyncio.wait_for(run(table.hub, act, other.table), LONG)
            finally:
                bo.may_go_on.set()
                slow.may_go_on.set()
            assert b"over here" in await first
            assert b"and there" in await waits

    played(store, seated, play)


def test_whoever_tells_lets_commands_go_first_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = deque(["roll", "say"])
    priority = workers.CommandPriority(waiting)
    monkeypatch.setattr(workers, "sleep", lambda _: waiting.popleft())
    monkeypatch.setattr(workers, "LONGEST_PAUSE", LONG)
    with priority.notifying() as yield_to_commands:
        yield_to_commands()
        assert not waiting
    monkeypatch.setattr(workers, "LONGEST_PAUSE", 0.0)
    waiting.append("roll")
    with priority.notifying() as yield_to_commands:
        yield_to_commands()
        assert waiting


def test_commands_wait_for_whoever_has_let_others_pass_for_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LONGEST_PAUSE", 0.0)
    monkeypatch.setattr(workers, "SLOW", LONG)
    priority, done = workers.CommandPriority(["roll"]), list[str]()

    def give_command() -> None:
        priority.wait_for_notifier()
        done.append("command")

    with priority.notifying() as yield_to_commands:
        give_command()  # nobody has waited for long yet
        yield_to_commands()
        thread = threading.Thread(target=give_command)
        thread.start()
        thread.join(0.05)  # as long as it would need if it did not wait
        done.append("told")
    thread.join(LONG)
    assert done == ["command", "told", "command"]


def test_only_the_first_command_waits_for_whoever_is_slow_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LONGEST_PAUSE", 0.0)
    priority = workers.CommandPriority(["roll"])
    with priority.notifying() as yield_to_commands:
        yield_to_commands()
        monkeypatch.setattr(workers, "SLOW", 0.0)
        priority.wait_for_notifier()
        monkeypatch.setattr(workers, "SLOW", 10 * LONG)
        next_command = threading.Thread(target=priority.wait_for_notifier)
        next_command.start()
        next_command.join(LONG)
        assert not next_command.is_alive()


def test_a_removed_seat_is_told_so_and_nothing_more(store: Store, seated: Seated) -> None:
    async def play(table: Open) -> None:
        async with table.follow(Told(seated, "Bo")) as bo, table.follow(Told(seated, "Cy")) as cy:
            waiting, others = asyncio.create_task(bo()), asyncio.create_task(cy())
            await asyncio.to_thread(seated.act, "Ada", "leave_seat", seat=seated.seats["Bo"])
            assert await waiting == b"gone"
            assert await bo() == b"the end"
            assert b"Bo" in await others
            await table.say("without him")
            assert b"without him" in await cy()

    played(store, seated, play)


def test_a_seat_can_be_cut_off_at_once(store: Store, seated: Seated) -> None:
    async def play(table: Open) -> None:
        async with table.follow(Told(seated, "Bo")) as bo, table.follow(Told(seated, "Cy")) as cy:
            waiting, others = asyncio.create_task(bo()), asyncio.create_task(cy())
            await asyncio.sleep(0)
            await asyncio.to_thread(table.hub.cut, seated.table, seated.seats["Bo"])
            assert (await waiting, await bo()) == (b"gone", b"the end")
            await table.say("without him")
            assert b"without him" in await others

    played(store, seated, play)


def test_whose_pass_was_revoked_elsewhere_is_sent_away_though_nothing_happens(store: Store, seated: Seated) -> None:
    async def play(table: Open) -> None:
        revoked = Told(seated, "Bo")
        async with table.follow(revoked) as bo, table.follow(Told(seated, "Cy")) as cy:
            waiting, others = asyncio.create_task(bo()), asyncio.create_task(cy())
            await asyncio.sleep(0)
            revoked.is_revoked = True
            assert (await waiting, await bo()) == (b"gone", b"the end")
            await table.say("without him")
            assert b"without him" in await others

    played(store, seated, play)


def test_a_mistake_in_one_stream_ends_that_stream_alone(store: Store, seated: Seated) -> None:
    async def play(table: Open) -> None:
        faulty = Told(seated, "Bo")
        async with table.follow(faulty) as bo, table.follow(Told(seated, "Cy")) as cy:
            faulty.fault = ValueError("a template that can't be drawn")
            waiting, others = asyncio.create_task(bo()), asyncio.create_task(cy())
            await table.say("still here")
            assert await waiting == b"the end"
            assert b"still here" in await others

    played(store, seated, play)


def test_a_store_that_was_away_is_asked_again(store: Store, seated: Seated) -> None:
    async def play(table: Open) -> None:
        bo = Told(seated, "Bo")
        bo.fault = StoreUnavailable("the database is away")
        async with table.follow(bo) as following:
            waiting = asyncio.create_task(following())
            await table.say("once it is back")
            assert b"once it is back" in await waiting

    played(store, seated, play)


def test_who_is_connected_is_known_and_known_to_have_gone(store: Store, seated: Seated) -> None:
    async def play(table: Open) -> None:
        bo, cy = seated.seats["Bo"], seated.seats["Cy"]
        async with table.follow(Told(seated, "Cy")) as told:
            waiting = asyncio.create_task(told())
            async with table.follow(Told(seated, "Bo")) as one, table.follow(Told(seated, "Bo")) as again:
                both = asyncio.gather(one(), again())
                await table.say("hello")
                await both
                await until(lambda: table.hub.present(seated.table) == {bo, cy})
                assert await waiting
            await until(lambda: table.hub.present(seated.table) == {cy})

    played(store, seated, play)


def test_those_who_come_and_go_at_once_are_told_together() -> None:
    async def run() -> None:
        presence, told = Presence(linger=0.0), list[frozenset[str]]()

        def wake(table: str) -> None:
            told.append(presence.at(table))

        for seat in ("Bo", "Cy", "Di", "Ed"):
            presence.came("t", seat, wake)
        presence.went("t", "Di", wake)
        assert told == [{"Bo"}]
        assert presence.is_here("t", "Cy")
        await until(lambda: len(told) > 1)
        assert told == [{"Bo"}, {"Bo", "Cy", "Ed"}]
        for seat in ("Bo", "Cy", "Ed"):
            presence.went("t", seat, wake)
        await until(lambda: not told[-1])
        presence.close()

    asyncio.run(run())


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG):
        while not happened():  # noqa: ASYNC110 - it is read from outside
            await asyncio.sleep(0.01)


def test_a_table_is_let_go_once_nobody_follows_it_any_more(
    store: Store, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "FOLLOWED_AGAIN", 0.0)
    let_go: list[str] = []

    async def play(table: Open) -> None:
        table.hub.let_go = let_go.append
        async with table.follow(Told(seated, "Di")) as di:
            async with table.follow(Told(seated, "Bo")) as bo:
                waiting = asyncio.gather(bo(), di())
                await table.say("a bell tolls")
                await waiting
            waiting_again = asyncio.create_task(di())
            await table.say("and again")
            await waiting_again
            assert not let_go, "one has stayed"
        await until(lambda: let_go == [seated.table])

    played(store, seated, play)


def test_when_the_hub_closes_every_stream_ends(store: Store, seated: Seated) -> None:
    async def run() -> None:
        hub = Hub(seated.host, store)
        async with hub.open():
            stream = hub.follow(seated.table, lambda memory: Told(seated, "Bo"))
            waiting = asyncio.create_task(anext(stream, b"the end"))
            await asyncio.sleep(0)
        assert await asyncio.wait_for(waiting, LONG) == b"the end"

    asyncio.run(run())


def test_a_hub_that_closes_while_many_are_being_told_waits_for_no_message_to_go_out(
    store: Store, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "LONGEST_ROUND", LONG)
    monkeypatch.setattr(hub, "BATCH", 1)

    asked = list[bool]()

    class ToldWhileItCloses(Told):
        def news(self) -> Iterator[bytes]:
            for told in super().news():
                asked.append(b"farewell" in told)
                while asked[-1] and closing.workers.on_the_loop(lambda: None):
                    sleep(0.01)
                yield told

    async def run() -> None:
        async with closing.open():
            waiting = iter(followers)
            streams = [closing.follow(seated.table, lambda _: next(waiting)) for _ in followers]
            following = [asyncio.create_task(anext(stream, b"the end")) for stream in streams]
            await until(lambda: all(one.asked for one in followers))
            await asyncio.to_thread(seated.act, "Ada", "say", words="farewell")
            await until(lambda: True in asked)
        assert set(await asyncio.gather(*following)) == {b"the end"}

    closing, followers = Hub(seated.host, store), [ToldWhileItCloses(seated, "Bo") for _ in range(hub.BATCH + 1)]
    asyncio.run(asyncio.wait_for(run(), LONG / 2))
    assert asked == [True] * len(followers)
