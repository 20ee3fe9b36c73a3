"""The toolkit: feats, rituals, an ally, stress. A skin or a table switches each on; off, it leaves no trace. SS-67."""

from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any

from astragal.game import Chapter, Character, Command, Doing, Event, Fact, Refusal, Seen, meters
from astragal.game.display import Piece, Pips, RollCard, Track
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, Pays, Words
from astragal.game.rolls import HELP, NEXT_ROLL
from astragal.game.shared import ConditionBegan, ConditionEnded, EveningBegan, Until, end_of, new_condition

from .fuse import RiskyTrial
from .luck import ALLY, LUCK
from .options import Plugin, Scope
from .pressure import FULL, Crisis, check_free, losable, rise_events, rising, step, surcharge, track_of
from .rolls import check_acts
from .state import ALLY_TOKENS, Call, Sheet, State, TrackOf, find_hero
from .trials import SingleActor, Tampering, trial

TOOLKIT = Chapter(seen=Seen.ALL)


def check_on(call: Call, plugin: Plugin) -> None:
    if not call.state.game.plays(plugin):
        raise Refusal(f"This table does not play with {call.state.terms[plugin.value]}.", code="not_played")


def from_toolkit(
    call: Call, plugin: Plugin, who: Character[Sheet], until: Until, effect_term: str, **numbers: int
) -> ConditionBegan:
    """A condition named after the plug-in, which ends when the plug-in is switched off."""
    terms = call.state.terms
    return new_condition(
        call.state,
        f"{call.fresh}-{plugin.value}",
        terms[plugin.value],
        who=who.id,
        until=until,
        effect=terms.get(effect_term, ""),
        numbers={**numbers, plugin.value: 1},
    )


def with_everyone(state: State, **changes: Any) -> State:
    """Apply changes to everyone's sheet."""
    for who in state.characters:
        state = state.changed(who, **changes)
    return state


# ---------------------------------------------------------------- on and off


@TOOLKIT.fact(
    "switch_plugin", title="Switch a part of the toolkit", told="plugin_switched", says="{plugin} is {on:on|off}"
)
class SwitchPlugin(Fact):
    """Switch a part of the toolkit on or off. Off, it is as if it had never been on."""

    plugin: Annotated[Plugin, Label("part")]
    on: Annotated[bool, Doc("whether it is on")]

    def check(self, call: Call) -> None:
        if call.state.game.plays(self.plugin) == self.on:
            position = "on" if self.on else "off"
            raise Refusal(f"That is {position} already.", code="no_change")

    def fold(self, state: State) -> State:
        """SS-67: switched off, heroes and tracks are as if it had never been on."""
        plugins = tuple(plugin for plugin in state.game.plugins if plugin is not self.plugin)
        if self.on:
            plugins = (*plugins, self.plugin)
        state = state.with_game(plugins=plugins)
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
    """End the plug-in's conditions. One that is switched on has none yet."""
    ended = []
    for condition in state.conditions.values():
        if condition.numbers.get(switched.plugin.value, 0):
            ended.append(end_of(condition))
    return ended


# ---------------------------------------------------------------- feats


class FeatPrice(Enum):
    """SS-67: ways to pay for a feat."""

    TOKEN = "token"  # noqa: S105 - a token of Luck
    PRESSURE = "pressure"


@TOOLKIT.event("feat_used", says="{who} calls on {feat}", sets={"feat_used": True})
class FeatUsed(Event):
    who: CharacterId


@TOOLKIT.command(
    "feat",
    actor="who",
    card=RollCard(title="{who} calls on {feat}", short="A feat", verb="Call on it", choose=("price",)),
)
class UseFeat(SingleActor):
    """Once a session: advantage on the next roll, paid before it."""

    who: Annotated[CharacterId, Doc("whose feat")]
    price: Annotated[FeatPrice, Doc("a token of Luck, or 1 Pressure"), Pays()] = FeatPrice.TOKEN

    def does(self, call: Call) -> Doing[Crisis | None]:
        """SS-67: declared and paid before the roll. SS-53: at step 4 it costs a token more, however it is paid."""
        state = call.state
        who = find_hero(state, self.who)
        check_on(call, Plugin.FEAT)
        check_acts(call, who)
        if who.sheet.feat_used:
            raise Refusal(f"{who.name} has used {state.terms['feat']} this session.", code="used")
        adds_pressure = self.price is FeatPrice.PRESSURE
        tokens = surcharge(state, who)
        if not adds_pressure:
            tokens += 1
        if tokens > who.sheet.luck:
            raise Refusal(f"That costs {tokens} tokens; {who.name} holds {who.sheet.luck}.", code="tokens")
        track = track_of(state, who.id)
        if adds_pressure:
            check_free(call, track)
        crisis = yield rising(step(state, track), int(adds_pressure), losable(who))

        ready = from_toolkit(call, Plugin.FEAT, who, Until.EVENING_ENDS, "feat_text", **{HELP: 1, NEXT_ROLL: 1})
        events = [*LUCK.lost(who, tokens), FeatUsed(who=who.id), ready]
        if adds_pressure:
            events += rise_events(call, track, who, crisis)
        return events


