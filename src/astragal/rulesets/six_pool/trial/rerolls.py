"""One die thrown again after it was seen: by Inspiration, or by an ability with a name. SP-18, SP-19."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Annotated, NamedTuple

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Offer, Rolls, d20
from astragal.values import frozen

from .footing import AllDice, Footing

INSPIRATION = "inspiration"
KEEP = "keep"
REROLL = "reroll"
"""The name of the offer to throw a die again."""


class Asks(Enum):
    """When a roller with rerolls at hand is asked for one."""

    IF_IT_FAILS = "if it fails"
    ALWAYS = "always"
    NEVER = "never"


@frozen(slots=True)
class Source:
    """What gives a reroll, and the highest face that it may throw again."""

    name: str = INSPIRATION
    up_to: Annotated[int, Ge(1), Le(20), Doc("the highest face that may be rerolled")] = 20


@frozen(slots=True)
class Again:
    """The rerolls at hand, each for one die, and when they are offered."""

    sources: tuple[Source, ...] = ()
    asks: Annotated[Asks, Doc("when the roller is asked")] = Asks.IF_IT_FAILS

    def without(self, name: str) -> Again:
        return Again(tuple(source for source in self.sources if source.name != name), self.asks)


NO_REROLLS = Again()


class Thrown(NamedTuple):
    """The die that counts, and what was used up on the way to it."""

    natural: int
    rerolled: tuple[str, ...] = ()


class _Way(NamedTuple):
    source: str
    face: int


def settled_die(stance: Footing, again: Again, is_enough: Callable[[int], bool], side: str = "who") -> Rolls[Thrown]:
    """SP-18, SP-19: the die, then each reroll at hand once, for one die; then keep as usual."""
    if not again.sources or again.asks is Asks.NEVER:
        natural = yield from stance.die()
        return Thrown(natural)
    dice = yield from AllDice(stance)
    used: tuple[str, ...] = ()
    for _ in again.sources:
        ways = {} if _is_content(again, is_enough(stance.kept(dice))) else _ways(dice, again, used)
        if not ways:
            break
        answer = yield from Offer(side, REROLL, (KEEP, *ways), about=(*dice, *used))
        if answer == KEEP:
            break
        way = ways[answer]
        face = yield from d20
        dice = _exchanged(dice, way.face, face)
        used = (*used, way.source)
    return Thrown(stance.kept(dice), used)


def _is_content(again: Again, enough: bool) -> bool:
    return enough and again.asks is Asks.IF_IT_FAILS


def _ways(dice: tuple[int, ...], again: Again, used: tuple[str, ...]) -> Mapping[str, _Way]:
    """Every reroll that can still be had, by what it is called."""
    faces = sorted(set(dice), reverse=True)
    left = [source for source in again.sources if source.name not in used]
    return {
        source.name if len(faces) == 1 else f"{source.name} on the {face}": _Way(source.name, face)
        for source in left
        for face in faces
        if face <= source.up_to
    }


def _exchanged(dice: tuple[int, ...], before: int, after: int) -> tuple[int, ...]:
    others = list(dice)
    others.remove(before)
    return tuple(sorted((*others, after), reverse=True))
