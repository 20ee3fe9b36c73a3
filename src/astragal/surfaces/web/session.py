"""Session of a request: the seat that it comes from, through which a page reads everything; form inputs, responses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Annotated, Any, Protocol, TypeVar

from fastapi import Depends, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from msgspec import Struct

from astragal.fair import Ledger, sources
from astragal.surfaces.shared.ai_seats import AiRole, AiStatus
from astragal.surfaces.shared.context import SeatView, cached
from astragal.surfaces.web import errors, rendering
from astragal.surfaces.web.context import WebContext
from astragal.table import dice, ledger_writer, refusals
from astragal.table.log.repository import Outcome
from astragal.table.visibility.events import SeenEvent


class Identified(Protocol):
    """A thing on the table, such as a character: a value with an id of its own."""

    @property
    def id(self) -> str: ...


Thing = TypeVar("Thing", bound=Identified)
Shown = TypeVar("Shown")


class SeatChains(Struct, frozen=True):
    """Chains that a seat keeps itself, and hidden rolls that wait for its link."""

    seat: str
    """Its name in the ledger."""
    paired: bool
    witness: bool
    asked: tuple[str, ...] = ()
    """The hidden rolls that wait for this seat's link."""


def chains_of(ledger: Ledger, seat: str, game_master: str) -> SeatChains:
    """Find the chains that a seat keeps itself, and the hidden rolls that wait for its link."""
    name = ledger_writer.seat_in_ledger(seat, game_master)
    paired = sources.client(name)
    witness = sources.witness(name)
    waiting = tuple(ask.cmd for ask in ledger.asks.values() if ask.waits and witness in ask.witnesses)
    return SeatChains(name, _is_unbroken(ledger, paired), _is_unbroken(ledger, witness), waiting)


def _is_unbroken(ledger: Ledger, source: str) -> bool:
    return source in ledger.sources and not ledger.sources[source].broken


class SeatSession(SeatView):
    """A seat in a browser: its chains, who else is connected, and the pass that it was entered with."""

    context: WebContext

    def __init__(self, context: WebContext, table: str, seat: str, admission: str = "") -> None:
        super().__init__(context, table, seat)
        self.admission = admission
        """The digest of the pass that a request came with, if the session is for one."""

    @cached
    def ledger(self) -> Ledger:
        """The public ledger, as it was at the first access."""
        return self.host.ledger_state(self.table, self.seat)

    @cached
    def chains(self) -> SeatChains:
        """The chains that this seat keeps itself."""
        return chains_of(self.ledger, self.seat, self.state.game_master)

    @property
    def is_paired(self) -> bool:
        """True if this seat's rolls are paired with a chain of its own."""
        return self.chains.paired

    @cached
    def present(self) -> frozenset[str]:
        """The seats whose people are connected."""
        return self.context.hub.present(self.table)

    @cached
    def ai(self) -> tuple[AiStatus, ...]:
        """The AIs at the table. A helper is shown only to the seat that it helps."""
        all_ais = self.context.ai_at(self.table)
        return tuple(ai for ai in all_ais if ai.role is not AiRole.HELPER or ai.seat == self.seat)

    def plays(self, character: str) -> bool:
        """Return whether this character is the seat's own."""
        return character in self.viewer.characters

    def part(self, work_out: Callable[[SeatSession, Thing], Shown], subject: Thing) -> Shown:
        """Calculate a part about one subject. A panel's session shares the result among seats that see the same."""
        return work_out(self, subject)

    def events_of(self, act: str) -> tuple[SeenEvent, ...]:
        """The events of a command that this seat may see, as they were at the first access."""
        if act not in self._by_act:
            self._by_act[act] = self.host.events_of(self.table, self.seat, act)
        return self._by_act[act]

    @cached
    def _by_act(self) -> dict[str, tuple[SeenEvent, ...]]:
        return {}

    def calculating(self) -> AbstractContextManager[None]:
        """Context for calculating odds that this seat asks for. Raises `TooMuchEffort` if it has asked for too much."""
        return self.context.effort.spent_by((self.table, self.seat))

    def refreshed(self) -> SeatSession:
        """Open a new session for the same seat, to read the table again. Refused if its pass is no longer valid."""
        if self.admission and not self.context.auth.is_good(self.admission):
            raise refusals.NoSuchTable(errors.NO_SEAT)
        return SeatSession(self.context, self.table, self.seat, self.admission)


def seat_session(request: Request, table: str) -> SeatSession:
    """Dependency: the seat that this browser has at this table. Runs in a thread, as every route that needs it."""
    context = context_of(request)
    seat_pass = context.auth.held(request, table)
    if seat_pass is None or seat_pass.seat is None:
        raise HTTPException(401, errors.NO_SEAT)
    if seconds := context.paces.wait(seat_pass.digest):
        raise errors.TooFast(seconds)
    return SeatSession(context, table, seat_pass.seat, seat_pass.digest)


