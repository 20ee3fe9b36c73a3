"""SS-71: faulty files are refused with the place of every fault."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from astragal.rulesets.sinew_steel.skin import Skin
from astragal.table.fields.validation import Path
from astragal.table.settings import FaultyFile, Place
from astragal.table.settings.toml_files import places_in
from tests.rulesets.sinew_steel.skin_files import FILES, SHELF, TEMPLATE, changed, faults, pointed_at, told

SINGLE_FAULTS = {
    "a number past its limit": ("edge = 1", "edge = 3", "weapons[2].edge is 3; expected a whole number from 0 to 2"),
    "no number at all": ("edge = 1", "edge = nan", "weapons[2].edge is nan; expected a whole number from 0 to 2"),
    "infinity": ("soak = 1", "soak = -inf", "armour[1].soak is -inf; expected a whole number from 1 to 3"),
    "text for a number": ("soak = 1", 'soak = "1"', 'armour[1].soak is "1"; expected a whole number from 1 to 3'),
    "true for a number": ("edge = 1", "edge = true", "weapons[2].edge is true; expected a whole number from 0 to 2"),
    "a number for text": ('name = "My skin"', "name = 7", "name is 7; expected a line of text of 1 to 60 characters"),
    "an empty name": ('name = "My skin"', 'name = "  "', 'name is "  "; expected a line of text of 1 to 60'),
    "a long name": ("My skin", "x" * 61, "expected a line of text of 1 to 60 characters that can be seen"),
    "an unknown key": (
        "edge = 1",
        "edge = 1\nreach = 2",
        "there is no weapons[2].reach; expected one of name, edge, tags",
    ),
    "a missing key": ("edge = 1\n", "", "weapons[2].edge is missing; expected a whole number from 0 to 2"),
    "a missing table": ("[pressure]", "[pressures]", "pressure is missing; expected a table with name, steps"),
    "too few steps": ('    "The crisis.",\n', "", "pressure.steps is a list of 5; expected a list of exactly 6 lines"),
    "a bad key": ('key = "MGT"', 'key = "Mgt"', "expected two to five capital letters A–Z or digits, a letter first"),
    "a taken key": ('key = "MGT"', 'key = "STM"', "attributes[1].key is STM; expected another key"),
    "markup for a key": ('key = "MGT"', 'key = "</script>"', 'attributes[1].key is "</script>"; expected two to five'),
    "a trap for a key": ('key = "MGT"', 'key = "__proto__"', 'attributes[1].key is "__proto__"; expected two to five'),
    "luck that is nobody": (
        'luck = "LCK"',
        'luck = "LUK"',
        'luck is "LUK"; expected the key of an attribute: MGT, REF',
    ),
    "agility that is luck": (
        'agility = "REF"',
        'agility = "LCK"',
        'agility is "LCK"; expected another attribute than Luck',
    ),
    "no such way": ('attack = "heavy"', 'attack = "hard"', 'attributes[1].attack is "hard"; expected one of "heavy"'),
    "one way twice": (
        'attack = "heavy"',
        'attack = "fast"',
        'attributes[2].attack "fast" looks like attributes[1].attack',
    ),
    "a list for a table": ("scores = {", "scores = [{", "heroes[1].scores is a list of 1; expected a table of whole"),
    "too little gear": (
        '"Knife", "Rope", "Lucky coin"',
        '"Knife"',
        "heroes[1].gear is a list of 1; expected a list of 3 to 6",
    ),
    "an illegal hero": ("INT = 13", "INT = 14", "heroes[1].scores: The build is short by 2"),
    "a hero without a score": (", STM = 5 }", " }", "heroes[1].scores: Stamina has no score: it starts at 5"),
    "a hero of another skin": (
        "{ MGT = 10",
        "{ WIT = 10",
        "heroes[1].scores: There is no score 'WIT' here: leave it out",
    ),
    "an override in a name": ("First Hero", "\\u202eoreH", "heroes[1].name holds U+202E RIGHT-TO-LEFT OVERRIDE"),
    "a bell in a text": ("What takes them.", "\\u0007", "crises[2].text holds U+0007"),
    "stress without a crisis": (
        "# [[plugins]]\n# kind",
        '[[plugins]]\nkind = "stress"\nname = "x"\ntext = "y"\n# kind',
        "plugins[1].crisis is missing; expected a crisis for stress, and for no other kind",
    ),
    "a feat with a crisis": (
        "# [[plugins]]\n# kind",
        '[[plugins]]\nkind = "feat"\nname = "x"\ntext = "y"\ncrisis = "z"\n# kind',
        "plugins[1].crisis is not wanted; expected a crisis for stress, and for no other kind",
    ),
    "a joiner in a name": ("First Hero", "Fir\\u200dst", "heroes[1].name holds U+200D ZERO WIDTH JOINER"),
    "a blank letter": ("First Hero", "\\u3164", "heroes[1].name holds U+3164 HANGUL FILLER"),
}


@pytest.mark.parametrize("case", SINGLE_FAULTS)
def test_a_fault_is_told_with_what_was_expected(case: str) -> None:
    """SS-71: whatever is wrong, the refusal says where, what, and what was expected."""
    old, new, sentence = SINGLE_FAULTS[case]
    text = (
        changed(old, new) if case != "a list for a table" else changed(old, new).replace("STM = 5 }", "STM = 5 }]", 1)
    )
    assert any(sentence in line for line in told(text)), told(text)
    with pytest.raises(FaultyFile, match=re.escape(sentence)) as refused:
        FILES.check(text, "x.toml")
    assert refused.value.code == "faulty_file"


def test_of_many_long_keys_some_are_told_in_part() -> None:
    """SS-70, SS-71: eight of them, and eight letters of each; no file makes a refusal endless."""
    raw = {"luck": "ZZ", "agility": "YY", "attributes": [{"key": f"A{number}LONGKEYS"} for number in range(1, 10)]}
    listed = ", ".join(f"A{number}LONGK…" for number in range(1, 9))
    assert [one.expected for one in Skin.disagreements(raw)] == [f"the key of an attribute: {listed}"] * 2


def test_a_fault_has_file_line_and_column() -> None:
    """SS-71: of the value, of the key that should not be there, or of the table that lacks one."""
    (number,) = faults(changed("edge = 1", "edge   =   3"), "folder/mine.toml")
    assert str(number).startswith(f"folder/mine.toml:{number.place.line}:12: weapons[2].edge is 3")
    for old, new, at in [
        ("edge = 1", "edge   =   3", "3"),
        ("edge = 1", "  reach = 2 # é\nedge = 1", "reach = 2 # é"),
        ("soak = 1\n", "", "[[armour]]"),
        ('"Knife", "Rope"', '"Ä", 7, "Rope"', '7, "Rope", "Lucky coin"]'),
        ("scores = { MGT = 10", "scores = { MGT = 1.5", "1.5, REF = 10, INT = 13, EMP = 10, LCK = 10, STM = 5 }"),
    ]:
        text = changed(old, new)
        (fault,) = faults(text, "x.toml")
        assert pointed_at(text, fault.place) == at


def test_all_faults_are_told_at_once_in_the_order_of_the_file() -> None:
    """SS-71: so that a file is mended in one go."""
    text = (
        TEMPLATE.replace("edge = 1", "edge = 9")
        .replace('luck = "LCK"', 'luck = "X"')
        .replace("Second Hero", "first hero")
    )
    found = faults(text, "x.toml")
    assert [fault.place for fault in found] == sorted(fault.place for fault in found)
    assert [fault.wrong for fault in found] == [
        'luck is "X"',
        "weapons[2].edge is 9",
        'heroes[2].name "first hero" looks like heroes[1].name',
    ]


@pytest.mark.parametrize(
    ("text", "place", "wrong"),
    [
        ('name = "x\n', Place(1, 10), "this is not TOML: "),
        ("name = \n", Place(1, 8), "this is not TOML: "),
        ("a = 1\nb = [1,", Place(2, 8), "this is not TOML: "),
        ('name = "a"\ngenre = "b"\nname = "c"\ngenre = "d"\n', Place(3, 1), "name is given twice"),
        ('[pressure]\nname = "a"\n[pressure]\n', Place(3, 1), "pressure is given twice"),
        ("options = { a = 1, a = 2 }\n", Place(1, 20), "options.a is given twice"),
        ('name = a\ngenre = "b"\ngenre = "d"\n', Place(1, 8), "this is not TOML: "),
    ],
)
def test_what_is_no_toml_is_told_where_it_breaks(text: str, place: Place, wrong: str) -> None:
    """SS-71: duplicate keys are all named, other slips where reading ends."""
    first = faults(text, "x.toml")[0]
    assert (first.place, first.wrong[: len(wrong)]) == (place, wrong)


def test_both_keys_given_twice_are_named() -> None:
    """SS-71: all at once, here too."""
    wrongs = [fault.wrong for fault in faults('name = "a"\ngenre = "b"\nname = "c"\ngenre = "d"\n')]
    assert wrongs == ["name is given twice", "genre is given twice"]


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, one in inner:
        yield (*path, step)
        yield from paths(one, (*path, step))


TRICKY = """
"a b".'c.d' . e = 1 # é
[[t]]
x = [ 1, # one
  [2, {y = "é", z.w = 3}], ]
