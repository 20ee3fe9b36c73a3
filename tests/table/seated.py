"""A table with people at it, on a real store: what the tests of the table play on."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from astragal.storage import open_store
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Sight
from astragal.table.host import DiceRequest, Host
from astragal.table.log.repository import Outcome
from astragal.table.log.store import Store
from astragal.table.refusals import Refusal
from astragal.table.state.table import State
from tests.table.dare import DARE


class ScriptedDice:
    """Gives the faces that a test wants, and fails a test that wants too few."""

    source = "scripted"

    def __init__(self, faces: Iterable[int] = ()) -> None:
        self.faces = list(faces)

    def face(self, sides: int) -> int:
        face = self.faces.pop(0)
        assert 1 <= face <= sides
        return face


@dataclass
class Seated:
    """A table with a game master, two players and a spectator."""

    host: Host
    table: str
    game_master: str
    dice: ScriptedDice
    seats: dict[str, str] = field(default_factory=dict)

    def sit(self, name: str, role: str = "player", *, ai: bool = False) -> str:
        outcome = self.act(self.game_master, "take_seat", name=name, role=role, ai=ai)
        self.seats[name] = outcome.events[0].fields["seat"]["id"]
        return self.seats[name]

    def act(self, seat: str, command: str, /, **fields: Any) -> Outcome:
        return self.host.act(self.table, self.seats.get(seat, seat), (command, fields))

    def hidden(self, command: str, sight: Sight = Sight.HIDDEN, /, **fields: Any) -> Outcome:
        return self.host.act(self.table, self.game_master, (command, fields), sight=sight)

    def refused(self, seat: str, command: str, /, **fields: Any) -> str:
        """The code with which a command is refused."""
        try:
            self.act(seat, command, **fields)
        except Refusal as refusal:
            return refusal.code
        return "done"

    def look(self, seat: str) -> State:
        return self.host.look(self.table, self.seats.get(seat, seat))

    def words(self, seat: str) -> list[str]:
        return [event.words for event in self.host.follow(self.table, self.seats.get(seat, seat)).events]


def new_host(store: Store, dice: ScriptedDice, rulesets: Iterable[Ruleset] = (DARE,)) -> Host:
    return Host(store, rulesets, dice=lambda request: _for(request, dice), clock=lambda: 0, entropy=secrets.token_bytes)


def _for(_: DiceRequest, dice: ScriptedDice) -> ScriptedDice:
    return dice


S = TypeVar("S", bound=Seated)


@dataclass(frozen=True)
class Laid(Generic[S]):
    """A table that is laid once, in a folder of its own, and copied for every test."""

    folder: Path
    first: S

    def copied(self, folder: Path) -> S:
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        dice = ScriptedDice(self.first.dice.faces)
        rulesets = tuple(book.ruleset for book in self.first.host.books.values())
        host = new_host(open_store(f"sqlite:///{folder}/tables.db"), dice, rulesets)
        return replace(self.first, host=host, dice=dice, seats=dict(self.first.seats))


class LaidOnce(Protocol):
    """Lays a table with these options, in a folder, for the first test that wants it, and gives each a copy."""

    def __call__(self, lay: Callable[..., S], /, **options: Any) -> S: ...


def everyone(folder: Path, **opening: Any) -> Seated:
    return seat_everyone(open_store(f"sqlite:///{folder}/tables.db"), **opening)


def seat_everyone(store: Store, **opening: Any) -> Seated:
    """Ada runs the game, Bo and Cy play, Di looks on; Bo has Kira and Cy has Lund."""
    dice = ScriptedDice()
    host = new_host(store, dice)
    opened = host.open("dare", name="The Cliff", game_master="Ada", **opening)
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    seated.sit("Bo")
    seated.sit("Cy")
    seated.sit("Di", "spectator")
    seated.act("Bo", "join", name="Kira", fear="deep water")
    seated.act("Cy", "join", name="Lund", fear="his brother")
    return seated
