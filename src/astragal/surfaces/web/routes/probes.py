"""Probes for whatever watches the server: is the process alive, and can it reach its tables?"""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from astragal.surfaces.web.requests import context_of
from astragal.table.log.store import StoreError

router = APIRouter()


@router.get("/healthz")
async def is_alive() -> PlainTextResponse:
    return PlainTextResponse("alive\n")


@router.get("/readyz")
def is_ready(request: Request) -> PlainTextResponse:
    """Asks the store for a pass that nobody has: the least that every request needs of it."""
    try:
        context_of(request).auth.find("nobody")
    except StoreError:
        return PlainTextResponse("The tables can't be reached.\n", 503)
    return PlainTextResponse("ready\n")
