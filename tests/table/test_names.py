"""Names of things: shown so that they differ, found however people type them, and never where they are hidden."""

from __future__ import annotations

import pytest

from astragal.table.fields.lookup import Named, find, labels, matching
from astragal.table.refusals import BadFields, NoSuchThing, Refusal
from tests.table.seated import Seated


def refused(seated: Seated, seat: str, command: str, /, **fields: object) -> str:
    with pytest.raises(Refusal) as refusal:
        seated.act(seat, command, **fields)
    return refusal.value.sentence


def told(seated: Seated, command: str, /, **fields: object) -> str:
    return seated.act("Ada", command, **fields).events[-1].words


# ---------------------------------------------------------------- labels


def test_things_of_one_name_are_told_apart_by_their_owners(seated: Seated) -> None:
    state = seated.look("Ada")
    kira, lund = (who for who, one in state.characters.items() if one.name in ("Kira", "Lund"))
    wet = [Named("a", "Wet", kira), Named("b", "wet", lund), Named("c", "Fog")]
    assert labels(wet, state) == {"a": "Wet (Kira)", "b": "wet (Lund)", "c": "Fog"}


def test_where_owners_do_not_tell_them_apart_they_are_counted(seated: Seated) -> None:
    state = seated.look("Ada")
    assert labels([Named("a", "Bell"), Named("b", "bell")], state) == {"a": "Bell (1)", "b": "bell (2)"}
    assert labels([Named("a", "x" * 80)], state) == {"a": "x" * 59 + "…"}


THINGS = {"1": "The alarm", "2": "The storm", "3": "Storm-glass", "4": "C++", "5": "C"}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("the alarm", ["1"]),
        ("  THE ALARM ", ["1"]),
        ("alarm", ["1"]),
        ("al", ["1"]),
        ("storm glass", ["3"]),
        ("storm", ["3"]),
        ("the", ["1", "2"]),
        ("C++", ["4"]),
        ("c", ["5"]),
        ("3", ["3"]),
        ("", []),
        (" ", []),
        ("larm", []),
    ],
)
def test_the_closest_fit_is_found(said: str, found: list[str]) -> None:
    assert matching(THINGS, said) == found


def test_a_name_that_fits_nothing_is_refused_with_what_there_is_and_the_nearest() -> None:
    with pytest.raises(
        NoSuchThing, match=r"There is no clock 'the alrm' here: The alarm, The storm.* Did you mean The"
    ):
        find(THINGS, "the alrm", "clock")
    with pytest.raises(NoSuchThing, match=r"There is more than one clock 'the' here: The alarm, The storm\."):
        find(THINGS, "the", "clock")


# ---------------------------------------------------------------- in commands


def test_the_only_thing_need_not_be_named(seated: Seated) -> None:
    assert refused(seated, "Ada", "tick_clock") == "clock is missing."
    seated.act("Ada", "start_clock", name="The alarm")
    assert told(seated, "tick_clock") == "The alarm: 0 → 1 of 6"
    seated.act("Ada", "start_clock", name="The storm")
    with pytest.raises(BadFields):
        seated.act("Ada", "tick_clock")
    assert told(seated, "tick_clock", clock="storm") == "The storm: 0 → 1 of 6"


def test_of_several_prompts_the_one_that_waits_for_the_seat_is_meant(seated: Seated) -> None:
    for who in ("Bo", "Lund"):
        seated.act("Ada", "put_prompt", to=who, words="What do you fear?")
    assert seated.act("Bo", "answer_prompt", words="The dark").events[-1].words == "Bo: The dark"


def test_save_nodes_scenes_options_and_conditions_go_by_name(seated: Seated) -> None:
    ways = [{"words": "Knock"}, {"words": "Climb over", "way": "risky"}]
    seated.act("Ada", "write_scene", title="The Hall")
    seated.act("Ada", "write_scene", title="The Gate", options=[{**ways[0], "leads_to": "the hall"}, ways[1]])
    seated.act("Ada", "begin_scene", scene="gate")
    seated.act("Ada", "mark_save_node", label="Before the gate")
    seated.act("Ada", "begin_condition", name="Tired", who="Kira")
    seated.act("Ada", "begin_condition", name="Tired", who="Lund")
    assert "Tired (Kira), Tired (Lund)" in refused(seated, "Ada", "end_condition", condition="tired")
    assert told(seated, "end_condition", condition="tired lund").startswith("Lund: Tired is over")
    assert "“The Hall” begins" in [one.words for one in seated.act("Ada", "take_option", number="knock").events]
    rewound = seated.act("Ada", "rewind", node="before", price="nerve").events[0]
    assert rewound.words == "the story went back to “Before the gate” for 1 nerve"


@pytest.mark.parametrize("nonsense", [[], {}, 7, None, [7], "\x00", "x" * 100_000, {"a": []}])
@pytest.mark.parametrize(
    ("command", "field"),
    [("tick_clock", "clock"), ("request_roll", "command"), ("whisper", "to"), ("agree", "consent")],
)
def test_what_is_no_name_is_refused_in_a_sentence(seated: Seated, command: str, field: str, nonsense: object) -> None:
    given = {"who": "Kira", "words": "psst", "fields": {"danger": [1]}}
    kept = {name: value for name, value in given.items() if name in FIELDS[command]}
    assert len(refused(seated, "Ada", command, **kept, **{field: nonsense})) < 400


FIELDS = {"tick_clock": (), "request_roll": ("who", "fields"), "whisper": ("words",), "agree": ()}


# ---------------------------------------------------------------- what is hidden


def test_a_hidden_thing_is_refused_as_nonsense_is(seated: Seated) -> None:
    """By its name and by its id: neither tells a player that there is such a thing."""
    seated.act("Ada", "write_note", title="The traitor", audience="game master")
    seated.act("Ada", "write_note", title="The map")
    (hidden,) = (key for key, one in seated.look("Ada").notes.items() if one.title == "The traitor")
    asked = refused(seated, "Bo", "remove_note", note="The traitor")
    assert asked.replace("The traitor", "…") == refused(seated, "Bo", "remove_note", note="nonsense").replace(
        "nonsense", "…"
    )
    assert "traitor" not in asked.removeprefix("There is no note 'The traitor' here")
    assert refused(seated, "Bo", "remove_note", note=hidden) == refused(seated, "Bo", "remove_note", note="0" * 16)


def test_a_hidden_thing_takes_no_part_in_counting(seated: Seated) -> None:
    seated.act("Ada", "write_note", title="The map", audience="game master")
    seated.act("Ada", "write_note", title="The map")
    view, book = seated.look("Bo"), seated.host.books["dare"]
    assert list(labels(book.kinds["note"](view), view).values()) == ["The map"]
    assert list(labels(book.kinds["note"](seated.look("Ada")), view).values()) == ["The map (1)", "The map (2)"]
