"""Links, devices and tokens of a seat: known to whoever sits there and to the game master, and to nobody else."""

from __future__ import annotations

import pytest

from astragal.surfaces.web.routes import people
from astragal.surfaces.web.session import SeatSession
from astragal.table.log.store import PassKind
from tests.surfaces.web.open_tables import OpenTable, Web


@pytest.fixture
def table(web: Web) -> OpenTable:
    """Everybody has a device and a token, and a link that is not used yet."""
    table = web.table()
    for name in table.seats:
        web.cookie(table[name])
        web.token(table[name])
        web.context.auth.issue(PassKind.INVITATION, table.id, table.seats[name])
    return table


def ways_in(web: Web, table: OpenTable, viewer: str) -> dict[str, tuple[int, int, int]]:
    """How many devices, tokens and links of each seat a seat is told of."""
    session = SeatSession(web.context, table.id, table.seats[viewer])
    return {
        placed.seat.name: (placed.devices, len(placed.tokens), int(placed.invitation is not None))
        for placed in people._placed(session)  # noqa: SLF001 - the page leaves out as much once more
    }


def test_the_page_of_a_seat_is_given_its_own_ways_in_and_no_others(web: Web, table: OpenTable) -> None:
    for viewer in ("Bo", "Cy", "Di"):
        expected = {name: (1, 1, 1) if name == viewer else (0, 0, 0) for name in table.seats}
        assert ways_in(web, table, viewer) == expected
    assert ways_in(web, table, "Ada") == dict.fromkeys(table.seats, (1, 1, 1))


def test_of_ways_in_that_are_past_or_revoked_nobody_is_told(web: Web, table: OpenTable) -> None:
    web.context.auth.passes.revoke_seat(table.id, table.seats["Bo"], web.context.auth.clock(), [PassKind.TOKEN])
    assert ways_in(web, table, "Ada")["Bo"] == (1, 0, 1)
    assert web.clock is not None
    web.clock.now += 14 * 24 * 60 * 60 * 1000
    assert ways_in(web, table, "Ada")["Cy"] == (1, 1, 0)
    web.clock.now += 180 * 24 * 60 * 60 * 1000
    assert ways_in(web, table, "Ada")["Cy"] == (0, 0, 0)


def test_a_seat_of_another_table_has_ways_in_of_its_own(web: Web, table: OpenTable) -> None:
    other = web.table(name="Elsewhere")
    web.token(other["Bo"])
    assert ways_in(web, table, "Ada")["Bo"] == (1, 1, 1)
    assert ways_in(web, other, "Ada")["Bo"] == (0, 1, 0)


@pytest.mark.parametrize("what", ["remove", "sign-out"])
def test_whoever_is_sent_away_is_out_with_every_device_and_token(web: Web, table: OpenTable, what: str) -> None:
    devices = [web.client(table["Bo"]) for _ in range(2)]
    token = {"Authorization": f"Bearer {web.token(table['Bo'])}"}
    page = f"/t/{table.id}/people"
    assert [client.get(page).status_code for client in devices] == [200, 200]
    web.client(table.game_master).post(f"{page}/{what}", data={"seat": table.seats["Bo"]})
    assert [client.get(page).status_code for client in devices] == [401, 401]
    assert web.client().get("/api/me", headers=token).status_code == (401 if what == "remove" else 200)
    assert web.client(table["Cy"]).get(page).status_code == 200
