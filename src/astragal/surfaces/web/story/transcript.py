"""The log as Markdown, to keep and to read: the same cards as on the page, from the first evening on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Card, Kind, Told, cards_of
from astragal.surfaces.web.story.dice import Throw
from astragal.table.log.export import escaped
from astragal.table.visibility.events import SeenEvent

CLOSED = "Behind the screen"


def as_markdown(session: SeatSession) -> str:
    """All cards of this seat, one entry each: asked, rolled, decided, told. Bookkeeping is a list."""
    text, listing = f"# {escaped(session.state.name)}\n", False
    for card in cards_of(session, list(_all_seen(session))):
        if entry := "\n\n".join(_entry(card)):
            is_item = entry.startswith("- ")
            text += f"{entry}\n" if is_item and listing else f"\n{entry}\n"
            listing = is_item
    return text


def _all_seen(session: SeatSession) -> Iterator[SeenEvent]:
    page = session.host.follow(session.table, session.seat)
    yield from page.events
    while page.more:
        page = session.host.follow(session.table, session.seat, page.cursor)
        yield from page.events


def _entry(card: Card) -> list[str]:
    if card.closed:
        return [f"**{CLOSED}** ({_time(card)})", *(f"> {escaped(line.words)}" for line in card.lines)]
    if card.kind is Kind.ROLL:
        return [_undone(card, f"**{escaped(card.title or card.headline)}** ({_time(card)})"), _quoted(_roll(card))]
    if card.talk:
        to = f" to {escaped(card.talk.to)}" if card.talk.to else ""
        words = escaped(card.talk.words)
        said = f"*{words}*" if card.talk.how == "emote" else f"“{words}”"
        return [_undone(card, f"**{escaped(card.talk.speaker)}**{to}: {said}")]
    lines = [_undone(card, escaped(line.words)) for line in card.lines]
    if card.told:
        return [*_story(card.told, undone=card.abandoned), *lines]
    return ["\n".join(f"- {line}" for line in lines)]


def _roll(card: Card) -> Iterator[str]:
    """What a roll's card says, line by line."""
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
    yield from (escaped(line.words) for line in card.lines)
    if card.revealed:
        yield "Rolled behind the screen, and revealed."
    if card.told:
        yield from _story(card.told, undone=False)


def _dice(throw: Throw, *, named: bool) -> str:
    fell = " → ".join if any(len(one) > 1 for one in throw.chains) else ", ".join
    faces = "; ".join(fell(_die(die.face, die.fate) for die in one) for one in throw.chains)
    more = f" and {throw.left_out} more" if throw.left_out else ""
    kinds = "/".join(dict.fromkeys(f"d{die.sides}" for die in throw.dice))
    whose = f"{throw.who}: " if named and throw.who else ""
    return escaped(f"{whose}{kinds}: {faces}{more}{f' ({throw.note})' if throw.note else ''}")


def _die(face: int, fate: str) -> str:
    return f"({face})" if fate in ("dropped", "rerolled") else str(face)


def _story(told: Told, *, undone: bool) -> Iterator[str]:
    if told.title:
        yield f"## {escaped(told.title)}{' (undone)' if undone else ''}"
    for passage in told.passages:
        for paragraph in passage.split("\n\n"):
            words = escaped(paragraph)
            yield f"~~{words}~~" if undone and words else words
    if told.options:
        yield "\n".join(f"- {escaped(words)}{' (risky)' if risky else ''}" for words, risky in told.options)


def _quoted(lines: Iterator[str]) -> str:
    return "\n>\n".join("\n".join(f"> {part}" for part in line.split("\n")) for line in lines if line)


def _undone(card: Card, words: str) -> str:
    return f"~~{words}~~ (undone)" if card.abandoned else words


def _time(card: Card) -> str:
    return f"{datetime.fromtimestamp(card.at / 1000, UTC):%H:%M} UTC"
