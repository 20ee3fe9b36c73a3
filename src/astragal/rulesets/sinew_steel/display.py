"""Display: sheets, offers and answers in words, breakdowns of rolls, and the tables that the books print."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from astragal.chance import Notable, Odds, Question, Rule, odds, percent
from astragal.game import WITHHELD, BookTable, Character, Teller
from astragal.game.display import OfferWords, Piece, Score, Tags, Track, capitalised, signed
from astragal.game.rolls import Footing, circumstance_choices

from . import fights, luck
from .contests import beats, both_tests, opposed_test
from .fights import Aim, Guarded, attack, chance_to_succeed
from .harm import STAMINA_METER, Blow
from .luck import LUCK, Prospect, luck_percent, luck_test, nudged_test
from .pressure import FULL, STATES, Result, Row, crisis, rising, step_after
from .rolls import USUAL, Roll, Stand
from .state import Sheet, State, token_words
from .trials import ONE_PRESSURE, tampering
from .wealth import RICH, WEALTH_METER, Deal, purchase


def furniture(who: Character[Sheet], _: State) -> Sequence[Piece]:
    """Pieces of a sheet: scores, meters, gear. Scores that the viewer may not know are left out."""
    sheet = who.sheet
    closed = {} if sheet.scores.closed is WITHHELD else sheet.scores.closed
    scores = [
        Score(key, score, command="test", fields=(("who", who.id), ("attribute", key)))
        for key, score in {**sheet.scores.open, **closed}.items()
        if key != sheet.luck_key
    ]
    named = circumstance_choices(USUAL) if sheet.is_hero else []  # SS-42: what players may call on by themselves
    return [*scores, *held(who), *carried_and_said(sheet), *named]


def held(who: Character[Sheet]) -> list[Piece]:
    """Stamina, Luck, and a hero's own tracks, points and Wealth, if there are any. SS-50, SS-61, SS-67, SS+02."""
    sheet = who.sheet
    pieces: list[Piece] = [STAMINA_METER.piece(who)]
    if sheet.is_hero:
        doc = f"a test of it succeeds with {luck_percent(sheet.luck)} %"
        pieces.append(LUCK.piece(who, doc, command="luck_test", who=who.id))
    tracks = (("pressure", sheet.pressure), ("stress", sheet.stress))
    pieces += [Track(label, now, STATES) for label, now in tracks if now]
    if sheet.points:
        pieces.append(Score("Build points", sheet.points))
    if sheet.wealth is not None:
        pieces.append(WEALTH_METER.piece(who))
    return pieces


def carried_and_said(sheet: Sheet) -> list[Tags]:
    """Gear, texts about the character, and states."""
    pieces = []
    if sheet.carried:
        names = tuple(item.name for item in sheet.carried)
        pieces.append(Tags("Gear", tuple(item.words for item in sheet.carried), names, fills=("weapon", "item")))
    notes = () if sheet.notes is WITHHELD else (sheet.notes,)
    said = (("Concept", (sheet.concept,)), ("Advantage", (sheet.advantage,)), ("Boons", sheet.boons), ("Notes", notes))
    pieces += [Tags(label, words) for label, words in said if any(words)]
    states = {"collapsed": sheet.is_collapsed, "at a milestone": sheet.milestone_open}
    holds = tuple(state for state, is_so in states.items() if is_so)
    return [*pieces, Tags("State", holds)] if holds else pieces


def offer_words(notable: Notable[Any], teller: Teller) -> OfferWords:
    """Explain an answer to an offer: a spend of Luck, a way to defend, or a row of the crisis table to pick."""
    match notable.result:
        case Row(face):
            return OfferWords(title=teller.term(f"crisis_{face}"), gets=teller.term(f"crisis_{face}_text"))
        case Guarded(ward, against):
            rolls = f"{teller.term(ward.attribute)} {ward.score}{ward.stand.footing.words(())}"
            gets = f"the roll succeeds with {percent(chance_to_succeed(ward.score, ward.stand.footing))} %"
            if against:
                damage = fights.let_through(ward, *against)
                gets = f"{float(damage.mean()):.2f} damage on average, {max(damage.weights)} at worst"
            return OfferWords(title=rolls, gets=gets)
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
"""Labels of answers that are the same in every case."""


