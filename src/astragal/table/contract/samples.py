"""Commands and events to try, made up from what their own definitions say."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from astragal.table.declarations import Viewer, is_value, parts_of
from astragal.table.fields import shapes
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.lookup import things_of
from astragal.table.registry import Book
from astragal.table.state.table import State
from astragal.table.visibility.redact import plain

A_WORD = "a word"
NO_ID = "0" * 16
"""What the id of a thing looks like that is not there."""
MOST_WORDS = 12


def commands_to_try(book: Book, kind: type, state: State, viewer: Viewer, most: int = 24) -> Iterator[dict[str, Any]]:
    """Plain fields of a command, as one who sits there could give them: the least first, then many combinations."""
    known = _Known(book, state, viewer)
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
    return kind(**{field.name: _valued(field.shape, word, turn) for field in fields_of(kind)})


def _valued(shape: shapes.Shape, word: str, turn: int) -> Any:
    match shape:
        case shapes.NumberShape():
            return _numbers(shape)[turn]
        case shapes.TextShape():
            return word
        case shapes.FlagShape():
            return bool(turn)
        case shapes.ChoiceShape(values=values, enum=enum):
            value = values[turn % len(values)]
            return value if enum is None else enum(value)
        case shapes.EitherShape(shapes=ways, optional=optional):
            ways = (*ways, *([shapes.NothingShape()] if optional else []))
            return _valued(ways[turn % len(ways)], word, turn)
        case shapes.ListShape(item=item, least=least):
            return (_valued(item, word, turn),) * (max(least, 1) if turn else least)
        case shapes.MappingShape(key=key, item=item):
            return {_valued(key, word, turn): _valued(item, word, turn)} if turn else {}
        case shapes.RecordShape(kind=kind):
            return _made(kind, word, turn)
        case _:
            return None


def _numbers(shape: shapes.NumberShape) -> list[int]:
    """The ends and the middle."""
    least = 0 if shape.least is None else shape.least
    most = least + 3 if shape.most is None else shape.most
    return [least, most, (least + most) // 2]


class _Known:
    """Names that a seat could use: characters, things by their ids, words on sheets."""

    def __init__(self, book: Book, state: State, viewer: Viewer) -> None:
        self._kinds, self._state = book.kinds, state
        self._people = sorted(state.characters, key=lambda who: who not in viewer.characters)
        sheets = [state.characters[who].sheet for who in self._people]
        self._words = list(dict.fromkeys([A_WORD, *_words_in((sheets, state.game, state.options))]))[:MOST_WORDS]

    def values(self, field: Field) -> list[Any]:
        by_id = field.names and not isinstance(field.shape, shapes.NumberShape)
        if not by_id:
            found = self._plain(field.shape)
        elif field.names == "character":
            found = list(self._people)
        else:
            found = list(things_of(self._kinds, self._state, field.names or "") or ())
        if field.names and isinstance(field.shape, shapes.ListShape):
            found = [[one] for one in found] + [found]
        if field.required:
            return found or [NO_ID if by_id else A_WORD]
        return [field.default, *found]

    def _plain(self, shape: shapes.Shape) -> list[Any]:
        match shape:
            case shapes.NumberShape():
                return _numbers(shape)
            case shapes.TextShape(least=least):
                return [word for word in self._words if len(word) >= least] or ["0" * least]
            case shapes.FlagShape():
                return [False, True]
            case shapes.ChoiceShape(values=values):
                return list(values)
            case shapes.EitherShape(shapes=ways, optional=optional):
                return [value for one in ways for value in self._plain(one)] + [None] * optional
            case shapes.ListShape(item=item, least=least):
                return [*([] if least else [[]]), *([one] * max(least, 1) for one in self._plain(item))]
            case shapes.MappingShape(item=item):
                return [{}, *({word: one} for word in self._words for one in self._plain(item)[-1:])]
            case shapes.RecordShape(kind=kind):
                return [{one.name: self._plain(one.shape)[0] for one in fields_of(kind)}]
            case _:
                return [None]


def _words_in(value: Any) -> Iterator[str]:
    """Keys, and names of things: what commands of the game are likely to name."""
    if isinstance(value, Mapping):
        yield from (key for key in map(plain, value) if isinstance(key, str))
        yield from (word for part in value.values() for word in _words_in(part))
    elif isinstance(value, (tuple, list)):
        yield from (word for part in value for word in ([part] if isinstance(part, str) else _words_in(part)))
    elif is_value(type(value)):
        for name, part in parts_of(value).items():
            yield from [part] if name == "name" and isinstance(part, str) else _words_in(part)
