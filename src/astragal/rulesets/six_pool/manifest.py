"""The Six-Pool d20 ruleset: sheet layout, labels of buttons, breakdown of a roll, the ladder, all chapters joined."""

from collections.abc import Iterator, Mapping, Sequence
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
    pieces: list[Piece] = []
    if sheet.is_hero or sheet.inspiration:
        pieces.append(INSPIRATION_METER.piece(sheet))
    numbers = sheet.open if sheet.open is not None else sheet.closed
    if isinstance(numbers, Numbers):
        class_and_level = f"level {numbers.level}"
        if sheet.hero_class:
            class_and_level = f"{sheet.hero_class}, {class_and_level}"
        pieces.append(Tags("Class", (class_and_level,)))
        pieces += scores(character, numbers, state)
        pieces += choices()
        if numbers.is_down:
            pieces.append(Tags("State", ("down",)))
    if sheet.weapons:
        names = tuple(weapon.name for weapon in sheet.weapons)
        pieces.append(Tags("Weapons", tuple(weapon.words for weapon in sheet.weapons), names, fills=("weapon",)))
    if sheet.abilities:
        uses = []
        for ability in sheet.abilities:
            uses.append(f"{ability.name} {sheet.uses_left(ability)}/{ability.uses} per {ability.per.value}")
        pieces.append(Tags("Abilities", tuple(uses)))
    if sheet.about:
        pieces.append(Tags("About", (sheet.about,)))
    return pieces


def scores(character: Character[Sheet], numbers: Numbers, state: State) -> Iterator[Piece]:
    """Hit points, Armour Class, pools, bonuses of skills and saves. A click on a pool, skill or save rolls it."""
    who = character.id
    sheet = character.sheet

    def bonus_with(pool: Pool, proficiency: int) -> int:
        aim = rolls.Aim(kind=RollKind.CHECK, pool=pool)
        return total(rolls.standing_terms(state, character, rolls.Skilled(aim, proficiency), 0))

    def skill_bonus(name: str) -> int:
        training_bonus = rolls.trained_bonus(numbers.level, numbers.trained(name))
        return bonus_with(find_skill(state, name).pool, training_bonus)

    yield HIT_POINTS.piece(sheet)
    yield Score("Armour Class", numbers.armour_class)
    for pool, points in numbers.pools.items():
        limit = effort_limit(numbers.level, primary=pool is sheet.primary)
        doc = f"Edge {points.edge}, Effort limit {limit}"
        yield POINTS[pool].piece(sheet, doc, command="check", who=who, pool=pool.value)
    for name, training in numbers.training.items():
        yield Score(name, skill_bonus(name), training.value, command="check", fields=(("who", who), ("skill", name)))
    for pool in Pool:
        if pool in numbers.saves:
            bonus = bonus_with(pool, rolls.proficiency(numbers.level))
            yield Score(f"{pool} save", bonus, command="save", fields=(("who", who), ("pool", pool.value)))
    for name in PASSIVES:
        yield Score(f"Passive {name}", 10 + skill_bonus(name))


def choices() -> Iterator[Piece]:
    """Lists of words that a roll can name."""
    yield from circumstance_choices(USUAL)
    threats = []
    for pool, threats_of_pool in THREATS.items():
        threats += [(threat, pool.value) for threat in threats_of_pool]
    yield Choices("Threats", tuple(threats))
    contests = []
    for preset in BOOK_CONTESTS.values():
        sides = f"{' or '.join(preset.actor)} against {' or '.join(preset.holder)}"
        contests.append((preset.name, sides))
    yield Choices("Contests", tuple(contests))
    yield Choices("Skill", tuple((name, skill.pool.value) for name, skill in SKILLS.items()))
    yield Choices("Difficulty", tuple((rung.value, str(rung.dc)) for rung in Rung))
    shifts = [(circumstance.value, f"{circumstance.shift:+}") for circumstance in Circumstance]
    yield Choices("Circumstances", tuple(shifts))


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
    arguments = question.named
    if question.rule is check:
        yield from die_parts(arguments, teller)
        yield teller.term("dc"), str(arguments["dc"])
    elif question.rule is attack:
        yield from die_parts(arguments, teller)
        yield teller.term("ac"), str(arguments["ac"])
        yield "Damage", arguments["damage"]
    elif question.rule is damage_roll:
        dice = arguments["damage"]
        yield "Damage", f"{dice}, dice twice" if arguments["critical"] else dice
    elif question.rule is contest:
        for side in Side:
            yield from side_of(side, arguments[side.value], teller)
        yield "A tie", f"is the {arguments['tie_to'].value}’s"
    elif question.rule is short_rest:
        yield "Level", str(arguments["level"])


def die_parts(arguments: Mapping[str, Any], teller: Teller) -> Iterator[tuple[str, str]]:
    """List what is added to the die of a check or an attack, and what may throw it again."""
    yield "Bonus", signed(arguments["bonus"])
    if arguments["stance"] is not Footing.LEVEL:
        yield "Rolled with", arguments["stance"].value
    yield from rerolls_in("Can roll again", arguments["again"], teller)


def side_of(side: Side, contender: Contender, teller: Teller) -> Iterator[tuple[str, str]]:
    """List the parts of one side of a contest, before it declares."""
    owner = f"The {side.value}’s"
    yield f"{owner} bonus", signed(contender.bonus)
    stance = footing(helped=contender.helped, hindered=contender.hindered)
    if stance is not Footing.LEVEL:
        yield f"{owner} roll", stance.value
    yield f"{owner} points", f"up to {contender.most}"
    if contender.doubled:
        yield f"{owner} points that count double", str(contender.doubled)
    if contender.inspired:
        yield f"{owner} {teller.term(INSPIRATION)}", "at hand"
    yield from rerolls_in(f"{owner} rerolls", contender.again, teller)


def rerolls_in(name: str, again: Again, teller: Teller) -> Iterator[tuple[str, str]]:
    if not again.sources or again.asks is Asks.NEVER:
        return
    rerolls = []
    for source in again.sources:
        words = teller.term(source.name)
        if source.up_to < 20:
            words += f" (up to {source.up_to})"
        rerolls.append(words)
    yield name, ", ".join(rerolls)


BONUSES = range(21)
RUNGS = tuple(rung.dc for rung in Rung)
OFF_THE_LADDER = tuple(dc for dc in range(EASIEST, HARDEST + 1) if dc not in RUNGS)


def chances_on_the_ladder() -> BookTable:
    """SP-01, SP-05: the chance to reach each rung with each bonus."""
    head = ("bonus", *(f"{rung.value} ({rung.dc})" for rung in Rung))
    checks_by_bonus = {}
    for bonus in BONUSES:
        checks_by_bonus[f"{bonus:+d}"] = [check(bonus=bonus, dc=dc) for dc in RUNGS]
    return chance_table("Chances on the ladder, in percent", head, checks_by_bonus, lambda roll: roll.success)


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
            ranges={"dc": (*RUNGS, *OFF_THE_LADDER), "bonus": BONUSES},
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
