"""Built-in commands, which are about other commands (answer, withdraw, reveal, save, rewind, undo, agree, decline).

Also the events that any command may leave in the log besides the game's own: dice, decisions, answers, and proposals,
by which a person allows a program to act and the game master rules on what a player says. One more event marks what a
program did without asking.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from annotated_types import Ge, Le, MaxLen
from msgspec import field
from typing_extensions import Doc

from astragal.chance import Rolled as RolledDie
from astragal.table.authoring import kept, ruleset
from astragal.table.authoring.chapter import Chapter, Command, Event
from astragal.table.authoring.log_lines import Teller
from astragal.table.declarations import (
    GAME_MASTER_AND_PLAYERS,
    GAME_MASTER_ONLY,
    Nature,
    Seen,
    Sight,
    Viewer,
    command,
    replace,
    without,
)
from astragal.table.fields.definitions import LONGEST_TEXT, FreeText, Label, Name, Names
from astragal.table.fields.lookup import Named
from astragal.table.state.table import Asked, Decision, Die, State
from astragal.table.state.things import Consent

__all__ = ["Decided", "DecisionLapsed", "DecisionOpened", "DecisionWithdrawn", "Revealed", "Rolled"]

HiddenRollId = Annotated[str, MaxLen(40), Names("closed roll or sealed roll")]
DecisionId = Annotated[str, MaxLen(40), Names("decision")]
SaveNodeId = Annotated[str, MaxLen(40), Names("save node")]
ConsentId = Annotated[str, MaxLen(40), Names("proposal")]


@command("answer", may=GAME_MASTER_AND_PLAYERS)
class Answer(Command):
    """Answer a decision that waits for you, or for somebody you stand in for."""

    act: Annotated[DecisionId, Label("decision"), Doc("the roll or decision that waits")]
    answer: Annotated[Any, Doc("one of the options; for dice thrown by hand, their faces in order")]


@command("withdraw", may=GAME_MASTER_ONLY, grave=True)
class Withdraw(Command):
    """Take back a command that waits for a decision. Its dice stay in the record."""

    act: Annotated[DecisionId, Label("decision"), Doc("the roll or decision that waits")]


@command("reveal", may=GAME_MASTER_ONLY, grave=True)
class Reveal(Command):
    """Open a hidden or secret roll to everyone, for good."""

    act: Annotated[HiddenRollId, Label("hidden roll"), Doc("the hidden roll, by its name")]


@command("mark_save_node", title="Mark a save node", may=GAME_MASTER_ONLY)
class MarkSaveNode(Command):
    """Mark the present as a place to rewind to."""

    label: Annotated[Name, Label("name"), Doc("what the place is remembered by")]


@command("rewind", may=GAME_MASTER_ONLY, grave=True)
class Rewind(Command):
    """Go back to a save node, at a price that the game names."""

    node: Annotated[SaveNodeId, Label("save node")]
    price: Annotated[Name, Names("price"), Doc("what it costs: one of the game's prices")]
    amount: Annotated[int, Ge(1), Le(20), Doc("how much of it")] = 1


@command("undo", title="Undo the last command", may=GAME_MASTER_ONLY, grave=True)
class Undo(Command):
    """Take the last command back: a rewind without a price, and as visible."""


@command("agree", may=GAME_MASTER_AND_PLAYERS)
class Agree(Command):
    """Say yes to a proposal: it is done. The game master may change what a player proposed."""

    consent: Annotated[ConsentId, Label("proposal")]
    changes: Annotated[
        Mapping[
            str, int | Annotated[str, MaxLen(LONGEST_TEXT)] | bool | tuple[Annotated[str, MaxLen(200)], ...] | None
        ],
        Doc("what counts instead, by field; only the game master, and only what the player had to propose"),
    ] = field(default_factory=dict)


@command("decline", may=GAME_MASTER_AND_PLAYERS)
class Decline(Command):
    """Say no to a proposal: it is not done. Whoever proposed it takes it back this way."""

    consent: Annotated[ConsentId, Label("proposal")]


BUILTIN_COMMANDS = (Answer, Withdraw, Reveal, MarkSaveNode, Rewind, Undo, Agree, Decline)


BY_HAND = "dice"
"""Name of the side that a command waits for while dice are entered by hand."""

COMMAND_EVENTS = Chapter(seen=Seen.ALL)
"""Events of every command, for a game without its own words for answers; see `decision_chapter`."""


@COMMAND_EVENTS.names("decision")
def decisions_named(state: State) -> Iterator[Named]:
    """Name decisions by who decides and what they are about: "Kira: attack"."""
    teller = Teller(state, state.terms)
    for decision in state.decisions.values():
        who = " and ".join(teller.name(decision.sides[side]) for side in decision.awaited)
        yield Named(decision.act, f"{who}: {decision.command.replace('_', ' ')}")


class Happened(NamedTuple):
    """An event with its place in the log: number, time, author, id of its command (`act`), and visibility."""

    number: int
    at: int
    by: str
    act: str
    event: Any
    sight: Sight = Sight.OPEN
    hides: bool = False


# ---------------------------------------------------------------- dice


@COMMAND_EVENTS.event("rolled")
class Rolled(Event):
    """Dice fell. Everything that is ever rolled at a table is recorded here."""

    question: Asked
    command: str
    dice: tuple[Die, ...]
    fields: Annotated[Mapping[str, Any], Seen.NOBODY] = field(default_factory=dict)
    """The command's fields without its free text, if it was settled at once: enough to play it again."""

    def says(self, _: Teller) -> str:
        faces = " ".join(str(die.face) for die in self.dice)
        return f"{self.command.replace('_', ' ')}: {faces}"


