"""One seat at one table, as a request comes from it: everything that a page shows goes through here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, HTTPException, Request

from astragal.fair import Ledger, sources
from astragal.surfaces.shared.ai_seats import AiRole, AiStatus
from astragal.surfaces.shared.context import SeatView, lazily
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.errors import NO_SEAT, TooFast
from astragal.table.ledger_writer import seat_in_ledger
from astragal.table.refusals import NoSuchTable
from astragal.table.visibility.events import SeenEvent


@dataclass(frozen=True)
class SeatChains:
    """Chains that a seat keeps itself, and hidden rolls that wait for its link."""

    seat: str
    """As the ledger names it."""
    paired: bool
    witness: bool
    asked: tuple[str, ...] = ()
    """The hidden rolls that wait for this seat's link."""


def chains_of(ledger: Ledger, seat: str, game_master: str) -> SeatChains:
    named = seat_in_ledger(seat, game_master)
    paired, witness = sources.client(named), sources.witness(named)
    asked = tuple(ask.cmd for ask in ledger.asks.values() if ask.waits and witness in ask.witnesses)
    return SeatChains(named, _is_promised(ledger, paired), _is_promised(ledger, witness), asked)


def _is_promised(ledger: Ledger, src: str) -> bool:
    found = ledger.sources.get(src)
    return found is not None and not found.broken


@dataclass(frozen=True, eq=False)
class SeatSession(SeatView):
    """A seat in a browser: its chains, who else is connected, and the pass by which somebody sits here."""

    context: WebContext
    admission: str = ""
    """The digest of the pass by which somebody from outside sits here."""

    @lazily
    def chains(self) -> SeatChains:
        """The chains that this seat keeps itself."""
        return chains_of(self.host.standing(self.table, self.seat), self.seat, self.state.game_master)

    @property
    def is_paired(self) -> bool:
        """Are this seat's rolls paired with a chain of its own?"""
        return self.chains.paired

    @lazily
    def present(self) -> frozenset[str]:
        """The seats whose people are connected."""
        return self.context.hub.present(self.table)

    @lazily
    def ai(self) -> tuple[AiStatus, ...]:
        """The AIs at the table; a helper is known to the one whom it helps."""
        found = self.context.ai_at(self.table)
        return tuple(one for one in found if one.role is not AiRole.HELPER or one.seat == self.seat)

    def deed(self, act: str) -> tuple[SeenEvent, ...]:
        """The events of a deed that this seat may see."""
        return self.host.deed(self.table, self.seat, act)

    def anew(self) -> SeatSession:
        """The same seat, to look at the table again. Refused where the pass that led here is no longer good."""
        if self.admission and not self.context.auth.is_good(self.admission):
            raise NoSuchTable(NO_SEAT)
        return SeatSession(self.context, self.table, self.seat, self.admission)


def seat_session(request: Request, table: str) -> SeatSession:
    """The seat that this browser has at this table. Runs in a thread, as every route that asks for it does."""
    context: WebContext = request.app.state.context
    held = context.auth.held(request, table)
    if held is None or held.seat is None:
        raise HTTPException(401, NO_SEAT)
    if seconds := context.paces.wait(held.digest):
        raise TooFast(seconds)
    return SeatSession(context, table, held.seat, held.digest)


AtTable = Annotated[SeatSession, Depends(seat_session)]
"""The type of a route's argument that needs a seat."""
