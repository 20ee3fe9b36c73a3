"""What every command leaves in the log besides the game's own events: dice, waits, answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from astragal.chance import Rolled as RolledDie

from .declarations import Nature, Sight, event
from .ruleset import Chapter, Happening, Teller
from .seats import Viewer
from .seen import Seen
from .state import Asked, Decision, Die, State


class Happened(NamedTuple):
    """An event in its place in the log: what happened, by whom, in which deed, and how it is shown."""

    number: int
    at: int
    by: str
    act: str
    event: Any
    sight: Sight = Sight.OPEN
    hides: bool = False


@event("rolled")
class Rolled:
    """Dice fell. Everything that is ever rolled at a table is recorded here."""

    question: Annotated[Asked, Seen.ALL]
    command: Annotated[str, Seen.ALL]
    dice: Annotated[tuple[Die, ...], Seen.ALL]


@event("decision_opened")
class DecisionOpened:
    """A command waits for somebody's answer."""

    decision: Annotated[Decision, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return self.decision.is_for(viewer)


@event("answer_sealed")
class AnswerSealed:
    """One of several answers given together is in."""

    act: Annotated[str, Seen.ALL]
    side: Annotated[str, Seen.ALL]
    answer: Annotated[Any, Seen.NOBODY]


@event("decided")
class Decided:
    """A decision was answered."""

    act: Annotated[str, Seen.ALL]
    sides: Annotated[Mapping[str, Any], Seen.ALL]
    """Each side's answer."""
    for_seat: Annotated[str | None, Seen.ALL] = None
    """Whose decision it was, where a stand-in or the game master took it."""


@event("decision_withdrawn")
class DecisionWithdrawn:
    """The game master took a waiting command back. Its dice stay in the record."""

    act: Annotated[str, Seen.ALL]


@event("decision_lapsed")
class DecisionLapsed:
    """The rule under a waiting decision has changed: it can't be answered any more. Its dice stay in the record."""

    act: Annotated[str, Seen.ALL]
    why: Annotated[str, Seen.ALL]


@event("revealed", nature=Nature.LASTING)
class Revealed:
    """What was hidden is open to all from now on, through every rewind."""

    act: Annotated[str, Seen.ALL]


@event("text_blanked", nature=Nature.LASTING)
class TextBlanked:
    """The words of a deed were forgotten, on request. Their digests stay, so that everything still verifies."""

    act: Annotated[str, Seen.ALL]


@event("restored", nature=Nature.LASTING)
class Restored:
    """The table comes from a backup: what happened after it was made is lost, and this says so."""

    known_to: Annotated[int, Seen.GAME_MASTER]


def die_of(rolled: RolledDie) -> Die:
    return Die(sides=rolled.sides, face=rolled.face, by=rolled.by, fate=rolled.fate.value, source=rolled.source)


def _open(state: State, opened: DecisionOpened) -> State:
    return state.with_decisions({**state.decisions, opened.decision.act: opened.decision})


def _seal(state: State, sealed: AnswerSealed) -> State:
    decision = state.decisions[sealed.act]
    awaited = tuple(side for side in decision.awaited if side != sealed.side)
    waiting = replace(decision, sealed={**decision.sealed, sealed.side: sealed.answer}, awaited=awaited)
    return state.with_decisions({**state.decisions, sealed.act: waiting})


def _close(state: State, closed: Decided | DecisionWithdrawn | DecisionLapsed) -> State:
    return state.with_decisions({act: one for act, one in state.decisions.items() if act != closed.act})


def _reveal(state: State, revealed: Revealed) -> State:
    return replace(state, revealed=(*state.revealed, revealed.act))


def _say_rolled(rolled: Rolled, _: Teller) -> str:
    faces = " ".join(str(die.face) for die in rolled.dice)
    return f"{rolled.command.replace('_', ' ')}: {faces}"


def _say_opened(opened: DecisionOpened, teller: Teller) -> str:
    who = " and ".join(teller.name(opened.decision.sides[side]) for side in opened.decision.awaited)
    return f"{who} decide{'s' if len(opened.decision.awaited) == 1 else ''}"


def _say_decided(decided: Decided, teller: Teller) -> str:
    told = ", ".join(f"{side}: {answer}" for side, answer in decided.sides.items())
    stand_in = f" (for {teller.name(decided.for_seat)})" if decided.for_seat else ""
    return f"decided {told}{stand_in}"


DEEDS = Chapter(
    happenings=(
        Happening(Rolled, _say_rolled),
        Happening(DecisionOpened, _say_opened, _open),
        Happening(AnswerSealed, lambda sealed, teller: f"{sealed.side} has decided", _seal),
        Happening(Decided, _say_decided, _close),
        Happening(DecisionWithdrawn, lambda withdrawn, teller: "the decision was withdrawn", _close),
        Happening(DecisionLapsed, lambda lapsed, teller: f"the decision lapsed: {lapsed.why}", _close),
        Happening(Revealed, lambda revealed, teller: "what was hidden is revealed", _reveal),
        Happening(TextBlanked, lambda blanked, teller: "words were blanked"),
        Happening(Restored, lambda restored, teller: "the table was restored from a backup"),
    )
)
