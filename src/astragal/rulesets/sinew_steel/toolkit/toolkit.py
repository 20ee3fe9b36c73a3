"""The toolkit: feats, rituals, an ally. Each comes with a skin or a table, and goes without a trace. SS-67."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Annotated, Any

from astragal.game import (
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Chapter,
    Command,
    Doing,
    Event,
    Fact,
    Gained,
    Refusal,
    Seen,
    Teller,
)
from astragal.game.display import Piece, Pips, RollCard
from astragal.game.fields import CharacterId, Doc, Ge, Le, Pays
from astragal.game.rolls import HELP, NEXT_ROLL
from astragal.game.shared import ConditionEnded, EveningBegan, Until, end_of, new_condition
from astragal.rulesets.sinew_steel.luck import degree, is_hoped_for
from astragal.rulesets.sinew_steel.options import Plugin
from astragal.rulesets.sinew_steel.pressure.crises import Crisis, check_free, losable, rising, told_rise
from astragal.rulesets.sinew_steel.pressure.fuse import RiskyTrial
from astragal.rulesets.sinew_steel.pressure.tracks import step, surcharge, track_of
from astragal.rulesets.sinew_steel.state import ALLY_TOKENS, Call, State, find_hero
from astragal.rulesets.sinew_steel.story.fortune import ALLY, LUCK, WITH_LUCK, luck_after
from astragal.rulesets.sinew_steel.trials.attempts import trial_card
from astragal.rulesets.sinew_steel.trials.prices import Tampering
from astragal.rulesets.sinew_steel.trials.roller import check_acts, deciders

TOOLKIT = Chapter(seen=Seen.ALL)


def check_on(call: Call, plugin: Plugin) -> None:
    if not call.state.game.plays(plugin):
        raise Refusal(f"This table does not play with {call.state.terms[plugin.value]}.", code="not_played")


def with_everyone(state: State, **changes: Any) -> State:
    """The same table with these parts of everyone's sheet."""
    for who in state.characters:
        state = state.changed(who, **changes)
    return state


# ---------------------------------------------------------------- on and off


@TOOLKIT.fact("switch_plugin", told="plugin_switched", may=GAME_MASTER_ONLY)
class SwitchPlugin(Fact):
    """Switch a part of the toolkit on or off. Off, it is as if it had never been on."""

    plugin: Annotated[Plugin, Doc("which part")]
    on: Annotated[bool, Doc("whether it is on")]

    def check(self, call: Call) -> None:
        if call.state.game.plays(self.plugin) == self.on:
            raise Refusal(f"That is {'on' if self.on else 'off'} already.", code="no_change")

    def says(self, teller: Teller) -> str:
        return f"{teller.term(self.plugin.value)} is {'on' if self.on else 'off'}"

    def fold(self, state: State) -> State:
        """SS-67: off, heroes and tracks are as if it had never been on."""
        others = tuple(one for one in state.game.plugins if one is not self.plugin)
        state = state.with_game(plugins=(*others, self.plugin) if self.on else others)
        match self.plugin:
            case Plugin.ALLY:
                return state.with_game(favours=ALLY_TOKENS if self.on else 0)
            case Plugin.FEAT:
                return with_everyone(state, feat_used=False)
            case Plugin.STRESS:
                return with_everyone(state.with_game(stress=0), stress=0)
            case Plugin.RITUAL:
                return state


@TOOLKIT.after(SwitchPlugin)
def off_ends_its_conditions(state: State, switched: SwitchPlugin) -> list[ConditionEnded]:
    """What is switched on has none yet."""
    return [end_of(one) for one in state.conditions.values() if one.numbers.get(switched.plugin.value, 0)]


# ---------------------------------------------------------------- feats


class FeatPrice(Enum):
    """SS-67: what a feat is paid with."""

    TOKEN = "token"  # noqa: S105 - a token of Luck
    PRESSURE = "pressure"


@TOOLKIT.event("feat_used", owner="who", says="{who} calls on {feat}")
class FeatUsed(Event):
    """A hero's feat was declared and paid for."""

    who: CharacterId

    def fold(self, state: State) -> State:
        return state.changed(self.who, feat_used=True)


