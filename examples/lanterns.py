"""Lanterns: walk in the dark with three measures of oil. Burn as much as you like, roll a d6, and reach the dark."""

from typing import Annotated

from astragal.chance import Rolls, d6, rule
from astragal.game import Call, Chapter, Command, Doing, Event, Refusal, Seen, State, Value, game
from astragal.game.display import Tone, Track, Went
from astragal.game.fields import CharacterId, Doc, Ge, Le, Name

Dark = Annotated[int, Ge(2), Le(9), Doc("how dark it is: what to reach")]
Oil = Annotated[int, Ge(0), Le(3), Doc("oil burned before the roll, a point each")]


class Sheet(Value, seen=Seen.ALL):
    oil: Annotated[int, Ge(0), Le(9), Doc("oil in the lantern")] = 3
    dread: Annotated[Name, Doc("what they hope not to meet"), Seen.OWNER] = "nothing"


class Night(Value, seen=Seen.ALL):
    lost: int = 0


@rule
def find_the_way(dark: Dark, oil: Oil) -> Rolls[bool]:
    """A d6 and the oil that was burned reach the dark."""
    return (yield from d6) + oil >= dark


WALKING = Chapter(seen=Seen.ALL)


@WALKING.event("walked", says="{who} burns {burned} and finds the way: {found}")
class Walked(Event):
    who: CharacterId
    burned: int
    found: Annotated[bool, Seen.DIFFICULTY]

    def went(self, _: object) -> Went:
        return Went(Tone.GOOD, "finds the way") if self.found else Went(Tone.BAD, "is lost")

    def fold(self, state: State) -> State:
        state = state.changed(self.who, oil=state.characters[self.who].sheet.oil - self.burned)
        return state if self.found else state.with_game(lost=state.game.lost + 1)


@WALKING.command("walk", actor="who", spend="oil")
class Walk(Command):
    """Burn oil, roll a d6, and find the way or not."""

    who: Annotated[CharacterId, Doc("who walks")]
    dark: Dark
    oil: Oil = 0

    def does(self, call: Call) -> Doing[bool]:
        walker = call.state.characters[self.who]
        if self.oil > walker.sheet.oil:
            raise Refusal(f"{walker.name} has {walker.sheet.oil} oil, not {self.oil}.", code="no_oil")
        found = yield find_the_way(self.dark, self.oil)
        return [Walked(who=self.who, burned=self.oil, found=found)]


@WALKING.board
def how_lost(state: State) -> list[Track]:
    return [Track("Lost", min(state.game.lost, 3), ("on the way", "uneasy", "astray", "in the dark"))]


LANTERNS = game("Lanterns", sheet=Sheet, state=Night, rules=[find_the_way], chapters=[WALKING], dice="d6")
