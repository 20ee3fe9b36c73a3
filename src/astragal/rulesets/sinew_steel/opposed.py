"""Two sides roll at once: SS-07, SS-08, and who may spend Luck when (SS-23)."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Annotated, NamedTuple

from typing_extensions import Doc

from astragal.chance import Question, Rolls, rule

from .blow import Blow
from .luck import LEVEL, Stakes, Stand, decided
from .rolling import Roll, Score, simple_test


class Side(Enum):
    ATTACKER = "attacker"
    DEFENDER = "defender"


def beats(attack: int | None, defence: int | None) -> bool:
    """SS-07, SS-08: the attacker wins alone or by the greater margin; everything else is the defender's.

    Each is the margin of a success, and none for a failure.
    """
    return attack is not None and (defence is None or attack > defence)


class Contest(NamedTuple):
    """Both rolls. Without a defence the attacker has only to succeed."""

    attack: Roll
    defence: Roll | None

    @property
    def won(self) -> bool:
        return beats(self.attack.success_margin, self.defence.success_margin if self.defence is not None else None)

    @property
    def winner(self) -> Side:
        return Side.ATTACKER if self.won else Side.DEFENDER

    @property
    def attack_lacking(self) -> int:
        """How far the attacker's die would have to come down to win; 0 where it wins."""
        defence = self.defence
        to_beat = defence.margin + 1 if defence is not None and defence.success else 0
        return max(0, to_beat - self.attack.margin, -self.attack.margin)

    @property
    def defence_lacking(self) -> int:
        """How far the defender's die would have to come down to hold, for which a tie is enough."""
        return max(0, self.attack.margin) - self.defence.margin if self.won and self.defence is not None else 0


def after_luck(
    contest: Contest, attacker: Stand, defender: Stand | None = None, blow: Blow | None = None
) -> Rolls[Contest]:
    """SS-23: both have seen both dice; the attacker decides, then the defender, once each."""
    attack, defence = contest
    if attacker.can_spend:
        stakes = _attackers_stakes(contest, defender, blow)
        attack = yield from decided("attacker", attack, attacker, stakes)
        contest = Contest(attack, defence)
    if defence is not None and defender is not None and defender.can_spend:
        if attack.favours:
            defender = replace(defender, favours=max(0, defender.favours - attack.favours))
        stakes = Stakes(defence.lacking) if attacker.closed else Stakes(contest.defence_lacking, wins=True)
        contest = Contest(attack, (yield from decided("defender", defence, defender, stakes)))
    return contest


def _attackers_stakes(contest: Contest, defender: Stand | None, blow: Blow | None) -> Stakes:
    """SS-25, SS-38: Luck can win, and then wear off soak and reach the bonus. Unseen, the defence is not reckoned."""
    answered = contest.defence is not None
    if defender is not None and defender.closed:
        return Stakes(contest.attack.lacking, None, blow, answered)
    return Stakes(contest.attack_lacking, True, blow, answered)


def both_tests(
    attacker: int, defender: int, attacking: Stand = LEVEL, defending: Stand = LEVEL
) -> tuple[Question[Roll], Question[Roll]]:
    """SS-07: each rolls under a score of their own, whatever the other rolls."""
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
