"""The table as it is shown to a model: its people, its story, what waits, what is new; and a recap of all of it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from astragal.surfaces.mcp import results, secrets
from astragal.surfaces.mcp.session import McpSession
from astragal.surfaces.mcp.untrusted_text import MARK, clean
from astragal.surfaces.shared import pending, sheets
from astragal.surfaces.shared.context import SeatView
from astragal.table import preview, reminders
from astragal.table.declarations import Sight
from astragal.table.fields.lookup import find
from astragal.table.state.table import Character
from astragal.table.state.things import Audience
from astragal.table.visibility.events import SeenEvent

MOST_NEWS = 30
MOST_PEOPLE = 24
MOST_DUE = 12
LONGEST_DUE = 240
LONGEST_NAME = 60
YOURS = "yours"
THE_PERSONS = "the person's"
SOMEBODY_ELSES = "somebody else's"


def describe_table(session: McpSession, what: str = "all", who: str = "") -> results.TableDescription:
    """Describe the table as it is now; `what` picks a part of it."""
    state = session.shown()
    description = results.TableDescription(
        table=f"{clean(state.name, LONGEST_NAME)} [{state.id}]",
        game=session.book.ruleset.name,
        you=you(session),
        waits=waits(session),
    )
    if what in ("all", "story"):
        description.story = list(story(session.shown_view))
        description.due = due_now(session)
    if what == "waiting":
        description.story = list(requested(session.shown_view))
    if what in ("all", "people"):
        description.people = people(session.shown_view, who)
    if what in ("all", "news"):
        description.news = news(session)
    if what == "all":
        description.handles = secrets.handles(session)
    return description


def you(session: McpSession) -> str:
    """Return the name and role of the model's seat, and the person beside it."""
    seats = session.look().seats
    name = clean(seats[session.here.seat].name, LONGEST_NAME)
    person = session.here.person
    beside = ""
    if person == session.here.seat:
        beside = ", whose person decides what is theirs"
    elif person and person in seats:
        beside = f", beside {clean(seats[person].name, LONGEST_NAME)}"
    return f"{name} ({session.role()}{beside})"


def news(session: McpSession) -> list[results.Event]:
    """Return the newest events that the model has not been shown yet, and count all as shown."""
    events = session.journal(session.window).events
    unseen = events[session.told :]
    session.told = len(events)
    return told(session, unseen[-MOST_NEWS:])


def told(session: McpSession, events: Sequence[SeenEvent]) -> list[results.Event]:
    """Return events as they are shown to the model, each with the name of the seat that caused it."""
    seats = session.look().seats
    return [results.event_of(event, seats[event.by].name if event.by in seats else "") for event in events]


def due_now(session: McpSession) -> list[str]:
    """Return reminders for the game master. A clock that the person must not know is named by its handle."""
    if not session.is_game_master():
        return []
    state = session.look()
    visible_clocks = session.shown().clocks
    lines = []
    for clock in state.clocks.values():
        visible = visible_clocks.get(clock.id)
        is_veiled = visible is None or visible.hands != clock.hands
        if is_veiled and clock.hands.is_full:
            lines.append(f"clock:{clock.id} is full: tell what it brings, then remove_clock.")
    lines += reminders.due(session.book.ruleset, session.shown())
    lines += reminders.stalled(state, lambda: reversed(session.journal().events))
    return [clean(line, LONGEST_DUE) for line in lines[:MOST_DUE]]


# ---------------------------------------------------------------- people and story


def people(view: SeatView, who: str = "") -> list[results.Person]:
    """Return the characters and their sheets; or one by name, with the choices on the sheet."""
    characters = view.state.characters
    if who:
        names = {key: character.name for key, character in characters.items()}
        return [_person(view, characters[find(names, who, "character")], with_choices=True)]
    # Among everybody's sheets choices would read as if they were in force now.
    return [_person(view, character) for character in islice(characters.values(), MOST_PEOPLE)]


def _person(view: SeatView, character: Character[object], *, with_choices: bool = False) -> results.Person:
    lines = list(sheets.sheet_lines(view, character, pips=False))
    if with_choices:
        lines += [f"to choose from: {line}" for line in sheets.choice_lines(view, character)]
    return results.Person(
        name=clean(character.name, LONGEST_NAME),
        played_by=clean(sheets.player_of(view, character), LONGEST_NAME),
        sheet=[clean(line, 300) for line in lines],
    )


