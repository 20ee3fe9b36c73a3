"""Cards: one for each deed, with its dice, how it went and what changed, as far as a seat may know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from astragal.surfaces.web.story.cards import Card, Kind, cards_of
from astragal.surfaces.web.story.log import as_markdown
from astragal.table.declarations import Sight
from tests.surfaces.web.played import Played, drawn, playing

OTTILIE: dict[str, Any] = {"name": "Ottilie", "body": 2, "mind": 5, "will": 3}
ODA: dict[str, Any] = {
    "name": "Oda Kestrel",
    "hero_class": "rogue",
    "pools": {"STR": 10, "DEX": 18, "CON": 12, "INT": 15, "WIS": 12, "CHA": 10},
    "edges": {"DEX": 1},
    "training": {"lock picking": "expert", "stealth": "trained", "perception": "trained"},
    "armour": 2,
}


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    """Bo plays Oda, by Six-Pool d20."""
    with playing(tmp_path, "six_pool") as found:
        found.act("Bo", "make_hero", **ODA)
        yield found


def check(played: Played, *faces: int, **fields: Any) -> None:
    played.act("Bo", "check", *faces, **{"who": played.who("Oda Kestrel"), "skill": "stealth", "dc": 13, **fields})


# ---------------------------------------------------------------- a deed


def test_a_deed_with_its_dice_its_outcome_and_what_changed_is_one_card(played: Played) -> None:
    before = len(played.cards("Cy"))
    check(played, 10, points=2)
    card = played.card("Cy")
    assert len(played.cards("Cy")) == before + 1
    assert (card.kind, card.who, card.title) == (Kind.ROLL, "Oda Kestrel", "Oda Kestrel rolls stealth")
    assert [(die.sides, die.face, die.fate) for die in card.dice] == [(20, 10, "kept")]
    assert (card.outcome, card.tone) == ("success", "good")
    assert [(one.words, one.step) for one in card.changes] == [("Oda Kestrel: DEX", "18 → 16")]
    assert "Oda Kestrel: DEX <b>18 → 16</b>" in drawn(card)


def test_colours_say_how_it_went_for_the_heroes_and_leave_out_what_a_foe_rolls_and_loses(played: Played) -> None:
    """Oda reads in no red that the ghoul misses her."""
    played.act("Ada", "make_npc", name="Ghoul", hit_points=9)
    oda, ghoul = played.who("Oda Kestrel"), played.who("Ghoul")
    played.act("Ada", "attack", 2, 1, who=ghoul, target=oda, rerolls="never")
    assert [(one.headline, one.tone) for one in map(played.card, ("Bo", "Ada"))] == [("Miss", "")] * 2
    played.act("Ada", "attack", 19, 3, who=ghoul, target=oda, rerolls="never")
    assert (played.card("Bo").tone, [one.tone for one in played.card("Bo").changes]) == ("", ["bad"])
    played.act("Bo", "attack", 19, 3, who=oda, target=ghoul, rerolls="never")
    assert (played.card("Bo").tone, [one.tone for one in played.card("Bo").changes]) == ("good", [""])
    played.act("Bo", "attack", 2, 1, who=oda, target=ghoul, rerolls="never")
    assert played.card("Bo").tone == "bad"


def test_that_somebody_is_down_is_never_folded_away(played: Played) -> None:
    """A few hit points more or less are bookkeeping."""
    who = played.who("Oda Kestrel")
    played.act("Ada", "harm", who=who, damage="3")
    assert played.card("Bo").is_minor
    played.act("Ada", "harm", who=who, damage="99")
    assert not played.card("Bo").is_minor
    assert played.card("Bo").lines[-1] == "Oda Kestrel is down"
    played.act("Ada", "heal", who=who, points=2)
    assert not played.card("Bo").is_minor
    played.act("Ada", "heal", who=who, points=1)
    assert played.card("Bo").is_minor


def test_a_note_is_read_where_the_log_tells_of_it(played: Played) -> None:
    """It is no bookkeeping that is folded away; of one that says nothing there is nothing to unfold."""
    played.act("Ada", "write_note", title="The debt", words="He owes *three* silver.")
    card = played.card("Bo")
    assert not card.is_minor
    assert "<summary>A note: The debt</summary>" in drawn(card)
    assert "<em>three</em> silver" in drawn(card)
    played.act("Ada", "write_note", title="Bare")
    assert "<summary>" not in drawn(played.card("Bo"))
    assert played.card("Bo").is_minor


def test_dice_that_do_not_count_say_so_in_words_and_not_by_looks_alone(played: Played) -> None:
    check(played, 3, 15, advantage=["position"])
    fates = [die.fate for die in played.card("Bo").dice]
    assert sorted(fates) == ["dropped", "kept"]
    assert "d20: 3, dropped" in drawn(played.card("Bo"))


def test_a_die_that_brought_another_is_marked(tmp_path: Path) -> None:
    with playing(tmp_path, "new_shoes") as played:
        played.act("Bo", "make_hero", **OTTILIE)
        who = played.who("Ottilie")
        played.act("Bo", "describe", who=who, words="I read it upside down.")
        played.act("Ada", "call_approach", who=who, attribute="body", target=8)
        played.act("Bo", "roll_approach", 6, 2, 4, who=who)
        card = played.card("Di")
        assert [die.fate for die in card.dice] == ["exploded", "kept", "kept"]
        assert "d6: 6, exploded" in drawn(card)
        assert card.outcome == "success"


def test_what_a_roll_asks_somebody_to_tell_stands_on_its_card_once_it_is_told(tmp_path: Path) -> None:
    with playing(tmp_path, "new_shoes") as played:
        played.act("Bo", "make_hero", **OTTILIE)
        who = played.who("Ottilie")
        played.act("Bo", "describe", who=who, words="I read it upside down.")
        played.act("Ada", "call_approach", who=who, attribute="body", target=8)
        played.act("Bo", "roll_approach", 6, 2, 4, who=who)
        before = len(played.cards("Di"))
        assert not any("Tell what comes of it" in line for line in played.card("Di").lines)
        (prompt,) = played.at("Ada").state.prompts
        played.act("Bo", "answer_prompt", prompt=prompt, words="It is a *map*.")
        assert "It is a *map*." not in played.panel("Ada", "screen_due")  # there is nothing left to do
        card = played.card("Di")
        assert (len(played.cards("Di")), card.kind, card.told and card.told.passages) == (
            before,
            Kind.ROLL,
            ("It is a *map*.",),
        )


def test_an_answer_to_the_game_master_is_said_and_no_bookkeeping(played: Played) -> None:
    prompt = played.act("Ada", "put_prompt", to=played.who("Oda Kestrel"), words="What do you fear?").events[0]
    played.act("Bo", "answer_prompt", prompt=prompt.fields["prompt"]["id"], words="Deep water.")
    card = played.card("Cy")
    assert card.talk is not None
    assert (card.talk.speaker, card.talk.words, card.is_minor) == ("Oda Kestrel", "Deep water.", False)


def test_a_card_explains_every_number_that_went_into_the_roll(played: Played) -> None:
    check(played, 10, points=2)
    why = played.card("Cy").why
    assert why is not None
    assert why.doc
    assert "SP-" not in why.doc
    assert dict(why.terms)["DC"] == "13"


def test_a_card_says_what_a_roll_was_asked_for(played: Played) -> None:
    who = played.who("Oda Kestrel")
    asked = played.act("Ada", "request_roll", who=who, command="check", difficulty=16, what_for="past the dogs")
    check(played, 14, dc=None, request=asked.events[0].fields["request"]["id"])
    for seat in ("Ada", "Bo", "Di"):
        assert "for “past the dogs”" in drawn(played.card(seat))


def test_a_failure_has_its_own_sign_and_its_own_word(played: Played) -> None:
    check(played, 2)
    text = drawn(played.card("Di"))
    assert "icon-bad" in text
    assert "failure" in text


def test_seats_that_see_the_same_are_shown_the_same_card(played: Played) -> None:
    check(played, 10)
    assert played.card("Bo") == played.card("Cy") == played.card("Di")


# ---------------------------------------------------------------- what a seat may not know


def stands_in(number: int, text: str) -> bool:
    """As a number of its own: ids are random digits, among which it may be found."""
    return re.search(rf"\b{number}\b", text) is not None


def test_under_a_hidden_difficulty_the_card_withholds_what_would_tell_it(played: Played) -> None:
    who = played.who("Oda Kestrel")
    asked = played.act("Ada", "request_roll", who=who, command="check", difficulty=16, hidden=True)
    check(played, 14, dc=None, request=asked.events[0].fields["request"]["id"])
    of_the_player, of_the_game_master = played.card("Bo"), played.card("Ada")
    assert of_the_player.why is None or not of_the_player.why.terms
    assert not stands_in(16, drawn(of_the_player))
    assert (of_the_player.covered, of_the_game_master.covered) == (False, True)
    assert "/do/reveal" not in drawn(of_the_player)
    assert "/do/reveal" in drawn(of_the_game_master)


def test_a_hidden_roll_is_a_closed_card_until_it_is_turned_over(played: Played) -> None:
    who = played.who("Oda Kestrel")
    outcome = played.act("Ada", "check", 17, sight=Sight.HIDDEN, who=who, skill="stealth", dc=13)
    closed = played.card("Bo")
    assert closed.closed
    assert not closed.dice
    assert not stands_in(17, drawn(closed))
    played.act("Ada", "reveal", act=outcome.events[0].act)
    turned = played.card("Bo")
    assert turned.id == closed.id
    assert [card.id for card in played.cards("Bo")].count(closed.id) == 1
    assert [die.face for die in turned.dice] == [17]
    assert "Revealed." in drawn(turned)


def test_a_reveal_turns_a_card_over_where_it_lies(played: Played) -> None:
    who = played.who("Oda Kestrel")
    outcome = played.act("Ada", "check", 17, sight=Sight.HIDDEN, who=who, skill="stealth", dc=13)
    played.act("Di", "say", words="What was that?")
    before = [card.id for card in played.cards("Bo")]
    played.act("Ada", "reveal", act=outcome.events[0].act)
    assert [card.id for card in played.cards("Bo")] == before


def test_a_hidden_roll_that_was_asked_for_keeps_the_card_that_players_saw_closed(played: Played) -> None:
    who = played.who("Oda Kestrel")
    asked = played.act("Ada", "request_roll", who=who, command="check", difficulty=16)
    request = asked.events[0].fields["request"]["id"]
    outcome = played.act("Ada", "check", 17, sight=Sight.HIDDEN, who=who, skill="stealth", request=request)
    before = {seat: [card.id for card in played.cards(seat)] for seat in ("Ada", "Bo", "Di")}
    assert f"card-{outcome.act}" in before["Bo"]
    played.act("Ada", "reveal", act=outcome.act)
    assert {seat: [card.id for card in played.cards(seat)] for seat in before} == before


def test_a_secret_roll_that_is_revealed_has_a_card_at_last(played: Played) -> None:
    who = played.who("Oda Kestrel")
    outcome = played.act("Ada", "check", 17, sight=Sight.SECRET, who=who, skill="stealth", dc=13)
    played.act("Ada", "reveal", act=outcome.events[0].act)
    assert [die.face for die in played.card("Bo").dice] == [17]


def test_a_secret_roll_leaves_no_card(played: Played) -> None:
    before = played.cards("Bo")
    played.act("Ada", "check", 17, sight=Sight.SECRET, who=played.who("Oda Kestrel"), skill="stealth", dc=13)
    assert played.cards("Bo") == before


# ---------------------------------------------------------------- what becomes of a deed


def test_what_was_undone_is_struck_and_stays(played: Played) -> None:
    check(played, 10)
    played.act("Ada", "undo")
    undone, rewound = played.cards("Cy")[-2:]
    assert undone.abandoned
    assert "undone" in drawn(undone)
    assert rewound.rewinds


def test_what_was_undone_names_nobody_by_an_id(played: Played) -> None:
    """The ghoul, whose entrance is undone too, is somebody whom nobody has met."""
    played.act("Ada", "make_npc", name="Ghoul")
    ghoul = played.who("Ghoul")
    played.act("Bo", "attack", 10, 3, who=played.who("Oda Kestrel"), target=ghoul, rerolls="never")

    def undone() -> Card:
        played.act("Ada", "undo")
        return next(one for one in played.cards("Bo") if one.kind is Kind.ROLL)

    assert undone().title == "Oda Kestrel attacks Ghoul"
    assert (card := undone()).title == "Oda Kestrel attacks someone"
    assert ghoul not in drawn(card)


def test_what_was_undone_says_so_where_it_is_folded_away(played: Played) -> None:
    played.act("Ada", "award_inspiration", who=played.who("Oda Kestrel"))
    assert not played.cards("Cy")[-1].brief.endswith("(undone)")
    played.act("Ada", "undo")
    assert played.cards("Cy")[-2].brief.endswith("(undone)")


def test_a_roll_with_a_decision_is_one_card_when_it_is_told_and_none_of_the_log_before(played: Played) -> None:
    played.act("Ada", "award_inspiration", who=played.who("Oda Kestrel"))
    before = [card.id for card in played.cards("Cy")]
    check(played, 5)
    assert [card.id for card in played.cards("Cy")] == before
    (waiting,) = played.waits("Cy").cards
    assert [die.face for throw in waiting.throws for die in throw.dice] == [5]
    played.act("Di", "say", words="Careful.")
    played.act("Bo", "answer", act=waiting.key, answer="keep")
    told = played.card("Cy")
    assert (told.id, told.outcome) == (waiting.id, "bad failure")
    assert told.lines[0] == "Oda Kestrel answers “Keep it”"
    assert [card.id for card in played.cards("Cy")].count(told.id) == 1


def test_a_roll_that_was_asked_for_keeps_its_card_from_the_request_to_its_end(played: Played) -> None:
    who = played.who("Oda Kestrel")
    played.act("Ada", "award_inspiration", who=who)
    asked = played.act("Ada", "request_roll", who=who, command="check", difficulty=16, what_for="past the dogs")
    request = asked.events[0].fields["request"]["id"]
    seen = [card.id for card in played.waits("Di").cards]
    played.act("Di", "say", words="Careful.")
    check(played, 5, dc=None, request=request)
    seen += [card.id for card in played.waits("Di").cards]
    played.act("Bo", "answer", act=played.decisions("Bo")[0].act, answer="keep")
    seen += [played.card("Di").id]
    assert seen == [f"card-{request}"] * 3
    assert not played.waits("Di").cards
    assert "asked by Ada" in played.card("Di").notes


def test_a_reroll_lies_beside_the_die_that_it_replaces_on_one_card(played: Played) -> None:
    played.act("Ada", "award_inspiration", who=played.who("Oda Kestrel"))
    check(played, 5)
    played.act("Ada", "answer", 16, act=played.decisions("Cy")[0].act, answer="inspiration")
    card = played.card("Cy")
    assert card.outcome == "strong success"
    assert [die.face for die in card.dice] == [5, 16]
    assert "Oda Kestrel answers “Roll again: Inspiration” (decided for Bo)" in card.lines


# ---------------------------------------------------------------- talk and story


def test_a_whisper_looks_private_and_reaches_nobody_else(played: Played) -> None:
    played.act("Cy", "whisper", to=[played.seats["Bo"]], words="She lies.")
    assert "whispers to Bo alone" in drawn(played.card("Bo"))
    for other in ("Ada", "Di"):
        assert all("She lies" not in drawn(card) for card in played.cards(other))


def test_what_people_say_stays_text(played: Played) -> None:
    played.act("Cy", "say", words="<script>alert(1)</script> **loud** <hx-partial hx-target='#log'>")
    text = drawn(played.card("Bo"))
    assert "<script" not in text
    assert "<hx-partial" not in text
    assert "**loud**" in text


def test_a_scene_opens_with_its_words_and_its_ways_on(played: Played) -> None:
    options = [{"words": "Climb"}, {"words": "Ring it", "way": "risky"}, {"words": "Cut it", "way": "hidden"}]
    written = played.act("Ada", "write_scene", title="The bell", hook="It **hums**.", options=options)
    played.act("Ada", "begin_scene", scene=written.events[0].fields["scene"])
    card = played.card("Bo")
    assert card.told is not None
    assert card.told.options == (("Climb", False), ("Ring it", True))
    assert "<strong>hums</strong>" in drawn(card)
    assert card.kind is Kind.STORY


def test_who_asked_for_a_line_is_on_no_card(played: Played) -> None:
    played.act("Cy", "agree_boundary", words="spiders")
    card = played.card("Ada")
    assert (card.kind, card.by, card.seat) == (Kind.SAFETY, "", "")


# ---------------------------------------------------------------- the teller's words


def told(played: Played, seat: str) -> list[tuple[str, ...]]:
    """What is told on each of the newest cards, and on which of them."""
    return [(card.kind.value, *(card.told.passages if card.told else ())) for card in played.cards(seat)]


def test_what_is_told_after_a_roll_stands_on_its_card_for_all(played: Played) -> None:
    check(played, 10)
    played.act("Ada", "start_clock", name="The tide", size=4)
    played.act("Ada", "narrate", words="Not a board creaks.")
    played.act("Ada", "narrate", words="Outside, it has begun to rain.")
    for seat in ("Ada", "Bo", "Di"):
        assert told(played, seat)[-3:] == [
            ("roll", "Not a board creaks."),
            ("table",),
            ("story", "Outside, it has begun to rain."),
        ]
    assert 'class="teller"' in drawn(played.cards("Bo")[-3])


def test_a_card_that_is_told_of_alone_is_the_same_as_with_all_the_others(played: Played) -> None:
    """A live page hears of the words alone, and of a roll's reveal."""
    who = played.who("Oda Kestrel")
    asked = played.act("Ada", "request_roll", who=who, command="check", difficulty=16, hidden=True)
    check(played, 14, dc=None, request=asked.events[0].fields["request"]["id"])
    rolled = played.card("Ada").act
    before = played.context.host.latest(played.table, played.seats["Bo"]).cursor
    played.act("Ada", "narrate", words="Not a board creaks.")

    def live() -> list[Card]:
        page = played.context.host.follow(played.table, played.seats["Bo"], before)
        return cards_of(played.at("Bo"), page.events[-1:])

    assert live() == [played.card("Bo")]
    assert live()[0].outcome
    for number in range(70):
        played.act("Cy", "say", words=f"{number}")
    played.act("Ada", "reveal", act=rolled)
    (turned,) = live()
    assert turned.revealed
    assert turned.told
    assert turned.told.passages == ("Not a board creaks.",)


