"""`astragal odds GAME RULE`: exact, as a picture, a file, a table over parameters."""

import csv
import io
import json
from inspect import signature
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree as ET

import pytest
from annotated_types import Ge, Le
from msgspec.structs import replace

from astragal.chance import Rolls, d6, rule
from astragal.surfaces.cli.commands.odds import odds
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.errors import BadCall
from astragal.wiring import host_of, installed_rulesets, store_at
from tests.surfaces.cli.conftest import Run
from tests.surfaces.cli.daring import DARING

LEAP = ("odds", "dare", "leap")


@rule
def parley(side: Annotated[int, Ge(1), Le(2)]) -> Rolls[bool]:
    """A d6 above the number of one's side of the table."""
    return (yield from d6) > side


def test_a_rule_is_asked_with_its_own_parameters(here: Run) -> None:
    told = here(*LEAP, "--danger", "5", "--nerve", "2").stdout.splitlines()
    assert told[0] == "leap: danger 5, nerve 2"
    assert told[1].startswith("DARE-01: a d6 that reaches the danger makes it")
    assert "Counted by made it" in told[2]
    assert told[4].split() == [" no".strip(), "66.7%", told[4].split()[2], "2/3"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--vary", "nerve=0..4", "--reach", "50%"), "nerve 1 is the first to reach 50 %: 50 %."),
        (("--vary", "nerve=0..2", "--reach", "90%"), "None of these reaches 90 %: the best is 66.7 %, with nerve 2."),
        (
            ("--vary", "nerve=0,2", "--reach", "50%", "--json"),
            '{"wanted":"1/2","nerve":2,"chance":"2/3","best":{"nerve":2}}',
        ),
    ],
)
def test_the_first_value_that_reaches_a_chance(here: Run, words: tuple[str, ...], told: str) -> None:
    """NJ-24, SP-21: the price of a chance, of any rule and any parameter."""
    assert here(*LEAP, "--danger", "5", "--policy", "best", *words).stdout.strip() == told


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--reach", "50%"), "add --vary"),
        (("--vary", "nerve=0..4", "--vary", "danger=1..6", "--reach", "50%"), "one parameter"),
        (("--vary", "nerve=0..4", "--reach", "half"), "written as 75%"),
    ],
)
def test_a_reach_that_can_not_be_is_refused(here: Run, words: tuple[str, ...], fault: str) -> None:
    assert fault in here(*LEAP, "--danger", "5", *words).stderr


def test_the_rules_are_listed_and_explained(here: Run) -> None:
    assert "leap  DARE-01" in here("odds", "dare").stdout
    helped = here(*LEAP, "--help").stdout
    assert "--danger NUMBER\n    1 to 10" in helped


def test_programs_get_exact_fractions(here: Run) -> None:
    found = json.loads(here(*LEAP, "danger=5", "nerve=0", "--json").stdout)
    assert found["outcomes"] == [
        {"outcome": "no", "exactly": "2/3", "percent": 66.666667},
        {"outcome": "yes", "exactly": "1/3", "percent": 33.333333},
    ]
    rows = list(csv.DictReader(io.StringIO(here(*LEAP, "danger=5", "nerve=0", "--of", "face", "--csv").stdout)))
    assert [row["exactly"] for row in rows] == ["1/6"] * 6
    assert here(*LEAP, "danger=6", "nerve=0", "--markdown").stdout.splitlines()[3] == "| yes | 16.7% | 1/6 |"


def test_every_part_of_a_verdict_can_be_seen(here: Run) -> None:
    told = here(*LEAP, "danger=2", "nerve=0", "--of", "all").stdout
    assert "face 1, spent 0, danger 2" in told
    refused = here(*LEAP, "danger=2", "nerve=0", "--of", "colour")
    assert (refused.returncode, "face, spent, danger, made_it" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("sinew_steel opposed_test --attacker 12 --defender 8", "winner"),
        ("six_pool check --bonus 5 --dc 15", "degree"),
        ("six_pool contest", "outcome"),
        ("new_shoes approach --dice 3 --target 8", "result"),
    ],
)
def test_the_part_that_says_how_it_went_is_counted(here: Run, rule: str, part: str) -> None:
    """What is the same in every verdict says nothing, and of several words the one that the others lead to counts."""
    assert f"Counted by {part}; --of names another part" in here("odds", *rule.split()).stdout


