"""Heroes enter the story. NJ-11, NJ-12, NJ-16, NJ+01."""

from __future__ import annotations

from astragal.table.chapters.seats import find_seat
from astragal.table.refusals import BadFields, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.seats import Role
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
    if any(one.name.casefold() == asked.name.casefold() for one in call.state.characters.values()):
        raise Refusal(f"Somebody called {asked.name} is in the story already.", code="name_taken")
    return [HeroMade(who=call.fresh, name=asked.name, seat=_seat(call, asked), sheet=new_sheet(asked))]


def check_legal(hero: HeroFile, frame: Frame | None) -> None:
    """NJ-16: a hero that can't be is refused with every reason."""
    reasons = why_illegal(hero, frame)
    if reasons:
        raise BadFields([reason_words(reason).removesuffix(".") for reason in reasons])


def _seat(call: Call, asked: MakeHero) -> str | None:
    if not call.viewer.is_game_master:
        if asked.seat not in (None, call.viewer.seat):
            raise Refusal("Only the game master makes a hero for somebody else.", code="not_allowed")
        return call.viewer.seat
    if asked.seat is not None and find_seat(call.state, asked.seat).role is Role.SPECTATOR:
        raise Refusal("A spectator has no hero.", code="not_allowed")
    return asked.seat


def _enter(state: State, made: HeroMade) -> State:
    seat = made.seat if made.seat in state.seats else None
    return state.with_character(Character(id=made.who, name=made.name, seat=seat, sheet=made.sheet))


HEROES = Chapter(
    actions=(Action(MakeHero, _make),),
    happenings=(Happening(HeroMade, words.hero_made, _enter),),
)
