"""Parse commands from plain words: "attack guard with might", "rest".

Only whole words name a command. Whatever else a line could mean is a guess, which is asked before it is done.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.fields import NUMBER, fields_and_rest, is_list, typed, value_of
from astragal.surfaces.shared.sheets import fillings, pieces_of
from astragal.surfaces.shared.words import value_words
from astragal.table.authoring.display import Tags
from astragal.table.chapters.chat import ROLL_DICE
from astragal.table.declarations import kind_of_command
from astragal.table.fields import parse
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.lookup import ALIKE, MOST_LISTED, in_whole_words, matching, normalised
from astragal.table.fields.shapes import EitherShape, NumberShape, Shape, TextShape, choices_in
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.registry import MOST_MEANT

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
LONGEST_TYPO = 1
"""Most words without a meaning after a command's name that are taken for a mistake, rather than for something said."""
FEWEST_LETTERS = 2
"""Fewest letters of a word that is taken for the beginning of a command's name, and asked back."""
LEADING_IN = frozenset(
    {
        "i",
        "i'll",
        "i'd",
        "i'm",
        "we",
        "we'll",
        "we'd",
        "let",
        "let's",
        "lets",
        "me",
        "us",
        "want",
        "like",
        "need",
        "try",
        "going",
        "gonna",
        "am",
        "are",
        "will",
        "would",
        "shall",
        "should",
        "can",
        "could",
        "may",
        "must",
        "do",
        "does",
        "to",
        "please",
        "now",
        "then",
        "so",
        "ok",
        "okay",
        "well",
        "and",
        "hey",
        "my",
        "make",
    }
)
"""Words that people put before what they do: "I want to attack", "can we rest", "make camp"."""
FIRST_PERSON = frozenset({"i", "i'll", "i'd", "i'm", "i’ll", "i’d", "i’m", "we", "we'll"})
AFTER_A_VERB = frozenset(
    {
        "away",
        "back",
        "down",
        "for",
        "from",
        "her",
        "him",
        "in",
        "it",
        "me",
        "of",
        "off",
        "on",
        "out",
        "over",
        "that",
        "them",
        "this",
        "to",
        "up",
        "us",
        "with",
        "you",
    }
)
"""Words that make a sentence of a command's name: "carry on", "learn to swim"."""
ROLLING = frozenset({"roll", "throw", "dice", "rolls"})
DICE = re.compile(r"\(*[0-9]*d[0-9%]", re.IGNORECASE)
"""The beginning of dice notation."""
PUNCTUATION = ' \t"“”„«».,:;!?¡¿…'
LAST_ASCII = 127
LONGEST_UNKNOWN = 2
"""Most words of an unknown line whose first word is named in the refusal."""
WORD = re.compile(r'"([^"]*)"|(\S+?="[^"]*")|(\S+)')


class Reading(msgspec.Struct, frozen=True):
    """The command that a line means. A guess is put to the person before anything happens."""

    command: str
    fields: dict[str, Any]
    is_guess: bool = False

    def in_words(self, view: SeatView) -> str:
        """Return the command with its fields, for the question whether it is meant: "harm: who Kira, points 2"."""
        parts = [
            f"{field.label} {_value_in_words(view, field, self.fields[field.name])}".strip()
            for field in fields_of(view.book.command(self.command))
            if field.name in self.fields
        ]
        return f"{normalised(self.command)}: {', '.join(parts)}" if parts else normalised(self.command)


class NoCommand(BadCall):
    """A line means no command of this seat. It may have been said rather than commanded."""

    def __init__(self, sentence: str, *, may_be_said: bool = True) -> None:
        super().__init__(sentence)
        self.may_be_said = may_be_said


