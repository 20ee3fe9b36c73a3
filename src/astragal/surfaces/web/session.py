"""One seat at one table, as a request comes from it: everything that a page shows goes through here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request

from astragal.surfaces.web.cached import lazily
from astragal.surfaces.web.context import House
from astragal.surfaces.web.errors import NO_SEAT, TooFast
from astragal.surfaces.web.table.chains import SeatChains, chains_of
from astragal.table.authoring.chapter import Teller
from astragal.table.authoring.declarations import Sight
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.host import Host
from astragal.table.log.repository import Outcome
from astragal.table.pending import OpenDecision
from astragal.table.preview import Preview
from astragal.table.refusals import NoSuchTable
from astragal.table.registry import Book
from astragal.table.state.seats import Seat, Viewer
from astragal.table.state.table import State


@dataclass(frozen=True, eq=False)
class Sitting:
    """A seat's way to its table. `state` is what the seat may see, as it was when it was first asked for.

    So no two are equal: each has looked at its own moment.
    """

    house: House
    table: str
    seat: str
    admission: str = ""
    """The digest of the pass by which somebody from outside sits here."""

    @property
    def host(self) -> Host:
        return self.house.host

    @lazily
    def state(self) -> State:
        return self.host.look(self.table, self.seat)

    @property
    def book(self) -> Book:
        return self.house.books[self.state.ruleset]

    @property
    def ruleset(self) -> Ruleset:
        return self.book.ruleset

    @property
    def own(self) -> Seat:
        return self.state.seats[self.seat]

    @lazily
    def viewer(self) -> Viewer:
        return self.state.viewer(self.seat)

    @property
    def is_game_master(self) -> bool:
        return self.viewer.is_game_master

    @lazily
    def teller(self) -> Teller:
        return Teller(self.state, self.state.terms)

    @lazily
    def decisions(self) -> tuple[OpenDecision, ...]:
        return self.host.decisions(self.table, self.seat)

    @lazily
    def chains(self) -> SeatChains:
        """The chains that this seat keeps itself."""
        return chains_of(self.host.standing(self.table, self.seat), self.seat, self.state.game_master)

    @lazily
    def present(self) -> frozenset[str]:
        """The seats whose people are connected."""
        return self.house.hub.present(self.table)

    def anew(self) -> Sitting:
        """The same seat, to look at the table again. Refused where the pass that led here is no longer good."""
        if self.admission and not self.house.doors.is_good(self.admission):
            raise NoSuchTable(NO_SEAT)
        return Sitting(self.house, self.table, self.seat, self.admission)

    def act(
        self,
        command: str,
        fields: Mapping[str, Any],
        *,
        command_id: str | None = None,
        sight: Sight = Sight.OPEN,
        by_hand: bool = False,
        shown: str | None = None,
        link: bytes | None = None,
    ) -> Outcome:
        return self.host.act(
            self.table,
            self.seat,
            (command, fields),
            command_id=command_id,
            sight=sight,
            by_hand=by_hand,
            shown=shown,
            link=link,
        )

    def preview(self, command: str, fields: Mapping[str, Any], sight: Sight = Sight.OPEN) -> Preview | None:
        return self.host.preview(self.table, self.seat, (command, fields), sight=sight)


def sitting(request: Request, table: str) -> Sitting:
    """The seat that this browser has at this table. Runs in a thread, as every route that asks for it does."""
    house: House = request.app.state.house
    held = house.doors.held(request, table)
    if held is None or held.seat is None:
        raise HTTPException(401, NO_SEAT)
    if seconds := house.paces.wait(held.digest):
        raise TooFast(seconds)
    return Sitting(house, table, held.seat, held.digest)


AtTable = Annotated[Sitting, Depends(sitting)]
"""The type of a route's argument that needs a seat."""
