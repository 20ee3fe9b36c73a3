"""Site: stylesheets of settings, the app's manifest, worker and offline page, health probes."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from astragal.surfaces.web import rendering, session
from astragal.table.log.store import StoreError
from astragal.table.state.setting import Ornament

router = APIRouter()


@router.get("/healthz")
async def is_alive() -> PlainTextResponse:
    return PlainTextResponse("alive\n")


@router.get("/readyz")
def is_ready(request: Request) -> PlainTextResponse:
    """Check the store by asking for a pass that nobody has: the least that every request needs of it."""
    try:
        session.context_of(request).auth.find("nobody")
    except StoreError:
        return PlainTextResponse("The tables can't be reached.\n", 503)
    return PlainTextResponse("ready\n")


NEEDED_OFFLINE = ("css/base+site.css", "js/theme+installed.js", "js/offline.js", "mark.svg")
"""Static files of the offline page."""
WORKER_POLICY = "default-src 'none'; connect-src 'self'"

Hex = Annotated[str, Path(pattern="^[0-9a-f]{6}$")]


@router.get("/look/{light}-{dark}-{cover}-{ornament}.css")
def look(request: Request, light: Hex, dark: Hex, cover: Hex, ornament: Ornament) -> Response:
    """Stylesheet with the colours of a setting. Cached forever, because other colours have another URL."""
    ornament_name = "" if ornament is Ornament.NONE else ornament.value
    text = rendering.rendered(request, "layout/look.css", light=light, dark=dark, cover=cover, ornament=ornament_name)
    return Response(text, media_type="text/css", headers={"Cache-Control": rendering.FOR_GOOD})


@router.get("/manifest.webmanifest")
def manifest(request: Request) -> Response:
    """Web app manifest, which a browser needs to install the tables as an app."""
    text = rendering.rendered(request, "layout/manifest.json")
    return Response(text, media_type="application/manifest+json", headers={"Cache-Control": "no-cache"})


@router.get("/service-worker.js")
def service_worker(request: Request) -> Response:
    """The script that keeps the offline page, for everything below the base path."""
    files = [f"/static/{name}" for name in NEEDED_OFFLINE]
    text = rendering.rendered(request, "layout/service_worker.js", files=files, version=request.app.state.version)
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": WORKER_POLICY}
    return Response(text, media_type="text/javascript", headers=headers)


@router.get("/offline")
def offline(request: Request) -> HTMLResponse:
    """The page that is shown while the server can't be reached. It is the same for everyone."""
    return rendering.page(request, "errors/offline.html")
