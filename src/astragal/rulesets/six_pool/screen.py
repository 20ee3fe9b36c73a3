"""What the game master reaches for, in groups, and the help that waits to be judged. SP-15."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.furniture import Proposal, Tools
from astragal.table.ruleset import Teller

from .game import Table

TOOLS = (
    Tools("call for a roll", ("call_group_check", "judge_help")),
    Tools("bring in", ("make_npc", "open_numbers")),
    Tools("grants", ("award_inspiration", "raise_level", "train")),
    Tools("harm and healing", ("harm", "heal")),
    Tools("rules in play", ("add_skill", "add_class", "add_contest", "change_edge_rule")),
)


def proposals(state: Table, teller: Teller) -> Iterator[Proposal]:
    """SP-15: help counts where the game master says that it does."""
    for one in state.game.help_offered.values():
        about = f"{teller.name(one.who)} offers {teller.name(one.ally)} help: {one.skill}"
        yield Proposal(about, "it helps", "judge_help", (("offer", one.id), ("meaningful", "yes")))
        yield Proposal(about, "it does not", "judge_help", (("offer", one.id), ("meaningful", "no")))
