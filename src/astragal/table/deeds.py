"""What every command leaves in the log besides the game's own events: dice, waits, answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import Annotated, Any, NamedTuple

from astragal.chance import Rolled as RolledDie

from .declarations import Nature, Sight, event
from .ruleset import AnswerWords, Chapter, Happening, Teller
from .seats import Viewer
from .seen import Seen
from .state import Asked, Decision, Die, State

BY_HAND = "dice"
"""The side that a wait for dice entered by hand is for."""


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
    who: Annotated[str, Seen.ALL] = ""
    """Who answers for the side: a character or a seat."""
    for_seat: Annotated[str | None, Seen.ALL] = None
    """Whose answer it was, where a stand-in or the game master gave it."""


@event("decided")
class Decided:
    """A decision was answered."""

    act: Annotated[str, Seen.ALL]
    sides: Annotated[Mapping[str, Any], Seen.ALL]
    """Each side's answer."""
    for_seat: Annotated[str | None, Seen.ALL] = None
    """Whose decision it was, where a stand-in or the game master took it."""
    who: Annotated[Mapping[str, str], Seen.ALL] = field(default_factory=dict)
    """Who answered for each side: a character or a seat."""
    offers: Annotated[Mapping[str, str], Seen.ALL] = field(default_factory=dict)
    """The name of the offer that each side answered."""


@event("decision_withdrawn")
class DecisionWithdrawn:
    """The game master took a waiting command back. Its dice stay in the record."""

    act: Annotated[str, Seen.ALL]


@event("decision_lapsed")
class DecisionLapsed:
    """The rule under a waiting decision has changed: it can't be answered any more. Its dice stay in the record."""

    act: Annotated[str, Seen.ALL]
    why: Annotated[str, Seen.ALL]


@event("roll_closed", nature=Nature.LASTING)
class RollClosed:
    """A closed roll fell: players know of it, and see it when the scene ends. A secret one leaves no such event."""

    act: Annotated[str, Seen.GAME_MASTER]
    name: Annotated[str, Seen.GAME_MASTER]
    """What the game master knows it by: what was rolled, for whom, and what fell."""

    in_journal = False


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


def _lay_closed(state: State, closed: RollClosed) -> State:
    if closed.act in state.revealed:
        return state
    return replace(state, closed_rolls={**state.closed_rolls, closed.act: closed.name})


def _reveal(state: State, revealed: Revealed) -> State:
    still_closed = {act: name for act, name in state.closed_rolls.items() if act != revealed.act}
    return replace(state, revealed=(*state.revealed, revealed.act), closed_rolls=still_closed)


def _say_rolled(rolled: Rolled, _: Teller) -> str:
    faces = " ".join(str(die.face) for die in rolled.dice)
    return f"{rolled.command.replace('_', ' ')}: {faces}"


def _say_opened(opened: DecisionOpened, teller: Teller) -> str:
    sides = opened.decision.awaited
    who = " and ".join(teller.name(opened.decision.sides[side]) for side in sides)
    if sides == (BY_HAND,):
        return f"{who} throws the dice by hand"
    if all(side.startswith("w:") for side in sides):
        return f"a roll waits for {who} to witness it"
    return f"{who} decide{'s' if len(sides) == 1 else ''}"


def _say_sealed(sealed: AnswerSealed, teller: Teller) -> str:
    who = teller.name(sealed.who) if sealed.who else sealed.side
    did = "has given a link" if sealed.side.startswith("w:") else "has decided"
    return f"{who} {did}{_in_place_of(sealed.for_seat, teller)}"


def _say_decided(answer_words: AnswerWords | None, decided: Decided, teller: Teller) -> str:
    told = ", ".join(_say_answer(answer_words, decided, side, teller) for side in decided.sides)
    return f"{told or 'all links are in'}{_in_place_of(decided.for_seat, teller)}"


def _say_answer(answer_words: AnswerWords | None, decided: Decided, side: str, teller: Teller) -> str:
    """In the words of the button that was pressed; where the game has none, what was asked and what was answered."""
    answer, offer = decided.sides[side], decided.offers.get(side, "")
    who = teller.name(decided.who[side]) if side in decided.who else side
    if side == BY_HAND:
        return f"{who} throws {' '.join(map(str, answer))} by hand"
    if answer_words and (label := answer_words(offer, answer, teller)):
        return f"{who} answers “{label}”"
    said = {True: "yes", False: "no"}[answer] if isinstance(answer, bool) else str(answer).replace("_", " ")
    return f"{who} answers {f'{teller.term(offer)}: ' if offer else ''}{said}"


def _in_place_of(seat: str | None, teller: Teller) -> str:
    return f" (decided for {teller.name(seat)})" if seat else ""


def deeds(answer_words: AnswerWords | None = None) -> Chapter:
    """The chapter as a game tells it, which says in its own words what was answered."""
    return Chapter(
        happenings=(
            Happening(Rolled, _say_rolled),
            Happening(DecisionOpened, _say_opened, _open),
            Happening(AnswerSealed, _say_sealed, _seal),
            Happening(Decided, partial(_say_decided, answer_words), _close),
            Happening(DecisionWithdrawn, lambda withdrawn, teller: "the decision was withdrawn", _close),
            Happening(DecisionLapsed, lambda lapsed, teller: f"the decision lapsed: {lapsed.why}", _close),
            Happening(RollClosed, lambda closed, teller: f"closed until the scene ends: {closed.name}", _lay_closed),
            Happening(Revealed, lambda revealed, teller: "what was hidden is revealed", _reveal),
            Happening(TextBlanked, lambda blanked, teller: "words were blanked"),
            Happening(Restored, lambda restored, teller: "the table was restored from a backup"),
        )
    )
