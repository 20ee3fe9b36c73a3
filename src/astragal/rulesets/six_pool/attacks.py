"""Attacks, and the harm they do: Armour Class, damage, hit points, down and up. SP-08, SP-11, SP+04."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, NamedTuple, Self, TypeAlias

from astragal.chance import BadNotation, Rolls, rule
from astragal.chance.notation import Expression, parse
from astragal.chance.notation.nodes import Sum, pools, with_pools
from astragal.game import Chapter, Character, Command, Doing, Event, Fact, Refusal, Seen, Teller, meters, replace
from astragal.game.display import RollCard, Went
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaySet, Name, Usual, Words
from astragal.game.rolls import Footing
from astragal.game.shared import Rest

from . import rolls
from .rerolls import NO_REROLLS
from .rolls import ROLLED, Aim, Bonus, Circumstances, Degree, Effort, Rerolls, Roll, ShownRoll, Skilled, Stance, check
from .state import MOST_WEAPONS, USUAL_DAMAGE, Call, Manner, Notation, RollKind, Sheet, State, Weapon, find_weapon

ATTACKS = Chapter(seen=Seen.ALL)

MOST_DAMAGE_DICE = 40
MOST_DAMAGE = 500
BARE_HANDS = "bare hands"

ArmourClass = Annotated[int, Ge(1), Le(40), Usual(10, 20), Doc("the Armour Class that the total has to reach")]
"""SP+04: 10 without armour; usually at most 10 more."""
Damage: TypeAlias = Annotated[str, Doc("the damage, in dice notation")]

# ---------------------------------------------------------------- the rules


@lru_cache(maxsize=256)
def damage_dice(notation: str) -> Expression:
    """Parse damage, or raise `BadNotation`.

    Cached: it saves parsing on every path of an attack. It depends on its text alone, so only newer texts push older
    ones out.
    """
    dice = parse(notation)
    if dice.root.span.is_open:
        raise BadNotation("damage needs an end: dice that explode again and again have none", notation, 0, "dice")
    number_of_dice = sum(pool.count for pool in pools(dice.root))
    if number_of_dice > MOST_DAMAGE_DICE or dice.root.span.high > MOST_DAMAGE:
        limit = f"damage has at most {MOST_DAMAGE_DICE} dice and comes to at most {MOST_DAMAGE}"
        raise BadNotation(limit, notation, 0, "fewer dice")
    return dice


def check_damage(notation: str) -> None:
    """Raise `BadNotation` before any die. In a rule, a bare `damage_dice(…)` would look like a forgotten throw."""
    damage_dice(notation)


def check_notation(notation: str) -> None:
    """SP-08: damage is a dice expression; one that can't be read is refused before any die."""
    try:
        damage_dice(notation)
    except BadNotation as bad:
        raise Refusal(f"That damage can't be read: {bad.fault}.", code="bad_notation") from bad


@lru_cache(maxsize=256)
def critical_dice(notation: str) -> Expression:
    """SP-11: every die twice, flat bonuses once. Cached as `damage_dice` is, and for the same reason."""
    return Expression(with_pools(damage_dice(notation).root, lambda pool: Sum((pool, pool), (1, 1))))


@rule
def damage_roll(
    damage: Damage = USUAL_DAMAGE, critical: Annotated[bool, Doc("whether dice count twice")] = False
) -> Rolls[int]:
    """SP-08, SP-11: the damage dice, twice on a critical hit. Never less than 0."""
    dice = critical_dice(damage) if critical else damage_dice(damage)
    dealt = yield from dice
    return max(0, dealt)


class Strike(NamedTuple):
    """The attack roll, and the damage that it did; none for a miss."""

    roll: Roll
    damage: int | None

    @property
    def is_critical(self) -> bool:
        """SP-11: True on a natural 20, and nothing else."""
        return self.roll.natural == 20

    @property
    def degree(self) -> Degree:
        """A natural 20 is a critical hit, whatever the table makes of naturals elsewhere."""
        return Degree.CRITICAL_HIT if self.is_critical else self.roll.degree


@rule
def attack(
    ac: ArmourClass,
    bonus: Bonus,
    damage: Damage = USUAL_DAMAGE,
    stance: Stance = Footing.LEVEL,
    again: Rerolls = NO_REROLLS,
) -> Rolls[Strike]:
    """SP-08: the total against Armour Class; a hit deals its damage, a natural 20 with all dice twice."""
    check_damage(damage)
    roll = yield from check(ac, bonus, stance, again)
    if not roll.success:
        return Strike(roll, None)
    dealt = yield from damage_roll(damage, roll.natural == 20)
    return Strike(roll, dealt)


# ---------------------------------------------------------------- attacks


