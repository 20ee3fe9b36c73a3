"""Session of an MCP connection: its table, its seat, its role and its person; ids of its commands."""

import hashlib
import hmac
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

from astragal.surfaces.shared.context import AppContext, SeatView
from astragal.table import refusals, registry
from astragal.table.commands import builtin, handlers
from astragal.table.declarations import kind_of_event
from astragal.table.fields.parse import filled_in
from astragal.table.log.repository import Outcome
from astragal.table.state.table import State
from astragal.table.visibility.events import SeenEvent
from astragal.table.visibility.redact import redact

T = TypeVar("T")

ROLLED = kind_of_event(builtin.Rolled).name
TURNED_OVER = frozenset({"rewound", "revealed", "text_blanked", "option_opened"})
"""Events that change how earlier ones are shown."""


class SeatBinding(Struct, frozen=True):
    """A seat, and the person at the client.

    `person` is the seat whose decisions are asked of that person. A co-pilot sees and proposes; the person confirms
    each of its commands. `bound` says that the server was started for this seat, and the model can't leave it.
    """

    table: str
    seat: str
    person: str | None = None
    copilot: bool = False
    bound: bool = False


class Journal(Struct):
    """Events that a seat has seen: in order, by command, and those that are rolls."""

    cursor: str = ""
    events: list[SeenEvent] = field(default_factory=list)
    by_act: dict[str, list[SeenEvent]] = field(default_factory=dict)
    rolls: list[SeenEvent] = field(default_factory=list)

    def add(self, events: Iterable[SeenEvent]) -> None:
        for event in events:
            self.events.append(event)
            self.by_act.setdefault(event.act, []).append(event)
            if event.name == ROLLED:
                self.rolls.append(event)


