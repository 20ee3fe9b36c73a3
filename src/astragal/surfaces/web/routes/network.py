"""Opening the tables to the home network: by whoever runs them, at the computer that serves them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import Response

from astragal.surfaces.web.network import NoNetwork, NoPort
from astragal.surfaces.web.requests import context_of, go_to
from astragal.surfaces.web.security.middleware import is_local

router = APIRouter(prefix="/network")

NOT_HERE = (
    "Only whoever runs these tables can open them to the network, in the browser of the computer that serves them."
)


@dataclass(frozen=True)
class Reach:
    """Who can reach the tables, and whether this browser may open them to the home network."""

    is_shared: bool
    may_open: bool


def reach(request: Request) -> Reach:
    context = context_of(request)
    may = context.open_lan is not None and is_local(request) and context.auth.owner(request) is not None
    return Reach(context.settings.is_shared, may and not context.settings.is_shared)


@router.post("/open")
def open_network(request: Request, table: Annotated[str, Form(max_length=60)] = "") -> Response:
    """Listen in the home network from now on, until the program ends."""
    context = context_of(request)
    if not reach(request).may_open or context.open_lan is None:
        raise HTTPException(403, NOT_HERE)
    try:
        context.settings = context.open_lan()
    except (NoNetwork, NoPort) as fault:
        raise HTTPException(503, str(fault)) from fault
    return go_to(request, f"/t/{table}/people" if table else "/")
