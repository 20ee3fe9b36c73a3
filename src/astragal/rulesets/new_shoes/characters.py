"""Who and what is in the story. NS-01, NS-15."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.table.newcomers import check_name, seat_for_hero
from astragal.table.refusals import BadFields
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character, State

from . import words
from .asked import MakeHero, MakeNpc
from .creation import Spread
from .drafts import illegal_words
from .happened import HeroMade, NpcMade
from .sheet import Kind, Points, Sheet


def _make_hero(call: Call, asked: MakeHero, _: None) -> list[HeroMade]:
    _check_spread(Spread(asked.body, asked.mind, asked.will), call.state.terms)
    check_name(call.state, asked.name)
    made = HeroMade(
        who=call.fresh,
        name=asked.name,
        seat=seat_for_hero(call, asked.seat),
        body=asked.body,
        mind=asked.mind,
        will=asked.will,
        about=asked.about,
    )
    return [made]


def _check_spread(spread: Spread, terms: Mapping[str, str]) -> None:
    """NS-01: refused with the difference, every other reason, and what would be legal."""
    problems = illegal_words(spread, terms)
    if problems:
        raise BadFields(problems)


def _make_npc(call: Call, asked: MakeNpc, _: None) -> list[NpcMade]:
    """NS-15: with attributes, or without."""
    check_name(call.state, asked.name)
    made = NpcMade(
        who=call.fresh,
        name=asked.name,
        kind=Kind.THING if asked.thing else Kind.NPC,
        body=_whole(asked.body),
        mind=_whole(asked.mind),
        will=_whole(asked.will),
        about=asked.about,
    )
    return [made]


def _whole(points: int | None) -> Points | None:
    return None if points is None else Points(now=points, full=points)


def _enter_hero(state: State, made: HeroMade) -> State:
    sheet = Sheet(
        kind=Kind.HERO,
        body=_whole(made.body),
        mind=_whole(made.mind),
        will=_whole(made.will),
        about=made.about,
    )
    seat = made.seat if made.seat in state.seats else None
    return state.with_character(Character(id=made.who, name=made.name, seat=seat, sheet=sheet))


def _enter_npc(state: State, made: NpcMade) -> State:
    sheet = Sheet(kind=made.kind, body=made.body, mind=made.mind, will=made.will, about=made.about)
    return state.with_character(Character(id=made.who, name=made.name, seat=None, sheet=sheet))


CHARACTERS = Chapter(
    actions=(Action(MakeHero, _make_hero), Action(MakeNpc, _make_npc)),
    happenings=(
        Happening(HeroMade, words.hero_made, _enter_hero),
        Happening(NpcMade, words.npc_made, _enter_npc),
    ),
)
