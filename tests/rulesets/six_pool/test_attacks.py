"""Attacks and their damage: SP-08, SP-11."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import BadNotation, EnteredDice, odds, play
from astragal.chance.notation import odds as notation_odds
from astragal.rulesets.six_pool.attacks import attack, critical_dice, damage_dice, damage_roll
from astragal.rulesets.six_pool.catalogue import Pool
from astragal.rulesets.six_pool.rolls import Degree
from tests.rulesets.six_pool.conftest import Open
from tests.rulesets.six_pool.playing import KIRA, Playing

UNREADABLE = (
    *("(", "1d0", "0d6", "d1", "-1d", "1.5d6", "1e9d6", "1/0", "-" * 60, "1d²", "1d6\u200d", "\u0661d\u0662\u0660"),
    *("999999999d999999999", "5d6!", "41d6", "1000", "1d501", "40d6kh40kh40"),
)


def strike(playing: Playing, *faces: int, seat: str = "Cy", **fields: object) -> dict[str, object]:
    playing.roll(*faces)
    outcome = playing.act(seat, "attack", **{"who": "Lund", "target": "Guard", "damage": "1d8+3", **fields})
    return playing.told(outcome, "attacked")


@pytest.mark.parametrize(
    ("who", "manner", "pool"), [("Lund", "melee", "STR"), ("Lund", "ranged", "DEX"), ("Ysolde", "spell", "CHA")]
)
def test_each_manner_has_its_pool(playing: Playing, who: str, manner: str, pool: str) -> None:
    """SP-08: melee STR, ranged DEX, a spell by its caster."""
    pools = {"STR": 10, "DEX": 12, "CON": 10, "INT": 12, "WIS": 15, "CHA": 18}
    playing.act("Ada", "make_hero", name="Ysolde", hero_class="bard", pools=pools, edges={"CHA": 1})
    told = strike(playing, 2, seat="Ada", who=who, manner=manner)
    assert told["roll"]["aim"]["pool"] == pool  # type: ignore[index]


def test_who_casts_nothing_has_no_spell_attack(playing: Playing) -> None:
    """SP-08: by caster."""
    assert playing.refused("Cy", "attack", who="Lund", ac=10, manner="spell") == "no_caster"


def test_proficiency_is_always_added_and_meeting_the_class_hits(playing: Playing) -> None:
    """SP-08: 10 + 3 proficiency + 1 Edge against 14."""
    told = strike(playing, 10, 5)
    assert told["roll"]["success"] is True  # type: ignore[index]
    assert told["damage"] == 8
    assert strike(playing, 9)["damage"] is None


def test_points_go_into_an_attack(playing: Playing) -> None:
    """SP-08, SP-03: from the pool of its manner."""
    strike(playing, 8, 5, points=2)
    assert playing.held("Lund", Pool.STR) == 22


def test_a_natural_twenty_rolls_the_dice_twice_and_bonuses_once(playing: Playing) -> None:
    """SP-11: 5 + 6 + 3."""
    told = strike(playing, 20, 5, 6)
    assert (told["critical"], told["damage"]) == (True, 14)


def test_beating_the_class_by_ten_does_not(playing: Playing) -> None:
    """SP-11: 19 + 4 against 13 is a critical success, and no critical hit."""
    told = strike(playing, 19, 5, ac=13, target=None)
    assert (told["critical"], told["damage"]) == (False, 8)
    assert told["roll"]["degree"] == "critical success"  # type: ignore[index]


@pytest.mark.parametrize(
    ("notation", "twice"),
    [
        ("1d8+3", "1d8+1d8+3"),
        ("2d6", "4d6"),
        ("1d6+1d4-1", "2d6+2d4-1"),
        ("5", "5"),
        ("1d8/2", "(1d8+1d8)/2"),
        ("(1d6+2)*2", "(2d6+2)*2"),
    ],
)
def test_a_critical_doubles_dice_and_not_numbers(notation: str, twice: str) -> None:
    """SP-11: every die twice, every number once, wherever it stands."""
    assert critical_dice(notation).odds() == notation_odds(twice)


def test_the_odds_of_damage() -> None:
    """SP-08, SP-11: half the faces hit, one of them twice as hard."""
    struck = odds(attack(16, 5, "1d6")).map(lambda strike: strike.damage or 0)
    assert struck.chance(0) == Fraction(1, 2)
    assert struck.mean() == Fraction(9, 20) * Fraction(7, 2) + Fraction(1, 20) * 7


def test_damage_is_never_less_than_nothing(playing: Playing) -> None:
    """SP-08: a hit that does nothing is a hit, and heals nobody; a 4 of 1d4-3 does 1."""
    assert [strike(playing, 15, face, damage="1d4-3")["damage"] for face in (1, 3, 4)] == [0, 0, 1]
    assert playing.sheet("Guard").numbers.harm == 1
    assert odds(damage_roll("1d4-3")).weights == {0: 3, 1: 1}
    assert odds(damage_roll("1d4-6", critical=True)).chance(0) == Fraction(13, 16)


def test_damage_that_can_not_be_read_is_refused_before_any_die(playing: Playing) -> None:
    """SP-08: in the player's language, with nothing rolled."""
    playing.roll(20, 6)
    for damage in UNREADABLE:
        assert playing.refused("Cy", "attack", who="Lund", target="Guard", damage=damage) == "bad_notation"
    assert playing.refused("Cy", "attack", who="Lund", target="Guard", damage="(" * 3000) == "bad_fields"
    assert playing.dice.faces == [20, 6]


