"""What the game master reaches for, in groups, and the intents that wait for a roll or a yes. NJ-01, NJ-02."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.furniture import Proposal, Tools
from astragal.table.ruleset import Teller

from .game import Table

TOOLS = (
    Tools("threats", ("raise_threat", "end_threat")),
    Tools("aspects", ("grant_aspect", "allow_aspect", "end_aspect")),
    Tools("intents and injections", ("say_yes", "veto_injection")),
    Tools("burdens and assets", ("press_burden", "lift_burden", "gain_asset")),
    Tools("harm and recovery", ("take_stress", "bring_back")),
    Tools("growth", ("award_points",)),
)


def proposals(state: Table, teller: Teller) -> Iterator[Proposal]:
    """NJ-02: what was declared is rolled for, or comes true without dice."""
    for who, intent in state.game.intents.items():
        about = f"{teller.name(who)} wants {intent.goal}, by {intent.approach}"
        yield Proposal(about, "ask for the roll", "request_roll", (("who", who), ("command", "attempt")))
        yield Proposal(about, "say yes", "say_yes", (("who", who),))