def test_a_verdict_of_several_values_is_said_in_words(here: Run) -> None:
    told = here("odds", "sinew_steel", "crisis").stdout
    assert "results 1, 2" in told
    assert "<" not in told


def test_what_takes_a_list_of_things_shows_its_form(here: Run) -> None:
    helped = here("odds", "narraject", "roll_hand", "--help").stdout
    assert '--hand {"terms":[{"source":…,"dice":…,"name":…}],"idle":…}' in helped
    hand = '{"terms":[{"source":"rating","dice":5}]}'
    found = json.loads(here("odds", "narraject", "roll_hand", "--difficulty", "2", "--hand", hand, "--json").stdout)
    assert {one["outcome"]: one["exactly"] for one in found["outcomes"]}["success"] == "131/243"


def test_a_word_without_a_field_is_answered_with_those_it_could_be_for(here: Run) -> None:
    refused = here("odds", "sinew_steel", "opposed_test", "12", "8")
    assert refused.returncode == 2
    assert "Write --attacker 12 or --defender 12." in refused.stderr


def test_decisions_are_declined_or_taken_for_the_best(here: Run) -> None:
    declined = json.loads(here(*LEAP, "danger=5", "nerve=2", "--json").stdout)
    best = json.loads(here(*LEAP, "danger=5", "nerve=2", "--policy", "best", "--json").stdout)
    aimed = json.loads(here(*LEAP, "danger=5", "nerve=2", "--policy", "best", "--goal", "no", "--json").stdout)
    yes = [one["outcomes"][-1]["exactly"] for one in (declined, best, aimed)]
    assert yes == ["1/3", "2/3", "1/3"]


def test_a_parameter_is_varied_in_a_table(here: Run) -> None:
    told = here(*LEAP, "--vary", "danger=3..6", "--nerve", "0").stdout.splitlines()
    assert told[0].split() == ["danger", "no", "yes"]
    assert told[-1].split() == ["6", "83.3%", "16.7%"]


def test_two_parameters_make_a_square(here: Run) -> None:
    words = ("--vary", "danger=5,6", "--vary", "nerve=0..1", "--policy", "best", "--csv")
    assert here(*LEAP, *words).stdout.splitlines() == [r"danger \ nerve,0,1", "5,33.3,50.0", "6,16.7,33.3"]
    points = json.loads(here(*LEAP, *words[:-1], "--json").stdout)["points"]
    assert points[-1]["at"] == {"danger": 6, "nerve": 1}
    assert points[-1]["outcomes"][-1]["exactly"] == "1/3"


def test_many_points_are_those_that_are_weighed_one_by_one(here: Run) -> None:
    asked = json.loads(here(*LEAP, "--vary", "danger=1..10", "--vary", "nerve=0..6", "--of", "all", "--json").stdout)
    assert len(asked["points"]) == 70
    for point in (asked["points"][0], asked["points"][37], asked["points"][69]):
        given = [f"{name}={number}" for name, number in point["at"].items()]
        assert point["outcomes"] == json.loads(here(*LEAP, *given, "--of", "all", "--json").stdout)["outcomes"]


