"""A panel is drawn again when what it looked at has changed, and only then; what is kept is what would be drawn."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any
from weakref import ref

import jinja2
import pytest

from astragal.surfaces.web.live import updates
from astragal.surfaces.web.live.panels import MOST_PARTS, Panel, PanelCache, Place
from astragal.surfaces.web.live.updates import MOST_CARDS, PageCache
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Card, make_card
from astragal.surfaces.web.story.threads import Thread
from astragal.surfaces.web.table.panels import PANELS
from astragal.table.declarations import parts_of, replace, with_parts
from tests.surfaces.web.open_tables import OpenTable, Web
from tests.surfaces.web.played import drawn_alone

TEMPLATES = jinja2.Environment(
    loader=jinja2.DictLoader({"table/panels/counted.html": "{{ at.table }}: {{ shown }}"}), autoescape=True
)


class Counted:
    """Counts how often it is asked, and how often what it shows is drawn."""

    def __init__(self, shows: Any) -> None:
        self.asked = self.drawn = 0
        self._shows = shows

    def __call__(self, session: SeatSession) -> Mapping[str, Any]:
        self.asked += 1
        return {"shown": _Shown(self, self._shows(session))}

    @property
    def panel(self) -> Panel:
        return Panel("counted", self)


class _Shown:
    """Equal where its value is; counts when it is put into words."""

    def __init__(self, of: Counted, value: Any) -> None:
        self._of, self._value = of, value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and self._value == other._value

    def __hash__(self) -> int:
        return 0

    def __str__(self) -> str:
        self._of.drawn += 1
        return str(self._value)


@pytest.fixture
def table(web: Web) -> OpenTable:
    return web.table()


def sit(web: Web, table: OpenTable, name: str) -> SeatSession:
    return SeatSession(web.context, table.id, table.seats[name])


def texts(drawings: PanelCache, panels: Sequence[Panel], at: SeatSession) -> dict[str, str]:
    return {name: one.text for name, one in drawings.of(panels, at).drawings.items()}


def give(web: Web, table: OpenTable, by: str, command: str, /, **fields: Any) -> None:
    web.host.act(table.id, table.seats[by], (command, fields))


def test_a_panel_is_asked_again_only_when_what_it_looked_at_has_changed(web: Web, table: OpenTable) -> None:
    titles = Counted(lambda at: [note.title for note in at.state.notes.values()])
    drawings = PanelCache(TEMPLATES, table.id)
    assert texts(drawings, [titles.panel], sit(web, table, "Bo")) == {"counted": f"{table.id}: []"}
    give(web, table, "Ada", "start_clock", name="Doom")
    give(web, table, "Ada", "say", words="hm")
    drawings.of([titles.panel], sit(web, table, "Bo"))
    assert titles.asked == 1
    give(web, table, "Ada", "write_note", title="A map", words="north is up")
    assert "A map" in texts(drawings, [titles.panel], sit(web, table, "Bo"))["counted"]
    assert titles.asked == 2


def test_a_panel_that_asks_the_table_for_more_is_always_asked_again(web: Web, table: OpenTable) -> None:
    asks = Counted(lambda at: at.preview("say", {"words": "hm"}))
    drawings = PanelCache(TEMPLATES, table.id)
    for asked in (1, 2, 3):
        drawings.of([asks.panel], sit(web, table, "Bo"))
        assert asks.asked == asked


def test_a_panel_that_shows_several_seats_the_same_is_drawn_once(web: Web, table: OpenTable) -> None:
    same = Counted(lambda at: at.state.name)
    drawings = PanelCache(TEMPLATES, table.id)
    found = {texts(drawings, [same.panel], sit(web, table, name))["counted"] for name in table.seats}
    assert found == {f"{table.id}: The Gorge"}
    assert (same.asked, same.drawn) == (1, 1)


def test_a_panel_whose_answers_are_equal_is_drawn_once(web: Web, table: OpenTable) -> None:
    equal = Counted(lambda at: bool(at.seat))
    drawings = PanelCache(TEMPLATES, table.id)
    for name in table.seats:
        texts(drawings, [equal.panel], sit(web, table, name))
    assert (equal.asked, equal.drawn) == (4, 1)


def test_what_waits_for_somebody_is_worked_out_once_for_all_others(web: Web, table: OpenTable) -> None:
    pending, asked = next(one for one in PANELS if one.name == "pending"), list[str]()

    def shows(at: SeatSession) -> Any:
        found = pending.shows(at)
        asked.append(name)
        return found

    drawings = PanelCache(web.app.state.templates, table.id)
    give(web, table, "Ada", "put_prompt", to=table.seats["Bo"], words="What do you fear?")
    for name in ("Bo", "Ada", "Cy", "Di"):
        assert "What do you fear?" in texts(drawings, [Panel("pending", shows)], sit(web, table, name))["pending"]
    assert asked == ["Bo", "Ada", "Cy"]


def test_a_panel_that_nobody_is_sent_is_not_put_into_words(web: Web, table: OpenTable) -> None:
    titles = Counted(lambda at: [note.title for note in at.state.notes.values()])
    drawings = PanelCache(TEMPLATES, table.id)
    shown = drawings.of([titles.panel], sit(web, table, "Bo")).drawings["counted"]
    assert titles.drawn == 0
    assert shown.text == shown.text == f"{table.id}: []"
    assert titles.drawn == 1


@pytest.mark.parametrize(
    ("reads", "rests"),
    [
        (lambda at: at.state.name, True),
        (lambda at: (at.chains.seat, at.decisions, at.viewer.role), True),
        (lambda at: at.present, False),
        (lambda at: at.ai, False),
        (lambda at: at.host.latest(at.table, at.seat).cursor, False),
    ],
)
def test_what_a_panel_reads_tells_whether_it_rests_on_the_log(
    web: Web, table: OpenTable, reads: Callable[[SeatSession], Any], rests: bool
) -> None:
    panel = Panel("counted", lambda at: {"shown": str(reads(at))})
    shown = PanelCache(TEMPLATES, table.id).of([panel], sit(web, table, "Bo"))
    assert shown.drawings["counted"].rests_on_the_log is rests


@pytest.mark.parametrize(
    "reads",
    [
        lambda at: at.seat,
        lambda at: at.viewer.characters,
        lambda at: at.own.name,
        lambda at: at.is_game_master,
        lambda at: at.is_own(at.state.game_master),
        lambda at: at.decisions,
        lambda at: at.chains.seat,
        lambda at: at.admission,
        lambda at: sorted(at.state.notes),
        lambda at: [repr(one.sheet) for one in at.state.characters.values()],
        lambda at: repr(copy(at.state).characters),
        lambda at: repr(replace(at.state, name="another").characters),
        lambda at: repr(with_parts(at.state, {"name": "another"}).characters),
        lambda at: repr(at.state.with_decisions({}).characters),
        lambda at: repr(parts_of(at.state)["characters"]),
        lambda at: sorted(one.name for one in at.state.cast.values() if one.seat == at.seat),
        lambda at: [note.title for note in at.host.look(at.table, at.seat).notes.values()],
        lambda at: SeatSession(at.context, at.table, at.seat).viewer,
    ],
)
def test_seats_with_different_rights_never_share_a_drawing(
    web: Web, table: OpenTable, reads: Callable[[SeatSession], Any]
) -> None:
    """Whatever a panel reads, through whichever way: each seat is shown what it would be shown alone."""
    give(web, table, "Bo", "write_note", title="Mine", words="own", audience="seat", seat=table.seats["Bo"])
    give(web, table, "Ada", "put_prompt", to=table.seats["Cy"], words="What do you fear?")
    panel = Panel("counted", lambda at: {"shown": str(reads(at))})
    drawings = PanelCache(TEMPLATES, table.id)
    for _ in range(2):
        for name in (*table.seats, *reversed(list(table.seats))):
            at = SeatSession(web.context, table.id, table.seats[name], admission=f"the pass of {name}")
            assert texts(drawings, [panel], at)["counted"] == drawn_alone(panel, TEMPLATES, at), name
        give(web, table, "Ada", "start_clock", name="Doom")


def test_a_part_is_worked_out_once_for_seats_that_see_the_same_and_for_nobody_else(web: Web, table: OpenTable) -> None:
    worked_out: list[tuple[str, bool]] = []

    def part(at: SeatSession, one: Any) -> tuple[str, bool]:
        worked_out.append((one.name, at.plays(one.id)))
        return worked_out[-1]

    panel = Panel("counted", lambda at: {"shown": [at.part(part, one) for one in at.state.characters.values()]})
    drawings = PanelCache(TEMPLATES, table.id)
    for _ in range(2):
        for name in table.seats:
            at = sit(web, table, name)
            assert texts(drawings, [panel], at)["counted"] == drawn_alone(panel, TEMPLATES, at), name
        give(web, table, "Ada", "say", words="hm")
    heroes = [one.name for one in sit(web, table, "Ada").state.characters.values()]
    assert len(heroes) == 2
    alone = len(heroes) * len(table.seats) * 2
    # Each hero is somebody's own and the others' not; the game master may see of them what the others may not.
    assert len(worked_out) - alone == 3 * len(heroes)
    hero = sit(web, table, "Bo").state.characters[next(iter(sit(web, table, "Bo").viewer.characters))]
    worked_out.clear()
    give(web, table, "Ada", "override", who=hero.id, what="stamina", value=1)
    for name in table.seats:
        drawings.of([panel], sit(web, table, name))
    assert {name for name, _ in worked_out} == {hero.name}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sinew_steel", "narraject", "new_shoes", "six_pool"])
def test_what_is_kept_is_what_would_be_drawn(web: Web, game: str) -> None:
    table = web.table(game)
    drawings, templates = PanelCache(web.app.state.templates, table.id), web.app.state.templates
    bo = next(
        one.id
        for one in web.host.look(table.id, table.seats["Ada"]).characters.values()
        if one.seat == table.seats["Bo"]
    )
    deeds: list[tuple[str, str, dict[str, Any]]] = [
        ("Ada", "begin_evening", {}),
        ("Ada", "say", {"words": "hm"}),
        ("Ada", "start_clock", {"name": "Doom", "face": "known"}),
        ("Bo", "write_note", {"title": "Mine", "words": "own", "audience": "seat", "seat": table.seats["Bo"]}),
        ("Ada", "improvise_scene", {"title": "The gate"}),
        ("Ada", "put_prompt", {"to": bo, "words": "What do you fear?"}),
        ("Di", "stop_scene", {}),
        ("Ada", "go_on", {}),
        ("Ada", "give_character", {"character": bo, "seat": table.seats["Cy"]}),
        ("Ada", "hand_over", {"seat": table.seats["Bo"]}),
    ]
    for by, command, fields in deeds:
        give(web, table, by, command, **fields)
        for name in table.seats:
            at = sit(web, table, name)
            fresh = {panel.name: drawn_alone(panel, templates, at) for panel in PANELS}
            assert texts(drawings, PANELS, at) == fresh, (command, name)


def test_a_part_that_several_panels_show_is_drawn_once_and_not_kept_for_ever() -> None:
    of, place = Counted(None), Place("t1")
    part = vars(
        TEMPLATES.from_string("{% macro part(at, one, dark=False) %}{{ at.table }} {{ one }}{% endmacro %}").module
    )["part"]
    assert place.once(part, _Shown(of, "Mara")) == place.once(part, _Shown(of, "Mara")) == "t1 Mara"
    assert of.drawn == 1
    assert place.once(part, _Shown(of, "Bo")) == "t1 Bo"
    place.once(part, _Shown(of, "Mara"), dark=True)
    assert of.drawn == 3
    for number in range(2 * MOST_PARTS):
        assert place.once(part, _Shown(of, number)) == f"t1 {number}"
    assert len(place.parts) <= MOST_PARTS


def test_seats_that_saw_the_same_are_told_the_same_cards_and_nobody_what_was_for_another(web: Web) -> None:
    table = web.table()
    cache = PageCache(web.app.state.templates, table.id, PANELS)

    def told(name: str, cursor: str = "") -> str:
        at = SeatSession(web.context, table.id, table.seats[name])
        return cache.cards(at, web.host.follow(table.id, at.seat, cursor).events)

    cursors = {name: web.host.latest(table.id, table.seats[name]).cursor for name in ("Bo", "Cy")}
    web.host.act(table.id, table.seats["Ada"], ("say", {"words": "for all"}))
    assert "for all" in told("Bo", cursors["Bo"])
    assert told("Cy", cursors["Cy"]) is told("Bo", cursors["Bo"])
    web.host.act(table.id, table.seats["Ada"], ("whisper", {"to": [table.seats["Bo"]], "words": "for Bo alone"}))
    assert "for Bo alone" in told("Bo", cursors["Bo"])
    assert "for Bo alone" not in told("Cy", cursors["Cy"])


def test_cards_that_are_told_at_once_are_drawn_once_however_many(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    table, made = web.table(), list[Thread]()
    cache = PageCache(web.app.state.templates, table.id, PANELS)
    seats = [SeatSession(web.context, table.id, table.seats[name]) for name in ("Bo", "Cy", "Bo")]
    cursors = [web.host.latest(table.id, one.seat).cursor for one in seats]

    def counted(session: SeatSession, thread: Thread) -> Card:
        made.append(thread)
        return make_card(session, thread)

    monkeypatch.setattr(updates, "make_card", counted)
    for number in range(MOST_CARDS):
        web.host.act(table.id, table.seats["Ada"], ("say", {"words": f"for all, {number}"}))
    web.host.act(table.id, table.seats["Ada"], ("whisper", {"to": [table.seats["Bo"]], "words": "for Bo alone"}))
    for one, cursor in zip(seats, cursors, strict=True):
        cache.cards(one, web.host.follow(table.id, one.seat, cursor).events)
    assert len(made) == MOST_CARDS + 1


def test_drawings_that_are_dropped_leave_memory_at_once(web: Web, table: OpenTable) -> None:
    """Without the collector of garbage, which looks at all objects only seldom."""
    drawings = PanelCache(web.app.state.templates, table.id)
    texts(drawings, PANELS, sit(web, table, "Ada"))
    dropped = ref(drawings)
    gc.disable()
    try:
        del drawings
        assert dropped() is None
    finally:
        gc.enable()


def test_a_panel_defines_no_macro_of_its_own(web: Web) -> None:
    """A macro refers to its context, which refers to the macro: each drawing would stay in memory for long."""
    templates: jinja2.Environment = web.app.state.templates
    assert templates.loader
    for panel in PANELS:
        source, _, _ = templates.loader.get_source(templates, f"table/panels/{panel.name}.html")
        assert "{% macro" not in source, panel.name