def answer_words(offer: str, answer: Any, teller: Teller) -> str:
    """Label of an answer, as on a button."""
    if (offer, answer) in FIXED:
        return FIXED[offer, answer]
    match offer, answer:
        case luck.SPEND, int():
            return f"Move the die by {signed(answer)}"
        case luck.FAVOURS, int():
            return f"Ask for {token_words(answer, teller)}"
        case fights.GUARD, str():
            return answer.capitalize()
        case "crisis", int():
            return teller.term(f"crisis_{answer}")
        case "key item", str():
            return f"Lose {answer}"
        case "price" | "hard cost", str():
            return f"Pay with {answer}"
    return ""


def spend_words(price: Any, result: Prospect, teller: Teller) -> OfferWords:
    """SS-25, SS-53, SS-67: a spend with its price, who pays it, its result and its later cost."""
    luck, before, after = teller.term("luck"), price.luck_before, price.luck_after
    later = f"{luck} tests stay at {after} %" if before == after else f"{luck} tests fall from {before} % to {after} %"
    parts = ["success" if result.wins is None else "wins"]
    if result.damage is not None:
        parts.append(f"damage {result.damage}" if result.wins else f"damage {result.damage} if it hits")
    parts.append(f"margin {signed(result.margin)}")
    if result.before_the_answer:
        parts.append("before the defence answers")
    if result.answer:
        parts.append(f"unless the defence answers with {result.answer} {luck}")
    elif result.answer == 0:
        parts.append("and the defence can't answer")
    if result.wins_up_to is not None:
        parts.append(f"wins if the defence has {result.wins_up_to} or less")
    if result.holds_up_to is not None:
        parts.append(f"still a hit if the attack’s margin is above {result.holds_up_to}")
    paid = [f"{price.tokens} {luck}"] if price.tokens or not price.favours else []
    paid += [f"{price.favours} from {teller.term('ally')}"] if price.favours else []
    surcharge = f" (1 for {teller.term('pressure')})" if price.surcharge else ""
    pays = f"{' and '.join(paid)}{surcharge}"
    return OfferWords(pays=pays, gets=", ".join(parts), leaves=f"{price.left} left", later=later)


# ---------------------------------------------------------------- how a roll was calculated

Given: TypeAlias = Mapping[str, Any]
Parts: TypeAlias = Iterator[tuple[str, str]]

ATTACKER, DEFENDER = "The attacker’s", "The defender’s"
DICE = {Footing.ADVANTAGE: "the lower of two (advantage)", Footing.DISADVANTAGE: "the higher of two (disadvantage)"}
"""SS-04: words for the dice, if there is more than one."""


def breakdown(question: Question[Any], teller: Teller) -> Parts:
    """SS-01, SS-07, SS-20, SS-32, SS-51, SS+02: breakdown of a roll. Defaults and zeros are left out.

    Some rules have none: the room for a blessing would give away the size of a pool, which may be hidden.
    """
    if question.rule in BREAKDOWNS:
        yield from (part for part in BREAKDOWNS[question.rule](question.named, teller) if part[1])


def label(whose: str, name: str) -> str:
    return f"{whose} {name}" if whose else capitalised(name)


def stand_parts(whose: str, stand: Stand, teller: Teller) -> Parts:
    """SS-53, SS-67: the dice, the tokens that could be spent (own and the ally's), and the surcharge."""
    yield label(whose, "dice"), DICE.get(stand.footing, "")
    held = [token_words(stand.luck, teller)] if stand.luck else []
    held += [f"{stand.favours} from {teller.term('ally')}"] if stand.favours else []
    dearer = f"; to spend costs 1 more for {teller.term('pressure')}" if held and stand.surcharge else ""
    yield label(whose, teller.term("luck")), f"{' and '.join(held)}{dearer}"


def side_parts(whose: str, score: int, stand: Stand, teller: Teller) -> Parts:
    yield label(whose, "score"), str(score)
    yield from stand_parts(whose, stand, teller)


def trial_parts(given: Given, teller: Teller) -> Parts:
    yield from side_parts("", given["score"], given["stand"], teller)
    yield "Stakes", "lethal" if given["lethal"] else ""


