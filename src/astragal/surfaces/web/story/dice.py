"""Dice as they lie on the table: a shape for each kind, a sign for what became of it."""

from __future__ import annotations

from dataclasses import dataclass

SHAPES = (4, 6, 8, 10, 12, 20)
FATES = {"kept": "", "dropped": "dropped", "exploded": "and again", "rerolled": "rolled anew"}


@dataclass(frozen=True)
class DieShown:
    sides: int
    face: int
    fate: str
    shape: str

    @property
    def words(self) -> str:
        """For whoever can't see it."""
        fate = FATES.get(self.fate, self.fate)
        return f"d{self.sides}: {self.face}{f', {fate}' if fate else ''}"


def shown_die(sides: int, face: int, fate: str) -> DieShown:
    return DieShown(sides, face, fate, f"d{sides}" if sides in SHAPES else "many")
