"""A character's sheet as pieces that every surface can lay out."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.table.furniture import Piece, Pips, Score, Tags, Track
from astragal.table.seen import WITHHELD
from astragal.table.state import Character

from .luck import luck_percent
from .sheet import Item, Sheet
from .words import item_words
from .words_story import STATES
from .words_toolkit import RICH


def furniture(who: Character[Sheet]) -> Sequence[Piece]:
    """Scores first, then what is held and spent, then what is carried. Scores that one may not know are left out."""
    sheet = who.sheet
    return [*_scores(who), *_pools(sheet), *_tracks(sheet), *_gear(sheet.gear), *_words(sheet), *_states(sheet)]


def _scores(who: Character[Sheet]) -> list[Score]:
    sheet = who.sheet
    closed = {} if sheet.scores.closed is WITHHELD else sheet.scores.closed
    return [
        Score(key, score, command="test", fields=(("who", who.id), ("attribute", key)))
        for key, score in {**sheet.scores.open, **closed}.items()
        if key != sheet.luck_key
    ]


def _pools(sheet: Sheet) -> list[Pips]:
    stamina = Pips("Stamina", sheet.stamina, max(sheet.stamina, sheet.stamina_most))
    if not sheet.is_hero:
        return [stamina]
    doc = f"a Luck test succeeds with {luck_percent(sheet.luck)} %"
    return [stamina, Pips("Luck", sheet.luck, max(sheet.luck, sheet.luck_most), doc)]


def _tracks(sheet: Sheet) -> list[Piece]:
    """SS-50, SS-61, SS-67, SS+02: what a hero has of one's own, where it stands at something."""
    tracks: list[Piece] = [
        Track(label, now, STATES) for label, now in (("Pressure", sheet.pressure), ("Stress", sheet.stress)) if now
    ]
    tracks += [Score("Build points", sheet.points)] if sheet.points else []
    if sheet.wealth is not None:
        tracks.append(Track("Wealth", sheet.wealth, RICH))
    return tracks


def _words(sheet: Sheet) -> list[Tags]:
    said = (("Concept", (sheet.concept,)), ("Advantage", (sheet.advantage,)), ("Boons", sheet.boons))
    return [Tags(label, words) for label, words in said if any(words)]


def _gear(gear: tuple[Item, ...]) -> list[Tags]:
    return [Tags("Gear", tuple(item_words(item) for item in gear))] if gear else []


def _states(sheet: Sheet) -> list[Tags]:
    states = ["collapsed"] if sheet.is_collapsed else []
    states += ["at a milestone"] if sheet.milestone_open else []
    if sheet.fate is not None:
        states.append(sheet.fate.value)
    return [Tags("State", tuple(states))] if states else []
