"""Frozen values are frozen dataclasses in all but the moment at which their methods are written."""

import copy
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import msgspec
import pytest

from astragal.values import frozen


@frozen
class Point:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list, compare=False)

    @cached_property
    def width(self) -> int:
        return abs(self.x)


@frozen(slots=True)
class Pair:
    left: int
    right: int = 2


@frozen(kw_only=True)
class Named:
    name: str
    size: int = 1


@frozen(kw_only=True)
class Coloured(Named):
    colour: str


@frozen
class Clamped:
    number: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", min(self.number, 9))


@frozen
class Quiet:
    number: int

    def __repr__(self) -> str:
        return "quiet"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quiet)

    def __hash__(self) -> int:
        return 1


@frozen(slots=True, eq=False)
class Itself:
    number: int


def twin(cls: type, **how: Any) -> Any:
    """The same declaration as an ordinary dataclass."""
    made = type(cls.__name__, (), {"__annotations__": {"x": int, "y": int}, "y": 0, "__qualname__": cls.__qualname__})
    return dataclass(frozen=True, **how)(made)


def test_a_value_looks_like_a_dataclass_before_and_after_its_first_use() -> None:
    assert [one.name for one in fields(Point)] == ["x", "y", "tags"]
    assert replace(Point(1), y=3) == Point(1, 3)
    assert asdict(Point(1)) == {"x": 1, "y": 0, "tags": []}
    assert Point.__match_args__ == ("x", "y", "tags")
    assert is_dataclass(Point)


def test_values_are_equal_by_their_fields_and_hash_alike() -> None:
    assert Point(1, 2, ["a"]) == Point(1, 2, ["b"])
    assert hash(Pair(1)) == hash(Pair(1, 2))
    assert Pair(1) != Pair(2)
    assert Itself(1) != Itself(1)


def test_a_value_reads_as_a_dataclass_does() -> None:
    assert repr(Pair(1)) == "Pair(left=1, right=2)"
    assert repr(Point(1)) == "Point(x=1, y=0, tags=[])"


def test_each_value_has_defaults_of_its_own() -> None:
    assert Point(1).tags is not Point(1).tags


@pytest.mark.parametrize("value", [Point(1), Pair(1), Coloured(name="a", colour="red")])
def test_nothing_can_be_changed(value: Any) -> None:
    for name in (fields(value)[0].name, "other"):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 3)
        with pytest.raises(FrozenInstanceError):
            delattr(value, name)


def test_a_derived_number_is_kept() -> None:
    point = Point(-3)
    assert (point.width, point.__dict__["width"]) == (3, 3)


def test_a_wrong_call_is_refused_as_a_dataclass_refuses_it() -> None:
    with pytest.raises(TypeError) as ours:
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError) as theirs:
        twin(Point)()
    assert str(ours.value) == str(theirs.value)
    with pytest.raises(TypeError):
        Named("a")  # type: ignore[call-arg]


def test_what_a_class_defines_itself_stays() -> None:
    assert repr(Quiet(1)) == "quiet"
    assert Quiet(1) == Quiet(2)
    assert hash(Quiet(5)) == 1
    assert Clamped(12).number == 9


def test_a_value_can_extend_another() -> None:
    red = Coloured(name="a", colour="red")
    assert red == Coloured(name="a", size=1, colour="red")
    assert repr(red) == "Coloured(name='a', size=1, colour='red')"
    assert red != Named(name="a")


def test_an_ordinary_dataclass_can_extend_one() -> None:
    @dataclass(frozen=True)
    class Further(Point):
        z: int = 3

    assert Further(1).z == 3


@pytest.mark.parametrize("value", [Point(1), Pair(1)])
def test_copies_and_pickles_are_equal(value: Any) -> None:
    assert copy.copy(value) == value
    assert copy.deepcopy(value) == value
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own


def test_one_that_was_read_from_json_needs_no_call_before() -> None:
    @frozen(kw_only=True)
    class Read:
        name: str
        size: int = 1
        parts: dict[str, int] = field(default_factory=dict)

    read = msgspec.json.decode(b'{"name": "a"}', type=Read)
    assert repr(read).endswith("Read(name='a', size=1, parts={})")
    assert read == Read(name="a")


def test_many_threads_can_meet_at_the_first_call() -> None:
    from concurrent.futures import ThreadPoolExecutor

    @frozen
    class Met:
        number: int

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(Met, range(64)))
    assert [one.number for one in made] == list(range(64))


@pytest.mark.slow
def test_dice_and_their_odds_load_without_what_only_a_made_value_or_a_rule_needs() -> None:
    program = "import sys; from astragal import d6, odds; print({'dataclasses', 'inspect'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
