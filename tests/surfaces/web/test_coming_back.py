"""A page that comes back is sent what it may not have, and nothing else: after a pause, a restart, another program."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

import pytest

from astragal.surfaces.web import rendering
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.live.panels import PanelCache
from astragal.surfaces.web.live.updates import PageCache, PageFollower
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.panels import PANELS
from astragal.table.host import Host
from tests.surfaces.web.open_tables import OpenTable, Web
from tests.surfaces.web.played import drawn_alone

ALL = {panel.name for panel in PANELS}
PANEL = re.compile(r'#panel-(\w+)" hx-swap="innerMorph">(.*?)</hx-partial>', re.DOTALL)
MARK = re.compile(rb"^id: (\S+)$", re.MULTILINE)


class Page:
    """A page that comes back from where it was, whenever it is asked to."""

    def __init__(self, web: Web, table: OpenTable, seat: str) -> None:
        self.web, self.table, self.seat = web, table, seat
        shown = web.client(table[seat]).get(f"/t/{table.id}").text
        self.mark = shown.partition("/events?after=")[2].partition('"')[0]
        self.panels: dict[str, str] = {}

    def comes_back(self, context: WebContext | None = None) -> set[str]:
        """The panels that it is sent then."""
        context = context or self.web.context
        self.at = SeatSession(context, self.table.id, self.table.seats[self.seat])
        self.cache = PageCache(self.web.app.state.templates, self.table.id, PANELS)
        self.follower = PageFollower(self.at, self.cache, self.mark)
        return self.hears()

    def logged(self) -> bytes:
        """What its log is told now."""
        return b"".join(self.follower.news()).partition(b'"#log"')[2]

    def hears(self) -> set[str]:
        return set(self.hears_parts())

    def hears_parts(self) -> dict[str, str]:
        """The panels that it is sent, by name."""
        told = b"".join(self.follower.news())
        assert b"event: reload" not in told
        if found := MARK.findall(told):
            self.mark = found[-1].decode()
        return dict(PANEL.findall(told.decode().replace("\ndata: ", "\n")))


@pytest.fixture
def table(web: Web) -> OpenTable:
    return web.table()


def give(web: Web, table: OpenTable, by: str, command: str, /, **fields: Any) -> None:
    web.host.act(table.id, table.seats[by], (command, fields))


def restarted(web: Web) -> WebContext:
    """The same store, served by a new process."""
    store, clock = web.context.store, web.context.auth.clock
    rulesets = [book.ruleset for book in web.context.books.values()]
    host = Host(store, rulesets, clock=clock, entropy=secrets.token_bytes)
    return WebContext(host, store, web.context.auth, web.context.settings)


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["Ada", "Bo", "Di"])
def test_a_page_that_has_all_is_sent_no_panel_of_the_log(web: Web, table: OpenTable, seat: str) -> None:
    page = Page(web, table, seat)
    assert page.comes_back() == set()
    assert page.comes_back(restarted(web)) == set()
    give(web, table, "Ada", "start_clock", name="Doom")
    assert page.comes_back(restarted(web)) == ALL
    assert page.comes_back(restarted(web)) == set()


def test_a_page_that_came_back_is_told_what_changes(web: Web, table: OpenTable) -> None:
    page = Page(web, table, "Bo")
    page.comes_back()
    give(web, table, "Ada", "start_clock", name="Doom")
    assert page.hears() == {"clocks"}


def test_a_panel_that_was_changed_and_changed_back_while_a_page_was_away_is_sent(web: Web, table: OpenTable) -> None:
    page = Page(web, table, "Bo")
    page.comes_back()
    give(web, table, "Di", "stop_scene")
    assert "stopped" in page.hears()
    give(web, table, "Ada", "go_on")
    assert "stopped" in page.comes_back()


def test_what_happened_out_of_a_seats_sight_may_have_changed_its_panels(web: Web, table: OpenTable) -> None:
    page = Page(web, table, "Bo")
    give(web, table, "Ada", "write_note", title="Mine", words="hm", audience="game master")
    assert page.comes_back() == ALL


def test_who_is_connected_is_told_to_a_page_that_has_the_rest(
    web: Web, table: OpenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(web, table, "Bo")
    monkeypatch.setattr(web.context.hub, "present", lambda _: frozenset({table.seats["Cy"]}))
    assert page.comes_back() == {"people", "seats", "welcome"}
    assert page.comes_back() == set()
    page.mark = re.sub(r"people-\w+", "people-0", page.mark)
    assert page.comes_back() == {"people"}


def test_a_page_of_another_seat_another_program_or_none_is_sent_all(
    web: Web, table: OpenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    bo, cy = Page(web, table, "Bo"), Page(web, table, "Cy")
    for mark in (
        cy.mark,
        bo.mark.partition(".")[0],
        "",
        "..",
        f"{bo.mark.partition('.')[0]}.nonsense",
        ".".join(bo.mark.split(".")[:2]),
    ):
        bo.mark = mark
        assert bo.comes_back() == ALL
    monkeypatch.setattr(rendering, "program_version", lambda _: "another")
    assert cy.comes_back() == ALL


def test_what_happens_while_a_page_is_drawn_is_told_to_it(
    web: Web, table: OpenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(web, table, "Bo")
    draw = PanelCache.of

    def draws_late(*given: Any) -> Any:
        give(web, table, "Ada", "start_clock", name="Doom")
        return draw(*given)

    with monkeypatch.context() as patched:
        patched.setattr(PanelCache, "of", draws_late)
        assert page.comes_back() == set()
        assert "clocks" in page.hears()
        page = Page(web, table, "Bo")
    assert page.comes_back() == ALL


@pytest.mark.parametrize("asked", ["look", "decisions"])
def test_what_happens_while_the_table_is_looked_at_is_told(
    web: Web, table: OpenTable, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    page = Page(web, table, "Bo")
    answer = getattr(web.host, asked)

    def late(*given: Any) -> Any:
        monkeypatch.setattr(web.host, asked, answer)
        give(web, table, "Ada", "start_clock", name="Doom")
        return answer(*given)

    monkeypatch.setattr(web.host, asked, late)
    assert page.comes_back() == ALL


@pytest.mark.parametrize("seat", ["Ada", "Bo"])
@pytest.mark.parametrize("has_another_window", [False, True])
def test_a_page_that_came_back_always_has_what_would_be_drawn(
    web: Web, table: OpenTable, monkeypatch: pytest.MonkeyPatch, seat: str, *, has_another_window: bool
) -> None:
    """What rests on the log alone is drawn once something happens, and for another window perhaps before that."""

    def fresh() -> dict[str, str]:
        at = SeatSession(web.context, table.id, table.seats[seat])
        return {panel.name: drawn_alone(panel, web.app.state.templates, at) for panel in PANELS}

    page, shown = Page(web, table, seat), fresh()
    assert page.comes_back() == set()
    other = PageFollower(page.at, page.cache, mark=page.mark.partition(".")[0])
    deeds: list[tuple[str, str, dict[str, Any]] | None] = [
        None,
        None,
        ("Ada", "put_prompt", {"to": table.seats["Bo"], "words": "What do you fear?"}),
        ("Ada", "start_clock", {"name": "Doom"}),
        None,
        ("Di", "stop_scene", {}),
    ]
    for number, deed in enumerate(deeds):
        present = frozenset({table.seats["Cy"]} if number % 2 else ())
        monkeypatch.setattr(web.context.hub, "present", lambda _, present=present: present)
        if deed:
            by, command, fields = deed
            give(web, table, by, command, **fields)
        if has_another_window:
            list(other.news())
        before, told = shown, page.hears_parts()
        shown = {**before, **told}
        assert shown == fresh(), deed
        assert all(before[name] != text for name, text in told.items()), deed
    assert page.comes_back(restarted(web)) <= {"people", "seats", "welcome"}, "there nobody is connected"


def test_another_file_of_the_program_or_of_the_game_makes_another_version(tmp_path: Path) -> None:
    digest = rendering.digest_of_files
    (tmp_path / "game.py").write_text("one")
    before = digest(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "game.pyc").write_text("made of it")
    assert digest(tmp_path) == before
    (tmp_path / "game.py").write_text("two")
    assert digest(tmp_path) != before
    assert digest(tmp_path / "game.py") != before
    assert rendering.program_version("tests") != rendering.program_version("astragal")


def test_what_happens_while_a_page_is_told_of_it_has_its_card(
    web: Web, table: OpenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card is told once what it is about is over: by the state after it, never by one from before."""
    page = Page(web, table, "Bo")
    page.comes_back()
    hero = next(iter(SeatSession(web.context, table.id, table.seats["Bo"]).viewer.characters))
    give(web, table, "Ada", "request_roll", who=hero, command="test", what_for="the ledge")
    assert b"the ledge" not in page.logged()  # it waits below the log
    request = next(iter(web.host.look(table.id, table.seats["Ada"]).requests))
    follow = web.host.follow

    def late(*asked: Any) -> Any:
        monkeypatch.setattr(web.host, "follow", follow)
        give(web, table, "Ada", "withdraw_request", request=request)
        return follow(*asked)

    monkeypatch.setattr(web.host, "follow", late)
    assert b"the ledge" in page.logged()


def test_a_page_that_is_told_to_load_again_is_told_nothing_more(web: Web, table: OpenTable) -> None:
    """It has a stream of its own then. A client that stays would have all that it missed read again at each deed."""
    page = Page(web, table, "Bo")
    page.comes_back()
    lost = PageFollower(page.at, page.cache, mark="nonsense")
    assert b"event: reload" in b"".join(lost.news())
    give(web, table, "Ada", "say", words="Is anybody there?")
    assert b"anybody" in page.logged()
    assert list(lost.news()) == []
