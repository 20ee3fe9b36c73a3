import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.fair import FairDice, FairError, Fault, lines
from astragal.fair.lines import read_line
from astragal.fair.spelling import read, spell
from tests.fair.tables import refused

scalars = st.none() | st.booleans() | st.integers() | st.text()
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)


@pytest.mark.slow
@given(st.dictionaries(st.text(), json_values, max_size=5))
def test_the_same_fields_are_always_the_same_bytes(fields: dict[str, Any]) -> None:
    line = spell(fields)
    assert line == spell(dict(reversed(fields.items())))
    assert read(line) == fields
    assert line.isascii()
    assert b"\n" not in line


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[1]",
        b'"t"',
        b'{"t": "fact"}',
        b'{"v":1,"t":"x"}',
        b'{"t":"x","t":"y"}',
        b'{"t":"x","n":NaN}',
        b'{"t":"x","n":1e2}',
        '{"t":"é"}'.encode(),
        b'{"t":"x"}\r',
        b"[" * 100_000,
        b'{"n":' + b"9" * 5000 + b"}",
    ],
)
def test_any_other_spelling_is_refused(line: bytes) -> None:
    with pytest.raises(FairError) as refused:
        read(line)
    assert refused.value.code == Fault.MALFORMED


@pytest.mark.parametrize("req", [float("nan"), float("inf"), {1, 2}, object()])
def test_what_is_not_json_is_not_written(req: Any) -> None:
    assert refused(lambda: lines.entered("c", "bob", req, [6], [1])) == Fault.BAD_FIELD


def test_a_line_is_the_same_read_back_as_when_it_was_written() -> None:
    dice = FairDice(bytes(32))
    dice.face(20)
    line = lines.roll("c1", "alice", "climb", [("s:alice", bytes(32))], dice, seal=bytes(32))
    assert read_line(bytes(line)) == read_line(line)
    assert json.loads(line)["dice"] == [6]


GOOD: dict[str, dict[str, Any]] = {
    "tip": {"src": "s:alice", "tip": "0" * 64},
    "roll": {"cmd": "c", "by": "alice", "req": "", "sides": [6], "links": [["s:alice", "0" * 64]], "dice": [1]},
    "ask": {"cmd": "c", "by": "gm", "seal": "0" * 64, "with": ["w:bob"]},
    "open": {"ask": 1, "salt": "0" * 32, "req": "", "sides": [6], "link": "0" * 64, "dice": [1]},
    "rewind": {"to": 1, "why": "", "cost": None, "n": 1},
    "fact": {"seal": "0" * 64},
    "entered": {"cmd": "c", "by": "bob", "req": "", "sides": [6], "dice": [6]},
}


@pytest.mark.parametrize("kind", GOOD)
def test_a_line_in_shape_is_read(kind: str) -> None:
    assert read_line(spell({"t": kind, **GOOD[kind]}))["t"] == kind


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("tip", {"tip": "A" * 64}),
        ("tip", {"tip": "0" * 63}),
        ("tip", {"src": "alice"}),
        ("tip", {"src": "s:gm-"}),
        ("tip", {"src": "u:gm-alice"}),
        ("tip", {"src": "s:al\0ice"}),
        ("tip", {"renew": True}),
        ("roll", {"by": "gm-open"}),
        ("roll", {"sides": [1]}),
        ("roll", {"sides": [6.0]}),
        ("roll", {"dice": [True]}),
        ("roll", {"links": [["s:alice"]]}),
        ("roll", {"links": {"s:alice": "0" * 64}}),
        ("ask", {"with": ["u:bob"]}),
        ("ask", {"with": ["w:bob", "w:bob"]}),
        ("open", {"salt": "00"}),
        ("open", {"ask": -1}),
        ("rewind", {"n": "1"}),
        ("fact", {"digest": "0" * 64}),
    ],
)
def test_a_field_out_of_shape_is_refused(kind: str, changed: dict[str, Any]) -> None:
    with pytest.raises(FairError) as refused:
        read_line(spell({"t": kind, **GOOD[kind], **changed}))
    assert refused.value.code == Fault.BAD_FIELD


@pytest.mark.parametrize(("kind", "missing"), [(kind, name) for kind, fields in GOOD.items() for name in fields])
def test_a_missing_field_is_refused(kind: str, missing: str) -> None:
    kept = {name: value for name, value in GOOD[kind].items() if name != missing}
    with pytest.raises(FairError) as refused:
        read_line(spell({"t": kind, **kept}))
    assert refused.value.code == Fault.BAD_FIELD


@pytest.mark.parametrize("dice", [[7], [0], [], [1, 1]])
def test_dice_entered_by_hand_must_be_faces_of_those_dice(dice: list[int]) -> None:
    with pytest.raises(FairError):
        read_line(lines.entered("c", "bob", "", [6], dice))


def test_a_fact_may_say_digest_for_seal() -> None:
    assert read_line(b'{"digest":"%b","t":"fact"}' % (b"0" * 64))["t"] == "fact"


def test_a_line_without_a_seal_can_not_be_unsealed() -> None:
    with pytest.raises(FairError) as refused:
        lines.unseal(0, lines.genesis("demo"), bytes(16), "text")
    assert refused.value.code == Fault.NO_SEAL
