"""A table with real dice, for the tests of fairness."""

from __future__ import annotations

import json
import secrets
from typing import Any

from astragal.fair import ClientChain, Ledger, Receipt
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Sight
from astragal.table.host import Host
from astragal.table.log.repository import Outcome
from astragal.table.log.store import Store
from tests.table.dare import DARE


class FairTable:
    """A table with real dice: Ada runs the game, Bo and Cy play."""

    def __init__(self, store: Store, ruleset: Ruleset = DARE, **house: Any) -> None:
        self.store = store
        self.host = fair_host(store, ruleset)
        self.receipts: list[Receipt] = []
        """What the people at the table keep of what they saw."""
        opened = self.host.open("dare", name="The Cliff", game_master="Ada", house=house, options={"nerve": 1})
        self.table, self.ada = opened.table, opened.seat
        self.bo = self.sit("Bo")
        self.cy = self.sit("Cy")
        self.act(self.bo, "join", name="Kira")
        self.act(self.cy, "join", name="Lund")

    def sit(self, name: str) -> str:
        return str(self.act(self.ada, "take_seat", name=name).events[0].fields["seat"]["id"])

    def give(self, seat: str, command: str, fields: dict[str, Any], **how: Any) -> Outcome:
        outcome = self.host.act(self.table, seat, (command, fields), **how)
        assert outcome.receipt
        self.receipts.append(outcome.receipt)
        return outcome

    def act(self, seat: str, command: str, /, **fields: Any) -> Outcome:
        return self.give(seat, command, fields)

    def dare(self, seat: str, who: str = "Kira", *, danger: int = 9, **how: Any) -> Outcome:
        """A danger of 9 is out of reach of any die and of one point of nerve: nothing to decide."""
        return self.give(seat, "dare", {"who": who, "danger": danger}, **how)

    def ledger(self, seat: str | None = None) -> list[bytes]:
        return list(self.host.ledger(self.table, seat or self.bo))

    def export(self, seat: str | None = None) -> list[bytes]:
        return list(self.host.archive.export(self.table, seat or self.ada))

    def lines(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in map(json.loads, self.ledger()) if line["t"] == kind]


def fair_host(store: Store, ruleset: Ruleset = DARE) -> Host:
    return Host(store, (ruleset,), clock=lambda: 0, entropy=secrets.token_bytes)


def faces(outcome: Outcome) -> list[int]:
    return [die["face"] for event in outcome.events if event.name == "rolled" for die in event.fields["dice"]]


def client_view(table: FairTable) -> Ledger:
    """The ledger as a player's own program follows it."""
    return Ledger.empty(table.table).extend(table.ledger())


class Witness:
    """A player's own program, which witnesses hidden rolls."""

    def __init__(self, table: FairTable, seat: str) -> None:
        self._table, self._seat = table, seat
        self.chain = ClientChain.begin(f"w:{seat}")
        table.act(seat, "promise_chain", kind="witness", tip=self.chain.chain.tip.hex())

    def answer(self, act: str) -> Outcome:
        ledger = client_view(self._table)
        place = next(line for line, ask in ledger.asks.items() if ask.cmd == act and ask.waits)
        self.chain, link = self.chain.answer(place, ledger)
        return self._table.act(self._seat, "answer", act=act, answer=link.hex())


def an_evening(store: Store) -> FairTable:
    """Something of every kind, with more of the same after it."""
    table = FairTable(store, witnessed=True, hand_dice=True)
    table.act(table.ada, "write_note", title="The harbour master", words="is a spy", audience="game master")
    table.act(table.ada, "improvise_scene", title="The ledge")
    for _ in range(3):
        table.dare(table.bo)
        table.dare(table.cy, "Lund")
    shown = [table.dare(table.ada, danger=danger, sight=Sight.HIDDEN).act for danger in (9, 10)]
    table.dare(table.ada, sight=Sight.SECRET)
    witnesses = [Witness(table, table.bo), Witness(table, table.cy)]
    watched = table.dare(table.ada, sight=Sight.HIDDEN).act
    withdrawn = table.dare(table.ada, "Lund", sight=Sight.HIDDEN).act
    for witness in witnesses:
        witness.answer(watched)
    table.act(table.ada, "withdraw", act=withdrawn)
    node = table.act(table.ada, "mark_save_node", label="the edge").events[0].fields["node"]
    table.dare(table.bo)
    table.act(table.ada, "rewind", node=node, price="nerve")
    table.dare(table.bo)
    table.act(table.ada, "undo")
    by_hand = table.dare(table.cy, "Lund", by_hand=True)
    table.act(table.cy, "answer", act=by_hand.act, answer=[4])
    for act in (*shown, watched):
        table.act(table.ada, "reveal", act=act)
    table.act(table.ada, "end_scene")
    table.act(table.ada, "override", who="Kira", what="nerve", value=1)
    again = table.dare(table.ada, sight=Sight.HIDDEN).act
    for witness in witnesses:
        witness.answer(again)
    table.act(table.bo, "say", words="Once more.")
    for seat, who in ((table.bo, "Kira"), (table.cy, "Lund"), (table.ada, "Lund")):
        table.dare(seat, who)
    return table
