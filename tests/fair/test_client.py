"""The player's side: a chain that the operator can neither choose nor look ahead at."""

import pytest

from astragal.fair import ClientChain, Fault, lines, verify
from tests.fair.tables import Spring, Table, refused


@pytest.fixture
def table() -> Table:
    table = Table()
    table.promise("s:alice", "s:gm-open")
    table.keep_own_chain("u:alice", "w:alice", "w:bob")
    table.begin_scene("harbour", 4)
    return table


def test_a_chain_is_kept_as_its_seed_and_what_is_spent(table: Table) -> None:
    table.roll("alice", 20)
    chain = table.clients["u:alice"]
    read_back = ClientChain.from_json(chain.to_json())
    assert (read_back.spent, read_back.last, read_back.src) == (1, chain.last, "u:alice")
    table.clients["u:alice"] = read_back
    table.roll("alice", 20)
    assert verify(table.lines).paired == 2


def test_a_repeated_request_gets_the_same_link(table: Table) -> None:
    chain, link = table.clients["u:alice"].link_for("c1", table.ledger)
    again = ClientChain.from_json(chain.to_json()).link_for("c1", table.ledger)
    assert again.link == link
    assert again.chain.spent == 1


def test_no_further_link_is_sent_until_the_last_one_is_shown(table: Table) -> None:
    """An operator who takes a link, looks, and claims that the command never came gets no second one."""
    chain, _ = table.clients["u:alice"].link_for("c1", table.ledger)
    assert refused(lambda: chain.link_for("c2", table.ledger)) == Fault.LINK_UNSEEN


@pytest.fixture
def _short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Used up by two rolls."""
    monkeypatch.setattr("astragal.fair.rules.LINKS", 2)


@pytest.mark.usefixtures("_short_chains")
def test_no_link_is_sent_before_the_servers_chain_is_promised(table: Table) -> None:
    """Else the server could try seeds until one goes well with the player's link."""
    for _ in range(2):
        table.roll("alice", 6)
    table.keep_own_chain("u:alice")
    chain = table.clients["u:alice"]
    assert refused(lambda: chain.link_for("c1", table.ledger)) == Fault.USED_UP
    table.promise("s:alice")
    assert chain.link_for("c1", table.ledger).link


def test_no_link_is_sent_if_another_chain_stands_in_the_ledger(table: Table) -> None:
    mine = ClientChain.begin("u:alice", Spring("mine"))
    assert refused(lambda: mine.link_for("c1", table.ledger)) == Fault.LINK_UNSEEN


def test_a_witness_answers_the_ask_that_names_it(table: Table) -> None:
    ask = table.ask("what lies below?", 20, witnesses=["w:bob"])
    bob, link = table.clients["w:bob"].answer(ask, table.ledger)
    assert bob.answer(ask, table.ledger).link == link
    table.write(lines.answer(ask, [("w:bob", link)]))
    assert refused(lambda: bob.answer(ask, table.ledger)) == Fault.NO_ASK


def test_a_witness_answers_no_one_else(table: Table) -> None:
    ask = table.ask("what lies below?", 20, witnesses=["w:bob"])
    assert refused(lambda: table.clients["w:alice"].answer(ask, table.ledger)) == Fault.NO_ASK
    assert refused(lambda: table.clients["w:bob"].answer(ask + 1, table.ledger)) == Fault.NO_ASK


def test_a_witness_notices_an_ask_withdrawn_after_its_answer(table: Table) -> None:
    """The operator has the link, does not like the dice, and calls the ask unanswered."""
    ask = table.ask("what lies below?", 20, witnesses=["w:bob"])
    bob, _ = table.clients["w:bob"].answer(ask, table.ledger)
    table.write(lines.void(ask))
    again = table.ask("what lies below?", 20, witnesses=["w:bob"])
    assert refused(lambda: bob.answer(again, table.ledger)) == Fault.LINK_UNSEEN


def test_a_witness_answers_one_roll_and_not_another_shown_as_the_same_line(table: Table) -> None:
    """The operator has the link, and then shows a ledger in which the line asked for something else."""
    before = table.ledger
    ask = table.ask("what lies below?", 20, witnesses=["w:bob"])
    bob, _ = table.clients["w:bob"].answer(ask, table.ledger)
    another = before.append(lines.ask("c1", "gm", bytes(32), ["w:bob"]))
    assert another.asks.keys() == {ask}
    assert refused(lambda: bob.answer(ask, another)) == Fault.LINK_UNSEEN


@pytest.mark.usefixtures("_short_chains")
def test_a_repeated_request_gets_the_same_link_though_the_servers_chain_is_used_up_since(table: Table) -> None:
    for _ in range(2):
        table.roll("alice", 6)
    table.promise("s:alice")
    table.keep_own_chain("u:alice")
    chain, link = table.clients["u:alice"].link_for("c1", table.ledger)
    table.write(lines.gap("restored"))
    assert chain.link_for("c1", table.ledger).link == link


def test_a_lost_chain_is_declared_and_renewed(table: Table) -> None:
    ask = table.ask("what lies below?", 20, witnesses=["w:bob"])
    table.write(lines.gap("a new telephone", "w:bob"))
    assert refused(lambda: table.clients["w:bob"].answer(ask, table.ledger)) == Fault.NO_ASK
    table.write(lines.void(ask))
    table.keep_own_chain("w:bob")
    table.answer(table.ask("what lies below?", 20, witnesses=["w:bob"]))
    assert verify(table.lines).renewed == 1
