"""What helps or hinders a roll, and who may say so. SP-10, SP-15, SP+05."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.chapters.conditions import conditions_on
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.ruleset import Call
from astragal.table.state import Character, State
from astragal.values import frozen

from .pools import Pool
from .sheet import NO_POOL, RollKind, Sheet
from .trial.footing import Footing, footing

ADVANTAGES = ("flanking", "position", "proper tools", "surprised target", "helpless target")
DISADVANTAGES = ("prone", "shooting into melee", "bad weather", "improvised tools", "injured", "exhausted")
"""SP-10: what anyone may name. Help is asked for (SP-15); any other word is the game master's to give."""

HELP, HINDRANCE, BONUS, NEXT_ROLL = "advantage", "disadvantage", "bonus", "next_roll"
"""The keys under which a condition's numbers help, hinder or add to every roll, or end with the next one."""

INSPIRED = "inspiration"
BROKEN = "broken pool"


@frozen
class Named:
    """What is named as helping and as hindering somebody."""

    advantage: tuple[str, ...] = ()
    disadvantage: tuple[str, ...] = ()


@frozen
class Ground:
    """How somebody stands, and what that comes from."""

    helps: tuple[str, ...] = ()
    hinders: tuple[str, ...] = ()

    @property
    def footing(self) -> Footing:
        """SP-10: sources do not stack, and both kinds cancel."""
        return footing(helped=bool(self.helps), hindered=bool(self.hinders))

    @property
    def because(self) -> tuple[str, ...]:
        return (*self.helps, *self.hinders)


def ground(state: State, who: Character[Sheet], pool: Pool, named: Named, *, inspired: bool = False) -> Ground:
    """SP-10, SP-15, SP-18, SP+05: everything that helps and hinders a roll."""
    helps = [*named.advantage, *_conditions(state, who.id, HELP)]
    if inspired:
        helps.append(INSPIRED)
    hinders = [*named.disadvantage, *_conditions(state, who.id, HINDRANCE)]
    if is_broken(state, who, pool):
        hinders.append(BROKEN)
    return Ground(tuple(helps), tuple(hinders))


def is_broken(state: State, who: Character[Sheet], pool: Pool) -> bool:
    """SP+05: a pool at 0 is broken until a point returns. A spend that empties it counts from the next roll on."""
    points = who.sheet.numbers.pool(pool)
    return bool(state.options.broken_pools) and points is not NO_POOL and points.now == 0


def _conditions(state: State, who: str, effect: str) -> Iterator[str]:
    """A condition that players don't know of counts without its name."""
    for condition in conditions_on(state, who):
        if condition.numbers.get(effect, 0) > 0:
            yield "unknown" if condition.hidden is True else condition.name


def check_named(call: Call, named: Named) -> None:
    """SP-10: the usual sources are anyone's to name; others are the game master's."""
    for kind, words, other in (
        (Footing.ADVANTAGE, named.advantage, DISADVANTAGES),
        (Footing.DISADVANTAGE, named.disadvantage, ADVANTAGES),
    ):
        usual = ADVANTAGES if kind is Footing.ADVANTAGE else DISADVANTAGES
        for word in words:
            if word.casefold() in other:
                raise Refusal(f"{word.capitalize()} does not give {kind.value}.", code="circumstance")
            if word.casefold() not in usual and not call.viewer.is_game_master:
                raise NotAllowed(f"Only the game master names {word!r}; you may name {', '.join(usual)}.")


def check_able(state: State, who: Character[Sheet], kind: RollKind) -> None:
    """SP+04: who is down can save, and nothing else."""
    if state.options.hit_points and kind is not RollKind.SAVE and who.sheet.numbers.is_down:
        raise Refusal(f"{who.name} is down and can make saves only.", code="down")
