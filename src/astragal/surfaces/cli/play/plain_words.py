"""Fields of a command from plain words: "guard with might". What could mean two things is refused with a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.fields import NUMBER, is_list, typed, value_of
from astragal.surfaces.cli.play.lexicon import Lexicon
from astragal.table.declarations import kind_of_command
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.lookup import MOST_LISTED, in_whole_words, matching, normalised
from astragal.table.fields.shapes import EitherShape, NumberShape, Shape, TextShape, choices_in

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.state.table import State

FILLERS = frozenset(
    {"a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "of", "on", "the", "to", "using", "with"}
)
BEFORE_THE_ACTOR = frozenset({"as", "by", "with"})
"""Fillers before the character who acts: "attack kira with guard"."""
ARTICLES = frozenset({"a", "an", "the"})
"""Fillers that may be part of a name."""
REMARKS = {"why": 1, "words": 1, "stakes": 2}
"""Optional texts that may come last ("harm kira 2 a fall"), and their fewest words: one alone may be a typo."""
WHO = ("seat", "character", "seat or character")
LONGEST_PHRASE = 5
WORD = re.compile(r'"([^"]*)"|(\S+?="[^"]*")|(\S+)')


class Filled(msgspec.Struct, frozen=True):
    """The fields of a command, as far as words have filled them in, and how sure that is."""

    fields: dict[str, Any]
    has_met: bool
    """True if a word means something at this table: a person, a thing, a choice, a number."""
    has_guessed: bool
    """True if a name was cut short: "gu" for Guard."""


def filled(view: SeatView, kind: type, values: Mapping[str, Any], words: Sequence[str]) -> Filled:
    """Fill in the fields of a command that the words mean, beside those that are known already."""
    sentence = _Sentence(kind, Lexicon(view), dict(values))
    sentence.read(words)
    return Filled(_with_people(sentence, view.state, view.seat), sentence.has_met, sentence.has_guessed)


def completed(view: SeatView, kind: type, values: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Complete the fields of a command: those that are known already, and those that the words mean."""
    if words and is_speech(kind):
        text_field = fields_of(kind)[0]
        if text_field.name not in values:
            return {**values, text_field.name: " ".join(words)}
    return filled(view, kind, values, words).fields


class Quoted(str):
    """A word or phrase in quotes. The quotes stay if it becomes part of a longer text."""

    __slots__ = ()


def split(line: str) -> list[str]:
    """Split a line into words; double quotes keep several together."""
    words: list[str] = []
    for match in WORD.finditer(line):
        quotation, pair, word = match.groups()
        if quotation is not None:
            words.append(Quoted(quotation))
        elif pair:
            words.append(pair.replace('"', ""))
        else:
            words.append(word)
    return words


def _joined(words: Sequence[str]) -> str:
    """Join words into one text. Quotes around all of it are dropped, those around a part stay."""
    if len(words) == 1:
        return str(words[0])
    return " ".join(f'"{word}"' if isinstance(word, Quoted) else word for word in words)


