"""Luck at a table: in the browser and from exports; by exact expectation, and only from what a seat may see."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from astragal.chance import odds
from astragal.lab.luck import Faces, luck, read_export
from astragal.rulesets.six_pool import SIX_POOL
from astragal.surfaces.shared.context import SeatView
from astragal.surfaces.shared.recap import table_luck
from astragal.table.declarations import Sight
from astragal.table.log.export import BadExport
from astragal.table.registry import Book
from astragal.table.visibility.events import SeenEvent
from tests.surfaces.web.open_tables import OpenTable, Web

BOOK = Book.of(SIX_POOL)


@pytest.fixture
def table(web: Web) -> OpenTable:
    """Bo rolls three times in the open, and once with dice of his own; Ada once for him, unseen."""
    found = web.table("six_pool", house={"hand_dice": True})
    ada, bo = found.seats["Ada"], found.seats["Bo"]
    hero = next(one.id for one in web.host.look(found.id, ada).characters.values() if one.seat == bo)

    def check(seat: str, dc: int, sight: Sight = Sight.OPEN, **how: Any) -> None:
        fields = {"who": hero, "pool": "STR", "dc": dc, "rerolls": "never"}
        web.host.act(found.id, seat, ("check", fields), sight=sight, **how)

    for dc in (5, 12, 30):
        check(bo, dc)
    check(ada, 15, Sight.HIDDEN)
    return found


def seen_by(web: Web, table: OpenTable, name: str) -> dict[str, Any]:
    return {one.name: one for one in table_luck(SeatView(web.context, table.id, table.seats[name]))}


def test_a_seat_sees_the_luck_of_the_rolls_that_it_may_see(web: Web, table: OpenTable) -> None:
    own, all_of_it = seen_by(web, table, "Bo"), seen_by(web, table, "Ada")
    assert list(own) == ["Bo"]
    assert list(all_of_it) == ["Bo", "Ada", "All together"]
    assert all_of_it["Ada"].judged == 1
    assert own["Bo"].judged == 3
    bonus = odds(SIX_POOL.rules[0](12, 0)).chance(lambda roll: roll.success)
    assert all(one.chance is not None and one.chance >= 0 for one in own["Bo"].rolls)
    assert own["Bo"].rolls[1].chance >= bonus
    assert own["Bo"].expected == sum(one.chance for one in own["Bo"].rolls)


def test_the_page_tells_each_seat_its_part(web: Web, table: OpenTable) -> None:
    path = f"/t/{table.id}/luck"
    player = web.client(table["Bo"]).get(path).text
    assert '<h2 id="luck-1">Bo</h2>' in player
    assert "Ada</h2>" not in player
    assert "Every roll" in player
    assert "Ada</h2>" in web.client(table["Ada"]).get(path).text
    assert f'href="{path}"' in web.client(table["Bo"]).get(f"/t/{table.id}/fairness").text


@pytest.mark.parametrize("name", ["Ada", "Bo"])
def test_an_export_tells_the_same_and_a_forged_one_nothing(web: Web, table: OpenTable, name: str) -> None:
    lines = list(web.host.archive.export(table.id, table.seats[name]))
    game, told, names = read_export(lines)
    assert game == "six_pool"
    assert {one.name: one for one in luck(BOOK, told, names)} == seen_by(web, table, name)
    face = next(one for one in told if one.name == "rolled").fields["dice"][0]["face"]
    for quote in (b'"', b'\\"'):  # a whole export has its entries as texts
        other = b"face%s:%d" % (quote, face % 20 + 1)
        forged = [line.replace(b"face%s:%d" % (quote, face), other) for line in lines]
        if forged != lines:
            with pytest.raises(BadExport):
                read_export(forged)
    with pytest.raises(BadExport):
        read_export([b"{}"])


def fallen(faces: Sequence[int], dc: int = 11) -> list[SeenEvent]:
    """Checks of bare d20s against a difficulty, with these faces."""
    question = BOOK.codec.asked(SIX_POOL.rules[0](dc, 0))
    return [
        SeenEvent(
            0,
            "bo",
            f"act {number}",
            "rolled",
            "",
            {
                "question": {"rule": question.rule, "arguments": list(question.arguments)},
                "command": "check",
                "dice": [{"sides": 20, "face": face, "by": "check", "fate": "kept", "source": "ledger"}],
            },
        )
        for number, face in enumerate(faces)
    ]


def test_how_surprising_it_is_is_exact_and_said_in_words() -> None:
    (bo,) = luck(BOOK, fallen([15, 16, 17, 3, 12]), {"bo": "Bo"})
    assert (bo.successes, bo.expected) == (4, Fraction(5, 2))
    assert bo.this_or_more == Fraction(5 + 1, 32)
    assert bo.words == "Bo: 4 of 5 rolls succeeded, where 2.5 were to be expected. One evening in 5 is this lucky."
    (bo,) = luck(BOOK, fallen([2] * 10), {"bo": "Bo"})
    assert bo.verdict == "One evening in 1,000 is this unlucky."
    (bo,) = luck(BOOK, fallen([2, 14, 14]), {"bo": "Bo"})
    assert bo.verdict == "That is about what dice do."


def test_faces_are_tested_by_kind_of_die() -> None:
    assert Faces(6, (5, 5, 5, 5, 5, 4)).evenness is None  # too few to tell
    assert Faces(6, (10,) * 6).evenness == pytest.approx(1)
    assert Faces(6, (5, 8, 9, 8, 10, 20)).evenness == pytest.approx(0.0199, abs=1e-4)  # 13.4 with 5 degrees of freedom
    assert Faces(3, (20, 10, 6)).evenness == pytest.approx(0.0131, abs=1e-4)  # 8.667 with 2
    (bo,) = luck(BOOK, fallen([7] * 100), {})
    assert bo.faces[0].words.startswith("100 d20, mean 7.00 where 10.5 is expected; faces this uneven fall once in ")


def test_dice_that_were_entered_by_hand_prove_nothing() -> None:
    events = fallen([20])
    events[0].fields["dice"][0]["source"] = "entered"
    assert luck(BOOK, events, {}) == ()
