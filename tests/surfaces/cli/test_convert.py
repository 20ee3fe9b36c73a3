"""`astragal convert`: the same chance in other games' numbers."""

import json

from tests.surfaces.cli.conftest import Run


def test_a_point_is_converted_to_every_other_game(here: Run) -> None:
    said = here("convert", "sinew_steel", "score=12").stdout.splitlines()
    assert said[0] == "a score of 12 in Sinew & Steel (60.0%)"
    assert [line.split("  ")[1] for line in said[1:]] == ["Narraject", "New Shoes", "Six-Pool d20"]


def test_a_number_that_a_hero_has_is_kept_in_a_conversion(here: Run) -> None:
    said = here("convert", "sinew-steel", "score=12", "--with", "narraject.dice=5", "--to", "narraject", "--json")
    found = json.loads(said.stdout)
    assert found["of"]["exactly"] == "3/5"
    assert [one["numbers"] for one in found["nearest"]] == [{"difficulty": 2, "dice": 5}]
    assert found["nearest"][0]["exactly"] == "131/243"


def test_what_is_not_said_makes_a_table(here: Run) -> None:
    said = here("convert", "six_pool", "bonus=5", "--to", "sinew_steel").stdout.splitlines()
    assert said[0].split("  ") == ["Six-Pool d20: a DC of … with a bonus of 5", "Sinew & Steel: a score of …"]
    assert said[2].split() == ["10", "(80.0%)", "16", "(80.0%)"]


def test_a_wrong_number_is_named_with_what_is_possible(here: Run) -> None:
    for words, code, sentence in (
        (("sinew_steel", "score=99"), 1, "'score' of Sinew & Steel goes from 0 to 20, and 99 is outside."),
        (("sinew_steel", "score"), 2, "Write a number as NAME=NUMBER, such as score=12, not 'score'."),
        (("sinew_steel", "score=1", "--with", "dice=5"), 2, "--with takes GAME.NAME=NUMBER"),
        (("six_pool",), 2, "That would be a table of 840 rows. Add dc=… or bonus=…"),
        (("dare", "danger=1"), 1, "No measure of 'dare' is known"),
    ):
        told = here("convert", *words)
        assert told.returncode == code, words
        assert sentence in told.stderr
