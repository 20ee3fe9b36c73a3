"""Messages of live streams: new cards and changed panels for a page, events as JSON for a program."""

import hashlib
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import is_

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

RELOAD, REDRAW, GONE, HAPPENED, RESTARTED, NUDGE = "reload", "redraw", "gone", "happened", "restarted", "nudge"
RECEIPT = "receipt"
"""Names of the messages that are not parts of a page."""
BLANKED = "text_blanked"
"""Event after which cards that a page has show less."""
REMEMBERED = 8
"""Entries of each cache here: one for each of the last seats that were sent something."""
MOST_CARDS = 32
"""Cards of a table that stay cached. Cards that are sent together all do, however many."""


class PageCache:
    """Rendering cache of one table's pages: cards and panels that look the same are rendered once."""

    def __init__(self, templates: jinja2.Environment, table: str, panels: Sequence[Panel]) -> None:
        self._panels = panels
        self._card: Callable[[Card], str] = vars(templates.get_template("story/cards.html").module)["card"]
        self._drawings = PanelCache(templates, table)
        self._told: deque[tuple[Sequence[SeenEvent], Reads, str]] = deque(maxlen=REMEMBERED)
        self._cards: dict[str, deque[tuple[Thread, Reads, Card, str]]] = {}
        self._messages: deque[tuple[str, bytes]] = deque(maxlen=REMEMBERED)

    def panels(self, session: SeatSession, names: Collection[str] | None = None) -> DrawnPanels:
        """The panels as this seat sees them: all, or at least those of these names."""
        return self._drawings.of(self._panels, session, names)

    def cards(self, session: SeatSession, events: Sequence[SeenEvent]) -> str:
        """Return the rendered cards of these events, from the cache if a seat saw the same events and read the same."""
        for earlier, reads, text in self._told:
            if len(earlier) == len(events) and all(map(is_, earlier, events)) and holds(reads, session):
                return text
        for earlier, reads, text in self._told:
            if are_alike(earlier, events) and holds(reads, session):
                self._told.appendleft((events, rebased(reads, session), text))  # for seats with these very objects
                return text
        reading, reads = tracked(session)
        text, threads = "", threads_of(reading, events)
        for thread in threads:
            drawn, read_for_it = self._drawn(session, thread)
            text += drawn
            reads |= read_for_it
        self._told.appendleft((events, reads, text))
        for key in tuple(self._cards)[: -max(MOST_CARDS, len(threads))]:
            del self._cards[key]
        return text

    def message(self, text: str) -> bytes:
        """Return a message of page parts, encoded once for all seats that are sent the same."""
        for earlier, encoded in self._messages:
            if earlier == text:
                return encoded
        encoded = message(text)
        self._messages.appendleft((text, encoded))
        return encoded

    def _drawn(self, session: SeatSession, thread: Thread) -> tuple[str, Reads]:
        """Return the rendered card of a thread, and what was read for it."""
        known = self._cards.setdefault(thread.key, deque(maxlen=REMEMBERED))
        for earlier, reads, _, text in known:
            if are_alike(earlier.events, thread.events) and holds(reads, session):
                return text, reads
        reading, reads = tracked(session)
        card = make_card(reading, thread)
        text = next((text for *_, alike, text in known if alike == card), "") or str(self._card(card))
        known.appendleft((thread, reads, card, text))
        return text, reads


def nudge() -> bytes:
    """The message that reminds a seat of its turn."""
    return message("", event=NUDGE)


def receipt_message(session: SeatSession) -> bytes:
    """Encode the receipt of the ledger as it is, for the browser to keep: what it promises can't be replaced later."""
    return message(
        msgspec.json.encode({**session.ledger.receipt._asdict(), "table": session.table}).decode(), event=RECEIPT
    )


class SeatFollower:
    """Follower for a seat, for as long as its pass is valid."""

    def __init__(self, session: SeatSession, cursor: str) -> None:
        self._session, self._cursor = session, cursor

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
    ruleset, head = session.host.book_of(session.table).ruleset, session.ledger.head
    drawn_by = rendering.program_version(ruleset.sheet.__module__.partition(".")[0])
    drawn_from = f"{drawn_by} {ruleset.id} {ruleset.version} {session.context.settings.path} {session.seat} "
    return hashlib.blake2b(drawn_from.encode() + head, digest_size=8).hexdigest()


