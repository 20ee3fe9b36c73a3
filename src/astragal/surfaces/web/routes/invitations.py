"""Invitations: see whose seat it is, take it, and stay signed in on this device."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from astragal.surfaces.web.rendering import page
from astragal.surfaces.web.requests import context_of, go_to
from astragal.surfaces.web.routes.home import secret_in
from astragal.surfaces.web.security.auth import digest
from astragal.surfaces.web.security.cookies import remember_seat
from astragal.surfaces.web.session import SeatSession
from astragal.table.log.passes import Pass, PassKind
from astragal.table.refusals import Refusal

router = APIRouter(prefix="/join")

USED_UP = (
    "This link is no longer valid: it was used, withdrawn or replaced, or has expired. "
    "Ask the game master for a new one."
)


@router.get("")
def ask_for_link(request: Request) -> HTMLResponse:
    """Ask for the link: its secret is in the fragment, so a script sends it, or a person pastes it."""
    return page(request, "people/join.html")


@router.post("")
def look(request: Request, link: Annotated[str, Form()] = "") -> Response:
    """Show table and seat before anything is taken. Looking does not use the link up."""
    secret = secret_in(link)
    invitation = _invitation(request, secret)
    if invitation is None:
        return _taken_here_before(request, secret)
    at = _seat(request, invitation)
    held = context_of(request).auth.held(request, at.table)
    other = at.state.seats.get(held.seat or "") if held else None
    return page(request, "people/take_seat.html", at=at, secret=secret, other=other)


@router.post("/take")
def take(request: Request, link: Annotated[str, Form()] = "", name: Annotated[str, Form()] = "") -> Response:
    """Use up the link: this device has the seat from now on."""
    secret = secret_in(link)
    invitation = _invitation(request, secret)
    if invitation is None:
        return _taken_here_before(request, secret)
    at = _seat(request, invitation)
    if name.strip() and name.strip() != at.own.name:
        try:
            at.act("rename_seat", {"seat": at.seat, "name": name.strip()})
        except Refusal as refusal:
            return page(
                request,
                "people/take_seat.html",
                422,
                at=at,
                secret=secret,
                other=None,
                name=name,
                fault=refusal.sentence,
            )
    taken = context_of(request).auth.sit_down(secret)
    if taken is None:
        raise HTTPException(410, USED_UP)
    answer = go_to(request, f"/t/{at.table}")
    remember_seat(request, answer, at.table, taken[1])
    return answer


def _invitation(request: Request, secret: str) -> Pass | None:
    return context_of(request).auth.find(secret, PassKind.INVITATION)


def _seat(request: Request, invitation: Pass) -> SeatSession:
    at = SeatSession(context_of(request), invitation.table or "", invitation.seat or "")
    with suppress(Refusal):
        if at.state.seats:
            return at
    raise HTTPException(410, USED_UP)


def _taken_here_before(request: Request, secret: str) -> Response:
    """Redirect somebody who follows their own used link to their seat."""
    auth = context_of(request).auth
    used = auth.passes.find(digest(secret))
    held = auth.held(request, used.table) if used and used.table else None
    if used is None or held is None or held.seat != used.seat:
        raise HTTPException(410, USED_UP)
    return go_to(request, f"/t/{held.table}")
