"""What can happen: events in the past tense, with the numbers that prove them."""

from __future__ import annotations

from typing import Annotated

from astragal.table.declarations import Nature, event
from astragal.table.fields import Words
from astragal.table.seats import Viewer
from astragal.table.seen import Seen
from astragal.table.state import Die
from astragal.values import frozen

from .game import Called
from .results import Result
from .sheet import Attribute, Kind, Points, Status

# ---------------------------------------------------------------- people


@event("hero_made", nature=Nature.LASTING, owner="seat")
class HeroMade:
    """A hero came into the story."""

    who: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    body: Annotated[int, Seen.ALL]
    mind: Annotated[int, Seen.ALL]
    will: Annotated[int, Seen.ALL]
    about: Annotated[Words, Seen.ALL]


@event("npc_made")
class NpcMade:
    """Somebody or something of the game master's came into the story."""

    who: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    kind: Annotated[Kind, Seen.ALL]
    body: Annotated[Points | None, Seen.ALL]
    mind: Annotated[Points | None, Seen.ALL]
    will: Annotated[Points | None, Seen.ALL]
    about: Annotated[Words, Seen.ALL]


# ---------------------------------------------------------------- approaches


@event("approach_described", owner="who")
class ApproachDescribed:
    """Somebody said how they go about it."""

    approach: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    words: Annotated[Words, Seen.ALL]
    harmful: Annotated[bool, Seen.ALL]


@event("reaction_prompted", owner="who")
class ReactionPrompted:
    """Something comes at a hero, who has to react."""

    approach: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    words: Annotated[Words, Seen.ALL]
    by: Annotated[str | None, Seen.ALL]
    harmful: Annotated[bool, Seen.ALL]


@event("approach_called", owner="who")
class ApproachCalled:
    """The game master named what is rolled. The target is told with the request for the roll."""

    approach: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    called: Annotated[Called, Seen.ALL]
    opponent: Annotated[str | None, Seen.ALL] = None


@event("target_beyond_the_usual")
class TargetBeyondTheUsual:
    """NS-02: a target outside 4 to 20 stands, with a warning."""

    target: Annotated[int, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


@event("approach_dropped", owner="who")
class ApproachDropped:
    """An approach comes to nothing: it was left, withdrawn, or its hero was knocked out."""

    approach: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]


@event("support_given", owner="who")
class SupportGiven:
    """Somebody supports an approach."""

    approach: Annotated[str, Seen.ALL]
    supported: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    attribute: Annotated[Attribute, Seen.ALL]


@event("support_withdrawn", owner="who")
class SupportWithdrawn:
    """Somebody supports an approach no longer."""

    approach: Annotated[str, Seen.ALL]
    supported: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]


# ---------------------------------------------------------------- rolls


@event("dice_set_aside")
class DiceSetAside:
    """Dice thrown by hand lie on the table until the others are entered."""

    act: Annotated[str, Seen.ALL]
    dice: Annotated[tuple[Die, ...], Seen.ALL]


@event("dice_taken_up")
class DiceTakenUp:
    """More dice are thrown to those that were set aside."""

    act: Annotated[str, Seen.ALL]


@event("dice_thrown")
class DiceThrown:
    """NS-03: every die with those that it brought, and what they come to with all that counts."""

    mine: Annotated[tuple[tuple[int, ...], ...], Seen.ALL]
    statuses: Annotated[int, Seen.ALL]
    total: Annotated[int, Seen.ALL]
    theirs: Annotated[tuple[tuple[int, ...], ...], Seen.ALL] = ()
    opposing_statuses: Annotated[int, Seen.ALL] = 0
    opposing_total: Annotated[int | None, Seen.ALL] = None


@frozen(kw_only=True)
class Term:
    """NS-04, NS-07: one thing that counts for or against a roll."""

    name: Annotated[str, Seen.ALL]
    value: Annotated[int, Seen.ALL]
    support: Annotated[bool, Seen.ALL] = False


