"""What the tests of Sinew & Steel say at a table."""

from __future__ import annotations

from typing import Any

from astragal.rulesets.sinew_steel.sheet import Sheet
from astragal.table.keeper import Outcome
from astragal.table.state import Character
from tests.table.seated import Seated


class Playing(Seated):
    """A seated table, with the words of this game."""

    def roll(self, *faces: int) -> None:
        """The dice that fall next."""
        self.dice.faces = list(faces)

    def who(self, name: str, seat: str = "Ada") -> Character[Sheet]:
        return next(one for one in self.look(seat).characters.values() if one.name == name)

    def sheet(self, name: str, seat: str = "Ada") -> Sheet:
        return self.who(name, seat).sheet

    def test(self, seat: str, who: str, attribute: str, /, **fields: Any) -> Outcome:
        return self.act(seat, "test", who=who, attribute=attribute, **{"stakes": "the rope", **fields})

    def answer(self, seat: str, outcome: Outcome, answer: Any) -> Outcome:
        return self.act(seat, "answer", act=outcome.act, answer=answer)

    def told(self, outcome: Outcome, name: str) -> dict[str, Any]:
        """The fields of the one event of this name."""
        (fields,) = [event.fields for event in outcome.events if event.name == name]
        return dict(fields)

    def names(self, outcome: Outcome) -> list[str]:
        return [event.name for event in outcome.events]
