"""Every rule there is keeps the contract; and play finds each fault in rules made to break it."""

import importlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, NamedTuple

import pytest
from annotated_types import Ge, Le

import astragal
import examples
from astragal.chance import (
    BadStep,
    Chance,
    Odds,
    Offer,
    Question,
    Rolls,
    Rule,
    SeededDice,
    Tray,
    d4,
    d6,
    lowest,
    rule,
)
from astragal.chance.contract import faults, faults_in_play, rules_in
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.six_pool import SIX_POOL
from astragal.table.authoring.ruleset import Ruleset
from examples import sinew_and_steel
from examples.sinew_and_steel import simple_test


def modules_with_rules() -> Iterator[ModuleType]:
    """Whatever says `@rule`, here and in the package; what does not is left unopened."""
    for package in (examples, astragal):
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            if "\n@rule\n" in path.read_text(encoding="utf-8"):
                inside = path.relative_to(folder).with_suffix("").parts
                yield importlib.import_module(".".join((package.__name__, *inside)))


EVERY_RULE = [each for module in modules_with_rules() for each in rules_in(module)]


@pytest.mark.slow
@pytest.mark.parametrize("kept", EVERY_RULE, ids=repr)
def test_every_rule_keeps_the_contract(kept: Rule[..., Any]) -> None:
    assert faults(kept) == []


def test_the_examples_are_among_the_rules_there_are() -> None:
    assert set(rules_in(sinew_and_steel)) < set(EVERY_RULE)


@pytest.mark.parametrize("game", [NARRAJECT, NEW_SHOES, SINEW_STEEL, SIX_POOL], ids=lambda game: game.id)
def test_the_rules_of_every_game_are_among_the_rules_there_are(game: Ruleset) -> None:
    assert game.rules
    assert set(game.rules) <= set(EVERY_RULE)


def test_the_rules_of_a_module_are_those_it_defines() -> None:
    names = [each.name for each in rules_in(sinew_and_steel)]
    assert names == ["simple_test", "lucky_test", "opposed_test", "spend_luck", "lucky_opposed_test"]
    importer = ModuleType("importer")
    vars(importer)["simple_test"] = simple_test
    assert rules_in(importer) == []


# ---------------------------------------------------------------- faults in play


class Sly(NamedTuple):
    """Equal to every other of its kind, and hashed by a number of its own."""

    number: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sly)

    def __hash__(self) -> int:
        return self.number


numbers = itertools.count()


@rule
def moody() -> Rolls[int]:
    """Asks for another die each time it is asked."""
    return (yield from (d4 if next(numbers) % 2 else d6))


@rule
def sly() -> Rolls[int]:
    yield from Offer("hero", "spend", (0, 1), about=Sly(next(numbers)))
    return (yield from d6)


@rule
def unhashable() -> Rolls[list[int]]:
    return [(yield from d6)]


@rule
def breaks_on_a_six() -> Rolls[int]:
    return 10 // (6 - (yield from d6))


@rule
def keeps_too_many(keep: Annotated[int, Ge(1), Le(3)]) -> Rolls[int]:
    face = yield from d6
    return face + (yield from lowest(2, d6, keep=keep))


@rule
def drifts() -> Rolls[int]:
    """Comes to another verdict each time, whatever the dice."""
    yield from d6
    return next(numbers)


@rule
def picky(score: Annotated[int, Ge(0), Le(4)]) -> Rolls[int]:
    if score % 2:
        raise BadStep("odd scores are refused, before the first die")
    return (yield from d6) + score


@rule
def never_pleased(score: Annotated[int, Ge(0), Le(4)]) -> Rolls[int]:
    if score < 5:
        raise BadStep("five at least")
    return (yield from d6)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (moody(), "asks for other things in a second run"),
        (sly(), "hash differently"),
        (unhashable(), "can't be hashed"),
        (breaks_on_a_six(), "raises ZeroDivisionError"),
        (keeps_too_many(3), "raises BadStep, and did not refuse before the first die: of 2 dice you can keep"),
        (drifts(), "another verdict when its record is read again"),
        (drifts(), "not among its odds"),
    ],
)
def test_a_fault_in_play_is_found_and_told(question: Question[Any], told: str) -> None:
    found = faults_in_play(question, range(40))
    assert any(fault.startswith(repr(question)) and told in fault for fault in found), found


def test_a_rule_may_refuse_before_the_first_die() -> None:
    assert faults(picky) == []


def test_a_rule_that_refuses_all_its_samples_is_told() -> None:
    assert faults(never_pleased)[-1].startswith("never_pleased refuses all of its samples")


def test_a_loaded_die_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loaded(SeededDice):
        def face(self, sides: int) -> int:
            return max(super().face(sides), super().face(sides))

    assert faults_in_play(simple_test(10)) == []
    monkeypatch.setattr("astragal.chance.contract.SeededDice", Loaded)
    (fault,) = faults_in_play(simple_test(10))
    assert "does not come out as often as its odds say, in 400 plays" in fault


def test_weights_that_do_not_add_up_are_found() -> None:
    @dataclass(frozen=True)
    class Miscounted(Chance[int]):
        def throw(self, tray: Tray) -> int:
            return tray.draw(6)

        def odds(self) -> Odds[int]:
            return Odds(dict.fromkeys(range(1, 7), 1), 7)

    @rule
    def miscounts() -> Rolls[int]:
        return (yield from Miscounted())

    assert any("do not add up to their total of 7" in fault for fault in faults_in_play(miscounts()))
