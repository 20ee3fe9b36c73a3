"""`astragal do`, `answer`, `preview`: commands read by their own definitions."""

import json

import pytest

from tests.surfaces.cli.conftest import Run


@pytest.mark.parametrize(
    "said",
    [
        ("dare", "--who", "kira", "--danger", "1"),
        ("dare", "--who=kira", "--danger=1"),
        ("dare", "who=Kira", "danger=1"),
        ("dare", "--dang", "1", "--who", "KIRA"),
        ("dare", '{"who": "Kira", "danger": 1}'),
        ("dare who=Kira 1",),
    ],
)
def test_fields_are_said_in_any_of_the_usual_ways(cliff: Run, said: tuple[str, ...]) -> None:
    done = cliff("do", "cliff", *said, "--as", "Bo")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Kira dares: True")


def test_an_outcome_for_programs_has_its_events_and_its_receipt(cliff: Run) -> None:
    done = json.loads(cliff("do", "cliff", "dare", "who=Kira", "danger=1", "--as", "Bo", "--json").stdout)
    assert [event["name"] for event in done["events"]] == ["rolled", "dared"]
    assert done["events"][0]["fields"]["dice"][0]["source"] == "fair"
    assert len(done["receipt"][1]) == 64


def test_the_same_id_is_done_once(cliff: Run) -> None:
    words = ("do", "cliff", "dare", "who=Kira", "danger=1", "--id", "once", "--json")
    assert cliff(*words).stdout == cliff(*words).stdout
    assert cliff("table", "log", "cliff").stdout.count("Kira dares") == 1


def test_what_can_be_asked_for_is_listed_for_the_role(cliff: Run) -> None:
    player, master = (cliff("do", "cliff", "--as", seat).stdout for seat in ("Bo", "Ada"))
    assert "  dare " in player
    assert "take_seat" not in player
    assert "take_seat" in master


def test_help_on_a_command_comes_from_its_definition(cliff: Run) -> None:
    helped = cliff("do", "cliff", "dare", "--help").stdout
    for said in ("Roll a d6 to reach the danger", "--who CHARACTER", "who dares", "what to reach; 1 to 10; default: 4"):
        assert said in helped
    assert max(map(len, helped.splitlines())) <= 80


@pytest.mark.parametrize(
    ("said", "code", "sentence"),
    [
        (("dare", "--who", "Lund", "--as", "Bo"), 1, "That character is somebody else's."),
        (("dare", "--who", "Kira", "--danger", "many"), 1, "danger must be a whole number, not 'many'"),
        (("dare", "--danger", "0"), 1, "who is missing: write who=Kira, or Lund; danger must be at least 1, not 0"),
        (("dare", "--colour", "red"), 2, "There is no field --colour; the fields are --who, --danger."),
        (("dare", "red"), 2, "I don't know what 'red' means here. Write who=Kira, or Lund."),
        (("dare", "--who"), 2, "--who needs a value."),
        (("fly",), 2, "This table has no command 'fly'. astragal do TABLE lists what there is."),
        (("drae",), 2, "This table has no command 'drae'. Did you mean dare?"),
        (("dance round the fire",), 2, "This table has no command 'dance'."),
        (("take_seat", "name=Eve", "--as", "Bo"), 1, "Only the game master can take seat."),
        (("dare", "{"), 2, "That is not JSON"),
    ],
)
def test_a_refusal_is_a_sentence_and_a_code(cliff: Run, said: tuple[str, ...], code: int, sentence: str) -> None:
    done = cliff("do", "cliff", *said)
    assert done.returncode == code
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_refusal_for_programs_is_json_with_its_code(cliff: Run) -> None:
    done = cliff("do", "cliff", "dare", "--who", "Lund", "--as", "Bo", "--json")
    assert json.loads(done.stdout) == {"code": "not_yours", "sentence": "That character is somebody else's."}
    assert done.returncode == 1
    assert json.loads(cliff("table", "log", "nowhere", "--json").stdout)["code"] == "not_understood"