@ATTACKS.event("attacked")
class Attacked(Event):
    who: CharacterId
    target: CharacterId | None
    roll: ShownRoll
    critical: bool
    damage: int | None
    dice: str
    """The damage as it was asked for, in dice notation."""
    weapon: str | None = None

    @property
    def hit(self) -> str:
        return "critical hit" if self.critical else "hit"

    def says(self, teller: Teller) -> str:
        attacks = f"{teller.name(self.who)} attacks"
        if self.target:
            attacks += f" {teller.name(self.target)}"
        if self.weapon:
            attacks += f" with {self.weapon}"
        line = f"{attacks}, {self.roll.aim.words(teller)}: {self.roll.log_line(teller, self.hit, 'miss')}"
        if self.damage is None:
            return line
        dice = f"{self.dice}, dice twice" if self.critical else self.dice
        return f"{line}, {self.damage} damage ({dice})"

    def went(self, _: Teller) -> Went:
        """SP-12: a hit or a miss, and its degree for viewers who may know the Armour Class."""
        word = self.hit if self.roll.success else "miss"
        went = self.roll.went(word, word)
        words = [word]
        if went.words not in (word, "success", "failure"):
            words.append(went.words)
        if self.damage is not None:
            words.append(f"{self.damage} damage")
        return Went(went.tone, ", ".join(words))


@ATTACKS.command(
    "attack",
    **ROLLED,
    card=RollCard(
        title="{who} attacks {target}",
        short="{who} attacks",
        notes=("{pool|manner}", "{dice|damage} damage"),
        hopes="to hit",
        verb="Attack",
        target="target",
        choose=("manner",),
        spends="effort",
    ),
)
class Attack(Effort):
    """Roll against somebody's Armour Class; a hit deals its damage."""

    target: Annotated[CharacterId | None, Doc("who is attacked")] = None
    ac: Annotated[
        int | None,
        Ge(1),
        Le(40),
        Label("Armour Class"),
        Doc("the Armour Class, where no target is named"),
        MaySet.PROPOSAL,
    ] = None
    weapon: Annotated[
        Name | None, Doc("what they attack with, which must be carried; by default the first weapon that fits")
    ] = None
    manner: Annotated[
        Manner | None, Doc("melee rolls STR, ranged DEX, a spell its caster's pool; by default as the weapon has it")
    ] = None
    damage: Annotated[
        Notation | None, Doc("damage in dice notation, such as 1d8+2; by default the weapon's"), MaySet.PROPOSAL
    ] = None
    circumstances: Circumstances = ()

    def does(self, call: Call) -> Doing[Strike]:
        """SP-08, SP+04: against the target's own Armour Class, unless one is named."""
        state = call.state
        weapon = self.struck_with(call)
        damage = self.damage or (weapon.damage if weapon else USUAL_DAMAGE)
        check_notation(damage)
        target = None if self.target is None else state.find(self.target)
        if target is not None:
            target.check_lives()
        attempt = self.attempt(call, hidden=self.hides(call))
        ac = rolls.shifted(self.armour_class(call, target), self.circumstances)
        strike = yield attack(ac, attempt.bonus, damage, attempt.ground.footing, attempt.again)

        attacked = Attacked(
            who=self.who,
            target=self.target,
            roll=attempt.shown(strike.roll, degree=strike.degree),
            critical=strike.is_critical,
            damage=strike.damage,
            dice=damage,
            weapon=weapon.name if weapon else None,
        )
        events: list[Event] = [attacked, *rolls.after_roll(call, attempt, strike.roll)]
        if target is not None and state.options.hit_points:
            events += HIT_POINTS.lost(target, strike.damage or 0)
        return events

    def armour_class(self, call: Call, target: Character[Sheet] | None) -> int:
        """SP-08, SP+04: the Armour Class that is named, or else the target's own where the table keeps hit points."""
        if self.ac is not None:
            return self.ac
        if target is None or not call.state.options.hit_points:
            raise Refusal("Name the Armour Class that this attack is against.", code="no_ac", field="ac")
        return target.sheet.numbers.armour_class

    def skilled(self, call: Call) -> Skilled:
        """SP-08: melee rolls STR, ranged DEX, a spell the pool of its caster. Proficiency is always added."""
        who = call.state.find(self.who)
        weapon = self.struck_with(call)
        manner = self.manner
        if manner is None:
            manner = weapon.manner if weapon else Manner.MELEE
        pool = who.sheet.pool_for(manner)
        if pool is None:
            raise Refusal(f"{who.name} casts no spells.", code="no_caster")
        aim = Aim(kind=RollKind.ATTACK, pool=pool, name=manner.value)
        return Skilled(aim, rolls.proficiency(who.sheet.numbers.level))

    def struck_with(self, call: Call) -> Weapon | None:
        """SP-08: the weapon that is named, or else the first one carried that fits the manner; None is bare hands."""
        who = call.state.find(self.who)
        if self.weapon is None:
            for weapon in who.sheet.weapons:
                if self.manner in (None, weapon.manner):
                    return weapon
            return None
        if self.weapon.casefold() == BARE_HANDS:
            return None
        return find_weapon(who, self.weapon)

    def hides(self, call: Call) -> bool:
        """Return whether the Armour Class is one that players don't know."""
        return self.target is not None and self.ac is None and call.state.find(self.target).sheet.is_closed


