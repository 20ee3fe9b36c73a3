"""Rests: a short one is rolled for and spread over the pools, a long one gives everything back. SP+03."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from astragal.chance import Rolls, d6, rule
from astragal.game import GAME_MASTER_OR_OWNER, Chapter, Command, Doing, Event, Refusal, Seen, Teller, field
from astragal.game.display import Choices, Piece, RollCard
from astragal.game.fields import CharacterId, Doc, Ge, Le
from astragal.game.shared import Rest, Rested

from .catalogue import Pool, pool_called
from .pools import POINTS
from .state import HIGHEST_LEVEL, Call, State, find, names_of

RESTS = Chapter(seen=Seen.ALL)


@rule
def short_rest(level: Annotated[int, Ge(1), Le(HIGHEST_LEVEL), Doc("the level of who rests")]) -> Rolls[int]:
    """SP+03: 1d6 and the level, in points to spread over depleted pools."""
    face = yield from d6
    return face + level


# ---------------------------------------------------------------- resting


@RESTS.event("breather_taken")
class BreatherTaken(Event):
    """SP+03: these may roll for their short rest."""

    who: tuple[str, ...]

    def says(self, teller: Teller) -> str:
        return f"{names_of(self.who, teller)} may roll for the rest"

    def fold(self, state: State) -> State:
        return state.with_game(resting=tuple(dict.fromkeys((*state.game.resting, *self.who))))


@RESTS.event("short_rest_over")
class ShortRestOver(Event):
    """SP+03: a long rest filled all pools, so that nothing is left to roll for or to spread."""

    who: tuple[str, ...]

    def says(self, teller: Teller) -> str:
        return f"nothing is left to recover for {names_of(self.who, teller)}"

    def fold(self, state: State) -> State:
        return state.with_game(
            resting=tuple(who for who in state.game.resting if who not in self.who),
            recovered={who: points for who, points in state.game.recovered.items() if who not in self.who},
        )


@RESTS.after(Rested)
def short_rests_wait_for_a_roll(state: State, rested: Rested) -> list[BreatherTaken | ShortRestOver]:
    """SP+03: a short rest is rolled for and spread; a long one, or care, gives everything back."""
    if not state.options.rests:
        return []
    if rested.kind is Rest.SHORT:
        return [BreatherTaken(who=rested.who)]
    over = tuple(who for who in rested.who if who in {*state.game.resting, *state.game.recovered})
    return [ShortRestOver(who=over)] if over else []


# ---------------------------------------------------------------- rolling and spreading


@RESTS.event("points_recovered", owner="who", says="{who} recovers {points} points to spread")
class PointsRecovered(Event):
    """SP+03: a short rest gave points to spread, beside those of an earlier one that still wait."""

    who: CharacterId
    points: int

    def fold(self, state: State) -> State:
        return state.with_game(
            resting=tuple(who for who in state.game.resting if who != self.who),
            recovered={**state.game.recovered, self.who: state.game.recovered.get(self.who, 0) + self.points},
        )


@RESTS.command(
    "recover",
    may=GAME_MASTER_OR_OWNER,
    actor="who",
    card=RollCard(title="{who} catches their breath", short="A short rest"),
)
class Recover(Command):
    """Roll for a short rest: 1d6 and the level, in points to spread."""

    who: Annotated[CharacterId, Doc("who has rested")]

    def does(self, call: Call) -> Doing[int]:
        who = find(call.state, self.who)
        if self.who not in call.state.game.resting:
            raise Refusal(f"{who.name} has had no short rest to roll for.", code="not_rested")
        points = yield short_rest(who.sheet.numbers.level)
        return [PointsRecovered(who=self.who, points=points)]


@RESTS.event("points_spread", owner="who")
class PointsSpread(Event):
    """SP+03: points went back into pools."""

    who: CharacterId
    points: Mapping[Pool, int]

    def says(self, teller: Teller) -> str:
        shares = ", ".join(f"{points} {teller.term(pool.value)}" for pool, points in self.points.items())
        return f"{teller.name(self.who)} recovers {shares}"

    def fold(self, state: State) -> State:
        left = {**state.game.recovered, self.who: state.game.recovered[self.who] - sum(self.points.values())}
        state = state.with_game(recovered={who: points for who, points in left.items() if points})
        sheet = find(state, self.who).sheet
        for pool, points in self.points.items():
            sheet = POINTS[pool].put(sheet, POINTS[pool].of(sheet) + points)
        return state.with_sheet(self.who, sheet)


@RESTS.command("spread", may=GAME_MASTER_OR_OWNER, actor="who")
class Spread(Command):
    """Put points from a short rest into depleted pools."""

    who: Annotated[CharacterId, Doc("who has rested")]
    points: Annotated[Mapping[str, Annotated[int, Ge(1), Le(99)]], Doc("points by pool")] = field(default_factory=dict)

    def does(self, call: Call) -> list[PointsSpread]:
        """SP+03: as the player likes, over pools that are not full."""
        who, left = find(call.state, self.who), call.state.game.recovered.get(self.who, 0)
        shares = {}
        for name, points in self.points.items():
            pool = pool_called(name)
            if pool is None:
                raise Refusal(f"There is no pool {name[:20]!r}; there are {', '.join(Pool)}.", code="no_pool")
            shares[pool] = points
        wanted = sum(shares.values())
        if not 0 < wanted <= left:
            raise Refusal(f"{who.name} has {left} points to spread, not {wanted}.", code="not_held")
        for pool, points in shares.items():
            room = POINTS[pool].room(who)
            if points > room:
                raise Refusal(f"{who.name}'s {pool} has room for {room}, not {points}.", code="full")
        return [PointsSpread(who=self.who, points=shares)]


# ---------------------------------------------------------------- on the table


@RESTS.due
def rests_due(state: State, teller: Teller) -> Iterator[str]:
    """SP+03: a short rest is rolled for, and its points are spread."""
    for who in state.game.resting:
        yield f"{teller.name(who)} has rested and not rolled for it (recover)."
    for who, points in state.game.recovered.items():
        yield f"{teller.name(who)} has {points} points to spread (spread)."


@RESTS.board
def points_to_spread(state: State) -> Sequence[Piece]:
    named = {who: character.name for who, character in state.characters.items()}
    rows = tuple((named.get(who, ""), f"{points} points to spread") for who, points in state.game.recovered.items())
    return [Choices("Recovered", rows)] if rows else []