@event("approach_rolled", owner="who")
class ApproachRolled:
    """An approach was rolled. What it did follows, and then somebody tells it."""

    approach: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    attribute: Annotated[Attribute, Seen.ALL]
    terms: Annotated[tuple[Term, ...], Seen.ALL]
    target: Annotated[int | None, Seen.DIFFICULTY]
    """None where another player's total was the target."""
    result: Annotated[Result, Seen.DIFFICULTY]
    opposing: Annotated[str | None, Seen.ALL] = None
    opponent: Annotated[str | None, Seen.ALL] = None
    opposing_attribute: Annotated[Attribute | None, Seen.ALL] = None
    opposing_terms: Annotated[tuple[Term, ...], Seen.ALL] = ()


# ---------------------------------------------------------------- statuses


@event("status_attached")
class StatusAttached:
    """Something is true from now on."""

    status: Annotated[Status, Seen.ALL]


@event("status_changed")
class StatusChanged:
    """A status is worth more or less than before."""

    status: Annotated[Status, Seen.ALL]
    before: Annotated[int, Seen.ALL]


@event("status_ended")
class StatusEnded:
    """Something is no longer true."""

    status: Annotated[Status, Seen.ALL]
    words: Annotated[Words, Seen.ALL]


# ---------------------------------------------------------------- harm and healing


@event("harmed", owner="who")
class Harmed:
    """NS-10: an attribute was lowered."""

    who: Annotated[str, Seen.ALL]
    attribute: Annotated[Attribute, Seen.ALL]
    lost: Annotated[int, Seen.ALL]
    left: Annotated[int, Seen.ALL]


@event("worn_down", owner="who")
class WornDown:
    """NS-15: something without the attribute took its harm as a status."""

    who: Annotated[str, Seen.ALL]
    before: Annotated[int, Seen.ALL]
    after: Annotated[int, Seen.ALL]


@event("knocked_out", owner="who")
class KnockedOut:
    """NS-12: somebody is out of the scene."""

    who: Annotated[str, Seen.ALL]


@event("kept_down", owner="who")
class KeptDown:
    """NS-12: somebody will not wake with the next scene."""

    who: Annotated[str, Seen.ALL]


@event("woke", owner="who")
class Woke:
    """NS-12: somebody can act again; what stood at 0 stands at 1."""

    who: Annotated[str, Seen.ALL]
    raised: Annotated[tuple[Attribute, ...], Seen.ALL]


@event("healed", owner="who")
class Healed:
    """NS-14: an attribute was restored."""

    who: Annotated[str, Seen.ALL]
    attribute: Annotated[Attribute, Seen.ALL]
    gained: Annotated[int, Seen.ALL]
    now: Annotated[int, Seen.ALL]


@event("recovered", owner="who")
class Recovered:
    """NS-13: a rest gave a die back to each of these attributes."""

    who: Annotated[str, Seen.ALL]
    attributes: Annotated[tuple[Attribute, ...], Seen.ALL]


# ---------------------------------------------------------------- lessons


@event("xp_earned", owner="who")
class XpEarned:
    """NS+01: a failed roll taught something after all."""

    who: Annotated[str, Seen.ALL]
    held: Annotated[int, Seen.ALL]


@event("lesson_offered", owner="who")
class LessonOffered:
    """NS+01: all dice were sixes, or XP can make them so."""

    who: Annotated[str, Seen.ALL]
    price: Annotated[int, Seen.ALL]


@event("speciality_learned", owner="who")
class SpecialityLearned:
    """NS+01: somebody is good at something from now on."""

    who: Annotated[str, Seen.ALL]
    status: Annotated[Status, Seen.ALL]
    spent: Annotated[int, Seen.ALL]


# ---------------------------------------------------------------- prices of rewinds


@event("attribute_paid", nature=Nature.LASTING, owner="who")
class AttributePaid:
    """The price of a rewind, in points of an attribute."""

    who: Annotated[str, Seen.ALL]
    attribute: Annotated[Attribute, Seen.ALL]
    points: Annotated[int, Seen.ALL]


@event("status_paid", nature=Nature.LASTING, owner="who")
class StatusPaid:
    """The price of a rewind, as a status that stays."""

    who: Annotated[str, Seen.ALL]
    status: Annotated[Status, Seen.ALL]
