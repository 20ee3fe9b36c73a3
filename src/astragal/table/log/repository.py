"""Repository of tables: caches them in memory while they are played, and acknowledges nothing before it is stored."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock
from typing import TypeVar

from astragal.fair import lines
from astragal.table import ledger_writer, refusals
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.commands.builtin import Happened, Restored
from astragal.table.commands.handlers import CommandResult
from astragal.table.declarations import Role, Viewer
from astragal.table.dice import Rollers
from astragal.table.fields.parse import name_checked
from astragal.table.log import codec, commit, export, snapshots
from astragal.table.log.commit import Identity, Outcome, StoredOutcome, Writing
from astragal.table.log.group_commit import Steps, run_alone
from astragal.table.log.session import LiveTable, open_live
from astragal.table.log.store import Append, Conflict, Entry, Snapshot, Store, StoreFull, StoreUnavailable
from astragal.table.log.store import NoSuchTable as NotInStore
from astragal.table.registry import Book
from astragal.table.state.table import State
from astragal.table.visibility.redact import plain

__all__ = ["CROWDED", "MOST_IDLE", "MOST_TRIES", "SNAPSHOT_EVERY", "Identity", "Outcome", "TableRepository"]

MOST_TRIES = 50
"""Attempts at a command while other processes keep adding to the log before it."""
MOST_IDLE = 64
"""Number of tables that stay in memory while nobody follows them."""
SNAPSHOT_EVERY = 2000
CROWDED = "Too many people act at this table at once; try again."
T = TypeVar("T")


class TableRepository:
    """The tables of a store, cached as sessions in memory."""

    def __init__(
        self,
        store: Store,
        rulesets: Iterable[Ruleset],
        *,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        rehearses: bool,
    ) -> None:
        self.store = store
        self.rehearses = rehearses
        self._rulesets = rulesets
        self._clock = clock
        self._entropy = entropy
        self._books: dict[str, Book] = {}
        self._loading_books = Lock()
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        """Cache of the tables in memory, the one used longest ago first: opening one reads its whole log. It holds
        those that are followed and `MOST_IDLE` others."""
        self._followers: Counter[str] = Counter()
        self._opening: dict[str, Lock] = {}
        self._lock = Lock()

    # ------------------------------------------------------------ games

    @property
    def books(self) -> dict[str, Book]:
        """The games by their ids, loaded when they are first needed."""
        if not self._books:
            with self._loading_books:
                if not self._books:
                    self._books = {ruleset.id: Book.of(ruleset) for ruleset in self._rulesets}
        return self._books

    def newest_book(self, ruleset: str) -> Book:
        """Return the book for a new table. A game in a file is loaded again if the file has changed."""
        renewed = self.books[ruleset].ruleset.renewed
        newer = renewed() if renewed else None
        if newer:
            self.books[newer.id] = Book.of(newer)
        return self.books[ruleset]

    # ------------------------------------------------------------ tables in memory

    def at(self, table: str) -> LiveTable:
        """Return the session of a table, from memory or the store. While one thread opens it, other callers wait."""
        live = self._cached(table)
        if live is not None:
            return live
        with self._lock:
            opening = self._opening.setdefault(table, Lock())
        with opening:
            try:
                return self._cached(table) or self._opened(table)
            finally:
                with self._lock:
                    self._opening.pop(table, None)

    def opening(self, table: str) -> Steps[LiveTable]:
        """Return the session of a table in steps, as it takes a while to read a long log."""
        live = self._cached(table)
        if live is None:
            yield None
            live = self.at(table)
        return live

    def _cached(self, table: str) -> LiveTable | None:
        with self._lock:
            if table in self._live:
                self._live.move_to_end(table)
            return self._live.get(table)

    def _opened(self, table: str) -> LiveTable:
        """Open a table from the store, and evict the least recently used of those that nobody follows."""
        try:
            opened = open_live(table, self.books, self.store, self._entropy)
        except NotInStore:
            raise refusals.NoSuchTable("There is no such table, or you don't sit at it.") from None
        with self._lock:
            live = self._live.setdefault(table, opened)
            idle = [name for name in self._live if name not in self._followers]
            for name in idle[: max(len(idle) - MOST_IDLE, 0)]:
                del self._live[name]
        return live

    def follow(self, table: str) -> None:
        """Keep a table in memory, for as long as somebody follows it."""
        with self._lock:
            self._followers[table] += 1

    def unfollow(self, table: str) -> None:
        with self._lock:
            self._followers[table] -= 1
            if not self._followers[table]:
                del self._followers[table]

    def forget(self, table: str | None = None) -> None:
        """Drop a table, or all, from memory; the store has them."""
        with self._lock:
            if table is None:
                self._live.clear()
            else:
                self._live.pop(table, None)

    # ------------------------------------------------------------ writing

    def begin(self, book: Book, table: str, seat: str, result: CommandResult) -> None:
        """Store the first entries of a new table: its opening, its game master, and the first lines of its ledger."""
        is_seeded = result.events[0].house.seeded
        time = self._clock()
        happened = commit.numbered(time, seat, 0, result, result.events)
        encoded = commit.encode(book.codec, happened, self._salt)
        proof = ledger_writer.first_lines(
            table,
            [stored.entry for stored in encoded],
            commit.audiences_of([Viewer(seat, Role.PLAYER)], happened),
            commit.hidden_paths(happened, encoded),
            self._entropy,
            rollers=None if self.rehearses else ledger_writer.FIRST_ROLLERS,
            seeded=is_seeded or self.rehearses,
            seeded_by=table if is_seeded else None,
        )
        proving = commit.numbered(time, seat, len(happened), result, proof.lines)
        encoded += commit.encode(book.codec, proving, self._salt)
        self.store.create(table, commit.as_batch(encoded, private=proof.seeds))

    def keep(self, live: LiveTable, seat: str, result: CommandResult) -> Outcome:
        """Commit a command by itself. See `keeping`."""
        return run_alone(self.store, self.keeping(live, seat, result))

    def keeping(
        self, live: LiveTable, seat: str, result: CommandResult, identity: Identity | None = None
    ) -> Steps[Outcome]:
        """Commit a command: fold its events, prove them in the ledger, store both, and only then show the outcome.

        Raises `Conflict` if others appended first.
        """
        state_before = live.state
        number = live.history.number
        writing = Writing(self._clock, self._salt, self._rollers_in)
        prepared = commit.prepare(live, seat, result, identity, writing)
        try:
            yield Append(live.table, number, prepared.batch, live.log.tail)
        except (StoreFull, StoreUnavailable) as fault:
            raise refusals.NoRoom("The table can't be written to now. Nothing was lost; try again.") from fault
        if identity:
            live.answered.append(identity.command)
        happened_with_states = zip(prepared.happened, prepared.states, strict=True)
        live.go_on(happened_with_states, prepared.proving, prepared.batch.entries[-1], prepared.ledger)
        if state_before.pictures is not prepared.state_after.pictures:
            self._forget_pictures(live.table, state_before, prepared.state_after)
        if number // SNAPSHOT_EVERY != live.history.number // SNAPSHOT_EVERY:
            self.snap(live)
        return prepared.outcome

    def _forget_pictures(self, table: str, before: State, after: State) -> None:
        """Delete the bytes of pictures that the table no longer has. If that fails, they are still shown to nobody."""
        digests_before = {picture.digest for picture in before.pictures.values()}
        digests_after = {picture.digest for picture in after.pictures.values()}
        for digest in digests_before - digests_after:
            with suppress(StoreUnavailable):
                self.store.drop_picture(table, digest)

    def answered(self, live: LiveTable, viewer: Viewer, identity: Identity) -> Outcome | None:
        """Return the outcome of a repeated command from the log, with blanked text still blank; None if it is new."""
        answer = self.store.answer(live.table, identity.command)
        if answer is None:
            return None
        if answer.asked != identity.asked:
            raise refusals.IdReused("This command id was already used for another command.")
        stored: StoredOutcome = commit.STORED_OUTCOME.decode(answer.data)
        if stored.last > live.history.number:  # another process has stored it since this one read on
            live.catch_up()
        entries = live.log.happened(stored.first - 1, stored.last)
        return Outcome(stored.act, tuple(live.views.events(entries, viewer)), stored.waits_for, stored.receipt)

    def retry(self, live: LiveTable, attempt: Callable[[], T]) -> T:
        """Return what an attempt returns. It is made on the newest log, and again after each `Conflict`."""
        for _ in range(MOST_TRIES):
            with live.lock, suppress(Conflict):
                live.catch_up()
                return attempt()
        raise refusals.NoRoom(CROWDED)

    # ------------------------------------------------------------ promises of dice

    def is_ready(self, live: LiveTable) -> bool:
        """Return whether a command can be decided at a table as its log stands; if not, `make_ready` comes first."""
        writer = live.ledger_writer
        return not writer.gap_is_due and not writer.promises_are_due(self._rollers_in(live.state))

    def make_ready(self, live: LiveTable) -> None:
        """Declare the gap of a table that was restored or imported, and promise the dice that nobody promised yet.

        Every command promises what the next one may need, so this writes something only after a restore or an import,
        and when an older program wrote the table last.
        """
        if live.ledger_writer.gap_is_due:
            self.declare_gap(live, "restored from a backup")
        elif not self.is_ready(live):
            self.keep(live, live.state.game_master, CommandResult([], self.fresh()))

    def declare_gap(self, live: LiveTable, why: str) -> None:
        """Declare in the ledger that earlier promises of chains no longer hold."""
        self.keep(live, live.state.game_master, CommandResult([], self.fresh(), declared=[lines.gap(why)]))

    def _rollers_in(self, state: State) -> Rollers | None:
        """Return who may roll at a table, and so needs promised dice; None if dice come from a custom source."""
        return None if self.rehearses else ledger_writer.rollers_of(state)

    # ------------------------------------------------------------ whole tables

    def read_through(self, imported: export.ImportedTable) -> None:
        """Validate an imported log before it is stored: fold it, and redact it for its seats. Raises `BadExport`."""
        try:
            live = open_live(imported.table, self.books, imported, self._entropy, from_snapshot=False)
            live.check_playable()
        except refusals.ReadOnly as fault:
            raise export.BadExport(fault.sentence) from fault
        if live.state.id != imported.table:
            raise export.BadExport(
                f"The log in this export is that of table {live.state.id[:60]!r}, not of {imported.table!r}."
            )
        if not any(seat.role is Role.GAME_MASTER for seat in live.state.seats.values()):
            raise export.BadExport("Nobody is game master in this export.")
        try:
            _show_everything(live)
        except Exception as fault:  # words and views are the ruleset's code, and may fail in any way on a forgery
            raise export.BadExport(
                f"The table in this export can't be shown ({type(fault).__name__}: {fault})."
            ) from fault

    def restored(self, _: str, number: int) -> Entry:
        """Return the entry that ends a log which was restored from a backup or imported."""
        happened = Happened(number, self._clock(), "", self.fresh(), Restored(known_to=number - 1))
        return codec.entry_of(happened, happened.event)

    def snap(self, live: LiveTable) -> None:
        """Store a snapshot of the current state."""
        self.store.keep_snapshot(live.table, Snapshot(live.history.number, _frozen(live)))

    def fresh(self) -> str:
        """Return a new unique id."""
        return self._entropy(8).hex()

    def _salt(self) -> bytes:
        return self._entropy(16)


def _show_everything(live: LiveTable) -> None:
    """Show a table in every way once: to each seat, event by event, in a snapshot, and by its promised dice."""
    name_checked(live.state.name)
    for seat in live.state.seats:
        plain(live.view(seat))
    game_master = live.viewer(live.state.game_master)
    for happened in live.log.happened():
        live.views.event(happened, game_master)
    _frozen(live)
    live.ledger_writer.promises_are_due(ledger_writer.rollers_of(live.state))


def _frozen(live: LiveTable) -> bytes:
    return snapshots.freeze(live.history, live.ledger_writer.ledger, live.book.stamp)
