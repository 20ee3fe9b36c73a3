"""Fights: attacks, what a hit brings, and which side acts first. SS-30, SS-32 to SS-34, SS-38 to SS-43, SS+05."""

from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from typing import Annotated, NamedTuple

from astragal.chance import Notable, Odds, Offer, Rolls, d20, odds, rerolled, rule
from astragal.game import Chapter, Character, Command, Doing, Event, Refusal, Seen, Sight, Teller, Value, copied_into
from astragal.game.display import RollCard, Tone, Went
from astragal.game.fields import CharacterId, Doc, MaySet, Name, Seldom, Words
from astragal.game.rolls import Advantage, Disadvantage, Footing
from astragal.game.shared import ConditionEnded, EncounterEnded, FateRecorded

from . import contests
from .contests import Contest, DefenceAdvantage, DefenceDisadvantage, NamedScore
from .harm import STAMINA_METER, Blow, Lethal, check_called, is_warned
from .luck import WITH_LUCK, luck_after, spent_by, warning
from .options import BARE_HANDS, Companion, Guard, Item, Manner
from .rolls import LEVEL, Roll, Roller, Score, ShownRoll, Stand, check_acts, simple_test, used_up
from .state import AttributeKey, Call, Sheet, State, find_item, known_key

FIGHTS = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- the rule


class Aim(Enum):
    """Aim of an attack that is not a blow with known damage."""

    CONSEQUENCE = "consequence"
    """SS-39: an agreed consequence: disarmed, driven off, talked down."""
    FATE = "fate"
    """SS-41: life is at stake, and the defender is warned before the roll."""
    HARM = "harm"
    """A blow at someone whose armour the viewer may not know. A preview counts hits, not damage."""


PLAIN_BLOW = Blow()

GUARD = "guard"
"""Name of the offer to choose a defence."""


class Ward(Value, kw_only=False):
    """SS-33: one of several ways to defend."""

    guard: Guard
    attribute: AttributeKey
    score: Score
    stand: Stand = LEVEL


@cache
def chance_to_succeed(score: int, footing: Footing) -> Fraction:
    """SS-01, SS-04: chance of a success, before any Luck.

    Cached: it saves rolling the same 63 tests out anew for each defence on offer. It depends on its arguments alone.
    """
    return odds(simple_test(score, footing)).chance(lambda roll: roll.success)


class Guarded(NamedTuple):
    """SS-33: a way to defend, with the attack's score, stand and blow if the defender may know them."""

    ward: Ward
    against: tuple[int, Stand, Blow] | None


@lru_cache(maxsize=64)
def let_through(ward: Ward, score: int, stand: Stand, blow: Blow) -> Odds[int]:
    """SS-34 to SS-36: the damage of an attack with this score against a defence, before any Luck.

    Cached: it saves joining 400 pairs of dice each time that an open offer is drawn. It depends on its arguments alone,
    so only newer defences push older ones out.
    """
    attack_test, defence_test = contests.both_tests(score, ward.score, stand, ward.stand)

    def damage(strike: Roll, parry: Roll) -> int:
        return Exchange(strike, parry, blow).damage

    return odds(attack_test).joined(odds(defence_test), damage)


class Effect(Value, kw_only=False):
    """Result of an attack, as counted by a preview."""

    hit: bool
    damage: int | None
    """None for a miss, if something else was agreed on, or if the viewer may not know the armour."""


class Exchange(NamedTuple):
    """Result of an attack: both rolls after any Luck, and the attacker's aim."""

    attack: Roll
    defence: Roll | None
    aim: Blow | Aim
    guard: Guard | None = None
    """The defence chosen, if there was a choice."""

    @property
    def contest(self) -> Contest:
        return Contest(self.attack, self.defence)

    @property
    def hit(self) -> bool:
        return self.contest.won

    @property
    def blow(self) -> Blow | None:
        """The blow of a hit; None for a miss, or if something else was agreed on."""
        if self.hit and isinstance(self.aim, Blow):
            return self.aim
        return None

    @property
    def damage(self) -> int:
        blow = self.blow
        if blow is None:
            return 0
        return blow.damage(self.attack.depth)

    @property
    def effect(self) -> Effect:
        damage = self.damage if self.blow else None
        return Effect(self.hit, damage)


