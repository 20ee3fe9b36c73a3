"""What is said between the rolls: of Pressure, crises, purging, milestones, and to a custodian whose players stall."""

from __future__ import annotations

from astragal.table.ruleset import Teller

from . import happened_story as it
from .game import Table

HOSTILITY = "everyone is on edge"
RITE = "in a rite"

STATES = (
    "nothing",
    "flavour",
    "a minor move: disadvantage for a scene",
    "a serious side effect",
    "power and pools cost 1 more, and people turn hostile",
    "a crisis",
)
"""SS-52: what each step means for the rules."""

# ---------------------------------------------------------------- Pressure


def _track(track_of: str | None, teller: Teller) -> str:
    name = teller.term("pressure")
    return name if track_of is None else f"{teller.name(track_of)}’s {name}"


def pressure_rose(rose: it.PressureRose, teller: Teller) -> str:
    why = f" ({rose.why})" if rose.why else ""
    rises = f"{_track(rose.track_of, teller)} rises from {rose.before} to {rose.after}{why}"
    return f"{rises}. {teller.term(f'pressure_{rose.after}')}"


def pressure_fell(fell: it.PressureFell, teller: Teller) -> str:
    falls = f"{_track(fell.track_of, teller)} falls from {fell.before} to {fell.after} ({fell.how.value})"
    return f"{falls}. {teller.term(f'pressure_{fell.after}')}"


def pressure_paid(paid: it.PressurePaid, teller: Teller) -> str:
    return f"paid: 1 on {_track(paid.track_of, teller)}"


def crisis_loomed(loomed: it.CrisisLoomed, teller: Teller) -> str:
    return f"{_track(loomed.track_of, teller)} is full: a crisis comes next"


def crisis_broke(broke: it.CrisisBroke, teller: Teller) -> str:
    named = " and ".join(teller.term(f"crisis_{result}") for result in broke.results)
    return f"Crisis: {named}. {_track(broke.track_of, teller)} returns to {broke.reset}"


def crisis_struck(told: it.CrisisStruck, teller: Teller) -> str:
    whom = ", ".join(teller.name(who) for who in told.who)
    return f"{teller.term(f'crisis_{told.result}')} strikes {whom}: {teller.term(f'crisis_{told.result}_text')}"


def crisis_row(face: int, teller: Teller) -> str:
    """SS-55: a row of the table, for the custodian to pick."""
    return f"{teller.term(f'crisis_{face}')}: {teller.term(f'crisis_{face}_text')}"


def item_lost(lost: it.ItemLost, teller: Teller) -> str:
    return f"{teller.name(lost.who)} loses {lost.item} for good"


def moves_proposed(proposed: it.MovesProposed, teller: Teller) -> str:
    moves = ", ".join(move.value for move in proposed.moves)
    return f"{_track(proposed.track_of, teller)} at {proposed.step} ({STATES[proposed.step]}): you may take {moves}"


def surcharge_set(told: it.SurchargeSet, teller: Teller) -> str:
    return f"{_track(told.track_of, teller)}: every decision to spend costs 1 more while it stands at 4"


def side_effect_asked(state: Table) -> str:
    return f"{state.terms['pressure']} leaves its mark. Which side effect do you take?"


# ---------------------------------------------------------------- purging


def score_sacrificed(given: it.ScoreSacrificed, teller: Teller) -> str:
    return f"{teller.name(given.who)} gives up a point of {teller.term(given.key)}: {given.score} for good"


def quest_set(told: it.QuestSet, teller: Teller) -> str:
    return f"a quest that would clear {_track(told.who, teller)}: {told.objective}"


def quest_done(done: it.QuestDone, _: Teller) -> str:
    return f"the quest is done: {done.objective}"


# ---------------------------------------------------------------- milestones


def beat_marked(marked: it.BeatMarked, _: Teller) -> str:
    what = f": {marked.what}" if marked.what else ""
    return f"a perilous beat, number {marked.beats}{what}"


def milestone_due(due: it.MilestoneDue, _: Teller) -> str:
    return f"{due.beats} beats: a milestone is {'overdue' if due.overdue else 'due'}"


def milestone_reached(reached: it.MilestoneReached, teller: Teller) -> str:
    who = ", ".join(teller.name(one) for one in reached.who)
    return f"a milestone for {who}: {reached.points} to spend, and a boon: {reached.boon}"


def advanced(told: it.Advanced, teller: Teller) -> str:
    risen = ", ".join(f"{teller.term(key)} {score}" for key, score in told.scores.items()) or "keeps the points"
    return f"{teller.name(told.who)} advances: {risen}; {told.points} left"


def custodian_move_dealt(dealt: it.CustodianMoveDealt, _: Teller) -> str:
    return f"your move: {dealt.move.value}"
