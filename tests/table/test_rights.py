"""Who may give which command: every one there is, by role and by whose character it is about."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from annotated_types import Ge, MinLen

from astragal.storage import open_store
from astragal.table.declarations import kind_of_command
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.refusals import BadFields, Refusal
from astragal.table.registry import Book
from tests.table.dare import DARE
from tests.table.seated import LaidOnce, ScriptedDice, Seated, new_host

# G: the game master. O: a player for a character of their own. P: a player for anyone's, or where it is about no
# character. S: a spectator. Whoever is not named may not.
MAY = {
    # about seats
    "take_seat": "G",
    "leave_seat": "GOPS",
    "hand_over": "G",
    "rename_seat": "GOPS",
    "name_stand_in": "GOPS",
    "give_character": "G",
    # about commands
    "answer": "GOP",
    "withdraw": "G",
    "reveal": "G",
    "mark_save_node": "G",
    "rewind": "G",
    "undo": "G",
    "agree": "GOP",
    "decline": "GOP",
    "override": "G",
    # chains
    "promise_chain": "GOP",
    "declare_chain_lost": "GOP",
    "keep_sealed": "G",
    # safety
    "agree_boundary": "GOPS",
    "lift_boundary": "G",
    "stop_scene": "GOPS",
    "go_on": "GOP",
    # chat
    "say": "GOPS",
    "whisper": "GOP",
    "roll_dice": "GOP",
    "emote": "GO",
    "narrate": "G",
    # notes, prompts, requests
    "write_note": "GOP",
    "reveal_note": "GOP",
    "remove_note": "GOP",
    # pictures
    "set_scene_picture": "G",
    "set_portrait": "GO",
    "write_handout": "G",
    "show_handout": "G",
    "remove_handout": "G",
    "remove_picture": "GOP",
    # prompts, requests
    "put_prompt": "G",
    "answer_prompt": "GOP",
    "edit_answer": "G",
    "withdraw_prompt": "G",
    "request_roll": "G",
    "withdraw_request": "G",
    # scenes
    "write_scene": "G",
    "discard_scene": "G",
    "begin_scene": "G",
    "improvise_scene": "G",
    "end_scene": "G",
    "take_option": "G",
    "open_option": "G",
    # the calendar
    "begin_evening": "G",
    "end_evening": "G",
    "begin_encounter": "G",
    "end_encounter": "G",
    "rest": "G",
    "pass_day": "G",
    # fates, conditions and clocks
    "record_fate": "G",
    "begin_condition": "G",
    "end_condition": "G",
    "start_clock": "G",
    "tick_clock": "G",
    "untick_clock": "G",
    "show_clock": "G",
    "remove_clock": "G",
    "deal_move": "G",
    "ask_oracle": "G",
    "draw_twist": "G",
    "who_appears": "G",
    # the game of the tests
    "join": "GOP",
    "dare": "GO",
}

COMMANDS = Book.of(DARE).commands


def lay(folder: Path) -> Seated:
    dice = ScriptedDice([4] * 10)
    host = new_host(open_store(f"sqlite:///{folder}/tables.db"), dice, (DARE,))
    opened = host.open("dare", name="The Cliff", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    for name, role in (("Bo", "player"), ("Cy", "player"), ("Di", "spectator")):
        seated.sit(name, role)
    for seat, name in (("Bo", "Kira"), ("Cy", "Lund")):
        seated.act(seat, "join", name=name)
    return seated


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(lay)


def test_the_table_of_rights_names_every_command() -> None:
    assert set(MAY) == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_command_is_for_those_whom_the_table_names_and_nobody_else(seated: Seated, command: str) -> None:
    people = {one.name: who for who, one in seated.look("Ada").characters.items()}
    tries = (("S", "Di", "Lund"), ("P", "Bo", "Lund"), ("O", "Bo", "Kira"), ("G", "Ada", "Lund"))
    allowed = "".join(sign for sign, seat, who in tries if not is_forbidden(seated, seat, command, people[who]))
    assert set(allowed) == set(MAY[command])


def is_forbidden(seated: Seated, seat: str, command: str, who: str) -> bool:
    """Is the command refused for who gives it, whatever it says?"""
    sentence = ""
    try:
        known = {"character": who, "seat": seated.seats["Cy"], "portrait or picture": "portraits/diver"}
        seated.act(seat, command, **filled(COMMANDS[command], known))
    except BadFields:
        raise
    except Refusal as refusal:
        sentence = refusal.sentence
    title = kind_of_command(COMMANDS[command]).title
    return sentence.endswith(f" can {title[0].lower()}{title[1:]}.") or sentence == "That character is somebody else's."


def filled(command: type, people: Mapping[str, str]) -> dict[str, Any]:
    """A command as its own definition allows it, about these people."""
    return {one.name: value(one, people) for one in fields_of(command) if one.required or one.names == "character"}


def value(field: Field, people: Mapping[str, str]) -> Any:
    if field.names is not None:
        named = people.get(field.names, "nothing")
        return [named] if get_origin(field.type) is tuple else named
    if isinstance(field.type, type) and issubclass(field.type, Enum):
        return next(iter(field.type)).value
    if get_origin(field.type) is Literal:
        return get_args(field.type)[0]
    if field.type is int:
        return field.limit(Ge) or 0
    if type(None) in get_args(field.type):
        return None
    return "0" * (field.limit(MinLen) or 5) if field.type is str else ()
