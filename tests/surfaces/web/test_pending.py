"""What waits: decisions with the exact odds of each answer, rolls and words that somebody is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from astragal.surfaces.shared.pending import asked_of
from tests.surfaces.web.played import Played, drawn, playing
from tests.surfaces.web.test_cards import ODA, check


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    """Bo plays Oda, who has a reroll."""
    with playing(tmp_path, "six_pool", house={"hand_dice": True}) as found:
        found.act("Bo", "make_hero", **ODA)
        found.act("Ada", "award_inspiration", who=found.who("Oda Kestrel"))
        yield found


def test_each_answer_says_what_is_likely_then(played: Played) -> None:
    """A 5 with 3 added misses 13; thrown again, a 10 or more makes it: 11 faces of 20."""
    check(played, 5)
    (deciding,) = played.decisions("Bo")
    again, keep = deciding.answers
    assert deciding.own
    assert again.best
    assert (keep.words, [(one.words, float(one.chance)) for one in keep.odds]) == ("Keep it", [("bad failure", 1.0)])
    assert "bad failure <b>for certain</b>" in played.panel("Bo", "pending")
    assert again.words == "Roll again: Inspiration"
    assert (again.odds[0].words, again.odds[0].percent) == ("any success", "55.0%")


def test_the_best_answer_is_best_for_whoever_decides(tmp_path: Path) -> None:
    """Kira, who is attacked, hopes that it fails: her Reflex of 13 lets it fail more often than any other score."""
    with playing(tmp_path, "sinew_steel") as played:
        played.act("Bo", "make_hero", name="Kira", scores={"REF": 13, "INT": 7})
        played.act("Ada", "make_npc", name="Guard", shown=True, gear=[{"name": "spear", "edge": 1}])
        played.act("Ada", "attack", attacker=played.who("Guard"), defender=played.who("Kira"))
        (deciding,) = played.decisions("Bo")
    best, *others = deciding.answers
    assert (best.words, best.best, [one.words for one in others]) == ("Dodge", True, ["Parry", "Composure", "Cover"])
    assert (best.odds[0].words, best.odds[0].percent) == ("success", "71.2%")
    assert all(one.odds[0].chance < best.odds[0].chance for one in others)
    assert best.means == "Reflex 13: 0.61 damage on average, 3 at worst"
    assert [one.words for one in best.odds[1:]] == ["hit, damage 2", "hit, damage 3"], "a miss is the success"


def test_where_the_chance_is_unknown_no_answer_is_called_the_best(tmp_path: Path) -> None:
    """The scores of the attacker are hidden: the answers stay in the game's order, the usual one first."""
    with playing(tmp_path, "sinew_steel") as played:
        played.act("Bo", "make_hero", name="Kira", scores={"REF": 7, "INT": 13})
        played.act("Ada", "make_npc", name="Guard", gear=[{"name": "spear", "edge": 1}])
        played.act("Ada", "attack", attacker=played.who("Guard"), defender=played.who("Kira"))
        (deciding,) = played.decisions("Bo")
        (asked,) = asked_of(played.at("Bo"))
        panel = played.panel("Bo", "pending")
    assert "damage" not in panel, "neither the score nor the spear is known"
    assert deciding.answers[0].means == "Intellect 13: the roll succeeds with 65 %"
    assert not any(one.best for one in deciding.answers)
    assert [json.loads(one.value) for one in deciding.answers] == [one.value for one in asked.answers]


def test_whoever_may_not_answer_sees_only_who_decides(played: Played) -> None:
    check(played, 5)
    for other in ("Cy", "Di"):
        (deciding,) = played.decisions(other)
        assert (deciding.who, deciding.is_open, deciding.answers) == ("Oda Kestrel", False, ())
        assert "/answer/" not in played.panel(other, "pending")


def test_the_game_master_may_take_it_and_is_not_pressed_to(played: Played) -> None:
    check(played, 5)
    (deciding,) = played.decisions("Ada")
    assert deciding.is_open
    assert not deciding.own
    assert played.mine("Ada") == 0


def test_odds_that_would_tell_a_hidden_difficulty_are_left_out(played: Played) -> None:
    who = played.who("Oda Kestrel")
    asked = played.act("Ada", "request_roll", who=who, command="check", difficulty=16, hidden=True)
    check(played, 5, dc=None, request=asked.events[0].fields["request"]["id"])
    (of_the_player,) = played.decisions("Bo")
    (of_the_game_master,) = played.decisions("Ada")
    assert all(not answer.odds for answer in of_the_player.answers)
    assert any(answer.odds for answer in of_the_game_master.answers)