@rule
def attack(
    attacker: Score,
    defender: Score,
    attacking: Annotated[Stand, Doc("how the attacker stands")] = LEVEL,
    defending: Annotated[Stand | None, Doc("how the defender stands; None is without a defence")] = LEVEL,
    aim: Annotated[Blow | Aim, Doc("a blow, or what was agreed on in its place")] = PLAIN_BLOW,
    *,
    guards: Annotated[tuple[Ward, ...], Doc("ways to defend that there are to choose from, the usual one first")] = (),
) -> Rolls[Exchange]:
    """SS-32, SS-33: an opposed test; without a defence, the attack only has to succeed. If there are several ways to
    defend, the defender chooses one before any die falls.
    """
    if aim is Aim.FATE:
        yield from warning("defender")
    guard = None
    if guards:
        ward = yield from ward_chosen(guards, attacker, attacking, aim)
        guard = ward.guard
        defender = ward.score
        defending = ward.stand

    strike = yield from simple_test(attacker, attacking.footing)
    defence = None
    if defending is not None:
        defence = yield from simple_test(defender, defending.footing)

    contest = Contest(strike, defence)
    contest = yield from contests.after_luck(contest, attacking, defending, blow_to_spend_for(aim))
    return Exchange(contest.attack, contest.defence, aim, guard)


def ward_chosen(guards: tuple[Ward, ...], score: int, stand: Stand, aim: Blow | Aim) -> Rolls[Ward]:
    """SS-33: the defender chooses a way to defend. Each shows the damage to expect, if the attack is open to them."""
    against = None
    if isinstance(aim, Blow) and not stand.closed:
        against = (score, stand, aim)
    notable = tuple(Notable(ward.guard, None, Guarded(ward, against)) for ward in guards)
    ward_by_guard = {ward.guard: ward for ward in guards}
    guard = yield from Offer("defender", GUARD, tuple(ward_by_guard), notable)
    return ward_by_guard[guard]


def blow_to_spend_for(aim: Blow | Aim) -> Blow | None:
    """SS-25: the blow that a spend could make deeper. Against armour that the viewer may not know it is a plain one."""
    if isinstance(aim, Blow):
        return aim
    if aim is Aim.HARM:
        return PLAIN_BLOW
    return None


# ---------------------------------------------------------------- at the table


@FIGHTS.event("attacked")
class Attacked(Event):
    """An attack and its result. Its effects follow as further events."""

    attacker: CharacterId
    defender: CharacterId
    weapon: str | None
    attack: ShownRoll
    defence: ShownRoll | None
    hit: bool
    damage: int
    consequence: Words
    lethal: bool

    @property
    def result(self) -> str:
        if not self.hit:
            return "A miss."
        if self.lethal:
            return "A hit, with lethal stakes."
        if self.consequence:
            return f"A hit: {self.consequence}"
        if not self.damage:
            return "A hit that the armour stops."
        return f"A hit for {self.damage}."

    def says(self, teller: Teller) -> str:
        attacks = f"{teller.name(self.attacker)} attacks {teller.name(self.defender)}"
        if self.weapon:
            attacks += f" with {self.weapon}"
        defence = "no defence" if self.defence is None else self.defence.in_words(teller)
        return f"{attacks}. {self.attack.in_words(teller)}; {defence}. {self.result}"

    def went(self, _: Teller) -> Went:
        tone = Tone.GOOD if self.hit else Tone.BAD
        result = self.result.removesuffix(".")
        return Went(tone, result[0].lower() + result[1:])


