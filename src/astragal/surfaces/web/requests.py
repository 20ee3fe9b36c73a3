"""Reading requests and answering them, as every route does: context, form inputs, parts of pages, redirects."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import RedirectResponse

from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.forms.read import OWN
from astragal.table.dice import LinkNeeded
from astragal.table.refusals import BadFields, Refusal

LINK = ".link"
"""In a form: the next link of the seat's own chain."""
REFUSAL = "X-Refusal"
"""The header that tells a page's script why a command was refused."""
CHAIN = "X-Chain"
"""The header by which a page's script says that it keeps the chain, and will add the link that is needed."""
NO_LINK = (
    "Your rolls are paired with your own chain, but no link of it was sent: this browser doesn’t have the "
    "chain, or scripts are off. Roll where the chain is kept, or give it up under “Fair dice”."
)


def context_of(request: Request) -> WebContext:
    found: WebContext = request.app.state.context
    return found


def go_to(request: Request, address: str) -> RedirectResponse:
    """Redirect to an address of this site, with a GET."""
    return RedirectResponse(context_of(request).settings.path + address, status_code=303)


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


def link_in(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text) if text else None
    except ValueError as fault:
        raise BadFields(["link is written in hexadecimal"]) from fault


def explained_link(refusal: Refusal, link: bytes | None) -> Refusal:
    """A refusal for people: what a missing link means."""
    return LinkNeeded(NO_LINK) if isinstance(refusal, LinkNeeded) and link is None else refusal


def told_to_scripts(refusal: Refusal) -> dict[str, str]:
    """Header that tells the page's scripts why a command was refused."""
    return {REFUSAL: refusal.code}