class _Sentence:
    """A command being put together from words.

    Methods that begin with `_read` look at the words from here on and return how many of them they have used up.
    Methods that begin with `_fill` look at one phrase and return whether it filled in a field.
    """

    def __init__(self, kind: type, lexicon: Lexicon, values: dict[str, Any]) -> None:
        self.kind = kind
        self.lexicon = lexicon
        self.values = values
        self.people: list[str] = []
        """Characters in the order in which they were named."""
        self.loose: list[str] = []
        """Words without a meaning of their own, which may be free text."""
        self.has_met = False
        self.has_guessed = False
        self.values_at_start = len(values)

    @property
    def field_by_name(self) -> Mapping[str, Field]:
        return {field.name: field for field in fields_of(self.kind)}

    @property
    def open(self) -> list[Field]:
        """The fields that have no value yet."""
        return [field for field in fields_of(self.kind) if field.name not in self.values]

    @property
    def _is_first(self) -> bool:
        """True if no word has been understood yet."""
        return not self.people and len(self.values) == self.values_at_start

    @property
    def _new_name_fields(self) -> list[Field]:
        """The open field for the name of someone new, as a list of one or none."""
        return [field for field in self.open if field.name == "name" and _takes_text(field)]

    def read(self, words: Sequence[str]) -> None:
        """Fill in what the words mean. Raises `BadCall` for words without a meaning."""
        unread = list(words)
        previous = ""
        while unread:
            length = self._read_actor(previous, unread) or self._read_named_field(unread) or self._read_phrase(unread)
            self.has_met = self.has_met or length > 0
            length = length or self._read_speech(unread)
            if length:
                self.loose = _without_last_fillers(self.loose)
            elif self.loose or self._is_first or not _is_mere_filler(unread[0]):
                self.loose.append(unread[0])
            previous = unread[0].casefold()
            del unread[: length or 1]
        self._place_loose()

    def _read_actor(self, previous: str, words: Sequence[str]) -> int:
        """Read the character after "with", who acts."""
        actor = kind_of_command(self.kind).actor
        if actor is None or previous not in BEFORE_THE_ACTOR:
            return 0
        if not any(field.name == actor and field.names == "character" for field in self.open):
            return 0
        for length in _phrase_lengths(words):
            phrase = _phrase(" ".join(words[:length]))
            character = self._character(phrase, partly=True)
            if character is None or phrase in self.lexicon.fillings or self._could_be_thing(phrase):
                continue
            self.values[actor] = character
            self._note_guess("character", character, phrase)
            return length
        return 0

    def _could_be_thing(self, phrase: str) -> bool:
        """Return whether the phrase names something that an open field takes, such as a weapon or a clock."""
        kinds = {field.names for field in self.open} - {"character"}
        return any(self.lexicon.thing(kind, phrase, partly=True) for kind in kinds)

    def _read_speech(self, words: Sequence[str]) -> int:
        """Read free text.

        A required text takes all that follows. One of several, or an optional one, takes a quotation.
        """
        texts = [field for field in self.open if field.is_free_text]
        required = [field for field in texts if field.required]
        is_quotation = " " in words[0]
        if len(required) > 1 and is_quotation:
            self.values[required[0].name] = str(words[0])
            return 1
        if required and words[0].casefold() not in FILLERS:
            beginning = self.loose if all(word.casefold() in FILLERS for word in self.loose) else []
            self.values[required[0].name] = _joined([*beginning, *words])
            return len(words)
        if len(texts) == 1 and is_quotation and not self._new_name_fields:
            self.values[texts[0].name] = str(words[0])
            return 1
        return 0

    def _read_named_field(self, words: Sequence[str]) -> int:
        """Read `field value`."""
        name = words[0].replace("-", "_")
        field = next((field for field in self.open if field.name == name), None)
        if field is None or self._character(words[0]) is not None:  # a character comes before a field of the same name
            return 0
        if self._could_be_label(field, words[0]) and not _begins_with_value(field, words[1:]):
            return 0
        if field.type is bool:
            self.values[field.name] = True
            return 1
        if len(words) < 2:
            raise BadCall(f"{name} needs a value.")
        thing_id = self.lexicon.thing(field.names, _phrase(words[1]))
        self.values[field.name] = _as_value(field, thing_id) if thing_id else value_of(field, [words[1]])
        return 2

    def _could_be_label(self, field: Field, word: str) -> bool:
        """Return whether a field's name may also be a label of a sheet, which stands for a value."""
        if normalised(word) in self.lexicon.fillings:
            return True
        return bool(choices_in(field.shape)) or _takes(field, NumberShape)

    def _character(self, phrase: str, *, partly: bool = False) -> str | None:
        """Return the id of the character that the phrase names, if the command still takes one."""
        if not any(field.names == "character" for field in self.open):
            return None
        return self.lexicon.thing("character", phrase, partly=partly)

    def _read_phrase(self, words: Sequence[str]) -> int:
        """Read the longest phrase that means something. Names in full come before names that are cut short."""
        phrase_by_length = {length: _phrase(" ".join(words[:length])) for length in _phrase_lengths(words)}
        for length, phrase in phrase_by_length.items():
            if self._fill_in_full(phrase):
                return length
        for length, phrase in phrase_by_length.items():
            if self._fill_in_part(phrase):
                return length
        return 0

    def _fill_in_full(self, phrase: str) -> bool:
        return (
            self._fill_person(phrase)
            or self._fill_thing(phrase)
            or self._fill_from_sheets(phrase)
            or self._fill_choice(phrase)
            or self._fill_number(phrase)
        )

    def _fill_in_part(self, phrase: str) -> bool:
        """Match part of a name, if no text could be meant.

        While a required text is open, only match the seat or character that has to be named, as the first word.
        """
        if phrase in FILLERS:
            return False
        if any(field.is_free_text and field.required for field in self.open):
            needs_person = any(field.required and field.names in WHO for field in self.open)
            if not needs_person or not self._is_first:
                return False
            return self._fill_person(phrase, partly=True) or self._fill_thing(phrase, partly=True, of=WHO)
        return (
            self._fill_person(phrase, partly=True)
            or self._fill_thing(phrase, partly=True)
            or self._fill_from_part_of_sheets(phrase)
        )

    def _fill_person(self, phrase: str, *, partly: bool = False) -> bool:
        character = self._character(phrase, partly=partly)
        if character is None:
            return False
        self.people.append(character)
        self._note_guess("character", character, phrase)
        return True

    def _note_guess(self, kind: str, thing_id: str, phrase: str) -> None:
        """Remember that a thing was found by the beginning of a word of its label."""
        label = self.lexicon.things(kind).get(thing_id, thing_id)
        if phrase != normalised(thing_id) and not in_whole_words(label, phrase):
            self.has_guessed = True

    def _fill_thing(self, phrase: str, *, partly: bool = False, of: Collection[str] = ()) -> bool:
        """Fill in something of the table that the phrase names; of these kinds only, if any are given."""
        needs_new_name = self._needs_new_name()
        for field in fields_of(self.kind):
            if of and field.names not in of:
                continue
            if field.names == "character" or (needs_new_name and not field.required):
                continue
            thing_id = self.lexicon.thing(field.names, phrase, partly=partly)
            if thing_id is None:
                continue
            if field.name not in self.values:
                self.values[field.name] = _as_value(field, thing_id)
            elif is_list(field):
                self.values[field.name].append(thing_id)
            else:
                continue
            self._note_guess(field.names or "", thing_id, phrase)
            return True
        return False

    def _needs_new_name(self) -> bool:
        """Return whether something new still needs a name, which may be that of an existing thing."""
        names_on_sheets: set[str] = set()
        for meanings in self.lexicon.fillings.values():
            names_on_sheets.update(filling.field for filling in meanings)
        texts = [field for field in self.open if field.required and field.type is str and _takes_text(field)]
        return any(field.name not in names_on_sheets for field in texts)

    def _fill_from_sheets(self, phrase: str) -> bool:
        open_names = {field.name for field in self.open}
        for filling in self.lexicon.fillings.get(phrase, ()):
            if filling.field in open_names:
                self.values[filling.field] = filling.value
                return True
        return False

    def _fill_from_part_of_sheets(self, phrase: str) -> bool:
        open_names = {field.name for field in self.open}
        labels = {}
        for label, meanings in self.lexicon.fillings.items():
            if any(filling.field in open_names for filling in meanings):
                labels[label] = label
        matches = matching(labels, phrase)
        if len(matches) != 1 or not self._fill_from_sheets(matches[0]):
            return False
        if not in_whole_words(matches[0], phrase):
            self.has_guessed = True
        return True

    def _fill_choice(self, phrase: str) -> bool:
        choices: list[tuple[Field, Any]] = []
        for field in self.open:
            choices += [(field, choice) for choice in choices_in(field.shape) if normalised(str(choice)) == phrase]
        candidates = [(field, choice) for field, choice in choices if field.required] or choices
        if len(candidates) > 1:
            raise BadCall(_ambiguous(phrase, [field.name for field, _ in candidates]))
        for field, choice in candidates:
            self.values[field.name] = choice
        return bool(candidates)

    def _fill_number(self, phrase: str) -> bool:
        if not NUMBER.fullmatch(phrase):
            return False
        numbers = [field for field in self.open if _takes(field, NumberShape)]
        candidates = [field for field in numbers if field.required] or numbers
        if len(candidates) > 1:
            raise BadCall(_ambiguous(phrase, [field.name for field in candidates]))
        for field in candidates:
            self.values[field.name] = int(phrase)
        return bool(candidates)

    def _place_loose(self) -> None:
        """Take loose words as a name if the command needs one, and refuse them otherwise."""
        words = _without_last_fillers(self.loose)
        while words and _is_mere_filler(words[0]):
            words = words[1:]
        if not words:
            return
        required = [field for field in self.open if field.required and field.names != "character"]
        texts = [field for field in required if _takes_text(field)]
        candidates = (
            texts
            or [field for field in required if field.names]
            or self._new_name_fields
            or [field for field in self.open if _takes_remark(field, words)]
        )
        if len(candidates) != 1:
            raise self._not_understood(" ".join(words))
        text = _joined(self.loose if texts else words)
        self.values[candidates[0].name] = _as_value(candidates[0], text)  # the table refuses unknown names

    def _not_understood(self, text: str) -> BadCall:
        """Say that a text means nothing here, or which of several people it could mean."""
        people = self.lexicon.things("character")
        names = [people[character] for character in matching(people, text)]
        if names:
            return BadCall(f"{text!r} could be {' or '.join(names)}. Say more of the name.")
        return BadCall(f"I don't know what {text!r} means here. {self._way_on()}")

    def _way_on(self) -> str:
        """Suggest what to type: a character if one still has to be named, else one of the fields."""
        command = kind_of_command(self.kind)
        places = [field.name for field in self.open if field.required and field.names == "character"]
        if command.actor in places and len(self.lexicon.own) == 1:  # that hero acts by default
            places.remove(command.actor)
        missing = places[len(self.people) :]
        if missing:
            people = list(self.lexicon.things("character").values())
            return f"Write {typed(missing[0], people)}." if people else "Nobody is here yet."
        fields = [field.name for field in self.open]
        if not fields:
            return f"{normalised(command.name)} needs nothing more."
        listed = ", ".join(fields[:MOST_LISTED])
        if len(fields) > MOST_LISTED:
            listed += " …"
        return f"Write field=value; the fields are {listed}."


