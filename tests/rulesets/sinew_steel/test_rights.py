"""Whose word counts: what players propose, what is the custodian's alone, and how the defender defends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from astragal.game.shared import Fate
from astragal.rulesets.sinew_steel.fights import Effect
from astragal.table.declarations import Sight
from astragal.table.pending import Choice, prospects
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing

SWORD = {"name": "sword", "edge": 1}


@pytest.fixture
def table(open_table: Open) -> Playing:
    """Bo plays Kira, who is quick, Cy plays Lund, who is strong; the guard's scores are known."""
    playing = open_table(trusting=False, build_points=16)
    playing.act("Bo", "make_hero", name="Kira", scores={"REF": 13}, kit=["Sword or spear"])
    playing.act("Cy", "make_hero", name="Lund", scores={"MGT": 14})
    playing.act("Ada", "make_npc", name="Guard", score=10, scores={"INT": 12}, shown=True)
    return playing


CLAIMS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "guard": ("attack", {"defender": "Guard", "guard": "composure"}),
    "no guard": ("attack", {"defender": "Guard", "guard": "none"}),
    "defence attribute": ("attack", {"defender": "Guard", "defence_attribute": "MGT"}),
    "defence advantage": ("attack", {"defender": "Guard", "defence_disadvantage": ["blind"]}),
    "consequence": ("attack", {"defender": "Guard", "consequence": "The guard is dead."}),
    "opposed": (
        "opposed_test",
        {"defender": "Guard", "attribute": "REF", "defence_attribute": "MGT", "stakes": "the key"},
    ),
    "price": ("buy", {"what": "a boat", "tier": 0}),
    "item": ("carry", {"item": "Great axe"}),
    "own item": ("carry", {"item": SWORD}),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_a_player_claims_waits_for_the_custodian(table: Playing, claim: str) -> None:
    """SS-33, SS-39, SS-42, SS+02: no die falls, nothing changes."""
    command, fields = CLAIMS[claim]
    actor = "who" if command in ("buy", "carry") else "attacker"
    before = table.look("Ada").characters
    table.roll()
    assert table.names(table.act("Bo", command, **{actor: "Kira"}, **fields)) == ["consent_asked"]
    assert table.look("Ada").characters == before


def test_the_custodian_rules_on_it_and_may_say_something_else(table: Playing) -> None:
    """SS-33"""
    table.act("Bo", "attack", attacker="Kira", defender="Guard", guard="composure")
    (consent,) = table.look("Ada").consents
    table.roll(12, 3)
    outcome = table.act("Ada", "agree", consent=consent, changes={"guard": "cover"})
    told = table.told(outcome if not outcome.waits_for else table.answer("Bo", outcome, 0), "attacked")
    assert told["defence"]["attribute"] == "INT"


@pytest.mark.parametrize("fields", [{"lethal": "dead"}, {"defence_score": 1}])
def test_what_is_the_custodians_alone_is_refused(table: Playing, fields: dict[str, Any]) -> None:
    """SS-33, SS-41"""
    with pytest.raises(NotAllowed, match="Only the game master can set that"):
        table.act("Bo", "attack", attacker="Kira", defender="Guard", **fields)


def test_lethal_stakes_that_the_request_calls_for_may_be_said_again(table: Playing) -> None:
    """SS-41: a form that was filled in from the request says them."""
    table.act("Ada", "request_roll", who="Kira", command="test", what_for="the fall", fields={"lethal": "dead"})
    (request,) = table.look("Bo").requests
    waits = table.test("Bo", "Kira", "REF", request=request, lethal="dead")
    table.roll(20)
    table.answer("Bo", waits, "understood")
    assert table.who("Kira").fate is Fate.DEAD


# ---------------------------------------------------------------- what a new hero has


def test_a_new_hero_takes_along_what_the_skin_has(table: Playing) -> None:
    """SS-70: a table without a skin has the plain one."""
    (sword,) = table.sheet("Kira").gear
    assert (sword.name, sword.edge) == ("Sword or spear", 1)


@pytest.mark.parametrize(
    "gear",
    [[{"name": "a letter"}], [{"name": "Bow", "edge": 1, "tags": ["ranged"]}, {"name": "Full plate", "soak": 3}]],
)
def test_what_the_skin_has_and_what_is_harmless_need_no_ruling(table: Playing, gear: list[Any]) -> None:
    assert "entered" in table.names(table.act("Cy", "make_hero", name="Osk", gear=gear))


