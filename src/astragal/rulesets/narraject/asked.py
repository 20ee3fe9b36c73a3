"""What people ask for: intents and rolls, aspects and injections, harm and threats, gear and growth."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.chapters.requests import RequestId
from astragal.table.declarations import command
from astragal.table.fields import Against, CharacterId, Name, Names, SeatId, Words
from astragal.table.seats import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER, Role, Scope
from astragal.values import frozen

from .accounts import HeroFile
from .anchors import Grade
from .anchors import Scope as AnchorScope
from .assets import Asset
from .difficulty import Difficulty, Successes
from .game import Span
from .harm import Track
from .stats import Stat

AspectId: TypeAlias = Annotated[str, MaxLen(60), Names("aspect")]
ThreatId: TypeAlias = Annotated[str, MaxLen(60), Names("threat")]
InjectionId: TypeAlias = Annotated[str, MaxLen(40), Names("injection")]
Who: TypeAlias = Annotated[CharacterId, Doc("whose roll, sheet or intent it is")]
Goal: TypeAlias = Annotated[Words, Doc("NJ-01: what is wanted; left out, what was declared")]
Approach: TypeAlias = Annotated[Words, Doc("NJ-01: how it is done; left out, what was declared")]
PLAYERS_ONLY = {Role.PLAYER: Scope.ANY}


class Missing(Enum):
    """NJ-02: what a roll needs and this action has not."""

    UNCERTAINTY = "uncertainty"
    CONSEQUENCES = "consequences"
    CHALLENGE = "challenge"


class Preset(Enum):
    """NJ-18, NJ-25: aspects that the book has dice for."""

    HIGH_GROUND = "high ground"
    GOOD_LIGHT = "good light"
    SURPRISE = "surprise"
    PERFECT_CONDITIONS = "perfect conditions"
    SCENE_INJECTION = "scene injection"
    MAJOR_TACTICAL_ADVANTAGE = "major tactical advantage"


@command("make_hero", may=GAME_MASTER_AND_PLAYERS)
class MakeHero(HeroFile):
    """Bring a hero into the story."""

    seat: Annotated[SeatId | None, Doc("whose hero it is, where the game master makes it")] = None


# ---------------------------------------------------------------- intents and rolls


@frozen(kw_only=True)
class Gathered:
    """NJ-10: what a hand is gathered from."""

    who: Who
    focus: Annotated[int, Ge(0), Le(12), Doc("NJ-13: points of Reserve to spend, a die each")] = 0
    anchors: Annotated[tuple[Name, ...], Doc("NJ-14: the Anchors that apply")] = ()
    assets: Annotated[tuple[Name, ...], Doc("NJ-17: the Assets that help")] = ()
    aspects: Annotated[tuple[AspectId, ...], Doc("NJ-18: the aspects that are invoked, by name")] = ()
    burdens: Annotated[tuple[Name, ...], Doc("NJ-15: the Burdens that apply, besides those that press")] = ()


@command("declare_intent", may=GAME_MASTER_OR_OWNER, actor="who")
class DeclareIntent:
    """Say what is wanted and by what approach, before anyone rolls. Another intent reopens the difficulty."""

    who: Who
    goal: Annotated[Words, Doc("NJ-01: what is wanted")]
    approach: Annotated[Words, Doc("NJ-01: how it is done")]


@command("attempt", may=GAME_MASTER_OR_OWNER, actor="who")
class Attempt(Gathered):
    """Roll a hand for an intent. A success makes it true, whole."""

    stat: Annotated[Stat, Doc("NJ-11: the stat that the approach fits")]
    goal: Goal = ""
    approach: Approach = ""
    difficulty: Annotated[
        Successes | Difficulty | None, Doc("NJ-04: successes wanted, by number or name"), Against()
    ] = None
    request: Annotated[RequestId | None, Doc("the game master's request, which holds the difficulty")] = None
    threat: Annotated[ThreatId | None, Doc("NJ+04: the threat to be hit, whose level is the difficulty")] = None
    makes_aspect: Annotated[Name | None, Doc("NJ-23: a scene aspect that a success makes")] = None


@command("say_yes", may=GAME_MASTER_ONLY)
class SayYes:
    """Let an intent come true without dice, and say which reason to roll is missing."""

    who: Who
    missing: Annotated[Missing, Doc("NJ-02: what a roll would need and this has not")]
    goal: Goal = ""
    approach: Approach = ""


# ---------------------------------------------------------------- aspects and injections


@command("grant_aspect", may=GAME_MASTER_ONLY)
class GrantAspect:
    """Say that something of the scene or the story lends dice."""

    name: Annotated[Name, Doc("what it is called")]
    dice: Annotated[int | None, Ge(1), Le(2), Doc("1 or 2; left out, as the preset says, or 1")] = None
    preset: Annotated[Preset | None, Doc("NJ-18: one of the book's, which knows its dice")] = None
    span: Annotated[Span, Doc("whether it goes with the scene or lasts through the story")] = Span.SCENE
    open_to: Annotated[tuple[CharacterId, ...] | None, Doc("who may invoke it; left out, everyone")] = None
    once: Annotated[bool, Doc("whether it goes with the first roll that invokes it")] = False


@command("allow_aspect", may=GAME_MASTER_ONLY)
class AllowAspect:
    """Say who may invoke an aspect."""

    aspect: Annotated[AspectId, Doc("the aspect, by its name")]
    open_to: Annotated[tuple[CharacterId, ...] | None, Doc("who may; left out, everyone")] = None


@command("end_aspect", may=GAME_MASTER_ONLY)
class EndAspect:
    """Say that an aspect holds no longer."""

    aspect: Annotated[AspectId, Doc("the aspect, by its name")]


@command("offer_help", may=GAME_MASTER_OR_OWNER, actor="who")
class OfferHelp:
    """Help somebody with their next roll: an aspect of 1 die, of 2 where several help."""

    who: Annotated[CharacterId, Doc("who helps")]
    whom: Annotated[CharacterId, Doc("who is helped")]


@command("inject", may=PLAYERS_ONLY)
class Inject:
    """Put a fact into the story, once a session, without dice or points."""

    fact: Annotated[Words, Doc("what is true from now on")]
    aspect: Annotated[Name | None, Doc("an aspect that the fact makes")] = None
    span: Annotated[Span, Doc("whether that aspect goes with the scene or lasts")] = Span.SCENE


@command("veto_injection", may=GAME_MASTER_ONLY)
class VetoInjection:
    """Take an injection back out of the story. Its player may inject again."""

    injection: Annotated[InjectionId, Doc("the injection")]
    why: Annotated[Words, Doc("why it can't be")] = ""


# ---------------------------------------------------------------- burdens and gear


@command("press_burden", may=GAME_MASTER_ONLY)
class PressBurden:
    """Say that a Burden applies to all that its bearer rolls, until the scene ends or it is lifted."""

    who: Who
    burden: Annotated[Name, Doc("the Burden")]


@command("lift_burden", may=GAME_MASTER_ONLY)
class LiftBurden:
    """Say that a Burden presses no longer."""

    who: Who
    burden: Annotated[Name, Doc("the Burden")]


@command("gain_asset", may=GAME_MASTER_ONLY)
class GainAsset:
    """Give somebody an Asset."""

    who: Who
    asset: Annotated[Asset, Doc("the Asset")]


@command("lose_asset", may=GAME_MASTER_OR_OWNER, actor="who")
class LoseAsset:
    """Leave an Asset behind for good."""

    who: Who
    asset: Annotated[Name, Doc("the Asset")]


@command("carry_asset", may=GAME_MASTER_OR_OWNER, actor="who")
class CarryAsset:
    """Take an Asset to hand, or stow it. What is stowed neither helps nor hampers."""

    who: Who
    asset: Annotated[Name, Doc("the Asset")]
    carried: Annotated[bool, Doc("whether it is to hand from now on")] = True


# ---------------------------------------------------------------- harm, threats, recovery


@command("take_stress", may=GAME_MASTER_ONLY)
class TakeStress:
    """Harm somebody."""

    who: Who
    damage: Annotated[int, Ge(1), Le(30), Doc("NJ+03: boxes to fill")]
    track: Annotated[Track, Doc("body or mind")] = Track.PHYSICAL
    condition: Annotated[Name | None, Doc("what a Condition would be called")] = None
    armour: Annotated[bool, Doc("whether armour helps against it")] = True


@command("bring_back", may=GAME_MASTER_ONLY)
class BringBack:
    """Let somebody who was taken out act again."""

    who: Who


@command("raise_threat", may=GAME_MASTER_ONLY)
class RaiseThreat:
    """Put an enemy or a danger on the table. It never rolls."""

    name: Annotated[Name, Doc("what it is called")]
    level: Annotated[int, Ge(1), Le(20), Doc("NJ+04: the difficulty to hit it and to defend against it")]
    boss: Annotated[bool, Doc("whether a failed defence costs 1 more")] = False
    track: Annotated[Track, Doc("whether it harms the body or the mind")] = Track.PHYSICAL


@command("end_threat", may=GAME_MASTER_ONLY)
class EndThreat:
    """Take a threat off the table."""

    threat: Annotated[ThreatId, Doc("the threat, by its name")]


@command("defend", may=GAME_MASTER_OR_OWNER, actor="who")
class Defend(Gathered):
    """Roll a hand against a threat's level. A failure costs stress."""

    stat: Annotated[Stat, Doc("NJ-11: the stat that the defence fits")]
    threat: Annotated[ThreatId, Doc("the threat, by its name")]
    approach: Annotated[Words, Doc("NJ-01: how it is done")]
    goal: Annotated[Words, Doc("NJ-01: what is wanted; left out, to stay unhurt")] = ""
    condition: Annotated[Name | None, Doc("what a Condition would be called")] = None


