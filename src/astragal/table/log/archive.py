"""Archive: export, transcript, purge, deletion, backup and restore of a whole table."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from astragal.table.commands import builtin, handlers
from astragal.table.log import album, export
from astragal.table.log.audit import audit_carried, proved_view
from astragal.table.log.replay import replay
from astragal.table.log.repository import TableRepository
from astragal.table.log.store import Conflict, TableExists
from astragal.table.refusals import NoSuchThing, NotAllowed, ReadOnly, Refusal


class Archive:
    """The tables of a keeper as things that can be stored away."""

    def __init__(self, repository: TableRepository) -> None:
        self._repository = repository

    def tables(self) -> list[str]:
        return self._repository.store.tables()

    def fault(self, table: str) -> str:
        """Why a table can only be read, if that is so: which entry of its log stops it."""
        return self._repository.at(table).fault or ""

    def export(self, table: str, seat: str) -> Iterator[bytes]:
        """The table as one file: whole for the game master, for others what they may see."""
        live = self._repository.at(table)
        with live.lock:
            live.catch_up()
            if live.viewer(seat).is_game_master:
                return export.whole(self._repository.store, table)
            entries = list(self._repository.store.read(table, 0, live.history.number))
            proved = proved_view(entries, self._repository.store.texts(table), live.all_shown(seat))
            shown = {
                one: self._repository.store.picture(table, one) for one in sorted({*album.named_by(proved["events"])})
            }
            pictures = {digest: data for digest, data in shown.items() if data}
            return iter([export.view(table, live.ledger(), live.ledger_writer.ledger.receipt, proved, pictures)])

    def take_in(self, lines: Iterable[bytes]) -> str:
        """Make a table from its whole export; returns its id. An export that can't be read to its end is not kept."""
        carried = export.read_whole(lines)
        if edits := audit_carried(carried).edits:
            raise export.BadExport(f"This export was edited: {edits[0].sentence}")
        self._repository.read_through(carried)
        if edits := replay(self._repository.books, carried).edits:
            raise export.BadExport(f"The rules make something else of the dice in this export: {edits[0].sentence}")
        try:
            self._repository.store.create(carried.table, carried.batch(self._repository.restored))
        except TableExists:
            raise export.BadExport("This table is here already.") from None
        with suppress(Refusal):  # it is kept: whoever goes on with it first renews its chains
            self._go_on(carried.table)
        return carried.table

    def transcript(self, table: str, seat: str) -> str:
        """Transcript of what this seat has seen, as Markdown."""
        live = self._repository.at(table)
        with live.lock:
            live.catch_up()
            return "".join(export.transcript(live.state.name, (shown for _, shown, _ in live.all_shown(seat))))

    def blank(self, table: str, seat: str, act: str) -> None:
        """Forget the words of a deed for good: one's own, or, by the game master, anyone's."""
        live = self._repository.at(table)
        with live.lock:
            live.catch_up()
            viewer = live.viewer(seat)
            self._repository.close_gap(live)
            entries = live.entries_of(act)
            if not entries or not (viewer.is_game_master or all(one.by == seat for one in entries)):
                raise NoSuchThing("You wrote nothing there.")
            texts = self._repository.store.texts(table)
            words = {texts[digest].words for digest in live.text_digests(act)}
            for text in texts.values():
                if text.words in words:  # what was said once may stand in several places
                    self._repository.store.blank(table, text.digest)
            self._repository.keep(
                live, seat, handlers.CommandResult([builtin.TextBlanked(act=act)], self._repository.fresh())
            )
            live.read_anew()
            self._repository.snap(live)

    def delete(self, table: str, seat: str) -> None:
        """Forget a table with all that belongs to it."""
        live = self._repository.at(table)
        with live.lock:
            if not live.viewer(seat).is_game_master:
                raise NotAllowed("Only the game master can delete the table.")
        self._repository.store.delete(table)
        self._repository.forget(table)

    def discard(self, table: str) -> None:
        """Forget a table that can't be opened, so that nobody can be asked. For whoever runs the house."""
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
        """Put a backup in the place of all tables; each table says so in its log."""
        self._repository.store.restore(path, self._repository.restored)
        self._repository.forget()
        for table in self._repository.store.tables():
            with suppress(Refusal):  # a table that can't be read now says so when it can
                self._go_on(table)

    def _go_on(self, table: str) -> None:
        """The table's chains are not here, or not where they were: they are renewed, for all to see."""
        live = self._repository.at(table)
        with live.lock, suppress(Conflict):
            live.catch_up()
            live.check_playable()
            self._repository.close_gap(live)
