"""Duels: how two sides of a game fight, declared beside its rules, for whoever asks who wins and how to play."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from astragal.chance import Offer, Policy, Question
from astragal.table.authoring.point_buy import PointBuy
from astragal.values import frozen

__all__ = ["Duel", "Left", "Takes", "spends_most"]

Left: TypeAlias = tuple[int, ...]
"""What a fighter has left: first what keeps them up (Stamina, hit points), then what they can spend."""


class Takes(NamedTuple):
    """What a turn takes from whoever acts, and from the other, number by number."""

    mine: Left
    theirs: Left


def every_option(offer: Offer[Any]) -> Sequence[Any]:
    return offer.options


def as_it_is(verdict: Takes) -> Takes:
    """For a rule of the duel itself, whose verdict says what it took."""
    return verdict


def taken_off(_: Any, now: int, harm: int) -> int:
    return max(0, now - harm)


def spends_most(offer: Offer[Any]) -> Any:
    """The policy of whoever spends all they may, where options go from nothing to the most."""
    return offer.options[-1]


@frozen(kw_only=True, eq=False)
class Duel:
    """A fight of two sides, turn by turn: one acts, then the other, until somebody is down at 0 of their first number.

    `fighter` is a `Value`: the numbers that somebody brings; `fields` are those of them that a fight takes from, or
    else `lasts` says what it takes from; `names` is what that is called. `turn` asks the game's own rule for one turn,
    from the table's options, both fighters and what both have left; in its offers "attacker" is who acts and
    "defender" the other. `takes` reads off a verdict what it took; `hurt` says where harm leaves the first number, if
    it is not simply taken off. A fight only ever takes.

    `considers` leaves out answers that are never better than another. Where offers are `nested`, the answers that less
    can pay for are a part of those that more can, so that one question, asked with everything full, has them all.

    All of it is functions of modules, so that a duel can be sent to other processes. `foes` are usual ones to measure
    against, `of` reads a fighter off a sheet, `is_down` whether somebody is out of the fight, and `greedy` is how
    somebody decides who always spends. Where heroes are bought, `points` is what they are bought with, and `build`
    reads a fighter off the numbers that were.
    """

    fighter: type
    fields: tuple[str, ...] = ()
    lasts: Callable[[Any], Left] | None = None
    names: tuple[str, ...]
    turn: Callable[[Any, Any, Any, Left, Left], Question[Any]]
    takes: Callable[[Any], Takes] = as_it_is
    greedy: Policy
    foes: Mapping[str, Any]
    of: Callable[[Any, Any], Any]
    is_down: Callable[[Any], bool]
    points: Callable[[Any], PointBuy] | None = None
    build: Callable[[Mapping[str, int], Any], Any] | None = None
    hurt: Callable[[Any, int, int], int] = taken_off
    considers: Callable[[Offer[Any]], Sequence[Any]] = every_option
    nested: bool = False
    about: str = ""
    """What the book leaves open, and how it is taken here."""

    @property
    def usual_foe(self) -> Any:
        """A foe of middling strength; where the game names none, a fighter with the default numbers."""
        known = [*self.foes.values()] or [self.fighter()]
        return known[len(known) // 2]

    def left(self, fighter: Any) -> Left:
        """What a fighter has left before the fight."""
        return self.lasts(fighter) if self.lasts else tuple(getattr(fighter, name) for name in self.fields)
