"""SS-70, SS-71: skins from the manifests that players already have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.rulesets.sinew_steel.scores import STAMINA
from astragal.rulesets.sinew_steel.skin import default_skin, import_manifest, skin_files_of
from astragal.table.settings import LARGEST, FaultyFile, Place
from tests.rulesets.sinew_steel.skin_files import FILES

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


def test_an_imported_skin_is_a_file_like_any_other() -> None:
    """SS-70: what is written is read again as the same skin; skins of one name have files of their own."""
    files = skin_files_of(manifest("name: Old Entry", "name: Emberfall"), "manifest.yaml")
    assert list(files) == ["emberfall", "emberfall_2"]
    for text, skin in zip(files.values(), import_manifest(manifest("name: Old Entry", "name: Emberfall")), strict=True):
        assert set(skin.lines()) <= set(FILES.describe(FILES.load(text)))
        assert FILES.load(text).fills_in() == skin.fills_in()
        assert FILES.load(text).names() == skin.names()


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
    usual = emberfall.fills_in()
    assert emberfall.agility == "AGI"
    assert (usual["usual_attack"]["clever"], usual["usual_defence"]["chance"]) == ("CUN", "FOR")
    assert emberfall.pressure.name == "Smoke"
    assert emberfall.pressure.steps == default_skin().pressure.steps
    assert (emberfall.heroes, emberfall.plugins) == ((), ())
    assert (old.name, old.keys, old.pressure.name) == ("Old Entry", default_skin().keys, "Doom")


def test_a_number_is_a_name_like_any_other_in_a_manifest() -> None:
    """SS-70: manifests have nothing but words."""
    numbered, _ = import_manifest(manifest("Emberfall", "1984").replace("Cunning", "007"))
    assert (numbered.name, numbered.labels["CUN"]) == ("1984", "007")


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
        ("skins: {a: {attributes: [x, {attack: fast}]}}", Place(1, 25), "attributes is a list of 2"),
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
    with pytest.raises(FaultyFile) as refused:
        import_manifest(text)
    first = refused.value.faults[0]
    assert (first.where, first.place, first.wrong[: len(wrong)]) == ("manifest.yaml", place, wrong)


@pytest.mark.slow
@given(st.text(max_size=300))
def test_any_manifest_is_answered(text: str) -> None:
    """SS-71: nothing but FaultyFile is raised."""
    with pytest.raises(FaultyFile):
        import_manifest(text)
