"""Invitations: see whose seat it is or choose a free one, take it, and stay signed in on this device."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from astragal.surfaces.web.errors import REFUSED
from astragal.surfaces.web.rendering import page
from astragal.surfaces.web.requests import context_of, go_to
from astragal.surfaces.web.routes.home import secret_in
from astragal.surfaces.web.security.auth import digest
from astragal.surfaces.web.security.cookies import remember_seat
from astragal.surfaces.web.session import SeatSession
from astragal.table.log.store import Pass, PassKind, title_of
from astragal.table.refusals import Refusal
from astragal.table.state.seats import Role, Seat

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
    held = context_of(request).auth.held(request, invitation.table or "")
    if invitation.seat is None:
        return _go_on(request, held) if held else _free_seats(request, invitation, secret)
    at = _seat(request, invitation, invitation.seat)
    other = at.state.seats.get(held.seat or "") if held else None
    return page(request, "people/take_seat.html", at=at, secret=secret, other=other)


@router.post("/take")
def take(
    request: Request,
    link: Annotated[str, Form()] = "",
    name: Annotated[str, Form()] = "",
    seat: Annotated[str, Form()] = "",
) -> Response:
    """Take a seat: this device has it from now on. A link to one seat is used up, a link to the table is not."""
    secret, name = secret_in(link), name.strip()
    invitation = _invitation(request, secret)
    if invitation is None:
        return _taken_here_before(request, secret)
    auth = context_of(request).auth
    if invitation.seat is None and not any(one.seat.id == seat for one in free_seats(request, invitation.table or "")):
        said = "Somebody was faster; choose another seat." if seat else "Choose a seat."
        return _free_seats(request, invitation, secret, name=name, fault=said)
    at = _seat(request, invitation, invitation.seat or seat)
    if name and name != at.own.name:
        try:
            at.act("rename_seat", {"seat": at.seat, "name": name})
        except Refusal as refusal:
            told: dict[str, str] = {"name": name, "fault": refusal.sentence}
            if invitation.seat is None:
                return _free_seats(request, invitation, secret, seat=seat, **told)
            return page(request, "people/take_seat.html", REFUSED, at=at, secret=secret, other=None, **told)
    taken = auth.sit_down(secret) if invitation.seat else None
    own = taken[1] if taken else None if invitation.seat else auth.take_free_seat(secret, at.seat)
    if own is None:
        raise HTTPException(410, USED_UP)
    answer = go_to(request, f"/t/{at.table}")
    remember_seat(request, answer, at.table, own)
    return answer


@dataclass(frozen=True)
class FreeSeat:
    """A seat that nobody has taken, and whom one plays there."""

    seat: Seat
    heroes: tuple[str, ...]


def free_seats(request: Request, table: str) -> list[FreeSeat]:
    """Players' seats that nobody has and no link of their own is out for."""
    context = context_of(request)
    taken = context.auth.taken_seats(table)
    seats = context.host.archive.seats(table).values()
    free = [one for one in seats if one.role is Role.PLAYER and not one.ai and one.id not in taken]
    return [FreeSeat(one, _heroes(SeatSession(context, table, one.id))) for one in free]


def _heroes(at: SeatSession) -> tuple[str, ...]:
    return tuple(one.name for one in at.state.characters.values() if one.seat == at.seat)


def _free_seats(request: Request, invitation: Pass, secret: str, seat: str = "", **said: str) -> Response:
    """Who comes by the table's link chooses among the seats that are free, or the heroes that wait there."""
    table = invitation.table or ""
    try:
        free, title = free_seats(request, table), title_of(context_of(request).store, table)
    except Refusal as gone:
        raise HTTPException(410, USED_UP) from gone
    status = REFUSED if "fault" in said else 200
    chosen = seat or (free[0].seat.id if free else "")
    shown = {"name": "", "fault": "", **said}
    return page(request, "people/pick_seat.html", status, free=free, title=title, secret=secret, chosen=chosen, **shown)


def _invitation(request: Request, secret: str) -> Pass | None:
    return context_of(request).auth.find(secret, PassKind.INVITATION)


def _seat(request: Request, invitation: Pass, seat: str) -> SeatSession:
    at = SeatSession(context_of(request), invitation.table or "", seat)
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
    return _go_on(request, held)


def _go_on(request: Request, held: Pass) -> Response:
    """Lead somebody who sits there already to their seat."""
    return go_to(request, f"/t/{held.table}")
