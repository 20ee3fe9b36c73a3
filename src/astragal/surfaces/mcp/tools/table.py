"""The tools around play: table (list, open, sit down) and secret (keep, list, read, reveal)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, Resolve
from mcp_types import CallToolResult
from msgspec.structs import replace
from pydantic import BaseModel, Field

from astragal.surfaces.mcp import elicitation, execute, secrets, table_view
from astragal.surfaces.mcp.results import Done, Event, Game, Seating, Table
from astragal.surfaces.mcp.session import McpSession, SeatBinding
from astragal.surfaces.mcp.tools.schema import Offered, answered, offered, tried
from astragal.surfaces.mcp.untrusted_text import clean
from astragal.surfaces.shared.context import find_seat
from astragal.table.authoring.ruleset import AppliedSkin, Plain, Ruleset
from astragal.table.declarations import Role, Seat
from astragal.table.fields.lookup import matching
from astragal.table.log.store import Title, titles
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal
from astragal.table.starter import sample_heroes, start_table, worn

PROPOSING = "it may only propose"


class Lending(BaseModel):
    how: Literal["it may act for this seat", "it may only propose"] = Field(description="What may the AI do?")


def table_tool(session: McpSession) -> Offered:
    opener = Opener(session)

    def lending(do: str, table: str, seat: str, player: str, ctx: Context) -> Any:
        """Ask the person to lend their seat, if the model wants to sit down on one."""
        if do != "sit":
            return None
        found_seat = tried(session, lambda: find_table_and_seat(session, table, seat, player))
        if isinstance(found_seat, Refusal) or found_seat[1].ai:
            return None
        name = f"{clean(found_seat[1].name, 60)} ({found_seat[1].role.value}) at {clean(found_seat[0].name, 60)}"
        if elicitation.can_ask(ctx):
            return Elicit(f"The AI wants to sit down on a person's seat: {name}.", Lending)
        return elicitation.QuestionForModel(
            f"{name} is a person's seat. They lend it by starting: astragal mcp --table ID --seat NAME."
        )

    def table(
        *,
        lent: Annotated[ElicitationResult[BaseModel], Resolve(lending)],
        do: Literal["list", "open", "sit"] = "list",
        game: str = "",
        name: Annotated[str, Field(max_length=60, description="of a new table")] = "Our table",
        skin: str = "",
        heroes: Annotated[
            list[str | dict[str, Any]], Field(max_length=8, description="sample names, or fields of make_hero")
        ] = [],  # noqa: B006 - never changed
        player: Annotated[str, Field(max_length=60, description="the person at this client")] = "",
        options: dict[str, Any] = {},  # noqa: B006 - never changed
        table: Annotated[str, Field(description="id or name")] = "",
        seat: Annotated[str, Field(description="a name; AI seats are free, persons lend theirs")] = "",
    ) -> Annotated[CallToolResult, Seating]:
        """List games and tables (with game and skin: its sample heroes), open a table that you run, or sit down at one.
        Example: {"do": "open", "game": "new_shoes", "heroes": ["Ottilie Brandt"], "player": "Ann"}"""

        def work() -> Seating | Refusal:
            if do == "list":
                return listed(session, game, skin)
            if do == "open":
                return opener.open(game, name, skin=skin, heroes=heroes, player=player or "Player", options=options)
            return _sit(session, find_table_and_seat(session, table, seat, player), lent)

        return answered(session, work)

    return offered(table)


def _sit(
    session: McpSession, title_and_seats: tuple[Title, Seat, str | None], lent: ElicitationResult[BaseModel]
) -> Seating | Refusal:
    title, seat, person = title_and_seats
    copilot = False
    if not seat.ai:
        if not isinstance(lent, AcceptedElicitation):
            return Refusal("The person keeps their seat.", code="declined")
        data: Any = lent.data
        if not isinstance(data, Lending):
            if isinstance(data, elicitation.QuestionForModel):
                return NotAllowed(data.question)
            return NotAllowed("That seat is a person's.")
        copilot = data.how == PROPOSING
    session.sit(SeatBinding(title.id, seat.id, person=person, copilot=copilot))
    return seated(session)


def secret_tool(session: McpSession, runner: execute.CommandRunner) -> Offered:
    def consent(*, do: str, handle: str, title: str, words: str, ctx: Context) -> Any:
        def work() -> Any:
            command, fields = secrets.revealing(handle) if do == "reveal" else ("write_note", {})
            return elicitation.consent_to(session, ctx, command, fields, text=[title, words])

        return tried(session, work) if do in ("keep", "reveal") else None

    def secret(
        *,
        reply: Annotated[ElicitationResult[BaseModel], Resolve(consent)],
        do: Literal["list", "keep", "read", "reveal"] = "list",
        title: Annotated[str, Field(max_length=120, description="harmless: it is shown")] = "",
        words: Annotated[str, Field(max_length=3500)] = "",
        handle: str = "",
    ) -> Annotated[CallToolResult, Done]:
        """Keep something from players under a handle; list handles; read one; reveal one to all, for good.
        Example: {"do": "keep", "title": "About the mayor", "words": "He paid the thieves."}"""

        def work() -> Done | Refusal:
            if stop := elicitation.stopped_by(reply):
                return stop
            if do == "keep":
                if not title or not words:
                    return Refusal("A secret has a harmless title and words.", code="bad_fields")
                audience = {"audience": "seat", "seat": session.here.seat}
                if session.is_game_master():
                    audience = {"audience": "game master"}
                outcome = runner.perform(execute.Asked("write_note", {"title": title, "words": words, **audience}))
                return Done(act=outcome.act, handle=f"note:{outcome.events[0].fields['note']['id']}")
            if do == "read":
                return Done(events=_as_events(handle, secrets.read_secret(session, handle)), handle=handle[:80])
            if do == "reveal":
                command, fields = secrets.revealing(handle)
                agreed = elicitation.agreed_by(session, reply)
                return runner.done(runner.perform(execute.Asked(command, fields, agreed=agreed)))
            return Done(events=_as_events("", secrets.handles(session)))

        return answered(session, work)

    return offered(secret)


def _as_events(handle: str, lines: list[str]) -> list[Event]:
    act = handle.partition(":")[2].split(" ")[0][:40]
    return [Event(act=act, kind="secret", by="", words=clean(line, secrets.LONGEST)) for line in lines if line]


# ---------------------------------------------------------------- seating


MOST_TABLES = 40
MOST_HEROES = 8
AI_NAME = "AI"
NOBODY = "nobody"
"""Name of the player if none sits at the client."""


def listed(session: McpSession, game: str = "", skin: str = "") -> Seating:
    """List games and tables, and where this connection sits; of one game, the sample heroes of a skin."""
    listing = Seating()
    place = session.place
    if place is not None and place.bound:  # it can open no other
        game = game or session.book.ruleset.id
        titles_shown = [session.house.find_table(place.table)]
    else:
        titles_shown = list(titles(session.house.store))
    for book in [session.house.book(game)] if game else session.house.books.values():
        ruleset = book.ruleset
        skins = list(ruleset.skins.shipped()) if ruleset.skins else []
        samples = list(sample_heroes(ruleset, worn(ruleset, skin if game else "")))
        listing.games.append(Game(id=ruleset.id, name=ruleset.name, skins=skins, samples=samples))
    for title in titles_shown[-MOST_TABLES:]:
        try:
            seats = [_seat_words(seat) for seat in session.house.seats_at(title).values()]
        except Refusal as unreadable:
            seats = [unreadable.sentence]
        listing.tables.append(Table(id=title.id, name=clean(title.name, 60), game=title.ruleset, seats=seats))
    if place is not None:
        listing.you = table_view.you(session)
        listing.table = place.table
    return listing


def _seat_words(seat: Seat) -> str:
    return f"{clean(seat.name, 60)} ({_kind(seat)})"


def _kind(seat: Seat) -> str:
    return f"{seat.role.value}, {'AI' if seat.ai else 'person'}"


# ---------------------------------------------------------------- opening


class Opener:
    """Opens tables; the same request twice opens one table."""

    def __init__(self, session: McpSession) -> None:
        self.session = session
        self._opened: dict[bytes, SeatBinding] = {}

    def open(self, game: str, name: str, *, skin: str, heroes: Sequence[Any], player: str, options: Plain) -> Seating:
        """Open a table: the AI runs it, and the person at the client plays the heroes."""
        session = self.session
        if session.place is not None and session.place.bound:
            raise NotAllowed("This server was started for one table; it opens no other.")
        wish = msgspec.json.encode([game, name, skin, list(heroes), player, options])
        if wish not in self._opened:
            ruleset = session.house.book(game).ruleset
            skinned = worn(ruleset, skin)
            skinned = replace(skinned, options={**skinned.options, **options})
            opened = start_table(
                session.house.host,
                ruleset,
                name=name,
                game_master=AI_NAME,
                ai=True,
                players=[player],
                heroes=[(0, _hero(ruleset, hero, skinned)) for hero in heroes[:MOST_HEROES]],
                skin=skin,
                **skinned.given,
            )
            self._opened[wish] = SeatBinding(opened.table, opened.seat, person=opened.players[0])
        session.sit(self._opened[wish])
        table_view.news(session)  # counts as shown: the model that opens a table knows what has happened there
        return seated(session)


def _hero(ruleset: Ruleset, wish: Any, skinned: AppliedSkin) -> Plain:
    """Return a sample by its name, or the given fields of the command that makes a hero."""
    if ruleset.heroes is None:
        raise Refusal(
            f"{ruleset.name} has no sample heroes here: open the table with heroes=[], then see actions.",
            code="no_samples",
        )
    if isinstance(wish, Mapping):
        return wish
    samples = sample_heroes(ruleset, skinned)
    matches = matching({name: name for name in samples}, str(wish))
    if len(matches) == 1:
        return samples[matches[0]]
    raise NoSuchThing(f"There is no sample hero {str(wish)[:40]!r}; there are {', '.join(samples) or 'none'}.")


# ---------------------------------------------------------------- sitting down


def find_table_and_seat(session: McpSession, table: str, seat: str, player: str) -> tuple[Title, Seat, str | None]:
    """Find the table, the seat, and the seat of the person at the client."""
    if session.place is not None and session.place.bound:
        raise NotAllowed("Whoever started this server chose the seat; it can't be changed here.")
    title = session.house.find_table(table)
    seats = session.house.seats_at(title)
    ai_seats = [member for member in seats.values() if member.ai]
    if not seat and len(ai_seats) != 1:
        listed = ", ".join(f"{member.name} ({_kind(member)})" for member in seats.values())
        raise NoSuchThing(f"Say which seat. Seats: {listed}.")
    seat_found = find_seat(seats, seat) if seat else ai_seats[0]
    if player.casefold() == NOBODY:
        return title, seat_found, None
    players = [member.name for member in seats.values() if not member.ai and member.role is Role.PLAYER]
    if not player and seat_found.role is Role.GAME_MASTER and len(players) > 1:  # results are shown to that person
        raise Refusal(
            f"Say who sits in front of this client: player is one of {', '.join(players)}, or {NOBODY}.",
            code="no_player",
        )
    return title, seat_found, find_seat(seats, player).id if player else person_at_client(seats, seat_found)


def person_at_client(seats: Mapping[str, Seat], seat: Seat, *, copilot: bool = False) -> str | None:
    """Return the seat of the person at the client: a co-pilot's own, or the given one unless it is an AI's.

    If the given seat is the game master's, it is the one other person who plays, or None if there is not just one.
    """
    if copilot:
        return seat.id
    people = [
        member for member in seats.values() if not member.ai and member.role is Role.PLAYER and member.id != seat.id
    ]
    if seat.role is Role.GAME_MASTER:
        return people[0].id if len(people) == 1 else None
    return None if seat.ai else seat.id


def seated(session: McpSession) -> Seating:
    sheets = [
        f"{person.name} ({person.played_by}): {'; '.join(person.sheet)}"
        for person in table_view.people(session.shown_view)
    ]
    return Seating(you=table_view.you(session), table=session.here.table, people=sheets)