# ---------------------------------------------------------------- weapons


def weapon_faults(weapons: Sequence[Weapon]) -> list[str]:
    """SP-08: list faults: each weapon needs damage that can be read, and a name of its own."""
    names = [BARE_HANDS, *(weapon.name.strip().casefold() for weapon in weapons)]
    faults = []
    for name in sorted(set(names)):
        if names.count(name) > 1:
            faults.append(f"two weapons are called {name!r}")
    for weapon in weapons:
        try:
            damage_dice(weapon.damage)
        except BadNotation as bad:
            faults.append(f"the damage of {weapon.name} can't be read: {bad.fault}")
    return faults


def check_weapons(weapons: Sequence[Weapon]) -> None:
    faults = weapon_faults(weapons)
    if faults:
        raise Refusal(f"{'; '.join(faults).capitalize()}.", code="weapons")


@ATTACKS.fact("give_weapon", told="weapon_given", says="{who} has {weapon.words}", adds={"weapons": "weapon"})
class GiveWeapon(Fact):
    """Give somebody a weapon with its damage, so that attacks with it need no ruling."""

    who: Annotated[CharacterId, Doc("who carries it")]
    weapon: Annotated[Weapon, Doc("the weapon")]

    def check(self, call: Call) -> None:
        """SP-08: its damage is settled once, not with every attack."""
        carried = call.state.find(self.who).sheet.weapons
        check_weapons((*carried, self.weapon))
        if len(carried) >= MOST_WEAPONS:
            raise Refusal(f"Nobody carries more than {MOST_WEAPONS} weapons.", code="full")


@ATTACKS.fact(
    "lose_weapon", told="weapon_lost", actor="who", says="{who} leaves {weapon} behind", drops={"weapons": "weapon"}
)
class LoseWeapon(Fact):
    """Leave a weapon behind."""

    who: Annotated[CharacterId, Doc("who carries it")]
    weapon: Annotated[Name, Doc("the weapon")]

    def check(self, call: Call) -> Self:
        weapon = find_weapon(call.state.find(self.who), self.weapon)
        return replace(self, weapon=weapon.name)


# ---------------------------------------------------------------- harm


def check_kept(state: State, _: Character[Sheet]) -> None:
    if not state.options.hit_points:
        raise Refusal("This table keeps no hit points.", code="switched_off")


def rest_heals(state: State, who: Character[Sheet], rest: Rest) -> int:
    """SP+03: the book is silent; a night gives hit points back, unless the table chose otherwise. Care always does."""
    options = state.options
    if not options.hit_points or not options.rests:
        return 0
    if rest is Rest.CARE or (rest is Rest.LONG and options.long_rest_heals):
        return who.sheet.numbers.hit_points_most
    return 0


@ATTACKS.event("went_down", says="{who} is down")
class WentDown(Event):
    """SP+04: someone is down at 0 hit points. No rule here says what becomes of foes."""

    who: CharacterId


@ATTACKS.event("got_up", says="{who} is up again")
class GotUp(Event):
    """SP+04: someone is up again with the first hit point."""

    who: CharacterId


HIT_POINTS = meters.Meter(
    "hit points",
    most=lambda sheet: sheet.numbers.hit_points_most,
    seen=Seen.ALL,
    read=lambda sheet: sheet.numbers.hit_points,
    write=lambda sheet, now: sheet.with_numbers(harm=sheet.numbers.hit_points_most - now),
    closed=lambda sheet: sheet.is_closed,
    gains="regains",
    rest=rest_heals,
    check=check_kept,
    override="hit points now",
    limit=999,
    emptied=WentDown,
    revived=GotUp,
)
"""SP+04: damage beyond the last one is lost; healing never goes past the most."""


@ATTACKS.command("harm", card=RollCard(title="{who} is hurt", short="Harm", verb="Harm", words=(("why", ""),)))
class Harm(Command):
    """Take hit points away for something in the story: a fall, fire, poison."""

    who: Annotated[CharacterId, Doc("who is harmed")]
    damage: Annotated[Notation, Doc("how much, as a number or in dice notation")] = USUAL_DAMAGE
    why: Annotated[Words, Doc("what does the harm")] = ""

    def does(self, call: Call) -> Doing[int]:
        who = call.state.find(self.who)
        who.check_lives()
        check_kept(call.state, who)
        check_notation(self.damage)
        damage = yield damage_roll(self.damage)
        return HIT_POINTS.lost(who, damage, self.why)


@ATTACKS.command("heal")
class Heal(meters.Gain):
    """Give hit points back, never past the most."""

    meter = HIT_POINTS
