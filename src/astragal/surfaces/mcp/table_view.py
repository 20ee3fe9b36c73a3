"""The table as a model is shown it: its people, its story, what waits, what is new; and a recap of all of it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from astragal.surfaces.mcp import results, secrets
from astragal.surfaces.mcp.session import Desk
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


def standing(desk: Desk, what: str = "all", who: str = "") -> results.Standing:
    """What stands now; `what` picks a part of it."""
    state = desk.shown()
    shown = results.Standing(
        table=f"{clean(state.name, 60)} [{state.id}]", game=desk.book.ruleset.name, you=you(desk), waits=waits(desk)
    )
    if what in ("all", "story"):
        shown.story, shown.due = list(story(desk.shown_view)), due_now(desk)
    if what == "waiting":
        shown.story = list(requested(desk.shown_view))
    if what in ("all", "people"):
        shown.people = people(desk.shown_view, who)
    if what in ("all", "news"):
        shown.news = news(desk)
    if what == "all":
        shown.handles = secrets.handles(desk)
    return shown


def you(desk: Desk) -> str:
    state = desk.look()
    name = clean(state.seats[desk.here.seat].name, 60)
    person = desk.here.person
    beside = f", beside {clean(state.seats[person].name, 60)}" if person and person in state.seats else ""
    return f"{name} ({desk.role()}{', whose person decides what is theirs' if person == desk.here.seat else beside})"


def news(desk: Desk) -> list[results.Event]:
    """What the model has not been shown yet, the newest of it."""
    events = desk.journal(desk.window).events
    fresh, desk.told = events[desk.told :], len(events)
    return told(desk, fresh[-MOST_NEWS:])


def told(desk: Desk, events: Sequence[SeenEvent]) -> list[results.Event]:
    seats = desk.look().seats
    return [results.event_of(event, seats[event.by].name if event.by in seats else "") for event in events]


def due_now(desk: Desk) -> list[str]:
    """For whoever runs the game. As results may show it: a clock that the person must not know of is a handle."""
    if not desk.is_game_master():
        return []
    ruleset, state, seen = desk.book.ruleset, desk.look(), desk.shown().clocks
    veiled = [one.id for one in state.clocks.values() if one.id not in seen or seen[one.id].hands != one.hands]
    full = [one for one in veiled if state.clocks[one].hands.is_full]
    found = [
        *(f"clock:{one} is full: tell what it brings, then remove_clock." for one in full),
        *reminders.due(ruleset, desk.shown()),
        *reminders.stalled(state, lambda: reversed(desk.journal().events)),
    ]
    return [clean(line, LONGEST_DUE) for line in found[:MOST_DUE]]


# ---------------------------------------------------------------- people and story


def people(view: SeatView, who: str = "") -> list[results.Person]:
    """The characters and their sheets; or one by name, with what can be chosen from for them."""
    known = view.state.characters
    wanted = [known[find({key: one.name for key, one in known.items()}, who, "character")]] if who else known.values()
    # Among everybody's sheets what can be chosen from would read as if it held now.
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
    """The story so far, rolls that were asked for, and what lies on the table for all."""
    yield from sheets.story_lines(view, ids=True)
    yield from requested(view)
    yield from sheets.board_lines(view, pips=False)


def requested(view: SeatView) -> Iterator[str]:
    """Rolls that were asked for, and not made yet."""
    for request in pending.requests_of(view):
        yield f"{request.who} is asked to {request.command}: {request.words} [{request.id}]"


# ---------------------------------------------------------------- what waits


def waits(desk: Desk) -> list[results.Waits]:
    """Decisions, prompts and proposals that are open, with whose they are."""
    return desk.once("waits", lambda: list(_waits(desk)))


def _waits(desk: Desk) -> Iterator[results.Waits]:
    if desk.look().decisions:
        yield from _decisions(desk)
    for one in pending.prompts_of(desk.view):
        persons = THE_PERSONS if desk.is_persons(one.whom) else YOURS if desk.is_own(one.whom) else SOMEBODY_ELSES
        yield results.Waits(id=one.id, who=clean(one.who, 60), what=clean(one.words), whose=persons)
    # Rulings are the game master's; for the rest a person answers at the table.
    for one in pending.consents_of(desk.view):
        rules = one.own and one.fields is not None
        how = f" (act agree {{consent: {one.id}, changes: {{field: value}}}}, or act decline)" if rules else ""
        whose = YOURS if rules else SOMEBODY_ELSES
        yield results.Waits(
            id=one.id, who=clean(one.decides, 60), what=f"proposed: {clean(one.words)}{how}", whose=whose
        )


def _decisions(desk: Desk) -> Iterator[results.Waits]:
    """One entry for each that has to decide: where several decide together, the model's own side comes first."""
    state, here = desk.look(), desk.here
    person = here.person if here.person and here.person in state.seats else here.seat
    to_person = {one.act: one for one in pending.decisions_of(SeatView(desk.house, here.table, person))}
    for one in pending.decisions_of(desk.view):
        decision = state.decisions[one.act]
        if decision.sight is not Sight.OPEN and desk.spoiler_safe:  # what an answer means would tell the dice
            veiled = (replace(answer, means="", success=None) for answer in one.answers)
            one = replace(one, answers=tuple(veiled))  # noqa: PLW2901
        sides = [decision.sides[side] for side in decision.awaited]
        own = [side for side in sides if desk.is_own(side) and not desk.is_persons(side)]
        persons = [side for side in sides if desk.is_persons(side)]
        if own:
            yield _wait(desk.view, one, own, YOURS)
        if persons:
            yield _wait(desk.view, to_person.get(one.act, one), persons, THE_PERSONS)
        if not own and not persons:
            yield _wait(desk.view, replace(one, answers=()), sides, SOMEBODY_ELSES)


