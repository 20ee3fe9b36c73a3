"""Worth of each number, weapon, armour, house rule and skin in a fight, by exact knock-out; and builds compared.

A knock-out changes one thing, and solves the fights again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from enum import Enum
from typing import Any

import numpy as np

from astragal.table.authoring import duels, point_buy
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Value, parts_of, replace
from astragal.table.fields import definitions, shapes, validation
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.visibility.redact import plain

from .duels import duel_of, solve
from .solving import Play
from .turns import Array

Tell = Callable[[int], None]
EVEN = 1e-9
"""Chances that differ by less count as the same."""


class Change(Value):
    """One changed thing, and its effect on the chance to win."""

    name: str
    before: str
    after: str
    changes: float
    """Difference of the chances to win, as a share of 1."""


class Worth(Value):
    """Marginal values of a fighter's numbers, and of the table's options and skins, against foes; the largest first."""

    game: str
    fighter: Mapping[str, Any]
    foes: tuple[str, ...]
    wins: float
    numbers: tuple[Change, ...]
    rules: tuple[Change, ...]
    """Only those that change something."""
    skins: tuple[Change, ...]
    """Only those that change something."""


def worth(
    game: Ruleset,
    fighter: Any,
    foes: Mapping[str, Any] | None = None,
    *,
    play: Play = Play.BEST,
    options: Any = None,
) -> Worth:
    """Change one number of a fighter, one rule, or the skin, and solve the fights again; averaged over the foes."""
    declared, options = duel_of(game), game.options() if options is None else options
    against = declared.foes if foes is None else foes
    base = mean_wins(declared, options, fighter, list(against.values()), play)

    def knocks(changed: Iterable[tuple[str, Any, Any, Any, Any]]) -> tuple[Change, ...]:
        found = []
        for name, before, after, one, rules in changed:
            with suppress(Refusal):  # leave out what can't fight at all
                changes = mean_wins(declared, rules, one, list(against.values()), play) - base
                found.append(Change(name=name, before=_plain(before), after=_plain(after), changes=changes))
        return tuple(sorted(found, key=lambda one: -one.changes))

    rules = knocks((name, now, other, fighter, it) for name, now, other, it in variants(options, numbers=False))
    usual, wardrobe = plain(options), game.skins
    worn = {name: wardrobe.wear(text).options for name, text in wardrobe.shipped().items()} if wardrobe else {}
    skins = knocks(
        ("skin", "none", name, fighter, validation.read(game.options, {**usual, **it})) for name, it in worn.items()
    )
    return Worth(
        game=game.id,
        fighter=parts_of(fighter),
        foes=tuple(against),
        wins=base,
        numbers=knocks((name, now, other, it, options) for name, now, other, it in variants(fighter)),
        rules=tuple(one for one in rules if abs(one.changes) > EVEN),
        skins=tuple(one for one in skins if abs(one.changes) > EVEN),
    )


def mean_wins(declared: duels.Duel, options: Any, one: Any, foes: Sequence[Any], play: Play) -> float:
    """Calculate the average chance to win, over foes and over who acts first."""
    found = []
    for foe in foes:
        solved = solve(declared, options, ([one], [foe]), (play, play), exact=False)
        found += [solved.value(0), solved.value(1)]
    return float(np.mean(found))


def variants(value: Any, *, numbers: bool = True) -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield the value with one field changed: a number by one, a choice or a switch to each other setting."""
    for field in definitions.fields_of(type(value)):
        now = getattr(value, field.name)
        for other in _others(shapes.said(field.shape), now, numbers=numbers):
            try:
                yield field.name, now, other, replace(value, **{field.name: other})
            except (ValueError, Refusal):
                continue


def _others(shape: Any, now: Any, *, numbers: bool) -> list[Any]:
    match shape:
        case shapes.FlagShape():
            return [not now]
        case shapes.ChoiceShape(values=values):
            return [one for one in (type(now) if isinstance(now, Enum) else values) if one != now]
        case shapes.NumberShape(least=least, most=most) if numbers and isinstance(now, int):
            near = (now - 1, now + 1)
            return [one for one in near if (least is None or one >= least) and (most is None or one <= most)]
    return []


def _plain(value: Any) -> str:
    return str(getattr(value, "value", value))


# ---------------------------------------------------------------- builds


class BuildClass(Value):
    """Builds that are the same in a fight: one of them, their number, and their chances against each foe."""

    build: Mapping[str, int]
    count: int
    wins: tuple[float, ...]
    beaten_by: int | None = None
    """Index of a class that wins at least as often against every foe, and more often against some."""


