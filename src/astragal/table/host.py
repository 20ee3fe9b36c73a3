"""Host: the API that every surface calls to open a table, act, look, preview and follow.

It is synchronous; servers call it in threads. Every call names the seat that makes it. A command is acknowledged only
after it is stored, and the same command id always gets the same answer.
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
from astragal.table.chapters.chains import ChainPromised
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
from astragal.table.dice import Drawing, SeedsLost, Unpromised
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
        chosen: Any = read(book.ruleset.options, options or {})
        table, seat, act = self._repository.fresh(), self._repository.fresh(), self._repository.fresh()
        opened = TableOpened(
            table=table,
            name=name_checked(name),
            ruleset=ruleset,
            version=book.ruleset.version,
            options=plain(chosen),
            house=read(HouseOptions, house or {}),
            skin=skin,
            terms=terms or {},
            setting=setting or Setting(),
        )
        taken = SeatTaken(seat=Seat(id=seat, name=name_checked(game_master), role=Role.GAME_MASTER, ai=ai))
        self._repository.begin(book, table, seat, CommandResult([opened, taken], act))
        return Opened(table, seat)

    # ------------------------------------------------------------ acting

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
        how = {"sight": sight, "by_hand": by_hand, "shown": shown, "link": link, "program": program, "agreed": agreed}
        return run_alone(self._repository.store, self.acting(table, seat, command, command_id=command_id, **how))

    def acting(
        self, table: str, seat: str, command: Command, *, command_id: str | None = None, **how: Any
    ) -> Steps[Outcome]:
        """Give a command in steps, so that it can be stored together with others. It takes what `act` takes."""
        check_size(command)
        given = CommandRequest(command, **how)
        if command_id is not None and (not 0 < len(command_id) <= LONGEST_ID or not command_id.isprintable()):
            raise BadFields([f"a command's id is 1 to {LONGEST_ID} printable characters"])
        identity = None if command_id is None else Identity(command_id, given.digest(seat))
        live = yield from self._repository.opening(table)
        is_new = identity is None or identity.command not in live.answered
        at_once = is_new and given.link is None and self._dice is None
        if at_once and (done := (yield from self._act_optimistically(live, seat, given, identity))):
            return done
        yield None
        for _ in range(MOST_TRIES):
            with live.lock:
                live.catch_up()
                viewer = live.viewer(seat)
                if identity and (before := self._repository.answered(live, viewer, identity)):
                    return before
                live.check_playable()
                with suppress(Conflict):
                    self._repository.close_gap(live)
                    try:
                        result = self._decide(live, viewer, given)
                        return (yield from self._repository.keeping(live, seat, result, identity))
                    except Unpromised as due:
                        self._repository.promise(live, seat, due.promise)
                    except SeedsLost:
                        self._repository.declare_gap(live, "the seeds of the dice were lost")
                        raise
        raise NoRoom(CROWDED)

    def _act_optimistically(
        self, live: LiveTable, seat: str, given: CommandRequest, identity: Identity | None
    ) -> Steps[Outcome | None]:
        """Optimistic path: decide on cached state, and let the store reject it if the state is stale or the id is used.

        Returns None when the log has to be read on and the command decided again from there. Not for commands with
        side effects that outlive a failed attempt: a link, which a refusal spends, and a custom source of dice.
        """
        if not live.lock.acquire(blocking=False):
            yield None
            live.lock.acquire()
        try:
            live.check_playable()
            if live.ledger_writer.gap_is_due:
                return None
            result = self._decide(live, live.viewer(seat), given)
            return (yield from self._repository.keeping(live, seat, result, identity))
        except NoRoom:  # it may have been stored all the same
            raise
        except (Conflict, Refusal, Unpromised):
            return None
        finally:
            live.lock.release()

    def _decide(self, live: LiveTable, viewer: Viewer, given: CommandRequest) -> CommandResult:
        if given.sight is not Sight.OPEN and not viewer.is_game_master:
            raise NotAllowed("Only the game master rolls out of sight.")
        checked = _allowed(live, viewer, given.command)
        fresh = self._repository.fresh()
        if given.program or live.state.seats[viewer.seat].ai:
            return self._act_for_program(live, Call(live.state, viewer, fresh, given.sight), given, checked)
        return self._run(live, viewer, given, checked, fresh)

    def _act_for_program(self, live: LiveTable, call: Call, given: CommandRequest, checked: Any) -> CommandResult:
        """Perform a program's command, or propose it to a person. Adds an event if it was done on somebody's word."""
        if isinstance(checked, Agree):
            consent = live.state.consents.get(checked.consent)
            is_ai_master = call.viewer.is_game_master and live.state.seats[call.viewer.seat].ai
            if consent is None or not consent.ruling or not is_ai_master:  # an AI game master may rule, too
                raise NotAllowed("Only a person can agree to that, in their own window; a program can't.")
        if isinstance(checked, Answer):
            check_decides_itself(live.state, call.viewer, checked.act)
        if isinstance(told := consent_event(live.book, live.history, call, checked, given.agreed), ConsentAsked):
            return CommandResult([told], call.fresh)
        done = self._run(live, call.viewer, given, checked, call.fresh)
        return done._replace(events=[*done.events, told]) if told else done

    def _run(self, live: LiveTable, viewer: Viewer, given: CommandRequest, checked: Any, fresh: str) -> CommandResult:
        with rewording_refusals(live.state):
            if type(checked) in HANDLERS:
                return HANDLERS[type(checked)](self._handler_context(live, viewer, fresh, given.link), checked)
            action = live.book.action(given.command_name)
            call = Call(live.state, viewer, fresh, given.sight)
            if not given.ruled and (waits := ruling(live.book, call, checked)):
                return CommandResult([waits], fresh)
            invocation = Invocation(live.book, call, action, checked, given.sight, given.by_hand)
            if given.shown is not None:
                _check_shown(invocation, given.shown)
            roller = given.ruled or viewer
            dice = (
                _by_hand(live, viewer)
                if given.by_hand
                else self._dice_for(live, roller, fresh, given.sight, given.link)
            )
            return self._performed(live, invocation, dice)

    def _performed(self, live: LiveTable, invocation: Invocation, dice: Dice) -> CommandResult:
        """Perform a command. A link that was sent with it is spent even if the command is refused."""
        drawing = dice if isinstance(dice, Drawing) else None
        hides = invocation.action.hides(invocation.call, invocation.command)
        try:
            events = perform(invocation, dice)
        except Refusal:
            if drawing and drawing.link is not None and drawing.is_paired:
                drawing.spend_unused()
                self._repository.keep(
                    live, invocation.call.viewer.seat, CommandResult([], invocation.call.fresh, drawing=drawing)
                )
            raise
        if drawing:
            drawing.spend_unused()
            if any(isinstance(event, ChainPromised) for event in events):
                drawing.server_chain()  # promised before a player's chain is paired with it, so neither depends on it
        return CommandResult(events, invocation.call.fresh, invocation.sight, hides, drawing)

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
            checked = _allowed(live, viewer, command)
            if type(checked) in HANDLERS:
                return None
            action = live.book.action(kind_of_command(type(checked)).name)
            call = Call(live.view(seat), viewer, "preview", sight)
        with rewording_refusals(call.state):
            return preview(Invocation(live.book, call, action, checked, sight))

    def rehearse(self, table: str, seat: str, command: Command) -> None:
        """Dry run: raise the refusal that a command without dice would meet. Nothing is stored."""
        with self._repository.at(table) as live:
            viewer = live.viewer(seat)
            checked = _allowed(live, viewer, command)
            action = live.book.actions.get(kind_of_command(type(checked)).name)
            if action is not None and action.gather is None:
                call = Call(live.state, viewer, self._repository.fresh())
                with rewording_refusals(live.state):
                    perform(Invocation(live.book, call, action, checked), EnteredDice())

    def required_consent(
        self, table: str, seat: str, command: Command, *, sight: Sight = Sight.OPEN
    ) -> RequiredConsent | None:
        """Return the consent that a program needs before it gives this command, if any. Nothing is stored."""
        with self._repository.at(table) as live:
            viewer = live.viewer(seat)
            checked = _allowed(live, viewer, command)
            return required_consent(live.book, live.history, Call(live.state, viewer, "preview", sight), checked)

    def worded(self, table: str, seat: str, command: Command, *, sight: Sight = Sight.OPEN) -> str:
        """Put a command into words for people: "Kira: check, difficulty 5"."""
        with self._repository.at(table) as live:
            viewer = live.viewer(seat)
            return in_words(live.book, Call(live.state, viewer, "preview", sight), _understood(live, viewer, command))

    def rewind_price(self, table: str, seat: str, asked: Rewind) -> tuple[str, ...]:
        """Preview a rewind in words: the rewind itself, then its price. Nothing is stored."""
        with self._repository.at(table) as live:
            viewer = live.viewer(seat)
            checked = _allowed(live, viewer, asked)
            told = HANDLERS[Rewind](self._handler_context(live, viewer, self._repository.fresh(), None), checked)
            teller = Teller(live.state, live.state.terms)
            return tuple(live.book.event_specs[type(event)].words(event, teller) for event in told.events)

    def decisions(self, table: str, seat: str) -> tuple[OpenDecision, ...]:
        """Return the pending decisions, with their options if this seat may answer."""
        with self._repository.at(table) as live:
            seen = live.book, live.state, live.viewer(seat), live.view(seat)
            offered = live.offered
        return open_decisions(*seen, offered)

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
            return live.ledger(after)

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

    # ------------------------------------------------------------ how it is done

    def _handler_context(self, live: LiveTable, viewer: Viewer, fresh: str, link: bytes | None) -> HandlerContext:
        def dice(decision: Decision) -> Dice:
            if decision.by_hand:
                return EnteredDice()
            found = self._dice_for(live, viewer, decision.act, decision.sight, link)
            asked = tuple(side for side in decision.sides if side.startswith("w:"))
            if isinstance(found, Drawing) and asked:
                found.witnesses = asked
            return found

        def do(consent: Consent) -> CommandResult:
            proposer, command = live.viewer(consent.by), (consent.command, consent.said)
            checked = _understood(live, proposer, command)
            allow(live.state, proposer, checked)
            given = CommandRequest(command, consent.sight, ruled=viewer if consent.ruling else None)
            return self._run(live, proposer, given, checked, fresh)

        return HandlerContext(
            live.book, live.history, viewer, fresh, dice, lambda act: any(True for _ in live.entries_of(act)), do
        )

    def _dice_for(self, live: LiveTable, viewer: Viewer, act: str, sight: Sight, link: bytes | None) -> Dice:
        if self._dice is not None:
            return self._dice(DiceRequest(live.table, viewer.seat, act, sight))
        by = seat_in_ledger(viewer.seat, live.state.game_master)
        drawing = live.ledger_writer.drawing(act, by, sight, live.state.calendar.scene or "table", link)
        if sight is not Sight.OPEN and live.state.house.witnessed:
            drawing.witnesses = live.ledger_writer.witnesses()
        return drawing


def _understood(live: LiveTable, viewer: Viewer, command: Command) -> Any:
    return understood(live.book, live.state, viewer, command, lambda: live.view(viewer.seat))


def _allowed(live: LiveTable, viewer: Viewer, command: Command) -> Any:
    """Parse and validate a command, and check that this seat may give it."""
    checked = _understood(live, viewer, command)
    allow(live.state, viewer, checked)
    return checked


def _check_shown(invocation: Invocation, shown: str) -> None:
    """Check that the previewed question is still the one that would be rolled, as far as this seat can know."""
    seen = invocation._replace(call=replace(invocation.call, state=redact(invocation.state, invocation.call.viewer)))
    question = seen.question()
    if question is None or fingerprint(seen, question) != shown:
        raise QuestionChanged("The table has moved on: this would be another roll now. Look again.")


def _by_hand(live: LiveTable, viewer: Viewer) -> Dice:
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
