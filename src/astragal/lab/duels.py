"""Duels: who wins a fight of two, or of parties, how long it takes and what is left, by policies or best play.

A fight is solved if its states fit a budget. Otherwise it is played out, with a margin of error.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor, log10, sqrt
from typing import Any, Literal

import numpy as np

from astragal.chance import charts, drawings
from astragal.lab.solving import MOST_STATES, Fight, Lefts, Play, Played, Plays, Sides, Solved
from astragal.lab.turns import Array, Decisions, Turn
from astragal.table.authoring.duels import Duel
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Value, parts_of
from astragal.table.refusals import NoSuchThing

__all__ = ["DuelResult", "First", "Play", "Remains", "duel", "duel_of", "solve"]

# ---------------------------------------------------------------- when to spend, and how far down

MOSTLY = 0.5
SELDOM = 0.02


class Spending(Value):
    """Spending of one side in one kind of case: by what it holds and by what the cheapest change costs."""

    side: int
    acting: bool
    decisive: bool
    """True if it would end the fight: a blow that fells, or one that would fell the side that decides."""
    held: int
    price: int
    asked: float
    """Number of times that this comes up in a fight."""
    taken: float
    """Share of these cases in which something is spent."""
    keeps: int
    """Average left after such a spend."""


class SpendingCount:
    """Counts the decisions that a fight meets, turn by turn."""

    def __init__(self, fight: Fight) -> None:
        self._fight, self._most = fight, max(sum(left[1:]) for left in fight.start) + 1
        self._counted = np.zeros((3, 2, 2, 2, self._most, self._most))
        """Asked, taken and paid, by side, whether it acts, whether it is decisive, what is held, and the price."""
        self._known: dict[int, tuple[Array, list[Array]]] = {}

    def count(self, played: Played) -> None:
        acts, target, turn, places, nodes, reached = played
        fight, most = self._fight, self._most
        harm, costs = self._ends(turn)
        health = fight.health[target, places]
        start = len(turn.effects)
        for layer in turn.layers:
            rows = slice(start, start + layer.count)
            start += layer.count
            if not isinstance(layer, Decisions):
                continue
            who = acts if layer.attacker else target
            side = fight.side[who]
            held = fight.left[who * fight.width + 1 : (who + 1) * fight.width, places].sum(axis=0)
            known = costs[0 if layer.attacker else 1]
            least = known[layer.options].min(axis=1, keepdims=True)
            cost = known[layer.options] - least
            # The least that has to be spent for a blow to do more; else the least that can be spent.
            does = harm[layer.options]
            unspent = np.take_along_axis(does, np.argmin(cost, axis=1)[:, None], axis=1)
            deeper = np.where((cost > 0) & (does > unspent), cost, most).min(axis=1)
            price = np.where(deeper < most, deeper, np.where(cost > 0, cost, most).min(axis=1))
            paid = known[layer.chosen(nodes)[1]] - least
            fells = does.max(axis=1)[:, None] >= health
            weight = np.where(price[:, None] <= held, reached[rows], 0)
            here = (side, int(layer.attacker), fells.astype(int), held[None, :], np.minimum(price, most - 1)[:, None])
            for number, amount in enumerate((weight, weight * (paid > 0), weight * paid)):
                np.add.at(self._counted[number], here, amount)

    def _ends(self, turn: Turn) -> tuple[Array, list[Array]]:
        """Return the most harm that each node of a turn can still come to, and the least that each side pays."""
        if id(turn) not in self._known:
            harm = turn.furthest([one.theirs[0] for one in turn.effects], np.max)
            costs = [turn.furthest([sum(one[number][1:]) for one in turn.effects], np.min) for number in (0, 1)]
            self._known[id(turn)] = harm, costs
        return self._known[id(turn)]

    def found(self) -> list[Spending]:
        """Return every kind of decision that was met, of both sides."""
        asked, taken, paid = self._counted
        return [
            Spending(
                side=side,
                acting=bool(acting),
                decisive=bool(decisive),
                held=held,
                price=price,
                asked=asked[where],
                taken=taken[where] / asked[where],
                keeps=held - round(paid[where] / taken[where]) if taken[where] else held,
            )
            for where in zip(*(axis.tolist() for axis in np.nonzero(asked)), strict=True)
            for side, acting, decisive, held, price in (where,)
        ]


def sentences(found: Sequence[Spending], name: str) -> Iterator[str]:
    """Describe the policy of a side in sentences: what it spends on, and how much it keeps."""
    cases = {
        (True, True): "Attacking, where the blow can end the fight",
        (True, False): "Attacking, where it can't",
        (False, True): "Defending, where the blow would end it",
        (False, False): "Defending, where it would not",
    }
    for case, words in cases.items():
        mine = [one for one in found if (one.acting, one.decisive) == case]
        asked = sum(one.asked for one in mine)
        if not asked:
            continue
        taken = sum(one.asked * one.taken for one in mine) / asked
        usual = [one for one in mine if one.taken >= MOSTLY]
        if taken < SELDOM or not usual:
            rare = "never" if taken < SELDOM else f"seldom ({taken:.0%})"
            yield f"{words}: spend {rare}."
            continue
        dearest, least = max(one.price for one in usual), min(one.keeps for one in usual)
        down = f"down to {least}" if least else "to the last"
        much = sum(one.asked * one.taken * (one.held - one.keeps) for one in mine) / (taken * asked)
        limit = f"where it takes {dearest} or less" if dearest > 1 else f"about {much:.1f} at a time"
        yield f"{words}: spend {name} {down}, {limit} ({taken:.0%} of the time)."


def chart(found: Sequence[Spending], acting: bool, name: str) -> drawings.Drawing | None:
    """Draw a heat map of when to spend: what is held across, what it takes down. Unmet cases have no cell."""
    cells: dict[tuple[int, int], list[Spending]] = {}
    for one in found:
        if one.acting == acting:
            cells.setdefault((one.price, one.held), []).append(one)
    if not cells:
        return None
    shares = {}
    for cell, some in cells.items():
        often = sum(one.asked * one.taken for one in some) / sum(one.asked for one in some)
        shares[cell] = Fraction(often).limit_denominator(1000)
    prices, held = (sorted(set(numbers)) for numbers in zip(*cells, strict=True))
    title = f"When to spend {name} to {'hit' if acting else 'hold'}"
    return charts.heat_map((f"{name} held", held), ("it takes", prices), shares, title, are_chances=True)


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
        """Best play of the first side, in sentences."""
        return tuple(sentences(self.spending, self.left_if_won[-1].name))

    @property
    def charts(self) -> dict[str, drawings.Drawing]:
        """Charts of when the first side spends, attacking and defending, where there is something to decide."""
        name = self.left_if_won[-1].name
        drawn = {"attack": chart(self.spending, True, name), "defence": chart(self.spending, False, name)}
        return {kind: drawing for kind, drawing in drawn.items() if drawing is not None}


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
    declared, plays = duel_of(game), play if isinstance(play, tuple) else (play, play)
    sides: Sides = tuple(list(side) if isinstance(side, Sequence) else [side] for side in (one, two))  # type: ignore[assignment]
    rules = game.options() if options is None else options
    shares = {"one": (1, 0), "two": (0, 1), "either": (Fraction(1, 2), Fraction(1, 2))}[first]
    fight, spending, fraction = Fight(declared, rules, sides, plays), list[Spending](), None
    if fight.states <= most_states:
        solved = Solved(fight, exact=exact, most_states=most_states)
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
    """Return 1 if only the first side stands, 0.5 if both do, else 0."""
    first, second = (any(left[0] for left, mine in zip(lefts, fight.side, strict=True) if mine == it) for it in (0, 1))
    return 0.5 if first and second else float(first)


def _remains(fight: Fight, ends: Iterable[tuple[Lefts, Any]], side: int) -> tuple[Remains, ...]:
    """Return what a side has left if it wins."""
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
    """Play a fight `runs` times by fixed policies, all runs side by side: those in the same state draw together."""
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
                struck = fight.turn(acts, target, lefts)  # nobody decides anything, so it is one draw
                (layer,) = struck.layers
                chances = layer.weights[0] / layer.weights[0].sum()  # type: ignore[union-attr]
                for effect, hits in zip(struck.effects, dice.multinomial(many, chances).tolist(), strict=True):
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
