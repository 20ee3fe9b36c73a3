"""Host: the API that every surface calls to open a table, act, look, preview and follow.

It is synchronous; servers call it in threads. Every call names the seat that makes it. A command is acknowledged only
after it is stored, and the same command id always gets the same answer.

The life of a command, in the order of the functions of this file:

1. `act` takes it from a seat, and `acting` takes it in steps, so that commands of several tables can share one
   transaction (`log/group_commit.py`).
2. `_act_optimistically` decides it on the table in memory, without asking the store whether there is more to read.
   If that turns out to be stale, or if it was refused there, `_act_on_newest` reads the log to its end and decides it
   again, or finds that it was answered already.
3. `_decide` parses its fields and checks what its seat may do. A program's command may have to wait for a person
   (`_run_for_program`).
4. `_run` hands a built-in command to its handler. A game's command is performed (`_performed`) with the dice that
   `_dice_for` draws from the promised chains: `commands/execute.py` asks its question and turns the answer into events.
5. `TableRepository.keeping` commits the events: `log/commit.py` folds them, proves them in the public ledger and
   encodes both, the store takes it all in one transaction, and only then does the table in memory go on.
6. The outcome is what the seat sees of these events. Every other seat reads them with `follow`, redacted for it
   (`visibility/seat_views.py`).
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from msgspec import Struct

from astragal.chance import Dice, EnteredDice
from astragal.fair import Ledger
from astragal.table.authoring.chapter import Call
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.chapters.seats import SeatTaken
from astragal.table.commands.builtin import Agree, Answer, ConsentAsked, Rewind
from astragal.table.commands.consent import RequiredConsent, consent_event, in_words, required_consent, ruling
from astragal.table.commands.execute import Invocation, allow, perform
from astragal.table.commands.handlers import (
    HANDLERS,
    CommandRequest,
    CommandResult,
    HandlerContext,
    check_decides_itself,
)
from astragal.table.declarations import Role, Seat, Sight, Viewer, kind_of_command, replace
from astragal.table.dice import Drawing, SeedsLost
from astragal.table.fields.parse import Command, check_size, name_checked, understood
from astragal.table.fields.validation import read
from astragal.table.ledger_writer import seat_in_ledger
from astragal.table.log.album import Album
from astragal.table.log.archive import Archive
from astragal.table.log.group_commit import Steps, run_alone
from astragal.table.log.repository import CROWDED, MOST_TRIES, Identity, Outcome, TableRepository
from astragal.table.log.session import LiveTable
from astragal.table.log.store import Conflict, Store
from astragal.table.pending import OpenDecision, open_decisions
from astragal.table.preview import Preview, fingerprint, preview
from astragal.table.refusals import BadFields, NoRoom, NoSuchThing, NotAllowed, QuestionChanged, Refusal
from astragal.table.registry import Book, TableOpened
from astragal.table.state.setting import Setting
from astragal.table.state.table import Decision, HouseOptions, State
from astragal.table.state.things import Consent
from astragal.table.visibility.cursor import Page, events_of, latest, of_kinds, page
from astragal.table.visibility.events import SeenEvent
from astragal.table.visibility.redact import plain, redact

MOST_ON_A_PAGE = 200
LONGEST_ID = 100


class DiceRequest(Struct, frozen=True):
    """Request for dice, as passed to a custom source of dice."""

    table: str
    seat: str
    act: str
    sight: Sight


class Opened(Struct, frozen=True):
    """A new table, and the game master's seat at it."""

    table: str
    seat: str


