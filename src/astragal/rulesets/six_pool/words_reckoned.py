"""What went into a roll, as players say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from astragal.chance import Question
from astragal.table.ruleset import Teller

from .trial.attacks import attack, damage_roll
from .trial.checks import check
from .trial.contests import Contender, Side, contest
from .trial.footing import Footing, footing
from .trial.rerolls import INSPIRATION, Again, Asks
from .trial.rests import short_rest

Parts = Iterator[tuple[str, str]]


def reckoning(question: Question[Any], teller: Teller) -> Parts:
    """SP-01, SP-08, SP-13: what comes to the die and what it is against; what is level and at rest is not said."""
    given = question.named
    if question.rule is check:
        yield from _rolled(given, teller)
        yield teller.term("dc"), str(given["dc"])
    elif question.rule is attack:
        yield from _rolled(given, teller)
        yield teller.term("ac"), str(given["ac"])
        yield "Damage", given["damage"]
    elif question.rule is damage_roll:
        yield "Damage", f"{given['damage']}, dice twice" if given["critical"] else given["damage"]
    elif question.rule is contest:
        for side in Side:
            yield from _goes_in(side, given[side.value], teller)
        yield "A tie", f"is the {given['tie_to'].value}’s"
    elif question.rule is short_rest:
        yield "Level", str(given["level"])


def _rolled(given: Mapping[str, Any], teller: Teller) -> Parts:
    yield "Bonus", _signed(given["bonus"])
    if given["stance"] is not Footing.LEVEL:
        yield "Rolled with", given["stance"].value
    yield from _rerolls("Can roll again", given["again"], teller)


def _goes_in(side: Side, contender: Contender, teller: Teller) -> Parts:
    """SP-13: what a side has before it declares."""
    who = f"The {side.value}’s"
    yield f"{who} bonus", _signed(contender.bonus)
    stance = footing(helped=contender.helped, hindered=contender.hindered)
    if stance is not Footing.LEVEL:
        yield f"{who} roll", stance.value
    yield f"{who} points", f"up to {contender.most}"
    if contender.doubled:
        yield f"{who} points that count double", str(contender.doubled)
    if contender.inspired:
        yield f"{who} {teller.term(INSPIRATION)}", "at hand"
    yield from _rerolls(f"{who} rerolls", contender.again, teller)


def _rerolls(name: str, again: Again, teller: Teller) -> Parts:
    if again.sources and again.asks is not Asks.NEVER:
        yield name, ", ".join(_source(teller.term(one.name), one.up_to) for one in again.sources)


def _source(name: str, up_to: int) -> str:
    return name if up_to == 20 else f"{name} (up to {up_to})"


def _signed(bonus: int) -> str:
    return f"−{-bonus}" if bonus < 0 else f"+{bonus}"
