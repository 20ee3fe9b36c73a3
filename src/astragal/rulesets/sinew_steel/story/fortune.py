"""Luck at the table: spent, granted, rested for, refilled, and paid for a rewind. SS-20, SS-26 to SS-28, SS-65."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from astragal.chance import Rolls, d4, rule
from astragal.game import (
    GAME_MASTER_ONLY,
    Chapter,
    Character,
    Command,
    Doing,
    Fact,
    Gain,
    Gained,
    Lost,
    Meter,
    Refusal,
    Seen,
    SpendAfter,
    Teller,
    Value,
)
from astragal.game.display import RollCard
from astragal.game.fields import CharacterId, Doc, Ge, Le
from astragal.game.shared import Rest
from astragal.rulesets.sinew_steel.luck import spend_to_succeed, spend_to_win
from astragal.rulesets.sinew_steel.options import LuckRest
from astragal.rulesets.sinew_steel.state import ALLY_TOKENS, Call, Sheet, State, find
from astragal.rulesets.sinew_steel.terms import token_words
from astragal.rulesets.sinew_steel.trials.rolling import Roll

FORTUNE = Chapter(seen=Seen.ALL)

WITH_LUCK = {"with Luck": spend_to_succeed}
"""A further way to weigh a roll beforehand: its roller takes the cheapest spend that changes something."""


def luck_after(price: Callable[[Any], int]) -> SpendAfter:
    """SS-21: the chance of a roll by how many tokens one would spend on it; `price` is what its verdict took."""
    return SpendAfter("luck", spend_to_win, price)


def rest_gives_luck(state: State, who: Character[Sheet], rest: Rest) -> int:
    """SS-26, SS-31: a rest gives a token, care does not. SS-28: who never had tokens gains none by resting."""
    enough = (Rest.SHORT, Rest.LONG) if state.options.luck_rest is LuckRest.SHORT else (Rest.LONG,)
    return int(rest in enough and state.game.rest_gives_luck and who.sheet.is_hero)


LUCK = Meter(
    "luck",
    most=lambda sheet: sheet.luck_most,
    seen=Seen.ALL,
    loses="spends",
    counted=token_words,
    rest=rest_gives_luck,
    override="tokens held, past the pool’s size too",
    limit=20,
)
"""SS-20, SS-26: tokens, never more than the pool's size. SS-65: a rewind may cost them."""

ALLY = Meter(
    "favours", most=lambda game: ALLY_TOKENS, seen=Seen.ALL, loses="spends", counted=token_words, holder="ally"
)
"""SS-67: the ally's tokens, which the whole party shares."""

# ---------------------------------------------------------------- spending


def spent_by(state: State, *rolls: tuple[str, Roll | None]) -> list[Lost]:
    """SS-21, SS-67: what rolls cost their rollers, and the ally whom they may share."""
    made = [(find(state, who), roll) for who, roll in rolls if roll is not None]
    helped = " and ".join(who.name for who, roll in made if roll.favours)
    own = [told for who, roll in made for told in LUCK.lost(who, roll.spent)]
    return [*own, *ALLY.lost(state, sum(roll.favours for _, roll in made), f"for {helped}")]


# ---------------------------------------------------------------- gaining


@FORTUNE.command("grant_luck", may=GAME_MASTER_ONLY)
class GrantLuck(Gain):
    """Give tokens, up to the size of the pool."""

    meter = LUCK


class Blessing(Value, kw_only=False):
    """What was rolled, and how much of it the pool had room for."""

    face: int
    gained: int


@rule
def blessing(room: Annotated[int, Ge(0), Le(20), Doc("tokens that the pool still has room for")]) -> Rolls[Blessing]:
    """SS-26: 1d4 tokens, never past the pool's size."""
    face = yield from d4
    return Blessing(face, min(face, room))


def find_with_room(call: Call, who: str) -> Character[Sheet]:
    """Somebody whose pool is not full."""
    found = find(call.state, who)
    if not LUCK.room(found.sheet):
        raise Refusal(f"{found.name} holds {found.sheet.luck} tokens already; the pool is full.", code="full")
    return found


@FORTUNE.command(
    "bless",
    may=GAME_MASTER_ONLY,
    outcome=lambda blessed: blessed.gained,
    card=RollCard(title="{who} is blessed", short="A blessing", verb="Bless"),
)
class Bless(Command):
    """Give 1d4 tokens, up to the size of the pool."""

    who: Annotated[CharacterId, Doc("who is blessed")]

    def does(self, call: Call) -> Doing[Blessing]:
        who = find_with_room(call, self.who)
        blessed = yield blessing(LUCK.room(who.sheet))
        return LUCK.gained(who, blessed.gained, "a blessing")

    def hides(self, call: Call) -> bool:
        """The room in a pool and the tokens in it, which all can see, add up to a Luck score."""
        return find(call.state, self.who).sheet.is_closed


def refilled(who: Character[Sheet]) -> list[Gained]:
    """SS-27: a milestone fills the pool. Tokens past its size, by override, stay."""
    return LUCK.gained(who, who.sheet.luck_most, "the pool is full again")


@FORTUNE.command("refill_luck", may=GAME_MASTER_ONLY)
class RefillLuck(Command):
    """Fill a pool, as a milestone does."""

    who: Annotated[CharacterId, Doc("whose pool")]

    def does(self, call: Call) -> list[Gained]:
        return refilled(find_with_room(call, self.who))


@FORTUNE.fact("luck_from_rest", told="luck_from_rest_settled", may=GAME_MASTER_ONLY)
class LuckFromRest(Fact):
    """Say whether rests give tokens for the time being."""

    given: Annotated[bool, Doc("whether they do")]

    def says(self, teller: Teller) -> str:
        return f"rest {'gives' if self.given else 'gives no'} {teller.term('luck')} from now on"

    def fold(self, state: State) -> State:
        return state.with_game(rest_gives_luck=self.given)
