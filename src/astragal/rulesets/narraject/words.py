"""All that Narraject says to people. A skin renames its terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from astragal.chance import Question
from astragal.table.furniture import Tone, Went
from astragal.table.ruleset import Teller
from astragal.table.seen import WITHHELD

from . import happened as it
from .anchors import Anchor, Burden, Grade
from .asked import Missing
from .assets import Asset
from .difficulty import name_of
from .game import Span, Threat
from .hand import Hand, Source, Term
from .harm import BOXES, Condition, Track
from .rolling import Outcome
from .stats import ByStat, Stat

TERMS: Mapping[str, str] = {
    "might": "Might",
    "agility": "Agility",
    "intellect": "Intellect",
    "persona": "Persona",
    "focus": "Focus",
    "reserve": "Reserve",
    "anchor": "Anchor",
    "burden": "Burden",
    "asset": "Asset",
    "aspect": "Aspect",
    "narrative points": "Narrative Points",
    **{f"{stat.value}_reserve": f"{stat.title} Reserve" for stat in Stat},
    "physical_stress": "physical stress",
    "mental_stress": "mental stress",
    "narrative_points": "Narrative Points",
}
"""What a skin may call otherwise."""

NAMED_BY_PLAYERS = frozenset({Source.ANCHOR, Source.ASSET, Source.ASPECT, Source.BURDEN, Source.CONDITION})
"""A name alone does not say which of these it is."""

MISSING = {
    Missing.UNCERTAINTY: "the outcome is certain",
    Missing.CONSEQUENCES: "failing would change nothing",
    Missing.CHALLENGE: "it is too easy to fail",
}


def hero_made(made: it.HeroMade, teller: Teller) -> str:
    ratings = _numbers(made.sheet.ratings, teller)
    about = f". {made.sheet.about}" if made.sheet.about else ""
    return f"{made.name} enters the story: {ratings}{about}"


def _numbers(numbers: ByStat, teller: Teller) -> str:
    """What each stat has; those that have nothing are left out."""
    return ", ".join(f"{teller.term(stat.value)} {numbers[stat]}" for stat in Stat if numbers[stat])


# ---------------------------------------------------------------- intents and rolls


def intent_declared(told: it.IntentDeclared, teller: Teller) -> str:
    return f"{teller.name(told.who)} wants {told.goal} by {told.approach}"


def attempted(told: it.Attempted, teller: Teller) -> str:
    """NJ-05, NJ-10: the intent, every term of the hand, the count, and what it means as far as one may know."""
    intent = f"{teller.name(told.who)} wants {told.goal} by {told.approach}"
    return f"{intent}: {hand_words(told.hand, teller)}. {_count(told)}. {_meaning(told)}"


def hand_words(hand: Hand, teller: Teller) -> str:
    """NJ-10: “10 dice: Agility 3 + Focus 2 + …”."""
    first, *others = hand.terms
    sum_up = _term(first, teller) + "".join(_signed(term, teller) for term in others)
    idle = f" ({hand.idle} of {teller.term('focus')} without effect)" if hand.idle else ""
    desperate = ", a desperation roll" if hand.is_desperate and hand.dice else ""
    return f"{_dice(hand.dice)}{desperate}: {sum_up}{idle}"


def _signed(term: Term, teller: Teller) -> str:
    return f" {'−' if term.dice < 0 else '+'} {_term(term, teller)}"


def _term(term: Term, teller: Teller) -> str:
    return f"{_source(term, teller)} {abs(term.dice)}"


def _source(term: Term, teller: Teller) -> str:
    match term.source:
        case Source.RATING:
            return teller.term(term.name)
        case Source.FOCUS:
            return teller.term("focus")
        case Source.FLOOR:
            return "floor"
    return term.name


def reckoning(question: Question[Outcome], teller: Teller) -> Iterator[tuple[str, str]]:
    """NJ-05, NJ-10: the hand, source by source; what it comes to, and what was needed."""
    hand, difficulty = question.named["hand"], question.named["difficulty"]
    rating, *others = hand.terms
    yield _source(rating, teller), str(rating.dice)
    for term in others:
        yield _kind_and_name(term, teller), f"{'−' if term.dice < 0 else '+'}{abs(term.dice)}"
    yield "The hand", _dice(hand.dice)
    if hand.idle:
        yield f"{teller.term('focus')} without effect", str(hand.idle)
    yield "Needed", f"{_successes(difficulty)} ({name_of(difficulty).value})"


def _kind_and_name(term: Term, teller: Teller) -> str:
    name = _source(term, teller)
    said = f"{teller.term(term.source.value)}: {name}" if term.source in NAMED_BY_PLAYERS else name
    return said[:1].upper() + said[1:]


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count or 'no'} dice"


def _successes(count: int) -> str:
    return "1 success" if count == 1 else f"{count} successes"


def _count(told: it.Attempted) -> str:
    count = _successes(told.successes) if told.dice else "Nothing to roll"
    if told.difficulty is WITHHELD:
        return count
    return f"{count} against {told.difficulty} ({name_of(told.difficulty).value})"


def _meaning(told: it.Attempted) -> str:
    if told.success is WITHHELD:
        return "The game master knows what it means"
    if not told.success:
        return f"Failed, {-told.excess} short"
    beyond = f", {told.excess} more than needed" if told.excess else ""
    return f"It comes true{beyond}: {told.goal}"


def attempt_went(told: it.Attempted, _: Teller) -> Went | None:
    """NJ-05: what it means, where one may know the difficulty."""
    if told.success is WITHHELD:
        return None
    if not told.success:
        return Went(Tone.BAD, f"{-told.excess} short")
    return Went(Tone.GOOD, f"it comes true, {told.excess} to spare" if told.excess else "it comes true")


def done_without_dice(told: it.DoneWithoutDice, teller: Teller) -> str:
    why = MISSING[told.missing]
    return f"{teller.name(told.who)} wants {told.goal} by {told.approach}: done without dice, since {why}"


def came_to_light(told: it.CameToLight, _: Teller) -> str:
    aspect = f" (“{told.aspect}” lends 1 die)" if told.aspect else ""
    return f"It came true: {told.words}{aspect}"


def defence_goal(threat: Threat) -> str:
    return f"no harm from {threat.name}"


def treatment_goal(name: str, track: Track, grade: Grade) -> str:
    return f"{name}’s {grade.value} {track.value} condition eased"


# ---------------------------------------------------------------- aspects and injections


def aspect_made(made: it.AspectMade, teller: Teller) -> str:
    whom = "" if made.open_to is None else f" to {_names(made.open_to, teller)}"
    how_long = ["for one roll"] if made.once else []
    how_long += ["for the story"] if made.span is Span.STORY else []
    return f"“{made.name}” lends {_dice(made.dice)}{whom}{' '.join(['', *how_long])}"


def aspect_allowed(allowed: it.AspectAllowed, teller: Teller) -> str:
    whom = "everyone" if allowed.open_to is None else _names(allowed.open_to, teller) or "nobody"
    return f"“{allowed.name}” is open to {whom}"


def aspect_ended(ended: it.AspectEnded, _: Teller) -> str:
    return f"“{ended.name}” is over{' with the scene' if ended.with_the_scene else ''}"


def help_name(helpers: Sequence[str]) -> str:
    return f"help from {' and '.join(helpers)}"


def injected(told: it.Injected, teller: Teller) -> str:
    return f"{teller.name(told.seat)} injects: {told.fact}"


def injection_vetoed(vetoed: it.InjectionVetoed, teller: Teller) -> str:
    why = f" ({vetoed.why})" if vetoed.why else ""
    return f"the injection is vetoed{why}; {teller.name(vetoed.seat)} may make another"


def _names(people: Sequence[str], teller: Teller) -> str:
    return ", ".join(teller.name(one) for one in people)


# ---------------------------------------------------------------- burdens and gear


def burden_pressed(told: it.BurdenPressed, teller: Teller) -> str:
    return f"“{told.burden}” presses on {teller.name(told.who)}"


def burden_lifted(told: it.BurdenLifted, teller: Teller) -> str:
    return f"“{told.burden}” presses on {teller.name(told.who)} no longer"


def asset_gained(told: it.AssetGained, teller: Teller) -> str:
    return f"{teller.name(told.who)} has {asset_words(told.asset)}"


def asset_lost(told: it.AssetLost, teller: Teller) -> str:
    return f"{teller.name(told.who)} leaves {told.asset} behind"


def asset_carried(told: it.AssetCarried, teller: Teller) -> str:
    return f"{teller.name(told.who)} {'takes' if told.carried else 'stows'} {told.asset}"


def anchor_words(anchor: Anchor) -> str:
    return f"{anchor.name} ({anchor.grade.value}, {anchor.scope.value}, +{anchor.grade.dice})"


def burden_words(burden: Burden) -> str:
    return f"{burden.name} ({burden.grade.value}, −{burden.grade.dice})"


def asset_words(asset: Asset) -> str:
    marks = [asset.level.value, f"+{asset.dice}"]
    marks += [f"{tag.name} −{tag.dice}{_on(tag.stats)}" for tag in asset.tags]
    marks += [f"armour {asset.armour}"] if asset.armour else []
    return f"{asset.name} ({', '.join(marks)})"


def _on(stats: Sequence[Stat]) -> str:
    return f" on {' and '.join(stat.title for stat in stats)}" if stats else ""


# ---------------------------------------------------------------- harm, threats, recovery


def stress_taken(told: it.StressTaken, teller: Teller) -> str:
    armour = f", {told.armour} of it taken by armour" if told.armour else ""
    filled = f"{told.boxes} of {BOXES} boxes are filled"
    return f"{teller.name(told.who)} takes {told.damage} {told.track.value} stress{armour}; {filled}"


def condition_taken(told: it.ConditionTaken, teller: Teller) -> str:
    return f"{teller.name(told.who)} has a Condition: {condition_words(told.condition)}"


def condition_words(condition: Condition) -> str:
    named = f"{condition.name}, " if condition.name else ""
    return f"{named}{condition.grade.value} {condition.track.value} (−{condition.grade.dice})"


def taken_out(told: it.TakenOut, teller: Teller) -> str:
    return f"{teller.name(told.who)} is taken out"


def brought_back(told: it.BroughtBack, teller: Teller) -> str:
    return f"{teller.name(told.who)} can act again"


def stress_cleared(told: it.StressCleared, teller: Teller) -> str:
    return f"{teller.name(told.who)} shakes off all stress"


def condition_eased(told: it.ConditionEased, teller: Teller) -> str:
    now = "is healed" if told.after is None else f"is {told.after.grade.value} now"
    return f"{teller.name(told.who)}: {condition_words(told.before)} {now}"


def reserve_restored(told: it.ReserveRestored, teller: Teller) -> str:
    return f"{teller.name(told.who)} regains {teller.term('reserve')}: {_numbers(told.gained, teller)}"


def threat_raised(told: it.ThreatRaised, _: Teller) -> str:
    boss = ", a boss" if told.boss else ""
    return f"{told.name} threatens the {_HARMED[told.track]}: level {told.level}{boss}"


_HARMED = {Track.PHYSICAL: "body", Track.MENTAL: "mind"}


def threat_ended(told: it.ThreatEnded, _: Teller) -> str:
    return f"{told.name} is no threat any more"


# ---------------------------------------------------------------- growth and prices


def points_earned(told: it.PointsEarned, teller: Teller) -> str:
    points = teller.term("narrative points")
    return f"{teller.name(told.who)} earns {told.points} and holds {told.held} {points}"


def anchor_bought(told: it.AnchorBought, teller: Teller) -> str:
    gained = f"{anchor_words(told.anchor)}, and with it {burden_words(told.burden)}"
    return f"{teller.name(told.who)} spends {told.price}: {gained}"


def anchor_raised(told: it.AnchorRaised, teller: Teller) -> str:
    return f"{teller.name(told.who)} spends {told.price}: {told.anchor} is {told.grade.value} now"


def burden_eased(told: it.BurdenEased, teller: Teller) -> str:
    now = "is gone" if told.grade is None else f"is {told.grade.value} now"
    return f"{teller.name(told.who)} spends {told.price}: {told.burden} {now}"


def stat_raised(told: it.StatRaised, teller: Teller) -> str:
    return f"{teller.name(told.who)} spends {told.price}: {teller.term(told.stat.value)} {told.rating}"


def reserve_paid(told: it.ReservePaid, teller: Teller) -> str:
    return f"{teller.name(told.who)} pays {teller.term('reserve')}: {_numbers(told.paid, teller)}"


def burden_paid(told: it.BurdenPaid, teller: Teller) -> str:
    return f"{teller.name(told.who)} bears a new {teller.term('burden')}: {told.name} ({told.grade.value})"


def echo_name(number: int) -> str:
    """What a Burden is called that a rewind left."""
    return "Echo of what was undone" if number == 1 else f"Echo of what was undone ({number})"
