"""Display: sheets, offers and answers in words, breakdowns of rolls, and the tables that the books print."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    scores = dict(sheet.scores.open)
    if sheet.scores.closed is not WITHHELD:
        scores |= sheet.scores.closed
    pieces: list[Piece] = []
    for key, score in scores.items():
        if key != sheet.luck_key:
            pieces.append(Score(key, score, command="test", fields=(("who", who.id), ("attribute", key))))
    pieces += meter_pieces(who)
    pieces += tag_pieces(sheet)
    if sheet.is_hero:
        pieces += circumstance_choices(USUAL)  # SS-42: what players may call on by themselves
    return pieces


def meter_pieces(who: Character[Sheet]) -> list[Piece]:
    """Stamina, Luck, and a hero's own tracks, points and Wealth, if there are any. SS-50, SS-61, SS-67, SS+02."""
    sheet = who.sheet
    pieces: list[Piece] = [STAMINA_METER.piece(who)]
    if sheet.is_hero:
        doc = f"a test of it succeeds with {luck_percent(sheet.luck)} %"
        pieces.append(LUCK.piece(who, doc, command="luck_test", who=who.id))
    if sheet.pressure:
        pieces.append(Track("pressure", sheet.pressure, STATES))
    if sheet.stress:
        pieces.append(Track("stress", sheet.stress, STATES))
    if sheet.points:
        pieces.append(Score("Build points", sheet.points))
    if sheet.wealth is not None:
        pieces.append(WEALTH_METER.piece(who))
    return pieces


def tag_pieces(sheet: Sheet) -> list[Tags]:
    """Gear, texts about the character, and states."""
    pieces = []
    if sheet.carried:
        names = tuple(item.name for item in sheet.carried)
        pieces.append(Tags("Gear", tuple(item.words for item in sheet.carried), names, fills=("weapon", "item")))
    if sheet.concept:
        pieces.append(Tags("Concept", (sheet.concept,)))
    if sheet.advantage:
        pieces.append(Tags("Advantage", (sheet.advantage,)))
    if any(sheet.boons):
        pieces.append(Tags("Boons", sheet.boons))
    if sheet.notes is not WITHHELD and sheet.notes:
        pieces.append(Tags("Notes", (sheet.notes,)))
    states = []
    if sheet.is_collapsed:
        states.append("collapsed")
    if sheet.milestone_open:
        states.append("at a milestone")
    if states:
        pieces.append(Tags("State", tuple(states)))
    return pieces


def offer_words(notable: Notable[Any], teller: Teller) -> OfferWords:
    """Explain an answer to an offer: a spend of Luck, a way to defend, or a row of the crisis table to pick."""
    match notable.result:
        case Row(face):
            return OfferWords(title=teller.term(f"crisis_{face}"), gets=teller.term(f"crisis_{face}_text"))
        case Guarded():
            return guard_words(notable.result, teller)
        case Prospect() if isinstance(notable.price, luck.Cost):
            return spend_words(notable.price, notable.result, teller)
    raise TypeError(f"{notable!r} is nothing that this game offers")


def guard_words(guarded: Guarded, teller: Teller) -> OfferWords:
    """SS-33: a way to defend: its roll, and the damage to expect if the attack is known, else the chance to succeed."""
    ward = guarded.ward
    footing = ward.stand.footing
    title = f"{teller.term(ward.attribute)} {ward.score}{footing.words(())}"
    if guarded.against is None:
        chance = chance_to_succeed(ward.score, footing)
        return OfferWords(title=title, gets=f"the roll succeeds with {percent(chance)} %")
    score, stand, blow = guarded.against
    damage = fights.let_through(ward, score, stand, blow)
    gets = f"{float(damage.mean()):.2f} damage on average, {max(damage.weights)} at worst"
    return OfferWords(title=title, gets=gets)


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


def spend_words(cost: luck.Cost, prospect: Prospect, teller: Teller) -> OfferWords:
    """SS-25, SS-53, SS-67: a spend with its price, who pays it, its result and its later cost."""
    luck_name = teller.term("luck")
    later = f"{luck_name} tests stay at {cost.luck_after} %"
    if cost.luck_before != cost.luck_after:
        later = f"{luck_name} tests fall from {cost.luck_before} % to {cost.luck_after} %"
    gets = ", ".join(prospect_phrases(prospect, luck_name))
    return OfferWords(pays=payment_words(cost, teller), gets=gets, leaves=f"{cost.left} left", later=later)


def prospect_phrases(prospect: Prospect, luck_name: str) -> Iterator[str]:
    """SS-23, SS-25: phrases for the result of a spend. What can't be known is left out."""
    yield "success" if prospect.wins is None else "wins"
    if prospect.damage is not None and prospect.wins:
        yield f"damage {prospect.damage}"
    elif prospect.damage is not None:
        yield f"damage {prospect.damage} if it hits"
    yield f"margin {signed(prospect.margin)}"
    if prospect.before_the_answer:
        yield "before the defence answers"
    if prospect.answer:
        yield f"unless the defence answers with {prospect.answer} {luck_name}"
    elif prospect.answer == 0:
        yield "and the defence can't answer"
    if prospect.wins_up_to is not None:
        yield f"wins if the defence has {prospect.wins_up_to} or less"
    if prospect.holds_up_to is not None:
        yield f"still a hit if the attack’s margin is above {prospect.holds_up_to}"


