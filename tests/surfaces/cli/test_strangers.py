"""What strangers type does no harm: what is not plainly a command is asked back, and nothing happens before a yes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.six_pool import SIX_POOL
from astragal.storage import open_store
from astragal.surfaces.cli.play.readings import Reading
from astragal.surfaces.cli.play.session import PlaySession
from astragal.surfaces.cli.seats import SeatClient
from astragal.surfaces.cli.terminal import WIDTH
from astragal.surfaces.shared.context import AppContext
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.log.repository import Outcome
from astragal.table.log.store import Store
from astragal.table.starter import sample_heroes, start_table, worn
from tests.surfaces.cli import strangers
from tests.table.seated import ScriptedDice, new_host

GAMES: Mapping[str, tuple[Ruleset, str, str, dict[str, Any]]] = {
    "sinew_steel": (SINEW_STEEL, strangers.SINEW_STEEL, "make_npc", {"name": "Guard", "tier": 10}),
    "narraject": (NARRAJECT, strangers.NARRAJECT, "raise_threat", {"name": "Guard", "level": 2}),
    "new_shoes": (NEW_SHOES, strangers.NEW_SHOES, "make_npc", {"name": "Guard", "body": 3}),
    "six_pool": (SIX_POOL, strangers.SIX_POOL, "make_npc", {"name": "Guard", "level": 1}),
}


@dataclass
class Heard:
    """A listener that keeps what came last of each kind."""

    width: int = WIDTH
    outcome: str = ""
    sentence: str = ""
    asked: Reading | None = None

    def event(self, _: Any) -> None: ...
    def asking(self, _: Any) -> None: ...
    def previewed(self, *_: Any) -> None: ...

    def shown(self, _: list[str]) -> None:
        self.outcome = self.outcome or "shows"

    def done(self, _: Any) -> None:
        self.outcome = "does"

    def refused(self, _: str, sentence: str) -> None:
        self.outcome, self.sentence = "refuses", sentence

    def asked_back(self, sentence: str, reading: Reading) -> None:
        self.outcome, self.sentence, self.asked = "asks", sentence, reading


GIVEN: list[str] = []
"""Commands that reached the table since the session of the test began."""


class NotingClient(SeatClient, frozen=True):
    def act(self, command: str, fields: Mapping[str, Any], **how: Any) -> Outcome:
        GIVEN.append(command)
        return super().act(command, fields, **how)


@dataclass
class Evening:
    """A table of one game with two players' heroes, an enemy and a clock."""

    game: Ruleset
    store: Store
    table: str
    seats: Mapping[str, str]
    folder: Path
    faces: tuple[int, ...] = (1,) * 100
    heard: Heard = field(default_factory=Heard)

    def session(self, seat: str) -> PlaySession:
        host = new_host(self.store, ScriptedDice(self.faces), (self.game,))
        session = PlaySession(NotingClient(AppContext(host, self.store), self.table, self.seats[seat]), Heard())
        session.begin(0)
        GIVEN.clear()
        self.heard = session.listener = Heard()
        return session

    def entries(self) -> int:
        return sum(1 for _ in self.store.read(self.table))


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Evening]]:
    evenings = {}
    for name, (game, _, command, enemy) in GAMES.items():
        folder = tmp_path_factory.mktemp(name)
        store = open_store(str(folder / "tables.db"))
        host = new_host(store, ScriptedDice([1] * 100), (game,))
        heroes = list(enumerate(list(sample_heroes(game, worn(game, "")).values())[:2]))
        opened = start_table(host, game, name="T", game_master="Ada", players=("Bo", "Cy"), heroes=heroes, begins=True)
        host.act(opened.table, opened.seat, (command, enemy))
        host.act(opened.table, opened.seat, ("start_clock", {"name": "The alarm"}))
        seats = {"Ada": opened.seat, "Bo": opened.players[0], "Cy": opened.players[1]}
        evenings[name] = Evening(game, store, opened.table, seats, folder)
    yield evenings
    for evening in evenings.values():
        evening.store.close()


