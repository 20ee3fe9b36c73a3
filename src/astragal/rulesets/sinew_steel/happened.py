"""What can happen: events in the past tense, with the numbers that prove them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from astragal.table.declarations import Nature, event
from astragal.table.fields import Words
from astragal.table.seats import Viewer
from astragal.table.seen import Seen

from .opposed import Side
from .resolution import Resolution
from .sheet import Fate, Item, Scores
from .shown import ShownRoll

# ---------------------------------------------------------------- people


@event("hero_made", nature=Nature.LASTING, owner="seat")
class HeroMade:
    """A hero came into the story."""

    who: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    seat: Annotated[str | None, Seen.ALL]
    scores: Annotated[Mapping[str, int], Seen.ALL]
    luck: Annotated[int, Seen.ALL]
    stamina: Annotated[int, Seen.ALL]
    gear: Annotated[tuple[Item, ...], Seen.ALL]
    notes: Annotated[Words, Seen.OWNER]
    concept: Annotated[Words, Seen.ALL] = ""
    advantage: Annotated[Words, Seen.ALL] = ""
    wealth: Annotated[int | None, Seen.ALL] = None
    credit_left: Annotated[int, Seen.ALL] = 0
    """SS-14: points below baseline that bought nothing."""
    points_left: Annotated[int, Seen.ALL] = 0
    """SS-14: build points that bought nothing."""


@event("npc_made")
class NpcMade:
    """Somebody of the custodian's came into the story."""

    who: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    scores: Annotated[Scores, Seen.ALL]
    luck: Annotated[int, Seen.ALL]
    stamina: Annotated[int, Seen.ALL]
    gear: Annotated[tuple[Item, ...], Seen.ALL]


@event("scores_opened", nature=Nature.LASTING)
class ScoresOpened:
    """Everyone knows somebody's scores."""

    who: Annotated[str, Seen.ALL]
    scores: Annotated[Mapping[str, int], Seen.ALL]


@event("carried", owner="who")
class Carried:
    """Something was taken along."""

    who: Annotated[str, Seen.ALL]
    item: Annotated[Item, Seen.ALL]


@event("dropped", owner="who")
class Dropped:
    """Something was left behind."""

    who: Annotated[str, Seen.ALL]
    item: Annotated[str, Seen.ALL]


# ---------------------------------------------------------------- rolls


@event("tried", owner="who")
class Tried:
    """An attribute was tested."""

    who: Annotated[str, Seen.ALL]
    roll: Annotated[ShownRoll, Seen.ALL]
    stakes: Annotated[Words, Seen.ALL]
    lethal: Annotated[bool, Seen.ALL]


@event("luck_tried", owner="who")
class LuckTried:
    """Luck was tested."""

    who: Annotated[str, Seen.ALL]
    roll: Annotated[ShownRoll, Seen.ALL]
    why: Annotated[Words, Seen.ALL]
    stakes: Annotated[Words, Seen.ALL]
    lethal: Annotated[bool, Seen.ALL]


@event("luck_tests_counted")
class LuckTestsCounted:
    """SS-29: Luck is tested often this evening."""

    tests: Annotated[int, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


@event("luck_tests_forgotten")
class LuckTestsForgotten:
    """A new evening counts its Luck tests anew."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


@event("opposed")
class Opposed:
    """Two sides rolled against each other."""

    attacker: Annotated[str, Seen.ALL]
    defender: Annotated[str, Seen.ALL]
    attack: Annotated[ShownRoll, Seen.ALL]
    defence: Annotated[ShownRoll, Seen.ALL]
    winner: Annotated[Side, Seen.ALL]
    stakes: Annotated[Words, Seen.ALL]


@event("attacked")
class Attacked:
    """Somebody attacked somebody. What it did to them follows."""

    attacker: Annotated[str, Seen.ALL]
    defender: Annotated[str, Seen.ALL]
    weapon: Annotated[str | None, Seen.ALL]
    attack: Annotated[ShownRoll, Seen.ALL]
    defence: Annotated[ShownRoll | None, Seen.ALL]
    hit: Annotated[bool, Seen.ALL]
    damage: Annotated[int, Seen.ALL]
    consequence: Annotated[Words, Seen.ALL]
    lethal: Annotated[bool, Seen.ALL]


@event("resolved", owner="who")
class Resolved:
    """Something was settled without dice."""

    who: Annotated[str, Seen.ALL]
    answer: Annotated[Resolution, Seen.ALL]
    matter: Annotated[Words, Seen.ALL]
    told: Annotated[Words, Seen.ALL]


# ---------------------------------------------------------------- Luck


@event("luck_spent", owner="who")
class LuckSpent:
    """Tokens moved a die."""

    who: Annotated[str, Seen.ALL]
    tokens: Annotated[int, Seen.ALL]
    left: Annotated[int, Seen.ALL]


@event("favours_spent", owner="who")
class FavoursSpent:
    """Tokens of the ally moved a die."""

    who: Annotated[str, Seen.ALL]
    tokens: Annotated[int, Seen.ALL]
    left: Annotated[int, Seen.ALL]


@event("luck_gained", owner="who")
class LuckGained:
    """Tokens came back: granted, blessed, rested for."""

    who: Annotated[str, Seen.ALL]
    tokens: Annotated[int, Seen.ALL]
    held: Annotated[int, Seen.ALL]


@event("luck_refilled", owner="who")
class LuckRefilled:
    """A pool is full again."""

    who: Annotated[str, Seen.ALL]
    held: Annotated[int, Seen.ALL]


@event("luck_drained", nature=Nature.LASTING, owner="who")
class LuckDrained:
    """The price of a rewind."""

    who: Annotated[str, Seen.ALL]
    tokens: Annotated[int, Seen.ALL]


@event("luck_from_rest_settled")
class LuckFromRestSettled:
    """Rests give tokens, or give none."""

    given: Annotated[bool, Seen.ALL]


# ---------------------------------------------------------------- Stamina


@event("harmed", owner="who")
class Harmed:
    """Stamina was lost: as much of the damage as there was Stamina for."""

    who: Annotated[str, Seen.ALL]
    damage: Annotated[int, Seen.ALL]
    lost: Annotated[int, Seen.ALL]
    left: Annotated[int, Seen.ALL]
    why: Annotated[Words, Seen.ALL]


@event("healed", owner="who")
class Healed:
    """Stamina came back."""

    who: Annotated[str, Seen.ALL]
    gained: Annotated[int, Seen.ALL]
    now: Annotated[int, Seen.ALL]
    why: Annotated[Words, Seen.ALL]


@event("collapsed", owner="who")
class Collapsed:
    """Somebody went down at 0 Stamina."""

    who: Annotated[str, Seen.ALL]


@event("got_up", owner="who")
class GotUp:
    """Somebody is up again."""

    who: Annotated[str, Seen.ALL]


@event("fate_recorded", owner="who")
class FateRecorded:
    """It is settled what became of somebody."""

    who: Annotated[str, Seen.ALL]
    fate: Annotated[Fate | None, Seen.ALL]
    told: Annotated[Words, Seen.ALL]
