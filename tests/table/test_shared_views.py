"""Views that several seats share: only those who may see the same of everything, whoever looked first or away."""

from __future__ import annotations

from itertools import permutations

import pytest

from astragal.table.declarations import Role, replace
from astragal.table.state.table import State
from astragal.table.visibility.redact import redact
from astragal.table.visibility.view_cache import RedactionCache
from tests.table.seated import Seated
from tests.table.test_view_cache import live_table


def character(seated: Seated, name: str) -> str:
    return next(one.id for one in seated.look("Ada").characters.values() if one.name == name)


def steps_of(seated: Seated) -> list[State]:
    """The table before and after changes at once of what is Bo's, Cy's, one seat's and the game master's."""
    live = live_table(seated)
    begun = live.state
    seated.act("Ada", "write_note", title="Plot", words="a canary", audience="game master")
    seated.act("Bo", "write_note", title="Mine", words="Bo's own", audience="seat", seat="Bo")
    noted = live.state
    feared = noted
    for who, character in noted.characters.items():
        feared = feared.with_sheet(who, replace(character.sheet, fear=f"new fear of {character.name}"))
    seated.act("Ada", "write_note", title="For all", words="open")
    calmed = replace(feared, notes=live.state.notes)
    return [begun, noted, feared, calmed]


@pytest.mark.parametrize("order", list(permutations(["Bo", "Cy", "Eve", "Di"])), ids="-".join)
def test_seats_share_a_view_only_if_they_may_see_the_same_of_everything(seated: Seated, order: tuple[str, ...]) -> None:
    """Eve has no hero, so of two heroes' fears Bo may see one that she may not, and neither may see the other."""
    seated.sit("Eve")
    cache, states = RedactionCache(), steps_of(seated)
    for state in states:
        for name in order:
            viewer = state.viewer(seated.seats[name])
            assert cache.of(state, viewer) == redact(state, viewer)


@pytest.mark.parametrize("late", ["Bo", "Cy", "Eve", "Di"])
@pytest.mark.parametrize("missed", [{1}, {2}, {1, 2}, {3}], ids=str)
def test_a_seat_that_looked_away_sees_all_that_changed_meanwhile(seated: Seated, late: str, missed: set[int]) -> None:
    seated.sit("Eve")
    cache, states = RedactionCache(), steps_of(seated)
    for step, state in enumerate([*states, states[0]]):
        names = [name for name in ("Bo", "Cy", "Eve", "Di") if name != late]
        names += [] if step in missed else [late]
        for name in names:
            viewer = state.viewer(seated.seats[name])
            assert cache.of(state, viewer) == redact(state, viewer)


def test_a_seat_whose_role_changes_is_not_shown_the_view_of_its_earlier_role(seated: Seated) -> None:
    cache, live = RedactionCache(), live_table(seated)
    kira = character(seated, "Kira")
    player = live.state.viewer(seated.seats["Cy"])
    master = replace(player, role=Role.GAME_MASTER)
    for viewer, fear in ((player, "hidden"), (master, "'deep water'"), (player, "hidden")):
        assert repr(cache.of(live.state, viewer).characters[kira].sheet.fear) == fear


def test_what_two_spectators_see_is_redacted_once(seated: Seated) -> None:
    seated.sit("Fay", "spectator")
    cache, kira = RedactionCache(), character(seated, "Kira")
    states = steps_of(seated)
    for state in states[1:]:
        first, second = [cache.of(state, state.viewer(seated.seats[name])) for name in ("Di", "Fay")]
        assert first == second
        assert repr(first.characters[kira].sheet.fear) == "hidden"
    first, second = [cache.of(states[-1], states[-1].viewer(seated.seats[name])) for name in ("Di", "Fay")]
    assert first.characters[kira] is second.characters[kira]
