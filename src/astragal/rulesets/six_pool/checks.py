"""Checks, saves, passive scores, taking 10 and 20. SP-01, SP-07, SP-09, SP-16, SP-17."""

from __future__ import annotations

from typing import Any, TypeVar

from astragal.chance import Question
from astragal.table.chapters.requests import met
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Spend
from astragal.table.state import Character, State
from astragal.table.things.requests import Request

from . import happened as it
from . import words
from .aftermath import after_roll, shown
from .asked import Check, Passive, Save, Take
from .attempts import Attempt, Skilled, attempt, legal_spend, roller, standing_terms
from .circumstances import Ground, check_able
from .game import find_skill
from .groups import boost_for
from .pools import Pool
from .proficiency import Training, proficiency, trained_bonus
from .requested import difficulty_of, is_hidden, request_of
from .sheet import RollKind, Sheet, find
from .shown import Aim
from .trial.checks import Roll, check, degree, taken
from .trial.contests import Declared
from .trial.rerolls import NO_REROLLS

THREATS = {
    Pool.STR: ("being moved", "being held"),
    Pool.DEX: ("area effects", "traps", "losing balance"),
    Pool.CON: ("poison", "disease", "exhaustion", "death"),
    Pool.INT: ("illusions", "mental intrusion", "memory effects"),
    Pool.WIS: ("charm", "fear", "mind control", "possession"),
    Pool.CHA: ("banishment", "personality changes", "soul effects"),
}
"""SP-09: what each save is for."""

# ---------------------------------------------------------------- what is aimed at


def skilled_check(
    state: State, who: Character[Sheet], skill: str | None, pool: Pool | None, kind: RollKind = RollKind.CHECK
) -> Skilled:
    """SP-07: a skill with its pool and training, or a bare pool without."""
    if skill is None:
        if pool is None:
            raise Refusal("Name a skill or a pool.", code="no_skill")
        return Skilled(Aim(kind=kind, pool=pool), 0)
    known = find_skill(state, skill)
    if pool not in (None, known.pool):
        raise Refusal(f"{known.name.capitalize()} belongs to {known.pool}, not {pool}.", code="other_pool")
    trained = who.sheet.numbers.trained(known.trained_by)
    if known.trained_only:
        check_trained(who, known.name, trained)
    return Skilled(Aim(kind=kind, pool=known.pool, name=known.name), trained_bonus(who.sheet.numbers.level, trained))


def check_trained(who: Character[Sheet], what: str, training: Training) -> None:
    """SP-07: what requires training is refused to the untrained."""
    if training is Training.UNTRAINED:
        raise Refusal(f"{what.capitalize()} asks for training, and {who.name} has none.", code="untrained")


def _skilled(call: Call, asked: Check | Take) -> Skilled:
    who = find(call.state, asked.who)
    skilled = skilled_check(call.state, who, asked.skill, asked.pool)
    if asked.requires_training:
        name = skilled.aim.name or skilled.aim.pool.value
        trained = skilled.proficiency > 0
        check_trained(who, name, Training.TRAINED if trained else Training.UNTRAINED)
    return skilled


def threatened_pool(threat: str | None, pool: Pool | None) -> Pool:
    """SP-09: what is withstood says which pool withstands it."""
    named = [one for one, threats in THREATS.items() if threat is not None and threat.casefold() in threats]
    if threat is not None and not named and pool is None:
        known = ", ".join(word for threats in THREATS.values() for word in threats)
        raise NoSuchThing(f"Nothing here is called {threat[:40]!r}; name a pool, or one of {known}.")
    found = named[0] if named else pool
    if found is None:
        raise Refusal("Name what is withstood, or a pool.", code="no_pool")
    if pool not in (None, found):
        raise Refusal(f"One withstands {threat} with {found}, not {pool}.", code="other_pool")
    return found


def _saving(call: Call, asked: Save) -> Skilled:
    """SP-09: proficiency if proficient."""
    numbers = find(call.state, asked.who).sheet.numbers
    pool = threatened_pool(asked.threat, asked.pool)
    practised = proficiency(numbers.level) if pool in numbers.saves else 0
    return Skilled(Aim(kind=RollKind.SAVE, pool=pool, name=asked.threat or ""), practised)


