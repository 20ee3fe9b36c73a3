"""What a table of Narraject can play in more than one way. The book's way is the default."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.table.seen import Seen
from astragal.values import frozen

from .hand import HandFloor


class AnchorsPerRoll(Enum):
    """NJ-14: whether all Anchors that apply count, or the one that is chosen."""

    UNLIMITED = "unlimited"
    ONE = "one"


class StressClears(Enum):
    """NJ+03: when boxes that are filled become empty again."""

    REST = "rest"
    SCENE = "scene"


@frozen(kw_only=True)
class Options:
    """Agreed on when the table is opened."""

    anchors_per_roll: Annotated[AnchorsPerRoll, Doc("NJ-14: how many Anchors a roll can count"), Seen.ALL] = (
        AnchorsPerRoll.UNLIMITED
    )
    hand_floor: Annotated[HandFloor, Doc("NJ-20: what a hand never falls below"), Seen.ALL] = HandFloor.RATING
    stat_points: Annotated[bool, Doc("NJ+01: whether new heroes keep to a power level"), Seen.ALL] = True
    power_level: Annotated[int, Ge(1), Le(20), Doc("NJ+01: the power level of new heroes"), Seen.ALL] = 2
    recovery: Annotated[bool, Doc("NJ+02: whether rests and new sessions restore Reserve"), Seen.ALL] = True
    stress: Annotated[bool, Doc("NJ+03: whether harm fills boxes and leaves Conditions"), Seen.ALL] = True
    stress_clears: Annotated[StressClears, Doc("NJ+03: when boxes become empty again"), Seen.ALL] = StressClears.REST
    threats: Annotated[bool, Doc("NJ+04: whether enemies have a threat level"), Seen.ALL] = True
    treatment: Annotated[bool, Doc("NJ+05: whether rest and treatment ease Conditions"), Seen.ALL] = True
    advancement: Annotated[bool, Doc("NJ+06: whether Narrative Points are earned and spent"), Seen.ALL] = True
