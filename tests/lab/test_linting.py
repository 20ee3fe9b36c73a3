"""Linting a game's rules: what changes nothing, is never worth it, can't happen, flips, or ties."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import pytest
from msgspec.structs import replace

from astragal.chance import Offer, Rolls, Rule, d6, rule
from astragal.game import Chapter, Command
from astragal.game.fields import Doc, Ge, Le, Name
from astragal.lab.linting import Kind, lint
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.table.authoring.ruleset import Ruleset
from examples.lanterns import LANTERNS

Number = Annotated[int, Ge(0), Le(6)]
WHISTLING = Chapter()


class Verdict(Enum):
    THROUGH = "through"
    STUCK = "stuck"
    LOST = "lost"


class Climb(NamedTuple):
    total: int
    goal: int
    result: Verdict

    @property
    def success(self) -> bool:
        return self.result is Verdict.THROUGH

    @property
    def margin(self) -> int:
        return self.total - self.goal


@rule
def climb(goal: Number, weight: Number = 0, colour: Number = 0) -> Rolls[Climb]:
    """A die and what is put in; a rope helps by 2, a prayer not at all."""
    rope = yield from Offer("hero", "rope", ("nothing", "rope", "old rope"))
    prayer = yield from Offer("hero", "prayer", (False, True))
    die = yield from d6
    total = die + {"nothing": 0, "rope": 2, "old rope": 1}[rope] - weight + 0 * (colour + prayer)
    return Climb(total, goal, Verdict.THROUGH if total >= goal else Verdict.STUCK)


@rule
def gamble(odds: Number) -> Rolls[Climb]:
    """Slow and sure, or quick and risky: which is better depends on the odds."""
    quick = yield from Offer("hero", "quick", (False, True))
    die = yield from d6
    won = die >= odds if quick else die >= 4
    return Climb(die, odds, Verdict.THROUGH if won else Verdict.STUCK)


@rule
def divides(by: Number) -> Rolls[bool]:
    return (yield from d6) % by == 0


def game_of(*rules: Rule[..., Any]) -> Ruleset:
    return replace(LANTERNS, rules=rules, measures=())


def test_a_parameter_that_changes_nothing_an_outcome_that_cant_happen_and_idle_offers_are_found() -> None:
    findings = lint(game_of(climb))
    said = {(one.kind, one.about): one.words for one in findings}
    assert (Kind.INERT, "colour") in said
    assert not {(Kind.INERT, "goal"), (Kind.INERT, "weight")} & said.keys()
    assert said[Kind.IMPOSSIBLE, "result"] == "result never comes to lost."
    assert (Kind.NEVER_TAKEN, "prayer") in said
    assert said[Kind.DOMINATED, "rope"] == "rope: old rope is never a better answer of hero."
    assert said[Kind.TIE, "margin"].startswith("Meeting it exactly is a success: 16.7%")


def test_where_the_best_choice_turns_over_is_told() -> None:
    (flip,) = [one for one in lint(game_of(gamble)) if one.kind is Kind.FLIPS]
    assert flip.words == "The best answer turns from yes to no between odds 3 and 4."


def test_a_rule_that_fails_for_a_value_it_allows_is_told_with_the_value() -> None:
    (fails,) = [one for one in lint(game_of(divides)) if one.kind is Kind.FAILS]
    assert "ZeroDivisionError" in fails.words


@pytest.mark.slow
def test_games_of_ours_that_have_nothing_to_explain_stay_so() -> None:
    assert [one for game in (LANTERNS, NEW_SHOES, NARRAJECT) for one in lint(game)] == []


@WHISTLING.command("whistle", actor="tune")
class Whistle(Command):
    """Whistle a tune."""

    tune: Annotated[Name, Doc("which tune")]

    def does(self, _: object) -> list[Any]:
        return []


def test_what_is_declared_wrongly_is_told_with_its_line() -> None:
    (found,) = lint(replace(LANTERNS, chapters=(*LANTERNS.chapters, WHISTLING)))
    assert found.kind is Kind.DECLARED
    assert found.words == "The command 'whistle' names 'tune' as who acts, which is no field that holds a character."
    line = 1 + Path(__file__).read_text(encoding="utf-8").splitlines().index(
        '@WHISTLING.command("whistle", actor="tune")'
    )
    assert found.about == f"test_linting.py, line {line}"


def test_names_that_are_not_in_order_are_told_by_themselves() -> None:
    (found,) = lint(replace(LANTERNS, chapters=(*LANTERNS.chapters, LANTERNS.chapters[0]), version=""))
    assert (found.words, found.about) == ("The command 'join' is declared 2 times.", "")
