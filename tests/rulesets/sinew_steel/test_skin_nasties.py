"""SS-71: names that only look different, and hostile files."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.rulesets.sinew_steel.skin import Skin
from astragal.table.fields.validation import look
from astragal.table.settings import LARGEST, FaultyFile, Place
from tests.rulesets.sinew_steel.skin_files import FILES, TEMPLATE, changed, faults, load_skin, told


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
def test_a_hostile_file_is_refused_in_few_words(case: str) -> None:
    """SS-71: no file hangs, breaks or floods whoever reads it."""
    text = HOSTILE[case]()
    found = told(text)
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


@pytest.mark.slow
@given(st.text(max_size=400))
def test_any_text_is_answered(text: str) -> None:
    """SS-71: with faults, for nothing that short is a skin."""
    assert told(text)


@pytest.mark.slow
@given(st.data())
def test_a_template_with_a_slip_in_it_is_a_skin_or_refused(data: st.DataObject) -> None:
    """SS-71: nothing but FaultyFile is ever raised."""
    start = data.draw(st.integers(0, len(TEMPLATE)))
    text = TEMPLATE[:start] + data.draw(st.text(max_size=8)) + TEMPLATE[start + data.draw(st.integers(0, 8)) :]
    if not faults(text, "x.toml"):
        assert isinstance(load_skin(text, "x.toml"), Skin)
        return
    with pytest.raises(FaultyFile):
        FILES.check(text, "x.toml")