def understood(view: SeatView, line: str) -> Reading:
    """Read a line as a command. Whole words only: a command by its name is certain, anything else a guess.

    Raises `NoCommand` if the words are in no command, or in one that is another role's.
    """
    words = split(line)
    named = named_command(view.commands, words)
    if named is not None:
        return _read_named(view, line, words, named)
    if words and (rolled := _free_roll(view, words)):
        return rolled
    another = named_command(view.book.commands, words)
    if another is not None:
        sentence = _whose(view, another.kind)
        raise NoCommand(sentence, may_be_said=len(words) > another.length)
    guesses = _guesses(view, line, words)
    if len(guesses) == 1:
        return guesses[0]
    if guesses:
        listed = " or ".join(normalised(guess.command) for guess in guesses)
        raise NoCommand(f"{line.strip()!r} could be {listed}. Begin with the one that you mean.")
    theirs = [name for name in view.book.commands if _is_everyday_word(view, name, words)]
    if theirs and not any(name in view.commands for name in theirs):
        raise NoCommand(_whose(view, view.book.commands[theirs[0]]))
    raise NoCommand(_unknown(view, words), may_be_said=_says_something(line))


def _read_named(view: SeatView, line: str, words: Sequence[str], named: NamedCommand) -> Reading:
    """Read a line that begins with a command's name."""
    kind, rest = named.kind, list(words[named.length :])
    name = kind_of_command(kind).name
    if _is_speech(kind):  # with the quotes in it
        text = line.strip().split(maxsplit=named.length)[-1] if len(rest) > 1 else "".join(rest)
        return Reading(name, completed(view, kind, {}, [text]))
    values, loose = fields_and_rest(kind, rest)
    sentence = _Sentence(kind, Lexicon(view), dict(values))
    try:
        sentence.read(loose)
    except NoCommand:
        raise
    except BadCall as fault:
        raise NoCommand(str(fault), may_be_said=named.length == 1 and len(loose) > LONGEST_TYPO) from fault
    fields = _with_actor(sentence, view.state, view.seat)
    is_bare = not sentence.has_met and not values
    is_talk = is_bare and named.length == 1 and bool(loose) and _goes_on_as_talk(kind, fields, loose[0])
    is_cry = is_bare and not loose and line.rstrip().endswith("!")
    is_doubtful = sentence.has_guessed or is_talk or is_cry or _is_question(line, fields)
    return Reading(name, fields, is_guess=is_doubtful and _is_whole(view, name, fields))


def _goes_on_as_talk(kind: type, fields: Mapping[str, Any], word: str) -> bool:
    """Return whether this word after a command's name rather makes a sentence: "carry on", "describe the room"."""
    has_text = any(field.is_free_text and field.name in fields for field in fields_of(kind))
    return word.casefold() in AFTER_A_VERB or (has_text and word.casefold() in ARTICLES)


def _is_question(line: str, fields: Mapping[str, Any]) -> bool:
    """Return whether a line asks something, rather than commands that something is asked."""
    return line.rstrip().endswith("?") and not any(str(value).endswith("?") for value in fields.values())


def _is_whole(view: SeatView, command: str, fields: Mapping[str, Any]) -> bool:
    """Return whether a command lacks nothing. If it does, the table refuses it and says what."""
    try:
        parse.understood(view.book, view.state, view.viewer, (command, fields), lambda: view.state)
    except Refusal:
        return False
    return True


def said_aloud(view: SeatView, line: str) -> Reading:
    """Read a line that is no command as something said, or as what a hero does, where a game has a command for that."""
    words = split(line)
    if words and bare(words[0]) in FIRST_PERSON and len(view.viewer.characters) == 1:
        for name in view.ruleset.at_hand.heroes:
            kind = view.commands.get(name)
            if kind is None or _rolls(view, name):
                continue
            needed = [field for field in fields_of(kind) if field.required]
            if [field.name == kind_of_command(kind).actor for field in needed] == [True, False] and needed[
                1
            ].is_free_text:
                return Reading(name, {needed[0].name: min(view.viewer.characters), needed[1].name: line})
    return Reading("say", {"words": line})


def _free_roll(view: SeatView, words: Sequence[str]) -> Reading | None:
    """Read "2d6+3" or "roll 2d6+3 for the door" as a roll of free dice."""
    rest = words[1:] if normalised(words[0]) in ROLLING else words
    if ROLL_DICE not in view.commands or not rest or not DICE.match(rest[0]):
        return None
    notation = " ".join(rest).partition("#")
    return Reading(ROLL_DICE, {"notation": notation[0].strip(), "label": notation[2].strip()})