def test_words_tell_of_no_roll_that_is_hidden_undone_or_not_over(played: Played) -> None:
    check(played, 10)
    played.act("Bo", "say", words="Did they hear that?")
    played.act("Ada", "narrate", words="Nobody stirs.")
    assert told(played, "Cy")[-1] == ("story", "Nobody stirs.")
    fields = {"who": played.who("Oda Kestrel"), "skill": "stealth", "dc": 13}
    played.act("Ada", "check", 3, sight=Sight.HIDDEN, **fields)
    played.act("Ada", "narrate", words="A dog barks.")
    for seat in ("Ada", "Cy"):
        assert told(played, seat)[-1] == ("story", "A dog barks.")
    check(played, 11)
    played.act("Ada", "narrate", words="It opens.")
    played.act("Ada", "undo")
    played.act("Ada", "narrate", words="It stays shut.")
    passages = [words for _, *words in told(played, "Cy") if words]
    assert passages[-1] == ["It stays shut."]


def test_words_in_the_middle_of_a_roll_for_all_are_not_its_end(played: Played) -> None:
    played.act("Cy", "make_hero", **{**ODA, "name": "Ib"})
    heroes = [played.who("Oda Kestrel"), played.who("Ib")]
    asked = [
        one.fields["request"]["id"]
        for one in played.act(
            "Ada", "request_roll", who=heroes[0], also=heroes[1:], command="check", difficulty=12
        ).events
    ]
    played.act("Bo", "check", 15, who=heroes[0], skill="stealth", request=asked[0])
    played.act("Ada", "narrate", words="One is across.")
    played.act("Cy", "check", 15, who=heroes[1], skill="stealth", request=asked[1])
    assert [words for _, *words in told(played, "Di") if words] == [["One is across."]]
    assert played.card("Di").told is None


