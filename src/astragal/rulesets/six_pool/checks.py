"""Checks and saves, taking 10 and 20, passive scores, and skills of a table's own. SP-07, SP-09, SP-16, SP-17."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Annotated, Literal, TypeAlias

from astragal.game import Chapter, Character, Command, Doing, Event, Kept, Nature, NoSuchThing, Refusal, Seen, Teller
from astragal.game.display import RollCard, Went, capitalised
from astragal.game.fields import Against, CharacterId, Doc, Ge, Label, Le, MaySet, Name, Names, Seldom, Words
from astragal.game.rolls import Term, request_for, sum_words, total
from astragal.game.shared import Request, RequestId, met

from . import rolls
from .catalogue import SKILLS, Pool, Skill, Training
from .rolls import ROLLED, Aim, Attempt, Circumstances, Effort, Modifier, Roll, Rung, ShownRoll, Skilled, standing_terms
from .state import Call, RollKind, Sheet, State, check_able, find_skill, group_of

CHECKS = Chapter(seen=Seen.ALL)

SkillField: TypeAlias = Annotated[Name | None, Names("skill"), Doc("the skill; without one, a pool")]
PoolField: TypeAlias = Annotated[Pool | None, Doc("the pool, where no skill fits")]
DC: TypeAlias = Annotated[int | None, Ge(rolls.EASIEST), Le(rolls.HARDEST), Doc("the difficulty class"), Against()]
Rank: TypeAlias = Annotated[
    Rung | None, Label("difficulty by name"), Doc("the difficulty by name, trivial to nearly impossible"), Against()
]
RequestField: TypeAlias = Annotated[RequestId | None, Doc("the game master's request that this roll answers")]
RequiresTraining: TypeAlias = Annotated[bool, Doc("whether only the trained may try"), Seldom()]

# ---------------------------------------------------------------- skills


def aim_of(state: State, skill: str | None, pool: Pool | None, kind: RollKind = RollKind.CHECK) -> Aim:
    """SP-07: a skill with its pool, or a bare pool."""
    if skill is not None:
        skill_of_table = find_skill(state, skill)
        return Aim(kind=kind, pool=skill_of_table.pool, name=skill_of_table.name)
    if pool is None:
        raise Refusal("Name a skill or a pool.", code="no_skill", field="skill")
    return Aim(kind=kind, pool=pool)


def skilled_check(
    state: State, who: Character[Sheet], skill_name: str | None, pool: Pool | None, kind: RollKind = RollKind.CHECK
) -> Skilled:
    """SP-07: a skill with its pool and training, or a bare pool without."""
    aim = aim_of(state, skill_name, pool, kind)
    if skill_name is None:
        return Skilled(aim, 0)
    skill = find_skill(state, skill_name)
    if pool not in (None, skill.pool):
        raise Refusal(f"{skill.name.capitalize()} belongs to {skill.pool}, not {pool}.", code="other_pool")
    training = who.sheet.numbers.trained(skill.trained_by)
    if skill.trained_only:
        check_trained(who, skill.name, trained=training is not Training.UNTRAINED)
    return Skilled(aim, rolls.trained_bonus(who.sheet.numbers.level, training))


def check_trained(who: Character[Sheet], name: str, *, trained: bool) -> None:
    """SP-07: refuse an untrained character what requires training."""
    if not trained:
        raise Refusal(f"{capitalised(name)} requires training, and {who.name} has none.", code="untrained")


def skilled_for(command: Check | Take, call: Call) -> Skilled:
    """SP-07: a check can require training."""
    who = call.state.find(command.who)
    skilled = skilled_check(call.state, who, command.skill, command.pool)
    if command.requires_training:
        check_trained(who, skilled.aim.name or skilled.aim.pool.value, trained=bool(skilled.proficiency))
    return skilled


KEPT_SKILLS = Kept(CHECKS, Skill, key="name", book=SKILLS)


@KEPT_SKILLS.put("skill_added", nature=Nature.LASTING, says="a skill of this table: {skill.name} ({skill.pool})")
class SkillAdded(Event):
    skill: Skill


@CHECKS.command("add_skill")
class AddSkill(Command):
    """Add a skill to the table's book."""

    name: Annotated[Name, Doc("what it is called")]
    pool: Annotated[Pool, Doc("the pool it belongs to")]
    trained_only: Annotated[bool, Doc("whether it is refused to the untrained")] = False
    trains_as: Annotated[Name | None, Doc("the skill whose training counts, where it is not its own")] = None

    def does(self, call: Call) -> list[SkillAdded]:
        """SP-07: skills are data."""
        trains_as = ""
        if self.trains_as:
            trains_as = find_skill(call.state, self.trains_as).name
        return [SkillAdded(skill=KEPT_SKILLS.new(call, self, trains_as=trains_as))]


# ---------------------------------------------------------------- difficulty: named in the command, or in a request


def request_of(state: State, command: Check | Save | Take) -> Request | None:
    """Find the request that this roll answers. Taking 10 or 20 answers a request for a check, too."""
    names_difficulty = command.dc is not None or command.difficulty is not None
    taken_for = "check" if isinstance(command, Take) else ""
    return request_for(state, command, is_against=names_difficulty, taken_for=taken_for)