class Builds(Value):
    """Every legal build of a budget, grouped into classes that fights can tell apart."""

    game: str
    foes: tuple[str, ...]
    builds: int
    wasteful: int
    """Number of builds that leave points for a raise, so that another build is at least as good at everything."""
    classes: tuple[BuildClass, ...]

    @property
    def unbeaten(self) -> list[BuildClass]:
        """Classes that no other beats everywhere, the best on average first."""
        free = [one for one in self.classes if one.beaten_by is None]
        return sorted(free, key=lambda one: -sum(one.wins))


def legal_builds(declared: duels.Duel, options: Any) -> tuple[point_buy.Budget, Array]:
    """Return the budget, and every legal build as a row of numbers."""
    budgets = declared.points(options).budgets if declared.points and declared.build else ()
    if len(budgets) != 1:
        raise NoSuchThing("Heroes of this game are not bought with points of one budget that a fight tells apart.")
    ranges = [np.arange(number.least, number.most + 1) for number in budgets[0].numbers]
    numbers = zip(budgets[0].numbers, ranges, strict=True)
    total: Array = sum(np.ix_(*(np.array([number.cost(int(it)) for it in values]) for number, values in numbers)))
    low, high = budgets[0].limits
    places = np.nonzero((total >= low) & (total <= high))
    return budgets[0], np.stack([values[place] for values, place in zip(ranges, places, strict=True)], axis=1)


def compare_builds(
    game: Ruleset,
    *,
    options: Any = None,
    play: Play = Play.BEST,
    executor: Executor | None = None,
    tell: Tell = lambda done: None,
) -> Builds:
    """Compare every legal build of the budget against the usual foes, and find those that another beats everywhere."""
    declared, options = duel_of(game), game.options() if options is None else options
    budget, rows = legal_builds(declared, options)
    known: dict[Any, list[Any]] = {}
    for row in rows.tolist():
        numbers = {number.key: value for number, value in zip(budget.numbers, row, strict=True)}
        found = known.setdefault(declared.build(numbers, options) if declared.build else None, [numbers, 0])
        found[1] += 1
    wins = _wins_of(list(known), (declared, options, play), executor, tell)
    chances = np.array([wins[fighter] for fighter in known])
    classes = [
        BuildClass(build=numbers, count=count, wins=tuple(wins[fighter]), beaten_by=_beaten_by(chances, place))
        for place, (fighter, (numbers, count)) in enumerate(known.items())
    ]
    return Builds(
        game=game.id,
        foes=tuple(declared.foes),
        builds=len(rows),
        wasteful=_wasteful(budget, rows),
        classes=tuple(classes),
    )


def _wasteful(budget: point_buy.Budget, rows: Array) -> int:
    """Count the builds in which some number could be raised for the points that are left."""
    spent, cheapest = np.zeros(len(rows)), np.full(len(rows), np.inf)
    for number, values in zip(budget.numbers, rows.T, strict=True):
        price = np.array([*(number.cost(value) for value in range(number.least, number.most + 1)), np.inf])
        spent += price[values - number.least]
        cheapest = np.minimum(cheapest, np.diff(price)[values - number.least])
    return int((spent + cheapest <= budget.limits[1]).sum())


def _beaten_by(chances: Array, place: int) -> int | None:
    more = chances - chances[place]
    better = np.flatnonzero((more >= -EVEN).all(axis=1) & (more > EVEN).any(axis=1))
    return int(better[np.argmax(more[better].sum(axis=1))]) if len(better) else None


def _wins_of(
    fighters: Sequence[Any], fight: tuple[duels.Duel, Any, Play], executor: Executor | None, tell: Tell
) -> dict[Any, list[float]]:
    """Calculate the chances of each fighter against each foe. Those who differ only in what is left share one fight."""
    declared = fight[0]
    groups: dict[Any, list[Any]] = {}
    for fighter in fighters:
        groups.setdefault(replace(fighter, **dict.fromkeys(declared.fields, 1)), []).append(fighter)
    jobs = [(*fight, members, foe) for members in groups.values() for foe in declared.foes.values()]
    found: dict[Any, list[float]] = {fighter: [] for fighter in fighters}
    answers = executor.map(_solve_job, jobs) if executor else map(_solve_job, jobs)
    for done, ((*_, members, _), chances) in enumerate(zip(jobs, answers, strict=True)):
        tell(done)
        for fighter, chance in zip(members, chances, strict=True):
            found[fighter].append(chance)
    return found


def _solve_job(job: tuple[duels.Duel, Any, Play, list[Any], Any]) -> list[float]:
    """Calculate the chances of some fighters against a foe: one fight, of a fighter with the most of everything.

    It has the fights of all of them in it.
    """
    declared, options, play, members, foe = job
    fullest = {name: max(getattr(one, name) for one in members) for name in declared.fields}
    solved = solve(declared, options, ([replace(members[0], **fullest)], [foe]), (play, play), exact=False)
    states = [(declared.left(one), declared.left(foe)) for one in members]
    return [float(solved.value(0, lefts) + solved.value(1, lefts)) / 2 for lefts in states]
