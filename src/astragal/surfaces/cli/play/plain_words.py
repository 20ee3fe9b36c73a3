"""Fields of a command from plain words: "guard with might". What could mean two things is refused with a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.fields import NUMBER, is_list, typed, value_of
from astragal.surfaces.shared.sheets import fillings, pieces_of
from astragal.table.authoring.display import Tags
from astragal.table.declarations import kind_of_command
from astragal.table.fields import parse
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
"""Optional texts that may follow the rest ("harm kira 2 a fall"), and their fewest words: one alone may be a typo."""
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
    return Filled(_with_actor(sentence, view.state, view.seat), sentence.has_met, sentence.has_guessed)


def completed(view: SeatView, kind: type, values: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Complete the fields of a command: those that are known already, and those that the words mean."""
    first = fields_of(kind)[0] if is_speech(kind) else None
    if first is not None and words and first.name not in values:
        return {**values, first.name: " ".join(words)}
    return filled(view, kind, values, words).fields


class Quoted(str):
    """A word or phrase in quotes. The quotes stay if it becomes part of a longer text."""

    __slots__ = ()


def split(line: str) -> list[str]:
    """Split a line into words; double quotes keep several together."""
    found = (match.groups() for match in WORD.finditer(line))
    return [
        Quoted(quoted) if quoted is not None else pair.replace('"', "") if pair else bare
        for quoted, pair, bare in found
    ]


def _joined(words: Sequence[str]) -> str:
    """Join words into one text. Quotes around all of it are dropped, those around a part stay."""
    if len(words) == 1:
        return str(words[0])
    return " ".join(f'"{word}"' if isinstance(word, Quoted) else word for word in words)


