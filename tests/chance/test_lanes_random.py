"""Rules that nobody would write, made up at random: both readings say the same of each."""

import ast
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from astragal.chance import (
    Offer,
    Others,
    Policy,
    Rolls,
    Rule,
    TooManyPaths,
    advise,
    d4,
    d6,
    d8,
    hits,
    lowest,
    odds_grid,
    rule,
)
from astragal.chance.lanes import LaneWeigher, Planner
from astragal.chance.weigh import Weigher

MOST_PATHS = 3_000
NAMES = ("a", "b", "x", "y", "z")
STEPS = ("d4", "d6", "d8", "lowest(2, d6)", "hits(3, d6, at_least=5)", "inner(a)", "inner(x - y)", "pair(b)")


def _larger(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inside, st.sampled_from(["+", "-", "*"]), inside).map(lambda it: f"({it[0]} {it[1]} {it[2]})"),
        st.tuples(inside, st.sampled_from(["//", "%"]), inside).map(lambda it: f"({it[0]} {it[1]} ({it[2]} or 3))"),
        st.tuples(st.sampled_from(["abs({})", "-{}", "max({}, 2)", "min(x, {})", "sum((a, {}))"]), inside).map(
            lambda it: it[0].format(it[1])
        ),
        st.tuples(inside, conditions_of(inside), inside).map(lambda it: f"({it[0]} if {it[1]} else {it[2]})"),
    )


def conditions_of(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    compared = st.tuples(inside, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inside).map(" ".join)
    return st.one_of(
        compared,
        st.tuples(compared, compared).map(lambda it: f"({it[0]} and not {it[1]})"),
        st.tuples(inside, inside, inside).map(lambda it: f"({it[0]} < {it[1]} <= {it[2]})"),
        st.tuples(inside, inside).map(lambda it: f"({it[0]} in (1, {it[1]}, 5))"),
    )


LEAVES = st.one_of(st.sampled_from(NAMES), st.integers(-9, 9).map(lambda number: f"({number})"))
EXPRESSIONS = st.recursive(LEAVES, _larger, max_leaves=6)
CONDITIONS = conditions_of(EXPRESSIONS)
"""Made once: to put them together anew for each draw takes longer than all that is done with it."""


@st.composite
def statements(draw: st.DrawFn, depth: int = 2) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["set", "step", "if", "return", "offer"] if depth else ["set", "step"]))
        name = draw(st.sampled_from(NAMES))
        if kind == "set":
            lines.append(f"{name} = {draw(EXPRESSIONS)}")
        elif kind == "step":
            lines.append(f"{name} = yield from {draw(st.sampled_from(STEPS))}")
        elif kind == "offer":
            side = draw(st.sampled_from(["me", "you"]))
            options = f"(0, 100 + {draw(EXPRESSIONS)} % 7)"
            lines.append(f'{name} = yield from Offer("{side}", "take", {options}, about={name})')
        elif kind == "return":
            lines += [f"if {draw(CONDITIONS)}:", f"    return {draw(EXPRESSIONS)}, {name}"]
        else:
            lines.append(f"if {draw(CONDITIONS)}:")
            lines += [f"    {line}" for line in draw(statements(depth=depth - 1))]
            lines += ["else:", *(f"    {line}" for line in draw(statements(depth=depth - 1)))]
    return lines


@rule
def inner(score: int) -> Rolls[int]:
    face = yield from d4
    return face if face > score else score - face


@rule
def pair(score: int) -> Rolls[int]:
    found = yield from both(score)
    return found[0] + found[1]


@rule
def both(score: int) -> Rolls[tuple[int, int]]:
    face = yield from d4
    return face, score % face


def made(lines: list[str]) -> Rule[..., Any]:
    body = "\n".join(f"    {line}" for line in lines)
    source = (
        f"def made(a, b):\n    x = yield from d4\n    y = yield from d6\n    z = 0\n{body}\n    return a, b, x, y > z\n"
    )
    names = {"d4": d4, "d6": d6, "d8": d8, "hits": hits, "lowest": lowest, "inner": inner, "pair": pair, "Offer": Offer}
    exec(compile(ast.parse(source), "<made>", "exec"), names)  # noqa: S102 - made here, of nothing but arithmetic
    return rule(names["made"])  # type: ignore[arg-type]


@pytest.fixture(autouse=True, scope="module")
def _to_the_end() -> Iterator[None]:
    """However little lanes gain, here they are to answer themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("astragal.chance.lanes.weighing.SOON", 1_000_000)
        yield


def eager(offer: Offer[Any]) -> Any:
    return offer.options[-1]


@pytest.mark.slow
@settings(max_examples=80, suppress_health_check=list(HealthCheck))
@given(statements(), st.integers(-3, 6), st.integers(-3, 6))
def test_random_rules_come_out_the_same(lines: list[str], a: int, b: int) -> None:
    question = made(lines)(a, b)
    try:
        expected = Weigher(eager, MOST_PATHS).weigh(question)
    except TooManyPaths:
        reject()
    for few in (0, 15):  # how soon the last lanes are walked one by one
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("astragal.chance.lanes.weighing.FEW_LANES", few)
            assert LaneWeigher(eager).in_lanes(question) == expected


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(statements(depth=1))
def test_random_grids_come_out_the_same(lines: list[str]) -> None:
    asked = made(lines)
    for point, found in odds_grid(asked, eager, a=range(-1, 3), b=[2, 0, 5]).items():
        assert found == Weigher(eager).weigh(asked(*point))


def aim(verdict: tuple[int, ...]) -> int:
    return sum(verdict) % 101


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(statements(), st.integers(-3, 6), st.sampled_from([Others.OPPOSE, eager]))
def test_random_decisions_are_advised_on_alike(lines: list[str], a: int, others: Policy | Others) -> None:
    """One decision comes first, since a side that never decides is not advised."""
    question = made(['b += yield from Offer("me", "take", (0, x))', *lines])(a, 2)
    try:
        advice = advise(question, aim, side="me", others=others, most_paths=MOST_PATHS)
        walked = advice.value, advice.odds  # which walks again, and may be too much then
    except TooManyPaths:
        reject()
    valued = Planner("me", None if isinstance(others, Others) else others).valued(question, (), aim)
    assert (valued.worth, valued.odds) == walked