def _wait(view: SeatView, one: pending.Asking, sides: Sequence[str], whose: str) -> results.Waits:
    """With the answers worth giving, the best first: what is called how, and what it costs and brings."""
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
"""The most that each part may take; beats get what is left."""
QUIET = frozenset({"seat_taken", "table_opened", "option_written", "scene_written", "decision_opened", "note_written"})
"""Events that are told elsewhere in a recap."""


def recap(desk: Desk, more: str = "") -> results.Recap:
    """The whole in little; `more` gives one part the whole room."""
    notes = [one for one in desk.shown().notes.values() if one.audience is Audience.ALL]
    parts = {
        "story": [f"> {clean(line, 200)}" for line in story(desk.shown_view)],
        "people": [
            f"> {one.name} ({one.played_by}): {clean('; '.join(one.sheet), 260)}" for one in people(desk.shown_view)
        ],
        "open": [
            *(f"> {clean(line, 200)}" for line in results.waits_lines(waits(desk))),
            *(f"> due: {line}" for line in due_now(desk)),
            *(f"> asked for: {clean(one.what_for or one.command, 120)}" for one in desk.shown().requests.values()),
            *(f"> {one}" for one in secrets.handles(desk) if one.startswith("scene:")),
        ],
        "promised": [  # what was written down: public notes in words, secrets by handle
            *(f"> note {clean(one.title, 80)}: {clean(one.words, 160)}" for one in reversed(notes)),
            *(f"> secret {one}" for one in secrets.handles(desk) if one.startswith(("note:", "clock:"))),
        ],
    }
    head = f"{clean(desk.look().name, 60)}, {desk.book.ruleset.name}. You are {you(desk)}.\n{MARK}"
    if more in parts:
        return _as_recap([head, *_fit(parts[more], MOST_SIGNS - len(head) - 200)])
    lines = [head]
    if more != "beats":
        for name, some in parts.items():
            fitting = _fit(some, SHARES[name])
            lines += [f"{name}:", *fitting] if fitting else []
    room = MOST_SIGNS - len("\n".join(lines)) - 60
    told = (one for one in reversed(desk.journal(desk.window).events) if one.name not in QUIET and not one.abandoned)
    beats = fit((f"> {clean(one.words, 320)}" for one in told), room)[::-1]
    return _as_recap([*lines, *(["last beats, oldest first:", *beats] if beats else [])])


def _as_recap(lines: Sequence[str]) -> results.Recap:
    words = "\n".join(lines)[:MOST_SIGNS]
    return results.Recap(words=words, tokens=-(-len(words) // SIGNS_A_TOKEN))


def fit(lines: Iterable[str], room: int) -> list[str]:
    """The first lines that there is room for, so many signs in all."""
    fitting: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        fitting.append(line)
    return fitting


def _fit(lines: Sequence[str], room: int) -> list[str]:
    """As many lines as there is room for; the last one says what was left out."""
    fitting = fit(lines, room)
    more = len(lines) - len(fitting)
    return [*fitting, f"> ({more} more: recap with more set)"] if more else fitting