def is_speech(kind: type) -> bool:
    """Return whether the command needs one text and nothing else, so that all that follows is the text."""
    fields = fields_of(kind)
    if not fields or not (fields[0].is_free_text and fields[0].required):
        return False
    return not any(field.required for field in fields[1:])


def _with_people(sentence: _Sentence, state: State, seat: str) -> dict[str, Any]:
    """Fill in people in the order they are named; a player with one hero acts with that hero by default."""
    actor = kind_of_command(sentence.kind).actor
    heroes = sorted(state.viewer(seat).characters)
    places = [field for field in sentence.open if field.names == "character"]
    needs_actor = any(field.name == actor and field.required for field in places)
    if actor and needs_actor and len(heroes) == 1 and len(sentence.people) < len(places):
        sentence.values[actor] = heroes[0]
        places = [field for field in places if field.name != actor]
    people = list(sentence.people)
    for field in places:
        if not people:
            break
        if is_list(field):
            sentence.values[field.name] = people
            people = []
        else:
            sentence.values[field.name] = people.pop(0)
    if people:
        raise BadCall("That names more people than the command takes.")
    return sentence.values


# ---------------------------------------------------------------- words and phrases


def _phrase_lengths(words: Sequence[str]) -> range:
    """The numbers of words that the next phrase may have, the longest first."""
    return range(min(LONGEST_PHRASE, len(words)), 0, -1)


