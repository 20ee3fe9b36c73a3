"""Steps are plain values; calling a rule asks a question and decides nothing."""

import pickle
from enum import Enum
from fractions import Fraction

import pytest

from astragal.chance import BadStep, Notable, Offer, Rolls, Together, d6, find_rule, hits, odds, rule
from astragal.chance.steps import MOST_OPTIONS


class Mood(Enum):
    CALM = "calm"
    WILD = "wild"


ran: list[int] = []


@rule
def noted(number: int, mood: Mood = Mood.CALM, extra: int = 0) -> Rolls[int]:
    """A rule that leaves a trace when its body runs."""
    ran.append(number)
    face = yield from d6
    return face + number + extra + (mood is Mood.WILD)


@rule
def with_a_named_part(number: int, *, bonus: int = 2) -> Rolls[int]:
    face = yield from d6
    return face + number * bonus


def test_calling_a_rule_decides_nothing() -> None:
    ran.clear()
    noted(3)
    assert ran == []


def test_a_question_has_one_form_however_it_is_asked() -> None:
    asked = [
        noted(3),
        noted(number=3),
        noted(3, Mood.CALM),
        noted(3, extra=0),
        noted(extra=0, mood=Mood.CALM, number=3),
    ]
    assert len(set(asked)) == 1
    assert noted(3, extra=1) != noted(3)


def test_a_question_says_what_it_asks() -> None:
    assert repr(noted(3, extra=1)) == "noted(number=3, mood=<Mood.CALM: 'calm'>, extra=1)"
    assert noted(3).named == {"number": 3, "mood": Mood.CALM, "extra": 0}


def test_a_part_may_go_by_name_alone() -> None:
    assert with_a_named_part(1) == with_a_named_part(1, bonus=2)
    assert odds(with_a_named_part(1, bonus=3)).mean() == Fraction(7, 2) + 3


@pytest.mark.parametrize("arguments", [(), (1, Mood.CALM, 2, 3)])
def test_a_question_with_too_few_or_too_many_arguments_is_refused(arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="noted takes 3 arguments"):
        noted(*arguments)  # type: ignore[arg-type]


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(TypeError, match="luck"):
        noted(1, luck=2)  # type: ignore[call-arg]


def test_an_argument_that_cannot_be_hashed_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadStep, match=r"noted is asked about \[1\]; arguments are hashable"):
        noted([1])  # type: ignore[arg-type]


def test_a_rule_has_a_fixed_list_of_arguments() -> None:
    with pytest.raises(BadStep, match="fixed list"):

        @rule
        def greedy(*numbers: int) -> Rolls[int]:
            return (yield from d6) + sum(numbers)


def test_a_rule_that_never_stops_is_refused_when_it_is_made() -> None:
    def forgetful(score: int) -> int:
        noted(score)
        return score

    with pytest.raises(BadStep, match="forgetful has no `yield from`"):
        rule(forgetful)  # type: ignore[arg-type]


def test_a_rule_keeps_the_name_and_words_of_its_body() -> None:
    assert noted.name == "noted"
    assert noted.__doc__ == "A rule that leaves a trace when its body runs."
    assert repr(noted).endswith(".noted>")


def test_a_question_is_stored_by_the_name_of_its_rule() -> None:
    assert pickle.loads(pickle.dumps(noted(4))) == noted(4)  # noqa: S301 - made on this line


def test_what_stands_under_a_name_must_be_a_rule() -> None:
    assert find_rule(__name__, "noted") is noted
    with pytest.raises(TypeError, match="is no rule"):
        find_rule(__name__, "ran")


def test_equal_steps_hash_equal() -> None:
    one, other = (Offer("hero", "spend", (0, 1), (Notable(1, 1, "won"),), about=7) for _ in range(2))
    assert (one, hash(one)) == (other, hash(other))
    pool, same = (hits(3, d6, at_least=5) for _ in range(2))
    assert (pool, hash(pool)) == (same, hash(same))


def test_the_first_option_is_the_default() -> None:
    assert Offer("hero", "spend", (0, 1, 2)).default == 0


@pytest.mark.parametrize("options", [(), tuple(range(MOST_OPTIONS + 1))])
def test_an_offer_lists_one_to_sixty_four_options(options: tuple[int, ...]) -> None:
    Offer("hero", "spend", tuple(range(MOST_OPTIONS)))
    with pytest.raises(BadStep, match=f"has {len(options)} options"):
        Offer("hero", "spend", options)


def test_an_offer_lists_no_option_twice() -> None:
    with pytest.raises(BadStep, match="twice"):
        Offer("hero", "spend", (0, 1, 0))


def test_only_an_option_can_be_notable() -> None:
    with pytest.raises(BadStep, match="notes 5"):
        Offer("hero", "spend", (0, 1), (Notable(5, 5, "won"),))


@pytest.mark.parametrize("sides", [["hero"], ["hero", "hero"]])
def test_deciding_together_takes_different_sides(sides: list[str]) -> None:
    with pytest.raises(BadStep, match="two or more different sides"):
        Together(tuple(Offer(side, "spend", (0, 1)) for side in sides))
