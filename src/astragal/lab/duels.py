"""Duels: who wins a fight of two, or of parties, how long it takes and what is left, by policies or best play.

A fight is solved if its states fit a budget. Otherwise it is played out, with a margin of error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor, log10, sqrt
from typing import Any, Literal, NamedTuple

import numpy as np

from astragal.chance import drawings
from astragal.lab.solving import MOST_STATES, Fight, Lefts, Play, Plays, Sides, Solved
from astragal.lab.spending import Spending, SpendingCount, chart, sentences
from astragal.lab.turns import Decisions
from astragal.table.authoring.duels import Duel
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Value, parts_of
from astragal.table.refusals import NoSuchThing

__all__ = ["DuelResult", "First", "Play", "Remains", "duel", "duel_of", "solve"]

# ---------------------------------------------------------------- the result of a fight


First = Literal["one", "two", "either"]
"""The side that acts first; "either" is one or the other with equal chance."""
MOST_TURNS = 2_000
"""Turns after which a fight that is played out is broken off, and counts as half won."""


class Remains(Value):
    """One number that the winner has left; of a party, the sum."""

    name: str
    mean: float
    chances: Mapping[int, float]


class DuelResult(Value):
    """Result of a fight, solved or played out: plain numbers and words, which any surface can show."""

    game: str
    sides: tuple[tuple[Mapping[str, Any], ...], tuple[Mapping[str, Any], ...]]
    play: tuple[str, str]
    first: str
    method: Literal["exact", "solved", "simulated"]
    """Solved in fractions; solved in floating point, within the bound; or played out `runs` times."""
    runs: int
    wins: float
    """Chance that the first side wins."""
    loses: float
    fraction: str | None
    """The same as an exact fraction, if it was calculated in fractions."""
    within: float
    """Largest error of the chance; if played out, half of the 95% confidence interval."""
    standing: tuple[float, ...]
    """Chance of each fighter to be standing at the end, those of the first side first."""
    rounds: float
    """Average number of rounds; in a round every fighter acts once."""
    by_round: tuple[float, ...]
    """Chance that it ends in the first round, in the second …"""
    left_if_won: tuple[Remains, ...]
    left_if_lost: tuple[Remains, ...]
    spending: tuple[Spending, ...]
    """Spending of the first side in best play; empty if it follows a fixed policy."""
    about: str

    @property
    def sentence(self) -> str:
        """Who wins how often, how exactly that is known, and how long it takes."""
        if self.method == "exact":
            precision = "exactly"
        elif self.method == "solved":
            precision = f"right to {floor(-log10(self.within or 1))} digits"
        else:
            policies = " and ".join(dict.fromkeys(self.play))
            precision = f"± {self.within:.2%}, played {self.runs:,} times, both {policies}"
        result = f"wins {self.wins:.2%} ({precision}), in {self.rounds:.1f} rounds on average."
        if len(self.standing) == 2:
            return f"The first {result}"
        standing = ", ".join(f"{chance:.0%}" for chance in self.standing)
        return f"The first side {result} Standing at the end: {standing}."

    @property
    def policy(self) -> tuple[str, ...]:
        """Best play of the first side, in sentences."""
        return tuple(sentences(self.spending, self.left_if_won[-1].name))

    @property
    def charts(self) -> dict[str, drawings.Drawing]:
        """Charts of when the first side spends, attacking and defending, where there is something to decide."""
        name = self.left_if_won[-1].name
        chart_by_kind = {"attack": chart(self.spending, True, name), "defence": chart(self.spending, False, name)}
        return {kind: drawing for kind, drawing in chart_by_kind.items() if drawing is not None}


# ---------------------------------------------------------------- fighting


def duel_of(game: Ruleset) -> Duel:
    if game.duel is None:
        raise NoSuchThing(f"{game.name} does not say how two sides fight.")
    return game.duel


def solve(declared: Duel, options: Any, sides: Sides, plays: Plays, *, exact: bool | None = None) -> Solved:
    """Solve a fight: in fractions if that is asked for, or if there are few states."""
    return Solved(Fight(declared, options, sides, plays), exact=exact)


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

    `one` and `two` are values of the game's `duel.fighter`, or lists of them. In a party, everyone acts in turn and
    strikes the opponent who has least left. The fight is solved in fractions if that is asked for or if there are few
    states, otherwise in floating point, with a bound. A fight of more than `most_states` is played out `runs` times.
    Best play can't be played out, and is replaced by greedy play.
    """
    declared = duel_of(game)
    rules = game.options() if options is None else options
    sides: Sides = (_fighters(one), _fighters(two))
    plays = play if isinstance(play, tuple) else (play, play)
    fight = Fight(declared, rules, sides, plays)
    if fight.states <= most_states:
        result = _solved(fight, first, exact=exact, most_states=most_states)
    else:
        plays = (_without_looking_ahead(plays[0]), _without_looking_ahead(plays[1]))
        result = _simulated(Fight(declared, rules, sides, plays), first, runs, seed)

    number_of_fighters = len(fight.side)
    standing = []
    for fighter in range(number_of_fighters):
        standing.append(float(sum(end.chance for end in result.ends if end.lefts[fighter][0])))
    by_turn = result.by_turn
    rounds = [by_turn[turn : turn + number_of_fighters] for turn in range(0, len(by_turn), number_of_fighters)]
    return DuelResult(
        game=game.id,
        sides=(tuple(map(parts_of, sides[0])), tuple(map(parts_of, sides[1]))),
        play=(plays[0].value, plays[1].value),
        first=first,
        method=result.method,
        runs=result.runs,
        wins=result.wins,
        loses=float(sum(end.chance for end in result.ends if not _won(fight, end.lefts))),
        fraction=result.fraction,
        within=result.within,
        standing=tuple(standing),
        rounds=sum(chance * (turn // number_of_fighters + 1) for turn, chance in enumerate(by_turn)),
        by_round=tuple(map(sum, rounds)),
        left_if_won=_remains(fight, result.ends, 0),
        left_if_lost=_remains(fight, result.ends, 1),
        spending=tuple(spending for spending in result.spending if spending.side == 0),
        about=declared.about,
    )


class End(NamedTuple):
    """One way in which a fight can end: what each fighter has left, and its chance, a fraction or a float."""

    lefts: Lefts
    chance: Any


class _Outcome(NamedTuple):
    """What solving a fight, or playing it out, tells about it. `DuelResult` says what the fields are."""

    method: Literal["exact", "solved", "simulated"]
    runs: int
    wins: float
    fraction: str | None
    within: float
    ends: Sequence[End]
    by_turn: Sequence[float]
    """Chance that it ends with the first turn, with the second …"""
    spending: Sequence[Spending]


def _fighters(side: Any) -> list[Any]:
    return list(side) if isinstance(side, Sequence) else [side]


def _without_looking_ahead(play: Play) -> Play:
    return Play.GREEDY if play is Play.BEST else play


def _begin_shares(first: First) -> tuple[Fraction, Fraction]:
    """Return the chances that the first side begins, and that the second does."""
    if first == "either":
        return Fraction(1, 2), Fraction(1, 2)
    return (Fraction(1), Fraction(0)) if first == "one" else (Fraction(0), Fraction(1))


def _solved(fight: Fight, first: First, *, exact: bool | None, most_states: int) -> _Outcome:
    solved = Solved(fight, exact=exact, most_states=most_states)
    shares: tuple[Any, Any] = _begin_shares(first)
    if not solved.exact:
        shares = (float(shares[0]), float(shares[1]))
    count = SpendingCount(fight)
    flow = solved.flow(shares, count.count if fight.plays[0] is Play.BEST else None)
    value = sum(share * solved.value(acts) for acts, share in zip(fight.first, shares, strict=True))
    return _Outcome(
        method="exact" if solved.exact else "solved",
        runs=0,
        wins=float(value),
        fraction=str(value) if solved.exact else None,
        within=solved.bound,
        ends=[End(lefts, chance) for lefts, chance in flow.ends()],
        by_turn=flow.ends_by_turn(),
        spending=count.found(),
    )


def _simulated(fight: Fight, first: First, runs: int, seed: int) -> _Outcome:
    ends, by_turn = _played(fight, float(_begin_shares(first)[0]), runs, seed)
    wins = sum(end.chance * _won(fight, end.lefts) for end in ends)
    variance = max(wins * (1 - wins), 1 / runs)
    return _Outcome(
        method="simulated",
        runs=runs,
        wins=wins,
        fraction=None,
        within=1.96 * sqrt(variance / runs),
        ends=ends,
        by_turn=by_turn,
        spending=(),
    )


def _won(fight: Fight, lefts: Lefts) -> float:
    """Return 1 if only the first side stands, 0.5 if both do, else 0."""
    sides_standing = {side for side, left in zip(fight.side, lefts, strict=True) if left[0]}
    if len(sides_standing) == 2:
        return 0.5
    return float(0 in sides_standing)


def _remains(fight: Fight, ends: Iterable[End], side: int) -> tuple[Remains, ...]:
    """Return what a side has left if it wins."""
    won = []
    for end in ends:
        if _won(fight, end.lefts) == 1 - side:
            mine = [left for left, its_side in zip(end.lefts, fight.side, strict=True) if its_side == side]
            won.append((np.sum(mine, axis=0), float(end.chance)))
    total = sum(chance for _, chance in won) or 1.0
    remains = []
    for number, name in enumerate(fight.duel.names):
        chances: dict[int, float] = {}
        for left, chance in won:
            amount = int(left[number])
            chances[amount] = chances.get(amount, 0.0) + chance / total
        mean = sum(amount * chance for amount, chance in chances.items())
        remains.append(Remains(name=name, mean=mean, chances=dict(sorted(chances.items()))))
    return tuple(remains)


def _played(fight: Fight, first_begins: float, runs: int, seed: int) -> tuple[list[End], list[float]]:
    """Play a fight `runs` times by fixed policies, all runs side by side: those in the same state draw together.

    Returns the ends, and the chances that it ends with the first turn, with the second …
    """
    dice = np.random.default_rng(seed)
    ends = Counter[Lefts]()
    ended_by_turn = np.zeros(MOST_TURNS)
    runs_of_first = round(runs * first_begins)
    for beginner, count in zip(fight.first, (runs_of_first, runs - runs_of_first), strict=True):
        going: dict[Lefts, int] = {fight.start: count} if count else {}
        for turn in range(MOST_TURNS):
            acts = (beginner + turn) % len(fight.side)
            going_on = Counter[Lefts]()
            for lefts, number in _after_turn(fight, acts, going, dice):
                if _won(fight, lefts) == 0.5:
                    going_on[lefts] += number
                else:
                    ends[lefts] += number
                    ended_by_turn[turn] += number
            going = going_on
            if not going:
                break
        ends.update(going)  # broken off
    shares = [End(lefts, number / runs) for lefts, number in ends.items()]
    return shares, np.trim_zeros(ended_by_turn / runs, "b").tolist()


def _after_turn(
    fight: Fight, acts: int, going: Mapping[Lefts, int], dice: np.random.Generator
) -> Iterator[tuple[Lefts, int]]:
    """Let one fighter act in every run. Yield what is left then, and in how many runs."""
    for lefts, number in going.items():
        target = fight.target(acts, lefts)
        if target is None:  # down
            yield lefts, number
            continue
        turn = fight.turn(acts, target, lefts)
        (layer,) = turn.layers  # nobody decides anything, so it is one draw
        if isinstance(layer, Decisions):
            raise TypeError("A fight is played out by fixed policies, which leave no decisions open.")
        chances = layer.weights[0] / layer.weights[0].sum()
        drawn_numbers = dice.multinomial(number, chances).tolist()
        for effect, drawn_number in zip(turn.effects, drawn_numbers, strict=True):
            if drawn_number:
                yield fight.after(acts, target, lefts, effect), drawn_number
