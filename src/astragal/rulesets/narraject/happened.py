"""What happened: the events of Narraject, with the numbers that prove them."""

from __future__ import annotations

from typing import Annotated

from astragal.table.declarations import Nature, event
from astragal.table.fields import Name, Words
from astragal.table.seats import Viewer
from astragal.table.seen import Seen

from .anchors import Anchor, Burden, Grade
from .asked import Missing
from .assets import Asset
from .game import Span
from .hand import Hand
from .harm import Condition, Track
from .sheet import Sheet
from .stats import ByStat, Stat


@event("hero_made", nature=Nature.LASTING, owner="who")
class HeroMade:
    """A hero entered the story."""

    who: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    sheet: Annotated[Sheet, Seen.ALL]


# ---------------------------------------------------------------- intents and rolls


@event("intent_declared", owner="who")
class IntentDeclared:
    """NJ-01: somebody said what they want, and how."""

    who: Annotated[str, Seen.ALL]
    goal: Annotated[Words, Seen.ALL]
    approach: Annotated[Words, Seen.ALL]


@event("attempted", owner="who")
class Attempted:
    """NJ-01, NJ-05, NJ-10: a hand was rolled for an intent. Successes are open; a hidden difficulty is not."""

    who: Annotated[str, Seen.ALL]
    goal: Annotated[Words, Seen.ALL]
    approach: Annotated[Words, Seen.ALL]
    stat: Annotated[Stat, Seen.ALL]
    hand: Annotated[Hand, Seen.ALL]
    dice: Annotated[int, Seen.ALL]
    focus: Annotated[int, Seen.ALL]
    """NJ-13: points that were spent."""
    used_up: Annotated[tuple[str, ...], Seen.ALL]
    """Aspects that went with this roll."""
    successes: Annotated[int, Seen.ALL]
    difficulty: Annotated[int, Seen.DIFFICULTY]
    success: Annotated[bool, Seen.DIFFICULTY]
    excess: Annotated[int, Seen.DIFFICULTY]
    """NJ-05: successes beyond the difficulty; a shortfall is negative."""
    fact: Annotated[str, Seen.ALL]
    """NJ-03: the id under which a success is kept."""
    hidden: Annotated[bool, Seen.ALL] = False


@event("done_without_dice", owner="who")
class DoneWithoutDice:
    """NJ-02: an intent came true without a roll."""

    who: Annotated[str, Seen.ALL]
    goal: Annotated[Words, Seen.ALL]
    approach: Annotated[Words, Seen.ALL]
    missing: Annotated[Missing, Seen.ALL]
    fact: Annotated[str, Seen.ALL]


@event("came_to_light", nature=Nature.LASTING)
class CameToLight:
    """NJ-03: the difficulty was revealed, and with it what a success had made true."""

    fact: Annotated[str, Seen.ALL]
    words: Annotated[Words, Seen.ALL]
    aspect: Annotated[str, Seen.ALL]
    """The aspect that was made, by name; empty where there is none."""


# ---------------------------------------------------------------- aspects and injections


@event("aspect_made")
class AspectMade:
    """NJ-18, NJ-23: something lends dice from now on."""

    aspect: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    dice: Annotated[int, Seen.ALL]
    span: Annotated[Span, Seen.ALL]
    open_to: Annotated[tuple[str, ...] | None, Seen.ALL] = None
    helpers: Annotated[tuple[str, ...], Seen.ALL] = ()
    once: Annotated[bool, Seen.ALL] = False
    hidden: Annotated[bool, Seen.GAME_MASTER] = False

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden


@event("aspect_allowed")
class AspectAllowed:
    """NJ-23: others than before may invoke an aspect."""

    aspect: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    open_to: Annotated[tuple[str, ...] | None, Seen.ALL]


@event("aspect_ended")
class AspectEnded:
    """NJ-23: an aspect holds no longer."""

    aspect: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    with_the_scene: Annotated[bool, Seen.ALL]
    hidden: Annotated[bool, Seen.GAME_MASTER] = False

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden


@event("injected", owner="seat")
class Injected:
    """NJ-22: a player put a fact into the story."""

    injection: Annotated[str, Seen.ALL]
    seat: Annotated[str, Seen.ALL]
    fact: Annotated[Words, Seen.ALL]
    evening: Annotated[int, Seen.ALL]


@event("injection_vetoed", owner="seat")
class InjectionVetoed:
    """NJ-22: the game master took an injection back out; it can be made again."""

    injection: Annotated[str, Seen.ALL]
    seat: Annotated[str, Seen.ALL]
    why: Annotated[Words, Seen.ALL]


# ---------------------------------------------------------------- burdens and gear


@event("burden_pressed", owner="who")
class BurdenPressed:
    """NJ-15: a Burden applies to every roll for now."""

    who: Annotated[str, Seen.ALL]
    burden: Annotated[str, Seen.ALL]


@event("burden_lifted", owner="who")
class BurdenLifted:
    """NJ-15: a Burden presses no longer."""

    who: Annotated[str, Seen.ALL]
    burden: Annotated[str, Seen.ALL]


