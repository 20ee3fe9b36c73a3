"""The book's lists: six pools, skills, classes and common contests. A table adds its own."""

from collections.abc import Mapping
from enum import Enum, StrEnum

from astragal.game import Seen, Value


class Pool(StrEnum):
    """SP-02: six pools, in the book's order."""

    STR = "STR"
    DEX = "DEX"
    CON = "CON"
    INT = "INT"
    WIS = "WIS"
    CHA = "CHA"


def pool_called(name: str) -> Pool | None:
    """Return the pool of this name, ignoring case and surrounding spaces, or None."""
    key = name.strip().upper()
    for pool in Pool:
        if pool.value == key:
            return pool
    return None


def by_pool(numbers: Mapping[str, int]) -> dict[Pool, int]:
    """Look up the pools that numbers are for, in any case; unknown names are left out."""
    number_by_pool = {}
    for name, number in numbers.items():
        pool = pool_called(name)
        if pool is not None:
            number_by_pool[pool] = number
    return number_by_pool


class Training(Enum):
    UNTRAINED = "untrained"
    TRAINED = "trained"
    EXPERT = "expert"
    MASTER = "master"


class Skill(Value, seen=Seen.ALL):
    """A skill belongs to one pool."""

    name: str
    pool: Pool
    trained_only: bool = False
    """True if it is refused to the untrained."""
    trains_as: str = ""
    """The skill whose training counts, if not this one's own: this one is a harder use of the same craft."""

    @property
    def trained_by(self) -> str:
        return self.trains_as or self.name


def skills_of(pool: Pool, *names: str) -> list[Skill]:
    return [Skill(name=name, pool=pool) for name in names]


SKILLS: Mapping[str, Skill] = {
    skill.name: skill
    for skill in (
        *skills_of(Pool.STR, "athletics", "climbing", "jumping", "breaking objects"),
        *skills_of(Pool.DEX, "acrobatics", "sleight of hand", "stealth", "lock picking"),
        *skills_of(Pool.CON, "endurance", "resisting the environment"),
        *skills_of(Pool.INT, "investigation", "history", "arcana", "nature", "religion"),
        Skill(name="arcane knowledge", pool=Pool.INT, trained_only=True, trains_as="arcana"),
        *skills_of(Pool.WIS, "perception", "insight", "survival", "animal handling", "medicine"),
        Skill(name="complex medicine", pool=Pool.WIS, trained_only=True, trains_as="medicine"),
        *skills_of(Pool.CHA, "persuasion", "deception", "intimidation", "performance"),
    )
}
"""SP-07: the book's skills. Arcane knowledge and complex medicine ask for training."""

CASTING = (Pool.INT, Pool.WIS, Pool.CHA)
"""SP-08: the pools that spells can come from."""


class HeroClass(Value, seen=Seen.ALL):
    """A class: its primary pool, its hit points, the saves it is proficient in, the pool of its spells."""

    name: str
    primary: Pool
    hit_points: int
    """The class base, before a third of CON is added."""
    saves: tuple[Pool, ...] = ()
    """The book does not say which: a class has its primary pool and one more."""
    casting: Pool | None = None
    """SP-08: the pool of its spell attacks."""


CLASSES: Mapping[str, HeroClass] = {
    hero_class.name: hero_class
    for hero_class in (
        HeroClass(name="fighter", primary=Pool.STR, hit_points=12, saves=(Pool.STR, Pool.CON)),
        HeroClass(name="rogue", primary=Pool.DEX, hit_points=10, saves=(Pool.DEX, Pool.INT)),
        HeroClass(name="ranger", primary=Pool.DEX, hit_points=11, saves=(Pool.DEX, Pool.WIS), casting=Pool.WIS),
        HeroClass(name="barbarian", primary=Pool.CON, hit_points=14, saves=(Pool.CON, Pool.STR)),
        HeroClass(name="wizard", primary=Pool.INT, hit_points=8, saves=(Pool.INT, Pool.WIS), casting=Pool.INT),
        HeroClass(name="cleric", primary=Pool.WIS, hit_points=10, saves=(Pool.WIS, Pool.CHA), casting=Pool.WIS),
        HeroClass(name="warlock", primary=Pool.CHA, hit_points=10, saves=(Pool.CHA, Pool.WIS), casting=Pool.CHA),
        HeroClass(name="bard", primary=Pool.CHA, hit_points=10, saves=(Pool.CHA, Pool.DEX), casting=Pool.CHA),
    )
}
"""The eight classes, their primary pools and hit points."""


class Side(Enum):
    """The two sides of a contest: the actor wants something, the holder holds out."""

    ACTOR = "actor"
    HOLDER = "holder"


class ContestPreset(Value, seen=Seen.ALL):
    """A named contest: skills or bare pools that each side may roll, the usual one first, and who wins a tie."""

    name: str
    actor: tuple[str, ...]
    holder: tuple[str, ...]
    tie_to: Side = Side.HOLDER


CONTESTS: Mapping[str, ContestPreset] = {
    preset.name: preset
    for preset in (
        ContestPreset(name="grappling", actor=("athletics",), holder=("athletics", "acrobatics")),
        ContestPreset(name="deception", actor=("deception",), holder=("insight",)),
        ContestPreset(name="stealth", actor=("stealth",), holder=("perception",)),
        ContestPreset(name="intimidation", actor=("intimidation",), holder=("WIS", "CHA")),
        ContestPreset(name="arm wrestling", actor=("STR",), holder=("STR",)),
        ContestPreset(name="debate", actor=("persuasion", "INT"), holder=("persuasion", "INT")),
    )
}
"""SP-13: STR against STR or DEX, CHA against WIS, DEX against WIS, CHA against WIS or CHA, STR against STR, CHA against
CHA or INT against INT."""
