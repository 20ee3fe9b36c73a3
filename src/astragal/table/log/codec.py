"""Events as bytes and back. Stored events have a stable name and version, never a class path."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

import msgspec

from astragal.chance import Fate, Question, Record, Rule
from astragal.chance import Rolled as RolledDie
from astragal.table.authoring.chapter import Happening
from astragal.table.authoring.declarations import Sight, kind_of_event
from astragal.table.commands.log_events import Happened, die_of
from astragal.table.fields.definitions import fields_of, once_for_each_type
from astragal.table.fields.values import with_parts
from astragal.table.log.decoders import convert, decoder
from astragal.table.log.store import Entry, Text
from astragal.table.state.table import Asked, Die
from astragal.table.visibility.redact import plain

E = TypeVar("E")

TEXT_MARK = "\ue000"
"""Stands before a digest where free text was. Validation lets no text hold it."""

DIGEST = 64

BLANKED = "…"

SHEET = "sheet"
"""The field of an event that holds any game's sheet."""


class UnknownEvent(Exception):
    """The log holds an event that this program can't read."""

    def __init__(self, number: int, name: str, version: int, why: str) -> None:
        super().__init__(f"entry {number} is {name!r} in version {version}, {why}")
        self.number = number


class RuleHasChanged(Exception):
    """A stored question does not fit the rule that is there now."""


class _Envelope(msgspec.Struct, Generic[E], gc=False):
    by: str
    act: str
    event: E
    sight: Sight = Sight.OPEN
    hides: bool = False


class _Cover(msgspec.Struct, gc=False):
    """What of an envelope can be read without what is in it."""

    sight: Sight = Sight.OPEN


_ENCODER = msgspec.json.Encoder()
_COVER = decoder(_Cover)
_UNREAD = decoder(_Envelope[dict[str, Any]])


class Encoded(NamedTuple):
    entry: Entry
    texts: tuple[Text, ...]


class Codec:
    """Reads and writes the events of one ruleset and of the table itself."""

    def __init__(self, happenings: Iterable[Happening[Any]], rules: Iterable[Rule[..., Any]], sheet: type) -> None:
        self._types = {one.name: one.event for one in happenings}
        self._decoders: dict[tuple[str, int], msgspec.json.Decoder[Any]] = {}
        """Of the events that were met: to make one for each that there is takes longer than to open a table."""
        self._rules = {rule.name: rule for rule in rules}
        self._sheet = sheet
        self._texts: dict[type, tuple[tuple[str, str], ...]] = {}

    def encode(self, happened: Happened, salt: Callable[[], bytes]) -> Encoded:
        """Free text goes beside the log; its salted digest stays in."""
        event, texts = happened.event, list[Text]()
        for part, name in self._text_fields(type(event)):
            if words := getattr(_part(event, part), name):
                text = sealed_text(words, salt())
                texts.append(text)
                event = _with_text(event, part, name, TEXT_MARK + text.digest)
        return Encoded(entry_of(happened, event), tuple(texts))

    def decode(self, entry: Entry, texts: Mapping[str, Text]) -> Happened:
        known = self._decoders.get((entry.name, entry.version))
        try:
            envelope: _Envelope[Any] = known.decode(entry.data) if known else self._met(entry)
        except UnknownEvent:
            raise
        except Exception as fault:  # a lift is a ruleset's own, and what it is given may be anything
            raise UnknownEvent(entry.number, entry.name, entry.version, f"which can't be read: {fault}") from fault
        event = envelope.event
        for part, name in self._text_fields(self._types[entry.name]):
            word = getattr(_part(event, part), name)
            if isinstance(word, str) and word.startswith(TEXT_MARK):
                event = _with_text(event, part, name, _words(texts, word.removeprefix(TEXT_MARK)))
        return Happened(entry.number, entry.at, envelope.by, envelope.act, event, envelope.sight, envelope.hides)

    def _met(self, entry: Entry) -> _Envelope[Any]:
        """The first event of its kind; or one of an older version as one of today's."""
        if entry.name not in self._types:
            raise UnknownEvent(entry.number, entry.name, entry.version, "which this program does not know")
        kind = kind_of_event(self._types[entry.name])
        if entry.version > kind.version:
            raise UnknownEvent(entry.number, entry.name, entry.version, f"newer than the known {kind.version}")
        if entry.version == kind.version:
            made = decoder(_Envelope[self._whole_type(entry.name)])  # type: ignore[misc]
            self._decoders[entry.name, entry.version] = made
            first: _Envelope[Any] = made.decode(entry.data)
            return first
        envelope: _Envelope[Any] = _UNREAD.decode(entry.data)
        for version in range(entry.version, kind.version):
            envelope.event = kind.lifts[version](envelope.event)
        envelope.event = convert(envelope.event, self._whole_type(entry.name))
        return envelope

    def _whole_type(self, name: str) -> Any:
        """The type of an event; of one that holds any game's sheet, the type with this game's."""
        kind: Any = self._types[name]
        return kind[self._sheet] if _holds_sheet(kind) else kind

    def _text_fields(self, kind: type) -> tuple[tuple[str, str], ...]:
        """Fields that hold free text: of the event itself, or of the sheet that it holds."""
        if kind not in self._texts:
            found = [("", name) for name in _text_fields(kind)]
            found += [(SHEET, name) for name in _text_fields(self._sheet)] if _holds_sheet(kind) else []
            self._texts[kind] = tuple(found)
        return self._texts[kind]

    def outside(self, entry: Entry) -> tuple[type, Sight]:
        """What an entry shows from outside: the kind of its event, and who may see it. Quicker than to decode it."""
        return self._types[entry.name], _COVER.decode(entry.data).sight

    def text_digests(self, entry: Entry) -> list[str]:
        """The free texts that this entry points to."""
        kind = self._types.get(entry.name)
        return pointed_texts(entry.data) if kind and self._text_fields(kind) else []

    # ------------------------------------------------------------ questions and records

    def asked(self, question: Question[Any]) -> Asked:
        return Asked(rule=question.rule.name, arguments=tuple(plain(question.arguments)))

    def question(self, asked: Asked) -> Question[Any]:
        """The question again, or `RuleHasChanged`."""
        rule = self._rules.get(asked.rule)
        if rule is None or len(rule.parameters) != len(asked.arguments):
            raise RuleHasChanged(f"the rule {asked.rule} is no longer what it was")
        hints = _hints(rule.body)
        try:
            values = [convert(value, hints[name]) for name, value in zip(rule.parameters, asked.arguments, strict=True)]
        except msgspec.MsgspecError as fault:
            raise RuleHasChanged(f"the rule {asked.rule} takes other arguments now: {fault}") from fault
        return rule(*values)


