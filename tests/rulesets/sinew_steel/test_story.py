"""The book's use of what every table has: scenes, save nodes and their price, moves, hidden rolls."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.game.display import Tags, Track
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.fuse import PressurePaid, fuse_and_crises
from astragal.table.declarations import Sight
from astragal.table.refusals import Refusal
from astragal.table.reminders import due
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing
from tests.rulesets.sinew_steel.test_fortune import node_at
from tests.rulesets.sinew_steel.test_fuse import party, raised

WAYS = [{"words": "Wade."}, {"words": "Swim under.", "way": "hidden"}, {"words": "Leap.", "way": "risky"}]


def write(playing: Playing, words: int = 240, **fields: Any) -> str:
    """Write a scene of so many words and give its id."""
    third = " ".join(["tide"] * (words // 3))
    parts = {"hook": third, "action": third, "consequence": third}
    outcome = playing.act("Ada", "write_scene", **{"title": "The weir", **parts, "options": WAYS, **fields})
    return str(outcome.events[0].fields["scene"])


# ---------------------------------------------------------------- scenes


def test_a_scene_shows_its_numbered_ways_without_gaps_and_hides_the_hidden(playing: Playing) -> None:
    """SS-63"""
    scene = write(playing)
    playing.act("Ada", "begin_scene", scene=scene)
    assert [line for line in playing.words("Bo") if line[:2] in ("1.", "2.", "3.")] == ["1. Wade.", "2. Leap. (risky)"]
    assert [option.number for option in playing.look("Bo").scenes[scene].options] == [1, 2]
    assert [option.number for option in playing.look("Ada").scenes[scene].options] == [1, 2, 3]


def test_scenes_form_a_directed_graph_and_an_ending_has_no_way_on(playing: Playing) -> None:
    """SS-63"""
    ending = write(playing, title="The sea", options=[])
    scene = write(playing, options=[{"words": "Down.", "leads_to": ending}, {"words": "Up.", "way": "risky"}])
    playing.act("Ada", "begin_scene", scene=scene)
    playing.act("Ada", "take_option", number=1)
    assert playing.look("Bo").calendar.scene == ending
    assert playing.refused("Ada", "take_option", number=1) == "no_such_thing"


@pytest.mark.parametrize("ways", [1, 5])
def test_a_scene_has_two_to_four_ways_on(playing: Playing, ways: int) -> None:
    """SS-63"""
    options = [{"words": f"Way {number}.", "way": "risky"} for number in range(ways)]
    assert playing.refused("Ada", "write_scene", title="The weir", options=options) == "options"


def test_a_scene_without_peril_is_remarked_on(playing: Playing) -> None:
    """SS-63: at least one way on is risky or hidden."""
    write(playing, options=[{"words": "Wade."}, {"words": "Wait."}])
    assert any("none of its options is risky or hidden" in words for words in playing.words("Ada"))


@pytest.mark.parametrize(("words", "is_remarked"), [(198, True), (201, False), (498, False), (501, True)])
def test_the_length_of_a_scene_is_reported_and_never_refused(playing: Playing, words: int, is_remarked: bool) -> None:
    """SS-64: 200 to 500 words in hook, action and consequence."""
    scene = write(playing, words)
    told = next(line for line in playing.words("Ada") if "The weir" in line)
    assert (f"it has {words} words" in told) is is_remarked
    written = playing.look("Ada").scenes[scene]
    assert all((written.hook, written.action, written.consequence))


# ---------------------------------------------------------------- rewinds


def test_a_scene_can_be_a_save_node(playing: Playing) -> None:
    """SS-65"""
    playing.act("Ada", "begin_scene", scene=write(playing, save_node=True))
    assert list(playing.look("Bo").nodes.values()) == ["The weir"]


def test_a_rewind_undoes_what_came_after_and_keeps_it_in_the_log(playing: Playing) -> None:
    """SS-65: the cost is applied after it, and dice are not rewound."""
    node = node_at(playing)
    playing.act("Ada", "harm", who="Kira", points=5)
    playing.roll(3)
    playing.test("Cy", "Lund", "MGT")
    playing.act("Ada", "rewind", node=node, price="pressure")
    assert (playing.sheet("Kira").stamina, playing.look("Bo").game.pressure) == (5, 1)
    assert "Kira collapses" in playing.words("Bo")
    seen = playing.host.follow(playing.table, playing.seats["Bo"]).events
    assert [event.abandoned for event in seen if event.name in ("collapsed", "rolled")] == [True, True]


def test_pressure_pays_one_and_each_hero_where_it_is_personal(open_table: Open) -> None:
    """SS-65"""
    playing = party(open_table, pressure="personal")
    node = node_at(playing)
    raised(playing, 2, who="Kira")
    with pytest.raises(Refusal, match="costs 1 Pressure, not 2"):
        playing.act("Ada", "rewind", node=node, price="pressure", amount=2)
    playing.act("Ada", "rewind", node=node, price="pressure")
    playing.act("Ada", "rewind", node=node, price="pressure")
    assert [playing.sheet(name).pressure for name in ("Kira", "Lund")] == [2, 2]


def test_a_crisis_that_a_rewind_brings_comes_after_it_and_before_all_else(open_table: Open) -> None:
    """SS-54, SS-65"""
    playing = party(open_table)
    raised(playing, 4)
    node = node_at(playing)
    playing.act("Ada", "rewind", node=node, price="pressure")
    assert playing.words("Bo")[-1] == "Pressure is full: a crisis comes next"
    assert playing.look("Bo").game.pressure == 0
    assert playing.refused("Bo", "test", who="Kira", attribute="REF", stakes="the rope") == "crisis_due"
    assert playing.refused("Ada", "face_crisis") == "strikes_nobody"
    waits = playing.act("Ada", "face_crisis", strikes="Kira")
    playing.roll(4)
    playing.answer("Ada", waits, 0)
    playing.roll(3)
    playing.test("Bo", "Kira", "REF")
    assert playing.refused("Ada", "face_crisis", strikes="Kira") == "no_crisis"


@pytest.mark.parametrize("reset", [0, 1])
def test_a_track_that_a_rewind_fills_is_reset_as_after_any_crisis(open_table: Open, reset: int) -> None:
    """SS-54, SS-65: at once, though its crisis is still to come; and the crisis leaves it there."""
    playing = party(open_table, crisis_reset=reset)
    raised(playing, 4)
    playing.act("Ada", "rewind", node=node_at(playing), price="pressure")
    assert (playing.look("Bo").game.pressure, len(playing.look("Bo").game.crises_due)) == (reset, 1)
    playing.answer("Ada", playing.act("Ada", "face_crisis", strikes="Kira"), 3)
    assert (playing.look("Bo").game.pressure, playing.look("Bo").game.crises_due) == (reset, ())


@pytest.mark.parametrize("reset", [0, 1])
def test_a_heros_own_track_that_a_rewind_fills_is_reset_too(open_table: Open, reset: int) -> None:
    """SS-54, SS-65: the other hero pays as well, and has no crisis."""
    playing = party(open_table, pressure="personal", crisis_reset=reset)
    raised(playing, 4, who="Kira")
    playing.act("Ada", "rewind", node=node_at(playing), price="pressure")
    assert [playing.sheet(name).pressure for name in ("Kira", "Lund")] == [reset, 1]
    assert [due.track_of for due in playing.look("Ada").game.crises_due] == [playing.who("Kira").id]


def test_each_filled_track_has_its_crisis(open_table: Open) -> None:
    """SS-65: one after the other."""
    playing = party(open_table, pressure="personal")
    for who in ("Kira", "Lund"):
        raised(playing, 4, who=who)
    playing.act("Ada", "rewind", node=node_at(playing), price="pressure")
    for who in ("Kira", "Lund"):
        outcome = playing.answer("Ada", playing.act("Ada", "face_crisis"), 3)
        assert playing.told(outcome, "crisis_struck")["who"] == [playing.who(who).id]
    assert playing.look("Ada").game.crises_due == ()


# ---------------------------------------------------------------- when the players stall


def test_a_move_is_dealt_to_the_custodian(playing: Playing) -> None:
    """SS-66: four of them, each by its face."""
    told = []
    for face in (1, 2, 3, 4):
        playing.roll(face, 1)
        told.append(playing.act("Ada", "deal_move").events[-1].words.partition(": ")[2].partition(":")[0])
    assert told == ["escalate", "reveal an omen", "shift the terrain", "offer a harsh bargain"]
    assert not any("your move" in words for words in playing.words("Bo"))


def test_escalation_moves_a_clock_where_there_is_one(playing: Playing) -> None:
    """SS-66: the one that was named, else one of those that run, by the die."""
    clocks = [playing.act("Ada", "start_clock", name=name, size=size).act for name, size in (("Flood", 8), ("Dawn", 4))]
    playing.roll(1, 7)
    dealt = playing.act("Ada", "deal_move")
    assert playing.told(dealt, "move_dealt")["words"] == "advance the clock “Dawn” (0/4)"
    assert [playing.look("Ada").clocks[clock].hands.ticks for clock in clocks] == [0, 1]
    playing.roll(1, 7)
    playing.act("Ada", "deal_move", clock=clocks[0])
    playing.roll(2, 7)
    playing.act("Ada", "deal_move", clock=clocks[0])
    assert [playing.look("Ada").clocks[clock].hands.ticks for clock in clocks] == [1, 1]


def test_a_quest_that_is_open_is_dealt(playing: Playing) -> None:
    """SS-56, SS-66: as something that gets nearer to others, or that can be had at a price."""
    playing.act("Ada", "set_quest", objective="Find the ferryman")
    for face, words in ((1, "somebody else be nearer to it"), (4, "a short cut, for a price that hurts")):
        playing.roll(face, 12)
        dealt = playing.told(playing.act("Ada", "deal_move"), "move_dealt")["words"]
        assert words in dealt
        assert "Find the ferryman" in dealt


# ---------------------------------------------------------------- open and hidden


def test_a_hidden_roll_tells_that_there_was_one_and_offers_nothing(playing: Playing) -> None:
    """SS-23, SS-68: until it is revealed, which does not reopen it."""
    playing.roll(13)
    outcome = playing.hidden("test", Sight.HIDDEN, who="Kira", attribute="REF", stakes="the rope")
    assert outcome.waits_for == ()
    assert playing.words("Bo")[-1].startswith("The game master rolled, and keeps it hidden.")
    playing.act("Ada", "reveal", act=outcome.act)
    revealed = playing.host.follow(playing.table, playing.seats["Bo"]).events[-1]
    assert revealed.opened[-1].words == "Kira, Reflex 12: 13, failure, margin −1. At stake: the rope."
    assert playing.sheet("Kira").luck == 8


def test_the_custodian_may_nudge_their_own_hidden_roll(playing: Playing) -> None:
    """SS-68: only players can't."""
    playing.act("Ada", "grant_luck", who="Guard", points=2)
    playing.roll(11)
    waits = playing.hidden("test", Sight.HIDDEN, who="Guard", attribute="REF", stakes="the rope")
    playing.answer("Ada", waits, -1)
    assert playing.sheet("Guard").luck == 1


