"""Stylesheets of settings: a page's accents in the colours that its address names; and the app's manifest."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response

from astragal.surfaces.web.rendering import rendered
from astragal.surfaces.web.requests import context_of
from astragal.surfaces.web.static_files import FOR_GOOD
from astragal.table.state.look import Ornament

router = APIRouter()

Hex = Annotated[str, Path(pattern="^[0-9a-f]{6}$")]


@router.get("/look/{light}-{dark}-{cover}-{ornament}.css")
def look(request: Request, light: Hex, dark: Hex, cover: Hex, ornament: Ornament) -> Response:
    """The colours of a setting. Whatever the address says is cached for good: other colours have another address."""
    drawn = "" if ornament is Ornament.NONE else ornament.value
    text = rendered(request, "layout/look.css", light=light, dark=dark, cover=cover, ornament=drawn)
    return Response(text, media_type="text/css", headers={"Cache-Control": FOR_GOOD})


@router.get("/manifest.webmanifest")
def manifest(request: Request) -> JSONResponse:
    """What a browser needs to install the tables as an app."""
    url = request.app.state.templates.globals["url"]
    sizes = (("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any maskable"))
    icons = [
        {"src": url(f"/static/{name}"), "sizes": size, "type": "image/png", "purpose": purpose}
        for name, size, purpose in sizes
    ]
    icons.append({"src": url("/static/mark.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"})
    root = f"{context_of(request).settings.path}/"
    about = {
        "name": "Astragal",
        "short_name": "Astragal",
        "description": "A live table for tabletop games, with honest dice and exact odds.",
        "id": root,
        "start_url": root,
        "scope": root,
        "display": "standalone",
        "background_color": "#14100d",
        "theme_color": "#14100d",
        "icons": icons,
    }
    return JSONResponse(about, media_type="application/manifest+json", headers={"Cache-Control": "no-cache"})
