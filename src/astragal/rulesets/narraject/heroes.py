"""Heroes enter the story. NJ-11, NJ-12, NJ-16, NJ+01."""

from __future__ import annotations

from typing import Annotated

from astragal.game import (
    GAME_MASTER_AND_PLAYERS,
    BadFields,
    Chapter,
    Character,
    Event,
    Nature,
    Seen,
    Teller,
    check_name,
    seat_for_hero,
)
from astragal.game.fields import CharacterId, Doc, SeatId
from astragal.rulesets.narraject.building import HeroFile, faults, new_sheet, power_level
from astragal.rulesets.narraject.sheet import Sheet
from astragal.rulesets.narraject.state import Call, State

HEROES = Chapter(seen=Seen.ALL)


@HEROES.event("hero_made", nature=Nature.LASTING, owner="who")
class HeroMade(Event):
    """A hero entered the story."""

    who: CharacterId
    name: str
    seat: str | None
    sheet: Sheet

    def says(self, teller: Teller) -> str:
        about = f". {self.sheet.about}" if self.sheet.about else ""
        return f"{self.name} enters the story: {self.sheet.ratings.words(teller)}{about}"

    def fold(self, state: State) -> State:
        seat = self.seat if self.seat in state.seats else None
        return state.with_character(Character(id=self.who, name=self.name, seat=seat, sheet=self.sheet))


@HEROES.command("make_hero", may=GAME_MASTER_AND_PLAYERS)
class MakeHero(HeroFile):
    """Bring a hero into the story."""

    seat: Annotated[SeatId | None, Doc("whose hero it is, where the game master makes it")] = None

    def does(self, call: Call) -> list[HeroMade]:
        """NJ-16: a hero that can't be is refused with every reason."""
        if wrong := faults(self, power_level(call.state.options)):
            raise BadFields([fault.words for fault in wrong])
        check_name(call.state, self.name)
        return [HeroMade(who=call.fresh, name=self.name, seat=seat_for_hero(call, self.seat), sheet=new_sheet(self))]
