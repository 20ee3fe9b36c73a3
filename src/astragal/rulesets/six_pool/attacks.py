"""Attacks and what they do. SP-08, SP-11."""

from __future__ import annotations

from typing import Any

from astragal.chance import Question
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Spend
from astragal.table.state import State

from . import happened as it
from . import words
from .aftermath import after_roll, shown
from .asked import Attack, Manner
from .attempts import Attempt, Skilled, attempt, legal_spend, roller
from .difficulty import shifted
from .pools import Pool
from .proficiency import proficiency
from .requested import within_reach
from .sheet import RollKind, find
from .shown import Aim
from .trial import attacks as trial
from .trial.attacks import Strike
from .wounds import check_damage, harmed


def attack_pool(state: State, asked: Attack) -> Pool:
    """SP-08: melee rolls STR, ranged DEX, a spell the pool of its caster."""
    if asked.manner is not Manner.SPELL:
        return Pool.STR if asked.manner is Manner.MELEE else Pool.DEX
    who = find(state, asked.who)
    if who.sheet.casting is None:
        raise Refusal(f"{who.name} casts no spells.", code="no_caster")
    return who.sheet.casting


def is_closed_target(call: Call, asked: Attack) -> bool:
    """Is the Armour Class one that players don't know?"""
    return asked.target is not None and asked.ac is None and find(call.state, asked.target).sheet.is_closed


def _armour_class(call: Call, asked: Attack) -> int:
    """SP-08, SP+04: the target's own, unless it is named."""
    if asked.ac is not None:
        return within_reach(shifted(asked.ac, asked.circumstances))
    if asked.target is None or not call.state.options.hit_points:
        raise Refusal("Name the Armour Class that this attack is against.", code="no_ac")
    return shifted(find(call.state, asked.target).sheet.numbers.armour_class, asked.circumstances)


def _attempt(call: Call, asked: Attack) -> Attempt:
    """SP-08: proficiency is always added."""
    level = find(call.state, asked.who).sheet.numbers.level
    aim = Aim(kind=RollKind.ATTACK, pool=attack_pool(call.state, asked), name=asked.manner.value)
    return attempt(call, asked, Skilled(aim, proficiency(level)), hidden=is_closed_target(call, asked))


def _gather(call: Call, asked: Attack) -> Question[Strike]:
    check_damage(asked.damage)
    if asked.target is not None:
        find(call.state, asked.target)
    tried = _attempt(call, asked)
    return trial.attack(_armour_class(call, asked), tried.bonus, asked.damage, tried.ground.footing, tried.again)


def _tell(call: Call, asked: Attack, strike: Strike) -> list[Any]:
    tried = _attempt(call, asked)
    told: list[Any] = [
        it.Attacked(
            who=asked.who,
            target=asked.target,
            roll=shown(tried, strike.roll, degree=strike.degree),
            critical=strike.is_critical,
            damage=strike.damage,
            dice=asked.damage,
        )
    ]
    told += after_roll(call, tried, strike.roll)
    if strike.damage and asked.target is not None:
        told += harmed(call.state, find(call.state, asked.target), strike.damage)
    return told


def _legal(call: Call, asked: Attack) -> range:
    return legal_spend(call.state, asked, attack_pool(call.state, asked))


ATTACKS = Chapter(
    actions=(
        Action(
            Attack,
            _tell,
            gather=_gather,
            sides=roller,
            spend=Spend("points", _legal),
            outcome=trial.degree,
            hopes=lambda degree: degree.is_success,
            hides=is_closed_target,
        ),
    ),
    happenings=(Happening(it.Attacked, words.attacked, went=words.attack_went),),
)
