"""Ledger writer: appends to the public ledger the lines that prove a command, in the transaction of its events.

Entries of the log are sealed part by part (`parts_of`), so that a seat gets proof of just the parts that it may see.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, Self

import msgspec

from astragal.chance import EnteredDice
from astragal.fair import FairDice, Ledger, Receipt, facts, key_of, lines, request_text, seal_of, sources
from astragal.fair.spelling import spell_text
from astragal.table.authoring.chapter import Chapter, Event
from astragal.table.chapters.cast import Overridden
from astragal.table.chapters.chains import ChainLost, ChainPromised
from astragal.table.commands.builtin import DecisionOpened, Happened, Restored, Revealed, Rewound, Rolled
from astragal.table.declarations import Nature, Seen, Sight, decoder, kind_of_event
from astragal.table.dice import Chains, Drawing, Rollers, unpromised
from astragal.table.fields.definitions import fields_of
from astragal.table.log.store import Entry
from astragal.table.state.table import Die, State

LEDGER = Chapter(seen=Seen.ALL)


@LEDGER.event("ledger_line", nature=Nature.LASTING, says="a line of the ledger")
class LedgerLine(Event):
    """A line of the public ledger. The sealed text is stored beside its seal until it is opened."""

    place: int
    line: str
    salt: Annotated[str, Seen.NOBODY] = ""
    text: Annotated[str, Seen.NOBODY] = ""

    in_journal = False

    @property
    def is_fact(self) -> bool:
        return bool(msgspec.json.decode(self.line)["t"] == "fact")


class _Line(msgspec.Struct):
    line: str


class _Entry(msgspec.Struct):
    """The part of an entry that the ledger shows."""

    event: _Line


_LINE = decoder(_Entry)

LEDGER_LINE = kind_of_event(LedgerLine).name


class Audience(NamedTuple):
    """Which entries of a command a seat is shown, by their place in it: now, and once a reveal has opened it."""

    shown: Sequence[int]
    opened: Sequence[int] | None = None
    """None for a command that everybody may see: there is nothing to open."""


NO_AUDIENCES: Mapping[str, Audience] = MappingProxyType({})

NEWCOMER = ""
"""Stands for a seat among audiences: whoever sits down later is shown what a player without a seat would be."""


class CommandRecord(NamedTuple):
    """Input of the ledger writer: a command's id, who gave it, its visibility, and its events."""

    act: str
    by: str
    sight: Sight
    hides: bool
    events: Sequence[Any]
    entries: Sequence[Entry]
    """The events as stored; the fact seals these."""
    drawing: Drawing | None
    deciding: Collection[str] = ()
    """The commands that still wait for a decision afterwards."""
    declared: Sequence[bytes] = ()
    """Ledger lines that come without events: a gap."""
    rollers: Rollers | None = None
    """Who may roll after this command; None at a table whose dice come from elsewhere."""
    audiences: Mapping[str, Audience] = NO_AUDIENCES
    """Who is shown which of the events, by seat."""
    beyond: Sequence[Sequence[str]] = ()
    """For each entry the paths of the values that not everybody is shown."""
    is_revealed: bool = False
    """True if a reveal has opened the command before, while it waited for somebody."""


class Proof(NamedTuple):
    """The lines that prove a command, the ledger including them, and the seeds of chains that they promise."""

    lines: list[LedgerLine]
    ledger: Ledger
    seeds: Mapping[str, bytes] = MappingProxyType({})

    @property
    def receipt(self) -> Receipt:
        """The receipt of the last line, for a client to keep."""
        return self.ledger.receipt


class OutOfOrder(Exception):
    """A ledger line in the log does not fit the lines before it."""

    def __init__(self, number: int, why: Exception) -> None:
        super().__init__(f"entry {number} holds a line that does not fit the ledger before it: {why}")


