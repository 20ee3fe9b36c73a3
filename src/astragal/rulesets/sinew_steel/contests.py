"""Opposed tests: two sides roll at once, and each may spend Luck once. SS-07, SS-08, SS-23, SS-33."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, NamedTuple, Protocol, TypeAlias

from astragal.chance import Question, Rolls, rule
from astragal.game import Chapter, Command, Doing, Event, NotAllowed, Refusal, Seen, Teller, copied_into, replace
from astragal.game.display import RollCard, Tone, Went
from astragal.game.fields import CharacterId, Doc, Ge, Le, MaySet, Seldom, Words
from astragal.game.rolls import Advantage, Disadvantage
from astragal.game.shared import ConditionEnded

from .harm import Blow
from .luck import WITH_LUCK, Answer, Stakes, decided, luck_after, spent_by
from .rolls import LEVEL, Roll, Roller, Score, ShownRoll, Stand, check_able, check_acts, deciders, simple_test, used_up
from .state import AttributeKey, Call, RequiredWords, State, known_key

CONTESTS = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- the rule


class Side(Enum):
    ATTACKER = "attacker"
    DEFENDER = "defender"


def beats(attack: int | None, defence: int | None) -> bool:
    """SS-07, SS-08: true if only the attacker succeeds, or has the greater margin. A failure has none."""
    return attack is not None and (defence is None or attack > defence)


class Contest(NamedTuple):
    """Both rolls. Without a defence the attacker has only to succeed."""

    attack: Roll
    defence: Roll | None

    @property
    def won(self) -> bool:
        defence_margin = None if self.defence is None else self.defence.success_margin
        return beats(self.attack.success_margin, defence_margin)

    @property
    def price(self) -> int:
        """SS-25: tokens that winning cost the attacker; 0 if the dice alone won."""
        before_luck = Roll(self.attack.natural, self.attack.score)
        if Contest(before_luck, self.defence).won:
            return 0
        return self.attack.spent

    @property
    def winner(self) -> Side:
        return Side.ATTACKER if self.won else Side.DEFENDER

    @property
    def attack_lacking(self) -> int:
        """Distance that the attacker's die would have to come down to win; 0 if it wins already."""
        margin_to_win = 0
        if self.defence is not None and self.defence.success:
            margin_to_win = max(0, self.defence.margin + 1)  # a tie is the defender's
        return max(0, margin_to_win - self.attack.margin)


def after_luck(contest: Contest, attacker: Stand, defender: Stand | None, blow: Blow | None = None) -> Rolls[Contest]:
    """SS-23: both have seen both dice; the attacker decides, then the defender, once each. An attacker who is ahead is
    asked too, as long as the defender could answer.
    """
    attack, defence = contest
    if attacker.can_spend:
        stakes = attacker_stakes(contest, defender, blow)
        attack = yield from decided("attacker", attack, attacker, stakes)
    if defence is None or defender is None:
        return Contest(attack, defence)
    if defender.can_spend and attack.success:
        if attack.favours:
            defender = replace(defender, favours=max(0, defender.favours - attack.favours))
        stakes = defender_stakes(attack, defence, attacker)
        defence = yield from decided("defender", defence, defender, stakes)
    return Contest(attack, defence)


def attacker_stakes(contest: Contest, defender: Stand | None, blow: Blow | None) -> Stakes:
    """SS-25, SS-38: for an attacker Luck can win, and then wear off soak and reach the bonus. Offers leave out the
    hidden numbers of the other side; its die is seen, and whether it failed.
    """
    defence = contest.defence
    if defence is None or defender is None:
        return Stakes(contest.attack_lacking, wins=True, blow=blow)
    can_answer = defender.can_spend and not defence.is_locked
    if defender.closed:
        return against_closed(contest.attack, defence, blow, is_answered=can_answer)
    if not can_answer:
        return Stakes(contest.attack_lacking, wins=True, blow=blow)
    answer = Answer(
        margin=defence.margin,
        room=defence.natural - 1,
        tokens=defender.luck,
        favours=defender.favours,
        surcharge=defender.surcharge,
    )
    return Stakes(contest.attack_lacking, wins=True, blow=blow, answer=answer)


