"""Who is in the story and what they carry. SS-10 to SS-14, SS-20, SS-28, SS-40."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from astragal.table.chapters.seats import find_seat
from astragal.table.refusals import BadFields, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.seats import Role
from astragal.table.state import Character

from . import words
from .accounts import STAMINA, Build, baseline, why_illegal
from .asked import Carry, Drop, MakeHero, MakeNpc, OpenScores
from .building_words import reason_words
from .circumstances import known_key
from .game import Table
from .happened import Carried, Dropped, HeroMade, NpcMade, ScoresOpened
from .options import Options
from .sheet import Item, Kind, Scores, Sheet, find

LEAST_SCORE, MOST_SCORE = 1, 20
"""The custodian's people are not bound to the rails, only to the die."""

# ---------------------------------------------------------------- deciding


def _make_hero(call: Call, asked: MakeHero, _: None) -> list[HeroMade]:
    options: Options = call.state.options
    build = _build(call.state, asked.scores)
    _check_name(call.state, asked.name)
    _check_gear(asked.gear)
    made = HeroMade(
        who=call.fresh,
        name=asked.name,
        seat=_seat(call, asked),
        scores={key: build[key] for key in options.attributes},
        luck=build[options.luck],
        stamina=build[STAMINA],
        gear=asked.gear,
        notes=asked.notes,
    )
    return [made]


def _build(state: Table, scores: Mapping[str, int]) -> Build:
    """SS-14: a legal build, or every reason why it is none."""
    options = state.options
    build = {**baseline(options.attributes), **scores}
    reasons = why_illegal(build, options.build_points, options.attributes)
    if reasons:
        raise BadFields([reason_words(reason, state.terms).removesuffix(".") for reason in reasons])
    return build


def _seat(call: Call, asked: MakeHero) -> str | None:
    if not call.viewer.is_game_master:
        if asked.seat not in (None, call.viewer.seat):
            raise Refusal("Only the game master makes a hero for somebody else.", code="not_allowed")
        return call.viewer.seat
    if asked.seat is not None and find_seat(call.state, asked.seat).role is Role.SPECTATOR:
        raise Refusal("A spectator has no hero.", code="not_allowed")
    return asked.seat


def _check_name(state: Table, name: str) -> None:
    if any(one.name.casefold() == name.casefold() for one in state.characters.values()):
        raise Refusal(f"Somebody called {name} is in the story already.", code="name_taken")


def _check_gear(gear: tuple[Item, ...]) -> None:
    names = [item.name.casefold() for item in gear]
    if len(set(names)) < len(names):
        raise Refusal("Two items have the same name.", code="name_taken")


def _make_npc(call: Call, asked: MakeNpc, _: None) -> list[NpcMade]:
    options: Options = call.state.options
    named = {known_key(options, key): score for key, score in asked.scores.items()}
    scores = {**dict.fromkeys(options.attributes, asked.score), **named}
    if strange := [f"{key} {score}" for key, score in scores.items() if not LEAST_SCORE <= score <= MOST_SCORE]:
        raise Refusal(f"A score lies between {LEAST_SCORE} and {MOST_SCORE}: {', '.join(strange)}.", code="score")
    _check_name(call.state, asked.name)
    _check_gear(asked.gear)
    made = NpcMade(
        who=call.fresh,
        name=asked.name,
        scores=Scores(open=scores) if asked.shown else Scores(closed=scores),
        luck=asked.luck,
        stamina=asked.stamina,
        gear=asked.gear,
    )
    return [made]


def _open_scores(call: Call, asked: OpenScores, _: None) -> list[ScoresOpened]:
    who = find(call.state, asked.who)
    if not who.sheet.scores.closed:
        raise Refusal(f"Everyone knows {who.name}’s scores.", code="no_change")
    return [ScoresOpened(who=who.id, scores=who.sheet.scores.opened().open)]


def _carry(call: Call, asked: Carry, _: None) -> list[Carried]:
    who = find(call.state, asked.who)
    _check_gear((*who.sheet.gear, asked.item))
    return [Carried(who=who.id, item=asked.item)]


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
    )
    seat = made.seat if made.seat in state.seats else None
    return state.with_character(Character(id=made.who, name=made.name, seat=seat, sheet=sheet))


def _enter_npc(state: Table, made: NpcMade) -> Table:
    sheet = Sheet(
        kind=Kind.NPC,
        scores=made.scores,
        luck=made.luck,
        luck_key=state.options.luck,
        stamina=made.stamina,
        stamina_most=made.stamina,
        gear=made.gear,
    )
    return state.with_character(Character(id=made.who, name=made.name, seat=None, sheet=sheet))


def _open(state: Table, opened: ScoresOpened) -> Table:
    if opened.who not in state.characters:
        return state
    sheet = state.characters[opened.who].sheet
    return state.with_sheet(opened.who, replace(sheet, scores=sheet.scores.opened()))


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
        Action(MakeNpc, _make_npc),
        Action(OpenScores, _open_scores),
        Action(Carry, _carry),
        Action(Drop, _drop),
    ),
    happenings=(
        Happening(HeroMade, words.hero_made, _enter_hero),
        Happening(NpcMade, words.npc_made, _enter_npc),
        Happening(ScoresOpened, words.scores_opened, _open),
        Happening(Carried, words.carried, _take),
        Happening(Dropped, words.dropped, _leave),
    ),
)
