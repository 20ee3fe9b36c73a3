"""Worth of each number, weapon, armour, house rule and skin in a fight, by exact knock-out; and builds compared.

A knock-out changes one thing, and solves the fights again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from enum import Enum
from typing import Any, NamedTuple

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
Fighter = Any
"""A value of the game's `duel.fighter`; every game has a class of its own."""
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
    fighter: Fighter,
    foes: Mapping[str, Fighter] | None = None,
    *,
    play: Play = Play.BEST,
    options: Any = None,
) -> Worth:
    """Change one number of a fighter, one rule, or the skin, and solve the fights again; averaged over the foes."""
    if options is None:
        options = game.options()
    if foes is None:
        foes = duel_of(game).foes
    knock_outs = _KnockOuts(duel_of(game), fighter, options, list(foes.values()), play)

    of_numbers = []
    for variant in variants(fighter):
        of_numbers.append(knock_outs.change(variant.name, variant.before, variant.after, fighter=variant.changed))
    of_rules = []
    for variant in variants(options, numbers=False):
        of_rules.append(knock_outs.change(variant.name, variant.before, variant.after, options=variant.changed))
    of_skins = []
    for name, skin_options in _options_of_skins(game, options):
        of_skins.append(knock_outs.change("skin", "none", name, options=skin_options))
    return Worth(
        game=game.id,
        fighter=parts_of(fighter),
        foes=tuple(foes),
        wins=knock_outs.wins,
        numbers=_largest_first(of_numbers),
        rules=_that_matter(_largest_first(of_rules)),
        skins=_that_matter(_largest_first(of_skins)),
    )


class _KnockOuts:
    """Solves the fights of one fighter against some foes with one thing changed."""

    def __init__(
        self, declared: duels.Duel, fighter: Fighter, options: Any, foes: Sequence[Fighter], play: Play
    ) -> None:
        self._declared = declared
        self._fighter = fighter
        self._options = options
        self._foes = foes
        self._play = play
        self.wins = mean_wins(declared, options, fighter, foes, play)
        """The chance to win with nothing changed."""

    def change(
        self, name: str, before: object, after: object, *, fighter: Fighter = None, options: Any = None
    ) -> Change | None:
        """Return what another fighter, or other options, change; None for what can't fight at all."""
        if fighter is None:
            fighter = self._fighter
        if options is None:
            options = self._options
        try:
            wins = mean_wins(self._declared, options, fighter, self._foes, self._play)
        except Refusal:
            return None
        return Change(name=name, before=_plain(before), after=_plain(after), changes=wins - self.wins)


