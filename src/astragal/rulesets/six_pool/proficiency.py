"""What practice adds: by level, and by how well one is trained. SP-06."""

from __future__ import annotations

from enum import Enum

from .pools import steps_by


class Training(Enum):
    UNTRAINED = "untrained"
    TRAINED = "trained"
    EXPERT = "expert"
    MASTER = "master"


BEYOND_TRAINED = {Training.TRAINED: 0, Training.EXPERT: 2, Training.MASTER: 4}


def proficiency(level: int) -> int:
    """SP-06: +2, and one more at 5, 9, 13 and 17."""
    return 2 + steps_by(level)


def trained_bonus(level: int, training: Training) -> int:
    """SP-06: nothing for the untrained, all of it for the trained, 2 and 4 more for experts and masters."""
    if training is Training.UNTRAINED:
        return 0
    return proficiency(level) + BEYOND_TRAINED[training]