def test_a_roll_behind_the_screen_leaves_a_closed_card(cliff: Run) -> None:
    assert cliff("do", "cliff", "dare", "who=Kira", "danger=1", "--hidden").returncode == 0
    assert "keeps it hidden" in cliff("table", "log", "cliff", "--as", "Bo").stdout
    assert cliff("do", "cliff", "dare", "who=Kira", "danger=1", "--secret").returncode == 0
    assert cliff("table", "log", "cliff", "--as", "Bo").stdout.count("keeps it hidden") == 1
    assert cliff("do", "cliff", "dare", "who=Kira", "--hidden", "--as", "Bo").returncode == 1


def test_a_flag_that_names_a_field_of_the_command_is_that_field(cliff: Run) -> None:
    words = ("request_roll", "who=Kira", "command=dare", "difficulty=5", "--hidden", "--json")
    events = json.loads(cliff("do", "cliff", *words).stdout)["events"]
    assert events[0]["fields"]["request"]["hidden"] is True
    assert "asked to dare" in cliff("table", "log", "cliff", "--as", "Bo").stdout


def test_dice_by_hand_are_asked_for_and_entered(here: Run) -> None:
    here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--house", "hand_dice=yes")
    here("do", "cliff", "join", "name=Kira")
    asked = here("do", "cliff", "dare", "who=Kira", "danger=9", "--by-hand")
    assert "throw d6 for dare, and enter the faces in order" in asked.stdout
    assert "Enter the faces of d6" in here("answer", "cliff", "soon").stderr
    assert "Kira dares: False" in here("answer", "cliff", "3").stdout


def test_a_decision_is_shown_with_its_answers_and_their_odds_and_then_taken(here: Run) -> None:
    here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo", "--house", "hand_dice=yes")
    here("do", "cliff", "join", "name=Kira", "--as", "Bo")
    assert here("answer", "cliff", "--as", "Bo").stdout == "Nothing waits for this seat.\n"
    here("do", "cliff", "dare", "who=Kira", "danger=4", "--by-hand", "--as", "Bo")
    waits = here("answer", "cliff", "2", "--as", "Bo").stdout
    assert "Kira decides (dare): nerve" in waits
    shown = json.loads(here("answer", "cliff", "--as", "Bo", "--json").stdout)
    assert [(one["answer"], one["odds"]) for one in shown[0]["answers"]] == [
        (0, [{"outcome": "no", "exactly": "1", "percent": 100.0}]),
        (2, [{"outcome": "yes", "exactly": "1", "percent": 100.0}]),
    ]
    refused = here("answer", "cliff", "1", "--as", "Bo")
    assert (refused.returncode, refused.stderr) == (2, "astragal: '1' is no answer to 'nerve'; answer one of 0, 2.\n")
    assert "Kira dares: True" in here("answer", "cliff", "spend", "2", "--as", "Bo").stdout


def test_a_preview_is_exact_and_changes_nothing(cliff: Run) -> None:
    before = cliff("table", "log", "cliff").stdout
    assert "no  50.0%" in cliff("preview", "cliff", "dare", "who=Kira", "danger=4", "--as", "Bo").stdout
    found = json.loads(cliff("preview", "cliff", "dare", "who=Kira", "danger=4", "--json").stdout)
    assert [row["exactly"] for row in found["cases"][0]["odds"]] == ["1/2", "1/2"]
    assert cliff("preview", "cliff", "say", "words=Hello").stdout == "Nothing is rolled for that.\n"
    assert cliff("table", "log", "cliff").stdout == before


