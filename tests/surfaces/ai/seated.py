"""Tables with AIs in their seats, asked of a scripted model, and people beside them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from astragal.storage import open_store
from astragal.surfaces.mcp.agent.seats import LocalAiSeats
from astragal.surfaces.mcp.agent.settings import AiFile, Pace
from astragal.surfaces.shared.ai_seats import AiActivity, AiRole, AiStatus, Interface, Limits, Model
from astragal.surfaces.shared.context import AppContext
from astragal.table.starter import sample_heroes, start_table, worn
from astragal.wiring import host_of, installed_rulesets, milliseconds
from tests.patience import LONG
from tests.surfaces.ai.model_server import ModelServer

AT_ONCE = Pace(settle=0, request=LONG, turn=LONG, form=LONG)
KEY = "sk-very-secret-9f3"


@dataclass
class Evening:
    """A table of a game with Ada, who opened it, Bo with a hero, and whatever AIs are seated."""

    house: AppContext
    seats: LocalAiSeats
    file: Path
    table: str
    ada: str
    bo: str
    changed: threading.Event

    def seat(self, role: AiRole = AiRole.GAME_MASTER, **how: Any) -> str:
        limits = Limits(**how)
        return self.seats.seat(self.table, self.ada, name="Vesper", role=role, model="m", limits=limits)

    @property
    def status(self) -> AiStatus:
        return self.seats.at(self.table)[0]

    def act(self, seat: str, command: str, /, **fields: Any) -> Any:
        return self.house.host.act(self.table, seat, (command, fields))

    def log(self, seat: str | None = None) -> list[str]:
        return [one.words for one in self.house.host.latest(self.table, seat or self.bo, most=200).events]

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something; each change of an AI or of the table is a reason to look again."""
        self.changed.clear()
        while not is_so():
            assert self.changed.wait(LONG), (self.status, self.log()[-5:])
            self.changed.clear()

    def rests(self, *doing: AiActivity) -> AiStatus:
        """Wait until the AI waits again, or is what is said."""
        self.until(lambda: self.status.doing in (doing or (AiActivity.WAITING,)))
        return self.status


@contextmanager
def evening(
    path: Path,
    server: ModelServer,
    game: str = "new_shoes",
    *,
    interface: Interface = Interface.OPENAI,
    pace: Pace = AT_ONCE,
    price: tuple[float, float] | None = None,
    skin: str = "",
    url: str = "",
) -> Iterator[Evening]:
    store = open_store(url or f"sqlite:///{path}/tables.db")
    ruleset = installed_rulesets()[game]()
    house = AppContext(host_of(store, [ruleset]), store)
    changed = threading.Event()

    def tell(_: str | None = None) -> None:
        changed.set()

    file = path / "private" / "ai.json"
    seats = LocalAiSeats(house, AiFile(file), milliseconds, tell, pace=pace)
    wears = worn(ruleset, skin)
    hero = next(iter(sample_heroes(ruleset, wears).values()))
    opened = start_table(
        house.host,
        ruleset,
        name="The Ferry",
        game_master="Ada",
        players=["Bo"],
        heroes=[(0, hero)],
        begins=True,
        house={"trusting": True},
        skin=skin,
        **wears.given,
    )
    address = server.openai if interface is Interface.OPENAI else server.address
    seats.keep_model(Model("m", address, interface, price), KEY)
    end_watch = house.host.watch(tell)
    try:
        yield Evening(house, seats, file, opened.table, opened.seat, opened.players[0], changed)
    finally:
        for one in seats.at(opened.table):
            seats.stop(opened.table, one.seat)
        end_watch()
        seats.close()
        store.close()
