"""Duels: who wins a fight of two, or of parties, how long it takes and what is left, by policies or best play.

It is solved as long as the states fit a budget, and otherwise played out, with a margin of error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import floor, log10, sqrt
from typing import Any, Literal

import numpy as np

from astragal.chance.drawings import Drawing
from astragal.table.authoring.duels import Duel
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.values import Value, parts_of
from astragal.table.refusals import NoSuchThing

from .policies import Spending, SpendingCount, chart, sentences
from .solving import FEW_STATES, MOST_STATES, Fight, Lefts, Play, Plays, Sides, Solved
from .turns import Array

__all__ = ["DuelResult", "First", "Play", "Remains", "duel", "duel_of", "solve"]

First = Literal["one", "two", "either"]
"""The side that acts first; "either" is as likely the one as the other."""
MOST_TURNS = 2_000
"""A fight that is played out longer is broken off, and counts as half won."""


class Remains(Value):
    """What the winner has left of one number; of a party, all together."""

    name: str
    mean: float
    chances: Mapping[int, float]


class DuelResult(Value):
    """A fight, solved or played out: plain numbers and words, which any surface can show."""

    game: str
    sides: tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]
    play: tuple[str, str]
    first: str
    method: Literal["exact", "solved", "simulated"]
    """In fractions; in floating point, within the bound; or played so many times."""
    runs: int
    wins: float
    """Chance that the first side wins."""
    loses: float
    fraction: str | None
    """The same as an exact fraction, where it was calculated so."""
    within: float
    """How far the chance can be off; where it was played out, half of the 95% confidence interval."""
    standing: tuple[float, ...]
    """Chance of each fighter, those of the first side first, to be standing at the end."""
    rounds: float
    """Rounds that it takes on average; in a round everybody acts once."""
    by_round: tuple[float, ...]
    """Chance that it ends in the first round, in the second …"""
    left_if_won: tuple[Remains, ...]
    left_if_lost: tuple[Remains, ...]
    spending: tuple[Spending, ...]
    """When the first side spends, playing its best; nothing where it follows a fixed policy."""
    about: str

    @property
    def sentence(self) -> str:
        played = f"± {self.within:.2%}, played {self.runs:,} times, both {' and '.join(dict.fromkeys(self.play))}"
        digits = f"right to {floor(-log10(self.within or 1))} digits"
        how = {"exact": "exactly", "solved": digits, "simulated": played}[self.method]
        several = len(self.standing) > 2
        each = ", ".join(f"{chance:.0%}" for chance in self.standing)
        return (
            f"The first {'side ' * several}wins {self.wins:.2%} ({how}), in {self.rounds:.1f} rounds on average."
            + f" Standing at the end: {each}." * several
        )

    @property
    def policy(self) -> tuple[str, ...]:
        """How the first side plays best, in sentences."""
        return tuple(sentences(self.spending, self.left_if_won[-1].name))

    @property
    def charts(self) -> dict[str, Drawing]:
        """When the first side spends, attacking and defending, where there is something to decide."""
        name = self.left_if_won[-1].name
        drawn = {"attack": chart(self.spending, True, name), "defence": chart(self.spending, False, name)}
        return {kind: drawing for kind, drawing in drawn.items() if drawing is not None}


def duel_of(game: Ruleset) -> Duel:
    if game.duel is None:
        raise NoSuchThing(f"{game.name} does not say how two sides fight.")
    return game.duel


def solve(declared: Duel, options: Any, sides: Sides, plays: Plays, *, exact: bool | None = None) -> Solved:
    """Solve a fight: in fractions where that is asked for, or where there are few states."""
    fight = Fight(declared, options, sides, plays)
    return Solved(fight, exact=fight.states <= FEW_STATES if exact is None else exact)


def duel(
    game: Ruleset,
    one: Any,
    two: Any,
    *,
    play: Play | Plays = Play.BEST,
    first: First = "either",
    options: Any = None,
    exact: bool | None = None,
    most_states: int = MOST_STATES,
    runs: int = 20_000,
    seed: int = 1,
) -> DuelResult:
    """Let two sides of a game fight to the end.

    `one` and `two` are values of the game's `duel.fighter`, or lists of them. Of a party everybody acts in turn and
    strikes at whoever of the others has least left. It is solved in fractions where that is asked for, or where there
    are few states; otherwise in floating point, with a bound. A fight of more than `most_states` is played out so many
    times; best play can't be, and is greedy there.
    """
    declared, plays = duel_of(game), play if isinstance(play, tuple) else (play, play)
    sides: Sides = tuple(list(side) if isinstance(side, Sequence) else [side] for side in (one, two))  # type: ignore[assignment]
    rules = game.options() if options is None else options
    shares = {"one": (1, 0), "two": (0, 1), "either": (Fraction(1, 2), Fraction(1, 2))}[first]
    fight, spending, fraction = Fight(declared, rules, sides, plays), list[Spending](), None
    if fight.states <= most_states:
        solved = Solved(fight, exact=fight.states <= FEW_STATES if exact is None else exact, most_states=most_states)
        begin: tuple[Any, Any] = shares if solved.exact else tuple(map(float, shares))  # type: ignore[assignment]
        count = SpendingCount(fight)
        flow = solved.flow(begin, count.count if plays[0] is Play.BEST else None)
        value = sum(share * solved.value(acts) for acts, share in zip(fight.first, begin, strict=True))
        fraction, wins, within, runs = str(value) if solved.exact else None, float(value), solved.bound, 0
        ends, by_turn, spending = list(flow.ends()), flow.ends_by_turn(), count.found()
        method: Literal["exact", "solved", "simulated"] = "exact" if solved.exact else "solved"
    else:
        plays = tuple(Play.GREEDY if one is Play.BEST else one for one in plays)  # type: ignore[assignment]
        ends, by_turn = _played(Fight(declared, rules, sides, plays), tuple(map(float, shares)), runs, seed)
        wins = sum(chance * _won(fight, lefts) for lefts, chance in ends)
        within, method = 1.96 * sqrt(max(wins * (1 - wins), 1 / runs) / runs), "simulated"
    many = len(fight.side)
    return DuelResult(
        game=game.id,
        sides=tuple(tuple(map(parts_of, side)) for side in sides),  # type: ignore[arg-type]
        play=(plays[0].value, plays[1].value),
        first=first,
        method=method,
        runs=runs,
        wins=wins,
        loses=float(sum(chance for lefts, chance in ends if not _won(fight, lefts))),
        fraction=fraction,
        within=within,
        standing=tuple(float(sum(chance for lefts, chance in ends if lefts[who][0])) for who in range(many)),
        rounds=sum(chance * (turn // many + 1) for turn, chance in enumerate(by_turn)),
        by_round=tuple(sum(by_turn[turn : turn + many]) for turn in range(0, len(by_turn), many)),
        left_if_won=_remains(fight, ends, 0),
        left_if_lost=_remains(fight, ends, 1),
        spending=tuple(one for one in spending if one.side == 0),
        about=declared.about,
    )


def _won(fight: Fight, lefts: Lefts) -> float:
    """Whether the first side stands, and the other doesn't; half where both do."""
    first, second = (any(left[0] for left, mine in zip(lefts, fight.side, strict=True) if mine == it) for it in (0, 1))
    return 0.5 if first and second else float(first)


