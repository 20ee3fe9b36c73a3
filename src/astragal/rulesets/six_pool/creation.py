"""People come into the story, and grow. SP+01, SP+02, SP+04."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astragal.table.newcomers import check_name, seat_for_hero
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character, State

from . import happened as it
from . import words
from .asked_between_rolls import MakeHero, MakeNpc, OpenNumbers, RaiseLevel, Train, Wear
from .classes import CASTING
from .game import find_skill, known_classes, known_skills
from .heroes.build import POINTS_A_LEVEL, Companions
from .heroes.files import Book, ability_faults, build_of, faults, repairs
from .pools import HIGHEST_LEVEL, MOST_EDGE, Pool, pool_called, steps_by
from .proficiency import Training
from .sheet import Kind, Numbers, Points, Sheet, find


def book_of(state: State) -> Book:
    """What this table holds heroes against."""
    companions = Companions(state.options.pool_array, state.options.class_edges)
    return Book(known_classes(state), known_skills(state), companions)


# ---------------------------------------------------------------- coming in


def _make_hero(call: Call, asked: MakeHero, _: None) -> list[it.HeroMade]:
    """SP+01, SP+02: refused with every reason at once, and with the nearest hero that would be legal."""
    book = book_of(call.state)
    if wrong := faults(asked, book):
        nearest = [what for what, _ in repairs(asked, book)[:1] if what]
        raise Refusal("; ".join([*wrong, *(f"nearest: {what}" for what in nearest)]) + ".", code="illegal_hero")
    check_name(call.state, asked.name)
    sheet = hero_sheet(asked, book)
    return [
        it.HeroMade(
            who=call.fresh, name=asked.name, seat=seat_for_hero(call, asked.seat), sheet=sheet, about=asked.about
        )
    ]


def hero_sheet(asked: MakeHero, book: Book) -> Sheet:
    """A legal hero as a sheet, all pools full."""
    build = build_of(asked)
    hero_class = book.classes[build.hero_class]
    numbers = Numbers(
        level=asked.level,
        pools={pool: Points(most=most, now=most, edge=build.edge(pool)) for pool, most in build.pools.items()},
        training=_training(asked.training),
        saves=hero_class.saves,
        armour=asked.armour,
        sturdiness=hero_class.hit_points,
    )
    return Sheet(
        kind=Kind.HERO,
        hero_class=hero_class.name,
        primary=hero_class.primary,
        casting=hero_class.casting,
        abilities=asked.abilities,
        open=numbers,
    )


def _make_npc(call: Call, asked: MakeNpc, _: None) -> list[it.NpcMade]:
    """SP-13: nobody of the game master's has pools unless given some."""
    check_name(call.state, asked.name)
    check_casting(asked.casting)
    if wrong := ability_faults(asked.abilities):
        raise Refusal("; ".join(wrong) + ".", code="abilities")
    for name in asked.training:
        find_skill(call.state, name)
    numbers = Numbers(
        level=asked.level,
        pools=_npc_pools(asked),
        training=_training(asked.training),
        saves=asked.saves,
        armour=asked.armour,
        sturdiness=asked.hit_points,
    )
    sheet = Sheet(
        kind=Kind.NPC,
        casting=asked.casting,
        abilities=asked.abilities,
        open=numbers if asked.open else None,
        closed=None if asked.open else numbers,
    )
    return [it.NpcMade(who=call.fresh, name=asked.name, sheet=sheet, about=asked.about)]


def check_casting(pool: Pool | None) -> None:
    """SP-08: spells come from INT, WIS or CHA."""
    if pool is not None and pool not in CASTING:
        raise Refusal(f"Spells come from {', '.join(CASTING)}, not {pool}.", code="other_pool")


def _npc_pools(asked: MakeNpc) -> Mapping[Pool, Points]:
    strange = [name for name in {*asked.pools, *asked.edges} if pool_called(name) is None]
    if strange:
        raise Refusal(f"There is no pool {strange[0][:20]!r}; there are {', '.join(Pool)}.", code="no_pool")
    edges = {pool_called(name): edge for name, edge in asked.edges.items()}
    mosts = {pool_called(name): most for name, most in asked.pools.items()}
    return {
        pool: Points(most=mosts.get(pool, 0), now=mosts.get(pool, 0), edge=edges.get(pool, 0))
        for pool in Pool
        if pool in mosts
    }


def _training(training: Mapping[str, Training]) -> Mapping[str, Training]:
    return {name.strip().casefold(): one for name, one in training.items()}


# ---------------------------------------------------------------- growing


