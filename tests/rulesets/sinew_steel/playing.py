"""What the tests of Sinew & Steel say at a table."""

from __future__ import annotations

from typing import Any

from astragal.rulesets.sinew_steel.state import Sheet
from astragal.table.log.repository import Outcome
from tests.rulesets.at_table import AtTable


class Playing(AtTable[Sheet]):
    """A seated table, with the words of this game."""

    def roll(self, *faces: int) -> None:
        """The dice that fall next."""
        self.dice.faces = list(faces)

    def test(self, seat: str, who: str, attribute: str, /, **fields: Any) -> Outcome:
        return self.act(seat, "test", who=who, attribute=attribute, **{"stakes": "the rope", **fields})

    def answer(self, seat: str, outcome: Outcome, answer: Any) -> Outcome:
        return self.act(seat, "answer", act=outcome.act, answer=answer)
