"""What people ask for: the commands of New Shoes."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.declarations import command
from astragal.table.fields import LONGEST_TEXT, CharacterId, FreeText, Name, Names, SeatId, Seldom, Words
from astragal.table.seats import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER

from .approaches import Step
from .creation import FAR
from .sheet import Attribute

Said: TypeAlias = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]
WhichApproach: TypeAlias = Annotated[
    Annotated[str, MaxLen(40), Names("approach")] | None, Doc("which approach, where there is more than one"), Seldom()
]
StatusName: TypeAlias = Annotated[str, MinLen(1), MaxLen(60), Names("status")]
"""The status, by its id or its name."""
WhichStatuses: TypeAlias = Annotated[
    tuple[StatusName, ...] | None,
    Doc("the statuses that apply; unsaid: all of one's own, of the scene, and of whoever stands against it"),
]
TargetSaid: TypeAlias = Annotated[int, Ge(-999), Le(999)] | Step
Hidden: TypeAlias = Annotated[bool, Doc("whether the target is the game master's secret")]
Value: TypeAlias = Annotated[int, Ge(-20), Le(20), Doc("what it is worth: 1 is minor, 5 major; never 0")]
Extent: TypeAlias = Annotated[int | None, Ge(1), Le(20)]

# ---------------------------------------------------------------- people


@command("make_hero", may=GAME_MASTER_AND_PLAYERS)
class MakeHero:
    """Bring a hero into the story, with 10 points in three attributes."""

    name: Annotated[Name, Doc("what the hero is called")]
    body: Annotated[int, Ge(-FAR), Le(FAR), Doc("points in Body")]
    mind: Annotated[int, Ge(-FAR), Le(FAR), Doc("points in Mind")]
    will: Annotated[int, Ge(-FAR), Le(FAR), Doc("points in Will")]
    about: Annotated[Words, Doc("who the hero is")] = ""
    seat: Annotated[SeatId | None, Doc("whose hero it is, where the game master makes it")] = None


@command("make_npc", may=GAME_MASTER_ONLY)
class MakeNpc:
    """Bring somebody or something into the story that can be opposed and harmed. It never rolls."""

    name: Annotated[Name, Doc("what they are called")]
    body: Annotated[Extent, Doc("points in Body; none takes harm as a status")] = None
    mind: Annotated[Extent, Doc("points in Mind; none takes harm as a status")] = None
    will: Annotated[Extent, Doc("points in Will; none takes harm as a status")] = None
    thing: Annotated[bool, Doc("whether it is a thing, and nobody")] = False
    about: Annotated[Words, Doc("who or what it is; all can read it")] = ""


# ---------------------------------------------------------------- approaches


@command("describe", may=GAME_MASTER_OR_OWNER, actor="who")
class Describe:
    """Say how somebody goes about it, or how they react to what comes at them. The game master names what is rolled."""

    who: Annotated[CharacterId, Doc("who acts")]
    words: Annotated[Said, Doc("how they go about it")]
    harmful: Annotated[bool, Doc("whether it is meant to harm")] = False
    approach: Annotated[WhichApproach, Doc("the reaction that this answers, where several wait")] = None


@command("call_approach", may=GAME_MASTER_ONLY)
class CallApproach:
    """Name the attribute and the target of an approach."""

    who: Annotated[CharacterId, Doc("whose approach")]
    attribute: Annotated[Attribute, Doc("what is rolled")]
    target: Annotated[TargetSaid, Doc("what to beat, by number or name; usually 4 to 20")]
    hidden: Hidden = False
    against: Annotated[CharacterId | None, Doc("who or what stands against it, without rolling")] = None
    harmed: Annotated[Attribute | None, Doc("what a harmful success takes from them; else the one rolled")] = None
    hurt: Annotated[Attribute | None, Doc("what a failed defence takes; else the one rolled")] = None
    statuses: WhichStatuses = None
    approach: WhichApproach = None


@command("call_opposed", may=GAME_MASTER_ONLY)
class CallOpposed:
    """Set two players' approaches against each other: the other's total is the target."""

    who: Annotated[CharacterId, Doc("who acts")]
    attribute: Annotated[Attribute, Doc("what the one who acts rolls")]
    opponent: Annotated[CharacterId, Doc("who opposes")]
    opposing_attribute: Annotated[Attribute, Doc("what the opponent rolls")]
    harmed: Annotated[Attribute | None, Doc("what harm takes from the opponent; else the one they roll")] = None
    hurt: Annotated[Attribute | None, Doc("what the opponent's harm takes; else the one rolled")] = None
    statuses: WhichStatuses = None
    opposing_statuses: WhichStatuses = None
    approach: WhichApproach = None
    opposing: WhichApproach = None


@command("call_healing", may=GAME_MASTER_ONLY)
class CallHealing:
    """Name attribute and target of an approach that heals, where there are means to do it."""

    who: Annotated[CharacterId, Doc("who heals")]
    attribute: Annotated[Attribute, Doc("what is rolled")]
    target: Annotated[TargetSaid, Doc("what to beat, by number or name; usually 4 to 20")]
    patient: Annotated[CharacterId, Doc("who is healed")]
    healed: Annotated[Attribute, Doc("which attribute is restored")]
    hidden: Hidden = False
    statuses: WhichStatuses = None
    approach: WhichApproach = None


@command("prompt_reaction", may=GAME_MASTER_ONLY)
class PromptReaction:
    """Act against a hero: the player describes how they react, and rolls. Attribute and target may be named later."""

    who: Annotated[CharacterId, Doc("who has to react")]
    words: Annotated[Said, Doc("what comes at them")]
    by: Annotated[CharacterId | None, Doc("who does it")] = None
    harmful: Annotated[bool, Doc("whether a failed reaction harms")] = True
    attribute: Annotated[Attribute | None, Doc("what is rolled")] = None
    target: Annotated[TargetSaid | None, Doc("what to beat, by number or name; usually 4 to 20")] = None
    hidden: Hidden = False
    hurt: Annotated[Attribute | None, Doc("what a failed defence takes; else the one rolled")] = None


@command("roll_approach", may=GAME_MASTER_OR_OWNER, actor="who")
class RollApproach:
    """Roll an approach that is described and called."""

    who: Annotated[CharacterId, Doc("who rolls")]
    approach: WhichApproach = None


@command("drop_approach", may=GAME_MASTER_OR_OWNER, actor="who")
class DropApproach:
    """Leave an approach be. A reaction is the game master's to withdraw."""

    who: Annotated[CharacterId, Doc("whose approach")]
    approach: WhichApproach = None


