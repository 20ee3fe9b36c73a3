"""The Six-Pool d20 ruleset: sheet layout, labels of buttons, breakdown of a roll, the ladder, all chapters joined."""

from collections.abc import Iterator, Sequence
from typing import Any

from astragal.chance import Question
from astragal.game import BookTable, Character, Measure, Ruleset, Teller, chance_table, meters, skin_shelf, words_in
from astragal.game.display import AtHand, Choices, Piece, Score, Tags, signed
from astragal.game.rolls import Footing, circumstance_choices, footing, total

from . import rolls
from .attacks import ATTACKS, HIT_POINTS, attack, damage_roll
from .catalogue import CONTESTS as BOOK_CONTESTS
from .catalogue import SKILLS, Pool, Side
from .checks import CHECKS, THREATS
from .contests import CONTESTS, DECLARE, Contender, contest
from .duel import DUEL
from .heroes import HERO_BOOK, HEROES
from .people import PEOPLE
from .pools import POINTS, POOLS, effort_limit, short_rest
from .rerolls import INSPIRATION, INSPIRATION_METER, KEEP, REROLL, REROLLS, Again, Asks
from .rolls import EASIEST, HARDEST, ROLLS, USUAL, Circumstance, Rung, check
from .state import TERMS, Game, Numbers, Options, RollKind, Sheet, State, find_skill
from .teamwork import TEAMWORK, group_check, how_many_make_it, makes_it

PASSIVES = ("perception", "insight", "investigation")

AT_HAND = AtHand(
    heroes=("harm", "award_inspiration", "check", "save", "help"),
    others=("attack", "harm", "open_numbers", "contest", "save"),
)

# ---------------------------------------------------------------- sheets


def furniture(character: Character[Sheet], state: State) -> Sequence[Piece]:
    """List the pieces of a sheet. If the viewer may not know its numbers, only what everyone sees."""
    sheet = character.sheet
    numbers = sheet.open if sheet.open is not None else sheet.closed
    pieces: list[Piece] = [INSPIRATION_METER.piece(sheet)] if sheet.is_hero or sheet.inspiration else []
    if isinstance(numbers, Numbers):
        pieces.append(Tags("Class", (", ".join(filter(None, (sheet.hero_class, f"level {numbers.level}"))),)))
        pieces += [*scores(character, numbers, state), *choices()]
        pieces += [Tags("State", ("down",))] if numbers.is_down else []
    names = tuple(one.name for one in sheet.weapons)
    used = (f"{one.name} {sheet.uses_left(one)}/{one.uses} per {one.per.value}" for one in sheet.abilities)
    said = [
        Tags("Weapons", tuple(one.words for one in sheet.weapons), names, fills=("weapon",)),
        Tags("Abilities", tuple(used)),
        Tags("About", (sheet.about,)),
    ]
    return [*pieces, *(one for one in said if any(one.words))]


def scores(character: Character[Sheet], numbers: Numbers, state: State) -> Iterator[Piece]:
    """Hit points, Armour Class, pools, bonuses of skills and saves. A click on a pool, skill or save rolls it."""
    who, sheet = character.id, character.sheet

    def added(pool: Pool, practice: int) -> int:
        skilled = rolls.Skilled(rolls.Aim(kind=RollKind.CHECK, pool=pool), practice)
        return total(rolls.standing_terms(state, character, skilled, 0))

    yield HIT_POINTS.piece(sheet)
    yield Score("Armour Class", numbers.armour_class)
    for pool, points in numbers.pools.items():
        limit = effort_limit(numbers.level, primary=pool is sheet.primary)
        doc = f"Edge {points.edge}, Effort limit {limit}"
        yield POINTS[pool].piece(sheet, doc, command="check", who=who, pool=pool.value)
    for name, training in numbers.training.items():
        bonus = added(find_skill(state, name).pool, rolls.trained_bonus(numbers.level, training))
        yield Score(name, bonus, training.value, command="check", fields=(("who", who), ("skill", name)))
    for pool in (pool for pool in Pool if pool in numbers.saves):
        bonus = added(pool, rolls.proficiency(numbers.level))
        yield Score(f"{pool} save", bonus, command="save", fields=(("who", who), ("pool", pool.value)))
    for name in PASSIVES:
        bonus = added(find_skill(state, name).pool, rolls.trained_bonus(numbers.level, numbers.trained(name)))
        yield Score(f"Passive {name}", 10 + bonus)


def choices() -> Iterator[Piece]:
    """Lists of words that a roll can name."""
    yield from circumstance_choices(USUAL)
    yield Choices("Threats", tuple((threat, pool.value) for pool, threats in THREATS.items() for threat in threats))
    sides = ((one.name, " or ".join(one.actor), " or ".join(one.holder)) for one in BOOK_CONTESTS.values())
    yield Choices("Contests", tuple((name, f"{actor} against {holder}") for name, actor, holder in sides))
    yield Choices("Skill", tuple((name, skill.pool.value) for name, skill in SKILLS.items()))
    yield Choices("Difficulty", tuple((rung.value, str(rung.dc)) for rung in Rung))
    yield Choices("Circumstances", tuple((one.value, f"{one.shift:+}") for one in Circumstance))