def _phrase(text: str) -> str:
    """Normalise a phrase, without a comma, colon or semicolon at its end; a number keeps its sign."""
    phrase = text.rstrip(",:;").replace("−", "-")
    return phrase if NUMBER.fullmatch(phrase) else normalised(phrase)


def _is_mere_filler(word: str) -> bool:
    """Return whether a word is a filler that no name begins with."""
    return word.casefold() in FILLERS - ARTICLES


def _without_last_fillers(words: Sequence[str]) -> list[str]:
    kept_words = list(words)
    while kept_words and kept_words[-1].casefold() in FILLERS:
        kept_words.pop()
    return kept_words


def _ambiguous(phrase: str, names: Sequence[str]) -> str:
    return f"Is {phrase!r} the {' or the '.join(names)}? Write {names[0]}={phrase}."


# ---------------------------------------------------------------- what a field takes


def _takes(field: Field, kind: type[Shape]) -> bool:
    shapes = field.shape.shapes if isinstance(field.shape, EitherShape) else (field.shape,)
    return any(isinstance(shape, kind) for shape in shapes)


def _takes_text(field: Field) -> bool:
    """Return whether any words can be its value."""
    return not field.names and _takes(field, TextShape)


def _takes_remark(field: Field, words: Sequence[str]) -> bool:
    """Return whether the words are long enough for an optional text such as why something happens."""
    return field.is_free_text and field.name in REMARKS and len(words) >= REMARKS[field.name]


def _begins_with_value(field: Field, words: Sequence[str]) -> bool:
    """Return whether the next word can be read as a value of the field."""
    if not words or not words[0]:
        return False
    text = words[0]
    return value_of(field, [text]) != text or text in map(str, choices_in(field.shape))


def _as_value(field: Field, thing_id: str) -> str | list[str]:
    """Return one thing as a field takes it: a list takes it as its first entry."""
    return [thing_id] if is_list(field) else thing_id
