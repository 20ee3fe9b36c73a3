"""All that Six-Pool d20 says to people. A skin renames its terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from astragal.table.furniture import Tone, Went
from astragal.table.ruleset import Teller
from astragal.table.seen import WITHHELD

from . import happened as it
from .pools import Pool
from .sheet import RollKind
from .shown import Aim, ShownRoll, ShownSide, Term
from .trial import contests, rerolls
from .trial.contests import Side
from .trial.footing import Footing

TERMS: Mapping[str, str] = {
    **{pool.value: pool.value for pool in Pool},
    "Edge": "Edge",
    "hit points": "hit points",
    "inspiration": "Inspiration",
    "dc": "DC",
    "ac": "AC",
}
"""What a skin may call otherwise."""

# ---------------------------------------------------------------- rolls


def aim_words(aim: Aim, teller: Teller) -> str:
    return f"{aim.name} ({teller.term(aim.pool.value)})" if aim.name else teller.term(aim.pool.value)


def sum_words(natural: int, terms: Sequence[Term], total: int, teller: Teller) -> str:
    """The die and all that came to it: "14 + 3 proficiency + 2 Edge = 19"."""
    added = "".join(f" {'+' if one.amount > 0 else '−'} {abs(one.amount)} {teller.term(one.name)}" for one in terms)
    return f"{natural}{added} = {total}" if terms else str(natural)


def _stance_words(footing: Footing, because: tuple[str, ...], rerolled: tuple[str, ...]) -> str:
    said = "one die" if footing is Footing.LEVEL else footing.value
    stance = f", {said} ({', '.join(because)})" if because else ""
    return stance + (f", rerolled by {' and '.join(rerolled)}" if rerolled else "")


def roll_words(roll: ShownRoll, teller: Teller, *, made: str = "success", missed: str = "failure") -> str:
    """Under a hidden difficulty neither it nor the degree is told."""
    summed = sum_words(roll.natural, roll.terms, roll.total, teller)
    stance = _stance_words(roll.footing, roll.because, roll.rerolled)
    if roll.dc is WITHHELD:
        return f"{summed}{stance}: {made if roll.success else missed}"
    beside = "" if roll.band is roll.degree else f" (the total says {roll.band.value})"
    return f"{summed} against {roll.dc}{stance}: {roll.degree.value}{beside}"


def roll_went(told: it.Checked | it.Taken, _: Teller) -> Went:
    return _went(told.roll, "success", "failure")


def attack_went(told: it.Attacked, _: Teller) -> Went:
    went = _went(told.roll, "critical hit" if told.critical else "hit", "miss")
    return went if told.damage is None else Went(went.tone, f"{went.words}, {told.damage} damage")


def _went(roll: ShownRoll, made: str, missed: str) -> Went:
    told = (made if roll.success else missed) if roll.dc is WITHHELD else roll.degree.value
    return Went(Tone.GOOD if roll.success else Tone.BAD, told)


def contest_went(told: it.Contested, teller: Teller) -> Went:
    if told.winner is Side.ACTOR:
        return Went(Tone.GOOD, f"{teller.name(told.actor.who)} wins")
    return Went(Tone.BAD, f"{teller.name(told.holder.who)} holds out")


def group_went(told: it.GroupCheckDecided, _: Teller) -> Went:
    return Went(Tone.GOOD, "the group succeeds") if told.success else Went(Tone.BAD, "the group fails")


def checked(told: it.Checked, teller: Teller) -> str:
    tried = f"{_tries(told.roll.aim)} {aim_words(told.roll.aim, teller)}{_what_for(told)}"
    return f"{teller.name(told.who)} {tried}: {roll_words(told.roll, teller)}"


def _what_for(told: it.Checked | it.Taken) -> str:
    return f" for “{told.what_for}”" if told.what_for else ""


def _tries(aim: Aim) -> str:
    if aim.kind is RollKind.SAVE:
        return "saves against" if aim.name else "saves with"
    return "rolls"


def attacked(told: it.Attacked, teller: Teller) -> str:
    whom = f" {teller.name(told.target)}" if told.target else ""
    rolled = roll_words(told.roll, teller, made="critical hit" if told.critical else "hit", missed="miss")
    did = (
        "" if told.damage is None else f", {told.damage} damage ({told.dice}{', dice twice' if told.critical else ''})"
    )
    return f"{teller.name(told.who)} attacks{whom}, {aim_words(told.roll.aim, teller)}: {rolled}{did}"


def taken(told: it.Taken, teller: Teller) -> str:
    long = ", twenty times as long" if told.times_as_long > 1 else ""
    aim = f"{aim_words(told.roll.aim, teller)}{_what_for(told)}"
    return f"{teller.name(told.who)} takes {told.face} on {aim}: {roll_words(told.roll, teller)}{long}"


def passive_noted(told: it.PassiveNoted, teller: Teller) -> str:
    came = "" if told.success is None else ", enough" if told.success else ", not enough"
    summed = sum_words(10, told.terms, told.score, teller)
    return f"{teller.name(told.who)}, passive {aim_words(told.aim, teller)}: {summed}{came}"


def _side_words(side: ShownSide, teller: Teller) -> str:
    stance = _stance_words(side.footing, side.because, side.rerolled)
    summed = sum_words(side.natural, side.terms, side.total, teller)
    return f"{teller.name(side.who)}, {aim_words(side.aim, teller)}: {summed}{stance}"


def contested(told: it.Contested, teller: Teller) -> str:
    winner = told.actor if told.winner is Side.ACTOR else told.holder
    by = f"wins by {told.margin}" if told.margin else "has the tie"
    sides = f"{_side_words(told.actor, teller)}; {_side_words(told.holder, teller)}"
    return f"{sides}. {teller.name(winner.who)} {by}"


def answer_words(offer: str, answer: Any, teller: Teller) -> str:
    """An answer, as it stands on a button."""
    match offer, answer:
        case rerolls.REROLL, rerolls.KEEP:
            return "Keep it"
        case rerolls.REROLL, str():
            return f"Roll again: {teller.term(answer)}"
        case contests.DECLARE, 0:
            return "Put nothing in"
        case contests.DECLARE, int():
            return f"Put {answer} in"
        case contests.DECLARE, str():
            return f"Put in {teller.term(answer)}"
    return ""


def consequence_wanted(name: str, aim: Aim, natural: int) -> str:
    wanted = "What benefit comes of it?" if natural == 20 else "What complication comes of it?"
    return f"{name} rolled a natural {natural} ({aim.name or aim.pool.value}). {wanted}"


def consequence_told(told: it.ConsequenceTold, _: Teller) -> str:
    return f"natural {told.natural}: {told.words}"


# ---------------------------------------------------------------- what rolls use up


def points_spent(told: it.PointsSpent, teller: Teller) -> str:
    return f"{teller.name(told.who)} spends {told.points} {teller.term(told.pool.value)}"


def points_paid(told: it.PointsPaid, teller: Teller) -> str:
    return f"{teller.name(told.who)} pays {told.points} {teller.term(told.pool.value)} for the rewind"


def inspiration_awarded(told: it.InspirationAwarded, teller: Teller) -> str:
    return f"{teller.name(told.who)} is given {teller.term('inspiration')}{_reason(told.why)}"


def inspiration_spent(told: it.InspirationSpent, teller: Teller) -> str:
    return f"{teller.name(told.who)} spends {teller.term('inspiration')} for {told.use.value}"


def ability_used(told: it.AbilityUsed, teller: Teller) -> str:
    return f"{teller.name(told.who)} uses {told.name}"


def abilities_renewed(told: it.AbilitiesRenewed, teller: Teller) -> str:
    return f"abilities of the {told.per.value} are fresh again for {_names(told.who, teller)}"


# ---------------------------------------------------------------- groups and help


def group_check_called(told: it.GroupCheckCalled, teller: Teller) -> str:
    led = f", led by {teller.name(told.leader)}" if told.leader else ""
    return f"a group check on {aim_words(told.aim, teller)}: {_names(told.members, teller)}{led}"


def ally_boosted(told: it.AllyBoosted, teller: Teller) -> str:
    spent = f"{told.points} {teller.term(told.pool.value)}"
    return f"{teller.name(told.who)} spends {spent} on {teller.name(told.ally)}'s roll"


def group_member_rolled(told: it.GroupMemberRolled, teller: Teller) -> str:
    return f"{teller.name(told.who)} {'makes it' if told.success else 'does not make it'}"


def group_member_left(told: it.GroupMemberLeft, teller: Teller) -> str:
    return f"{teller.name(told.who)} is left out of the group check"


def group_check_decided(told: it.GroupCheckDecided, _: Teller) -> str:
    return f"{told.made} of {told.of} make it: the group {'succeeds' if told.success else 'fails'}"


def help_offered(told: it.HelpOffered, teller: Teller) -> str:
    at = f" with {told.skill}" if told.skill else ""
    return f"{teller.name(told.who)} offers to help {teller.name(told.ally)}{at}{_reason(told.how)}"


def helped_by(name: str) -> str:
    """The name of the condition that help is."""
    return f"help from {name}"


def help_judged(told: it.HelpJudged, teller: Teller) -> str:
    return f"{teller.name(told.who)}'s help {'counts' if told.meaningful else 'does not help'}"


def help_lapsed(_: it.HelpLapsed, __: Teller) -> str:
    return "help that was offered ends with the scene"


# ---------------------------------------------------------------- rests and harm


def breather_taken(told: it.BreatherTaken, teller: Teller) -> str:
    return f"{_names(told.who, teller)} may roll for the rest"


def points_recovered(told: it.PointsRecovered, teller: Teller) -> str:
    return f"{teller.name(told.who)} has {told.points} points to spread"


def points_spread(told: it.PointsSpread, teller: Teller) -> str:
    shares = ", ".join(f"{points} {teller.term(pool.value)}" for pool, points in told.points.items())
    return f"{teller.name(told.who)} recovers {shares}"


def pools_refilled(told: it.PoolsRefilled, teller: Teller) -> str:
    return f"all pools are full: {_names(told.who, teller)}"


def harmed(told: it.Harmed, teller: Teller) -> str:
    return f"{teller.name(told.who)} loses {told.damage} {teller.term('hit points')}{_reason(told.why)}"


def healed(told: it.Healed, teller: Teller) -> str:
    return f"{teller.name(told.who)} regains {told.hit_points} {teller.term('hit points')}{_reason(told.why)}"


def went_down(told: it.WentDown, teller: Teller) -> str:
    return f"{teller.name(told.who)} is down"


def got_up(told: it.GotUp, teller: Teller) -> str:
    return f"{teller.name(told.who)} is up again"


# ---------------------------------------------------------------- people and the book


def hero_made(told: it.HeroMade, teller: Teller) -> str:
    numbers = told.sheet.numbers
    pools = ", ".join(f"{teller.term(pool.value)} {points.most}" for pool, points in numbers.pools.items())
    return f"{told.name}, {told.sheet.hero_class} of level {numbers.level}, enters the story: {pools}"


def npc_made(told: it.NpcMade, _: Teller) -> str:
    return f"{told.name} enters the story"


def numbers_opened(told: it.NumbersOpened, teller: Teller) -> str:
    return f"{teller.name(told.who)}'s numbers are open to all"


def trained(told: it.Trained, teller: Teller) -> str:
    return f"{teller.name(told.who)} is {told.training.value} in {told.skill}"


def armour_changed(told: it.ArmourChanged, teller: Teller) -> str:
    return f"{teller.name(told.who)} changes armour"


def level_raised(told: it.LevelRaised, teller: Teller) -> str:
    points = ", ".join(f"+1 {teller.term(pool.value)}" for pool in told.points)
    edge = f", {teller.term('Edge')} in {teller.term(told.edge.value)}" if told.edge else ""
    return f"{teller.name(told.who)} reaches level {told.level}: {points or 'no points'}{edge}"


def skill_added(told: it.SkillAdded, teller: Teller) -> str:
    return f"a skill of this table: {told.skill.name} ({teller.term(told.skill.pool.value)})"


def class_added(told: it.ClassAdded, teller: Teller) -> str:
    return f"a class of this table: {told.hero_class.name} ({teller.term(told.hero_class.primary.value)})"


def contest_added(told: it.ContestAdded, _: Teller) -> str:
    return f"a contest of this table: {told.contest.name}"


def edge_rule_changed(told: it.EdgeRuleChanged, teller: Teller) -> str:
    change = f"{teller.term('Edge')} is {told.after.value} from now on, no longer {told.before.value}"
    return f"a change of rules: {change}{_reason(told.why)}"


def _names(who: Iterable[str], teller: Teller) -> str:
    return ", ".join(teller.name(one) for one in who)


def _reason(why: str) -> str:
    return f" ({why})" if why else ""
