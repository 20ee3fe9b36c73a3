"""Presentation of a roll on its card: the sentences, and the dice of each side."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

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

Fields: TypeAlias = Mapping[str, Any]
"""Fields of an event or a request by name. Each game decides what its fields hold, so their values have any type."""
DEEPEST = 3


def card_of(action: Action[Any, Any]) -> RollCard:
    """Return the game's presentation of a roll; the default is a title made from the command's name."""
    if action.card:
        return action.card
    name = in_words(action.name)
    actor = kind_of_command(action.command).actor
    title = f"{{{actor}}}: {name.lower()}" if actor else name
    return RollCard(title=title, short=name)


def card_named(book: Book, command: str) -> RollCard:
    """Return the same by a command's name, even if the game has no such command any more."""
    action = book.actions.get(command)
    return card_of(action) if action else RollCard(title=in_words(command), short=in_words(command))


def known_in(fields: Fields, depth: int = 0) -> dict[str, Any]:
    """Collect words and numbers from nested fields by name; of equal names, the outermost counts."""
    values = {name: value for name, value in fields.items() if isinstance(value, (str, int)) and value != ""}
    if depth < DEEPEST:
        for value in fields.values():
            if isinstance(value, dict):
                values = known_in(value, depth + 1) | values
    return values


def faces_in(sentences: Sentences, state: State) -> tuple[Face, ...]:
    """Return the faces of those who take part in a roll."""
    face_by_id = faces_of(state)
    return tuple(face_by_id[who] for who in sentences.people)


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
        parts = [f"d{self.sides}: {self.face}"]
        if self.fate != KEPT:
            parts.append(self.fate)
        if self.counts:
            parts.append("counts")
        return ", ".join(parts)


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


def thrown(dice: Sequence[Fields], card: RollCard, sides: Sequence[tuple[str, Any]] = ()) -> tuple[Throw, ...]:
    """Lay out dice in the order in which they fell. `sides` are names, each with that side's roll if it is known.

    A roll is a mapping with the numbers that the game keeps of it, or the faces of each chain of six-sided dice.
    """
    chains_by_side = [(name, roll) for name, roll in sides if _is_of_chains(roll)]
    if chains_by_side:
        return tuple(Throw(tuple(map(_sixes, faces)), name) for name, faces in chains_by_side)
    dice_shown = [_die_shown(die, card) for die in dice]
    if len(sides) > 1:
        dice_by_side = _apart(dice_shown, [_number_of_dice(roll) for _, roll in sides])
        if dice_by_side is not None:
            sides_with_dice = zip(dice_by_side, sides, strict=True)
            return tuple(_throw(own_dice, name) for own_dice, (name, _) in sides_with_dice if own_dice)
    if not dice_shown:
        return ()
    name = sides[0][0] if len(sides) == 1 else ""
    return (_throw(dice_shown, name),)


def _is_of_chains(roll: object) -> bool:
    """Return whether a side's roll is a list of chains of dice, and not empty."""
    return isinstance(roll, Sequence) and bool(roll) and all(isinstance(chain, (list, tuple)) for chain in roll)


def _die_shown(die: Fields, card: RollCard) -> DieShown:
    counts = card.counts is not None and die["face"] >= card.counts and die["fate"] in (KEPT, EXPLODED)
    return DieShown(die["sides"], die["face"], die["fate"], counts=counts)


def _number_of_dice(roll: object) -> int | None:
    """Return how many dice a side rolled: two if its footing helps or hinders it; None if that is not known."""
    footing = roll.get("footing") if isinstance(roll, Mapping) else None
    if footing is None:
        return None
    return 1 if footing == "level" else 2


def _sixes(chain: Sequence[int]) -> tuple[DieShown, ...]:
    """Return a chain of six-sided dice from the faces that a game's event has."""
    exploded = [DieShown(6, face, EXPLODED) for face in chain[:-1]]
    last = [DieShown(6, face, KEPT) for face in chain[-1:]]
    return (*exploded, *last)


def _throw(dice: Sequence[DieShown], who: str) -> Throw:
    drawn_dice = dice[:MOST_DICE]
    explosions = sum(die.fate == EXPLODED for die in drawn_dice)
    dice_chains = chains(iter(drawn_dice), len(drawn_dice) - explosions, lambda die: die.fate == EXPLODED)
    return Throw(tuple(map(tuple, dice_chains)), who, left_out=len(dice) - len(drawn_dice))


def _apart(dice: list[DieShown], counts: Sequence[int | None]) -> list[list[DieShown]] | None:
    """Split dice by side, from the number of dice of each side; None if it can't be known whose a die is."""
    sides = len(counts)
    if sides < 2 or len(dice) < sides:
        return None
    if len(dice) in (sides, 2 * sides) and not any(die.fate == "rerolled" for die in dice):
        dice_per_side = len(dice) // sides
        return [dice[start : start + dice_per_side] for start in range(0, len(dice), dice_per_side)]
    known_counts = [count for count in counts if count is not None]
    if len(known_counts) == sides and sum(known_counts) == len(dice):
        starts = [sum(known_counts[:side]) for side in range(sides + 1)]
        return [dice[start:end] for start, end in pairwise(starts)]
    return None
