"""Pictures as files, for pages that take them along: those that are shipped, and those that a seat may see."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from astragal.table.chapters.pictures import ours

if TYPE_CHECKING:
    from astragal.surfaces.shared.seat_view import SeatView

DRAWN = "astragal.surfaces.web"
"""The package that has the drawings, among its static files."""


def picture_bytes(view: SeatView, reference: str) -> bytes | None:
    """A picture: SVG of ours, or WebP that somebody brought, if this seat may see it and it is still there."""
    return _drawn(reference) if reference in ours() else view.host.album.seen(view.table, view.seat, reference)


def file_of(reference: str) -> str:
    """The name of a picture's file."""
    return reference and f"{reference}.{'svg' if '/' in reference else 'webp'}"


@cache
def _drawn(reference: str) -> bytes:
    return files(DRAWN).joinpath("static", *file_of(reference).split("/")).read_bytes()
