"""Templates: the line of an event, with its fields in braces."""

from __future__ import annotations

import pytest

from astragal.game import Character, Event, State, TableState, Teller, Value
from astragal.game.fields import CharacterId
from astragal.table.authoring.log_lines import template
from astragal.table.state.table import HouseOptions

KIRA, BO = (Character(id=name.lower(), name=name, seat=None, sheet=None) for name in ("Kira", "Bo"))
TABLE: State = TableState(
    id="t",
    name="",
    ruleset="",
    options=None,
    house=HouseOptions(),
    game=None,
    characters={one.id: one for one in (KIRA, BO)},
)


class Guide(Value):
    who: CharacterId


class Walked(Event):
    who: tuple[CharacterId, ...] = ("kira",)
    guide: Guide | None = None
    found: bool = True
    why: str = ""

    def pace(self, teller: Teller) -> str:
        return f"by {teller.term('lantern')}"


@pytest.mark.parametrize(
    ("walked", "line"),
    [
        (Walked(), "Kira goes by lamp and finds the way"),
        (Walked(found=False, why="the fog"), "Kira goes by lamp and is lost (the fog)"),
        (Walked(who=("kira", "bo")), "Kira, Bo goes by lamp and finds the way"),
        (Walked(guide=Guide(who="bo")), "Kira goes by lamp behind Bo and finds the way"),
    ],
)
def test_a_template_says_one_thing_or_the_other_and_nothing_where_nothing_was_said(walked: Walked, line: str) -> None:
    says = template("{who} goes {pace}[ behind {guide.who}] and {found:finds the way|is lost}[ ({why})]")
    assert says(walked, Teller(TABLE, {"lantern": "lamp"})) == line
