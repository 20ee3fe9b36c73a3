"""Audit of a seat's export in format 1, which older programs wrote.

Its proofs name the path of each value. A list could be shown without some of its items, which moves the later ones up:
so a path may differ from the place of its value in the numbers of items, which then are larger and keep their order. In
nothing else. Whether an event was closed, opened or left out, and who gave a closed roll, nothing proves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from astragal.fair import facts, opens
from astragal.table.declarations import convert
from astragal.table.ledger_writer import flat, spell_path_as_before
from astragal.table.log.audit import RESTORED
from astragal.table.log.leaves import leaf_of_shown
from astragal.table.visibility.events import SeenEvent


class FirstFormatAudit(NamedTuple):
    """What proves to be as it was sealed, how many events older programs sealed no facts of, and what fails."""

    proved: int
    unsealed: int
    faults: Sequence[tuple[int, str, str]]
    """Number and name of an event, and why it fails."""


def audit_first_format(document: Mapping[str, Any]) -> FirstFormatAudit:
    """Check the events in the file against the ledger in it. Raises what malformed files raise."""
    ledger = [msgspec.json.decode(line) for line in document["ledger"]]
    has_facts = "facts" in ledger[0]
    if not has_facts and "proofs" not in document and "facts" not in document:  # from before facts were sealed
        return FirstFormatAudit(0, len(document["events"]), ())
    gaps = sum(line.get("t") == "gap" and "src" not in line for line in ledger)
    sealed = {int(line): _sealed(ledger[int(line)], fact) for line, fact in document["facts"].items()}
    proved = 0
    unsealed = 0
    restored = 0
    faults = []
    for number, (event, proof) in enumerate(zip(document["events"], document["proofs"], strict=True), 1):
        if proof is None and not has_facts:
            unsealed += 1
        elif proof is None and event["name"] == RESTORED and restored < gaps and not event["opened"]:
            restored += 1  # it comes from outside the table, so that no fact seals it: the gap stands for it
        else:
            fault = _fault(convert(event, SeenEvent), proof, sealed)
            if fault:
                faults.append((number, event["name"], fault))
            else:
                proved += 1
    return FirstFormatAudit(proved, unsealed, faults)


def _sealed(line: Mapping[str, Any], fact: Mapping[str, Any]) -> set[str] | None:
    """Return the digests that a fact seals; None if its seal does not fit them."""
    holds = line["t"] == "fact" and opens(bytes.fromhex(line["seal"]), bytes.fromhex(fact["salt"]), fact["text"])
    return set(msgspec.json.decode(fact["text"])) if holds else None


def _fault(event: SeenEvent, proof: Mapping[str, Any] | None, sealed: Mapping[int, set[str] | None]) -> str | None:
    """Return why an event is not as it was sealed; None if it is."""
    if proof is None:
        return "nothing in the ledger stands for it."
    digests = sealed[proof["line"]]
    if digests is None:
        return f"what is shown of line {proof['line']} of the ledger is not what it sealed."
    values: dict[str, Any] = {"entry": [event.name, proof["version"], event.at, event.act]}
    if event.by and not event.closed:
        values["by"] = event.by
    values |= flat(dict(event.fields), spell_path_as_before)
    leaves = [bytes.fromhex(leaf) for leaf in proof["others"]]
    paths = []
    for at, value in values.items():
        if at in proof["values"]:
            path, salt, *text = proof["values"][at]
            paths.append((at, path))
            leaves.append(leaf_of_shown(value, path, salt, *text))
        elif value not in ([], {}):  # all items of a list or mapping may be hidden
            return f"its {at.removeprefix('event.')} is not proved."
    if not keep_their_places(paths):
        return "a proof is that of another value."
    if facts.entry_digest(leaves) not in digests:
        return f"it is not what line {proof['line']} of the ledger sealed."
    if any(opened_event.act != event.fields.get("act") for opened_event in event.opened):
        return "it opens another command than it says."
    for opened_event, proof_of_opened in zip(event.opened, proof["opened"], strict=True):
        fault = _fault(opened_event, proof_of_opened, sealed)
        if fault:
            return fault
    return None


_ITEM = re.compile(r"(?<=\.)\d+(?=\.|$)")


def keep_their_places(paths: Sequence[tuple[str, str]]) -> bool:
    """Return whether values stand where their proofs say, but for items of lists that moved up and kept their order."""
    moved: dict[str, dict[int, int]] = {}
    """For each list (by its place in the file) the stored number of each item shown."""
    for at, path in paths:
        if _ITEM.sub("#", at) != _ITEM.sub("#", path):
            return False
        for item_in_file, stored_item in zip(_ITEM.finditer(at), _ITEM.finditer(path), strict=True):
            places = moved.setdefault(at[: item_in_file.start()], {})
            stored_place = int(stored_item.group())
            if places.setdefault(int(item_in_file.group()), stored_place) != stored_place:
                return False
    for places in moved.values():
        stored_places = [places[place] for place in sorted(places)]
        if stored_places != sorted(set(stored_places)) or any(stored < place for place, stored in places.items()):
            return False
    return True
