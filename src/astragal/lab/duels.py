"""Duels: who wins a fight of two, how long it takes and what is left, under fixed policies or best play."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from astragal.table.authoring.duels import Duel
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.values import Value, parts_of
from astragal.table.refusals import NoSuchThing

from .policies import Spending, SpendingCount, chart, sentences
from .solving import FEW_STATES, MOST_STATES, Fight, Flow, Play, Solved

__all__ = ["DuelResult", "First", "Play", "Remains", "duel", "duel_of", "solve"]

First = Literal["one", "two", "either"]
"""Who acts first; "either" is as likely the one as the other."""


class Remains(Value):
    """What the winner has left of one number."""

    name: str
    mean: float
    chances: Mapping[int, float]


class DuelResult(Value):
    """A duel, solved: plain numbers and words, which any surface can show."""

    game: str
    one: Mapping[str, Any]
    two: Mapping[str, Any]
    play: tuple[str, str]
    first: str
    method: Literal["exact", "solved", "simulated"]
    """In fractions; in floating point, within the bound; or played so many times."""
    wins: float
    """Chance that the first wins."""
    loses: float
    fraction: str | None
    """The same as an exact fraction, where it was calculated so."""
    within: float
    """How far the chance can be off."""
    rounds: float
    """Rounds that it takes on average; in a round both act once."""
    by_round: tuple[float, ...]
    """Chance that it ends in the first round, in the second …"""
    left_if_won: tuple[Remains, ...]
    left_if_lost: tuple[Remains, ...]
    policy: tuple[str, ...]
    """How the first side plays best, in sentences; none where it follows a fixed policy."""
    charts: Mapping[str, str]
    """When to spend, as SVG: "attack" and "defence", where there is something to decide."""
    about: str

    @property
    def sentence(self) -> str:
        exactly = {"exact": "exactly", "solved": f"within {self.within:.0e}", "simulated": f"± {self.within:.2%}"}
        return f"The first wins {self.wins:.2%} ({exactly[self.method]}), in {self.rounds:.1f} rounds on average."


def duel_of(game: Ruleset) -> Duel:
    if game.duel is None:
        raise NoSuchThing(f"{game.name} does not say how two sides fight.")
    return game.duel


def duel(
    game: Ruleset,
    one: Any,
    two: Any,
    *,
    play: Play | tuple[Play, Play] = Play.BEST,
    first: First = "either",
    options: Any = None,
    exact: bool | None = None,
    most_states: int = MOST_STATES,
) -> DuelResult:
    """Let two fighters of a game fight to the end.

    `one` and `two` are values of the game's `duel.fighter`. It is solved in fractions where that is asked for, or where
    there are few states; otherwise in floating point, with a bound. More than `most_states` are refused: a page that
    has to answer at once asks for fewer.
    """
    declared, plays = duel_of(game), play if isinstance(play, tuple) else (play, play)
    solved = solve(
        declared,
        game.options() if options is None else options,
        (one, two),
        plays,
        exact=exact,
        most_states=most_states,
    )
    half: Any = Fraction(1, 2) if solved.exact else 0.5
    begin: tuple[Any, Any] = {"one": (1, 0), "two": (0, 1), "either": (half, half)}[first]
    spending = SpendingCount(solved.fight)
    flow = solved.flow(begin, spending.count if plays[0] is Play.BEST else None)
    wins = sum(share * solved.value(acts) for acts, share in enumerate(begin))
    found = spending.found()
    by_turn = flow.ends_by_turn()
    return DuelResult(
        game=game.id,
        one=parts_of(one),
        two=parts_of(two),
        play=(plays[0].value, plays[1].value),
        first=first,
        method="exact" if solved.exact else "solved",
        wins=float(wins),
        loses=float(sum(chance for left, chance in flow.ends() if not left[0][0])),
        fraction=str(wins) if solved.exact else None,
        within=solved.bound,
        rounds=sum(chance * (turn // 2 + 1) for turn, chance in enumerate(by_turn)),
        by_round=tuple(sum(by_turn[turn : turn + 2]) for turn in range(0, len(by_turn), 2)),
        left_if_won=remains(declared, flow, 0),
        left_if_lost=remains(declared, flow, 1),
        policy=tuple(sentences(found, 0, declared.names[-1])) if plays[0] is Play.BEST else (),
        charts=_charts(found, declared) if plays[0] is Play.BEST else {},
        about=declared.about,
    )


def solve(
    declared: Duel,
    options: Any,
    sides: tuple[Any, Any],
    plays: tuple[Play, Play],
    *,
    exact: bool | None = None,
    most_states: int = MOST_STATES,
) -> Solved:
    """Solve a fight: in fractions where that is asked for, or where there are few states."""
    fight = Fight(declared, options, sides, plays, most_states)
    return Solved(fight, exact=fight.count <= FEW_STATES if exact is None else exact)


def remains(declared: Duel, flow: Flow, side: int) -> tuple[Remains, ...]:
    """What a side has left where it wins."""
    won = [(left[side], float(chance)) for left, chance in flow.ends() if left[side][0]]
    total = sum(chance for _, chance in won) or 1.0
    found = []
    for number, name in enumerate(declared.names):
        chances: dict[int, float] = {}
        for left, chance in won:
            chances[left[number]] = chances.get(left[number], 0.0) + chance / total
        mean = sum(now * chance for now, chance in chances.items())
        found.append(Remains(name=name, mean=mean, chances=dict(sorted(chances.items()))))
    return tuple(found)


def _charts(found: list[Spending], declared: Duel) -> dict[str, str]:
    drawn = {"attack": chart(found, 0, True, declared.names[-1]), "defence": chart(found, 0, False, declared.names[-1])}
    from astragal.chance.drawings import svg

    return {name: svg(drawing) for name, drawing in drawn.items() if drawing is not None}
