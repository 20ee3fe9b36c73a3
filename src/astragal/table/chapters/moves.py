"""Moves for when the players stall, dealt by the table's dice: from the setting, and from what lies open at the table.

A chapter says what its things are good for with `Kept(…, moves={MoveKind.ESCALATE: "press the quest “{objective}”"})`.
The d4 says which kind of move it is, the d12 which of those that are there. Both are always thrown, so that nobody can
tell from the dice how much is hidden.
"""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Question, Rolls, d4, d12, rule
from astragal.table.authoring.chapter import Action, Call, Chapter, Command, Event
from astragal.table.authoring.display import RollCard
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.clocks import KEPT_CLOCKS, ClockId
from astragal.table.declarations import GAME_MASTER_ONLY, Seen, Viewer, command
from astragal.table.state.setting import MoveKind
from astragal.table.state.table import State
from astragal.table.state.things import Clock
from astragal.values import frozen

MOVES = Chapter(seen=Seen.GAME_MASTER)

DEAL_MOVE = "deal_move"
"""The command that deals a move."""
MOST_MOVES = 12
"""As many of a kind as the die has faces."""
MOST_OF_A_SETTING = 6
"""As many of them are the setting's where the table has more than the rest of the die."""

FREELY = {
    MoveKind.ESCALATE: "escalate: a clock ticks (tick_clock), or starts (start_clock) for what the heroes leave undone",
    MoveKind.OMEN: "reveal an omen: a sign of what is kept secret, told and not explained (narrate)",
    MoveKind.TERRAIN: "shift the terrain: what the heroes stand on, in or behind is no longer so (narrate)",
    MoveKind.BARGAIN: "offer a harsh bargain: what they want, now, for a price that hurts (put_prompt)",
}
"""A move of each kind in words of one's own."""


Moves: TypeAlias = Annotated[int, Ge(0), Le(MOST_MOVES)]
"""As many moves of a kind are there."""


@frozen
class Deal:
    """A kind of move, and the place of the one that was dealt, from 0; None leaves it to the game master."""

    kind: MoveKind
    place: int | None = None


@rule
def deal_move(escalations: Moves, omens: Moves, terrains: Moves, bargains: Moves) -> Rolls[Deal]:
    """One of four kinds, each as likely; then one of the moves there are, each as likely. Faces left over are free."""
    kind = tuple(MoveKind)[(yield from d4) - 1]
    count = {
        MoveKind.ESCALATE: escalations,
        MoveKind.OMEN: omens,
        MoveKind.TERRAIN: terrains,
        MoveKind.BARGAIN: bargains,
    }[kind]
    face = yield from d12
    faces = MOST_MOVES // count if count else 0
    return Deal(kind, (face - 1) // faces if face <= faces * count else None)


@frozen
class Move:
    """A move that could be dealt, in words; with the clock that it advances, if it does."""

    words: str
    clock: Clock | None = None


def moves_at(state: State, kind: MoveKind, chapters: Sequence[Chapter]) -> list[Move]:
    """Moves of a kind, as many as the die has faces: what lies open first, then what the setting has ready."""
    teller = Teller(state, state.terms)
    running = [one for one in state.clocks.values() if kind is MoveKind.ESCALATE and not one.hands.is_full]
    clocks = [Move(f"advance the clock “{one.name}” ({one.hands.ticks}/{one.hands.size})", one) for one in running]
    open_things = [
        Move(words) for chapter in chapters for open_to in chapter.moves for words in open_to(state, kind, teller)
    ]
    ready = [Move(words) for words in state.setting.moves_of(kind)]
    most = MOST_MOVES - min(len(ready), MOST_OF_A_SETTING)
    return [*[*clocks, *open_things][:most], *ready][:MOST_MOVES]


@MOVES.event("move_dealt", says="your move: {words}")
class MoveDealt(Event):
    """The game master was dealt a move."""

    move: MoveKind
    words: str
    clock: str | None = None
    """The clock that it advances: the game does it, or the game master."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


@command(DEAL_MOVE, may=GAME_MASTER_ONLY)
class DealMove(Command):
    """Have a move dealt when the players stall: from the setting, and from what lies open at the table."""

    clock: Annotated[ClockId | None, Doc("the clock to advance, if it comes to that; else the dice say which")] = None


def dealing(chapters: Sequence[Chapter]) -> Chapter:
    """The chapter that deals moves, in a game of these chapters."""

    def there(call: Call, asked: DealMove) -> dict[MoveKind, list[Move]]:
        found = {kind: moves_at(call.state, kind, chapters) for kind in MoveKind}
        if asked.clock is not None:
            named = KEPT_CLOCKS.find(call, asked.clock)
            found[MoveKind.ESCALATE] = [one for one in found[MoveKind.ESCALATE] if one.clock == named]
        return found

    def gather(call: Call, asked: DealMove) -> Question[Deal]:
        return deal_move(*map(len, there(call, asked).values()))

    def tell(call: Call, asked: DealMove, dealt: Deal) -> list[MoveDealt]:
        move = Move(FREELY[dealt.kind]) if dealt.place is None else there(call, asked)[dealt.kind][dealt.place]
        return [MoveDealt(move=dealt.kind, words=move.words, clock=move.clock.id if move.clock else None)]

    # how much there is to be dealt would tell of what is hidden
    card = RollCard(title="Your move", short="Your move", verb="Deal a move")
    return Chapter(actions=[Action(DealMove, tell, gather, hides=lambda call, asked: True, card=card)])