class McpSession:
    """State of one connection. The host is called under its lock, since a model may call tools concurrently."""

    def __init__(self, house: AppContext, *, open_secrets: bool = False) -> None:
        self.house = house
        self.open_secrets = open_secrets
        self.lock = threading.RLock()
        self.told = 0
        """Number of the window's events that the model has been shown."""
        self.asking: set[str] = set()
        """Forms that are out, by what they ask: equal concurrent calls make one."""
        self.place: SeatBinding | None = None
        self._journals: dict[str, Journal] = {}
        self._found: dict[str, Any] = {}
        self._read: set[str] = set()

    def sit(self, place: SeatBinding | None) -> None:
        self.place = place
        self._journals = {}
        self.told = 0
        self.look_again()

    def look_again(self) -> None:
        """Clear everything cached of the table. Called when a tool call begins, and after every command."""
        self._found.clear()
        self._read.clear()

    def once(self, name: str, find: Callable[[], T]) -> T:
        """Return a cached value, which is found once until `look_again`."""
        if name not in self._found:
            self._found[name] = find()
        value: T = self._found[name]
        return value

    @property
    def here(self) -> SeatBinding:
        if self.place is None:
            raise refusals.Refusal(
                'You sit at no table yet. Call table with do="list" to see what there is, do="open" to open a table, '
                'or do="sit" to sit down at one.',
                code="not_seated",
            )
        return self.place

    # ------------------------------------------------------------ what is seen

    @property
    def view(self) -> SeatView:
        """The table as this seat sees it."""
        return self.once("view", lambda: SeatView(self.house, self.here.table, self.here.seat))

    def look(self) -> State:
        return self.view.state

    @property
    def book(self) -> registry.Book:
        return self.view.book

    def is_game_master(self) -> bool:
        return self.view.is_game_master

    def role(self) -> str:
        return "co-pilot" if self.here.copilot else self.view.own.role.value

    @property
    def window(self) -> str:
        """The seat whose view results are given in: for a game master the person's, since the client shows results.

        It is this seat's own if there is no such person, or if secrets are open.
        """
        place = self.here
        if self.open_secrets or place.person not in self.look().seats or not self.is_game_master():
            return place.seat
        return place.person or place.seat

    @property
    def spoiler_safe(self) -> bool:
        return self.window != self.here.seat

    @property
    def shown_view(self) -> SeatView:
        """The table as results may show it."""

        def redacted() -> SeatView:
            state = self.look()
            view = SeatView(self.house, self.here.table, self.window)
            return view.over(redact(state, state.viewer(self.window)))

        return self.once("shown", redacted) if self.spoiler_safe else self.view

    def shown(self) -> State:
        return self.shown_view.state

    def journal(self, seat: str | None = None) -> Journal:
        """Return everything that a seat has seen, brought up to date."""
        seat = seat or self.here.seat
        journal = self._journals.setdefault(seat, Journal())
        if seat not in self._read and self._catch_up(journal, seat):
            journal = self._journals[seat] = Journal()
            self._catch_up(journal, seat)
        self._read.add(seat)
        return journal

    def _catch_up(self, journal: Journal, seat: str) -> bool:
        """Read on. Return True if what was read before has to be read again."""
        has_events = bool(journal.events)
        for page in SeatView(self.house, self.here.table, seat).pages(journal.cursor):
            if has_events and (page.restarted or any(event.name in TURNED_OVER for event in page.events)):
                return True
            journal.cursor = page.cursor
            journal.add(page.events)
        return False

    def events_of(self, outcome: Outcome) -> list[SeenEvent]:
        """Return all events of the command that an outcome belongs to, as results may show them."""
        journal = self.journal(self.window)
        if all(event.act == outcome.act for event in journal.events[self.told :]):
            self.told = len(journal.events)
        return journal.by_act.get(outcome.act, [])

    # ------------------------------------------------------------ what is done

    def act(self, command: str, fields: Mapping[str, Any], *, seat: str | None = None, **options: Any) -> Outcome:
        """Give a command on behalf of the model or, with a `seat`, of the person there."""
        giver = seat or self.here.seat
        program = seat is None
        try:
            return self.house.host.act(self.here.table, giver, (command, fields), program=program, **options)
        except refusals.OpensRolls as refusal:
            raise (self._in_handles(refusal) if self.spoiler_safe else refusal) from None
        finally:
            self.look_again()

    def filled_in(self, command: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Replace names in the fields with ids. A refusal lists no more than the person at the client may read."""
        book = self.book
        viewer = self.view.viewer
        try:
            return filled_in(book, viewer, book.command(command), fields, self.look())
        except refusals.NoSuchThing:
            return filled_in(book, viewer, book.command(command), fields, self.shown())

    def check_says_what_opens(self, keep: Sequence[str] | None) -> None:
        """Refuse, before anything is written, if the end of the present scene would open rolls that were not listed."""
        state = self.look()
        if self.is_game_master() and keep is None and state.calendar.scene is not None and state.closed_rolls:
            refusal = refusals.OpensRolls(state.closed_rolls)
            raise self._in_handles(refusal) if self.spoiler_safe else refusal

    def _in_handles(self, refusal: refusals.OpensRolls) -> refusals.Refusal:
        """Name closed rolls only by their handles, in a refusal that a person could read."""
        handles = ", ".join(f"act:{act}" for act in refusal.rolls)
        return refusals.Refusal(
            f"Ending the scene opens these closed rolls for everyone: {handles}. secret with do=read shows each. Call "
            "again with keep: the ids of those that stay sealed, or an empty list.",
            code=refusal.code,
        )

    def is_persons(self, who: str) -> bool:
        """Return whether this seat or character belongs to the person at the client."""
        state = self.look()
        place = self.here
        owner = handlers.seat_of(state, who)
        return owner == place.person or (owner == place.seat and place.copilot)

    def is_own(self, who: str) -> bool:
        """Return whether this session may decide for the seat or character without asking anyone."""
        state = self.look()
        place = self.here
        owner = handlers.seat_of(state, who)
        return (owner == place.seat and not place.copilot) or state.seats[owner].stand_in == place.seat


# ---------------------------------------------------------------- ids of commands

# Idempotency: the same intent sent twice is one roll. If a model names no intent and sends the same command again
# although nothing else has happened, it has not seen the answer or has forgotten it: it gets the same answer again. No
# tool takes an id as the store has it.

PURPOSE = b"astragal mcp intents 1"


def digest_of(session: McpSession, command: str, fields: Mapping[str, Any], *more: str) -> str:
    """Return a digest of a command and its fields, whenever it is given."""
    request = msgspec.json.encode([session.here.seat, command, fields, *more], order="deterministic")
    return hashlib.sha256(request).hexdigest()


def id_for(session: McpSession, digest: str, intent: str = "", commands: int = 1) -> str:
    """Return the command's id. `commands` is how many commands a repeated intent may have left in the log."""
    if intent:
        return _derived(session, "named", intent)
    events = session.journal().events
    position = place = len(events)
    for _ in range(commands):  # back to where the last command began, or the one before it
        act = events[place - 1].act if place else ""
        while place and events[place - 1].act == act:
            place -= 1
        command_id = _derived(session, "at", digest, str(place))
        if session.house.store.answer(session.here.table, command_id) is not None:
            return command_id
    return _derived(session, "at", digest, str(position))


def _derived(session: McpSession, *parts: str) -> str:
    """Derive an id with a key of the server's own: the same after a restart, and none that a model would send."""
    key = hashlib.sha256(PURPOSE + session.here.table.encode()).digest()
    parts_text = msgspec.json.encode([session.here.seat, *parts])
    return f"mcp-{hmac.new(key, parts_text, hashlib.sha256).hexdigest()[:32]}"