def test_an_attack_needs_something_to_reach(playing: Playing) -> None:
    """SP-08: a target or an Armour Class."""
    assert playing.refused("Cy", "attack", who="Lund") == "no_ac"
    assert playing.refused("Cy", "attack", who="Lund", target="Nobody") == "no_such_thing"


def test_a_preview_has_the_chance_of_a_critical_hit(playing: Playing) -> None:
    """SP-21, SP-11: a degree of its own, at every spend."""
    asked = {"who": "Lund", "ac": 16, "damage": "1d8"}
    assert playing.chances("Cy", "attack", **asked) == {points: Fraction(45 + 5 * points, 100) for points in range(7)}
    by_spend = playing.odds_by_spend("Cy", "attack", **asked)
    assert {found.chances()[Degree.CRITICAL_HIT] for found in by_spend.values()} == {Fraction(1, 20)}


def test_spells_come_from_the_pools_of_the_mind(playing: Playing) -> None:
    """SP-08: INT, WIS or CHA, whatever a table adds."""
    assert playing.refused("Ada", "make_npc", name="Golem", casting="STR") == "other_pool"
    assert playing.refused("Ada", "add_class", name="geomancer", primary="CON", casting="CON") == "other_pool"


def test_the_dead_act_no_more(playing: Playing) -> None:
    """SP+04: at 0 one is down; that it is death is for the game master to say. The dead don't even save."""
    playing.act("Ada", "harm", who="Kira", damage="99")
    playing.act("Ada", "record_fate", who="Kira", fate="dead", told="The gate fell.")
    assert playing.words("Cy")[-1] == "Kira is dead: The gate fell."
    assert playing.sentence("Bo", "save", who="Kira", pool="CON", dc=10) == "Kira is dead."
    assert playing.refused("Bo", "help", who="Kira", ally="Lund") == "dead"
    assert playing.refused("Bo", "wear", who="Kira", armour=0) == "dead"
    assert playing.refused("Ada", "heal", who="Kira") == "dead"
    assert playing.refused("Ada", "harm", who="Kira", damage="1") == "dead"
    assert playing.refused("Cy", "attack", who="Lund", target="Kira") == "dead"
    assert playing.refused("Cy", "contest", who="Lund", against="Kira", contest="grappling") == "dead"
    playing.act("Ada", "rest", kind="long")
    assert playing.sheet("Kira").numbers.is_down
    playing.act("Ada", "record_fate", who="Kira", fate=None)
    playing.roll(9)
    assert playing.refused("Bo", "save", who="Kira", pool="CON", dc=10) == "done"


def test_a_rewind_undoes_a_death(playing: Playing) -> None:
    """SP+04: a death is story, like everything after the node."""
    node = playing.act("Ada", "mark_save_node", label="The gate").act
    playing.act("Ada", "record_fate", who="Kira", fate="dead")
    playing.act("Ada", "rewind", node=node, price="points")
    assert not playing.who("Kira").is_dead


# ---------------------------------------------------------------- weapons

SWORD = {"name": "Short sword", "damage": "1d6+2"}
WAITS = ["consent_asked"]
BOW = {"name": "Bow", "damage": "1d8", "manner": "ranged"}


