"""What the tests of New Shoes say at a table."""

from __future__ import annotations

from typing import Any

from astragal.rulesets.new_shoes.state import Sheet
from astragal.table.log.repository import Outcome
from tests.rulesets.at_table import AtTable

OWNERS = {"Kira": "Bo", "Lund": "Cy"}


class Playing(AtTable[Sheet]):
    """A seated table, with the words of this game."""

    def roll(self, who: str, *faces: int, **fields: Any) -> Outcome:
        """Roll somebody's approach, and see these faces."""
        self.dice.faces = list(faces)
        outcome = self.act(OWNERS.get(who, "Ada"), "roll_approach", who=who, **fields)
        assert not self.dice.faces, f"{len(self.dice.faces)} dice were not thrown"
        return outcome

    def describe(self, who: str, *, harmful: bool = False, approach: str | None = None) -> str:
        """Describe an approach; returns its id."""
        fields = {"who": who, "words": f"{who} gives it a try", "harmful": harmful, "approach": approach}
        outcome = self.act(OWNERS.get(who, "Ada"), "describe", **fields)
        return str(self.told(outcome, "approach_described")["approach"]["id"])

    def call(self, who: str, attribute: str = "body", target: int | str = 8, **fields: Any) -> Outcome:
        return self.act("Ada", "call_approach", who=who, attribute=attribute, target=target, **fields)

    def approach(self, who: str, attribute: str = "body", target: int | str = 8, **fields: Any) -> str:
        """Describe and call in one; returns the approach's id."""
        approach = self.describe(who, harmful=fields.pop("harmful", False))
        self.call(who, attribute, target, approach=approach, **fields)
        return approach

    def react(self, who: str, target: int, *faces: int, attribute: str = "body", **fields: Any) -> Outcome:
        """Something comes at a hero, who reacts and rolls."""
        prompted = self.act(
            "Ada", "prompt_reaction", who=who, words="Look out!", attribute=attribute, target=target, **fields
        )
        approach = self.told(prompted, "reaction_prompted")["approach"]["id"]
        self.describe(who, approach=approach)
        return self.roll(who, *faces, approach=approach)

    def status(self, name: str, value: int, **fields: Any) -> str:
        outcome = self.act("Ada", "attach_status", name=name, value=value, **fields)
        return str(self.told(outcome, "status_attached")["status"]["id"])
