"""Setting of a table: what its skin has ready. Foes, omens, moves and the adventure are the game master's to know."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any

from astragal.table.fields.values import Value, field
from astragal.table.state.clocks import Clock
from astragal.table.state.look import Look
from astragal.table.state.scenes import Scene
from astragal.table.visibility.marks import Seen


class MoveKind(Enum):
    """Kinds of move for when the players stall, in the order of the d4."""

    ESCALATE = "escalate"
    OMEN = "omen"
    TERRAIN = "terrain"
    BARGAIN = "bargain"


class Foe(Value, seen=Seen.GAME_MASTER):
    """Somebody or something that is ready to be brought in: plain fields of the command that does it."""

    id: str
    name: str
    fields: Mapping[str, Any]


class Secret(Value, seen=Seen.GAME_MASTER):
    """Something that is true, and that the heroes do not know yet."""

    title: str
    words: str


class Prop(Value, seen=Seen.GAME_MASTER):
    """Somebody or something that can be shown."""

    id: str
    title: str
    words: str
    picture: str


class Adventure(Value, seen=Seen.GAME_MASTER):
    """A first adventure. Its scenes lie on the table as drafts from the beginning; the first of them begins it.

    So do its clocks, its secrets, as notes, and its props, as handouts: people, letters, maps.
    """

    title: str
    opening: str
    scenes: tuple[Scene, ...]
    clocks: tuple[Clock, ...] = ()
    secrets: tuple[Secret, ...] = ()
    props: tuple[Prop, ...] = ()


class Setting(Value, seen=Seen.GAME_MASTER):
    """All that a skin brings to a table besides options and terms."""

    heroes: Annotated[tuple[Mapping[str, Any], ...], Seen.ALL] = ()
    """Heroes who are ready to be played: plain fields of the command that makes one."""
    foes: tuple[Foe, ...] = ()
    boons: tuple[str, ...] = ()
    """What the heroes can be given: an ally, a favour, a relic."""
    rites: Annotated[tuple[str, ...], Seen.ALL] = ()
    """Ways to be rid of what weighs on the heroes, who have to know them."""
    moves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Moves of the game master by their kind; what is shown as an omen is one of them."""
    adventure: Adventure | None = None
    look: Annotated[Look | None, Seen.ALL] = None
    cover: Annotated[str, Seen.ALL] = ""
    """The plate that stands for the setting."""
    portraits: Mapping[str, str] = field(default_factory=dict)
    """Faces of people by name."""

    def moves_of(self, kind: MoveKind) -> tuple[str, ...]:
        return self.moves.get(kind.value, ())
