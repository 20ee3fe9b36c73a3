"""Messages of live streams: new cards and changed panels for a page, events as JSON for a program."""

import hashlib
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import is_
from typing import NamedTuple

import jinja2
import msgspec

from astragal.surfaces.web import rendering
from astragal.surfaces.web.live.dependencies import Reads, are_alike, holds, rebased, tracked
from astragal.surfaces.web.live.panels import Drawing, DrawnPanels, Panel, PanelCache
from astragal.surfaces.web.live.queue import message
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Card, make_card
from astragal.surfaces.web.story.threads import Thread, threads_of
from astragal.table.log.album import in_view, may_show_others
from astragal.table.refusals import Refusal
from astragal.table.state.table import State
from astragal.table.visibility.cursor import Page
from astragal.table.visibility.events import SeenEvent

RELOAD = "reload"
REDRAW = "redraw"
GONE = "gone"
HAPPENED = "happened"
RESTARTED = "restarted"
NUDGE = "nudge"
RECEIPT = "receipt"
"""Names of the messages that are not parts of a page."""
BLANKED = "text_blanked"
"""Event after which cards that a page has show less."""
REMEMBERED = 8
"""Entries of each cache here: one for each of the last seats that were sent something."""
MOST_CARDS = 32
"""Cards of a table that stay cached. Cards that are sent together all do, however many."""


class CardsText(NamedTuple):
    """The rendered cards of a page of events, as a seat was sent them, with what was read for them."""

    events: Sequence[SeenEvent]
    reads: Reads
    text: str


class CardText(NamedTuple):
    """The rendered card of one thread, with what was read for it."""

    thread: Thread
    reads: Reads
    card: Card
    text: str


class PageCache:
    """Rendering cache of one table's pages: cards and panels that look the same are rendered once.

    It ends with the last follower of the table.
    """

    def __init__(self, templates: jinja2.Environment, table: str, panels: Sequence[Panel]) -> None:
        self._panels = panels
        self._render_card: Callable[[Card], str] = vars(templates.get_template("story/cards.html").module)["card"]
        self._drawings = PanelCache(templates, table)
        self._cards_of_events: deque[CardsText] = deque(maxlen=REMEMBERED)
        self._cards_of_thread: dict[str, deque[CardText]] = {}
        self._messages: deque[tuple[str, bytes]] = deque(maxlen=REMEMBERED)
        """The newest messages, each before and after it was encoded."""

    def panels(self, session: SeatSession, names: Collection[str] | None = None) -> DrawnPanels:
        """The panels as this seat sees them: all, or at least those of these names."""
        return self._drawings.of(self._panels, session, names)

    def cards(self, session: SeatSession, events: Sequence[SeenEvent]) -> str:
        """Return the rendered cards of these events, from the cache if a seat saw the same events and read the same."""
        for cards in self._cards_of_events:
            if _are_identical(cards.events, events) and holds(cards.reads, session):
                return cards.text
        for cards in self._cards_of_events:
            if are_alike(cards.events, events) and holds(cards.reads, session):
                own_cards = CardsText(events, rebased(cards.reads, session), cards.text)
                self._cards_of_events.appendleft(own_cards)  # for seats with these very objects
                return cards.text
        tracking, reads = tracked(session)
        threads = threads_of(tracking, events)
        text = ""
        for thread in threads:
            card = self._card_of(session, thread)
            text += card.text
            reads |= card.reads
        self._cards_of_events.appendleft(CardsText(events, reads, text))
        self._drop_oldest_cards(max(MOST_CARDS, len(threads)))
        return text

    def message(self, text: str) -> bytes:
        """Return a message of page parts, encoded once for all seats that are sent the same."""
        for earlier, encoded in self._messages:
            if earlier == text:
                return encoded
        encoded = message(text)
        self._messages.appendleft((text, encoded))
        return encoded

    def _card_of(self, session: SeatSession, thread: Thread) -> CardText:
        """Return the rendered card of a thread as this seat sees it."""
        earlier_cards = self._cards_of_thread.setdefault(thread.key, deque(maxlen=REMEMBERED))
        for earlier in earlier_cards:
            if are_alike(earlier.thread.events, thread.events) and holds(earlier.reads, session):
                return earlier
        tracking, reads = tracked(session)
        card = make_card(tracking, thread)
        text = next((earlier.text for earlier in earlier_cards if earlier.card == card), "")
        rendered = CardText(thread, reads, card, text or str(self._render_card(card)))
        earlier_cards.appendleft(rendered)
        return rendered

    def _drop_oldest_cards(self, most: int) -> None:
        for key in tuple(self._cards_of_thread)[:-most]:
            del self._cards_of_thread[key]


