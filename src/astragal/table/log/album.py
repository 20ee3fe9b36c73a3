"""Album: uploaded pictures, stored beside the log. A seat sees a picture if it may see an entry that names it."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from astragal.table.authoring.chapter import Call
from astragal.table.chapters.pictures import added
from astragal.table.commands.handlers import CommandResult
from astragal.table.log.repository import Outcome, TableRepository
from astragal.table.state.pictures import DIGEST, named_in
from astragal.table.state.table import State
from astragal.table.visibility.cursor import of_kinds
from astragal.table.visibility.events import SeenEvent

NAMING = ("picture_added", "scene_began", "scene_pictured", "portrait_chosen", "handout_written", "handout_shown")
"""Events that name pictures. A digest in what people write grants no access."""


class Album:
    """Pictures of the tables of a repository."""

    def __init__(self, repository: TableRepository) -> None:
        self._repository = repository

    def add(self, table: str, seat: str, data: bytes, *, title: str, alt: str = "") -> Outcome:
        """Store a picture with the entry that says who brought it. The bytes are served as they are."""
        live = self._repository.at(table)
        digest = sha256(data).hexdigest()

        def attempt() -> Outcome:
            live.check_playable()
            viewer = live.viewer(seat)
            self._repository.make_ready(live)
            call = Call(live.state, viewer, self._repository.fresh())
            event = added(call, digest=digest, size=len(data), title=title, alt=alt)
            return self._repository.keep(live, seat, CommandResult([event], call.fresh, pictures={digest: data}))

        return self._repository.retry(live, attempt)

    def holds(self, table: str, digest: str) -> bool:
        """Return whether the table still has this picture, regardless of who may see it."""
        live = self._repository.at(table)
        with live.lock:
            return any(picture.digest == digest for picture in live.state.pictures.values())

    def seen(self, table: str, seat: str, digest: str) -> bytes | None:
        """Return a picture if something that this seat may see names it. A hidden picture looks like a missing one."""
        if not DIGEST.fullmatch(digest):
            return None
        live = self._repository.at(table)
        with live.lock:
            live.catch_up()
            if not self.holds(table, digest):
                return None
            is_in_view = digest in in_view(live.view(seat))
            if not is_in_view and digest not in named_by(of_kinds(live, seat, NAMING)):
                return None
        return self._repository.store.picture(table, digest)


def named_by(events: Iterable[SeenEvent]) -> Iterator[str]:
    """Yield the digests that events name, as a seat sees them."""
    for event in events:
        if event.name in NAMING:
            yield from filter(DIGEST.fullmatch, named_in(event.fields))
        yield from named_by(event.opened)


PICTURED = ("characters", "scenes", "handouts", "pictures")
"""Parts of a table's state that have pictures."""


def in_view(view: State) -> Iterator[str]:
    """Yield the references to pictures in the current state, as a seat sees it."""
    for character in view.characters.values():
        yield character.portrait
    for scene in view.scenes.values():
        yield scene.picture
    for handout in view.handouts.values():
        yield handout.picture
    for picture in view.pictures.values():
        yield picture.digest


def may_show_others(before: State, after: State) -> bool:
    """Return whether other pictures may be in view in the later state. An unchanged part is the same object."""
    return any(getattr(before, part) is not getattr(after, part) for part in PICTURED)
