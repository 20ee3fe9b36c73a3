"""Display pieces of a sheet, a board and a card. Each surface draws them in its own way."""

from astragal.table.authoring.display import (
    AtHand,
    Choices,
    DiceRow,
    Hand,
    OfferWords,
    Piece,
    Pips,
    Proposal,
    RollCard,
    Score,
    Tags,
    Tone,
    Track,
    Went,
    signed,
)

__all__ = [
    "AtHand",
    "Choices",
    "DiceRow",
    "Hand",
    "OfferWords",
    "Piece",
    "Pips",
    "Proposal",
    "RollCard",
    "Score",
    "Tags",
    "Tone",
    "Track",
    "Went",
    "signed",
]
