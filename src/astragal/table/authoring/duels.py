"""Duels: fights of two sides, declared beside a game's rules, to calculate who wins and how to play best."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from astragal.chance import Offer, Policy, Question
from astragal.table.authoring.point_buy import PointBuy

__all__ = ["Duel", "Left", "Takes", "spends_most"]

Left: TypeAlias = tuple[int, ...]
"""A fighter's numbers that are left: first the one that keeps them up (Stamina, hit points), then those to spend."""


class Takes(NamedTuple):
    """Amounts that a turn takes from the attacker and from the defender, number by number."""

    mine: Left
    theirs: Left


def every_option(offer: Offer[Any]) -> Sequence[Any]:
    return offer.options


def as_it_is(verdict: Takes) -> Takes:
    """Default for `takes`, for a rule whose verdict is a `Takes` already."""
    return verdict


def taken_off(_: Any, number: int, harm: int) -> int:
    return max(0, number - harm)


def spends_most(offer: Offer[Any]) -> Any:
    """Policy of spending as much as possible, for options that go from nothing to the most."""
    return offer.options[-1]


class Duel(Struct, frozen=True, eq=False, kw_only=True):
    """A fight of two sides in turns: one acts, then the other, until a fighter is down at 0 of their first number.

    `fighter` is a `Value` type with a fighter's numbers. `fields` names those that a fight takes from, or `lasts`
    calculates them; `names` has their names for people. `turn` makes the question of the game's own rule for one turn,
    from the table's options, both fighters and what both have left. In its offers, the side that acts is "attacker" and
    the other "defender". `takes` reads off a verdict what the turn took. `hurt` returns the first number after harm, if
    that is not a plain subtraction. A fight only ever takes.

    `considers` leaves out answers that are never better than another. Offers are `nested` if the answers that a fighter
    with less can pay for are among those that one with more can: then one question, asked with everything full, has
    them all.

    All functions must belong to modules, so that a duel can be sent to other processes. `foes` are usual opponents,
    `of` makes a fighter from a sheet, `is_down` returns whether a character is out of the fight, and `greedy` is the
    policy of a side that always spends. If heroes are bought with points, `points` returns the point-buy, and `build`
    makes a fighter from the numbers that were bought.
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
    """What the book leaves open, and how it is decided here."""

    @property
    def usual_foe(self) -> Any:
        """The middle one of the foes; if the game names none, a fighter with the default numbers."""
        foes = list(self.foes.values()) or [self.fighter()]
        return foes[len(foes) // 2]

    def left(self, fighter: Any) -> Left:
        """Return a fighter's numbers before the fight."""
        if self.lasts is not None:
            return self.lasts(fighter)
        return tuple(getattr(fighter, name) for name in self.fields)
