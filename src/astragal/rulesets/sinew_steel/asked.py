"""What people ask for: the commands of tests, fights, Luck, Stamina and gear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.chapters.requests import RequestId
from astragal.table.declarations import command
from astragal.table.fields import LONGEST_TEXT, CharacterId, FreeText, Name, SeatId, Seldom, Words
from astragal.table.seats import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER
from astragal.values import frozen

from .resolution import Resolution
from .sheet import Fate, Item
from .tiers import Size, Tier
from .ways import Guard, Manner

Stakes: TypeAlias = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]
Key: TypeAlias = Annotated[str, MinLen(1), MaxLen(20)]
Advantage: TypeAlias = Annotated[tuple[Name, ...], Doc("what helps, a word each: flanking; others are the custodian's")]
Disadvantage: TypeAlias = Annotated[
    tuple[Name, ...], Doc("what hinders, a word each: blind; others are the custodian's")
]
Lethal: TypeAlias = Annotated[
    Fate | None, Doc("lethal stakes, called by the custodian: the fate that was agreed on if it goes wrong"), Seldom()
]
WantedScore: TypeAlias = Annotated[int, Ge(-99), Le(99)]
"""Wider than any rail: what lies beyond a rail is refused with the rail's numbers."""
NamedScore: TypeAlias = Annotated[
    int | None, Ge(0), Le(20), Doc("a score that the custodian names for somebody of theirs"), Seldom()
]

# ---------------------------------------------------------------- people


@command("make_hero", may=GAME_MASTER_AND_PLAYERS)
class MakeHero:
    """Bring a hero into the story."""

    name: Annotated[Name, Doc("what the hero is called")]
    scores: Annotated[
        Mapping[str, WantedScore], Doc("scores by key, STM for Stamina; what is left out is at baseline")
    ] = field(default_factory=dict)
    gear: Annotated[tuple[Item, ...], Doc("what the hero carries")] = ()
    kit: Annotated[tuple[Name, ...], Doc("what else the hero carries, by the names that the skin has for it")] = ()
    concept: Annotated[Words, Doc("who they are, in a line")] = ""
    advantage: Annotated[Words, Doc("one small advantage in words")] = ""
    wealth: Annotated[int, Ge(0), Le(4), Doc("0 broke, 1 poor, 2 steady, 3 flush, 4 rich")] = 2
    seat: Annotated[SeatId | None, Doc("whose hero it is, where the game master makes it")] = None
    notes: Annotated[Words, Doc("what the player wants to remember; others do not see it")] = ""


@command("take_sample", may=GAME_MASTER_AND_PLAYERS)
class TakeSample:
    """Play one of the heroes that the skin has ready."""

    sample: Annotated[Name, Doc("the sample hero's name")]
    seat: Annotated[SeatId | None, Doc("whose hero it is, where the game master gives it")] = None


@command("make_npc", may=GAME_MASTER_ONLY)
class MakeNpc:
    """Bring somebody of the custodian's into the story."""

    name: Annotated[Name, Doc("what they are called")]
    score: Annotated[int, Ge(1), Le(20), Doc("one score for all attributes")] = 10
    scores: Annotated[Mapping[str, WantedScore], Doc("scores by key that differ from it")] = field(default_factory=dict)
    stamina: Annotated[int | None, Ge(1), Le(20), Doc("Stamina; unsaid, 4, or what the tier gives")] = None
    tier: Annotated[Tier | None, Doc("a tier, which gives scores and Stamina")] = None
    best: Annotated[Key | None, Doc("the attribute at the tier, where the others are to be lower")] = None
    worst: Annotated[Key | None, Doc("the attribute four under the tier")] = None
    size: Annotated[Size, Doc("large and boss have more Stamina than their tier")] = Size.USUAL
    luck: Annotated[int, Ge(0), Le(20), Doc("tokens; most have none")] = 0
    gear: Annotated[tuple[Item, ...], Doc("what they carry")] = ()
    kit: Annotated[tuple[Name, ...], Doc("what else they carry, by the names that the skin has for it")] = ()
    shown: Annotated[bool, Doc("whether players know the scores")] = False


@command("open_scores", may=GAME_MASTER_ONLY)
class OpenScores:
    """Let everyone know somebody's scores, for good."""

    who: Annotated[CharacterId, Doc("whose scores")]


@command("carry", may=GAME_MASTER_OR_OWNER, actor="who")
class Carry:
    """Take something along."""

    who: Annotated[CharacterId, Doc("who carries it")]
    item: Annotated[Item | Name, Doc("the thing, or the name that the skin has for it")]


@command("drop", may=GAME_MASTER_OR_OWNER, actor="who")
class Drop:
    """Leave something behind."""

    who: Annotated[CharacterId, Doc("who carries it")]
    item: Annotated[Name, Doc("what the thing is called")]


# ---------------------------------------------------------------- rolls


@frozen(kw_only=True)
class Trial:
    """What every test of an attribute is asked with."""

    who: Annotated[CharacterId, Doc("who rolls")]
    attribute: Annotated[Key, Doc("the key of the attribute")]
    stakes: Annotated[Words, Doc("what is at stake, unless the request says so")] = ""
    request: Annotated[RequestId | None, Doc("the request that this roll meets")] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    lethal: Lethal = None