def test_a_requested_roll_comes_with_its_form_filled_in(played: Played) -> None:
    who = played.who("Oda Kestrel")
    asked = played.act(
        "Ada", "request_roll", who=who, command="check", fields={"skill": "stealth"}, what_for="the yard"
    )
    (card,) = played.waits("Bo").cards
    (ready,) = (one.ready for one in card.asked)
    assert card.own
    assert ready
    assert dict(ready.kept) == {"who": who, "skill": "stealth", "request": asked.events[0].fields["request"]["id"]}
    assert "the yard" in played.panel("Bo", "pending")
    for other in ("Cy", "Di"):
        assert "<form" not in played.panel(other, "pending")
        assert "Oda Kestrel</b> is to roll" in played.panel(other, "pending")


def test_a_prompt_waits_on_the_screen_of_whoever_is_asked(played: Played) -> None:
    played.act("Ada", "put_prompt", to=played.who("Oda Kestrel"), words="What do you hear?", secret=True)
    assert played.mine("Bo") == 1
    assert "answer_prompt" in played.panel("Bo", "pending")
    assert played.waits("Cy").is_empty
    assert played.panel("Cy", "pending") == ""


def test_dice_thrown_by_hand_are_entered_face_by_face(played: Played) -> None:
    fields = {"who": played.who("Oda Kestrel"), "skill": "stealth", "dc": 13, "rerolls": "never"}
    played.context.host.act(played.table, played.seats["Bo"], ("check", fields), by_hand=True)
    (deciding,) = played.decisions("Bo")
    assert deciding.sides == (20,)
    assert 'max="20"' in played.panel("Bo", "pending")


def test_after_sealed_declarations_the_dice_are_still_thrown_by_hand(tmp_path: Path) -> None:
    with playing(tmp_path, "six_pool", house={"hand_dice": True}) as played:
        played.act("Bo", "make_hero", **ODA)
        played.act("Cy", "make_hero", **{**ODA, "name": "Brannoc"})
        fields = {"who": played.who("Oda Kestrel"), "against": played.who("Brannoc"), "contest": "debate"}
        act = played.context.host.act(played.table, played.seats["Bo"], ("contest", fields), by_hand=True).act
        played.act("Bo", "answer", act=act, answer=0)
        played.act("Cy", "answer", act=act, answer=0)
        (deciding,) = played.decisions("Bo")
        assert deciding.sides == (20,)
        assert "comes after all of these" in played.panel("Bo", "pending")


def test_of_sealed_answers_one_sees_only_who_has_yet_to_answer(tmp_path: Path) -> None:
    with playing(tmp_path, "six_pool") as played:
        played.act("Bo", "make_hero", **ODA)
        played.act("Cy", "make_hero", **{**ODA, "name": "Brannoc"})
        played.act("Bo", "contest", who=played.who("Oda Kestrel"), against=played.who("Brannoc"), contest="debate")
        (deciding,) = played.decisions("Bo")
        assert deciding.who == "Oda Kestrel and Brannoc"
        played.act("Bo", "answer", act=deciding.act, answer=2)
        for seat in ("Ada", "Cy", "Di"):
            assert played.decisions(seat)[0].who == "Brannoc"
        assert "Put 2 in" not in played.panel("Di", "pending")


def test_each_bid_has_a_likely_chance_and_nobody_else_sees_them(tmp_path: Path) -> None:
    with playing(tmp_path, "six_pool") as played:
        played.act("Bo", "make_hero", **ODA)
        played.act("Cy", "make_hero", **{**ODA, "name": "Brannoc"})
        played.act("Bo", "contest", who=played.who("Oda Kestrel"), against=played.who("Brannoc"), contest="debate")
        (mine,) = played.decisions("Bo")
        heights = [bid.height for bid in mine.bids]
        assert len(heights) > 1
        assert heights == sorted(heights)
        assert "Likely chance by what you put in" in played.panel("Bo", "pending")
        assert "Likely chance" not in played.panel("Di", "pending")