def test_an_attack_uses_the_weapon_that_is_carried(playing: Playing) -> None:
    """SP-08: the game master says once what it does; the attack says no more."""
    playing.act("Ada", "give_weapon", who="Lund", weapon=SWORD)
    playing.act("Ada", "give_weapon", who="Lund", weapon=BOW)
    assert playing.words("Bo")[-1] == "Lund has Bow (1d8, ranged)"
    told = strike(playing, 15, 4, damage=None)
    assert (told["weapon"], told["dice"], told["damage"]) == ("Short sword", "1d6+2", 6)
    assert playing.words("Di")[-2].startswith("Lund attacks Guard with Short sword, melee")


@pytest.mark.parametrize(
    ("said", "weapon", "pool", "dice"),
    [
        ({"weapon": "bow"}, "Bow", "DEX", "1d8"),
        ({"manner": "ranged"}, "Bow", "DEX", "1d8"),
        ({"manner": "melee"}, "Short sword", "STR", "1d6+2"),
        ({"weapon": "Bow", "manner": "melee"}, "Bow", "STR", "1d8"),
        ({"weapon": "bare hands"}, None, "STR", "1d6"),
        ({"weapon": "bow", "damage": "2d6"}, "Bow", "DEX", "2d6"),
    ],
)
def test_a_weapon_may_be_named_or_follow_from_the_manner(
    playing: Playing, said: dict[str, object], weapon: str | None, pool: str, dice: str
) -> None:
    """SP-08: melee rolls STR, ranged DEX, with whatever is in hand."""
    for one in (SWORD, BOW):
        playing.act("Ada", "give_weapon", who="Lund", weapon=one)
    told = strike(playing, 2, seat="Cy", **{"damage": None, **said})
    assert (told["weapon"], told["roll"]["aim"]["pool"], told["dice"]) == (weapon, pool, dice)  # type: ignore[index]


def test_a_weapon_that_is_not_carried_is_refused_with_what_is(playing: Playing) -> None:
    """SP-08"""
    playing.act("Ada", "give_weapon", who="Lund", weapon=SWORD)
    said = playing.sentence("Cy", "attack", who="Lund", target="Guard", weapon="axe")
    assert said == "Lund carries no weapon called 'axe'; there is Short sword."


def test_weapons_are_the_game_masters_to_give_and_ones_own_to_leave(playing: Playing) -> None:
    """SP-08: what one leaves behind is no longer in hand."""
    assert playing.refused("Cy", "give_weapon", who="Lund", weapon=SWORD) == "not_allowed"
    playing.act("Ada", "give_weapon", who="Lund", weapon=SWORD)
    playing.act("Ada", "give_weapon", who="Lund", weapon=BOW)
    assert playing.refused("Bo", "lose_weapon", who="Lund", weapon="short sword") == "not_yours"
    playing.act("Cy", "lose_weapon", who="Lund", weapon="short sword")
    assert [one.name for one in playing.sheet("Lund").weapons] == ["Bow"]
    assert playing.words("Bo")[-1] == "Lund leaves Short sword behind"
    assert playing.refused("Cy", "lose_weapon", who="Lund", weapon="short sword") == "no_such_thing"


def test_weapons_need_names_of_their_own_and_damage_that_can_be_read(playing: Playing) -> None:
    """SP-08: refused when they are given, not in the middle of a fight."""
    playing.act("Ada", "give_weapon", who="Lund", weapon=SWORD)
    assert playing.refused("Ada", "give_weapon", who="Lund", weapon={"name": "short SWORD"}) == "weapons"
    assert playing.refused("Ada", "give_weapon", who="Lund", weapon={"name": "Bare hands"}) == "weapons"
    broken = {"name": "Whip", "damage": "1d0"}
    assert playing.refused("Ada", "give_weapon", who="Lund", weapon=broken) == "weapons"
    assert playing.refused("Ada", "make_npc", name="Imp", weapons=[broken]) == "weapons"
    assert playing.refused("Bo", "make_hero", **{**KIRA, "name": "Mira", "weapons": [broken]}) == "bad_fields"
    for number in range(11):
        playing.act("Ada", "give_weapon", who="Lund", weapon={"name": f"Dagger {number}"})
    assert playing.refused("Ada", "give_weapon", who="Lund", weapon={"name": "Dagger 12"}) == "full"


def test_new_people_bring_their_weapons(playing: Playing) -> None:
    """SP-08: an NPC's strike as they say, and heroes' too."""
    playing.act("Ada", "make_npc", name="Imp", weapons=[{"name": "Claws", "damage": "2d4"}])
    assert strike(playing, 2, seat="Ada", who="Imp", target="Kira", damage=None)["dice"] == "2d4"
    playing.act("Bo", "make_hero", **{**KIRA, "name": "Mira", "weapons": [BOW]})
    assert strike(playing, 2, seat="Bo", who="Mira", damage=None)["weapon"] == "Bow"


