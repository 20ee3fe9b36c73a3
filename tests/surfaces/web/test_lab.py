"""The lab's page: any rule of any game, for everybody; a link that restores it; files; what is too much is refused."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from msgspec.structs import replace

from astragal.lab.rolls import rolls_of
from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.settings import Settings
from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import PORT, Clock, Web, opened_web
from tests.table.dare import DARE

PART = {"HX-Request": "true"}


@pytest.mark.slow
def test_every_rule_of_every_game_has_a_page(web: Web) -> None:
    client = web.client()
    for book in web.context.books.values():
        for name in rolls_of(book.ruleset):
            found = client.get(f"/lab/{book.ruleset.id}/{name}")
            assert found.status_code == 200, (name, found.text)
            assert '<svg xmlns="http://www.w3.org/2000/svg"' in found.text
            assert "<style" not in found.text  # the policy of the page would drop it


def test_strangers_find_the_lab_from_the_first_page(web: Web) -> None:
    client = web.client()
    assert 'href="/lab"' in client.get("/").text
    assert client.get("/lab").headers["Location"].startswith("/lab/")
    assert client.get("/lab?game=six_pool").headers["Location"] == "/lab/six_pool/check?.over=dc"


def test_a_moved_slider_brings_the_answer_alone_and_a_link_that_restores_it(web: Web) -> None:
    client = web.client()
    sent = {
        "dc": "15",
        "bonus": "3",
        "stance": "level",
        "naturals": "critical",
        ".over": "bonus",
        ".of": "",
        ".and": "",
    }
    part = client.get("/lab/six_pool/check", params=sent, headers=PART)
    assert "<html" not in part.text
    assert "Chance of success by bonus. Six-Pool d20, check: dc 15" in part.text
    link = unescape(part.text.partition('<a class="small" href="')[2].partition('"')[0])
    assert link == "/lab/six_pool/check?dc=15&bonus=3&.over=bonus"  # defaults are not said
    page = client.get(link).text
    assert '<option value="bonus" selected>' in page
    assert 'max="40" value="15"' in page
    assert '<th scope="row">3</th><td>45.0%</td>' in page  # the chart's numbers stand in a table


def test_switches_records_and_lists_are_restored_too(web: Web) -> None:
    link = "/lab/narraject/roll_hand?hand.terms.0.source=rating&hand.terms.0.dice=4&hand.terms.1.source=focus"
    page = web.client().get(f"{link}&hand.terms.1.dice=3&difficulty=4&.of=success").text
    assert page.count('<div class="row">') == 4  # two that are filled in, and two more
    page = web.client().get("/lab/sinew_steel/nudged_test?score=9&stand.luck=4&lethal=no&lethal=yes&.policy=best").text
    assert "Sinew &amp; Steel, nudged test: score 9, stand (luck 4), lethal yes, best play" in page


def test_two_games_are_on_one_chart(web: Web) -> None:
    link = "/lab/six_pool/check?.over=bonus&dc=15&.against=sinew_steel/simple_test&b-score=12"
    page = web.client().get(link).text
    assert "Six-Pool d20, check: dc 15" in page
    assert '<option value="sinew_steel/simple_test" selected>' in page
    assert 'name="b-score"' in page
    assert page.count("<polyline") == 2


@pytest.mark.parametrize(
    ("kind", "start"), [("csv", b"setting,"), ("json", b"{"), ("svg", b"<svg"), ("png", b"\x89PNG")]
)
def test_the_answer_is_a_file(web: Web, kind: str, start: bytes) -> None:
    found = web.client().get(f"/lab/six_pool/check/odds.{kind}?dc=15&bonus=5&.over=stance")
    assert found.status_code == 200
    assert found.content.startswith(start)
    assert found.headers["Content-Disposition"] == f'attachment; filename="check.{kind}"'
    if kind == "json":
        assert len(json.loads(found.content)["odds"]) == 6


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("six_pool/check?dc=99", "dc must be at most 40, not 99"),
        ("six_pool/check?dc=fifteen", "dc must be a whole number"),
        ("six_pool/check?nonsense=1", "nonsense"),
        ("six_pool/check?.over=nonsense", "can't vary here"),
        ("six_pool/check?.over=dc&.from=1&.to=999999", "is not 1 to 61 numbers"),
        ("six_pool/check?.over=dc&.from=x", "whole numbers"),
        ("six_pool/check?.policy=hope", "There is no policy"),
        ("six_pool/check?.over=dc&.goal=glory", "is no outcome here"),
        ("six_pool/attack?damage=99d99!99d99", "damage"),
        ("six_pool/check?.against=six_pool/nothing", "has no rule"),
        ("six_pool/check?.against=chess/check", "There is no game"),
        ("six_pool/nothing", "has no rule"),
        ("chess/check", "There is no game"),
        ("six_pool/check?dc=" + "9" * 300, "more in this address"),
        ("six_pool/check?" + "&".join(f"x{n}=1" for n in range(500)), "more in this address"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(web: Web, path: str, told: str) -> None:
    found = web.client().get(f"/lab/{path}")
    assert found.status_code == 422
    assert told in unescape(found.text)


def test_too_much_work_is_left_to_the_terminal(web: Web) -> None:
    members = "&".join(f"members.{n}.bonus={n + 1}" for n in range(12))
    found = web.client().get("/lab/six_pool/attack?damage=200d200kh100%2B200d199kh99")
    assert found.status_code == 422
    assert "too much work for a web page" in found.text
    assert web.client().get(f"/lab/six_pool/how_many_make_it?{members}").status_code == 200


def test_whoever_asks_too_fast_is_asked_to_wait(sqlite_place: SqlitePlace) -> None:
    settings = replace(Settings.local(PORT), seat_pace=Pace(burst=3, per_second=0.5))
    with opened_web(sqlite_place.url, settings, Clock(), [DARE]) as web:
        client = web.client()
        found = [client.get("/lab/dare/leap", headers=PART) for _ in range(4)]
    assert [one.status_code for one in found] == [200, 200, 200, 429]


class Hurrying(Clock):
    """A second passes whenever somebody looks at it."""

    def ticks(self) -> float:
        self.now += 1000
        return self.now / 1000


def test_a_long_look_comes_in_parts_and_the_page_asks_for_the_rest(sqlite_place: SqlitePlace) -> None:
    link = "/lab/six_pool/contest?.over=actor.bonus&.from=0&.to=4&holder.bonus=17"
    with opened_web(sqlite_place.url, clock=Hurrying()) as web:
        parts = [web.client().get(link, headers=PART).text for _ in range(2)]
    assert all("3 more to calculate" in part and 'hx-trigger="load' in part for part in parts)
    with opened_web(sqlite_place.url, clock=Clock()) as web:
        assert "more to calculate" not in web.client().get(link, headers=PART).text


@pytest.mark.slow
def test_two_fighters_fight_to_the_end(web: Web) -> None:
    client = web.client()
    for book in web.context.books.values():
        shown = client.get(f"/lab/{book.ruleset.id}/duel?.play=decline").text
        (chance,) = re.findall(r"The first wins ([\d.]+)%", shown)
        assert 0 < float(chance) < 100, "the usual foe is no sure thing"
    for chosen in ("", "?game=six_pool"):
        led = client.get(f"/lab/duel{chosen}", follow_redirects=False).headers["Location"]
        assert led == f"/lab/{chosen[6:] or next(iter(web.context.books))}/duel"
    link = "/lab/sinew_steel/duel?stamina=3&luck=2&b-stamina=3&b-luck=2&.first=either"
    told = client.get(link, headers=PART).text
    assert "The first wins 50.00%" in told
    assert "How the first plays best" in told
    party = client.get("/lab/sinew_steel/duel?stamina=3&b-stamina=3&.foes=2&.play=decline", headers=PART).text
    assert "The first side wins" in party
    assert "Standing at the end" in party
    assert "<html" not in told


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("sinew_steel/duel?stamina=999", "stamina must be at most"),
        ("sinew_steel/duel?stamina=20&luck=20&b-stamina=20&b-luck=20", "too much work for a web page"),
        ("sinew_steel/duel?.play=hope", "'hope' is none of best, greedy, decline."),
        ("sinew_steel/duel?.first=nobody", "is none of either, one, two."),
        ("narraject/duel?rating=3&b-rating=3&.play=decline", "a hero fights a threat"),
    ],
)
def test_fighters_that_cannot_fight_are_told_so(web: Web, path: str, told: str) -> None:
    found = web.client().get(f"/lab/{path}")
    assert found.status_code == 422
    assert told in unescape(found.text)
