"""Luck at the table: spent, granted, rested for, refilled, and drained by a rewind. SS-20, SS-26 to SS-28, SS-65."""

from __future__ import annotations

from typing import Annotated

from astragal.game import (
    GAME_MASTER_ONLY,
    Chapter,
    Character,
    Command,
    Doing,
    Event,
    Fact,
    Nature,
    Price,
    Refusal,
    Seen,
    Teller,
)
from astragal.game.fields import CharacterId, Doc, Ge, Le
from astragal.game.shared import Rest, Rested
from astragal.rulesets.sinew_steel.luck import Blessing, blessing, spend_to_succeed
from astragal.rulesets.sinew_steel.options import LuckRest
from astragal.rulesets.sinew_steel.state import Call, Fate, Sheet, State, find, heroes
from astragal.rulesets.sinew_steel.terms import token_words
from astragal.rulesets.sinew_steel.trials.rolling import Roll

FORTUNE = Chapter(seen=Seen.ALL)

WITH_LUCK = {"with Luck": spend_to_succeed}
"""A further way to weigh a roll beforehand: its roller takes the cheapest spend that changes something."""

# ---------------------------------------------------------------- spending


@FORTUNE.event("luck_spent", owner="who")
class LuckSpent(Event):
    """Tokens moved a die."""

    who: CharacterId
    tokens: int
    left: int

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} spends {token_words(self.tokens, teller)} and has {self.left} left"

    def fold(self, state: State) -> State:
        return state.changed(self.who, luck=self.left)


@FORTUNE.event("favours_spent", owner="who")
class FavoursSpent(Event):
    """Tokens of the ally moved a die."""

    who: CharacterId
    tokens: int
    left: int

    def says(self, teller: Teller) -> str:
        pays = f"{teller.term('ally')} pays {token_words(self.tokens, teller)} for {teller.name(self.who)}"
        return f"{pays} and has {self.left} left"

    def fold(self, state: State) -> State:
        return state.with_game(favours=self.left)


def paid(who: Character[Sheet], tokens: int) -> LuckSpent:
    return LuckSpent(who=who.id, tokens=tokens, left=who.sheet.luck - tokens)


def spent_by(state: State, *rolls: tuple[str, Roll | None]) -> list[LuckSpent | FavoursSpent]:
    """SS-21, SS-67: what rolls cost their rollers, and the ally whom they may share."""
    told: list[LuckSpent | FavoursSpent] = []
    favours = state.game.favours
    for who, roll in rolls:
        if roll is not None and roll.spent:
            told.append(paid(find(state, who), roll.spent))
        if roll is not None and roll.favours:
            favours -= roll.favours
            told.append(FavoursSpent(who=who, tokens=roll.favours, left=favours))
    return told


# ---------------------------------------------------------------- gaining


@FORTUNE.event("luck_gained", owner="who")
class LuckGained(Event):
    """Tokens came back: granted, blessed, rested for."""

    who: CharacterId
    tokens: int
    held: int

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} gains {token_words(self.tokens, teller)} and holds {self.held}"

    def fold(self, state: State) -> State:
        return state.changed(self.who, luck=self.held)


def gained(who: Character[Sheet], tokens: int) -> list[LuckGained]:
    """SS-26: never past the pool's size."""
    gain = min(tokens, max(0, who.sheet.luck_most - who.sheet.luck))
    return [LuckGained(who=who.id, tokens=gain, held=who.sheet.luck + gain)] if gain else []


def find_with_room(call: Call, who: str) -> Character[Sheet]:
    """Somebody whose pool is not full."""
    found = find(call.state, who)
    if not max(0, found.sheet.luck_most - found.sheet.luck):
        raise Refusal(f"{found.name} holds {found.sheet.luck} tokens already; the pool is full.", code="full")
    return found


@FORTUNE.command("grant_luck", may=GAME_MASTER_ONLY)
class GrantLuck(Command):
    """Give tokens, up to the size of the pool."""

    who: Annotated[CharacterId, Doc("who is favoured")]
    tokens: Annotated[int, Ge(1), Le(20), Doc("how many tokens")] = 1

    def does(self, call: Call) -> list[LuckGained]:
        return gained(find_with_room(call, self.who), self.tokens)


