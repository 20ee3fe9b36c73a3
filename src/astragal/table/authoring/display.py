"""Display pieces: a small vocabulary for sheets, boards and cards. Surfaces lay it out without knowing the game."""

import re
from enum import Enum
from typing import Any, TypeAlias

from msgspec import Struct

from astragal.wording import capitalised, signed

__all__ = [
    "AtHand",
    "Choices",
    "DiceRow",
    "Hand",
    "OfferWords",
    "Piece",
    "Pips",
    "Proposal",
    "RollCard",
    "Score",
    "Tags",
    "Tone",
    "Track",
    "Went",
    "capitalised",
    "signed",
]


class Score(Struct, frozen=True):
    """A number to act with. A click on it opens the form of `command`, with these fields filled in."""

    label: str
    value: int
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


class Pips(Struct, frozen=True):
    """Points that are held and spent: `now` of `most`. A click on them opens the form of `command`, if there is one."""

    label: str
    now: int
    most: int
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


class Track(Struct, frozen=True):
    """A track that fills up, with a word for each step."""

    label: str
    now: int
    steps: tuple[str, ...]
    dire: bool = True
    """True if it is worse the fuller it is."""


class DiceRow(Struct, frozen=True):
    """Dice in hand, and the most there can be. A click on them opens the form of `command`, if there is one."""

    label: str
    dice: int
    sides: int
    most: int | None = None
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


class Tags(Struct, frozen=True):
    """Words that apply to someone: states, gear, aspects.

    If commands can name them, `names` has the name for each of the words, and `fills` the fields that take it.
    """

    label: str
    words: tuple[str, ...]
    names: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()


class Hand(Struct, frozen=True):
    """A pool of dice, by the terms that it is made of."""

    label: str
    terms: tuple[tuple[str, int], ...]


class Choices(Struct, frozen=True):
    """A table of things to choose from, each with its meaning."""

    label: str
    rows: tuple[tuple[str, str], ...]


class AtHand(Struct, frozen=True):
    """Commands on the cards of heroes and of other characters, the usual ones first.

    Commands that don't fit a seat or a character are left out. If a character could fill several fields of a command,
    the field is named: `prompt_reaction.by`.
    """

    heroes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    instead: tuple[tuple[str, str], ...] = ()
    """Commands that a sheet asks for, each with the one that it asks a game master for instead."""

    @property
    def commands(self) -> frozenset[str]:
        return frozenset(command.partition(".")[0] for command in (*self.heroes, *self.others))


class Proposal(Struct, frozen=True):
    """Something that a game master could do now: a command, with these fields filled in.

    `about` is the reason for it; proposals for the same reason must be adjacent, so that they are shown together. With
    `who` it waits for that character, and so for their player.
    """

    about: str
    label: str
    command: str
    fields: tuple[tuple[str, Any], ...] = ()
    doc: str = ""
    who: str | None = None


class Tone(Enum):
    """Tone of a result: good or bad for the one who acted."""

    GOOD = "good"
    MIXED = "mixed"
    EVEN = "even"
    """Neither good nor bad: a number, whose meaning the roller knows."""
    BAD = "bad"


class Went(Struct, frozen=True):
    """Result of an event, in a few words for a headline."""

    tone: Tone
    words: str


class OfferWords(Struct, frozen=True, kw_only=True):
    """Words for a notable answer to an offer, in parts that a card lays out; other surfaces join them to a sentence."""

    gets: str
    """What it brings."""
    pays: str = ""
    leaves: str = ""
    """How much is left after paying."""
    later: str = ""
    """What it costs later."""
    title: str = ""
    """Its name, if nothing is paid."""

    @property
    def sentence(self) -> str:
        """“3 Luck: success, margin 0. 5 left; Luck tests fall from 40 % to 25 %.”"""
        answer = ": ".join(part for part in (self.pays or self.title, self.gets) if part)
        consequences = "; ".join(part for part in (self.leaves, self.later) if part)
        return f"{answer}. {consequences}." if consequences else answer


IN_BRACES = re.compile(r"{([\w|]+)}")
"""A field in a sentence of a card, or several, of which the first known one is used: {skill|pool}."""


def names_in_braces(text: str) -> list[str]:
    """List the fields that a sentence of a card names, alternatives (`{skill|pool}`) one by one."""
    names: list[str] = []
    for alternatives in IN_BRACES.findall(text):
        names += alternatives.split("|")
    return names


class RollCard(Struct, frozen=True, kw_only=True):
    """Presentation of a roll, declared with its command: its card, from the request for the roll to the result.

    `title` is a sentence, `short` replaces it while a field in it is not known, and `notes` are parts of the line
    below. Each names fields in braces, which come from the command, from the request for it, or from its events; a word
    that is no field is a term of the skin. Anyone who may see the roll may see these fields.
    """

    title: str
    short: str
    notes: tuple[str, ...] = ()
    hopes: str = "to succeed"
    """What the chance is for, shown beside the number."""
    verb: str = "Roll"
    """Label of the button; in braces, a part of the roll by its name in the game's breakdown."""
    target: str = ""
    """The field that names the target. It is chosen first, and is never the actor."""
    choose: tuple[str, ...] = ()
    """Further fields that are always shown. All others are behind “change…”."""
    usual: tuple[tuple[str, Any], ...] = ()
    """Initial values of a new card."""
    unless: tuple[str, ...] = ()
    """Fields that say the same in another way: if one of them is given, the `usual` values are not."""
    words: tuple[tuple[str, str], ...] = ()
    """Fields that hold someone's words, each with the default for when nothing is said."""
    sides: tuple[tuple[str, str], ...] = ()
    """Sides in the order in which their dice fall: the field that names each, and the event's field with its roll."""
    side: str = ""
    """Line below a side's dice, with fields of that side's roll in braces."""
    counts: int | None = None
    """The lowest face that counts, if faces are counted."""
    spends: str = ""
    """The term for points that can be spent on the roll, before it or after."""

    @property
    def fields(self) -> frozenset[str]:
        """The fields that its sentences name."""
        return frozenset(name for text in (self.title, self.short, *self.notes) for name in names_in_braces(text))


Piece: TypeAlias = Score | Pips | Track | DiceRow | Tags | Hand | Choices
