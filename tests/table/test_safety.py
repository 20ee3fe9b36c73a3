"""Safety: boundaries and stops that anyone may set, and nobody can trace."""

from __future__ import annotations

import msgspec
import pytest

from astragal.table.refusals import Refusal
from tests.table.canaries import reaches
from tests.table.seated import Seated


def boundaries(seated: Seated, seat: str = "Di") -> list[tuple[str, str]]:
    return [(one.kind.value, one.words) for one in seated.look(seat).safety.boundaries]


@pytest.mark.parametrize("seat", ["Ada", "Bo", "Di"])
def test_anyone_may_name_a_line_or_a_veil(seated: Seated, seat: str) -> None:
    seated.act(seat, "agree_boundary", words="spiders")
    seated.act(seat, "agree_boundary", words="torture", kind="veil")
    assert boundaries(seated) == [("line", "spiders"), ("veil", "torture")]
    assert seated.words("Cy")[-2:] == ["a line: spiders", "a veil: torture"]


@pytest.mark.parametrize("seat", ["Bo", "Di"])
def test_nobody_learns_who_named_a_boundary_or_stopped_the_scene(seated: Seated, seat: str) -> None:
    seen_before = {other: len(seated.words(other)) for other in seated.seats}
    own = [seated.act(seat, "agree_boundary", words="spiders"), seated.act(seat, "stop_scene")]
    ready = seated.act("Bo", "go_on")
    for other, seen in seen_before.items():
        later = seated.host.follow(seated.table, seated.seats[other]).events[seen:]
        assert [event.name for event in later] == ["boundary_agreed", "scene_stopped", "ready_to_go_on"]
        assert [event.by for event in later] == ["", "", ""]
        for one in seated.seats.values():
            assert one not in msgspec.json.encode(later).decode()
            assert one not in repr(seated.look(other).safety)
    for outcome in (*own, ready):
        assert seated.seats[seat] not in repr(outcome)


def test_a_boundary_outlasts_a_rewind(seated: Seated) -> None:
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.act("Bo", "agree_boundary", words="spiders")
    seated.act("Bo", "stop_scene")
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert boundaries(seated) == [("line", "spiders")]
    assert seated.look("Di").safety.stopped


def test_only_the_game_master_lifts_a_boundary(seated: Seated) -> None:
    boundary = str(seated.act("Bo", "agree_boundary", words="spiders").events[0].fields["boundary"])
    assert seated.refused("Bo", "lift_boundary", boundary=boundary) == "not_allowed"
    seated.act("Ada", "lift_boundary", boundary=boundary)
    assert boundaries(seated) == []
    assert seated.refused("Ada", "lift_boundary", boundary=boundary) == "no_such_thing"


@pytest.mark.parametrize("seat", ["Ada", "Bo", "Cy", "Di"])
def test_anyone_may_stop_the_scene_and_stop_it_again(seated: Seated, seat: str) -> None:
    seated.act(seat, "stop_scene")
    seated.act(seat, "stop_scene")
    assert seated.look("Di").safety.stopped


def test_a_stopped_scene_leads_nowhere_until_it_goes_on(seated: Seated) -> None:
    seated.act("Ada", "improvise_scene", title="The pit")
    seated.act("Bo", "stop_scene")
    with pytest.raises(Refusal, match="The scene is stopped"):
        seated.act("Ada", "improvise_scene", title="Deeper")
    seated.act("Ada", "end_scene")
    seated.act("Ada", "go_on")
    assert seated.refused("Ada", "improvise_scene", title="Deeper") == "done"


def test_the_game_master_goes_on_alone(seated: Seated) -> None:
    assert seated.refused("Ada", "go_on") == "not_stopped"
    seated.act("Bo", "stop_scene")
    resumed = seated.act("Ada", "go_on")
    assert resumed.events[0].words == "the scene goes on"
    assert not seated.look("Di").safety.stopped


def test_the_players_go_on_when_all_are_ready(seated: Seated) -> None:
    seated.act("Di", "stop_scene")
    seated.act("Bo", "go_on")
    assert seated.look("Di").safety.stopped
    assert seated.refused("Bo", "go_on") == "already_ready"
    assert seated.refused("Di", "go_on") == "not_allowed"
    seated.act("Cy", "go_on")
    assert not seated.look("Di").safety.stopped
    assert seated.words("Di")[-1] == "all are ready: the scene goes on"


def test_a_new_stop_forgets_who_was_ready(seated: Seated) -> None:
    seated.act("Di", "stop_scene")
    seated.act("Bo", "go_on")
    seated.act("Di", "stop_scene")
    seated.act("Cy", "go_on")
    assert seated.look("Di").safety.stopped


def test_who_is_ready_is_told_to_nobody(seated: Seated) -> None:
    seated.act("Di", "stop_scene")
    seated.act("Bo", "go_on")
    for seat in seated.seats:
        assert "ready=hidden" in reaches(seated, seat)


def test_boundaries_have_a_size_and_a_number(seated: Seated) -> None:
    assert seated.refused("Bo", "agree_boundary", words="x" * 201) == "bad_fields"
    assert seated.refused("Bo", "agree_boundary", words="") == "bad_fields"
