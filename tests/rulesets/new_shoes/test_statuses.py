"""What is true of anyone and anything."""

from __future__ import annotations

import pytest

from astragal.game.shared import MoveKind
from astragal.rulesets.new_shoes.statuses import terrain_ideas
from astragal.table.authoring.log_lines import Teller
from tests.rulesets.new_shoes.playing import Playing


def total(playing: Playing, **call: object) -> int:
    """What two fours come to for Lund's Body 2, with all that counts."""
    playing.approach("Lund", "body", 8, **call)
    return int(playing.told(playing.roll("Lund", 4, 4), "dice_thrown")["total"])


def test_ones_own_and_the_scenes_count_as_they_stand(playing: Playing) -> None:
    """NS-04: signed, all of them together."""
    playing.status("rested", 2, who="Lund")
    playing.status("drunk", -3, who="Lund")
    playing.status("moonlight", 1)
    assert total(playing) == 8


def test_the_oppositions_count_with_their_sign_reversed(playing: Playing) -> None:
    """NS-04: a limping troll is easier to get past, a raging one harder."""
    playing.status("limping", -3, who="Troll")
    playing.status("raging", 2, who="Troll")
    assert total(playing, against="Troll") == 9
    assert total(playing) == 8


def test_what_is_true_of_others_does_not_count(playing: Playing) -> None:
    """NS-04: neither another hero's, nor that of a thing which has no part in it."""
    playing.status("lucky", 5, who="Kira")
    playing.status("frayed", -2, what="the rope bridge")
    assert total(playing) == 8


def test_the_game_master_may_say_which_apply(playing: Playing) -> None:
    """NS-04: by name or id; the rope bridge counts as surroundings do, and the fear of spiders not at all."""
    playing.status("afraid of spiders", -4, who="Lund")
    bridge = playing.status("frayed", -2, what="the rope bridge")
    playing.status("limping", -3, who="Troll")
    assert total(playing, against="Troll", statuses=[bridge, "Limping"]) == 9
    assert total(playing, statuses=[]) == 8
    for unknown in ("no such thing", "0123456789abcdef"):
        assert playing.refused("Ada", "end_status", status=unknown) == "no_such_thing"
    assert playing.refused("Ada", "attach_status", name="lost", value=1, who="0123456789abcdef") == "no_such_thing"


def test_what_counted_is_written_beside_the_roll(playing: Playing) -> None:
    """NS-04: by name and sign."""
    playing.status("rested", 2, who="Lund")
    total(playing)
    assert "4 + 4 + 2 = 10" in playing.words("Di")
    assert any("Lund, Body (rested +2) against 8 (fair): success" in line for line in playing.words("Di"))


@pytest.mark.parametrize("bearer", [{"who": "Kira"}, {"who": "Troll"}, {"what": "the gate"}, {}])
def test_a_status_is_on_anyone_and_anything(playing: Playing, bearer: dict[str, str]) -> None:
    """NS-09: a hero, somebody else, a thing, or the whole scene, until the table says it is no longer true."""
    playing.status("on fire", -2, **bearer)
    playing.act("Ada", "improvise_scene", title="Much later")
    playing.act("Ada", "end_status", status="on fire", words="it rains")
    assert playing.words("Di")[-1].endswith("on fire is no longer true (it rains)")
    assert playing.refused("Ada", "end_status", status="on fire") == "no_such_thing"


def test_a_status_outlasts_scenes_rests_and_evenings(playing: Playing) -> None:
    """NS-09: scenes, rests and evenings do not end it."""
    playing.status("cursed", -1, who="Kira")
    for command, fields in (
        ("begin_evening", {}),
        ("improvise_scene", {"title": "Camp"}),
        ("rest", {}),
        ("end_scene", {}),
    ):
        playing.act("Ada", command, **fields)
    playing.act("Ada", "end_evening")
    assert [status.name for status in playing.sheet("Kira", "Di").statuses] == ["cursed"]


def test_a_status_is_never_worth_nothing(playing: Playing) -> None:
    """NS-09: neither from the beginning nor later."""
    assert playing.refused("Ada", "attach_status", name="odd", value=0) == "worth_nothing"
    playing.status("odd", 1)
    assert playing.refused("Ada", "change_status", status="odd", value=0) == "worth_nothing"


def test_beyond_five_there_is_a_warning(playing: Playing) -> None:
    """NS-09: it stands all the same."""
    playing.status("blessed", 5, who="Kira")
    assert playing.words("Di")[-1] == "Kira: blessed +5"
    playing.act("Ada", "change_status", status="blessed", value=6)
    assert playing.words("Di")[-1] == "Kira: blessed +5 → +6 (beyond the usual −5 to +5)"
    playing.status("doomed", -7, who="Kira")
    assert playing.words("Di")[-1] == "Kira: doomed −7 (beyond the usual −5 to +5)"
    assert playing.refused("Ada", "attach_status", name="divine", value=21) == "bad_fields"


def test_a_status_has_one_bearer_and_one_name(playing: Playing) -> None:
    """NS-09: what is true already is changed, not attached again."""
    playing.status("wet", -1, who="Kira")
    assert playing.refused("Ada", "attach_status", name="Wet", value=-2, who="Kira") == "name_taken"
    assert playing.refused("Ada", "attach_status", name="wet", value=-2, who="Kira", what="hat") == "two_bearers"
    assert playing.refused("Ada", "change_status", status="wet", value=-1) == "no_change"
    playing.status("wet", -1, who="Lund")
    assert playing.refused("Ada", "end_status", status="wet") == "no_such_thing"


def test_two_names_that_differ_only_in_form_are_one(playing: Playing) -> None:
    playing.status("caf\u00e9 au lait", 1)
    assert playing.refused("Ada", "attach_status", name="cafe\u0301 au lait", value=1) == "name_taken"


def test_statuses_are_the_game_masters_to_attach(playing: Playing) -> None:
    """NS-09: players tell, the game master writes down."""
    assert playing.refused("Bo", "attach_status", name="invincible", value=5, who="Kira") == "not_allowed"


def test_what_is_true_of_the_scene_may_turn_when_the_players_stall(playing: Playing) -> None:
    """NS-09: where the game master wants the ground itself to move, and for no other move."""
    playing.status("moonlight", 1)
    playing.status("lucky", 5, who="Kira")
    state = playing.look("Ada")
    moves = {kind: terrain_ideas(state, kind, Teller(state, state.terms)) for kind in MoveKind}
    assert {kind: words for kind, words in moves.items() if words} == {
        MoveKind.TERRAIN: ["turn it round: moonlight +1"]
    }
