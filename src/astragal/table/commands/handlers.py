"""Handlers of the built-in commands (answer, withdraw, reveal, save, rewind, undo, agree, decline).

Unlike a game's commands they need the history of the table, not just its state.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec

from astragal.chance import Dice
from astragal.table import refusals, registry
from astragal.table.authoring.chapter import Call
from astragal.table.commands import builtin
from astragal.table.commands.consent import in_words, who_may_agree
from astragal.table.commands.execute import Invocation, resume
from astragal.table.declarations import Sight, Viewer, command_declared_by, convert, replace
from astragal.table.dice import Drawing
from astragal.table.fields import definitions, parse, validation
from astragal.table.log.history import History
from astragal.table.state.table import Decision, State
from astragal.table.state.things import Consent
from astragal.table.visibility.redact import plain

_in_order = msgspec.json.Encoder(order="deterministic")


class CommandRequest(NamedTuple):
    """Request to run a command, with all its options."""

    command: parse.Command
    sight: Sight = Sight.OPEN
    by_hand: bool = False
    shown: str | None = None
    link: bytes | None = None
    program: bool = False
    agreed: str | None = None
    ruled: Viewer | None = None
    """The game master who ruled on the proposal. The dice are drawn for that seat."""

    def digest(self, seat: str) -> bytes:
        """Return a digest of the request. Two requests with the same digest are the same command."""
        arguments = [seat, self.command_name, self.fields, self.sight.value, self.by_hand]
        try:
            return hashlib.sha256(_in_order.encode(arguments)).digest()
        except (TypeError, ValueError) as fault:
            raise refusals.BadFields(["the command holds something that is no plain value"]) from fault

    @property
    def command_name(self) -> str:
        if isinstance(self.command, tuple):
            name = self.command[0]
        else:
            kind = command_declared_by(type(self.command))
            name = None if kind is None else kind.name
        if not isinstance(name, str):
            raise refusals.UnknownCommand(f"{type(self.command).__name__} is no command.")
        return name

    @property
    def fields(self) -> Any:
        return plain(self.command[1] if isinstance(self.command, tuple) else self.command)


class CommandResult(NamedTuple):
    """Result of a command: its events, the command's id (`act`), and their visibility."""

    events: list[Any]
    act: str
    sight: Sight = Sight.OPEN
    hides: bool = False
    drawing: Drawing | None = None
    """The dice that were drawn for it, if they came from the table's chains."""
    declared: Sequence[bytes] = ()
    """Ledger lines that come without events."""
    pictures: Mapping[str, bytes] = MappingProxyType({})
    """Pictures that its events add, by digest."""


class HandlerContext(NamedTuple):
    """Context of a handler: book, history, viewer, a fresh id, dice for a command, whether a command is known."""

    book: registry.Book
    history: History
    viewer: Viewer
    fresh: str
    dice: Callable[[Decision], Dice]
    """Returns the dice for a waiting command that resumes."""
    is_known: Callable[[str], bool]
    do: Callable[[Consent], CommandResult] | None = None
    """Performs the command of a proposal that was agreed to."""

    @property
    def state(self) -> State:
        return self.history.state


Handler = TypeVar("Handler", bound=Callable[[HandlerContext, Any], CommandResult])
HANDLERS: dict[type, Callable[[HandlerContext, Any], CommandResult]] = {}
"""Handlers by built-in command."""


def handles(command: type) -> Callable[[Handler], Handler]:
    """Declare the handler of a built-in command."""

    def declare(handler: Handler) -> Handler:
        HANDLERS[command] = handler
        return handler

    return declare


@handles(builtin.Answer)
def answer(context: HandlerContext, command: builtin.Answer) -> CommandResult:
    decision = find_decision(context.state, context.viewer, command.act)
    side, for_seat = side_to_answer(context.state, decision, context.viewer)
    invocation = waiting_invocation(context.book, context.state, decision)
    dice = context.dice(decision)
    events = resume(invocation, decision, dice, side, plain(command.answer))
    if for_seat is not None:
        events = [answered_for(event, for_seat) for event in events]
    drawing = dice if isinstance(dice, Drawing) else None
    return CommandResult(events, decision.act, _later_sight(decision), decision.hides, drawing)


def answered_for(event: Any, seat: str | None) -> Any:
    """Note in an event that holds an answer which seat it was given for, if that was not the answering one."""
    if isinstance(event, (builtin.AnswerSealed, builtin.Decided)):
        return replace(event, for_seat=seat)
    return event


@handles(builtin.Withdraw)
def withdraw(context: HandlerContext, command: builtin.Withdraw) -> CommandResult:
    decision = find_decision(context.state, context.viewer, command.act)
    return CommandResult([builtin.DecisionWithdrawn(act=decision.act)], decision.act, _later_sight(decision))


@handles(builtin.Reveal)
def reveal(context: HandlerContext, command: builtin.Reveal) -> CommandResult:
    if command.act in context.state.revealed or not context.is_known(command.act):
        raise refusals.NoSuchThing("There is nothing hidden of that name.")
    return CommandResult([builtin.Revealed(act=command.act)], context.fresh)


@handles(builtin.MarkSaveNode)
def mark_save_node(context: HandlerContext, command: builtin.MarkSaveNode) -> CommandResult:
    return CommandResult([builtin.SaveNodeMarked(node=context.fresh, label=command.label)], context.fresh)


