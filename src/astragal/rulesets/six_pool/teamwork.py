"""Teamwork: group checks, where half is enough, and help that the game master finds meaningful. SP-14, SP-15."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias

from astragal.chance import Rolls, rule
from astragal.game import Chapter, Command, Event, Kept, Refusal, Seen, Teller, Value, replace, without
from astragal.game.display import Piece, Pips, Proposal, Tone, Went
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaxLen, MinLen, Name, Named, Names, Words
from astragal.game.rolls import HELP, NEXT_ROLL, Footing
from astragal.game.shared import Request, RequestWithdrawn, RollRequested, Until, ends_with, new_condition

from .catalogue import Pool, Training
from .checks import Checked, PoolField, SkillField, Taken, aim_of
from .pools import MOST_EFFORT, POINTS, check_points
from .rolls import EASIEST, HARDEST, Aim, Bonus, Difficulty, Stance, check
from .state import Call, GroupRoll, HelpOffer, RollKind, State, check_able, find_skill, group_of

TEAMWORK = Chapter(seen=Seen.ALL)

MOST_MEMBERS = 12

# ---------------------------------------------------------------- the rule


class Member(Value, kw_only=False):
    """One roll of the group. Its bonus includes the leader's points."""

    bonus: Bonus = 0
    stance: Stance = Footing.LEVEL


Members: TypeAlias = Annotated[tuple[Member, ...], MinLen(1), MaxLen(MOST_MEMBERS), Doc("everyone who rolls")]


class Group(NamedTuple):
    """Result of a group check: how many of how many made it."""

    made: int
    of: int

    @property
    def success(self) -> bool:
        """SP-14: at least half."""
        return 2 * self.made >= self.of


@rule
def makes_it(dc: Difficulty, bonus: Bonus, stance: Stance = Footing.LEVEL) -> Rolls[bool]:
    """SP-14: one member rolls. A natural 20 or 1 decides that roll only."""
    roll = yield from check(dc, bonus, stance)
    return roll.success


@rule
def how_many_make_it(dc: Difficulty, members: Members) -> Rolls[int]:
    """SP-14: count the members who make it: the first, then all the others.

    The others are a question of their own: its odds count heads, not the thousands of ways the dice can fall.
    """
    first, *others = members
    made = yield from makes_it(dc, first.bonus, first.stance)
    return made + (yield from how_many_make_it(dc, tuple(others))) if others else int(made)


@rule
def group_check(dc: Difficulty, members: Members) -> Rolls[Group]:
    """SP-14: everyone rolls the same check; exactly half is enough."""
    made = yield from how_many_make_it(dc, members)
    return Group(made, len(members))


# ---------------------------------------------------------------- calling


KEPT_GROUPS = Kept(TEAMWORK, GroupRoll, "groups", "group")


@KEPT_GROUPS.put("group_check_called")
class GroupCheckCalled(Event):
    """SP-14: everyone in a group is asked for the same check."""

    group: GroupRoll
    aim: Aim

    def says(self, teller: Teller) -> str:
        led = f", led by {teller.name(self.group.leader)}" if self.group.leader else ""
        members = ", ".join(teller.name(who) for who in self.group.members)
        return f"a group check on {self.aim.words(teller)}: {members}{led}"


@TEAMWORK.command("call_group_check")
class CallGroupCheck(Command):
    """Ask everyone in a group for the same check; half is enough."""

    members: Annotated[tuple[CharacterId, ...], Doc("who rolls; nobody named means every player's character")] = ()
    skill: SkillField = None
    pool: PoolField = None
    dc: Annotated[int, Ge(EASIEST), Le(HARDEST), Label("difficulty")] = 15
    hidden: Annotated[bool, Doc("whether the difficulty is the game master's secret")] = False
    leader: Annotated[CharacterId | None, Doc("who may spend points on one ally's roll")] = None
    what_for: Annotated[Words, Doc("what it is about")] = ""

    def does(self, call: Call) -> list[Any]:
        """SP-14: each member gets a request for the same check, and rolls it like any other."""
        state = call.state
        members = tuple(dict.fromkeys(self.members)) or tuple(one.id for one in state.played)
        if not 1 < len(members) <= MOST_MEMBERS:
            raise Refusal(f"A group is 2 to {MOST_MEMBERS}, not {len(members)}.", code="group_size")
        if self.leader is not None and self.leader not in members:
            raise Refusal(f"{state.find(self.leader).name} is not in this group.", code="not_in_group")
        aim = aim_of(state, self.skill, self.pool)
        requests = {state.find(who).id: f"{call.fresh}-{number}" for number, who in enumerate(members)}
        fields = {"skill": aim.name} if aim.name else {"pool": aim.pool.value}
        same: dict[str, Any] = {"command": "check", "fields": fields, "difficulty": self.dc, "hidden": self.hidden}
        asked = [Request(id=one, who=who, what_for=self.what_for, **same) for who, one in requests.items()]
        group = GroupRoll(id=call.fresh, members=requests, leader=self.leader)
        return [GroupCheckCalled(group=group, aim=aim), *(RollRequested(request=one) for one in asked)]


