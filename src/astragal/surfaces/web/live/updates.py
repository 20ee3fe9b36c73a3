"""Messages of live streams: new cards and changed panels for a page, events as JSON for a program."""

import hashlib
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import is_

import jinja2
import msgspec

from astragal.surfaces.web import rendering
from astragal.surfaces.web.live.dependencies import Reads, are_alike, as_found, holds, tracked
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

RELOAD, REDRAW, GONE, HAPPENED, ANEW, NUDGE = "reload", "redraw", "gone", "happened", "anew", "nudge"
"""The names of messages that are not parts of a page."""
REMEMBERED = 8
"""What was told to each of the last seats."""
MOST_CARDS = 32
"""Cards of a table that stay cached. All that are told at once are, however many."""


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
        """The cards of these events: as they were told to a seat that saw and read what looks the same, or anew."""
        for earlier, reads, text in self._told:
            if len(earlier) == len(events) and all(map(is_, earlier, events)) and holds(reads, session):
                return text
        for earlier, reads, text in self._told:
            if are_alike(earlier, events) and holds(reads, session):
                self._told.appendleft((events, as_found(reads, session), text))  # for whoever sees these very events
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
        """A message of parts, encoded once for all seats that are sent the same."""
        for earlier, encoded in self._messages:
            if earlier == text:
                return encoded
        encoded = message(text)
        self._messages.appendleft((text, encoded))
        return encoded

    def _drawn(self, session: SeatSession, thread: Thread) -> tuple[str, Reads]:
        """The card of a thread, and what was read for it."""
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


class SeatFollower:
    """Follower from a seat, for as long as its pass is valid."""

    def __init__(self, session: SeatSession, cursor: str) -> None:
        self._sitting, self._cursor = session, cursor

    @property
    def seat(self) -> str:
        return self._sitting.seat

    def is_allowed(self) -> bool:
        try:
            self._sitting.anew()
        except Refusal:
            return False
        return True

    def last_message(self) -> bytes:
        return message("", event=GONE)


def stamp_of(session: SeatSession) -> str:
    """Digest of what a page's panels are drawn from, but for who is connected: the history, the program and the seat.

    To be asked for before the page is drawn: what happens meanwhile gives another. It betrays nothing: the ledger has
    a line for whatever happens, and is public.
    """
    # Not by the session's state: it is to be looked at last, since a card is told by where things stand after it.
    ruleset, head = session.host.book_of(session.table).ruleset, session.ledger.head
    drawn_by = rendering.program_version(ruleset.sheet.__module__.partition(".")[0])
    drawn_from = f"{drawn_by} {ruleset.id} {ruleset.version} {session.context.settings.path} {session.seat} "
    return hashlib.blake2b(drawn_from.encode() + head, digest_size=8).hexdigest()


def mark(cursor: str, stamp: str, panels: DrawnPanels) -> str:
    """Where a page stands, for its stream to go on from: the `id` of its messages."""
    return ".".join((cursor, stamp, *(f"{name}-{digest}" for name, digest in panels.digests.items())))


class PageFollower(SeatFollower):
    """Keeps one page up to date, from the mark that it was rendered with.

    A page that comes back and has missed nothing needs no panel but those that show more than the log. The others are
    drawn once something happens: as the page has them, from the look that was taken at the table then, and as they are.
    One that has missed too much is to be loaded again, with a stream of its own. It is told nothing more.
    """

    def __init__(self, session: SeatSession, table: PageCache, mark: str) -> None:
        cursor, self._stamp, *digests = *mark.split("."), ""  # of an old page, there is only the cursor
        super().__init__(session, cursor)
        self._table = table
        self._digests = dict(one.split("-", 1) for one in digests if "-" in one)
        """Of the panels that show more than the log, as the page has them."""
        self._drawings: Mapping[str, Drawing] = {}
        """Panels as the page has them, as far as they are drawn."""
        self._undrawn: SeatSession | None = None
        """The look at the table that shows the others."""
        self._pictures: frozenset[str] = frozenset()
        """Those that this seat was last shown: cards of the log may have them, too."""
        self._seen: State | None = None
        self._is_over = False

    def news(self) -> Iterator[bytes]:
        if self._is_over:
            return
        now, is_first = self._sitting.anew(), not self._drawings
        stamp = stamp_of(now)
        page = _followed(now, self._cursor)
        if page.anew or page.more:
            self._is_over = True
            yield message("", event=RELOAD)
            return
        self._cursor = page.cursor
        panels, names = self._beside_the_log(now) if self._has_the_log(now, stamp) else self._changed(now)
        parts = [_part(f"#panel-{name}", "innerMorph", panels.drawings[name].text) for name in names]
        if page.events:
            parts.append(_part("#log", "beforeend", self._table.cards(now, page.events)))
        if parts or is_first:  # whoever comes back knows then that nothing was missed
            told = self._table.message("\n".join(parts)) if parts else b"\n"
            yield f"id: {mark(page.cursor, stamp, panels)}\n".encode() + told
        if self._lost_a_picture(now):
            yield message("", event=REDRAW)

    def _lost_a_picture(self, now: SeatSession) -> bool:
        """Is a picture gone that this seat was shown?"""
        before, self._seen = self._seen, now.state
        if before is not None and not may_show_others(before, now.state):
            return False
        shown, self._pictures = self._pictures, frozenset(in_view(now.state))
        return any("/" not in one and not now.host.album.holds(now.table, one) for one in shown - self._pictures)

    def _has_the_log(self, now: SeatSession, stamp: str) -> bool:
        """Has nothing happened since the page was drawn, nor while the table is looked at now?"""
        is_undrawn = not self._drawings or self._undrawn is not None
        if is_undrawn and self._digests and self._stamp == stamp:
            _ = now.state, now.decisions  # each is as it is when it is first asked for
            return stamp_of(now.anew()) == stamp
        return False

    def _beside_the_log(self, now: SeatSession) -> tuple[DrawnPanels, list[str]]:
        """Panels that show more than the log; and the names of those that are not as the page has them."""
        panels, before = self._table.panels(now, self._digests), self._drawings
        self._drawings = {name: panels.drawings[name] for name in self._digests if name in panels.drawings}
        self._undrawn = now
        return panels, [
            name
            for name, one in self._drawings.items()
            if (_differs(one, before[name]) if name in before else one.digest != self._digests[name])
        ]

    def _changed(self, now: SeatSession) -> tuple[DrawnPanels, list[str]]:
        """All panels; and the names of those that are not as the page has them, or that nobody knows of it."""
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
            page = _followed(self._sitting.anew(), self._cursor)
            self._cursor = page.cursor
            if page.events or page.anew:
                text = msgspec.json.encode(page.events).decode()
                yield message(text, event=ANEW if page.anew else HAPPENED, id=page.cursor)
            if not page.more:
                return


def _followed(session: SeatSession, cursor: str) -> Page:
    return session.host.follow(session.table, session.seat, cursor)


def _part(target: str, swap: str, text: str) -> str:
    return f'<hx-partial hx-target="{target}" hx-swap="{swap}">{text}</hx-partial>'
