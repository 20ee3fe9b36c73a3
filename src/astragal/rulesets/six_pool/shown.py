"""A roll as events tell it: to everyone what was rolled, and what would betray a hidden difficulty to nobody."""

from __future__ import annotations

from typing import Annotated

from astragal.table.seen import Seen
from astragal.values import frozen

from .pools import Pool
from .sheet import RollKind
from .trial.checks import Degree
from .trial.footing import Footing


@frozen(kw_only=True)
class Term:
    """One thing that was added to the die."""

    name: Annotated[str, Seen.ALL]
    amount: Annotated[int, Seen.ALL]


@frozen(kw_only=True)
class Aim:
    """What was rolled: the kind, the pool, and the skill or threat where one is named."""

    kind: Annotated[RollKind, Seen.ALL]
    pool: Annotated[Pool, Seen.ALL]
    name: Annotated[str, Seen.ALL] = ""


@frozen(kw_only=True)
class ShownRoll:
    """SP-01: the die and all that was added. SP-12: the degree, and the total's own band beside it."""

    aim: Annotated[Aim, Seen.ALL]
    footing: Annotated[Footing, Seen.ALL]
    because: Annotated[tuple[str, ...], Seen.ALL]
    natural: Annotated[int, Seen.ALL]
    rerolled: Annotated[tuple[str, ...], Seen.ALL]
    terms: Annotated[tuple[Term, ...], Seen.ALL]
    total: Annotated[int, Seen.ALL]
    success: Annotated[bool, Seen.ALL]
    dc: Annotated[int, Seen.DIFFICULTY]
    margin: Annotated[int, Seen.DIFFICULTY]
    degree: Annotated[Degree, Seen.DIFFICULTY]
    band: Annotated[Degree, Seen.DIFFICULTY]


@frozen(kw_only=True)
class ShownSide:
    """SP-13: one side of a contest."""

    who: Annotated[str, Seen.ALL]
    aim: Annotated[Aim, Seen.ALL]
    footing: Annotated[Footing, Seen.ALL]
    because: Annotated[tuple[str, ...], Seen.ALL]
    natural: Annotated[int, Seen.ALL]
    rerolled: Annotated[tuple[str, ...], Seen.ALL]
    terms: Annotated[tuple[Term, ...], Seen.ALL]
    total: Annotated[int, Seen.ALL]
