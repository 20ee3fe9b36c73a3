"""Sample arguments come from what a rule's parameters say of themselves."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Gt, Interval, Le, Lt

from astragal.chance import Rolls, Rule, d6, rule
from astragal.chance.contract import samples
from examples.sinew_and_steel import Footing, opposed_test, simple_test


class Mood(Enum):
    CALM = "calm"
    WILD = "wild"


@dataclass(frozen=True)
class Blade:
    edge: Annotated[int, Interval(ge=0, lt=3)]
    name: str = "blade"


@dataclass(frozen=True)
class Even:
    number: Annotated[int, Ge(0), Le(4)]

    def __post_init__(self) -> None:
        if self.number % 2:
            raise ValueError("odd")


def rule_of(hint: Any) -> Rule[..., Any]:
    """A rule with one parameter, annotated so."""

    def annotated(thing: Any) -> Rolls[Any]:
        return thing, (yield from d6)

    annotated.__annotations__["thing"] = hint
    return rule(annotated)


@pytest.mark.parametrize(
    ("hint", "tried"),
    [
        (Annotated[int, Ge(0), Le(20)], {0, 1, 10, 19, 20}),
        (Annotated[int, Gt(0), Lt(10)], {1, 2, 5, 8, 9}),
        (Annotated[int, Interval(ge=3, le=3)], {3}),
        (bool, {False, True}),
        (Mood, set(Mood)),
        (Literal["a", "b"], {"a", "b"}),
        (Annotated[int, Ge(3), Le(4)] | None, {3, 4, None}),
        (tuple[Annotated[int, Ge(1), Le(2)], ...], {(), (1,), (1, 2), (2, 2)}),
        (tuple[bool, Mood], {(flag, mood) for flag in (False, True) for mood in Mood}),
        (Blade, {Blade(0), Blade(1), Blade(2)}),
        (Even, {Even(0), Even(2), Even(4)}),
    ],
    ids=lambda value: "tried" if isinstance(value, set) else str(value),
)
def test_what_is_tried_for_a_parameter(hint: Any, tried: set[Any]) -> None:
    assert {question.named["thing"] for question in samples(rule_of(hint))} == tried


@pytest.mark.parametrize("hint", [int, Annotated[int, Ge(0)], Annotated[int, Lt(9)], str, list[int], tuple[str, ...]])
def test_a_parameter_that_says_too_little_is_named(hint: Any) -> None:
    with pytest.raises(TypeError, match=r"for 'thing' of annotated.*annotate it with limits"):
        samples(rule_of(hint))


def test_a_field_that_says_too_little_is_named() -> None:
    @dataclass(frozen=True)
    class Vague:
        name: str

    with pytest.raises(TypeError, match="the field 'name' of 'thing' of annotated"):
        samples(rule_of(Vague))


def test_a_default_is_tried_where_nothing_else_is_said() -> None:
    @rule
    def with_a_default(number: int = 7) -> Rolls[int]:
        return (yield from d6) + number

    assert samples(with_a_default) == [with_a_default(7)]


def test_a_rule_without_parameters_has_one_question() -> None:
    @rule
    def plain() -> Rolls[int]:
        return (yield from d6)

    assert samples(plain) == [plain()]


def test_no_more_are_made_than_asked_for_and_none_twice() -> None:
    assert len(samples(opposed_test, 12)) == len(set(samples(opposed_test, 12))) == 12
    assert len(set(samples(simple_test, 100))) == len(samples(simple_test, 100)) == 15


def test_every_value_comes_up_while_there_is_room() -> None:
    few = samples(opposed_test, 5)
    assert {question.named["attacker"] for question in few} == {0, 1, 10, 19, 20}
    assert {question.named["defender_footing"] for question in few} == set(Footing)
