"""Commands and events to try, made up from what their own definitions say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le, MinLen

from astragal.table.fields import Field, fields_of, unwrapped
from astragal.table.seats import Viewer
from astragal.table.seen import plain
from astragal.table.state import State
from astragal.table.things_of_a_kind import things_of

A_WORD = "a word"
MOST_WORDS = 12


def commands_to_try(kind: type, state: State, viewer: Viewer, most: int = 24) -> Iterator[dict[str, Any]]:
    """Plain fields of a command, as one who sits there could give them: the least first, then many combinations."""
    known = _Known(state, viewer)
    values = {field.name: known.values(field) for field in fields_of(kind)}
    required = [field.name for field in fields_of(kind) if field.required]
    tried: set[str] = set()
    for chosen in _combinations(values, required):
        if len(tried) < most and repr(chosen) not in tried:
            tried.add(repr(chosen))
            yield chosen


def _combinations(values: Mapping[str, list[Any]], required: list[str]) -> Iterator[dict[str, Any]]:
    """Each value in turn, in step and out of step with the others."""
    turns = range(max(map(len, values.values()), default=1))
    for names in (required, list(values)):
        for stagger in (0, 1, 2):
            for turn in turns:
                yield {
                    name: values[name][(turn * (1 + stagger * place) + place * stagger) % len(values[name])]
                    for place, name in enumerate(names)
                }


def events_to_try(kind: type, state: State) -> Iterator[Any]:
    """Events as their fields allow them: about somebody who is there, and about nobody and nothing."""
    who = next(iter(state.characters), A_WORD)
    for word in (who, A_WORD):
        for turn in (0, 1):
            with suppress(ValueError):  # a value may know better than its fields which of them go together
                yield _made(kind, word, turn)


def _made(kind: type, word: str, turn: int) -> Any:
    given = {field.name: _valued(field.type, field.marks, word, turn) for field in fields_of(kind)}
    return kind(**{one.name: given[one.name] for one in fields(kind) if one.init})


def _valued(hint: Any, marks: tuple[Any, ...], word: str, turn: int) -> Any:
    hint, own = unwrapped(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if hint is int:
        return _numbers((*own, *marks))[turn]
    if hint is str:
        return word
    if origin is Literal:
        return inner[turn % len(inner)]
    if origin in (Union, UnionType):
        return _valued(inner[turn % len(inner)], marks, word, turn)
    if origin is tuple:
        return tuple(_valued(part, (), word, turn) for part in inner if part is not Ellipsis) if turn else ()
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {_valued(inner[0], (), word, turn): _valued(inner[1], (), word, turn)} if turn else {}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return list(hint)[turn % len(hint)]
    if is_dataclass(hint):
        return _made(hint, word, turn)  # type: ignore[arg-type]
    return bool(turn) if hint is bool else None


def _numbers(marks: tuple[Any, ...]) -> list[int]:
    """The ends and the middle."""
    least: Any = next((mark.ge for mark in marks if isinstance(mark, Ge)), 0)
    most: Any = next((mark.le for mark in marks if isinstance(mark, Le)), least + 3)
    return [least, most, (least + most) // 2]


class _Known:
    """What a seat could name: those who are there, things by their ids, words that stand on sheets."""

    def __init__(self, state: State, viewer: Viewer) -> None:
        self._state = state
        self._people = sorted(state.characters, key=lambda who: who not in viewer.characters)
        sheets = [state.characters[who].sheet for who in self._people]
        self._words = list(dict.fromkeys([A_WORD, *_words_in((sheets, state.game, state.options))]))[:MOST_WORDS]

    def values(self, field: Field) -> list[Any]:
        found = self._things(field.names) if field.names else self._plain(field.type, field.marks)
        if field.names and get_origin(field.type) is tuple:
            found = [[one] for one in found] + [found]
        if field.required:
            return found or [A_WORD]
        return [field.default, *found]

    def _things(self, kind: str) -> list[Any]:
        if kind == "character":
            return list(self._people)
        return list(things_of(self._state, kind) or ())

    def _plain(self, hint: Any, marks: tuple[Any, ...] = ()) -> list[Any]:
        hint, own = unwrapped(hint)
        marks, origin, inner = (*marks, *own), get_origin(hint), get_args(hint)
        if hint is int:
            return _numbers(marks)
        if hint is str:
            least = next((mark.min_length for mark in marks if isinstance(mark, MinLen)), 0)
            return [word for word in self._words if len(word) >= least] or ["0" * least]
        if origin is Literal:
            return list(inner)
        if origin in (Union, UnionType):
            return [value for part in inner for value in self._plain(part, marks)]
        if origin is tuple:
            return [[], *([one] for one in self._plain(inner[0]))]
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return [{}, *({word: one} for word in self._words for one in self._plain(inner[1])[-1:])]
        if isinstance(hint, type) and issubclass(hint, Enum):
            return [member.value for member in hint]
        if is_dataclass(hint):
            return [{one.name: self._plain(one.type, one.marks)[0] for one in fields_of(hint)}]  # type: ignore[arg-type]
        return [False, True] if hint is bool else [None]


def _words_in(value: Any) -> Iterator[str]:
    """Keys, and names of things: what commands of the game are likely to name."""
    if isinstance(value, Mapping):
        yield from (key for key in map(plain, value) if isinstance(key, str))
        yield from (word for part in value.values() for word in _words_in(part))
    elif isinstance(value, (tuple, list)):
        yield from (word for part in value for word in ([part] if isinstance(part, str) else _words_in(part)))
    elif is_dataclass(value):
        for one in fields(value):
            part = getattr(value, one.name)
            yield from [part] if one.name == "name" and isinstance(part, str) else _words_in(part)
