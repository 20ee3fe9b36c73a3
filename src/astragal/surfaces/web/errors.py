"""Error responses: a page with a link back, a part of a page, or JSON for programs."""

import math
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from astragal.surfaces.shared.context import store_away
from astragal.surfaces.shared.rate_limit import TooMuchEffort
from astragal.surfaces.web.rendering import is_part, page
from astragal.table.log.store import StoreError
from astragal.table.refusals import NoSuchTable, Refusal

NO_SEAT = "You have no seat at this table, or you were removed from it."
NOTHING_HERE = "There is nothing at this address."
OUR_FAULT = "Something went wrong on the server. Everything before this is saved."
REFUSED = 422

TITLES: Mapping[int, str] = {
    401: "You have no seat here",
    403: "Sent from another site",
    404: "Nothing here",
    413: "Request too large",
    421: "Not served at this address",
    429: "Slow down a little",
    500: "Something went wrong",
    503: "The tables can't be reached",
}


class TooFast(Exception):
    """Rate limit exceeded; `seconds` is the time to wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"{seconds:.1f} seconds to wait")
        self.seconds = seconds


def problem(
    request: Request, status: int, sentence: str, *, code: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """An error response: JSON for a program, a part of a page for htmx, a page for a person."""
    found: Response
    if wants_json(request):
        found = JSONResponse({"code": code or HTTPStatus(status).name.lower(), "sentence": sentence}, status)
    elif is_part(request):
        found = page(request, "errors/refusal.html", status, sentence=sentence)
    else:
        title = TITLES.get(status, "That can't be done")
        has_no_seat = status == HTTPStatus.UNAUTHORIZED
        given = {
            "table": "" if has_no_seat else request.path_params.get("table", ""),
            "owned": owned_table(request) if has_no_seat else "",
        }
        found = page(request, "errors/problem.html", status, title=title, sentence=sentence, problem=status, **given)
    found.headers.update(headers or {})
    return found


def owned_table(request: Request) -> str:
    """The table at this address, if there is one and this is its owner's browser; else empty."""
    context, table = request.app.state.context, str(request.path_params.get("table", ""))
    with suppress(StoreError):
        if table and context.auth.owner(request) and context.store.last(table):
            return table
    return ""


def wants_json(request: Request) -> bool:
    inner = request.scope["path"].removeprefix(request.app.state.context.settings.path)
    accepts = request.headers.get("Accept", "")
    return inner.startswith(("/api/", "/mcp")) or ("application/json" in accepts and "text/html" not in accepts)


def too_fast(request: Request, seconds: float) -> Response:
    wait = math.ceil(seconds)
    sentence = f"Too many requests. Wait {wait} second{'s' if wait > 1 else ''}, then try again."
    return problem(request, 429, sentence, code="too_fast", headers={"Retry-After": str(wait)})


HANDLED_ERRORS = (HTTPException, RequestValidationError, Refusal, ClientDisconnect, TooFast, TooMuchEffort, StoreError)
"""Exceptions that a route may raise."""


def answer_to(request: Request, fault: Exception) -> Response:
    """Build the response to one of these exceptions."""
    match fault:
        case HTTPException():
            is_plain = fault.detail == HTTPStatus(fault.status_code).phrase
            sentence = NOTHING_HERE if fault.status_code == HTTPStatus.NOT_FOUND and is_plain else str(fault.detail)
            return problem(request, fault.status_code, sentence, headers=fault.headers)
        case RequestValidationError():
            named = ", ".join(str(one["loc"][-1]) for one in fault.errors())
            return problem(request, REFUSED, f"These inputs are missing or wrong: {named}.", code="bad_fields")
        case NoSuchTable():  # the seat was left, or the table deleted, since its pass was made
            return problem(request, 401, NO_SEAT, code=fault.code)
        case Refusal():
            return problem(request, REFUSED, fault.sentence, code=fault.code)
        case ClientDisconnect():
            return Response(status_code=400)  # nobody reads it: the client hung up during its request
        case TooFast() | TooMuchEffort():
            return too_fast(request, fault.seconds)
        case StoreError():
            away = store_away(fault)
            return problem(request, 503, away.sentence, code=away.code, headers={"Retry-After": "2"})
    raise fault
