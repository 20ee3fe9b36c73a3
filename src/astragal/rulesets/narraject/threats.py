"""Threats: enemies and dangers with a level. They never roll; those whom they attack defend (`intent.py`). NJ+04."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from astragal.game import (
    GAME_MASTER_ONLY,
    BadFields,
    Chapter,
    Command,
    Event,
    Kept,
    NameOfFoe,
    Refusal,
    Seen,
    Teller,
    WhichFoe,
    from_setting,
)
from astragal.game.fields import Doc, Ge, Le, MaxLen, Names, Words
from astragal.game.shared import MoveKind

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
    moves={MoveKind.ESCALATE: "let “{name}” come closer (level {level})"},
)

# ---------------------------------------------------------------- on the table, and off it


@KEPT_THREATS.put("threat_raised")
class ThreatRaised(Event):
    """NJ+04: an enemy or a danger is there."""

    threat: Threat

    def says(self, _: Teller) -> str:
        threat, threatened = self.threat, {Track.PHYSICAL: "body", Track.MENTAL: "mind"}[self.threat.track]
        about = f". {threat.about}" if threat.about else ""
        boss = ", a boss" if threat.boss else ""
        return f"{threat.name} threatens the {threatened}: level {threat.level}{boss}{about}"


@THREATS.command("raise_threat", may=GAME_MASTER_ONLY)
class RaiseThreat(Command):
    """Put an enemy or a danger on the table. It never rolls."""

    name: NameOfFoe = ""
    foe: WhichFoe = None
    level: Annotated[
        int | None, Ge(1), Le(20), Doc("NJ+04: the difficulty to hit it and to defend against it; a foe has its own")
    ] = None
    boss: Annotated[bool, Doc("whether a failed defence costs 1 more")] = False
    track: Annotated[Track, Doc("whether it harms the body or the mind")] = Track.PHYSICAL
    about: Annotated[Words, Doc("who or what it is; all can read it")] = ""

    def does(self, call: Call) -> list[ThreatRaised]:
        if not call.state.options.threats:
            raise Refusal("This table plays without threat levels.", code="switched_off")
        threat = from_setting(call, self, taken=(one.name for one in KEPT_THREATS.each(call.state)))
        if threat.level is None:
            raise BadFields(["level is missing: say how hard it is to hit, from 1 to 20"], [("level",)])
        KEPT_THREATS.check_free(call, threat.name)
        return [ThreatRaised(threat=KEPT_THREATS.new(call, threat))]


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
