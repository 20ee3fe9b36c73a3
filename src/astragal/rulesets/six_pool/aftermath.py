"""What a roll leaves behind: points gone, Inspiration and abilities used, help used up, naturals to be told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from astragal.table.chapters.calendar import DayPassed, EncounterEnded
from astragal.table.chapters.conditions import conditions_on, end_of
from astragal.table.chapters.prompts import PromptAnswered, new_prompt
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Price, Reaction
from astragal.table.state import Character, State

from . import happened as it
from . import words
from .asked import AwardInspiration
from .attempts import Attempt
from .circumstances import NEXT_ROLL
from .pools import Pool
from .sheet import Per, Sheet, find
from .shown import ShownRoll
from .trial.checks import Degree, Roll
from .trial.contests import Declared
from .trial.rerolls import INSPIRATION

NATURAL = "natural"
"""The kind of prompt that a natural 20 or 1 puts to the game master."""

# ---------------------------------------------------------------- telling


def shown(tried: Attempt, roll: Roll, natural: int | None = None, degree: Degree | None = None) -> ShownRoll:
    """The roll as it is told; a face that was taken and a critical hit go by their own names."""
    return ShownRoll(
        aim=tried.aim,
        footing=tried.ground.footing,
        because=tried.ground.because,
        natural=roll.natural if natural is None else natural,
        rerolled=roll.rerolled,
        terms=tried.terms,
        total=roll.total,
        success=roll.success,
        dc=roll.dc,
        margin=roll.margin,
        degree=degree or roll.degree,
        band=roll.band,
    )


def used_up(
    state: State, who: Character[Sheet], pool: Pool, declared: Declared, rerolled: Iterable[str]
) -> Iterator[Any]:
    """SP-03, SP-15, SP-18, SP-19: what a roll cost, whether or not it succeeded."""
    if declared.points:
        yield it.PointsSpent(who=who.id, pool=pool, points=declared.points)
    if declared.inspired:
        yield it.InspirationSpent(who=who.id, use=it.Use.ADVANTAGE)
    for name in rerolled:
        if name == INSPIRATION:
            yield it.InspirationSpent(who=who.id, use=it.Use.REROLL)
        else:
            yield it.AbilityUsed(who=who.id, name=name)
    for condition in conditions_on(state, who.id):
        if condition.numbers.get(NEXT_ROLL, 0) > 0 and condition.who == who.id:
            yield end_of(condition, words="used")


def after_roll(call: Call, tried: Attempt, roll: Roll) -> Iterator[Any]:
    yield from used_up(call.state, tried.who, tried.aim.pool, tried.declared, roll.rerolled)
    if roll.is_natural:
        yield asks_for_consequence(call, tried, roll.natural)


def asks_for_consequence(call: Call, tried: Attempt, natural: int) -> Any:
    """SP-11: either natural asks the game master what comes of it. Secret until answered: the roll may be hidden."""
    question = words.consequence_wanted(tried.who.name, tried.aim, natural)
    prompt = f"{call.fresh}-{natural}"
    return new_prompt(call.state, prompt, call.state.game_master, question, kind=NATURAL, secret=True)


def _consequence(_: State, answered: PromptAnswered) -> list[it.ConsequenceTold]:
    """SP-11: the game master's answer is recorded with the roll."""
    if answered.kind != NATURAL:
        return []
    roll, natural = answered.prompt.rsplit("-", 1)
    return [it.ConsequenceTold(roll=roll, natural=int(natural), words=answered.words)]


# ---------------------------------------------------------------- Inspiration and abilities


def _award(call: Call, asked: AwardInspiration, _: None) -> list[it.InspirationAwarded]:
    """SP-18: awarded by the game master; one is held at most."""
    who = find(call.state, asked.who)
    if who.sheet.inspiration:
        raise Refusal(f"{who.name} holds Inspiration already.", code="full")
    return [it.InspirationAwarded(who=who.id, why=asked.why)]


def _renewed(state: State, per: Per) -> list[it.AbilitiesRenewed]:
    """SP-19: uses come back with a new day or a new encounter."""
    worn = [one.id for one in state.characters.values() if _has_used(one.sheet, per)]
    return [it.AbilitiesRenewed(per=per, who=tuple(worn))] if worn else []


def _has_used(sheet: Sheet, per: Per) -> bool:
    return any(ability.per is per and sheet.used.get(ability.name) for ability in sheet.abilities)


# ---------------------------------------------------------------- the price of a rewind


def _pay(state: State, points: int) -> list[it.PointsPaid]:
    """Each hero pays from the fullest pool; one who holds fewer pays all."""
    paying = [one for one in state.characters.values() if one.sheet.is_hero and _fullest(one.sheet)[1]]
    if not paying:
        raise Refusal("Nobody holds a point, so points can't pay for this.", code="price")
    fullest = [(one.id, *_fullest(one.sheet)) for one in paying]
    return [it.PointsPaid(who=who, pool=pool, points=min(points, held)) for who, pool, held in fullest]


def _fullest(sheet: Sheet) -> tuple[Pool, int]:
    held = {pool: sheet.numbers.pool(pool).now for pool in Pool}
    pool = max(held, key=lambda one: held[one])
    return pool, held[pool]


POINTS_PRICE = Price("points from each hero's fullest pool; one who holds fewer pays all", _pay)

# ---------------------------------------------------------------- folds


def lose_points(state: State, who: str, pool: Pool, points: int) -> State:
    if who not in state.characters:
        return state
    sheet = find(state, who).sheet
    return state.with_sheet(who, sheet.with_pool(pool, max(0, sheet.numbers.pool(pool).now - points)))


def _inspire(state: State, who: str, held: int) -> State:
    return state.with_sheet(who, replace(find(state, who).sheet, inspiration=held))


def _use(state: State, used: it.AbilityUsed) -> State:
    sheet = find(state, used.who).sheet
    return state.with_sheet(used.who, replace(sheet, used={**sheet.used, used.name: sheet.used.get(used.name, 0) + 1}))


def _renew(state: State, renewed: it.AbilitiesRenewed) -> State:
    for who in renewed.who:
        sheet = find(state, who).sheet
        state = state.with_sheet(who, replace(sheet, used=_still_used(sheet, renewed.per)))
    return state


def _still_used(sheet: Sheet, per: Per) -> Mapping[str, int]:
    renewed = {ability.name for ability in sheet.abilities if ability.per is per}
    return {name: used for name, used in sheet.used.items() if name not in renewed}


AFTERMATH = Chapter(
    actions=(Action(AwardInspiration, _award),),
    happenings=(
        Happening(
            it.PointsSpent,
            words.points_spent,
            lambda state, spent: lose_points(state, spent.who, spent.pool, spent.points),
        ),
        Happening(
            it.PointsPaid, words.points_paid, lambda state, paid: lose_points(state, paid.who, paid.pool, paid.points)
        ),
        Happening(it.InspirationAwarded, words.inspiration_awarded, lambda state, told: _inspire(state, told.who, 1)),
        Happening(it.InspirationSpent, words.inspiration_spent, lambda state, told: _inspire(state, told.who, 0)),
        Happening(it.AbilityUsed, words.ability_used, _use),
        Happening(it.AbilitiesRenewed, words.abilities_renewed, _renew),
        Happening(it.ConsequenceTold, words.consequence_told),
    ),
    reactions=(
        Reaction(PromptAnswered, _consequence),
        Reaction(DayPassed, lambda state, _: _renewed(state, Per.DAY)),
        Reaction(EncounterEnded, lambda state, _: _renewed(state, Per.ENCOUNTER)),
    ),
)
