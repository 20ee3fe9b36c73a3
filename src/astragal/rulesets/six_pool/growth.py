"""Growing: a level more with its points and its Edge, training, armour. SP+01, SP+02."""

from __future__ import annotations

from typing import Annotated

from astragal.game import Chapter, Command, Event, Fact, Refusal, Seen, Teller, replace
from astragal.game.fields import CharacterId, Doc, Name, Names, Whose

from .catalogue import Pool, Training
from .heroes import POINTS_A_LEVEL, Armour
from .pools import steps_by
from .state import HIGHEST_LEVEL, MOST_EDGE, Call, State, find_skill

GROWTH = Chapter(seen=Seen.ALL)


@GROWTH.event("level_raised")
class LevelRaised(Event):
    """SP+01, SP+02: a level more, with its points and its Edge."""

    who: CharacterId
    level: int
    points: tuple[Pool, ...]
    edge: Pool | None

    def says(self, teller: Teller) -> str:
        points = ", ".join(f"+1 {teller.term(pool.value)}" for pool in self.points)
        edge = f", {teller.term('Edge')} in {teller.term(self.edge.value)}" if self.edge else ""
        return f"{teller.name(self.who)} reaches level {self.level}: {points or 'no points'}{edge}"

    def fold(self, state: State) -> State:
        sheet = state.find(self.who).sheet
        numbers = sheet.numbers
        for pool in self.points:
            held = numbers.pool(pool)
            numbers = numbers.with_points(pool, replace(held, most=held.most + 1, now=held.now + 1))
        if self.edge is not None:
            held = numbers.pool(self.edge)
            numbers = numbers.with_points(self.edge, replace(held, edge=held.edge + 1))
        return state.with_sheet(self.who, sheet.with_numbers(level=self.level, pools=numbers.pools))


@GROWTH.command("raise_level")
class RaiseLevel(Command):
    """Raise a hero by a level: three points, one of them in the primary pool."""

    who: Annotated[CharacterId, Doc("who")]
    points: Annotated[tuple[Pool, ...], Doc("the pools of the three points; one may be named twice")] = ()
    edge: Annotated[Pool | None, Doc("where the new step of Edge goes, at 5, 9, 13 and 17")] = None

    def does(self, call: Call) -> list[LevelRaised]:
        """SP+01: three points, one of them in the primary pool. SP+02: a step of Edge at 5, 9, 13 and 17."""
        who = call.state.find(self.who)
        numbers, primary, options = who.sheet.numbers, who.sheet.primary, call.state.options
        level = numbers.level + 1
        if level > HIGHEST_LEVEL:
            raise Refusal(f"{who.name} has reached level {HIGHEST_LEVEL}.", code="highest_level")
        if options.pool_array and len(self.points) != POINTS_A_LEVEL:
            raise Refusal(f"A level gives {POINTS_A_LEVEL} points, not {len(self.points)}.", code="level_points")
        if options.pool_array and primary not in self.points:
            raise Refusal(f"One of the points goes into {primary}, the primary pool.", code="level_points")
        if options.class_edges and (steps_by(level) > steps_by(numbers.level)) != (self.edge is not None):
            due = "a new step of Edge: say where it goes" if self.edge is None else "no new step of Edge"
            raise Refusal(f"Level {level} gives {due}.", code="level_edge")
        if self.edge is not None and numbers.pool(self.edge).edge >= MOST_EDGE:
            raise Refusal(f"{who.name} has Edge {MOST_EDGE} in {self.edge} already.", code="level_edge")
        return [LevelRaised(who=who.id, level=level, points=self.points, edge=self.edge)]


@GROWTH.fact("train", told="trained", says="{who} is {training} in {skill}")
class Train(Fact):
    """Say how well somebody is trained in a skill."""

    who: Annotated[CharacterId, Doc("who")]
    skill: Annotated[Name, Names("skill"), Doc("the skill")]
    training: Annotated[Training, Doc("how well")] = Training.TRAINED

    def check(self, call: Call) -> Train:
        call.state.find(self.who)
        return replace(self, skill=find_skill(call.state, self.skill).trained_by)

    def fold(self, state: State) -> State:
        sheet = state.find(self.who).sheet
        training = {**sheet.numbers.training, self.skill: self.training}
        return state.with_sheet(self.who, sheet.with_numbers(training=training))


@GROWTH.fact("wear", told="armour_changed", actor="who", says="{who} changes armour")
class Wear(Fact):
    """Put armour on, or take it off."""

    who: Annotated[CharacterId, Doc("who")]
    armour: Annotated[Armour, Seen.OWNER, Whose.PROPOSAL]

    def fold(self, state: State) -> State:
        return state.with_sheet(self.who, state.find(self.who).sheet.with_numbers(armour=self.armour))
