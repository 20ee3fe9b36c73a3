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
from astragal.table.state.things import Audience
from astragal.table.visibility.events import SeenEvent

MOST_NEWS = 30
MOST_PEOPLE = 24
MOST_DUE, LONGEST_DUE = 12, 240
YOURS, THE_PERSONS, SOMEBODY_ELSES = "yours", "the person's", "somebody else's"


def describe_table(session: McpSession, what: str = "all", who: str = "") -> results.TableDescription:
    """Describe the table as it is now; `what` picks a part of it."""
    state = session.shown()
    shown = results.TableDescription(
        table=f"{clean(state.name, 60)} [{state.id}]",
        game=session.book.ruleset.name,
        you=you(session),
        waits=waits(session),
    )
    if what in ("all", "story"):
        shown.story, shown.due = list(story(session.shown_view)), due_now(session)
    if what == "waiting":
        shown.story = list(requested(session.shown_view))
    if what in ("all", "people"):
        shown.people = people(session.shown_view, who)
    if what in ("all", "news"):
        shown.news = news(session)
    if what == "all":
        shown.handles = secrets.handles(session)
    return shown


def you(session: McpSession) -> str:
    state = session.look()
    name = clean(state.seats[session.here.seat].name, 60)
    person = session.here.person
    beside = f", beside {clean(state.seats[person].name, 60)}" if person and person in state.seats else ""
    if person == session.here.seat:
        beside = ", whose person decides what is theirs"
    return f"{name} ({session.role()}{beside})"


def news(session: McpSession) -> list[results.Event]:
    """Return the newest events that the model has not been shown yet, and count all as shown."""
    events = session.journal(session.window).events
    fresh, session.told = events[session.told :], len(events)
    return told(session, fresh[-MOST_NEWS:])


def told(session: McpSession, events: Sequence[SeenEvent]) -> list[results.Event]:
    seats = session.look().seats
    return [results.event_of(event, seats[event.by].name if event.by in seats else "") for event in events]


def due_now(session: McpSession) -> list[str]:
    """Return reminders for the game master. A clock that the person must not know is named by its handle."""
    if not session.is_game_master():
        return []
    ruleset, state, seen = session.book.ruleset, session.look(), session.shown().clocks
    veiled = [one.id for one in state.clocks.values() if one.id not in seen or seen[one.id].hands != one.hands]
    full = [one for one in veiled if state.clocks[one].hands.is_full]
    found = [
        *(f"clock:{one} is full: tell what it brings, then remove_clock." for one in full),
        *reminders.due(ruleset, session.shown()),
        *reminders.stalled(state, lambda: reversed(session.journal().events)),
    ]
    return [clean(line, LONGEST_DUE) for line in found[:MOST_DUE]]


# ---------------------------------------------------------------- people and story


def people(view: SeatView, who: str = "") -> list[results.Person]:
    """Return the characters and their sheets; or one by name, with the choices on the sheet."""
    known = view.state.characters
    wanted = [known[find({key: one.name for key, one in known.items()}, who, "character")]] if who else known.values()
    # Among everybody's sheets choices would read as if they were in force now.
    choices = [f"to choose from: {line}" for one in wanted for line in sheets.choice_lines(view, one)] if who else []
    return [
        results.Person(
            name=clean(one.name, 60),
            played_by=clean(sheets.player_of(view, one), 60),
            sheet=[clean(line, 300) for line in (*sheets.sheet_lines(view, one, pips=False), *choices)],
        )
        for one in islice(wanted, MOST_PEOPLE)
    ]


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
    for one in pending.prompts_of(session.view):
        persons = THE_PERSONS if session.is_persons(one.whom) else YOURS if session.is_own(one.whom) else SOMEBODY_ELSES
        yield results.Waits(id=one.id, who=clean(one.who, 60), what=clean(one.words), whose=persons)
    # Rulings are the game master's; for the rest a person answers at the table.
    for one in pending.consents_of(session.view):
        rules = one.own and one.fields is not None
        how = f" (act agree {{consent: {one.id}, changes: {{field: value}}}}, or act decline)" if rules else ""
        whose = YOURS if rules else SOMEBODY_ELSES
        yield results.Waits(
            id=one.id, who=clean(one.decides, 60), what=f"proposed: {clean(one.words)}{how}", whose=whose
        )


