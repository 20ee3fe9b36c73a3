"""Scenes: a graph that is written, entered and left, and what players see of it."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.table.chapters.scenes import present_scene
from astragal.table.refusals import Refusal
from tests.table.canaries import assert_unknown, reaches
from tests.table.seated import Seated

CANARY = "the-bridge-is-sawn-through"


def option(words: str, way: str = "open", leads_to: str | None = None) -> dict[str, Any]:
    return {"words": words, "way": way, "leads_to": leads_to}


def write(seated: Seated, title: str, **fields: Any) -> str:
    return str(seated.act("Ada", "write_scene", title=title, **fields).events[0].fields["scene"])


def cliff(seated: Seated, leads_to: str | None = None) -> str:
    """A scene whose hidden option was written between two that are shown."""
    options = [option("go back"), option(CANARY, "hidden"), option("jump", "risky", leads_to)]
    return write(seated, "The cliff", hook="The path ends.", options=options)


def shown_options(seated: Seated, seat: str) -> list[tuple[int, str]]:
    scene = present_scene(seated.look(seat))
    assert scene is not None
    return [(one.number, one.words) for one in scene.options]


# ---------------------------------------------------------------- writing


def test_a_draft_is_the_game_masters_until_the_story_comes_there(seated: Seated) -> None:
    before = seated.host.follow(seated.table, seated.seats["Bo"])
    scene = write(seated, CANARY, hook=CANARY, options=[option(CANARY), option(CANARY, "risky")])
    assert CANARY in reaches(seated, "Ada")
    assert seated.host.follow(seated.table, seated.seats["Bo"]) == before
    assert_unknown(seated, ("Bo", "Cy", "Di"), CANARY, scene)
    seated.act("Ada", "go_on")
    seated.act("Ada", "begin_scene", scene=scene)
    assert CANARY in reaches(seated, "Di")


@pytest.mark.parametrize("count", [1, 5])
def test_a_scene_has_two_to_four_options(seated: Seated, count: int) -> None:
    with pytest.raises(Refusal, match=f"this has {count}"):
        write(seated, "Odd", options=[option("go on")] * count)


def test_an_ending_has_no_options(seated: Seated) -> None:
    ending = write(seated, "The end")
    assert seated.look("Ada").scenes[ending].options == ()


def test_a_scene_with_nothing_but_hidden_options_is_refused(seated: Seated) -> None:
    hidden = [option("one", "hidden"), option("two", "hidden")]
    assert seated.refused("Ada", "write_scene", title="Odd", options=hidden) == "options"


def test_an_option_leads_to_a_scene_that_is_there(seated: Seated) -> None:
    options = [option("one", leads_to="nowhere"), option("two")]
    assert seated.refused("Ada", "write_scene", title="Odd", options=options) == "no_such_thing"


@pytest.mark.parametrize(("words", "warned"), [(199, True), (200, False), (500, False), (501, True)])
def test_a_length_outside_200_to_500_words_is_reported_and_not_refused(
    seated: Seated, words: int, warned: bool
) -> None:
    parts = {"hook": "word " * 100, "action": "word " * 50, "consequence": "word " * (words - 150)}
    written = seated.act("Ada", "write_scene", title="The cliff", **parts).events[0]
    assert written.fields["length"] == words
    assert (f"it has {words} words" in written.words) is warned


def test_options_without_any_peril_are_reported_and_not_refused(seated: Seated) -> None:
    safe = seated.act("Ada", "write_scene", title="Safe", options=[option("one"), option("two")]).events[0]
    assert "none of its options is risky or hidden" in safe.words
    tense = seated.act("Ada", "write_scene", title="Tense", options=[option("one"), option("two", "risky")]).events[0]
    assert "none of its options" not in tense.words


def test_a_scene_written_anew_keeps_its_place(seated: Seated) -> None:
    scene = cliff(seated)
    seated.act("Ada", "begin_scene", scene=scene)
    seated.act("Ada", "write_scene", scene=scene, title="The high cliff", options=[option("a"), option("b", "hidden")])
    state = seated.look("Bo")
    assert present_scene(state) == state.scenes[scene]
    assert state.scenes[scene].title == "The high cliff"
    assert shown_options(seated, "Bo") == [(1, "a")]
    assert seated.words("Bo")[-2:] == ["“The high cliff” is written", "1. a"]
    assert seated.refused("Ada", "write_scene", scene="none", title="x") == "no_such_thing"


def test_only_drafts_are_thrown_away(seated: Seated) -> None:
    ending = write(seated, CANARY)
    scene = cliff(seated, ending)
    seated.act("Ada", "discard_scene", scene=ending)
    assert ending not in seated.look("Ada").scenes
    assert CANARY not in reaches(seated, "Bo")
    seated.act("Ada", "begin_scene", scene=scene)
    assert seated.refused("Ada", "discard_scene", scene=scene) == "told"
    assert seated.refused("Ada", "discard_scene", scene=ending) == "no_such_thing"
    seated.act("Ada", "take_option", number=2)
    assert present_scene(seated.look("Ada")) is None


# ---------------------------------------------------------------- playing


def test_numbers_shown_have_no_gaps_and_are_the_game_masters_too(seated: Seated) -> None:
    seated.act("Ada", "begin_scene", scene=cliff(seated))
    assert shown_options(seated, "Bo") == [(1, "go back"), (2, "jump")]
    assert shown_options(seated, "Ada") == [(1, "go back"), (2, "jump"), (3, CANARY)]


def test_a_hidden_option_never_reaches_a_player(seated: Seated) -> None:
    scene = cliff(seated)
    seated.act("Ada", "begin_scene", scene=scene)
    seated.act("Ada", "write_scene", scene=scene, title="The cliff", options=[option("a"), option(CANARY, "hidden")])
    assert CANARY in reaches(seated, "Ada")
    for seat in ("Bo", "Cy", "Di"):
        assert CANARY not in reaches(seated, seat)
        assert "perils" not in reaches(seated, seat)
    seated.act("Ada", "take_option", number=2)
    for seat in ("Bo", "Cy", "Di"):
        assert CANARY not in reaches(seated, seat)
    assert seated.words("Bo")[-1] == "“The cliff” ends"


def test_where_an_option_leads_is_the_game_masters_to_know(seated: Seated) -> None:
    ending = write(seated, "The sea")
    seated.act("Ada", "begin_scene", scene=cliff(seated, ending))
    assert ending in reaches(seated, "Ada")
    assert_unknown(seated, ("Bo", "Di"), "The sea", ending)


def test_an_opened_option_takes_the_next_number_for_good(seated: Seated) -> None:
    options = [option("a"), option("b", "hidden"), option("c", "hidden"), option("d", "risky")]
    scene = write(seated, "The cliff", options=options)
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.act("Ada", "begin_scene", scene=scene)
    assert shown_options(seated, "Ada") == [(1, "a"), (2, "d"), (3, "b"), (4, "c")]
    seated.act("Ada", "open_option", number=4, risky=True)
    assert shown_options(seated, "Bo") == [(1, "a"), (2, "d"), (3, "c")]
    assert shown_options(seated, "Ada") == [(1, "a"), (2, "d"), (3, "c"), (4, "b")]
    assert seated.words("Bo")[-1] == "another way: 3. c (risky)"
    assert seated.refused("Ada", "open_option", number=3) == "no_change"
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert scene not in seated.look("Bo").scenes
    seated.act("Ada", "begin_scene", scene=scene)
    assert shown_options(seated, "Bo") == [(1, "a"), (2, "d"), (3, "c")]


def test_an_option_leads_on_to_its_scene(seated: Seated) -> None:
    sea = write(seated, "The sea", hook="Cold.", action="You swim.", consequence="A sail!")
    seated.act("Ada", "begin_scene", scene=cliff(seated, sea))
    taken = seated.act("Ada", "take_option", number=2)
    assert [event.name for event in taken.events] == ["option_taken", "scene_ended", "scene_began"]
    assert seated.words("Bo")[-3:] == [
        "taken: 2. jump (risky)",
        "“The cliff” ends",
        "“The sea” begins\n\nCold.\n\nYou swim.\n\nA sail!",
    ]
    assert seated.refused("Ada", "take_option", number=1) == "no_such_thing"


def test_an_option_that_is_not_written_ends_the_scene(seated: Seated) -> None:
    seated.act("Ada", "begin_scene", scene=cliff(seated))
    seated.act("Ada", "take_option", number=1)
    assert present_scene(seated.look("Ada")) is None
    assert seated.refused("Ada", "take_option", number=1) == "not_begun"
    assert seated.refused("Ada", "end_scene") == "not_begun"


def test_beginning_a_scene_ends_the_one_before(seated: Seated) -> None:
    scene = cliff(seated)
    seated.act("Ada", "improvise_scene", title="Camp", hook="A fire.")
    began = seated.act("Ada", "begin_scene", scene=scene)
    assert [event.name for event in began.events][:2] == ["scene_ended", "scene_began"]
    assert seated.refused("Ada", "begin_scene", scene=scene) == "no_change"
    assert seated.refused("Ada", "begin_scene", scene="none") == "no_such_thing"


def test_coming_to_a_save_node_marks_it(seated: Seated) -> None:
    scene = write(seated, "The shrine", save_node=True)
    began = seated.act("Ada", "begin_scene", scene=scene)
    node = next(str(event.fields["node"]) for event in began.events if event.name == "save_node_marked")
    assert seated.look("Bo").nodes == {node: "The shrine"}
    seated.act("Ada", "improvise_scene", title="The trap")
    seated.act("Ada", "rewind", node=node, price="nerve")
    present = present_scene(seated.look("Bo"))
    assert present is not None
    assert present.title == "The shrine"


def test_what_is_written_outlasts_a_rewind_and_what_was_played_does_not(seated: Seated) -> None:
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    scene = cliff(seated)
    seated.act("Ada", "begin_scene", scene=scene)
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert not seated.look("Ada").scenes[scene].entered
    assert len(seated.look("Ada").scenes[scene].options) == 3
    assert scene not in seated.look("Bo").scenes
    assert present_scene(seated.look("Bo")) is None
