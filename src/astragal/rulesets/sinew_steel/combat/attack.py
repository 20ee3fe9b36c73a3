"""Attacks: an opposed test, and what a hit brings. SS-30, SS-32 to SS-34, SS-38, SS-39, SS-41, SS-43."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, NamedTuple

from astragal.chance import Rolls, rule
from astragal.game import GAME_MASTER_OR_OWNER, Chapter, Command, Doing, Event, NotAllowed, Refusal, Seen, Teller, Value
from astragal.game.display import Tone, Went
from astragal.game.fields import CharacterId, Doc, Name, Seldom, Words
from astragal.game.rolls import Advantage, Disadvantage
from astragal.game.shared import ConditionEnded
from astragal.rulesets.sinew_steel.luck import LEVEL, Stand, warning
from astragal.rulesets.sinew_steel.options import Guard, Item, Manner
from astragal.rulesets.sinew_steel.state import AttributeKey, Call, Fate, State, find, known_key
from astragal.rulesets.sinew_steel.story.fortune import WITH_LUCK, spent_by
from astragal.rulesets.sinew_steel.trials.contests import Contest, NamedScore, after_luck, check_two, defence_score
from astragal.rulesets.sinew_steel.trials.roller import (
    Roller,
    ShownRoll,
    check_acts,
    deciders,
    used_up,
)
from astragal.rulesets.sinew_steel.trials.rolling import Roll, Score, simple_test

from .damage import Blow, depth
from .stamina import STAMINA_METER, FateRecorded, Lethal, check_called, is_warned

FIGHTS = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- the rule


class Aim(Enum):
    """What a hit brings where it does no damage."""

    CONSEQUENCE = "consequence"
    """SS-39: what was agreed on: disarmed, driven off, talked down."""
    FATE = "fate"
    """SS-41: life is at stake, and the defender is warned before the roll."""


BARE_HANDS = Blow()


class Effect(Value, kw_only=False):
    """What a preview of an attack counts."""

    hit: bool
    damage: int


class Exchange(NamedTuple):
    """An attack as it came out: both rolls after any Luck, and what the attacker was after."""

    contest: Contest
    aim: Blow | Aim

    @property
    def attack(self) -> Roll:
        return self.contest.attack

    @property
    def defence(self) -> Roll | None:
        return self.contest.defence

    @property
    def hit(self) -> bool:
        return self.contest.won

    @property
    def bonus(self) -> int:
        return self.aim.bonus(depth(self.attack)) if self.hit and isinstance(self.aim, Blow) else 0

    @property
    def soak_left(self) -> int:
        return self.aim.soak_left(depth(self.attack)) if self.hit and isinstance(self.aim, Blow) else 0

    @property
    def damage(self) -> int:
        return self.aim.damage(depth(self.attack)) if self.hit and isinstance(self.aim, Blow) else 0

    @property
    def effect(self) -> Effect:
        return Effect(self.hit, self.damage)


@rule
def attack(
    attacker: Score,
    defender: Score,
    attacking: Annotated[Stand, Doc("how the attacker stands")] = LEVEL,
    defending: Annotated[Stand | None, Doc("how the defender stands; None is without a defence")] = LEVEL,
    aim: Annotated[Blow | Aim, Doc("a blow, or what was agreed on in its place")] = BARE_HANDS,
) -> Rolls[Exchange]:
    """SS-32, SS-33: an opposed test; where there is no defence, the attack has only to succeed."""
    if aim is Aim.FATE:
        yield from warning("defender")
    strike = yield from simple_test(attacker, attacking.footing)
    defence = None
    if defending is not None:
        defence = yield from simple_test(defender, defending.footing)
    blow = aim if isinstance(aim, Blow) else None
    contest = yield from after_luck(Contest(strike, defence), attacking, defending, blow)
    return Exchange(contest, aim)


# ---------------------------------------------------------------- at the table


@FIGHTS.event("attacked")
class Attacked(Event):
    """Somebody attacked somebody. What it did to them follows."""

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
    may=GAME_MASTER_OR_OWNER,
    actor="attacker",
    outcome=lambda exchange: exchange.effect,
    hopes=lambda effect: effect.hit,
    policies=WITH_LUCK,
)
class Strike(Command):
    """Attack somebody, to harm or for a consequence that was agreed on."""

    attacker: Annotated[CharacterId, Doc("who attacks")]
    defender: Annotated[CharacterId, Doc("who is attacked")]
    manner: Annotated[Manner, Doc("how; the usual attribute follows from it")] = Manner.HEAVY
    attribute: Annotated[AttributeKey | None, Doc("another attribute than the usual one"), Seldom()] = None
    guard: Annotated[Guard, Doc("how the other defends; none and chance are the custodian's to call")] = Guard.DODGE
    defence_attribute: Annotated[
        AttributeKey | None,
        Doc("another attribute than the usual one; that of Luck defends even the helpless"),
        Seldom(),
    ] = None
    defence_score: NamedScore = None
    weapon: Annotated[Name | None, Doc("what the attacker carries and strikes with; without, bare hands")] = None
    consequence: Annotated[Words, Doc("what was agreed on in place of damage: disarmed, driven off …"), Seldom()] = ""
    lethal: Lethal = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    defence_advantage: Annotated[Advantage, Seldom()] = ()
    defence_disadvantage: Annotated[Disadvantage, Seldom()] = ()

    def does(self, call: Call) -> Doing[Exchange]:
        """SS-43: on the usual attributes, unless others are named. SS-30, SS-33: the collapsed and the helpless have no
        defence but Luck, where it is called for; that there is none, or only Luck, is the custodian's to say.

        SS-39, SS-41: an agreed consequence is told with the attack; an agreed fate is met instead of damage.
        """
        state, options = call.state, call.state.options
        attacker, defender = find(state, self.attacker), find(state, self.defender)
        key = known_key(options, self.attribute) if self.attribute else self.manner.usual(options)
        other_key = known_key(options, self.defence_attribute) if self.defence_attribute else self.guard.usual(options)
        check_two(attacker, defender)
        check_acts(call, attacker)
        striking = Roller.of(call, attacker, key, self.advantage, self.disadvantage)
        guarding = Roller.of(call, defender, other_key, self.defence_advantage, self.defence_disadvantage)
        check_called(call, defender, self.lethal)
        is_skipped = self.guard is Guard.NONE and self.defence_attribute is None
        left_to_luck = not is_skipped and other_key == options.luck
        if (self.guard is Guard.NONE or left_to_luck) and not call.viewer.is_game_master:
            raise NotAllowed("Only the game master skips a defence or leaves it to Luck.")
        aim = self.aim(call)
        if defender.sheet.fate is Fate.DEAD:
            raise Refusal(f"{defender.name} is dead.", code="dead")
        is_helpless = self.guard is Guard.NONE or defender.sheet.is_collapsed
        if is_helpless and not left_to_luck:
            exchange = yield attack(striking.score, 0, striking.stand, None, aim)
        else:
            score = defence_score(call, guarding, self.defence_score)
            exchange = yield attack(striking.score, score, striking.stand, guarding.stand, aim)
        parry, is_blow = exchange.defence, exchange.hit and isinstance(aim, Blow)
        attacked = Attacked(
            attacker=attacker.id,
            defender=defender.id,
            weapon=self.weapon,
            attack=striking.shown(exchange.attack, exchange.soak_left, exchange.bonus)
            if is_blow
            else striking.shown(exchange.attack),
            defence=None if parry is None else guarding.shown(parry),
            hit=exchange.hit,
            damage=exchange.damage,
            consequence=self.consequence,
            lethal=self.lethal is not None,
        )
        spent = spent_by(state, (attacker.id, exchange.attack), (defender.id, parry))
        if self.lethal is not None and exchange.hit:
            return [*spent, attacked, FateRecorded(who=defender.id, fate=self.lethal, told=self.consequence)]
        return [*spent, attacked, *STAMINA_METER.lost(defender, exchange.damage)]

    def aim(self, call: Call) -> Blow | Aim:
        """SS-34, SS-39, SS-41: a blow with what the attacker carries, unless something else was agreed on."""
        attacker, defender = find(call.state, self.attacker), find(call.state, self.defender)
        weapon = attacker.sheet.item(self.weapon) if self.weapon is not None else Item(name="bare hands")
        if weapon is None:
            raise Refusal(f"{attacker.name} does not carry {self.weapon!r}.", code="not_carried")
        if self.lethal is not None:
            return Aim.FATE if is_warned(defender, self.lethal) else Aim.CONSEQUENCE
        return Aim.CONSEQUENCE if self.consequence else Blow.of(weapon, defender.sheet, call.state.options)

    def sides(self, call: Call) -> Mapping[str, str]:
        return deciders(call.state, attacker=self.attacker, defender=self.defender)

    def hides(self, call: Call) -> bool:
        return any(find(call.state, who).sheet.is_closed for who in (self.attacker, self.defender))


@FIGHTS.after(Attacked)
def attack_uses_up(state: State, rolled: Attacked) -> list[ConditionEnded]:
    sides = (rolled.attacker,) if rolled.defence is None else (rolled.attacker, rolled.defender)
    return used_up(state, *sides)