def difficulty_of(command: Check | Save | Take, request: Request | None) -> int:
    """Return the difficulty: the request's, or the one named here with its circumstances. Naming both is refused."""
    if request is not None and request.difficulty is not None:
        if command.dc is not None or command.difficulty is not None or command.circumstances:
            raise Refusal("The game master has set the difficulty of this roll already.", code="already_set")
        return request.difficulty
    if command.dc is not None and command.difficulty is None:
        return rolls.shifted(command.dc, command.circumstances)
    if command.difficulty is not None and command.dc is None:
        return rolls.shifted(command.difficulty.dc, command.circumstances)
    why = "Name the difficulty once: a number, or a name from trivial to nearly impossible."
    raise Refusal(why, code="no_dc", field="dc")


def is_hidden(command: Check | Save | Take, call: Call) -> bool:
    """Return whether the difficulty is the game master's secret."""
    request = request_of(call.state, command)
    return request is not None and request.hidden


# ---------------------------------------------------------------- checks and saves


def request_fields(request: Request | None) -> dict[str, str]:
    """Fields of an event that name the request it answers."""
    if request is None:
        return {}
    return {"request": request.id, "what_for": request.what_for}


@CHECKS.event("checked")
class Checked(Event):
    who: CharacterId
    roll: ShownRoll
    request: str | None = None
    what_for: Words = ""
    """Copied from the request."""

    def says(self, teller: Teller) -> str:
        aim = self.roll.aim
        verb = "rolls"
        if aim.kind is RollKind.SAVE:
            verb = "saves against" if aim.name else "saves with"
        return f"{teller.name(self.who)} {verb} {self.aimed(teller)}: {self.roll.log_line(teller)}"

    def aimed(self, teller: Teller) -> str:
        """What is rolled, and what it was asked for."""
        aim = self.roll.aim.words(teller)
        if not self.what_for:
            return aim
        return f"{aim} for “{self.what_for}”"

    def went(self, _: Teller) -> Went:
        return self.roll.went()


def rolled_check(command: Check | Save, call: Call) -> Doing[Roll]:
    """Roll a check or a save, against its own difficulty or that of the request it answers."""
    state = call.state
    request = request_of(state, command)
    group = group_of(state, command.who, request.id if request else None)
    leaders_points = 0
    if group is not None and group.boosted == command.who:
        leaders_points = group.boost
    is_secret = request is not None and request.hidden
    attempt = command.attempt(call, hidden=is_secret, boost=leaders_points)
    dc = difficulty_of(command, request)
    roll = yield rolls.check(dc, attempt.bonus, attempt.ground.footing, attempt.again, state.options.natural_degree)
    events: list[Event] = [Checked(who=command.who, roll=attempt.shown(roll), **request_fields(request))]
    events += rolls.after_roll(call, attempt, roll)
    if request is not None:
        events.append(met(request))
    return events


def checked_card(title: str, short: str) -> RollCard:
    """The card of a check or a save. Its difficulty is medium by default."""
    return RollCard(
        title=title,
        short=short,
        notes=("{pool}", "for “{what_for}”"),
        hopes="to make it",
        usual=(("difficulty", Rung.MEDIUM.value),),
        unless=("dc", "request"),
        spends="effort",
    )


@CHECKS.command("check", **ROLLED, card=checked_card("{who} rolls {skill|name|pool}", "{who} rolls"))
class Check(Effort):
    """Roll a skill, or a bare pool, against a difficulty."""

    skill: SkillField = None
    pool: PoolField = None
    dc: DC = None
    difficulty: Rank = None
    circumstances: Circumstances = ()
    requires_training: RequiresTraining = False
    request: RequestField = None

    does = rolled_check
    skilled = skilled_for
    hides = is_hidden


THREATS: Mapping[Pool, tuple[str, ...]] = {
    Pool.STR: ("being moved", "being held"),
    Pool.DEX: ("area effects", "traps", "losing balance"),
    Pool.CON: ("poison", "disease", "exhaustion", "death"),
    Pool.INT: ("illusions", "mental intrusion", "memory effects"),
    Pool.WIS: ("charm", "fear", "mind control", "possession"),
    Pool.CHA: ("banishment", "personality changes", "soul effects"),
}
"""SP-09: the threats that each save is for."""


def pool_against(threat: str) -> Pool | None:
    """SP-09: the pool that a threat of the book is withstood with, in any case."""
    for pool, threats in THREATS.items():
        if threat.casefold() in threats:
            return pool
    return None


