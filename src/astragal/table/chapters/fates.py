"""Fates: what became of somebody, recorded by the game master or agreed on before a roll. The dead don't act.

A rewind undoes a fate like the rest of the story; `record_fate` without one takes it back.
"""

from __future__ import annotations

from typing import Annotated

from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Fact, Teller
from astragal.table.fields.definitions import CharacterId, Words
from astragal.table.fields.values import replace
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.fates import Fate
from astragal.table.state.seats import GAME_MASTER_ONLY
from astragal.table.state.table import State
from astragal.table.visibility.marks import Seen

FATES = Chapter(seen=Seen.ALL)

_BECAME = {
    None: "is back in the story",
    Fate.DEAD: "is dead",
    Fate.RESCUED: "is rescued",
    Fate.CAPTURED: "is captured",
}


@FATES.fact("record_fate", told="fate_recorded", may=GAME_MASTER_ONLY, owner="who", grave=True)
class FateRecorded(Fact):
    """Record what became of somebody: who is dead acts no more."""

    who: Annotated[CharacterId, Doc("whose fate")]
    fate: Annotated[Fate | None, Doc("dead, rescued or captured; nothing takes it back")]
    told: Annotated[Words, Doc("how it came")] = ""

    def check(self, call: Call) -> None:
        who = call.state.characters.get(self.who)
        if who is None:
            raise NoSuchThing(f"There is no character {self.who[:40]!r} at this table.")
        if who.fate is self.fate:
            raise Refusal(f"That is already so of {who.name}.", code="no_change")

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} {_BECAME[self.fate]}{f': {self.told}' if self.told else ''}"

    def fold(self, state: State) -> State:
        if self.who not in state.characters:
            return state
        return state.with_character(replace(state.characters[self.who], fate=self.fate))
