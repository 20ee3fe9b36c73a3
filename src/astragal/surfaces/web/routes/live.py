"""Live stream of a table's page: new cards and changed panels.

`id` is the seat's own cursor. A connection goes on from `Last-Event-ID`; the first one, from the `after` of the page,
which also names the panels it was made with (`drawn`), so that only what has changed since is sent.
"""

from __future__ import annotations

from fastapi import APIRouter, Request

from astragal.surfaces.web.live.hub import RoomCache
from astragal.surfaces.web.live.sse import Following, FromCursor, Stream
from astragal.surfaces.web.live.updates import PageCache, PageFollower
from astragal.surfaces.web.table.panels import PANELS

router = APIRouter(prefix="/t/{table}")


@router.get("/events")
async def events(request: Request, at: Following, cursor: FromCursor, drawn: str = "") -> Stream:
    """What happens at the table from now on, as this seat sees it."""

    def follower(cache: RoomCache) -> PageFollower:
        if "page" not in cache:
            cache["page"] = PageCache(request.app.state.templates, at.table, PANELS)
        return PageFollower(at, cache["page"], cursor=cursor, drawn=drawn)

    return Stream(request, at, follower)
