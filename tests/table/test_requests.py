"""Requests for a roll, against an open or a hidden difficulty, with a ruleset that answers them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec.structs import replace
from typing_extensions import Doc

from astragal.chance import Question
from astragal.storage import open_store
from astragal.table.authoring.chapter import Action, Call, Chapter, Command
from astragal.table.chapters.prompts import RequestId, RequestMet, find_request, met
from astragal.table.declarations import GAME_MASTER_OR_OWNER, command
from astragal.table.fields.definitions import CharacterId
from astragal.table.visibility.redact import WITHHELD
from tests.table.canaries import reaches
from tests.table.dare import DARE, Dared, Leap, leap
from tests.table.seated import ScriptedDice, Seated, new_host

CANARY = 7
"""A difficulty that nothing else at the table is."""


@command("dare_as_asked", may=GAME_MASTER_OR_OWNER, actor="who")
class DareAsAsked(Command):
    """Dare what the game master asked for."""

    who: Annotated[CharacterId, Doc("who dares")]
    request: Annotated[RequestId, Doc("what was asked")]


def _gather(call: Call, asked: DareAsAsked) -> Question[Leap]:
    danger: Any = find_request(call.state, asked.request, asked.who).difficulty
    return leap(danger, call.state.characters[asked.who].sheet.nerve)


def _tell(call: Call, asked: DareAsAsked, verdict: Leap) -> list[Dared | RequestMet]:
    request = find_request(call.state, asked.request, asked.who)
    return [Dared(who=asked.who, spent=verdict.spent, made_it=verdict.made_it), met(request)]


AS_ASKED = Action(
    DareAsAsked,
    _tell,
    gather=_gather,
    outcome=lambda verdict: verdict.made_it,
    hides=lambda call, asked: find_request(call.state, asked.request, asked.who).hidden,
)
ASKING = replace(DARE, chapters=(*DARE.chapters, Chapter(actions=(AS_ASKED,))))


@pytest.fixture
def seated(tmp_path: Path) -> Seated:
    dice = ScriptedDice()
    host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (ASKING,))
    opened = host.open("dare", name="The Cliff", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    seated.sit("Bo")
    seated.sit("Cy")
    seated.sit("Di", "spectator")
    seated.act("Bo", "join", name="Kira")
    return seated


def kira(seated: Seated) -> str:
    return next(iter(seated.look("Ada").characters))


def ask(seated: Seated, difficulty: int | None = CANARY, *, hidden: bool = False, **fields: Any) -> str:
    asked = seated.act(
        "Ada", "request_roll", who="Kira", command="dare_as_asked", difficulty=difficulty, hidden=hidden, **fields
    )
    return str(asked.events[0].fields["request"]["id"])


def test_a_request_waits_until_it_is_met(seated: Seated) -> None:
    request = ask(seated, 4, what_for="the leap")
    assert seated.words("Di")[-1] == "Kira is asked to dare as asked against 4: the leap"
    assert seated.look("Di").requests[request].difficulty == 4
    seated.dice.faces = [5]
    seated.act("Bo", "dare_as_asked", who="Kira", request=request)
    assert seated.look("Bo").requests == {}
    assert seated.words("Di")[-2:] == ["Kira dares: True", "Kira has rolled as asked"]
    assert seated.refused("Bo", "dare_as_asked", who="Kira", request=request) == "no_such_thing"


def test_a_request_is_of_one_character(seated: Seated) -> None:
    seated.act("Cy", "join", name="Lund")
    request = ask(seated)
    assert seated.refused("Cy", "dare_as_asked", who="Lund", request=request) == "no_such_thing"
    assert seated.refused("Cy", "dare_as_asked", who="Kira", request=request) == "not_yours"


def test_a_hidden_difficulty_is_withheld_in_every_form(seated: Seated) -> None:
    request = ask(seated, hidden=True)
    assert seated.look("Ada").requests[request].difficulty == CANARY
    for seat in ("Bo", "Cy", "Di"):
        found = seated.look(seat).requests[request]
        assert found.hidden
        assert found.difficulty is WITHHELD
    for event in seated.host.follow(seated.table, seated.seats["Bo"]).events:
        assert CANARY not in event.fields.values()
    assert seated.words("Bo")[-1] == "Kira is asked to dare as asked"


def test_a_preview_against_a_hidden_difficulty_is_a_span_and_a_likely_figure(seated: Seated) -> None:
    asked = ("dare_as_asked", {"who": "Kira", "request": ask(seated, hidden=True)})
    preview = seated.host.preview(seated.table, seated.seats["Bo"], asked)
    assert preview is not None
    assert [case.span.against for case in preview.cases if case.span] == [5]
    known = seated.host.preview(seated.table, seated.game_master, asked)
    assert known is not None
    assert [case.span for case in known.cases] == [None]


def test_a_roll_against_a_hidden_difficulty_does_not_tell_whether_it_was_made(seated: Seated) -> None:
    request = ask(seated, hidden=True)
    seated.dice.faces = [1]
    seated.act("Bo", "dare_as_asked", who="Kira", request=request)
    assert "made_it" not in reaches(seated, "Bo").replace("made_it=hidden", "")
    assert '"arguments"' not in reaches(seated, "Bo")


def test_a_withdrawn_request_is_gone(seated: Seated) -> None:
    request = ask(seated)
    seated.act("Ada", "withdraw_request", request=request)
    assert seated.look("Bo").requests == {}
    assert seated.refused("Ada", "withdraw_request", request=request) == "no_such_thing"
    assert seated.words("Bo")[-1] == "Kira need not roll"


def test_what_is_filled_in_is_shown_to_all(seated: Seated) -> None:
    request = ask(seated, None, fields={"danger": 3, "why": "a rope", "again": True})
    assert seated.look("Di").requests[request].fields == {"danger": 3, "why": "a rope", "again": True}
    assert seated.look("Di").requests[request].difficulty is None


@pytest.mark.parametrize("fields", [{"": 1}, {"two words": 1}, {"x" * 41: 1}, {"x": 1.5}, {"x": "y" * 201}, {"x": []}])
def test_what_is_filled_in_is_plain(seated: Seated, fields: dict[str, Any]) -> None:
    assert seated.refused("Ada", "request_roll", who="Kira", command="dare", fields=fields) in ("bad_key", "bad_fields")


def test_nobody_unknown_is_asked(seated: Seated) -> None:
    assert seated.refused("Ada", "request_roll", who="nobody", command="dare") == "no_such_thing"
