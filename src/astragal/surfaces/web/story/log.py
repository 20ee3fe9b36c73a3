"""The log: filter, search and read it backwards; export it as Markdown; list what an undo would take back."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import takewhile

from msgspec import Struct

from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story import threads
from astragal.surfaces.web.story.cards import Card, Folded, Kind, Told, cards_of, folded
from astragal.surfaces.web.story.rolls import Throw
from astragal.table.declarations import Nature, kind_of_event
from astragal.table.log.export import escaped
from astragal.table.visibility import cursor, events
from astragal.wording import capitalised

A_PAGE = 100
MOST_READ = 2000
"""Maximum number of events that are read for one page. A click continues the search from there."""

FILTERS: Mapping[str, str] = {"": "All", "rolls": "Rolls", "talk": "Talk", "story": "Story", "mine": "Mine"}
KINDS: Mapping[str, Kind] = {"rolls": Kind.ROLL, "talk": Kind.TALK, "story": Kind.STORY}


class Journal(Struct, frozen=True):
    cards: tuple[Card, ...]
    earlier: str
    """Cursor at which the page before this one ends; empty if there is none."""
    newest: bool
    finds: bool = False
    forgettable: frozenset[str] = frozenset()
    """Commands whose words this seat may have forgotten."""

    @property
    def entries(self) -> list[Card | Folded]:
        """The cards, with bookkeeping folded unless this is a search."""
        return list(self.cards) if self.finds else folded(self.cards)


def journal(session: SeatSession, *, before: str, only: str, find: str) -> Journal:
    """Return the newest cards before a cursor that pass the filter and contain the words."""
    own = {session.state.characters[one].name for one in session.viewer.characters}

    def wanted(card: Card) -> bool:
        if only == "mine":
            return card.seat == session.seat or card.who in own
        return only not in KINDS or card.kind is KINDS[only]

    words = find.casefold().split()
    found: list[Card] = []
    forgettable = set[str]()
    read, newest, earlier = 0, not before, ""
    for page in _pages_back(session, before):
        read, newest, earlier = read + len(page.events), newest and not page.more, page.start
        cards = [(card, _text(card).casefold()) for card in cards_of(session, page.events) if wanted(card)]
        forgettable |= {event.act for event in page.events if _may_forget(session, event)}
        found = [card for card, text in cards if all(word in text for word in words)] + found
        if len(found) >= A_PAGE or read >= MOST_READ:
            break
    return Journal(tuple(found), earlier, newest, bool(words), frozenset(forgettable))


def words_to_forget(session: SeatSession, acts: Iterable[str]) -> list[events.SeenEvent]:
    """Return the events of these commands that have words which this seat may have forgotten."""
    return [event for act in dict.fromkeys(acts) for event in session.events_of(act) if _may_forget(session, event)]


def _may_forget(session: SeatSession, event: events.SeenEvent) -> bool:
    is_own = session.is_game_master or event.by == session.seat
    return is_own and session.book.codec.has_words(event.name, event.fields)


def _pages_back(session: SeatSession, before: str = "") -> Iterator[cursor.Page]:
    """Yield pages of the log backwards, from a cursor or the end to the beginning."""
    more = True
    while more:
        page = session.host.latest(session.table, session.seat, before=before, most=A_PAGE)
        before, more = page.start, bool(page.start)
        yield page


def _text(card: Card) -> str:
    """Return the whole text of a card, to search in."""
    parts = [card.by, card.who, card.title, card.stakes, card.outcome, card.account, *card.notes]
    parts += [*card.lines, *(f"{one.words} {one.step}" for one in card.changes)]
    if card.talk:
        parts += [card.talk.speaker, card.talk.to, card.talk.words]
    if card.told:
        parts += [card.told.title, *card.told.passages, *(words for words, _ in card.told.options)]
    return " ".join(parts)


CLOSED = "Behind the screen"


def as_markdown(session: SeatSession) -> str:
    """Export all cards of this seat as Markdown, one entry each. Bookkeeping is a list."""
    text, listing = f"# {escaped(session.state.name)}\n", False
    for card in cards_of(session, [event for page in session.pages() for event in page.events]):
        if entry := "\n\n".join(_entry(card)):
            is_item = entry.startswith("- ")
            text += f"{entry}\n" if is_item and listing else f"\n{entry}\n"
            listing = is_item
    return text


def _entry(card: Card) -> list[str]:
    if card.closed:
        return [f"**{CLOSED}** ({_time(card)})", *(f"> {escaped(line)}" for line in card.lines)]
    if card.kind is Kind.ROLL:
        quoted = ("\n".join(f"> {part}" for part in line.split("\n")) for line in _roll(card) if line)
        head = _undone(card, f"**{escaped(card.title or card.headline)}** ({_time(card)})")
        return [head, "\n>\n".join(quoted)]
    if card.talk:
        to = f" to {escaped(card.talk.to)}" if card.talk.to else ""
        words = escaped(card.talk.words)
        said = f"*{words}*" if card.talk.how == "emote" else f"“{words}”"
        return [_undone(card, f"**{escaped(card.talk.speaker)}**{to}: {said}")]
    lines = [_undone(card, escaped(line)) for line in card.lines]
    if card.told:
        return [*_story(card.told, undone=card.abandoned), *lines]
    return ["\n".join(f"- {line}" for line in lines)]


def _roll(card: Card) -> Iterator[str]:
    """Yield a roll's card line by line."""
    if card.notes:
        yield escaped(" · ".join(card.notes))
    if card.stakes:
        yield f"At stake: {escaped(card.stakes)}"
    for throw in card.throws:
        yield _dice(throw, named=len(card.throws) > 1)
    for one in card.members:
        face = f"{one.die.face}, " if one.die else ""
        yield escaped(f"{one.who.name}: {face}{one.outcome}")
    if card.outcome:
        yield f"**{escaped(card.headline)}**{escaped(f', {card.margin}') if card.margin else ''}"
    for change in card.changes:
        yield escaped(f"{change.words} {change.step}".strip())
    yield from (escaped(line) for line in card.lines)
    if card.revealed:
        yield "Rolled behind the screen, and revealed."
    if card.told:
        yield from _story(card.told, undone=False)