def test_lethal_stakes_are_not_hidden(playing: Playing) -> None:
    """SS-41, SS-68: whoever is concerned is warned."""
    with pytest.raises(Refusal, match="can't be rolled hidden"):
        playing.hidden("test", Sight.HIDDEN, who="Kira", attribute="REF", stakes="the fall", lethal="dead")


def test_a_spend_is_offered_in_words_to_whoever_may_answer(playing: Playing) -> None:
    """SS-25, SS-68"""
    playing.roll(15)
    playing.test("Bo", "Kira", "REF")
    for seat, is_told in (("Bo", True), ("Ada", True), ("Cy", False)):
        (decision,) = playing.host.decisions(playing.table, playing.seats[seat])
        words = [choice.words for choice in decision.choices if choice.words]
        assert words == (["3 Luck: success, margin 0. 5 left; Luck tests fall from 40 % to 25 %."] if is_told else [])


@pytest.mark.parametrize(("scope", "tracks"), [("shared", 1), ("both", 1), ("personal", 0)])
def test_the_tables_track_and_its_crises_lie_on_the_table(open_table: Open, scope: str, tracks: int) -> None:
    """SS-50, SS-51, SS-54, SS-65: all six steps with the skin's words, where the table has one."""
    playing = party(open_table, pressure=scope)
    raised(playing, 4, who="Kira", shared=scope == "both")
    shown = [piece for piece in fuse_and_crises(playing.look("Bo")) if isinstance(piece, Track)]
    assert [(one.now, len(one.steps)) for one in shown] == [(4, 6)] * tracks
    assert not [piece for piece in fuse_and_crises(playing.look("Bo")) if isinstance(piece, Tags)]
    playing.act("Ada", "rewind", node=node_at(playing), price="pressure")
    (due_now,) = (piece for piece in fuse_and_crises(playing.look("Bo")) if isinstance(piece, Tags))
    assert (due_now.label, due_now.words) == ("Crisis", ("due",))


