"""Threats: enemies and dangers with a level. They never roll; those whom they attack defend. NJ+04."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from astragal.game import GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER, Chapter, Command, Doing, Event, Refusal, Seen, Teller
from astragal.game.display import Choices, Piece
from astragal.game.fields import Doc, Ge, Le, Name, Words

from .gathering import ROLLS_A_HAND, Gathered
from .hand import Outcome, roll_hand
from .harm import harmed
from .intent import HowItIsDone, attempted, check_said
from .sheet import Stat, Track
from .state import Call, Intent, State, Threat, ThreatId, find, find_threat

THREATS = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- on the table, and off it


@THREATS.event("threat_raised")
class ThreatRaised(Event):
    """NJ+04: an enemy or a danger is there."""

    threat: str
    name: str
    level: int
    boss: bool
    track: Track

    def says(self, _: Teller) -> str:
        threatened = {Track.PHYSICAL: "body", Track.MENTAL: "mind"}[self.track]
        return f"{self.name} threatens the {threatened}: level {self.level}{', a boss' if self.boss else ''}"

    def fold(self, state: State) -> State:
        threat = Threat(id=self.threat, name=self.name, level=self.level, boss=self.boss, track=self.track)
        return state.with_game(threats={**state.game.threats, threat.id: threat})


@THREATS.command("raise_threat", may=GAME_MASTER_ONLY)
class RaiseThreat(Command):
    """Put an enemy or a danger on the table. It never rolls."""

    name: Annotated[Name, Doc("what it is called")]
    level: Annotated[int, Ge(1), Le(20), Doc("NJ+04: the difficulty to hit it and to defend against it")]
    boss: Annotated[bool, Doc("whether a failed defence costs 1 more")] = False
    track: Annotated[Track, Doc("whether it harms the body or the mind")] = Track.PHYSICAL

    def does(self, call: Call) -> list[ThreatRaised]:
        if not call.state.options.threats:
            raise Refusal("This table plays without threat levels.", code="switched_off")
        if any(threat.name.casefold() == self.name.casefold() for threat in call.state.game.threats.values()):
            raise Refusal(f"There is a threat called {self.name} already.", code="name_taken")
        return [ThreatRaised(threat=call.fresh, name=self.name, level=self.level, boss=self.boss, track=self.track)]


@THREATS.event("threat_ended", says="{name} is no threat any more")
class ThreatEnded(Event):
    """NJ+04: a threat is gone."""

    threat: str
    name: str

    def fold(self, state: State) -> State:
        return state.with_game(threats={key: one for key, one in state.game.threats.items() if key != self.threat})


@THREATS.command("end_threat", may=GAME_MASTER_ONLY)
class EndThreat(Command):
    """Take a threat off the table."""

    threat: Annotated[ThreatId, Doc("the threat, by its name")]

    def does(self, call: Call) -> list[ThreatEnded]:
        threat = find_threat(call.state, self.threat)
        return [ThreatEnded(threat=threat.id, name=threat.name)]


@THREATS.board
def threats_on_the_table(state: State) -> Sequence[Piece]:
    rows = [
        (one.name, f"{'a boss, ' if one.boss else ''}level {one.level}, {one.track.value}")
        for one in state.game.threats.values()
    ]
    return [Choices("Threats", tuple(rows))] if rows else []


# ---------------------------------------------------------------- defending


@THREATS.command("defend", may=GAME_MASTER_OR_OWNER, actor="who", **ROLLS_A_HAND)
class Defend(Gathered):
    """Roll a hand against a threat's level. A failure costs stress."""

    stat: Annotated[Stat, Doc("NJ-11: the stat that the defence fits")]
    threat: Annotated[ThreatId, Doc("the threat, by its name")]
    approach: HowItIsDone
    goal: Annotated[Words, Doc("NJ-01: what is wanted; left out, to stay unhurt")] = ""
    condition: Annotated[Name | None, Doc("what a Condition would be called")] = None

    def does(self, call: Call) -> Doing[Outcome]:
        """NJ+04: a failed defence costs the threat's level and 1 more, 2 more against a boss."""
        check_said(self.approach)
        hand, threat = self.hand(call, self.stat), find_threat(call.state, self.threat)
        outcome = yield roll_hand(hand, threat.level)
        intent = Intent(goal=self.goal.strip() or f"no harm from {threat.name}", approach=self.approach)
        told = attempted(call, self, self.stat, intent, outcome)
        if outcome.success or not call.state.options.stress:
            return [told]
        return [told, *harmed(find(call.state, self.who), threat.track, threat.stress, condition=self.condition)]
