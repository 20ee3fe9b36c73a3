"""Marks that say who may see a field. What has no mark is the game master's alone."""

from enum import Enum


class Seen(Enum):
    """Viewers of a field."""

    ALL = "everyone"
    OWNER = "the owner and the game master"
    DIFFICULTY = "everyone, unless the roll's difficulty is hidden"
    GAME_MASTER = "the game master"
    NOBODY = "nobody, until the table opens it"