def _remains(fight: Fight, ends: Iterable[tuple[Lefts, Any]], side: int) -> tuple[Remains, ...]:
    """What a side has left where it wins."""
    won = [
        (np.sum([left for left, mine in zip(lefts, fight.side, strict=True) if mine == side], axis=0), float(chance))
        for lefts, chance in ends
        if _won(fight, lefts) == 1 - side
    ]
    total = sum(chance for _, chance in won) or 1.0
    found = []
    for number, name in enumerate(fight.duel.names):
        chances: dict[int, float] = {}
        for left, chance in won:
            chances[int(left[number])] = chances.get(int(left[number]), 0.0) + chance / total
        mean = sum(now * chance for now, chance in chances.items())
        found.append(Remains(name=name, mean=mean, chances=dict(sorted(chances.items()))))
    return tuple(found)


def _played(
    fight: Fight, shares: Sequence[float], runs: int, seed: int
) -> tuple[list[tuple[Lefts, float]], list[float]]:
    """Play a fight so many times by fixed policies, all runs side by side: those in the same state draw together."""
    dice = np.random.default_rng(seed)
    ends, ended = dict[Lefts, int](), np.zeros(MOST_TURNS)
    begun = round(runs * shares[0])
    for begin, count in zip(fight.first, (begun, runs - begun), strict=True):
        going: dict[Lefts, int] = {fight.start: count} if count else {}
        for turn in range(MOST_TURNS):
            acts, after = (begin + turn) % len(fight.side), dict[Lefts, int]()
            for lefts, many in going.items():
                target = fight.target(acts, lefts)
                if target is None:  # down
                    after[lefts] = after.get(lefts, 0) + many
                    continue
                effects, chances = _effects(fight, acts, target, lefts)
                for effect, hits in zip(effects, dice.multinomial(many, chances).tolist(), strict=True):
                    if hits:
                        lead = fight.after(acts, target, lefts, effect)
                        into = after if _won(fight, lead) == 0.5 else ends
                        into[lead] = into.get(lead, 0) + hits
                        ended[turn] += hits * (into is ends)
            going = after
            if not going:
                break
        for lefts, many in going.items():
            ends[lefts] = ends.get(lefts, 0) + many
    return [(lefts, many / runs) for lefts, many in ends.items()], np.trim_zeros(ended / runs, "b").tolist()


def _effects(fight: Fight, acts: int, target: int, lefts: Lefts) -> tuple[tuple[Any, ...], Array]:
    """What a turn in which nobody is left to decide takes, with its chances."""
    turn = fight.turn(acts, target, lefts)
    (layer,) = turn.layers
    chances = layer.weights[0]  # type: ignore[union-attr]
    return turn.effects, chances / chances.sum()
