"""Teamwork: group checks, where half is enough, and help that the game master finds meaningful. SP-14, SP-15."""

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple, TypeAlias

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
    first, *following = members
    first_makes_it = yield from makes_it(dc, first.bonus, first.stance)
    if not following:
        return int(first_makes_it)
    number_of_following = yield from how_many_make_it(dc, tuple(following))
    return first_makes_it + number_of_following


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
        members = ", ".join(teller.name(who) for who in self.group.members)
        line = f"a group check on {self.aim.words(teller)}: {members}"
        if self.group.leader:
            line += f", led by {teller.name(self.group.leader)}"
        return line


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

    def does(self, call: Call) -> list[Event]:
        """SP-14: each member gets a request for the same check, and rolls it like any other."""
        state = call.state
        members = tuple(dict.fromkeys(self.members))
        if not members:
            members = tuple(character.id for character in state.played)
        if not 1 < len(members) <= MOST_MEMBERS:
            raise Refusal(f"A group is 2 to {MOST_MEMBERS}, not {len(members)}.", code="group_size")
        if self.leader is not None and self.leader not in members:
            raise Refusal(f"{state.find(self.leader).name} is not in this group.", code="not_in_group")
        aim = aim_of(state, self.skill, self.pool)
        fields = {"skill": aim.name} if aim.name else {"pool": aim.pool.value}
        request_by_member = {}
        for number, who in enumerate(members):
            request_by_member[state.find(who).id] = Request(
                id=f"{call.fresh}-{number}",
                who=state.find(who).id,
                what_for=self.what_for,
                command="check",
                fields=fields,
                difficulty=self.dc,
                hidden=self.hidden,
            )
        request_ids = {who: request.id for who, request in request_by_member.items()}
        group = GroupRoll(id=call.fresh, members=request_ids, leader=self.leader)
        requested = [RollRequested(request=request) for request in request_by_member.values()]
        return [GroupCheckCalled(group=group, aim=aim), *requested]


# ---------------------------------------------------------------- leading


@KEPT_GROUPS.put("ally_boosted", says="{who} spends {group.boost} {pool} on {group.boosted}'s roll")
class AllyBoosted(Event):
    """SP-14: the leader spent points on an ally's roll, before any dice."""

    group: GroupRoll
    who: CharacterId
    pool: Pool

    def fold(self, state: State) -> State:
        meter = POINTS[self.pool]
        sheet = state.find(self.who).sheet
        points_left = meter.of(sheet) - self.group.boost
        sheet = meter.put(sheet, points_left)
        return state.with_sheet(self.who, sheet)


@TEAMWORK.command("lead", actor="who")
class Lead(Command):
    """As the leader of a group check, spend points on one ally's roll, before any dice."""

    who: Annotated[CharacterId, Doc("the leader")]
    ally: Annotated[CharacterId, Label("whom"), Doc("whose roll")]
    points: Annotated[int, Ge(1), Le(MOST_EFFORT), Doc("how many points, each +1")]

    def does(self, call: Call) -> list[AllyBoosted]:
        """SP-14: a spend of its own, within the leader's limit, before any dice; never doubled."""
        state = call.state
        leader = state.find(self.who)
        group = group_led_by(state, self.who)
        if group is None:
            raise Refusal(f"{leader.name} leads no group check.", code="no_leader")
        if group.rolled or is_being_rolled(state, group):
            raise Refusal("Dice have been rolled: it is too late to lead.", code="too_late")
        if group.boosted is not None:
            raise Refusal(f"{leader.name} has spent on one ally already.", code="once")
        if self.ally == self.who or self.ally not in group.members:
            raise Refusal("A leader spends on an ally of the same group.", code="not_in_group")
        pool = pool_of_group(state, group)
        check_points(leader, pool, self.points)
        boosted = replace(group, boosted=self.ally, boost=self.points)
        return [AllyBoosted(group=boosted, who=self.who, pool=pool)]


def group_led_by(state: State, who: str) -> GroupRoll | None:
    for group in state.game.groups.values():
        if group.leader == who:
            return group
    return None


def is_being_rolled(state: State, group: GroupRoll) -> bool:
    """SP-14: true if a member has thrown dice for a check and still decides about them."""
    for decision in state.decisions.values():
        if decision.dice and decision.command == "check":
            if any(who in group.members for who in decision.sides.values()):
                return True
    return False


def pool_of_group(state: State, group: GroupRoll) -> Pool:
    """SP-14: the pool that all members roll with, as their requests have it."""
    first_request = next(iter(group.members.values()))
    fields = state.requests[first_request].fields
    if "pool" in fields:
        return Pool(str(fields["pool"]))
    skill = find_skill(state, str(fields["skill"]))
    return skill.pool


# ---------------------------------------------------------------- rolling


