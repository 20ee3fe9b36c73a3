"""Readings of a line: the command that it means, or one that it may mean, which is asked before it is done.

Only whole words act: a command by its name, or a roll by an everyday word for it with all that the roll needs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.fields import fields_and_rest
from astragal.surfaces.cli.play.plain_words import ARTICLES, LONGEST_PHRASE, completed, filled, is_speech, split
from astragal.surfaces.shared.words import value_words
from astragal.table.chapters.chat import ROLL_DICE
from astragal.table.declarations import kind_of_command
from astragal.table.fields import parse
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.lookup import ALIKE, normalised
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.registry import MOST_MEANT

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.fields.definitions import Field

LONGEST_TYPO = 1
"""Most words without a meaning after a command's name that are taken for a mistake, rather than for something said."""
FEWEST_LETTERS = 2
"""Fewest letters of a word that is taken for the beginning of a command's name, and asked back."""
# fmt: off
LEADING_IN = frozenset({
    "i", "i'll", "i'd", "i'm", "we", "we'll", "we'd", "let", "let's", "lets", "me", "us", "my",
    "want", "like", "need", "try", "going", "gonna", "make",
    "am", "are", "will", "would", "shall", "should", "can", "could", "may", "must", "do", "does", "to",
    "please", "now", "then", "so", "ok", "okay", "well", "and", "hey",
})
# fmt: on
"""Words that people put before what they do: "I want to attack", "can we rest", "make camp"."""
FIRST_PERSON = frozenset({"i", "i'll", "i'd", "i'm", "we", "we'll"})
# fmt: off
AFTER_A_VERB = frozenset({
    "away", "back", "down", "for", "from", "in", "of", "off", "on", "out", "over", "to", "up", "with",
    "her", "him", "it", "me", "that", "them", "this", "us", "you",
})
# fmt: on
"""Words that make a sentence of a command's name: "carry on", "learn to swim"."""
ROLLING = frozenset({"roll", "throw", "dice", "rolls"})
DICE = re.compile(r"\(*[0-9]*d[0-9%]", re.IGNORECASE)
"""The beginning of dice notation."""
WHAT_FOR = re.compile(r"#|\bfor\b", re.IGNORECASE)
"""Between dice and what they are rolled for."""
PUNCTUATION = ' \t"“”„«».,:;!?¡¿…'
LAST_ASCII = 127
LONGEST_UNKNOWN = 2
"""Most words of an unknown line whose first word is named in the refusal."""


class Reading(msgspec.Struct, frozen=True):
    """The command that a line means. A guess is put to the person before anything happens."""

    command: str
    fields: dict[str, Any]
    is_guess: bool = False

    def in_words(self, view: SeatView) -> str:
        """Return the command with its fields, for the question whether it is meant: "harm: who Kira, points 2"."""
        parts: list[str] = []
        for field in fields_of(view.book.command(self.command)):
            if field.name in self.fields:
                value = _value_in_words(view, field, self.fields[field.name])
                parts.append(f"{field.label} {value}".strip())
        command = normalised(self.command)
        return f"{command}: {', '.join(parts)}" if parts else command


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
    visible = named_command(view.commands, words)
    if visible is not None:
        return _read_named(view, line, words, visible)
    if words and (rolled := _free_roll(view, words)):
        return rolled
    hidden = named_command(view.book.commands, words)
    if hidden is not None:
        sentence = _whose(view, hidden.kind)
        raise NoCommand(sentence, may_be_said=len(words) > hidden.length)
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


def _read_named(view: SeatView, line: str, words: Sequence[str], command: NamedCommand) -> Reading:
    """Read a line that begins with a command's name."""
    kind = command.kind
    arguments = list(words[command.length :])
    name = kind_of_command(kind).name
    if is_speech(kind):  # with the quotes in it
        text = line.strip().split(maxsplit=command.length)[-1] if len(arguments) > 1 else "".join(arguments)
        return Reading(name, completed(view, kind, {}, [text]))
    values, loose = fields_and_rest(kind, arguments)
    try:
        reading = filled(view, kind, values, loose)
    except BadCall as fault:
        raise NoCommand(str(fault), may_be_said=command.length == 1 and len(loose) > LONGEST_TYPO) from fault
    is_bare = not reading.has_met and not values
    is_talk = is_bare and command.length == 1 and bool(loose) and _goes_on_as_talk(kind, reading.fields, loose[0])
    is_cry = is_bare and not loose and line.rstrip().endswith("!")
    is_doubtful = reading.has_guessed or is_talk or is_cry or _is_question(line, reading.fields)
    return Reading(name, reading.fields, is_guess=is_doubtful and _is_whole(view, name, reading.fields))


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
            actor = kind_of_command(kind).actor
            required = [field for field in fields_of(kind) if field.required and field.name != actor]
            if actor and len(required) == 1 and required[0].is_free_text:
                return Reading(name, {actor: min(view.viewer.characters), required[0].name: line})
    return Reading("say", {"words": line})


def _free_roll(view: SeatView, words: Sequence[str]) -> Reading | None:
    """Read "2d6+3" or "roll 2d6+3 for the door" as a roll of free dice."""
    arguments = words[1:] if normalised(words[0]) in ROLLING else words
    if ROLL_DICE not in view.commands or not arguments or not DICE.match(arguments[0]):
        return None
    notation, *label = WHAT_FOR.split(" ".join(arguments), maxsplit=1)
    return Reading(ROLL_DICE, {"notation": notation.strip(), "label": "".join(label).strip()})


def _unknown(view: SeatView, words: Sequence[str]) -> str:
    """Return the sentence that no command begins like this, with those that are near."""
    first = bare(words[0]) if words else ""
    commands = list(_everyday(view, words, _leading(words)))[:MOST_MEANT]
    if commands:
        near = f" Did you mean {' or '.join(commands)}?"
    else:
        near = view.book.meant(first, view.commands)
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
    return normalised(phrase.replace("’", "'").strip(PUNCTUATION)).strip()


def _guesses(view: SeatView, line: str, words: Sequence[str]) -> list[Reading]:
    """Return the commands that a line may mean, though it does not begin with the name of one.

    "I want to attack …" has a name after words that lead in, "hit …" begins with an everyday word, "atack …" and
    "start …" with a name that is spelled or ended otherwise. An everyday word for one roll, with all that the roll
    needs, is no guess.
    """
    leading = _leading(words)
    counts: dict[str, int] = {}
    for start in range(1, leading + 1):
        command = named_command(view.commands, words[start:])
        if command is not None:
            counts[kind_of_command(command.kind).name] = start + command.length
    if readings := _complete(view, words, counts):
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
    for place, word in enumerate(words):
        if bare(word) not in LEADING_IN:
            return place
    return len(words)


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
        has_its_initials = [part[:1] for part in typed_parts] == [part[0] for part in parts]
        if has_its_initials and get_close_matches(" ".join(typed_parts), [" ".join(parts)], 1, ALIKE):
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
        kind = view.book.command(name)
        arguments = words[length:]
        if is_speech(kind):  # it would take any words
            continue
        try:
            values, loose = fields_and_rest(kind, arguments)
            reading = filled(view, kind, values, loose)
        except BadCall:
            continue
        is_meant = not arguments or values or (reading.has_met and not reading.has_guessed)
        if is_meant and _is_whole(view, name, reading.fields):
            readings.append(Reading(name, reading.fields, is_guess=True))
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
