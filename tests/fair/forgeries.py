"""Forgeries that a ledger shows by itself, though the forger knows every seed and computes every head anew.

Each takes a table as it was played and gives the lines that the forger shows instead.
"""

from collections.abc import Callable
from typing import NamedTuple

from astragal.fair import Chain, Fault, faces_of, key_of, lines, request_text
from tests.fair.pages import Pages
from tests.fair.tables import Table, seed_of


class Forgery(NamedTuple):
    forge: Callable[[Table], list[bytes]]
    code: Fault


def a_value(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.change(pages.all("roll", by="alice")[0], dice=[20])
    return pages.lines()


def a_hidden_value(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.change(pages.all("open")[0], dice=[1])
    return pages.lines()


def a_purpose(table: Table) -> list[bytes]:
    """A hidden roll was for something else, they say now."""
    pages = Pages(table.lines)
    pages.change(pages.all("open")[0], req=request_text("do the gulls hear it? difficulty 11", [20]))
    return pages.lines()


def a_difficulty(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.change(pages.all("open")[0], req=request_text("do the guards hear it? difficulty 3", [20]))
    return pages.lines()


def a_difficulty_of_an_open_roll(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.change(pages.all("unseal")[0], req="difficulty 19")
    return pages.lines()


def the_dice_of_a_hidden_roll(table: Table) -> list[bytes]:
    """Another number of sides, with the faces that the links give for it."""
    pages = Pages(table.lines)
    opening = pages.all("open")[0]
    key = key_of([bytes.fromhex(pages.fields[opening]["link"])])
    pages.change(opening, sides=[100], dice=faces_of(key, [100]))
    return pages.lines()


def the_order(table: Table) -> list[bytes]:
    """The better roll for the more important thing."""
    pages = Pages(table.lines)
    pages.swap(*pages.all("roll", by="alice")[1:3])
    return pages.lines()


def a_dropped_roll(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.drop(pages.all("roll", by="bob")[1])
    return pages.lines()


def a_doubled_roll(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    lucky = pages.all("roll", by="bob")[1]
    pages.insert(lucky + 1, table.lines[lucky])
    return pages.lines()


def a_roll_from_another_seats_chain(table: Table) -> list[bytes]:
    """Bob's next die is better: let it be Alice's."""
    pages = Pages(table.lines)
    pages.change(pages.all("roll", by="bob")[0], by="alice")
    return pages.lines()


def a_dropped_pairing(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    roll = pages.all("roll", by="alice")[0]
    pages.change(roll, links=pages.fields[roll]["links"][:1])
    pages.draw_again(roll)
    return pages.lines()


def hidden_rolls_swapped(table: Table) -> list[bytes]:
    """The links, and so the dice, of two hidden rolls change places."""
    pages = Pages(table.lines)
    one, other = pages.all("open")[0], pages.all("open")[2]
    pages.change(one, link=pages.fields[other]["link"])
    pages.change(one, dice=faces_of(key_of([bytes.fromhex(pages.fields[one]["link"])]), [20]))
    return pages.lines()


def hidden_openings_swapped(table: Table) -> list[bytes]:
    """Each is opened as if the other had been asked."""
    pages = Pages(table.lines)
    one, other = pages.all("open")[1:3]
    asks = pages.fields[one]["ask"], pages.fields[other]["ask"]
    pages.change(one, ask=asks[1])
    pages.change(other, ask=asks[0])
    pages.swap(one, other)
    return pages.lines()


def hidden_asks_swapped(table: Table) -> list[bytes]:
    """The seals too change places, so that only the hidden chains tell."""
    pages = Pages(table.lines)
    one, other = pages.all("ask", **{"with": []})
    pages.swap(one, other)
    pages.change(pages.all("open", ask=one)[0], ask=other)
    return pages.lines()


def a_dropped_hidden_roll(table: Table) -> list[bytes]:
    """The one that was never opened, as if it had not been asked."""
    pages = Pages(table.lines)
    pages.drop(pages.all("ask", **{"with": []})[1])
    return pages.lines()


def a_dropped_hidden_roll_with_its_tip(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.drop(pages.all("ask", **{"with": []})[1])
    pages.drop(pages.all("tip", src="s:gm-harbour-2")[0])
    return pages.lines()


def a_silent_re_seed(table: Table) -> list[bytes]:
    """A new chain for Bob, promised as if it were the first."""
    return _re_seeded(table, renew=0)


def an_early_renewal(table: Table) -> list[bytes]:
    return _re_seeded(table, renew=1)


def a_re_seed_without_a_tip(table: Table) -> list[bytes]:
    pages = Pages(_re_seeded(table, renew=0))
    pages.drop(pages.all("tip", src="s:bob")[1])
    return pages.lines()


def _re_seeded(table: Table, renew: int) -> list[bytes]:
    pages, chain = Pages(table.lines), Chain("s:bob", seed_of("s:bob, once more"))
    for spent, number in enumerate(pages.all("roll", by="bob")[1:], start=1):
        pages.change(number, links=[["s:bob", chain.spend(spent).hex()]])
        pages.draw_again(number)
    pages.insert(pages.all("roll", by="bob")[1], lines.tip("s:bob", chain.tip, renew))
    return pages.lines()


def a_witness_replaced(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    answer = pages.all("answer")[0]
    links = pages.fields[answer]["links"]
    pages.change(answer, links=[["w:alice", links[1][1]], ["w:bob", links[0][1]]])
    return pages.lines()


def a_witness_left_out(table: Table) -> list[bytes]:
    """In the ask as well as in the answer, with all dice drawn again: the witness's later links tell."""
    pages = Pages(table.lines)
    answer = pages.all("answer")[0]
    ask = pages.fields[answer]["ask"]
    alone = pages.fields[answer]["links"][1:]
    pages.change(ask, **{"with": ["w:alice"]})
    pages.change(answer, links=alone)
    opening = pages.all("open", ask=ask)[0]
    shown = [pages.fields[opening]["link"], alone[0][1]]
    pages.change(opening, dice=faces_of(key_of(map(bytes.fromhex, shown)), pages.fields[opening]["sides"]))
    return pages.lines()


def a_void_after_the_answer(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    answer = pages.all("answer")[0]
    pages.insert(answer + 1, lines.void(pages.fields[answer]["ask"]))
    return pages.lines()


def a_void_in_place_of_the_answer(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    answer = pages.all("answer")[0]
    ask = pages.fields[answer]["ask"]
    pages.fields[answer] = {"t": "void", "ask": ask}
    pages.drop(pages.all("open", ask=ask)[0])
    return pages.lines()


def a_void_of_a_roll_that_nobody_witnessed(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.insert(len(pages.fields), lines.void(pages.all("ask", **{"with": []})[1]))
    return pages.lines()


def a_link_replayed_after_a_rewind(table: Table) -> list[bytes]:
    """The rewound roll falls again as it fell."""
    pages = Pages(table.lines)
    rewind = pages.all("rewind")[0]
    before = [number for number in pages.all("roll", by="alice") if number < rewind][-1]
    after = next(number for number in pages.all("roll", by="alice") if number > rewind)
    pages.change(after, links=pages.fields[before]["links"])
    pages.draw_again(after)
    return pages.lines()


def a_hidden_rewind(table: Table) -> list[bytes]:
    pages = Pages(table.lines)
    pages.drop(pages.all("rewind")[0])
    return pages.lines()


def a_second_spelling(table: Table) -> list[bytes]:
    """One line that two readers read differently."""
    number = Pages(table.lines).all("roll", by="alice")[0]
    forged = list(table.lines)
    forged[number] = forged[number].replace(b'"dice":[', b'"dice":[20],"dice":[')
    return forged


SHOWN_BY_THE_LEDGER_ITSELF = {
    forge.__name__: Forgery(forge, code)
    for forge, code in [
        (a_value, Fault.DICE_DIFFER),
        (a_hidden_value, Fault.DICE_DIFFER),
        (a_purpose, Fault.SEAL_DIFFERS),
        (a_difficulty, Fault.SEAL_DIFFERS),
        (a_difficulty_of_an_open_roll, Fault.SEAL_DIFFERS),
        (the_dice_of_a_hidden_roll, Fault.SIDES_DIFFER),
        (the_order, Fault.LINK_SKIPPED),
        (a_dropped_roll, Fault.LINK_SKIPPED),
        (a_doubled_roll, Fault.LINK_REPLAYED),
        (a_roll_from_another_seats_chain, Fault.WRONG_CHAIN),
        (a_dropped_pairing, Fault.UNPAIRED),
        (hidden_rolls_swapped, Fault.LINK_FOREIGN),
        (hidden_openings_swapped, Fault.SEAL_DIFFERS),
        (hidden_asks_swapped, Fault.LINK_FOREIGN),
        (a_dropped_hidden_roll, Fault.LINK_FOREIGN),
        (a_dropped_hidden_roll_with_its_tip, Fault.HIDDEN_ORDER),
        (a_silent_re_seed, Fault.RE_SEEDED),
        (an_early_renewal, Fault.RENEWED_EARLY),
        (a_re_seed_without_a_tip, Fault.LINK_FOREIGN),
        (a_witness_replaced, Fault.WRONG_WITNESS),
        (a_witness_left_out, Fault.LINK_SKIPPED),
        (a_void_after_the_answer, Fault.ANSWERED),
        (a_void_in_place_of_the_answer, Fault.LINK_SKIPPED),
        (a_void_of_a_roll_that_nobody_witnessed, Fault.ANSWERED),
        (a_link_replayed_after_a_rewind, Fault.LINK_REPLAYED),
        (a_hidden_rewind, Fault.REWIND_COUNT),
        (a_second_spelling, Fault.MALFORMED),
    ]
}
"""What no forger can hide, whatever heads he computes: each with the code that tells."""
