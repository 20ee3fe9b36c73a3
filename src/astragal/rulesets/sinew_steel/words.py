"""All that Sinew & Steel says to people. A skin renames its terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from astragal.chance import Notable
from astragal.table.furniture import Tone, Went
from astragal.table.ruleset import Teller
from astragal.table.seen import WITHHELD

from . import happened as it
from . import luck
from .luck import Cost, Prospect
from .opening import terms_of
from .opposed import Side
from .pressure import Row
from .purchase import Deal
from .resolution import Resolution
from .rolling import Degree, Footing
from .sheet import Fate, Item
from .shown import ShownRoll
from .words_story import crisis_row


class _Terms(Mapping[str, str]):
    """What a skin may call otherwise: attributes by key, what is held and spent, the fuse and its crises, plug-ins.

    Most of it is in the default skin's file, which is read when a term is asked for.
    """

    @cached_property
    def _all(self) -> Mapping[str, str]:
        from .skins import default_skin

        return {
            "stamina": "Stamina",
            "token": "token",
            "tokens": "tokens",
            "feat": "the feat",
            "ritual": "rituals",
            "ally": "the ally",
            "stress": "Stress",
            "stress_crisis": "It is too much. What breaks is for the table to say.",
            **terms_of(default_skin()),
        }

    def __getitem__(self, term: str) -> str:
        return self._all[term]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


TERMS: Mapping[str, str] = _Terms()

# ---------------------------------------------------------------- people


def hero_made(made: it.HeroMade, teller: Teller) -> str:
    scores = ", ".join(f"{teller.term(key)} {score}" for key, score in made.scores.items())
    left = [f"{made.points_left} build points"] if made.points_left else []
    left += [f"{made.credit_left} credit"] if made.credit_left else []
    unused = f" ({' and '.join(left)} left over)" if left else ""
    return f"{made.name} enters the story: {scores}, {teller.term('stamina')} {made.stamina}{unused}"


def npc_made(made: it.NpcMade, _: Teller) -> str:
    return f"{made.name} enters the story"


def scores_opened(opened: it.ScoresOpened, teller: Teller) -> str:
    scores = ", ".join(f"{teller.term(key)} {score}" for key, score in opened.scores.items())
    return f"{teller.name(opened.who)}: {scores}"


def carried(told: it.Carried, teller: Teller) -> str:
    return f"{teller.name(told.who)} carries {item_words(told.item)}"


def dropped(told: it.Dropped, teller: Teller) -> str:
    return f"{teller.name(told.who)} leaves {told.item} behind"


def item_words(item: Item) -> str:
    """A thing and what it does in a fight."""
    marks = [f"edge {item.edge}"] if item.edge else []
    marks += [f"soak {item.soak}"] if item.soak else []
    marks += item.tags
    return f"{item.name} ({', '.join(marks)})" if marks else item.name


# ---------------------------------------------------------------- rolls


def roll_words(roll: ShownRoll, teller: Teller) -> str:
    """The die, what it was held against and what that left, as far as one may know."""
    die = f"{roll.natural}" if not roll.nudge else f"{roll.natural} moved to {roll.natural + roll.nudge}"
    stance = f" with {_footing(roll)}" if roll.footing is not Footing.LEVEL else ""
    numbers: Any = roll.numbers
    if numbers is WITHHELD:
        return f"{teller.term(roll.attribute)}{stance}: {die}, {roll.degree.value}"
    against = f"{teller.term(roll.attribute)} {numbers.score}{stance}"
    return f"{against}: {die}, {roll.degree.value}, margin {_signed(numbers.margin)}"


def _footing(roll: ShownRoll) -> str:
    return f"{roll.footing.value} ({', '.join(roll.because)})" if roll.because else roll.footing.value


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def roll_went(told: it.Tried | it.LuckTried, _: Teller) -> Went:
    """The degree, and the margin where one may know it."""
    numbers: Any = told.roll.numbers
    margin = "" if numbers is WITHHELD else f", margin {_signed(numbers.margin)}"
    made = told.roll.degree in (Degree.SUCCESS, Degree.EXTRAORDINARY)
    return Went(Tone.GOOD if made else Tone.BAD, f"{told.roll.degree.value}{margin}")


def tried(told: it.Tried, teller: Teller) -> str:
    lethal = " Lethal stakes." if told.lethal else ""
    return f"{teller.name(told.who)}, {roll_words(told.roll, teller)}. At stake: {told.stakes}.{lethal}"


def luck_tried(told: it.LuckTried, teller: Teller) -> str:
    lethal = " Lethal stakes." if told.lethal else ""
    return f"{teller.name(told.who)}, {roll_words(told.roll, teller)}. At stake: {told.stakes}.{lethal}"


def luck_tests_counted(told: it.LuckTestsCounted, teller: Teller) -> str:
    return f"{told.tests} tests of {teller.term('luck')} this evening; once or twice keeps it special"


def luck_tests_forgotten(_: it.LuckTestsForgotten, teller: Teller) -> str:
    return f"tests of {teller.term('luck')} are counted anew"


def opposed(told: it.Opposed, teller: Teller) -> str:
    attacker, defender = teller.name(told.attacker), teller.name(told.defender)
    winner = attacker if told.winner is Side.ATTACKER else defender
    attack, defence = roll_words(told.attack, teller), roll_words(told.defence, teller)
    return f"{attacker}, {attack}; {defender}, {defence}. {winner} wins. At stake: {told.stakes}."


def opposed_went(told: it.Opposed, teller: Teller) -> Went:
    if told.winner is Side.ATTACKER:
        return Went(Tone.GOOD, f"{teller.name(told.attacker)} wins")
    return Went(Tone.BAD, f"{teller.name(told.defender)} wins")


def attack_went(told: it.Attacked, _: Teller) -> Went:
    result = _result(told).removesuffix(".")
    return Went(Tone.GOOD if told.hit else Tone.BAD, result[0].lower() + result[1:])


def attacked(told: it.Attacked, teller: Teller) -> str:
    attacker, defender = teller.name(told.attacker), teller.name(told.defender)
    weapon = f" with {told.weapon}" if told.weapon else ""
    guard = "no defence" if told.defence is None else roll_words(told.defence, teller)
    rolls = f"{roll_words(told.attack, teller)}; {guard}"
    return f"{attacker} attacks {defender}{weapon}. {rolls}. {_result(told)}"


def _result(told: it.Attacked) -> str:
    if not told.hit:
        return "A miss."
    if told.lethal:
        return "A hit, with lethal stakes."
    if told.consequence:
        return f"A hit: {told.consequence}"
    return f"A hit for {told.damage}." if told.damage else "A hit that the armour stops."


_RESOLVED = {Resolution.YES: Tone.GOOD, Resolution.YES_BUT: Tone.MIXED, Resolution.NO_BUT: Tone.MIXED}


def resolved_went(told: it.Resolved, _: Teller) -> Went:
    return Went(_RESOLVED[told.answer], told.answer.value)


def resolved(told: it.Resolved, teller: Teller) -> str:
    outcome = f" {told.told}" if told.told else ""
    return f"{teller.name(told.who)}: {told.matter} — {told.answer.value}.{outcome}"


# ---------------------------------------------------------------- offers


def offer_words(notable: Notable[Any], teller: Teller) -> str:
    """What an answer to an offer means: a spend of Luck, or a row of the crisis table."""
    match notable.result:
        case Row(face):
            return crisis_row(face, teller)
        case Prospect():
            return _spend_words(notable.price, notable.result, teller)
    raise TypeError(f"{notable!r} is nothing that this game offers")


def answer_words(offer: str, answer: Any, teller: Teller) -> str:
    """An answer, as it stands on a button."""
    match offer, answer:
        case luck.SPEND | luck.FAVOURS, 0:
            return "Let it stand"
        case luck.SPEND, int():
            return f"Move the die by {_signed(answer)}"
        case luck.FAVOURS, int():
            return f"Ask for {token_words(answer, teller)}"
        case luck.LETHAL, _:
            return "I know what is at stake"
        case "crisis", 0:
            return "Leave it to the die"
        case "crisis", int():
            return teller.term(f"crisis_{answer}")
        case "key item", str():
            return f"Lose {answer}"
        case "hard cost", Deal.NOTHING.value:
            return "Go without"
        case "price" | "hard cost", str():
            return f"Pay with {answer}"
    return ""


def _spend_words(price: Any, result: Prospect, teller: Teller) -> str:
    """SS-25: a spend with its price, its result and its later cost."""
    later = f"{teller.term('luck')} tests fall from {price.luck_before} % to {price.luck_after} %"
    if price.luck_before == price.luck_after:
        later = f"{teller.term('luck')} tests stay at {price.luck_after} %"
    return f"{_price(price, teller)}: {_prospect(result)}. {price.left} left; {later}."


def _price(price: Cost, teller: Teller) -> str:
    """SS-53, SS-67: what is asked on top, and of whom besides, is part of the price."""
    parts = [token_words(price.tokens, teller)] if price.tokens or not price.favours else []
    parts += [f"{price.favours} from {teller.term('ally')}"] if price.favours else []
    surcharge = f" (1 for {teller.term('pressure')})" if price.surcharge else ""
    return f"{' and '.join(parts)}{surcharge}"


def _prospect(result: Prospect) -> str:
    parts = ["success" if result.wins is None else "wins"]
    if result.damage is not None:
        parts.append(f"damage {result.damage}" if result.wins else f"damage {result.damage} if it hits")
    parts.append(f"margin {_signed(result.margin)}")
    if result.before_the_answer:
        parts.append("before the defence answers")
    return ", ".join(parts)


# ---------------------------------------------------------------- Luck


def token_words(number: int, teller: Teller) -> str:
    return f"{number} {teller.term('token' if number == 1 else 'tokens')}"


def luck_spent(spent: it.LuckSpent, teller: Teller) -> str:
    return f"{teller.name(spent.who)} spends {token_words(spent.tokens, teller)} and has {spent.left} left"


def favours_spent(spent: it.FavoursSpent, teller: Teller) -> str:
    pays = f"{teller.term('ally')} pays {token_words(spent.tokens, teller)} for {teller.name(spent.who)}"
    return f"{pays} and has {spent.left} left"


def luck_gained(gained: it.LuckGained, teller: Teller) -> str:
    return f"{teller.name(gained.who)} gains {token_words(gained.tokens, teller)} and holds {gained.held}"


def luck_refilled(filled: it.LuckRefilled, teller: Teller) -> str:
    return f"{teller.name(filled.who)}’s {teller.term('luck')} is full again: {token_words(filled.held, teller)}"


def luck_drained(drained: it.LuckDrained, teller: Teller) -> str:
    return f"{teller.name(drained.who)} pays {token_words(drained.tokens, teller)}"


def luck_from_rest(settled: it.LuckFromRestSettled, teller: Teller) -> str:
    gives = "gives" if settled.given else "gives no"
    return f"rest {gives} {teller.term('luck')} from now on"


# ---------------------------------------------------------------- Stamina


def harmed(told: it.Harmed, teller: Teller) -> str:
    why = f" ({told.why})" if told.why else ""
    return f"{teller.name(told.who)} takes {told.damage}{why}: {teller.term('stamina')} {told.left}"


def healed(told: it.Healed, teller: Teller) -> str:
    why = f" ({told.why})" if told.why else ""
    return f"{teller.name(told.who)} recovers {told.gained}{why}: {teller.term('stamina')} {told.now}"


def collapsed(told: it.Collapsed, teller: Teller) -> str:
    return f"{teller.name(told.who)} collapses"


def got_up(told: it.GotUp, teller: Teller) -> str:
    return f"{teller.name(told.who)} is up again"


_FATES = {Fate.DEAD: "is dead", Fate.RESCUED: "is rescued", Fate.CAPTURED: "is captured"}


def fate_recorded(told: it.FateRecorded, teller: Teller) -> str:
    fate = "is back in the story" if told.fate is None else _FATES[told.fate]
    return f"{teller.name(told.who)} {fate}{f': {told.told}' if told.told else ''}"
