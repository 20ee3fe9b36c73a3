"""Every roll at a table goes through the public ledger, and anyone can check it."""

from __future__ import annotations

import json
from pathlib import Path
from secrets import token_bytes
from typing import Any

import pytest

from astragal.fair import RENEWED_WITHIN, Chain, ClientChain, Receipt, verify
from astragal.fair.sources import hidden, server
from astragal.storage import open_store
from astragal.table.declarations import Sight
from astragal.table.dice import MOST_CHAINS, Chains, LinkNeeded, Promise
from astragal.table.log.store import Store
from astragal.table.refusals import Refusal
from tests.table.fair_tables import FairTable, Witness, client_view, faces, fair_host
from tests.table.twice import TWICE


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(f"sqlite:///{tmp_path}/tables.db")


@pytest.fixture
def table(store: Store) -> FairTable:
    return FairTable(store)


def test_an_open_roll_has_a_line_with_what_fell(table: FairTable) -> None:
    outcome = table.dare(table.bo)
    (line,) = table.lines("roll")
    assert line["dice"] == faces(outcome)
    assert line["by"] == table.bo
    assert line["req"] == {"command": "dare", "rule": "leap", "arguments": [9, 1]}


def test_the_ledger_verifies_and_is_the_same_for_everyone(table: FairTable) -> None:
    for _ in range(5):
        table.dare(table.bo)
        table.dare(table.cy, "Lund")
        table.dare(table.ada, "Lund")
    report = verify(table.ledger())
    assert report.sound
    assert table.ledger(table.ada) == table.ledger(table.cy)
    assert len(table.lines("roll")) == 15


def test_every_other_command_leaves_a_fact(table: FairTable) -> None:
    before = len(table.lines("fact"))
    table.act(table.bo, "say", words="hello")
    assert len(table.lines("fact")) == before + 1


def test_a_hidden_roll_is_sealed_until_it_is_revealed(table: FairTable) -> None:
    hidden = table.dare(table.ada, sight=Sight.HIDDEN)
    assert table.lines("roll") == []
    assert [line["cmd"] for line in table.lines("ask")] == [hidden.act]
    table.act(table.ada, "reveal", act=hidden.act)
    (opened,) = table.lines("open")
    assert opened["dice"] == faces(hidden)
    assert verify(table.ledger()).sound


def test_secret_and_hidden_rolls_look_alike_in_the_ledger(table: FairTable) -> None:
    table.dare(table.ada, sight=Sight.HIDDEN)
    table.dare(table.ada, sight=Sight.SECRET)
    first, second = table.lines("ask")
    assert first.keys() == second.keys()


def test_when_a_scene_ends_closed_rolls_open_and_the_verifier_lists_what_stays_sealed(table: FairTable) -> None:
    table.act(table.ada, "improvise_scene", title="The ledge")
    shown, kept, also_kept = (table.dare(table.ada, sight=Sight.HIDDEN).act for _ in range(3))
    table.dare(table.ada, sight=Sight.SECRET)
    table.act(table.ada, "keep_sealed", act=also_kept)
    table.act(table.ada, "end_scene", keep=[kept])
    assert len(table.lines("open")) == 1
    state = table.host.look(table.table, table.bo)
    assert state.revealed == (shown,)
    report = verify(table.ledger())
    assert report.sound
    assert len(report.unopened) == 3
    table.act(table.ada, "reveal", act=kept)
    assert len(verify(table.ledger()).unopened) == 2


def test_a_rewind_is_public_and_no_link_is_spent_twice(table: FairTable) -> None:
    node = table.act(table.ada, "mark_save_node", label="the edge").events[0].fields["node"]
    table.dare(table.bo)
    table.act(table.ada, "rewind", node=node, price="nerve")
    table.dare(table.bo)
    table.act(table.ada, "undo")
    assert [line["n"] for line in table.lines("rewind")] == [1, 2]
    links = [line["links"][0][1] for line in table.lines("roll")]
    assert len(set(links)) == len(links) == 2
    assert verify(table.ledger()).sound


