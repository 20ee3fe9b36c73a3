"""What a short rest gives. SP+03."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Rolls, d6, rule
from astragal.rulesets.six_pool.pools import HIGHEST_LEVEL


@rule
def short_rest(level: Annotated[int, Ge(1), Le(HIGHEST_LEVEL), Doc("the level of who rests")]) -> Rolls[int]:
    """SP+03: 1d6 and the level, in points to spread over depleted pools."""
    face = yield from d6
    return face + level
