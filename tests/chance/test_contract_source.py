"""What the source of a rule gives away: each fault is found, on a rule made to have it, and nothing else is."""

import itertools
import random
import time
from typing import Any

import pytest

from astragal.chance import BadStep, Offer, Rolls, Rule, Together, d4, d6, d20, hits, lowest, rule
from astragal.chance.contract import faults_in_source
from examples.sinew_and_steel import Footing, simple_test

rolled_so_far = 0


@rule
def forgets_to_ask() -> Rolls[int]:
    simple_test(10)
    return (yield from d6)


@rule
def forgets_and_uses() -> Rolls[bool]:
    yield from d6
    return simple_test(10).success  # type: ignore[attr-defined, no-any-return]


@rule
def forgets_by_name() -> Rolls[Any]:
    first = yield from simple_test(10)
    second = simple_test(12)
    return first, second


@rule
def forgets_and_passes_on() -> Rolls[Any]:
    roll = simple_test(10)
    return (yield from simple_test(roll))  # type: ignore[arg-type]


@rule
def forgets_an_offer() -> Rolls[int]:
    Offer("hero", "spend", (0, 1))
    return (yield from d6)


@rule
def forgets_a_pool() -> Rolls[bool]:
    first = yield from d6
    return first + hits(3, d6, at_least=5) > 2  # type: ignore[return-value]


@rule
def forgets_a_die() -> Rolls[Any]:
    first = yield from d6
    return first > d6


@rule
def yields_barely() -> Rolls[int]:
    return (yield d6)  # type: ignore[no-any-return]


@rule
def throws_while() -> Rolls[int]:
    face = yield from d6
    while face == 6:
        face = yield from d6
    return face


@rule
def throws_for_ever() -> Rolls[int]:
    for throws in itertools.count():
        if (yield from d6) < 6:
            return throws
    return 0


@rule
def refuses_late() -> Rolls[int]:
    face = yield from d6
    if face == 1:
        raise BadStep("a one")
    return face


@rule
def uses_random() -> Rolls[int]:
    return (yield from d6) + random.randint(0, 1)


@rule
def asks_the_clock() -> Rolls[float]:
    return (yield from d6) + time.time()


@rule
def reads_a_file() -> Rolls[str]:
    yield from d6
    with open("dice.txt") as file:  # noqa: PTH123 - the fault to be found
        return file.read()


@rule
def keeps_count() -> Rolls[int]:
    global rolled_so_far  # noqa: PLW0603 - the fault to be found
    rolled_so_far += 1
    return (yield from d6)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (forgets_to_ask, "`simple_test(10)` decides nothing by itself"),
        (forgets_and_uses, "`simple_test(10)` decides nothing by itself"),
        (forgets_by_name, "`simple_test(12)` decides nothing by itself"),
        (forgets_and_passes_on, "`simple_test(10)` decides nothing by itself"),
        (forgets_an_offer, "`Offer('hero', 'spend', (0, 1))` decides nothing by itself"),
        (forgets_a_pool, "`hits(3, d6, at_least=5)` decides nothing by itself"),
        (forgets_a_die, "`d6` decides nothing by itself"),
        (yields_barely, "`(yield d6)` is a bare yield"),
        (throws_while, "a loop that may never end"),
        (throws_for_ever, "a loop that may never end"),
        (refuses_late, "refuses when dice have fallen"),
        (uses_random, "`random` reaches outside"),
        (asks_the_clock, "`time` reaches outside"),
        (reads_a_file, "`open` reaches outside"),
        (keeps_count, "`global rolled_so_far` reaches outside"),
    ],
    ids=lambda value: value.name if isinstance(value, Rule) else "",
)
def test_a_fault_in_the_source_is_found_and_told(bad: Rule[..., Any], told: str) -> None:
    found = [fault for fault in faults_in_source(bad) if told in fault]
    assert found, faults_in_source(bad)
    assert found[0].startswith(f"{bad.name}, line ")


def test_a_fault_names_its_line() -> None:
    (fault,) = faults_in_source(forgets_to_ask)
    line = forgets_to_ask.body.__code__.co_firstlineno + 2
    assert fault.startswith(f"forgets_to_ask, line {line}: ")


@rule
def roundabout(many: int, footing: Footing) -> Rolls[Any]:
    """Every way of coming to a `yield from` that is in order."""
    if many < 0:
        raise BadStep("fewer than none")
    step = lowest(2, d20) if footing is Footing.ADVANTAGE else d20
    rolled = yield from step
    pool = yield from {True: hits(2, d6, at_least=5), False: d4}[many > 1]
    offers = [Offer(side, "spend", tuple(range(rolled + 1))) for side in ("one", "other")]
    offers.append(Offer("third", "spend", (0, 1)))
    spent = yield from Together(tuple(offers))
    faces = []
    for each in (d4, d6):
        face = yield from each
        faces.append(face)
    again = yield from (question := simple_test(score=many))
    assert d6.sides == 6
    return rolled, pool, spent, faces, again, question


def test_all_ways_of_coming_to_a_yield_from_are_in_order() -> None:
    assert faults_in_source(roundabout) == []