# ---------------------------------------------------------------- leading


@KEPT_GROUPS.put("ally_boosted", says="{who} spends {group.boost} {pool} on {group.boosted}'s roll")
class AllyBoosted(Event):
    """SP-14: the leader spent points on an ally's roll, before any dice."""

    group: GroupRoll
    who: CharacterId
    pool: Pool

    def fold(self, state: State) -> State:
        leader, meter = state.find(self.who), POINTS[self.pool]
        return state.with_sheet(self.who, meter.put(leader.sheet, meter.of(leader) - self.group.boost))


@TEAMWORK.command("lead", actor="who")
class Lead(Command):
    """As the leader of a group check, spend points on one ally's roll, before any dice."""

    who: Annotated[CharacterId, Doc("the leader")]
    ally: Annotated[CharacterId, Label("whom"), Doc("whose roll")]
    points: Annotated[int, Ge(1), Le(MOST_EFFORT), Doc("how many points, each +1")]

    def does(self, call: Call) -> list[AllyBoosted]:
        """SP-14: a spend of its own, within the leader's limit, before any dice; never doubled."""
        state, leader = call.state, call.state.find(self.who)
        group = next((one for one in state.game.groups.values() if one.leader == self.who), None)
        if group is None:
            raise Refusal(f"{leader.name} leads no group check.", code="no_leader")
        thrown = [decision for decision in state.decisions.values() if decision.dice and decision.command == "check"]
        undecided = any(who in group.members for decision in thrown for who in decision.sides.values())
        if group.rolled or undecided:
            raise Refusal("Dice have been rolled: it is too late to lead.", code="too_late")
        if group.boosted is not None:
            raise Refusal(f"{leader.name} has spent on one ally already.", code="once")
        if self.ally == self.who or self.ally not in group.members:
            raise Refusal("A leader spends on an ally of the same group.", code="not_in_group")
        fields = state.requests[next(iter(group.members.values()))].fields
        pool = Pool(str(fields["pool"])) if "pool" in fields else find_skill(state, str(fields["skill"])).pool
        check_points(leader, pool, self.points)
        boosted = replace(group, boosted=self.ally, boost=self.points)
        return [AllyBoosted(group=boosted, who=self.who, pool=pool)]


# ---------------------------------------------------------------- rolling


@KEPT_GROUPS.put("group_member_rolled")
class GroupMemberRolled(Event):
    group: GroupRoll
    who: CharacterId

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} {'makes it' if self.group.rolled.get(self.who) else 'does not make it'}"


@TEAMWORK.after(Checked, Taken)
def member_rolled(state: State, told: Checked | Taken) -> list[GroupMemberRolled]:
    group, success = group_of(state, told.who, told.request), told.roll.success
    if group is None:
        return []
    return [GroupMemberRolled(group=replace(group, rolled={**group.rolled, told.who: success}), who=told.who)]


@KEPT_GROUPS.put("group_member_left", says="{who} is left out of the group check")
class GroupMemberLeft(Event):
    group: GroupRoll
    who: CharacterId

    def fold(self, state: State) -> State:
        return state if self.group.members else KEPT_GROUPS.take_off(state, self.group.id)


@TEAMWORK.after(RequestWithdrawn)
def member_left(state: State, withdrawn: RequestWithdrawn) -> list[GroupMemberLeft]:
    group, who = group_of(state, withdrawn.request.who, withdrawn.request.id), withdrawn.request.who
    return [GroupMemberLeft(group=replace(group, members=without(group.members, who)), who=who)] if group else []


@KEPT_GROUPS.taken("group_check_decided", says="{made} of {of} make it: the group {success:succeeds|fails}")
class GroupCheckDecided(Event):
    """SP-14: all have rolled."""

    group: GroupRoll
    made: int
    of: int
    success: bool

    def went(self, _: Teller) -> Went:
        return Went(Tone.GOOD, "the group succeeds") if self.success else Went(Tone.BAD, "the group fails")


@TEAMWORK.after(GroupMemberRolled, GroupMemberLeft)
def group_decided(_: State, told: GroupMemberRolled | GroupMemberLeft) -> list[GroupCheckDecided]:
    """SP-14: once all have rolled, at least half is enough."""
    group = told.group
    if not group.is_complete:
        return []
    result = Group(sum(group.rolled.values()), len(group.rolled))
    return [GroupCheckDecided(group=group, **result._asdict(), success=result.success)]


