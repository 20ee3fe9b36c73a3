"""Four words for a head."""

from hypothesis import given
from hypothesis import strategies as st

from tests.fair.spoken import CONSONANTS, VOWELS, spoken

HEADS = st.binary(min_size=32, max_size=32).map(bytes.hex)


def test_the_words_of_known_heads() -> None:
    assert spoken("00" * 32) == "babab babab babab babab"
    assert spoken("ff" * 32) == "zuzuz zuzuz zuzuz zuzuz"
    assert spoken("7f00000100000000" + "0" * 48) == "lusab babad babab babab"


@given(HEADS)
def test_the_words_tell_the_first_64_bits_and_no_more(head: str) -> None:
    bits = 0
    for word in spoken(head).split():
        for letter in word:
            letters, width = (VOWELS, 2) if letter in VOWELS else (CONSONANTS, 4)
            bits = bits << width | letters.index(letter)
    assert f"{bits:016x}" == head[:16]
