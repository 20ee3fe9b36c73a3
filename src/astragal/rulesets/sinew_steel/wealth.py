"""Wealth: buying, paying dearly, and being noticed. SS+02."""

from collections.abc import Sequence
from enum import Enum
from typing import Annotated, NamedTuple, TypeAlias

from astragal.chance import Offer, Rolls, rule
from astragal.game import Chapter, Character, Command, Doing, Event, Refusal, Seen, Teller, meters
from astragal.game.display import RollCard
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaySet, Words
from astragal.game.rolls import Footing
from astragal.game.shared import KEPT_CLOCKS, ClockId, new_clock, ticked

from .luck import luck_test, spent_by
from .options import LuckTarget
from .pressure import (
    Crisis,
    Possessions,
    TrackStep,
    check_free,
    losable,
    rise_events,
    rising,
    step,
    surcharge,
    track_of,
)
from .rolls import Favours, Roll, Roller, Surcharge, check_acts, favours_for, may_spend
from .state import Call, RequiredWords, Sheet, find_hero
from .trials import LuckTried, SingleActor

WEALTH = Chapter(seen=Seen.ALL)

RICH = ("broke", "poor", "steady", "flush", "rich")
WEALTH_METER = meters.Meter("wealth", most=lambda _: len(RICH) - 1, seen=Seen.ALL, steps=RICH)
NOTICED = 3
"""From this Wealth on, showing it has a price."""
DEBT_TICKS = 6
EVERYDAY = 1
"""The cost of what anyone but the broke can afford."""

Wealth: TypeAlias = Annotated[int, Ge(0), Le(4), Doc("0 broke, 1 poor, 2 steady, 3 flush, 4 rich")]
CostTier: TypeAlias = Annotated[int, Ge(0), Le(4)]


class Wealthy(NamedTuple):
    """A hero and their Wealth."""

    hero: Character[Sheet]
    wealth: int


def find_wealthy(call: Call, who: str) -> Wealthy:
    """Find a hero and their Wealth."""
    hero = find_hero(call.state, who)
    if hero.sheet.wealth is None:
        raise Refusal("This table doesn't use Wealth.", code="not_played")
    return Wealthy(hero, hero.sheet.wealth)


# ---------------------------------------------------------------- the rule


class Deal(Enum):
    """SS+02: outcomes of a purchase."""

    AFFORDED = "afforded"
    WEALTH = "1 Wealth"
    COMPLICATION = "a complication"
    DEBT = "a debt"
    PRESSURE = "1 Pressure"
    FAVOUR = "a favour owed"
    NOTHING = "nothing"
    """It is not bought."""


HARD = (Deal.NOTHING, Deal.DEBT, Deal.PRESSURE, Deal.FAVOUR)
"""Choices when the Luck test fails."""

DEALS = {
    Deal.AFFORDED: "can afford it",
    Deal.WEALTH: "pays 1 Wealth",
    Deal.COMPLICATION: "gets it with a complication",
    Deal.DEBT: "gets it on credit",
    Deal.PRESSURE: "gets it, and it weighs on everything",
    Deal.FAVOUR: "gets it for a favour owed",
    Deal.NOTHING: "goes without",
}


class Purchase(NamedTuple):
    deal: Deal
    roll: Roll | None = None
    crisis: Crisis | None = None


@rule
def purchase(
    wealth: Wealth,
    tier: Annotated[int, Ge(0), Le(4), Doc("what it costs")],
    *,
    large: Annotated[bool, Doc("whether it costs Wealth even for those who can afford it")] = False,
    tokens: Annotated[int, Ge(0), Le(20), Doc("Luck tokens now held, the score of the test")] = 0,
    stance: Annotated[Footing, Doc("one die, or which of two is kept")] = Footing.LEVEL,
    target: Annotated[LuckTarget, Doc("what is rolled against while tokens are spent")] = LuckTarget.LIVE,
    before: TrackStep = 0,
    carried: Possessions = (),
    surcharge: Surcharge = 0,
    favours: Favours = 0,
) -> Rolls[Purchase]:
    """SS+02: affordable at or above the tier; below it, a Luck test decides the price."""
    if wealth >= tier:
        if large and wealth:
            return Purchase(Deal.WEALTH)
        return Purchase(Deal.AFFORDED)
    roll = yield from luck_test(tokens, stance, target, surcharge=surcharge, favours=favours)
    if roll.success:
        prices: tuple[Deal, ...] = (Deal.COMPLICATION,)
        if wealth:
            prices = (Deal.COMPLICATION, Deal.WEALTH)
        deal = yield from Offer("who", "price", prices)
        return Purchase(deal, roll)
    deal = yield from Offer("who", "hard cost", HARD)
    if deal is not Deal.PRESSURE:
        return Purchase(deal, roll)
    crisis = yield from rising(before, 1, carried)
    return Purchase(deal, roll, crisis)


