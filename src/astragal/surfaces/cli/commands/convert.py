"""`astragal convert`: what a number of one game is worth in the others, by the chance that it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.input.options import AsJson, Given, Parameter
from astragal.surfaces.cli.output.progress import watched
from astragal.surfaces.cli.output.terminal import Paper

if TYPE_CHECKING:
    from astragal.lab.conversions import Conversion
    from astragal.lab.scales import Point
    from astragal.table.authoring.measures import Measure
    from astragal.table.authoring.ruleset import Ruleset

MOST_ROWS = 200
Numbers = dict[str, int]


def convert(
    game: Annotated[str, Parameter(help="The game that the numbers are of.")],
    *numbers: Annotated[str, Parameter(name="NUMBER", help="NAME=NUMBER: score=12.")],
    to: Annotated[
        tuple[str, ...], Parameter(negative="", help="A game to convert to, as often as needed; else all others.")
    ] = (),
    held: Annotated[
        tuple[str, ...],
        Parameter(
            name="--with",
            negative="",
            help="GAME.NAME=NUMBER: what is held there, of a hero or a task; the rest is found.",
        ),
    ] = (),
    most: Annotated[int, Parameter(limits=(1, 20), help="So many of the nearest, for each game.")] = 1,
    json: AsJson = False,
    context: Given,
) -> None:
    """Convert a number of one game into those of the others that give nearly the same chance.

    astragal convert sinew_steel score=12
    astragal convert sinew_steel score=12 --with narraject.dice=5
    astragal convert six_pool dc=15 bonus=5 --to sinew_steel

    What a hero with that score would need there; and a table of what is unsaid:
    astragal convert sinew_steel score=12 --with six_pool.dc=15
    astragal convert sinew_steel --with six_pool.bonus=5
    """
    from astragal.lab import conversions

    said = _numbers(numbers)
    origin = context.game(game)
    others = [context.game(one) for one in to] or [one for one in context.all_games() if one.id != origin.id]
    measures = [*origin.measures, *_with_held(others, held)]
    if _is_whole(origin, said):
        with watched("Looking for the nearest"):
            found = conversions.convert(measures, origin.id, said, most)
        _show_point(found, as_json=json)
    else:
        _show_table(_open_scale(origin, said), [one for one in measures if one.game != origin.id], as_json=json)


def _is_whole(game: Ruleset, said: Numbers) -> bool:
    """Is a point named, or a scale? A name that no scale has is for the conversion to speak of."""
    return not game.measures or not any(said.keys() < measure.ranges.keys() for measure in game.measures)


def _open_scale(game: Ruleset, said: Numbers) -> Measure:
    from astragal.lab.conversions import holding

    scale = holding(next(measure for measure in game.measures if said.keys() < measure.ranges.keys()), **said)
    rows = 1
    for values in scale.ranges.values():
        rows *= len(values)
    if rows > MOST_ROWS:
        open_ones = " or ".join(f"{name}=…" for name, values in scale.ranges.items() if len(values) > 1)
        raise BadCall(f"That would be a table of {rows} rows. Say {open_ones} too.")
    return scale


def _with_held(games: Sequence[Ruleset], held: Sequence[str]) -> list[Measure]:
    """The scales of the other games, with what a hero has there."""
    from astragal.lab.conversions import holding

    said: dict[str, Numbers] = {}
    for text in held:
        game, dot, number = text.partition(".")
        if not dot or game not in {one.id for one in games}:
            listed = ", ".join(one.id for one in games)
            raise BadCall(f"--with takes GAME.NAME=NUMBER, and the game is one of {listed}; not {text!r}.")
        said.setdefault(game, {}).update(_numbers([number]))
    return [holding(measure, **said.get(one.id, {})) for one in games for measure in one.measures]


def _numbers(texts: Sequence[str]) -> Numbers:
    found: Numbers = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            found[name.removeprefix("--").replace("-", "_")] = int(number)
        except ValueError:
            raise BadCall(f"A number is said as NAME=NUMBER, such as score=12, and not {text[:40]!r}.") from None
    return found


# ---------------------------------------------------------------- showing


def _show_point(conversion: Conversion, *, as_json: bool) -> None:
    from astragal.lab.words import lines

    if as_json:
        from astragal.surfaces.cli.output.narration import in_json

        nearest = [_plain(point) for points in conversion.nearest for point in points]
        Paper().write(in_json({"of": _plain(conversion.origin), "nearest": nearest}))
        return
    for line in lines(conversion):
        Paper().write(line)


def _show_table(scale: Measure, others: Sequence[Measure], *, as_json: bool) -> None:
    from astragal.lab.words import side_by_side
    from astragal.surfaces.cli.output.rows import as_text

    table = side_by_side(scale, others)
    if as_json:
        from astragal.surfaces.cli.output.narration import in_json

        Paper().write(in_json({"head": table.head, "rows": table.rows}))
        return
    Paper().write(as_text([list(table.head), *map(list, table.rows)]))


def _plain(point: Point) -> Mapping[str, Any]:
    from astragal.lab.words import in_words, percent

    return {
        "game": point.measure.game,
        "numbers": dict(point.values),
        "words": in_words(point),
        "exactly": str(point.chance),
        "percent": percent(point),
    }