def _dice(throw: Throw, *, named: bool) -> str:
    fell = " → ".join if any(len(one) > 1 for one in throw.chains) else ", ".join
    shown = {die: f"({die.face})" if die.fate in ("dropped", "rerolled") else str(die.face) for die in throw.dice}
    faces = "; ".join(fell(map(shown.__getitem__, one)) for one in throw.chains)
    more = f" and {throw.left_out} more" if throw.left_out else ""
    kinds = "/".join(dict.fromkeys(f"d{die.sides}" for die in throw.dice))
    whose = f"{throw.who}: " if named and throw.who else ""
    return escaped(f"{whose}{kinds}: {faces}{more}{f' ({throw.note})' if throw.note else ''}")


def _story(told: Told, *, undone: bool) -> Iterator[str]:
    if told.title:
        yield f"## {escaped(told.title)}{' (undone)' if undone else ''}"
    for passage in told.passages:
        for paragraph in passage.split("\n\n"):
            words = escaped(paragraph)
            yield f"~~{words}~~" if undone and words else words
    if told.options:
        yield "\n".join(f"- {escaped(words)}{' (risky)' if risky else ''}" for words, risky in told.options)


def _undone(card: Card, words: str) -> str:
    return f"~~{words}~~ (undone)" if card.abandoned else words


def _time(card: Card) -> str:
    return f"{datetime.fromtimestamp(card.at / 1000, UTC):%H:%M} UTC"


REDUNDANT = frozenset({"option_offered", threads.ROLLED, threads.MET, "answer_sealed"}) | threads.WAITING
"""Events that add nothing to other lines: dice, options, and that a decision waits."""

# ---------------------------------------------------------------- what would be taken back


def last_told(session: SeatSession) -> tuple[str, ...]:
    """Return the newest command of the story in words: an undo would take it back."""
    story = _story_events(session)
    newest = next(story, None)
    if newest is None:
        return ()
    of_act = [newest, *takewhile(lambda event: event.act == newest.act, story)]
    return tuple(capitalised(event.words) for event in reversed(of_act))


def left_behind(session: SeatSession, node: str) -> tuple[str, ...]:
    """Return the events since a save node in words, newest last: a rewind would leave them behind."""
    story = _story_events(session)
    since = takewhile(lambda event: event.name != "save_node_marked" or event.fields["node"] != node, story)
    told = (event.in_short or event.words for event in since if event.name not in REDUNDANT)
    return tuple(map(capitalised, told))[::-1]


def _story_events(session: SeatSession) -> Iterator[events.SeenEvent]:
    """Yield the story events that a rewind can leave behind, newest first."""
    natures = {kind_of_event(one).name: kind_of_event(one).nature for one in session.book.event_specs}
    for page in _pages_back(session):
        for event in reversed(page.events):
            if not event.abandoned and natures.get(event.name) is Nature.STORY:
                yield event
