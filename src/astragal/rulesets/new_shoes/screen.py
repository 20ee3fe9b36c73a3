"""What the game master reaches for, in groups, and the approaches that wait to be called. NS-02."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.furniture import Proposal, Tools
from astragal.table.ruleset import Teller

from .game import Table

TOOLS = (
    Tools("call for a roll", ("call_approach", "call_opposed", "call_healing", "prompt_reaction")),
    Tools("bring in", ("make_npc",)),
    Tools("statuses", ("attach_status", "change_status", "end_status")),
    Tools("knocked out", ("wake", "keep_down")),
)


def proposals(state: Table, teller: Teller) -> Iterator[Proposal]:
    """NS-02: whoever has said what they do waits for an attribute and a target.

    NS-08: a reaction waits for its player's words.
    """
    for one in state.game.approaches.values():
        fields = (("who", one.who), ("approach", one.id))
        if not one.words and one.threat is not None:
            by = f"{teller.name(one.threat.by)}: " if one.threat.by else ""
            yield Proposal(f"{by}{one.threat.words}", "react", "describe", fields, who=one.who)
        elif one.words and one.called is None:
            yield Proposal(f"{teller.name(one.who)}: {one.words}", "call for the roll", "call_approach", fields)
