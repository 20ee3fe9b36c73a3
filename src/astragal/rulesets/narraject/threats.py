"""Threats: enemies and dangers with a level. They never roll. NJ+04."""

from __future__ import annotations

from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import State

from . import words
from .asked import EndThreat, RaiseThreat
from .game import Threat, with_game
from .happened import ThreatEnded, ThreatRaised


def find_threat(state: State, said: str) -> Threat:
    """A threat by id or by name."""
    threats: dict[str, Threat] = state.game.threats
    for threat in threats.values():
        if said == threat.id or said.strip().casefold() == threat.name.casefold():
            return threat
    known = ", ".join(threat.name for threat in threats.values()) or "none"
    raise NoSuchThing(f"There is no threat {said[:40]!r} here: {known}.")


def _raise(call: Call, asked: RaiseThreat, _: None) -> list[ThreatRaised]:
    if not call.state.options.threats:
        raise Refusal("This table plays without threat levels.", code="switched_off")
    if any(threat.name.casefold() == asked.name.casefold() for threat in call.state.game.threats.values()):
        raise Refusal(f"There is a threat called {asked.name} already.", code="name_taken")
    raised = ThreatRaised(threat=call.fresh, name=asked.name, level=asked.level, boss=asked.boss, track=asked.track)
    return [raised]


def _end(call: Call, asked: EndThreat, _: None) -> list[ThreatEnded]:
    threat = find_threat(call.state, asked.threat)
    return [ThreatEnded(threat=threat.id, name=threat.name)]


def _stand(state: State, raised: ThreatRaised) -> State:
    threat = Threat(id=raised.threat, name=raised.name, level=raised.level, boss=raised.boss, track=raised.track)
    return with_game(state, threats={**state.game.threats, threat.id: threat})


def _fall(state: State, ended: ThreatEnded) -> State:
    return with_game(state, threats={key: one for key, one in state.game.threats.items() if key != ended.threat})


THREATS = Chapter(
    actions=(Action(RaiseThreat, _raise), Action(EndThreat, _end)),
    happenings=(
        Happening(ThreatRaised, words.threat_raised, _stand),
        Happening(ThreatEnded, words.threat_ended, _fall),
    ),
)
