"""Breakdown of a roll, as players say it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from astragal.chance import Question, Rule
from astragal.game import Teller
from astragal.game.rolls import Footing
from astragal.rulesets.sinew_steel.combat.attack import Aim, attack
from astragal.rulesets.sinew_steel.combat.damage import Blow
from astragal.rulesets.sinew_steel.luck import Stand, luck_test, nudged_test
from astragal.rulesets.sinew_steel.options import LuckTarget
from astragal.rulesets.sinew_steel.pressure.crises import Result, crisis, rising
from astragal.rulesets.sinew_steel.pressure.tracks import FULL, step_after
from astragal.rulesets.sinew_steel.terms import token_words
from astragal.rulesets.sinew_steel.toolkit.wealth import RICH, purchase
from astragal.rulesets.sinew_steel.trials.contests import opposed_test
from astragal.rulesets.sinew_steel.trials.prices import ONE_PRESSURE, tampering

Given: TypeAlias = Mapping[str, Any]
Parts: TypeAlias = Iterator[tuple[str, str]]

ATTACKER, DEFENDER = "The attacker’s", "The defender’s"
LETHAL = ("Stakes", "lethal")

DICE = {
    Footing.ADVANTAGE: "the lower of two (advantage)",
    Footing.DISADVANTAGE: "the higher of two (disadvantage)",
}
"""SS-04: what is said of the dice, where there is more than one."""


def breakdown(question: Question[Any], teller: Teller) -> Parts:
    """SS-01, SS-07, SS-20, SS-32, SS-51, SS+02: what a roll was made with; what is level, nought or usual is not said.

    Some rules have nothing to say. What a blessing has room for is the size of a pool, which may be hidden.
    """
    if question.rule in BREAKDOWNS:
        yield from BREAKDOWNS[question.rule](question.named, teller)


def label(whose: str, name: str) -> str:
    return f"{whose} {name}" if whose else name[:1].upper() + name[1:]


# ---------------------------------------------------------------- tests


def stand_parts(whose: str, stand: Stand, teller: Teller) -> Parts:
    """SS-53, SS-67: the dice; what could be spent, of one's own and of the ally's; and what is asked on top."""
    if stand.footing in DICE:
        yield label(whose, "dice"), DICE[stand.footing]
    if stand.luck or stand.favours:
        held = [token_words(stand.luck, teller)] if stand.luck else []
        held += [f"{stand.favours} from {teller.term('ally')}"] if stand.favours else []
        dearer = f"; to spend costs 1 more for {teller.term('pressure')}" if stand.surcharge else ""
        yield label(whose, teller.term("luck")), f"{' and '.join(held)}{dearer}"


def side_parts(whose: str, score: int, stand: Stand, teller: Teller) -> Parts:
    yield label(whose, "score"), str(score)
    yield from stand_parts(whose, stand, teller)


def trial_parts(given: Given, teller: Teller) -> Parts:
    yield from side_parts("", given["score"], given["stand"], teller)
    if given["lethal"]:
        yield LETHAL


def tokens_parts(given: Given, teller: Teller) -> Parts:
    """SS-24: the tokens are the score; they can be spent on it only where it is frozen."""
    tokens, stand = given["tokens"], Stand(given["stance"])
    if given["target"] is LuckTarget.FROZEN:
        stand = Stand(given["stance"], tokens, surcharge=given["surcharge"], favours=given["favours"])
    yield "Score", f"{tokens} ({teller.term('tokens')} held)"
    yield from stand_parts("", stand, teller)


def luck_test_parts(given: Given, teller: Teller) -> Parts:
    yield from tokens_parts(given, teller)
    if given["lethal"]:
        yield LETHAL


# ---------------------------------------------------------------- one against another


def opposed_parts(given: Given, teller: Teller) -> Parts:
    yield from side_parts(ATTACKER, given["attacker"], given["attacking"], teller)
    yield from side_parts(DEFENDER, given["defender"], given["defending"], teller)


def attack_parts(given: Given, teller: Teller) -> Parts:
    """SS-32 to SS-37, SS-39, SS-41, SS+04: both sides, and what weapon and armour bring, or what was agreed on."""
    yield from side_parts(ATTACKER, given["attacker"], given["attacking"], teller)
    if given["guards"]:
        yield "The defences", ", ".join(f"{ward.guard.value} {ward.score}" for ward in given["guards"])
        yield from stand_parts(DEFENDER, given["defending"], teller)
    elif given["defending"] is None:
        yield "Defence", "none"
    else:
        yield from side_parts(DEFENDER, given["defender"], given["defending"], teller)
    match given["aim"]:
        case Aim.CONSEQUENCE:
            yield "A hit brings", "what was agreed on"
        case Aim.FATE:
            yield LETHAL
        case Blow() as blow:
            if blow.edge:
                yield "Edge", str(blow.edge)
            if blow.soak:
                yield "Soak", f"{blow.soak}, of which the weapon ignores 1" if blow.pierces else str(blow.soak)
            if blow.bonus_margin != Blow().bonus_margin:
                yield "1 more damage", f"from a margin of {blow.bonus_margin}"
            if blow.fatal:
                yield "A fatal weapon", f"takes all {blow.fatal} {teller.term('stamina')}"


# ---------------------------------------------------------------- Pressure, Wealth


def crisis_parts(given: Given, teller: Teller) -> Parts:
    """SS-55: what a withering would choose from."""
    if given["carried"]:
        yield f"{teller.term(f'crisis_{Result.WITHERING.value}')} could take", ", ".join(given["carried"])


def rising_parts(given: Given, teller: Teller) -> Parts:
    after = step_after(given["before"], given["rise"])
    if given["rise"]:
        yield label("", teller.term("pressure")), f"from {given['before']} to {after}"
    if after == FULL:
        yield from crisis_parts(given, teller)


def fuse_parts(what: str, given: Given, teller: Teller) -> Parts:
    """SS-51, SS-54: where the track stands that something could raise."""
    rise = given["price"].pressure if "price" in given else 1
    if given["before"]:
        yield label("", teller.term("pressure")), str(given["before"])
    if step_after(given["before"], rise) == FULL:
        yield what, "brings a crisis"
        yield from crisis_parts(given, teller)


def tampering_parts(given: Given, teller: Teller) -> Parts:
    yield from trial_parts(given, teller)
    if given["price"] != ONE_PRESSURE:
        yield "A failure costs", given["price"].words(teller)
    if given["price"].pressure:
        yield from fuse_parts("A failure", given, teller)


def purchase_parts(given: Given, teller: Teller) -> Parts:
    """SS+02: Luck and Pressure come into it only where it costs more than their Wealth."""
    wealth, tier = given["wealth"], given["tier"]
    yield "Wealth", f"{wealth} ({RICH[wealth]})"
    yield "Cost", str(tier)
    if wealth < tier:
        yield from tokens_parts(given, teller)
        yield from fuse_parts(f"To pay with {teller.term('pressure')}", given, teller)
    elif given["large"] and wealth:
        yield "A large purchase", "costs 1 Wealth"


BREAKDOWNS: Mapping[Rule[..., Any], Callable[[Given, Teller], Parts]] = {
    nudged_test: trial_parts,
    luck_test: luck_test_parts,
    opposed_test: opposed_parts,
    attack: attack_parts,
    tampering: tampering_parts,
    rising: rising_parts,
    crisis: crisis_parts,
    purchase: purchase_parts,
}
