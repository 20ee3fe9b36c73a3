"""Offers in words: spends of Luck, ways to defend, rows of the crisis table, prices of a purchase.

SS-25, SS-33, SS-53, SS-55, SS-67.
"""

from __future__ import annotations

from typing import Any

from astragal.chance import Notable, percent
from astragal.game import Teller
from astragal.game.display import OfferWords
from astragal.rulesets.sinew_steel import luck
from astragal.rulesets.sinew_steel.combat import attack
from astragal.rulesets.sinew_steel.combat.attack import Ward
from astragal.rulesets.sinew_steel.luck import Cost, Prospect
from astragal.rulesets.sinew_steel.pressure.crises import Row
from astragal.rulesets.sinew_steel.terms import signed, token_words
from astragal.rulesets.sinew_steel.toolkit.wealth import Deal


def offer_words(notable: Notable[Any], teller: Teller) -> OfferWords:
    """What an answer to an offer means: a spend of Luck, a way to defend, or a row of the crisis table to pick."""
    match notable.result:
        case Row(face):
            return OfferWords(title=teller.term(f"crisis_{face}"), gets=teller.term(f"crisis_{face}_text"))
        case Ward() as ward:
            against = f"{teller.term(ward.attribute)} {ward.score}{ward.stand.footing.words(())}"
            return OfferWords(title=against, gets=f"a success with {percent(ward.chance)} %")
        case Prospect():
            return spend_words(notable.price, notable.result, teller)
    raise TypeError(f"{notable!r} is nothing that this game offers")


FIXED: dict[tuple[str, Any], str] = {
    (luck.SPEND, 0): "Let it stand",
    (luck.FAVOURS, 0): "Let it stand",
    (luck.LETHAL, luck.UNDERSTOOD): "I know what is at stake",
    ("crisis", 0): "Leave it to the die",
    ("hard cost", Deal.NOTHING.value): "Go without",
}
"""Answers that read the same whatever they are about."""


def answer_words(offer: str, answer: Any, teller: Teller) -> str:
    """An answer, as it stands on a button."""
    if (offer, answer) in FIXED:
        return FIXED[offer, answer]
    match offer, answer:
        case luck.SPEND, int():
            return f"Move the die by {signed(answer)}"
        case luck.FAVOURS, int():
            return f"Ask for {token_words(answer, teller)}"
        case attack.GUARD, str():
            return answer.capitalize()
        case "crisis", int():
            return teller.term(f"crisis_{answer}")
        case "key item", str():
            return f"Lose {answer}"
        case "price" | "hard cost", str():
            return f"Pay with {answer}"
    return ""


def spend_words(price: Any, result: Prospect, teller: Teller) -> OfferWords:
    """SS-25: a spend with its price, its result and its later cost."""
    later = f"{teller.term('luck')} tests fall from {price.luck_before} % to {price.luck_after} %"
    if price.luck_before == price.luck_after:
        later = f"{teller.term('luck')} tests stay at {price.luck_after} %"
    parts = ["success" if result.wins is None else "wins"]
    if result.damage is not None:
        parts.append(f"damage {result.damage}" if result.wins else f"damage {result.damage} if it hits")
    parts.append(f"margin {signed(result.margin)}")
    if result.before_the_answer:
        parts.append("before the defence answers")
    if result.answer:
        parts.append(f"unless the defence answers with {luck_words(result.answer, teller)}")
    elif result.answer == 0:
        parts.append("and the defence can't answer")
    if result.wins_up_to is not None:
        parts.append(f"wins if the defence has {result.wins_up_to} or less")
    if result.holds_up_to is not None:
        parts.append(f"still a hit if the attack’s margin is above {result.holds_up_to}")
    return OfferWords(pays=price_words(price, teller), gets=", ".join(parts), leaves=f"{price.left} left", later=later)


def price_words(price: Cost, teller: Teller) -> str:
    """SS-53, SS-67: what is asked on top, and of whom besides, is part of the price."""
    parts = [luck_words(price.tokens, teller)] if price.tokens or not price.favours else []
    parts += [f"{price.favours} from {teller.term('ally')}"] if price.favours else []
    surcharge = f" (1 for {teller.term('pressure')})" if price.surcharge else ""
    return f"{' and '.join(parts)}{surcharge}"


def luck_words(tokens: int, teller: Teller) -> str:
    return f"{tokens} {teller.term('luck')}"
