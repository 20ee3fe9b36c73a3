"""Reading requests and answering them, as every route does: context, form inputs, commands, refusals, redirects."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request
from fastapi.responses import RedirectResponse, Response

from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.errors import REFUSED, problem
from astragal.surfaces.web.forms.read import OWN
from astragal.surfaces.web.rendering import is_part
from astragal.surfaces.web.session import SeatSession
from astragal.table.dice import LinkNeeded
from astragal.table.log.repository import Outcome
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
R = TypeVar("R", bound=Response)


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


def status_of(request: Request, refusal: Refusal) -> int:
    """Status of a refusal. What the page's script mends by itself is no error, and none in the browser's console."""
    return 200 if isinstance(refusal, LinkNeeded) and request.headers.get(CHAIN) == "here" else REFUSED


def refused_in_a_sentence(request: Request, refusal: Refusal) -> Response:
    """Refusal of a button that has no form: beside it, or on a page of its own."""
    headers = {REFUSAL: refusal.code}
    return problem(request, status_of(request, refusal), refusal.sentence, code=refusal.code, headers=headers)


def act_at_once(
    request: Request, at: SeatSession, command: str, fields: Mapping[str, Any], *, link: str = "", **how: Any
) -> Response:
    """Give a command that needs no form; `link` is the next one of the seat's own chain, as it was sent."""
    own_link = link_in(link)
    try:
        outcome = at.act(command, fields, link=own_link, **how)
    except Refusal as refusal:
        return refused_in_a_sentence(request, explained_link(refusal, own_link))
    return with_receipt(done(request, at), at, outcome)


def done(request: Request, at: SeatSession) -> Response:
    """Answer a button whose work is done: what came of it is told by the live stream or, without scripts, the page."""
    return Response(status_code=204) if is_part(request) else go_to(request, f"/t/{at.table}")


def with_receipt(response: R, at: SeatSession, outcome: Outcome) -> R:
    """Add the receipt for the browser to keep: it shows whether the ledger is rewritten later."""
    if outcome.receipt:
        kept = {"target": "body", "table": at.table, "line": outcome.receipt.line, "head": outcome.receipt.head}
        response.headers["HX-Trigger"] = json.dumps({"receipt": kept})
    return response