def story(view: SeatView) -> Iterator[str]:
    """Yield lines of the story so far, of rolls that were asked for, and of the board that all share."""
    yield from sheets.story_lines(view, ids=True)
    yield from requested(view)
    yield from sheets.board_lines(view, pips=False)


def requested(view: SeatView) -> Iterator[str]:
    """Yield lines of rolls that were asked for and not made yet."""
    for request in pending.requests_of(view):
        yield f"{request.who} is asked to {request.command}: {request.words} [{request.id}]"


# ---------------------------------------------------------------- what waits


def waits(session: McpSession) -> list[results.Waits]:
    """Return open decisions, prompts and proposals, with whose they are."""
    return session.once("waits", lambda: list(_waits(session)))


def _waits(session: McpSession) -> Iterator[results.Waits]:
    if session.look().decisions:
        yield from _decisions(session)
    for prompt in pending.prompts_of(session.view):
        yield results.Waits(
            id=prompt.id,
            who=clean(prompt.who, LONGEST_NAME),
            what=clean(prompt.words),
            whose=_whose(session, prompt.whom),
        )
    for proposal in pending.consents_of(session.view):
        yield _proposal(proposal)


def _whose(session: McpSession, whom: str) -> str:
    """Return whose answer a prompt to this seat or character waits for."""
    if session.is_persons(whom):
        return THE_PERSONS
    if session.is_own(whom):
        return YOURS
    return SOMEBODY_ELSES


def _proposal(proposal: pending.Asked) -> results.Waits:
    """Describe a proposal. Rulings are the game master's; a person agrees to all others at the table."""
    is_ruling = proposal.own and proposal.fields is not None
    words = f"proposed: {clean(proposal.words)}"
    if is_ruling:
        words += f" (act agree {{consent: {proposal.id}, changes: {{field: value}}}}, or act decline)"
    return results.Waits(
        id=proposal.id,
        who=clean(proposal.decides, LONGEST_NAME),
        what=words,
        whose=YOURS if is_ruling else SOMEBODY_ELSES,
    )


def _decisions(session: McpSession) -> Iterator[results.Waits]:
    """Yield an entry for each side that has to decide. If several decide together, the model's own comes first."""
    state = session.look()
    persons_askings = _askings_to_person(session)
    for asking in pending.decisions_of(session.view):
        decision = state.decisions[asking.act]
        if decision.sight is not Sight.OPEN and session.spoiler_safe:
            asking = _without_meanings(asking)  # noqa: PLW2901
        sides = [decision.sides[side] for side in decision.awaited]
        persons_sides = [side for side in sides if session.is_persons(side)]
        own_sides = [side for side in sides if session.is_own(side) and side not in persons_sides]
        if own_sides:
            yield _wait(session.view, asking, own_sides, YOURS)
        if persons_sides:
            yield _wait(session.view, persons_askings.get(asking.act, asking), persons_sides, THE_PERSONS)
        if not own_sides and not persons_sides:
            yield _wait(session.view, replace(asking, answers=()), sides, SOMEBODY_ELSES)


def _askings_to_person(session: McpSession) -> dict[str, pending.Asking]:
    """Return the decisions as the person beside the model sees them, by the id of the command."""
    place = session.here
    person = place.person if place.person and place.person in session.look().seats else place.seat
    view = SeatView(session.house, place.table, person)
    return {asking.act: asking for asking in pending.decisions_of(view)}


def _without_meanings(asking: pending.Asking) -> pending.Asking:
    """Return the decision without what its answers mean, which would reveal the dice."""
    answers = tuple(replace(answer, means="", success=None) for answer in asking.answers)
    return replace(asking, answers=answers)


def _wait(view: SeatView, asking: pending.Asking, sides: Sequence[str], whose: str) -> results.Waits:
    """Describe a decision with the answers worth giving, the best first: words, price and result of each."""
    answers = asking.notable if asking.answers else ()
    best_first = sorted(answers, key=lambda answer: -(answer.success or 0))
    words = asking.command.replace("_", " ")
    decision = view.state.decisions[asking.act]
    if decision.sight is Sight.OPEN and decision.dice:
        words += f": {', '.join(str(die.face) for die in decision.dice)}"
    return results.Waits(
        id=asking.act,
        who=" and ".join(clean(view.teller.name(side), LONGEST_NAME) for side in sides),
        what=f"{asking.name or 'something'} ({words})",
        whose=whose,
        options=[_option(answer) for answer in best_first],
    )