# ---------------------------------------------------------------- buying


@WEALTH.event("bought")
class Bought(Event):
    who: CharacterId
    what: Words
    tier: int
    deal: Deal

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} wants {self.what} (cost {self.tier}) and {DEALS[self.deal]}"


@WEALTH.command(
    "buy",
    actor="who",
    outcome=lambda bargain: bargain.deal,
    card=RollCard(
        title="{who} buys {what}",
        short="{who} goes shopping",
        verb="Buy",
        choose=("tier",),
        usual=(("tier", 1),),
        words=(("what", "something"),),
    ),
)
class Buy(SingleActor):
    """Buy something. If it costs more than their Wealth, it takes a test of Luck."""

    who: Annotated[CharacterId, Doc("who buys")]
    what: Annotated[RequiredWords, Label("what is bought")]
    tier: Annotated[
        CostTier, MaySet.PROPOSAL, Label("cost"), Doc("what it costs, from 0 to 4; everyday things are 1")
    ] = EVERYDAY
    large: Annotated[
        bool,
        MaySet.PROPOSAL,
        Label("large purchase"),
        Doc("whether it is a large purchase, which costs 1 Wealth even for those who can afford it"),
    ] = False

    def does(self, call: Call) -> Doing[Purchase]:
        """SS+02: a purchase above the hero's Wealth takes a Luck test. SS-29: it counts like any other."""
        state = call.state
        who, wealth = find_wealthy(call, self.who)
        luck = state.options.luck
        check_acts(call, who, on_luck=True)
        roller = Roller.of(call, who, luck, (), ())
        track = track_of(state, who.id)
        if wealth < self.tier:
            check_free(call, track)
        bargain = yield purchase(
            wealth,
            self.tier,
            large=self.large,
            tokens=who.sheet.luck,
            stance=roller.stand.footing,
            target=state.options.luck_test_target if may_spend(call, who, luck) else LuckTarget.LIVE,
            before=step(state, track),
            carried=losable(who),
            surcharge=surcharge(state, who),
            favours=favours_for(state, who),
        )

        events: list[Event] = [*spent_by(state, (who.id, bargain.roll))]
        if bargain.roll is not None:
            why = "it costs more than their Wealth"
            roll = roller.shown(bargain.roll)
            events.append(LuckTried(who=who.id, roll=roll, why=why, stakes=self.what, lethal=False))
        events.append(Bought(who=who.id, what=self.what, tier=self.tier, deal=bargain.deal))
        match bargain.deal:
            case Deal.WEALTH:
                events += WEALTH_METER.lost(who, 1)
            case Deal.DEBT:
                name = f"{who.name}’s debt: {self.what}"
                events.append(new_clock(f"{call.fresh}-debt", name[:60], DEBT_TICKS))
            case Deal.PRESSURE:
                events += rise_events(call, track, who, bargain.crisis, why=self.what)
            case Deal.AFFORDED | Deal.COMPLICATION | Deal.FAVOUR | Deal.NOTHING:
                pass
        return events


@WEALTH.command("show_wealth", card=RollCard(title="{who} is seen to be rich", short="Riches are noticed"))
class ShowWealth(SingleActor):
    """Let riches be noticed: Wealth of 3 or more adds 1 Pressure, or ticks a clock."""

    who: Annotated[CharacterId, Doc("who shows it")]
    clock: Annotated[ClockId | None, Doc("the clock that ticks; none named adds Pressure")] = None

    def does(self, call: Call) -> Doing[Crisis | None]:
        who, wealth = find_wealthy(call, self.who)
        if wealth < NOTICED:
            raise Refusal(f"{who.name}’s Wealth is {wealth}; nobody looks twice below {NOTICED}.", code="too_poor")
        clock = KEPT_CLOCKS.find(call, self.clock) if self.clock else None
        track = track_of(call.state, who.id)
        if clock is None:
            check_free(call, track)
        rise = 1 if clock is None else 0
        crisis = yield rising(step(call.state, track), rise, losable(who))
        if clock is not None:
            return [ticked(clock, 1)]
        return rise_events(call, track, who, crisis, why="riches draw eyes")


@WEALTH.command("set_wealth")
class SetWealth(Command):
    """Say how rich someone is now: found, earned, robbed."""

    who: Annotated[CharacterId, Doc("whose Wealth")]
    wealth: Annotated[CostTier, Doc("0 broke, 1 poor, 2 steady, 3 flush, 4 rich")]

    def does(self, call: Call) -> Sequence[meters.Lost | meters.Gained]:
        who, wealth = find_wealthy(call, self.who)
        if self.wealth > wealth:
            return WEALTH_METER.gained(who, self.wealth - wealth)
        if self.wealth < wealth:
            return WEALTH_METER.lost(who, wealth - self.wealth)
        raise Refusal(f"{who.name}’s Wealth is {wealth} already.", code="no_change")
