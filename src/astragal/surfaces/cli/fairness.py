"""Store a seat's hash chains, paired with its own rolls or as a witness of hidden ones, and receipts of the ledger.

Chains are secret. They are in the user's own files, apart from the store, because the people who run the tables must
not know them. A chain is saved before its link is sent, and a link is sent only for a ledger that was checked here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from astragal.fair import ClientChain, FairError, Ledger, sources, write_receipts
from astragal.storage import private_files
from astragal.surfaces.cli.errors import Declined
from astragal.table.declarations import decoder
from astragal.table.refusals import Refusal

if TYPE_CHECKING:
    from astragal.fair import Receipt
    from astragal.table.host import Host

Kind = Literal["paired", "witness"]
PAIRED: Kind = "paired"
WITNESS: Kind = "witness"


class SavedChain(Struct, frozen=True, kw_only=True):
    """A saved chain, and the command that its last link was sent with."""

    chain: str
    command_id: str = ""
    asked: str = ""

    @property
    def opened(self) -> ClientChain:
        return ClientChain.from_json(self.chain.encode())


_KEPT = decoder(SavedChain)


class Chains:
    """The chains of one seat at one table, and the public ledger as far as it has been read and checked here."""

    def __init__(self, host: Host, table: str, seat: str) -> None:
        self._host = host
        self._table = table
        self._seat = seat
        self._followed = Ledger.empty(table)

    def seen(self) -> Ledger:
        """Read and check the new lines of the ledger, and return all of it."""
        self._followed = self._followed.extend(self._host.ledger(self._table, self._seat, self._followed.lines))
        return self._followed

    def has(self, kind: Kind) -> bool:
        return self._file(kind).exists()

    def promise(self, kind: Kind) -> dict[str, Any]:
        """Save a new chain; return the fields of the command that promises it."""
        src = self._src(kind)
        source = self.seen().sources.get(self._src(kind))
        if source is not None and not source.broken and not source.used_up:
            raise Declined(
                f"This seat has promised a chain already ({kind}). If the program that keeps it is gone, declare it "
                f"lost: declare_chain_lost kind={kind}."
            )
        chain = replace(ClientChain.begin(src), renewed=source.renewed + 1 if source else 0)
        self._keep(kind, SavedChain(chain=chain.to_json().decode()))
        return {"kind": kind, "tip": chain.chain.tip.hex(), "renew": chain.renewed}

    def forget(self, kind: Kind) -> None:
        """Delete a chain that was declared lost."""
        self._file(kind).unlink(missing_ok=True)

    def to_renew(self) -> list[Kind]:
        """List the saved chains that are used up, or that a gap in the ledger has broken."""
        kinds: tuple[Kind, ...] = (PAIRED, WITNESS)
        owned_kinds = [kind for kind in kinds if self.has(kind)]
        source_by_kind = {kind: self.seen().sources.get(self._src(kind)) for kind in owned_kinds}
        return [
            kind for kind, source in source_by_kind.items() if source is not None and (source.broken or source.used_up)
        ]

    @contextmanager
    def sending(self, command_id: str, command: str, fields: Any) -> Iterator[tuple[str, bytes]]:
        """Yield a command's id and the next link, holding a lock until the command is done.

        A retry of the same command gets the id that its link was sent with.
        """
        if not self.has(PAIRED):
            raise Declined(
                "The rolls of this seat are paired with a chain that another program keeps. Roll there; or, if it is "
                "gone, declare it lost: declare_chain_lost kind=paired."
            )
        request_digest = sha256(msgspec.json.encode([command, fields], order="deterministic")).hexdigest()
        with self._alone(PAIRED):
            chain = self._kept(PAIRED)
            source = self.seen().sources.get(self._src(PAIRED))
            if chain.asked == request_digest and source is not None and source.last != chain.opened.last.hex():
                command_id = chain.command_id
            try:
                sent = chain.opened.link_for(command_id, self.seen())
            except FairError as fault:
                raise Declined(
                    f"{fault} Nothing more is sent before it is shown. Give that command again; or, if that can't be "
                    "done, declare the chain lost: declare_chain_lost kind=paired."
                ) from fault
            self._keep(
                PAIRED, SavedChain(chain=sent.chain.to_json().decode(), command_id=command_id, asked=request_digest)
            )
            yield command_id, sent.link

    def witness(self) -> None:
        """Answer every hidden roll that waits for this seat's link."""
        if not self.has(WITNESS):
            return
        src = self._src(WITNESS)
        with self._alone(WITNESS):
            waiting_asks = [line for line, ask in self.seen().asks.items() if src in ask.witnesses and ask.waits]
            with suppress(FairError):  # the last link is not shown yet: with other witnesses, that may take a while
                for line in waiting_asks:
                    sent = self._kept(WITNESS).opened.answer(line, self.seen())
                    self._keep(WITNESS, SavedChain(chain=sent.chain.to_json().decode()))
                    fields = {"act": self.seen().asks[line].cmd, "answer": sent.link.hex()}
                    with suppress(Refusal):  # answered already; other witnesses have not
                        self._host.act(self._table, self._seat, ("answer", fields))

    # ------------------------------------------------------------ files

    @cached_property
    def _named(self) -> str:
        """Name of the seat in the ledger."""
        from astragal.table.ledger_writer import seat_in_ledger

        game_master = self._host.look(self._table, self._seat).game_master
        return seat_in_ledger(self._seat, game_master)

    def _src(self, kind: Kind) -> str:
        return sources.client(self._named) if kind == PAIRED else sources.witness(self._named)

    def _file(self, kind: Kind) -> Path:
        from platformdirs import user_data_path

        name = sha256(f"{self._table}\0{self._seat}\0{kind}".encode(errors="replace")).hexdigest()[:32]
        return user_data_path("astragal", appauthor=False) / "chains" / f"{name}.json"

    def _kept(self, kind: Kind) -> SavedChain:
        try:
            chain: SavedChain = _KEPT.decode(self._file(kind).read_bytes())
        except (OSError, msgspec.MsgspecError) as fault:
            raise Declined(f"The chain in {self._file(kind)} can't be read: {fault}.") from fault
        return chain

    def _keep(self, kind: Kind, chain: SavedChain) -> None:
        """Save atomically, readable by the owner alone."""
        file = self._file(kind)
        private_files.make_folder(file.parent.parent)
        private_files.make_folder(file.parent)
        new = file.with_suffix(".new")
        with open(new, "wb", opener=private_files.opener) as out:
            out.write(msgspec.json.encode(chain))
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)

    @contextmanager
    def _alone(self, kind: Kind) -> Iterator[None]:
        """Lock against other processes, on systems with fcntl."""
        try:
            import fcntl
        except ImportError:
            yield
            return
        with self._file(kind).with_suffix(".lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield


# ---------------------------------------------------------------- receipts


def keep(table: str, receipt: Receipt) -> None:
    """Save a receipt, unless it is the last one that was saved; play goes on if that fails."""
    path = _kept_in(table)
    line = write_receipts([receipt], table)
    with suppress(OSError):
        private_files.make_folder(path.parent.parent)
        private_files.make_folder(path.parent)
        with path.open("a+b") as file:
            file.seek(max(file.tell() - len(line), 0))
            if file.read() != line:
                file.write(line)


def kept_of(ledger: Sequence[bytes]) -> Path | None:
    """Return the file with the receipts saved for this ledger's table, if there is one."""
    with suppress(ValueError, LookupError, TypeError):
        path = _kept_in(str(json.loads(ledger[0])["table"]))
        return path if path.exists() else None
    return None


def _kept_in(table: str) -> Path:
    """File for a table's receipts, named by a hash: the id may come from an untrusted file."""
    from platformdirs import user_state_path

    name = sha256(table.encode(errors="replace")).hexdigest()[:32]
    return user_state_path("astragal", appauthor=False) / "receipts" / f"{name}.jsonl"