AtTable = Annotated[SeatSession, Depends(seat_session)]
"""The type of a route's argument that needs a seat."""


def by_game_master(otherwise: str) -> Any:
    """Make the type of a route's argument that needs the game master's seat. Others are refused with the sentence."""

    def game_masters(at: AtTable) -> SeatSession:
        if not at.is_game_master:
            raise refusals.NotAllowed(otherwise)
        return at

    return Depends(game_masters)


# ---------------------------------------------------------------- reading requests and answering them

OWN = "."
"""Prefix of inputs that belong to the form itself, not to the command."""
LINK = ".link"
"""In a form: the next link of the seat's own chain."""
REFUSAL = "X-Refusal"
"""The header that tells a page's script why a command was refused."""
CHAIN = "X-Chain"
"""The header with which a page's script announces that it has the chain, and will add the link that is needed."""
NO_LINK = (
    "Your rolls are paired with your own chain, but no link of it was sent: this browser doesn’t have the "
    "chain, or scripts are off. Roll where the chain is kept, or give it up under “Fair dice”."
)
R = TypeVar("R", bound=Response)


def context_of(request: Request) -> WebContext:
    context: WebContext = request.app.state.context
    return context


def go_to(request: Request, address: str) -> RedirectResponse:
    """Redirect to an address of this site, with a GET."""
    return RedirectResponse(context_of(request).settings.path + address, status_code=303)


async def sent_form(request: Request) -> list[tuple[str, str]]:
    """Names and texts of a form's inputs, in order."""
    sent = await request.form()
    return [(name, text) for name, text in sent.multi_items() if isinstance(text, str)]


Sent = Annotated[list[tuple[str, str]], Depends(sent_form)]


def own_inputs(sent: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Inputs that belong to the form itself: the command's id, who sees the roll, the next link of a chain."""
    return {name: text for name, text in sent if name.startswith(OWN)}


def command_id(sent: list[tuple[str, str]]) -> str | None:
    """Idempotency key of a form: if it is sent twice, its command is done once."""
    return own_inputs(sent).get(".id") or None


def file_name(name: str) -> str:
    """Make a plain name for a download."""
    letters = [letter if letter.isascii() and letter.isalnum() else "-" for letter in name.casefold()]
    return "".join(letters).strip("-") or "table"


def link_in(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text) if text else None
    except ValueError as fault:
        raise refusals.BadFields(["link is written in hexadecimal"]) from fault


def explained_link(refusal: refusals.Refusal, link: bytes | None) -> refusals.Refusal:
    """Replace the refusal of a missing link by one that explains it to people."""
    if isinstance(refusal, dice.LinkNeeded) and link is None:
        return dice.LinkNeeded(NO_LINK)
    return refusal


def status_of(request: Request, refusal: refusals.Refusal) -> int:
    """Status of a refusal. If the page's script recovers by itself, it is 200, to keep the browser's console clean."""
    script_recovers = isinstance(refusal, dice.LinkNeeded) and request.headers.get(CHAIN) == "here"
    return 200 if script_recovers else errors.REFUSED


def act_at_once(
    request: Request, at: SeatSession, command: str, fields: Mapping[str, Any], *, link: str = "", **options: Any
) -> Response:
    """Give a command that needs no form; `link` is the next one of the seat's own chain, as it was sent."""
    own_link = link_in(link)
    try:
        outcome = at.act(command, fields, link=own_link, **options)
    except refusals.Refusal as refusal:  # beside the button, or on a page of its own
        explained = explained_link(refusal, own_link)
        status = status_of(request, explained)
        headers = {REFUSAL: explained.code}
        return errors.problem(request, status, explained.sentence, code=explained.code, headers=headers)
    return with_receipt(done(request, at), at, outcome)


def done(request: Request, at: SeatSession, page: str = "") -> Response:
    """Respond to a button whose command is done. The live stream shows the result; without scripts, the page does."""
    if rendering.is_part(request):
        return Response(status_code=204)
    return go_to(request, f"/t/{at.table}{page}")


def with_receipt(response: R, at: SeatSession, outcome: Outcome) -> R:
    """Add the receipt for the browser to keep: it shows whether the ledger is rewritten later."""
    if outcome.receipt:
        receipt = {"target": "body", "table": at.table, "line": outcome.receipt.line, "head": outcome.receipt.head}
        response.headers["HX-Trigger"] = json.dumps({"receipt": receipt})
    return response