def _are_identical(events: Sequence[SeenEvent], earlier: Sequence[SeenEvent]) -> bool:
    """Return whether both hold the very same objects, which is quicker to say than whether they are alike."""
    return len(events) == len(earlier) and all(map(is_, events, earlier))


def nudge() -> bytes:
    """The message that reminds a seat of its turn."""
    return message("", event=NUDGE)


def receipt_message(session: SeatSession) -> bytes:
    """Encode the receipt of the ledger as it is, for the browser to keep: what it promises can't be replaced later."""
    receipt = {**session.ledger.receipt._asdict(), "table": session.table}
    return message(msgspec.json.encode(receipt).decode(), event=RECEIPT)


class SeatFollower:
    """Follower for a seat, for as long as its pass is valid."""

    def __init__(self, session: SeatSession, cursor: str) -> None:
        self._session = session
        self._cursor = cursor

    @property
    def seat(self) -> str:
        return self._session.seat

    def is_allowed(self) -> bool:
        try:
            self._session.refreshed()
        except Refusal:
            return False
        return True

    def last_message(self) -> bytes:
        return message("", event=GONE)


def page_digest(session: SeatSession) -> str:
    """Digest of what a page's panels are drawn from, except who is connected: the history, the program and the seat.

    Call it before the page is drawn, so that anything that happens meanwhile gives another digest. It leaks nothing:
    the ledger is public, and has a line for everything that happens.
    """
    # Don't read the session's state here. It has to be read last, since a card depends on the state after its events.
    ruleset = session.host.book_of(session.table).ruleset
    head = session.ledger.head
    program = rendering.program_version(ruleset.sheet.__module__.partition(".")[0])
    sources = f"{program} {ruleset.id} {ruleset.version} {session.context.settings.path} {session.seat} "
    return hashlib.blake2b(sources.encode() + head, digest_size=8).hexdigest()


def mark(cursor: str, stamp: str, panels: DrawnPanels) -> str:
    """Resume token of a page, from which its stream goes on: the `id` of its messages."""
    digests = [f"{name}-{digest}" for name, digest in panels.digests.items()]
    return ".".join([cursor, stamp, *digests])


