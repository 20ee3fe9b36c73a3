"""Heroes enter the story. NJ-11, NJ-12, NJ-16, NJ+01."""

from __future__ import annotations

from astragal.table.newcomers import check_name, seat_for_hero
from astragal.table.refusals import BadFields
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character, State

from . import words
from .accounts import Frame, HeroFile, frame_of, new_sheet, why_illegal
from .asked import MakeHero
from .building_words import reason_words
from .happened import HeroMade
from .options import Options


def frame_at(options: Options) -> Frame | None:
    """NJ+01: the frame that this table's heroes keep to, if it has one."""
    return frame_of(options.power_level) if options.stat_points else None


def _make(call: Call, asked: MakeHero, _: None) -> list[HeroMade]:
    check_legal(asked, frame_at(call.state.options))
    check_name(call.state, asked.name)
    return [HeroMade(who=call.fresh, name=asked.name, seat=seat_for_hero(call, asked.seat), sheet=new_sheet(asked))]


def check_legal(hero: HeroFile, frame: Frame | None) -> None:
    """NJ-16: a hero that can't be is refused with every reason."""
    reasons = why_illegal(hero, frame)
    if reasons:
        raise BadFields([reason_words(reason).removesuffix(".") for reason in reasons])


def _enter(state: State, made: HeroMade) -> State:
    seat = made.seat if made.seat in state.seats else None
    return state.with_character(Character(id=made.who, name=made.name, seat=seat, sheet=made.sheet))


HEROES = Chapter(
    actions=(Action(MakeHero, _make),),
    happenings=(Happening(HeroMade, words.hero_made, _enter),),
)
