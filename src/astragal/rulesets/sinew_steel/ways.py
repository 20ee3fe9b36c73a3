"""How one attacks and how one defends. SS-43."""

from __future__ import annotations

from enum import Enum

from .options import Options


class Manner(Enum):
    """SS-43: how one attacks."""

    HEAVY = "heavy"
    FAST = "fast"
    CLEVER = "clever"
    PRESENCE = "presence"
    LUCKY = "lucky"

    def usual(self, options: Options) -> str:
        """The attribute that usually fits: as the skin says, else by its place among the five."""
        force, _, wits, presence, _ = options.attributes
        by_place = {
            Manner.HEAVY: force,
            Manner.FAST: options.agility,
            Manner.CLEVER: wits,
            Manner.PRESENCE: presence,
            Manner.LUCKY: options.luck,
        }
        return options.usual_attack.get(self.value, by_place[self])


class Guard(Enum):
    """SS-43: how one defends, or that one can't (SS-33)."""

    DODGE = "dodge"
    PARRY = "parry"
    COVER = "cover"
    COMPOSURE = "composure"
    CHANCE = "chance"
    NONE = "none"

    def usual(self, options: Options) -> str:
        """The attribute that usually fits: as the skin says, else by its place among the five."""
        force, _, wits, presence, _ = options.attributes
        by_place = {
            Guard.DODGE: options.agility,
            Guard.PARRY: force,
            Guard.COVER: wits,
            Guard.COMPOSURE: presence,
        }
        return options.usual_defence.get(self.value, by_place.get(self, options.luck))
