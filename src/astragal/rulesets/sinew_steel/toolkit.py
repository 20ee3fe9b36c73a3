"""The toolkit: feats, rituals, an ally. Each comes with a skin or a table, and goes without a trace. SS-67."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astragal.chance import Question
from astragal.table.chapters.calendar import EveningBegan
from astragal.table.chapters.conditions import ConditionEnded, end_of, new_condition
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.things.conditions import Until

from . import words_toolkit as words
from .able import check_acts, decider
from .asked_toolkit import FeatPrice, GrantFavours, PerformRitual, SwitchPlugin, UseFeat
from .circumstances import HELP, ONCE
from .crises import check_free, losable, told_rise
from .fortune import WITH_LUCK, paid
from .fuse import ask_tampering, tell_tampering
from .game import ALLY_TOKENS, Table
from .happened_toolkit import FavoursGranted, FeatsRestored, FeatUsed, PluginSwitched
from .luck import degree, is_hoped_for
from .options import Plugin
from .pressure import Crisis, Tampering, rising
from .tracks import hero, step, surcharge, track_of
from .trials import numbers_are_closed, sides


def check_on(call: Call, plugin: Plugin) -> None:
    if not call.state.game.plays(plugin):
        raise Refusal(f"This table does not play with {call.state.terms[plugin.value]}.", code="not_played")


# ---------------------------------------------------------------- on and off


def _switch(call: Call, asked: SwitchPlugin, _: None) -> list[PluginSwitched]:
    if call.state.game.plays(asked.plugin) == asked.on:
        raise Refusal(f"That is {'on' if asked.on else 'off'} already.", code="no_change")
    return [PluginSwitched(plugin=asked.plugin, on=asked.on)]


def _turn(state: Table, switched: PluginSwitched) -> Table:
    """SS-67: off, heroes and tracks are as if it had never been on."""
    others = tuple(one for one in state.game.plugins if one is not switched.plugin)
    state = replace(state, game=replace(state.game, plugins=(*others, switched.plugin) if switched.on else others))
    match switched.plugin:
        case Plugin.ALLY:
            return replace(state, game=replace(state.game, favours=ALLY_TOKENS if switched.on else 0))
        case Plugin.FEAT:
            return _each_hero(state, feat_used=False)
        case Plugin.STRESS:
            return _each_hero(replace(state, game=replace(state.game, stress=0)), stress=0)
        case Plugin.RITUAL:
            return state


def _each_hero(state: Table, **changes: Any) -> Table:
    for who, character in state.characters.items():
        state = state.with_sheet(who, replace(character.sheet, **changes))
    return state


def _end_its_conditions(state: Table, switched: PluginSwitched) -> list[ConditionEnded]:
    if switched.on:
        return []
    return [end_of(one) for one in state.conditions.values() if one.numbers.get(switched.plugin.value, 0)]


# ---------------------------------------------------------------- feats


def _ask_feat(call: Call, asked: UseFeat) -> Question[Crisis | None]:
    """SS-53, SS-67: declared and paid before the roll, once a session."""
    state, who = call.state, hero(call.state, asked.who)
    check_on(call, Plugin.FEAT)
    check_acts(call, who)
    if who.sheet.feat_used:
        raise Refusal(f"{who.name} has used {state.terms['feat']} this session.", code="used")
    if _tokens(call, asked) > who.sheet.luck:
        raise Refusal(f"That costs {_tokens(call, asked)} tokens; {who.name} holds {who.sheet.luck}.", code="tokens")
    if asked.price is FeatPrice.TOKEN:
        return rising(0, 0)
    track = track_of(state, who.id)
    check_free(call, track)
    return rising(step(state, track), 1, losable(who))


def _tokens(call: Call, asked: UseFeat) -> int:
    """SS-53: at step 4 it costs a token more, whatever it is paid with."""
    return int(asked.price is FeatPrice.TOKEN) + surcharge(call.state, hero(call.state, asked.who))


def _tell_feat(call: Call, asked: UseFeat, broke: Crisis | None) -> list[Any]:
    state, who = call.state, hero(call.state, asked.who)
    tokens = _tokens(call, asked)
    spent = [paid(who, tokens)] if tokens else []
    ready = new_condition(
        state,
        f"{call.fresh}-feat",
        state.terms["feat"],
        who=who.id,
        until=Until.EVENING_ENDS,
        effect=state.terms.get("feat_text", ""),
        numbers={HELP: 1, ONCE: 1, Plugin.FEAT.value: 1},
    )
    is_risked = asked.price is FeatPrice.PRESSURE
    rise = told_rise(call, track_of(state, who.id), who, broke) if is_risked else []
    return [*spent, FeatUsed(who=who.id), ready, *rise]


def _sides_of_feat(call: Call, asked: UseFeat) -> Mapping[str, str]:
    return {"custodian": call.state.game_master, "struck": decider(call.state, asked.who)}


def _use(state: Table, used: FeatUsed) -> Table:
    return state.with_sheet(used.who, replace(state.characters[used.who].sheet, feat_used=True))


def _new_session(state: Table, _: EveningBegan) -> list[FeatsRestored]:
    return [FeatsRestored()] if any(one.sheet.feat_used for one in state.characters.values()) else []


# ---------------------------------------------------------------- rituals and the ally


def _ask_ritual(call: Call, asked: PerformRitual) -> Question[Tampering]:
    check_on(call, Plugin.RITUAL)
    return ask_tampering(call, asked)


def _grant(call: Call, asked: GrantFavours, _: None) -> list[FavoursGranted]:
    check_on(call, Plugin.ALLY)
    before = call.state.game.favours
    held = min(ALLY_TOKENS, before + asked.tokens)
    if held == before:
        raise Refusal(f"{call.state.terms['ally']} holds {before} already.", code="full")
    return [FavoursGranted(tokens=held - before, held=held)]


def _hold(state: Table, granted: FavoursGranted) -> Table:
    return replace(state, game=replace(state.game, favours=granted.held))


TOOLKIT = Chapter(
    actions=(
        Action(SwitchPlugin, _switch),
        Action(UseFeat, _tell_feat, gather=_ask_feat, sides=_sides_of_feat),
        Action(
            PerformRitual,
            tell_tampering,
            gather=_ask_ritual,
            sides=sides,
            outcome=lambda came: degree(came.roll),
            hopes=is_hoped_for,
            policies=WITH_LUCK,
            hides=numbers_are_closed,
        ),
        Action(GrantFavours, _grant),
    ),
    happenings=(
        Happening(PluginSwitched, words.plugin_switched, _turn),
        Happening(FeatUsed, words.feat_used, _use),
        Happening(FeatsRestored, words.feats_restored, lambda state, _: _each_hero(state, feat_used=False)),
        Happening(FavoursGranted, words.favours_granted, _hold),
    ),
    reactions=(Reaction(PluginSwitched, _end_its_conditions), Reaction(EveningBegan, _new_session)),
)
