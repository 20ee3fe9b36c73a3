"""Plain words at the prompt: understood where they can mean one thing, asked back where they can mean two."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from astragal.storage import open_store
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.play.plain_words import split
from astragal.surfaces.cli.play.prompt import completions
from astragal.surfaces.cli.play.readings import understood
from astragal.surfaces.shared.context import AppContext, SeatView
from astragal.table.log.store import Store
from tests.surfaces.cli.daring import DARING
from tests.table.seated import ScriptedDice, Seated, new_host


@dataclass
class AtTheCliff(Seated):
    store: Store = field(kw_only=True)


@pytest.fixture
def seated(tmp_path: Path) -> AtTheCliff:
    store = open_store(str(tmp_path / "tables.db"))
    host = new_host(store, ScriptedDice(), (DARING,))
    opened = host.open("dare", name="The Cliff", game_master="Ada")
    seated = AtTheCliff(host, opened.table, opened.seat, ScriptedDice(), {"Ada": opened.seat}, store=store)
    seated.sit("Bo")
    seated.sit("Cy")
    seated.act("Bo", "join", name="Kira")
    seated.act("Cy", "join", name="Old Lund")
    seated.act("Ada", "start_clock", name="The tide", size=6)
    return seated


def meant(seated: AtTheCliff, seat: str, line: str) -> tuple[str, dict[str, Any]]:
    """The command with people and things by their names."""
    view = SeatView(AppContext(seated.host, seated.store), seated.table, seated.seats[seat])
    state = seated.look(seat)
    names = {key: one.name for things in (state.characters, state.seats, state.clocks) for key, one in things.items()}
    reading = understood(view, line)
    return reading.command, {key: _named(value, names) for key, value in reading.fields.items()}


def _named(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_named(one, names) for one in value]
    return names.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize(
    ("seat", "line", "command", "fields"),
    [
        ("Bo", "dare", "dare", {"who": "Kira"}),
        ("Bo", "dare danger 5", "dare", {"who": "Kira", "danger": 5}),
        ("Bo", "dare 5", "dare", {"who": "Kira", "danger": 5}),
        ("Bo", "dare the danger", "dare", {"who": "Kira", "danger": 5}),
        ("Bo", "dare danger=7", "dare", {"who": "Kira", "danger": 7}),
        ("Ada", "dare old lund with 3", "dare", {"who": "Old Lund", "danger": 3}),
        ("Ada", 'dare "Old Lund"', "dare", {"who": "Old Lund"}),
        ("Ada", "rest short", "rest", {"kind": "short"}),
        ("Ada", "tick clock the tide 2", "tick_clock", {"clock": "The tide", "ticks": 2}),
        ("Ada", "begin evening", "begin_evening", {}),
        ("Ada", "start Dawn size 4", "start_clock", {"name": "Dawn", "size": 4}),
        ("Ada", "dice 2d6", "roll_dice", {"notation": "2d6", "label": ""}),
        ("Bo", "2d6+3 # the door", "roll_dice", {"notation": "2d6+3", "label": "the door"}),
        ("Ada", "take seat Eve as spectator", "take_seat", {"role": "spectator", "name": "Eve"}),
        ("Ada", "give character Kira to Cy", "give_character", {"character": "Kira", "seat": "Cy"}),
        ("Bo", 'say Who goes there, "friend"?', "say", {"words": 'Who goes there, "friend"?'}),
        ("Bo", "whisper Cy not a word", "whisper", {"to": ["Cy"], "words": "not a word"}),
        ("Bo", "whisper Cy and Ada now", "whisper", {"to": ["Cy", "Ada"], "words": "now"}),
        ("Bo", "whisper to Cy: watch Kira and Ada", "whisper", {"to": ["Cy"], "words": "watch Kira and Ada"}),
        ("Bo", "whisper to Cy watch Kira and Ada", "whisper", {"to": ["Cy"], "words": "watch Kira and Ada"}),
        ("Bo", "join Mara fear=deep water", "join", {"name": "Mara water", "fear": "deep"}),
        ("Bo", 'join Mara fear="deep water"', "join", {"name": "Mara", "fear": "deep water"}),
    ],
)
def test_plain_words_become_a_command(
    seated: AtTheCliff, seat: str, line: str, command: str, fields: dict[str, object]
) -> None:
    assert meant(seated, seat, line) == (command, fields)


@pytest.mark.parametrize(
    ("seat", "line", "sentence"),
    [
        ("Bo", "dare kira kira", "more people than the command takes"),
        ("Bo", "dar kira kira", "I don't know 'dar' here. Did you mean dare\\? \\? lists"),
        ("Bo", "dance", "I don't know 'dance' here"),
        ("Bo", "dore nobody", "I don't know 'dore' here. Did you mean dare\\? \\? lists"),
        ("Bo", "hand over Eve", "Only the game master can hand over."),
        (
            "Bo",
            "dare sideways",
            "I don't know what 'sideways' means here. Write field=value; the fields are who, danger",
        ),
        ("Ada", "dare nobody", "I don't know what 'nobody' means here. Write who=Kira, or \"Old Lund\"."),
        ("Bo", "join Mara fear", "fear needs a value"),
    ],
)
def test_what_is_not_plain_is_asked_back(seated: AtTheCliff, seat: str, line: str, sentence: str) -> None:
    with pytest.raises(BadCall, match=sentence):
        meant(seated, seat, line)


def test_double_quotes_keep_words_together_and_apostrophes_are_letters() -> None:
    assert split("""say don't "go there" x="a b" """) == ["say", "don't", "go there", "x=a b"]


def test_the_prompt_completes_commands_people_and_fields(seated: AtTheCliff) -> None:
    view = SeatView(AppContext(seated.host, seated.store), seated.table, seated.seats["Ada"])
    assert "dare" in completions(view, "")
    assert "take_seat" in completions(view, "ta")
    assert {"Kira", '"Old Lund"', "danger="} <= set(completions(view, "dare "))
    assert "Kira" in completions(view, "sheet ")
    assert "Kira" in completions(view, "odds dare K")
    assert "spectator" in completions(view, "take_seat Eve ")