def defender_stakes(attack: Roll, defence: Roll, attacker: Stand) -> Stakes:
    """SS-23: for a defender Luck can withstand an attack that succeeds. A tie is enough.

    If the attack's margin is hidden, a success is all that the defender can aim at.
    """
    if attacker.closed:
        return Stakes(defence.lacking, against_unseen=True)
    margin_to_hold = max(0, attack.margin)
    return Stakes(max(0, margin_to_hold - defence.margin), wins=True)


def against_closed(attack: Roll, defence: Roll, blow: Blow | None, *, is_answered: bool) -> Stakes:
    """SS-23, SS-25: stakes against a defence whose score is hidden.

    If it failed, success wins. If it succeeded, a margin of 0 would be a tie at best, which is the defender's; from 1
    on it depends on the score.
    """
    if not defence.success:
        return Stakes(attack.lacking, wins=True, blow=blow, before_the_answer=is_answered)
    lacking = max(0, 1 - attack.margin)
    return Stakes(lacking, wins=None, blow=blow, before_the_answer=is_answered, unseen_die=defence.natural)


def both_tests(
    attacker: int, defender: int, attacking: Stand = LEVEL, defending: Stand = LEVEL
) -> tuple[Question[Roll], Question[Roll]]:
    """SS-07: the tests of both sides. Each rolls under its own score, whatever the other rolls."""
    attack_test = simple_test(attacker, attacking.footing)
    defence_test = simple_test(defender, defending.footing)
    return attack_test, defence_test


@rule
def opposed_test(
    attacker: Score,
    defender: Score,
    attacking: Annotated[Stand, Doc("how the side that wants something stands")] = LEVEL,
    defending: Annotated[Stand, Doc("how the side that holds out stands")] = LEVEL,
) -> Rolls[Contest]:
    """SS-07: both roll under; the greater margin wins, ties and two failures are the defender's."""
    attack_test, defence_test = both_tests(attacker, defender, attacking, defending)
    attack = yield from attack_test
    defence = yield from defence_test
    return (yield from after_luck(Contest(attack, defence), attacking, defending))


NAMED = "a score that the custodian names for somebody of theirs"
NamedScore: TypeAlias = Annotated[int | None, Ge(0), Le(20), MaySet.GAME_MASTER, Doc(NAMED), Seldom()]
DefenceAdvantage: TypeAlias = Annotated[Advantage, MaySet.PROPOSAL, Seldom()]
DefenceDisadvantage: TypeAlias = Annotated[Disadvantage, MaySet.PROPOSAL, Seldom()]


def check_two(call: Call, attacker: str, defender: str) -> None:
    if attacker == defender:
        raise Refusal(f"{call.state.find(attacker).name} can't be on both sides.", code="one_side")


class TwoSided(Protocol):
    """A command in which one character acts against another."""

    @property
    def attacker(self) -> str: ...
    @property
    def defender(self) -> str: ...


def sides_of_two(command: TwoSided, call: Call) -> Mapping[str, str]:
    return deciders(call.state, attacker=command.attacker, defender=command.defender)


def is_closed_to_one(command: TwoSided, call: Call) -> bool:
    """Return whether one side can't see the other's numbers."""
    attacker = call.state.find(command.attacker)
    defender = call.state.find(command.defender)
    return attacker.sheet.is_closed or defender.sheet.is_closed


def defence_score(call: Call, defender: Roller, named_score: int | None) -> int:
    """SS-33: the custodian may name the score of their own characters, and must if Luck without tokens defends."""
    who = defender.who
    if named_score is not None:
        if who.sheet.is_hero:
            raise NotAllowed("A score is not named for a hero.")
        return named_score
    is_on_luck = defender.key == call.state.options.luck
    if is_on_luck and not who.sheet.is_hero and not who.sheet.luck:
        raise Refusal(f"{who.name} holds no tokens: the game master names a score.", code="no_tokens")
    return defender.score


