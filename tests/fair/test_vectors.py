"""Every vector of the protocol."""

from hashlib import sha256

import pytest

from astragal.fair import Chain, FairDice, faces_of, first_head, key_of, seal_of, words_of
from tests.fair.tables import seed_of

ALICE = bytes.fromhex("80e26a1520afe6e467272a025cfe518ec2230ac5906aa33ef9c7013a1a0e3217")
ALICES_CLIENT = bytes.fromhex("e1023dc96d3dcbe7cde14840b07b3f65a38ce8c8b7c840832bc46d700daa8f85")
KEY = bytes.fromhex("ad925ac18acae39c1798ca4c6bbfbc4a056f43536513a0aa84aa4c82473e8911")
REJECTING = sha256(b"reject5423").digest()
ZEROS = bytes(32)


def first_words(key: bytes, count: int) -> list[int]:
    words = words_of(key)
    return [next(words) for _ in range(count)]


def test_the_chain_of_alice() -> None:
    chain = Chain("s:alice", seed_of("s:alice"), length=8)
    assert chain.link(0).hex() == "8ffc8ee9d11b584bb596df99e74f2238db9d15ff1f951cf820b2237e6b0c7d80"
    assert chain.link(1).hex() == "24edc514a815a1aee8fca756db044212c6222a79db63cddf4f29e4902ffae7cc"
    assert chain.tip.hex() == "7766460fef6a340a0d59b64500799e3193a3828410e97f4a817530c38b876cfd"


@pytest.mark.parametrize(("src", "link"), [("s:alice", ALICE), ("u:alice", ALICES_CLIENT)])
def test_the_links_of_the_vectors_are_the_first_ones_spent_of_eight(src: str, link: bytes) -> None:
    assert Chain(src, seed_of(src), length=8).spend(1) == link


def test_the_key_of_two_links() -> None:
    assert key_of([ALICE, ALICES_CLIENT]) == KEY


def test_the_words_of_a_key() -> None:
    assert first_words(KEY, 4) == [3030795862, 2890126168, 1897730832, 2127684629]


@pytest.mark.parametrize(
    ("key", "sides", "faces"),
    [
        (KEY, [20] * 2, [3, 9]),
        (KEY, [100, 6, 6, 6], [63, 5, 1, 6]),
        (ZEROS, [20] * 10, [6, 3, 5, 6, 4, 10, 4, 8, 6, 5]),
        (ZEROS, [6] * 10, [4, 3, 5, 6, 4, 4, 2, 6, 2, 1]),
        (ZEROS, [1_000_000] * 3, [13026, 316343, 389885]),
    ],
)
def test_the_faces_of_a_key(key: bytes, sides: list[int], faces: list[int]) -> None:
    assert faces_of(key, sides) == faces


def test_a_word_that_would_favour_low_faces_is_skipped() -> None:
    assert first_words(REJECTING, 2) == [4294444399, 2371593170]
    assert FairDice(REJECTING).face(1_000_000) == 593171


def test_the_seal_of_a_request() -> None:
    seal = seal_of(bytes(range(16)), '{"req":"x","sides":[20]}')
    assert seal.hex() == "e0f2a8a30ac20abd5186c9f922e4d8b28ca2791a9f9ffd5c7ef3b61c67269fae"


def test_the_first_head_of_a_table() -> None:
    assert first_head("demo-table").hex() == "903db190fc024157e58ce259b0ec3dfc86670db31ebd94d585f4dbcf0140dbe7"