@TOOLKIT.command(
    "feat",
    may=GAME_MASTER_OR_OWNER,
    actor="who",
    card=RollCard(title="{who} calls on {feat}", short="A feat", verb="Call on it", choose=("price",)),
)
class UseFeat(Command):
    """Once a session: advantage on the next roll, paid before it."""

    who: Annotated[CharacterId, Doc("whose feat")]
    price: Annotated[FeatPrice, Doc("a token of Luck, or 1 Pressure"), Pays()] = FeatPrice.TOKEN

    def does(self, call: Call) -> Doing[Crisis | None]:
        """SS-67: declared and paid before the roll. SS-53: at step 4 it costs a token more, however it is paid."""
        state, who = call.state, find_hero(call.state, self.who)
        check_on(call, Plugin.FEAT)
        check_acts(call, who)
        if who.sheet.feat_used:
            raise Refusal(f"{who.name} has used {state.terms['feat']} this session.", code="used")
        is_risked = self.price is FeatPrice.PRESSURE
        tokens = surcharge(state, who) + (0 if is_risked else 1)
        if tokens > who.sheet.luck:
            raise Refusal(f"That costs {tokens} tokens; {who.name} holds {who.sheet.luck}.", code="tokens")
        track = track_of(state, who.id)
        if is_risked:
            check_free(call, track)
        broke = yield rising(step(state, track), int(is_risked), losable(who))
        rise = told_rise(call, track, who, broke) if is_risked else []
        ready = new_condition(
            state,
            f"{call.fresh}-feat",
            state.terms["feat"],
            who=who.id,
            until=Until.EVENING_ENDS,
            effect=state.terms.get("feat_text", ""),
            numbers={HELP: 1, NEXT_ROLL: 1, Plugin.FEAT.value: 1},
        )
        return [*LUCK.lost(who, tokens), FeatUsed(who=who.id), ready, *rise]

    def sides(self, call: Call) -> Mapping[str, str]:
        return deciders(call.state, custodian=call.state.game_master, struck=self.who)


@TOOLKIT.event("feats_restored", says="{feat} can be called on again")
class FeatsRestored(Event):
    """A new session: every hero has their feat again."""

    def fold(self, state: State) -> State:
        return with_everyone(state, feat_used=False)


@TOOLKIT.after(EveningBegan)
def new_session(state: State, _: EveningBegan) -> list[FeatsRestored]:
    return [FeatsRestored()] if any(one.sheet.feat_used for one in state.characters.values()) else []


# ---------------------------------------------------------------- rituals and the ally


@TOOLKIT.command(
    "ritual",
    may=GAME_MASTER_OR_OWNER,
    actor="who",
    outcome=lambda came: degree(came.roll),
    hopes=is_hoped_for,
    policies=WITH_LUCK,
    after=luck_after(lambda came: came.roll.spent),
    card=trial_card("{who} works a ritual by {attribute}", "{who} works a ritual", "to work it"),
)
class PerformRitual(RiskyTrial):
    """Work a power that the setting knows: a test of an attribute whose failure adds 1 Pressure."""

    def does(self, call: Call) -> Doing[Tampering]:
        check_on(call, Plugin.RITUAL)
        return (yield from super().does(call))


@TOOLKIT.command("grant_favours", may=GAME_MASTER_ONLY)
class GrantFavours(Command):
    """Give the ally tokens back, up to its 3. It never regains any by itself."""

    points: Annotated[int, Ge(1), Le(3), Doc("how many")] = 1

    def does(self, call: Call) -> list[Gained]:
        check_on(call, Plugin.ALLY)
        told = ALLY.gained(call.state, self.points)
        if not told:
            raise Refusal(f"{call.state.terms['ally']} holds {call.state.game.favours} already.", code="full")
        return told


@TOOLKIT.board
def ally(state: State) -> Sequence[Piece]:
    return [Pips("ally", state.game.favours, ALLY_TOKENS)] if state.game.plays(Plugin.ALLY) else []
