"""What people ask for around the rolls: heroes and others, levels, and what a table adds to the book."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.declarations import command
from astragal.table.fields import CharacterId, Name, SeatId, Words
from astragal.table.seats import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER

from .pools import MOST_EDGE, EdgeRule, Pool
from .proficiency import Training
from .sheet import MOST_ABILITIES, Ability, Level
from .trial.contests import Side

Most: TypeAlias = Annotated[int, Ge(0), Le(99)]
Edge: TypeAlias = Annotated[int, Ge(0), Le(MOST_EDGE)]
Armour: TypeAlias = Annotated[int, Ge(0), Le(20), Doc("what armour adds to an Armour Class of 10")]
PoolsField: TypeAlias = Annotated[
    Mapping[str, Most], Doc("the most of each pool, by its key: STR, DEX, CON, INT, WIS, CHA")
]
EdgesField: TypeAlias = Annotated[Mapping[str, Edge], Doc("Edge by pool; what is not named has none")]
TrainingField: TypeAlias = Annotated[Mapping[str, Training], Doc("training by skill: trained, expert or master")]

Abilities: TypeAlias = Annotated[
    tuple[Ability, ...], MaxLen(MOST_ABILITIES), Doc("rerolls with a name; no two have the same")
]


@command("make_hero", may=GAME_MASTER_AND_PLAYERS)
class MakeHero:
    """Bring a hero into the story."""

    name: Annotated[Name, Doc("what the hero is called")]
    hero_class: Annotated[Name, Doc("the class, such as fighter or bard")]
    level: Level = 1
    pools: PoolsField = field(default_factory=dict)
    edges: EdgesField = field(default_factory=dict)
    training: TrainingField = field(default_factory=dict)
    armour: Armour = 0
    abilities: Abilities = ()
    about: Annotated[Words, Doc("a line about them")] = ""
    seat: Annotated[SeatId | None, Doc("who plays them, where the game master makes the hero")] = None


@command("make_npc", may=GAME_MASTER_ONLY)
class MakeNpc:
    """Bring somebody of the game master's into the story. They have no pools unless given some."""

    name: Annotated[Name, Doc("what they are called")]
    level: Level = 1
    pools: PoolsField = field(default_factory=dict)
    edges: EdgesField = field(default_factory=dict)
    training: TrainingField = field(default_factory=dict)
    saves: Annotated[tuple[Pool, ...], Doc("saves they are proficient in")] = ()
    casting: Annotated[Pool | None, Doc("the pool of their spells")] = None
    armour: Armour = 0
    hit_points: Annotated[int, Ge(1), Le(999), Doc("their hit points, before CON")] = 10
    abilities: Abilities = ()
    open: Annotated[bool, Doc("whether everyone may read their numbers")] = False
    about: Annotated[Words, Doc("a line about them")] = ""


@command("open_numbers", may=GAME_MASTER_ONLY)
class OpenNumbers:
    """Let everyone read somebody's numbers."""

    who: Annotated[CharacterId, Doc("whose")]


@command("train", may=GAME_MASTER_ONLY)
class Train:
    """Say how well somebody is trained in a skill."""

    who: Annotated[CharacterId, Doc("who")]
    skill: Annotated[Name, Doc("the skill")]
    training: Annotated[Training, Doc("how well")] = Training.TRAINED


@command("wear", may=GAME_MASTER_OR_OWNER, actor="who")
class Wear:
    """Put armour on or off."""

    who: Annotated[CharacterId, Doc("who")]
    armour: Armour


@command("raise_level", may=GAME_MASTER_ONLY)
class RaiseLevel:
    """Raise a hero by a level: three points, one of them in the primary pool."""

    who: Annotated[CharacterId, Doc("who")]
    points: Annotated[tuple[Pool, ...], Doc("the pools of the three points; one may be named twice")] = ()
    edge: Annotated[Pool | None, Doc("where the new step of Edge goes, at 5, 9, 13 and 17")] = None


@command("add_skill", may=GAME_MASTER_ONLY)
class AddSkill:
    """Add a skill to the table's book."""

    name: Annotated[Name, Doc("what it is called")]
    pool: Annotated[Pool, Doc("the pool it belongs to")]
    trained_only: Annotated[bool, Doc("whether it is refused to the untrained")] = False
    trains_as: Annotated[Name | None, Doc("the skill whose training counts, where it is not its own")] = None


@command("add_class", may=GAME_MASTER_ONLY)
class AddClass:
    """Add a class to the table's book."""

    name: Annotated[Name, Doc("what it is called")]
    primary: Annotated[Pool, Doc("its primary pool")]
    hit_points: Annotated[int, Ge(1), Le(40), Doc("its hit points, before CON")] = 10
    saves: Annotated[tuple[Pool, ...], Doc("saves it is proficient in")] = ()
    casting: Annotated[Pool | None, Doc("the pool of its spells")] = None


@command("add_contest", may=GAME_MASTER_ONLY)
class AddContest:
    """Add a contest to the table's book. Each side rolls a skill or a pool of its own choice among those named."""

    name: Annotated[Name, Doc("what it is called")]
    actor: Annotated[tuple[Name, ...], Doc("skills or pools for the side that wants something")]
    holder: Annotated[tuple[Name, ...], Doc("skills or pools for the side that holds out")]
    tie_to: Annotated[Side, Doc("who has a tie")] = Side.HOLDER


@command("change_edge_rule", may=GAME_MASTER_ONLY)
class ChangeEdgeRule:
    """Change what Edge does, in mid-campaign. It is recorded for good as a change of rules."""

    edge: Annotated[EdgeRule, Doc("what Edge does from now on")]
    why: Annotated[Words, Doc("why")] = ""
