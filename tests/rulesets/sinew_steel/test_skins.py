"""SS-70 to SS-72: skins as data, faulty files refused with the place of every fault, and the skins that ship."""

import re
import time
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.rulesets.sinew_steel import skins
from astragal.rulesets.sinew_steel.accounts import STAMINA, Tone, is_legal
from astragal.rulesets.sinew_steel.skins import (
    DEFAULT,
    LARGEST,
    FaultySkin,
    Place,
    Skin,
    builtin_skins,
    faults,
    import_manifest,
    load_skin,
    skin_template,
    written_schema,
)
from astragal.rulesets.sinew_steel.skins.faults import Path
from astragal.rulesets.sinew_steel.skins.places import places_in
from astragal.rulesets.sinew_steel.skins.shelf import shipped_texts
from astragal.rulesets.sinew_steel.skins.signs import look

SHIPPED = sorted(shipped_texts())
TEMPLATE = skin_template()


def changed(old: str, new: str) -> str:
    """The template with one thing changed in it, the first time it stands there."""
    assert old in TEMPLATE
    return TEMPLATE.replace(old, new, 1)


def told(text: str) -> list[str]:
    return [str(fault) for fault in faults(text, "x.toml")]


def pointed_at(text: str, place: Place) -> str:
    """What stands at a place, to the end of its line."""
    return text.split("\n")[place.line - 1][place.column - 1 :]


# ---------------------------------------------------------------- what a skin is


def test_a_skin_names_all_that_a_table_needs() -> None:
    """SS-70: names, colours, gear and people, from the file as they were written."""
    skin = builtin_skins()["saltglass"]
    assert (skin.name, skin.luck, skin.agility, skin.luck_name) == ("Saltglass", "GRC", "STP", "Grace")
    assert (skin.custodian, skin.pressure.name, len(skin.pressure.steps)) == ("Bellkeeper", "Undertow", 6)
    assert skin.keys == ("ARM", "STP", "LOR", "VOC", "GRC")
    assert skin.labels["ARM"] == "Arm"
    assert skin.labels[STAMINA] == "Stamina"
    assert [crisis.name for crisis in skin.crises][5] == "Spring tide"
    assert {weapon.name: weapon.edge for weapon in skin.weapons}["Whale-axe"] == 2
    assert {armour.name: armour.soak for armour in skin.armour}["Bell-diver's harness"] == 3
    assert [(plugin.kind, plugin.name) for plugin in skin.plugins] == [("ritual", "Singing the glass")]
    assert builtin_skins()[DEFAULT].custodian == "Custodian"


def test_a_skin_says_what_is_usually_rolled() -> None:
    """SS-70: the book's ways of attacking and defending, in the skin's own keys."""
    skin = builtin_skins()["ninety_south"]
    assert (skin.usual_attack("heavy"), skin.usual_defence("dodge")) == ("HRD", "FTG")
    assert load_skin(TEMPLATE.replace('attack = "heavy"\n', "")).usual_attack("heavy") is None


def test_text_is_text_and_nothing_else() -> None:
    """SS-70: markup, format strings and paths mean nothing here."""
    for nasty in ("{x.__class__}", "../../etc/passwd", "</script><img src=x onerror=y>", "%s ${HOME}", "[red]x[/red]"):
        assert load_skin(changed("First Hero", nasty)).heroes[0].name == nasty
        assert load_skin(changed("Might", nasty)).attributes[0].label == nasty


def test_names_are_kept_composed_with_single_spaces() -> None:
    """SS-70: one name, one spelling."""
    assert load_skin(changed("First Hero", "Zoe\u0308  \u00a0Ku\u0308hn ")).heroes[0].name == "Zo\u00eb K\u00fchn"
    assert load_skin("\ufeff" + TEMPLATE.replace("\n", "\r\n")) == load_skin(TEMPLATE)


def test_the_schema_is_current() -> None:
    """SS-70: generated from the definition; `python -m astragal.rulesets.sinew_steel.skins` writes it again."""
    published = (files(skins) / "skin.schema.json").read_text("utf-8")
    assert published == written_schema()


