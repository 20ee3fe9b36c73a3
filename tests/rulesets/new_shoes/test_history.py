"""Rewinds and their prices, overrides, and dice thrown by hand."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.chance.dice import chains
from astragal.rulesets.new_shoes.state import Attribute
from astragal.table.authoring.display import DiceRow, Pips, Tags
from astragal.table.log.repository import Outcome
from tests.rulesets.new_shoes.conftest import Open
from tests.rulesets.new_shoes.playing import Playing


def now(playing: Playing, who: str = "Kira") -> list[int]:
    return [playing.sheet(who).dice(attribute) for attribute in Attribute]


def marked(playing: Playing) -> str:
    playing.act("Ada", "mark_save_node", label="before the pass")
    return next(iter(playing.look("Ada").nodes))


# ---------------------------------------------------------------- prices


def test_a_rewind_gives_back_what_was_lost_and_takes_its_price(playing: Playing) -> None:
    """The highest attribute pays, point by point; it stays paid through the next rewind."""
    node = marked(playing)
    playing.react("Kira", 11, 2, 2, 2, 2)
    playing.status("cursed", -2, who="Kira")
    playing.act("Ada", "rewind", node=node, price="attribute", amount=2)
    assert (now(playing), now(playing, "Lund")) == ([2, 3, 3], [2, 3, 3])
    assert not playing.sheet("Kira").statuses
    playing.act("Ada", "rewind", node=node, price="attribute")
    assert (now(playing), now(playing, "Lund")) == ([2, 2, 3], [2, 2, 3])


def test_a_price_never_takes_the_last_point(playing: Playing) -> None:
    node = marked(playing)
    playing.act("Ada", "rewind", node=node, price="attribute", amount=20)
    assert now(playing) == [1, 1, 1]
    assert playing.refused("Ada", "rewind", node=node, price="attribute", amount=3) == "price"
    assert now(playing) == [1, 1, 1]
    assert not playing.sheet("Kira").knocked_out


def test_a_rewind_may_be_paid_with_a_status(playing: Playing) -> None:
    """NS-09: it stays until the table says otherwise; costs add up."""
    node = marked(playing)
    playing.act("Ada", "rewind", node=node, price="status")
    playing.act("Ada", "rewind", node=node, price="status", amount=9)
    assert [(status.name, status.value) for status in playing.sheet("Kira").statuses] == [
        ("déjà vu", -1),
        ("déjà vu", -5),
    ]
    assert not playing.sheet("Troll").statuses
    assert playing.refused("Ada", "rewind", node=node, price="gold") == "no_such_thing"


def test_a_rewind_takes_approaches_and_requests_with_it(playing: Playing) -> None:
    node = marked(playing)
    playing.approach("Kira")
    playing.act("Ada", "rewind", node=node, price="status")
    assert not playing.look("Bo").game.approaches
    assert not playing.look("Bo").requests


def test_an_undone_roll_can_be_rolled_again(playing: Playing) -> None:
    playing.approach("Kira", "mind", 8)
    playing.roll("Kira", 1, 1, 1)
    playing.act("Ada", "undo")
    playing.roll("Kira", 5, 5, 5)


# ---------------------------------------------------------------- overrides


def test_an_override_to_nothing_knocks_out(playing: Playing) -> None:
    """NS-12: whoever sets the 0."""
    playing.act("Ada", "override", who="Kira", what="will", value=0, why="the song")
    assert playing.sheet("Kira").knocked_out
    playing.act("Ada", "override", who="Kira", what="will", value=3)
    assert playing.sheet("Kira").knocked_out


def test_overrides_keep_their_limits(playing: Playing) -> None:
    assert playing.refused("Ada", "override", who="Kira", what="body", value=9) == "out_of_range"
    assert playing.refused("Bo", "override", who="Kira", what="body", value=8) == "not_allowed"
    playing.act("Ada", "override", who="Kira", what="body", value=8)
    points = playing.sheet("Kira").body
    assert points is not None
    assert (points.now, points.full) == (8, 8)
    playing.act("Ada", "override", who="Troll", what="mind", value=2)
    assert now(playing, "Troll") == [5, 2, 2]


# ---------------------------------------------------------------- the dice on the table


def test_which_die_came_from_which() -> None:
    """NS-03: read from the record alone."""
    dice = [(6, True), (4, False), (6, True), (6, True), (6, False), (2, False)]
    found = [[face for face, _ in one] for one in chains(iter(dice), 3, lambda die: die[1])]
    assert found == [[6, 6, 2], [4], [6, 6]]


@pytest.fixture
def by_hand(open_table: Open) -> Playing:
    playing = open_table(house={"hand_dice": True}, lessons=True)
    playing.approach("Kira", "mind", 12)
    return playing


def throw(playing: Playing) -> Outcome:
    command = ("roll_approach", {"who": "Kira"})
    return playing.host.act(playing.table, playing.seats["Bo"], command, by_hand=True)


def enter(playing: Playing, waiting: Outcome, *faces: int) -> Outcome:
    return playing.act("Bo", "answer", act=waiting.act, answer=list(faces))


def test_dice_thrown_by_hand_in_one_go(by_hand: Playing) -> None:
    """NS-03: all dice of the pool first, and then those that they bring."""
    outcome = enter(by_hand, throw(by_hand), 6, 2, 4, 1)
    assert by_hand.told(outcome, "dice_thrown")["mine"] == [[6, 1], [2], [4]]


@pytest.mark.parametrize(("explode", "mine"), [("once", [[6, 6], [6, 2], [1]]), ("chain", [[6, 6, 3], [6, 2], [1]])])
def test_sixes_thrown_by_hand_explode_as_the_table_chose(open_table: Open, explode: str, mine: list[list[int]]) -> None:
    """NS-03: two sixes, then a six and a two for them, and under a chain one die more."""
    playing = open_table(house={"hand_dice": True}, explode=explode)
    playing.approach("Kira", "mind", 12)
    waiting = throw(playing)
    outcome = enter(playing, waiting, 6, 6, 1, 6, 2, *([3] if explode == "chain" else []))
    assert playing.told(outcome, "dice_thrown")["mine"] == mine


def test_dice_thrown_by_hand_in_several_goes(by_hand: Playing) -> None:
    """NS-03, NS+01: chains and sixes are read across the goes."""
    waiting = throw(by_hand)
    goes = [waiting, enter(by_hand, waiting, 6)]
    assert by_hand.words("Di")[-1] == "on the table so far: 6"
    goes.append(enter(by_hand, waiting, 6, 6, 1))
    told = [{"dice_set_aside", "dice_thrown"} & set(by_hand.names(one)) for one in goes]
    assert told == [set(), {"dice_set_aside"}, {"dice_set_aside"}]
    outcome = enter(by_hand, waiting, 6, 2, 3)
    assert by_hand.told(outcome, "dice_thrown") | {"statuses": 0} == {
        "mine": [[6, 1], [6, 6, 3], [6, 2]],
        "statuses": 0,
        "total": 30,
        "theirs": [],
        "opposing_statuses": 0,
        "opposing_total": None,
    }
    assert by_hand.told(outcome, "lesson_offered")["price"] == 0


def test_both_sides_dice_are_read_once_all_of_them_have_fallen(by_hand: Playing) -> None:
    """NS-03, NS-06: three of Kira's and two of Lund's, in two goes; dice of one's own choice are nobody's approach."""
    by_hand.describe("Lund")
    fields = {"attribute": "mind", "opponent": "Lund", "opposing_attribute": "body"}
    by_hand.act("Ada", "call_opposed", who="Kira", **fields)
    waiting = throw(by_hand)
    assert "dice_thrown" not in by_hand.names(enter(by_hand, waiting, 1, 2, 3, 4))
    thrown = by_hand.told(enter(by_hand, waiting, 5), "dice_thrown")
    assert (thrown["mine"], thrown["theirs"]) == ([[1], [2], [3]], [[4], [5]])
    by_hand.dice.faces = [2, 5]
    assert "dice_thrown" not in by_hand.names(by_hand.act("Bo", "roll_dice", notation="2d6"))


def test_dice_of_a_withdrawn_roll_do_not_count_for_the_next(by_hand: Playing) -> None:
    """NS-03: they are cleared away."""
    waiting = throw(by_hand)
    enter(by_hand, waiting, 6)
    by_hand.act("Ada", "withdraw", act=waiting.act)
    assert by_hand.words("Di")[-1] == "the dice are cleared away"
    assert not by_hand.look("Ada").game.aside
    outcome = by_hand.roll("Kira", 1, 2, 3)
    assert by_hand.told(outcome, "dice_thrown")["mine"] == [[1], [2], [3]]


def test_two_rolls_by_hand_keep_their_dice_apart(by_hand: Playing) -> None:
    by_hand.approach("Lund", "will", 12)
    kira = throw(by_hand)
    lund = by_hand.host.act(by_hand.table, by_hand.seats["Cy"], ("roll_approach", {"who": "Lund"}), by_hand=True)
    enter(by_hand, kira, 6, 1)
    by_hand.act("Cy", "answer", act=lund.act, answer=[5])
    assert by_hand.told(enter(by_hand, kira, 2, 2), "dice_thrown")["mine"] == [[6, 2], [1], [2]]
    outcome = by_hand.act("Cy", "answer", act=lund.act, answer=[4, 3])
    assert by_hand.told(outcome, "dice_thrown")["mine"] == [[5], [4], [3]]


def test_nothing_changes_the_roll_while_dice_are_being_thrown(by_hand: Playing) -> None:
    waiting = throw(by_hand)
    assert by_hand.refused("Ada", "attach_status", name="fog", value=-2) == "still_deciding"
    enter(by_hand, waiting, 1, 2, 3)
    assert by_hand.refused("Ada", "attach_status", name="fog", value=-2) == "done"


# ---------------------------------------------------------------- the house


def test_a_table_reads_the_same_from_its_log(playing: Playing) -> None:
    """Events, folds and snapshots agree."""
    playing.status("moonlight", 1)
    playing.approach("Kira", "body", 8, harmful=True, against="Troll")
    playing.roll("Kira", 6, 2, 1, 1, 1)
    before: Any = playing.look("Ada")
    playing.host._repository.forget()  # noqa: SLF001 - the table is read anew from its store
    assert playing.look("Ada") == before


def test_the_sheet_as_furniture(playing: Playing) -> None:
    """NS-01, NS-10: a die for each point left; who is out is not asked to do anything."""
    playing.act("Ada", "override", who="Lund", what="xp", value=12)
    playing.act("Ada", "make_npc", name="Gate", thing=True, about="It was a door once.")

    def asks(attribute: str) -> Any:
        """The game master's click calls for it at once."""
        lund = ("who", playing.who("Lund").id)
        return {"command": "describe", "fields": (lund, ("attribute", attribute))}

    assert playing.furniture("Lund") == [
        DiceRow("body", 2, 6, 2, "dice to roll", **asks("body")),
        DiceRow("mind", 5, 6, 5, "dice to roll", **asks("mind")),
        DiceRow("will", 3, 6, 3, "dice to roll", **asks("will")),
        Pips("XP", 12, 12),
    ]
    assert playing.furniture("Gate") == [Tags("about", ("It was a door once.",))]
    playing.status("cursed", -2, who="Kira")
    playing.react("Kira", 20, 1, 1, 1, 1)
    assert playing.furniture("Kira") == [
        DiceRow("body", 0, 6, 4, "dice to roll"),
        DiceRow("mind", 3, 6, 3, "dice to roll"),
        DiceRow("will", 3, 6, 3, "dice to roll"),
        Tags("statuses", ("cursed −2",)),
        Tags("state", ("knocked out",)),
    ]
    playing.act("Ada", "keep_down", who="Kira")
    assert playing.furniture("Kira")[-1] == Tags("state", ("stays down",))
