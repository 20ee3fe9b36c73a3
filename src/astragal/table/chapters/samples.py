"""Sample heroes: ready to be played, the setting's or else the game's own, and taken by name.

The chapter is made from a ruleset that says how its heroes are made. What a sample has needs nobody's ruling.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from annotated_types import MaxLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Action, Call, Chapter, Command
from astragal.table.authoring.declarations import command
from astragal.table.authoring.ruleset import Ruleset, ready_heroes
from astragal.table.fields.definitions import Names, SeatId
from astragal.table.fields.lookup import Named
from astragal.table.fields.validation import read
from astragal.table.refusals import NoSuchThing
from astragal.table.state.seats import GAME_MASTER_AND_PLAYERS
from astragal.table.state.table import State


@command("take_sample", may=GAME_MASTER_AND_PLAYERS)
class TakeSample(Command):
    """Play one of the heroes that are ready."""

    sample: Annotated[str, MaxLen(60), Names("sample hero"), Doc("the sample hero's name")]
    seat: Annotated[SeatId | None, Doc("whose hero it is, where the game master gives it")] = None


def sampling(ruleset: Ruleset) -> Chapter:
    """The chapter of sample heroes, in a game that says how heroes are made; else an empty one."""
    heroes, kinds = ruleset.heroes, {one.name: one.command for chapter in ruleset.chapters for one in chapter.actions}
    if heroes is None or heroes.make not in kinds:
        return Chapter()
    making: Any = kinds[heroes.make]

    def does(call: Call, asked: TakeSample, _: None) -> Sequence[Any]:
        """A sample hero is made like any other."""
        ready = ready_heroes(heroes, call.state.options, call.state.setting)
        if asked.sample not in ready:
            raise NoSuchThing(f"No hero called {asked.sample!r} is ready; there is {', '.join(ready) or 'none'}.")
        seat = {} if asked.seat is None else {"seat": asked.seat}
        events: Sequence[Any] = read(making, {**ready[asked.sample], **seat}).does(call)
        return events

    def named(state: State) -> list[Named]:
        """Those who are not in the story yet."""
        there = {one.name for one in state.characters.values()}
        ready = ready_heroes(heroes, state.options, state.setting)
        return [Named(name, name) for name in ready if name not in there]

    made = Chapter(actions=[Action(TakeSample, does)])
    made.names("sample hero")(named)
    return made
