"""Panels: the parts of a table's page that change while people play. Each is rendered and sent when it has changed.

A panel is a template, `templates/table/panels/NAME.html`, and a function that gives the template's context for a seat.
The page shows every panel inside an element with the id `panel-NAME`; the live stream morphs that element's content.

What a template shows is in its context, and nowhere else: of the table itself it knows no more than the address
(`at.table`). So a context that equals an earlier one makes the same text, for whichever seat, and is not drawn again.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jinja2
from jinja2.runtime import Macro

from astragal.surfaces.web.live.dependencies import BESIDE_THE_STATE, Path, Reads, changed, holds, tracked
from astragal.surfaces.web.session import SeatSession
from astragal.table.state.table import State

REMEMBERED = 6
"""Renderings of one panel that are cached: about as many as there are before a decision and while it waits."""
MOST_PARTS = 100

Context = Mapping[str, Any]


@dataclass(frozen=True)
class Place:
    """What a panel's template knows besides its context."""

    table: str
    parts: dict[Hashable, str] = field(default_factory=dict)
    """Drawings of parts of panels."""

    def once(self, part: Macro, *shown: Hashable, **how: Hashable) -> str:
        """Draw a part, such as the card of a person, once for all panels that show the same."""
        key = part.name, shown, *how.items()
        if key not in self.parts:
            if len(self.parts) >= MOST_PARTS:
                self.parts.clear()
            self.parts[key] = part(self, *shown, **how)
        return self.parts[key]


@dataclass(frozen=True)
class Panel:
    """`shows` gives the template's context, made of values that can be compared; None leaves the panel empty."""

    name: str
    shows: Callable[[SeatSession], Context | None]

    def drawn(self, templates: jinja2.Environment, session: SeatSession) -> str:
        return self.with_context(templates, Place(session.table), self.shows(session))

    def with_context(self, templates: jinja2.Environment, place: Place, context: Context | None) -> str:
        if context is None:
            return ""
        return templates.get_template(f"table/panels/{self.name}.html").render(at=place, **context)


def digest_of(drawn: Mapping[str, str]) -> str:
    """Digest of each panel as a page has it, so that its stream need not send it again."""
    return ".".join(map(_short, drawn.values()))


def changed_since(digest: str, drawn: Mapping[str, str]) -> list[str]:
    """Names of the panels that differ from a digest; all of them if the digest is unknown."""
    known = digest.split(".")
    if len(known) != len(drawn):
        return list(drawn)
    return [name for (name, text), before in zip(drawn.items(), known, strict=True) if _short(text) != before]


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()


class _Page:
    """The panels as one seat was last shown them, by name, and what each read."""

    def __init__(self, state: State | None, reads: Mapping[str, Reads], texts: Mapping[str, str]) -> None:
        self._state, self.reads, self.texts = state, reads, texts
        # All of them hold at one moment, so what several have read is compared once.
        self._all: Reads = {path: value for one in reads.values() for path, value in one.items()}
        self._beside: Reads = {path: value for path, value in self._all.items() if path in BESIDE_THE_STATE}

    def stale(self, session: SeatSession) -> set[Path]:
        """What was read, and would be found different now."""
        found = set(changed(self._beside if self._state is session.state else self._all, session))
        self._state = session.state
        return found


class PanelCache:
    """Cache of rendered panels for the followers of one table."""

    def __init__(self, templates: jinja2.Environment, table: str) -> None:
        self._templates, self._place = templates, Place(table)
        self._seats: dict[str, _Page] = {}
        self._shared: dict[str, deque[tuple[Reads, str]]] = {}
        """Newest drawings of each panel, whoever they were made for."""
        self._drawn: dict[str, deque[tuple[Context | None, str]]] = {}

    def of(self, panels: Iterable[Panel], session: SeatSession) -> Mapping[str, str]:
        """The HTML of each panel, as this seat sees it now; the same mapping as before where nothing has changed."""
        page = self._seats.get(session.seat) or _Page(None, {}, {})
        stale = page.stale(session)
        if page.reads and not stale:
            return page.texts
        due = [one for one in panels if one.name not in page.reads or not stale.isdisjoint(page.reads[one.name])]
        if due:
            drawn = {panel.name: self._text(panel, session) for panel in due}
            texts = {**page.texts, **{name: text for name, (_, text) in drawn.items()}}
            page = _Page(session.state, {**page.reads, **{name: reads for name, (reads, _) in drawn.items()}}, texts)
            self._seats[session.seat] = page
        return page.texts

    def _text(self, panel: Panel, session: SeatSession) -> tuple[Reads, str]:
        """A drawing that holds for this seat: one that another seat has just been shown, or a new one."""
        shared = self._shared.setdefault(panel.name, deque(maxlen=REMEMBERED))
        for reads, text in shared:
            if holds(reads, session):
                return reads, text
        reading, reads = tracked(session)
        text = self._draw(panel, panel.shows(reading))
        shared.appendleft((reads, text))
        return reads, text

    def _draw(self, panel: Panel, context: Context | None) -> str:
        drawn = self._drawn.setdefault(panel.name, deque(maxlen=REMEMBERED))
        for earlier, text in drawn:
            if earlier == context:
                return text
        text = panel.with_context(self._templates, self._place, context)
        drawn.appendleft((context, text))
        return text
