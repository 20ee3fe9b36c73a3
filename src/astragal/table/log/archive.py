"""Archive: export, transcript, purge, deletion, backup and restore of a whole table."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from astragal.table.commands import builtin
from astragal.table.commands.handlers import CommandResult
from astragal.table.log import album, export
from astragal.table.log.audit import audit_carried
from astragal.table.log.replay import replay
from astragal.table.log.repository import TableRepository
from astragal.table.log.seat_export import SeatExport
from astragal.table.log.session import LiveTable
from astragal.table.log.store import Conflict, TableExists, Text
from astragal.table.refusals import NoSuchThing, NotAllowed, ReadOnly, Refusal
from astragal.table.visibility.events import SeenEvent


class Archive:
    """Whole tables of a repository: to be exported, imported, purged, deleted, backed up and restored."""

    def __init__(self, repository: TableRepository) -> None:
        self._repository = repository

    def tables(self) -> list[str]:
        return self._repository.store.tables()

    def fault(self, table: str) -> str:
        """Return the entry of the log that makes a table read-only, in words; empty if it can be played."""
        return self._repository.at(table).fault or ""

    def export(self, table: str, seat: str) -> Iterator[bytes]:
        """Export a table as one file: the game master gets all of it, other seats what they may see."""
        live = self._repository.at(table)
        with live.lock:
            live.catch_up()
            if live.viewer(seat).is_game_master:
                return export.whole(self._repository.store, table)
            entries = list(self._repository.store.read(table, 0, live.history.number))
            event_by_number = live.views.events_by_number(seat)
            texts = self._repository.store.texts(table)
            proved = SeatExport(seat, entries, texts, event_by_number).document()
            pictures = self._pictures_in(table, event_by_number.values())
            receipt = live.ledger_writer.ledger.receipt
            return iter([export.view(table, live.log.ledger(), receipt, proved, pictures)])

    def _pictures_in(self, table: str, events: Iterable[SeenEvent]) -> dict[str, bytes]:
        """Return the pictures that events name, by digest, as far as the store still has them."""
        pictures = {}
        for digest in sorted(set(album.named_by(events))):
            data = self._repository.store.picture(table, digest)
            if data:
                pictures[digest] = data
        return pictures

    def import_table(self, lines: Iterable[bytes]) -> str:
        """Import a table from its whole export and return its id. Raises `BadExport` unless all of it can be read."""
        carried = export.read_whole(lines)
        edits = audit_carried(carried).edits
        if edits:
            raise export.BadExport(f"This export was edited: {edits[0].sentence}")
        self._repository.read_through(carried)
        differences = replay(self._repository.books, carried).edits
        if differences:
            why = differences[0].sentence
            raise export.BadExport(f"The rules make something else of the dice in this export: {why}")
        try:
            self._repository.store.create(carried.table, carried.batch(self._repository.restored))
        except TableExists:
            raise export.BadExport("This table is here already.") from None
        with suppress(Refusal):  # it is stored by now; otherwise the next command at it renews its chains
            self._go_on(carried.table)
        return carried.table

    def transcript(self, table: str, seat: str) -> str:
        """Return a Markdown transcript of what this seat has seen."""
        live = self._repository.at(table)
        with live.lock:
            live.catch_up()
            return "".join(export.transcript(live.state.name, live.views.all_events(seat)))

    def forget_words(self, table: str, seat: str, act: str) -> None:
        """Blank the free text of a command for good: a seat its own, the game master anyone's.

        Their digests stay, so that the log and its ledger still verify.
        """
        live = self._repository.at(table)

        def attempt() -> None:
            self._repository.make_ready(live)
            self._blank_texts(live, seat, act)
            blanked = CommandResult([builtin.TextBlanked(act=act)], self._repository.fresh())
            self._repository.keep(live, seat, blanked)
            live.reload()
            self._repository.snap(live)

        self._repository.retry(live, attempt)

    def _blank_texts(self, live: LiveTable, seat: str, act: str) -> None:
        """Blank the texts of a command, and the same words elsewhere as far as this seat wrote them first."""
        entries = live.log.entries_of(act)
        may_blank_all = live.viewer(seat).is_game_master
        if not entries or not (may_blank_all or all(entry.by == seat for entry in entries)):
            raise NoSuchThing("You wrote nothing there.")
        texts = self._repository.store.texts(live.table)
        digests_of_command = frozenset(live.log.text_digests(act))
        words = {texts[digest].words for digest in digests_of_command & texts.keys()} - {None}
        writers = self._first_writers(live, texts, words)
        for digest, text in texts.items():  # the same words may be stored under several digests
            may_blank_words = may_blank_all or writers.get(text.words) == seat
            if digest in digests_of_command or (text.words in words and may_blank_words):
                self._repository.store.blank(live.table, digest)

    def _first_writers(
        self, live: LiveTable, texts: Mapping[str, Text], words: Collection[str | None]
    ) -> dict[str | None, str]:
        """Return, for each of these words, the seat that wrote them first."""
        writers: dict[str | None, str] = {}
        for entry in self._repository.store.read(live.table):
            for digest in live.book.codec.text_digests(entry):
                text = texts.get(digest)
                if text is not None and text.words in words:
                    writers.setdefault(text.words, msgspec.json.decode(entry.data)["by"])
        return writers

    def delete(self, table: str, seat: str) -> None:
        """Delete a table with everything that belongs to it."""
        live = self._repository.at(table)
        with live.lock:
            live.catch_up()
            if not live.viewer(seat).is_game_master:
                raise NotAllowed("Only the game master can delete the table.")
        self._repository.store.delete(table)
        self._repository.forget(table)

    def discard(self, table: str) -> None:
        """Delete a table that can't be opened and so has no game master to ask. For the owner of the server."""
        try:
            self._repository.at(table)
        except ReadOnly:
            self._repository.store.delete(table)
        else:
            raise NotAllowed("Only the game master can delete the table.")

    def backup(self, path: Path) -> None:
        """Write all tables to a new file while play goes on."""
        self._repository.store.backup(path)

    def restore(self, path: Path) -> None:
        """Replace all tables with those of a backup. Each table records it in its log."""
        self._repository.store.restore(path, self._repository.restored)
        self._repository.forget()
        for table in self._repository.store.tables():
            with suppress(Refusal):  # a table that can't be read now says so when it can
                self._go_on(table)

    def _go_on(self, table: str) -> None:
        """Renew the chains of an imported or restored table: theirs are missing or out of date. The ledger says so."""
        live = self._repository.at(table)
        with live.lock, suppress(Conflict):
            live.catch_up()
            live.check_playable()
            self._repository.make_ready(live)
