"""What a character rolls with: attributes by how it is done, and what helps or hinders. SS-40, SS-42, SS-43."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from astragal.table.chapters.conditions import conditions_on
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.ruleset import Call
from astragal.table.state import Character

from .game import Table
from .luck import LuckTarget, Stand
from .options import Options
from .rolling import Footing, footing
from .sheet import Fate, Sheet

KNOWN = {"flanking": Footing.ADVANTAGE, "blind": Footing.DISADVANTAGE}
"""SS-42: what anyone may name. Any other word is the custodian's to give."""

HELP, HINDRANCE = "advantage", "disadvantage"
"""The keys under which a condition's numbers help or hinder every roll."""

OVERLOADED = "overloaded"


class Manner(Enum):
    """SS-43: how one attacks."""

    HEAVY = "heavy"
    FAST = "fast"
    CLEVER = "clever"
    PRESENCE = "presence"
    LUCKY = "lucky"

    def usual(self, options: Options) -> str:
        """The attribute that usually fits: as the skin says, else by its place among the five."""
        force, _, wits, presence, _ = options.attributes
        by_place = {
            Manner.HEAVY: force,
            Manner.FAST: options.agility,
            Manner.CLEVER: wits,
            Manner.PRESENCE: presence,
            Manner.LUCKY: options.luck,
        }
        return options.usual_attack.get(self.value, by_place[self])


class Guard(Enum):
    """SS-43: how one defends, or that one can't (SS-33)."""

    DODGE = "dodge"
    PARRY = "parry"
    COVER = "cover"
    COMPOSURE = "composure"
    CHANCE = "chance"
    NONE = "none"

    def usual(self, options: Options) -> str:
        """The attribute that usually fits: as the skin says, else by its place among the five."""
        force, _, wits, presence, _ = options.attributes
        by_place = {
            Guard.DODGE: options.agility,
            Guard.PARRY: force,
            Guard.COVER: wits,
            Guard.COMPOSURE: presence,
        }
        return options.usual_defence.get(self.value, by_place.get(self, options.luck))


@dataclass(frozen=True)
class Ground:
    """How somebody stands, and what that comes from."""

    footing: Footing
    because: tuple[str, ...]


@dataclass(frozen=True)
class Circumstances:
    """What is named as helping and as hindering somebody."""

    advantage: tuple[str, ...] = ()
    disadvantage: tuple[str, ...] = ()


def known_key(options: Options, key: str) -> str:
    """The attribute of this key, however it is spelt."""
    for known in options.attributes:
        if known.casefold() == key.casefold():
            return known
    raise Refusal(f"There is no attribute {key!r}; there are {', '.join(options.attributes)}.", code="no_attribute")


def ground(state: Table, who: Character[Sheet], key: str, named: Circumstances) -> Ground:
    """SS-05, SS-40, SS-42: everything that helps and hinders a roll, and what it comes to."""
    options = state.options
    helps, hinders = list(named.advantage), list(named.disadvantage)
    helps += _conditions(state, who.id, HELP)
    hinders += _conditions(state, who.id, HINDRANCE)
    if key == options.agility and who.sheet.load > options.carry_limit:
        hinders.append(OVERLOADED)
    return Ground(footing(advantages=len(helps), disadvantages=len(hinders)), (*helps, *hinders))


def _conditions(state: Table, who: str, effect: str) -> Iterator[str]:
    """A condition that players don't know of counts without its name."""
    for condition in conditions_on(state, who):
        if condition.numbers.get(effect, 0) > 0:
            yield "unknown" if condition.hidden is True else condition.name


def check_circumstances(call: Call, named: Circumstances) -> None:
    """SS-42: a known word helps or hinders as the book says; others are the custodian's to give."""
    for kind, some in ((Footing.ADVANTAGE, named.advantage), (Footing.DISADVANTAGE, named.disadvantage)):
        for word in some:
            given = KNOWN.get(word.casefold())
            if given is None and not call.viewer.is_game_master:
                known = ", ".join(KNOWN)
                raise NotAllowed(f"Only the game master names {word!r}; you may name {known}.")
            if given not in (None, kind):
                raise Refusal(f"{word.capitalize()} gives {given.value}, not {kind.value}.", code="circumstance")


def check_able(who: Character[Sheet], *, on_luck: bool) -> None:
    """SS-30: the collapsed make Luck tests only; the dead make none."""
    if who.sheet.fate is Fate.DEAD:
        raise Refusal(f"{who.name} is dead.", code="dead")
    if who.sheet.is_collapsed and not on_luck:
        raise Refusal(f"{who.name} has collapsed and can only test Luck.", code="collapsed")


def score_on(state: Table, who: Character[Sheet], key: str) -> int:
    """SS-24: any roll on Luck is against the tokens held."""
    return who.sheet.luck if key == state.options.luck else who.sheet.scores[key]


def stand(state: Table, who: Character[Sheet], key: str, named: Circumstances, *, always_asked: bool = False) -> Stand:
    """SS-24: tokens can't be spent on a roll whose target they are, unless it is frozen."""
    options = state.options
    is_own_target = key == options.luck and options.luck_test_target is LuckTarget.LIVE
    return Stand(
        footing=ground(state, who, key, named).footing,
        luck=0 if is_own_target else who.sheet.luck,
        closed=is_closed(who),
        always_asked=always_asked,
    )


def is_closed(who: Character[Sheet]) -> bool:
    """Whether players do not know the numbers that this character rolls against."""
    return not who.sheet.is_hero and not who.sheet.scores.open