def test_the_custodian_is_reminded_of_a_crisis_that_is_due(open_table: Open) -> None:
    """SS-54, SS-65: the table's, or a hero's own by name."""
    for scope, whose in (("shared", "the table"), ("personal", "Kira")):
        playing = party(open_table, pressure=scope)
        raised(playing, 4, who="Kira")
        playing.act("Ada", "rewind", node=node_at(playing), price="pressure")
        told = [line for line in due(SINEW_STEEL, playing.look("Ada")) if "face_crisis" in line]
        assert told == [f"Pressure of {whose} is full: a crisis is due (face_crisis)."]


def test_while_a_crisis_is_due_nothing_else_raises_pressure(open_table: Open) -> None:
    """SS-51, SS-54, SS-65"""
    playing = party(open_table)
    raised(playing, 4)
    playing.act("Ada", "rewind", node=node_at(playing), price="pressure")
    assert playing.refused("Ada", "raise_pressure") == "crisis_due"


def test_who_raised_the_track_is_told_though_no_crisis_comes(open_table: Open) -> None:
    """SS-51"""
    playing = party(open_table)
    outcome = playing.act("Ada", "raise_pressure", who="Kira", rise=2)
    told = playing.told(outcome, "pressure_rose")
    assert (told["by"], told["before"], told["after"]) == (playing.who("Kira").id, 0, 2)
    assert playing.told(playing.act("Ada", "raise_pressure"), "pressure_rose")["by"] is None


def test_the_price_of_a_hero_who_is_not_there_yet_is_nobodys(open_table: Open) -> None:
    """SS-65: a rewind may have gone back to before that."""
    state = party(open_table, pressure="personal").look("Ada")
    assert PressurePaid(track_of="nobody").fold(state) == state
    kira = next(iter(state.characters))
    assert PressurePaid(track_of=kira).fold(state).characters[kira].sheet.pressure == 1


def test_where_each_has_a_track_and_nobody_is_there_nobody_can_pay(open_table: Open) -> None:
    """SS-65"""
    playing = open_table(pressure="personal")
    node = node_at(playing)
    assert playing.refused("Ada", "rewind", node=node, price="pressure") == "price"
