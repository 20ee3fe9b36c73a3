"""Slowest input: every command of every game with large and odd values, from a player's seat and the game master's.

A figure is processor time, so that a busy machine doesn't count. Inputs that seem slow are given twice, as the first
time may have to load something.
"""

from collections.abc import Iterator
from contextlib import suppress
from secrets import token_bytes
from time import process_time
from typing import Any, NamedTuple

from astragal.chance import ChanceError
from astragal.storage import open_store
from astragal.surfaces.web.rendering import markdown
from astragal.table.contract.rehearsal import commands_to_try
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.shapes import ListShape, MappingShape, NumberShape, TextShape, innermost
from astragal.table.host import Host
from astragal.table.refusals import Refusal
from astragal.wiring import installed_rulesets, milliseconds
from benchmarks.harness import Mark, benchmark

MOST = 0.020
"""Seconds that one input may cost."""
LARGE = 17_000
"""Number of values that fit into the largest request."""
WORDS = ("[" * 4_000, "*_" * 2_000, "> " * 2_000, "\n" * 4_000, "a\u0301" * 2_000, "`" * 4_000, "x" * 200_000)
DEEP: list[Any] = []
for _ in range(400):
    DEEP = [DEEP]
MANY: tuple[Any, ...] = (["x"] * LARGE, {str(number): number for number in range(LARGE)}, DEEP)
NUMBERS = (10**18, -(10**18), 10**4_000, "9" * 4_000, 1e308)


class Cost(NamedTuple):
    seconds: float
    command: str
    how: str


@benchmark("inputs")
def inputs() -> Iterator[Mark]:
    costs = [cost for name in installed_rulesets() for cost in costs_of(name)]
    for kind in ("given", "previewed", "shown"):
        of_kind = sorted((cost for cost in costs if cost.how.startswith(kind)), reverse=True)
        worst = of_kind[0]
        yield Mark(
            "inputs",
            f"dearest {kind}",
            f"{worst.seconds * 1e3:.1f} ms",
            f"{MOST * 1e3:.0f} ms",
            worst.seconds <= MOST,
            f"{worst.command}, {worst.how}; then "
            + ", ".join(f"{one.command} {one.seconds * 1e3:.1f}" for one in _others(of_kind))
            + f"; {len(of_kind)} inputs",
        )


def _others(costs: list[Cost]) -> list[Cost]:
    """The most expensive inputs of other commands."""
    first = {cost.command: cost for cost in reversed(costs)}
    return sorted(first.values(), reverse=True)[1:6]


def costs_of(game: str) -> Iterator[Cost]:
    ruleset = installed_rulesets()[game]()
    store = open_store("memory:")
    host = Host(store, (ruleset,), clock=milliseconds, entropy=token_bytes)
    opened = host.open(game, name="The Gorge", game_master="Ada", house={"trusting": True})
    table = opened.table
    taken = host.act(table, opened.seat, ("take_seat", {"name": "Bo"}))
    player = taken.events[0].fields["seat"]["id"]
    if ruleset.heroes:
        options = host.look(table, opened.seat).options
        for hero in list(ruleset.heroes.samples(options).values())[:2]:
            host.act(table, player, (ruleset.heroes.make, dict(hero)))
    book = host.books[game]
    for seat in (player, opened.seat):
        for name in list(book.actions):
            if name in ("leave_seat", "undo", "rewind", "stop_play"):
                continue
            state = host.look(table, seat)
            tried = list(commands_to_try(book, book.actions[name].command, state, state.viewer(seat)))
            for fields, odd in _odd(book.actions[name].command, tried[:1] + tried[-1:]):
                label = f"{game}/{name}"
                for how, call in (("previewed", host.preview), ("given", host.act)):
                    yield Cost(_cost(call, table, seat, (name, fields)), label, f"{how} {odd}")
    for number, words in enumerate(WORDS):
        yield Cost(_cost(markdown, words[:4_000]), f"text {number}", "shown")
    store.close()


def _cost(call: Any, *given: Any, again: bool = True) -> float:
    began = process_time()
    with suppress(Refusal, ChanceError):
        call(*given)
    took = process_time() - began
    return min(took, _cost(call, *given, again=False)) if again and took > MOST / 2 else took


def _odd(command: type, samples: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], str]]:
    for sample in samples:
        yield sample, "as usual"
        for field in fields_of(command):
            for odd in (*_values(field), *MANY):
                yield {**sample, field.name: odd}, f"{field.name} = {_short(odd)}"


def _values(field: Field) -> Iterator[Any]:
    shapes = list(innermost(field.shape))
    for shape in shapes:
        if isinstance(shape, TextShape):
            yield from (words[: shape.most or 4_000] for words in WORDS)
            yield WORDS[-1]
        elif isinstance(shape, NumberShape):
            yield from NUMBERS
            yield from (number for number in (shape.least, shape.most) if number is not None)
    if isinstance(field.shape, ListShape):
        yield ["a word"] * (field.shape.most or LARGE)
        yield [{"name": "a word"}] * LARGE
    if isinstance(field.shape, MappingShape):
        yield {f"word {number}": 1 for number in range(LARGE)}


def _short(value: Any) -> str:
    text = str(value)[:12] if not isinstance(value, (list, dict)) else f"{type(value).__name__} of {len(value)}"
    return text if isinstance(value, (list, dict)) or len(str(value)) <= 12 else f"{text!r}…"
