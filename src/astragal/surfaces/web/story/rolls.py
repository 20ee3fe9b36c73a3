"""A roll as its card shows it: the sentences, and the dice of each side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

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
    """How a game presents a roll; one that does not say is named by its command."""
    actor = kind_of_command(action.command).actor
    named = in_words(action.name)
    return action.card or RollCard(title=f"{{{actor}}}: {named.lower()}" if actor else named, short=named)


def card_named(book: Book, command: str) -> RollCard:
    """The same, by the name of a command that may be gone."""
    action = book.actions.get(command)
    return card_of(action) if action else RollCard(title=in_words(command), short=in_words(command))


def known_in(fields: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Words and numbers in nested fields, by name; the outermost of a name counts."""
    found = {name: value for name, value in fields.items() if isinstance(value, (str, int)) and value != ""}
    if depth < DEEPEST:
        for value in fields.values():
            if isinstance(value, dict):
                found = known_in(value, depth + 1) | found
    return found


def faces_in(said: Sentences, state: State) -> tuple[Face, ...]:
    """The faces of those who take part in a roll."""
    known = faces_of(state)
    return tuple(known[who] for who in said.people)


# ---------------------------------------------------------------- dice

MOST_DICE = 60
"""More are counted, not drawn."""
TWENTY = 20
SHAPES = (4, 6, 8, 10, 12, TWENTY)
KEPT, EXPLODED = "kept", "exploded"


@dataclass(frozen=True)
class DieShown:
    """A die as it lies on the table: a shape for its kind, a sign for what became of it."""

    sides: int
    face: int
    fate: str = KEPT
    counts: bool = False

    @property
    def shape(self) -> str:
        return f"d{self.sides}" if self.sides in SHAPES else "many"

    @property
    def is_extreme(self) -> bool:
        """Is it a 1 or a 20 that counts? Whether that is good, the game says."""
        return self.sides == TWENTY and self.face in (1, TWENTY) and self.fate == KEPT

    @property
    def words(self) -> str:
        """For whoever can't see it."""
        said = [] if self.fate == KEPT else [self.fate]
        return ", ".join([f"d{self.sides}: {self.face}", *said, *(["counts"] if self.counts else [])])


@dataclass(frozen=True)
class Throw:
    """The dice of one side: each with those that it brought."""

    chains: tuple[tuple[DieShown, ...], ...]
    who: str = ""
    note: str = ""
    left_out: int = 0

    @property
    def dice(self) -> tuple[DieShown, ...]:
        return tuple(die for chain in self.chains for die in chain)

    @property
    def is_one_die(self) -> bool:
        """A single large die, or the one of two that counts."""
        return all(die.sides == TWENTY for die in self.dice) and len(self.dice) <= 2


def thrown(
    dice: Sequence[Mapping[str, Any]], card: RollCard, sides: Sequence[tuple[str, Any]] = ()
) -> tuple[Throw, ...]:
    """Lay out dice in the order in which they fell. `sides` are names, each with that side's roll where it is told."""
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
    # Two dice where one helps or hinders, as a side's roll says; None where that is not told.
    footings = [roll.get("footing") if isinstance(roll, Mapping) else None for _, roll in sides]
    parts = _apart(shown, [None if one is None else 1 if one == "level" else 2 for one in footings])
    if parts is None or len(sides) < 2:
        names = sides[0][0] if len(sides) == 1 else ""
        return (_throw(shown, names),) if shown else ()
    return tuple(_throw(part, name) for part, (name, _) in zip(parts, sides, strict=True) if part)


def _sixes(chain: Sequence[int]) -> tuple[DieShown, ...]:
    """A chain of sixes, as a game tells it."""
    return tuple(DieShown(6, face, EXPLODED if place < len(chain) else KEPT) for place, face in enumerate(chain, 1))


def _throw(dice: Sequence[DieShown], who: str) -> Throw:
    first = dice[:MOST_DICE]
    brought = sum(die.fate == EXPLODED for die in first)
    together = chains(iter(first), len(first) - brought, lambda die: die.fate == EXPLODED)
    return Throw(tuple(map(tuple, together)), who, left_out=len(dice) - len(first))


def _apart(dice: list[DieShown], counts: Sequence[int | None]) -> list[list[DieShown]] | None:
    """The dice of each side; None where it can't be told whose a die is."""
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
