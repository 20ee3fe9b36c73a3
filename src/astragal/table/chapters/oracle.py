"""The oracle and moves: answers and turns of the story, rolled with the table's dice like everything else.

Ask the oracle a yes-or-no question and say how likely a yes is; draw a twist; ask who appears. A move is dealt when the
players stall, from the setting and from what is open at the table. All of it has exact odds, and none of it needs a
language model.

A chapter declares the moves of its things with `Kept(…, moves={MoveKind.ESCALATE: "press the quest “{objective}”"})`.
A d4 picks the kind of move, a d12 one of the moves of that kind. Both are always thrown, so that nobody can tell from
the dice how much is hidden.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le, MaxLen, MinLen
from msgspec import Struct
from typing_extensions import Doc

from astragal.chance import Question, Rolls, d4, d6, d12, d20, rule
from astragal.table.authoring.chapter import Action, Call, Chapter, Command, Doing, Event
from astragal.table.authoring.display import RollCard, Tone, Went
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.clocks import KEPT_CLOCKS, ClockId
from astragal.table.declarations import GAME_MASTER_ONLY, Seen, Viewer, command
from astragal.table.fields.definitions import FreeText
from astragal.table.state.setting import MoveKind
from astragal.table.state.table import State
from astragal.table.state.things import Clock

__all__ = ["MoveDealt"]

ORACLE = Chapter(seen=Seen.ALL)


# ---------------------------------------------------------------- yes or no


class Likelihood(Enum):
    """Likelihood of a yes."""

    CERTAIN = "nearly certain"
    LIKELY = "likely"
    EVEN = "even"
    UNLIKELY = "unlikely"
    REMOTE = "nearly impossible"


UP_TO = {
    Likelihood.CERTAIN: 18,
    Likelihood.LIKELY: 14,
    Likelihood.EVEN: 10,
    Likelihood.UNLIKELY: 6,
    Likelihood.REMOTE: 2,
}
"""The highest d20 that still says yes."""


class Reply(Enum):
    """The oracle's answers. “And” strengthens one, “but” weakens it."""

    YES_AND = "yes, and"
    YES = "yes"
    YES_BUT = "yes, but"
    NO_BUT = "no, but"
    NO = "no"
    NO_AND = "no, and"

    @property
    def is_yes(self) -> bool:
        return self in (Reply.YES_AND, Reply.YES, Reply.YES_BUT)


MEANS = {
    Reply.YES_AND: "yes, and more than you asked for",
    Reply.YES: "yes",
    Reply.YES_BUT: "yes, but it costs something or comes with a catch",
    Reply.NO_BUT: "no, but something else comes of it",
    Reply.NO: "no",
    Reply.NO_AND: "no, and it is worse than you feared",
}


@rule
def oracle(likelihood: Likelihood) -> Rolls[Reply]:
    """A d20 up to 18, 14, 10, 6 or 2 says yes. A d6 beside it: on a 1 “but”, on a 6 “and”."""
    is_yes = (yield from d20) <= UP_TO[likelihood]
    shade = yield from d6
    if shade == 1:
        return Reply.YES_BUT if is_yes else Reply.NO_BUT
    if shade == 6:
        return Reply.YES_AND if is_yes else Reply.NO_AND
    return Reply.YES if is_yes else Reply.NO


Asked = Annotated[str, MinLen(1), MaxLen(200), FreeText()]


@ORACLE.event("oracle_answered")
class OracleAnswered(Event):
    """The oracle has answered."""

    question: Asked
    likelihood: Likelihood
    reply: Reply

    def says(self, _: Teller) -> str:
        return f"{self.question} ({self.likelihood.value}) — the oracle says: {MEANS[self.reply]}"

    def went(self, _: object) -> Went:
        return Went(Tone.GOOD if self.reply.is_yes else Tone.BAD, self.reply.value)


@ORACLE.command(
    "ask_oracle",
    may=GAME_MASTER_ONLY,
    hopes=lambda reply: reply.is_yes,
    card=RollCard(
        title="{question}",
        short="Ask the oracle",
        hopes="that it says yes",
        verb="Ask",
        choose=("question", "likelihood"),
    ),
)
class AskOracle(Command):
    """Ask the oracle a question that yes or no can answer."""

    question: Annotated[Asked, Doc("what you want to know: is the gate guarded?")]
    likelihood: Annotated[Likelihood, Doc("how likely a yes is")] = Likelihood.EVEN

    def does(self, call: Call) -> Doing[Reply]:  # noqa: ARG002 - the oracle knows no state
        reply = yield oracle(self.likelihood)
        return [OracleAnswered(question=self.question, likelihood=self.likelihood, reply=reply)]


