"""What the tests of Narraject say at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astragal.rulesets.narraject.state import Game, Sheet
from astragal.table.log.repository import Outcome
from tests.rulesets.at_table import AtTable

KIRA: dict[str, Any] = {
    "name": "Kira",
    "ratings": {"might": 2, "agility": 3, "intellect": 2, "persona": 2},
    "anchors": [
        {"name": "Expert Marksman", "grade": "moderate", "scope": "specific"},
        {"name": "Rooftops", "grade": "minor"},
        {"name": "Field Medic", "grade": "major"},
    ],
    "burdens": [
        {"name": "Afraid of Fire", "grade": "major"},
        {"name": "Old Wound", "grade": "minor"},
        {"name": "Hunted", "grade": "moderate"},
    ],
    "assets": [{"name": "Rifle", "level": "quality"}],
}
LUND: dict[str, Any] = {
    "name": "Lund",
    "ratings": {"might": 4, "agility": 1, "intellect": 3, "persona": 2},
    "anchors": [{"name": "Wrestler"}, {"name": "Smith"}, {"name": "Psalms", "scope": "specific"}],
    "burdens": [{"name": "Slow"}, {"name": "Proud"}, {"name": "Gentle", "grade": "moderate"}],
    "assets": [
        {"name": "Plate", "stated": 0, "armour": 2, "tags": [{"name": "Heavy", "stats": ["agility"]}]},
        {"name": "Hammer"},
    ],
}
SHOT: dict[str, Any] = {"who": "Kira", "stat": "agility", "goal": "the target to fall", "approach": "one shot"}


class Playing(AtTable[Sheet]):
    """A seated table, with the words of this game."""

    def roll(self, *faces: int) -> None:
        """The dice that fall next."""
        self.dice.faces = list(faces)

    def game(self, seat: str = "Ada") -> Game:
        game: Game = self.look(seat).game
        return game

    def facts(self, seat: str = "Ada") -> list[str]:
        return [fact.words for fact in self.game(seat).facts.values()]

    def aspects(self, seat: str = "Ada") -> list[str]:
        return [aspect.name for aspect in self.game(seat).aspects.values()]

    def shoot(self, *faces: int, seat: str = "Bo", **fields: Any) -> Outcome:
        """Kira’s shot, with the faces that fall; anything about it can be another."""
        self.roll(*faces)
        against = {} if {"request", "threat"} & fields.keys() else {"difficulty": 1}
        return self.act(seat, "attempt", **{**SHOT, **against, **fields})

    def hand(self, **fields: Any) -> list[tuple[str, str, int]]:
        """The terms of Kira’s hand as they are shown before the roll."""
        shown = self.preview("Bo", "attempt", **{**SHOT, "difficulty": 1, **fields})
        return terms_of(shown.arguments["hand"])


def terms_of(hand: Any) -> list[tuple[str, str, int]]:
    rows: Sequence[dict[str, Any]] = hand["terms"]
    return [(term["source"], term["name"], term["dice"]) for term in rows]
