"""Stamina: harm, collapse, rest, care, and what became of whom. SS-30, SS-31."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.chapters.calendar import Rested
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import Character
from astragal.table.things.calendar import Rest

from . import words
from .asked import Harm, Heal, RecordFate
from .game import Table
from .happened import Collapsed, FateRecorded, GotUp, Harmed, Healed
from .sheet import Fate, Sheet, find

RESTORED = {Rest.SHORT: 1, Rest.LONG: 1, Rest.CARE: 2}
"""SS-31: care replaces what a short rest gives. A night's rest is a short rest at least, and no book gives it more."""

# ---------------------------------------------------------------- deciding


def harmed(who: Character[Sheet], damage: int, why: str = "") -> list[Harmed]:
    """SS-30: damage lowers Stamina, never below 0."""
    if damage < 1:
        return []
    lost = min(damage, who.sheet.stamina)
    return [Harmed(who=who.id, damage=damage, lost=lost, left=who.sheet.stamina - lost, why=why)]


def healed(who: Character[Sheet], stamina: int, why: str = "") -> list[Healed]:
    """SS-31: never past the most. Stamina beyond it, by override, stays."""
    now = max(who.sheet.stamina, min(who.sheet.stamina_most, who.sheet.stamina + stamina))
    if now == who.sheet.stamina:
        return []
    return [Healed(who=who.id, gained=now - who.sheet.stamina, now=now, why=why)]


def _harm(call: Call, asked: Harm, _: None) -> list[Harmed]:
    who = _living(call, asked.who)
    return harmed(who, asked.damage, asked.why)


def _heal(call: Call, asked: Heal, _: None) -> list[Healed]:
    who = _living(call, asked.who)
    told = healed(who, asked.stamina, asked.why)
    if not told:
        raise Refusal(f"{who.name} is at {who.sheet.stamina} of {who.sheet.stamina_most} already.", code="full")
    return told


def _living(call: Call, who: str) -> Character[Sheet]:
    found = find(call.state, who)
    if found.sheet.fate is Fate.DEAD:
        raise Refusal(f"{found.name} is dead.", code="dead")
    return found


def _record(call: Call, asked: RecordFate, _: None) -> list[FateRecorded]:
    who = find(call.state, asked.who)
    if who.sheet.fate is asked.fate:
        raise Refusal(f"That is already so of {who.name}.", code="no_change")
    return [FateRecorded(who=who.id, fate=asked.fate, told=asked.told)]


def _after_rest(state: Table, rested: Rested) -> list[Healed]:
    """SS-31: a rest gives 1, thorough care 2."""
    resting = [find(state, who) for who in rested.who]
    living = [one for one in resting if one.sheet.fate is not Fate.DEAD]
    return [told for one in living for told in healed(one, RESTORED[rested.kind])]


def _after_harm(_: Table, told: Harmed) -> list[Collapsed]:
    """SS-30: at 0 one collapses. Further harm does not fell the fallen."""
    return [Collapsed(who=told.who)] if told.lost and not told.left else []


def _after_healing(_: Table, told: Healed) -> list[GotUp]:
    """SS-30: the first point brings one up again."""
    return [GotUp(who=told.who)] if told.now == told.gained else []


# ---------------------------------------------------------------- folds


def _left_with(state: Table, who: str, stamina: int) -> Table:
    return state.with_sheet(who, replace(state.characters[who].sheet, stamina=stamina))


def _settle_fate(state: Table, told: FateRecorded) -> Table:
    return state.with_sheet(told.who, replace(state.characters[told.who].sheet, fate=told.fate))


STAMINA = Chapter(
    actions=(Action(Harm, _harm), Action(Heal, _heal), Action(RecordFate, _record)),
    happenings=(
        Happening(Harmed, words.harmed, lambda state, told: _left_with(state, told.who, told.left)),
        Happening(Healed, words.healed, lambda state, told: _left_with(state, told.who, told.now)),
        Happening(Collapsed, words.collapsed),
        Happening(GotUp, words.got_up),
        Happening(FateRecorded, words.fate_recorded, _settle_fate),
    ),
    reactions=(
        Reaction(Rested, _after_rest),
        Reaction(Harmed, _after_harm),
        Reaction(Healed, _after_healing),
    ),
)
