"""Settings files of any game: every fault at once, each with its line and column."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Le, MaxLen, MinLen

from astragal.table.declarations import Value
from astragal.table.fields.definitions import Apart, OneLine, Tidy
from astragal.table.fields.json_schema import schema_of
from astragal.table.fields.shapes import Spelled
from astragal.table.fields.validation import Problem, read
from astragal.table.refusals import BadFields
from astragal.table.settings import Document, FaultyFile, Place, decoded, read_toml
from astragal.table.settings.yaml_files import read_yaml

Word = Annotated[str, MinLen(1), MaxLen(12), OneLine()]
Code = Annotated[str, Spelled("[A-Z]{2}", "two capital letters")]


class Lantern(Value):
    """Something that gives light."""

    name: Word
    oil: Annotated[int, Ge(0), Le(6)]
    lit: bool = False


class House(Value):
    """Where lanterns hang."""

    name: Word
    story: Annotated[str, MaxLen(80), Tidy()] = ""
    mood: Literal["calm", "wild"] | None = None
    lanterns: Annotated[tuple[Lantern, ...], MinLen(1), MaxLen(3), Apart(("name",))]
    codes: Mapping[Code, Annotated[int, Ge(0), Le(9)]] = {}


TOML = """
name = "The Mill"
mood = "calm"
story = '''
  An old
mill.   '''

[[lanterns]]
name = "Ada"
oil = 3

[[lanterns]]
name = "Bo"
oil = 4
lit = true

[codes]
AB = 1
"""
YAML = """
name: The Mill
mood: calm
story: "  An old\\nmill.   "
lanterns:
  - {name: Ada, oil: 3}
  - name: Bo
    oil: 4
    lit: true
codes: {AB: 1}
"""
JSON = """
{"name": "The Mill", "mood": "calm", "story": "An old\\nmill.",
 "lanterns": [{"name": "Ada", "oil": 3}, {"name": "Bo", "oil": 4, "lit": true}],
 "codes": {"AB": 1}}