@pytest.fixture
def evening(laid: dict[str, Evening], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Open the table of one game; a copy of it if something is to happen there."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    copies: list[Store] = []

    def opened(name: str, *, copied: bool = False, faces: Sequence[int] = (1,) * 100) -> Evening:
        first = laid[name]
        if not copied:
            return first
        shutil.copytree(first.folder, tmp_path / name)
        copies.append(open_store(str(tmp_path / name / "tables.db")))
        return Evening(first.game, copies[-1], first.table, first.seats, tmp_path / name, tuple(faces))

    yield opened
    for store in copies:
        store.close()


def lines() -> list[Any]:
    rows = []
    for name, (_, text, _, _) in GAMES.items():
        for row in text.strip().splitlines():
            typed, _, outcome = row.rpartition(" => ")
            seat, _, line = typed.partition(": ")
            rows.append(pytest.param(name, seat, line, outcome, id=f"{name}: {row}"))
    return rows


def test_there_are_three_hundred_of_them() -> None:
    rows = lines()
    assert len({row.values[2] for row in rows}) > 250
    assert len(rows) >= 400


@pytest.mark.parametrize(("game", "seat", "line", "outcome"), lines())
def test_a_line_leads_to_what_it_means(evening: Any, game: str, seat: str, line: str, outcome: str) -> None:
    what, _, command = outcome.partition(" ")
    table = evening(game, copied=what == "does")
    before = table.entries()
    session = table.session(seat)
    session.hear(line)
    heard = table.heard
    if what == "does":
        assert (heard.outcome, GIVEN) == ("does", [command]), heard.sentence
        assert table.entries() > before
        return
    expected = ("asks", "say") if what == "says" else (what, command)
    assert (heard.outcome, heard.asked.command if heard.asked else "") == expected, heard.sentence
    session.hear("n")
    assert table.entries() == before


def test_a_yes_does_what_was_asked_back_and_any_other_line_drops_it(evening: Any) -> None:
    table = evening("sinew_steel", copied=True)
    session = table.session("Bo")
    before = table.entries()
    session.hear("attack gu")
    session.hear("look")
    session.hear("y")
    assert table.heard.sentence == "Nothing waits for an answer from this seat."
    assert table.entries() == before
    session.hear("attack gu")
    session.hear("Yes!")
    assert table.heard.outcome == "does"
    assert table.entries() > before


def test_a_line_that_is_no_command_is_said_on_a_yes(evening: Any) -> None:
    table = evening("narraject", copied=True)
    session = table.session("Bo")
    session.hear("I want to find the lamp")
    assert table.heard.sentence.endswith("Say “I want to find the lamp”? y/n")
    session.hear("y")
    events = table.session("Cy").place.view.pages()
    assert [event.words for page in events for event in page.events][-1].endswith("I want to find the lamp")


def test_another_roles_command_is_named_as_such(evening: Any) -> None:
    table = evening("narraject")
    table.session("Bo").hear("rest")
    assert table.heard.sentence == "Only the game master can rest."
    table.session("Bo").hear("make camp")
    assert table.heard.sentence == "Only the game master can rest. Say “make camp”? y/n"
    table.session("Ada").hear("inject The gate is rotten")
    assert table.heard.sentence.startswith("Only players can inject a fact.")


def test_the_beginning_of_an_answer_is_asked_back_and_a_sentence_is_none(evening: Any) -> None:
    table = evening("sinew_steel", copied=True)
    session = table.session("Bo")
    session.hear("attack guard")
    game_master = table.session("Ada")
    before = table.entries()
    for line in ("no", "p", "I dodge the blow", "yes"):
        game_master.hear(line)
        game_master.hear("look")
        assert table.entries() == before, line
    game_master.hear("dodge!")
    assert table.entries() > before


def test_the_beginning_of_what_stands_for_an_answer_is_asked_back(evening: Any) -> None:
    table = evening("sinew_steel", copied=True, faces=[12])
    session = table.session("Bo")
    session.hear("test might the door")
    before = table.entries()
    session.hear("let it")
    assert table.heard.asked is not None
    session.hear("n")
    session.hear("spend 2 hours in the library")
    session.hear("n")
    assert table.entries() == before
    session.hear("decline")  # a command, too, but there is no proposal
    assert table.entries() > before


def test_who_was_asked_for_words_is_offered_to_answer_with_a_line_that_is_no_command(evening: Any) -> None:
    table = evening("new_shoes", copied=True)
    table.session("Ada").hear("put prompt Bo What do you fear?")
    session = table.session("Bo")
    session.hear("Deep water, mostly")
    assert table.heard.sentence.endswith("Answer “What do you fear?” with it? y/n")
    session.hear("y")
    assert table.heard.outcome == "does"
