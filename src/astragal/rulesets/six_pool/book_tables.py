"""The rules of Six-Pool d20, the books they follow, and the ladder's chances. SP-01, SP-05."""

from __future__ import annotations

from astragal.chance import odds
from astragal.game import BookTable

from .circumstances import Rung
from .rolls import check

BONUSES = range(21)
RUNGS = tuple(rung.dc for rung in Rung)


def chances_on_the_ladder() -> BookTable:
    """SP-01, SP-05: the chance to reach each rung with each bonus."""
    head = ("bonus", *(f"{rung.value} ({rung.dc})" for rung in Rung))
    rows = []
    for bonus in BONUSES:
        chances = (odds(check(bonus=bonus, dc=dc)).percent(lambda roll: roll.success) for dc in RUNGS)
        rows.append((f"{bonus:+d}", *(f"{float(chance):.1f}" for chance in chances)))
    return BookTable("Chances on the ladder, in percent", head, tuple(rows))
