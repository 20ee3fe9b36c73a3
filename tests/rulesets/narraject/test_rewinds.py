"""What a rewind costs, what a game master may set by hand, and what comes through a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.narraject.state import ByStat
from astragal.storage import open_store
from tests.rulesets.narraject.playing import Playing
from tests.table.seated import ScriptedDice, new_host


def mark(playing: Playing) -> str:
    marked = playing.act("Ada", "mark_save_node", label="the roof")
    node: str = playing.told(marked, "save_node_marked")["node"]
    return node


def test_reserve_is_paid_from_the_fullest(playing: Playing) -> None:
    """NJ-12: points that a branch spent return, the price does not."""
    node = mark(playing)
    playing.shoot(1, 1, 1, 1, focus=1)
    outcome = playing.act("Ada", "rewind", node=node, price="reserve", amount=3)
    assert playing.sheet("Kira").reserves == ByStat(might=8, agility=9, intellect=9, persona=9)
    assert outcome.events[1].words == "Kira pays 1 Might Reserve, 2 Agility Reserve"
    assert playing.names(outcome) == ["rewound", "paid", "paid"]


def test_prices_add_up_and_refunds_do_not(playing: Playing) -> None:
    """NJ-12: nasty: rewinding twice to one node."""
    node = mark(playing)
    playing.shoot(1, 1, 1, 1, focus=1)
    playing.act("Ada", "rewind", node=node, price="reserve")
    playing.act("Ada", "rewind", node=node, price="reserve")
    reserves = playing.sheet("Kira").reserves
    assert reserves.might + reserves.agility + reserves.intellect + reserves.persona == 38 - 2


@pytest.mark.parametrize(
    ("reserves", "points", "left"),
    [((3, 1, 1, 1), 3, (0, 1, 1, 1)), ((2, 2, 2, 2), 5, (0, 1, 1, 1)), ((1, 0, 0, 1), 9, (0, 0, 0, 0))],
)
def test_who_has_less_pays_all(playing: Playing, reserves: tuple[int, ...], points: int, left: tuple[int, ...]) -> None:
    """NJ-12: point by point from the fullest; no Reserve falls below nothing."""
    names = ("might", "agility", "intellect", "persona")
    for name, value in zip(names, reserves, strict=True):
        playing.act("Ada", "override", who="Kira", what=f"{name}_reserve", value=value)
    playing.act("Ada", "rewind", node=mark(playing), price="reserve", amount=points)
    assert playing.sheet("Kira").reserves == ByStat(**dict(zip(names, left, strict=True)))


@pytest.mark.parametrize(("amount", "dice"), [(1, -1), (2, -2), (3, -3), (20, -3)])
def test_or_a_rewind_leaves_a_burden(playing: Playing, amount: int, dice: int) -> None:
    """NJ-15, NJ-16: minor, moderate or major, and a second one has another name."""
    node = mark(playing)
    playing.act("Ada", "rewind", node=node, price="burden", amount=amount)
    name = playing.sheet("Kira").burdens[-1].name
    assert playing.hand(burdens=[name], focus=3)[2:] == [("burden", name, dice)]
    playing.act("Ada", "rewind", node=node, price="burden", amount=amount)
    assert len({burden.name for burden in playing.sheet("Kira").burdens}) == 5


def test_a_price_that_nobody_can_pay_is_refused(playing: Playing) -> None:
    """NJ-12: empty Reserves pay for nothing."""
    node = mark(playing)
    for who in ("Kira", "Lund"):
        for stat in ("might", "agility", "intellect", "persona"):
            playing.act("Ada", "override", who=who, what=f"{stat}_reserve", value=0)
    node = mark(playing)
    assert playing.refused("Ada", "rewind", node=node, price="reserve") == "price"
    assert playing.refused("Ada", "rewind", node=node, price="blood") == "no_such_thing"


@pytest.mark.parametrize("what", sorted(NARRAJECT.overrides))
def test_every_override_writes_what_it_reads(playing: Playing, what: str) -> None:
    """NJ-11: a declared override sets one number and nothing else."""
    overridable = NARRAJECT.overrides[what]
    sheet = playing.sheet("Kira")
    for value in overridable.limits:
        changed = overridable.write(sheet, value)
        assert overridable.read(changed) == value
        assert overridable.write(changed, overridable.read(sheet)) == sheet


def test_a_table_comes_through_a_restart(playing: Playing, tmp_path: Path) -> None:
    """NJ-03: facts, aspects, harm and points are in the log."""
    playing.act("Ada", "grant_aspect", name="Roof", span="story")
    playing.shoot(5, 5, 5, 5, focus=1, aspects=[], makes_aspect="Smoke")
    playing.act("Cy", "inject", fact="it rains", aspect="Rain")
    playing.act("Ada", "take_stress", who="Lund", damage=7)
    playing.act("Ada", "raise_threat", name="Ogre", level=2)
    playing.act("Bo", "declare_intent", who="Kira", goal="peace", approach="a song")
    later = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice(), (NARRAJECT,))
    for seat in ("Ada", "Bo", "Di"):
        assert later.look(playing.table, playing.seats[seat]) == playing.look(seat)
