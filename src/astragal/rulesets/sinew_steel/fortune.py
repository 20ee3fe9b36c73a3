"""Luck at the table: spent, granted, rested for, refilled, and drained by a rewind. SS-20, SS-26 to SS-28, SS-65."""

from __future__ import annotations

from dataclasses import replace

from astragal.chance import Question
from astragal.table.chapters.calendar import Rested
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Price, Reaction
from astragal.table.state import Character
from astragal.table.things.calendar import Rest

from . import words
from .asked import Bless, GrantLuck, LuckFromRest, RefillLuck
from .circumstances import is_closed
from .game import Table
from .happened import FavoursSpent, LuckDrained, LuckFromRestSettled, LuckGained, LuckRefilled, LuckSpent
from .luck import Blessing, blessing, spend_to_succeed
from .options import LuckRest
from .rolling import Roll
from .sheet import Fate, Sheet, find

WITH_LUCK = {"with Luck": spend_to_succeed}
"""A further way to weigh a roll beforehand: its roller takes the cheapest spend that changes something."""

# ---------------------------------------------------------------- deciding


def spent_by(state: Table, *rolls: tuple[str, Roll | None]) -> list[LuckSpent | FavoursSpent]:
    """SS-21, SS-67: what rolls cost their rollers, and the ally whom they may share."""
    told: list[LuckSpent | FavoursSpent] = []
    favours = state.game.favours
    for who, roll in rolls:
        if roll is not None and roll.spent:
            told.append(paid(find(state, who), roll.spent))
        if roll is not None and roll.favours:
            favours -= roll.favours
            told.append(FavoursSpent(who=who, tokens=roll.favours, left=favours))
    return told


def paid(who: Character[Sheet], tokens: int) -> LuckSpent:
    return LuckSpent(who=who.id, tokens=tokens, left=who.sheet.luck - tokens)


def _gained(who: Character[Sheet], tokens: int) -> list[LuckGained]:
    """SS-26: never past the pool's size."""
    gained = min(tokens, _room(who))
    return [LuckGained(who=who.id, tokens=gained, held=who.sheet.luck + gained)] if gained else []


def _room(who: Character[Sheet]) -> int:
    return max(0, who.sheet.luck_most - who.sheet.luck)


def _room_in(call: Call, who: str) -> int:
    favoured = find(call.state, who)
    room = _room(favoured)
    if not room:
        raise Refusal(f"{favoured.name} holds {favoured.sheet.luck} tokens already; the pool is full.", code="full")
    return room


def _grant(call: Call, asked: GrantLuck, _: None) -> list[LuckGained]:
    _room_in(call, asked.who)
    return _gained(find(call.state, asked.who), asked.tokens)


def _ask_blessing(call: Call, asked: Bless) -> Question[Blessing]:
    return blessing(_room_in(call, asked.who))


def _room_is_closed(call: Call, asked: Bless) -> bool:
    """The room in a pool and the tokens in it, which all can see, add up to a Luck score."""
    return is_closed(find(call.state, asked.who))


def _bless(call: Call, asked: Bless, blessed: Blessing) -> list[LuckGained]:
    return _gained(find(call.state, asked.who), blessed.gained)


def _refill(call: Call, asked: RefillLuck, _: None) -> list[LuckRefilled]:
    _room_in(call, asked.who)
    return [refilled(find(call.state, asked.who))]


def refilled(who: Character[Sheet]) -> LuckRefilled:
    """SS-27: a milestone fills the pool. Tokens past its size, by override, stay."""
    return LuckRefilled(who=who.id, held=max(who.sheet.luck, who.sheet.luck_most))


def _settle_rest(_: Call, asked: LuckFromRest, __: None) -> list[LuckFromRestSettled]:
    return [LuckFromRestSettled(given=asked.given)]


def _after_rest(state: Table, rested: Rested) -> list[LuckGained]:
    """SS-26, SS-31: a rest gives a token, care does not. SS-28: who never had tokens gains none by resting."""
    enough = (Rest.SHORT, Rest.LONG) if state.options.luck_rest is LuckRest.SHORT else (Rest.LONG,)
    if rested.kind not in enough or not state.game.rest_gives_luck:
        return []
    resting = [find(state, who) for who in rested.who]
    heroes = [one for one in resting if one.sheet.is_hero and one.sheet.fate is not Fate.DEAD]
    return [gain for hero in heroes for gain in _gained(hero, 1)]


def _drain(state: Table, tokens: int) -> list[LuckDrained]:
    """SS-65: each hero loses so many; one who holds fewer loses all."""
    if tokens < 1:
        raise Refusal("A rewind costs at least 1 token.", code="price")
    holders = [one for one in state.characters.values() if one.sheet.is_hero and one.sheet.luck]
    if not holders:
        raise Refusal("Nobody holds a token, so Luck can't pay for this.", code="price")
    return [LuckDrained(who=one.id, tokens=min(tokens, one.sheet.luck)) for one in holders]


# ---------------------------------------------------------------- folds


def _hold(state: Table, who: str, luck: int) -> Table:
    return state.with_sheet(who, replace(state.characters[who].sheet, luck=luck))


def _lose(state: Table, drained: LuckDrained) -> Table:
    if drained.who not in state.characters:
        return state
    return _hold(state, drained.who, max(0, state.characters[drained.who].sheet.luck - drained.tokens))


def _note_rest(state: Table, settled: LuckFromRestSettled) -> Table:
    return replace(state, game=replace(state.game, rest_gives_luck=settled.given))


def _favour(state: Table, spent: FavoursSpent) -> Table:
    return replace(state, game=replace(state.game, favours=spent.left))


FORTUNE = Chapter(
    actions=(
        Action(GrantLuck, _grant),
        Action(Bless, _bless, gather=_ask_blessing, outcome=lambda blessed: blessed.gained, hides=_room_is_closed),
        Action(RefillLuck, _refill),
        Action(LuckFromRest, _settle_rest),
    ),
    happenings=(
        Happening(LuckSpent, words.luck_spent, lambda state, spent: _hold(state, spent.who, spent.left)),
        Happening(FavoursSpent, words.favours_spent, _favour),
        Happening(LuckGained, words.luck_gained, lambda state, gained: _hold(state, gained.who, gained.held)),
        Happening(LuckRefilled, words.luck_refilled, lambda state, filled: _hold(state, filled.who, filled.held)),
        Happening(LuckDrained, words.luck_drained, _lose),
        Happening(LuckFromRestSettled, words.luck_from_rest, _note_rest),
    ),
    reactions=(Reaction(Rested, _after_rest),),
)

LUCK_PRICE = Price("tokens of Luck from each hero; one who holds fewer loses all", _drain)
