"""Cookies of owners and seats: for this site alone, out of reach of scripts, sent to everything below the path."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import Response

from astragal.surfaces.web.requests import context_of
from astragal.surfaces.web.security.auth import LASTS, owner_cookie, seat_cookie
from astragal.table.log.store import PassKind

SECOND = 1000


def remember_owner(request: Request, answer: Response, secret: str) -> None:
    _set(request, answer, owner_cookie(request.url.port), secret, PassKind.OWNER)


def remember_seat(request: Request, answer: Response, table: str, secret: str) -> None:
    _set(request, answer, seat_cookie(table), secret, PassKind.SEAT)


def forget(request: Request, answer: Response, name: str) -> None:
    settings = context_of(request).settings
    answer.delete_cookie(name, settings.path + "/", secure=settings.secure, httponly=True, samesite="lax")


def _set(request: Request, answer: Response, name: str, secret: str, kind: PassKind) -> None:
    settings = context_of(request).settings
    answer.set_cookie(
        name,
        secret,
        max_age=LASTS[kind] // SECOND,
        path=settings.path + "/",
        secure=settings.secure,
        httponly=True,
        samesite="lax",
    )
