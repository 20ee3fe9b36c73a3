"""Listing tables, opening one in conversation, and sitting down."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from astragal.surfaces.mcp.session import Desk, Place
from astragal.surfaces.mcp.tools.results import Game, Seating, Table
from astragal.surfaces.mcp.views.table import people, you
from astragal.surfaces.mcp.views.untrusted_text import clean
from astragal.surfaces.shared.context import find_seat
from astragal.table.authoring.hero_book import Plain
from astragal.table.fields.validation import read
from astragal.table.log.listing import Title, titles
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal
from astragal.table.registry import Book
from astragal.table.state.seats import Role, Seat

MOST_TABLES = 40
MOST_HEROES = 8
AI_NAME = "AI"
NOBODY = "nobody"
"""Said of a client in front of which no player sits."""


def listed(desk: Desk, game: str = "", skin: str = "") -> Seating:
    """Games and tables, and where this connection sits; of one game, the sample heroes of a skin."""
    books = [desk.house.book(game)] if game else desk.house.books.values()
    found = Seating(games=[_game(book, skin if game else "") for book in books])
    place = desk.place
    known = [desk.house.find_table(place.table)] if place and place.bound else list(titles(desk.house.store))
    found.tables = [_table(desk, one) for one in known[-MOST_TABLES:]]
    if place is not None:
        found.you, found.table = you(desk), place.table
    return found


def _game(book: Book, skin: str) -> Game:
    ruleset = book.ruleset
    options, _ = _worn(book, skin, {})
    skins = list(ruleset.skins.shipped()) if ruleset.skins else []
    return Game(id=ruleset.id, name=ruleset.name, skins=skins, samples=list(_samples(book, options)))


def _samples(book: Book, options: Plain) -> Mapping[str, Plain]:
    if book.ruleset.heroes is None:
        return {}
    return book.ruleset.heroes.samples(read(book.ruleset.options, options))


def _table(desk: Desk, title: Title) -> Table:
    try:
        seats = [f"{clean(one.name, 60)} ({_kind(one)})" for one in desk.house.seats_at(title).values()]
    except Refusal as unreadable:
        seats = [unreadable.sentence]
    return Table(id=title.id, name=clean(title.name, 60), game=title.ruleset, seats=seats)


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
            book = desk.house.book(game)
            chosen, terms = _worn(book, skin, options)
            made = [_hero(book, one, chosen) for one in heroes[:MOST_HEROES]]
            self._opened[wish] = self._open(book, name, skin=skin, player=player, options=chosen, terms=terms)
            self._seat_heroes(book, made, wish)
        desk.sit(self._opened[wish])
        return seated(desk)

    def _open(
        self, book: Book, name: str, *, skin: str, player: str, options: Plain, terms: Mapping[str, str]
    ) -> Place:
        host = self.desk.house.host
        opened = host.open(
            book.ruleset.id, name=name, game_master=AI_NAME, ai=True, options=options, skin=skin, terms=terms
        )
        taken = host.act(opened.table, opened.seat, ("take_seat", {"name": player}))
        return Place(opened.table, opened.seat, person=taken.events[0].fields["seat"]["id"])

    def _seat_heroes(self, book: Book, heroes: Sequence[Plain], wish: str) -> None:
        """All of them, or the table is not opened."""
        desk, before = self.desk, self.desk.place
        desk.sit(self._opened[wish])
        try:
            for hero in heroes:
                self._bring_in(book, hero)
        except Refusal:
            place = self._opened.pop(wish)
            desk.house.host.archive.delete(place.table, place.seat)
            desk.sit(before)
            raise

    def _bring_in(self, book: Book, hero: Plain) -> None:
        """From the person's seat where players may make heroes, else from the game master's and given to them."""
        desk, make = self.desk, book.ruleset.heroes.make if book.ruleset.heroes else ""
        try:
            desk.act(make, hero, seat=desk.here.person)
        except NotAllowed:
            before = set(desk.look().characters)
            desk.act(make, hero)
            for who in set(desk.look().characters) - before:
                desk.act("give_character", {"character": who, "seat": desk.here.person})


def _worn(book: Book, skin: str, options: Plain) -> tuple[Plain, Mapping[str, str]]:
    if not skin:
        return options, {}
    shipped = book.ruleset.skins.shipped() if book.ruleset.skins else {}
    if skin not in shipped or book.ruleset.skins is None:
        raise NoSuchThing(f"There is no skin {skin[:40]!r}; there are {', '.join(shipped) or 'none for this game'}.")
    worn = book.ruleset.skins.wear(shipped[skin])
    return {**worn.options, **options}, worn.terms


def _hero(book: Book, said: Any, options: Plain) -> Plain:
    """A sample by its name, or the fields of the command that makes a hero."""
    if book.ruleset.heroes is None:
        raise Refusal(
            f"{book.ruleset.name} has no sample heroes here: open the table with heroes=[], then see actions.",
            code="no_samples",
        )
    if isinstance(said, Mapping):
        return said
    samples = _samples(book, options)
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
    found = find_seat(seats, seat) if seat else _only_ai(seats)
    return title, found, _in_front(seats, found, player)


def _in_front(seats: Mapping[str, Seat], seat: Seat, player: str) -> str | None:
    """The person at the client. An AI that runs a game for several has to say: results are shown to that person."""
    if player.casefold() == NOBODY:
        return None
    if player:
        return find_seat(seats, player).id
    players = [one.name for one in seats.values() if not one.ai and one.role is Role.PLAYER]
    if seat.role is Role.GAME_MASTER and len(players) > 1:
        raise Refusal(
            f"Say who sits in front of this client: player is one of {', '.join(players)}, or {NOBODY}.",
            code="no_player",
        )
    return person_beside(seats, seat)


def _only_ai(seats: Mapping[str, Seat]) -> Seat:
    free = [one for one in seats.values() if one.ai]
    if len(free) != 1:
        there = ", ".join(f"{one.name} ({_kind(one)})" for one in seats.values())
        raise NoSuchThing(f"Say which seat. Seats: {there}.")
    return free[0]


def person_beside(seats: Mapping[str, Seat], seat: Seat, *, copilot: bool = False) -> str | None:
    """Who sits in front of the client: whose seat it is; else, where an AI runs the game for one person, that one."""
    if copilot:
        return seat.id
    others = [one for one in seats.values() if not one.ai and one.role is Role.PLAYER and one.id != seat.id]
    if seat.role is Role.GAME_MASTER:
        return others[0].id if len(others) == 1 else None
    return None if seat.ai else seat.id


def seated(desk: Desk) -> Seating:
    return Seating(you=you(desk), table=desk.here.table, people=list(_lines(desk)))


def _lines(desk: Desk) -> Iterator[str]:
    state = desk.shown()
    for one in people(desk, state):
        yield f"{one.name} ({one.played_by}): {'; '.join(one.sheet)}"