def payment_words(cost: luck.Cost, teller: Teller) -> str:
    """SS-53, SS-67: the tokens that a spend costs, who pays them, and whether Pressure makes it dearer."""
    payments = []
    if cost.tokens or not cost.favours:
        payments.append(f"{cost.tokens} {teller.term('luck')}")
    if cost.favours:
        payments.append(f"{cost.favours} from {teller.term('ally')}")
    words = " and ".join(payments)
    if cost.surcharge:
        words += f" (1 for {teller.term('pressure')})"
    return words


# ---------------------------------------------------------------- how a roll was calculated

Arguments: TypeAlias = Mapping[str, Any]
"""Arguments of a rule by parameter, whose types are the rule's: hence Any."""
Parts: TypeAlias = Iterator[tuple[str, str]]
"""Names and values; an empty value is not shown."""

ATTACKER = "The attacker’s"
DEFENDER = "The defender’s"
DICE = {Footing.ADVANTAGE: "the lower of two (advantage)", Footing.DISADVANTAGE: "the higher of two (disadvantage)"}
"""SS-04: words for the dice, if there is more than one."""


def breakdown(question: Question[Any], teller: Teller) -> Parts:
    """SS-01, SS-07, SS-20, SS-32, SS-51, SS+02: breakdown of a roll. Defaults and zeros are left out.

    Some rules have none: the room for a blessing would give away the size of a pool, which may be hidden.
    """
    parts_of = BREAKDOWNS.get(question.rule)
    if parts_of is None:
        return
    for name, value in parts_of(question.named, teller):
        if value:
            yield name, value


def label(owner: str, name: str) -> str:
    """Name of a part: "The attacker's score", or "Score" where there is only one roller."""
    if not owner:
        return capitalised(name)
    return f"{owner} {name}"


def stand_parts(owner: str, stand: Stand, teller: Teller) -> Parts:
    """SS-53, SS-67: the dice, the tokens that could be spent (own and the ally's), and the surcharge."""
    yield label(owner, "dice"), DICE.get(stand.footing, "")
    tokens = []
    if stand.luck:
        tokens.append(token_words(stand.luck, teller))
    if stand.favours:
        tokens.append(f"{stand.favours} from {teller.term('ally')}")
    words = " and ".join(tokens)
    if tokens and stand.surcharge:
        words += f"; to spend costs 1 more for {teller.term('pressure')}"
    yield label(owner, teller.term("luck")), words


def side_parts(owner: str, score: int, stand: Stand, teller: Teller) -> Parts:
    yield label(owner, "score"), str(score)
    yield from stand_parts(owner, stand, teller)


def trial_parts(arguments: Arguments, teller: Teller) -> Parts:
    yield from side_parts("", arguments["score"], arguments["stand"], teller)
    yield "Stakes", "lethal" if arguments["lethal"] else ""


def tokens_parts(arguments: Arguments, teller: Teller) -> Parts:
    """SS-24: the tokens are the score. They can be spent on the roll only if the target is frozen."""
    yield "Score", f"{arguments['tokens']} ({teller.term('tokens')} held)"
    stand = luck.luck_stand(
        tokens=arguments["tokens"],
        stance=arguments["stance"],
        target=arguments["target"],
        surcharge=arguments["surcharge"],
        favours=arguments["favours"],
    )
    yield from stand_parts("", stand, teller)
    yield "Stakes", "lethal" if arguments.get("lethal") else ""


def opposed_parts(arguments: Arguments, teller: Teller) -> Parts:
    yield from side_parts(ATTACKER, arguments["attacker"], arguments["attacking"], teller)
    yield from side_parts(DEFENDER, arguments["defender"], arguments["defending"], teller)


def attack_parts(arguments: Arguments, teller: Teller) -> Parts:
    """SS-32 to SS-37, SS-39, SS-41, SS+04: both sides, and what weapon and armour bring, or what was agreed on."""
    yield from side_parts(ATTACKER, arguments["attacker"], arguments["attacking"], teller)
    if arguments["guards"]:
        yield "The defences", ", ".join(f"{ward.guard.value} {ward.score}" for ward in arguments["guards"])
        yield from stand_parts(DEFENDER, arguments["defending"], teller)
    elif arguments["defending"] is None:
        yield "Defence", "none"
    else:
        yield from side_parts(DEFENDER, arguments["defender"], arguments["defending"], teller)
    match arguments["aim"]:
        case Aim.CONSEQUENCE:
            yield "A hit brings", "what was agreed on"
        case Aim.FATE:
            yield "Stakes", "lethal"
        case Blow() as blow:
            yield from blow_parts(blow, teller)


