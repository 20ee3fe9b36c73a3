"""Listing tables, opening one in conversation, and sitting down."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from astragal.surfaces.mcp.session import Desk, Place
from astragal.surfaces.mcp.tools.results import Game, Seating, Table
from astragal.surfaces.mcp.views.table import people, you
from astragal.surfaces.mcp.views.untrusted_text import clean
from astragal.surfaces.shared.context import find_seat
from astragal.table.authoring.ruleset import Plain, Ruleset, Worn
from astragal.table.log.store import Title, titles
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal
from astragal.table.starter import sample_heroes, start_table, worn
from astragal.table.state.seats import Role, Seat

MOST_TABLES = 40
MOST_HEROES = 8
AI_NAME = "AI"
NOBODY = "nobody"
"""Said of a client in front of which no player sits."""


def listed(desk: Desk, game: str = "", skin: str = "") -> Seating:
    """Games and tables, and where this connection sits; of one game, the sample heroes of a skin."""
    found, place = Seating(), desk.place
    for book in [desk.house.book(game)] if game else desk.house.books.values():
        one = book.ruleset
        skins = list(one.skins.shipped()) if one.skins else []
        samples = list(sample_heroes(one, worn(one, skin if game else "")))
        found.games.append(Game(id=one.id, name=one.name, skins=skins, samples=samples))
    known = [desk.house.find_table(place.table)] if place and place.bound else list(titles(desk.house.store))
    for title in known[-MOST_TABLES:]:
        try:
            seats = [f"{clean(one.name, 60)} ({_kind(one)})" for one in desk.house.seats_at(title).values()]
        except Refusal as unreadable:
            seats = [unreadable.sentence]
        found.tables.append(Table(id=title.id, name=clean(title.name, 60), game=title.ruleset, seats=seats))
    if place is not None:
        found.you, found.table = you(desk), place.table
    return found


def _kind(seat: Seat) -> str:
    return f"{seat.role.value}, {'AI' if seat.ai else 'person'}"


# ---------------------------------------------------------------- opening


class Opener:
    """Opens tables; the same wish twice is one table."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._opened: dict[str, Place] = {}

    def open(self, game: str, name: str, *, skin: str, heroes: Sequence[Any], player: str, options: Plain) -> Seating:
        """A new table: the AI runs it, and the person in front of the client plays the heroes."""
        desk = self.desk
        if desk.place is not None and desk.place.bound:
            raise NotAllowed("This server was started for one table; it opens no other.")
        wish = hashlib.sha256(msgspec.json.encode([game, name, skin, list(heroes), player, options])).hexdigest()
        if wish not in self._opened:
            ruleset = desk.house.book(game).ruleset
            skinned = worn(ruleset, skin)
            skinned = replace(skinned, options={**skinned.options, **options})
            opened = start_table(
                desk.house.host,
                ruleset,
                name=name,
                game_master=AI_NAME,
                ai=True,
                players=[player],
                heroes=[(0, _hero(ruleset, one, skinned)) for one in heroes[:MOST_HEROES]],
                skin=skin,
                **skinned.given,
            )
            self._opened[wish] = Place(opened.table, opened.seat, person=opened.players[0])
        desk.sit(self._opened[wish])
        return seated(desk)


def _hero(ruleset: Ruleset, said: Any, skinned: Worn) -> Plain:
    """A sample by its name, or the fields of the command that makes a hero."""
    if ruleset.heroes is None:
        raise Refusal(
            f"{ruleset.name} has no sample heroes here: open the table with heroes=[], then see actions.",
            code="no_samples",
        )
    if isinstance(said, Mapping):
        return said
    samples = sample_heroes(ruleset, skinned)
    for name, hero in samples.items():
        if isinstance(said, str) and name.casefold() == said.strip().casefold():
            return hero
    raise NoSuchThing(f"There is no sample hero {str(said)[:40]!r}; there are {', '.join(samples) or 'none'}.")


# ---------------------------------------------------------------- sitting down


def sought(desk: Desk, table: str, seat: str, player: str) -> tuple[Title, Seat, str | None]:
    """The table, the seat, and the seat of the person in front of the client."""
    if desk.place is not None and desk.place.bound:
        raise NotAllowed("Whoever started this server chose the seat; it can't be changed here.")
    title = desk.house.find_table(table)
    seats = desk.house.seats_at(title)
    free = [one for one in seats.values() if one.ai]
    if not seat and len(free) != 1:
        there = ", ".join(f"{one.name} ({_kind(one)})" for one in seats.values())
        raise NoSuchThing(f"Say which seat. Seats: {there}.")
    found = find_seat(seats, seat) if seat else free[0]
    if player.casefold() == NOBODY:
        return title, found, None
    players = [one.name for one in seats.values() if not one.ai and one.role is Role.PLAYER]
    if not player and found.role is Role.GAME_MASTER and len(players) > 1:  # results are shown to that person
        raise Refusal(
            f"Say who sits in front of this client: player is one of {', '.join(players)}, or {NOBODY}.",
            code="no_player",
        )
    return title, found, find_seat(seats, player).id if player else person_beside(seats, found)


def person_beside(seats: Mapping[str, Seat], seat: Seat, *, copilot: bool = False) -> str | None:
    """Who sits in front of the client: whose seat it is; else, where an AI runs the game for one person, that one."""
    if copilot:
        return seat.id
    others = [one for one in seats.values() if not one.ai and one.role is Role.PLAYER and one.id != seat.id]
    if seat.role is Role.GAME_MASTER:
        return others[0].id if len(others) == 1 else None
    return None if seat.ai else seat.id


def seated(desk: Desk) -> Seating:
    sheets = [f"{one.name} ({one.played_by}): {'; '.join(one.sheet)}" for one in people(desk.shown_view)]
    return Seating(you=you(desk), table=desk.here.table, people=sheets)