def die_of(rolled: RolledDie) -> Die:
    return Die(sides=rolled.sides, face=rolled.face, by=rolled.by, fate=rolled.fate.value, source=rolled.source)


# ---------------------------------------------------------------- decisions


@COMMAND_EVENTS.event("decision_opened")
class DecisionOpened(Event):
    """A command waits for somebody's answer."""

    decision: Decision

    def is_for(self, viewer: Viewer) -> bool:
        return self.decision.is_for(viewer)

    def says(self, teller: Teller) -> str:
        sides = self.decision.awaited
        who = " and ".join(teller.name(self.decision.sides[side]) for side in sides)
        if sides == (BY_HAND,):
            return f"{who} throws the dice by hand"
        if all(side.startswith("w:") for side in sides):
            return f"a roll waits for {who} to witness it"
        verb = "decides" if len(sides) == 1 else "decide"
        return f"{who} {verb}"

    def fold(self, state: State) -> State:
        return state.with_decisions({**state.decisions, self.decision.act: self.decision})


@COMMAND_EVENTS.event("answer_sealed")
class AnswerSealed(Event):
    """One of several answers given together is in."""

    act: str
    side: str
    answer: Annotated[Any, Seen.NOBODY]
    who: str = ""
    """The character or seat that answers for the side."""
    for_seat: str | None = None
    """The seat whose answer it was, if a stand-in or the game master gave it."""

    def says(self, teller: Teller) -> str:
        who = teller.name(self.who) if self.who else self.side
        verb = "has given a link" if self.side.startswith("w:") else "has decided"
        return f"{who} {verb}{_in_place_of(self.for_seat, teller)}"

    def fold(self, state: State) -> State:
        decision = state.decisions[self.act]
        awaited = tuple(side for side in decision.awaited if side != self.side)
        waiting = replace(decision, sealed={**decision.sealed, self.side: self.answer}, awaited=awaited)
        return state.with_decisions({**state.decisions, self.act: waiting})


@COMMAND_EVENTS.event("decided")
class Decided(Event):
    """A decision was answered."""

    act: str
    sides: Mapping[str, Any]
    """Each side's answer."""
    for_seat: str | None = None
    """The seat whose decision it was, if a stand-in or the game master took it."""
    who: Mapping[str, str] = field(default_factory=dict)
    """The character or seat that answered for each side."""
    offers: Mapping[str, str] = field(default_factory=dict)
    """The name of the offer that each side answered."""

    def says(self, teller: Teller, answer_words: ruleset.AnswerWords | None = None) -> str:
        answers = ", ".join(self._answer(side, teller, answer_words) for side in self.sides)
        return f"{answers or 'all links are in'}{_in_place_of(self.for_seat, teller)}"

    def _answer(self, side: str, teller: Teller, answer_words: ruleset.AnswerWords | None) -> str:
        """Put an answer into the words of its button or, if the game has none, name the offer and the answer."""
        answer = self.sides[side]
        offer = self.offers.get(side, "")
        who = teller.name(self.who[side]) if side in self.who else side
        if side == BY_HAND:
            return f"{who} throws {' '.join(map(str, answer))} by hand"
        label = answer_words(offer, answer, teller) if answer_words else ""
        if label:
            return f"{who} answers “{label}”"
        if isinstance(answer, bool):
            words = "yes" if answer else "no"
        else:
            words = str(answer).replace("_", " ")
        return f"{who} answers {teller.term(offer)}: {words}" if offer else f"{who} answers {words}"

    def fold(self, state: State) -> State:
        return state.with_decisions(without(state.decisions, self.act))


def _in_place_of(seat: str | None, teller: Teller) -> str:
    return f" (decided for {teller.name(seat)})" if seat else ""


@COMMAND_EVENTS.event("decision_withdrawn", says="the decision was withdrawn")
class DecisionWithdrawn(Event):
    """The game master took a waiting command back. Its dice stay in the record."""

    act: str

    def fold(self, state: State) -> State:
        return state.with_decisions(without(state.decisions, self.act))


@COMMAND_EVENTS.event("decision_lapsed", says="the decision lapsed: {why}")
class DecisionLapsed(Event):
    """The rule under a waiting decision has changed: it can't be answered any more. Its dice stay in the record."""

    act: str
    why: str

    def fold(self, state: State) -> State:
        return state.with_decisions(without(state.decisions, self.act))