def blow_parts(blow: Blow, teller: Teller) -> Parts:
    """SS-34 to SS-37, SS+04: what weapon and armour bring."""
    if blow.edge:
        yield "Edge", str(blow.edge)
    if blow.soak and blow.pierces:
        yield "Soak", f"{blow.soak}, of which the weapon ignores 1"
    elif blow.soak:
        yield "Soak", str(blow.soak)
    if blow.bonus_margin != Blow().bonus_margin:
        yield "1 more damage", f"from a margin of {blow.bonus_margin}"
    if blow.fatal:
        yield "A fatal weapon", f"takes all {blow.fatal} {teller.term('stamina')}"


def crisis_parts(arguments: Arguments, teller: Teller) -> Parts:
    """SS-55: items that a withering could take."""
    withering = teller.term(f"crisis_{Result.WITHERING.value}")
    yield f"{withering} could take", ", ".join(arguments["carried"])


def rising_parts(arguments: Arguments, teller: Teller) -> Parts:
    before = arguments["before"]
    rise = arguments["rise"]
    after = step_after(before, rise)
    if rise:
        yield label("", teller.term("pressure")), f"from {before} to {after}"
    if after == FULL:
        yield from crisis_parts(arguments, teller)


def fuse_parts(cause: str, rise: int, arguments: Arguments, teller: Teller) -> Parts:
    """SS-51, SS-54: step of the track that could rise, and the crisis if that would fill it."""
    before = arguments["before"]
    if before:
        yield label("", teller.term("pressure")), str(before)
    if step_after(before, rise) == FULL:
        yield cause, "brings a crisis"
        yield from crisis_parts(arguments, teller)


def tampering_parts(arguments: Arguments, teller: Teller) -> Parts:
    yield from trial_parts(arguments, teller)
    price = arguments["price"]
    if price != ONE_PRESSURE:
        yield "A failure costs", price.words(teller)
    if price.pressure:
        yield from fuse_parts("A failure", price.pressure, arguments, teller)


def purchase_parts(arguments: Arguments, teller: Teller) -> Parts:
    """SS+02: Luck and Pressure matter only if it costs more than their Wealth."""
    wealth = arguments["wealth"]
    tier = arguments["tier"]
    yield "Wealth", f"{wealth} ({RICH[wealth]})"
    yield "Cost", str(tier)
    if wealth < tier:
        yield from tokens_parts(arguments, teller)
        yield from fuse_parts(f"To pay with {teller.term('pressure')}", 1, arguments, teller)
    elif arguments["large"] and wealth:
        yield "A large purchase", "costs 1 Wealth"


BREAKDOWNS: Mapping[Rule[..., Any], Callable[[Arguments, Teller], Parts]] = {
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
    footings = (Footing.LEVEL, Footing.ADVANTAGE, Footing.DISADVANTAGE)
    percents_by_score = {}
    for score in scores:
        percents_by_score[score] = tuple(int(percent(chance_to_succeed(score, footing))) for footing in footings)
    return percents_by_score


def opposed_table(scores: Sequence[int] = SCORES) -> dict[tuple[int, int], int]:
    """Percent of opposed tests that the attacker wins, by the attacker's and the defender's score.

    SS-07: without Luck there are no decisions, and only the margins of successes count.
    """
    attack_margins = {}
    defence_margins = {}
    for score in scores:
        attack_test, defence_test = both_tests(score, score)
        attack_margins[score] = success_margins(attack_test)
        defence_margins[score] = success_margins(defence_test)

    percent_by_scores = {}
    for attack_score in scores:
        for defence_score in scores:
            wins = attack_margins[attack_score].joined(defence_margins[defence_score], beats)
            percent_by_scores[attack_score, defence_score] = int(percent(wins.chance(True)))
    return percent_by_scores


def success_margins(test: Question[Roll]) -> Odds[int | None]:
    return odds(test).map(lambda roll: roll.success_margin)


def damage_table(blow: Blow, margins: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Soak left and damage by the attacker's margin."""
    return {margin: (blow.soak_left(margin), blow.damage(margin)) for margin in margins}


def printed_success() -> BookTable:
    rows = []
    for score, percents in success_table().items():
        cells = [f"{number} %" for number in percents]
        rows.append((str(score), *cells))
    return BookTable("Chance to succeed", ("Score", "Straight", "Advantage", "Disadvantage"), tuple(rows))


def printed_opposed() -> BookTable:
    percent_by_scores = opposed_table()
    rows = []
    for attack_score in SCORES:
        cells = [str(percent_by_scores[attack_score, defence_score]) for defence_score in SCORES]
        rows.append((str(attack_score), *cells))
    return BookTable("Attacker wins, in percent", ("Attacker \\ defender", *map(str, SCORES)), tuple(rows))


def printed_damage() -> BookTable:
    rows = []
    for margin, (soak_left, damage) in damage_table(Blow(edge=1, soak=2), (3, 4, 8, 10, 12)).items():
        rows.append((str(margin), str(soak_left), str(damage)))
    return BookTable("Edge 1 against soak 2", ("Margin", "Soak left", "Damage"), tuple(rows))