@command("test", may=GAME_MASTER_OR_OWNER, actor="who")
class Attempt(Trial):
    """Roll a d20 at or under an attribute. Luck may be spent once the die is seen."""

    ask: Annotated[bool, Doc("whether to stop for Luck even where no spend changes anything"), Seldom()] = False


@command("luck_test", may=GAME_MASTER_OR_OWNER, actor="who")
class TryLuck:
    """Roll a d20 at or under the tokens now held: for what no attribute covers."""

    who: Annotated[CharacterId, Doc("whose Luck")]
    why: Annotated[Stakes, Doc("why no attribute covers it")]
    stakes: Annotated[Words, Doc("what is at stake, unless the request says so")] = ""
    request: Annotated[RequestId | None, Doc("the request that this roll meets")] = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    lethal: Lethal = None


@command("opposed_test", may=GAME_MASTER_OR_OWNER, actor="attacker")
class Oppose:
    """Both sides roll under their own score; the greater margin wins, ties are the defender's."""

    attacker: Annotated[CharacterId, Doc("who wants something")]
    attribute: Annotated[Key, Doc("the key of the attacker's attribute")]
    defender: Annotated[CharacterId, Doc("who holds out")]
    defence_attribute: Annotated[Key, Doc("the key of the defender's attribute")]
    stakes: Annotated[Stakes, Doc("what is at stake")]
    defence_score: NamedScore = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    defence_advantage: Annotated[Advantage, Seldom()] = ()
    defence_disadvantage: Annotated[Disadvantage, Seldom()] = ()


@command("attack", may=GAME_MASTER_OR_OWNER, actor="attacker")
class Strike:
    """Attack somebody, to harm or for a consequence that was agreed on."""

    attacker: Annotated[CharacterId, Doc("who attacks")]
    defender: Annotated[CharacterId, Doc("who is attacked")]
    manner: Annotated[Manner, Doc("how; the usual attribute follows from it")] = Manner.HEAVY
    attribute: Annotated[Key | None, Doc("another attribute than the usual one"), Seldom()] = None
    guard: Annotated[Guard, Doc("how the other defends; none and chance are the custodian's to call")] = Guard.DODGE
    defence_attribute: Annotated[
        Key | None, Doc("another attribute than the usual one; that of Luck defends even the helpless"), Seldom()
    ] = None
    defence_score: NamedScore = None
    weapon: Annotated[Name | None, Doc("what the attacker carries and strikes with; without, bare hands")] = None
    consequence: Annotated[Words, Doc("what was agreed on in place of damage: disarmed, driven off …"), Seldom()] = ""
    lethal: Lethal = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    defence_advantage: Annotated[Advantage, Seldom()] = ()
    defence_disadvantage: Annotated[Disadvantage, Seldom()] = ()


@command("resolve", may=GAME_MASTER_ONLY)
class Resolve:
    """Settle something without dice, where nothing is at stake or nothing is uncertain."""

    who: Annotated[CharacterId, Doc("who wants something")]
    answer: Annotated[Resolution, Doc("how it goes")]
    matter: Annotated[Stakes, Doc("what they want")]
    told: Annotated[Words, Doc("what comes of it, the “but” included")] = ""


# ---------------------------------------------------------------- Luck and Stamina


@command("grant_luck", may=GAME_MASTER_ONLY)
class GrantLuck:
    """Give tokens, up to the size of the pool."""

    who: Annotated[CharacterId, Doc("who is favoured")]
    tokens: Annotated[int, Ge(1), Le(20), Doc("how many tokens")] = 1


@command("bless", may=GAME_MASTER_ONLY)
class Bless:
    """Give 1d4 tokens, up to the size of the pool."""

    who: Annotated[CharacterId, Doc("who is blessed")]


@command("refill_luck", may=GAME_MASTER_ONLY)
class RefillLuck:
    """Fill a pool, as a milestone does."""

    who: Annotated[CharacterId, Doc("whose pool")]


@command("luck_from_rest", may=GAME_MASTER_ONLY)
class LuckFromRest:
    """Say whether rests give tokens for the time being."""

    given: Annotated[bool, Doc("whether they do")]


@command("harm", may=GAME_MASTER_ONLY)
class Harm:
    """Take Stamina for what happens in the story: a fall, fire, hunger."""

    who: Annotated[CharacterId, Doc("who is harmed")]
    damage: Annotated[int, Ge(1), Le(20), Doc("how much")] = 1
    why: Annotated[Words, Doc("what does the harm")] = ""


@command("heal", may=GAME_MASTER_ONLY)
class Heal:
    """Give Stamina back for what happens in the story, never past the most."""

    who: Annotated[CharacterId, Doc("who is healed")]
    stamina: Annotated[int, Ge(1), Le(20), Doc("how much")] = 1
    why: Annotated[Words, Doc("what heals")] = ""


@command("record_fate", may=GAME_MASTER_ONLY)
class RecordFate:
    """Record what became of somebody who collapsed."""

    who: Annotated[CharacterId, Doc("whose fate")]
    fate: Annotated[Fate | None, Doc("dead, rescued or captured; nothing takes it back")]
    told: Annotated[Words, Doc("how it came")] = ""