class _Sentence:
    """A command being put together from words."""

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
        self.known_before = len(values)

    @property
    def known(self) -> Mapping[str, Field]:
        return {one.name: one for one in fields_of(self.kind)}

    @property
    def open(self) -> list[Field]:
        return [one for one in fields_of(self.kind) if one.name not in self.values]

    def read(self, words: Sequence[str]) -> None:
        rest = list(words)
        before = ""
        while rest:
            met = self._actor(before, rest) or self._named_field(rest) or self._phrase(rest)
            self.has_met = self.has_met or met > 0
            taken = met or self._speech(rest)
            if taken:
                self.loose = _without_fillers(self.loose)
            elif self.loose or self._is_first or rest[0].casefold() not in FILLERS - ARTICLES:
                self.loose.append(rest[0])
            before = rest[0].casefold()
            del rest[: taken or 1]
        self._place_loose()

    @property
    def _is_first(self) -> bool:
        """True if no word has been understood yet."""
        return not self.people and len(self.values) == self.known_before

    def _actor(self, before: str, rest: Sequence[str]) -> int:
        """Take the character after "with" as the actor; return how many words that took."""
        actor = kind_of_command(self.kind).actor
        is_open = any(one.name == actor and one.names == "character" for one in self.open)
        if before not in BEFORE_THE_ACTOR or actor is None or not is_open:
            return 0
        others = {one.names for one in self.open} - {"character"}  # a weapon, a clock
        for many in range(min(LONGEST_PHRASE, len(rest)), 0, -1):
            phrase = _phrase(" ".join(rest[:many]))
            who = self._somebody(phrase, partly=True)
            is_thing = any(self.lexicon.thing(kind, phrase, partly=True) for kind in others)
            if who is not None and phrase not in self.lexicon.fillings and not is_thing:
                self.values[actor] = who
                self._note_guess("character", who, phrase)
                return many
        return 0

    def _speech(self, rest: Sequence[str]) -> int:
        """Take free text; return how many words that took.

        A required text takes all that follows. One of several, or an optional one, takes a quotation.
        """
        texts = [one for one in self.open if one.is_free_text]
        needed = [one for one in texts if one.required]
        if len(needed) > 1 and " " in rest[0]:
            self.values[needed[0].name] = str(rest[0])
            return 1
        if needed and rest[0].casefold() not in FILLERS:
            begun = self.loose if all(one.casefold() in FILLERS for one in self.loose) else []
            self.values[needed[0].name] = _joined([*begun, *rest])
            return len(rest)
        if len(texts) == 1 and " " in rest[0] and not self._called:
            self.values[texts[0].name] = str(rest[0])
            return 1
        return 0

    @property
    def _called(self) -> list[Field]:
        """The open field for the name of someone new, as a list of one or none."""
        return [one for one in self.open if one.name == "name" and _takes_text(one)]

    def _named_field(self, rest: Sequence[str]) -> int:
        """Take `field value`; return how many words it took."""
        name = rest[0].replace("-", "_")
        named = next((one for one in self.open if one.name == name), None)
        if named is None or self._somebody(rest[0]) is not None:  # a character comes before a field of the same name
            return 0
        if normalised(rest[0]) in self.lexicon.fillings or choices_in(named.shape) or _takes(named, NumberShape):
            text = rest[1] if len(rest) > 1 else ""  # a label of the sheet, unless a value of the field follows
            if not text or (value_of(named, [text]) == text and text not in map(str, choices_in(named.shape))):
                return 0
        if named.type is bool:
            self.values[named.name] = True
            return 1
        if len(rest) < 2:
            raise BadCall(f"{name} needs a value.")
        thing = self.lexicon.thing(named.names, _phrase(rest[1]))
        self.values[named.name] = _in_its_place(named, thing) if thing else value_of(named, [rest[1]])
        return 2

    def _somebody(self, phrase: str, *, partly: bool = False) -> str | None:
        people = any(one.names == "character" for one in self.open)
        return self.lexicon.thing("character", phrase, partly=partly) if people else None

    def _phrase(self, rest: Sequence[str]) -> int:
        """Take the longest phrase that means something; return how many words it took."""
        phrases = {many: _phrase(" ".join(rest[:many])) for many in range(min(LONGEST_PHRASE, len(rest)), 0, -1)}
        ways = (
            self._takes_person,
            self._takes_thing,
            self._takes_filling,
            self._takes_choice,
            self._takes_number,
        )
        whole = (many for many, phrase in phrases.items() if any(takes(phrase) for takes in ways))
        partly = (many for many, phrase in phrases.items() if self._takes_part(phrase))
        return next(whole, 0) or next(partly, 0)

    def _takes_part(self, phrase: str) -> bool:
        """Match part of a name, if no text could be meant.

        While a required text is open, only match the seat or character that has to be named, as the first word.
        """
        if phrase in FILLERS:
            return False
        if any(one.is_free_text and one.required for one in self.open):
            needed = [one for one in self.open if one.required and one.names in WHO]
            return bool(needed and self._is_first) and (
                self._takes_person(phrase, partly=True) or self._takes_thing(phrase, partly=True, of=WHO)
            )
        return (
            self._takes_person(phrase, partly=True)
            or self._takes_thing(phrase, partly=True)
            or self._takes_part_of_filling(phrase)
        )

    def _takes_person(self, phrase: str, *, partly: bool = False) -> bool:
        who = self._somebody(phrase, partly=partly)
        if who is None:
            return False
        self.people.append(who)
        self._note_guess("character", who, phrase)
        return True

    def _note_guess(self, kind: str, thing: str, phrase: str) -> None:
        """Remember that a thing was found by the beginning of a word of its label."""
        if phrase != normalised(thing) and not in_whole_words(self.lexicon.things(kind).get(thing, thing), phrase):
            self.has_guessed = True

    def _takes_thing(self, phrase: str, *, partly: bool = False, of: Collection[str] = ()) -> bool:
        furnished = {name for meanings in self.lexicon.fillings.values() for name, _ in meanings}
        needs_name = any(  # something new needs a name, which may be that of an existing thing
            one.required and one.type is str and _takes_text(one) and one.name not in furnished for one in self.open
        )
        for one in fields_of(self.kind):
            if of and one.names not in of:
                continue
            thing = self.lexicon.thing(one.names, phrase, partly=partly)
            if thing is None or one.names == "character" or (needs_name and not one.required):
                continue
            if one.name not in self.values:
                self.values[one.name] = _in_its_place(one, thing)
            elif is_list(one):
                self.values[one.name].append(thing)
            else:
                continue
            self._note_guess(one.names or "", thing, phrase)
            return True
        return False

    def _takes_filling(self, phrase: str) -> bool:
        for name, value in self.lexicon.fillings.get(phrase, ()):
            if name in {one.name for one in self.open}:
                self.values[name] = value
                return True
        return False

    def _takes_part_of_filling(self, phrase: str) -> bool:
        names = {one.name for one in self.open}
        fitting = {
            said: said for said, meant in self.lexicon.fillings.items() if any(name in names for name, _ in meant)
        }
        found = matching(fitting, phrase)
        if len(found) != 1 or not self._takes_filling(found[0]):
            return False
        if not in_whole_words(found[0], phrase):
            self.has_guessed = True
        return True

    def _takes_choice(self, phrase: str) -> bool:
        fitting = [
            (one, choice) for one in self.open for choice in choices_in(one.shape) if normalised(str(choice)) == phrase
        ]
        needed = [pair for pair in fitting if pair[0].required] or fitting
        if len(needed) > 1:
            raise BadCall(_ambiguous(phrase, [one.name for one, _ in needed]))
        for one, choice in needed:
            self.values[one.name] = choice
        return bool(needed)

    def _takes_number(self, phrase: str) -> bool:
        if not NUMBER.fullmatch(phrase):
            return False
        whole = [one for one in self.open if _takes(one, NumberShape)]
        fitting = [one for one in whole if one.required] or whole
        if len(fitting) > 1:
            raise BadCall(_ambiguous(phrase, [one.name for one in fitting]))
        for one in fitting:
            self.values[one.name] = int(phrase)
        return bool(fitting)

    def _place_loose(self) -> None:
        """Take loose words as a name if the command needs one, and refuse them otherwise."""
        said = _without_fillers(self.loose)
        while said and said[0].casefold() in FILLERS - ARTICLES:
            said = said[1:]
        if not said:
            return
        needed = [one for one in self.open if one.required and one.names != "character"]
        remarks = [one for one in self.open if one.is_free_text and len(said) >= REMARKS.get(one.name, len(said) + 1)]
        texts = [one for one in needed if _takes_text(one)]
        names = texts or [one for one in needed if one.names] or self._called or remarks
        if len(names) != 1:
            people = self.lexicon.things("character")
            if could := [people[one] for one in matching(people, " ".join(said))]:
                raise BadCall(f"{' '.join(said)!r} could be {' or '.join(could)}. Say more of the name.")
            raise BadCall(f"I don't know what {' '.join(said)!r} means here. {self._way_on()}")
        whole = self.loose if names == texts else said
        self.values[names[0].name] = _in_its_place(names[0], _joined(whole))  # the table refuses unknown names

    def _way_on(self) -> str:
        """Suggest what to type: a character if one still has to be named, else one of the fields."""
        actor, people = kind_of_command(self.kind).actor, [*self.lexicon.things("character").values()]
        places = [one.name for one in self.open if one.required and one.names == "character"]
        if actor in places and len(self.lexicon.own) == 1:  # that hero acts by default
            places.remove(actor)
        if lacking := places[len(self.people) :]:
            return f"Write {typed(lacking[0], people)}." if people else "Nobody is here yet."
        fields = [one.name for one in self.open]
        if not fields:
            return f"{normalised(kind_of_command(self.kind).name)} needs nothing more."
        listed = ", ".join(fields[:MOST_LISTED]) + (" …" if len(fields) > MOST_LISTED else "")
        return f"Write field=value; the fields are {listed}."