@FORTUNE.command("bless", may=GAME_MASTER_ONLY, outcome=lambda blessed: blessed.gained)
class Bless(Command):
    """Give 1d4 tokens, up to the size of the pool."""

    who: Annotated[CharacterId, Doc("who is blessed")]

    def does(self, call: Call) -> Doing[Blessing]:
        who = find_with_room(call, self.who)
        blessed = yield blessing(who.sheet.luck_most - who.sheet.luck)
        return gained(who, blessed.gained)

    def hides(self, call: Call) -> bool:
        """The room in a pool and the tokens in it, which all can see, add up to a Luck score."""
        return find(call.state, self.who).sheet.is_closed


@FORTUNE.event("luck_refilled", owner="who")
class LuckRefilled(Event):
    """A pool is full again."""

    who: CharacterId
    held: int

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)}’s {teller.term('luck')} is full again: {token_words(self.held, teller)}"

    def fold(self, state: State) -> State:
        return state.changed(self.who, luck=self.held)


def refilled(who: Character[Sheet]) -> LuckRefilled:
    """SS-27: a milestone fills the pool. Tokens past its size, by override, stay."""
    return LuckRefilled(who=who.id, held=max(who.sheet.luck, who.sheet.luck_most))


@FORTUNE.command("refill_luck", may=GAME_MASTER_ONLY)
class RefillLuck(Command):
    """Fill a pool, as a milestone does."""

    who: Annotated[CharacterId, Doc("whose pool")]

    def does(self, call: Call) -> list[LuckRefilled]:
        return [refilled(find_with_room(call, self.who))]


# ---------------------------------------------------------------- rest


@FORTUNE.fact("luck_from_rest", told="luck_from_rest_settled", may=GAME_MASTER_ONLY)
class LuckFromRest(Fact):
    """Say whether rests give tokens for the time being."""

    given: Annotated[bool, Doc("whether they do")]

    def says(self, teller: Teller) -> str:
        return f"rest {'gives' if self.given else 'gives no'} {teller.term('luck')} from now on"

    def fold(self, state: State) -> State:
        return state.with_game(rest_gives_luck=self.given)


@FORTUNE.after(Rested)
def rest_gives_luck(state: State, rested: Rested) -> list[LuckGained]:
    """SS-26, SS-31: a rest gives a token, care does not. SS-28: who never had tokens gains none by resting."""
    enough = (Rest.SHORT, Rest.LONG) if state.options.luck_rest is LuckRest.SHORT else (Rest.LONG,)
    if rested.kind not in enough or not state.game.rest_gives_luck:
        return []
    resting = [find(state, who) for who in rested.who]
    living = [one for one in resting if one.sheet.is_hero and one.sheet.fate is not Fate.DEAD]
    return [gain for hero in living for gain in gained(hero, 1)]


# ---------------------------------------------------------------- the price of a rewind


@FORTUNE.event("luck_drained", nature=Nature.LASTING, owner="who")
class LuckDrained(Event):
    """The price of a rewind."""

    who: CharacterId
    tokens: int

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} pays {token_words(self.tokens, teller)}"

    def fold(self, state: State) -> State:
        """A rewind may have gone back to before the hero was there."""
        if self.who not in state.characters:
            return state
        return state.changed(self.who, luck=max(0, state.characters[self.who].sheet.luck - self.tokens))


def drain(state: State, tokens: int) -> list[LuckDrained]:
    """SS-65: each hero loses so many; one who holds fewer loses all."""
    if tokens < 1:
        raise Refusal("A rewind costs at least 1 token.", code="price")
    holders = [one for one in heroes(state) if one.sheet.luck]
    if not holders:
        raise Refusal("Nobody holds a token, so Luck can't pay for this.", code="price")
    return [LuckDrained(who=one.id, tokens=min(tokens, one.sheet.luck)) for one in holders]


LUCK_PRICE = Price("tokens of Luck from each hero; one who holds fewer loses all", drain)