@KEPT_GROUPS.put("group_member_rolled")
class GroupMemberRolled(Event):
    group: GroupRoll
    who: CharacterId

    def says(self, teller: Teller) -> str:
        verdict = "makes it" if self.group.rolled.get(self.who) else "does not make it"
        return f"{teller.name(self.who)} {verdict}"


@TEAMWORK.after(Checked, Taken)
def member_rolled(state: State, checked: Checked | Taken) -> list[GroupMemberRolled]:
    group = group_of(state, checked.who, checked.request)
    if group is None:
        return []
    rolled = {**group.rolled, checked.who: checked.roll.success}
    return [GroupMemberRolled(group=replace(group, rolled=rolled), who=checked.who)]


@KEPT_GROUPS.put("group_member_left", says="{who} is left out of the group check")
class GroupMemberLeft(Event):
    group: GroupRoll
    who: CharacterId

    def fold(self, state: State) -> State:
        if self.group.members:
            return state
        return KEPT_GROUPS.take_off(state, self.group.id)


@TEAMWORK.after(RequestWithdrawn)
def member_left(state: State, withdrawn: RequestWithdrawn) -> list[GroupMemberLeft]:
    request = withdrawn.request
    group = group_of(state, request.who, request.id)
    if group is None:
        return []
    members = without(group.members, request.who)
    return [GroupMemberLeft(group=replace(group, members=members), who=request.who)]


@KEPT_GROUPS.taken("group_check_decided", says="{made} of {of} make it: the group {success:succeeds|fails}")
class GroupCheckDecided(Event):
    """SP-14: all have rolled."""

    group: GroupRoll
    made: int
    of: int
    success: bool

    def went(self, _: Teller) -> Went:
        if self.success:
            return Went(Tone.GOOD, "the group succeeds")
        return Went(Tone.BAD, "the group fails")


@TEAMWORK.after(GroupMemberRolled, GroupMemberLeft)
def group_decided(_: State, changed: GroupMemberRolled | GroupMemberLeft) -> list[GroupCheckDecided]:
    """SP-14: once all have rolled, at least half is enough."""
    group = changed.group
    if not group.is_complete:
        return []
    verdict = Group(sum(group.rolled.values()), len(group.rolled))
    return [GroupCheckDecided(group=group, made=verdict.made, of=verdict.of, success=verdict.success)]


@TEAMWORK.board
def group_checks(state: State) -> Sequence[Piece]:
    rows = []
    for group in state.game.groups.values():
        names = []
        for who in group.members:
            if who not in group.rolled:
                character = state.characters.get(who)
                names.append(character.name if character else "")
        doc = f"{', '.join(names)} still to roll" if names else "all have rolled"
        rows.append(Pips("Group check: rolled", len(group.rolled), len(group.members), doc))
    return rows


# ---------------------------------------------------------------- help


def help_to_judge(offer: HelpOffer, teller: Teller) -> Iterator[Proposal]:
    """SP-15: ask the game master whether help that was offered counts."""
    helper = teller.name(offer.who)
    ally = teller.name(offer.ally)
    about = f"{helper} offers {ally} help"
    if offer.skill:
        about += f" with {offer.skill}"
    yield Proposal(about, "it helps", "judge_help", (("offer", offer.id), ("meaningful", "yes")))
    yield Proposal(about, "it does not", "judge_help", (("offer", offer.id), ("meaningful", "no")))


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
    for offer in KEPT_OFFERS.each(state):
        helper = teller.name(offer.who)
        ally = teller.name(offer.ally)
        yield Named(offer.id, f"{helper} for {ally}")


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
        helper = call.state.find(self.who)
        ally = call.state.find(self.ally)
        if helper.id == ally.id:
            raise Refusal("You can't help yourself.", code="same_side")
        check_able(call.state, helper, RollKind.CHECK)
        skill = ""
        if self.skill is not None:
            skill = find_skill(call.state, self.skill).name
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

    def does(self, call: Call) -> list[Event]:
        """SP-15: help that counts is advantage on the next roll of the scene; a skill needs training, or a waiver."""
        state = call.state
        offer = KEPT_OFFERS.find(call, self.offer)
        judged = HelpJudged(offer=offer, meaningful=self.meaningful)
        if not self.meaningful:
            return [judged]
        helper = state.find(offer.who)
        if offer.skill and not self.waive_training:
            skill = find_skill(state, offer.skill)
            if helper.sheet.numbers.trained(skill.trained_by) is Training.UNTRAINED:
                raise Refusal(f"{helper.name} is untrained in {skill.name}; waive that, or decline.", code="untrained")
        helping = new_condition(
            state,
            f"{offer.id}-help",
            f"help from {helper.name}",
            who=offer.ally,
            until=Until.SCENE_ENDS,
            numbers={HELP: 1, NEXT_ROLL: 1},
        )
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
