"""What lies on the table for all: what is true of the scene, and what people are about to do."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.table.furniture import Choices, Piece, Tags

from .game import Approach, Table
from .words import status_words


def board(state: Table) -> Sequence[Piece]:
    game = state.game
    pieces: list[Piece] = []
    if game.statuses:
        pieces.append(Tags("The scene", tuple(status_words(status) for status in game.statuses)))
    if game.approaches:
        rows = tuple((_who(state, approach), _how(state, approach)) for approach in game.approaches.values())
        pieces.append(Choices("Under way", rows))
    return pieces


def _who(state: Table, approach: Approach) -> str:
    named = state.characters.get(approach.who)
    return named.name if named else ""


def _how(state: Table, approach: Approach) -> str:
    called = approach.called
    rolls = f" ({state.terms.get(called.attribute.value, called.attribute.value)})" if called else ""
    return f"{approach.words or 'has to react'}{rolls}"
