"""Events as bytes and back. Stored events have a stable name and version, never a class path."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, get_type_hints

import msgspec

from astragal.chance import Fate, Question, Record, Rule
from astragal.chance import Rolled as RolledDie

from .declarations import Sight, kind_of_event
from .deeds import Happened, die_of
from .fields import fields_of
from .ruleset import Happening
from .seen import plain
from .state import Asked, Die
from .store import Entry, Text

E = TypeVar("E")

TEXT_MARK = "\ue000"
"""Stands before a digest where free text was. Validation lets no text hold it."""

DIGEST = 64

BLANKED = "…"


class UnknownEvent(Exception):
    """The log holds an event that this program can't read."""

    def __init__(self, number: int, name: str, version: int, why: str) -> None:
        super().__init__(f"entry {number} is {name!r} in version {version}, {why}")
        self.number = number


class RuleHasChanged(Exception):
    """A stored question does not fit the rule that is there now."""


class _Envelope(msgspec.Struct, Generic[E]):
    by: str
    act: str
    event: E
    sight: Sight = Sight.OPEN
    hides: bool = False


@dataclass(frozen=True)
class Encoded:
    entry: Entry
    texts: tuple[Text, ...]


class Codec:
    """Reads and writes the events of one ruleset and of the table itself."""

    def __init__(self, happenings: Iterable[Happening[Any]], rules: Iterable[Rule[..., Any]]) -> None:
        self._types = {one.name: one.event for one in happenings}
        self._decoders = {
            (name, kind_of_event(kind).version): msgspec.json.Decoder(_Envelope[kind])  # type: ignore[valid-type]
            for name, kind in self._types.items()
        }
        self._unread = msgspec.json.Decoder(_Envelope[dict[str, Any]])
        self._texts = {name: _text_fields(kind) for name, kind in self._types.items()}
        self._rules = {rule.name: rule for rule in rules}
        self._arguments = {name: get_type_hints(rule.body) for name, rule in self._rules.items()}

    def encode(self, happened: Happened, salt: Callable[[], bytes]) -> Encoded:
        event, texts = self._without_words(kind_of_event(type(happened.event)).name, happened.event, salt)
        return Encoded(entry_of(happened, event), texts)

    def decode(self, entry: Entry, texts: Mapping[str, Text]) -> Happened:
        envelope = self._opened(entry)
        event = envelope.event
        for name in self._texts[entry.name]:
            word = getattr(event, name)
            if isinstance(word, str) and word.startswith(TEXT_MARK):  # the event is new: nobody else has it yet
                object.__setattr__(event, name, _words(texts, word.removeprefix(TEXT_MARK)))
        return Happened(entry.number, entry.at, envelope.by, envelope.act, event, envelope.sight, envelope.hides)

    def _opened(self, entry: Entry) -> _Envelope[Any]:
        decoder = self._decoders.get((entry.name, entry.version))
        try:
            return decoder.decode(entry.data) if decoder else self._lifted(entry)
        except (msgspec.MsgspecError, KeyError) as fault:
            raise UnknownEvent(entry.number, entry.name, entry.version, f"which can't be read: {fault}") from fault

    def _lifted(self, entry: Entry) -> _Envelope[Any]:
        """An event of an older version as one of today's."""
        if entry.name not in self._types:
            raise UnknownEvent(entry.number, entry.name, entry.version, "which this program does not know")
        kind = kind_of_event(self._types[entry.name])
        if entry.version > kind.version:
            raise UnknownEvent(entry.number, entry.name, entry.version, f"newer than the known {kind.version}")
        envelope: _Envelope[Any] = self._unread.decode(entry.data)
        for version in range(entry.version, kind.version):
            envelope.event = kind.lifts[version](envelope.event)
        envelope.event = msgspec.convert(envelope.event, self._types[entry.name])
        return envelope

    def _without_words(self, name: str, event: Any, salt: Callable[[], bytes]) -> tuple[Any, tuple[Text, ...]]:
        """Free text goes beside the log; its salted digest stays in."""
        texts = []
        for field in self._texts[name]:
            words = getattr(event, field)
            if words:
                text = sealed_text(words, salt())
                texts.append(text)
                event = replace(event, **{field: TEXT_MARK + text.digest})
        return event, tuple(texts)

    def text_digests(self, entry: Entry) -> list[str]:
        """The free texts that this entry points to."""
        return pointed_texts(entry.data) if self._texts.get(entry.name) else []

    # ------------------------------------------------------------ questions and records

    def asked(self, question: Question[Any]) -> Asked:
        return Asked(rule=question.rule.name, arguments=tuple(plain(question.arguments)))

    def question(self, asked: Asked) -> Question[Any]:
        """The question again, or `RuleHasChanged`."""
        rule = self._rules.get(asked.rule)
        if rule is None or len(rule.parameters) != len(asked.arguments):
            raise RuleHasChanged(f"the rule {asked.rule} is no longer what it was")
        hints = self._arguments[asked.rule]
        try:
            values = [
                msgspec.convert(value, hints[name])
                for name, value in zip(rule.parameters, asked.arguments, strict=True)
            ]
        except msgspec.MsgspecError as fault:
            raise RuleHasChanged(f"the rule {asked.rule} takes other arguments now: {fault}") from fault
        return rule(*values)


def entry_of(happened: Happened, event: Any) -> Entry:
    """An event, its free text taken out, as it is kept in its place in the log."""
    kind = kind_of_event(type(event))
    data = msgspec.json.encode(_Envelope(happened.by, happened.act, event, happened.sight, happened.hides))
    return Entry(happened.number, kind.name, kind.version, happened.at, data)


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


def _text_fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields_of(kind) if field.is_free_text)
