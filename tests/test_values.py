"""Values are Structs: equal by their fields, frozen, and read by `field_names` as authors' dataclasses are."""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

import astragal
from astragal import Deck, Die, Odds, d6
from astragal.chance import notation
from astragal.fields import field_names

SOURCE = Path(astragal.__file__).parent
ON_THE_STANDARD_LIBRARY = SOURCE / "fair"
"""A package that needs nothing installed: its values are dataclasses."""


@dataclass(frozen=True)
class Authored:
    """A value as somebody may write it in a rule of their own."""

    kind: ClassVar[str] = "authored"
    score: int
    tags: tuple[str, ...] = field(default=())


class Ours(msgspec.Struct, frozen=True):
    kind: ClassVar[str] = "ours"
    score: int
    tags: tuple[str, ...] = ()


def structs() -> Iterator[type]:
    """Yield every Struct of the project."""
    for module in pkgutil.walk_packages([str(SOURCE)], "astragal."):
        if module.name != "astragal.__main__":
            importlib.import_module(module.name)
    waiting: list[type] = [msgspec.Struct]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("astragal."):
            yield kind


@pytest.mark.parametrize("kind", [Authored, Ours])
def test_fields_of_structs_and_of_dataclasses_are_named_in_order(kind: type) -> None:
    assert field_names(kind) == ("score", "tags")


@pytest.mark.parametrize("kind", [int, tuple, Die, object])
def test_a_type_without_named_fields_has_none(kind: type) -> None:
    assert field_names(kind) == ()


@pytest.mark.slow
def test_a_struct_with_an_equality_of_its_own_has_an_inequality_and_a_hash() -> None:
    """A Struct's own `!=` compares fields, and asks no `__eq__` of a subclass."""
    own = [kind for kind in structs() if "__eq__" in vars(kind)]
    assert Odds in own
    for kind in own:
        assert vars(kind).get("__ne__") is object.__ne__, kind
        assert vars(kind).get("__hash__") is not None, kind


def test_what_is_equal_is_not_unequal() -> None:
    assert (Odds({1: 1, 2: 1}, 2) != Odds({1: 2, 2: 2}, 4)) is False
    assert (notation.parse("4d6dl1 # one") != notation.parse("4d6kh3 # other")) is False
    assert (Die(6) != d6) is False
    assert (Deck([1, 1, 2]) != Deck({1: 2, 2: 1})) is False


def test_values_are_frozen() -> None:
    for value, name in ((Odds({1: 1}, 1), "total"), (notation.parse("1d6"), "root")):
        with pytest.raises(AttributeError):
            setattr(value, name, 3)


def test_values_are_declared_in_one_way() -> None:
    declaring = [path for path in SOURCE.rglob("*.py") if "@dataclass" in path.read_text("utf-8")]
    assert [path for path in declaring if ON_THE_STANDARD_LIBRARY not in path.parents] == [
        SOURCE / "table" / "declarations.py"  # @dataclass_transform
    ]


@pytest.mark.slow
def test_dice_and_their_odds_load_without_what_only_authors_values_need() -> None:
    program = "import sys; from astragal import d6, odds; odds(d6); print({'dataclasses', 'numpy'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