def _raise_level(call: Call, asked: RaiseLevel, _: None) -> list[it.LevelRaised]:
    """SP+01: three points, one of them in the primary pool. SP+02: a step of Edge at 5, 9, 13 and 17."""
    who = find(call.state, asked.who)
    numbers, primary, options = who.sheet.numbers, who.sheet.primary, call.state.options
    level = numbers.level + 1
    if level > HIGHEST_LEVEL:
        raise Refusal(f"{who.name} has reached level {HIGHEST_LEVEL}.", code="highest_level")
    if options.pool_array and len(asked.points) != POINTS_A_LEVEL:
        raise Refusal(f"A level gives {POINTS_A_LEVEL} points, not {len(asked.points)}.", code="level_points")
    if options.pool_array and primary not in asked.points:
        raise Refusal(f"One of the points goes into {primary}, the primary pool.", code="level_points")
    if options.class_edges and (steps_by(level) > steps_by(numbers.level)) != (asked.edge is not None):
        due = "a new step of Edge: say where it goes" if asked.edge is None else "no new step of Edge"
        raise Refusal(f"Level {level} gives {due}.", code="level_edge")
    if asked.edge is not None and numbers.pool(asked.edge).edge >= MOST_EDGE:
        raise Refusal(f"{who.name} has Edge {MOST_EDGE} in {asked.edge} already.", code="level_edge")
    return [it.LevelRaised(who=who.id, level=level, points=asked.points, edge=asked.edge)]


def _train(call: Call, asked: Train, _: None) -> list[it.Trained]:
    who, skill = find(call.state, asked.who), find_skill(call.state, asked.skill)
    return [it.Trained(who=who.id, skill=skill.trained_by, training=asked.training)]


def _wear(call: Call, asked: Wear, _: None) -> list[it.ArmourChanged]:
    return [it.ArmourChanged(who=find(call.state, asked.who).id, armour=asked.armour)]


def _open(call: Call, asked: OpenNumbers, _: None) -> list[it.NumbersOpened]:
    who = find(call.state, asked.who)
    if not who.sheet.is_closed:
        raise Refusal(f"Everyone can read {who.name}'s numbers already.", code="no_change")
    return [it.NumbersOpened(who=who.id, numbers=who.sheet.numbers)]


# ---------------------------------------------------------------- folds


def _enter(state: State, made: it.HeroMade | it.NpcMade) -> State:
    seat = made.seat if isinstance(made, it.HeroMade) else None
    sheet = replace(made.sheet, about=made.about)
    return state.with_character(Character(id=made.who, name=made.name, seat=seat, sheet=sheet))


def _with_numbers(state: State, who: str, **changes: Any) -> State:
    sheet = find(state, who).sheet
    return state.with_sheet(who, sheet.with_numbers(replace(sheet.numbers, **changes)))


def _show(state: State, opened: it.NumbersOpened) -> State:
    """Opened for good; what has changed since, in another branch, is not."""
    if opened.who not in state.characters:
        return state
    sheet = find(state, opened.who).sheet
    return state.with_sheet(opened.who, replace(sheet, open=sheet.numbers, closed=None))


def _grow(state: State, raised: it.LevelRaised) -> State:
    numbers = find(state, raised.who).sheet.numbers
    for pool in raised.points:
        held = numbers.pool(pool)
        numbers = numbers.with_points(pool, replace(held, most=held.most + 1, now=held.now + 1))
    if raised.edge is not None:
        held = numbers.pool(raised.edge)
        numbers = numbers.with_points(raised.edge, replace(held, edge=held.edge + 1))
    return _with_numbers(state, raised.who, level=raised.level, pools=numbers.pools)


def _practise(state: State, trained: it.Trained) -> State:
    training = {**find(state, trained.who).sheet.numbers.training, trained.skill: trained.training}
    return _with_numbers(state, trained.who, training=training)


CREATION = Chapter(
    actions=(
        Action(MakeHero, _make_hero),
        Action(MakeNpc, _make_npc),
        Action(OpenNumbers, _open),
        Action(RaiseLevel, _raise_level),
        Action(Train, _train),
        Action(Wear, _wear),
    ),
    happenings=(
        Happening(it.HeroMade, words.hero_made, _enter),
        Happening(it.NpcMade, words.npc_made, _enter),
        Happening(it.NumbersOpened, words.numbers_opened, _show),
        Happening(it.LevelRaised, words.level_raised, _grow),
        Happening(it.Trained, words.trained, _practise),
        Happening(
            it.ArmourChanged,
            words.armour_changed,
            lambda state, told: _with_numbers(state, told.who, armour=told.armour),
        ),
    ),
)
