"""What the custodian reaches for, in groups, and the moves that Pressure allows as it stands. SS-52, SS-53."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.furniture import Proposal, Tools
from astragal.table.ruleset import Teller

from .game import Table
from .pressure_moves import moves_at
from .tracks import step, tracks

TOOLS = (
    Tools("bring in", ("make_npc", "open_scores")),
    Tools("luck", ("grant_luck", "refill_luck", "luck_from_rest", "bless")),
    Tools("harm and healing", ("harm", "heal", "record_fate")),
    Tools("pressure", ("raise_pressure", "pressure_move", "face_crisis", "set_quest", "complete_quest")),
    Tools("the story", ("deal_move", "mark_beat", "milestone", "resolve")),
    Tools("toolkit", ("roll_sides", "grant_favours", "raise_stress", "ease_stress", "show_wealth", "set_wealth")),
    Tools("rules in play", ("switch_plugin",)),
)


def proposals(state: Table, teller: Teller) -> Iterator[Proposal]:
    """SS-53: proposed, and the custodian's to take."""
    for track in tracks(state):
        whose = "" if track is None else f"{teller.name(track)}: "
        at = step(state, track)
        for move in moves_at(at, state.options.step4_surcharge):
            fields = (("move", move.value), ("who", track))
            yield Proposal(f"{whose}{teller.term('pressure')} at {at}", move.value, "pressure_move", fields)
