"""Previews against numbers that are closed to a seat: the same to the byte, whatever the true number is.

SS-68, NJ-03, NJ-24, NS-16, SP-13, SP-21: a span is worked out from what players may know, never from the number.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from astragal.chance import Question, odds
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.narraject.hand import Hand, Source, Term, roll_hand
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.new_shoes.rules import Result, approach
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.six_pool.attacks import attack
from astragal.rulesets.six_pool.contests import Contender, contest
from astragal.rulesets.six_pool.rolls import check
from astragal.surfaces.cli.table_view import plain_preview
from astragal.surfaces.cli.terminal import in_json
from astragal.surfaces.shared.odds import exact_preview, read_chance
from astragal.surfaces.web.routes.api_schemas import chances_of
from astragal.table.preview import Preview, span_words
from tests.rulesets.at_table import AtTable
from tests.rulesets.narraject.playing import KIRA, SHOT
from tests.rulesets.new_shoes.playing import Playing as InNewShoes
from tests.rulesets.six_pool.conftest import lay

Shown = tuple[AtTable[Any], Preview]


def sinew_steel(folder: Path, command: str, number: int) -> Shown:
    """Kira against a guard of this score."""
    table: AtTable[Any] = AtTable.opened(folder, SINEW_STEEL, "The Gorge", options={"build_points": 16})
    table.act("Bo", "make_hero", name="Kira", scores={"MGT": 14})
    table.act("Ada", "make_npc", name="Guard", score=number)
    fields = {"attribute": "MGT", "defence_attribute": "MGT", "stakes": "the gate"} if command == "opposed_test" else {}
    return table, table.preview("Bo", command, attacker="Kira", defender="Guard", **fields)


def sinew_steel_armour(folder: Path, number: int) -> Shown:
    """Kira against a guard whose armour soaks so much."""
    table: AtTable[Any] = AtTable.opened(folder, SINEW_STEEL, "The Gorge", options={"build_points": 16})
    table.act("Bo", "make_hero", name="Kira", scores={"MGT": 14})
    table.act("Ada", "make_npc", name="Guard", score=10, gear=[{"name": "coat", "soak": number}])
    return table, table.preview("Bo", "attack", attacker="Kira", defender="Guard")


def asked(table: AtTable[Any], command: str, difficulty: int, **fields: Any) -> str:
    """A request whose difficulty is hidden."""
    wanted = {"who": "Kira", "command": command, "difficulty": difficulty, "hidden": True, "fields": fields}
    return str(table.told(table.act("Ada", "request_roll", **wanted), "roll_requested")["request"]["id"])


def narraject(folder: Path, number: int) -> Shown:
    table: AtTable[Any] = AtTable.opened(folder, NARRAJECT, "Rooftops")
    table.act("Bo", "make_hero", **KIRA)
    return table, table.preview("Bo", "attempt", **SHOT, request=asked(table, "attempt", number))


def new_shoes(folder: Path, number: int) -> Shown:
    table = InNewShoes.opened(folder, NEW_SHOES, "The Bridge")
    table.act("Bo", "make_hero", name="Kira", body=4, mind=3, will=3)
    table.status("moonlight", 1)
    table.approach("Kira", "mind", number, hidden=True)
    return table, table.preview("Bo", "roll_approach", who="Kira")


def six_pool_check(folder: Path, number: int) -> Shown:
    table = lay(folder)
    request = asked(table, "check", number, skill="stealth")
    return table, table.preview("Bo", "check", who="Kira", skill="stealth", request=request)


def six_pool_attack(folder: Path, number: int) -> Shown:
    table = lay(folder)
    table.act("Ada", "make_npc", name="Watch", armour=number - 10)
    return table, table.preview("Bo", "attack", who="Kira", target="Watch")


def six_pool_contest(folder: Path, number: int) -> Shown:
    table = lay(folder)
    table.act("Ada", "make_npc", name="Watch", level=number, training={"perception": "master"})
    return table, table.preview("Bo", "contest", who="Kira", against="Watch", contest="stealth")


CASES: dict[str, tuple[Callable[[Path, int], Shown], tuple[int, int], list[str]]] = {
    "an attack of Sinew & Steel": (
        lambda folder, number: sinew_steel(folder, "attack", number),
        (3, 18),
        ["37–68 %, 56 % against 10", "54–90 %, 82 % against 10"],
    ),
    "an opposed test of Sinew & Steel": (
        lambda folder, number: sinew_steel(folder, "opposed_test", number),
        (3, 18),
        ["37–68 %, 56 % against 10", "43–89 %, 70 % against 10"],
    ),
    "an attack on armour of Sinew & Steel": (sinew_steel_armour, (0, 3), ["37–68 %, 56 % against 10"]),
    "an intent of Narraject": (narraject, (1, 9), ["0–70 %, 4 % against 3"]),
    "an approach of New Shoes": (new_shoes, (5, 19), ["14–100 %, 57 % against 12"]),
    "a check of Six-Pool": (six_pool_check, (6, 29), ["5–95 %, 35 % against 17"]),
    "an attack of Six-Pool": (six_pool_attack, (11, 25), ["15–65 %, 40 % against 15"]),
    "a contest of Six-Pool": (six_pool_contest, (1, 20), ["20–62 %, 38 % against a bonus of 5"]),
}


@pytest.mark.parametrize("case", CASES)
def test_two_tables_that_differ_in_a_hidden_number_show_the_same_to_the_byte(case: str, tmp_path: Path) -> None:
    shown, known = [], []
    laid, numbers, _ = CASES[case]
    for number in numbers:
        folder = tmp_path / str(number)
        folder.mkdir()
        _, preview = laid(folder, number)
        shown.append(
            in_json(plain_preview(preview, read_chance("75%"))) + in_json(exact_preview(preview, None, chances_of))
        )
        known.append(preview)
    assert shown[0] == shown[1]
    assert known[0] == known[1]


@pytest.mark.parametrize("case", CASES)
def test_a_preview_against_a_hidden_number_is_a_span_and_a_likely_figure(case: str, tmp_path: Path) -> None:
    laid, (number, _), words = CASES[case]
    _, preview = laid(tmp_path, number)
    assert all(one.span is not None for one in preview.cases)
    assert [span_words(one.span) for one in preview.cases if one.span][: len(words)] == words


HANDS = Hand((Term(Source.RATING, 4, "agility"),))
FALLING: dict[str, tuple[range, Callable[[int], Question[Any]], Callable[[Any], bool]]] = {
    "successes of Narraject": (range(13), lambda number: roll_hand(HANDS, number), lambda it: it.success),
    "a target of New Shoes": (
        range(4, 21),
        lambda number: approach(3, number, 1),
        lambda it: it.result is not Result.FAILURE,
    ),
    "a difficulty of Six-Pool": (range(1, 41), lambda number: check(number, 4), lambda it: it.success),
    "an Armour Class of Six-Pool": (range(1, 41), lambda number: attack(number, 4), lambda it: it.roll.success),
    "a bonus of Six-Pool": (
        range(11),
        lambda number: contest(Contender(3), Contender(number)),
        lambda it: it.margin > 0,
    ),
}


@pytest.mark.parametrize("case", FALLING)
def test_the_chance_falls_as_the_hidden_number_rises(case: str) -> None:
    """NJ-24, NS-16, SP-21: so a span lies between the chances at the two ends of what is usual."""
    numbers, asks, succeeds = FALLING[case]
    chances = [odds(asks(number)).chance(succeeds) for number in numbers]
    assert chances == sorted(chances, reverse=True)
