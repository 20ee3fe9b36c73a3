"""Golden playthroughs: an evening's play as text, played again by every test run and held against the file.

A playthrough is a list of moves: who gives which command with which fields, and the faces that fall. What each seat
sees of it is written down. `ASTRAGAL_REGENERATE=1` writes the files anew; the difference is then read by a person.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from astragal.storage import open_store
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Sight
from astragal.table.refusals import Refusal
from tests.table.seated import ScriptedDice, Seated, new_host

REGENERATE = os.environ.get("ASTRAGAL_REGENERATE") == "1"


@dataclass(frozen=True)
class Latest:
    """Stands for an id that only the playing table knows: the value that a field had last in any event."""

    field: str

    def __str__(self) -> str:
        return f"({self.field})"


@dataclass(frozen=True)
class Move:
    """One command: who gives it, what is asked, and which dice fall."""

    seat: str
    command: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    faces: Sequence[int] = ()
    sight: Sight = Sight.OPEN


def move(seat: str, command: str, /, *faces: int, sight: Sight = Sight.OPEN, **fields: Any) -> Move:
    return Move(seat, command, fields, faces, sight)


def playthrough(
    ruleset: Ruleset,
    moves: Iterable[Move | str],
    folder: Path,
    *,
    players: Sequence[str],
    game_master: str = "Ada",
    **opening: Any,
) -> str:
    """Play the moves at a new table and write down what everybody sees. A plain string is a heading."""
    dice = ScriptedDice()
    host = new_host(open_store(f"sqlite:///{folder}/golden.db"), dice, (ruleset,))
    house = opening.pop("house", {"trusting": True})
    opened = host.open(ruleset.id, name="Golden", game_master=game_master, house=house, **opening)
    seated = Seated(host, opened.table, opened.seat, dice, {game_master: opened.seat})
    for player in players:
        seated.sit(player)
    seated.sit("Di", "spectator")
    witness = _Witness(seated)
    witness.seen()
    pages = ["\n".join(_played(seated, witness, one)) for one in moves]
    return "\n\n".join(pages) + "\n"


def check(path: Path, text: str) -> None:
    """Hold a playthrough against its file, or write the file anew."""
    if REGENERATE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    written = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text == written, f"{path.name} reads otherwise; ASTRAGAL_REGENERATE=1 writes it anew"


def _played(seated: Seated, witness: _Witness, one: Move | str) -> Iterator[str]:
    if isinstance(one, str):
        yield f"## {one}"
        return
    said = " ".join(f"{name}={value!s}" for name, value in one.fields.items())
    dice = f"  [{' '.join(map(str, one.faces))}]" if one.faces else ""
    yield f"{one.seat} > {one.command} {said}".rstrip() + dice
    seated.dice.faces = list(one.faces)
    fields = {name: witness.resolved(value) for name, value in one.fields.items()}
    try:
        seated.host.act(seated.table, seated.seats[one.seat], (one.command, fields), sight=one.sight)
    except Refusal as refusal:
        yield f"    refused: {refusal.sentence}"
    assert not seated.dice.faces, f"{len(seated.dice.faces)} dice of {one} were not thrown"
    yield from witness.told()


class _Witness:
    """Looks over everybody's shoulder."""

    def __init__(self, seated: Seated) -> None:
        self._seated = seated
        self._cursors = dict.fromkeys(seated.seats, "")
        self._latest: dict[str, Any] = {}

    def resolved(self, value: Any) -> Any:
        if isinstance(value, Latest):
            return self._latest[value.field]
        if isinstance(value, (list, tuple)):
            return [self.resolved(part) for part in value]
        if isinstance(value, Mapping):
            return {name: self.resolved(part) for name, part in value.items()}
        return value

    def seen(self) -> dict[str, tuple[str, ...]]:
        """What each seat has been told since."""
        told = {}
        for name, cursor in self._cursors.items():
            page = self._seated.host.follow(self._seated.table, self._seated.seats[name], cursor)
            self._cursors[name] = page.cursor
            told[name] = tuple(event.words for event in page.events)
            if name == next(iter(self._cursors)):
                for event in page.events:
                    self._latest["act"] = event.act
                    for part, value in event.fields.items():
                        is_thing = isinstance(value, Mapping) and "id" in value
                        self._latest[part] = value["id"] if is_thing else value
        return told

    def told(self) -> Iterator[str]:
        """Lines that all see stand once; others under the names of those who see them."""
        told = self.seen()
        groups: dict[tuple[str, ...], list[str]] = {}
        for name, lines in told.items():
            groups.setdefault(lines, []).append(name)
        for lines, names in groups.items():
            if len(groups) > 1:
                yield f"  {', '.join(names)}:"
            yield from (f"    {part}".rstrip() for line in lines for part in line.splitlines())
