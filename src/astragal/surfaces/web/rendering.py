"""Rendering of pages and parts of pages: Jinja, in which everything is escaped; static files; QR codes."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import segno
from fastapi import Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from astragal.surfaces.web.story.markdown import MOST_FORMATTED, markdown, plain

HERE = Path(__file__).parent


HUES = 6


def hue(name: str) -> int:
    """A number that stays with a name, for the colour of its face."""
    return sum(map(ord, name)) % HUES


def initials(name: str) -> str:
    parts = name.split()
    return "".join(part[:1] for part in parts[:2]).upper() if len(parts) > 1 else name[:2].title()


@cache
def environment(path: str, version: str) -> jinja2.Environment:
    """Jinja environment for a base path: `url('/t/…')` gives an address below it, with a version for static files.

    Compiling a template takes longer than rendering it, so all apps of a process share the compiled ones.
    """

    def url(address: str) -> str:
        return path + (f"/static/{version}/{address[8:]}" if address.startswith("/static/") else address)

    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        auto_reload=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals["url"] = url
    templates.filters["markdown"] = markdown
    templates.filters["plain"] = plain
    templates.filters["hue"] = hue
    templates.filters["initials"] = initials
    templates.globals["MOST_FORMATTED"] = MOST_FORMATTED
    return templates


def rendered(request: Request, template: str, **context: Any) -> str:
    """Render a template for a page, a part of one, or a message of a stream."""
    templates: jinja2.Environment = request.app.state.templates
    return templates.get_template(template).render(**context)


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    return HTMLResponse(rendered(request, template, **context), status_code=status)


def is_part(request: Request) -> bool:
    """Does a page ask for a part of itself, by htmx?"""
    return request.headers.get("HX-Request") == "true"


FOLDER = HERE / "static"
FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


def version_of_files() -> str:
    found = hashlib.sha256()
    for path in sorted(path for path in FOLDER.rglob("*") if path.is_file()):
        found.update(path.relative_to(FOLDER).as_posix().encode() + b"\0")
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:12]


class VersionedFiles(StaticFiles):
    """Mounted under a path with a `version`. Pages from before an update still get files, but don't cache them."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)
        self.version = version_of_files()

    async def get_response(self, path: str, scope: Scope) -> Response:
        found = await super().get_response(path, scope)
        is_current = scope["path_params"].get("version") == self.version
        found.headers["Cache-Control"] = FOR_GOOD if is_current else ASK_AGAIN
        return found


def qr_svg(link: str, label: str) -> Markup:
    """A QR code, dark on light in either theme and with the margin that cameras need; without inline style."""
    drawn = segno.make(link, micro=False).svg_inline(
        omitsize=True, dark="#1b1309", light="#fffdf7", border=4, svgclass="qr", lineclass=None, title=label
    )
    return Markup(drawn)  # noqa: S704 - segno escapes the title, and the rest is drawn
