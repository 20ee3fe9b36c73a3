"""What lies on the table for all: what is wanted, what helps, what threatens, and what has come true."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.table.furniture import Choices, Piece

from .game import Aspect, Span, Table, Threat

NEWEST_FACTS = 8


def board(state: Table) -> Sequence[Piece]:
    """Of the facts only the newest: a story has many."""
    game = state.game
    named = {who: character.name for who, character in state.characters.items()}
    wanted = tuple(
        (f"{named.get(who, '')}: {intent.goal}", f"by {intent.approach}") for who, intent in game.intents.items()
    )
    facts = tuple((fact.words, named.get(fact.by, "")) for fact in list(game.facts.values())[-NEWEST_FACTS:])
    rows = {
        "Threats": tuple((threat.name, _threat(threat)) for threat in game.threats.values()),
        "Wanted": wanted,
        "Aspects": tuple((aspect.name, _aspect(aspect)) for aspect in game.aspects.values()),
        "Come true": facts,
    }
    return [Choices(label, some) for label, some in rows.items() if some]


def _threat(threat: Threat) -> str:
    boss = "a boss, " if threat.boss else ""
    return f"{boss}level {threat.level}, {threat.track.value}"


def _aspect(aspect: Aspect) -> str:
    for_long = " for the story" if aspect.span is Span.STORY else ""
    return f"{aspect.dice:+d}{for_long}"
