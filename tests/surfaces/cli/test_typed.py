"""What was typed, as plain values: read by type, and judged by nobody."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.fields import fields_from, read_value
from astragal.table.fields.definitions import shape_of


class Colour(Enum):
    RED = "red"
    DARK_BLUE = "dark_blue"
    DARK_RED = "dark_red"


@dataclass(frozen=True)
class Item:
    name: str
    edge: int = 0


@dataclass(frozen=True)
class Asked:
    who: str
    points: Annotated[int | None, Ge(0)] = None
    loud: bool = False
    colours: tuple[Colour, ...] = ()
    gear: tuple[Item, ...] = ()
    scores: Mapping[str, int] = field(default_factory=dict)


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        (int, "12", 12),
        (int, "−3", -3),
        (int, "1e3", "1e3"),
        (int, "9" * 30, "9" * 30),
        (bool, "yes", True),
        (bool, "off", False),
        (bool, "maybe", "maybe"),
        (str, "12", "12"),
        (int | None, "none", None),
        (str | None, "Kira", "Kira"),
        (int | str, "7", 7),
        (Colour, "red", "red"),
        (Colour, "Dark-Blue", "dark_blue"),
        (Colour, "dark b", "dark_blue"),
        (Colour, "dark", "dark"),
        (Literal[10, 11], "11", 11),
        (tuple[int, ...], "1, 2,x", [1, 2, "x"]),
        (tuple[int, ...], "[1, 2]", [1, 2]),
        (Mapping[str, int], "MGT=3,REF=4", {"MGT": 3, "REF": 4}),
        (Mapping[str, int], '{"MGT": 3}', {"MGT": 3}),
        (Mapping[str, int], "MGT", "MGT"),
        (Item, "Axe", {"name": "Axe"}),
        (Item, "Axe,edge=2", {"name": "Axe", "edge": 2}),
        (Item, "name=Axe,edge=2", {"name": "Axe", "edge": 2}),
        (Any, "[3, 4]", [3, 4]),
        (Any, "spend", "spend"),
        (Any, "[" * 5000, "[" * 5000),
    ],
)
def test_a_text_is_read_by_its_type_and_else_stays_text(hint: Any, text: str, value: object) -> None:
    assert read_value(shape_of(hint), text) == value


def test_lists_gather_and_flags_stand_alone() -> None:
    words = ["--who", "Kira", "--gear", "Axe,edge=1", "--gear", "Rope", "--loud", "--colours=red,dark-red", "points=3"]
    assert fields_from(Asked, words) == {
        "who": "Kira",
        "gear": [{"name": "Axe", "edge": 1}, {"name": "Rope"}],
        "loud": True,
        "colours": ["red", "dark_red"],
        "points": 3,
    }


def test_a_flag_may_have_a_value() -> None:
    assert fields_from(Asked, ["--loud", "no", "--who", "x"]) == {"loud": False, "who": "x"}


@pytest.mark.parametrize("words", [["--x", "1"], ["stray"], ["--who"], ["{"], ["--", "x"]])
def test_what_names_no_field_is_asked_back(words: list[str]) -> None:
    with pytest.raises(BadCall):
        fields_from(Asked, words)
