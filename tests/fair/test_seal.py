import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.fair import FairError, Fault, new_salt, opens, request_text, seal_of
from astragal.fair.facts import read_request
from astragal.fair.spelling import Json

SALT = bytes(range(16))
texts = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.slow
@given(texts, texts)
def test_a_seal_opens_to_its_text_and_to_no_other(text: str, other: str) -> None:
    assert opens(seal_of(SALT, text), SALT, other) == (text == other)


def test_the_same_text_never_looks_the_same_twice() -> None:
    one, other = (seal_of(new_salt(secrets.token_bytes), "difficulty 14") for _ in range(2))
    assert one != other


def test_a_salt_has_16_bytes() -> None:
    with pytest.raises(FairError) as refused:
        seal_of(b"short", "text")
    assert refused.value.code == Fault.BAD_FIELD


def test_a_text_that_is_not_unicode_can_not_be_sealed() -> None:
    with pytest.raises(FairError) as refused:
        seal_of(SALT, "\ud800")
    assert refused.value.code == Fault.BAD_FIELD


def test_a_request_reads_back() -> None:
    asked: Json = {"purpose": "does it hear them?", "difficulty": 14}
    assert read_request(request_text(asked, [20, 6])) == (asked, (20, 6))


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "[20]",
        '{"req":"x"}',
        '{"req":"x","sides":20}',
        '{"req":"x","sides":[20],"also":1}',
        '{"req": "x", "sides": [20]}',
        '{"req":"easy","req":"hard","sides":[20]}',
    ],
)
def test_a_request_has_one_spelling_so_that_it_reads_the_same_for_all(text: str) -> None:
    with pytest.raises(FairError):
        read_request(text)