def entry_of(happened: Happened, event: Any) -> Entry:
    """An event, its free text taken out, as it is kept in its place in the log."""
    kind = kind_of_event(type(event))
    data = _ENCODER.encode(_Envelope(happened.by, happened.act, event, happened.sight, happened.hides))
    return Entry(happened.number, kind.name, kind.version, happened.at, data)


def _holds_sheet(kind: Any) -> bool:
    """Whether events of this type hold any game's sheet, in the field `sheet`."""
    return bool(getattr(kind, "__parameters__", ()))


def _part(event: Any, part: str) -> Any:
    return getattr(event, part) if part else event


def _with_text(event: E, part: str, name: str, text: str) -> E:
    changed = with_parts(_part(event, part), {name: text})
    return with_parts(event, {part: changed}) if part else changed


def pointed_texts(data: bytes) -> list[str]:
    """The digests of free texts that an entry's bytes point to."""
    _, *pointed = data.decode(errors="replace").split(TEXT_MARK)
    return [rest[:DIGEST] for rest in pointed]


def dice_of(record: Record) -> tuple[Die, ...]:
    return tuple(die_of(rolled) for rolled in record.rolled)


def rolled_from(dice: Iterable[Die]) -> tuple[RolledDie, ...]:
    return tuple(RolledDie(die.sides, die.face, die.by, Fate(die.fate), die.source) for die in dice)


def sealed_text(words: str, salt: bytes) -> Text:
    return Text(hashlib.sha256(salt + words.encode()).hexdigest(), salt, words)


def _words(texts: Mapping[str, Text], digest: str) -> str:
    text = texts.get(digest)
    return BLANKED if text is None or text.words is None else text.words


@cache
def _hints(body: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(body)


@once_for_each_type
def _text_fields(kind: type) -> tuple[str, ...]:
    """Which fields hold free text."""
    return tuple(field.name for field in fields_of(kind) if field.is_free_text)
