from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.fair import FairDice, FairError, Fault, faces_of, key_of, words_of

keys = st.binary(min_size=32, max_size=32)
sides = st.integers(min_value=2, max_value=1_000_000)


@pytest.mark.slow
@given(keys, st.lists(sides, max_size=40))
def test_every_face_lies_on_its_die(key: bytes, asked: list[int]) -> None:
    assert all(1 <= face <= m for m, face in zip(asked, faces_of(key, asked), strict=True))


@pytest.mark.slow
@given(keys, st.lists(sides, max_size=40))
def test_dice_remember_what_they_drew(key: bytes, asked: list[int]) -> None:
    dice = FairDice(key)
    faces = [dice.face(m) for m in asked]
    assert (list(dice.sides), list(dice.faces)) == (asked, faces)
    assert faces == faces_of(key, asked)


@pytest.mark.parametrize("m", [2, 6, 7, 20, 100])
def test_faces_are_uniform(m: int) -> None:
    """Chi-squared over 40,000 dice stays within five standard deviations of what chance gives."""
    throws = 40_000
    fallen = Counter(face for n in range(throws // 100) for face in faces_of(sha256(b"%d" % n).digest(), [m] * 100))
    expected = throws / m
    chi_squared = sum((fallen[face] - expected) ** 2 / expected for face in range(1, m + 1))
    assert abs(chi_squared - (m - 1)) < 5 * (2 * (m - 1)) ** 0.5


@given(keys, st.integers(min_value=2, max_value=1_000_000))
def test_just_the_words_above_the_last_full_round_are_skipped(key: bytes, m: int) -> None:
    words = words_of(key)
    fair = next(word for word in words if word < 2**32 - 2**32 % m)
    assert FairDice(key).face(m) == 1 + fair % m


@pytest.mark.parametrize("m", [-6, 0, 1, 1_000_001])
def test_a_die_has_2_to_1000000_sides(m: int) -> None:
    with pytest.raises(FairError) as refused:
        FairDice(bytes(32)).face(m)
    assert refused.value.code == Fault.BAD_DIE


def test_the_order_of_links_matters_to_the_key() -> None:
    assert key_of([b"a" * 32, b"b" * 32]) != key_of([b"b" * 32, b"a" * 32])


def test_dice_say_where_they_come_from() -> None:
    assert FairDice(bytes(32)).source == "fair"
    assert FairDice(bytes(32), seeded=True).source == "seeded"