def answer_words(offer: str, answer: Any, teller: Teller) -> str:
    """Label the button of an answer."""
    if offer == REROLL and answer == KEEP:
        return "Keep it"
    if offer == REROLL and isinstance(answer, str):
        return f"Roll again: {teller.term(answer)}"
    if offer == DECLARE and isinstance(answer, int):
        return f"Put {answer} in" if answer else "Put nothing in"
    if offer == DECLARE and isinstance(answer, str):
        return f"Put in {teller.term(answer)}"
    return ""


# ---------------------------------------------------------------- how a roll was calculated


def breakdown(question: Question[Any], teller: Teller) -> Iterator[tuple[str, str]]:
    """List the parts of a roll: what is added to the die, and what it must reach, without parts that change nothing."""
    given = question.named
    if question.rule is check or question.rule is attack:
        yield "Bonus", signed(given["bonus"])
        if given["stance"] is not Footing.LEVEL:
            yield "Rolled with", given["stance"].value
        yield from rerolls_in("Can roll again", given["again"], teller)
        against = "dc" if question.rule is check else "ac"
        yield teller.term(against), str(given[against])
        if question.rule is attack:
            yield "Damage", given["damage"]
    elif question.rule is damage_roll:
        yield "Damage", f"{given['damage']}, dice twice" if given["critical"] else given["damage"]
    elif question.rule is contest:
        for side in Side:
            yield from side_of(side, given[side.value], teller)
        yield "A tie", f"is the {given['tie_to'].value}’s"
    elif question.rule is short_rest:
        yield "Level", str(given["level"])


def side_of(side: Side, contender: Contender, teller: Teller) -> Iterator[tuple[str, str]]:
    """List the parts of one side of a contest, before it declares."""
    who = f"The {side.value}’s"
    yield f"{who} bonus", signed(contender.bonus)
    stance = footing(helped=contender.helped, hindered=contender.hindered)
    if stance is not Footing.LEVEL:
        yield f"{who} roll", stance.value
    yield f"{who} points", f"up to {contender.most}"
    if contender.doubled:
        yield f"{who} points that count double", str(contender.doubled)
    if contender.inspired:
        yield f"{who} {teller.term(INSPIRATION)}", "at hand"
    yield from rerolls_in(f"{who} rerolls", contender.again, teller)


def rerolls_in(name: str, again: Again, teller: Teller) -> Iterator[tuple[str, str]]:
    if again.sources and again.asks is not Asks.NEVER:
        named = ((teller.term(one.name), one.up_to) for one in again.sources)
        yield name, ", ".join(source if up_to == 20 else f"{source} (up to {up_to})" for source, up_to in named)


BONUSES = range(21)
RUNGS = tuple(rung.dc for rung in Rung)


def chances_on_the_ladder() -> BookTable:
    """SP-01, SP-05: the chance to reach each rung with each bonus."""
    head = ("bonus", *(f"{rung.value} ({rung.dc})" for rung in Rung))
    rows = {f"{bonus:+d}": [check(bonus=bonus, dc=dc) for dc in RUNGS] for bonus in BONUSES}
    return chance_table("Chances on the ladder, in percent", head, rows, lambda roll: roll.success)


# ---------------------------------------------------------------- the game

METERS = meters.Meters(*POINTS.values(), HIT_POINTS, INSPIRATION_METER, payer=lambda who: who.sheet.is_hero)
CHAPTERS = (HEROES, PEOPLE, METERS, POOLS, ROLLS, CHECKS, ATTACKS, CONTESTS, TEAMWORK, REROLLS)

SIX_POOL: Ruleset = Ruleset(
    id="six_pool",
    name="Six-Pool d20",
    version="1",
    books=("Six-Pool d20: dice mechanics",),
    about="Heroic adventure with six pools of effort: decide what it is worth to you before the die falls.",
    dice="d20",
    rules=(check, attack, damage_roll, contest, group_check, how_many_make_it, makes_it, short_rest),
    duel=DUEL,
    measures=(
        Measure(
            game="six_pool",
            name="Six-Pool d20",
            words="a DC of {dc} with a bonus of {bonus}",
            ask=check,
            success=lambda roll: roll.success,
            # SP-05: many pairs of DC and bonus have the same chance; those on the ladder are named first.
            ranges={"dc": (*RUNGS, *(dc for dc in range(EASIEST, HARDEST + 1) if dc not in RUNGS)), "bonus": BONUSES},
            steady=True,
        ),
    ),
    tables={"ladder": chances_on_the_ladder},
    skins=skin_shelf(__package__, lambda: SIX_POOL),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=CHAPTERS,
    furniture=furniture,
    answer_words=answer_words,
    breakdown=breakdown,
    terms=TERMS,
    difficulties={rung.value: rung.dc for rung in Rung},
    heroes=HERO_BOOK,
    foes="make_npc",
    everyday=words_in(__package__, "everyday.toml"),
    at_hand=AT_HAND,
    sheet_page=__package__,
    prices={
        "points": METERS.price("points from each hero's fullest pool; one who holds fewer pays all", *POINTS.values())
    },
    overrides=METERS.overrides,
)
