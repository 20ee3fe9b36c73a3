"""Two sides roll at once: SS-07, SS-08, and who may spend Luck when (SS-23)."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Annotated, NamedTuple

from typing_extensions import Doc

from astragal.chance import Rolls, rule

from .blow import Blow
from .luck import LEVEL, Prospect, Stand, decided
from .rolling import Roll, Score, simple_test


class Side(Enum):
    ATTACKER = "attacker"
    DEFENDER = "defender"


class Contest(NamedTuple):
    """Both rolls. Without a defence the attacker has only to succeed."""

    attack: Roll
    defence: Roll | None

    @property
    def won(self) -> bool:
        """SS-07, SS-08: the attacker wins alone or by the greater margin; everything else is the defender's."""
        if self.defence is None or not self.attack.success or not self.defence.success:
            return self.attack.success
        return self.attack.margin > self.defence.margin

    @property
    def winner(self) -> Side:
        return Side.ATTACKER if self.won else Side.DEFENDER

    @property
    def to_beat(self) -> int:
        """The least margin with which the attacker would win."""
        if self.defence is None or not self.defence.success:
            return 0
        return max(0, self.defence.margin + 1)


def after_luck(
    contest: Contest, attacker: Stand, defender: Stand | None = None, blow: Blow | None = None
) -> Rolls[Contest]:
    """SS-23: both have seen both dice; the attacker decides, then the defender, once each."""
    closed = defender is not None and defender.closed
    if attacker.can_spend:
        contest = yield from _attacker_decides(contest, attacker, closed, blow)
    if contest.defence is not None and defender is not None and defender.can_spend:
        left = replace(defender, favours=max(0, defender.favours - contest.attack.favours))
        contest = yield from _defender_decides(contest, contest.defence, left, attacker.closed)
    return contest


def _attacker_decides(contest: Contest, attacker: Stand, closed: bool, blow: Blow | None) -> Rolls[Contest]:
    """SS-25, SS-38: Luck can win, and then wear off soak and reach the bonus. Unseen, the defence is not reckoned."""
    to_beat, answered = contest.to_beat, contest.defence is not None

    def foresee(success: bool, margin: int) -> Prospect:
        wins = None if closed else success and margin >= to_beat
        if blow is None or not success or wins is False:
            return Prospect(success, margin, wins, before_the_answer=answered)
        return Prospect(success, margin, wins, blow.soak_left(margin), blow.damage(margin), answered)

    margins = (0 if closed else to_beat, *(blow.turns if blow else ()))
    return Contest((yield from decided("attacker", contest.attack, attacker, margins, foresee)), contest.defence)


def _defender_decides(contest: Contest, defence: Roll, defender: Stand, closed: bool) -> Rolls[Contest]:
    """SS-23: the defender answers what the attacker did; a tie is enough. Unseen, the attack is not reckoned."""
    to_hold, lost = (0, True) if closed else (max(0, contest.attack.margin), contest.won)

    def foresee(success: bool, margin: int) -> Prospect:
        return Prospect(success, margin, None if closed else not lost or (success and margin >= to_hold))

    return Contest(contest.attack, (yield from decided("defender", defence, defender, (to_hold,), foresee)))


@rule
def opposed_test(
    attack: Score,
    defence: Score,
    attacker: Annotated[Stand, Doc("how the side that wants something stands")] = LEVEL,
    defender: Annotated[Stand, Doc("how the side that holds out stands")] = LEVEL,
) -> Rolls[Contest]:
    """SS-07: both roll under; the greater margin wins, ties and two failures are the defender's."""
    attacking = yield from simple_test(attack, attacker.footing)
    defending = yield from simple_test(defence, defender.footing)
    return (yield from after_luck(Contest(attacking, defending), attacker, defender))