def _options_of_skins(game: Ruleset, options: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name of each skin that the game comes with, and the options of a table that wears it."""
    wardrobe = game.skins
    if wardrobe is None:
        return
    plain_options = plain(options)
    for name, text in wardrobe.shipped().items():
        yield name, validation.read(game.options, {**plain_options, **wardrobe.wear(text).options})


def _largest_first(changes: Iterable[Change | None]) -> tuple[Change, ...]:
    possible_changes = [change for change in changes if change is not None]
    return tuple(sorted(possible_changes, key=lambda change: -change.changes))


def _that_matter(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple(change for change in changes if abs(change.changes) > EVEN)


def mean_wins(declared: duels.Duel, options: Any, fighter: Fighter, foes: Sequence[Fighter], play: Play) -> float:
    """Calculate the average chance to win, over foes and over who acts first."""
    chances = []
    for foe in foes:
        solved = solve(declared, options, ([fighter], [foe]), (play, play), exact=False)
        chances += [solved.value(0), solved.value(1)]
    return float(np.mean(chances))


class Variant(NamedTuple):
    """A value with one field changed."""

    name: str
    before: Any
    after: Any
    changed: Any
    """The whole value, with the field changed."""


def variants(value: Any, *, numbers: bool = True) -> Iterator[Variant]:
    """Yield the value with one field changed: a number by one, a choice or a switch to each other setting."""
    for field in definitions.fields_of(type(value)):
        before = getattr(value, field.name)
        for after in _alternatives(shapes.said(field.shape), before, numbers=numbers):
            try:
                changed = replace(value, **{field.name: after})
            except (ValueError, Refusal):
                continue
            yield Variant(field.name, before, after, changed)


def _alternatives(shape: shapes.Shape, value: Any, *, numbers: bool) -> list[Any]:
    """Return the other values that a field can have: for a number, those next to it."""
    match shape:
        case shapes.FlagShape():
            return [not value]
        case shapes.ChoiceShape(values=values):
            choices = type(value) if isinstance(value, Enum) else values
            return [choice for choice in choices if choice != value]
        case shapes.NumberShape(least=least, most=most) if numbers and isinstance(value, int):
            neighbours = (value - 1, value + 1)
            return [number for number in neighbours if _is_within(number, least, most)]
    return []


def _is_within(number: int, least: int | None, most: int | None) -> bool:
    return (least is None or number >= least) and (most is None or number <= most)


def _plain(value: object) -> str:
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
        unbeaten = [build_class for build_class in self.classes if build_class.beaten_by is None]
        return sorted(unbeaten, key=lambda build_class: -sum(build_class.wins))


def legal_builds(declared: duels.Duel, options: Any) -> tuple[point_buy.Budget, Array]:
    """Return the budget, and every legal build as a row of numbers."""
    budgets = declared.points(options).budgets if declared.points and declared.build else ()
    if len(budgets) != 1:
        raise NoSuchThing("Heroes of this game are not bought with points of one budget that a fight tells apart.")
    budget = budgets[0]
    ranges = [np.arange(number.least, number.most + 1) for number in budget.numbers]
    costs = []
    for number, values in zip(budget.numbers, ranges, strict=True):
        costs.append(np.array([number.cost(value) for value in values.tolist()]))
    total: Array = sum(np.ix_(*costs))
    low, high = budget.limits
    places = np.nonzero((total >= low) & (total <= high))
    columns = [values[place] for values, place in zip(ranges, places, strict=True)]
    return budget, np.stack(columns, axis=1)


def compare_builds(
    game: Ruleset,
    *,
    options: Any = None,
    play: Play = Play.BEST,
    executor: Executor | None = None,
    tell: Tell = lambda done: None,
) -> Builds:
    """Compare every legal build of the budget against the usual foes, and find those that another beats everywhere."""
    declared = duel_of(game)
    if options is None:
        options = game.options()
    budget, rows = legal_builds(declared, options)
    builds_by_fighter: dict[Fighter, list[dict[str, int]]] = {}
    for row in rows.tolist():
        numbers = {number.key: value for number, value in zip(budget.numbers, row, strict=True)}
        fighter = declared.build(numbers, options) if declared.build else None
        builds_by_fighter.setdefault(fighter, []).append(numbers)
    jobs = _jobs(list(builds_by_fighter), declared, options, play)
    wins = _wins_of(jobs, executor, tell)
    chances = np.array([wins[fighter] for fighter in builds_by_fighter])
    classes = []
    for place, (fighter, builds) in enumerate(builds_by_fighter.items()):
        beaten_by = _beaten_by(chances, place)
        classes.append(BuildClass(build=builds[0], count=len(builds), wins=tuple(wins[fighter]), beaten_by=beaten_by))
    return Builds(
        game=game.id,
        foes=tuple(declared.foes),
        builds=len(rows),
        wasteful=_wasteful(budget, rows),
        classes=tuple(classes),
    )


def _wasteful(budget: point_buy.Budget, rows: Array) -> int:
    """Count the builds in which some number could be raised for the points that are left."""
    spent = np.zeros(len(rows))
    cheapest_raise = np.full(len(rows), np.inf)
    for number, values in zip(budget.numbers, rows.T, strict=True):
        costs = [number.cost(value) for value in range(number.least, number.most + 1)]
        price = np.array([*costs, np.inf])  # nothing goes beyond the most
        spent += price[values - number.least]
        cheapest_raise = np.minimum(cheapest_raise, np.diff(price)[values - number.least])
    return int((spent + cheapest_raise <= budget.limits[1]).sum())


def _beaten_by(chances: Array, place: int) -> int | None:
    """Return the row of chances that beats this one everywhere, by the most in all."""
    gains = chances - chances[place]
    is_better = (gains >= -EVEN).all(axis=1) & (gains > EVEN).any(axis=1)
    better = np.flatnonzero(is_better)
    if not len(better):
        return None
    return int(better[np.argmax(gains[better].sum(axis=1))])


class _Job(NamedTuple):
    """A fight to solve, which can be sent to another process: of some fighters at once, against one foe."""

    declared: duels.Duel
    options: Any
    play: Play
    members: list[Fighter]
    """Fighters who differ only in what they have left: one fight has those of all of them in it."""
    foe: Fighter


def _jobs(fighters: Sequence[Fighter], declared: duels.Duel, options: Any, play: Play) -> list[_Job]:
    """Return the fights of all these fighters against each foe, as few as possible."""
    members_by_kind: dict[Fighter, list[Fighter]] = {}
    for fighter in fighters:
        kind = replace(fighter, **dict.fromkeys(declared.fields, 1))
        members_by_kind.setdefault(kind, []).append(fighter)
    jobs = []
    for members in members_by_kind.values():
        for foe in declared.foes.values():
            jobs.append(_Job(declared, options, play, members, foe))
    return jobs


def _wins_of(jobs: Sequence[_Job], executor: Executor | None, tell: Tell) -> dict[Fighter, list[float]]:
    """Calculate the chances of each fighter against each foe."""
    wins: dict[Fighter, list[float]] = {}
    results = executor.map(_solve_job, jobs) if executor else map(_solve_job, jobs)
    for number, (job, chances) in enumerate(zip(jobs, results, strict=True)):
        tell(number)
        for fighter, chance in zip(job.members, chances, strict=True):
            wins.setdefault(fighter, []).append(chance)
    return wins


def _solve_job(job: _Job) -> list[float]:
    """Calculate the chances of the members against the foe: one fight, of a fighter with the most of everything."""
    most = {name: max(getattr(member, name) for member in job.members) for name in job.declared.fields}
    fullest = replace(job.members[0], **most)
    solved = solve(job.declared, job.options, ([fullest], [job.foe]), (job.play, job.play), exact=False)
    chances = []
    for member in job.members:
        lefts = (job.declared.left(member), job.declared.left(job.foe))
        chances.append(float(solved.value(0, lefts) + solved.value(1, lefts)) / 2)
    return chances