def _unknown(view: SeatView, words: Sequence[str]) -> str:
    """Return the sentence that no command begins like this, with those that are near."""
    everyday = list(_everyday(view, words, _leading(words)))[:MOST_MEANT]
    first = bare(words[0]) if words else ""
    near = f" Did you mean {' or '.join(everyday)}?" if everyday else view.book.meant(first, view.commands)
    if len(words) > LONGEST_UNKNOWN and not near:
        return "That is no command. ? lists what you can do."
    unknown = first if any(map(str.isalnum, first)) else " ".join(words)
    return f"I don't know {unknown!r} here.{near} ? lists what you can do."


def _whose(view: SeatView, kind: type) -> str:
    """Return the sentence that says whose command this is."""
    try:
        kind_of_command(kind).check_role(view.viewer)
    except NotAllowed as refusal:
        return refusal.sentence
    raise AssertionError(kind)


def _says_something(line: str) -> bool:
    """Return whether there is more in a line than punctuation."""
    return any(letter.isalnum() or ord(letter) > LAST_ASCII for letter in line)


# ---------------------------------------------------------------- commands by their names, and guesses


class NamedCommand(msgspec.Struct, frozen=True):
    """A command, and how many words of a line named it."""

    kind: type
    length: int


def named_command(commands: Mapping[str, type], words: Sequence[str]) -> NamedCommand | None:
    """Find the command with the longest name at the start of these words: whole words, in any case.

    An article inside makes no difference: "start a clock" is `start_clock`.
    """
    names = {normalised(name): kind for name, kind in commands.items()}
    for length in range(min(LONGEST_PHRASE, len(words)), 0, -1):
        inside = [word for word in words[1 : length - 1] if word.casefold() not in ARTICLES]
        last = words[length - 1 : length] if length > 1 else []
        phrase = bare(" ".join([words[0], *inside, *last]))
        if phrase in names:
            return NamedCommand(names[phrase], length)
    return None


def bare(phrase: str) -> str:
    """Normalise a phrase, without quotes and punctuation around it."""
    return normalised(phrase.strip(PUNCTUATION))


def _guesses(view: SeatView, line: str, words: Sequence[str]) -> list[Reading]:
    """Return the commands that a line may mean, though it does not begin with the name of one.

    "I want to attack …" has a name after words that lead in, "hit …" begins with an everyday word, "atack …" and
    "start …" with a name that is spelled or ended otherwise. An everyday word for one roll, with all that the roll
    needs, is no guess.
    """
    leading = _leading(words)
    named: dict[str, int] = {}
    for start in range(1, leading + 1):
        command = named_command(view.commands, words[start:])
        if command is not None:
            named[kind_of_command(command.kind).name] = start + command.length
    if readings := _complete(view, words, named):
        return readings
    everyday = _everyday(view, words, leading)
    readings = _complete(view, words, everyday)
    if len(readings) == 1 and _is_plain_roll(view, line, words, readings[0]):
        return [msgspec.structs.replace(readings[0], is_guess=False)]
    if readings:
        return readings
    misspelled = {} if everyday else _alike(view, words)
    return _complete(view, words, misspelled or _begun(view, words))


def _rolls(view: SeatView, command: str) -> bool:
    action = view.book.actions.get(command)
    return action is not None and action.gather is not None


def _leading(words: Sequence[str]) -> int:
    """Return how many words at the start only lead in: the two of "I want …"."""
    return next((place for place, word in enumerate(words) if bare(word) not in LEADING_IN), len(words))


def _everyday(view: SeatView, words: Sequence[str], leading: int) -> dict[str, int]:
    """Return the commands that the first words are everyday words for, with how many words lead to each."""
    everyday: dict[str, int] = {}
    for start in range(leading + 1):
        for length in range(min(LONGEST_PHRASE, len(words) - start), 0, -1):
            phrase = bare(" ".join(words[start : start + length]))
            for name in view.commands:
                if phrase in map(normalised, view.book.everyday(name)):
                    everyday.setdefault(name, start + length)
    return everyday


