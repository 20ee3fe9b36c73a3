"""What the game itself remembers, besides its people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, TypeAlias

from astragal.table.refusals import NoSuchThing
from astragal.table.seen import Seen
from astragal.table.state import State, TableState
from astragal.values import frozen

from .classes import CLASSES, HeroClass
from .contest_presets import CONTESTS, ContestPreset
from .options import Options
from .sheet import Sheet
from .skills import SKILLS, Skill


@frozen(kw_only=True)
class GroupRoll:
    """SP-14: a group check that is under way."""

    id: Annotated[str, Seen.ALL]
    members: Annotated[Mapping[str, str], Seen.ALL]
    """Each member's request."""
    leader: Annotated[str | None, Seen.ALL] = None
    boosted: Annotated[str | None, Seen.ALL] = None
    """The ally on whose roll the leader has spent."""
    boost: Annotated[int, Seen.ALL] = 0
    rolled: Annotated[Mapping[str, bool], Seen.ALL] = field(default_factory=dict)
    """Who has rolled, and whether they made it."""

    @property
    def is_complete(self) -> bool:
        return bool(self.rolled) and self.members.keys() <= self.rolled.keys()


@frozen(kw_only=True)
class HelpOffer:
    """SP-15: help that the game master has yet to find meaningful."""

    id: Annotated[str, Seen.ALL]
    who: Annotated[str, Seen.ALL]
    ally: Annotated[str, Seen.ALL]
    skill: Annotated[str, Seen.ALL]


@frozen(kw_only=True)
class Game:
    skills: Annotated[Mapping[str, Skill], Seen.ALL] = field(default_factory=dict)
    """SP-07: those that the table added."""
    classes: Annotated[Mapping[str, HeroClass], Seen.ALL] = field(default_factory=dict)
    contests: Annotated[Mapping[str, ContestPreset], Seen.ALL] = field(default_factory=dict)
    groups: Annotated[Mapping[str, GroupRoll], Seen.ALL] = field(default_factory=dict)
    help_offered: Annotated[Mapping[str, HelpOffer], Seen.ALL] = field(default_factory=dict)
    resting: Annotated[tuple[str, ...], Seen.ALL] = ()
    """SP+03: who has had a short rest and not rolled for it."""
    recovered: Annotated[Mapping[str, int], Seen.ALL] = field(default_factory=dict)
    """SP+03: points that are still to be spread."""


Table: TypeAlias = TableState[Game, Sheet, Options]


def known_skills(state: State) -> Mapping[str, Skill]:
    return {**SKILLS, **state.game.skills}


def known_classes(state: State) -> Mapping[str, HeroClass]:
    return {**CLASSES, **state.game.classes}


def known_contests(state: State) -> Mapping[str, ContestPreset]:
    return {**CONTESTS, **state.game.contests}


def find_skill(state: State, name: str) -> Skill:
    """The skill of this name, however it is written."""
    skills = known_skills(state)
    found = skills.get(name.strip().casefold())
    if found is None:
        raise NoSuchThing(f"There is no skill {name[:40]!r}; there are {', '.join(skills)}.")
    return found