@FIGHTS.command(
    "attack",
    actor="attacker",
    outcome=lambda exchange: exchange.effect,
    hopes=lambda effect: effect.hit,
    policies=WITH_LUCK,
    after=luck_after(lambda exchange: exchange.contest.price),
    card=RollCard(
        title="{attacker} attacks {defender}",
        short="{attacker} attacks",
        notes=("{attribute}", "{weapon}"),
        hopes="to hit",
        verb="Attack",
        target="defender",
        sides=(("attacker", "attack"), ("defender", "defence")),
        side="{attribute} {score}",
        spends="luck",
    ),
)
class Strike(Command):
    """Attack someone, to harm or for a consequence that was agreed on."""

    attacker: Annotated[CharacterId, Doc("who attacks")]
    defender: Annotated[CharacterId, Doc("who is attacked")]
    manner: Annotated[Manner, Doc("how; the usual attribute follows from it")] = Manner.HEAVY
    attribute: Annotated[AttributeKey | None, Doc("another attribute than the usual one"), Seldom()] = None
    guard: Annotated[
        Guard | None,
        MaySet.PROPOSAL,
        Doc("how the other defends; by default the defender says so; none and chance are the custodian's to call"),
    ] = None
    defence_attribute: Annotated[
        AttributeKey | None,
        MaySet.PROPOSAL,
        Doc("another attribute than the usual one; that of Luck defends even the helpless"),
        Seldom(),
    ] = None
    defence_score: NamedScore = None
    weapon: Annotated[
        Name | None, Doc("what the attacker carries and strikes with; by default the best of it, or bare hands")
    ] = None
    consequence: Annotated[
        Words, MaySet.PROPOSAL, Doc("what was agreed on in place of damage: disarmed, driven off …"), Seldom()
    ] = ""
    lethal: Lethal = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    defence_advantage: DefenceAdvantage = ()
    defence_disadvantage: DefenceDisadvantage = ()

    sides = contests.sides_of_two
    hides = contests.is_closed_to_one

    def does(self, call: Call) -> Doing[Exchange]:
        """SS-43: roll the usual attributes, unless others are named. SS-33: the defender chooses how to defend, unless
        the command does.

        SS-39, SS-41: an agreed consequence is recorded with the attack; an agreed fate replaces the damage.
        """
        state = call.state
        options = state.options
        attacker = state.find(self.attacker)
        defender = state.find(self.defender)
        key = known_key(options, self.attribute) if self.attribute else self.manner.usual(options)
        contests.check_two(call, attacker.id, defender.id)
        check_acts(call, attacker)
        attacking = Roller.of(call, attacker, key, self.advantage, self.disadvantage)
        check_called(call, defender, self.lethal)
        weapon = self.struck_with(attacker)
        aim = self.aim(call, weapon)
        defender.check_lives()

        roller_by_guard = self.guards(call, defender)
        usual_guard = next(iter(roller_by_guard), None)
        if usual_guard is None:
            exchange = yield attack(attacking.score, 0, attacking.stand, None, aim)
        else:
            usual = roller_by_guard[usual_guard]
            score = contests.defence_score(call, usual, self.defence_score)
            guards = wards_of(roller_by_guard) if len(roller_by_guard) > 1 else ()
            exchange = yield attack(attacking.score, score, attacking.stand, usual.stand, aim, guards=guards)

        shown_defence = None
        guard = exchange.guard or usual_guard
        if exchange.defence is not None and guard is not None:
            shown_defence = roller_by_guard[guard].shown(exchange.defence)
        attacked = copied_into(
            Attacked,
            self,
            weapon=weapon.name if weapon else None,
            attack=shown_attack(attacking, exchange),
            defence=shown_defence,
            hit=exchange.hit,
            damage=exchange.damage,
            lethal=self.lethal is not None,
        )
        spent = spent_by(state, (attacker.id, exchange.attack), (defender.id, exchange.defence))
        if self.lethal is not None and exchange.hit:
            return [*spent, attacked, FateRecorded(who=defender.id, fate=self.lethal, told=self.consequence)]
        return [*spent, attacked, *STAMINA_METER.lost(defender, exchange.damage)]

    def struck_with(self, attacker: Character[Sheet]) -> Item | None:
        """The named weapon, or else the sharpest carried, unless a consequence was agreed on; None is bare hands."""
        if self.weapon is None:
            if self.consequence:
                return None
            return attacker.sheet.sharpest
        if self.weapon.casefold() == BARE_HANDS.name:
            return attacker.sheet.item(self.weapon)
        return find_item(attacker, self.weapon)

    def aim(self, call: Call, weapon: Item | None) -> Blow | Aim:
        """SS-34, SS-39, SS-41: a blow, unless something else was agreed on."""
        defender = call.state.find(self.defender)
        if self.lethal is not None and is_warned(defender, self.lethal):
            return Aim.FATE
        if self.lethal is not None or self.consequence:
            return Aim.CONSEQUENCE
        if defender.sheet.is_hidden:
            return Aim.HARM
        return Blow.of(weapon or BARE_HANDS, defender.sheet, call.state.options)

    def guards(self, call: Call, defender: Character[Sheet]) -> dict[Guard, Roller]:
        """SS-30, SS-33: available ways to defend, the likeliest first. The helpless and the collapsed have none, except
        Luck if it is called for. Only the custodian can say that there is none, or only Luck.
        """
        is_named = (self.guard, self.defence_attribute, self.defence_score) != (None, None, None)
        if not is_named and not defender.sheet.is_collapsed:
            return self.ways(call, defender)
        options = call.state.options
        guard = self.guard or Guard.DODGE
        if self.defence_attribute is None:
            key = guard.usual(options)
            is_on_luck = key == options.luck and guard is not Guard.NONE
        else:
            key = known_key(options, self.defence_attribute)
            is_on_luck = key == options.luck
        is_helpless = guard is Guard.NONE or defender.sheet.is_collapsed
        if is_helpless and not is_on_luck:
            return {}
        return {guard: self.guarding(call, defender, key)}

    def ways(self, call: Call, defender: Character[Sheet]) -> dict[Guard, Roller]:
        """SS-43: every usual way but Luck. Only one if the choice makes no difference, if the defender's numbers are
        hidden, or if asking would give a hidden roll away.
        """
        options = call.state.options
        roller_by_guard = dict[Guard, Roller]()
        for guard in Guard:
            key = guard.usual(options)
            if key != options.luck:
                with suppress(Refusal):  # solid cover helps to dodge, and is refused for any other way
                    roller_by_guard[guard] = self.guarding(call, defender, key)

        differing = {(roller.score, roller.stand) for roller in roller_by_guard.values()}
        if defender.sheet.is_hidden or len(differing) <= 1:
            first = next(iter(roller_by_guard), Guard.DODGE)
            return {first: self.guarding(call, defender, first.usual(options))}

        def chance(guard: Guard) -> Fraction:
            roller = roller_by_guard[guard]
            return chance_to_succeed(roller.score, roller.stand.footing)

        likeliest_first = sorted(roller_by_guard, key=lambda guard: -chance(guard))
        if call.sight is not Sight.OPEN:
            likeliest_first = likeliest_first[:1]
        return {guard: roller_by_guard[guard] for guard in likeliest_first}

    def guarding(self, call: Call, defender: Character[Sheet], key: str) -> Roller:
        return Roller.of(call, defender, key, self.defence_advantage, self.defence_disadvantage)


