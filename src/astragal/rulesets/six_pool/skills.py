"""Skills as data: each belongs to one pool. SP-07. A table adds its own with `add_skill`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from astragal.table.seen import Seen
from astragal.values import frozen

from .pools import Pool


@frozen(kw_only=True)
class Skill:
    """Something one can be trained in."""

    name: Annotated[str, Seen.ALL]
    pool: Annotated[Pool, Seen.ALL]
    trained_only: Annotated[bool, Seen.ALL] = False
    """Is it refused to the untrained?"""
    trains_as: Annotated[str, Seen.ALL] = ""
    """The skill whose training counts, where it is not its own: a harder use of the same craft."""

    @property
    def trained_by(self) -> str:
        return self.trains_as or self.name


def _of(pool: Pool, *names: str) -> list[Skill]:
    return [Skill(name=name, pool=pool) for name in names]


def by_name(skills: Iterable[Skill]) -> Mapping[str, Skill]:
    return {skill.name: skill for skill in skills}


SKILLS = by_name(
    [
        *_of(Pool.STR, "athletics", "climbing", "jumping", "breaking objects"),
        *_of(Pool.DEX, "acrobatics", "sleight of hand", "stealth", "lock picking"),
        *_of(Pool.CON, "endurance", "resisting the environment"),
        *_of(Pool.INT, "investigation", "history", "arcana", "nature", "religion"),
        Skill(name="arcane knowledge", pool=Pool.INT, trained_only=True, trains_as="arcana"),
        *_of(Pool.WIS, "perception", "insight", "survival", "animal handling", "medicine"),
        Skill(name="complex medicine", pool=Pool.WIS, trained_only=True, trains_as="medicine"),
        *_of(Pool.CHA, "persuasion", "deception", "intimidation", "performance"),
    ]
)
"""SP-07: the book's skills. Arcane knowledge and complex medicine ask for training."""
