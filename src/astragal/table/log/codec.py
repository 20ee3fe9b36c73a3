"""Codec: events to bytes and back. Stored events have a stable name and version, never a class path."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

import msgspec

from astragal.chance import Fate, Question, Record, Rule
from astragal.chance import Rolled as RolledDie
from astragal.table.authoring.chapter import EventSpec
from astragal.table.commands.builtin import Happened, die_of
from astragal.table.declarations import Sight, convert, decoder, is_value, kind_of_event, with_parts
from astragal.table.fields.definitions import Field, UnknownShape, fields_of, once_for_each_type
from astragal.table.fields.shapes import RecordShape, innermost
from astragal.table.log.store import Entry, Text
from astragal.table.state.table import Asked, Die
from astragal.table.visibility.redact import plain

# `Any` in this file is an event of any type, or a value in one: what they hold is known to their types alone.

E = TypeVar("E")

TEXT_MARK = "\ue000"
"""Prefix of a digest that stands in for free text. Validation rejects text that contains it."""

DIGEST = 64

BLANKED = "…"
DAMAGED = "[this text was changed in the database]"


class UnknownEvent(Exception):
    """The log holds an event that this program can't read."""

    def __init__(self, number: int, name: str, version: int, why: str) -> None:
        super().__init__(f"entry {number} is {name!r} in version {version}, {why}")
        self.number = number


class RuleHasChanged(Exception):
    """A stored question does not fit the present rule."""


class _Envelope(msgspec.Struct, Generic[E], gc=False):
    by: str
    act: str
    event: E
    sight: Sight = Sight.OPEN
    hides: bool = False


class _Cover(msgspec.Struct, gc=False):
    """The part of an entry that can be read without decoding its event."""

    sight: Sight = Sight.OPEN


_ENCODER = msgspec.json.Encoder()
_COVER = decoder(_Cover)
_UNREAD = decoder(_Envelope[dict[str, Any]])
_hints = cache(get_type_hints)
"""Cached by rule: a question is rebuilt with every answer. Rules never change, so nothing ends it."""


class Encoded(NamedTuple):
    """An event as it is stored: its entry, and the free texts that were taken out of it."""

    entry: Entry
    texts: tuple[Text, ...]


class Codec:
    """Encodes and decodes the events of one ruleset and of the table itself."""

    def __init__(self, event_specs: Iterable[EventSpec[Any]], rules: Iterable[Rule[..., Any]], sheet: type) -> None:
        self._types = {spec.name: spec.event for spec in event_specs}
        self._decoders: dict[tuple[str, int], msgspec.json.Decoder[Any]] = {}
        """Decoders, made when an event is first met: making all of them takes longer than opening a table."""
        self._rules = {rule.name: rule for rule in rules}
        self._sheet = sheet

    def encode(self, happened: Happened, salt: Callable[[], bytes]) -> Encoded:
        event, texts = _without_words(happened.event, salt)
        return Encoded(entry_of(happened, event), texts)

    def decode(self, entry: Entry, texts: Mapping[str, Text] | None) -> Happened:
        """Decode an entry with its free texts; with None, all of them are left out, as if they were blanked."""
        stored_decoder = self._decoders.get((entry.name, entry.version))
        try:
            envelope: _Envelope[Any] = stored_decoder.decode(entry.data) if stored_decoder else self._met(entry)
        except UnknownEvent:
            raise
        except Exception as fault:  # a lift is the ruleset's code, and its input may be anything
            raise UnknownEvent(entry.number, entry.name, entry.version, f"which can't be read: {fault}") from fault
        event = _with_words(envelope.event, texts)
        return Happened(entry.number, entry.at, envelope.by, envelope.act, event, envelope.sight, envelope.hides)

    def _met(self, entry: Entry) -> _Envelope[Any]:
        """Decode the first event of its kind, or migrate one of an older version with its lifts."""
        if entry.name not in self._types:
            raise UnknownEvent(entry.number, entry.name, entry.version, "which this program does not know")
        kind = kind_of_event(self._types[entry.name])
        if entry.version > kind.version:
            raise UnknownEvent(entry.number, entry.name, entry.version, f"newer than the known {kind.version}")
        if entry.version == kind.version:
            event_decoder = decoder(_Envelope[self._whole_type(entry.name)])  # type: ignore[misc]
            self._decoders[entry.name, entry.version] = event_decoder
            first: _Envelope[Any] = event_decoder.decode(entry.data)
            return first
        envelope: _Envelope[Any] = _UNREAD.decode(entry.data)
        for version in range(entry.version, kind.version):
            envelope.event = kind.lifts[version](envelope.event)
        envelope.event = convert(envelope.event, self._whole_type(entry.name))
        return envelope

    def _whole_type(self, name: str) -> Any:
        """Return the type of an event. A generic one, which holds any game's sheet, gets this game's sheet."""
        kind: Any = self._types[name]
        is_generic = bool(getattr(kind, "__parameters__", ()))
        return kind[self._sheet] if is_generic else kind

    def outside(self, entry: Entry) -> tuple[type, Sight]:
        """Return the type and sight of an entry's event, without decoding it."""
        return self._types[entry.name], _COVER.decode(entry.data).sight

    def text_digests(self, entry: Entry) -> list[str]:
        """Return the digests of the free texts that this entry points to."""
        kind = self._types.get(entry.name)
        if kind is None or not any(_text_fields(kind)):
            return []
        return pointed_texts(entry.data)

    def has_words(self, name: str, fields: Mapping[str, Any]) -> bool:
        """Return whether these fields of an event hold free text that was not blanked."""
        kind = self._types.get(name)
        if kind is None:
            return False
        text_fields = _text_fields(kind)
        texts: list[str] = []
        for field in (*text_fields.own, *text_fields.inside):
            texts += _strings(fields.get(field))
        return any(texts) and BLANKED not in texts

    # ------------------------------------------------------------ questions and records

    def asked(self, question: Question[Any]) -> Asked:
        return Asked(rule=question.rule.name, arguments=tuple(plain(question.arguments)))

    def question(self, asked: Asked) -> Question[Any]:
        """Rebuild a stored question. Raises `RuleHasChanged` if it does not fit its rule any more."""
        rule = self._rules.get(asked.rule)
        if rule is None or len(rule.parameters) != len(asked.arguments):
            raise RuleHasChanged(f"the rule {asked.rule} is no longer what it was")
        hints = _hints(rule.body)
        arguments = zip(rule.parameters, asked.arguments, strict=True)
        try:
            values = [convert(value, hints[parameter]) for parameter, value in arguments]
        except msgspec.MsgspecError as fault:
            raise RuleHasChanged(f"the rule {asked.rule} takes other arguments now: {fault}") from fault
        return rule(*values)


