"""Pictures: files that pages include, and pictures from outside, decoded a few at a time in a separate process."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from importlib.resources import files
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from astragal.surfaces.shared import picture_decoder
from astragal.table.chapters.pictures import shipped_references
from astragal.table.refusals import NoRoom, Refusal
from astragal.table.state.pictures import LARGEST_PICTURE, is_webp

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView

DRAWN = "astragal.surfaces.web"
"""The package that has the drawings, among its static files."""


def picture_bytes(view: SeatView, reference: str) -> bytes | None:
    """Return a picture: a shipped SVG, or an added WebP if this seat may see it and it is still there."""
    return (
        _drawn(reference)
        if reference in shipped_references()
        else view.host.album.seen(view.table, view.seat, reference)
    )


def file_of(reference: str) -> str:
    """Return the name of a picture's file."""
    return reference and f"{reference}.{'svg' if '/' in reference else 'webp'}"


@cache
def _drawn(reference: str) -> bytes:
    return files(DRAWN).joinpath("static", *file_of(reference).split("/")).read_bytes()


# ---------------------------------------------------------------- from outside


AT_ONCE = 2
PATIENCE = 15
"""Seconds that decoding a picture may take, and that a picture may wait for others."""
PORTRAIT_SIDE = 512
SCENE_SIDE = 1600
"""Longest sides, in pixels."""

_places = BoundedSemaphore(AT_ONCE)


def side_for(*, is_portrait: bool) -> int:
    """Return the longest side of a picture for this use, in pixels."""
    return PORTRAIT_SIDE if is_portrait else SCENE_SIDE


def reencode_untrusted(data: bytes, side: int) -> bytes:
    """Re-encode an untrusted picture as WebP, or refuse it and say what is wrong with it."""
    if picture_decoder.kind_of(data) is None:
        raise Refusal("This is no PNG, JPEG, WebP or GIF picture.", code="not_a_picture", field="file")
    program = [sys.executable, "-I", picture_decoder.__file__, str(side), str(LARGEST_PICTURE)]
    if not _places.acquire(timeout=PATIENCE):
        raise NoRoom("Too many pictures are being read; try again in a moment.")
    try:
        process = subprocess.run(program, input=data, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603 - ours
    except subprocess.TimeoutExpired:
        raise Refusal("This picture takes too long to read.", code="not_a_picture", field="file") from None
    finally:
        _places.release()
    if process.returncode == 0 and is_webp(process.stdout) and len(process.stdout) <= LARGEST_PICTURE:
        return process.stdout
    reason = process.stdout.decode(errors="replace") if process.returncode == picture_decoder.REFUSED else ""
    raise Refusal(reason or "This picture can't be read.", code="not_a_picture", field="file")