def test_the_schema_knows_every_field_of_the_shipped_skins() -> None:
    """SS-70: an editor that follows it has nothing to say against any of them."""

    def unknown(schema: dict[str, Any], value: Any, path: str) -> Iterator[str]:
        if isinstance(value, list):
            assert schema.get("minItems", 0) <= len(value) <= schema["maxItems"]
            for one in value:
                yield from unknown(schema["items"], one, f"{path}[]")
        if isinstance(value, dict):
            assert set(schema["required"]) <= set(value)
            named = schema["properties"]
            for name, one in value.items():
                inner = named.get(name) or next(iter(schema.get("patternProperties", {}).values()), None)
                yield from unknown(inner, one, f"{path}.{name}") if inner else [f"{path}.{name}"]

    for text in (*shipped_texts().values(), TEMPLATE):
        assert not list(unknown(skins.skin_schema(), tomllib.loads(text), ""))


# ---------------------------------------------------------------- faults and their places

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
    with pytest.raises(FaultySkin, match=re.escape(sentence)) as refused:
        load_skin(text, "x.toml")
    assert refused.value.code == "faulty_skin"


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


@pytest.mark.parametrize("text", [*shipped_texts().values(), TEMPLATE, TRICKY])
def test_every_value_has_a_place(text: str) -> None:
    """SS-71: the parser that knows places and the one that knows values see the same file."""
    known = set(places_in(text, 8).values)
    wanted = set(paths(tomllib.loads(text)))
    assert known == wanted


def test_a_place_is_where_the_value_begins() -> None:
    """SS-71: counted in characters, through lists of tables and dotted keys."""
    places = places_in(TRICKY, 8)
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


# ---------------------------------------------------------------- look-alikes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zoë", "Zoe\u0308"),
        ("Mara", "MARA"),
        ("Mara", "Mar\N{CYRILLIC SMALL LETTER A}"),
        ("Nora", "\N{GREEK CAPITAL LETTER NU}ora"),
        ("COPE", "\N{CYRILLIC CAPITAL LETTER ES}\N{CYRILLIC CAPITAL LETTER O}\N{CYRILLIC CAPITAL LETTER ER}E"),
        ("Knife", "\uff2bnife"),
        ("fin", "\ufb01n"),
        ("Bell-diver", "Bell\N{NON-BREAKING HYPHEN}diver"),
        ("a  b", "a\u00a0b"),
        ("straße", "STRASSE"),
    ],
)
def test_names_that_only_look_different_are_refused(one: str, other: str) -> None:
    """SS-71: two names that nobody could tell apart can't stand in one list."""
    assert look(one) == look(other)
    text = TEMPLATE.replace("First Hero", one).replace("Second Hero", other)
    (fault,) = faults(text, "x.toml")
    assert "looks like heroes[1].name; expected names that can be told apart" in str(fault)


@pytest.mark.parametrize(("one", "other"), [("Zoe", "Zoë"), ("Pail", "Pall"), ("Анна", "Инна"), ("Ella", "Elia")])
def test_names_that_can_be_told_apart_may_stand_together(one: str, other: str) -> None:
    """SS-71: in any script."""
    skin = load_skin(TEMPLATE.replace("First Hero", one).replace("Second Hero", other))
    assert [hero.name for hero in skin.heroes] == [one, other]


# ---------------------------------------------------------------- hostile files

