"""Where faces come from: evenly, marked with their source, and checked when they come from outside."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, product

import pytest

from astragal.chance import (
    BadStep,
    Dice,
    EnterDice,
    EnteredDice,
    Fate,
    Pause,
    Record,
    RecordedDice,
    RecordMismatch,
    Rolled,
    SeededDice,
    SystemDice,
    Tray,
)
from astragal.chance.dice import _below


def faces(seed: int | str, sides: int, many: int) -> list[int]:
    dice = SeededDice(seed)
    return [dice.face(sides) for _ in range(many)]


class RanDry(Exception):
    """The enumerated bits came to their end while more were wanted."""


def bits_from(numbers: tuple[int, ...]) -> Callable[[int], int]:
    left = iter(numbers)

    def draw(width: int) -> int:
        number = next(left, None)
        if number is None:
            raise RanDry
        assert number < 2**width
        return number

    return draw


@pytest.mark.parametrize("sides", [2, 3, 5, 6, 7, 8, 10, 12, 20, 33, 100])
def test_no_face_is_favoured_whatever_the_bits(sides: int) -> None:
    """Over all pairs of draws that the bit source can make, every face comes up equally often."""
    width = (sides - 1).bit_length()
    seen: Counter[int] = Counter()
    for numbers in product(range(2**width), repeat=2):
        try:
            seen[_below(sides, bits_from(numbers))] += 1
        except RanDry:
            continue
    assert set(seen) == set(range(sides))
    assert len(set(seen.values())) == 1


def test_the_same_seed_gives_the_same_faces() -> None:
    assert faces("kira", 20, 50) == faces("kira", 20, 50)
    assert faces("kira", 20, 50) != faces("tomo", 20, 50)


@pytest.mark.parametrize("sides", [2, 6, 20, 1_000_000])
def test_faces_run_from_one_to_the_number_of_sides(sides: int) -> None:
    shown = faces(1, sides, 300) + [SystemDice().face(sides) for _ in range(300)]
    assert all(1 <= face <= sides for face in shown)
    assert sides > 20 or set(shown) == set(range(1, sides + 1))


def test_every_die_says_where_it_came_from() -> None:
    sources: dict[Dice, str] = {SeededDice(1): "seeded", SystemDice(): "system", EnteredDice([3]): "entered"}
    for dice, source in sources.items():
        tray = Tray(dice, "a rule")
        tray.draw(6)
        assert tray.rolled[0].source == source
        assert Record(tuple(tray.rolled)).seeded is (source == "seeded")


def test_entered_dice_come_in_order_and_then_pause() -> None:
    dice = EnteredDice([4, 2])
    assert (dice.left, dice.face(6), dice.face(6), dice.left) == (2, 4, 2, 0)
    with pytest.raises(Pause) as pause:
        dice.face(20)
    assert pause.value.need == EnterDice((20,))


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_the_die_has_not_cannot_be_entered(face: int) -> None:
    with pytest.raises(BadStep, match="a d6 shows 1 to 6"):
        EnteredDice([face]).face(6)


def test_a_record_is_read_in_order_and_then_fresh_dice_follow() -> None:
    dice = RecordedDice([Rolled(6, 3, "a rule", source="entered")], then=SeededDice(1))
    assert (dice.face(6), dice.source, dice.left) == (3, "entered", 0)
    assert (dice.face(6), dice.source) == (faces(1, 6, 1)[0], "seeded")


def test_a_record_that_is_too_short_says_so() -> None:
    with pytest.raises(RecordMismatch, match="ends after 0 dice, but the rule asks for a d6"):
        RecordedDice([]).face(6)


def test_a_record_of_another_die_says_which() -> None:
    with pytest.raises(RecordMismatch, match="die 1 of the record is a d20 of attack, but the rule asks for a d6"):
        RecordedDice([Rolled(20, 3, "attack")]).face(6)


@pytest.mark.parametrize("face", [0, 25])
def test_a_recorded_face_must_be_on_its_die(face: int) -> None:
    with pytest.raises(RecordMismatch, match=f"die 1 of the record is a d20 that shows {face}"):
        RecordedDice([Rolled(20, face, "attack")]).face(20)


def test_a_dropped_die_that_brought_another_keeps_saying_so() -> None:
    tray = Tray(EnteredDice([6, 2, 3]), "a rule")
    tray.draw(6)
    tray.mark_last(Fate.EXPLODED)
    tray.draw(6)
    tray.draw(6)
    tray.drop((0, 1))
    assert [die.fate for die in tray.rolled] == [Fate.EXPLODED, Fate.DROPPED, Fate.KEPT]


def test_seeded_dice_have_no_short_cycle() -> None:
    def stretches() -> Iterator[tuple[int, ...]]:
        shown = faces(5, 6, 600)
        yield from (tuple(shown[at : at + 20]) for at in range(0, 600, 20))

    assert len(set(islice(stretches(), 30))) == 30
