"""Pictures on the table's page: where each is served, who has which face, and what lies ready to be shown."""

from dataclasses import dataclass

from astragal.surfaces.web.session import SeatSession
from astragal.table.declarations import Role
from astragal.table.state.pictures import PLATES, PORTRAITS, alt_of, plate_for, portraits_of
from astragal.table.state.table import State
from astragal.table.state.things import Scene

SCENE, PORTRAIT, KEEP, SHOW = "scene", "portrait", "keep", "show"
"""What a picture is for: a scene, a face, or a handout that is kept or shown at once."""
DRAWN = "drawn"
"""Chosen in the place of a picture: the one that is there where nobody has chosen."""


@dataclass(frozen=True)
class Shown:
    """A picture on a page: its address, below the base path, and what it shows in words."""

    address: str
    alt: str = ""


@dataclass(frozen=True)
class Face:
    """Somebody's name and portrait."""

    name: str
    address: str


@dataclass(frozen=True)
class HandoutShown:
    """A handout in a list."""

    id: str
    title: str
    words: str
    picture: Shown | None
    is_face: bool
    shown: bool
    to: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice:
    """A picture that can be chosen."""

    value: str
    address: str
    words: str
    chosen: bool = False


@dataclass(frozen=True)
class Choosing:
    """Everything that one can choose from, and what for."""

    use: str
    title: str
    ours: tuple[Choice, ...]
    own: tuple[Choice, ...]
    back: str = ""
    """What to go back to, in words, where somebody has chosen."""


def address_of(table: str, reference: str) -> str:
    return f"/static/{reference}.svg" if "/" in reference else f"/t/{table}/pictures/{reference}"


def picture_of(state: State, reference: str, alt: str = "") -> Shown | None:
    return Shown(address_of(state.id, reference), alt_of(reference, alt)) if reference else None


def picture_of_scene(state: State, scene: Scene) -> Shown | None:
    return picture_of(state, plate_for(scene, state.setting.cover), scene.alt)


def faces_of(state: State) -> dict[str, Face]:
    """The face of everybody in the story, by id."""
    portraits = portraits_of(state)
    return {one.id: Face(one.name, address_of(state.id, portraits[one.id])) for one in state.cast.values()}


def handouts_of(session: SeatSession) -> tuple[HandoutShown, ...]:
    """What can be shown, or has been."""
    return tuple(
        HandoutShown(
            one.id,
            one.title,
            one.words,
            picture_of(session.state, one.picture, one.alt),
            one.picture.startswith("portraits/"),
            one.shown,
            tuple(session.teller.name(seat) for seat in one.to),
        )
        for one in session.state.handouts.values()
    )


def choosing(session: SeatSession, use: str) -> Choosing | None:
    """What there is to choose from for a scene, a face or a handout; None for what this seat can't give a picture."""
    what, _, which = use.partition("-")
    state = session.state
    if what == PORTRAIT and which in state.characters:
        if not session.is_game_master and which not in session.viewer.characters:
            return None
        has, name = portraits_of(state)[which], state.characters[which].name
        back = "" if "/" in has else "Back to the drawn portrait"
        return Choosing(use, f"A portrait of {name}", _ours("portraits", has), _own(session, has), back)
    if not session.is_game_master:
        return None
    if what == SCENE and which in state.scenes:
        has, title = plate_for(state.scenes[which], state.setting.cover), state.scenes[which].title
        back = "" if "/" in has else "Back to the drawn plate"
        return Choosing(use, f"A picture for “{title}”", _ours("plates", has), _own(session, has), back)
    return Choosing(use, "Something to show", _ours("plates", ""), _own(session)) if use in (KEEP, SHOW) else None


def _own(session: SeatSession, has: str = "") -> tuple[Choice, ...]:
    """Pictures that were brought before."""
    state = session.state
    return tuple(
        Choice(one.id, address_of(state.id, one.digest), one.title, one.digest == has)
        for one in state.pictures.values()
        if session.viewer.role is not Role.SPECTATOR
    )


def _ours(folder: str, has: str) -> tuple[Choice, ...]:
    shipped = PLATES if folder == "plates" else PORTRAITS
    made = ((f"{folder}/{name}", one.alt) for name, one in shipped.items())
    return tuple(Choice(value, f"/static/{value}.svg", alt, value == has) for value, alt in made)