@pytest.mark.parametrize(
    "fields",
    [
        {"gear": [{"name": "knife", "edge": 2}]},
        {"gear": [{"name": "coat", "soak": 3}]},
        {"gear": [{"name": "rod", "tags": ["fatal"]}]},
        {"gear": [{"name": "Bow", "edge": 2, "tags": ["ranged"]}]},
        {"gear": [{"name": "a letter"}, {"name": "knife", "edge": 2}]},
        {"wealth": 4},
    ],
)
def test_weapons_armour_and_riches_of_ones_own_are_proposed(table: Playing, fields: dict[str, Any]) -> None:
    """SS-34, SS-36, SS-70, SS+02, SS+04"""
    assert table.names(table.act("Cy", "make_hero", name="Osk", **fields)) == ["consent_asked"]


@pytest.mark.parametrize(
    ("name", "meant"), [("Sowrd or spear", "'Sword or spear'"), ("axe", "'Great axe'"), ("plate", "'Full plate'")]
)
def test_a_misspelt_thing_is_refused_with_what_was_meant(table: Playing, name: str, meant: str) -> None:
    """SS-70: it would strike like bare hands, without a word."""
    for seat, command, fields in (
        ("Cy", "make_hero", {"name": "Osk", "kit": [name]}),
        ("Ada", "make_npc", {"name": "Osk", "kit": [name]}),
        ("Ada", "carry", {"who": "Kira", "item": name}),
    ):
        with pytest.raises(NoSuchThing, match=f"did you mean {meant}\\?"):
            table.act(seat, command, **fields)


def test_a_table_without_a_skin_has_the_plain_ones_heroes(table: Playing) -> None:
    """SS-70"""
    sample = table.look("Cy").options.ready[0]
    table.act("Cy", "take_sample", sample=sample.name)
    assert [item.name for item in table.sheet(sample.name).gear] == list(sample.gear)


# ---------------------------------------------------------------- what is struck with


def test_an_attack_uses_the_sharpest_weapon_that_is_carried(table: Playing) -> None:
    """SS-34: and the log names it."""
    for item in ("Knife", "Great axe", "Rifle", "Full plate"):
        table.act("Ada", "carry", who="Kira", item=item)
    table.roll(1, 20)
    outcome = table.act("Ada", "attack", attacker="Kira", defender="Guard", guard="dodge")
    assert (table.told(outcome, "attacked")["weapon"], table.told(outcome, "attacked")["damage"]) == ("Great axe", 4)


@pytest.mark.parametrize(
    ("fields", "weapon"),
    [({"weapon": "Bare hands"}, None), ({"consequence": "She talks."}, None), ({}, "Sword or spear")],
)
def test_bare_hands_are_used_where_they_are_named_or_nothing_is_struck(
    table: Playing, fields: dict[str, Any], weapon: str | None
) -> None:
    """SS-39"""
    table.roll(20, 3)
    outcome = table.act("Ada", "attack", attacker="Kira", defender="Guard", guard="dodge", **fields)
    assert table.told(outcome, "attacked")["weapon"] == weapon


def test_a_weapon_that_is_not_carried_is_refused_with_what_is(table: Playing) -> None:
    with pytest.raises(Refusal, match="Kira does not carry 'swrod or spear'; did you mean 'Sword or spear'\\?"):
        table.act("Ada", "attack", attacker="Kira", defender="Guard", weapon="swrod or spear")


# ---------------------------------------------------------------- how one defends


def choices(table: Playing, seat: str) -> dict[str, Choice]:
    (waits,) = table.host.decisions(table.table, table.seats[seat])
    return {choice.answer: choice for choice in waits.choices}


def test_the_defender_is_asked_before_any_die_falls(table: Playing) -> None:
    """SS-33: the custodian for those who are theirs; the likeliest first, and never Luck or nothing."""
    table.roll()
    waits = table.act("Bo", "attack", attacker="Kira", defender="Guard")
    assert (waits.waits_for, choices(table, "Bo")) == (("defender",), {})
    assert list(choices(table, "Ada")) == ["cover", "dodge", "parry", "composure"]
    assert table.refused("Bo", "answer", act=waits.act, answer="dodge") == "not_yours"
    table.roll(19, 2)
    told = table.told(table.answer("Ada", waits, "parry"), "attacked")
    assert (told["defence"]["attribute"], told["defence"]["open"]["score"]) == ("MGT", 10)


