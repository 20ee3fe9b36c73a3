"""Panels: the parts of a table's page that change while people play. Each is rendered and sent when it has changed.

A panel is a template, `templates/table/panels/NAME.html`, and a function that gives the template's context for a seat.
The page shows every panel inside an element with the id `panel-NAME`; the live stream morphs that element's content.

A template shows only what is in its context; of the table itself it knows no more than the address (`at.table`). So a
context that equals an earlier one gives the same text, whichever seat it is for, and is not rendered again.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any, Self

import jinja2
from jinja2.runtime import Macro
from msgspec import Struct, field

from astragal.surfaces.shared.context import cached
from astragal.surfaces.web.live.dependencies import (
    BESIDE_THE_STATE,
    EVENTS_OF,
    VOLATILE,
    Parts,
    Path,
    Reads,
    changed,
    holds,
    tracked,
)
from astragal.surfaces.web.session import SeatSession
from astragal.table.state.table import State

REMEMBERED = 6
"""Cached renderings of one panel: about as many as there are before a decision and while it waits."""
MOST_PARTS = 100

Context = Mapping[str, Any]


class Place(Struct, frozen=True):
    """The address of the table and cached parts: all that a panel's template knows besides its context."""

    table: str
    parts: dict[Hashable, str] = field(default_factory=dict)
    """Cache of rendered parts of panels."""

    def once(self, part: Macro, *arguments: Hashable, **options: Hashable) -> str:
        """Render a part, such as a person's card, once for all panels that show the same."""
        key = part.name, arguments, *options.items()
        if key not in self.parts:
            if len(self.parts) >= MOST_PARTS:
                self.parts.clear()
            self.parts[key] = part(self, *arguments, **options)
        return self.parts[key]


class Panel(Struct, frozen=True):
    """A panel of the page. `shows` returns its template's context, made of comparable values; None leaves it empty."""

    name: str
    shows: Callable[[SeatSession], Context | None]

    def with_context(self, templates: jinja2.Environment, place: Place, context: Context | None) -> str:
        if context is None:
            return ""
        return templates.get_template(f"table/panels/{self.name}.html").render(at=place, **context)


class Renderings:
    """Cache of the newest texts of one panel, by the context that each was rendered from."""

    def __init__(self, panel: Panel, templates: jinja2.Environment, place: Place) -> None:
        self._panel = panel
        self._templates = templates
        self._place = place
        self._texts: deque[tuple[Context | None, str]] = deque(maxlen=REMEMBERED)

    def of(self, context: Context | None) -> str:
        for earlier, text in self._texts:
            if earlier == context:
                return text
        text = self._panel.with_context(self._templates, self._place, context)
        self._texts.appendleft((context, text))
        return text


class Drawing:
    """A panel as a seat sees it, with what was read for it. Its text is rendered on first access."""

    def __init__(self, reads: Reads, context: Context | None, renderings: Renderings) -> None:
        self.reads = reads
        self._context = context
        self._renderings = renderings
        self.rests_on_the_log = VOLATILE.isdisjoint(reads) and not any(path[0] == EVENTS_OF for path in reads)
        """True if it stays the same for as long as nothing happens at the table."""

    @cached
    def text(self) -> str:
        return self._renderings.of(self._context)

    @cached
    def digest(self) -> str:
        """Digest of what it shows, the same in every process."""
        return hashlib.blake2b(repr(self._context).encode(), digest_size=5).hexdigest()

    def shows_the_same(self, drawing: Self) -> bool:
        return self._context == drawing._context or self.text == drawing.text


class DrawnPanels:
    """The panels of a page as one seat sees them, by name."""

    def __init__(self, state: State | None, drawings: Mapping[str, Drawing]) -> None:
        self._state = state
        self.drawings = drawings
        self._all: Reads = {}
        """What any panel has read. All are of the same moment, so a value that several have read is compared once."""
        for drawing in drawings.values():
            self._all.update(drawing.reads)
        self._beside: Reads = {path: value for path, value in self._all.items() if path in BESIDE_THE_STATE}

    @cached
    def digests(self) -> Mapping[str, str]:
        """Digests, by name, of the panels that may change though nothing happens at the table."""
        return {name: drawing.digest for name, drawing in self.drawings.items() if not drawing.rests_on_the_log}

    def stale(self, session: SeatSession) -> set[Path]:
        """Return the paths that were read and have a different value now."""
        reads = self._beside if self._state is session.state else self._all
        self._state = session.state
        return set(changed(reads, session))


class PanelCache:
    """Cache of drawn panels for the followers of one table."""

    def __init__(self, templates: jinja2.Environment, table: str) -> None:
        self._templates = templates
        self._place = Place(table)
        self._parts = Parts()
        self._seats: dict[str, DrawnPanels] = {}
        """The panels of each seat at the table, as they were drawn last: only stale ones are drawn again."""
        self._shared: dict[str, deque[Drawing]] = {}
        """Newest drawings of each panel, whichever seat they were made for."""
        self._renderings: dict[str, Renderings] = {}

    def of(self, panels: Collection[Panel], session: SeatSession, names: Collection[str] | None = None) -> DrawnPanels:
        """Return the panels as this seat sees them now, from the cache where nothing has changed.

        With `names`, return those panels and all that are cached for the seat: cached panels are of one moment.
        """
        page = self._seats.get(session.seat) or DrawnPanels(None, {})
        stale = page.stale(session)
        if not stale and len(page.drawings) >= len(panels if names is None else names):
            return page
        drawn_again = {}
        for panel in panels:
            drawing = page.drawings.get(panel.name)
            if drawing is None:
                is_due = names is None or panel.name in names
            else:
                is_due = not stale.isdisjoint(drawing.reads)
            if is_due:
                drawn_again[panel.name] = self._drawing(panel, session)
        if not drawn_again:
            return page
        page = DrawnPanels(session.state, {**page.drawings, **drawn_again})
        self._seats[session.seat] = page
        if len(self._seats) > len(session.state.seats):
            self._drop_removed_seats(session.state)
        return page

    def _drop_removed_seats(self, state: State) -> None:
        """Drop the panels of seats that left the table, which would keep a state of long ago."""
        self._seats = {seat: page for seat, page in self._seats.items() if seat in state.seats}

    def _drawing(self, panel: Panel, session: SeatSession) -> Drawing:
        """Return a drawing that is valid for this seat: a cached one, perhaps made for another seat, or a new one."""
        shared = self._shared.setdefault(panel.name, deque(maxlen=REMEMBERED))
        for drawing in shared:
            if holds(drawing.reads, session):
                return drawing
        if panel.name not in self._renderings:
            self._renderings[panel.name] = Renderings(panel, self._templates, self._place)
        tracking, reads = tracked(session, self._parts)
        drawing = Drawing(reads, panel.shows(tracking), self._renderings[panel.name])
        shared.appendleft(drawing)
        return drawing