class PageFollower(SeatFollower):
    """Keeps one page up to date, from the mark that it was rendered with.

    A page that comes back and has missed nothing needs only the panels that show more than the log. The others are
    drawn, to be compared, once something happens: as the page has them, from the session of that time, and as they are
    now. A page that has missed too much is told to reload, which opens a new stream; this one sends nothing more.
    """

    def __init__(self, session: SeatSession, table: PageCache, mark: str) -> None:
        cursor, _, stamp_and_digests = mark.partition(".")
        stamp, _, digests = stamp_and_digests.partition(".")  # an old page has only the cursor
        super().__init__(session, cursor)
        self._stamp = stamp
        self._table = table
        self._digests = dict(digest.split("-", 1) for digest in digests.split(".") if "-" in digest)
        """Digests of the panels that show more than the log, as the page has them."""
        self._drawings: Mapping[str, Drawing] = {}
        """Panels as the page has them, as far as they have been drawn."""
        self._undrawn: SeatSession | None = None
        """The session that the other panels are drawn from, as the page has them."""
        self._pictures: frozenset[str] = frozenset()
        """Pictures that this seat was last shown. Cards of the log may have them, too."""
        self._last_state: State | None = None
        """The table as it was at the last message."""
        self._is_over = False

    def news(self) -> Iterator[bytes]:
        if self._is_over:
            return
        session = self._session.refreshed()
        is_first = not self._drawings
        stamp = page_digest(session)
        page = _followed(session, self._cursor)
        if page.restarted or page.more:
            self._is_over = True
            yield message("", event=RELOAD)
            return
        self._cursor = page.cursor
        if self._has_the_log(session, stamp):
            panels, changed = self._beside_the_log(session)
        else:
            panels, changed = self._all_panels(session)
        parts = [_part(f"#panel-{name}", "innerMorph", panels.drawings[name].text) for name in changed]
        if page.events:
            parts.append(_part("#log", "beforeend", self._table.cards(session, page.events)))
        if parts or is_first:  # an empty one tells a page that comes back that it missed nothing
            update = self._table.message("\n".join(parts)) if parts else b"\n"
            yield f"id: {mark(page.cursor, stamp, panels)}\n".encode() + update + receipt_message(session)
        if self._lost_a_picture(session) or any(event.name == BLANKED for event in page.events):
            yield message("", event=REDRAW)

    def _lost_a_picture(self, session: SeatSession) -> bool:
        """Return whether a picture that this seat was shown is gone."""
        last_state = self._last_state
        self._last_state = session.state
        if last_state is not None and not may_show_others(last_state, session.state):
            return False
        last_pictures = self._pictures
        self._pictures = frozenset(in_view(session.state))
        uploaded = [picture for picture in last_pictures - self._pictures if "/" not in picture]
        return any(not session.host.album.holds(session.table, picture) for picture in uploaded)

    def _has_the_log(self, session: SeatSession, stamp: str) -> bool:
        """Return whether nothing has happened since the page was drawn, nor while this session was read."""
        is_undrawn = not self._drawings or self._undrawn is not None
        if is_undrawn and self._digests and self._stamp == stamp:
            _ = session.state, session.decisions  # both are lazy: read them now, before the stamp is compared
            return page_digest(session.refreshed()) == stamp
        return False

    def _beside_the_log(self, session: SeatSession) -> tuple[DrawnPanels, list[str]]:
        """Draw the panels that show more than the log. Return them, and the names of those that have changed."""
        panels = self._table.panels(session, self._digests)
        previous = self._drawings
        self._drawings = {name: panels.drawings[name] for name in self._digests if name in panels.drawings}
        self._undrawn = session
        changed = []
        for name, drawing in self._drawings.items():
            if name in previous:
                has_changed = _differs(drawing, previous[name])
            else:
                has_changed = drawing.digest != self._digests[name]
            if has_changed:
                changed.append(name)
        return panels, changed

    def _all_panels(self, session: SeatSession) -> tuple[DrawnPanels, list[str]]:
        """Draw all panels. Return them, and the names of those that have changed or that the page may not have."""
        previous = self._drawings
        if self._undrawn is not None:
            previous = {**self._table.panels(self._undrawn).drawings, **previous}
            self._undrawn = None
        panels = self._table.panels(session)
        self._drawings = panels.drawings
        changed = [
            name
            for name, drawing in self._drawings.items()
            if name not in previous or _differs(drawing, previous[name])
        ]
        return panels, changed


def _differs(drawing: Drawing, previous: Drawing) -> bool:
    return drawing is not previous and not drawing.shows_the_same(previous)


class EventFollower(SeatFollower):
    """Streams a seat's events to a program."""

    def news(self) -> Iterator[bytes]:
        while True:
            page = _followed(self._session.refreshed(), self._cursor)
            self._cursor = page.cursor
            if page.events or page.restarted:
                text = msgspec.json.encode(page.events).decode()
                yield message(text, event=RESTARTED if page.restarted else HAPPENED, id=page.cursor)
            if not page.more:
                return


def _followed(session: SeatSession, cursor: str) -> Page:
    return session.host.follow(session.table, session.seat, cursor)


def _part(target: str, swap: str, text: str) -> str:
    return f'<hx-partial hx-target="{target}" hx-swap="{swap}">{text}</hx-partial>'
