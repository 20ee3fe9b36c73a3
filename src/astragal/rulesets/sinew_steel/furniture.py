"""A character's sheet as pieces that every surface can lay out."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.table.furniture import Choices, Piece, Pips, Score, Tags, Track
from astragal.table.seen import WITHHELD
from astragal.table.state import Character

from .circumstances import KNOWN
from .luck import luck_percent
from .rolling import Footing
from .sheet import Item, Sheet
from .words import item_words
from .words_story import STATES
from .words_toolkit import RICH


def furniture(who: Character[Sheet]) -> Sequence[Piece]:
    """Scores first, then what is held and spent, then what is carried. Scores that one may not know are left out."""
    sheet = who.sheet
    held = [*_pools(who), *_tracks(sheet), *_gear(sheet.gear)]
    return [*_scores(who), *held, *_words(sheet), *_states(sheet), *_footing(sheet)]


def _scores(who: Character[Sheet]) -> list[Score]:
    sheet = who.sheet
    closed = {} if sheet.scores.closed is WITHHELD else sheet.scores.closed
    return [
        Score(key, score, command="test", fields=(("who", who.id), ("attribute", key)))
        for key, score in {**sheet.scores.open, **closed}.items()
        if key != sheet.luck_key
    ]


def _pools(who: Character[Sheet]) -> list[Pips]:
    sheet = who.sheet
    stamina = Pips("stamina", sheet.stamina, max(sheet.stamina, sheet.stamina_most))
    if not sheet.is_hero:
        return [stamina]
    return [stamina, _luck(who)]


def _luck(who: Character[Sheet]) -> Pips:
    sheet, doc = who.sheet, f"a test of it succeeds with {luck_percent(who.sheet.luck)} %"
    most = max(sheet.luck, sheet.luck_most)
    return Pips("luck", sheet.luck, most, doc, command="luck_test", fields=(("who", who.id),))


def _tracks(sheet: Sheet) -> list[Piece]:
    """SS-50, SS-61, SS-67, SS+02: what a hero has of one's own, where it stands at something."""
    tracks: list[Piece] = [
        Track(label, now, STATES) for label, now in (("pressure", sheet.pressure), ("stress", sheet.stress)) if now
    ]
    tracks += [Score("Build points", sheet.points)] if sheet.points else []
    if sheet.wealth is not None:
        tracks.append(Track("Wealth", sheet.wealth, RICH))
    return tracks


def _words(sheet: Sheet) -> list[Tags]:
    said = (("Concept", (sheet.concept,)), ("Advantage", (sheet.advantage,)), ("Boons", sheet.boons))
    return [Tags(label, words) for label, words in said if any(words)]


def _gear(gear: tuple[Item, ...]) -> list[Tags]:
    words, names = (tuple(how(item) for item in gear) for how in (item_words, lambda item: item.name))
    return [Tags("Gear", words, names, fills=("weapon", "item"))] if gear else []


def _states(sheet: Sheet) -> list[Tags]:
    states = ["collapsed"] if sheet.is_collapsed else []
    states += ["at a milestone"] if sheet.milestone_open else []
    if sheet.fate is not None:
        states.append(sheet.fate.value)
    return [Tags("State", tuple(states))] if states else []


def _footing(sheet: Sheet) -> list[Choices]:
    """SS-42: what players may call on by themselves."""
    if not sheet.is_hero:
        return []
    named = {
        one: tuple((word, "a word is enough") for word, footing in KNOWN.items() if footing is one) for one in Footing
    }
    return [Choices("Advantage", named[Footing.ADVANTAGE]), Choices("Disadvantage", named[Footing.DISADVANTAGE])]