class LedgerWriter:
    """The ledger of one table: folds its lines, and writes the next ones."""

    def __init__(self, table: str, chains: Chains, entropy: Callable[[int], bytes]) -> None:
        self.ledger = Ledger.empty(table)
        self.chains = chains
        self._entropy = entropy
        self._restored = -1

    def begin(self, ledger: Ledger) -> None:
        """Start from this ledger."""
        self.ledger = ledger
        self._restored = -1
        self.chains.forget()

    def take(self, happened: Iterable[Happened]) -> None:
        """Take in stored events: ledger lines, and the mark of a restored log. Raises `OutOfOrder`."""
        lines: list[str] = []
        numbers: list[int] = []
        for entry in happened:
            if type(entry.event) is LedgerLine:
                lines.append(entry.event.line)
                numbers.append(entry.number)
            elif type(entry.event) is Restored:
                self._restored = self.ledger.lines + len(lines)
        try:
            self.ledger = self.ledger.recall(lines, msgspec.json.decode)
        except Exception:  # noqa: BLE001 - a line may hold anything; one by one, the bad one is found, named and raised
            for number, line in zip(numbers, lines, strict=True):
                try:
                    self.ledger = self.ledger.recall([line], msgspec.json.decode)
                except Exception as fault:
                    raise OutOfOrder(number, fault) from fault

    @property
    def gap_is_due(self) -> bool:
        """True if the log was restored and no gap declared since. The next append has to declare it first."""
        last_gap = -1 if self.ledger.gap is None else self.ledger.gap
        return self._restored > last_gap

    def witnesses(self) -> tuple[str, ...]:
        """Return the sources of the witnesses of hidden rolls whose chains are neither broken nor used up."""
        witnesses = []
        for source, chain in self.ledger.sources.items():
            if source.startswith("w:") and not chain.broken and not chain.used_up:
                witnesses.append(source)
        return tuple(witnesses)

    def promises_are_due(self, rollers: Rollers | None) -> bool:
        """True if somebody could roll whose dice are not promised: an older program wrote this ledger last."""
        return rollers is not None and any(True for _ in unpromised(self.ledger, rollers))

    def drawing(self, act: str, by: str, sight: Sight, link: bytes | None = None) -> Drawing:
        return Drawing(self.chains, self.ledger, act, by, sight, link)

    def attest(self, record: CommandRecord, entries_of: Callable[[str], Iterable[Happened]]) -> Proof:
        """Write the lines that prove a command, in order. `entries_of` returns an earlier command's entries."""
        writing = _Writing(self.ledger, self._entropy)
        for declared in record.declared:
            writing.write(declared)
        _of_dice(writing, record)
        for event in record.events:
            if isinstance(event, Revealed):
                _open(writing, list(entries_of(event.act)), self.chains)
                continue
            line = _line_of(event, record, writing.ledger)
            if line is not None:
                writing.write(line)
        for place, ask in list(writing.ledger.asks.items()):
            if not ask.answered and ask.cmd not in record.deciding:  # its command was withdrawn or rewound, or lapsed
                writing.write(lines.void(place))
        seeds = writing.promise(self.chains, record.rollers)
        opened_lines = _opened_lines(record, entries_of)
        if record.is_revealed and record.sight is not Sight.OPEN:
            opened_lines.append(writing.ledger.lines)
        writing.tell(record.entries, record.audiences, record.beyond, opened_lines)
        return Proof(writing.lines, writing.ledger, seeds)


class _Writing:
    """Builder for lines that are added to a ledger."""

    def __init__(self, ledger: Ledger, entropy: Callable[[int], bytes]) -> None:
        self.ledger = ledger
        self._entropy = entropy
        self.lines: list[LedgerLine] = []

    def write(self, line: bytes, salt: bytes = b"", text: str = "") -> None:
        place = self.ledger.lines
        self.ledger = self.ledger.append(line)
        self.lines.append(LedgerLine(place=place, line=line.decode(), salt=salt.hex(), text=text))

    def seal(self, text: str, line: Callable[[bytes], bytes]) -> None:
        """Write a line with the seal of a text; the text is stored beside it."""
        salt = facts.new_salt(self._entropy)
        self.write(line(seal_of(salt, text)), salt, text)

    def promise(self, chains: Chains, rollers: Rollers | None) -> Mapping[str, bytes]:
        """Write the tips of chains that the next commands may need, and return their seeds.

        They come before the fact of their command, which therefore stands between a promise and every later roll.
        """
        if rollers is None:
            return {}
        promise = chains.promise(self.ledger, rollers)
        for tip in promise.tips:
            self.write(tip)
        return promise.seeds

    def tell(
        self,
        entries: Sequence[Entry],
        audiences: Mapping[str, Audience],
        beyond: Sequence[Sequence[str]],
        opens: Sequence[int] = (),
    ) -> None:
        """Write the fact that seals all events of a command, including the results of its dice, and who saw which."""
        if not entries:
            return
        key = FactKey.new(self._entropy)
        without_digests = SealedFact((), dict(audiences), beyond, opens)
        fact = msgspec.structs.replace(without_digests, entries=without_digests.digests(key, entries))
        seal = seal_of(key.salt, fact.text(key))
        self.write(lines.fact(seal), key, msgspec.json.encode(fact).decode())


