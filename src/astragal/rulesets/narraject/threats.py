"""Threats: enemies and dangers with a level. They never roll; those whom they attack defend (`intent.py`). NJ+04."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from astragal.game import GAME_MASTER_ONLY, Chapter, Command, Event, Kept, Refusal, Seen, Teller
from astragal.game.fields import Doc, Ge, Le, MaxLen, Name, Names

from .sheet import Track
from .state import Call, Threat

THREATS = Chapter(seen=Seen.ALL)

ThreatId: TypeAlias = Annotated[str, MaxLen(60), Names("threat")]
KEPT_THREATS = Kept(
    THREATS,
    Threat,
    "threats",
    "threat",
    board="Threats",
    row=("{name}", lambda one, _: f"{'a boss, ' if one.boss else ''}level {one.level}, {one.track.value}"),
)

# ---------------------------------------------------------------- on the table, and off it


@KEPT_THREATS.put("threat_raised")
class ThreatRaised(Event):
    """NJ+04: an enemy or a danger is there."""

    threat: Threat

    def says(self, _: Teller) -> str:
        threat, threatened = self.threat, {Track.PHYSICAL: "body", Track.MENTAL: "mind"}[self.threat.track]
        return f"{threat.name} threatens the {threatened}: level {threat.level}{', a boss' if threat.boss else ''}"


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
        KEPT_THREATS.check_free(call, self.name)
        return [ThreatRaised(threat=KEPT_THREATS.new(call, self))]


@KEPT_THREATS.taken("threat_ended", says="{threat.name} is no threat any more")
class ThreatEnded(Event):
    """NJ+04: a threat is gone."""

    threat: Threat


@THREATS.command("end_threat", may=GAME_MASTER_ONLY)
class EndThreat(Command):
    """Take a threat off the table."""

    threat: Annotated[ThreatId, Doc("the threat, by its name")]

    def does(self, call: Call) -> list[ThreatEnded]:
        return [ThreatEnded(threat=KEPT_THREATS.find(call, self.threat))]