@command("treat", may=GAME_MASTER_OR_OWNER, actor="who")
class Treat(Gathered):
    """Roll Intellect to ease a Condition: one grade lower, and a minor one is gone."""

    whom: Annotated[CharacterId, Doc("who is treated")]
    track: Annotated[Track, Doc("whether the Condition is of the body or the mind")]
    grade: Annotated[Grade, Doc("its grade")]
    approach: Annotated[Words, Doc("NJ-01: how it is done")]
    difficulty: Annotated[
        int | None, Ge(2), Le(4), Doc("NJ+05: 2 to 4; left out, 2 for minor, 3 for moderate, 4 for major")
    ] = None


# ---------------------------------------------------------------- growth


@command("award_points", may=GAME_MASTER_ONLY)
class AwardPoints:
    """Give Narrative Points: 1 or 2 in a session."""

    who: Who
    points: Annotated[int, Ge(1), Le(2), Doc("how many")] = 1


@command("buy_anchor", may=GAME_MASTER_OR_OWNER, actor="who")
class BuyAnchor:
    """Spend Narrative Points on a new Anchor, which brings a Burden with it."""

    who: Who
    name: Annotated[Name, Doc("what the Anchor is called")]
    burden: Annotated[Name, Doc("what the Burden is called")]
    grade: Annotated[Grade, Doc("NJ+06: minor for 2 points, moderate for 4")] = Grade.MINOR
    scope: Annotated[AnchorScope, Doc("whether it covers much or little")] = AnchorScope.BROAD
    burden_grade: Annotated[Grade, Doc("the Burden's grade")] = Grade.MINOR


@command("raise_anchor", may=GAME_MASTER_OR_OWNER, actor="who")
class RaiseAnchor:
    """Spend Narrative Points to make an Anchor a grade higher: 2 to moderate, 3 to major."""

    who: Who
    anchor: Annotated[Name, Doc("the Anchor")]


@command("ease_burden", may=GAME_MASTER_OR_OWNER, actor="who")
class EaseBurden:
    """Spend 3 Narrative Points to lower a Burden by a grade, or to be rid of it."""

    who: Who
    burden: Annotated[Name, Doc("the Burden")]
    remove: Annotated[bool, Doc("whether it is to go altogether; a minor one goes in any case")] = False


@command("raise_stat", may=GAME_MASTER_OR_OWNER, actor="who")
class RaiseStat:
    """Spend 3 Narrative Points on a point of Rating, up to 5."""

    who: Who
    stat: Annotated[Stat, Doc("the stat")]
