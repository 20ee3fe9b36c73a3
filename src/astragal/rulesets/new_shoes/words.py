"""All that New Shoes says to people. A skin renames its terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from astragal.table.furniture import Tone, Went
from astragal.table.ruleset import Teller
from astragal.table.seen import WITHHELD

from . import happened as it
from .creation import POINTS, OutOfBounds, Reason, Repair
from .game import Called
from .results import Result
from .sheet import WORN_OUT, Attribute, Status
from .words_tables import target_words

TERMS: Mapping[str, str] = {"body": "Body", "mind": "Mind", "will": "Will", "xp": "XP"}
"""What a skin may call otherwise."""

HARM = "harm"
"""NS-15: the status of something that has no attribute to lose."""
DEJA_VU = "déjà vu"
"""The status with which a rewind can be paid for."""

WHAT_COMES_OF_IT = "Tell what comes of it."
"""NS-05: what whoever narrates is asked."""

USUAL = range(WORN_OUT, -WORN_OUT + 1)
"""NS-09: what a status is generally worth."""


def signed(number: int) -> str:
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def term(attribute: Attribute, terms: Mapping[str, str]) -> str:
    """What the table calls an attribute, where there is no teller to ask."""
    return terms.get(attribute.value, attribute.value)


def status_words(status: Status) -> str:
    return f"{status.name} {signed(status.value)}"


# ---------------------------------------------------------------- people


def hero_made(made: it.HeroMade, teller: Teller) -> str:
    points = ", ".join(f"{teller.term(one.value)} {getattr(made, one.value)}" for one in Attribute)
    return f"{made.name} enters the story: {points}"


def npc_made(made: it.NpcMade, _: Teller) -> str:
    return f"{made.name} enters the story"


def reason(why: Reason, terms: Mapping[str, str] = TERMS) -> str:
    """NS-01: what is wrong with a spread, with the numbers."""
    if isinstance(why, OutOfBounds):
        return f"{term(why.attribute, terms)} must have 1 to 8 points, not {why.points}"
    missing, points = abs(why.difference), "point" if abs(why.difference) == 1 else "points"
    too = "too many" if why.difference > 0 else "too few"
    return f"the three attributes have {why.points} points together, {missing} {points} {too}: there are {POINTS}"


def repairs(found: Iterable[Repair], terms: Mapping[str, str] = TERMS) -> str:
    """NS-01: what would be legal, and what it changes."""
    return f"the nearest that would do: {', or '.join(repair(one, terms) for one in found)}"


def account(spent: int) -> str:
    """NS-01: the ten points, as they are spent so far."""
    left = POINTS - spent
    return f"{spent} of {POINTS} points given, {abs(left)} {'too many' if left < 0 else 'left'}"


def repair(one: Repair, terms: Mapping[str, str] = TERMS) -> str:
    changes = " and ".join(
        f"{term(change.attribute, terms)} {change.before} → {change.after}" for change in one.changes
    )
    return changes or "as it is"


# ---------------------------------------------------------------- approaches


def approach_described(told: it.ApproachDescribed, teller: Teller) -> str:
    harm = " (to harm)" if told.harmful else ""
    return f"{teller.name(told.who)}{harm}: {told.words}"


def reaction_prompted(told: it.ReactionPrompted, teller: Teller) -> str:
    by = f"{teller.name(told.by)}: " if told.by else ""
    return f"{teller.name(told.who)} has to react. {by}{told.words}"


def approach_called(told: it.ApproachCalled, teller: Teller) -> str:
    called = told.called
    rolls = f"{teller.name(told.who)} rolls {teller.term(called.attribute.value)}"
    if told.opponent is not None:
        return f"{rolls} against {teller.name(told.opponent)}"
    against = f" against {teller.name(called.against)}" if called.against else ""
    return f"{rolls}{against}{_healing(called, teller)}"


def _healing(called: Called, teller: Teller) -> str:
    if called.healing is None:
        return ""
    return f" to heal {teller.name(called.healing.to)} ({teller.term(called.healing.attribute.value)})"


def target_beyond_the_usual(told: it.TargetBeyondTheUsual, _: Teller) -> str:
    return f"a target of {told.target} lies outside the usual 4 to 20"


def approach_dropped(told: it.ApproachDropped, teller: Teller) -> str:
    return f"nothing comes of what {teller.name(told.who)} was about to do"


def support_given(told: it.SupportGiven, teller: Teller) -> str:
    return f"{teller.name(told.who)} supports {teller.name(told.supported)} with {teller.term(told.attribute.value)}"


def support_withdrawn(told: it.SupportWithdrawn, teller: Teller) -> str:
    return f"{teller.name(told.who)} no longer supports {teller.name(told.supported)}"


# ---------------------------------------------------------------- rolls


def dice_thrown(told: it.DiceThrown, _: Teller) -> str:
    """NS-03: die by die, an arrow to each that a 6 brought."""
    mine = _dice(told.mine, told.statuses, told.total)
    if told.opposing_total is None:
        return mine
    return f"{mine} against {_dice(told.theirs, told.opposing_statuses, told.opposing_total)}"


def _dice(chains: tuple[tuple[int, ...], ...], statuses: int, total: int) -> str:
    dice = ", ".join("→".join(map(str, chain)) for chain in chains)
    counted = f", {signed(statuses)}" if statuses else ""
    return f"{dice}{counted}: {total}"


def dice_set_aside(told: it.DiceSetAside, _: Teller) -> str:
    faces = ", ".join(str(die.face) for die in told.dice)
    return f"on the table so far: {faces}" if faces else "the dice are cleared away"


def dice_taken_up(_: it.DiceTakenUp, __: Teller) -> str:
    return "more dice are thrown to them"


_RESULTS = {
    Result.SUCCESS: "success, and the player tells it",
    Result.PARTIAL: "partial success, with a twist that the game master tells",
    Result.FAILURE: "failure, which the game master tells",
}


_WENT = {Result.SUCCESS: Tone.GOOD, Result.PARTIAL: Tone.MIXED, Result.FAILURE: Tone.BAD}


def approach_went(told: it.ApproachRolled, _: Teller) -> Went | None:
    return None if told.result is WITHHELD else Went(_WENT[told.result], _RESULTS[told.result].partition(",")[0])


def approach_rolled(told: it.ApproachRolled, teller: Teller) -> str:
    rolled = f"{teller.name(told.who)}, {teller.term(told.attribute.value)}{_terms(told.terms)}"
    if told.result is WITHHELD:
        return f"{rolled}: the game master knows what it was against"
    return f"{rolled} against {_against(told, teller)}: {_RESULTS[told.result]}"


def _against(told: it.ApproachRolled, teller: Teller) -> str:
    if told.opponent is None or told.opposing_attribute is None:
        return target_words(told.target or 0)
    return f"{teller.name(told.opponent)}, {teller.term(told.opposing_attribute.value)}{_terms(told.opposing_terms)}"


def _terms(terms: tuple[it.Term, ...]) -> str:
    named = [f"{'support of ' if term.support else ''}{term.name} {signed(term.value)}" for term in terms]
    return f" ({', '.join(named)})" if named else ""


# ---------------------------------------------------------------- statuses


def status_attached(told: it.StatusAttached, teller: Teller) -> str:
    return f"{_bearer(told.status, teller)}: {status_words(told.status)}{_warning(told.status.value)}"


def status_changed(told: it.StatusChanged, teller: Teller) -> str:
    change = f"{told.status.name} {signed(told.before)} → {signed(told.status.value)}"
    return f"{_bearer(told.status, teller)}: {change}{_warning(told.status.value)}"


def status_ended(told: it.StatusEnded, teller: Teller) -> str:
    why = f" ({told.words})" if told.words else ""
    return f"{_bearer(told.status, teller)}: {told.status.name} is no longer true{why}"


def _bearer(status: Status, teller: Teller) -> str:
    return teller.name(status.who) if status.who else status.what or "the scene"


def _warning(value: int) -> str:
    """NS-09: beyond −5 to +5 a status stands, with a warning."""
    return "" if value in USUAL else " (beyond the usual −5 to +5)"


# ---------------------------------------------------------------- harm and healing


def harmed(told: it.Harmed, teller: Teller) -> str:
    return f"{teller.name(told.who)} loses {told.lost} {teller.term(told.attribute.value)}, and has {told.left} left"


def worn_down(told: it.WornDown, teller: Teller) -> str:
    return f"{teller.name(told.who)}: {HARM} {signed(told.before)} → {signed(told.after)}"


def knocked_out(told: it.KnockedOut, teller: Teller) -> str:
    return f"{teller.name(told.who)} is out of the scene"


def kept_down(told: it.KeptDown, teller: Teller) -> str:
    return f"{teller.name(told.who)} will not wake with the next scene"


def woke(told: it.Woke, teller: Teller) -> str:
    raised = " and ".join(teller.term(attribute.value) for attribute in told.raised)
    return f"{teller.name(told.who)} is up again{f', with {raised} at 1' if raised else ''}"


def healed(told: it.Healed, teller: Teller) -> str:
    return f"{teller.name(told.who)} regains {told.gained} {teller.term(told.attribute.value)}, and has {told.now}"


def recovered(told: it.Recovered, teller: Teller) -> str:
    attributes = ", ".join(f"{teller.term(attribute.value)} +1" for attribute in told.attributes)
    return f"{teller.name(told.who)} recovers: {attributes}"


# ---------------------------------------------------------------- lessons and prices


def xp_earned(told: it.XpEarned, teller: Teller) -> str:
    return f"{teller.name(told.who)} learns from it: {told.held} {teller.term('xp')}"


def lesson_offered(told: it.LessonOffered, teller: Teller) -> str:
    price = f" for {told.price} {teller.term('xp')}" if told.price else ""
    return f"{teller.name(told.who)} may learn a speciality{price}"


def speciality_learned(told: it.SpecialityLearned, teller: Teller) -> str:
    return f"{teller.name(told.who)} has learned: {status_words(told.status)}"


def attribute_paid(told: it.AttributePaid, teller: Teller) -> str:
    return f"{teller.name(told.who)} pays {told.points} {teller.term(told.attribute.value)}"


def status_paid(told: it.StatusPaid, teller: Teller) -> str:
    return f"{teller.name(told.who)} pays: {status_words(told.status)}"