class Host:
    """Runs the tables of a store."""

    def __init__(
        self,
        store: Store,
        rulesets: Iterable[Ruleset],
        *,
        dice: Callable[[DiceRequest], Dice] | None = None,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._repository = TableRepository(store, rulesets, clock=clock, entropy=entropy, rehearses=dice is not None)
        self._dice = dice
        self.archive = Archive(self._repository)
        self.album = Album(self._repository)

    @property
    def books(self) -> Mapping[str, Book]:
        """The games that are played here, by id, each joined with the chapters that every table has."""
        return self._repository.books

    def book_of(self, table: str) -> Book:
        """Return the game of a table. A table never changes its game, so this does not read on in its log."""
        return self._repository.at(table).book

    def opening(self, table: str) -> Steps[None]:
        """Read a table into memory in steps, so that what is asked of it next need not wait for that."""
        yield from self._repository.opening(table)

    def seats(self, table: str) -> Mapping[str, Seat]:
        """Return the seats of a table, for the program that runs it; a seat calls `look` instead."""
        with self._repository.at(table) as live:
            return live.state.seats

    # ------------------------------------------------------------ opening

    def open(
        self,
        ruleset: str,
        *,
        name: str,
        game_master: str,
        ai: bool = False,
        options: Mapping[str, Any] | None = None,
        house: Mapping[str, Any] | None = None,
        skin: str = "",
        terms: Mapping[str, str] | None = None,
        setting: Setting | None = None,
    ) -> Opened:
        """Open a table of a game and take the game master's seat."""
        if ruleset not in self._repository.books:
            raise NoSuchThing(
                f"There is no game {ruleset[:40]!r} here; there are {', '.join(sorted(self._repository.books))}."
            )
        book = self._repository.newest_book(ruleset)
        game_options: Any = read(book.ruleset.options, options or {})
        table = self._repository.fresh()
        seat = self._repository.fresh()
        act = self._repository.fresh()
        opened = TableOpened(
            table=table,
            name=name_checked(name),
            ruleset=ruleset,
            version=book.ruleset.version,
            options=plain(game_options),
            house=read(HouseOptions, house or {}),
            skin=skin,
            terms=terms or {},
            setting=setting or Setting(),
        )
        seat_taken = SeatTaken(seat=Seat(id=seat, name=name_checked(game_master), role=Role.GAME_MASTER, ai=ai))
        self._repository.begin(book, table, seat, CommandResult([opened, seat_taken], act))
        return Opened(table, seat)

    # ------------------------------------------------------------ acting: the life of a command

    def act(
        self,
        table: str,
        seat: str,
        command: Command,
        *,
        command_id: str | None = None,
        sight: Sight = Sight.OPEN,
        by_hand: bool = False,
        shown: str | None = None,
        link: bytes | None = None,
        program: bool = False,
        agreed: str | None = None,
    ) -> Outcome:
        """Give a command: a command object, or its name and plain fields.

        The same `command_id` again gives the same outcome. Only the game master may set `sight`. `by_hand` waits for
        dice to be entered. `shown` is the question of the preview that the command was decided on. `link` is the next
        link of the seat's own chain, if its rolls are paired. A command from a `program`, on any seat, waits for a
        person's yes if that person has to decide it. `agreed` is the seat of the person who already said yes, empty if
        they have no seat.
        """
        steps = self.acting(
            table,
            seat,
            command,
            command_id=command_id,
            sight=sight,
            by_hand=by_hand,
            shown=shown,
            link=link,
            program=program,
            agreed=agreed,
        )
        return run_alone(self._repository.store, steps)

    def acting(
        self, table: str, seat: str, command: Command, *, command_id: str | None = None, **options: Any
    ) -> Steps[Outcome]:
        """Give a command in steps, so that it can be stored together with others. It takes what `act` takes."""
        check_size(command)
        request = CommandRequest(command, **options)
        identity = _identity(command_id, request, seat)
        live = yield from self._repository.opening(table)
        is_new = identity is None or identity.command not in live.answered
        if is_new and request.link is None and self._dice is None:
            outcome = yield from self._act_optimistically(live, seat, request, identity)
            if outcome is not None:
                return outcome
        yield None
        return (yield from self._act_on_newest(live, seat, request, identity))

    def _act_optimistically(
        self, live: LiveTable, seat: str, request: CommandRequest, identity: Identity | None
    ) -> Steps[Outcome | None]:
        """Decide on the state in memory, and let the store reject it if the state is stale or the id is used.

        Returns None when the log has to be read on and the command decided again from there. Not for commands with
        side effects that outlive a failed attempt: a link, which a refusal spends, and a custom source of dice.
        """
        if not live.lock.acquire(blocking=False):
            yield None
            live.lock.acquire()
        try:
            live.check_playable()
            if not self._repository.is_ready(live):
                return None
            result = self._decide(live, live.viewer(seat), request)
            return (yield from self._repository.keeping(live, seat, result, identity))
        except NoRoom:  # it may have been stored all the same
            raise
        except (Conflict, Refusal):
            return None
        finally:
            live.lock.release()

    def _act_on_newest(
        self, live: LiveTable, seat: str, request: CommandRequest, identity: Identity | None
    ) -> Steps[Outcome]:
        """Read the log to its end, then answer from it, or decide and store; again after each `Conflict`."""
        for _ in range(MOST_TRIES):
            with live.lock:
                live.catch_up()
                viewer = live.viewer(seat)
                if identity:
                    earlier_outcome = self._repository.answered(live, viewer, identity)
                    if earlier_outcome is not None:
                        return earlier_outcome
                live.check_playable()
                with suppress(Conflict):
                    self._repository.make_ready(live)
                    try:
                        result = self._decide(live, viewer, request)
                        return (yield from self._repository.keeping(live, seat, result, identity))
                    except SeedsLost:
                        self._repository.declare_gap(live, "the seeds of the dice were lost")
                        raise
        raise NoRoom(CROWDED)

    def _decide(self, live: LiveTable, viewer: Viewer, request: CommandRequest) -> CommandResult:
        """Validate and authorize a command, and decide whether it is run or, if it is a program's, only proposed."""
        if request.sight is not Sight.OPEN and not viewer.is_game_master:
            raise NotAllowed("Only the game master rolls out of sight.")
        command = _allowed(live, viewer, request.command)
        call = Call(live.state, viewer, self._repository.fresh(), request.sight)
        if request.program or live.state.seats[viewer.seat].ai:
            return self._run_for_program(live, call, request, command)
        return self._run(live, call, request, command)

    def _run_for_program(self, live: LiveTable, call: Call, request: CommandRequest, command: Any) -> CommandResult:
        """Run a program's command, or propose it to a person. Adds an event if it was done on somebody's word."""
        if isinstance(command, Agree):
            _check_may_agree(live.state, call.viewer, command)
        if isinstance(command, Answer):
            check_decides_itself(live.state, call.viewer, command.act)
        consent = consent_event(live.book, live.history, call, command, request.agreed)
        if isinstance(consent, ConsentAsked):
            return CommandResult([consent], call.fresh)
        result = self._run(live, call, request, command)
        return result._replace(events=[*result.events, consent]) if consent else result

    def _run(self, live: LiveTable, call: Call, request: CommandRequest, command: Any) -> CommandResult:
        """Run a command: a built-in one by its handler; a game's one as far as its next decision, with its dice."""
        with rewording_refusals(live.state):
            if type(command) in HANDLERS:
                context = self._handler_context(live, call.viewer, call.fresh, request.link)
                return HANDLERS[type(command)](context, command)
            action = live.book.action(request.command_name)
            if not request.ruled:
                proposal = ruling(live.book, call, command)
                if proposal:
                    return CommandResult([proposal], call.fresh)
            invocation = Invocation(live.book, call, action, command, request.sight, request.by_hand)
            if request.shown is not None:
                _check_shown(invocation, request.shown)
            if request.by_hand:
                dice = _dice_by_hand(live, call.viewer)
            else:
                roller = request.ruled or call.viewer
                dice = self._dice_for(live, roller, call.fresh, request.sight, request.link)
            return self._performed(live, invocation, dice)

    def _performed(self, live: LiveTable, invocation: Invocation, dice: Dice) -> CommandResult:
        """Perform a command. A link that was sent with it is spent even if the command is refused."""
        drawing = dice if isinstance(dice, Drawing) else None
        call = invocation.call
        hides = invocation.action.hides(call, invocation.command)
        try:
            events = perform(invocation, dice)
        except Refusal:
            if drawing and drawing.link is not None and drawing.is_paired:
                drawing.spend_unused()
                self._repository.keep(live, call.viewer.seat, CommandResult([], call.fresh, drawing=drawing))
            raise
        if drawing:
            drawing.spend_unused()
        return CommandResult(events, call.fresh, invocation.sight, hides, drawing)

    def _dice_for(self, live: LiveTable, viewer: Viewer, act: str, sight: Sight, link: bytes | None) -> Dice:
        """Return the dice of a command: those that the table has promised, or those of a custom source."""
        if self._dice is not None:
            return self._dice(DiceRequest(live.table, viewer.seat, act, sight))
        by = seat_in_ledger(viewer.seat, live.state.game_master)
        drawing = live.ledger_writer.drawing(act, by, sight, link)
        if sight is not Sight.OPEN and live.state.house.witnessed:
            drawing.witnesses = live.ledger_writer.witnesses()
        return drawing

    def _handler_context(self, live: LiveTable, viewer: Viewer, fresh: str, link: bytes | None) -> HandlerContext:
        """Return what the handler of a built-in command may use."""

        def dice_for_waiting(decision: Decision) -> Dice:
            if decision.by_hand:
                return EnteredDice()
            dice = self._dice_for(live, viewer, decision.act, decision.sight, link)
            witnesses = tuple(side for side in decision.sides if side.startswith("w:"))
            if isinstance(dice, Drawing) and witnesses:
                dice.witnesses = witnesses
            return dice

        def run_proposal(consent: Consent) -> CommandResult:
            proposer = live.viewer(consent.by)
            proposed = (consent.command, consent.said)
            command = _allowed(live, proposer, proposed)
            request = CommandRequest(proposed, consent.sight, ruled=viewer if consent.ruling else None)
            return self._run(live, Call(live.state, proposer, fresh, consent.sight), request, command)

        def is_known(act: str) -> bool:
            return bool(live.log.entries_of(act))

        return HandlerContext(live.book, live.history, viewer, fresh, dice_for_waiting, is_known, run_proposal)

    # ------------------------------------------------------------ looking

    def look(self, table: str, seat: str) -> State:
        """Return the table's state, redacted for this seat."""
        with self._repository.at(table) as live:
            return live.view(seat)

    def preview(self, table: str, seat: str, command: Command, *, sight: Sight = Sight.OPEN) -> Preview | None:
        """Calculate the exact odds of a command, as far as this seat may know; None if nothing is rolled.

        `sight` is how the roll would be shown to others: a roll out of sight can be another question.
        """
        with self._repository.at(table) as live:
            viewer = live.viewer(seat)
            allowed_command = _allowed(live, viewer, command)
            if type(allowed_command) in HANDLERS:
                return None
            action = live.book.action(kind_of_command(type(allowed_command)).name)
            call = Call(live.view(seat), viewer, "preview", sight)
        with rewording_refusals(call.state):
            return preview(Invocation(live.book, call, action, allowed_command, sight))

    def rehearse(self, table: str, seat: str, command: Command) -> None:
        """Dry run: raise the refusal that a command without dice would meet. Nothing is stored."""
        with self._repository.at(table) as live:
            viewer = live.viewer(seat)
            allowed_command = _allowed(live, viewer, command)
            action = live.book.actions.get(kind_of_command(type(allowed_command)).name)
            if action is not None and action.gather is None:
                call = Call(live.state, viewer, self._repository.fresh())
                with rewording_refusals(live.state):
                    perform(Invocation(live.book, call, action, allowed_command), EnteredDice())

    def required_consent(
        self, table: str, seat: str, command: Command, *, sight: Sight = Sight.OPEN
    ) -> RequiredConsent | None:
        """Return the consent that a program needs before it gives this command, if any. Nothing is stored."""
        with self._repository.at(table) as live:
            viewer = live.viewer(seat)
            call = Call(live.state, viewer, "preview", sight)
            return required_consent(live.book, live.history, call, _allowed(live, viewer, command))

    def worded(self, table: str, seat: str, command: Command, *, sight: Sight = Sight.OPEN) -> str:
        """Put a command into words for people: "Kira: check, difficulty 5"."""
        with self._repository.at(table) as live:
            viewer = live.viewer(seat)
            call = Call(live.state, viewer, "preview", sight)
            return in_words(live.book, call, _understood(live, viewer, command))

    def rewind_price(self, table: str, seat: str, rewind: Rewind) -> tuple[str, ...]:
        """Preview a rewind in words: the rewind itself, then its price. Nothing is stored."""
        with self._repository.at(table) as live:
            viewer = live.viewer(seat)
            allowed_rewind = _allowed(live, viewer, rewind)
            context = self._handler_context(live, viewer, self._repository.fresh(), None)
            result = HANDLERS[Rewind](context, allowed_rewind)
            teller = Teller(live.state, live.state.terms)
            return tuple(live.book.event_specs[type(event)].words(event, teller) for event in result.events)

    def decisions(self, table: str, seat: str) -> tuple[OpenDecision, ...]:
        """Return the pending decisions, with their options if this seat may answer."""
        with self._repository.at(table) as live:
            state = live.state
            viewer = live.viewer(seat)
            view = live.view(seat)
            offered = live.views.offered
        return open_decisions(live.book, state, viewer, view, offered)

    def follow(self, table: str, seat: str, cursor: str = "", most: int = MOST_ON_A_PAGE) -> Page:
        """Return a page of the events after `cursor` that this seat may see; without a cursor, from the beginning."""
        with self._repository.at(table) as live:
            return page(live, seat, cursor, most)

    def latest(self, table: str, seat: str, before: str = "", most: int = MOST_ON_A_PAGE) -> Page:
        """Return a page of the newest events that this seat may see, or of those before a page, given its `start`."""
        with self._repository.at(table) as live:
            return latest(live, seat, before, most)

    def events_of(self, table: str, seat: str, act: str) -> tuple[SeenEvent, ...]:
        """Return all events of one command that this seat may see, in order."""
        with self._repository.at(table) as live:
            return events_of(live, seat, act)

    def told(self, table: str, seat: str, names: Iterable[str]) -> tuple[SeenEvent, ...]:
        """Return all events of these names that this seat may see, oldest first."""
        with self._repository.at(table) as live:
            return of_kinds(live, seat, names)

    def ledger(self, table: str, seat: str, after: int = 0) -> Iterator[bytes]:
        """Iterate over the lines of the public ledger from line `after` on: the same bytes for every seat."""
        with self._repository.at(table) as live:
            live.viewer(seat)
            return live.log.ledger(after)

    def ledger_state(self, table: str, seat: str) -> Ledger:
        """Return the state of the public ledger: the promised chains, and the hidden rolls that wait for witnesses."""
        with self._repository.at(table) as live:
            live.viewer(seat)
            return live.ledger_writer.ledger

    @contextmanager
    def looking(self, table: str, *, reads_on: bool = True) -> Iterator[int]:
        """Read a table several times in this thread, and check the store for new entries only once.

        A caller that has just acted can skip even that with `reads_on=False`. Yields the number of the newest entry.
        """
        live = self._repository.at(table)
        with live.lock:
            if reads_on:
                live.catch_up()
            live.caught_up_threads.add(threading.get_ident())
            newest = live.history.number
        try:
            yield newest
        finally:
            live.caught_up_threads.discard(threading.get_ident())

    @contextmanager
    def following(self, table: str) -> Iterator[None]:
        """Keep a table in memory while a client follows it."""
        self._repository.follow(table)
        try:
            yield
        finally:
            self._repository.unfollow(table)

    def watch(self, wake: Callable[[str | None], None]) -> Callable[[], None]:
        """Call `wake` when a table may have changed. Returns a function that ends the watch."""
        return self._repository.store.watch(wake)


# ---------------------------------------------------------------- checks on the way of a command


def _identity(command_id: str | None, request: CommandRequest, seat: str) -> Identity | None:
    """Return what a command is known by if it is sent again; None if its sender gave no id."""
    if command_id is None:
        return None
    if not 0 < len(command_id) <= LONGEST_ID or not command_id.isprintable():
        raise BadFields([f"a command's id is 1 to {LONGEST_ID} printable characters"])
    return Identity(command_id, request.digest(seat))


def _understood(live: LiveTable, viewer: Viewer, command: Command) -> Any:
    """Parse a command and validate its fields. Returns the command object."""
    return understood(live.book, live.state, viewer, command, lambda: live.view(viewer.seat))


def _allowed(live: LiveTable, viewer: Viewer, command: Command) -> Any:
    """Parse and validate a command, and check that this seat may give it. Returns the command object."""
    parsed = _understood(live, viewer, command)
    allow(live.state, viewer, parsed)
    return parsed


def _check_may_agree(state: State, viewer: Viewer, agree: Agree) -> None:
    """Refuse a program that agrees to a proposal. Only an AI game master may, when the proposal asks for a ruling."""
    consent = state.consents.get(agree.consent)
    is_ai_master = viewer.is_game_master and state.seats[viewer.seat].ai
    if consent is None or not consent.ruling or not is_ai_master:
        raise NotAllowed("Only a person can agree to that, in their own window; a program can't.")


def _check_shown(invocation: Invocation, shown: str) -> None:
    """Check that the previewed question is still the one that would be rolled, as far as this seat can know."""
    view = redact(invocation.state, invocation.call.viewer)
    as_seen = invocation._replace(call=replace(invocation.call, state=view))
    question = as_seen.question()
    if question is None or fingerprint(as_seen, question) != shown:
        raise QuestionChanged("The table has moved on: this would be another roll now. Look again.")


def _dice_by_hand(live: LiveTable, viewer: Viewer) -> Dice:
    """Return dice that wait for their faces to be entered. Raises `NotAllowed` where that isn't allowed."""
    if not live.state.house.hand_dice:
        raise NotAllowed("This table doesn't use dice rolled by hand.")
    if live.state.seats[viewer.seat].ai:
        raise NotAllowed("A program can't roll dice by hand.")
    return EnteredDice()


@contextmanager
def rewording_refusals(state: State) -> Iterator[None]:
    """Reword refusals raised inside with the terms of the table's skin."""
    try:
        yield
    except Refusal as refusal:
        if state.renamed:
            refusal.reworded(state.worded)
        raise