def test_at_a_strict_table_a_weapon_in_hand_needs_no_ruling(open_table: Open) -> None:
    """SP-08: a hero's own weapons and damage are proposals; what was given counts at once."""
    playing = open_table(house={"trusting": False})
    assert playing.names(playing.act("Bo", "make_hero", **{**KIRA, "name": "Mira", "weapons": [BOW]})) == WAITS
    playing.act("Ada", "give_weapon", who="Lund", weapon=SWORD)
    assert strike(playing, 15, 4, damage=None)["damage"] == 6
    assert playing.names(playing.act("Cy", "attack", who="Lund", target="Guard", damage="9d6")) == WAITS


# ---------------------------------------------------------------- limits, and words


@pytest.mark.parametrize("damage", ["40d6", "1d500", "500", "20d6+20d4", "39d6+1"])
def test_a_blow_may_do_as_much_as_the_limits_say(damage: str) -> None:
    """SP-08: 40 dice and 500 points are allowed."""
    assert damage_dice(damage).root.span.high <= 500


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("5d6!", "damage needs an end: dice that explode again and again have none"),
        ("41d6", "damage has at most 40 dice and comes to at most 500"),
        ("20d6+21d4", "damage has at most 40 dice and comes to at most 500"),
        ("501", "damage has at most 40 dice and comes to at most 500"),
    ],
)
def test_what_is_wrong_with_damage_is_said_from_its_first_sign(damage: str, fault: str) -> None:
    """SP-08"""
    with pytest.raises(BadNotation) as bad:
        damage_dice(damage)
    assert (bad.value.fault, bad.value.position) == (fault, 0)


def test_a_blow_that_would_miss_is_refused_too_where_its_damage_can_not_be_read() -> None:
    """SP-08: before any die, so that nobody learns from a miss."""
    with pytest.raises(BadNotation):
        play(attack(30, 0, "41d6"), EnteredDice([2]))


def test_damage_told_outright_must_be_read_too(playing: Playing) -> None:
    """SP+04"""
    assert playing.refused("Ada", "harm", who="Kira", damage="41d6") == "bad_notation"
    playing.act("Ada", "harm", who="Kira", damage="3", why="a fall")
    assert playing.words("Bo")[-1] == "Kira loses 3 hit points (a fall) and has 11 left"


@pytest.mark.parametrize(
    ("faces", "words", "went"),
    [
        ((9,), "Lund attacks Guard, melee (STR): 9 + 3 proficiency + 1 Edge = 13: miss", "miss"),
        ((15, 5), ", 8 damage (1d8+3)", "hit, 8 damage"),
        ((20, 5, 6), ", 14 damage (1d8+3, dice twice)", "critical hit, 14 damage"),
    ],
)
def test_an_attack_is_told_with_its_dice_and_its_damage(
    playing: Playing, faces: tuple[int, ...], words: str, went: str
) -> None:
    """SP-08, SP-11, SP+04: whom, how, what fell, and what it did."""
    playing.roll(*faces)
    outcome = playing.act("Cy", "attack", who="Lund", target="Guard", damage="1d8+3")
    (told,) = (event for event in outcome.events if event.name == "attacked")
    assert words in told.words
    assert ("damage" in told.words) is (len(faces) > 1)
    assert told.went is not None
    assert told.went.words == went
    assert "Guard" not in strike_words(playing)


def strike_words(playing: Playing) -> str:
    """The line of an attack that names nobody."""
    playing.roll(2)
    outcome = playing.act("Cy", "attack", who="Lund", ac=10)
    return next(event.words for event in outcome.events if event.name == "attacked")


@pytest.mark.parametrize(
    ("faces", "seat", "went"),
    [((19, 5), "Ada", "hit, strong success, 8 damage"), ((19, 5), "Cy", "hit, 8 damage"), ((2,), "Cy", "miss")],
)
def test_an_attack_went_as_a_hit_or_a_miss_and_how_well_is_for_those_who_know_the_armour_class(
    playing: Playing, faces: tuple[int, ...], seat: str, went: str
) -> None:
    """SP-12: the Guard's numbers are closed."""
    playing.roll(*faces)
    playing.act("Cy", "attack", who="Lund", target="Guard", damage="1d8+3")
    (told,) = (one for one in playing.host.follow(playing.table, playing.seats[seat]).events if one.name == "attacked")
    assert told.went is not None
    assert told.went.words == went
