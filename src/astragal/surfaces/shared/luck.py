"""Luck of everybody at a table, from what one seat may see of its rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.lab.luck import PersonLuck, luck

if TYPE_CHECKING:
    from astragal.surfaces.shared.seat_view import SeatView

AT_ONCE = 500
"""Events that are read at a time."""


def table_luck(view: SeatView) -> tuple[PersonLuck, ...]:
    """Each seat that has rolled, then all together; what this seat may not know is in none of it."""
    page = view.host.follow(view.table, view.seat, most=AT_ONCE)
    told = list(page.events)
    while page.more:
        page = view.host.follow(view.table, view.seat, page.cursor, AT_ONCE)
        told += page.events
    return luck(view.book, told, {seat.id: seat.name for seat in view.state.seats.values()})