[[t.u]]
v = '''
'''
[[t]]
[[t.u]]
[[t.u]]
"quoted \\u00e9" = true
[q.r]
s = 1
[q]
"""


@pytest.mark.parametrize("text", [*SHELF.shipped().values(), TEMPLATE, TRICKY])
def test_every_value_has_a_place(text: str) -> None:
    """SS-71: the parser that knows places and the one that knows values see the same file."""
    known = set(places_in(text).values)
    wanted = set(paths(tomllib.loads(text)))
    assert known == wanted


def test_a_place_is_where_the_value_begins() -> None:
    """SS-71: counted in characters, through lists of tables and dotted keys."""
    places = places_in(TRICKY)
    beginnings = {
        ("a b", "c.d", "e"): "1 # é",
        ("t", 0): "[[t]]",
        ("t", 0, "x", 1, 1, "y"): '"é", z.w = 3}], ]',
        ("t", 0, "x", 1, 1, "z", "w"): "3}], ]",
        ("t", 1, "u", 1, "quoted é"): "true",
        ("q", "r"): "[q.r]",
    }
    assert {path: pointed_at(TRICKY, places.values[path]) for path in beginnings} == beginnings
    assert places.nearest(("t", 1, "u", 0, "missing", 3)) == places.values["t", 1, "u", 0]