def test_a_player_says_how_a_hero_defends(table: Playing) -> None:
    """SS-33, SS-34: with the damage that each way lets through, where the attacker's numbers are open."""
    waits = table.act("Ada", "attack", attacker="Guard", defender="Kira")
    assert {answer: (one.label, one.words) for answer, one in choices(table, "Bo").items()} == {
        "dodge": ("Dodge", "Reflex 13: 0.33 damage on average, 2 at worst"),
        "parry": ("Parry", "Might 10: 0.41 damage on average, 2 at worst"),
        "cover": ("Cover", "Intellect 10: 0.41 damage on average, 2 at worst"),
        "composure": ("Composure", "Empathy 10: 0.41 damage on average, 2 at worst"),
    }
    state = table.look("Bo")
    (asked,) = table.host.decisions(table.table, table.seats["Bo"])
    weighed = prospects(table.host.books[state.ruleset], state, state.viewer(table.seats["Bo"]), asked)
    hits = [odds.odds.chance(lambda effect: effect.hit) for odds in weighed if odds is not None]
    assert [round(400 * hit) for hit in hits] == [115, 145, 145, 145]
    table.roll(19, 2)
    assert table.told(table.answer("Bo", waits, "dodge"), "attacked")["defence"]["attribute"] == "REF"


def test_what_hampers_a_defence_counts_in_the_order(table: Playing) -> None:
    """SS-33, SS-40: overloaded, Kira does not dodge as well as she parries."""
    for number in range(6):
        table.act("Ada", "carry", who="Kira", item={"name": f"crate {number}"})
    table.act("Ada", "attack", attacker="Guard", defender="Kira")
    found = choices(table, "Bo")
    assert next(iter(found)) == "parry"
    assert found["dodge"].words == "Reflex 13 with disadvantage: 0.45 damage on average, 2 at worst"


def test_nobody_is_asked_where_nothing_hangs_on_it(table: Playing) -> None:
    """SS-25, SS-33: one score for all, the collapsed, what the custodian said, and what is out of sight."""
    table.act("Ada", "make_npc", name="Rat", score=8)
    table.roll(20, 2)
    assert "attacked" in table.names(table.act("Bo", "attack", attacker="Kira", defender="Rat"))
    table.roll(19, 2)
    assert "attacked" in table.names(table.act("Ada", "attack", attacker="Rat", defender="Kira", guard="parry"))
    table.roll(19, 2)
    asked = ("attack", {"attacker": table.who("Rat").id, "defender": table.who("Kira").id})
    hidden = table.host.act(table.table, table.seats["Ada"], asked, sight=Sight.HIDDEN)
    assert table.told(hidden, "attacked")["defence"]["attribute"] == "REF"
    table.act("Ada", "harm", who="Kira", points=5)
    table.roll(19)
    assert "attacked" in table.names(table.act("Ada", "attack", attacker="Rat", defender="Kira"))


def test_a_score_that_the_custodian_names_is_what_defends(table: Playing) -> None:
    """SS-33: nobody is asked for another."""
    table.roll(20, 3)
    told = table.told(table.act("Ada", "attack", attacker="Kira", defender="Guard", defence_score=6), "attacked")
    assert told["defence"]["open"]["score"] == 6


def test_lethal_stakes_are_told_before_the_defence_is_chosen(table: Playing) -> None:
    """SS-33, SS-41"""
    waits = table.act("Ada", "attack", attacker="Guard", defender="Kira", lethal="dead")
    waits = table.answer("Bo", waits, "understood")
    table.roll(19, 2)
    assert "attacked" in table.names(table.answer("Bo", waits, "dodge"))


def test_the_preview_of_an_attack_is_that_of_the_likeliest_defence(table: Playing) -> None:
    """SS-33: 10 against 13 is 115 in 400."""
    preview = table.preview("Ada", "attack", attacker="Guard", defender="Kira")
    case = next(case for case in preview.cases if case.policy is None)
    chance = case.odds.chance(lambda effect: isinstance(effect, Effect) and effect.hit)
    assert round(400 * chance) == 115


