"""Attacks at the table. SS-32 to SS-43."""

from __future__ import annotations

from typing import Any

from astragal.chance import Question
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character

from . import words
from .able import check_acts
from .asked import Strike
from .blow import Blow
from .circumstances import Circumstances, check_circumstances, ground, is_closed, known_key, score_on, stand
from .combat import Aim, Effect, Exchange, attack
from .contests import check_two, defence_score, sides
from .fortune import WITH_LUCK, spent_by
from .game import Table
from .happened import Attacked, FateRecorded, Harmed
from .options import Companion, Options
from .sheet import Fate, Item, Sheet, find
from .shown import Worn, shown
from .stamina import harmed
from .trials import check_called, is_warned
from .ways import Guard

PIERCING = {"explosive", "plasma"}
"""SS-37: the tags of weapons that armour helps less against."""

FATAL = "fatal"
"""SS+04: the tag of weapons that fell whom they strike."""

# ---------------------------------------------------------------- what is rolled


def _ask(call: Call, asked: Strike) -> Question[Exchange]:
    state = call.state
    attacker, defender = find(state, asked.attacker), find(state, asked.defender)
    key, other_key = _attack_key(state.options, asked), _defence_key(state.options, asked)
    check_two(attacker, defender)
    check_acts(call, attacker)
    check_circumstances(call, _attack_circumstances(asked), key)
    check_circumstances(call, _defence_circumstances(asked), other_key)
    _check_calls(call, asked)
    score = score_on(state, attacker, key)
    standing, aim = stand(call, attacker, key, _attack_circumstances(asked)), _aim(call, asked)
    if not _can_defend(state.options, asked, defender):
        return attack(score, 0, standing, None, aim)
    defence = defence_score(call, defender, other_key, asked.defence_score)
    return attack(score, defence, standing, stand(call, defender, other_key, _defence_circumstances(asked)), aim)


def _check_calls(call: Call, asked: Strike) -> None:
    """SS-33, SS-41: the custodian says when there is no defence, or only Luck, and when life is at stake."""
    check_called(call, find(call.state, asked.defender), asked.lethal)
    is_left_to_luck = _is_left_to_luck(call.state.options, asked)
    if (asked.guard is Guard.NONE or is_left_to_luck) and not call.viewer.is_game_master:
        raise NotAllowed("Only the game master skips a defence or leaves it to Luck.")


def _attack_key(options: Options, asked: Strike) -> str:
    """SS-43: the usual attribute, unless another is named."""
    return known_key(options, asked.attribute) if asked.attribute else asked.manner.usual(options)


def _defence_key(options: Options, asked: Strike) -> str:
    return known_key(options, asked.defence_attribute) if asked.defence_attribute else asked.guard.usual(options)


def _is_left_to_luck(options: Options, asked: Strike) -> bool:
    """SS-33: Luck was called for, by the guard or by the attribute; where nothing was, there is no defence at all."""
    is_skipped = asked.guard is Guard.NONE and asked.defence_attribute is None
    return not is_skipped and _defence_key(options, asked) == options.luck


def _can_defend(options: Options, asked: Strike, defender: Character[Sheet]) -> bool:
    """SS-30, SS-33: the collapsed and the helpless have no defence but Luck, where it is called for."""
    if defender.sheet.fate is Fate.DEAD:
        raise Refusal(f"{defender.name} is dead.", code="dead")
    is_helpless = asked.guard is Guard.NONE or defender.sheet.is_collapsed
    return not is_helpless or _is_left_to_luck(options, asked)


def _aim(call: Call, asked: Strike) -> Blow | Aim:
    """SS-34, SS-39, SS-41: a blow, unless something else was agreed on."""
    state, defender = call.state, find(call.state, asked.defender)
    weapon = _weapon(state, asked)
    if asked.lethal is not None:
        return Aim.FATE if is_warned(defender, asked.lethal) else Aim.CONSEQUENCE
    if asked.consequence:
        return Aim.CONSEQUENCE
    tags, options = {tag.casefold() for tag in weapon.tags}, state.options
    pierces = options.piercing and not PIERCING.isdisjoint(tags)
    fatal = defender.sheet.stamina if FATAL in tags and _is_fatal(options, weapon, defender.sheet) else 0
    return Blow(weapon.edge, defender.sheet.soak, pierces, options.bonus_margin, fatal)


def _is_fatal(options: Options, weapon: Item, target: Sheet) -> bool:
    """SS+04: unless the target has what saves from it."""
    has_counter = weapon.counter is not None and target.has(weapon.counter)
    return options.plays(Companion.FATAL) and not has_counter


BARE_HANDS = Item(name="bare hands")


def _weapon(state: Table, asked: Strike) -> Item:
    if asked.weapon is None:
        return BARE_HANDS
    attacker = find(state, asked.attacker)
    found = attacker.sheet.item(asked.weapon)
    if found is None:
        raise Refusal(f"{attacker.name} does not carry {asked.weapon!r}.", code="not_carried")
    return found


def _attack_circumstances(asked: Strike) -> Circumstances:
    return Circumstances(asked.advantage, asked.disadvantage)


def _defence_circumstances(asked: Strike) -> Circumstances:
    return Circumstances(asked.defence_advantage, asked.defence_disadvantage)


def _either_is_closed(call: Call, asked: Strike) -> bool:
    return any(is_closed(find(call.state, who)) for who in (asked.attacker, asked.defender))


# ---------------------------------------------------------------- what came of it


def _tell(call: Call, asked: Strike, exchange: Exchange) -> list[Any]:
    state, defender = call.state, find(call.state, asked.defender)
    spent = spent_by(state, (asked.attacker, exchange.attack), (asked.defender, exchange.defence))
    return [*spent, _attacked(state, asked, exchange), *_suffered(asked, defender, exchange)]


def _attacked(state: Table, asked: Strike, exchange: Exchange) -> Attacked:
    attacker, defender, parry = find(state, asked.attacker), find(state, asked.defender), exchange.defence
    key, other_key = _attack_key(state.options, asked), _defence_key(state.options, asked)
    is_blow = exchange.hit and isinstance(exchange.aim, Blow)
    worn = Worn(exchange.soak_left, exchange.bonus) if is_blow else None
    standing = ground(state, attacker, key, _attack_circumstances(asked))
    guarding = ground(state, defender, other_key, _defence_circumstances(asked))
    return Attacked(
        attacker=attacker.id,
        defender=defender.id,
        weapon=asked.weapon,
        attack=shown(attacker, key, standing, exchange.attack, worn),
        defence=None if parry is None else shown(defender, other_key, guarding, parry),
        hit=exchange.hit,
        damage=exchange.damage,
        consequence=asked.consequence,
        lethal=asked.lethal is not None,
    )


def _suffered(asked: Strike, defender: Character[Sheet], exchange: Exchange) -> list[Harmed] | list[FateRecorded]:
    """SS-39, SS-41: an agreed consequence is told with the attack; an agreed fate is met instead of damage."""
    if asked.lethal is not None and exchange.hit:
        return [FateRecorded(who=defender.id, fate=asked.lethal, told=asked.consequence)]
    return harmed(defender, exchange.damage)


def _effect(exchange: Exchange) -> Effect:
    return exchange.effect


FIGHTS = Chapter(
    actions=(
        Action(
            Strike,
            _tell,
            gather=_ask,
            sides=sides,
            outcome=_effect,
            hopes=lambda effect: effect.hit,
            policies=WITH_LUCK,
            hides=_either_is_closed,
        ),
    ),
    happenings=(Happening(Attacked, words.attacked, went=words.attack_went),),
)
