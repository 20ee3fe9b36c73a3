"""What a crisis does, and whom it strikes. SS-54, SS-55."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from astragal.table.chapters.conditions import ConditionBegan, new_condition
from astragal.table.refusals import Refusal, StillDeciding
from astragal.table.ruleset import Call, Teller
from astragal.table.state import Character, Decision
from astragal.table.things.conditions import Until

from .able import OUT_OF_CONTROL
from .circumstances import FROM_EVENING, HELP_FOES, HINDRANCE, ONCE
from .game import Table
from .happened_story import CrisisBroke, CrisisStruck, ItemLost, PressureRose
from .pressure import FULL, Crisis, Result, step_after
from .sheet import Sheet
from .stamina import harmed
from .tracks import TrackOf, hero, heroes, step

MOST_TO_LOSE = 64
"""As many as can be chosen from."""


def losable(who: Character[Sheet]) -> tuple[str, ...]:
    """SS-55: what a withering could take: what weighs something first."""
    items = sorted(who.sheet.gear, key=lambda item: not item.substantial)
    return tuple(item.name for item in items)[:MOST_TO_LOSE]


def struck(state: Table, track: TrackOf, by: str | None, named: str | None) -> Character[Sheet]:
    """SS-55: whoever filled the track, else the one whom the custodian names. One's own track is one's own."""
    who = track or by or named
    if who is None:
        raise Refusal("A crisis would come of this: say whom it strikes.", code="strikes_nobody")
    return hero(state, who)


def check_free(call: Call, track: TrackOf) -> None:
    """SS-54: nothing moves the table's track while somebody decides: two such decisions would wait for each other."""
    waiting: Mapping[str, Decision] = call.state.decisions
    if track is not None or not waiting or call.fresh in waiting:
        return
    decision, teller = next(iter(waiting.values())), Teller(call.state, call.state.terms)
    names = " and ".join(teller.name(decision.sides[side]) for side in decision.awaited)
    raise StillDeciding(f"{names} still has to decide ({decision.command.replace('_', ' ')}); that comes first.")


def is_filled(state: Table, track: TrackOf, rise: int = 1) -> bool:
    return step_after(step(state, track), rise) == FULL


def told_rise(
    call: Call, track: TrackOf, who: Character[Sheet] | None, crisis: Crisis | None, *, rise: int = 1, why: str = ""
) -> list[Any]:
    """SS-51, SS-54: the track rises, and where it is full the crisis follows at once."""
    before = step(call.state, track)
    by = None if who is None else who.id
    rose = PressureRose(track_of=track, by=by, before=before, after=step_after(before, rise), why=why)
    if crisis is None or who is None:
        return [rose]
    return [rose, *broken(call, track, who, crisis)]


def broken(call: Call, track: TrackOf, who: Character[Sheet], crisis: Crisis) -> list[Any]:
    """SS-54, SS-55: the track is reset, and each result applies its mechanical part."""
    results = tuple(result.value for result in crisis.results)
    broke = CrisisBroke(track_of=track, results=results, reset=call.state.options.crisis_reset)
    return [broke, *(told for result in crisis.results for told in _struck_by(call, who, result, crisis.lost))]


def _struck_by(call: Call, who: Character[Sheet], result: Result, lost: str | None) -> list[Any]:
    everyone = tuple(one.id for one in heroes(call.state))
    told = CrisisStruck(result=result.value, who=everyone if result is Result.DISPLACEMENT else (who.id,))
    return [told, *_EFFECTS[result](call, who, lost)]


def _lose_control(call: Call, who: Character[Sheet], _: str | None) -> list[Any]:
    """SS-55: for a scene the custodian plays the hero."""
    return [_condition(call, Result.LOSS_OF_CONTROL, who.id, Until.SCENE_ENDS, **{OUT_OF_CONTROL: 1})]


def _wither(call: Call, who: Character[Sheet], lost: str | None) -> list[Any]:
    """SS-55: 1 Stamina and a key item."""
    name: str = call.state.terms[f"crisis_{Result.WITHERING.value}"]
    items = [] if lost is None else [ItemLost(who=who.id, item=lost)]
    return [*harmed(who, 1, name), *items]


def _walk_in_shadow(call: Call, who: Character[Sheet], _: str | None) -> list[Any]:
    """SS-55: disadvantage on all rolls of the next session, and not before."""
    numbers = {HINDRANCE: 1, FROM_EVENING: call.state.calendar.evening + 1}
    return [_condition(call, Result.LONG_SHADOW, who.id, Until.NEXT_EVENING_ENDS, **numbers)]


def _be_elsewhere(_: Call, __: Character[Sheet], ___: str | None) -> list[Any]:
    """SS-55: where the party finds itself is the custodian's to tell."""
    return []


def _be_found_out(call: Call, _: Character[Sheet], __: str | None) -> list[Any]:
    """SS-55: the foes have advantage on their next roll, whoever of them makes it."""
    return [_condition(call, Result.SECRET_OUT, None, Until.TOLD, **{HELP_FOES: 1, ONCE: 1})]


_EFFECTS: dict[Result, Callable[[Call, Character[Sheet], str | None], list[Any]]] = {
    Result.LOSS_OF_CONTROL: _lose_control,
    Result.WITHERING: _wither,
    Result.LONG_SHADOW: _walk_in_shadow,
    Result.DISPLACEMENT: _be_elsewhere,
    Result.SECRET_OUT: _be_found_out,
}


def _condition(call: Call, result: Result, who: str | None, until: Until, **numbers: int) -> ConditionBegan:
    terms, row = call.state.terms, f"crisis_{result.value}"
    return new_condition(
        call.state,
        f"{call.fresh}-{result.value}",
        terms[row],
        who=who,
        until=until,
        effect=terms[f"{row}_text"],
        numbers=numbers,
    )