HOSTILE: dict[str, Callable[[], str]] = {
    "10 MB": lambda: TEMPLATE + "#" * 10_000_000,
    "arrays nested 10,000 deep": lambda: "x = " + "[" * 10_000 + "]" * 10_000,
    "tables nested 10,000 deep": lambda: "x = " + "{a=" * 10_000 + "1" + "}" * 10_000,
    "arrays nested 300 deep": lambda: TEMPLATE.replace("edge = 1", "edge = " + "[" * 300 + "]" * 300),
    "a key of 30,000 parts": lambda: ".".join("a" * 30_000) + " = 1",
    "a header of 30,000 parts": lambda: "[" + ".".join("a" * 30_000) + "]",
    "a quoted key of many parts": lambda: '"a" . ' * 10_000 + '"a" = 1',
    "one long word": lambda: "a" * 65_000,
    "nothing but quotes": lambda: '"' * 65_000,
    "5,000 digits": lambda: changed("edge = 1", "edge = " + "9" * 5_000),
    "16,000 keys": lambda: "\n".join(f"k{number} = 1" for number in range(6_000)),
    "16,000 times one key": lambda: "a = 1\n" * 10_000,
    "many tables": lambda: "[[heroes]]\n" * 5_900,
    "a null sign": lambda: TEMPLATE + "\0",
    "half a pair": lambda: TEMPLATE + "# \ud800",
    "an override in a comment": lambda: TEMPLATE + "# \u202e",
    "nothing": lambda: "",
    "another language": lambda: "skins: &a [*a]",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_quickly_and_in_few_words(case: str) -> None:
    """SS-71: no file hangs, breaks or floods whoever reads it."""
    text = HOSTILE[case]()
    start = time.perf_counter()
    found = told(text)
    assert time.perf_counter() - start < 3
    assert found
    assert sum(map(len, found)) < 20_000
    assert all(line.isprintable() and line.startswith("x.toml:") for line in found)


def test_the_place_of_a_deep_nest_and_of_a_bad_sign_is_told() -> None:
    """SS-71: for hostile files too."""
    (deep,) = faults("\nx = " + "[" * 10_000 + "]" * 10_000)
    assert (deep.place, deep.expected) == (Place(2, 13), "lists and tables as in the template")
    (sign,) = faults("a = 1\n# é\u202e")
    assert (sign.place, sign.wrong) == (Place(2, 4), "the sign U+202E RIGHT-TO-LEFT OVERRIDE can't be seen")
    (large,) = faults("é" * LARGEST)
    assert large.wrong == f"the file has {2 * LARGEST:,} bytes"


@given(st.text(max_size=400))
def test_any_text_is_answered(text: str) -> None:
    """SS-71: with faults, for nothing that short is a skin."""
    assert told(text)


@given(st.data())
def test_a_template_with_a_slip_in_it_is_a_skin_or_refused(data: st.DataObject) -> None:
    """SS-71: nothing but FaultySkin is ever raised."""
    start = data.draw(st.integers(0, len(TEMPLATE)))
    text = TEMPLATE[:start] + data.draw(st.text(max_size=8)) + TEMPLATE[start + data.draw(st.integers(0, 8)) :]
    if not faults(text, "x.toml"):
        assert isinstance(load_skin(text, "x.toml"), Skin)
        return
    with pytest.raises(FaultySkin):
        load_skin(text, "x.toml")


# ---------------------------------------------------------------- the skins that ship


def test_four_genres_and_more_ship_with_the_project() -> None:
    """SS-72: the default, fantasy, science fiction, and others; the default stands first."""
    assert next(iter(builtin_skins())) == DEFAULT == "plain"
    assert set(builtin_skins()) >= {"plain", "saltglass", "borrowed_hours", "ninety_south", "night_timetable"}
    genres = " ".join(skin.genre for skin in builtin_skins().values())
    assert all(genre in genres for genre in ("fantasy", "science fiction", "Polar", "Gothic"))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_skin_is_complete(name: str) -> None:
    """SS-72: colours, crises, gear, every usual roll, and two heroes who are legal at the standard budget."""
    skin = builtin_skins()[name]
    assert len(skin.heroes) >= 2
    assert all(is_legal(hero.scores, Tone.STANDARD, skin.keys) for hero in skin.heroes)
    assert {weapon.edge for weapon in skin.weapons} == {0, 1, 2}
    assert skin.armour
    assert len(skin.gear) >= 6
    assert all(skin.usual_attack(way) for way in ("heavy", "fast", "clever", "presence", "lucky"))
    assert skin.usual_attack("lucky") == skin.usual_defence("chance") == skin.luck
    assert skin.usual_defence("dodge") == skin.agility
    assert all(hero.scores[key] for hero in skin.heroes for key in (*skin.keys, STAMINA))


@pytest.mark.parametrize("name", SHIPPED)
def test_sample_heroes_carry_what_their_skin_knows(name: str) -> None:
    """SS-72: every item of a sample hero is a weapon, an armour or gear of the skin."""
    skin = builtin_skins()[name]
    known = {one.name for one in skin.weapons} | {one.name for one in skin.armour} | {one.name for one in skin.gear}
    assert {item for hero in skin.heroes for item in hero.gear} <= known


def test_every_genre_brings_a_rule_of_its_own() -> None:
    """SS-72: one plug-in each, all four kinds among them; the default plays the book as it is."""
    kinds = {name: [plugin.kind for plugin in skin.plugins] for name, skin in builtin_skins().items()}
    assert kinds.pop(DEFAULT) == []
    assert sorted(kind for (kind,) in kinds.values()) == ["ally", "feat", "ritual", "stress"]


def test_the_template_can_be_played_as_it_stands() -> None:
    """SS-70: and every line of it is explained."""
    assert load_skin(TEMPLATE, "template.toml").name == "My skin"
    assert TEMPLATE.count("#") > 20


# ---------------------------------------------------------------- manifests

MANIFEST = """
version: 0.3.1
rules: {quickstart: rules/quickstart.md}
skins:
  emberfall:
    name: Emberfall
    file: ../../etc/passwd
    pressure_track: Smoke
    _gen: {primary: BRN, min_steps: 2}
    attributes:
      BRN: Brawn
      AGI: Agility
      CUN: Cunning
      NO: No!
      FOR: Fortune
    luck_key: FOR
    luck_name: Fortune
  old_entry:
    name: Old Entry
    pressure_track: Doom
"""


def manifest(old: str, new: str) -> str:
    assert old in MANIFEST
    return MANIFEST.replace(old, new)


def test_skins_of_a_manifest_are_taken_over() -> None:
    """SS-70: labels, Luck's key and name, Pressure's name; the default lends the rest. NO is a key, not a no."""
    emberfall, old = import_manifest(MANIFEST)
    assert (emberfall.name, emberfall.luck, emberfall.luck_name) == ("Emberfall", "FOR", "Fortune")
    assert emberfall.labels == {
        "BRN": "Brawn",
        "AGI": "Agility",
        "CUN": "Cunning",
        "NO": "No!",
        "FOR": "Fortune",
        STAMINA: "Stamina",
    }
    assert (emberfall.agility, emberfall.usual_attack("clever"), emberfall.usual_defence("chance")) == (
        "AGI",
        "CUN",
        "FOR",
    )
    assert emberfall.pressure.name == "Smoke"
    assert emberfall.pressure.steps == builtin_skins()[DEFAULT].pressure.steps
    assert (emberfall.heroes, emberfall.plugins) == ((), ())
    assert (old.name, old.keys, old.pressure.name) == ("Old Entry", builtin_skins()[DEFAULT].keys, "Doom")


@pytest.mark.parametrize(
    ("text", "place", "wrong"),
    [
        (manifest("luck_key: FOR", "luck_key: LCK"), Place(16, 15), 'luck is "LCK"'),
        (manifest("CUN: Cunning", "cun: Cunning"), Place(13, 12), 'attributes[3].key is "cun"'),
        (manifest("CUN: Cunning", "CUN: agility"), Place(13, 12), 'attributes[3].label "agility" looks like'),
        (manifest("Smoke", "[a, b]"), Place(8, 21), "pressure.name is a list of 2"),
        (manifest("      CUN: Cunning\n", ""), Place(11, 7), "attributes is a list of 4"),
        (
            manifest("    luck_name: Fortune", "    luck_key: FOR"),
            Place(17, 5),
            "skins.emberfall.luck_key is given twice",
        ),
        (manifest("Emberfall", '"\\u202e"'), Place(6, 11), "name holds U+202E RIGHT-TO-LEFT OVERRIDE"),
        (manifest("Smoke", "!!python/object/apply:os.system [x]"), Place(8, 21), "pressure.name is a list of 1"),
        ("skins: []", Place(1, 8), "there are no skins"),
        ("", Place(1, 1), "there are no skins"),
        ("skins: {a: b}", Place(1, 12), 'the skin "a" is no table'),
        ("a: &x [1]\nb: *x", Place(2, 4), "this can't be read: an alias"),
        ("a: [1", Place(1, 6), "this can't be read: expected ',' or ']'"),
        ("[" * 20_000, Place(1, 9), "this can't be read: lists or tables nested more than 8 deep"),
        ("- " * 20_000, Place(1, 17), "this can't be read: lists or tables nested more than 8 deep"),
        ("a: 1\n--- {}", Place(2, 1), "this can't be read: but found another document"),
        ("a" * (LARGEST + 1), Place(1, 1), "the file has 65,537 bytes"),
        ("a: \0", Place(1, 4), "the sign U+0000 can't be seen"),
    ],
)
def test_a_faulty_manifest_is_refused_with_the_place(text: str, place: Place, wrong: str) -> None:
    """SS-71: as with any file; no alias is followed, no tag obeyed."""
    start = time.perf_counter()
    with pytest.raises(FaultySkin) as refused:
        import_manifest(text)
    assert time.perf_counter() - start < 3
    first = refused.value.faults[0]
    assert (first.where, first.place, first.wrong[: len(wrong)]) == ("manifest.yaml", place, wrong)


@given(st.text(max_size=300))
def test_any_manifest_is_answered(text: str) -> None:
    """SS-71: nothing but FaultySkin is raised."""
    with pytest.raises(FaultySkin):
        import_manifest(text)