def test_a_picture_is_a_file_that_can_be_read(here: Run, tmp_path: Path) -> None:
    picture = tmp_path / "leap.svg"
    assert here(*LEAP, "danger=5", "nerve=2", "--svg", str(picture)).returncode == 0
    drawn = ET.fromstring(picture.read_text("utf-8"))  # noqa: S314 - our own picture
    assert len(drawn.findall("{http://www.w3.org/2000/svg}rect")) == 2
    assert "66.7%" in picture.read_text("utf-8")
    assert here("odds", "2d6", "--svg", str(picture)).returncode == 2  # nothing is drawn over
    assert here("odds", "2d6", "--svg", str(tmp_path / "dice.svg")).returncode == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("odds", "chess", "mate"), 2, "There is no game 'chess'"),
        (("odds", "dare", "jump"), 2, "Dare has no rule 'jump'; there are leap"),
        ((*LEAP,), 1, "danger is missing; nerve is missing"),
        ((*LEAP, "danger=11", "nerve=0"), 1, "danger must be at most 10"),
        ((*LEAP, "--height", "3"), 2, "There is no field --height"),
        ((*LEAP, "--vary", "danger"), 2, "such as score=6..16"),
        ((*LEAP, "--vary", "danger=9..3"), 2, "A range goes up"),
        ((*LEAP, "--vary", "danger=1..999999"), 2, "at most 2,000"),
        ((*LEAP, "--vary", "danger=1..10"), 1, "nerve is missing"),
        ((*LEAP, "--vary", "danger=1..300", "--vary", "nerve=1..7"), 2, "at most 2,000"),
        ((*LEAP, "--vary", "danger=1..11", "nerve=1"), 1, "danger must be at most 10"),
        ((*LEAP, "--vary", "danger=1..2", "--vary", "danger=1..2"), 2, "two different parameters"),
        ((*LEAP, "danger=5", "nerve=1", "--policy", "hope"), 2, "There is no policy 'hope'; there are decline, best"),
        ((*LEAP, "danger=5", "nerve=1", "--policy", "best", "--goal", "glory"), 2, "'glory' is no outcome here"),
        ((*LEAP, "danger=5", "nerve=1", "--policy", "best", "--side", "them"), 2, "'them' decides nothing here"),
        ((*LEAP, "danger=5", "nerve=1", "--goal", "no"), 2, "--goal needs --policy best"),
        ((*LEAP, "danger=5", "nerve=1", "--side", "hero"), 2, "--side needs --policy best"),
        ((*LEAP, "--vary", "danger=4..5", "nerve=1", "--goal", "no"), 2, "needs --policy best"),
        (("odds", "dare", "--json"), 2, "Which rule of Dare? --json is about the odds of one."),
        (("odds", "2d6", "--vary", "x=1..2"), 2, "are for the rules of a game"),
    ],
)
def test_what_can_not_be_asked_is_said(here: Run, words: tuple[str, ...], code: int, said: str) -> None:
    done = here(*words)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_parameter_that_is_called_aim_reaches_its_rule(here: Run) -> None:
    attack = ("odds", "sinew_steel", "attack", "--attacker", "12", "--defender", "10", "--of", "damage")
    bare, edged = here(*attack), here(*attack, "--aim", "edge=2")
    assert (bare.returncode, edged.returncode) == (0, 0), edged.stderr
    assert "edge 2" in edged.stdout.splitlines()[0]
    assert edged.stdout == here(*attack, "aim=edge=2").stdout
    assert edged.stdout.splitlines()[4:] != bare.stdout.splitlines()[4:]


def test_no_option_of_the_terminal_is_called_like_a_parameter_of_any_rule() -> None:
    options = {name for name in signature(odds).parameters if name not in ("words", "context")}
    context = Context(installed_rulesets, store_at, host_of)
    asked = {
        (game, rule.name, name)
        for game in context.games
        for rule in context.game(game).rules
        for name in rule.parameters
    }
    assert len(context.games) >= 4
    assert not {one for one in asked if one[2] in options}


def test_an_option_never_takes_what_a_stranger_s_rule_calls_the_same() -> None:
    talk = replace(DARING, id="talk", rules=(parley,))
    context = Context(lambda: {"talk": lambda: talk}, store_at, host_of)
    with pytest.raises(BadCall, match="parley has a parameter 'side': write side=VALUE; --side is an option"):
        odds("talk", "parley", side="2", context=context)
    odds("talk", "parley", "side=2", json=True, context=context)


def test_a_book_s_tables_are_worked_out_anew(here: Run) -> None:
    assert here("tables", "dare").stdout.splitlines()[:3] == [
        "Chances to make it, in percent",
        "danger  made it",
        "     1      100",
    ]
    assert json.loads(here("tables", "dare", "chances", "--json").stdout)["chances"]["rows"][-1] == ["6", "17"]
    assert "|---:|---:|" in here("tables", "dare", "--markdown").stdout
    assert here("tables", "dare", "weather").returncode == 2


@pytest.mark.parametrize(("target", "beaten"), [("25", "0.64%"), ("2", "97.2%"), ("-3", "100.0%")])
def test_a_target_beyond_the_usual_has_odds(here: Run, target: str, beaten: str) -> None:
    """NS-02: any whole number is allowed, outside 4 to 20 too."""
    done = here("odds", "new_shoes", "approach", "--dice", "2", f"--target={target}")
    assert done.returncode == 0, done.stderr
    assert beaten in done.stdout