def test_bids_against_closed_numbers_tell_nothing_of_them(tmp_path: Path) -> None:
    """SP-13, SP-06: the bars of a player are the same against a novice and against a master."""
    with playing(tmp_path, "six_pool") as played:
        played.act("Bo", "make_hero", **ODA)
        shown = []
        for name, level, training in (("Novice", 1, "trained"), ("Master", 20, "master")):
            played.act("Ada", "make_npc", name=name, level=level, training={"persuasion": training})
            oda, rival = played.who("Oda Kestrel"), played.who(name)
            waits = played.act("Bo", "contest", who=oda, against=rival, contest="debate")
            (mine,) = played.decisions("Bo")
            assert len(mine.bids) > 1
            shown.append([(bid.height, bid.between) for bid in mine.bids])
            played.act("Ada", "withdraw", act=waits.act)
        assert shown[0] == shown[1]


def test_several_who_are_asked_at_once_share_a_card_and_roll_each_for_themselves(played: Played) -> None:
    played.act("Cy", "make_hero", **{**ODA, "name": "Brannoc"})
    oda, brannoc = played.who("Oda Kestrel"), played.who("Brannoc")
    asked = played.act(
        "Ada", "request_roll", who=oda, also=[brannoc], command="check", fields={"skill": "stealth"}, difficulty=13
    )
    first, second = (event.fields["request"]["id"] for event in asked.events)
    (card,) = played.waits("Bo").cards
    assert [(one.who, one.own, one.ready is not None) for one in card.asked] == [
        ("Oda Kestrel", True, True),
        ("Brannoc", False, False),
    ]
    check(played, 15, dc=None, request=first, rerolls="never")
    (card,) = played.waits("Cy").cards
    assert [(one.who.name, one.tone) for one in card.members] == [("Oda Kestrel", "good")]
    played.act("Cy", "check", 2, who=brannoc, skill="stealth", request=second, rerolls="never")
    told = played.card("Di")
    assert (told.id, told.outcome) == (card.id, "1 of 2 made it")
    assert not played.waits("Di").cards


def test_what_a_game_waits_for_is_on_the_screen_of_whoever_plays_them(tmp_path: Path) -> None:
    """New Shoes: what somebody of the game master's does waits for the player's reaction."""
    with playing(tmp_path, "new_shoes") as played:
        played.act("Bo", "make_hero", name="Nhu", body=3, mind=3, will=4)
        reaction = (
            played.act("Ada", "prompt_reaction", who="Nhu", words="A spade swings").events[0].fields["approach"]["id"]
        )
        (mine,) = played.waits("Bo").proposals
        assert (mine.who, mine.words, mine.command, mine.own) == ("Nhu", "A spade swings", "React", True)
        assert f"approach={reaction}" in mine.asks
        assert played.mine("Bo") == 1
        assert [one.own for one in played.waits("Cy").proposals] == [False]
        assert "A spade swings" not in played.panel("Ada", "screen_due")
        played.act("Bo", "describe", who="Nhu", words="ducks", approach=reaction)
        assert not played.waits("Bo").proposals
        assert "ducks" in played.panel("Ada", "screen_due")


def test_a_roll_that_waits_for_words_has_their_button_on_its_card(tmp_path: Path) -> None:
    """New Shoes: a reaction that is called at once is described before it is rolled, and is told of once."""
    with playing(tmp_path, "new_shoes") as played:
        played.act("Bo", "make_hero", name="Nhu", body=3, mind=3, will=4)
        called: dict[str, Any] = {"attribute": "body", "target": 8}
        played.act("Ada", "prompt_reaction", who="Nhu", words="A spade swings", **called)
        assert not played.waits("Bo").proposals
        ((asked,),) = (card.asked for card in played.waits("Bo").cards)
        assert asked.turn
        assert asked.turn.command == "React"
        shown = played.panel("Bo", "pending")
        assert (shown.count("A spade swings"), shown.count(">React</button>")) == (1, 1)
        played.act("Bo", "describe", who="Nhu", words="ducks")
        assert ">React</button>" not in played.panel("Bo", "pending")


def test_what_a_hero_is_about_to_do_stands_there_until_the_game_master_has_ruled(tmp_path: Path) -> None:
    with playing(tmp_path, "new_shoes") as played:
        played.act("Bo", "make_hero", name="Nhu", body=3, mind=4, will=3)
        played.act("Bo", "describe", who="Nhu", words="I climb the rope")
        assert "Nhu: I climb the rope" in played.panel("Bo", "pending")
        for other in ("Ada", "Cy"):
            assert "I climb the rope" not in played.panel(other, "pending")
        played.act("Ada", "call_approach", who="Nhu", attribute="body")
        assert "The game master says" not in played.panel("Bo", "pending")


