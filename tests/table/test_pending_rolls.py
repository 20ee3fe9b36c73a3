"""A roll that waits while another takes away what it stands on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from astragal.chance import Offer, Rolls, d6, rule
from astragal.game import Call, Chapter, Command, Doing, Event, Refusal, Seen, State, Value, game
from astragal.game.fields import CharacterId, Doc, Ge, Le
from astragal.storage import open_store
from tests.table.seated import ScriptedDice, Seated, new_host


class Sheet(Value, seen=Seen.ALL):
    rope: Annotated[int, Ge(0), Le(9), Doc("coils of rope")] = 1


@rule
def climb(again: bool) -> Rolls[bool]:
    """A d6 of 4 or more; who is asked may let go first."""
    face = yield from d6
    if again and (yield from Offer("who", "let go", (False, True))):
        return False
    return face >= 4


CLIMBING = Chapter(seen=Seen.ALL)


@CLIMBING.event("climbed", owner="who", says="{who} climbs: {made_it}")
class Climbed(Event):
    who: CharacterId
    made_it: bool

    def fold(self, state: State) -> State:
        return state.with_game(taken=True)


@CLIMBING.command("climb", actor="who")
class Climb(Command):
    """Climb by the only rope there is."""

    who: Annotated[CharacterId, Doc("who climbs")]
    slowly: Annotated[bool, Doc("whether they may still let go")] = False

    def does(self, call: Call) -> Doing[bool]:
        if call.state.game.taken:
            raise Refusal("The rope is taken.", code="taken")
        made_it = yield climb(self.slowly)
        return [Climbed(who=self.who, made_it=made_it)]


class Cliff(Value, seen=Seen.ALL):
    taken: bool = False


CLIMBERS = game("Climbers", sheet=Sheet, state=Cliff, rules=[climb], chapters=[CLIMBING])


def test_a_decision_lapses_when_another_roll_took_what_it_stood_on(tmp_path: Path) -> None:
    dice = ScriptedDice()
    host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (CLIMBERS,))
    opened = host.open("climbers", name="The Cliff", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    for name in ("Kira", "Moth"):
        seated.act("Ada", "join", name=name)
    dice.faces = [5]
    waiting = seated.act("Ada", "climb", who="Kira", slowly=True)
    assert waiting.waits_for
    dice.faces = [6]
    seated.act("Ada", "climb", who="Moth")
    lapsed = seated.act("Ada", "answer", act=waiting.act, answer=False)
    assert [event.name for event in lapsed.events][-1] == "decision_lapsed"
    assert "The rope is taken." in lapsed.events[-1].words
    assert not host.look(opened.table, opened.seat).decisions
