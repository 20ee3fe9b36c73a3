"""Receipts of what this program was shown, kept apart from the store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from astragal.storage.private_files import make_folder

if TYPE_CHECKING:
    from astragal.fair import Receipt


def keep(table: str, receipt: Receipt) -> None:
    """Save a receipt; play goes on if that fails."""
    path = _kept_in(table)
    with suppress(OSError):
        make_folder(path.parent.parent)
        make_folder(path.parent)
        with path.open("ab") as file:
            file.write(receipt.spell() + b"\n")


def kept_of(ledger: Sequence[bytes]) -> Path | None:
    """The file of receipts kept for the table of this ledger, if there is one."""
    with suppress(ValueError, LookupError, TypeError):
        path = _kept_in(str(json.loads(ledger[0])["table"]))
        return path if path.exists() else None
    return None


def _kept_in(table: str) -> Path:
    """File for a table's receipts, named by a hash: the id may come from an untrusted file."""
    from platformdirs import user_state_path

    name = sha256(table.encode(errors="replace")).hexdigest()[:32]
    return user_state_path("astragal", appauthor=False) / "receipts" / f"{name}.jsonl"