def _without_fillers(words: Sequence[str]) -> list[str]:
    """Strip fillers from the end."""
    end = next((place for place in range(len(words), 0, -1) if words[place - 1].casefold() not in FILLERS), 0)
    return list(words[:end])


def _takes_text(one: Field) -> bool:
    """Return whether any words can be its value."""
    return not one.names and _takes(one, TextShape)


def is_speech(kind: type) -> bool:
    """Return whether the command needs one text and nothing else, so that all that follows is the text."""
    first, *others = fields_of(kind) or (None,)
    return first is not None and first.is_free_text and first.required and not any(one.required for one in others)


def _with_actor(sentence: _Sentence, state: State, seat: str) -> dict[str, Any]:
    """Fill in people in the order they are named; a player with one hero acts with that hero by default."""
    actor, own = kind_of_command(sentence.kind).actor, sorted(state.viewer(seat).characters)
    places = [one.name for one in sentence.open if one.names == "character"]
    needed = [name for name in places if name == actor and sentence.known[name].required]
    if needed and actor and len(own) == 1 and len(sentence.people) < len(places):
        sentence.values[actor] = own[0]
        places.remove(actor)
    people = list(sentence.people)
    for name in places:
        if is_list(sentence.known[name]):
            sentence.values |= {name: people} if people else {}
            people = []
        elif people:
            sentence.values[name] = people.pop(0)
    if people:
        raise BadCall("That names more people than the command takes.")
    return sentence.values


