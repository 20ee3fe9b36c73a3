"""What can happen: events in the past tense, with the numbers that prove them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated

from astragal.table.declarations import Nature, event
from astragal.table.fields import Words
from astragal.table.seen import Seen

from .classes import HeroClass
from .contest_presets import ContestPreset
from .pools import EdgeRule, Pool
from .proficiency import Training
from .sheet import Numbers, Per, Sheet
from .shown import Aim, ShownRoll, ShownSide, Term
from .skills import Skill
from .trial.contests import Side

# ---------------------------------------------------------------- rolls


@event("checked", owner="who")
class Checked:
    """A check or a save was rolled."""

    who: Annotated[str, Seen.ALL]
    roll: Annotated[ShownRoll, Seen.ALL]
    request: Annotated[str | None, Seen.ALL] = None
    what_for: Annotated[Words, Seen.ALL] = ""
    """As the request has it."""


@event("attacked", owner="who")
class Attacked:
    """An attack was rolled, and did its damage if it hit."""

    who: Annotated[str, Seen.ALL]
    target: Annotated[str | None, Seen.ALL]
    roll: Annotated[ShownRoll, Seen.ALL]
    critical: Annotated[bool, Seen.ALL]
    damage: Annotated[int | None, Seen.ALL]
    dice: Annotated[str, Seen.ALL]
    """The damage as it was asked for, in dice notation."""


@event("taken", owner="who")
class Taken:
    """Somebody took 10 or 20 instead of rolling."""

    who: Annotated[str, Seen.ALL]
    roll: Annotated[ShownRoll, Seen.ALL]
    face: Annotated[int, Seen.ALL]
    times_as_long: Annotated[int, Seen.ALL]
    request: Annotated[str | None, Seen.ALL] = None
    what_for: Annotated[Words, Seen.ALL] = ""
    """As the request has it."""


@event("passive_noted", owner="who")
class PassiveNoted:
    """What somebody does without trying."""

    who: Annotated[str, Seen.ALL]
    aim: Annotated[Aim, Seen.ALL]
    terms: Annotated[tuple[Term, ...], Seen.ALL]
    score: Annotated[int, Seen.ALL]
    success: Annotated[bool | None, Seen.ALL]


@event("contested")
class Contested:
    """Two sides rolled against each other."""

    actor: Annotated[ShownSide, Seen.ALL]
    holder: Annotated[ShownSide, Seen.ALL]
    winner: Annotated[Side, Seen.ALL]
    margin: Annotated[int, Seen.ALL]
    """By how much the winner is ahead; 0 for a tie."""


@event("consequence_told")
class ConsequenceTold:
    """SP-11: what a natural 20 or 1 brought with it."""

    roll: Annotated[str, Seen.ALL]
    """The deed in which it was rolled."""
    natural: Annotated[int, Seen.ALL]
    words: Annotated[Words, Seen.ALL]


# ---------------------------------------------------------------- what rolls use up


@event("points_spent", owner="who")
class PointsSpent:
    """SP-03: points went into a roll, and are gone whether or not it succeeded."""

    who: Annotated[str, Seen.ALL]
    pool: Annotated[Pool, Seen.ALL]
    points: Annotated[int, Seen.ALL]


class Use(Enum):
    """SP-18: what Inspiration was spent for."""

    ADVANTAGE = "advantage"
    REROLL = "a reroll"


@event("inspiration_awarded", owner="who")
class InspirationAwarded:
    """The game master found somebody inspired."""

    who: Annotated[str, Seen.ALL]
    why: Annotated[Words, Seen.ALL]


@event("inspiration_spent", owner="who")
class InspirationSpent:
    """Inspiration was used up."""

    who: Annotated[str, Seen.ALL]
    use: Annotated[Use, Seen.ALL]


@event("ability_used", owner="who")
class AbilityUsed:
    """SP-19: a reroll with a name was used."""

    who: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]


@event("abilities_renewed")
class AbilitiesRenewed:
    """SP-19: what was used up in a day or an encounter can be used again."""

    per: Annotated[Per, Seen.ALL]
    who: Annotated[tuple[str, ...], Seen.ALL]


@event("points_paid", nature=Nature.LASTING, owner="who")
class PointsPaid:
    """The price of a rewind."""

    who: Annotated[str, Seen.ALL]
    pool: Annotated[Pool, Seen.ALL]
    points: Annotated[int, Seen.ALL]


# ---------------------------------------------------------------- groups and help


@event("group_check_called")
class GroupCheckCalled:
    """SP-14: everyone in a group is asked for the same check."""

    group: Annotated[str, Seen.ALL]
    members: Annotated[Mapping[str, str], Seen.ALL]
    aim: Annotated[Aim, Seen.ALL]
    leader: Annotated[str | None, Seen.ALL]


@event("ally_boosted", owner="who")
class AllyBoosted:
    """SP-14: the leader spent points on an ally's roll, before any dice."""

    group: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    ally: Annotated[str, Seen.ALL]
    pool: Annotated[Pool, Seen.ALL]
    points: Annotated[int, Seen.ALL]


@event("group_member_rolled")
class GroupMemberRolled:
    """One roll of a group check is in."""

    group: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    success: Annotated[bool, Seen.ALL]


