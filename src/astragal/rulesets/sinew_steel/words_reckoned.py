"""What went into a roll, as players say it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from astragal.chance import Question, Rule
from astragal.table.ruleset import Teller

from .blow import Blow
from .combat import Aim, attack
from .luck import LuckTarget, Stand, luck_test, nudged_test
from .opposed import Side, opposed_test
from .pressure import FULL, Result, crisis, rising, step_after, tampering
from .purchase import purchase
from .rolling import Footing
from .words import token_words
from .words_toolkit import RICH

Given: TypeAlias = Mapping[str, Any]
Parts: TypeAlias = Iterator[tuple[str, str]]

USUAL_BLOW = Blow()
LETHAL = ("Stakes", "lethal")

DICE = {
    Footing.ADVANTAGE: "the lower of two (advantage)",
    Footing.DISADVANTAGE: "the higher of two (disadvantage)",
}
"""SS-04: what is said of the dice, where there is more than one."""


def reckoning(question: Question[Any], teller: Teller) -> Parts:
    """SS-01, SS-07, SS-20, SS-32, SS-51, SS+02: what a roll was made with; what is level, nought or usual is not said.

    Some rules have nothing to say. What a blessing has room for is the size of a pool, which may be hidden.
    """
    if question.rule in _RECKONED:
        yield from _RECKONED[question.rule](question.named, teller)


# ---------------------------------------------------------------- tests


def _test(given: Given, teller: Teller) -> Parts:
    yield from _rolls("", given["score"], given["stand"], teller)
    if given["lethal"]:
        yield LETHAL


def _luck_test(given: Given, teller: Teller) -> Parts:
    yield from _tested_luck(given, teller)
    if given["lethal"]:
        yield LETHAL


def _tested_luck(given: Given, teller: Teller) -> Parts:
    """SS-24: the tokens are the score; they can be spent on it only where it is frozen."""
    tokens, stand = given["tokens"], Stand(given["stance"])
    if given["target"] is LuckTarget.FROZEN:
        stand = Stand(given["stance"], tokens, surcharge=given["surcharge"], favours=given["favours"])
    yield "Score", f"{tokens} ({teller.term('tokens')} held)"
    yield from _stands("", stand, teller)


def _rolls(whose: str, score: int, stand: Stand, teller: Teller) -> Parts:
    yield _label(whose, "score"), str(score)
    yield from _stands(whose, stand, teller)


def _stands(whose: str, stand: Stand, teller: Teller) -> Parts:
    if stand.footing in DICE:
        yield _label(whose, "dice"), DICE[stand.footing]
    if stand.luck or stand.favours:
        yield _label(whose, teller.term("luck")), _at_hand(stand, teller)


def _at_hand(stand: Stand, teller: Teller) -> str:
    """SS-53, SS-67: what could be spent, of one's own and of the ally's, and what is asked on top."""
    held = [token_words(stand.luck, teller)] if stand.luck else []
    held += [f"{stand.favours} from {teller.term('ally')}"] if stand.favours else []
    dearer = f"; to spend costs 1 more for {teller.term('pressure')}" if stand.surcharge else ""
    return f"{' and '.join(held)}{dearer}"


def _label(whose: str, name: str) -> str:
    return f"{whose} {name}" if whose else name[:1].upper() + name[1:]


# ---------------------------------------------------------------- one against another


def _opposed(given: Given, teller: Teller) -> Parts:
    yield from _rolls(_whose(Side.ATTACKER), given["attacker"], given["attacking"], teller)
    yield from _rolls(_whose(Side.DEFENDER), given["defender"], given["defending"], teller)


def _attack(given: Given, teller: Teller) -> Parts:
    yield from _rolls(_whose(Side.ATTACKER), given["attacker"], given["attacking"], teller)
    if given["defending"] is None:
        yield "Defence", "none"
    else:
        yield from _rolls(_whose(Side.DEFENDER), given["defender"], given["defending"], teller)
    match given["aim"]:
        case Blow() as blow:
            yield from _blow(blow, teller)
        case Aim.CONSEQUENCE:
            yield "A hit brings", "what was agreed on"
        case Aim.FATE:
            yield LETHAL


def _blow(blow: Blow, teller: Teller) -> Parts:
    """SS-34 to SS-37, SS+04: what weapon and armour bring."""
    if blow.edge:
        yield "Edge", str(blow.edge)
    if blow.soak:
        yield "Soak", f"{blow.soak}, of which the weapon ignores 1" if blow.pierces else str(blow.soak)
    if blow.bonus_margin != USUAL_BLOW.bonus_margin:
        yield "1 more damage", f"from a margin of {blow.bonus_margin}"
    if blow.fatal:
        yield "A fatal weapon", f"takes all {blow.fatal} {teller.term('stamina')}"


def _whose(side: Side) -> str:
    return f"The {side.value}’s"


# ---------------------------------------------------------------- Pressure, Wealth


def _tampering(given: Given, teller: Teller) -> Parts:
    yield from _test(given, teller)
    yield from _fuse("A failure", given, teller)


def _fuse(what: str, given: Given, teller: Teller) -> Parts:
    """SS-51, SS-54: where the track stands that something could raise by 1."""
    if given["before"]:
        yield _label("", teller.term("pressure")), str(given["before"])
    if step_after(given["before"], 1) == FULL:
        yield what, "brings a crisis"
        yield from _crisis(given, teller)


def _rising(given: Given, teller: Teller) -> Parts:
    after = step_after(given["before"], given["rise"])
    if given["rise"]:
        yield _label("", teller.term("pressure")), f"from {given['before']} to {after}"
    if after == FULL:
        yield from _crisis(given, teller)


def _crisis(given: Given, teller: Teller) -> Parts:
    """SS-55: what a withering would choose from."""
    if given["carried"]:
        yield f"{teller.term(f'crisis_{Result.WITHERING.value}')} could take", ", ".join(given["carried"])


def _purchase(given: Given, teller: Teller) -> Parts:
    """SS+02: Luck and Pressure come into it only where it is dearer than one is rich."""
    wealth, tier = given["wealth"], given["tier"]
    yield "Wealth", f"{wealth} ({RICH[wealth]})"
    yield "Cost", str(tier)
    if wealth < tier:
        yield from _tested_luck(given, teller)
        yield from _fuse(f"To pay with {teller.term('pressure')}", given, teller)
    elif given["large"] and wealth:
        yield "A large purchase", "costs 1 Wealth"


_RECKONED: Mapping[Rule[..., Any], Callable[[Given, Teller], Parts]] = {
    nudged_test: _test,
    luck_test: _luck_test,
    opposed_test: _opposed,
    attack: _attack,
    tampering: _tampering,
    rising: _rising,
    crisis: _crisis,
    purchase: _purchase,
}
