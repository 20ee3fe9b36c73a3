"""Heroes and what they carry. SS-10 to SS-15, SS-20, SS-40, SS-70."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from astragal.table.newcomers import check_name, seat_for_hero
from astragal.table.refusals import BadFields, NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character

from . import words
from .accounts import STAMINA, Build, accounts, baseline, why_illegal
from .asked import Carry, Drop, MakeHero, TakeSample
from .building_words import nearest_words, reason_words
from .game import Table
from .happened import Carried, Dropped, HeroMade
from .options import Companion, Options, Sample
from .repairs import nearest_legal
from .sheet import Item, Kind, Scores, Sheet, find

# ---------------------------------------------------------------- deciding


def _make_hero(call: Call, asked: MakeHero, _: None) -> list[HeroMade]:
    options: Options = call.state.options
    build, gear = _build(call.state, asked.scores), (*asked.gear, *known_items(options, asked.kit))
    check_name(call.state, asked.name)
    check_gear(gear)
    books = accounts(build, options.build_points)
    made = HeroMade(
        who=call.fresh,
        name=asked.name,
        seat=seat_for_hero(call, asked.seat),
        scores={key: build[key] for key in options.attributes},
        luck=build[options.luck],
        stamina=build[STAMINA],
        gear=gear,
        notes=asked.notes,
        concept=asked.concept,
        advantage=asked.advantage,
        wealth=asked.wealth if options.plays(Companion.WEALTH) else None,
        credit_left=books.credit_left,
        points_left=books.points_left,
    )
    return [made]


def _take_sample(call: Call, asked: TakeSample, _: None) -> list[HeroMade]:
    """SS-70: a sample hero is made like any other."""
    samples: tuple[Sample, ...] = call.state.options.samples
    for sample in samples:
        if sample.name.casefold() == asked.sample.casefold():
            hero = MakeHero(
                name=sample.name,
                scores=sample.scores,
                kit=sample.gear,
                concept=sample.concept,
                advantage=sample.advantage,
                seat=asked.seat,
            )
            return _make_hero(call, hero, None)
    ready = ", ".join(sample.name for sample in samples) or "none"
    raise NoSuchThing(f"No hero called {asked.sample!r} is ready; there is {ready}.")


def _build(state: Table, scores: Mapping[str, int]) -> Build:
    """SS-14: a legal build, or every reason why it is none, with the nearest that would be."""
    options = state.options
    build = {**baseline(options.attributes), **scores}
    reasons = why_illegal(build, options.build_points, options.attributes)
    if reasons:
        known = {key: score for key, score in build.items() if key in (*options.attributes, STAMINA)}
        told = [reason_words(reason, state.terms).removesuffix(".") for reason in reasons]
        raise BadFields([*told, *nearest_words(nearest_legal(known, options.build_points), state.terms)])
    return build


def check_gear(gear: tuple[Item, ...]) -> None:
    names = [item.name.casefold() for item in gear]
    if len(set(names)) < len(names):
        raise Refusal("Two items have the same name.", code="name_taken")


def known_items(options: Options, names: tuple[str, ...]) -> tuple[Item, ...]:
    """SS-70: things by the names that the skin has for them; what it does not know is a thing all the same."""
    known = {item.name.casefold(): item for item in options.known_items}
    return tuple(known.get(name.casefold(), Item(name=name)) for name in names)


def _carry(call: Call, asked: Carry, _: None) -> list[Carried]:
    who = find(call.state, asked.who)
    named = asked.item if isinstance(asked.item, Item) else known_items(call.state.options, (asked.item,))[0]
    check_gear((*who.sheet.gear, named))
    return [Carried(who=who.id, item=named)]


def _drop(call: Call, asked: Drop, _: None) -> list[Dropped]:
    who = find(call.state, asked.who)
    item = who.sheet.item(asked.item)
    if item is None:
        raise Refusal(f"{who.name} does not carry {asked.item!r}.", code="not_carried")
    return [Dropped(who=who.id, item=item.name)]


# ---------------------------------------------------------------- folds


def _enter_hero(state: Table, made: HeroMade) -> Table:
    sheet = Sheet(
        kind=Kind.HERO,
        scores=Scores(open=made.scores),
        luck=made.luck,
        luck_key=state.options.luck,
        stamina=made.stamina,
        stamina_most=made.stamina,
        gear=made.gear,
        notes=made.notes,
        concept=made.concept,
        advantage=made.advantage,
        wealth=made.wealth,
    )
    seat = made.seat if made.seat in state.seats else None
    return state.with_character(Character(id=made.who, name=made.name, seat=seat, sheet=sheet))


def _take(state: Table, carried: Carried) -> Table:
    sheet = state.characters[carried.who].sheet
    return state.with_sheet(carried.who, replace(sheet, gear=(*sheet.gear, carried.item)))


def _leave(state: Table, dropped: Dropped) -> Table:
    sheet = state.characters[dropped.who].sheet
    gear = tuple(item for item in sheet.gear if item.name != dropped.item)
    return state.with_sheet(dropped.who, replace(sheet, gear=gear))


HEROES = Chapter(
    actions=(
        Action(MakeHero, _make_hero),
        Action(TakeSample, _take_sample),
        Action(Carry, _carry),
        Action(Drop, _drop),
    ),
    happenings=(
        Happening(HeroMade, words.hero_made, _enter_hero),
        Happening(Carried, words.carried, _take),
        Happening(Dropped, words.dropped, _leave),
    ),
)
