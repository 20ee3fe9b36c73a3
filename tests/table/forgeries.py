"""Forgeries that the ledger of a real export shows by itself, whatever the forger computes anew.

Each changes the pages of a ledger as the evening of `fair_tables` wrote it; `bo` and `cy` are the players' seats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from astragal.fair import Chain, Fault, faces_of, key_of, lines, new_seed, seal_of
from astragal.fair.spelling import Json, read_text, spell_text
from tests.fair.pages import Pages
from tests.table.fair_tables import FairTable


class Forgery(NamedTuple):
    forge: Callable[[Pages, FairTable], None]
    code: Fault


def a_value(pages: Pages, table: FairTable) -> None:
    roll = pages.all("roll", by=table.bo)[0]
    pages.change(roll, dice=[7 - pages.fields[roll]["dice"][0]])


def a_hidden_value(pages: Pages, _: FairTable) -> None:
    opening = pages.all("open")[0]
    pages.change(opening, dice=[7 - pages.fields[opening]["dice"][0]])


def a_purpose(pages: Pages, _: FairTable) -> None:
    """A hidden roll was for something else, they say now."""
    pages.change(pages.all("open")[0], req=_asked(pages, rule="dodge"))


def a_difficulty(pages: Pages, _: FairTable) -> None:
    pages.change(pages.all("open")[0], req=_asked(pages, arguments=[1, 1]))


def _asked(pages: Pages, **changed: Json) -> str:
    sealed = read_text(pages.fields[pages.all("open")[0]]["req"])
    return spell_text({**sealed, "req": {**sealed["req"], **changed}})


def the_order(pages: Pages, table: FairTable) -> None:
    """The better roll for the more important thing."""
    pages.swap(*pages.all("roll", by=table.bo)[1:3])


def a_dropped_roll(pages: Pages, table: FairTable) -> None:
    pages.drop(pages.all("roll", by=table.cy)[1])


def a_doubled_roll(pages: Pages, table: FairTable) -> None:
    lucky = pages.all("roll", by=table.cy)[1]
    pages.insert(lucky + 1, pages.lines()[lucky])


def a_roll_from_another_seats_chain(pages: Pages, table: FairTable) -> None:
    pages.change(pages.all("roll", by=table.cy)[0], by=table.bo)


def hidden_rolls_swapped(pages: Pages, _: FairTable) -> None:
    """The links, and so the dice, of two hidden rolls change places."""
    one, other = pages.all("open")[:2]
    links = pages.fields[one]["link"], pages.fields[other]["link"]
    for opening, link in ((one, links[1]), (other, links[0])):
        dice = faces_of(key_of([bytes.fromhex(link)]), pages.fields[opening]["sides"])
        pages.change(opening, link=link, dice=dice)


def hidden_purposes_swapped(pages: Pages, _: FairTable) -> None:
    """Each is opened as if the other had been asked."""
    one, other = pages.all("open")[:2]
    asks = pages.fields[one]["ask"], pages.fields[other]["ask"]
    pages.change(one, ask=asks[1])
    pages.change(other, ask=asks[0])


def a_dropped_hidden_roll(pages: Pages, _: FairTable) -> None:
    """The one that stays sealed, as if it had not been asked."""
    opened = [pages.fields[number]["ask"] for number in pages.all("open")]
    pages.drop(next(number for number in pages.all("ask", **{"with": []}) if number not in opened))


def a_silent_re_seed(pages: Pages, table: FairTable) -> None:
    """A new chain for Bo, promised as if it were the first."""
    src, rolls = f"s:{table.bo}", pages.all("roll", by=table.bo)[1:]
    chain = Chain(src, new_seed())
    for spent, number in enumerate(rolls, start=1):
        pages.change(number, links=[[src, chain.spend(spent).hex()]])
        pages.draw_again(number)
    pages.insert(rolls[0], lines.tip(src, chain.tip))


def a_witness_replaced(pages: Pages, table: FairTable) -> None:
    """Cy answered for Bo."""
    answer = pages.all("answer")[0]
    links = [[src, link] for (src, _), (_, link) in zip(*[pages.fields[answer]["links"]] * 2, strict=True)]
    links[0][0] = f"w:{table.cy}"
    pages.change(answer, links=links)


def a_witness_with_another_link(pages: Pages, table: FairTable) -> None:
    answer = pages.all("answer")[0]
    chain = Chain(f"w:{table.bo}", new_seed())
    pages.change(answer, links=[[chain.src, chain.spend(1).hex()], pages.fields[answer]["links"][1]])


def a_void_after_the_answer(pages: Pages, _: FairTable) -> None:
    answer = pages.all("answer")[0]
    pages.insert(answer + 1, lines.void(pages.fields[answer]["ask"]))


def a_void_in_place_of_the_answer(pages: Pages, _: FairTable) -> None:
    answer = pages.all("answer")[0]
    ask = pages.fields[answer]["ask"]
    pages.fields[answer] = {"t": "void", "ask": ask}
    pages.drop(pages.all("open", ask=ask)[0])


def a_link_replayed_after_a_rewind(pages: Pages, table: FairTable) -> None:
    """The rewound roll falls again as it fell."""
    rewind = pages.all("rewind")[0]
    before = [number for number in pages.all("roll", by=table.bo) if number < rewind][-1]
    after = next(number for number in pages.all("roll", by=table.bo) if number > rewind)
    pages.change(after, links=pages.fields[before]["links"])
    pages.draw_again(after)


def a_dropped_fact(pages: Pages, table: FairTable) -> None:
    """What came of a roll is no longer sealed."""
    pages.drop(pages.all("roll", by=table.bo)[0] + 1)


def the_last_fact_dropped(pages: Pages, _: FairTable) -> None:
    pages.drop(pages.all("fact")[-1])


def a_witnessed_roll_that_names_no_dice(pages: Pages, _: FairTable) -> None:
    """The server sealed no dice, and chose them once the witnesses had answered."""
    ask = pages.fields[pages.all("answer")[0]]["ask"]
    opening = pages.all("open", ask=ask)[0]
    sealed = read_text(pages.fields[opening]["req"])
    text = spell_text({**sealed, "sides": []})
    pages.change(opening, req=text)
    pages.change(ask, seal=seal_of(bytes.fromhex(pages.fields[opening]["salt"]), text).hex())


def a_hidden_rewind(pages: Pages, _: FairTable) -> None:
    pages.drop(pages.all("rewind")[0])


SHOWN_BY_THE_LEDGER_ITSELF = {
    forge.__name__: Forgery(forge, code)
    for forge, code in [
        (a_value, Fault.DICE_DIFFER),
        (a_hidden_value, Fault.DICE_DIFFER),
        (a_purpose, Fault.SEAL_DIFFERS),
        (a_difficulty, Fault.SEAL_DIFFERS),
        (the_order, Fault.LINK_SKIPPED),
        (a_dropped_roll, Fault.LINK_SKIPPED),
        (a_doubled_roll, Fault.LINK_REPLAYED),
        (a_roll_from_another_seats_chain, Fault.WRONG_CHAIN),
        (hidden_rolls_swapped, Fault.LINK_FOREIGN),
        (hidden_purposes_swapped, Fault.SEAL_DIFFERS),
        (a_dropped_hidden_roll, Fault.LINK_FOREIGN),
        (a_silent_re_seed, Fault.RE_SEEDED),
        (a_witness_replaced, Fault.WRONG_WITNESS),
        (a_witness_with_another_link, Fault.LINK_FOREIGN),
        (a_void_after_the_answer, Fault.ANSWERED),
        (a_void_in_place_of_the_answer, Fault.LINK_SKIPPED),
        (a_link_replayed_after_a_rewind, Fault.LINK_REPLAYED),
        (a_dropped_fact, Fault.NO_FACT),
        (the_last_fact_dropped, Fault.NO_FACT),
        (a_witnessed_roll_that_names_no_dice, Fault.NO_DICE_SEALED),
        (a_hidden_rewind, Fault.REWIND_COUNT),
    ]
}
"""Each with the code that tells."""
