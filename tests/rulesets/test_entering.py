"""Entering the story, in every game: heroes for good, others with the story, and nothing shown that is hidden."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.six_pool import SIX_POOL
from astragal.table.authoring.ruleset import Ruleset
from tests.rulesets.at_table import AtTable
from tests.table.canaries import reaches

CANARY = "owes-the-hag-a-name"


def sample(ruleset: Ruleset) -> dict[str, Any]:
    """A hero that the game has ready, with words to look for."""
    assert ruleset.heroes is not None
    hero = dict(next(iter(ruleset.heroes.samples(ruleset.options()).values())))
    return {**hero, "name": "Kira", "concept" if "concept" in hero else "about": CANARY}


NPCS: list[tuple[Ruleset, dict[str, Any]]] = [
    (SINEW_STEEL, {"score": 17}),
    (NEW_SHOES, {"body": 17}),
    (SIX_POOL, {"armour": 17}),
]


def named(one: Any) -> str:
    return one.id if isinstance(one, Ruleset) else ""


@pytest.fixture
def table(ruleset: Ruleset, tmp_path: Path) -> AtTable[Any]:
    return AtTable.opened(tmp_path, ruleset, "The Gate")


@pytest.mark.parametrize("ruleset", [SINEW_STEEL, NARRAJECT, NEW_SHOES, SIX_POOL], ids=named)
def test_words_on_a_new_sheet_can_be_forgotten(table: AtTable[Any], ruleset: Ruleset, tmp_path: Path) -> None:
    made = table.act("Bo", "make_hero", **sample(ruleset))
    assert CANARY in reaches(table, "Bo")
    table.host.archive.forget_words(table.table, table.seats["Bo"], made.act)
    assert CANARY not in reaches(table, "Ada")
    assert CANARY.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("*.db"))
    assert "Kira enters the story" in " ".join(table.words("Cy"))


@pytest.mark.parametrize(("ruleset", "fields"), NPCS, ids=named)
def test_a_rewind_leaves_heroes_in_the_story_and_takes_others_out(
    table: AtTable[Any], ruleset: Ruleset, fields: dict[str, Any]
) -> None:
    node = table.act("Ada", "mark_save_node", label="before").events[0].fields["node"]
    table.act("Bo", "make_hero", **sample(ruleset))
    table.act("Ada", "make_npc", name="Warden", **fields)
    table.act("Ada", "rewind", node=node, price=next(iter(ruleset.prices)))
    assert [one.name for one in table.look("Ada").characters.values()] == ["Kira"]


@pytest.mark.parametrize(("ruleset", "fields"), [NPCS[0], NPCS[2]], ids=named)
def test_how_somebody_enters_gives_no_hidden_number_away(table: AtTable[Any], fields: dict[str, Any]) -> None:
    made = table.act("Ada", "make_npc", name="Warden", **fields)
    assert "17" in repr(table.told(made, "introduced")["sheet"])
    for seat in ("Bo", "Cy", "Di"):
        (entrance,) = [one for one in table.host.follow(table.table, table.seats[seat]).events if one.act == made.act]
        assert entrance.words == "Warden enters the story"
        assert "17" not in repr(entrance.fields["sheet"])
    table.act("Ada", "give_character", character="Warden", seat="Bo")
    (entrance,) = [one for one in table.host.follow(table.table, table.seats["Bo"]).events if one.act == made.act]
    assert "17" not in repr(entrance.fields["sheet"])
