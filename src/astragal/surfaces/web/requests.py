"""Reading requests and answering them, as every route does: context, form inputs, parts of pages, redirects."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import RedirectResponse

from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.forms.read import OWN


def context_of(request: Request) -> WebContext:
    found: WebContext = request.app.state.context
    return found


def go_to(request: Request, address: str) -> RedirectResponse:
    """Redirect to an address of this site, with a GET."""
    return RedirectResponse(context_of(request).settings.path + address, status_code=303)


def is_part(request: Request) -> bool:
    """Does a page ask for a part of itself, by htmx?"""
    return request.headers.get("HX-Request") == "true"


async def sent_form(request: Request) -> list[tuple[str, str]]:
    """Names and texts of a form's inputs, in order."""
    sent = await request.form()
    return [(name, text) for name, text in sent.multi_items() if isinstance(text, str)]


Sent = Annotated[list[tuple[str, str]], Depends(sent_form)]


def own_inputs(sent: list[tuple[str, str]]) -> dict[str, str]:
    """Inputs that belong to the form itself: the command's id, who sees the roll, the next link of a chain."""
    return {name: text for name, text in sent if name.startswith(OWN)}


def command_id(sent: list[tuple[str, str]]) -> str | None:
    """The id that lets a form which is sent twice be done once."""
    return own_inputs(sent).get(".id") or None


def file_name(name: str) -> str:
    """A plain name for a download."""
    plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in name.casefold())
    return plain.strip("-") or "table"
