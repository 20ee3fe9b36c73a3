"""Rendering of pages and parts of pages with Jinja; everything is escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from fastapi import Request
from fastapi.responses import HTMLResponse

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