def test_the_defences_are_explained_with_the_roll(table: Playing) -> None:
    waits = table.act("Ada", "attack", attacker="Guard", defender="Kira")
    table.roll(19, 2)
    table.answer("Bo", waits, "cover")
    assert table.reckoned("Di")["The defences"] == "dodge 13, parry 10, cover 10, composure 10"


def test_cover_that_helps_to_dodge_leaves_nothing_else(open_table: Open) -> None:
    """SS-33, SS+05"""
    playing = open_table(companions=["circumstances"])
    playing.act("Bo", "make_hero", name="Kira", scores={"MGT": 12})
    playing.act("Ada", "make_npc", name="Guard", score=10)
    playing.roll(19, 3, 4)
    outcome = playing.act("Ada", "attack", attacker="Guard", defender="Kira", defence_advantage=["solid cover"])
    assert playing.told(outcome, "attacked")["defence"]["footing"] == "advantage"


def test_an_opposed_test_of_one_attribute_needs_no_ruling(table: Playing) -> None:
    """SS-07, SS-43: by default both roll the same; another attribute for the other side is a proposal."""
    table.roll(20, 3)
    wrestle = {"attacker": "Kira", "defender": "Guard", "attribute": "MGT", "stakes": "the door"}
    told = table.act("Bo", "opposed_test", **wrestle)
    assert table.told(told, "opposed")["defence"]["attribute"] == "MGT"
    assert table.names(table.act("Bo", "opposed_test", **wrestle, defence_attribute="INT")) == ["consent_asked"]


@pytest.mark.parametrize(("wealth", "deal"), [(1, "afforded"), (4, "afforded")])
def test_everyday_things_need_no_ruling(table: Playing, wealth: int, deal: str) -> None:
    """SS+02: they cost 1, which anyone but the broke can afford; any other cost is a proposal."""
    table.act("Ada", "set_wealth", who="Kira", wealth=wealth)
    assert table.told(table.act("Bo", "buy", who="Kira", what="a rope"), "bought")["deal"] == deal
    assert table.names(table.act("Bo", "buy", who="Kira", what="a horse", tier=2)) == ["consent_asked"]


def test_things_that_do_nothing_in_a_fight_may_be_taken_along(table: Playing) -> None:
    """SS-40, SS-70: by their own name or the skin's; weapons and armour wait."""
    assert table.names(table.act("Bo", "carry", who="Kira", item={"name": "a letter"})) == ["carried"]
    assert table.names(table.act("Bo", "carry", who="Kira", item=SWORD)) == ["consent_asked"]
    assert table.refused("Bo", "carry", who="Kira", item="a thing unheard of") == "no_such_thing"


# ---------------------------------------------------------------- words that are blanked


def everything_kept(table: Playing) -> str:
    return b"".join(table.host.archive.export(table.table, table.game_master)).decode()


def test_the_words_of_a_roll_that_waits_can_be_blanked_and_the_roll_goes_on(table: Playing) -> None:
    """SS-23: the decision keeps the command's fields, and its words beside the log."""
    table.roll(16)
    waits = table.act("Bo", "test", who="Kira", attribute="REF", stakes="my real name")
    assert waits.waits_for
    assert "my real name" in everything_kept(table)
    table.host.archive.forget_words(table.table, table.seats["Bo"], waits.act)
    assert "my real name" not in everything_kept(table)
    told = table.told(table.answer("Bo", waits, 0), "tried")
    assert told["stakes"] == "…"


def test_the_words_of_a_proposal_can_be_blanked(open_table: Open) -> None:
    """SS-33: those of the command, and the command as people read it."""
    table = open_table(trusting=False)
    table.act("Bo", "make_hero", name="Kira")
    fields = {"who": "Kira", "attribute": "REF", "stakes": "my real name", "pressure_on_failure": 1}
    asked = table.act("Bo", "test", **fields)
    assert "consent_asked" in table.names(asked)
    assert "my real name" in everything_kept(table)
    table.host.archive.forget_words(table.table, table.seats["Bo"], asked.act)
    assert "my real name" not in everything_kept(table)
    (consent,) = table.look("Ada").consents
    table.roll(5)
    assert table.told(table.act("Ada", "agree", consent=consent), "tried")["stakes"] == "…"