@event("asset_gained", owner="who")
class AssetGained:
    """NJ-17: somebody has another Asset."""

    who: Annotated[str, Seen.ALL]
    asset: Annotated[Asset, Seen.ALL]


@event("asset_lost", owner="who")
class AssetLost:
    """NJ-17: an Asset is gone."""

    who: Annotated[str, Seen.ALL]
    asset: Annotated[str, Seen.ALL]


@event("asset_carried", owner="who")
class AssetCarried:
    """NJ-17: an Asset was taken to hand, or stowed."""

    who: Annotated[str, Seen.ALL]
    asset: Annotated[str, Seen.ALL]
    carried: Annotated[bool, Seen.ALL]


# ---------------------------------------------------------------- harm, threats, recovery


@event("stress_taken", owner="who")
class StressTaken:
    """NJ+03: somebody was harmed; so many boxes are filled now."""

    who: Annotated[str, Seen.ALL]
    track: Annotated[Track, Seen.ALL]
    damage: Annotated[int, Seen.ALL]
    armour: Annotated[int, Seen.ALL]
    """What armour took off it."""
    boxes: Annotated[int, Seen.ALL]


@event("condition_taken", owner="who")
class ConditionTaken:
    """NJ+03: harm that stays."""

    who: Annotated[str, Seen.ALL]
    condition: Annotated[Condition, Seen.ALL]


@event("taken_out", owner="who")
class TakenOut:
    """NJ+03: no slot was left."""

    who: Annotated[str, Seen.ALL]


@event("brought_back", owner="who")
class BroughtBack:
    """NJ+03: somebody who was taken out can act again."""

    who: Annotated[str, Seen.ALL]


@event("stress_cleared", owner="who")
class StressCleared:
    """NJ+03: all boxes are empty."""

    who: Annotated[str, Seen.ALL]


@event("condition_eased", owner="who")
class ConditionEased:
    """NJ+05: a Condition is lower than it was, or gone."""

    who: Annotated[str, Seen.ALL]
    before: Annotated[Condition, Seen.ALL]
    after: Annotated[Condition | None, Seen.ALL]


@event("reserve_restored", owner="who")
class ReserveRestored:
    """NJ+02: points came back to each stat."""

    who: Annotated[str, Seen.ALL]
    gained: Annotated[ByStat, Seen.ALL]


@event("threat_raised")
class ThreatRaised:
    """NJ+04: an enemy or a danger is there."""

    threat: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    level: Annotated[int, Seen.ALL]
    boss: Annotated[bool, Seen.ALL]
    track: Annotated[Track, Seen.ALL]


@event("threat_ended")
class ThreatEnded:
    """NJ+04: a threat is gone."""

    threat: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]


# ---------------------------------------------------------------- growth


@event("points_earned", owner="who")
class PointsEarned:
    """NJ+06: Narrative Points were earned."""

    who: Annotated[str, Seen.ALL]
    points: Annotated[int, Seen.ALL]
    held: Annotated[int, Seen.ALL]
    evening: Annotated[int, Seen.ALL]
    earned: Annotated[int, Seen.ALL]
    """In this evening, these included."""


@event("anchor_bought", owner="who")
class AnchorBought:
    """NJ+06: a new Anchor, and the Burden that it brings."""

    who: Annotated[str, Seen.ALL]
    anchor: Annotated[Anchor, Seen.ALL]
    burden: Annotated[Burden, Seen.ALL]
    price: Annotated[int, Seen.ALL]


@event("anchor_raised", owner="who")
class AnchorRaised:
    """NJ+06: an Anchor is a grade higher."""

    who: Annotated[str, Seen.ALL]
    anchor: Annotated[str, Seen.ALL]
    grade: Annotated[Grade, Seen.ALL]
    price: Annotated[int, Seen.ALL]


@event("burden_eased", owner="who")
class BurdenEased:
    """NJ+06: a Burden is a grade lower, or gone."""

    who: Annotated[str, Seen.ALL]
    burden: Annotated[str, Seen.ALL]
    grade: Annotated[Grade | None, Seen.ALL]
    price: Annotated[int, Seen.ALL]


@event("stat_raised", owner="who")
class StatRaised:
    """NJ+06: a stat is a point higher, and its Reserve with it."""

    who: Annotated[str, Seen.ALL]
    stat: Annotated[Stat, Seen.ALL]
    rating: Annotated[int, Seen.ALL]
    reserve: Annotated[int, Seen.ALL]
    price: Annotated[int, Seen.ALL]


# ---------------------------------------------------------------- prices of rewinds


@event("reserve_paid", nature=Nature.LASTING, owner="who")
class ReservePaid:
    """A rewind cost points of Reserve, for good."""

    who: Annotated[str, Seen.ALL]
    paid: Annotated[ByStat, Seen.ALL]


@event("burden_paid", nature=Nature.LASTING, owner="who")
class BurdenPaid:
    """A rewind left a Burden, for good."""

    who: Annotated[str, Seen.ALL]
    name: Annotated[Name, Seen.ALL]
    grade: Annotated[Grade, Seen.ALL]