@event("group_member_left")
class GroupMemberLeft:
    """Somebody need not roll with the group after all."""

    group: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]


@event("group_check_decided")
class GroupCheckDecided:
    """SP-14: all have rolled."""

    group: Annotated[str, Seen.ALL]
    made: Annotated[int, Seen.ALL]
    of: Annotated[int, Seen.ALL]
    success: Annotated[bool, Seen.ALL]


@event("help_offered", owner="who")
class HelpOffered:
    """SP-15: somebody would help, if the game master agrees that it helps."""

    offer: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    ally: Annotated[str, Seen.ALL]
    skill: Annotated[str, Seen.ALL]
    how: Annotated[Words, Seen.ALL]


@event("help_judged", owner="who")
class HelpJudged:
    """SP-15: the game master found help meaningful, or not."""

    offer: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    ally: Annotated[str, Seen.ALL]
    meaningful: Annotated[bool, Seen.ALL]


@event("help_lapsed")
class HelpLapsed:
    """SP-15: help that nobody judged ended with the scene."""

    offer: Annotated[str, Seen.ALL]


# ---------------------------------------------------------------- rests and harm


@event("breather_taken")
class BreatherTaken:
    """SP+03: these may roll for their short rest."""

    who: Annotated[tuple[str, ...], Seen.ALL]


@event("points_recovered", owner="who")
class PointsRecovered:
    """SP+03: a short rest gave points to spread."""

    who: Annotated[str, Seen.ALL]
    points: Annotated[int, Seen.ALL]


@event("points_spread", owner="who")
class PointsSpread:
    """SP+03: points went back into pools."""

    who: Annotated[str, Seen.ALL]
    points: Annotated[Mapping[Pool, int], Seen.ALL]


@event("pools_refilled")
class PoolsRefilled:
    """SP+03: a long rest filled all pools."""

    who: Annotated[tuple[str, ...], Seen.ALL]


@event("harmed", owner="who")
class Harmed:
    """Hit points were lost. Damage beyond the last one is lost too."""

    who: Annotated[str, Seen.ALL]
    damage: Annotated[int, Seen.ALL]
    was_down: Annotated[bool, Seen.ALL] = False
    why: Annotated[Words, Seen.ALL] = ""


@event("healed", owner="who")
class Healed:
    """Hit points came back."""

    who: Annotated[str, Seen.ALL]
    hit_points: Annotated[int, Seen.ALL]
    why: Annotated[Words, Seen.ALL] = ""


@event("went_down", owner="who")
class WentDown:
    """SP+04: somebody is down at 0 hit points."""

    who: Annotated[str, Seen.ALL]


@event("got_up", owner="who")
class GotUp:
    """Somebody is up again."""

    who: Annotated[str, Seen.ALL]


# ---------------------------------------------------------------- people and the book


@event("hero_made", nature=Nature.LASTING, owner="who")
class HeroMade:
    """A hero came into the story."""

    who: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    sheet: Annotated[Sheet, Seen.ALL]
    about: Annotated[Words, Seen.ALL]


@event("npc_made")
class NpcMade:
    """Somebody of the game master's came into the story."""

    who: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    sheet: Annotated[Sheet, Seen.ALL]
    about: Annotated[Words, Seen.ALL]


@event("numbers_opened", nature=Nature.LASTING)
class NumbersOpened:
    """Everyone may read somebody's numbers."""

    who: Annotated[str, Seen.ALL]
    numbers: Annotated[Numbers, Seen.ALL]


@event("trained", owner="who")
class Trained:
    """Somebody's training in a skill changed."""

    who: Annotated[str, Seen.ALL]
    skill: Annotated[str, Seen.ALL]
    training: Annotated[Training, Seen.ALL]


@event("armour_changed", owner="who")
class ArmourChanged:
    """Armour was put on or off."""

    who: Annotated[str, Seen.ALL]
    armour: Annotated[int, Seen.OWNER]


@event("level_raised", owner="who")
class LevelRaised:
    """SP+01, SP+02: a level more, with its points and its Edge."""

    who: Annotated[str, Seen.ALL]
    level: Annotated[int, Seen.ALL]
    points: Annotated[tuple[Pool, ...], Seen.ALL]
    edge: Annotated[Pool | None, Seen.ALL]


@event("skill_added", nature=Nature.LASTING)
class SkillAdded:
    """The table's book has a skill more."""

    skill: Annotated[Skill, Seen.ALL]


@event("class_added", nature=Nature.LASTING)
class ClassAdded:
    """The table's book has a class more."""

    hero_class: Annotated[HeroClass, Seen.ALL]


@event("contest_added", nature=Nature.LASTING)
class ContestAdded:
    """The table's book has a contest more."""

    contest: Annotated[ContestPreset, Seen.ALL]


@event("edge_rule_changed", nature=Nature.LASTING)
class EdgeRuleChanged:
    """SP-20: the table changed its rules: Edge does something else from now on."""

    before: Annotated[EdgeRule, Seen.ALL]
    after: Annotated[EdgeRule, Seen.ALL]
    why: Annotated[Words, Seen.ALL]
