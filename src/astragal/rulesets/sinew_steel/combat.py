"""Attacks: an opposed test, and what a hit brings. SS-32, SS-33, SS-38, SS-39, SS-41."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, NamedTuple

from typing_extensions import Doc

from astragal.chance import Rolls, rule
from astragal.values import frozen

from .blow import Blow, depth
from .luck import LEVEL, Stand, warning
from .opposed import Contest, after_luck
from .rolling import Roll, Score, simple_test


class Aim(Enum):
    """What a hit brings where it does no damage."""

    CONSEQUENCE = "consequence"
    """SS-39: what was agreed on: disarmed, driven off, talked down."""
    FATE = "fate"
    """SS-41: life is at stake, and the defender is warned before the roll."""


BARE_HANDS = Blow()


@frozen(slots=True)
class Effect:
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