def _aimed(call: Call, asked: Check | Save) -> Skilled:
    return _saving(call, asked) if isinstance(asked, Save) else _skilled(call, asked)


# ---------------------------------------------------------------- checks and saves


def _attempt(call: Call, asked: Check | Save) -> Attempt:
    request = request_of(call.state, asked)
    hidden, boost = request is not None and request.hidden, boost_for(call.state, request)
    return attempt(call, asked, _aimed(call, asked), hidden=hidden, boost=boost)


def _gather(call: Call, asked: Check | Save) -> Question[Roll]:
    tried = _attempt(call, asked)
    dc = difficulty_of(call, asked)
    return check(dc, tried.bonus, tried.ground.footing, tried.again, call.state.options.natural_degree)


def _tell(call: Call, asked: Check | Save, roll: Roll) -> list[Any]:
    tried = _attempt(call, asked)
    request = request_of(call.state, asked)
    told: list[Any] = [it.Checked(who=asked.who, roll=shown(tried, roll), **_as_asked(request))]
    told += after_roll(call, tried, roll)
    return [*told, met(request)] if request else told


def _as_asked(request: Request | None) -> dict[str, str]:
    """What an event says of the request that it answers."""
    return {"request": request.id, "what_for": request.what_for} if request else {}


def _legal(call: Call, asked: Check | Save) -> range:
    return legal_spend(call.state, asked, _aimed(call, asked).aim.pool)


Rolled = TypeVar("Rolled", Check, Save)


def _rolled(command: type[Rolled]) -> Action[Rolled, Roll]:
    spend = Spend("points", _legal)
    return Action(
        command,
        _tell,
        gather=_gather,
        sides=roller,
        spend=spend,
        outcome=degree,
        hopes=lambda degree: degree.is_success,
        hides=is_hidden,
    )


# ---------------------------------------------------------------- without a die


def _take(call: Call, asked: Take, _: None) -> list[Any]:
    """SP-17: 10 where nothing presses, 20 where time is no matter and failure harmless. No points, no advantage."""
    who, skilled = find(call.state, asked.who), _skilled(call, asked)
    check_able(call.state, who, RollKind.CHECK)
    if call.state.calendar.encounter is not None:
        raise Refusal(f"Nobody takes {asked.face} in the middle of an encounter.", code="pressed")
    if asked.face == 20 and not asked.harmless:
        raise Refusal("Taking 20 needs unlimited time and a failure that does no harm.", code="not_harmless")
    terms = standing_terms(call.state, who, skilled, asked.modifier)
    tried = Attempt(who, skilled.aim, terms, Ground(), NO_REROLLS, Declared())
    roll = taken(asked.face, tried.bonus, difficulty_of(call, asked))
    request = request_of(call.state, asked)
    told = it.Taken(
        who=who.id,
        roll=shown(tried, roll, asked.face),
        face=asked.face,
        times_as_long=20 if asked.face == 20 else 1,
        **_as_asked(request),
    )
    return [told, met(request)] if request else [told]


def _note_passive(call: Call, asked: Passive, _: None) -> list[it.PassiveNoted]:
    """SP-16: 10, proficiency by training, Edge and the situation; no points, no advantage."""
    who = find(call.state, asked.who)
    skilled = skilled_check(call.state, who, asked.skill, None)
    terms = standing_terms(call.state, who, skilled, asked.modifier)
    score = 10 + sum(term.amount for term in terms)
    success = None if asked.dc is None else score >= asked.dc
    return [it.PassiveNoted(who=who.id, aim=skilled.aim, terms=terms, score=score, success=success)]


CHECKS = Chapter(
    actions=(
        _rolled(Check),
        _rolled(Save),
        Action(Take, _take, hides=is_hidden),
        Action(Passive, _note_passive),
    ),
    happenings=(
        Happening(it.Checked, words.checked, went=words.roll_went),
        Happening(it.Taken, words.taken, went=words.roll_went),
        Happening(it.PassiveNoted, words.passive_noted),
    ),
)