# ---------------------------------------------------------------- taken along


def test_a_roll_is_one_entry_of_the_exported_log_from_its_request_to_what_was_told(played: Played) -> None:
    who = played.who("Oda Kestrel")
    asked = played.act("Ada", "request_roll", who=who, command="check", difficulty=12, what_for="past *the* dogs")
    check(played, 14, dc=None, points=2, request=asked.events[0].fields["request"]["id"])
    played.act("Ada", "narrate", words="Not a <b>board</b> creaks.")
    played.act("Ada", "check", 3, sight=Sight.HIDDEN, who=who, skill="stealth", dc=13)
    text = as_markdown(played.at("Cy"))
    entry = re.search(r"\n\*\*Oda Kestrel rolls stealth\*\* .*?(?=\n\*\*)", text, re.DOTALL)
    assert entry
    told = [line.removeprefix("> ") for line in entry[0].splitlines() if line.startswith("> ")]
    assert r"past \*the\* dogs" in entry[0]
    assert told.index("d20: 14") < told.index("Oda Kestrel: DEX 18 → 16")
    assert any(line.startswith("**") for line in told)
    assert told[-1] == r"Not a \<b\>board\</b\> creaks."
    assert text.count("creaks") == text.count("Oda Kestrel rolls") == 1
    assert "**Behind the screen**" in text
