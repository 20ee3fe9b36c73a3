"""The custodian's people by tier. SS+03."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Literal

Tier = Literal[8, 10, 12, 14, 16]

STAMINA_BY_TIER: dict[int, int] = {8: 3, 10: 4, 12: 5, 14: 6, 16: 7}


class Size(Enum):
    """SS+03: how much more Stamina there is to wear down."""

    USUAL = "usual"
    LARGE = "large"
    BOSS = "boss"

    @property
    def more_stamina(self) -> int:
        return {Size.USUAL: 0, Size.LARGE: 2, Size.BOSS: 4}[self]


def tier_stamina(tier: int, size: Size) -> int:
    return STAMINA_BY_TIER[tier] + size.more_stamina


def tier_scores(tier: int, attributes: Sequence[str], best: str | None, worst: str | None) -> dict[str, int]:
    """SS+03: one score for all; where a best is named it is the tier, the others 2 less, the worst 4 less."""
    if best is None and worst is None:
        return dict.fromkeys(attributes, tier)
    marked = {best: tier, worst: tier - 4}
    return {key: marked.get(key, tier - 2) for key in attributes}
