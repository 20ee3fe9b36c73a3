"""Programs see and do at a table what their seat may, by operations that are documented from the commands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from astragal.fair import verify
from astragal.surfaces.web.app import create_app
from astragal.table.fields.json_schema import schema_of
from astragal.table.registry import Book
from tests.surfaces.web.served import Served, served
from tests.surfaces.web.serving import Caller
from tests.table.dare import DARE


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("api")
    with served(f"sqlite:///{folder}/tables.db") as found:
        yield found


@pytest.fixture(scope="module")
def bo(table: Served) -> Caller:
    return table.program_at("Bo")


def dare(table: Served, caller: Caller, face: int, **more: str) -> tuple[int, Any]:
    table.seated.dice.faces[:] = [face]
    return caller.post(f"{table.api}/commands/dare/dare", {"who": "Kira", "danger": 4}, **more)


# ---------------------------------------------------------------- looking


def test_a_program_sees_the_table_as_its_seat_does(table: Served, bo: Caller) -> None:
    found = bo.get(table.api)
    assert (found["seat"], found["role"], found["game"]) == (table.seated.seats["Bo"], "player", "dare")
    sheets = {one["name"]: one["sheet"] for one in found["state"]["characters"].values()}
    assert sheets["Kira"]["fear"] == "deep water"
    assert "fear" not in sheets["Lund"]


def test_the_log_is_read_page_by_page(table: Served, bo: Caller) -> None:
    read, cursor, more = [], "", True
    while more:
        page = bo.get(f"{table.api}/log?most=2&after={cursor}")
        assert len(page["events"]) <= 2
        read += page["events"]
        cursor, more = page["cursor"], page["more"]
    whole = bo.get(f"{table.api}/log")
    assert read == whole["events"]
    assert cursor == whole["cursor"]
    assert "Kira joins" in [event["words"] for event in read]


def test_the_ledger_that_a_program_reads_verifies(table: Served, bo: Caller) -> None:
    status, read = bo.call("GET", f"{table.api}/ledger")
    assert status == 200
    assert verify(read.splitlines()).sound
    _, rest = bo.call("GET", f"{table.api}/ledger?after=1")
    assert read.splitlines()[1:] == rest.splitlines()


# ---------------------------------------------------------------- doing


def test_a_command_is_given_once_however_often_it_is_sent(table: Served, bo: Caller) -> None:
    first = dare(table, bo, 6, Idempotency_Key="one leap")
    assert first[0] == 200
    assert first[1]["events"][-1]["fields"]["made_it"] is True
    assert dare(table, bo, 1, Idempotency_Key="one leap") == first
    status, refused = bo.post(f"{table.api}/commands/say", {"words": "hm"}, Idempotency_Key="one leap")
    assert (status, refused["code"]) == (422, "id_reused")


def test_a_decision_is_shown_with_its_choices_and_answered(table: Served, bo: Caller) -> None:
    _, done = dare(table, bo, 3)
    assert done["waits_for"] == ["who"]
    (waits,) = bo.get(f"{table.api}/decisions")
    assert (waits["act"], [one["answer"] for one in waits["choices"]]) == (done["act"], [0, 1])
    (others,) = table.program_at("Cy").get(f"{table.api}/decisions")
    assert others["choices"] == []
    status, answered = bo.post(f"{table.api}/commands/answer", {"act": done["act"], "answer": 1})
    assert status == 200
    assert answered["events"][-1]["fields"] == {"who": _kira(table), "spent": 1, "made_it": True}
    assert bo.get(f"{table.api}/decisions") == []


def _kira(table: Served) -> str:
    return next(one.id for one in table.seated.look("Ada").characters.values() if one.name == "Kira")


def test_the_odds_of_a_command_are_exact_and_can_be_held_to(table: Served, bo: Caller) -> None:
    status, odds = bo.post(f"{table.api}/preview/dare/dare", {"who": "Kira", "danger": 4})
    assert status == 200
    chances = {str(one["outcome"]): one["exactly"] for one in odds["cases"][0]["chances"]}
    assert chances == {"True": "1/2", "False": "1/2"}
    table.seated.dice.faces[:] = [6]
    path = f"{table.api}/commands/dare/dare?shown={odds['question']}"
    assert bo.post(path, {"who": "Kira", "danger": 4})[0] == 200
    status, refused = bo.post(path, {"who": "Kira", "danger": 5})
    assert (status, refused["code"]) == (422, "question_changed")


def test_the_price_of_a_chance_comes_with_the_odds(table: Served, bo: Caller) -> None:
    """NJ-24, SP-21: the fewest points that reach it, in numbers and in a sentence."""
    asked = f"{table.api}/preview/dare/dare?reach="
    _, odds = bo.post(f"{asked}40%25", {"who": "Kira", "danger": 4})
    assert odds["reach"] == {
        "wanted": "2/5",
        "points": 0,
        "chance": "1/2",
        "best": {"points": 0, "chance": "1/2", "span": None},
        "words": "40 % is reached: 50 %, and there is nothing to spend.",
    }
    status, refused = bo.post(f"{asked}often", {"who": "Kira", "danger": 4})
    assert (status, refused["code"]) == (422, "chance")


def test_where_nothing_is_rolled_there_are_no_odds(table: Served, bo: Caller) -> None:
    assert bo.call("POST", f"{table.api}/preview/say", {"words": "hm"})[0] == 204


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("commands/dare/dare", {"who": "Kira", "danger": 99}, "bad_fields"),
        ("commands/dare/dare", {"who": "Kira", "role": "game master"}, "bad_fields"),
        ("commands/dare/dare", {"who": "Lund"}, "not_yours"),
        ("commands/dare/dare?sight=hidden", {"who": "Kira"}, "not_allowed"),
        ("commands/dare/dare?link=zz", {"who": "Kira"}, "bad_fields"),
        ("commands/take_seat", {"name": "Eve"}, "not_allowed"),
        ("commands/fly", {}, "unknown_command"),
        ("commands/sinew_steel/dare", {"who": "Kira"}, "unknown_command"),
        ("commands/say", [], "bad_fields"),
        ("commands/say", b"{", "bad_fields"),
        ("commands/say", b"[" * 50_000, "bad_fields"),
        ("commands/say", b'{"words": "\xff"}', "bad_fields"),
        ("commands/say", b'{"words": "\\ud800"}', "bad_fields"),
        ("commands/say", b'{"words": NaN}', "bad_fields"),
        ("preview/dare/dare", {"who": "nobody"}, "no_such_thing"),
    ],
)
def test_what_cannot_be_is_refused_with_a_code_and_a_sentence(
    table: Served, bo: Caller, path: str, body: Any, code: str
) -> None:
    status, refused = bo.post(f"{table.api}/{path}", body)
    assert (status, refused["code"]) == (422, code)
    assert refused["sentence"].endswith((".", "!"))


# ---------------------------------------------------------------- coming in


def test_a_token_is_for_one_seat_at_one_table(table: Served, bo: Caller) -> None:
    assert Caller(table.port, "").call("GET", table.api)[0] == 401
    assert bo.call("GET", "/api/tables/another")[0] == 401
    assert Caller(table.port, "", {"Authorization": "Bearer nonsense"}).call("GET", table.api)[0] == 401


def test_a_page_may_use_its_cookie_and_another_site_may_not(table: Served) -> None:
    cy = table.at("Cy")
    assert cy.post(f"{table.api}/commands/say", {"words": "from the page"})[0] == 200
    assert cy.post(f"{table.api}/commands/say", {"words": "from elsewhere"}, Origin="http://evil.example")[0] == 403


# ---------------------------------------------------------------- the stream


def test_a_stream_tells_what_happens_and_goes_on_where_it_was(table: Served, bo: Caller) -> None:
    cursor = bo.get(f"{table.api}/log")["cursor"]
    stream = bo.listen(f"{table.api}/events?after={cursor}")
    table.seated.act("Ada", "say", words="for the record")
    told = stream.next()
    assert (told.event, [event["name"] for event in json.loads(told.data)]) == ("happened", ["said"])
    stream.close()
    table.seated.act("Ada", "say", words="and again")
    again = bo.listen(f"{table.api}/events", after=told.id).next()
    assert [event["words"] for event in json.loads(again.data)] == ["Ada: and again"]


def test_a_stream_from_nowhere_begins_at_the_beginning_and_says_so(table: Served, bo: Caller) -> None:
    first = bo.listen(f"{table.api}/events?after=spectator-7").next()
    assert (first.event, json.loads(first.data)[0]["name"]) == ("restarted", "table_opened")
    assert bo.listen(f"{table.api}/events").next().event == "happened"


# ---------------------------------------------------------------- the document


def test_every_command_has_an_operation_from_its_own_definition(bo: Caller) -> None:
    document = bo.get("/api/openapi.json")
    own = {action.name for chapter in DARE.chapters for action in chapter.actions}
    for name, kind in Book.of(DARE).commands.items():
        place = f"/api/tables/{{table}}/commands/{'dare/' if name in own else ''}{name}"
        operation = document["paths"][place]["post"]
        schema = schema_of(kind)
        assert operation["description"] == schema.pop("description")
        assert operation["requestBody"]["content"]["application/json"]["schema"] == schema
    names = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(names) == len(set(names))


def test_the_page_about_the_api_is_made_of_the_document_and_loads_nothing_from_elsewhere(bo: Caller) -> None:
    status, read = bo.call("GET", "/api")
    page = read.decode()
    assert status == 200
    assert "/api/tables/{table}/commands/dare/dare" in page
    assert "Roll a d6 to reach the danger" in page
    assert "http://" not in page
    assert "https://" not in page


def test_a_client_that_leaves_in_the_middle_of_its_request_is_no_fault_of_ours(table: Served, bo: Caller) -> None:
    said: list[Any] = []

    async def gone() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        said.append(message)

    headers = {"host": f"127.0.0.1:{table.port}", "content-length": "100", **bo.headers}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": f"{table.api}/commands/say",
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", table.port),
    }
    asyncio.run(create_app(table.context)(scope, gone, send))
    assert said[0]["status"] == 400