def _option(answer: pending.Answer) -> dict[str, object]:
    """Describe an answer, with its chance of success if that is neither certain nor impossible."""
    parts = [answer.means]
    if answer.success is not None and answer.success not in (0, 1):
        parts.append(f"{preview.chance_words(answer.success)} success")
    means = "; ".join(part for part in parts if part)
    return {"answer": answer.value, "words": clean(answer.words, 80), "means": clean(means, 200)}


# ---------------------------------------------------------------- recap


MOST_TOKENS = 1500
SIGNS_A_TOKEN = 4
MOST_SIGNS = MOST_TOKENS * SIGNS_A_TOKEN
SHARES = {"story": 1300, "people": 1500, "open": 900, "promised": 700}
"""Most characters of each part; beats get what is left."""
QUIET = frozenset({"seat_taken", "table_opened", "option_written", "scene_written", "decision_opened", "note_written"})
"""Events that a recap shows elsewhere."""


def recap(session: McpSession, more: str = "") -> results.Recap:
    """Summarise the table within `MOST_TOKENS`; `more` gives one part the whole room."""
    lines_by_part = {
        "story": [f"> {clean(line, 200)}" for line in story(session.shown_view)],
        "people": [_sheet_in_a_line(person) for person in people(session.shown_view)],
        "open": list(_open_lines(session)),
        "promised": list(_promised_lines(session)),
    }
    name = clean(session.look().name, LONGEST_NAME)
    head = f"{name}, {session.book.ruleset.name}. You are {you(session)}.\n{MARK}"
    if more in lines_by_part:
        return _as_recap([head, *_fit(lines_by_part[more], MOST_SIGNS - len(head) - 200)])
    lines = [head]
    if more != "beats":
        for part, part_lines in lines_by_part.items():
            fitting = _fit(part_lines, SHARES[part])
            if fitting:
                lines += [f"{part}:", *fitting]
    room = MOST_SIGNS - len("\n".join(lines)) - 60
    newest_first = fit(_beats(session), room)
    if newest_first:
        lines += ["last beats, oldest first:", *reversed(newest_first)]
    return _as_recap(lines)


def _sheet_in_a_line(person: results.Person) -> str:
    return f"> {person.name} ({person.played_by}): {clean('; '.join(person.sheet), 260)}"


def _open_lines(session: McpSession) -> Iterator[str]:
    """Yield what waits, what is due, rolls that were asked for, and scenes that are still to come."""
    for line in results.waits_lines(waits(session)):
        yield f"> {clean(line, 200)}"
    for line in due_now(session):
        yield f"> due: {line}"
    for request in session.shown().requests.values():
        yield f"> asked for: {clean(request.what_for or request.command, 120)}"
    for handle in secrets.handles(session):
        if handle.startswith("scene:"):
            yield f"> {handle}"


def _promised_lines(session: McpSession) -> Iterator[str]:
    """Yield what was written down: public notes in words, the newest first, and secrets by handle."""
    notes = [note for note in session.shown().notes.values() if note.audience is Audience.ALL]
    for note in reversed(notes):
        yield f"> note {clean(note.title, 80)}: {clean(note.words, 160)}"
    for handle in secrets.handles(session):
        if handle.startswith(("note:", "clock:")):
            yield f"> secret {handle}"


def _beats(session: McpSession) -> Iterator[str]:
    """Yield what happened, the newest first."""
    for event in reversed(session.journal(session.window).events):
        if event.name not in QUIET and not event.abandoned:
            yield f"> {clean(event.words, 320)}"


def _as_recap(lines: Sequence[str]) -> results.Recap:
    words = "\n".join(lines)[:MOST_SIGNS]
    return results.Recap(words=words, tokens=-(-len(words) // SIGNS_A_TOKEN))


def fit(lines: Iterable[str], room: int) -> list[str]:
    """Return the first lines that fit into `room` characters."""
    fitting: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        fitting.append(line)
    return fitting


def _fit(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines that fit; a last one says how many were left out."""
    fitting = fit(lines, room)
    left_out = len(lines) - len(fitting)
    if left_out:
        fitting.append(f"> ({left_out} more: recap with more set)")
    return fitting
