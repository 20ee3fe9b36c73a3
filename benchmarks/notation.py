"""Dice notation, against d20: rolls per second, and time to answer a nasty text."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import d20

from astragal.chance import ChanceError, SeededDice
from benchmarks.harness import OURS, Mark, Work, benchmark, faster, medians, skipped, within

ROLLS = 1000
SPELLINGS = {"1d20+7": "1d20+7", "2d20kl1": "2d20kl1", "5d6!": "5d6e6"}
"""Our notation, and the same in d20's. The first has the target; the others are for comparison."""

NASTY = {
    "more dice than can be": "999999999d999999999",
    "a number with an exponent": "1d1e1",
    "3000 opening brackets": "(" * 3000,
    "3000 minus signs": "-" * 3000,
    "20000 sums": "1+" * 20000,
    "5000 digits": "1" * 5000,
    "what stalls d20": "1000d6" + "kh1000" * 40,
    "no dice": "0d6",
    "no sides": "1d0",
    "one side": "d1",
    "fewer than no dice": "-1d6",
    "a broken number": "1.5d6",
    "a division by nothing": "1/0",
    "Arabic digits": "\u0661d\u0662\u0660",
    "a raised digit": "1d\u00b2",
    "a turned direction": "1d6\u202e",
    "an invisible sign": "1d\u200b6",
    "a null": "1d6\0",
    "half a sign": "1d6\ud800",
    "a picture": "\U0001f3b2",
    "the most dice there may be": "1000d6",
    "the most that explode": "1000d2!",
    "an unknown word": "1d6 advantge",
    "as deep as it goes": "(" * 10 + "1d6" + ")" * 10,
}


def our_notation() -> Any:
    """Return the module, or None while it does not exist."""
    with suppress(ImportError):
        from astragal.chance import notation

        return notation
    return None


@benchmark("notation.rate")
def rates() -> Iterator[Mark]:
    notation = our_notation()
    if notation is None:
        yield skipped("notation.rate", "rolls a second", "astragal.chance.notation is not there yet")
        return
    for spelling, theirs in SPELLINGS.items():
        contenders: dict[str, Work] = {
            OURS: lambda text=spelling: roll_many(notation, text),  # type: ignore[misc]
            "d20": lambda text=theirs: [d20.roll(text) for _ in range(ROLLS)],  # type: ignore[misc]
        }
        times = medians(contenders)
        rate = f"{ROLLS / times[OURS]:,.0f} rolls a second"
        target = 5.0 if spelling == "1d20+7" else 1.0
        yield from faster("notation.rate", f"{spelling} at {rate}", times, {"d20": target})


def roll_many(notation: Any, text: str) -> None:
    dice = SeededDice(1)
    for _ in range(ROLLS):
        notation.roll(text, dice)


@benchmark("notation.nasty")
def nasty() -> Iterator[Mark]:
    """The slowest text, rolled and explained."""
    notation = our_notation()
    if notation is None:
        yield skipped("notation.nasty", "nasty texts", "astragal.chance.notation is not there yet")
        return

    def answer(text: str) -> None:
        with suppress(ChanceError):
            notation.roll(text, SeededDice(1))
        with suppress(ChanceError):
            notation.explain(text)

    times = medians({name: lambda text=text: answer(text) for name, text in NASTY.items()})  # type: ignore[misc]
    slowest = max(times, key=lambda name: times[name])
    yield within("notation.nasty", f"{len(NASTY)} nasty texts", times[slowest], 0.005, f"the slowest: {slowest}")
