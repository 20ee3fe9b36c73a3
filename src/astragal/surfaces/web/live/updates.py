"""Messages of live streams: new cards and changed panels for a page, events as JSON for a program."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import is_not

import jinja2
import msgspec

from astragal.surfaces.web.live.dependencies import Reads, are_alike, as_found, holds, tracked
from astragal.surfaces.web.live.hub import message
from astragal.surfaces.web.live.panels import Panel, PanelCache, changed_since
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Card, make_card
from astragal.surfaces.web.story.threads import threads_of
from astragal.table.log.album import in_view
from astragal.table.refusals import Refusal
from astragal.table.visibility.cursor import Page
from astragal.table.visibility.events import SeenEvent

RELOAD, REDRAW, GONE, HAPPENED, ANEW, NUDGE = "reload", "redraw", "gone", "happened", "anew", "nudge"
"""The names of messages that are not parts of a page."""
REMEMBERED = 8
"""Cards that are cached, and what was told to each of the last seats."""


class PageCache:
    """Rendering cache of one table's pages: cards and panels that look the same are rendered once."""

    def __init__(self, templates: jinja2.Environment, table: str, panels: Sequence[Panel]) -> None:
        self._panels = panels
        self._card: Callable[[Card], str] = vars(templates.get_template("story/cards.html").module)["card"]
        self._drawings = PanelCache(templates, table)
        self._told: deque[tuple[Sequence[SeenEvent], Reads, str]] = deque(maxlen=REMEMBERED)
        self._cards: deque[tuple[Card, str]] = deque(maxlen=REMEMBERED)
        self._messages: deque[tuple[str, str, bytes]] = deque(maxlen=REMEMBERED)

    def panels(self, session: SeatSession) -> Mapping[str, str]:
        return self._drawings.of(self._panels, session)

    def cards(self, session: SeatSession, events: Sequence[SeenEvent]) -> str:
        """The cards of these events: as they were told to a seat that saw and read what looks the same, or anew."""
        for earlier, reads, text in self._told:
            if are_alike(earlier, events) and holds(reads, session):
                if any(map(is_not, earlier, events)):  # whoever sees this very event next is told so at a glance
                    self._told.appendleft((events, as_found(reads, session), text))
                return text
        reading, reads = tracked(session)
        text = "".join(self._drawn(make_card(reading, thread)) for thread in threads_of(reading, events))
        self._told.appendleft((events, reads, text))
        return text

    def message(self, text: str, cursor: str) -> bytes:
        """A message of parts, encoded once for all seats that are sent the same."""
        for earlier, at, encoded in self._messages:
            if at == cursor and earlier == text:
                return encoded
        encoded = message(text, id=cursor)
        self._messages.appendleft((text, cursor, encoded))
        return encoded

    def _drawn(self, card: Card) -> str:
        for earlier, text in self._cards:
            if earlier.key == card.key and earlier == card:
                return text
        text = str(self._card(card))
        self._cards.appendleft((card, text))
        return text


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


class PageFollower(SeatFollower):
    """Keeps one page up to date, from the cursor and the panels that it was rendered with."""

    def __init__(self, session: SeatSession, table: PageCache, *, cursor: str, drawn: str) -> None:
        super().__init__(session, cursor)
        self._table, self._drawn = table, drawn
        self._panels: Mapping[str, str] | None = None
        """Panels as the page has them; at first only their digests are known."""
        self._pictures: frozenset[str] = frozenset()
        """Those that this seat was last shown: cards of the log may have them, too."""

    def news(self) -> Iterator[bytes]:
        now = self._sitting.anew()
        page = _followed(now, self._cursor)
        if page.anew or page.more:
            yield message("", event=RELOAD)
            return
        self._cursor = page.cursor
        parts = list(self._changed(now))
        if page.events:
            parts.append(_part("#log", "beforeend", self._table.cards(now, page.events)))
        if parts:
            yield self._table.message("\n".join(parts), page.cursor)
        before, self._pictures = self._pictures, frozenset(in_view(now.state))
        if any("/" not in one and not now.host.album.holds(now.table, one) for one in before - self._pictures):
            yield message("", event=REDRAW)

    def _changed(self, now: SeatSession) -> Iterator[str]:
        before, after = self._panels, self._table.panels(now)
        self._panels = after
        if before is after:
            return
        if before is None:
            names = changed_since(self._drawn, after)
        else:
            names = [name for name, text in after.items() if before[name] != text]
        for name in names:
            yield _part(f"#panel-{name}", "innerMorph", after[name])


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