def wards_of(roller_by_guard: Mapping[Guard, Roller]) -> tuple[Ward, ...]:
    """SS-33: the ways to defend that the defender chooses from."""
    return tuple(Ward(guard, roller.key, roller.score, roller.stand) for guard, roller in roller_by_guard.items())


def shown_attack(attacking: Roller, exchange: Exchange) -> ShownRoll:
    """SS-35, SS-36: the attack as it is shown; a blow that hits says what its margin did to soak and damage."""
    blow = exchange.blow
    if blow is None:
        return attacking.shown(exchange.attack)
    depth = exchange.attack.depth
    return attacking.shown(exchange.attack, soak_left=blow.soak_left(depth), bonus=blow.bonus(depth))


@FIGHTS.after(Attacked)
def attack_uses_up(state: State, attacked: Attacked) -> list[ConditionEnded]:
    if attacked.defence is None:
        return used_up(state, attacked.attacker)
    return used_up(state, attacked.attacker, attacked.defender)


# ---------------------------------------------------------------- which side acts first


class FightingSide(Enum):
    HEROES = "heroes"
    FOES = "foes"


class SideOrder(NamedTuple):
    heroes: int
    foes: int

    @property
    def first(self) -> FightingSide:
        if self.heroes >= self.foes:
            return FightingSide.HEROES
        return FightingSide.FOES


@rule
def side_order() -> Rolls[SideOrder]:
    """SS+05: one d20 each, higher first; the second die is thrown again while it shows the same."""
    heroes = yield from d20
    foes = yield from rerolled(d20, (heroes,))
    return SideOrder(heroes, foes)


@FIGHTS.event("sides_rolled", says="heroes {heroes}, foes {foes}: the {first} act first")
class SidesRolled(Event):
    heroes: int
    foes: int
    first: FightingSide

    def fold(self, state: State) -> State:
        return state.with_game(first_side=self.first.value)


@FIGHTS.event("sides_forgotten", says="the order of sides is over")
class SidesForgotten(Event):
    def fold(self, state: State) -> State:
        return state.with_game(first_side=None)


@FIGHTS.command(
    "roll_sides",
    outcome=lambda order: order.first,
    card=RollCard(title="The {first} act first", short="Who acts first?"),
)
class RollSides(Command):
    """Roll a d20 for each side: the higher acts first in this encounter. Only where a table wants an order."""

    def does(self, call: Call) -> Doing[SideOrder]:
        state = call.state
        if not state.options.plays(Companion.SIDE_ORDER):
            raise Refusal("This table plays without an order of sides.", code="not_played")
        if state.calendar.encounter is None:
            raise Refusal("No encounter has begun.", code="not_begun")
        if state.game.first_side is not None:
            raise Refusal(f"The {state.game.first_side} act first; that was rolled.", code="rolled")
        order = yield side_order()
        return [SidesRolled(heroes=order.heroes, foes=order.foes, first=order.first)]


@FIGHTS.after(EncounterEnded)
def the_fight_is_over(state: State, _: EncounterEnded) -> list[SidesForgotten]:
    if state.game.first_side is None:
        return []
    return [SidesForgotten()]
