"""What the tests of every game say at a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from astragal.storage import open_store
from astragal.surfaces.shared.explained import explained
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.log.repository import Outcome
from astragal.table.preview import Preview
from astragal.table.refusals import Refusal
from astragal.table.state.table import Character
from tests.table.seated import ScriptedDice, Seated, new_host

S = TypeVar("S")


class AtTable(Seated, Generic[S]):
    """A seated table, with words that any game has. Each game adds its own."""

    @classmethod
    def opened(cls, folder: Path, ruleset: Ruleset, name: str, **opening: Any) -> Self:
        """A new table on a real store: Ada runs the game and trusts Bo and Cy, who play; Di looks on."""
        dice = ScriptedDice()
        host = new_host(open_store(f"sqlite:///{folder}/tables.db"), dice, (ruleset,))
        house = {"trusting": True, **(opening.pop("house", None) or {})}
        opened = host.open(ruleset.id, name=name, game_master="Ada", house=house, **opening)
        playing = cls(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
        playing.sit("Bo")
        playing.sit("Cy")
        playing.sit("Di", "spectator")
        return playing

    def who(self, name: str, seat: str = "Ada") -> Character[S]:
        return next(one for one in self.look(seat).characters.values() if one.name == name)

    def furniture(self, name: str, seat: str = "Ada") -> Sequence[Any]:
        """The pieces of somebody's sheet, as this seat sees them."""
        return self.host.book_of(self.table).ruleset.furniture(self.who(name, seat), self.look(seat))

    def sheet(self, name: str, seat: str = "Ada") -> S:
        return self.who(name, seat).sheet

    def told(self, outcome: Outcome, name: str) -> dict[str, Any]:
        """The fields of the one event of this name."""
        (fields,) = [event.fields for event in outcome.events if event.name == name]
        return dict(fields)

    def names(self, outcome: Outcome) -> list[str]:
        return [event.name for event in outcome.events]

    def sentence(self, seat: str, command: str, /, **fields: Any) -> str:
        """The sentence with which a command is refused."""
        try:
            self.act(seat, command, **fields)
        except Refusal as refusal:
            return refusal.sentence
        raise AssertionError(f"{command} was not refused")

    def preview(self, seat: str, command: str, /, **fields: Any) -> Preview:
        shown = self.host.preview(self.table, self.seats[seat], (command, fields))
        assert shown is not None
        return shown

    def reckoned(self, seat: str) -> dict[str, str]:
        """How the last roll was reckoned, as this seat reads it on its card."""
        events = self.host.follow(self.table, self.seats[seat]).events
        question = [event.fields["question"] for event in events if event.name == "rolled"][-1]
        state = self.look(seat)
        book = self.host.books[state.ruleset]
        found = explained(book, Teller(state, book.ruleset.terms), question)
        assert found is not None
        return dict(found.terms)
