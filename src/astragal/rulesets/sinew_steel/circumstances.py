"""What a character rolls with: scores, tokens, and what helps or hinders. SS-05, SS-40, SS-42, SS+05."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from astragal.table.chapters.conditions import conditions_on
from astragal.table.declarations import Sight
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.ruleset import Call
from astragal.table.state import Character
from astragal.table.things.conditions import Condition
from astragal.values import frozen

from .game import Table
from .luck import LuckTarget, Stand
from .options import Companion, Options
from .rolling import Footing, footing
from .sheet import Sheet
from .tracks import surcharge
from .ways import Manner

KNOWN = {"flanking": Footing.ADVANTAGE, "blind": Footing.DISADVANTAGE}
"""SS-42: what anyone may name. Any other word is the custodian's to give."""

SOLID_COVER = "solid cover"
MORE = {SOLID_COVER: Footing.ADVANTAGE, "high ground": Footing.ADVANTAGE}
"""SS+05: further words."""

HELP, HINDRANCE = "advantage", "disadvantage"
"""The keys under which a condition's numbers help or hinder every roll."""
HELP_FOES = "foes_advantage"
"""SS-55: the key under which a condition helps those whom the custodian plays."""
FROM_EVENING = "from_evening"
"""SS-55: the evening from which on a condition bears on rolls."""
ONCE = "once"
"""The key of a condition that the next roll uses up."""

OVERLOADED, WORN = "overloaded", "worn out"
LITTLE_STAMINA = 2


@frozen
class Ground:
    """How somebody stands, and what that comes from."""

    footing: Footing
    because: tuple[str, ...]


@frozen
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
    """SS-05, SS-40, SS-42, SS+05: everything that helps and hinders a roll, and what it comes to."""
    helps = (*named.advantage, *_conditions(state, who, HELP))
    hinders = (*named.disadvantage, *_conditions(state, who, HINDRANCE), *_hampered(state.options, who.sheet, key))
    return Ground(footing(advantages=len(helps), disadvantages=len(hinders)), (*helps, *hinders))


def _hampered(options: Options, sheet: Sheet, key: str) -> Iterator[str]:
    if key == options.agility and sheet.load > options.carry_limit:
        yield OVERLOADED
    is_physical = key in (Manner.HEAVY.usual(options), options.agility)
    if options.plays(Companion.CIRCUMSTANCES) and is_physical and sheet.stamina <= LITTLE_STAMINA:
        yield WORN


def _conditions(state: Table, who: Character[Sheet], effect: str) -> Iterator[str]:
    """A condition that players don't know of counts without its name."""
    for condition in conditions_on(state, who.id):
        if bears_on(state, condition, who, effect):
            yield "unknown" if condition.hidden is True else condition.name


def bears_on(state: Table, condition: Condition, who: Character[Sheet], effect: str) -> bool:
    """Does the condition help, or hinder, this roll?"""
    numbers = condition.numbers
    if numbers.get(FROM_EVENING, 0) > state.calendar.evening:
        return False
    for_foes = effect == HELP and not who.sheet.is_hero and numbers.get(HELP_FOES, 0) > 0
    return for_foes or numbers.get(effect, 0) > 0


def known_words(options: Options) -> Mapping[str, Footing]:
    return {**KNOWN, **MORE} if options.plays(Companion.CIRCUMSTANCES) else KNOWN


def check_circumstances(call: Call, named: Circumstances, key: str) -> None:
    """SS-42, SS+05: a known word helps or hinders as the book says; others are the custodian's to give."""
    known = known_words(call.state.options)
    for kind, some in ((Footing.ADVANTAGE, named.advantage), (Footing.DISADVANTAGE, named.disadvantage)):
        for word in some:
            given = known.get(word.casefold())
            if given is None and not call.viewer.is_game_master:
                raise NotAllowed(f"Only the game master names {word!r}; you may name {', '.join(known)}.")
            if given not in (None, kind):
                raise Refusal(f"{word.capitalize()} gives {given.value}, not {kind.value}.", code="circumstance")
            if given and word.casefold() == SOLID_COVER and key != call.state.options.agility:
                raise Refusal("Solid cover helps to dodge, and nothing else.", code="circumstance")


def score_on(state: Table, who: Character[Sheet], key: str) -> int:
    """SS-24: any roll on Luck is against the tokens held."""
    return who.sheet.luck if key == state.options.luck else who.sheet.scores[key]


def stand(call: Call, who: Character[Sheet], key: str, named: Circumstances, *, always_asked: bool = False) -> Stand:
    """How somebody goes into a roll on an attribute, and what may be spent on it."""
    state, spendable = call.state, may_spend(call, who, key)
    return Stand(
        footing=ground(state, who, key, named).footing,
        luck=who.sheet.luck if spendable else 0,
        closed=is_closed(who),
        always_asked=always_asked,
        surcharge=surcharge(state, who) if spendable else 0,
        favours=favours_for(state, who) if spendable else 0,
    )


def may_spend(call: Call, who: Character[Sheet], key: str) -> bool:
    """SS-23, SS-24, SS-68: not where the tokens are the target, unless it is frozen; players not on a hidden roll."""
    options: Options = call.state.options
    is_own_target = key == options.luck and options.luck_test_target is LuckTarget.LIVE
    is_out_of_sight = call.sight is not Sight.OPEN and who.seat is not None
    return not is_own_target and not is_out_of_sight


def favours_for(state: Table, who: Character[Sheet]) -> int:
    """SS-67: any hero may spend what the ally holds; it holds nothing where there is none."""
    return state.game.favours if who.sheet.is_hero else 0


def is_closed(who: Character[Sheet]) -> bool:
    """Whether players do not know the numbers that this character rolls against."""
    return not who.sheet.is_hero and not who.sheet.scores.open