@command("support", may=GAME_MASTER_OR_OWNER, actor="who")
class GiveSupport:
    """Support somebody's approach with an attribute, for that one roll."""

    who: Annotated[CharacterId, Doc("who supports")]
    supported: Annotated[CharacterId, Doc("whose approach")]
    attribute: Annotated[Attribute, Doc("what helps")]
    approach: WhichApproach = None


@command("withdraw_support", may=GAME_MASTER_OR_OWNER, actor="who")
class WithdrawSupport:
    """Support somebody's approach no longer."""

    who: Annotated[CharacterId, Doc("who supports")]
    supported: Annotated[CharacterId, Doc("whose approach")]
    approach: WhichApproach = None


# ---------------------------------------------------------------- statuses


@command("attach_status", may=GAME_MASTER_ONLY)
class AttachStatus:
    """Say that something is true of somebody, of something, or of the whole scene."""

    name: Annotated[Name, Doc("what is true")]
    value: Value
    who: Annotated[CharacterId | None, Doc("whom it is on")] = None
    what: Annotated[Annotated[str, MaxLen(60)], Doc("or the thing that it is on; neither is the scene")] = ""


@command("change_status", may=GAME_MASTER_ONLY)
class ChangeStatus:
    """Give a status another value."""

    status: Annotated[StatusName, Doc("the status, by its name")]
    value: Value


@command("end_status", may=GAME_MASTER_ONLY)
class EndStatus:
    """Say that a status is no longer true."""

    status: Annotated[StatusName, Doc("the status, by its name")]
    words: Annotated[Words, Doc("why it ends")] = ""


# ---------------------------------------------------------------- waking, lessons


@command("keep_down", may=GAME_MASTER_ONLY)
class KeepDown:
    """Say that somebody who was knocked out does not wake with the next scene."""

    who: Annotated[CharacterId, Doc("who stays down")]


@command("wake", may=GAME_MASTER_ONLY)
class Wake:
    """Let somebody wake now."""

    who: Annotated[CharacterId, Doc("who wakes")]


@command("learn", may=GAME_MASTER_OR_OWNER, actor="who")
class Learn:
    """Name the speciality that a roll has taught; XP stand in for the dice that were no sixes."""

    who: Annotated[CharacterId, Doc("who learns")]
    speciality: Annotated[Name, Doc("what they are good at from now on")]
