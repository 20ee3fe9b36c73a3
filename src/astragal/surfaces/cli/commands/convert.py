"""`astragal convert`: convert numbers of one game into those of others that give nearly the same chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Annotated, Any

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import AsJson, Parameter

if TYPE_CHECKING:
    from astragal.lab.conversions import Point
    from astragal.table.authoring.ruleset import Measure, Ruleset

MOST_ROWS = 200
Numbers = dict[str, int]


def convert(
    game: Annotated[str, Parameter("The game to convert from.")],
    *numbers: Annotated[str, Parameter("NAME=NUMBER, such as score=12.", "NUMBER")],
    to: Annotated[tuple[str, ...], Parameter("A game to convert to; can be repeated; default: all others.")] = (),
    held: Annotated[
        tuple[str, ...],
        Parameter("GAME.NAME=NUMBER: a number to keep fixed there; the rest is found.", "--with"),
    ] = (),
    most: Annotated[int, Parameter("Show this many of the nearest, for each game.", limits=(1, 20))] = 1,
    json: AsJson = False,
    context: Context,
) -> None:
    """Convert a number of one game into those of the others that give nearly the same chance.

    astragal convert sinew_steel score=12
    astragal convert sinew_steel score=12 --with narraject.dice=5
    astragal convert six_pool dc=15 bonus=5 --to sinew_steel

    With a number of the other game fixed; and, without a number, as a table:
    astragal convert sinew_steel score=12 --with six_pool.dc=15
    astragal convert sinew_steel --with six_pool.bonus=5
    """
    from astragal.lab import conversions

    fixed_numbers = _numbers(numbers)
    paper = terminal.Output()
    origin = context.game(game)
    targets = [context.game(name) for name in to]
    if not targets:
        targets = [installed for installed in context.all_games() if installed.id != origin.id]
    measures = _with_held(targets, held)
    open_scales = [measure for measure in origin.measures if fixed_numbers.keys() < measure.ranges.keys()]
    if open_scales:
        scale = conversions.with_fixed_numbers(open_scales[0], **fixed_numbers)
        row_count = prod(map(len, scale.ranges.values()))
        if row_count > MOST_ROWS:
            open_numbers = [f"{name}=…" for name, values in scale.ranges.items() if len(values) > 1]
            raise errors.BadCall(f"That would be a table of {row_count} rows. Add {' or '.join(open_numbers)}")
        table = conversions.side_by_side(scale, [measure for measure in measures if measure.game != origin.id])
        lines = [terminal.as_text([list(table.head), *map(list, table.rows)])]
        paper.show({"head": table.head, "rows": table.rows}, lines, as_json=json)
        return
    with terminal.watched("Searching"):
        conversion = conversions.convert([*origin.measures, *measures], origin.id, fixed_numbers, most)
    nearest: list[Mapping[str, Any]] = []
    for points in conversion.nearest:
        nearest += map(_plain, points)
    paper.show({"of": _plain(conversion.origin), "nearest": nearest}, conversions.lines(conversion), as_json=json)


def _with_held(games: Sequence[Ruleset], held: Sequence[str]) -> list[Measure]:
    """The scales of the other games, with the numbers of --with fixed."""
    from astragal.lab.conversions import with_fixed_numbers

    numbers_by_game: dict[str, Numbers] = {}
    for text in held:
        game, dot, number = text.partition(".")
        ids = [ruleset.id for ruleset in games]
        if not dot or game not in ids:
            listed = ", ".join(ids)
            raise errors.BadCall(f"--with takes GAME.NAME=NUMBER with one of the games {listed}, not {text!r}.")
        numbers_by_game.setdefault(game, {}).update(_numbers([number]))
    scales: list[Measure] = []
    for ruleset in games:
        fixed_numbers = numbers_by_game.get(ruleset.id, {})
        scales += [with_fixed_numbers(measure, **fixed_numbers) for measure in ruleset.measures]
    return scales


def _numbers(texts: Sequence[str]) -> Numbers:
    parsed_numbers: Numbers = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            parsed_numbers[name.removeprefix("--").replace("-", "_")] = int(number)
        except ValueError:
            raise errors.BadCall(f"Write a number as NAME=NUMBER, such as score=12, not {text[:40]!r}.") from None
    return parsed_numbers


def _plain(point: Point) -> Mapping[str, Any]:
    from astragal.lab.conversions import in_words, percent

    return {
        "game": point.measure.game,
        "numbers": dict(point.values),
        "words": in_words(point),
        "exactly": str(point.chance),
        "percent": percent(point),
    }