def test_a_roll_that_was_never_kept_falls_the_same_again(table: FairTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash between draw and commit: the store never hears of it, and the next try gets the same die."""
    table.dare(table.bo)
    drawn: list[list[bytes]] = []

    def crash(_: str, __: int, batch: Any, ___: bytes) -> None:
        drawn.append([entry.data for entry in batch.entries if b'"t":"roll"' in entry.data.replace(b"\\", b"")])
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(table.store, "append", crash)
        with pytest.raises(KeyboardInterrupt):
            table.dare(table.bo)
    table.host = fair_host(table.store)
    again = table.dare(table.bo)
    (lost,) = drawn[0]
    assert f'"dice":{faces(again)}' in lost.decode().replace("\\", "")


def test_dice_entered_by_hand_have_a_line_of_their_own(store: Store) -> None:
    table = FairTable(store, hand_dice=True)
    waiting = table.dare(table.bo, by_hand=True)
    table.act(table.bo, "answer", act=waiting.act, answer=[4])
    assert [line["dice"] for line in table.lines("entered")] == [[4]]
    assert verify(table.ledger()).sound


def test_dice_after_an_answer_are_thrown_by_hand_too(store: Store) -> None:
    table = FairTable(store, ruleset=TWICE, hand_dice=True)
    waiting = table.give(table.bo, "dare_twice", {"who": "Kira"}, by_hand=True).act
    table.act(table.bo, "answer", act=waiting, answer=[2])
    asked = table.act(table.bo, "answer", act=waiting, answer=True)
    assert asked.waits_for == ("dice",)
    table.act(table.bo, "answer", act=waiting, answer=[5])
    assert [line["dice"] for line in table.lines("entered")] == [[2], [5]]
    assert table.lines("roll") == []
    assert verify(table.ledger(), table.receipts).sound


def test_an_override_is_declared(table: FairTable) -> None:
    table.act(table.ada, "override", who="Kira", what="nerve", value=5)
    assert [line["why"] for line in table.lines("override")] == ["nerve"]
    assert verify(table.ledger()).sound


def test_a_receipt_shows_a_cut_tail(table: FairTable) -> None:
    outcome = table.dare(table.bo)
    assert isinstance(outcome.receipt, Receipt)
    assert verify(table.ledger(), [outcome.receipt]).sound
    assert not verify(table.ledger()[:-1], [outcome.receipt]).sound


def test_after_a_restore_chains_are_renewed_and_the_gap_is_public(table: FairTable, tmp_path: Path) -> None:
    table.dare(table.bo)
    table.host.archive.backup(tmp_path / "backup.db")
    table.dare(table.bo)
    table.host.archive.restore(tmp_path / "backup.db")
    table.dare(table.bo)
    assert len(table.lines("gap")) == 1
    assert [line["renew"] for line in table.lines("tip") if line.get("renew")] == [1, 1, 1], "the chain of each seat"
    assert verify(table.ledger()).sound


def test_a_table_carried_elsewhere_goes_on_with_new_chains(table: FairTable, tmp_path: Path) -> None:
    table.dare(table.bo)
    table.dare(table.ada, sight=Sight.HIDDEN)
    elsewhere = fair_host(open_store(f"sqlite:///{tmp_path}/elsewhere.db"))
    elsewhere.archive.import_table(table.host.archive.export(table.table, table.ada))
    table.host = elsewhere
    table.dare(table.bo)
    assert verify(table.ledger()).sound
    assert len(table.lines("gap")) == 1


def test_paired_rolls_need_the_players_own_link(table: FairTable) -> None:
    chain = ClientChain.begin(f"u:{table.bo}")
    table.act(table.bo, "promise_chain", kind="paired", tip=chain.chain.tip.hex())
    with pytest.raises(LinkNeeded):
        table.dare(table.bo)
    table.dare(table.cy, "Lund")
    for turn in range(3):
        chain, link = chain.link_for(f"dare {turn}", client_view(table))
        table.dare(table.bo, link=link)
    paired = [line for line in table.lines("roll") if line["by"] == table.bo]
    assert [[src for src, _ in line["links"]] for line in paired] == [[f"s:{table.bo}", f"u:{table.bo}"]] * 3
    assert verify(table.ledger()).sound


def test_a_link_sent_with_a_refused_command_is_spent(table: FairTable) -> None:
    table.dare(table.bo)
    chain = ClientChain.begin(f"u:{table.bo}")
    table.act(table.bo, "promise_chain", kind="paired", tip=chain.chain.tip.hex())
    table.act(table.bo, "stop_scene")
    chain, link = chain.link_for("refused", client_view(table))
    with pytest.raises(Refusal):
        table.dare(table.bo, link=link)
    table.act(table.ada, "go_on")
    chain, link = chain.link_for("done", client_view(table))
    table.dare(table.bo, link=link)
    assert verify(table.ledger()).sound


def test_a_witnessed_roll_waits_for_its_witness_before_the_first_die(store: Store) -> None:
    table = FairTable(store, witnessed=True)
    chain = ClientChain.begin(f"w:{table.bo}")
    table.act(table.bo, "promise_chain", kind="witness", tip=chain.chain.tip.hex())
    waiting = table.dare(table.ada, "Lund", sight=Sight.HIDDEN)
    assert faces(waiting) == []
    ledger = client_view(table)
    (place,) = ledger.asks
    chain, link = chain.answer(place, ledger)
    seen = table.act(table.bo, "answer", act=waiting.act, answer=link.hex())
    (card,) = [one for one in seen.events if one.name == "rolled"]
    assert (card.closed, card.fields, card.by) == (True, {}, table.ada)
    table.act(table.ada, "reveal", act=waiting.act)
    report = verify(table.ledger())
    assert report.sound
    assert len(table.lines("open")) == 1
    assert table.lines("answer")[0]["links"] == [[f"w:{table.bo}", link.hex()]]


@pytest.fixture
def watched(store: Store) -> tuple[FairTable, list[Witness]]:
    """A table whose hidden rolls wait for two witnesses."""
    table = FairTable(store, witnessed=True)
    return table, [Witness(table, table.bo), Witness(table, table.cy)]


def test_witnesses_may_answer_in_any_order_whatever_waits(watched: tuple[FairTable, list[Witness]]) -> None:
    table, (bo, cy) = watched
    first, second = (table.dare(table.ada, who, sight=Sight.HIDDEN).act for who in ("Kira", "Lund"))
    cy.answer(second)
    bo.answer(second)
    bo.answer(first)
    cy.answer(first)
    asked = {line["cmd"]: number for number, line in enumerate(map(json.loads, table.ledger())) if line["t"] == "ask"}
    assert [line["ask"] for line in table.lines("answer")] == [asked[second], asked[first]]
    for act in (first, second):
        table.act(table.ada, "reveal", act=act)
    assert len(table.lines("open")) == 2
    assert verify(table.ledger(), table.receipts).sound


def test_a_witness_who_sends_another_link_is_told_at_once(watched: tuple[FairTable, list[Witness]]) -> None:
    table, _ = watched
    waiting = table.dare(table.ada, sight=Sight.HIDDEN)
    with pytest.raises(LinkNeeded):
        table.act(table.bo, "answer", act=waiting.act, answer="0" * 64)


@pytest.mark.parametrize("how", ["withdraw", "undo", "rewind"])
def test_a_hidden_roll_that_waits_no_longer_is_void_in_public(
    watched: tuple[FairTable, list[Witness]], how: str
) -> None:
    table, _ = watched
    node = table.act(table.ada, "mark_save_node", label="the edge").events[0].fields["node"]
    waiting = table.dare(table.ada, sight=Sight.HIDDEN)
    fields = {"withdraw": {"act": waiting.act}, "undo": {}, "rewind": {"node": node, "price": "nerve"}}[how]
    table.act(table.ada, how, **fields)
    assert len(table.lines("void")) == 1
    assert verify(table.ledger(), table.receipts).sound


def test_dice_after_a_hidden_decision_are_witnessed_too(store: Store) -> None:
    """The second die spends a fresh link, and waits for the witness again."""
    table = FairTable(store, ruleset=TWICE, witnessed=True)
    witness = Witness(table, table.bo)
    table.act(table.ada, "join", name="Wolf")
    waiting = table.give(table.ada, "dare_twice", {"who": "Wolf"}, sight=Sight.HIDDEN).act
    witness.answer(waiting)
    table.act(table.ada, "answer", act=waiting, answer=True)
    witness.answer(waiting)
    table.act(table.ada, "reveal", act=waiting)
    assert [len(table.lines(kind)) for kind in ("ask", "answer", "open")] == [2, 2, 2]
    assert verify(table.ledger(), table.receipts).sound


def test_who_sees_a_revealed_deed_need_not_see_who_was_waited_for(watched: tuple[FairTable, list[Witness]]) -> None:
    table, witnesses = watched
    waiting = table.dare(table.ada, sight=Sight.HIDDEN)
    for witness in witnesses:
        witness.answer(waiting.act)
    table.act(table.ada, "reveal", act=waiting.act)
    revealed = next(one for one in table.host.follow(table.table, table.bo).events if one.name == "revealed")
    assert "rolled" in [one.name for one in revealed.opened]


def test_a_chain_that_is_about_to_be_used_up_has_its_successor_promised(
    table: FairTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a paired seat never sends a link before the server's chain is promised, and no roll promises its own."""
    monkeypatch.setattr("astragal.fair.rules.LINKS", RENEWED_WITHIN + 2)

    def renewals() -> list[int]:
        return [line["renew"] for line in table.lines("tip") if line["src"] == f"s:{table.bo}" and "renew" in line]

    table.dare(table.bo)
    assert renewals() == []
    table.dare(table.bo)
    assert renewals() == [1]
    for _ in range(RENEWED_WITHIN):
        table.dare(table.bo)
    assert renewals() == [1]
    table.dare(table.bo)
    assert table.host.ledger_state(table.table, table.bo).sources[f"s:{table.bo}"].spent == 1
    table.dare(table.bo)
    assert renewals() == [1, 2]
    assert verify(table.ledger(), table.receipts).sound


def test_a_chain_is_made_once_and_drawn_from_only_if_it_is_the_one_that_was_promised() -> None:
    stored: dict[str, bytes] = {}
    chains, src = Chains(lambda: stored, token_bytes, seeded_by=None), server("bo")
    made = chains.new(src)
    assert chains.new(src) is made, "nothing was drawn from it"
    stored |= Promise(((made, 0),)).seeds
    assert chains.find(src) is made
    assert chains.new(src).seed != made.seed, "a chain that is drawn from is never promised again"
    late = chains.new(src, 1)
    other = Chain(src, token_bytes(32))
    stored |= Promise(((other, 1),)).seeds  # another process was faster
    assert chains.find(src, 1).seed == other.seed != late.seed


def test_of_many_chains_the_last_ones_stay_computed_and_the_others_are_computed_again() -> None:
    """Each hidden roll has one of its own."""
    stored: dict[str, bytes] = {}
    chains = Chains(lambda: stored, token_bytes, seeded_by=None)
    sources_of_rolls = [hidden("scene", k) for k in range(1, 3 * MOST_CHAINS)]
    tips = {}
    for src in sources_of_rolls:
        made = chains.new(src)
        stored |= Promise(((made, 0),)).seeds
        tips[src] = chains.find(src).tip
    assert len(chains._chains) == MOST_CHAINS  # noqa: SLF001 - what is computed is nobody's to see
    assert [chains.find(src).tip for src in sources_of_rolls] == [tips[src] for src in sources_of_rolls]


def test_a_seeded_table_is_marked_for_good(store: Store) -> None:
    table = FairTable(store, seeded=True)
    rolled = next(event for event in table.dare(table.bo).events if event.name == "rolled")
    assert rolled.fields["dice"][0]["source"] == "seeded"
    assert json.loads(table.ledger()[0])["seeded"] is True
    assert table.host.look(table.table, table.cy).house.seeded


def test_chains_are_private_and_in_no_export(table: FairTable) -> None:
    table.dare(table.bo)
    seeds = [seed.hex() for seed in table.store.private(table.table).values()]
    assert seeds
    exported = b"".join(table.host.archive.export(table.table, table.ada)).decode()
    assert not any(seed in exported for seed in seeds)