def mark(cursor: str, stamp: str, panels: DrawnPanels) -> str:
    """Resume token of a page, from which its stream goes on: the `id` of its messages."""
    return ".".join((cursor, stamp, *(f"{name}-{digest}" for name, digest in panels.digests.items())))


class PageFollower(SeatFollower):
    """Keeps one page up to date, from the mark that it was rendered with.

    A page that comes back and has missed nothing needs only the panels that show more than the log. The others are
    drawn, to be compared, once something happens: as the page has them, from the session of that time, and as they are
    now. A page that has missed too much is told to reload, which opens a new stream; this one sends nothing more.
    """

    def __init__(self, session: SeatSession, table: PageCache, mark: str) -> None:
        cursor, self._stamp, *digests = *mark.split("."), ""  # an old page has only the cursor
        super().__init__(session, cursor)
        self._table = table
        self._digests = dict(one.split("-", 1) for one in digests if "-" in one)
        """Digests of the panels that show more than the log, as the page has them."""
        self._drawings: Mapping[str, Drawing] = {}
        """Panels as the page has them, as far as they have been drawn."""
        self._undrawn: SeatSession | None = None
        """The session that the other panels are drawn from, as the page has them."""
        self._pictures: frozenset[str] = frozenset()
        """Pictures that this seat was last shown. Cards of the log may have them, too."""
        self._seen: State | None = None
        self._is_over = False

    def news(self) -> Iterator[bytes]:
        if self._is_over:
            return
        now, is_first = self._session.refreshed(), not self._drawings
        stamp = page_digest(now)
        page = _followed(now, self._cursor)
        if page.restarted or page.more:
            self._is_over = True
            yield message("", event=RELOAD)
            return
        self._cursor = page.cursor
        panels, names = self._beside_the_log(now) if self._has_the_log(now, stamp) else self._changed(now)
        parts = [_part(f"#panel-{name}", "innerMorph", panels.drawings[name].text) for name in names]
        if page.events:
            parts.append(_part("#log", "beforeend", self._table.cards(now, page.events)))
        if parts or is_first:  # an empty one tells a page that comes back that it missed nothing
            told = self._table.message("\n".join(parts)) if parts else b"\n"
            yield f"id: {mark(page.cursor, stamp, panels)}\n".encode() + told + receipt_message(now)
        if self._lost_a_picture(now) or any(event.name == BLANKED for event in page.events):
            yield message("", event=REDRAW)

    def _lost_a_picture(self, now: SeatSession) -> bool:
        """Return whether a picture that this seat was shown is gone."""
        before, self._seen = self._seen, now.state
        if before is not None and not may_show_others(before, now.state):
            return False
        shown, self._pictures = self._pictures, frozenset(in_view(now.state))
        return any("/" not in one and not now.host.album.holds(now.table, one) for one in shown - self._pictures)

    def _has_the_log(self, now: SeatSession, stamp: str) -> bool:
        """Return whether nothing has happened since the page was drawn, nor while this session was read."""
        is_undrawn = not self._drawings or self._undrawn is not None
        if is_undrawn and self._digests and self._stamp == stamp:
            _ = now.state, now.decisions  # both are lazy: read them now, before the stamp is compared
            return page_digest(now.refreshed()) == stamp
        return False

    def _beside_the_log(self, now: SeatSession) -> tuple[DrawnPanels, list[str]]:
        """Draw the panels that show more than the log. Return them, and the names of those that have changed."""
        panels, before = self._table.panels(now, self._digests), self._drawings
        self._drawings = {name: panels.drawings[name] for name in self._digests if name in panels.drawings}
        self._undrawn = now
        return panels, [
            name
            for name, one in self._drawings.items()
            if (_differs(one, before[name]) if name in before else one.digest != self._digests[name])
        ]

    def _changed(self, now: SeatSession) -> tuple[DrawnPanels, list[str]]:
        """Draw all panels. Return them, and the names of those that have changed or that the page may not have."""
        before = self._drawings
        if self._undrawn is not None:
            before, self._undrawn = {**self._table.panels(self._undrawn).drawings, **before}, None
        panels = self._table.panels(now)
        self._drawings = panels.drawings
        return panels, [
            name for name, one in self._drawings.items() if name not in before or _differs(one, before[name])
        ]


def _differs(one: Drawing, before: Drawing) -> bool:
    return one is not before and not one.shows_the_same(before)


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
