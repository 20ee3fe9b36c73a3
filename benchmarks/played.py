"""Table of Sinew & Steel with one test after another, which the benchmarks of the table play."""

import secrets
from collections.abc import Callable
from itertools import count
from typing import Any

from astragal.chance import Dice
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.table.host import DiceRequest, Host
from astragal.table.log.repository import Outcome
from astragal.table.log.store import Store
from benchmarks.harness import Work


class Played:
    """Ada runs the game and Bo plays Kira, from another seat, so that secrets are redacted."""

    def __init__(self, store: Store, dice: Callable[[DiceRequest], Dice] | None = None) -> None:
        self.host = Host(store, (SINEW_STEEL,), dice=dice, clock=lambda: 0, entropy=secrets.token_bytes)
        opened = self.host.open("sinew_steel", name="The Gorge", game_master="Ada", options={"build_points": 16})
        self.table, self.ada = opened.table, opened.seat
        self.bo = str(self.give(self.ada, "take_seat", name="Bo").events[0].fields["seat"]["id"])
        self.give(self.bo, "make_hero", name="Kira", scores={"REF": 12, "LCK": 8})
        self._numbers = count(1)
        self._waits: str | None = None

    def give(self, seat: str, command: str, /, **fields: Any) -> Outcome:
        return self.host.act(self.table, seat, (command, fields), command_id=secrets.token_hex(8))

    def next_command(self) -> None:
        """Play a test by a player; if it stops for Luck, the answer is a command of its own."""
        if self._waits is None:
            done = self.give(self.bo, "test", who="Kira", attribute="REF", stakes=f"rope {next(self._numbers)}")
        else:
            done = self.give(self.bo, "answer", act=self._waits, answer=0)
        self._waits = done.act if done.waits_for else None

    def turn(self, commands: int) -> Work:
        def work() -> None:
            for _ in range(commands):
                self.next_command()

        return work
