"""The small vocabulary in which a ruleset describes what stands on its table. Surfaces lay it out, and know no game."""

import re
from enum import Enum
from typing import Any, TypeAlias

from astragal.values import frozen
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


@frozen
class Score:
    """A number one acts with. `command` is what a click on it asks for, with these fields filled in."""

    label: str
    value: int
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


@frozen
class Pips:
    """Something held and spent: so many of so many. A click on it asks for `command`, where it has one."""

    label: str
    now: int
    most: int
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


@frozen
class Track:
    """Something that fills up, with a word for each step."""

    label: str
    now: int
    steps: tuple[str, ...]
    dire: bool = True
    """Is it the worse, the fuller it is?"""


@frozen
class DiceRow:
    """So many dice in hand, of as many as there can be. A click on it asks for `command`, where it has one."""

    label: str
    dice: int
    sides: int
    most: int | None = None
    doc: str = ""
    command: str | None = None
    fields: tuple[tuple[str, Any], ...] = ()


@frozen
class Tags:
    """Words that hold for someone: states, gear, aspects.

    What commands can name is in `names`, one for each of the words, and the fields that take such a name in `fills`.
    """

    label: str
    words: tuple[str, ...]
    names: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()


@frozen
class Hand:
    """Dice that come together term by term."""

    label: str
    terms: tuple[tuple[str, int], ...]


@frozen
class Choices:
    """A table of things to choose from: each with what it means."""

    label: str
    rows: tuple[tuple[str, str], ...]


@frozen
class AtHand:
    """Commands on the cards of heroes and of others, the usual first. Those that don't fit a seat or a person are left
    out; where somebody could be in several fields, the field is named: `prompt_reaction.by`.
    """

    heroes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    instead: tuple[tuple[str, str], ...] = ()
    """Commands that sheets ask for, each with the one that they ask the game master for in its place."""

    @property
    def commands(self) -> frozenset[str]:
        return frozenset(one.partition(".")[0] for one in (*self.heroes, *self.others))


@frozen
class Proposal:
    """Something that a game master could do now: a command, with these fields filled in.

    `about` is what calls for it; what belongs to one matter follows one another. With `who` it waits for that
    character, and so for whoever plays them.
    """

    about: str
    label: str
    command: str
    fields: tuple[tuple[str, Any], ...] = ()
    doc: str = ""
    who: str | None = None


class Tone(Enum):
    """Whether something went well, for whoever did it."""

    GOOD = "good"
    MIXED = "mixed"
    EVEN = "even"
    """Neither: a number, and whoever rolled it knows what it means."""
    BAD = "bad"


@frozen
class Went:
    """Result of something, in the few words that a headline has room for."""

    tone: Tone
    words: str


@frozen(kw_only=True)
class OfferWords:
    """A notable answer to an offer, in the parts that a card sets apart; the other surfaces say them as a sentence."""

    gets: str
    """What comes of it."""
    pays: str = ""
    leaves: str = ""
    """How much is left of what is paid."""
    later: str = ""
    """What it costs later."""
    title: str = ""
    """What it is called, where nothing is paid."""

    @property
    def sentence(self) -> str:
        """“3 Luck: success, margin 0. 5 left; Luck tests fall from 40 % to 25 %.”"""
        head = ": ".join(part for part in (self.pays or self.title, self.gets) if part)
        after = "; ".join(part for part in (self.leaves, self.later) if part)
        return f"{head}. {after}." if after else head


IN_BRACES = re.compile(r"{([\w|]+)}")
"""A field in a sentence of a card, or several of which the first that is known counts: {skill|pool}."""


@frozen(kw_only=True)
class RollCard:
    """Presentation of a roll, declared beside its command: what its card says from being asked for to being told.

    `title` is a sentence, `short` stands for it while something in it is not known, and `notes` are parts of the line
    below. Each names the command's fields in braces, which come from the command, from the request for it, or from what
    it told; a word that is no field is a term of the skin. Whoever may see the roll may see these fields.
    """

    title: str
    short: str
    notes: tuple[str, ...] = ()
    hopes: str = "to succeed"
    """What the chance is for, as it stands beside the number."""
    verb: str = "Roll"
    """The words on the button; in braces, a part of the roll by the name that the game's breakdown has for it."""
    target: str = ""
    """The field that names whom it is done to: chosen first, and never whoever acts."""
    choose: tuple[str, ...] = ()
    """Further fields that are always in view. All others are behind “change…”."""
    usual: tuple[tuple[str, Any], ...] = ()
    """What a fresh card begins with."""
    unless: tuple[str, ...] = ()
    """Fields that say the same in another way: where one of them is given, what is usual is not."""
    words: tuple[tuple[str, str], ...] = ()
    """Fields that hold somebody's words, each with what is said where nobody says anything."""
    sides: tuple[tuple[str, str], ...] = ()
    """Whose dice fall, in this order: the field that names them, and the part of the told event that is their roll."""
    side: str = ""
    """The words below a side's dice, with fields of that side's roll."""
    counts: int | None = None
    """The least face that counts, where faces are counted."""
    spends: str = ""
    """The term for what can be spent on the roll, before it or after."""

    @property
    def fields(self) -> frozenset[str]:
        """The fields that its sentences name."""
        named = (name for text in (self.title, self.short, *self.notes) for name in IN_BRACES.findall(text))
        return frozenset(one for name in named for one in name.split("|"))


Piece: TypeAlias = Score | Pips | Track | DiceRow | Tags | Hand | Choices
