"""Opposed tests: two sides roll at once, and each may spend Luck once. SS-07, SS-08, SS-23, SS-33."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, NamedTuple, TypeAlias

from astragal.chance import Question, Rolls, rule
from astragal.game import Chapter, Command, Doing, Event, NotAllowed, Refusal, Seen, Teller, copied_into, replace
from astragal.game.display import RollCard, Tone, Went
from astragal.game.fields import CharacterId, Doc, Ge, Le, MaySet, Seldom, Words
from astragal.game.rolls import Advantage, Disadvantage
from astragal.game.shared import ConditionEnded

from .harm import Blow
from .luck import WITH_LUCK, Answer, Stakes, decided, luck_after, spent_by
from .rolls import LEVEL, Roll, Roller, Score, ShownRoll, Stand, check_able, check_acts, deciders, simple_test, used_up
from .state import AttributeKey, Call, Said, State, known_key

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
        return beats(self.attack.success_margin, self.defence.success_margin if self.defence is not None else None)

    @property
    def price(self) -> int:
        """SS-25: tokens that winning cost the attacker; 0 if the dice alone won."""
        unspent = Roll(self.attack.natural, self.attack.score)
        return 0 if Contest(unspent, self.defence).won else self.attack.spent

    @property
    def winner(self) -> Side:
        return Side.ATTACKER if self.won else Side.DEFENDER

    @property
    def attack_lacking(self) -> int:
        """Distance that the attacker's die would have to come down to win; 0 if it wins already."""
        defence = self.defence
        to_beat = defence.margin + 1 if defence is not None and defence.success else 0
        return max(0, to_beat - self.attack.margin, -self.attack.margin)


def after_luck(contest: Contest, attacker: Stand, defender: Stand | None, blow: Blow | None = None) -> Rolls[Contest]:
    """SS-23: both have seen both dice; the attacker decides, then the defender, once each. An attacker who is ahead is
    asked too, as long as the defender could answer.

    SS-25, SS-38: for an attacker Luck can win, and then wear off soak and reach the bonus. Offers leave out the hidden
    numbers of the other side; its die is seen, and whether it failed.
    """
    attack, defence = contest
    if attacker.can_spend:
        if defence is not None and defender is not None and defender.closed:
            stakes = against_closed(attack, defence, blow, is_answered=defender.can_spend and not defence.is_locked)
        elif defence is None or defender is None or defence.is_locked or not defender.can_spend:
            stakes = Stakes(contest.attack_lacking, True, blow)
        else:
            answer = Answer(defence.margin, defence.natural - 1, defender.luck, defender.favours, defender.surcharge)
            stakes = Stakes(contest.attack_lacking, True, blow, answer)
        attack = yield from decided("attacker", attack, attacker, stakes)
        contest = Contest(attack, defence)
    if defence is not None and defender is not None and defender.can_spend and attack.success:
        if attack.favours:
            defender = replace(defender, favours=max(0, defender.favours - attack.favours))
        if attacker.closed:
            stakes = Stakes(defence.lacking, against_unseen=True)
        else:
            stakes = Stakes(max(0, max(0, attack.margin) - defence.margin), wins=True)  # a tie is enough
        contest = Contest(attack, (yield from decided("defender", defence, defender, stakes)))
    return contest


def against_closed(attack: Roll, defence: Roll, blow: Blow | None, *, is_answered: bool) -> Stakes:
    """SS-23, SS-25: stakes against a defence whose score is hidden.

    If it failed, success wins. If it succeeded, a margin of 0 would be a tie at best, which is the defender's; from 1
    on it depends on the score.
    """
    if not defence.success:
        return Stakes(attack.lacking, True, blow, before_the_answer=is_answered)
    return Stakes(max(0, 1 - attack.margin), None, blow, before_the_answer=is_answered, unseen_die=defence.natural)


def both_tests(
    attacker: int, defender: int, attacking: Stand = LEVEL, defending: Stand = LEVEL
) -> tuple[Question[Roll], Question[Roll]]:
    """SS-07: the tests of both sides. Each rolls under its own score, whatever the other rolls."""
    return simple_test(attacker, attacking.footing), simple_test(defender, defending.footing)