def test_what_a_program_proposes_waits_for_a_click(played: Played) -> None:
    """A program runs the game; whoever plays there says yes or no, and who looks on does not."""
    echo = played.act("Ada", "take_seat", name="Echo", ai=True).events[0].fields["seat"]["id"]
    played.seats["Echo"] = echo
    played.act("Ada", "hand_over", seat="Echo")
    played.act("Echo", "begin_evening")
    for command in ("decline", "agree"):
        proposed = played.act("Echo", "undo")
        (one,) = played.waits("Bo").consents
        assert (one.who, one.words, one.own, played.mine("Bo")) == ("Echo", "undo the last command", True, 1)
        assert f'value="{one.id}"' in played.panel("Bo", "pending")
        assert "/do/agree" in played.panel("Bo", "pending")
        assert "/do/" not in played.panel("Di", "pending")
        assert played.at("Bo").state.calendar.sitting
        assert proposed.events[0].name == "consent_asked"
        played.act("Bo", command, consent=one.id)
    assert not played.at("Bo").state.calendar.sitting
    assert played.waits("Bo").is_empty
    assert "Bo agreed: undo the last command" in played.card("Cy").lines


def test_what_a_program_says_as_a_players_hero_is_marked_on_its_card(played: Played) -> None:
    played.seats["Echo"] = played.act("Ada", "take_seat", name="Echo", ai=True).events[0].fields["seat"]["id"]
    played.act("Ada", "hand_over", seat="Echo")
    played.act("Echo", "say", words="I give up.", who=played.who("Oda Kestrel"))
    assert "on the AI&#39;s word, not on Bo&#39;s" in drawn(played.card("Cy"))


def test_the_game_master_rules_on_what_a_player_proposes_with_the_figure_at_hand(tmp_path: Path) -> None:
    with playing(tmp_path, "six_pool", house={"trusting": False}) as played:
        played.act("Ada", "make_hero", **ODA, seat=played.seats["Bo"])
        played.act("Bo", "check", who=played.who("Oda Kestrel"), skill="stealth", dc=5)
        (asked,) = played.waits("Ada").consents
        (difficulty,) = asked.inputs
        limits = (difficulty.least, difficulty.most)
        assert (difficulty.kind, difficulty.name, difficulty.value, limits) == ("number", "changes.dc", 5, (1, 40))
        assert 'name="changes.dc" type="number"' in played.panel("Ada", "pending")
        assert "changes.dc" not in played.panel("Bo", "pending")
        assert "Ada (game master) decides." in played.panel("Bo", "pending")
        assert "proposes" not in drawn(played.card("Ada"))  # the log tells of it once it is decided
        assert played.panel("Cy", "pending") == ""


def test_a_difficulty_that_has_names_is_changed_to_another_of_them(tmp_path: Path) -> None:
    with playing(tmp_path, "narraject", house={"trusting": False}) as played:
        played.act("Ada", "take_sample", sample="Tove Lindqvist", seat=played.seats["Bo"])
        who = played.who("Tove Lindqvist")
        played.act("Bo", "attempt", who=who, stat="agility", goal="A way in", approach="by feel", difficulty="easy")
        (asked,) = played.waits("Ada").consents
        (difficulty,) = asked.inputs
        assert {"easy", "hard"} <= {option.value for option in difficulty.options}
        assert 'type="radio" name="changes.difficulty" value="easy" checked' in played.panel("Ada", "pending")


def test_a_long_text_that_a_player_proposes_can_be_agreed_to_as_it_stands(tmp_path: Path) -> None:
    with playing(tmp_path, "sinew_steel", house={"trusting": False}) as played:
        played.act("Ada", "make_hero", name="Kira", seat=played.seats["Bo"])
        played.act("Ada", "make_npc", name="Rook")
        told = "They are driven back over the bridge. " * 8
        played.act("Bo", "attack", attacker=played.who("Kira"), defender=played.who("Rook"), consequence=told)
        (asked,) = played.waits("Ada").consents
        (consequence,) = asked.inputs
        played.act("Ada", "agree", 18, 2, consent=asked.id, changes={"consequence": consequence.value})
        assert not played.waits("Ada").consents


def test_whoever_waits_for_a_persons_yes_reads_whose(played: Played) -> None:
    played.seats["Echo"] = played.act("Ada", "take_seat", name="Echo", ai=True).events[0].fields["seat"]["id"]
    played.act("Ada", "hand_over", seat="Echo")
    played.act("Echo", "begin_evening")
    played.act("Echo", "undo")
    assert "Ada or Bo or Cy decides." in played.panel("Echo", "pending")
