"""Presentation of a roll on its card: the sentences, and the dice of each side."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct

from astragal.chance.dice import chains
from astragal.surfaces.web.table.pictures import Face, faces_of
from astragal.table.authoring.chapter import Action
from astragal.table.authoring.display import RollCard
from astragal.table.authoring.sentences import Sentences
from astragal.table.declarations import kind_of_command
from astragal.table.registry import Book
from astragal.table.state.table import State
from astragal.wording import in_words

DEEPEST = 3


def card_of(action: Action[Any, Any]) -> RollCard:
    """Return the game's presentation of a roll; the default is a title made from the command's name."""
    actor = kind_of_command(action.command).actor
    named = in_words(action.name)
    return action.card or RollCard(title=f"{{{actor}}}: {named.lower()}" if actor else named, short=named)


def card_named(book: Book, command: str) -> RollCard:
    """Return the same by a command's name, even if the game has no such command any more."""
    action = book.actions.get(command)
    return card_of(action) if action else RollCard(title=in_words(command), short=in_words(command))


def known_in(fields: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Collect words and numbers from nested fields by name; of equal names, the outermost counts."""
    found = {name: value for name, value in fields.items() if isinstance(value, (str, int)) and value != ""}
    if depth < DEEPEST:
        for value in fields.values():
            if isinstance(value, dict):
                found = known_in(value, depth + 1) | found
    return found


def faces_in(said: Sentences, state: State) -> tuple[Face, ...]:
    """Return the faces of those who take part in a roll."""
    known = faces_of(state)
    return tuple(known[who] for who in said.people)


# ---------------------------------------------------------------- dice

MOST_DICE = 60
"""Dice beyond these are counted, not drawn."""
TWENTY = 20
SHAPES = (4, 6, 8, 10, 12, TWENTY)
KEPT, EXPLODED = "kept", "exploded"


class DieShown(Struct, frozen=True):
    """A die as it is drawn: its shape shows its kind, a sign its fate."""

    sides: int
    face: int
    fate: str = KEPT
    counts: bool = False

    @property
    def shape(self) -> str:
        return f"d{self.sides}" if self.sides in SHAPES else "many"

    @property
    def is_extreme(self) -> bool:
        """True for a kept 1 or 20 of a d20. The game says which of them is good."""
        return self.sides == TWENTY and self.face in (1, TWENTY) and self.fate == KEPT

    @property
    def words(self) -> str:
        """The die in words, for people who can't see it."""
        said = [] if self.fate == KEPT else [self.fate]
        return ", ".join([f"d{self.sides}: {self.face}", *said, *(["counts"] if self.counts else [])])


class Throw(Struct, frozen=True):
    """The dice of one side, each in a chain with the dice that it brought by exploding."""

    chains: tuple[tuple[DieShown, ...], ...]
    who: str = ""
    note: str = ""
    left_out: int = 0

    @property
    def dice(self) -> tuple[DieShown, ...]:
        return tuple(die for chain in self.chains for die in chain)

    @property
    def is_one_die(self) -> bool:
        """True for a single large die: one d20, or two of which one counts."""
        return all(die.sides == TWENTY for die in self.dice) and len(self.dice) <= 2


def thrown(
    dice: Sequence[Mapping[str, Any]], card: RollCard, sides: Sequence[tuple[str, Any]] = ()
) -> tuple[Throw, ...]:
    """Lay out dice in the order in which they fell. `sides` are names, each with that side's roll if it is known."""
    shown = [
        DieShown(
            die["sides"],
            die["face"],
            die["fate"],
            counts=card.counts is not None and die["face"] >= card.counts and die["fate"] in (KEPT, EXPLODED),
        )
        for die in dice
    ]
    told = [(name, roll) for name, roll in sides if isinstance(roll, Sequence) and roll]
    if told := [(name, roll) for name, roll in told if all(isinstance(one, (list, tuple)) for one in roll)]:
        return tuple(Throw(tuple(map(_sixes, roll)), name) for name, roll in told)
    # A side has two dice if its footing helps or hinders, by its roll; None if that is not known.
    footings = [roll.get("footing") if isinstance(roll, Mapping) else None for _, roll in sides]
    parts = _apart(shown, [None if one is None else 1 if one == "level" else 2 for one in footings])
    if parts is None or len(sides) < 2:
        names = sides[0][0] if len(sides) == 1 else ""
        return (_throw(shown, names),) if shown else ()
    return tuple(_throw(part, name) for part, (name, _) in zip(parts, sides, strict=True) if part)


def _sixes(chain: Sequence[int]) -> tuple[DieShown, ...]:
    """Return a chain of six-sided dice from the faces that a game's event has."""
    return tuple(DieShown(6, face, EXPLODED if place < len(chain) else KEPT) for place, face in enumerate(chain, 1))


def _throw(dice: Sequence[DieShown], who: str) -> Throw:
    first = dice[:MOST_DICE]
    brought = sum(die.fate == EXPLODED for die in first)
    together = chains(iter(first), len(first) - brought, lambda die: die.fate == EXPLODED)
    return Throw(tuple(map(tuple, together)), who, left_out=len(dice) - len(first))


def _apart(dice: list[DieShown], counts: Sequence[int | None]) -> list[list[DieShown]] | None:
    """Split dice by side; None if it can't be known whose a die is."""
    sides = len(counts)
    if sides < 2 or len(dice) < sides:
        return None
    if len(dice) in (sides, 2 * sides) and not any(die.fate == "rerolled" for die in dice):
        each = len(dice) // sides
        return [dice[start : start + each] for start in range(0, len(dice), each)]
    known = [count for count in counts if count is not None]
    if len(known) == sides and sum(known) == len(dice):
        starts = [sum(known[:number]) for number in range(sides + 1)]
        return [dice[start:end] for start, end in pairwise(starts)]
    return None