def _phrase(text: str) -> str:
    """Normalise a phrase, without a comma, colon or semicolon at its end; a number keeps its sign."""
    said = text.rstrip(",:;").replace("−", "-")
    return said if NUMBER.fullmatch(said) else normalised(said)


def _in_its_place(one: Field, thing: str) -> str | list[str]:
    return [thing] if is_list(one) else thing


def _takes(one: Field, kind: type[Shape]) -> bool:
    shapes = one.shape.shapes if isinstance(one.shape, EitherShape) else (one.shape,)
    return any(isinstance(shape, kind) for shape in shapes)


def _ambiguous(phrase: str, names: Sequence[str]) -> str:
    return f"Is {phrase!r} the {' or the '.join(names)}? Write {names[0]}={phrase}."


# ---------------------------------------------------------------- lexicon


class Lexicon:
    """Vocabulary of a table as one seat sees it: phrases, and what they stand for."""

    def __init__(self, view: SeatView) -> None:
        self._view = view
        self._things: dict[str, dict[str, str]] = {}
        self._waiting = frozenset(parse.waiting_for(view.state, view.viewer))
        self.own = view.viewer.characters

    def things(self, kind: str) -> Mapping[str, str]:
        """Labels of the things of a kind (`character`, `clock` …), by id."""
        if kind not in self._things:
            self._things[kind] = self._view.things(kind) or {}
        return self._things[kind]

    def thing(self, kind: str | None, phrase: str, *, partly: bool = False) -> str | None:
        """Find the id of the one thing that a phrase names."""
        found = matching(self.things(kind), phrase, partly=partly) if kind else []
        found = [one for one in found if one in self._waiting] or found
        return found[0] if len(found) == 1 else None

    @cached_property
    def fillings(self) -> Mapping[str, tuple[tuple[str, Any], ...]]:
        """Maps a phrase to the fields and values that it can stand for."""
        filled: dict[str, dict[tuple[str, Any], None]] = {}
        for word, name, value in self._filled():
            for phrase in (word, self._view.teller.term(word)):
                filled.setdefault(normalised(phrase), {})[name, value] = None
        return {phrase: tuple(meanings) for phrase, meanings in filled.items()}

    def _filled(self) -> Iterator[tuple[str, str, Any]]:
        """Yield what a click on a piece of furniture would fill in, and the tags of a sheet that commands can name."""
        characters = self._view.state.characters.values()
        for label, name, value in fillings(self._view, characters):
            yield from ((word, name, value) for word in (label, str(value)))
        pieces = (piece for one in characters for piece in pieces_of(self._view, one) or ())
        for piece in pieces:
            if isinstance(piece, Tags):
                yield from ((called, name, called) for called in piece.names for name in piece.fills)
