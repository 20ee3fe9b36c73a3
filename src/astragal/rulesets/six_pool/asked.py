"""What people ask for: the commands of rolls, contests, groups, help and rests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Annotated, Literal, TypeAlias

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.chapters.requests import RequestId
from astragal.table.declarations import command
from astragal.table.fields import Against, CharacterId, Name, Pays, Seldom, Words
from astragal.table.seats import GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER
from astragal.values import frozen

from .difficulty import EASIEST, HARDEST, Circumstance, Rung
from .pools import MOST_EFFORT, Pool
from .trial.contests import Side
from .trial.rerolls import Asks

Advantage: TypeAlias = Annotated[tuple[Name, ...], Doc("what helps, a word each")]
Disadvantage: TypeAlias = Annotated[tuple[Name, ...], Doc("what hinders, a word each")]
Modifier: TypeAlias = Annotated[int, Ge(-20), Le(20), Doc("what the situation adds to the roll"), Seldom()]
Notation: TypeAlias = Annotated[str, MinLen(1), MaxLen(60)]
DC: TypeAlias = Annotated[int | None, Ge(EASIEST), Le(HARDEST), Doc("the difficulty class"), Against()]
AC: TypeAlias = Annotated[int | None, Ge(EASIEST), Le(HARDEST), Doc("the Armour Class, where no target is named")]
Asked: TypeAlias = Annotated[RequestId | None, Doc("the game master's request that this roll answers")]
Rank: TypeAlias = Annotated[Rung | None, Doc("the difficulty by name, trivial to nearly impossible"), Against()]
Circumstances: TypeAlias = Annotated[tuple[Circumstance, ...], Doc("what makes it easier or harder; they add up")]


class Manner(Enum):
    """SP-08: how one attacks."""

    MELEE = "melee"
    RANGED = "ranged"
    SPELL = "spell"


@frozen(kw_only=True)
class Effort:
    """What one may put into any roll of one's own."""

    who: Annotated[CharacterId, Doc("who rolls")]
    points: Annotated[int, Ge(0), Le(MOST_EFFORT), Doc("pool points, declared before the roll")] = 0
    inspiration: Annotated[bool, Doc("whether Inspiration is spent now, for advantage"), Pays()] = False
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    modifier: Modifier = 0
    rerolls: Annotated[Asks, Doc("when to be asked for a reroll"), Seldom()] = Asks.IF_IT_FAILS


@command("check", may=GAME_MASTER_OR_OWNER, actor="who")
class Check(Effort):
    """Roll a skill, or a bare pool, against a difficulty."""

    skill: Annotated[Name | None, Doc("the skill; without one, a pool")] = None
    pool: Annotated[Pool | None, Doc("the pool, where no skill fits")] = None
    dc: DC = None
    difficulty: Rank = None
    circumstances: Circumstances = ()
    requires_training: Annotated[bool, Doc("whether only the trained may try"), Seldom()] = False
    request: Asked = None


@command("save", may=GAME_MASTER_OR_OWNER, actor="who")
class Save(Effort):
    """Roll to withstand something."""

    threat: Annotated[Name | None, Doc("what is withstood, such as poison or fear: it says which pool")] = None
    pool: Annotated[Pool | None, Doc("the pool, where no threat is named")] = None
    dc: DC = None
    difficulty: Rank = None
    circumstances: Circumstances = ()
    request: Asked = None


@command("attack", may=GAME_MASTER_OR_OWNER, actor="who")
class Attack(Effort):
    """Roll against somebody's Armour Class; a hit deals its damage."""

    target: Annotated[CharacterId | None, Doc("who is attacked")] = None
    ac: AC = None
    manner: Annotated[Manner, Doc("melee rolls STR, ranged DEX, a spell its caster's pool")] = Manner.MELEE
    damage: Annotated[Notation, Doc("damage in dice notation, such as 1d8+2")] = "1d6"
    circumstances: Circumstances = ()


@command("take", may=GAME_MASTER_OR_OWNER, actor="who")
class Take:
    """Take 10 on routine work, or 20 with all the time in the world. No die, no points."""

    who: Annotated[CharacterId, Doc("who does it")]
    face: Annotated[Literal[10, 20], Doc("10 or 20")] = 10
    skill: Annotated[Name | None, Doc("the skill; without one, a pool")] = None
    pool: Annotated[Pool | None, Doc("the pool, where no skill fits")] = None
    dc: DC = None
    difficulty: Rank = None
    circumstances: Circumstances = ()
    modifier: Modifier = 0
    harmless: Annotated[bool, Doc("for 20: whether time is no matter and failure harmless")] = False
    requires_training: Annotated[bool, Doc("whether only the trained may try"), Seldom()] = False
    request: Asked = None


@command("passive", may=GAME_MASTER_OR_OWNER, actor="who")
class Passive:
    """Note what somebody would do without trying: 10 and what is added to a roll."""

    who: Annotated[CharacterId, Doc("whose")]
    skill: Annotated[Name, Doc("the skill")] = "perception"
    modifier: Modifier = 0
    dc: DC = None