def first_lines(
    table: str,
    entries: Sequence[Entry],
    audiences: Mapping[str, Audience],
    beyond: Sequence[Sequence[str]],
    entropy: Callable[[int], bytes],
    *,
    rollers: Rollers | None,
    seeded: bool,
    seeded_by: str | None,
) -> Proof:
    """Return the first lines of a new table's ledger."""
    writing = _Writing(Ledger.empty(table), entropy)
    writing.write(lines.genesis(table, seeded=seeded, facts=True, views=True))
    seeds = writing.promise(Chains(dict, entropy, seeded_by=seeded_by), rollers)
    writing.tell(entries, audiences, beyond)
    return Proof(writing.lines, writing.ledger, seeds)


def _line_of(event: Any, record: CommandRecord, ledger: Ledger) -> bytes | None:
    """Return the ledger line of an event that has one of its own, else None."""
    match event:
        case Rewound(undo=True):
            return lines.rewind(event.label, "undo", {}, ledger.rewinds + 1)
        case Rewound():
            return lines.rewind(event.label, "rewind", {event.price: event.amount}, ledger.rewinds + 1)
        case Overridden():
            return lines.override(record.act, record.by, ledger.lines - 1, event.what)
        case ChainPromised():
            return lines.tip(event.src, bytes.fromhex(event.tip), event.renew)
        case ChainLost():
            return lines.gap("a player's chain was lost", event.src)
        case _:
            return None


def _of_dice(writing: _Writing, record: CommandRecord) -> None:
    """Write the line of a command's dice: an open roll, a hidden one, or dice entered by hand."""
    drawing = record.drawing
    rolled = [event for event in record.events if isinstance(event, Rolled)]
    decisions = [event.decision for event in record.events if isinstance(event, DecisionOpened)]
    if rolled and _is_by_hand(rolled[0]):
        if record.sight is Sight.OPEN:  # hidden dice stay in the command's sealed fact until it is opened
            writing.write(_entered(record.act, record.by, rolled, hides=record.hides))
    elif drawing is None:
        return
    elif drawing.witnessed is not None:  # the last of the witnesses' links decides a hidden roll
        links = list(zip(drawing.witnesses, drawing.witnessed, strict=True))
        writing.write(lines.answer(drawing.asked(), links))
    elif drawing.fair is not None and record.sight is Sight.OPEN:
        _open_roll(writing, record, drawing.links, drawing.fair, rolled)
    elif drawing.fair is not None or any(decision.awaited == drawing.witnesses for decision in decisions):
        # a hidden roll seals its question and the dice of its first step before anything is drawn
        question = rolled[0].question if rolled else decisions[0].question
        text = request_text({"rule": question.rule, "arguments": list(question.arguments)}, drawing.first_step)
        writing.seal(text, lambda seal: lines.ask(record.act, record.by, seal, drawing.witnesses))


def _is_by_hand(rolled: Rolled) -> bool:
    return bool(rolled.dice) and rolled.dice[0].source == EnteredDice.source


def _entered(act: str, by: str, rolled: Sequence[Rolled], *, hides: bool) -> bytes:
    """Return the line of dice that were entered by hand."""
    dice: list[Die] = []
    for event in rolled:
        dice += event.dice
    sides = [die.sides for die in dice]
    faces = [die.face for die in dice]
    return lines.entered(act, by, _request(rolled[0], hides=hides), sides, faces)


def _open_roll(
    writing: _Writing,
    record: CommandRecord,
    links: Sequence[tuple[str, bytes]],
    dice: FairDice,
    rolled: Sequence[Rolled],
) -> None:
    request: Any = _request(rolled[0], hides=record.hides) if rolled else {"unused": True}

    def line(seal: bytes | None = None) -> bytes:
        return lines.roll(record.act, record.by, request, links, dice, seal=seal)

    if rolled and record.hides:
        writing.seal(msgspec.json.encode(_request(rolled[0], hides=False)).decode(), line)
    else:
        writing.write(line())