def test_a_preview_says_what_reaches_a_chance(cliff: Run) -> None:
    """NJ-24, SP-21: the fewest points, or that there is nothing to spend."""
    asked = ("preview", "cliff", "dare", "who=Kira", "danger=4", "--as", "Bo", "--reach")
    told = cliff(*asked, "75%").stdout
    assert told.splitlines()[-1] == "75 % is not reached: 50 %, and there is nothing to spend."
    found = json.loads(cliff(*asked, "1/2", "--json").stdout)["reach"]
    assert (found["points"], found["chance"], found["wanted"]) == (0, "1/2", "1/2")
    refused = cliff(*asked, "often")
    assert (refused.returncode, refused.stderr) == (1, "astragal: A chance is 0 to 100 %, written as 75% or 3/4.\n")


def test_against_closed_numbers_a_preview_is_a_span_and_a_likely_figure(here: Run) -> None:
    """SS-68: two lines, not one for each score that it could be; the game master knows the score."""
    here("table", "new", "sinew_steel", "The Gorge", "--gm", "Ada", "--player", "Bo")
    here("do", "gorge", "make_hero", "name=Kira", "--as", "Bo")
    here("do", "gorge", "make_npc", "name=Guard", "score=14")
    asked = ("preview", "gorge", "attack", "attacker=Kira", "defender=Guard", "guard=dodge")
    told = here(*asked, "--as", "Bo", "--reach", "50%").stdout.splitlines()
    assert told[:2] == ["attack", "  as it falls: 21–48 %, 36 % against 10"]
    assert told[3].startswith("  by Luck spent after the roll: 0 36.2 %, 1 ")
    assert told[4].startswith("To reach 50 %, spend up to ")
    case = json.loads(here(*asked, "--as", "Bo", "--json").stdout)["cases"][0]
    assert case["span"] == {"low": "17/80", "likely": "29/80", "high": "19/40", "against": 10}
    known = here(*asked).stdout
    assert known.splitlines()[:2] == ["attack", "  The attacker’s score: 10"]
    assert "  The defender’s score: 14\n" in known
    assert "against 10" not in known


def test_where_nobody_is_there_yet_the_command_that_brings_somebody_in_is_named(here: Run) -> None:
    here("table", "new", "sinew_steel", "The Gorge")
    refused = here("do", "gorge", "test", "attribute=MGT").stderr
    assert "who is missing, and there is no character here yet: make_hero brings one in" in refused


def test_where_there_is_no_table_yet_the_command_that_opens_one_is_named(here: Run) -> None:
    assert "There is none yet. astragal table new opens one" in here("do", "gorge", "rest").stderr


def test_a_scene_ends_when_it_is_said_which_closed_rolls_stay_sealed(cliff: Run) -> None:
    cliff("do", "cliff", "improvise_scene", "title=The cliff")
    for _ in range(2):  # a danger of 10 is out of reach: nothing to decide
        cliff("do", "cliff", "dare", "who=Kira", "danger=10", "--hidden")
    refused = cliff("do", "cliff", "end_scene")
    assert refused.returncode == 1
    assert "Ending the scene opens 2 closed rolls for everyone: dare: Kira (" in refused.stderr
    kept = refused.stderr.partition("everyone: ")[2].partition(";")[0]
    assert cliff("do", "cliff", "end_scene", "--keep", kept).returncode == 0
    assert "keeps it hidden" in cliff("table", "log", "cliff", "--as", "Bo").stdout


def test_a_secret_roll_is_shown_to_the_game_master_and_revealed_by_its_name(cliff: Run) -> None:
    cliff("do", "cliff", "dare", "who=Kira", "danger=10", "--secret")
    assert "sealed roll: dare: Kira (" in cliff("table", "show", "cliff").stdout
    assert "dare: Kira (" not in cliff("table", "show", "cliff", "--as", "Bo").stdout
    assert "what was hidden is revealed" in cliff("do", "cliff", "reveal", "act=dare: Kira").stdout


def test_none_keeps_no_closed_roll_sealed(cliff: Run) -> None:
    cliff("do", "cliff", "improvise_scene", "title=The cliff")
    cliff("do", "cliff", "dare", "who=Kira", "danger=10", "--hidden")
    assert "what was hidden is revealed" in cliff("do", "cliff", "end_scene", "keep=none").stdout
