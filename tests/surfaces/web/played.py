"""A table whose dice fall as a test wants, and what its seats are shown."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jinja2

from astragal.storage import open_store
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.live.panels import Panel, Place
from astragal.surfaces.web.rendering import environment
from astragal.surfaces.web.security.auth import PassAuth
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.settings import Settings
from astragal.surfaces.web.story.cards import Card, cards_of
from astragal.surfaces.web.table.panels import PANELS
from astragal.surfaces.web.table.pending import Deciding, Waits, waits_of
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Sight
from astragal.table.log.repository import Outcome
from tests.surfaces.web.open_tables import NOON, PORT, Clock, all_games
from tests.table.seated import ScriptedDice, new_host


def drawn_alone(panel: Panel, using: jinja2.Environment, at: SeatSession) -> str:
    """A panel as it is drawn for this seat, and nobody else."""
    return panel.with_context(using, Place(at.table), panel.shows(at))


@dataclass
class Played:
    """Ada runs the game, Bo and Cy play, Di looks on."""

    context: WebContext
    table: str
    seats: dict[str, str]
    dice: ScriptedDice

    def act(self, seat_name: str, command: str, /, *faces: int, sight: Sight = Sight.OPEN, **fields: Any) -> Outcome:
        self.dice.faces = list(faces)
        return self.context.host.act(self.table, self.seats[seat_name], (command, fields), sight=sight)

    def at(self, seat: str) -> SeatSession:
        return SeatSession(self.context, self.table, self.seats[seat])

    def cards(self, seat: str) -> list[Card]:
        events = self.context.host.latest(self.table, self.seats[seat]).events
        return cards_of(self.at(seat), events)

    def card(self, seat: str) -> Card:
        """The newest."""
        return self.cards(seat)[-1]

    def waits(self, seat: str) -> Waits:
        return waits_of(self.at(seat))

    def decisions(self, seat: str) -> list[Deciding]:
        return [one for card in self.waits(seat).cards for one in card.decisions]

    def mine(self, seat: str) -> int:
        """How much waits for this seat."""
        waits = self.waits(seat)
        asked: tuple[Any, ...] = (*waits.cards, *waits.prompts, *waits.proposals, *waits.consents)
        return sum(one.own for one in asked)

    def who(self, name: str) -> str:
        characters = self.context.host.look(self.table, self.seats["Ada"]).characters.values()
        return next(one.id for one in characters if one.name == name)

    def panel(self, seat: str, name: str) -> str:
        panel = next(one for one in PANELS if one.name == name)
        return drawn_alone(panel, templates(), self.at(seat))


def templates() -> jinja2.Environment:
    return environment("", "test")


def drawn(card: Card) -> str:
    """A card as a page has it."""
    return str(vars(templates().get_template("story/cards.html").module)["card"](card))


@contextmanager
def playing(folder: object, game: str, *rulesets: Ruleset, **opening: Any) -> Iterator[Played]:
    store = open_store(f"sqlite:///{folder}/tables.db")
    games = rulesets or all_games()
    dice = ScriptedDice()
    host = new_host(store, dice, games)
    auth = PassAuth(store.passes, clock=Clock(), entropy=secrets.token_bytes)
    context = WebContext(host, store, auth, Settings.local(PORT), ticks=lambda: NOON)
    house = {"trusting": True, **opening.pop("house", {})}
    opened = host.open(game, name="The Gorge", game_master="Ada", house=house, **opening)
    seats = {"Ada": opened.seat}
    for name, role in (("Bo", "player"), ("Cy", "player"), ("Di", "spectator")):
        taken = host.act(opened.table, opened.seat, ("take_seat", {"name": name, "role": role}))
        seats[name] = taken.events[0].fields["seat"]["id"]
    try:
        yield Played(context, opened.table, seats, dice)
    finally:
        store.close()
