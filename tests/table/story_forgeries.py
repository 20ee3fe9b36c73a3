"""Forgeries of the story: the dice stay as they fell, and something that came of them, or was said of them, is changed.

Each changes one entry of a whole export, or one row of entries, where it finds something to change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from tests.table.exported import Exported

Row = dict[str, Any]
Forgery = Callable[[Exported], Row | None]
"""Gives the entry whose fact a forger would have to seal anew; None if there is nothing to change so."""


def name_of(row: Row) -> str:
    return row["entry"][1] if "entry" in row else ""


def envelope(row: Row) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(row["entry"][4])
    return read


def write(row: Row, changed: dict[str, Any]) -> None:
    row["entry"][4] = json.dumps(changed, ensure_ascii=False, separators=(",", ":"))


def consequences(file: Exported) -> Iterator[Row]:
    """The entries that came of dice: those which follow a roll in its commit."""
    rolled = False
    for row in file.rows:
        if name_of(row) in ("", "ledger_line"):
            rolled = False
        elif name_of(row) == "rolled":
            rolled = True
        elif rolled and name_of(row) not in ("decision_opened", "roll_closed"):
            yield row


def _changed(value: Any, kind: type, another: Callable[[Any], Any]) -> tuple[Any, bool]:
    """The first value of this type, however deep it lies, made another."""
    if type(value) is kind and value != "":
        return another(value), True
    parts: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value))
    for name, part in parts:
        new, done = _changed(part, kind, another)
        if done:
            value[name] = new
            return value, True
    return value, False


def _in_a_consequence(file: Exported, kind: type, another: Callable[[Any], Any]) -> Row | None:
    for row in consequences(file):
        changed = envelope(row)
        changed["event"], done = _changed(changed["event"], kind, another)
        if done:
            write(row, changed)
            return row
    return None


def a_number(file: Exported) -> Row | None:
    """Two points of damage where there was one."""
    return _in_a_consequence(file, int, lambda number: number + 1)


def a_truth(file: Exported) -> Row | None:
    """A hit, where there was none."""
    return _in_a_consequence(file, bool, lambda truth: not truth)


def a_word(file: Exported) -> Row | None:
    return _in_a_consequence(file, str, lambda word: word[::-1] + "x")


def _first_consequence(file: Exported) -> Row | None:
    return next(consequences(file), None)


def _of_its_envelope(file: Exported, **changed: Any) -> Row | None:
    row = _first_consequence(file)
    if row:
        write(row, {**envelope(row), **changed})
    return row


def another_author(file: Exported) -> Row | None:
    return _of_its_envelope(file, by="somebody")


def another_sight(file: Exported) -> Row | None:
    return _of_its_envelope(file, sight="secret")


def a_difficulty_hidden_afterwards(file: Exported) -> Row | None:
    row = _first_consequence(file)
    return _of_its_envelope(file, hides=not envelope(row)["hides"]) if row else None


def _of_its_entry(file: Exported, place: int, value: Any) -> Row | None:
    row = _first_consequence(file)
    if row:
        row["entry"][place] = value
    return row


def another_time(file: Exported) -> Row | None:
    return _of_its_entry(file, 3, 86_400_000)


def _beside(row: Row, file: Exported) -> Row | None:
    """An entry of the same commit that can stand for it."""
    place = file.rows.index(row)
    return next((one for one in file.rows[place - 1 :: -1] if name_of(one) not in ("", "ledger_line")), None)


def _numbered(file: Exported) -> None:
    for number, row in enumerate((row for row in file.rows if "entry" in row), start=1):
        row["entry"][0] = number


def a_dropped_consequence(file: Exported) -> Row | None:
    row = _first_consequence(file)
    if row is None:
        return None
    beside = _beside(row, file)
    file.rows.remove(row)
    _numbered(file)
    return beside


def a_doubled_consequence(file: Exported) -> Row | None:
    row = _first_consequence(file)
    if row:
        file.rows.insert(file.rows.index(row), json.loads(json.dumps(row)))
        _numbered(file)
    return row


def an_invented_consequence(file: Exported) -> Row | None:
    """What came of one roll is said to have come of another, too."""
    found = list(consequences(file))
    for one in found:
        for other in reversed(found):
            if name_of(one) != name_of(other):
                invented = json.loads(json.dumps(other))
                write(invented, {**envelope(other), "act": envelope(one)["act"], "by": envelope(one)["by"]})
                file.rows.insert(file.rows.index(one) + 1, invented)
                _numbered(file)
                return one
    return None


def consequences_swapped(file: Exported) -> Row | None:
    found = list(consequences(file))
    for one, next_one in pairwise(found):
        if file.rows.index(next_one) == file.rows.index(one) + 1 and one["entry"][1:] != next_one["entry"][1:]:
            one["entry"][1:], next_one["entry"][1:] = next_one["entry"][1:], one["entry"][1:]
            return one
    return None


def _of_a_roll(file: Exported, change: Callable[[dict[str, Any]], bool]) -> Row | None:
    for row in file.of("rolled"):
        changed = envelope(row)
        if change(changed["event"]):
            write(row, changed)
            return row
    return None


def _of_a_die(file: Exported, field: str, another: Callable[[Any], Any]) -> Row | None:
    def change(event: dict[str, Any]) -> bool:
        event["dice"][0][field] = another(event["dice"][0][field])
        return True

    return _of_a_roll(file, change)


def a_die_that_did_not_count(file: Exported) -> Row | None:
    return _of_a_die(file, "fate", lambda fate: "dropped" if fate != "dropped" else "kept")


def a_die_of_other_sides(file: Exported) -> Row | None:
    return _of_a_die(file, "sides", lambda sides: sides + 2)


def a_die_of_another_rule(file: Exported) -> Row | None:
    return _of_a_die(file, "by", lambda rule: f"{rule}_of_another")


def a_die_from_elsewhere(file: Exported) -> Row | None:
    return _of_a_die(file, "source", lambda source: "entered" if source != "entered" else "fair")


def another_argument(file: Exported) -> Row | None:
    """An easier difficulty, they say now."""

    def change(event: dict[str, Any]) -> bool:
        event["question"]["arguments"], done = _changed(event["question"]["arguments"], int, lambda number: number + 1)
        return done

    return _of_a_roll(file, change)


def another_rule(file: Exported) -> Row | None:
    def change(event: dict[str, Any]) -> bool:
        event["question"]["rule"] += "_of_another"
        return True

    return _of_a_roll(file, change)


def another_command(file: Exported) -> Row | None:
    def change(event: dict[str, Any]) -> bool:
        event["command"] = "attack" if event["command"] != "attack" else "test"
        return True

    return _of_a_roll(file, change)


def another_request(file: Exported) -> Row | None:
    def change(event: dict[str, Any]) -> bool:
        for name, value in event.get("fields", {}).items():
            if isinstance(value, int):
                event["fields"][name] = (not value) if isinstance(value, bool) else value + 1
                return True
        return False

    return _of_a_roll(file, change)


def another_answer(file: Exported) -> Row | None:
    for row in file.of("decided"):
        changed = envelope(row)
        changed["event"]["sides"], done = _changed(changed["event"]["sides"], int, lambda number: number + 1)
        if done:
            write(row, changed)
            return row
    return None


def another_who_decided(file: Exported) -> Row | None:
    for row in file.of("decided"):
        changed = envelope(row)
        changed["event"]["for_seat"] = None if changed["event"]["for_seat"] else "somebody"
        write(row, changed)
        return row
    return None


def another_decision(file: Exported) -> Row | None:
    for row in file.of("decision_opened"):
        changed = envelope(row)
        changed["event"]["decision"]["by"] = "somebody"
        write(row, changed)
        return row
    return None


def a_proof_of_another_time(file: Exported) -> Row | None:
    """The ledger's own line is kept at another hour."""
    row = _first_consequence(file)
    if row is None:
        return None
    place = file.rows.index(row)
    line = next(one for one in file.rows[place:] if name_of(one) == "ledger_line")
    line["entry"][3] = 86_400_000
    return row


STORY_FORGERIES: dict[str, Forgery] = {
    forge.__name__: forge
    for forge in (
        a_number,
        a_truth,
        a_word,
        another_author,
        another_sight,
        a_difficulty_hidden_afterwards,
        another_time,
        a_dropped_consequence,
        a_doubled_consequence,
        an_invented_consequence,
        consequences_swapped,
        a_die_that_did_not_count,
        a_die_of_other_sides,
        a_die_of_another_rule,
        a_die_from_elsewhere,
        another_argument,
        another_rule,
        another_command,
        another_request,
        another_answer,
        another_who_decided,
        another_decision,
        a_proof_of_another_time,
    )
}

SHOWN_BY_A_REPLAY = (
    "a_number",
    "a_truth",
    "a_dropped_consequence",
    "a_doubled_consequence",
    "an_invented_consequence",
    "consequences_swapped",
    "a_die_that_did_not_count",
)
"""Those that the rules show by themselves, even where everything is sealed anew and nobody kept a receipt."""