def _is_plain_roll(view: SeatView, line: str, words: Sequence[str], reading: Reading) -> bool:
    """Return whether an everyday word at the very start asks for a roll of what the other words name: "hit guard"."""
    at_the_start = reading.command in _everyday(view, words, 0)
    return _rolls(view, reading.command) and at_the_start and len(words) > 1 and line[-1:] not in "?!"


def _alike(view: SeatView, words: Sequence[str]) -> dict[str, int]:
    """Return the commands whose names are spelled much like the first words."""
    alike: dict[str, int] = {}
    for name in view.commands:
        parts = normalised(name).split()
        typed_parts = [bare(word) for word in words[: len(parts)]]
        initials = [part[:1] for part in typed_parts] == [part[0] for part in parts]
        if initials and get_close_matches(" ".join(typed_parts), [" ".join(parts)], 1, ALIKE):
            alike[name] = len(parts)
    return alike


def _begun(view: SeatView, words: Sequence[str]) -> dict[str, int]:
    """Return the commands whose names begin with the first word."""
    first = bare(words[0]) if words else ""
    if len(first) < FEWEST_LETTERS:
        return {}
    return {name: 1 for name in view.commands if normalised(name).startswith(first)}


def _complete(view: SeatView, words: Sequence[str], candidates: Mapping[str, int]) -> list[Reading]:
    """Return those of the candidates that understand every other word of the line, and lack nothing."""
    readings = []
    for name, length in candidates.items():
        kind, rest = view.book.command(name), words[length:]
        if _is_speech(kind):  # it would take any words
            continue
        try:
            values, loose = fields_and_rest(kind, rest)
            sentence = _Sentence(kind, Lexicon(view), dict(values))
            sentence.read(loose)
            fields = _with_actor(sentence, view.state, view.seat)
        except BadCall:
            continue
        is_meant = not rest or values or (sentence.has_met and not sentence.has_guessed)
        if is_meant and _is_whole(view, name, fields):
            readings.append(Reading(name, fields, is_guess=True))
    return readings


def _is_everyday_word(view: SeatView, command: str, words: Sequence[str]) -> bool:
    """Return whether a whole line is what people call this command, after words that lead in: "make camp" is a rest."""
    leading = _leading(words)
    everyday = set(map(normalised, view.book.everyday(command)))
    return any(bare(" ".join(words[start:])) in everyday for start in range(leading + 1))


def _value_in_words(view: SeatView, field: Field, value: Any) -> str:
    """Return a field's value, by the label of what it names."""
    labels = view.things(field.names or "") or {}
    if isinstance(value, (list, tuple)):
        return " and ".join(labels.get(str(part), value_words(part)) for part in value)
    return labels.get(str(value), value_words(value))


def completed(view: SeatView, kind: type, values: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Complete the fields of a command: those that are known already, and those that the words mean."""
    sentence = _Sentence(kind, Lexicon(view), dict(values))
    if _is_speech(kind) and words and sentence.open[:1] == list(fields_of(kind)[:1]):
        return {**values, fields_of(kind)[0].name: " ".join(words)}
    sentence.read(words)
    return _with_actor(sentence, view.state, view.seat)


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


@dataclass
class _Sentence:
    """A command being put together from words."""

    kind: type
    lexicon: Lexicon
    values: dict[str, Any] = field(default_factory=dict)
    people: list[str] = field(default_factory=list)
    """Characters in the order in which they were named."""
    loose: list[str] = field(default_factory=list)
    """Words without a meaning of their own, which may be free text."""

    has_met: bool = False
    """True if a word means something at this table: a person, a thing, a choice, a number."""
    has_guessed: bool = False
    """True if a name was cut short: "gu" for Guard."""

    def __post_init__(self) -> None:
        self.known_before = len(self.values)

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


def _is_speech(kind: type) -> bool:
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
