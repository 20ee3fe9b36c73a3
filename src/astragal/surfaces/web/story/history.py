"""History of scenes as a seat has seen it: from scene to scene, and on branches that a rewind left behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from astragal.surfaces.web.session import SeatSession
from astragal.table.authoring.declarations import Nature, kind_of_event
from astragal.table.visibility.events import SeenEvent

A_PAGE = 200
SAID_WITH_ANOTHER = frozenset({"option_offered", "rolled"})
ABOUT_SCENES = ("scene_began", "option_taken", "save_node_marked", "rewound")


@dataclass(frozen=True)
class Walk:
    """The story went from one scene to another; by one of its ways on, where one was taken."""

    start: str
    end: str
    words: str = ""
    left: bool = False
    """Did a rewind leave it behind?"""


@dataclass(frozen=True)
class Branch:
    """A branch that a rewind left behind."""

    label: str
    """The save node that the story went back to; none for an undo."""
    price: str
    amount: int
    scenes: tuple[str, ...]
    """The titles of the scenes that were told on it."""


@dataclass
class Walked:
    titles: dict[str, str] = field(default_factory=dict)
    walks: list[Walk] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)


def walked(session: SeatSession) -> Walked:
    """Walks, titles and branches, read from the log."""
    return _read(session.host.told(session.table, session.seat, ABOUT_SCENES))


def _newest_first(session: SeatSession) -> Iterator[SeenEvent]:
    page = session.host.latest(session.table, session.seat, most=A_PAGE)
    yield from reversed(page.events)
    while page.start:
        page = session.host.latest(session.table, session.seat, before=page.start, most=A_PAGE)
        yield from reversed(page.events)


def _read(events: Iterable[SeenEvent]) -> Walked:
    found = Walked()
    here = kept = by = ""
    saved: dict[str, str] = {}
    off: list[str] = []
    for event in events:
        fields = event.fields
        if event.name == "scene_began":
            scene = str(fields["scene"])
            found.titles[scene] = str(fields["title"])
            if here and here != scene:
                found.walks.append(Walk(here, scene, by, event.abandoned))
            here, by = scene, ""
            if event.abandoned:
                off.append(str(fields["title"]))
            else:
                kept = scene
        elif event.name == "option_taken":
            by = str(fields["words"])
        elif event.name == "save_node_marked":
            saved[str(fields["label"])] = here
        elif event.name == "rewound":
            label = str(fields["label"])
            found.branches.append(Branch(label, str(fields["price"]), int(fields["amount"]), tuple(off)))
            here, by, off = saved.get(label, kept) if label else kept, "", []
    return found


# ---------------------------------------------------------------- what would be taken back


def last_told(session: SeatSession) -> tuple[str, ...]:
    """The newest command of the story, in words: an undo would take it back."""
    story = _story(session)
    newest = next(story, None)
    if newest is None:
        return ()
    deed = [newest, *takewhile(lambda event: event.act == newest.act, story)]
    return tuple(_told(event) for event in reversed(deed))


def left_behind(session: SeatSession, node: str) -> tuple[str, ...]:
    """Events since a save node in words, newest last: a rewind would leave them behind."""
    since = takewhile(lambda event: event.name != "save_node_marked" or event.fields["node"] != node, _story(session))
    return tuple(_told(event) for event in since if event.name not in SAID_WITH_ANOTHER)[::-1]


def _story(session: SeatSession) -> Iterator[SeenEvent]:
    """Story events that a rewind can leave behind, newest first."""
    natures = {kind_of_event(one).name: kind_of_event(one).nature for one in session.book.happenings}
    for event in _newest_first(session):
        if not event.abandoned and natures.get(event.name) is Nature.STORY:
            yield event


def _told(event: SeenEvent) -> str:
    return event.words[:1].upper() + event.words[1:]
