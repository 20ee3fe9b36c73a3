"""Ledgers rewritten so that they are sound in themselves: only a receipt shows that they are not what was seen."""

from collections.abc import Callable

from astragal.fair import request_text, seal_of
from tests.fair.pages import Pages
from tests.fair.tables import Table


def a_cut_tail(table: Table) -> list[bytes]:
    return table.lines[:-3]


def an_edited_note(table: Table) -> list[bytes]:
    """The note is changed, and its digest with it."""
    pages = Pages(table.lines)
    edited = seal_of(table.secrets[pages.all("fact")[0]].salt, "The harbour master is a friend.")
    pages.change(pages.all("fact")[0], seal=edited.hex())
    return pages.lines()


def a_purpose_of_an_open_roll(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.change(pages.all("roll", by="alice")[0], req="sing")
    return pages.lines()


def other_dice_for_an_open_roll(table: Table) -> list[bytes]:
    """The links give what they give; how many sides were asked for stands in the line alone."""
    pages = Pages(table.lines)
    roll = pages.all("roll", by="alice")[0]
    pages.change(roll, sides=[100])
    pages.draw_again(roll)
    return pages.lines()


def an_override_dropped(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.drop(pages.all("override")[0])
    return pages.lines()


def the_order_of_two_seats(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    first = pages.all("roll", by="alice")[0]
    pages.swap(first, first + 1)
    pages.change(pages.all("unseal")[0], line=first)
    return pages.lines()


def the_last_roll_of_a_seat_dropped(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.drop(pages.all("roll", by="alice")[-1])
    return pages.lines()


def the_last_rewind_dropped(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.drop(pages.all("rewind")[-1])
    return pages.lines()


def another_purpose_sealed_all_along(table: Table) -> list[bytes]:
    """The seal in the ask is made anew for the purpose that the opening shall show."""
    pages = Pages(table.lines)
    opening = pages.all("open")[0]
    text = request_text("do the gulls hear it?", [20])
    salt = bytes.fromhex(pages.fields[opening]["salt"])
    pages.change(opening, req=text)
    pages.change(pages.fields[opening]["ask"], seal=seal_of(salt, text).hex())
    return pages.lines()


SHOWN_BY_RECEIPTS_ALONE: dict[str, Callable[[Table], list[bytes]]] = {
    forge.__name__: forge
    for forge in (
        a_cut_tail,
        an_edited_note,
        a_purpose_of_an_open_roll,
        other_dice_for_an_open_roll,
        an_override_dropped,
        the_order_of_two_seats,
        the_last_roll_of_a_seat_dropped,
        the_last_rewind_dropped,
        another_purpose_sealed_all_along,
    )
}
"""What is sound in itself, and differs from what was seen."""