def _opened_lines(record: CommandRecord, entries_of: Callable[[str], Iterable[Happened]]) -> list[int]:
    """Return the lines of the facts that a command's reveals open."""
    opened: list[int] = []
    for event in record.events:
        if not isinstance(event, Revealed):
            continue
        for earlier in entries_of(event.act):
            line = earlier.event
            if isinstance(line, LedgerLine) and line.is_fact and earlier.sight is not Sight.OPEN:
                opened.append(line.place)
    return opened


def _open(writing: _Writing, earlier: Sequence[Happened], chains: Chains) -> None:
    """Open every seal of an earlier command: hidden rolls with their dice, difficulties with their numbers."""
    rolls_of_chains: list[Rolled] = []
    sealed_lines: list[LedgerLine] = []
    for entry in earlier:
        event = entry.event
        if isinstance(event, LedgerLine) and event.salt:
            sealed_lines.append(event)
        elif isinstance(event, Rolled) and not _is_by_hand(event):
            rolls_of_chains.append(event)
        elif isinstance(event, Rolled) and entry.sight is not Sight.OPEN:
            writing.write(_entered(earlier[0].act, sources.GAME_MASTER, [event], hides=False))
    for sealed in sealed_lines:
        kind = msgspec.json.decode(sealed.line)["t"]
        salt = bytes.fromhex(sealed.salt)
        if kind == "roll":
            writing.write(lines.unseal(sealed.place, sealed.line.encode(), salt, sealed.text))
        elif kind == "ask" and sealed.place in writing.ledger.asks:
            ask = writing.ledger.asks[sealed.place]
            if ask.links is None or not chains.has(ask.src, 0):
                continue
            link = chains.find(ask.src).spend(1)
            dice = FairDice(key_of([link, *map(bytes.fromhex, ask.links)]), seeded=writing.ledger.seeded)
            if rolls_of_chains:
                for die in rolls_of_chains.pop(0).dice:
                    dice.face(die.sides)
            writing.write(lines.open_(sealed.place, salt, sealed.text, link, dice))


def _request(rolled: Rolled, *, hides: bool) -> dict[str, Any]:
    """Return the request of a roll; without its arguments if they hide the difficulty, which is then sealed."""
    request: dict[str, Any] = {"command": rolled.command, "rule": rolled.question.rule}
    if not hides:
        request["arguments"] = list(rolled.question.arguments)
    return request


def ledger_line(entry: bytes) -> bytes:
    """Return the ledger line in a stored `LedgerLine` entry."""
    line: str = _LINE.decode(entry).event.line
    return line.encode()


def seat_in_ledger(seat: str, game_master: str) -> str:
    """Return the name of a seat in the ledger."""
    return sources.GAME_MASTER if seat == game_master else seat


FIRST_ROLLERS = Rollers((sources.GAME_MASTER,), "table")
"""Who may roll at a new table: its game master, before any scene."""


def rollers_of(state: State) -> Rollers:
    """Return who may roll at a table next."""
    seats = tuple(seat_in_ledger(seat, state.game_master) for seat in state.seats)
    return Rollers(seats, state.calendar.scene or FIRST_ROLLERS.scene)


# ---------------------------------------------------------------- entries as a fact seals them

EVENT = "event"


Spelling = Callable[[str, "str | int"], str]
"""Spells the path of a part from the path of the whole and the part's name or index."""


def spell_path(whole: str, part: str | int) -> str:
    """`event.scene.options[0].title`: an index stands in brackets, and so does a name that could be read as more."""
    if isinstance(part, int):
        return f"{whole}[{part}]"
    if part.isidentifier() and part.isascii():
        return f"{whole}.{part}"
    return f"{whole}[{spell_text(part)}]"


def spell_path_as_before(whole: str, part: str | int) -> str:
    """`event.scene.options.0.title`, as facts without views have it."""
    return f"{whole}.{part}"


def parts_of(entry: Entry, spelling: Spelling = spell_path) -> dict[str, Any]:
    """Split an entry into its sealed parts: name, time and command; author and visibility; each event field by path."""
    envelope = msgspec.json.decode(entry.data)
    parts = {"entry": [entry.name, entry.version, entry.at, envelope["act"]]}
    parts |= {name: value for name, value in envelope.items() if name not in ("act", EVENT)}
    return parts | flat(envelope[EVENT], spelling)