# ---------------------------------------------------------------- a twist

DOES = (
    "returns", "is stolen", "breaks", "is betrayed", "was a lie", "catches fire", "is offered", "is hunted",
    "asks for help", "must be chosen", "is late", "knows too much", "changes sides", "is worth more than it seemed",
    "is wounded", "is followed", "is forgiven", "falls silent", "is found", "runs out",
)  # fmt: skip
"""Twists: what happens, by the first d20."""
ABOUT = (
    "an old friend", "what a hero carries", "the way back", "a promise", "the weather", "a door", "a child", "a debt",
    "the one who sent you", "a crowd", "a rival", "a letter", "the only light", "a grave", "food and shelter",
    "somebody in uniform", "a beast", "a song", "a mask", "time",
)  # fmt: skip
"""Twists: to whom or what it happens, by the second d20."""


@rule
def twist() -> Rolls[tuple[int, int]]:
    """Two d20, each for a list of twenty."""
    return (yield from d20), (yield from d20)


@ORACLE.event("twist_drawn", says="a twist: {words}")
class TwistDrawn(Event):
    """A twist was drawn. All see it unless the roll is hidden, since the dice alone would give it away."""

    words: str


@ORACLE.command("draw_twist", card=RollCard(title="A twist", short="A twist", verb="Draw"))
class DrawTwist(Command):
    """Draw a twist: something happens to somebody or something, and you say what it means here."""

    def does(self, call: Call) -> Doing[tuple[int, int]]:  # noqa: ARG002 - the lists are the same everywhere
        does, about = yield twist()
        return [TwistDrawn(words=f"{ABOUT[about - 1]} {DOES[does - 1]}")]


# ---------------------------------------------------------------- who appears

MOST_KNOWN = 12
MANNERS = (
    "wants something that you have", "is running from somebody", "mistakes you for others", "is in your way",
    "has waited for you", "is hurt", "sells what nobody should sell", "lies, and badly", "is braver than is wise",
    "owes you", "brings news", "is about to do something foolish",
)  # fmt: skip
"""Manners of whoever appears, by the second d12."""


class Appears(Struct, frozen=True):
    """Index of a known person, or None for a stranger; and index of their manner."""

    place: int | None
    manner: int


@rule
def who_appears(known: Annotated[int, Ge(0), Le(MOST_KNOWN)]) -> Rolls[Appears]:
    """A d12 for one of the people known, each equally likely; other faces are a stranger. A d12 for their manner."""
    face = yield from d12
    faces = MOST_KNOWN // (known + 1) if known < MOST_KNOWN else 1
    place = (face - 1) // faces if face <= faces * known else None
    return Appears(place, (yield from d12) - 1)


def people_known(state: State) -> Sequence[str]:
    """Names of the game master's characters and of the setting's foes, at most `MOST_KNOWN`."""
    names = [character.name for character in state.characters.values() if character.seat is None]
    names += [foe.name for foe in state.setting.foes]
    return list(dict.fromkeys(names))[:MOST_KNOWN]


@ORACLE.event("somebody_appeared", seen=Seen.GAME_MASTER, says="somebody appears: {words}")
class SomebodyAppeared(Event):
    """The oracle has told the game master who appears."""

    words: str

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


@ORACLE.command("who_appears", card=RollCard(title="Who appears?", short="Who appears?", verb="Ask"))
class WhoAppears(Command):
    """Ask who appears: somebody of the setting or of the story, or a stranger; and what they are about."""

    def hides(self, call: Call) -> bool:  # noqa: ARG002 - how many there are would tell of what is hidden
        return True

    def does(self, call: Call) -> Doing[Appears]:
        people = people_known(call.state)
        appears = yield who_appears(len(people))
        who = "a stranger" if appears.place is None else people[appears.place]
        return [SomebodyAppeared(words=f"{who}, who {MANNERS[appears.manner]}")]


RULES = (oracle, twist, who_appears)
"""Rules that the oracle rolls with."""


# ---------------------------------------------------------------- moves


MOVES = Chapter(seen=Seen.GAME_MASTER)

