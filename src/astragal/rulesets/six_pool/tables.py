"""The ladder's chances, as every surface can ask for them. SP-01, SP-05."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from astragal.chance import odds
from astragal.table.creation import BookTable

from .difficulty import Rung
from .trial.checks import check


def _ladder() -> BookTable:
    """SP-01, SP-05: the chance to reach each rung with each bonus."""
    head = ("bonus", *(f"{rung.value} ({rung.dc})" for rung in Rung))
    rows = tuple((f"{bonus:+d}", *(_percent(bonus, rung.dc) for rung in Rung)) for bonus in range(21))
    return BookTable("Chances on the ladder, in percent", head, rows)


def _percent(bonus: int, dc: int) -> str:
    return f"{float(odds(check(bonus=bonus, dc=dc)).percent(lambda roll: roll.success, 1)):.1f}"


TABLES: Mapping[str, Callable[[], BookTable]] = {"ladder": _ladder}