@rule
def opposed_test(
    attacker: Score,
    defender: Score,
    attacking: Annotated[Stand, Doc("how the side that wants something stands")] = LEVEL,
    defending: Annotated[Stand, Doc("how the side that holds out stands")] = LEVEL,
) -> Rolls[Contest]:
    """SS-07: both roll under; the greater margin wins, ties and two failures are the defender's."""
    attacks, defends = both_tests(attacker, defender, attacking, defending)
    attack = yield from attacks
    defence = yield from defends
    return (yield from after_luck(Contest(attack, defence), attacking, defending))


NAMED = "a score that the custodian names for somebody of theirs"
NamedScore: TypeAlias = Annotated[int | None, Ge(0), Le(20), MaySet.GAME_MASTER, Doc(NAMED), Seldom()]
DefenceAdvantage: TypeAlias = Annotated[Advantage, MaySet.PROPOSAL, Seldom()]
DefenceDisadvantage: TypeAlias = Annotated[Disadvantage, MaySet.PROPOSAL, Seldom()]


def check_two(call: Call, attacker: str, defender: str) -> None:
    if attacker == defender:
        raise Refusal(f"{call.state.find(attacker).name} can't be on both sides.", code="one_side")


def sides_of_two(asked: Any, call: Call) -> Mapping[str, str]:
    return deciders(call.state, attacker=asked.attacker, defender=asked.defender)


def is_closed_to_one(asked: Any, call: Call) -> bool:
    """Return whether one side can't see the other's numbers."""
    return any(call.state.find(who).sheet.is_closed for who in (asked.attacker, asked.defender))


def defence_score(call: Call, defender: Roller, named: int | None) -> int:
    """SS-33: the custodian may name the score of their own characters, and must if Luck without tokens defends."""
    who = defender.who
    if named is not None:
        if who.sheet.is_hero:
            raise NotAllowed("A score is not named for a hero.")
        return named
    if defender.key == call.state.options.luck and not who.sheet.is_hero and not who.sheet.luck:
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
        attacker, defender = teller.name(self.attacker), teller.name(self.defender)
        winner = attacker if self.winner is Side.ATTACKER else defender
        attack, defence = self.attack.in_words(teller), self.defence.in_words(teller)
        return f"{attacker}, {attack}; {defender}, {defence}. {winner} wins. At stake: {self.stakes}."

    def went(self, teller: Teller) -> Went:
        won = self.winner is Side.ATTACKER
        return Went(Tone.GOOD if won else Tone.BAD, f"{teller.name(self.attacker if won else self.defender)} wins")


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
    stakes: Annotated[Said, Doc("what is at stake")]
    defence_attribute: Annotated[
        AttributeKey | None, MaySet.PROPOSAL, Doc("the key of the defender's attribute; by default the same")
    ] = None
    defence_score: NamedScore = None
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    defence_advantage: DefenceAdvantage = ()
    defence_disadvantage: DefenceDisadvantage = ()

    sides, hides = sides_of_two, is_closed_to_one

    def does(self, call: Call) -> Doing[Contest]:
        """SS-07, SS-43: might holds out against might, composure against presence, unless something else fits."""
        state = call.state
        attacker, defender = state.find(self.attacker), state.find(self.defender)
        said = (self.attribute, self.defence_attribute or self.attribute)
        key, other_key = (known_key(state.options, one) for one in said)
        check_two(call, attacker.id, defender.id)
        check_acts(call, attacker)
        check_able(defender, on_luck=other_key == state.options.luck)
        mine = Roller.of(call, attacker, key, self.advantage, self.disadvantage)
        theirs = Roller.of(call, defender, other_key, self.defence_advantage, self.defence_disadvantage)
        score = defence_score(call, theirs, self.defence_score)
        contest = yield opposed_test(mine.score, score, mine.stand, theirs.stand)
        assert contest.defence is not None  # noqa: S101 - an opposed test has two sides
        attack, defence = mine.shown(contest.attack), theirs.shown(contest.defence)
        opposed = copied_into(Opposed, self, attack=attack, defence=defence, winner=contest.winner)
        return [*spent_by(state, (attacker.id, contest.attack), (defender.id, contest.defence)), opposed]


@CONTESTS.after(Opposed)
def contest_uses_up(state: State, rolled: Opposed) -> list[ConditionEnded]:
    return used_up(state, rolled.attacker, rolled.defender)