@handles(builtin.Rewind)
def rewind(context: HandlerContext, command: builtin.Rewind) -> CommandResult:
    prices = context.book.ruleset.prices
    if command.node not in context.history.saved:
        raise refusals.NoSuchThing("There is no such save node on the way here.")
    if command.price not in prices:
        raise refusals.NoSuchThing(f"A rewind costs one of: {', '.join(prices) or 'nothing this game knows'}.")
    rewound = builtin.Rewound(
        to=context.history.saved[command.node].number,
        label=context.state.nodes[command.node],
        price=command.price,
        amount=command.amount,
    )
    paid = prices[command.price].tell(context.history.rewound(rewound), command.amount)
    return CommandResult([rewound, *paid], context.fresh)


@handles(builtin.Undo)
def undo(context: HandlerContext, _: builtin.Undo) -> CommandResult:
    if not context.history.recent:
        raise refusals.NoSuchThing("There is nothing to undo.")
    checkpoint = context.history.recent[-1]
    rewound = builtin.Rewound(to=checkpoint.number, label="", price="", amount=0, undo=True)
    return CommandResult([rewound], context.fresh)


@handles(builtin.Agree)
def agree(context: HandlerContext, command: builtin.Agree) -> CommandResult:
    consent = _find_consent(context, command.consent)
    kind = context.book.command(consent.command)
    if context.viewer.seat not in who_may_agree(context.state, consent, kind):
        raise refusals.NotYours("Somebody else is asked for that.")
    name_by_label = {field.label: field.name for field in definitions.fields_of(kind) if field.name in consent.ruling}
    changes = {name_by_label.get(label, label): value for label, value in command.changes.items()}
    foreign = sorted(changes.keys() - set(consent.ruling))
    if foreign:
        raise refusals.NotAllowed(f"That was not proposed for you to rule on: {', '.join(foreign)}.")
    if consent.by not in context.state.seats:
        raise refusals.NoSuchThing("Whoever proposed that has left the table.")
    assert context.do is not None  # noqa: S101 - where programs propose, there is somebody to do it
    ruled = replace(consent, fields={**consent.said, **changes}, texts={})
    result = context.do(ruled)
    words = consent.words
    if consent.ruling:  # the log has the rest of the proposal already
        proposer = Call(context.state, context.state.viewer(consent.by), context.fresh, consent.sight)
        words = in_words(context.book, proposer, validation.read(kind, ruled.fields), consent.ruling)
    agreed = builtin.ConsentGiven(seat=context.viewer.seat, words=words, consent=consent.id)
    return result._replace(events=[*result.events, agreed])


@handles(builtin.Decline)
def decline(context: HandlerContext, command: builtin.Decline) -> CommandResult:
    consent = _find_consent(context, command.consent)
    may = who_may_agree(context.state, consent, context.book.command(consent.command))
    if context.viewer.seat not in (consent.by, *may):
        raise refusals.NotYours("Somebody else is asked for that.")
    return CommandResult([builtin.ConsentDeclined(seat=context.viewer.seat, consent=consent)], context.fresh)


def _find_consent(context: HandlerContext, consent_id: str) -> Consent:
    consent = context.state.consents.get(consent_id)
    if consent is None or not consent.is_for(context.viewer):
        raise refusals.NoSuchThing("There is no such proposal: it was answered or taken back.")
    return consent


# ---------------------------------------------------------------- decisions


def find_decision(state: State, viewer: Viewer, act: str) -> Decision:
    decision = state.decisions.get(act)
    if decision is None or not (decision.is_for(viewer) or is_witness(decision, viewer.seat)):
        raise refusals.NothingToAnswer("There is nothing to decide there: it was answered, withdrawn or rewound.")
    return decision


def is_witness(decision: Decision, seat: str) -> bool:
    """Return whether a decision waits for this seat as a witness, who answers for a hidden roll without seeing it."""
    return any(side.startswith("w:") and decision.sides[side] == seat for side in decision.awaited)


def waiting_invocation(book: registry.Book, state: State, decision: Decision) -> Invocation:
    """Return the invocation of a waiting command in the present state."""
    action = book.action(decision.command)
    command = convert(decision.said, action.command)
    seat = decision.by if decision.by in state.seats else state.game_master
    call = Call(state, state.viewer(seat), decision.act, decision.sight)
    return Invocation(book, call, action, command, decision.sight, decision.by_hand)


def side_to_answer(state: State, decision: Decision, viewer: Viewer) -> tuple[str, str | None]:
    """Return the side that this seat answers for, and the seat whose decision it is if that is another one."""
    owners = {side: seat_of(state, decision.sides[side]) for side in decision.awaited}
    for side, owner in owners.items():
        if owner == viewer.seat:
            return side, None
    for side, owner in owners.items():
        is_own_alone = side == builtin.BY_HAND or side.startswith("w:")  # entered dice, and witnesses' links
        may_answer_for = viewer.is_game_master or state.seats[owner].stand_in == viewer.seat
        if may_answer_for and not is_own_alone:
            return side, owner
    raise refusals.NotYours("That decision is somebody else's.")


def check_decides_itself(state: State, viewer: Viewer, act: str) -> None:
    """Refuse a program, even as game master, that decides for a person, unless it is that person's stand-in."""
    decision = find_decision(state, viewer, act)
    _, owner = side_to_answer(state, decision, viewer)
    if owner and not state.seats[owner].ai and state.seats[owner].stand_in != viewer.seat:
        raise refusals.NotYours(f"{state.seats[owner].name} decides that.")


def seat_of(state: State, who: str) -> str:
    """Return the seat that decides for a character or seat; the game master's if there is none."""
    character = state.cast.get(who)
    seat = character.seat if character else who
    return seat if seat is not None and seat in state.seats else state.game_master


def _later_sight(decision: Decision) -> Sight:
    """Return the visibility of a resumed command. A hidden one has a single closed card, from its first dice."""
    if decision.sight is Sight.HIDDEN and decision.dice:
        return Sight.SECRET
    return decision.sight
