"""Whole exports of a table with something wrong in them: each line in turn, in every way that somebody thought of.

Where lines are put together again, the end of the file fits them: a forger has the program, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from tests.table.exported import Exported, Rows, encoded, ended

WRONG: tuple[Any, ...] = (None, True, -1, 2**80, 1.5, "", "x", "\x00", [], {}, [[1]], {"a": None})
DEEP = 100_000
ID = "0123456789abcdef"


class Malformed(NamedTuple):
    """A file that is no export, and what was done to it."""

    what: str
    lines: list[bytes]


def damaged(file: Sequence[bytes]) -> Iterator[Malformed]:
    """Damage to the file itself, as by a disk, a cut connection or an editor."""
    yield Malformed("nothing at all", [])
    yield Malformed("an empty line", [b"\n"])
    for place, line in enumerate(file):
        before, after = list(file[:place]), list(file[place + 1 :])
        broken = {
            "dropped": [],
            "doubled": [line, line],
            "cut in half": [line[: len(line) // 2]],
            "not UTF-8": [line.replace(b'"', b'"\xff', 1)],
            "NaN": [line.replace(b":", b":NaN,", 1)],
            "nested deep": [b'{"entry":' + b"[" * DEEP + b"]" * DEEP + b"}\n"],
            "followed by a byte": [line + b"\x00"],
            **{f"{other!r}": [json.dumps(other).encode() + b"\n"] for other in WRONG},
        }
        for how, lines in broken.items():
            yield Malformed(f"line {place}: {how}", [*before, *lines, *after])
    yield Malformed("the same file twice", [*file, *file])
    yield Malformed("an entry after the end", [*file, file[1]])


def forged(file: Sequence[bytes]) -> Iterator[Malformed]:
    """Changes by somebody who makes the end fit them."""
    whole = Exported(file).rows
    lines = {id(row): line for row, line in zip(whole, file, strict=False)}  # most rows of most files are as they were
    for what, rows in _rewritten(whole):
        yield Malformed(what, ended([lines.get(id(row)) or encoded(row) for row in rows]))


def _rewritten(whole: Rows) -> Iterator[tuple[str, Rows]]:
    yield from _headers(whole)
    for place, row in enumerate(whole):
        yield f"line {place} dropped", [*whole[:place], *whole[place + 1 :]]
        yield f"line {place} doubled", [*whole[: place + 1], *whole[place:]]
        yield f"line {place} after the next", [*whole[:place], *whole[place + 1 : place + 2], row, *whole[place + 2 :]]
        yield f"line {place} and another kind", [*whole[: place + 1], {"remark": "hello"}, *whole[place + 1 :]]
    for place, row in _one_of_each_kind(whole):
        for kind in ("entry", "text"):
            if kind in row:
                for what, changed in _values(row[kind]):
                    yield f"{kind} {place}, {what}", [*whole[:place], {kind: changed}, *whole[place + 1 :]]
        if "entry" in row:
            for what, data in _contents(row["entry"][4]):
                changed = [*row["entry"][:4], data]
                yield f"entry {place}, {what}", [*whole[:place], {"entry": changed}, *whole[place + 1 :]]
    for place in range(1, len(whole)):
        yield f"all past {place} cut off", whole[:place]


def _one_of_each_kind(whole: Rows) -> Iterator[tuple[int, dict[str, Any]]]:
    """The last row of each: of texts, of every kind of event, and of every kind of line in the ledger."""
    kinds: dict[tuple[str, str], int] = {}
    for place, row in enumerate(whole):
        _, name, *_, data = row.get("entry", ("", "", "{}"))
        line = json.loads(json.loads(data).get("event", {}).get("line", "{}"))
        kinds[name, line.get("t", "")] = place
    return ((place, whole[place]) for place in kinds.values())


def _headers(whole: Rows) -> Iterator[tuple[str, Rows]]:
    header, *rest = whole
    ids = ("", "../x", "a/b", "x" * 500, ID, header["table"].upper() + "z", "\ud800"[:0] + "é")
    for name in header:
        yield f"header without {name}", [{key: one for key, one in header.items() if key != name}, *rest]
        for other in WRONG:
            yield f"header with {name} {other!r}", [{**header, name: other}, *rest]
    for other in ids:
        yield f"header with id {other[:20]!r}", [{**header, "table": other}, *rest]


def _values(values: list[Any]) -> Iterator[tuple[str, Any]]:
    """A line's own list, each value in turn another one."""
    yield "too few", values[:-1]
    yield "too many", [*values, 1]
    for other in WRONG:
        yield f"{other!r}", other
    for place in range(len(values)):
        for other in (*WRONG, values[place] + 1 if isinstance(values[place], int) else "unheard_of"):
            changed = deepcopy(values)
            changed[place] = other
            yield f"value {place} {other!r}", changed


def _contents(data: str) -> Iterator[tuple[str, str]]:
    """What an entry holds, each part in turn missing or another one."""
    envelope = json.loads(data)
    yield "no JSON", data[:-1]
    yield "deep", '{"by":"","act":"","event":' + "[" * 500 + "]" * 500 + "}"
    yield "NaN", data.replace(":", ":NaN,", 1)
    for name in envelope:
        yield f"without {name}", json.dumps({key: one for key, one in envelope.items() if key != name})
        for other in WRONG:
            yield f"{name} {other!r}", json.dumps({**envelope, name: other})
    for name in envelope["event"]:
        kept = {key: one for key, one in envelope["event"].items() if key != name}
        yield f"without its {name}", json.dumps({**envelope, "event": kept})
        for other in WRONG:
            yield f"its {name} {other!r}", json.dumps({**envelope, "event": {**kept, name: other}})
