"""Hidden rolls: sealed, taken in order, opened in any order, and telling nothing of each other."""

from collections.abc import Iterator
from itertools import permutations

import pytest

from astragal.fair import Chain, FairDice, Fault, key_of, lines, link_after, opens, verify
from astragal.fair.spelling import read
from tests.fair.tables import Table, refused, seed_of


@pytest.fixture
def table() -> Table:
    table = Table()
    table.keep_own_chain("w:alice", "w:bob", "w:gm")
    table.begin_scene("harbour", 4)
    return table


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_hidden_rolls_open_in_every_order_and_none_tells_of_another(table: Table, order: tuple[int, ...]) -> None:
    asks = [table.ask(f"secret {n}", 20, 20) for n in range(4)]
    for opened, n in enumerate(order, start=1):
        table.open(asks[n])
        still_hidden = {table.chains[table.taken[asks[later]]].spend(1) for later in order[opened:]}
        assert not still_hidden & set(computable(table.lines, steps=50))
        assert not any(guessed(table, asks[later]) for later in order[opened:])
    report = verify(table.lines)
    assert (report.sound, report.opened, report.unopened) == (True, 4, ())


def computable(written: list[bytes], steps: int) -> Iterator[bytes]:
    """All that follows from what is public: every value hashed on, under the name of every source."""
    public = [bytes.fromhex(value) for value in hex_values([read(line) for line in written]) if len(value) == 64]
    srcs = {fields["src"] for line in written if (fields := read(line))["t"] == "tip"}
    for value in public:
        yield value
        for src in srcs:
            reached = value
            for _ in range(steps):
                reached = link_after(src, reached)
                yield reached


def hex_values(value: object) -> Iterator[str]:
    if isinstance(value, str) and len(value) in (32, 64):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from hex_values(inner)


def guessed(table: Table, ask: int) -> bool:
    """Tries the true text of a seal with every salt that is public: a guess that is right, and yet shows nothing."""
    salts = [value for line in table.lines for value in hex_values(read(line)) if len(value) == 32]
    seal = bytes.fromhex(read(table.lines[ask])["seal"])
    return any(opens(seal, bytes.fromhex(salt), table.secrets[ask].text) for salt in salts)


def test_on_a_shared_chain_opening_one_would_betray_the_earlier_ones() -> None:
    """Why each hidden roll has a chain of its own."""
    shared = Chain("s:gm-open", seed_of("s:gm-open"), length=8)
    assert link_after("s:gm-open", shared.spend(3)) == shared.spend(2)


def test_hidden_chains_are_taken_in_the_order_of_their_tips(table: Table) -> None:
    table.ask("first", 20)
    table.begin_scene("market", 1)
    taken = [table.taken[table.ask(f"secret {n}", 20)] for n in range(4)]
    assert taken == ["s:gm-harbour-2", "s:gm-harbour-3", "s:gm-harbour-4", "s:gm-market-1"]
    assert refused(lambda: table.ask("one more", 20)) == Fault.NO_HIDDEN_TIP


def test_a_scene_may_promise_more_later(table: Table) -> None:
    table.begin_scene("harbour", 2)
    assert table.ledger.hidden_left == tuple(f"s:gm-harbour-{k}" for k in range(1, 7))


def test_an_ask_waits_for_exactly_its_witnesses(table: Table) -> None:
    ask = table.ask("what lies below?", 20, witnesses=["w:bob", "w:alice"])
    bob, alice = ((src, table.clients[src].chain.spend(1)) for src in ("w:bob", "w:alice"))
    for links in ([], [bob], [alice, bob], [bob, alice, bob]):
        assert refused(lambda links=links: table.write(lines.answer(ask, links))) == Fault.WRONG_WITNESS  # type: ignore[misc]
    table.write(lines.answer(ask, [bob, alice]))
    assert refused(lambda: table.write(lines.answer(ask, [bob, alice]))) == Fault.ANSWERED


def test_the_key_of_a_witnessed_roll_has_the_servers_link_first(table: Table) -> None:
    ask = table.ask("what lies below?", 20, 20, 20, witnesses=["w:bob", "w:alice"])
    table.answer(ask)
    table.open(ask)
    links = [table.chains["s:gm-harbour-1"], table.clients["w:bob"].chain, table.clients["w:alice"].chain]
    dice = FairDice(key_of(chain.spend(1) for chain in links))
    assert read(table.lines[-1])["dice"] == [dice.face(20) for _ in range(3)]


def test_nothing_is_opened_before_the_witnesses_answered(table: Table) -> None:
    ask = table.ask("what lies below?", 20, witnesses=["w:bob"])
    assert refused(lambda: table.open(ask)) == Fault.UNANSWERED


def test_an_ask_is_withdrawn_only_while_unanswered(table: Table) -> None:
    waiting = table.ask("what lies below?", 20, witnesses=["w:bob"])
    answered = table.ask("and behind it?", 20, witnesses=["w:alice"])
    table.answer(answered)
    decided = table.ask("is it asleep?", 20)
    table.write(lines.void(waiting))
    assert refused(lambda: table.write(lines.void(waiting))) == Fault.NO_ASK
    assert refused(lambda: table.write(lines.void(answered))) == Fault.ANSWERED
    assert refused(lambda: table.write(lines.void(decided))) == Fault.ANSWERED


def test_a_withdrawn_ask_has_used_its_hidden_chain(table: Table) -> None:
    table.write(lines.void(table.ask("what lies below?", 20, witnesses=["w:bob"])))
    assert table.ledger.hidden_left[0] == "s:gm-harbour-2"


def test_nobody_witnesses_a_roll_of_their_own(table: Table) -> None:
    assert refused(lambda: table.ask("what lies below?", 20, witnesses=["w:gm"])) == Fault.WRONG_WITNESS


def test_a_witness_has_promised_a_chain(table: Table) -> None:
    assert refused(lambda: table.ask("what lies below?", 20, witnesses=["w:carol"])) == Fault.NO_TIP


def test_dice_that_the_rule_asked_for_later_follow_those_sealed(table: Table) -> None:
    ask = table.ask("does it hear them?", 20)
    table.open(ask, 6, 6)
    assert read(table.lines[-1])["sides"] == [20, 6, 6]


def test_a_hidden_roll_opens_once(table: Table) -> None:
    ask = table.ask("does it hear them?", 20)
    opening = table.lines[table.open(ask)]
    assert refused(lambda: table.write(opening)) == Fault.NO_ASK


def test_the_unopened_are_listed(table: Table) -> None:
    kept, opened = table.ask("kept sealed", 20), table.ask("opened", 20)
    table.open(opened)
    report = verify(table.lines)
    assert (report.hidden, report.opened, report.unopened) == (2, 1, (kept,))
    assert f"Not opened: the hidden rolls of line {kept}." in report.sentences()