"""
MILL = House(
    name="The Mill",
    story="An old\nmill.",
    mood="calm",
    lanterns=(Lantern(name="Ada", oil=3), Lantern(name="Bo", oil=4, lit=True)),
    codes={"AB": 1},
)
READS: Mapping[str, tuple[Callable[[str, str], Document], str]] = {
    "x.toml": (read_toml, TOML),
    "x.yaml": (read_yaml, YAML),
    "x.json": (read_yaml, JSON),
}


@pytest.mark.parametrize("where", READS)
def test_toml_yaml_and_json_describe_the_same_value(where: str) -> None:
    reads, text = READS[where]
    assert reads(text, where).read(House) == MILL


@pytest.mark.parametrize("where", READS)
def test_every_fault_is_told_at_its_own_place_whatever_the_language_of_the_file(where: str) -> None:
    reads, text = READS[where]
    text = re.sub('(oil[ =:"]+)3', r"\g<1>9", text)
    text = text.replace("Bo", "ada").replace("calm", "angry").replace("AB", "ab").replace("lit", "bright")
    with pytest.raises(FaultyFile) as refused:
        reads(text, where).read(House)
    assert sorted((fault.wrong, fault.expected) for fault in refused.value.faults) == [
        ('codes.ab is "ab"', "two capital letters"),
        ("lanterns[1].oil is 9", "a whole number from 0 to 6"),
        ('lanterns[2].name "ada" looks like lanterns[1].name', "names that can be told apart"),
        ('mood is "angry"', 'one of "calm", "wild"'),
        ("there is no lanterns[2].bright", "one of name, oil, lit"),
    ]
    lines = text.split("\n")
    pointed = {fault.wrong: lines[fault.place.line - 1][fault.place.column - 1 :] for fault in refused.value.faults}
    assert pointed["lanterns[1].oil is 9"].startswith("9")
    assert pointed['mood is "angry"'].lstrip('"').startswith("angry")
    assert pointed["there is no lanterns[2].bright"].lstrip('"').startswith("bright")
    assert [fault.place for fault in refused.value.faults] == sorted(fault.place for fault in refused.value.faults)


def test_a_game_says_which_parts_do_not_fit_beside_all_other_faults() -> None:
    def too_much_oil(raw: Mapping[str, Any]) -> list[Problem]:
        oil = sum(one["oil"] for one in raw["lanterns"])
        return [Problem(("lanterns",), f"there is {oil} oil", "at most 6 in all")] if oil > 6 else []

    with pytest.raises(FaultyFile) as refused:
        read_toml(TOML.replace("oil = 3", "oil = 7"), "x.toml").read(House, too_much_oil)
    assert list(map(str, refused.value.faults)) == [
        "x.toml:8:1: there is 11 oil; expected at most 6 in all",
        "x.toml:10:7: lanterns[1].oil is 7; expected a whole number from 0 to 6",
    ]


@pytest.mark.parametrize("text", ["[1, 2]", "", "just words", "3"])
def test_a_file_that_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(FaultyFile, match=r"the file is .*; expected a table with name, lanterns"):
        read_yaml(text, "x.yaml").read(House)


def test_keys_given_twice_are_told_beside_other_faults_in_yaml() -> None:
    with pytest.raises(FaultyFile) as refused:
        read_yaml(JSON.replace('"oil": 3', '"oil": 3, "oil": 8'), "x.json").read(House)
    assert [fault.wrong for fault in refused.value.faults] == [
        "lanterns[1].oil is given twice",
        "lanterns[1].oil is 8",
    ]


def test_words_of_yaml_that_are_none_of_json_stay_text() -> None:
    document = read_yaml('[no, NO, 12, "12", 0x1F, 1:30, .nan, NaN, true, null, 99999999999999999999]', "x.yaml")
    said = ["no", "NO", 12, "12", "0x1F", "1:30", ".nan", "NaN", True, None, "99999999999999999999"]
    assert document.value == said


@pytest.mark.parametrize(
    ("data", "place"),
    [(b"a = 1\n\xff", Place(2, 1)), ("é = '".encode() + b"\xe9'", Place(1, 6)), ("a".encode("utf-16"), Place(1, 1))],
)
def test_what_is_not_utf_8_is_refused_with_the_place_of_its_first_byte(data: bytes, place: Place) -> None:
    with pytest.raises(FaultyFile, match="is not UTF-8; expected text in UTF-8") as refused:
        decoded(data, "x.toml")
    assert refused.value.faults[0].place == place


def test_the_same_definition_reads_a_command_and_says_what_is_wrong_in_the_words_of_one() -> None:
    with pytest.raises(BadFields) as refused:
        read(House, {"name": "a\u202eb", "lanterns": [], "mood": "angry", "codes": {"ab": 1}, "hat": 1})
    assert refused.value.problems == (
        "there is no field 'hat'",
        "name holds a sign that can't be shown: U+202E RIGHT-TO-LEFT OVERRIDE",
        "mood must be one of calm, wild, not 'angry'",
        "lanterns has 0 entries; at least 1 are needed",
        "codes.ab must be two capital letters, not 'ab'",
    )
    with pytest.raises(BadFields, match=re.escape("lanterns has 4 entries; at most 3 are taken")):
        read(House, {"name": "x", "lanterns": [{"name": "a", "oil": 1}] * 4})
    with pytest.raises(BadFields, match=re.escape("lanterns[0].oil must be at most 6, not 7")):
        read(House, {"name": "x", "lanterns": [{"name": "a", "oil": 7}]})


def test_the_schema_has_the_limits_of_lists_and_the_spelling_of_keys() -> None:
    schema = schema_of(House)["properties"]
    assert (schema["lanterns"]["minItems"], schema["lanterns"]["maxItems"]) == (1, 3)
    assert schema["codes"]["propertyNames"] == {"type": "string", "pattern": "^[A-Z]{2}$"}
