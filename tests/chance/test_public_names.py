"""Names that designers import, with examples that hold; and what is said of what can't be."""

import doctest
import inspect
from collections.abc import Callable
from importlib.metadata import version
from types import FunctionType
from typing import Any

import pytest

import astragal
from astragal import chance
from astragal.chance import (
    BadStep,
    ChanceError,
    Offer,
    Others,
    Rolls,
    SeededDice,
    Together,
    Waiting,
    advise,
    d6,
    d20,
    notation,
    odds,
    play,
    rule,
)
from tests.chance import reference_page

PUBLIC: dict[str, Any] = {
    **{name: getattr(chance, name) for name in chance.__all__},
    **{f"notation.{name}": getattr(notation, name) for name in notation.__all__},
}


def methods(kind: type) -> dict[str, Any]:
    """What a class itself has that others may call."""
    return {
        name: value
        for name, value in vars(kind).items()
        if isinstance(value, FunctionType | classmethod | property) and not name.startswith("_")
    }


FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isroutine(value) or hasattr(value, "cache_info")}
CLASSES = {name: value for name, value in PUBLIC.items() if inspect.isclass(value)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_an_example(name: str) -> None:
    assert ">>>" in (inspect.getdoc(FUNCTIONS[name]) or "")


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_and_its_methods_say_what_they_are(name: str) -> None:
    assert vars(CLASSES[name]).get("__doc__")
    silent = [method for method, value in methods(CLASSES[name]).items() if not inspect.getdoc(value)]
    inherited = {method for base in CLASSES[name].__mro__[1:] for method in methods(base)}
    assert not set(silent) - inherited


EXAMPLES = [
    pytest.param(test, id=f"{name}.{test.name}")
    for name, value in PUBLIC.items()
    for test in doctest.DocTestFinder(recurse=True).find(inspect.unwrap(value), name.rpartition(".")[2])
    if test.examples
]


@pytest.mark.parametrize("test", EXAMPLES)
def test_an_example_in_a_docstring_is_true(test: doctest.DocTest) -> None:
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append, clear_globs=False)
    assert not said, "".join(said)


def test_the_package_gives_the_names_of_designers_and_its_version() -> None:
    assert astragal.d6 is d6
    assert astragal.__version__ == version("astragal")
    assert set(astragal.__all__) == set(dir(astragal)) == {*chance.__all__, "__version__"}
    with pytest.raises(AttributeError, match="no attribute 'dice_of_glass'"):
        _ = astragal.dice_of_glass


def test_the_package_is_light_until_a_name_is_asked_for(new_interpreter: Callable[[str], str]) -> None:
    loaded = "import astragal, sys; print('astragal.chance' in sys.modules, 'numpy' in sys.modules)"
    assert new_interpreter(loaded) == "False False"


# ---------------------------------------------------------------- what can't be is said in a sentence


@rule
def bids() -> Rolls[int]:
    mine, theirs = yield from Together((Offer("hero", "bid", (0, 1)), Offer("rival", "bid", (0, 1))))
    return int(mine) - int(theirs) + (yield from d6)


@rule
def nerves(times: int) -> Rolls[int]:
    total = 0
    for _ in range(times):
        total += yield from d20
        total += yield from Offer("hero", "nerve", (0, 1))
    return total


@rule
def a_list() -> Rolls[Any]:
    return [(yield from d6)]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: odds(5), "odds needs a question, a rule called with its arguments, not 5"),  # type: ignore[call-overload]
        (lambda: odds(nerves), "nerves is a rule, and odds needs a question"),  # type: ignore[call-overload]
        (lambda: play(d6, SeededDice(1)), "with its arguments, not d6; a rule throws it, by (yield from …)"),  # type: ignore[arg-type]
        (lambda: advise(nerves, lambda value: value, side="hero"), "advice needs a question"),  # type: ignore[arg-type]
        (lambda: odds(nerves([1])), "nerves is asked about [1]; arguments are hashable"),  # type: ignore[arg-type]
        (lambda: odds(a_list()), "the verdict of a rule must be hashable, a tuple in place of a list"),
        (lambda: Offer("hero", "luck", [0, 1]), "stand in a tuple, not in [0, 1]"),  # type: ignore[arg-type]
        (lambda: Offer("hero", "luck", ([0], [1])), "the options of the offer 'luck' must be hashable: "),
        (lambda: rule(5), "a rule is made of a generator function, not of 5"),  # type: ignore[arg-type]
    ],
)
def test_what_can_not_be_is_refused_in_a_sentence(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ChanceError) as refused:
        make()
    assert sentence in str(refused.value)


@pytest.mark.parametrize("others", [chance.decline, Others.OPPOSE])
@pytest.mark.parametrize("question", [bids(), nerves(1), pytest.param(nerves(4), marks=pytest.mark.slow)], ids=str)
def test_a_side_that_never_decides_is_an_error(question: chance.Question[int], others: Any) -> None:
    with pytest.raises(BadStep, match=r"'villain' never decides in .*; .*'hero'"):
        advise(question, lambda value: value, side="villain", others=others)
    assert advise(question, lambda value: value, side="hero", others=others).value


@pytest.mark.parametrize("dice", [1, 6], ids=["path by path", "in lanes"])
def test_where_nobody_decides_nobody_is_advised(dice: int) -> None:
    @rule
    def plain() -> Rolls[int]:
        summed = 0
        for _ in range(dice):
            summed += yield from d6
        return summed

    with pytest.raises(BadStep, match=r"'hero' never decides in plain\(\); nobody does: ask for its odds"):
        advise(plain(), lambda value: value, side="hero")


def test_who_has_decided_for_the_last_time_is_not_advised_again() -> None:
    @rule
    def dare() -> Rolls[int]:
        bold = yield from Offer("hero", "dare", (0, 1))
        mean = yield from Offer("villain", "spoil", (0, 1))
        return bold - mean + (yield from d6)

    first = play(dare(), SeededDice(1))
    assert isinstance(first, Waiting)
    second = first.resume(SeededDice(1), 1)
    assert isinstance(second, Waiting)
    with pytest.raises(BadStep, match=r"'hero' never decides from here on in dare\(\); 'villain' may be meant"):
        advise(second, lambda value: value, side="hero")


# ---------------------------------------------------------------- the reference


def test_the_reference_is_what_the_code_says() -> None:
    assert reference_page.PAGE.read_text(encoding="utf-8") == reference_page.page(), (
        "python -m tests.chance.reference_page"
    )


def test_the_reference_has_every_name_and_every_method() -> None:
    text = reference_page.PAGE.read_text(encoding="utf-8")
    missing = [name for name in PUBLIC if f"\n### `{name.removeprefix('notation.')}`\n" not in text]
    missing += [
        f".{one}"
        for kind in CLASSES.values()
        for one, it in methods(kind).items()
        if f"`.{one}" not in text and it.__doc__
    ]
    assert not missing