def entry_of(happened: Happened, event: Any) -> Entry:
    """Encode an event, whose free text was taken out, as an entry of the log."""
    kind = kind_of_event(type(event))
    data = _ENCODER.encode(_Envelope(happened.by, happened.act, event, happened.sight, happened.hides))
    return Entry(happened.number, kind.name, kind.version, happened.at, data)


def _without_words(event: Any, salt: Callable[[], bytes]) -> tuple[Any, tuple[Text, ...]]:
    """Move the free text of an event, and of values within it, out to `Text`s, leaving salted digests in its place."""
    text_fields = _text_fields(type(event))
    texts: list[Text] = []

    def seal(words: str) -> str:
        if not words:
            return words
        text = sealed_text(words, salt())
        texts.append(text)
        return TEXT_MARK + text.digest

    def seal_within(value: Any) -> Any:
        stripped, texts_within = _without_words(value, salt)
        texts.extend(texts_within)
        return stripped

    parts: dict[str, Any] = {}
    for name in text_fields.own:
        words = getattr(event, name)
        if words:
            parts[name] = _with_each_text(words, seal)
    for name in text_fields.inside:
        parts[name] = _with_each_value(getattr(event, name), seal_within)
    return with_parts(event, parts) if parts else event, tuple(texts)


def _with_words(event: Any, texts: Mapping[str, Text] | None) -> Any:
    """Put the free text of an event back. What is missing, or doesn't match its digest, is named as damaged."""
    text_fields = _text_fields(type(event))

    def unseal(word: Any) -> Any:
        if not isinstance(word, str) or not word.startswith(TEXT_MARK):
            return word
        if texts is None:
            return BLANKED
        text = texts.get(word.removeprefix(TEXT_MARK))
        if text is None or not is_as_written(text):
            return DAMAGED
        return BLANKED if text.words is None else text.words

    def unseal_within(value: Any) -> Any:
        return _with_words(value, texts)

    parts: dict[str, Any] = {}
    for name in text_fields.own:
        word = getattr(event, name)
        if word:
            parts[name] = _with_each_text(word, unseal)
    for name in text_fields.inside:
        parts[name] = _with_each_value(getattr(event, name), unseal_within)
    return with_parts(event, parts) if parts else event


def _with_each_text(value: Any, change: Callable[[Any], Any]) -> Any:
    """Apply `change` to a field of free text, or to each text of a mapping."""
    if isinstance(value, Mapping):
        return {name: change(text) for name, text in value.items()}
    return change(value)


def _with_each_value(value: Any, change: Callable[[Any], Any]) -> Any:
    """Apply `change` to each value with fields of its own, at any depth of a field's collections."""
    if isinstance(value, tuple):
        return tuple(_with_each_value(item, change) for item in value)
    if isinstance(value, Mapping):
        return {key: _with_each_value(item, change) for key, item in value.items()}
    return change(value) if is_value(type(value)) else value


def pointed_texts(data: bytes) -> list[str]:
    """Return the digests of the free texts that an entry's bytes point to."""
    _, *after_marks = data.decode(errors="replace").split(TEXT_MARK)
    return [words[:DIGEST] for words in after_marks]


def dice_of(record: Record) -> tuple[Die, ...]:
    return tuple(die_of(rolled) for rolled in record.rolled)


def rolled_from(dice: Iterable[Die]) -> tuple[RolledDie, ...]:
    return tuple(RolledDie(die.sides, die.face, die.by, Fate(die.fate), die.source) for die in dice)


def sealed_text(words: str, salt: bytes) -> Text:
    return Text(hashlib.sha256(salt + words.encode()).hexdigest(), salt, words)


def is_as_written(text: Text) -> bool:
    """Return whether the words of a text match its digest. Blanked text counts as matching."""
    return text.words is None or sealed_text(text.words, text.salt).digest == text.digest


def _strings(value: Any) -> Iterator[str]:
    """Yield all strings in a plain value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _strings(item)


class TextFields(NamedTuple):
    """Fields of a type that are free text (`own`), and fields whose values have free text in them (`inside`)."""

    own: tuple[str, ...]
    inside: tuple[str, ...]


@once_for_each_type
def _text_fields(kind: type) -> TextFields:
    """Return the fields of a type that hold free text."""
    fields = fields_of(kind)
    own = tuple(field.name for field in fields if field.is_free_text)
    inside = tuple(field.name for field in fields if _has_texts_inside(field))
    return TextFields(own, inside)


def _has_texts_inside(field: Field) -> bool:
    if isinstance(field.type, TypeVar):  # any game's sheet
        return True
    with suppress(UnknownShape):
        for shape in innermost(field.shape):
            if isinstance(shape, RecordShape) and any(_text_fields(shape.kind)):
                return True
    return False
