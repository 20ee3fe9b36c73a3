"""What the tests of Six-Pool d20 say at a table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from astragal.chance import Odds
from astragal.rulesets.six_pool import SIX_POOL
from astragal.rulesets.six_pool.catalogue import Pool
from astragal.rulesets.six_pool.rolls import Degree
from astragal.rulesets.six_pool.state import Game, Sheet
from astragal.table.authoring.log_lines import Teller
from astragal.table.log.repository import Outcome
from astragal.table.reminders import SHARED, due
from tests.rulesets.at_table import AtTable

KIRA: dict[str, Any] = {
    "name": "Kira",
    "hero_class": "rogue",
    "pools": {"STR": 10, "DEX": 18, "CON": 12, "INT": 15, "WIS": 12, "CHA": 10},
    "edges": {"DEX": 1},
    "training": {"stealth": "trained", "lock picking": "expert"},
    "armour": 2,
}
LUND: dict[str, Any] = {
    "name": "Lund",
    "hero_class": "fighter",
    "level": 5,
    "pools": {"STR": 24, "DEX": 12, "CON": 15, "INT": 14, "WIS": 12, "CHA": 12},
    "edges": {"STR": 1, "CON": 1},
    "training": {"athletics": "trained", "stealth": "master"},
    "armour": 6,
}
GUARD: dict[str, Any] = {
    "name": "Guard",
    "level": 1,
    "armour": 4,
    "hit_points": 8,
    "training": {"perception": "trained"},
}


class Playing(AtTable[Sheet]):
    """A seated table, with the words of this game."""

    def roll(self, *faces: int) -> None:
        """The dice that fall next."""
        self.dice.faces = list(faces)

    def held(self, name: str, pool: Pool) -> int:
        return self.sheet(name).numbers.pool(pool).now

    def game(self) -> Game:
        game: Game = self.look("Ada").game
        return game

    def due(self) -> list[str]:
        """What the game itself says is due, to the game master."""
        state = self.look("Ada")
        of_every_game = {line for part in SHARED for line in part(state, Teller(state, state.terms))}
        return [line for line in due(SIX_POOL, state) if line not in of_every_game]

    def check(self, *faces: int, seat: str = "Bo", **fields: Any) -> Outcome:
        """Kira's check on stealth against 15; anything about it can be another."""
        self.roll(*faces)
        usual = {"who": "Kira", "skill": None if "pool" in fields else "stealth"}
        against = {} if {"request", "difficulty"} & fields.keys() else {"dc": 15}
        return self.act(seat, "check", **{**usual, **against, **fields})

    def rolled(self, outcome: Outcome) -> dict[str, Any]:
        """The roll that a check, save, attack or take told."""
        (roll,) = [dict(event.fields["roll"]) for event in outcome.events if "roll" in event.fields]
        return roll

    def answer(self, seat: str, outcome: Outcome, answer: Any, *faces: int) -> Outcome:
        self.roll(*faces)
        return self.act(seat, "answer", act=outcome.act, answer=answer)

    def odds_by_spend(self, seat: str, command: str, /, **fields: Any) -> dict[int, Odds[Degree]]:
        """What each legal spend would come to."""
        cases = self.preview(seat, command, **fields).cases
        return {case.spend or 0: case.odds for case in cases}  # type: ignore[misc]

    def chances(self, seat: str, command: str, /, **fields: Any) -> dict[int, Fraction]:
        by_spend = self.odds_by_spend(seat, command, **fields)
        return {points: found.chance(lambda degree: degree.is_success) for points, found in by_spend.items()}
