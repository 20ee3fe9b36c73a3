"""The same intent sent twice is one roll: ids of commands, derived from what was asked and when.

A model that gives no id of its own, and sends the same command again although nothing else has happened, has not seen
the answer, or has forgotten it: it gets the same answer again. No tool takes an id as the store has it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from astragal.surfaces.mcp.session import Desk
from astragal.table.visibility.events import SeenEvent

PURPOSE = b"astragal mcp intents 1"


def digest_of(desk: Desk, command: str, fields: Mapping[str, Any], *more: str) -> str:
    """Names what is asked, whatever the moment."""
    asked = msgspec.json.encode([desk.here.seat, command, fields, *more], order="deterministic")
    return hashlib.sha256(asked).hexdigest()


def id_for(desk: Desk, digest: str, intent: str = "", deeds: int = 1) -> str:
    """The command's id. `deeds` is how many deeds the intent may have left in the log when it comes again."""
    if intent:
        return _derived(desk, "named", intent)
    events = desk.journal().events
    now = len(events)
    for back in range(1, deeds + 1):
        before = _derived(desk, "at", digest, str(_start_of_deed(events, back)))
        if desk.house.store.answer(desk.here.table, before) is not None:
            return before
    return _derived(desk, "at", digest, str(now))


def _start_of_deed(events: Sequence[SeenEvent], back: int) -> int:
    """Where the last deed began, or the one before it."""
    place = len(events)
    for _ in range(back):
        if place == 0:
            break
        act = events[place - 1].act
        while place and events[place - 1].act == act:
            place -= 1
    return place


def _derived(desk: Desk, *parts: str) -> str:
    """With a key of the server's own: the same after a restart, and nothing that a model could have made."""
    key = hashlib.sha256(PURPOSE + desk.here.table.encode()).digest()
    said = msgspec.json.encode([desk.here.seat, *parts])
    return f"mcp-{hmac.new(key, said, hashlib.sha256).hexdigest()[:32]}"