def _decisions(session: McpSession) -> Iterator[results.Waits]:
    """Yield an entry for each side that has to decide. If several decide together, the model's own comes first."""
    state, here = session.look(), session.here
    person = here.person if here.person and here.person in state.seats else here.seat
    to_person = {one.act: one for one in pending.decisions_of(SeatView(session.house, here.table, person))}
    for one in pending.decisions_of(session.view):
        decision = state.decisions[one.act]
        if decision.sight is not Sight.OPEN and session.spoiler_safe:  # meanings of answers would reveal the dice
            veiled = (replace(answer, means="", success=None) for answer in one.answers)
            one = replace(one, answers=tuple(veiled))  # noqa: PLW2901
        sides = [decision.sides[side] for side in decision.awaited]
        own = [side for side in sides if session.is_own(side) and not session.is_persons(side)]
        persons = [side for side in sides if session.is_persons(side)]
        if own:
            yield _wait(session.view, one, own, YOURS)
        if persons:
            yield _wait(session.view, to_person.get(one.act, one), persons, THE_PERSONS)
        if not own and not persons:
            yield _wait(session.view, replace(one, answers=()), sides, SOMEBODY_ELSES)


def _wait(view: SeatView, one: pending.Asking, sides: Sequence[str], whose: str) -> results.Waits:
    """Describe a decision with the answers worth giving, the best first: words, price and result of each."""
    best_first = sorted(one.notable if one.answers else (), key=lambda answer: -(answer.success or 0))
    options = []
    for answer in best_first:
        is_open = answer.success is not None and answer.success not in (0, 1)
        chance = f"{preview.chance_words(answer.success)} success" if is_open and answer.success is not None else ""
        means = "; ".join(part for part in (answer.means, chance) if part)
        options.append({"answer": answer.value, "words": clean(answer.words, 80), "means": clean(means, 200)})
    decision = view.state.decisions[one.act]
    faces = ", ".join(str(die.face) for die in decision.dice) if decision.sight is Sight.OPEN else ""
    what = f"{one.name or 'something'} ({one.command.replace('_', ' ')}{f': {faces}' if faces else ''})"
    who = " and ".join(clean(view.teller.name(side), 60) for side in sides)
    return results.Waits(id=one.act, who=who, what=what, whose=whose, options=options)


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
    notes = [one for one in session.shown().notes.values() if one.audience is Audience.ALL]
    parts = {
        "story": [f"> {clean(line, 200)}" for line in story(session.shown_view)],
        "people": [
            f"> {one.name} ({one.played_by}): {clean('; '.join(one.sheet), 260)}" for one in people(session.shown_view)
        ],
        "open": [
            *(f"> {clean(line, 200)}" for line in results.waits_lines(waits(session))),
            *(f"> due: {line}" for line in due_now(session)),
            *(f"> asked for: {clean(one.what_for or one.command, 120)}" for one in session.shown().requests.values()),
            *(f"> {one}" for one in secrets.handles(session) if one.startswith("scene:")),
        ],
        "promised": [  # what was written down: public notes in words, secrets by handle
            *(f"> note {clean(one.title, 80)}: {clean(one.words, 160)}" for one in reversed(notes)),
            *(f"> secret {one}" for one in secrets.handles(session) if one.startswith(("note:", "clock:"))),
        ],
    }
    head = f"{clean(session.look().name, 60)}, {session.book.ruleset.name}. You are {you(session)}.\n{MARK}"
    if more in parts:
        return _as_recap([head, *_fit(parts[more], MOST_SIGNS - len(head) - 200)])
    lines = [head]
    if more != "beats":
        for name, some in parts.items():
            fitting = _fit(some, SHARES[name])
            lines += [f"{name}:", *fitting] if fitting else []
    room = MOST_SIGNS - len("\n".join(lines)) - 60
    told = (
        one for one in reversed(session.journal(session.window).events) if one.name not in QUIET and not one.abandoned
    )
    beats = fit((f"> {clean(one.words, 320)}" for one in told), room)[::-1]
    return _as_recap([*lines, *(["last beats, oldest first:", *beats] if beats else [])])


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
    more = len(lines) - len(fitting)
    return [*fitting, f"> ({more} more: recap with more set)"] if more else fitting
