"""Character sheets as pieces that every surface can lay out."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.game import WITHHELD, Character
from astragal.game.display import Piece, Score, Tags, Track
from astragal.game.rolls import circumstance_choices
from astragal.rulesets.sinew_steel.combat.stamina import STAMINA_METER
from astragal.rulesets.sinew_steel.luck import luck_percent
from astragal.rulesets.sinew_steel.pressure.tracks import STATES
from astragal.rulesets.sinew_steel.state import Sheet
from astragal.rulesets.sinew_steel.story.fortune import LUCK
from astragal.rulesets.sinew_steel.toolkit.wealth import WEALTH_METER
from astragal.rulesets.sinew_steel.trials.roller import USUAL


def furniture(who: Character[Sheet]) -> Sequence[Piece]:
    """Scores first, then what is held and spent, then what is carried. Scores that one may not know are left out."""
    sheet = who.sheet
    closed = {} if sheet.scores.closed is WITHHELD else sheet.scores.closed
    pieces: list[Piece] = [
        Score(key, score, command="test", fields=(("who", who.id), ("attribute", key)))
        for key, score in {**sheet.scores.open, **closed}.items()
        if key != sheet.luck_key
    ]
    pieces += [*held(who), *carried_and_said(sheet)]
    if sheet.is_hero:  # SS-42: what players may call on by themselves
        pieces += circumstance_choices(USUAL)
    return pieces


def held(who: Character[Sheet]) -> list[Piece]:
    """Stamina, Luck, and what a hero has of one's own, where it stands at something. SS-50, SS-61, SS-67, SS+02."""
    sheet = who.sheet
    pieces: list[Piece] = [STAMINA_METER.piece(who)]
    if sheet.is_hero:
        doc = f"a test of it succeeds with {luck_percent(sheet.luck)} %"
        pieces.append(LUCK.piece(who, doc, command="luck_test", who=who.id))
    tracks = (("pressure", sheet.pressure), ("stress", sheet.stress))
    pieces += [Track(label, now, STATES) for label, now in tracks if now]
    if sheet.points:
        pieces.append(Score("Build points", sheet.points))
    if sheet.wealth is not None:
        pieces.append(WEALTH_METER.piece(who))
    return pieces


def carried_and_said(sheet: Sheet) -> list[Tags]:
    """Gear, words about them, and the states that they are in."""
    pieces = []
    if sheet.carried:
        names = tuple(item.name for item in sheet.carried)
        pieces.append(Tags("Gear", tuple(item.words for item in sheet.carried), names, fills=("weapon", "item")))
    notes = () if sheet.notes is WITHHELD else (sheet.notes,)
    said = (
        ("Concept", (sheet.concept,)),
        ("Advantage", (sheet.advantage,)),
        ("Boons", sheet.boons),
        ("Notes", notes),
    )
    pieces += [Tags(label, words) for label, words in said if any(words)]
    states = ["collapsed"] if sheet.is_collapsed else []
    states += ["at a milestone"] if sheet.milestone_open else []
    return [*pieces, Tags("State", tuple(states))] if states else pieces