@CHECKS.command("save", **ROLLED, card=checked_card("{who} withstands {threat|name|pool}", "{who} holds on"))
class Save(Effort):
    """Roll to withstand something."""

    threat: Annotated[Name | None, Doc("what is withstood, such as poison or fear: it says which pool")] = None
    pool: Annotated[Pool | None, Doc("the pool, where no threat is named")] = None
    dc: DC = None
    difficulty: Rank = None
    circumstances: Circumstances = ()
    request: RequestField = None

    does = rolled_check
    hides = is_hidden

    def skilled(self, call: Call) -> Skilled:
        """SP-09: the threat says which pool is rolled; proficiency is added if the character has it in that save."""
        numbers = call.state.find(self.who).sheet.numbers
        threat = self.threat or ""
        pool_of_threat = pool_against(threat)
        if self.threat is not None and pool_of_threat is None and self.pool is None:
            threats = ", ".join(chain.from_iterable(THREATS.values()))
            raise NoSuchThing(f"Nothing here is called {threat[:40]!r}; name a pool, or one of {threats}.")
        pool = pool_of_threat or self.pool
        if pool is None:
            raise Refusal("Name what is resisted, or a pool.", code="no_pool", field="threat")
        if self.pool not in (None, pool):
            raise Refusal(f"{threat.capitalize()} is resisted with {pool}, not {self.pool}.", code="other_pool")
        proficiency = 0
        if pool in numbers.saves:
            proficiency = rolls.proficiency(numbers.level)
        return Skilled(Aim(kind=RollKind.SAVE, pool=pool, name=threat), proficiency)


# ---------------------------------------------------------------- taking 10 and 20


def taken(face: int, bonus: int, dc: int) -> Roll:
    """SP-17: the roll of a 10 or 20 that was taken. It is no natural: the total alone decides."""
    return Roll(0, face + bonus, dc)


@CHECKS.event("taken")
class Taken(Checked):
    """SP-17: somebody took 10 or 20 instead of rolling."""

    face: int
    times_as_long: int

    def says(self, teller: Teller) -> str:
        line = f"{teller.name(self.who)} takes {self.face} on {self.aimed(teller)}: {self.roll.log_line(teller)}"
        if self.times_as_long == 20:
            line += ", twenty times as long"
        return line


@CHECKS.command("take", title="Take 10 or 20", actor="who")
class Take(Command):
    """Take 10 on routine work, or 20 with all the time in the world. No die, no points."""

    who: Annotated[CharacterId, Doc("who does it")]
    face: Annotated[Literal[10, 20], Label("10 or 20")] = 10
    skill: SkillField = None
    pool: PoolField = None
    dc: DC = None
    difficulty: Rank = None
    circumstances: Circumstances = ()
    modifier: Modifier = 0
    harmless: Annotated[
        bool,
        Label("no hurry, no harm"),
        Doc("for 20: whether there is all the time it takes, and failure does no harm"),
        MaySet.PROPOSAL,
    ] = False
    requires_training: RequiresTraining = False
    request: RequestField = None

    hides = is_hidden

    def does(self, call: Call) -> list[Event]:
        """SP-17: 10 where nothing presses, 20 where time is no matter and failure harmless. No points, no advantage."""
        state = call.state
        who = state.find(self.who)
        skilled = skilled_for(self, call)
        check_able(state, who, RollKind.CHECK)
        if state.calendar.encounter is not None:
            raise Refusal(f"Nobody takes {self.face} in the middle of an encounter.", code="pressed")
        if self.face == 20 and not self.harmless:
            raise Refusal("Taking 20 needs unlimited time and a failure that does no harm.", code="not_harmless")
        attempt = Attempt(who, skilled.aim, standing_terms(state, who, skilled, self.modifier))
        request = request_of(state, self)
        roll = taken(self.face, attempt.bonus, difficulty_of(self, request))
        events: list[Event] = [
            Taken(
                who=who.id,
                roll=attempt.shown(roll, natural=self.face),
                face=self.face,
                times_as_long=20 if self.face == 20 else 1,
                **request_fields(request),
            )
        ]
        if request is not None:
            events.append(met(request))
        return events


@CHECKS.event("passive_noted")
class PassiveNoted(Event):
    who: CharacterId
    aim: Aim
    terms: tuple[Term, ...]
    score: int
    success: bool | None

    def says(self, teller: Teller) -> str:
        line = f"{teller.name(self.who)}, passive {self.aim.words(teller)}: "
        line += sum_words(10, self.terms, self.score, teller)
        if self.success is None:
            return line
        return f"{line}, enough" if self.success else f"{line}, not enough"


@CHECKS.command("passive", title="Passive score", actor="who")
class Passive(Command):
    """Note what somebody would do without trying: 10 and what is added to a roll."""

    who: Annotated[CharacterId, Doc("whose")]
    skill: Annotated[Name, Names("skill"), Doc("the skill")] = "perception"
    modifier: Modifier = 0
    dc: DC = None

    def does(self, call: Call) -> list[PassiveNoted]:
        """SP-16: 10, proficiency by training, Edge and the situation; no points, no advantage."""
        who = call.state.find(self.who)
        skilled = skilled_check(call.state, who, self.skill, None)
        terms = standing_terms(call.state, who, skilled, self.modifier)
        score = 10 + total(terms)
        success = None
        if self.dc is not None:
            success = score >= self.dc
        return [PassiveNoted(who=who.id, aim=skilled.aim, terms=terms, score=score, success=success)]
