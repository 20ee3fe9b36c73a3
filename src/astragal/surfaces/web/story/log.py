"""The log: filter, search and read it backwards; export it as Markdown; list what an undo would take back."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain, takewhile

from msgspec import Struct

from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story import threads
from astragal.surfaces.web.story.cards import Card, Folded, Kind, Told, cards_of, folded
from astragal.surfaces.web.story.rolls import DieShown, Throw
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
    words = find.casefold().split()
    cards: list[Card] = []
    forgettable: set[str] = set()
    events_read = 0
    is_newest = not before
    earlier = ""
    for page in _pages_back(session, before):
        events_read += len(page.events)
        is_newest = is_newest and not page.more
        earlier = page.start
        cards_of_page = [card for card in cards_of(session, page.events) if _passes(session, card, only)]
        cards = [card for card in cards_of_page if _contains(card, words)] + cards
        forgettable |= {event.act for event in page.events if _may_forget(session, event)}
        if len(cards) >= A_PAGE or events_read >= MOST_READ:
            break
    return Journal(tuple(cards), earlier, is_newest, bool(words), frozenset(forgettable))


def _passes(session: SeatSession, card: Card, only: str) -> bool:
    """Return whether a card is of the kind that a filter lets through."""
    if only == "mine":
        own_names = {session.state.characters[who].name for who in session.viewer.characters}
        return card.seat == session.seat or card.who in own_names
    return only not in KINDS or card.kind is KINDS[only]


def _contains(card: Card, words: Iterable[str]) -> bool:
    """Return whether a card contains all of these words, in whatever case."""
    text = _text(card).casefold()
    return all(word in text for word in words)


def words_to_forget(session: SeatSession, acts: Iterable[str]) -> list[events.SeenEvent]:
    """Return the events of these commands that have words which this seat may have forgotten."""
    events_of_acts = chain.from_iterable(map(session.events_of, dict.fromkeys(acts)))
    return [event for event in events_of_acts if _may_forget(session, event)]


def _may_forget(session: SeatSession, event: events.SeenEvent) -> bool:
    is_own = session.is_game_master or event.by == session.seat
    return is_own and session.book.codec.has_words(event.name, event.fields)


def _pages_back(session: SeatSession, before: str = "") -> Iterator[cursor.Page]:
    """Yield pages of the log backwards, from a cursor or the end to the beginning."""
    while True:
        page = session.host.latest(session.table, session.seat, before=before, most=A_PAGE)
        yield page
        if not page.start:
            return
        before = page.start


def _text(card: Card) -> str:
    """Return the whole text of a card, to search in."""
    parts = [card.by, card.who, card.title, card.stakes, card.outcome, card.account, *card.notes]
    parts += card.lines
    parts += [f"{change.words} {change.step}" for change in card.changes]
    if card.talk:
        parts += [card.talk.speaker, card.talk.to, card.talk.words]
    if card.told:
        parts += [card.told.title, *card.told.passages, *(words for words, _ in card.told.options)]
    return " ".join(parts)


CLOSED = "Behind the screen"


def as_markdown(session: SeatSession) -> str:
    """Export all cards of this seat as Markdown, one entry each. Bookkeeping is a list."""
    text = f"# {escaped(session.state.name)}\n"
    is_in_list = False
    events_of_log = chain.from_iterable(page.events for page in session.pages())
    for card in cards_of(session, list(events_of_log)):
        entry = "\n\n".join(_entry(card))
        if entry:
            is_item = entry.startswith("- ")
            text += f"{entry}\n" if is_item and is_in_list else f"\n{entry}\n"
            is_in_list = is_item
    return text


def _entry(card: Card) -> list[str]:
    """Return the paragraphs of a card."""
    if card.closed:
        return [f"**{CLOSED}** ({_time(card)})", *(f"> {escaped(line)}" for line in card.lines)]
    if card.kind is Kind.ROLL:
        heading = _undone(card, f"**{escaped(card.title or card.headline)}** ({_time(card)})")
        paragraphs = [line.replace("\n", "\n> ") for line in _roll(card) if line]
        return [heading, "\n>\n".join(f"> {paragraph}" for paragraph in paragraphs)]
    if card.talk:
        listeners = f" to {escaped(card.talk.to)}" if card.talk.to else ""
        words = escaped(card.talk.words)
        speech = f"*{words}*" if card.talk.how == "emote" else f"“{words}”"
        return [_undone(card, f"**{escaped(card.talk.speaker)}**{listeners}: {speech}")]
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
    for member in card.members:
        face = f"{member.die.face}, " if member.die else ""
        yield escaped(f"{member.who.name}: {face}{member.outcome}")
    if card.outcome:
        margin = escaped(f", {card.margin}") if card.margin else ""
        yield f"**{escaped(card.headline)}**{margin}"
    for change in card.changes:
        yield escaped(f"{change.words} {change.step}".strip())
    yield from (escaped(line) for line in card.lines)
    if card.revealed:
        yield "Rolled behind the screen, and revealed."
    if card.told:
        yield from _story(card.told, undone=False)


def _dice(throw: Throw, *, named: bool) -> str:
    """Return the dice of a side in a line, such as "d6: 4, 6; 2": dice that do not count are in brackets."""
    has_explosions = any(len(chain_of_dice) > 1 for chain_of_dice in throw.chains)
    separator = " → " if has_explosions else ", "
    faces = "; ".join(separator.join(map(_face, chain_of_dice)) for chain_of_dice in throw.chains)
    kinds = "/".join(dict.fromkeys(f"d{die.sides}" for die in throw.dice))
    thrower = f"{throw.who}: " if named and throw.who else ""
    left_out = f" and {throw.left_out} more" if throw.left_out else ""
    note = f" ({throw.note})" if throw.note else ""
    return escaped(f"{thrower}{kinds}: {faces}{left_out}{note}")


def _face(die: DieShown) -> str:
    return f"({die.face})" if die.fate in ("dropped", "rerolled") else str(die.face)


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
    events_of_act = [newest, *takewhile(lambda event: event.act == newest.act, story)]
    return tuple(capitalised(event.words) for event in reversed(events_of_act))


def left_behind(session: SeatSession, node: str) -> tuple[str, ...]:
    """Return the events since a save node in words, newest last: a rewind would leave them behind."""
    lines: list[str] = []
    for event in _story_events(session):
        if event.name == "save_node_marked" and event.fields["node"] == node:
            break
        if event.name not in REDUNDANT:
            lines.append(capitalised(event.in_short or event.words))
    return tuple(reversed(lines))


def _story_events(session: SeatSession) -> Iterator[events.SeenEvent]:
    """Yield the story events that a rewind can leave behind, newest first."""
    kinds = [kind_of_event(spec) for spec in session.book.event_specs]
    natures = {kind.name: kind.nature for kind in kinds}
    for page in _pages_back(session):
        for event in reversed(page.events):
            if not event.abandoned and natures.get(event.name) is Nature.STORY:
                yield event