DEAL_MOVE = "deal_move"
"""Name of the command that deals a move."""
MOST_MOVES = 12
"""Most moves of a kind: the faces of the die."""
MOST_OF_A_SETTING = 6
"""Faces reserved for the setting's moves, if the table's own would fill the die."""

IMPROVISED = {
    MoveKind.ESCALATE: "escalate: a clock ticks (tick_clock), or starts (start_clock) for what the heroes leave undone",
    MoveKind.OMEN: "reveal an omen: a sign of what is kept secret, told and not explained (narrate)",
    MoveKind.TERRAIN: "shift the terrain: what the heroes stand on, in or behind is no longer so (narrate)",
    MoveKind.BARGAIN: "offer a harsh bargain: what they want, now, for a price that hurts (put_prompt)",
}
"""Text for each kind when no particular move is dealt: the game master makes one up."""


Moves: TypeAlias = Annotated[int, Ge(0), Le(MOST_MOVES)]
"""Number of moves of one kind."""


class Deal(Struct, frozen=True):
    """A kind of move and the index of the one that was dealt; None leaves it to the game master."""

    kind: MoveKind
    place: int | None = None


@rule
def deal_move(escalations: Moves, omens: Moves, terrains: Moves, bargains: Moves) -> Rolls[Deal]:
    """One of four kinds, each equally likely; then one of its moves, each equally likely. Other faces are free."""
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


class Move(Struct, frozen=True):
    """A move that can be dealt: its words, and the clock that it advances, if any."""

    words: str
    clock: Clock | None = None


def moves_at(state: State, kind: MoveKind, chapters: Sequence[Chapter]) -> list[Move]:
    """List the moves of a kind, at most one for each face: those open at the table first, then the setting's."""
    teller = Teller(state, state.terms)
    open_moves = []
    if kind is MoveKind.ESCALATE:
        for clock in state.clocks.values():
            if not clock.hands.is_full:
                hands = f"{clock.hands.ticks}/{clock.hands.size}"
                open_moves.append(Move(f"advance the clock “{clock.name}” ({hands})", clock))
    for chapter in chapters:
        for words_of_moves in chapter.moves:
            open_moves += [Move(words) for words in words_of_moves(state, kind, teller)]
    moves_of_setting = [Move(words) for words in state.setting.moves_of(kind)]
    most = MOST_MOVES - min(len(moves_of_setting), MOST_OF_A_SETTING)
    return [*open_moves[:most], *moves_of_setting][:MOST_MOVES]


@MOVES.event("move_dealt", says="your move: {words}")
class MoveDealt(Event):
    """The game master was dealt a move."""

    move: MoveKind
    words: str
    clock: str | None = None
    """The clock to advance, by the game itself or by the game master."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


@command(DEAL_MOVE, may=GAME_MASTER_ONLY, title="Deal me a move")
class DealMove(Command):
    """Have a move dealt when the players stall: from the setting, and from what is open at the table."""

    clock: Annotated[ClockId | None, Doc("the clock to advance, if it comes to that; else the dice say which")] = None


def dealing(chapters: Sequence[Chapter]) -> Chapter:
    """Make the chapter that deals moves, for a game with these chapters."""

    def moves_by_kind(call: Call, order: DealMove) -> dict[MoveKind, list[Move]]:
        moves = {kind: moves_at(call.state, kind, chapters) for kind in MoveKind}
        if order.clock is not None:
            clock = KEPT_CLOCKS.find(call, order.clock)
            moves[MoveKind.ESCALATE] = [move for move in moves[MoveKind.ESCALATE] if move.clock == clock]
        return moves

    def gather(call: Call, order: DealMove) -> Question[Deal]:
        return deal_move(*map(len, moves_by_kind(call, order).values()))

    def tell(call: Call, order: DealMove, deal: Deal) -> list[MoveDealt]:
        move = Move(IMPROVISED[deal.kind])
        if deal.place is not None:
            move = moves_by_kind(call, order)[deal.kind][deal.place]
        return [MoveDealt(move=deal.kind, words=move.words, clock=move.clock.id if move.clock else None)]

    # the number of moves would reveal how much is hidden
    card = RollCard(title="Your move", short="Your move", verb="Deal a move")
    return Chapter(actions=[Action(DealMove, tell, gather, hides=lambda call, order: True, card=card)])