# ---------------------------------------------------------------- at the table


@CONTESTS.event("opposed")
class Opposed(Event):
    attacker: CharacterId
    defender: CharacterId
    attack: ShownRoll
    defence: ShownRoll
    winner: Side
    stakes: Words

    def says(self, teller: Teller) -> str:
        attacker = teller.name(self.attacker)
        defender = teller.name(self.defender)
        attack = self.attack.in_words(teller)
        defence = self.defence.in_words(teller)
        winner = attacker if self.winner is Side.ATTACKER else defender
        return f"{attacker}, {attack}; {defender}, {defence}. {winner} wins. At stake: {self.stakes}."

    def went(self, teller: Teller) -> Went:
        attacker = teller.name(self.attacker)
        defender = teller.name(self.defender)
        if self.winner is Side.ATTACKER:
            return Went(Tone.GOOD, f"{attacker} wins")
        return Went(Tone.BAD, f"{defender} wins")


@CONTESTS.command(
    "opposed_test",
    actor="attacker",
    outcome=lambda contest: contest.winner,
    hopes=lambda winner: winner is Side.ATTACKER,
    policies=WITH_LUCK,
    after=luck_after(lambda contest: contest.price),
    card=RollCard(
        title="{attacker} against {defender}",
        short="{attacker} rolls",
        notes=("{attribute}",),
        hopes="to win",
        target="defender",
        choose=("attribute", "defence_attribute"),
        words=(("stakes", "what happens next"),),
        sides=(("attacker", "attack"), ("defender", "defence")),
        side="{attribute} {score}",
        spends="luck",
    ),
)
class Oppose(Command):
    """Both sides roll under their own score; the greater margin wins, ties are the defender's."""

    attacker: Annotated[CharacterId, Doc("who wants something")]
    attribute: Annotated[AttributeKey, Doc("the key of the attacker's attribute")]
    defender: Annotated[CharacterId, Doc("who holds out")]
    stakes: Annotated[RequiredWords, Doc("what is at stake")]
    defence_attribute: Annotated[
        AttributeKey | None, MaySet.PROPOSAL, Doc("the key of the defender's attribute; by default the same")
    ] = None
    defence_score: NamedScore = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    defence_advantage: DefenceAdvantage = ()
    defence_disadvantage: DefenceDisadvantage = ()

    sides = sides_of_two
    hides = is_closed_to_one

    def does(self, call: Call) -> Doing[Contest]:
        """SS-07, SS-43: might holds out against might, composure against presence, unless something else fits."""
        state = call.state
        attacker = state.find(self.attacker)
        defender = state.find(self.defender)
        attack_key = known_key(state.options, self.attribute)
        defence_key = known_key(state.options, self.defence_attribute or self.attribute)
        check_two(call, attacker.id, defender.id)
        check_acts(call, attacker)
        check_able(defender, on_luck=defence_key == state.options.luck)

        attacking = Roller.of(call, attacker, attack_key, self.advantage, self.disadvantage)
        defending = Roller.of(call, defender, defence_key, self.defence_advantage, self.defence_disadvantage)
        score = defence_score(call, defending, self.defence_score)
        contest = yield opposed_test(attacking.score, score, attacking.stand, defending.stand)
        assert contest.defence is not None  # noqa: S101 - an opposed test has two sides

        spent = spent_by(state, (attacker.id, contest.attack), (defender.id, contest.defence))
        opposed = copied_into(
            Opposed,
            self,
            attack=attacking.shown(contest.attack),
            defence=defending.shown(contest.defence),
            winner=contest.winner,
        )
        return [*spent, opposed]


@CONTESTS.after(Opposed)
def contest_uses_up(state: State, opposed: Opposed) -> list[ConditionEnded]:
    return used_up(state, opposed.attacker, opposed.defender)
