"""Seats with chains of their own, as pages without scripts and programs see them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from astragal.fair import ClientChain, Ledger
from astragal.surfaces.web.session import NO_LINK, REFUSAL
from astragal.table.declarations import Sight
from tests.surfaces.web.open_tables import OpenTable, Web

PART = {"HX-Request": "true"}


class Kept:
    """A chain that a program of Bo's keeps."""

    def __init__(self, web: Web, table: OpenTable, kind: str) -> None:
        self.web, self.table, self.bo = web, table, table.seats["Bo"]
        self.chain = ClientChain.begin(f"{'u' if kind == 'paired' else 'w'}:{self.bo}")
        web.host.act(table.id, self.bo, ("promise_chain", {"kind": kind, "tip": self.chain.chain.tip.hex()}))

    def seen(self) -> Ledger:
        return Ledger.empty(self.table.id).extend(self.web.host.ledger(self.table.id, self.bo))

    def link(self, command: str) -> str:
        self.chain, link = self.chain.link_for(command, self.seen())
        return link.hex()


@pytest.fixture
def table(web: Web) -> OpenTable:
    return web.table("narraject", house={"witnessed": True})


@pytest.fixture
def bo(web: Web, table: OpenTable) -> TestClient:
    return web.client(table["Bo"])


def attempt(web: Web, table: OpenTable) -> dict[str, Any]:
    seen = web.host.look(table.id, table.seats["Bo"])
    hero = next(one for one in seen.characters.values() if one.seat == table.seats["Bo"])
    return {
        "who": hero.id,
        "stat": "might",
        "goal": "over the wall",
        "approach": "by a ladder",
        "difficulty": "moderate",
    }


def test_a_paired_roll_without_a_link_is_refused_and_says_what_to_do(
    web: Web, table: OpenTable, bo: TestClient
) -> None:
    Kept(web, table, "paired")
    answer = bo.post(f"/t/{table.id}/do/attempt", data=attempt(web, table))
    assert answer.status_code == 400
    assert NO_LINK in answer.text
    assert answer.headers[REFUSAL] == "link_needed"
    assert "over the wall" in answer.text


def test_the_form_of_a_roll_says_that_it_is_paired(web: Web, table: OpenTable, bo: TestClient) -> None:
    address = f"/t/{table.id}/form/attempt"
    assert "paired with a chain" not in bo.get(address).text
    Kept(web, table, "paired")
    assert "paired with a chain" in bo.get(address).text
    assert "paired with a chain" not in web.client(table["Cy"]).get(address).text


def test_a_link_that_comes_with_the_form_is_spent_with_the_roll(web: Web, table: OpenTable, bo: TestClient) -> None:
    mine = Kept(web, table, "paired")
    sent = {**attempt(web, table), ".id": "climb", ".link": mine.link("climb")}
    answer = bo.post(f"/t/{table.id}/do/attempt", data=sent, headers=PART)
    assert answer.status_code == 200
    assert mine.seen().spent(f"u:{mine.bo}") == 1


def test_a_link_that_is_none_is_refused(web: Web, table: OpenTable, bo: TestClient) -> None:
    Kept(web, table, "paired")
    sent = {**attempt(web, table), ".link": "over the wall"}
    answer = bo.post(f"/t/{table.id}/do/attempt", data=sent, headers=PART)
    assert answer.status_code == 422
    assert "hexadecimal" in answer.text


def test_a_chain_is_given_up_without_scripts(web: Web, table: OpenTable, bo: TestClient) -> None:
    mine = Kept(web, table, "paired")
    page = bo.get(f"/t/{table.id}/fairness").text
    assert f'data-seat="{mine.bo}"' in page
    assert "Paired with a chain" in page
    assert bo.post(f"/t/{table.id}/do/declare_chain_lost", data={"kind": "paired"}).status_code == 303
    assert "Paired with a chain" not in bo.get(f"/t/{table.id}/fairness").text
    assert bo.post(f"/t/{table.id}/do/attempt", data=attempt(web, table)).status_code == 303


def test_the_ledgers_name_of_the_game_master_is_on_their_pages(web: Web, table: OpenTable) -> None:
    ada = web.client(table.game_master)
    assert 'data-seat="gm"' in ada.get(f"/t/{table.id}/fairness").text
    assert 'data-seat="gm"' in ada.get(f"/t/{table.id}").text


def test_who_looks_on_has_no_chain_to_promise(web: Web, table: OpenTable) -> None:
    assert "promise" not in web.client(table["Di"]).get(f"/t/{table.id}/fairness").text


def test_a_witness_is_told_that_a_hidden_roll_waits_and_nobody_else(web: Web, table: OpenTable, bo: TestClient) -> None:
    Kept(web, table, "witness")
    web.host.act(table.id, table.seats["Ada"], ("attempt", attempt(web, table)), sight=Sight.HIDDEN)
    waits = "A hidden roll waits for your link as a witness"
    assert waits in bo.get(f"/t/{table.id}").text
    assert waits not in web.client(table["Cy"]).get(f"/t/{table.id}").text


def test_an_answer_that_rolls_again_takes_a_link_of_its_own(web: Web) -> None:
    table = web.table("six_pool")
    mine, bo = Kept(web, table, "paired"), web.client(table["Bo"])
    seen = web.host.look(table.id, mine.bo)
    hero = next(one for one in seen.characters.values() if one.seat == mine.bo)
    spent = 0
    while not web.host.decisions(table.id, mine.bo):  # until one fails that could be rolled again
        check = {
            "who": hero.id,
            "pool": "DEX",
            "dc": "15",
            ".id": f"climb {spent}",
            ".link": mine.link(f"climb {spent}"),
        }
        assert bo.post(f"/t/{table.id}/do/check", data=check, headers=PART).status_code == 200
        spent += 1
    (waits,) = web.host.decisions(table.id, mine.bo)
    again = {"answer": json.dumps(waits.choices[-1].answer), ".id": "again"}
    answer = bo.post(f"/t/{table.id}/answer/{waits.act}", data=again, headers=PART)
    assert (answer.status_code, answer.headers[REFUSAL]) == (422, "link_needed")
    again[".link"] = mine.link("again")
    for _ in ("at first", "the answer was lost on its way"):
        assert bo.post(f"/t/{table.id}/answer/{waits.act}", data=again, headers=PART).status_code == 204
    assert mine.seen().spent(f"u:{mine.bo}") == spent + 1


def test_a_tool_that_rolls_takes_a_link(web: Web, table: OpenTable, bo: TestClient) -> None:
    mine, address = Kept(web, table, "paired"), f"/t/{table.id}/quick/attempt"
    asked = {**attempt(web, table), ".id": "climb"}
    assert bo.post(address, data=asked, headers=PART).headers[REFUSAL] == "link_needed"
    assert bo.post(address, data={**asked, ".link": mine.link("climb")}, headers=PART).status_code == 204
    assert mine.seen().spent(f"u:{mine.bo}") == 1