@command("contest", may=GAME_MASTER_OR_OWNER, actor="who")
class Contest:
    """Roll against somebody else. Both declare their points in secret and at the same time."""

    who: Annotated[CharacterId, Doc("who wants something")]
    against: Annotated[CharacterId, Doc("who holds out")]
    contest: Annotated[Name | None, Doc("one of the common contests; it says what both roll")] = None
    skill: Annotated[Name | None, Doc("what the actor rolls, where no contest says it")] = None
    pool: Annotated[Pool | None, Doc("the actor's pool, or which of a contest's pools")] = None
    against_skill: Annotated[Name | None, Doc("what the other side rolls"), Seldom()] = None
    against_pool: Annotated[Pool | None, Doc("the other side's pool"), Seldom()] = None
    tie_to: Annotated[Side | None, Doc("who has a tie; unsaid, the contest's own word or the holder"), Seldom()] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    against_advantage: Annotated[tuple[Name, ...], Doc("what helps the other side"), Seldom()] = ()
    against_disadvantage: Annotated[tuple[Name, ...], Doc("what hinders the other side"), Seldom()] = ()
    modifier: Modifier = 0
    against_modifier: Annotated[int, Ge(-20), Le(20), Doc("what the situation adds to the other roll"), Seldom()] = 0
    rerolls: Annotated[Asks, Doc("whether both sides are asked for rerolls"), Seldom()] = Asks.ALWAYS


@command("call_group_check", may=GAME_MASTER_ONLY)
class CallGroupCheck:
    """Ask everyone in a group for the same check; half is enough."""

    members: Annotated[tuple[CharacterId, ...], Doc("who rolls; nobody named means every player's character")] = ()
    skill: Annotated[Name | None, Doc("the skill; without one, a pool")] = None
    pool: Annotated[Pool | None, Doc("the pool, where no skill fits")] = None
    dc: Annotated[int, Ge(EASIEST), Le(HARDEST), Doc("the difficulty class")] = 15
    hidden: Annotated[bool, Doc("whether the difficulty is the game master's secret")] = False
    leader: Annotated[CharacterId | None, Doc("who may spend points on one ally's roll")] = None
    what_for: Annotated[Words, Doc("what it is about")] = ""


@command("lead", may=GAME_MASTER_OR_OWNER, actor="who")
class Lead:
    """As the leader of a group check, spend points on one ally's roll, before any dice."""

    who: Annotated[CharacterId, Doc("the leader")]
    ally: Annotated[CharacterId, Doc("whose roll")]
    points: Annotated[int, Ge(1), Le(MOST_EFFORT), Doc("how many points, each +1")]


@command("help", may=GAME_MASTER_OR_OWNER, actor="who")
class Help:
    """Spend your action on helping somebody: advantage on their next roll, if it means anything."""

    who: Annotated[CharacterId, Doc("who helps")]
    ally: Annotated[CharacterId, Doc("who is helped")]
    skill: Annotated[Name | None, Doc("the skill that it is about; the helper must be trained in it")] = None
    how: Annotated[Words, Doc("how they help")] = ""


@command("judge_help", may=GAME_MASTER_ONLY)
class JudgeHelp:
    """Say whether help that was offered is meaningful."""

    offer: Annotated[Name, Doc("the offer")]
    meaningful: Annotated[bool, Doc("whether it helps")] = True
    waive_training: Annotated[bool, Doc("whether an untrained helper will do")] = False


@command("award_inspiration", may=GAME_MASTER_ONLY)
class AwardInspiration:
    """Award Inspiration. One is held at most."""

    who: Annotated[CharacterId, Doc("who is inspired")]
    why: Annotated[Words, Doc("what for")] = ""


@command("recover", may=GAME_MASTER_OR_OWNER, actor="who")
class Recover:
    """Roll for a short rest: 1d6 and the level, in points to spread."""

    who: Annotated[CharacterId, Doc("who has rested")]


@command("spread", may=GAME_MASTER_OR_OWNER, actor="who")
class Spread:
    """Put points from a short rest into depleted pools."""

    who: Annotated[CharacterId, Doc("who has rested")]
    points: Annotated[Mapping[str, Annotated[int, Ge(1), Le(99)]], Doc("points by pool")] = field(default_factory=dict)


@command("harm", may=GAME_MASTER_ONLY)
class Harm:
    """Take hit points for what happens in the story: a fall, fire, poison."""

    who: Annotated[CharacterId, Doc("who is harmed")]
    damage: Annotated[Notation, Doc("how much, as a number or in dice notation")] = "1d6"
    why: Annotated[Words, Doc("what does the harm")] = ""


@command("heal", may=GAME_MASTER_ONLY)
class Heal:
    """Give hit points back, never past the most."""

    who: Annotated[CharacterId, Doc("who is healed")]
    hit_points: Annotated[int, Ge(1), Le(999), Doc("how many")]
    why: Annotated[Words, Doc("what heals")] = ""
