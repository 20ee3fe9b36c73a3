"""Events and questions as a log keeps them: what is read is what was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from annotated_types import Ge, Le

from astragal.chance import Offer, Question, Rolls, d6, rule
from astragal.storage import open_store
from astragal.table.authoring.chapter import Action, Call, Chapter, Event
from astragal.table.commands.builtin import Happened
from astragal.table.declarations import Seen, Value, replace
from astragal.table.fields.definitions import Words
from astragal.table.log.codec import Codec
from astragal.table.registry import Book
from tests.table.dare import DARE, Dare, Dared
from tests.table.seated import ScriptedDice, Seated, new_host


@dataclass(frozen=True)
class Ropes:
    lengths: tuple[Annotated[int, Ge(0), Le(9)], ...] = ()


@rule
def climb(ropes: Ropes) -> Rolls[int]:
    """A d6 and the ropes; whoever climbs may let go."""
    face = yield from d6
    held = yield from Offer("who", "hold", (0, 1))
    return face + held * sum(ropes.lengths)


def _gather(_: Call, asked: Dare) -> Question[int]:
    return climb(Ropes((asked.danger, 2)))


def _tell(_: Call, asked: Dare, reached: int) -> list[Dared]:
    return [Dared(who=asked.who, spent=0, made_it=reached > 4)]


JOINING, _ = DARE.chapters[0].actions
CLIMBING = replace(
    DARE,
    chapters=(Chapter((JOINING, Action(Dare, _tell, gather=_gather)), DARE.chapters[0].event_specs),),
    rules=(climb,),
)


def test_a_question_is_kept_in_the_form_in_which_it_is_read() -> None:
    codec = Book.of(CLIMBING).codec
    question = climb(Ropes((3, 2)))
    assert codec.asked(question).arguments == ({"lengths": [3, 2]},)
    assert codec.question(codec.asked(question)) == question


def test_a_waiting_question_is_undisturbed_by_a_restart(tmp_path: Path) -> None:
    store, dice = open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice([3])
    host = new_host(store, dice, (CLIMBING,))
    opened = host.open("dare", name="The Cliff", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    seated.act("Ada", "join", name="Kira")
    waiting = seated.act("Ada", "dare", who="Kira")
    later = Seated(new_host(store, dice, (CLIMBING,)), opened.table, opened.seat, dice)
    later.act(opened.seat, "join", name="Lund")
    later.act(opened.seat, "answer", act=waiting.act, answer=1)


class Line(Value, seen=Seen.ALL):
    words: Words


LINES = Chapter(seen=Seen.ALL)


@LINES.event("lines_kept", says="lines")
class LinesKept(Event):
    first: Line | None
    several: tuple[Line, ...]
    named: Mapping[str, Line]


def test_words_inside_things_are_kept_beside_the_log() -> None:
    codec = Codec(LINES.event_specs, (), Value)
    line = Line(words="12 Elm Street")
    for kept in (
        LinesKept(first=line, several=(line, line), named={"one": line}),
        LinesKept(first=None, several=(), named={}),
    ):
        happened = Happened(1, 0, "seat", "act", kept)
        encoded = codec.encode(happened, lambda: b"salt")
        assert b"Elm Street" not in encoded.entry.data
        assert codec.decode(encoded.entry, {text.digest: text for text in encoded.texts}).event == kept
