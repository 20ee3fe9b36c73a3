"""The evenings of our games, played at real tables of a store: logs that hold nearly every event there is."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from random import Random
from typing import Any

from astragal.chance import Dice
from astragal.table.contract import GAME_MASTER, OTHER_PLAYER, PLAYER, Step
from astragal.table.contract.rehearsal import ScriptedFaces
from astragal.table.host import DiceRequest, Host
from astragal.table.log.store import Store
from astragal.table.refusals import Refusal
from astragal.wiring import OURS, installed_rulesets

LONGEST_WAIT = 20
"""Decisions in a row that one step may bring; more would be an evening that never ends."""


@dataclass
class Evening:
    """A table at which an evening was played."""

    table: str
    seats: Mapping[str, str]
    deeds: list[str] = field(default_factory=list)

    def named(self, value: Any) -> Any:
        """A value of a step; where it names a deed, the id that the deed has here."""
        if isinstance(value, str) and value.startswith("act-"):
            number = int(value.removeprefix("act-"))
            return self.deeds[number - 1] if number <= len(self.deeds) else value
        if isinstance(value, (list, tuple)):
            return [self.named(one) for one in value]
        if isinstance(value, Mapping):
            return {self.named(key): self.named(one) for key, one in value.items()}
        return value


def keep_evenings(store: Store, *, honest: bool = False) -> list[Evening]:
    """An evening of each of our games, each at a table of its own: with the script's faces, or with honest dice."""
    return [_kept(store, name, honest=honest) for name in OURS]


def _kept(store: Store, name: str, *, honest: bool) -> Evening:
    script = import_module(f"tests.rulesets.evenings.{name}")
    dice: list[Dice] = [ScriptedFaces((), 0)]

    def thrown(_: DiceRequest) -> Dice:
        return dice[-1]

    game = installed_rulesets()[name]()
    entropy = Random(name).randbytes if honest else secrets.token_bytes  # an evening that is the same every time
    host = Host(store, [game], dice=None if honest else thrown, clock=count().__next__, entropy=entropy)
    opened = host.open(
        name, name=f"An evening of {name}", game_master=GAME_MASTER, options=script.OPTIONS, house={"trusting": True}
    )
    seats = {GAME_MASTER: opened.seat}
    for player in (PLAYER, OTHER_PLAYER):
        seated = host.act(opened.table, opened.seat, ("take_seat", {"name": player}))
        seats[player] = seated.events[0].fields["seat"]["id"]
    evening = Evening(opened.table, seats)
    for number, step in enumerate(script.EVENING):
        dice.append(ScriptedFaces(step.faces, number))
        evening.deeds.append("")
        with suppress(Refusal):  # what only a rehearsal may do is left out
            _do(host, evening, step)
    return evening


def _do(host: Host, evening: Evening, step: Step) -> None:
    fields = evening.named(step.fields)
    act = host.act(evening.table, evening.seats[step.seat], (step.command, fields)).act
    evening.deeds[-1] = act
    answers = iter(step.answers)
    for choices in _asked(host, evening):
        answer = next(answers, choices[0].answer if choices else None)
        host.act(evening.table, evening.seats[GAME_MASTER], ("answer", {"act": act, "answer": answer}))


def _asked(host: Host, evening: Evening) -> Iterator[Any]:
    for _ in range(LONGEST_WAIT):
        waiting = host.decisions(evening.table, evening.seats[GAME_MASTER])
        if not waiting:
            return
        yield waiting[0].choices
