"""Consents: what a person allows a program to do, what the game master rules on, and what is done without asking."""

from typing import Annotated

from astragal.table.authoring.chapter import Chapter, Event
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.declarations import Nature, Seen
from astragal.table.fields.definitions import FreeText
from astragal.table.state.table import State
from astragal.table.state.things import Consent

CONSENTS = Chapter(seen=Seen.ALL)


KEPT_CONSENTS = Kept(CONSENTS, Consent, "consents", "consent", name="words", shared=True)
CONSENTS.names("proposal")(KEPT_CONSENTS.named)


@KEPT_CONSENTS.put("consent_asked", nature=Nature.LASTING)
class ConsentAsked(Event):
    """Somebody proposes what another has to allow: a program, to a person; a player, to the game master."""

    consent: Consent

    def says(self, teller: Teller) -> str:
        consent = self.consent
        whose = teller.name(consent.of) if consent.of else "somebody who plays here"
        return f"{teller.name(consent.by)} proposes: {consent.words}. It waits for the yes of {whose}"


@CONSENTS.event("consent_given", nature=Nature.LASTING)
class ConsentGiven(Event):
    """What was proposed was allowed, and done."""

    seat: str
    """The seat that said yes; nobody's seat is whoever sits in front of the program."""
    words: Annotated[str, FreeText()]
    consent: str = ""
    """The proposal, where it waited at the table."""

    def says(self, teller: Teller) -> str:
        who = teller.name(self.seat) if self.seat else "the person beside the AI"
        return f"{who} agreed: {self.words}"

    def fold(self, state: State) -> State:
        return KEPT_CONSENTS.take_off(state, self.consent)


@KEPT_CONSENTS.taken("consent_declined", nature=Nature.LASTING)
class ConsentDeclined(Event):
    """A proposal was refused, and is not done."""

    seat: str
    consent: Consent

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.seat)} said no: {self.consent.words}"


@CONSENTS.event("done_on_ai_word", nature=Nature.LASTING)
class DoneOnAiWord(Event):
    """A program acted for a person's hero, or where no person could be asked, and nobody but the program says so."""

    who: str | None
    """The hero in whose name it acted."""
    seat: str | None
    """The seat that owns the hero."""

    def says(self, teller: Teller) -> str:
        if self.who is None:
            return "on the AI's word: there was no person to ask"
        return f"for {teller.name(self.who)} on the AI's word, not on {teller.name(self.seat)}'s"
