"""Places in TOML files: where each value and key stands, and how a file that is no TOML is read as far as it goes."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.table.fields.validation import Path
from astragal.table.settings import Place
from astragal.table.settings.toml_files import places_in

EVERY_SPELLING = '''
title = "a # b" # not a comment inside
'literal' = 'C:\\new'
"quoted \\u00e9" = """
[no.table]
no = "key" """
dates = [1979-05-27 07:32:00, 1979-05-27T00:32:00Z]
numbers = [ +1, 0xFF, 6.5e3, -inf, ] # a comma at the end
nested = [ [1, 2], # a comment
  ["]", '[', """
]"""], { deep = { er = 1 }, "x.y" = [] } ]
a . "b c" . 'd' = { e.f = 1, e.g = {} }

[table] # a comment
key = \'\'\'it's\'\'\'
[ spaced . "out" ]
key = true
[spaced]
[[rows]]
[rows.inside]
key = 1
[[rows.lists]]
[[rows.lists]]
key = 2
[[rows]]
key.more = 3
'''


def paths(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value of a document with its path."""
    members: Any = ()
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    for step, member in members:
        yield (*path, step), member
        yield from paths(member, (*path, step))


def rest_of_line(text: str, place: Place) -> str:
    return text.split("\n")[place.line - 1][place.column - 1 :]


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_every_value_has_a_place_however_it_is_spelled(line_break: str) -> None:
    text = EVERY_SPELLING.replace("\n", line_break)
    assert set(places_in(text).values) == set(dict(paths(tomllib.loads(text))))


@pytest.mark.parametrize(
    ("path", "beginning"),
    [
        (("title",), '"a # b"'),
        (("quoted é",), '"""'),
        (("dates", 1), "1979-05-27T00:32:00Z]"),
        (("numbers", 3), "-inf"),
        (("nested", 1, 0), '"]"'),
        (("nested", 2, "x.y"), "[] }"),
        (("a", "b c", "d", "e", "g"), "{} }"),
        (("spaced", "out"), '[ spaced . "out" ]'),
        (("rows", 0, "lists", 1, "key"), "2"),
        (("rows", 1, "key", "more"), "3"),
    ],
)
def test_the_place_of_a_value_is_where_it_begins(path: Path, beginning: str) -> None:
    assert rest_of_line(EVERY_SPELLING, places_in(EVERY_SPELLING).values[path]).startswith(beginning)


def test_the_place_of_a_key_is_where_it_begins() -> None:
    keys = places_in(EVERY_SPELLING).keys
    assert rest_of_line(EVERY_SPELLING, keys["a", "b c"]).startswith("a . ")
    assert rest_of_line(EVERY_SPELLING, keys["a", "b c", "d", "e", "f"]).startswith("e.f = 1")


@pytest.mark.parametrize(
    ("text", "doubled"),
    [
        ("a = 1\nb = 2\na = 3\n", [(("a",), Place(3, 1))]),
        ("[t]\na = 1\n[t]\na = 2\n", [(("t",), Place(3, 1)), (("t", "a"), Place(4, 1))]),
        ("a.b = 1\na.'b' = 2", [(("a", "b"), Place(2, 1))]),
        ("[[t]]\na = 1\n[[t]]\na = 1\n", []),
    ],
)
def test_keys_that_are_given_twice_have_the_place_of_the_second(text: str, doubled: list[tuple[Path, Place]]) -> None:
    assert places_in(text).twice == doubled


@pytest.mark.parametrize("broken", ["a =", "= 1", "a b = 1", "[t", "[]", "a = { b }", 'a = "x'])
def test_what_stands_before_and_after_a_broken_line_has_its_place(broken: str) -> None:
    values = places_in(f"first = 1\n{broken}\nlast = 2\n").values
    assert values["first",] == Place(1, 9)
    assert values["last",] == Place(3, 8)


def test_what_is_nested_too_deeply_is_skipped_and_its_place_noted() -> None:
    places = places_in(f'deep = {"[" * 20}\'[\', """]""", 1{"]" * 20}\nnext = 1\n')
    assert places.too_deep == Place(1, 16)
    assert places.values["next",] == Place(2, 8)


PIECES = st.sampled_from(
    [*"[]{}=.,#\"'\\ \n\t", "a", "b", "é", "1", "true", "[[", "]]", '"""', "'''", "a = 1\n", "[t]\n", "[[t]]\n", "\r\n"]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_read_to_its_end_and_toml_exactly(text: str) -> None:
    values = places_in(text).values
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    known = dict(paths(parsed))
    assert set(values) <= set(known)
    assert {path for path, value in known.items() if not isinstance(value, dict)} <= set(values)
    lines = text.split("\n")
    for place in values.values():
        assert place.column <= len(lines[place.line - 1])
