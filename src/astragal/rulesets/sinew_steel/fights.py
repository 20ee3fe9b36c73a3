"""Fights: attacks, what a hit brings, and which side acts first. SS-30, SS-32 to SS-34, SS-38 to SS-43, SS+05."""

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
    """SS-01, SS-04: chance of a success, before any Luck."""
    return odds(simple_test(score, footing)).chance(lambda roll: roll.success)


class Guarded(NamedTuple):
    """SS-33: a way to defend, with the attack's score, stand and blow if the defender may know them."""

    ward: Ward
    against: tuple[int, Stand, Blow] | None


@lru_cache(maxsize=64)
def let_through(ward: Ward, score: int, stand: Stand, blow: Blow) -> Odds[int]:
    """SS-34 to SS-36: the damage of an attack with this score against a defence, before any Luck."""
    attacks, defends = map(odds, contests.both_tests(score, ward.score, stand, ward.stand))
    return attacks.joined(defends, lambda strike, parry: Exchange(strike, parry, blow).damage)


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
        return self.aim if self.hit and isinstance(self.aim, Blow) else None

    @property
    def damage(self) -> int:
        return self.blow.damage(self.attack.depth) if self.blow else 0

    @property
    def effect(self) -> Effect:
        return Effect(self.hit, self.damage if self.blow else None)


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
        against = (attacker, attacking, aim) if isinstance(aim, Blow) and not attacking.closed else None
        notes = tuple(Notable(one.guard, None, Guarded(one, against)) for one in guards)
        guard = yield from Offer("defender", GUARD, tuple(one.guard for one in guards), notes)
        (chosen,) = (one for one in guards if one.guard is guard)
        defender, defending = chosen.score, chosen.stand
    strike = yield from simple_test(attacker, attacking.footing)
    defence = None
    if defending is not None:
        defence = yield from simple_test(defender, defending.footing)
    blow = PLAIN_BLOW if aim is Aim.HARM else aim if isinstance(aim, Blow) else None
    contest = yield from contests.after_luck(Contest(strike, defence), attacking, defending, blow)
    return Exchange(*contest, aim, guard)


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
        return f"A hit for {self.damage}." if self.damage else "A hit that the armour stops."

    def says(self, teller: Teller) -> str:
        weapon = f" with {self.weapon}" if self.weapon else ""
        guard = "no defence" if self.defence is None else self.defence.in_words(teller)
        attacks = f"{teller.name(self.attacker)} attacks {teller.name(self.defender)}{weapon}"
        return f"{attacks}. {self.attack.in_words(teller)}; {guard}. {self.result}"

    def went(self, _: Teller) -> Went:
        result = self.result.removesuffix(".")
        return Went(Tone.GOOD if self.hit else Tone.BAD, result[0].lower() + result[1:])


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

    sides, hides = contests.sides_of_two, contests.is_closed_to_one

    def does(self, call: Call) -> Doing[Exchange]:
        """SS-43: roll the usual attributes, unless others are named. SS-33: the defender chooses how to defend, unless
        the command does.

        SS-39, SS-41: an agreed consequence is recorded with the attack; an agreed fate replaces the damage.
        """
        state, options = call.state, call.state.options
        attacker, defender = state.find(self.attacker), state.find(self.defender)
        key = known_key(options, self.attribute) if self.attribute else self.manner.usual(options)
        contests.check_two(call, attacker.id, defender.id)
        check_acts(call, attacker)
        striking = Roller.of(call, attacker, key, self.advantage, self.disadvantage)
        check_called(call, defender, self.lethal)
        weapon = self.struck_with(attacker)
        aim = self.aim(call, weapon)
        defender.check_lives()
        guards = self.guards(call, defender)
        usual = next(iter(guards.values()), None)
        if usual is None:
            exchange = yield attack(striking.score, 0, striking.stand, None, aim)
        else:
            score = contests.defence_score(call, usual, self.defence_score)
            wards = (Ward(guard, one.key, one.score, one.stand) for guard, one in guards.items())
            choice = tuple(wards) if len(guards) > 1 else ()
            exchange = yield attack(striking.score, score, striking.stand, usual.stand, aim, guards=choice)
        parry, blow, depth = exchange.defence, exchange.blow, exchange.attack.depth
        dealt = (blow.soak_left(depth), blow.bonus(depth)) if blow else ()
        attacked = copied_into(
            Attacked,
            self,
            weapon=weapon.name if weapon else None,
            attack=striking.shown(exchange.attack, *dealt),
            defence=None if parry is None else guards[exchange.guard or next(iter(guards))].shown(parry),
            hit=exchange.hit,
            damage=exchange.damage,
            lethal=self.lethal is not None,
        )
        spent = spent_by(state, (attacker.id, exchange.attack), (defender.id, parry))
        if self.lethal is not None and exchange.hit:
            return [*spent, attacked, FateRecorded(who=defender.id, fate=self.lethal, told=self.consequence)]
        return [*spent, attacked, *STAMINA_METER.lost(defender, exchange.damage)]

    def struck_with(self, attacker: Character[Sheet]) -> Item | None:
        """The named weapon, or else the sharpest carried, unless a consequence was agreed on; None is bare hands."""
        if self.weapon is None:
            return None if self.consequence else attacker.sheet.sharpest
        if self.weapon.casefold() == BARE_HANDS.name:
            return attacker.sheet.item(self.weapon)
        return find_item(attacker, self.weapon)

    def aim(self, call: Call, weapon: Item | None) -> Blow | Aim:
        """SS-34, SS-39, SS-41: a blow, unless something else was agreed on."""
        defender = call.state.find(self.defender)
        if self.lethal is not None:
            return Aim.FATE if is_warned(defender, self.lethal) else Aim.CONSEQUENCE
        if self.consequence:
            return Aim.CONSEQUENCE
        if defender.sheet.is_hidden:
            return Aim.HARM
        return Blow.of(weapon or BARE_HANDS, defender.sheet, call.state.options)

    def guards(self, call: Call, defender: Character[Sheet]) -> dict[Guard, Roller]:
        """SS-30, SS-33: available ways to defend, the likeliest first. The helpless and the collapsed have none, except
        Luck if it is called for. Only the custodian can say that there is none, or only Luck.
        """
        options, guard = call.state.options, self.guard or Guard.DODGE
        is_said = (self.guard, self.defence_attribute, self.defence_score) != (None, None, None)
        if not is_said and not defender.sheet.is_collapsed:
            return self.ways(call, defender)
        key = known_key(options, self.defence_attribute) if self.defence_attribute else guard.usual(options)
        is_luck = key == options.luck and (guard is not Guard.NONE or self.defence_attribute is not None)
        if (guard is Guard.NONE or defender.sheet.is_collapsed) and not is_luck:
            return {}
        return {guard: self.guarding(call, defender, key)}

    def ways(self, call: Call, defender: Character[Sheet]) -> dict[Guard, Roller]:
        """SS-43: every usual way but Luck. Only one if the choice makes no difference, if the defender's numbers are
        hidden, or if asking would give a hidden roll away.
        """
        usual = {guard: guard.usual(call.state.options) for guard in Guard}
        ways = dict[Guard, Roller]()
        for guard, key in usual.items():
            if key != call.state.options.luck:
                with suppress(Refusal):  # solid cover helps to dodge, and is refused for any other way
                    ways[guard] = self.guarding(call, defender, key)
        first = next(iter(ways), Guard.DODGE)
        if defender.sheet.is_hidden or len({(one.score, one.stand) for one in ways.values()}) <= 1:
            return {first: self.guarding(call, defender, usual[first])}
        likeliest = sorted(ways, key=lambda way: -chance_to_succeed(ways[way].score, ways[way].stand.footing))
        return {guard: ways[guard] for guard in likeliest[: 1 if call.sight is not Sight.OPEN else None]}

    def guarding(self, call: Call, defender: Character[Sheet], key: str) -> Roller:
        return Roller.of(call, defender, key, self.defence_advantage, self.defence_disadvantage)


@FIGHTS.after(Attacked)
def attack_uses_up(state: State, rolled: Attacked) -> list[ConditionEnded]:
    sides = (rolled.attacker,) if rolled.defence is None else (rolled.attacker, rolled.defender)
    return used_up(state, *sides)


# ---------------------------------------------------------------- which side acts first


class FightingSide(Enum):
    HEROES = "heroes"
    FOES = "foes"


class SideOrder(NamedTuple):
    heroes: int
    foes: int

    @property
    def first(self) -> FightingSide:
        return FightingSide.HEROES if self.heroes == max(self) else FightingSide.FOES


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
    return [SidesForgotten()] if state.game.first_side is not None else []
