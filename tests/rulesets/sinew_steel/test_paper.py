"""Heroes on paper, skins on the shelf and tables of the book: what every surface is given."""

from __future__ import annotations

import random
from typing import Any

import pytest

from astragal.game.heroes import heroes_in
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.heroes import HERO_BOOK
from astragal.rulesets.sinew_steel.options import Options
from astragal.rulesets.sinew_steel.scores import STAMINA, build_points
from astragal.table.fields.validation import read
from astragal.table.refusals import Refusal
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.skin_files import SHELF

SALTGLASS = read(Options, SHELF.wear(SHELF.shipped()["saltglass"]).options)
READY = {"advantage": "Never lost.", "kit": ["lamp", "rope", "map"]}


def test_the_ledger_is_shown_at_every_step() -> None:
    """SS-12, SS-15: what each score costs or gives, what is left, and what is still to be done."""
    begun = HERO_BOOK.accounts({}, Options())
    assert begun[5:7] == ["Stamina 5", "cost 0, credit 0; 6 of 6 build points left"]
    assert begun[7:] == [
        "0 items of gear: write down 3 to 6.",
        "One small advantage is still to be named.",
        "still open: signature strength",
        "still open: gear",
        "still open: small advantage",
    ]
    done = HERO_BOOK.accounts({**READY, "scores": {"INT": 14, "MGT": 8}}, Options())
    assert done[0] == "Might 8: gives 2"
    assert done[2] == "Intellect 14: costs 8"
    assert done[6:] == ["cost 8, credit 2; 0 of 6 build points left"]


@pytest.mark.parametrize(
    "hero", [{"scores": None}, {"scores": {"INT": "x"}}, {"gear": 3, "kit": "x"}, {"scores": {"A": 2}}]
)
def test_a_half_written_hero_has_accounts_too(hero: dict[str, Any]) -> None:
    """SS-15"""
    assert all(isinstance(line, str) for line in HERO_BOOK.accounts(hero, Options()))


def test_an_illegal_hero_comes_with_the_nearest_legal_ones() -> None:
    """SS-14: at most five, each with what changed; a legal one needs none."""
    repairs = HERO_BOOK.repairs({"name": "Sage", "scores": {"INT": 14}}, Options(build_points=7))
    assert len(repairs) == 5
    assert "Intellect 14 → 13" in [one.words for one in repairs]
    assert not any(build_points(Options().attributes, 7).faults(one.hero["scores"]) for one in repairs)
    assert HERO_BOOK.repairs({"scores": {"INT": 13}}, Options()) == []


def test_chance_makes_legal_heroes_and_a_theme_is_their_highest() -> None:
    """SS-16: with three things that the skin knows, and a name that one may wish for."""
    assert HERO_BOOK.random is not None
    draw = random.Random(7).randrange
    for _ in range(20):
        hero = HERO_BOOK.random(draw, {"theme": "voc"}, SALTGLASS)
        scores = {key: score for key, score in hero["scores"].items() if key != STAMINA}
        assert not build_points(SALTGLASS.attributes, 6).faults(hero["scores"])
        assert scores["VOC"] == max(scores.values())
        assert len(set(hero["kit"])) == 3
        assert hero["name"] in heroes_in("astragal.rulesets.sinew_steel")["names"]
    assert HERO_BOOK.random(draw, {"name": "Osk"}, SALTGLASS)["name"] == "Osk"
    with pytest.raises(Refusal):
        HERO_BOOK.random(draw, {"theme": "CHA"}, SALTGLASS)


def test_a_hero_on_paper_can_be_played(open_table: Open) -> None:
    """SS-15, SS-70: samples and random heroes end in the same command as any other."""
    playing = open_table()
    for hero in HERO_BOOK.samples(Options()).values():
        playing.act("Bo", HERO_BOOK.make, **hero)
    assert playing.who("Mara Quill").sheet.scores["INT"] == 14
    assert list(HERO_BOOK.samples(SALTGLASS)) == ["Kira Dunlin", "Brother Osk", "Marrow Jonquil", "Isaure of the Panes"]


def test_the_shelf_describes_what_it_holds() -> None:
    """SS-70, SS-71"""
    told = SHELF.describe(SHELF.shipped()["saltglass"])
    for line in ("GRC is Luck (Grace), STP is agility", "Undertow (Pressure):", "Adventure: The Thirteenth Stroke:"):
        assert line in told
    assert any("Drowned bellringer: Wants only to be told the hour. (tier 12; best ARM" in line for line in told)
    assert not SHELF.faults(SHELF.template(), "mine.toml")
    (fault,) = SHELF.faults(SHELF.template().replace('luck = "LCK"', 'luck = "XXX"'), "mine.toml")
    assert fault.startswith("mine.toml:")


@pytest.mark.parametrize("name", ["success", "opposed", "damage"])
def test_the_tables_of_the_book_are_there_by_name(name: str) -> None:
    """SS-01, SS-07, SS-34"""
    table = SINEW_STEEL.tables[name]()
    assert all(len(row) == len(table.head) for row in table.rows)
