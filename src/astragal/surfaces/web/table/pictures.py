"""Pictures on pages: their addresses, pictures of scenes, faces of people."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from astragal.table.state import pictures, things
from astragal.table.state.table import CastMember, State


class Shown(Struct, frozen=True):
    """A picture on a page: its address below the base path, and its alternative text."""

    address: str
    alt: str = ""


class Face(Struct, frozen=True):
    """A character's name and portrait."""

    name: str
    address: str


def address_of(table: str, reference: str) -> str:
    return f"/static/{reference}.svg" if "/" in reference else f"/t/{table}/pictures/{reference}"


def picture_of(state: State, reference: str, alt: str = "") -> Shown | None:
    return Shown(address_of(state.id, reference), pictures.alt_of(reference, alt)) if reference else None


def picture_of_scene(state: State, scene: things.Scene) -> Shown | None:
    return picture_of(state, pictures.plate_for(scene, state.setting.cover), scene.alt)


def faces_of(state: State) -> Mapping[str, Face]:
    """Return the face of everyone in the story, by id."""
    return _faces(state.id, tuple(state.cast.values()))


@lru_cache(maxsize=256)
def _faces(table: str, cast: tuple[CastMember, ...]) -> Mapping[str, Face]:
    portraits = pictures.portraits_of(cast)
    return {one.id: Face(one.name, address_of(table, portraits[one.id])) for one in cast}