def flat(value: Any, spelling: Spelling = spell_path, path: str = EVENT) -> dict[str, Any]:
    """Flatten a value into values by path. Lists of plain values or dice stay whole."""
    inside = parts_within(value)
    if inside is None:
        return {path: value}
    parts: dict[str, Any] = {}
    for name, part in inside:
        parts |= flat(part, spelling, spelling(path, name))
    return parts


def parts_within(value: Any) -> list[tuple[Any, Any]] | None:
    """Return the parts of a value that are sealed one by one, by name or index; None if it is sealed whole."""
    if isinstance(value, dict) and value:
        return list(value.items())
    if isinstance(value, list) and value and all(map(_is_sealed_apart, value)):
        return list(enumerate(value))
    return None


def _is_sealed_apart(item: Any) -> bool:
    """Return whether an item of a list is sealed by itself: a value with fields, but not a die."""
    return isinstance(item, dict) and item.keys() != _DIE


_DIE = {field.name for field in fields_of(Die)}


class FactKey(bytes):
    """Secret stored beside a fact until it is opened: the salt of its seal and the key of its leaves."""

    @classmethod
    def new(cls, entropy: Callable[[int], bytes]) -> Self:
        return cls(entropy(facts.SALT_BYTES + facts.KEY_BYTES))

    @property
    def salt(self) -> bytes:
        return self[: facts.SALT_BYTES]

    @property
    def leaves(self) -> bytes:
        return self[facts.SALT_BYTES :]


class SealedFact(msgspec.Struct, frozen=True):
    """What is stored beside a fact: the digests of its entries in order, and what each seat was shown of them."""

    entries: Sequence[str]
    audiences: Mapping[str, Audience] = NO_AUDIENCES
    beyond: Sequence[Sequence[str]] = ()
    """For each entry the paths of the values that not everybody is shown who is shown the entry."""
    opens: Sequence[int] = ()
    """The lines of facts that this command revealed; its own, if it goes on with a command that was revealed before."""

    @property
    def spelling(self) -> Spelling:
        """How the paths of its entries are spelled: facts without views are older than the present spelling."""
        return spell_path if self.audiences else spell_path_as_before

    def leaves(self, key: FactKey, place: int, entry: Entry) -> dict[str, bytes]:
        """Return the leaves of an entry, by path."""
        parts = parts_of(entry, self.spelling)
        leaves = facts.leaves_of(facts.salts_of(key.leaves, place, parts), parts)
        if not self.audiences:
            return leaves
        beyond = self.beyond[place] if place < len(self.beyond) else ()  # an entry that somebody slipped in
        return facts.with_open_leaf(key.leaves, place, leaves, beyond)

    def digests(self, key: FactKey, entries: Sequence[Entry]) -> list[str]:
        """Return the digest of each entry."""
        digests = []
        for place, entry in enumerate(entries):
            leaves = self.leaves(key, place, entry)
            digests.append(facts.entry_digest(leaves.values()))
        return digests

    def view(self, seat: str, *, opened: bool) -> facts.View:
        """Return what a seat was shown, or what it is shown once a reveal has opened the command."""
        audience = self.audiences[seat]
        places = audience.shown
        if opened and audience.opened is not None:
            places = audience.opened
        return facts.View(tuple([self.entries[place] for place in places]), tuple(self.opens))

    def text(self, key: FactKey) -> str:
        """Return the text under the seal. Open commands have as many digests as those that may be revealed."""
        views = {facts.VIEW + seat: self.view(seat, opened=False) for seat in self.audiences}
        for seat, audience in self.audiences.items():
            if audience.opened is not None:
                views[facts.OPENED + seat] = self.view(seat, opened=True)
        text_by_view = {view: view.text for view in set(views.values())}  # most seats are shown the same
        digests = list(self.entries)
        for path, view in views.items():
            digests.append(facts.view_digest(key.leaves, path, text_by_view[view]))
        return facts.fact_text(key.leaves, digests, room=len(self.entries) + 2 * len(self.audiences))


def sealed_fact(text: str) -> SealedFact:
    """Read what is stored beside a fact. Older programs stored a list of digests, and sealed no views."""
    return _SEALED_FACT.decode(text) if text.startswith("{") else SealedFact(msgspec.json.decode(text))


_SEALED_FACT = decoder(SealedFact)
