"""Commit of a command, prepared: what its events make of the table, and all that is to be stored with them.

`prepare` is pure but for the salts and seeds that it draws. Nothing is stored or shown until the store has taken the
whole of it in one transaction.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from astragal.fair import FairError, Ledger, Receipt
from astragal.table import ledger_writer, refusals
from astragal.table.commands import execute
from astragal.table.commands.builtin import Decided, Happened, Rolled
from astragal.table.commands.handlers import CommandResult
from astragal.table.declarations import Role, Sight, Viewer, decoder
from astragal.table.dice import Rollers
from astragal.table.log.codec import Codec, Encoded
from astragal.table.log.seat_export import ProvingFields
from astragal.table.log.session import LiveTable
from astragal.table.log.store import Answer, Batch, Entry, Text
from astragal.table.registry import Book
from astragal.table.state.table import State
from astragal.table.visibility import redact
from astragal.table.visibility.events import SeenEvent, is_for, places_opened, places_shown
from astragal.table.visibility.redact import plain

NEWCOMER = Viewer(ledger_writer.NEWCOMER, Role.PLAYER)
"""A player who has yet to sit down."""
NOTHING: Mapping[str, bytes] = MappingProxyType({})


class Outcome(Struct, frozen=True):
    """Outcome of a command, as its seat sees it."""

    act: str
    events: tuple[SeenEvent, ...]
    waits_for: tuple[str, ...] = ()
    """The sides that have to decide before the command is settled."""
    receipt: Receipt | None = None
    """The ledger's last line and head at that time. A client that keeps it can prove that the ledger was rewritten."""


class Identity(NamedTuple):
    """A command's id and a digest of its arguments: the same id can't be used for another command."""

    command: str
    asked: bytes


class StoredOutcome(Struct, frozen=True):
    """Stored answer to a command: the place of its outcome in the log, and its receipt."""

    act: str
    first: int
    last: int
    waits_for: tuple[str, ...]
    receipt: Receipt


STORED_OUTCOME = decoder(StoredOutcome)


class Writing(NamedTuple):
    """How entries are written: at what time, with what salts for their texts, and for whom dice are promised."""

    clock: Callable[[], int]
    salt: Callable[[], bytes]
    rollers_in: Callable[[State], Rollers | None]


class Commit(NamedTuple):
    """All that a command changes: the events with the states they lead to, the ledger's lines, and what is stored."""

    state_after: State
    happened: list[Happened]
    states: list[State]
    proving: list[Happened]
    """The entries that hold the new lines of the ledger."""
    ledger: Ledger
    batch: Batch
    outcome: Outcome


def prepare(live: LiveTable, seat: str, result: CommandResult, identity: Identity | None, writing: Writing) -> Commit:
    """Fold a command's events, prove them in the ledger, and encode both. Raises a `Refusal` if they do not fit."""
    state_before = live.state
    number = live.history.number
    states, events = execute.settle(live.book, live.history, result.events)
    state_after = states[-1] if states else state_before
    _check(live.book, state_before, state_after, seat, events)
    time = writing.clock()
    happened = numbered(time, seat, number, result, events)
    encoded = encode(live.book.codec, happened, writing.salt)
    proof = _proof(
        live, seat, state_after, result, happened=happened, encoded=encoded, rollers=writing.rollers_in(state_after)
    )
    proving = numbered(time, seat, number + len(happened), result, proof.lines)
    encoded += encode(live.book.codec, proving, writing.salt)
    outcome = _outcome(live, state_after, seat, result.act, happened, receipt=proof.receipt)
    answer = _answer(identity, outcome, proof.receipt, number + 1, number + len(happened))
    batch = as_batch(encoded, answer, proof.seeds, result.pictures)
    return Commit(state_after, happened, states, proving, proof.ledger, batch, outcome)


def _check(book: Book, before: State, after: State, seat: str, events: Iterable[Any]) -> None:
    """Refuse a command that disturbs a waiting one, or for which there is no room."""
    if any(isinstance(event, (Rolled, Decided)) for event in events):
        return  # nothing is refused once its dice have fallen
    execute.check_undisturbed(book, before, after)
    if after is not before and seat in before.seats:
        execute.check_room(before, after, before.viewer(seat))


# ---------------------------------------------------------------- entries


def numbered(time: int, seat: str, after: int, result: CommandResult, events: Iterable[Any]) -> list[Happened]:
    """Number events for the log. Events of one commit share one time; anonymous events are stored without an author."""
    happened: list[Happened] = []
    for number, event in enumerate(events, after + 1):
        author = "" if getattr(event, "anonymous", False) else seat
        happened.append(Happened(number, time, author, result.act, event, result.sight, result.hides))
    return happened


