"""Contests between two characters, with sealed points on both sides. SP-13."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.chance import Question
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character, State
from astragal.values import frozen

from . import happened as it
from . import words
from .aftermath import used_up
from .asked import Contest
from .attempts import Skilled, check_contested, most_points, points_worth, rerolls, standing_terms
from .checks import skilled_check
from .circumstances import Ground, Named, ground
from .contest_presets import ContestPreset
from .game import find_skill, known_contests
from .pools import Pool, doubled_points, pool_called
from .sheet import RollKind, Sheet, find
from .shown import ShownSide, Term
from .trial import contests as trial
from .trial.contests import Contender, Outcome, Side, SideRoll


@frozen
class _Entry:
    """One side of a contest as the command names it."""

    who: Character[Sheet]
    skilled: Skilled
    terms: tuple[Term, ...]
    ground: Ground

    @property
    def pool(self) -> Pool:
        return self.skilled.aim.pool


# ---------------------------------------------------------------- who rolls what


def _entry(call: Call, asked: Contest, side: Side) -> _Entry:
    acting = side is Side.ACTOR
    who = find(call.state, asked.who if acting else asked.against)
    named = (
        Named(asked.advantage, asked.disadvantage)
        if acting
        else Named(asked.against_advantage, asked.against_disadvantage)
    )
    check_contested(call, who, named)
    skilled = _skilled(call.state, who, asked, side)
    terms = standing_terms(call.state, who, skilled, asked.modifier if acting else asked.against_modifier)
    return _Entry(who, skilled, terms, ground(call.state, who, skilled.aim.pool, named))


def _skilled(state: State, who: Character[Sheet], asked: Contest, side: Side) -> Skilled:
    acting = side is Side.ACTOR
    skill, pool = (asked.skill, asked.pool) if acting else (asked.against_skill, asked.against_pool)
    if asked.contest is not None and skill is None:
        preset = _preset(state, asked.contest)
        skill, pool = _rolled_in(state, preset, preset.actor if acting else preset.holder, pool)
    return skilled_check(state, who, skill, pool, RollKind.CONTEST)


def _preset(state: State, name: str) -> ContestPreset:
    contests = known_contests(state)
    found = contests.get(name.strip().casefold())
    if found is None:
        raise NoSuchThing(f"There is no contest {name[:40]!r}; there are {', '.join(contests)}.")
    return found


def _rolled_in(
    state: State, preset: ContestPreset, rolls: tuple[str, ...], wanted: Pool | None
) -> tuple[str | None, Pool]:
    """What a side rolls: the contest's usual skill or pool, or the one that belongs to the wanted pool."""
    ways: dict[Pool, str | None] = {}
    for roll in rolls:
        bare = pool_called(roll)
        ways.setdefault(bare or find_skill(state, roll).pool, None if bare else roll)
    pool = next(iter(ways)) if wanted is None else wanted
    if pool not in ways:
        raise Refusal(f"{preset.name.capitalize()} is rolled with {' or '.join(ways)}, not {pool}.", code="other_pool")
    return ways[pool], pool


# ---------------------------------------------------------------- asking and telling


def _contender(state: State, entry: _Entry, asked: Contest) -> Contender:
    points = entry.who.sheet.numbers.pool(entry.pool)
    return Contender(
        bonus=sum(term.amount for term in entry.terms),
        most=most_points(entry.who, entry.pool),
        doubled=doubled_points(points.edge, state.options.edge),
        helped=bool(entry.ground.helps),
        hindered=bool(entry.ground.hinders),
        inspired=bool(entry.who.sheet.inspiration),
        with_points=state.options.inspiration_with_points,
        again=rerolls(entry.who, entry.skilled.aim, asked.rerolls),
    )


def _gather(call: Call, asked: Contest) -> Question[trial.Contest]:
    if asked.who == asked.against:
        raise Refusal("Nobody contends with themselves.", code="same_side")
    entries = (_entry(call, asked, side) for side in Side)
    actor, holder = (_contender(call.state, entry, asked) for entry in entries)
    return trial.contest(actor, holder, _tie_to(call.state, asked))


def _tie_to(state: State, asked: Contest) -> Side:
    """SP-13: the call names who has a tie; unsaid, it is the one who holds out."""
    if asked.tie_to is not None:
        return asked.tie_to
    return Side.HOLDER if asked.contest is None else _preset(state, asked.contest).tie_to


def _tell(call: Call, asked: Contest, verdict: trial.Contest) -> list[Any]:
    actor, holder = (_entry(call, asked, side) for side in Side)
    told: list[Any] = [
        it.Contested(
            actor=_shown(call.state, actor, verdict.actor),
            holder=_shown(call.state, holder, verdict.holder),
            winner=verdict.winner,
            margin=abs(verdict.margin),
        )
    ]
    for entry, effort in ((actor, verdict.actor), (holder, verdict.holder)):
        told += used_up(call.state, entry.who, entry.pool, effort.declared, effort.thrown.rerolled)
    return told


def _shown(state: State, entry: _Entry, effort: SideRoll) -> ShownSide:
    helps = (*entry.ground.helps, *(("inspiration",) if effort.declared.inspired else ()))
    stood = Ground(helps, entry.ground.hinders)
    spent = points_worth(state, entry.who, entry.pool, effort.declared.points)
    return ShownSide(
        who=entry.who.id,
        aim=entry.skilled.aim,
        footing=stood.footing,
        because=stood.because,
        natural=effort.thrown.natural,
        rerolled=effort.thrown.rerolled,
        terms=(*entry.terms, *((Term(name="effort", amount=spent),) if spent else ())),
        total=effort.total,
    )


def _sides(_: Call, asked: Contest) -> Mapping[str, str]:
    return {Side.ACTOR.value: asked.who, Side.HOLDER.value: asked.against}


def _has_closed_side(call: Call, asked: Contest) -> bool:
    """Whoever declares against closed numbers must not read them in the question."""
    return any(find(call.state, who).sheet.is_closed for who in (asked.who, asked.against))


CONTESTS = Chapter(
    actions=(
        Action(
            Contest,
            _tell,
            gather=_gather,
            sides=_sides,
            outcome=lambda verdict: verdict.outcome,
            hopes=lambda outcome: outcome is Outcome.ACTOR_WINS,
            hides=_has_closed_side,
        ),
    ),
    happenings=(Happening(it.Contested, words.contested, went=words.contest_went),),
)
