"""The common contests as data. SP-13. A table adds its own with `add_contest`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from astragal.table.seen import Seen
from astragal.values import frozen

from .trial.contests import Side


@frozen(kw_only=True)
class ContestPreset:
    """What both sides may roll, skills or bare pools, the usual one first; and who has a tie."""

    name: Annotated[str, Seen.ALL]
    actor: Annotated[tuple[str, ...], Seen.ALL]
    holder: Annotated[tuple[str, ...], Seen.ALL]
    tie_to: Annotated[Side, Seen.ALL] = Side.HOLDER


def by_name(contests: Iterable[ContestPreset]) -> Mapping[str, ContestPreset]:
    return {contest.name: contest for contest in contests}


CONTESTS = by_name(
    [
        ContestPreset(name="grappling", actor=("athletics",), holder=("athletics", "acrobatics")),
        ContestPreset(name="deception", actor=("deception",), holder=("insight",)),
        ContestPreset(name="stealth", actor=("stealth",), holder=("perception",)),
        ContestPreset(name="intimidation", actor=("intimidation",), holder=("WIS", "CHA")),
        ContestPreset(name="arm wrestling", actor=("STR",), holder=("STR",)),
        ContestPreset(name="debate", actor=("persuasion", "INT"), holder=("persuasion", "INT")),
    ]
)
"""SP-13: STR against STR or DEX, CHA against WIS, DEX against WIS, CHA against WIS or CHA, STR against STR, CHA against
CHA or INT against INT."""