# ---------------------------------------------------------------- hidden and revealed


@COMMAND_EVENTS.event(
    "roll_closed",
    nature=Nature.LASTING,
    seen=Seen.GAME_MASTER,
    says="closed: {name}",
)
class RollClosed(Event):
    """A closed or a secret roll fell, and has a name by which the game master can reveal it."""

    act: str
    name: str
    """The command, its characters and its dice in words."""
    opens: bool = True
    """True if the end of the scene opens it, at a table that does so. Never true for a secret roll."""

    in_journal = False

    def fold(self, state: State) -> State:
        if self.act in state.revealed:
            return state
        if self.opens and state.house.opens_rolls:
            return replace(state, closed_rolls={**state.closed_rolls, self.act: self.name})
        return state.with_sealed_roll(self.act, self.name)


@COMMAND_EVENTS.event("revealed", nature=Nature.LASTING, says="what was hidden is revealed")
class Revealed(Event):
    """A hidden roll is open to everyone from now on, through every rewind."""

    act: str

    def fold(self, state: State) -> State:
        return replace(
            state,
            revealed=(*state.revealed, self.act),
            closed_rolls=without(state.closed_rolls, self.act),
            sealed_rolls=without(state.sealed_rolls, self.act),
        )


# ---------------------------------------------------------------- save nodes and rewinds

HISTORY = Chapter(seen=Seen.ALL)


@HISTORY.names("save node")
def save_nodes_named(state: State) -> list[Named]:
    return [Named(node, label) for node, label in state.nodes.items()]


@HISTORY.event("save_node_marked", says="save node: {label}")
class SaveNodeMarked(Event):
    """The present was marked as a save node, to rewind to."""

    node: str
    label: Name

    def fold(self, state: State) -> State:
        return replace(state, nodes={**state.nodes, self.node: self.label})


@HISTORY.event("rewound", nature=Nature.LASTING)
class Rewound(Event):
    """The story went back. What was paid for it follows."""

    to: Annotated[int, Seen.GAME_MASTER]
    label: str
    price: str
    amount: int
    undo: bool = False

    def says(self, teller: Teller) -> str:
        if self.undo:
            return "the last command was undone"
        return f"the story went back to “{self.label}” for {self.amount} {teller.term(self.price)}"

    def fold(self, state: State) -> State:
        return replace(state, rewinds=state.rewinds + 1)


# ---------------------------------------------------------------- the log itself


@COMMAND_EVENTS.event("text_blanked", nature=Nature.LASTING, says="words were forgotten")
class TextBlanked(Event):
    """The words of a command were blanked, on request. Their digests stay, so that everything still verifies."""

    act: str


@COMMAND_EVENTS.event(
    "restored", nature=Nature.LASTING, seen=Seen.GAME_MASTER, says="the table was restored from a backup"
)
class Restored(Event):
    """The table was restored from a backup: what happened after that backup is lost."""

    known_to: int


def decision_chapter(answer_words: ruleset.AnswerWords | None = None) -> Chapter:
    """Return the chapter of decisions for a game, which words answers with `answer_words`."""

    def words(decided: Decided, teller: Teller) -> str:
        return decided.says(teller, answer_words)

    event_specs = []
    for spec in COMMAND_EVENTS.event_specs:
        event_specs.append(replace(spec, words=words) if spec.event is Decided else spec)
    chapter = Chapter(event_specs=event_specs)
    chapter.named |= COMMAND_EVENTS.named
    return chapter


# ---------------------------------------------------------------- proposals


CONSENTS = Chapter(seen=Seen.ALL)


KEPT_CONSENTS = kept.Kept(CONSENTS, Consent, "consents", "consent", name="words", shared=True)
CONSENTS.names("proposal")(KEPT_CONSENTS.named)


@KEPT_CONSENTS.put("consent_asked", nature=Nature.LASTING)
class ConsentAsked(Event):
    """A proposal waits for consent: a program's for that of a person, a player's for that of the game master."""

    consent: Consent

    def says(self, teller: Teller) -> str:
        consent = self.consent
        whose = teller.name(consent.of) if consent.of else "somebody who plays here"
        return f"{teller.name(consent.by)} proposes: {consent.words}. It waits for the yes of {whose}"


@CONSENTS.event("consent_given", nature=Nature.LASTING)
class ConsentGiven(Event):
    """Somebody agreed to a proposal, and it was done."""

    seat: str
    """The seat that said yes; empty for a person without a seat, beside the program."""
    words: Annotated[str, FreeText()]
    consent: str = ""
    """The proposal, if it waited at the table."""

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
    """A program acted for a person's hero, or without a person to ask, on nobody's word but its own."""

    who: str | None
    """The hero in whose name it acted."""
    seat: str | None
    """The seat that owns the hero."""

    def says(self, teller: Teller) -> str:
        if self.who is None:
            return "on the AI's word: there was no person to ask"
        return f"for {teller.name(self.who)} on the AI's word, not on {teller.name(self.seat)}'s"
