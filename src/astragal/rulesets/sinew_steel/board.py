"""What lies on the table for all: the shared track, the ally's pool, quests, the way to a milestone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from astragal.table.furniture import Choices, Piece, Pips, Tags, Track

from .game import ALLY_TOKENS, Table
from .milestones import BEATS
from .options import Plugin
from .pressure import FULL, Scope


def board(state: Table) -> Sequence[Piece]:
    return list(_pieces(state))


def _pieces(state: Table) -> Iterator[Piece]:
    game = state.game
    if state.options.pressure is not Scope.PERSONAL:
        yield Track("pressure", game.pressure, tuple(state.terms[f"pressure_{step}"] for step in range(FULL + 1)))
    if game.crises_due:
        yield Tags("Crisis", ("due",) * len(game.crises_due))
    if game.stress:
        yield Track("stress", game.stress, ("",) * (FULL + 1))
    if game.plays(Plugin.ALLY):
        yield Pips("ally", game.favours, max(game.favours, ALLY_TOKENS))
    if game.beats:
        yield Pips("Perilous beats", game.beats, max(game.beats, BEATS))
    if game.quests:
        yield Choices("Quests", tuple((quest.objective, _whose(state, quest.who)) for quest in game.quests.values()))


def _whose(state: Table, who: str | None) -> str:
    """Whose own track it would clear."""
    return state.characters[who].name if who is not None and who in state.characters else ""
