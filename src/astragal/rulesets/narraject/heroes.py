"""Heroes enter the story. NJ-11, NJ-12, NJ-16, NJ+01."""

from __future__ import annotations

from typing import Annotated

from astragal.game import GAME_MASTER_AND_PLAYERS, BadFields, Chapter, Entered, Seen, entered
from astragal.game.fields import Doc, SeatId
from astragal.rulesets.narraject.building import HeroFile, faults, new_sheet, power_level
from astragal.rulesets.narraject.sheet import Sheet
from astragal.rulesets.narraject.state import Call

HEROES = Chapter(seen=Seen.ALL)


@HEROES.command("make_hero", may=GAME_MASTER_AND_PLAYERS)
class MakeHero(HeroFile):
    """Bring a hero into the story."""

    seat: Annotated[SeatId | None, Doc("whose hero it is, where the game master makes it")] = None

    def does(self, call: Call) -> list[Entered[Sheet]]:
        """NJ-16: a hero that can't be is refused with every reason."""
        if wrong := faults(self, power_level(call.state.options)):
            raise BadFields([fault.words for fault in wrong])
        return [entered(call, self.name, new_sheet(self), self.seat)]
