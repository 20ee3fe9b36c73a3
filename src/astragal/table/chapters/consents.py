"""What a person allows a program to do, and what a program does in a person's name without asking."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from astragal.table.declarations import Nature, event
from astragal.table.ruleset import Chapter, Happening, Teller
from astragal.table.seats import Viewer
from astragal.table.seen import Seen
from astragal.table.state import State
from astragal.table.things.consents import Consent


@event("consent_asked", nature=Nature.LASTING)
class ConsentAsked:
    """A program proposes something that a person has to allow."""

    consent: Annotated[Consent, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return self.consent.is_for(viewer)


@event("consent_given", nature=Nature.LASTING)
class ConsentGiven:
    """A person allowed what a program proposed, and it was done."""

    seat: Annotated[str, Seen.ALL]
    """Who said yes; nobody's seat is whoever sits in front of the program."""
    words: Annotated[str, Seen.ALL]
    consent: Annotated[str, Seen.ALL] = ""
    """The proposal, where it waited at the table."""


@event("consent_declined", nature=Nature.LASTING)
class ConsentDeclined:
    """What a program proposed is not done."""

    seat: Annotated[str, Seen.ALL]
    consent: Annotated[Consent, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return self.consent.is_for(viewer)


@event("done_on_ai_word", nature=Nature.LASTING)
class DoneOnAiWord:
    """A program acted for a person's hero, or where no person could be asked, and nobody but the program says so."""

    who: Annotated[str | None, Seen.ALL]
    """The hero in whose name it acted."""
    seat: Annotated[str | None, Seen.ALL]
    """Whose hero that is."""


def _wait(state: State, asked: ConsentAsked) -> State:
    return replace(state, consents={**state.consents, asked.consent.id: asked.consent})


def _given(state: State, given: ConsentGiven) -> State:
    return _without(state, given.consent)


def _declined(state: State, declined: ConsentDeclined) -> State:
    return _without(state, declined.consent.id)


def _without(state: State, consent: str) -> State:
    return replace(state, consents={key: one for key, one in state.consents.items() if key != consent})


def _say_asked(asked: ConsentAsked, teller: Teller) -> str:
    consent = asked.consent
    whose = teller.name(consent.of) if consent.of else "somebody who plays here"
    return f"{teller.name(consent.by)} proposes: {consent.words}. It waits for the yes of {whose}"


def _say_given(given: ConsentGiven, teller: Teller) -> str:
    who = teller.name(given.seat) if given.seat else "the person beside the AI"
    return f"{who} agreed: {given.words}"


def _say_done(done: DoneOnAiWord, teller: Teller) -> str:
    if done.who is None:
        return "on the AI's word: there was no person to ask"
    return f"for {teller.name(done.who)} on the AI's word, not on {teller.name(done.seat)}'s"


CONSENTS = Chapter(
    happenings=(
        Happening(ConsentAsked, _say_asked, _wait),
        Happening(ConsentGiven, _say_given, _given),
        Happening(ConsentDeclined, lambda no, teller: f"{teller.name(no.seat)} said no: {no.consent.words}", _declined),
        Happening(DoneOnAiWord, _say_done),
    ),
)