def tokens_parts(given: Given, teller: Teller) -> Parts:
    """SS-24: the tokens are the score. They can be spent on the roll only if the target is frozen."""
    yield "Score", f"{given['tokens']} ({teller.term('tokens')} held)"
    held = (given[name] for name in ("tokens", "stance", "target", "surcharge", "favours"))
    yield from stand_parts("", luck.luck_stand(*held), teller)
    yield "Stakes", "lethal" if given.get("lethal") else ""


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
    aim = given["aim"]
    yield "A hit brings", "what was agreed on" if aim is Aim.CONSEQUENCE else ""
    yield "Stakes", "lethal" if aim is Aim.FATE else ""
    if isinstance(aim, Blow):
        yield "Edge", str(aim.edge or "")
        yield "Soak", f"{aim.soak or ''}{', of which the weapon ignores 1' if aim.soak and aim.pierces else ''}"
        yield "1 more damage", "" if aim.bonus_margin == Blow().bonus_margin else f"from a margin of {aim.bonus_margin}"
        yield "A fatal weapon", f"takes all {aim.fatal} {teller.term('stamina')}" if aim.fatal else ""


def crisis_parts(given: Given, teller: Teller) -> Parts:
    """SS-55: items that a withering could take."""
    yield f"{teller.term(f'crisis_{Result.WITHERING.value}')} could take", ", ".join(given["carried"])


def rising_parts(given: Given, teller: Teller) -> Parts:
    after = step_after(given["before"], given["rise"])
    yield label("", teller.term("pressure")), f"from {given['before']} to {after}" if given["rise"] else ""
    if after == FULL:
        yield from crisis_parts(given, teller)


def fuse_parts(what: str, given: Given, teller: Teller) -> Parts:
    """SS-51, SS-54: step of the track that could rise, and the crisis if that would fill it."""
    rise = given["price"].pressure if "price" in given else 1
    yield label("", teller.term("pressure")), str(given["before"] or "")
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
    """SS+02: Luck and Pressure matter only if it costs more than their Wealth."""
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
    luck_test: tokens_parts,
    opposed_test: opposed_parts,
    attack: attack_parts,
    tampering: tampering_parts,
    rising: rising_parts,
    crisis: crisis_parts,
    purchase: purchase_parts,
}


# ---------------------------------------------------------------- the numbers of the books

SCORES = range(6, 17)
"""The rails of an attribute."""


def success_table(scores: Iterable[int] = SCORES) -> dict[int, tuple[int, ...]]:
    """Percent of success by score: straight, with advantage, with disadvantage."""
    stances = (Footing.LEVEL, Footing.ADVANTAGE, Footing.DISADVANTAGE)
    return {score: tuple(int(percent(chance_to_succeed(score, one))) for one in stances) for score in scores}


def opposed_table(scores: Sequence[int] = SCORES) -> dict[tuple[int, int], int]:
    """Percent of opposed tests that the attacker wins, by the attacker's and the defender's score.

    SS-07: without Luck there are no decisions, and only the margins of successes count.
    """

    @cache
    def margins(test: Question[Roll]) -> Odds[int | None]:
        return odds(test).map(lambda roll: roll.success_margin)

    def wins(attack: int, defence: int) -> int:
        attacks, defends = both_tests(attack, defence)
        return int(percent(margins(attacks).joined(margins(defends), beats).chance(True)))

    return {(attack, defence): wins(attack, defence) for attack in scores for defence in scores}


def damage_table(blow: Blow, margins: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Soak left and damage by the attacker's margin."""
    return {margin: (blow.soak_left(margin), blow.damage(margin)) for margin in margins}


def printed_success() -> BookTable:
    rows = tuple((str(score), *(f"{cell} %" for cell in cells)) for score, cells in success_table().items())
    return BookTable("Chance to succeed", ("Score", "Straight", "Advantage", "Disadvantage"), rows)


def printed_opposed() -> BookTable:
    cells, scores = opposed_table(), list(SCORES)
    rows = tuple((str(attack), *(str(cells[attack, defence]) for defence in scores)) for attack in scores)
    return BookTable("Attacker wins, in percent", ("Attacker \\ defender", *map(str, scores)), rows)


def printed_damage() -> BookTable:
    found = damage_table(Blow(edge=1, soak=2), (3, 4, 8, 10, 12))
    rows = tuple((str(margin), str(soak), str(damage)) for margin, (soak, damage) in found.items())
    return BookTable("Edge 1 against soak 2", ("Margin", "Soak left", "Damage"), rows)