@TEAMWORK.board
def group_checks(state: State) -> Sequence[Piece]:
    rows = []
    for group in state.game.groups.values():
        out = [state.characters.get(who) for who in group.members if who not in group.rolled]
        waiting = ", ".join(one.name if one else "" for one in out)
        doc = f"{waiting} still to roll" if out else "all have rolled"
        rows.append(Pips("Group check: rolled", len(group.rolled), len(group.members), doc))
    return rows


# ---------------------------------------------------------------- help


def help_to_judge(one: HelpOffer, teller: Teller) -> Iterator[Proposal]:
    """SP-15: ask the game master whether help that was offered counts."""
    about = f"{teller.name(one.who)} offers {teller.name(one.ally)} help{f' with {one.skill}' if one.skill else ''}"
    yield Proposal(about, "it helps", "judge_help", (("offer", one.id), ("meaningful", "yes")))
    yield Proposal(about, "it does not", "judge_help", (("offer", one.id), ("meaningful", "no")))


KEPT_OFFERS = Kept(
    TEAMWORK,
    HelpOffer,
    "help_offered",
    "offer",
    board="Help offered",
    row=("{who}", "{ally}[, {skill}]"),
    proposes=help_to_judge,
)
"""SP-15: help waits until the game master says whether it is meaningful."""


@TEAMWORK.names("offer")
def offers_named(state: State) -> Iterator[Named]:
    """Name offers by helper and ally: "Kira for Lund"."""
    teller = Teller(state, state.terms)
    return (Named(one.id, f"{teller.name(one.who)} for {teller.name(one.ally)}") for one in KEPT_OFFERS.each(state))


@KEPT_OFFERS.put("help_offered", says="{offer.who} offers to help {offer.ally}[ with {offer.skill}][ ({offer.how})]")
class HelpOffered(Event):
    """SP-15: somebody would help, if the game master agrees that it helps."""

    offer: HelpOffer


@TEAMWORK.command("help", actor="who")
class Help(Command):
    """Spend your action on helping somebody: advantage on their next roll, if the game master finds it meaningful."""

    who: Annotated[CharacterId, Doc("who helps")]
    ally: Annotated[CharacterId, Label("whom"), Doc("who is helped")]
    skill: Annotated[
        Name | None, Names("skill"), Doc("the skill that it is about; the helper must be trained in it")
    ] = None
    how: Annotated[Words, Doc("how they help")] = ""

    def does(self, call: Call) -> list[HelpOffered]:
        helper, ally = call.state.find(self.who), call.state.find(self.ally)
        if helper.id == ally.id:
            raise Refusal("You can't help yourself.", code="same_side")
        check_able(call.state, helper, RollKind.CHECK)
        skill = "" if self.skill is None else find_skill(call.state, self.skill).name
        return [HelpOffered(offer=KEPT_OFFERS.new(call, self, skill=skill))]


@KEPT_OFFERS.taken("help_judged", says="{offer.who}'s help {meaningful:counts|does not help}")
class HelpJudged(Event):
    """SP-15: the game master found help meaningful, or not."""

    offer: HelpOffer
    meaningful: bool


@TEAMWORK.command("judge_help")
class JudgeHelp(Command):
    """Say whether help that was offered is meaningful."""

    offer: Annotated[Name, Names("offer"), Doc("the offer")]
    meaningful: Annotated[bool, Label("it helps")] = True
    waive_training: Annotated[bool, Label("untrained will do")] = False

    def does(self, call: Call) -> list[Any]:
        """SP-15: help that counts is advantage on the next roll of the scene; a skill needs training, or a waiver."""
        state, offer = call.state, KEPT_OFFERS.find(call, self.offer)
        judged = HelpJudged(offer=offer, meaningful=self.meaningful)
        if not self.meaningful:
            return [judged]
        helper = state.find(offer.who)
        if offer.skill and not self.waive_training:
            skill = find_skill(state, offer.skill)
            if helper.sheet.numbers.trained(skill.trained_by) is Training.UNTRAINED:
                raise Refusal(f"{helper.name} is untrained in {skill.name}; waive that, or decline.", code="untrained")
        key, words, numbers = f"{offer.id}-help", f"help from {helper.name}", {HELP: 1, NEXT_ROLL: 1}
        helping = new_condition(state, key, words, who=offer.ally, until=Until.SCENE_ENDS, numbers=numbers)
        return [judged, helping]


@KEPT_OFFERS.taken("help_lapsed", says="the help that {offer.who} offered {offer.ally} is over ({why})")
class HelpLapsed(Event):
    """SP-15: help that nobody judged ended with the scene."""

    offer: HelpOffer
    why: str = Until.SCENE_ENDS.value


@ends_with(TEAMWORK, "scene")
def offers_end_with_the_scene(state: State, why: str) -> list[HelpLapsed]:
    """SP-15: unused help ends with the scene."""
    return [HelpLapsed(offer=offer, why=why) for offer in state.game.help_offered.values()]