def encode(codec: Codec, happened: Iterable[Happened], salt: Callable[[], bytes]) -> list[Encoded]:
    return [codec.encode(entry, salt) for entry in happened]


def as_batch(
    encoded: Sequence[Encoded],
    answer: Answer | None = None,
    private: Mapping[str, bytes] = NOTHING,
    pictures: Mapping[str, bytes] = NOTHING,
) -> Batch:
    """Return what is stored in one transaction."""
    entries = tuple(stored.entry for stored in encoded)
    return Batch(entries, answer, tuple(_texts_of(encoded)), private, pictures)


def _texts_of(encoded: Iterable[Encoded]) -> list[Text]:
    texts: list[Text] = []
    for stored in encoded:
        texts += stored.texts
    return texts


# ---------------------------------------------------------------- proof


def _proof(
    live: LiveTable,
    seat: str,
    state_after: State,
    result: CommandResult,
    *,
    happened: Sequence[Happened],
    encoded: Sequence[Encoded],
    rollers: Rollers | None,
) -> ledger_writer.Proof:
    """Return the lines of the ledger that prove a command's events."""
    if result.drawing:
        by = result.drawing.by
    else:
        by = ledger_writer.seat_in_ledger(seat, live.state.game_master)
    record = ledger_writer.CommandRecord(
        result.act,
        by,
        result.sight,
        result.hides,
        events=[entry.event for entry in happened],
        entries=[stored.entry for stored in encoded],
        drawing=result.drawing,
        deciding=state_after.decisions,
        declared=result.declared,
        rollers=rollers,
        audiences=audiences_of(map(state_after.viewer, state_after.seats), happened),
        beyond=hidden_paths(happened, encoded),
        is_revealed=result.act in state_after.revealed,
    )
    try:
        return live.ledger_writer.attest(record, live.log.entries_of)
    except FairError as fault:
        raise refusals.Refusal(str(fault), code=f"fair_{fault.code.value.replace('-', '_')}") from fault


def hidden_paths(happened: Sequence[Happened], encoded: Sequence[Encoded]) -> list[list[str]]:
    """Return, for each entry, the paths of the values that some may not see who are shown the entry."""
    texts = {text.digest: text for text in _texts_of(encoded)}
    paths = []
    for entry, stored in zip(happened, encoded, strict=True):
        paths.append(_hidden_from_newcomers(entry, stored.entry, texts))
    return paths


def _hidden_from_newcomers(happened: Happened, entry: Entry, texts: Mapping[str, Text]) -> list[str]:
    """Return the paths of the values in an entry that a player would not see who sits down now."""
    if redact.is_for_all(type(happened.event)):
        return []
    paths = ledger_writer.parts_of(entry)
    if not is_for(happened.event, NEWCOMER):
        return list(paths)
    visible = plain(redact.redact(happened.event, NEWCOMER, difficulty_hidden=happened.hides))
    proving = ProvingFields(texts, dict.fromkeys(paths, b""), ledger_writer.spell_path)
    proving.proved(visible, msgspec.json.decode(entry.data)[ledger_writer.EVENT], ledger_writer.EVENT)
    return [path for path in paths if path.startswith(ledger_writer.EVENT) and path not in proving.seals]


def audiences_of(viewers: Iterable[Viewer], happened: Sequence[Happened]) -> dict[str, ledger_writer.Audience]:
    """Return what each seat is shown of a command, and what somebody is shown who sits down later.

    A game master's seat gets what it would be shown as a player's: another may become game master.
    """
    is_open = all(entry.sight is Sight.OPEN for entry in happened)
    audiences = {}
    for viewer in (NEWCOMER, *viewers):
        player = Viewer(viewer.seat, Role.PLAYER, viewer.characters) if viewer.is_game_master else viewer
        opened = None if is_open else places_opened(happened, player)
        audiences[viewer.seat] = ledger_writer.Audience(places_shown(happened, player), opened)
    return audiences


# ---------------------------------------------------------------- outcome


def _outcome(
    live: LiveTable, state_after: State, seat: str, act: str, happened: Iterable[Happened], *, receipt: Receipt
) -> Outcome:
    """Return the outcome of a command, as its seat sees it in the resulting state."""
    viewer = state_after.viewer(seat) if seat in state_after.seats else live.viewer(seat)
    events = tuple(live.views.events(happened, viewer, state_after))
    decision = state_after.decisions.get(act)
    return Outcome(act, events, decision.awaited if decision else (), receipt)


def _answer(identity: Identity | None, outcome: Outcome, receipt: Receipt, first: int, last: int) -> Answer | None:
    """Return what is stored under a command's id, so that the same command again gets the same outcome."""
    if identity is None:
        return None
    stored = StoredOutcome(outcome.act, first, last, outcome.waits_for, receipt)
    return Answer(identity.command, identity.asked, msgspec.json.encode(stored))