@TOOLKIT.event("feats_restored", says="{feat} can be called on again")
class FeatsRestored(Event):
    def fold(self, state: State) -> State:
        return with_everyone(state, feat_used=False)


@TOOLKIT.after(EveningBegan)
def new_session(state: State, _: EveningBegan) -> list[FeatsRestored]:
    if not any(character.sheet.feat_used for character in state.characters.values()):
        return []
    return [FeatsRestored()]


# ---------------------------------------------------------------- stress

STRESS_METER = meters.Meter("stress", most=lambda _: FULL, seen=Seen.ALL, loses="sheds", gains="takes")


def find_stressed(call: Call, who: str | None) -> Character[Sheet] | State:
    """Find the holder of stress: the table if Pressure is shared, otherwise the hero."""
    check_on(call, Plugin.STRESS)
    if call.state.options.pressure is Scope.SHARED:
        return call.state
    if who is None:
        raise Refusal("Each hero has a track of their own here: say whose.", code="nobody")
    return find_hero(call.state, who)


@TOOLKIT.event("stress_broke", says="{stress} breaks over {who}: {stress_crisis}")
class StressBroke(Event):
    """The stress track was full. It is reset, and its crisis holds until the custodian ends it."""

    track_of: TrackOf
    who: CharacterId
    reset: int

    def fold(self, state: State) -> State:
        if self.track_of is None:
            return state.with_game(stress=self.reset)
        return state.changed(self.track_of, stress=self.reset)


@TOOLKIT.command("raise_stress")
class RaiseStress(Command):
    """Add Stress. At 5 its own crisis comes."""

    who: Annotated[CharacterId | None, Doc("whose it is, or whom a crisis strikes where the track is shared")] = None
    rise: Annotated[int, Ge(1), Le(5), Label("by how much")] = 1
    why: Annotated[Words, Doc("what raises it")] = ""

    def does(self, call: Call) -> list[Event]:
        """SS-67: the skin describes its crisis, which holds until the custodian ends it."""
        state = call.state
        holder = find_stressed(call, self.who)
        events: list[Event] = [*STRESS_METER.gained(holder, self.rise, self.why)]
        if STRESS_METER.of(holder) + self.rise < FULL:
            return events
        if self.who is None:
            raise Refusal("A crisis would come of this: say whom it strikes.", code="strikes_nobody")
        struck = find_hero(state, self.who)
        track = None if holder is state else struck.id
        events.append(StressBroke(track_of=track, who=struck.id, reset=state.options.crisis_reset))
        events.append(from_toolkit(call, Plugin.STRESS, struck, Until.TOLD, "stress_crisis"))
        return events


@TOOLKIT.command("ease_stress")
class EaseStress(Command):
    """Take some Stress off."""

    who: Annotated[CharacterId | None, Doc("whose it is, where each hero has one")] = None
    fall: Annotated[int, Ge(1), Le(5), Label("by how much")] = 1
    why: Annotated[Words, Doc("what eases it")] = ""

    def does(self, call: Call) -> list[meters.Lost]:
        holder = find_stressed(call, self.who)
        if not STRESS_METER.of(holder):
            raise Refusal(f"{call.state.terms['stress']} is at 0 already.", code="no_change")
        return STRESS_METER.lost(holder, self.fall, self.why)


@TOOLKIT.board
def shared_stress(state: State) -> Sequence[Piece]:
    if not state.game.stress:
        return []
    return [Track("stress", state.game.stress, ("",) * (FULL + 1))]


# ---------------------------------------------------------------- rituals and the ally


@TOOLKIT.command("ritual", **trial("{who} works a ritual by {attribute}", "{who} works a ritual", "to work it"))
class PerformRitual(RiskyTrial):
    """Work a power that the setting knows: a test of an attribute whose failure adds 1 Pressure."""

    def does(self, call: Call) -> Doing[Tampering]:
        check_on(call, Plugin.RITUAL)
        return (yield from super().does(call))


@TOOLKIT.command("grant_favours")
class GrantFavours(Command):
    """Give the ally tokens back, up to its 3. It never regains any by itself."""

    points: Annotated[int, Ge(1), Le(3), Doc("how many")] = 1

    def does(self, call: Call) -> list[meters.Gained]:
        check_on(call, Plugin.ALLY)
        gained = ALLY.gained(call.state, self.points)
        if not gained:
            raise Refusal(f"{call.state.terms['ally']} holds {call.state.game.favours} already.", code="full")
        return gained


@TOOLKIT.board
def ally(state: State) -> Sequence[Piece]:
    if not state.game.plays(Plugin.ALLY):
        return []
    return [Pips("ally", state.game.favours, ALLY_TOKENS)]
