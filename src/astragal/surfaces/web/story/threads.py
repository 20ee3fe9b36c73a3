"""Threads: the events that one card is made of, from a roll's request to its narration and its reveal.

A thread's key is the id of the command that it begins with: the one that asked for the roll, or the roll itself. While
a roll is asked for, or someone decides, its thread is open, and its card is shown below the log: see
`table/pending.py`.

The first narration after a roll tells what came of it, and belongs to its thread. So does the answer to a prompt that
the roll puts to someone.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from msgspec import Struct

from astragal.surfaces.web.session import SeatSession
from astragal.table.state.table import Decision, State
from astragal.table.state.things import asked_in
from astragal.table.visibility.events import SeenEvent

ROLLED, REVEALED = "rolled", "revealed"
ASKED, MET, WITHDRAWN = "roll_requested", "request_met", "request_withdrawn"
NARRATED, REWOUND, PROPOSED = "narrated", "rewound", "consent_asked"
PUT, ANSWERED = "prompt_put", "prompt_answered"
TELLING = frozenset({NARRATED, ANSWERED})
LATER = TELLING | {REVEALED}
"""Events that join the card of a roll after it is over."""
APART = frozenset({"said", "emoted", "scene_began", "scene_ended", "scene_stopped", "scene_resumed", "option_taken"})
APART |= {"encounter_began", "encounter_ended", "evening_began", "evening_ended", "day_passed"}
"""After one of these, a narration belongs to the story and to no roll. Bookkeeping and whispers in between change
nothing."""
NEAR = 60
"""Number of the newest events among which the roll of a new narration is looked for first."""
WAITING = frozenset({"decision_opened"})
OVER = frozenset({"decided", "decision_withdrawn", "decision_lapsed"})
OF_A_ROLL = frozenset({ROLLED, REVEALED, ASKED, MET, WITHDRAWN, "answer_sealed"}) | WAITING | OVER


class Thread(Struct, frozen=True):
    key: str
    events: tuple[SeenEvent, ...]


def threads_of(session: SeatSession, events: Sequence[SeenEvent]) -> list[Thread]:
    """Return the whole threads that these events belong to, except open ones, ordered by their latest event.

    A reveal does not move a card, nor does the narration of a roll. A proposal is shown below the log while it waits,
    and the yes or no to it repeats it, so it has no card of its own.
    """
    around = _around(session, events)
    # A command that is revealed here may have met a request that lies further back.
    revealed = {str(event.fields["act"]) for event in events if event.name == REVEALED}
    keys = _keys(around, [one for act in revealed for one in session.events_of(act) if one.name == MET])
    still_open = open_keys(session.state)
    still_open |= {key for event, key in zip(around, keys, strict=True) if event.act in session.state.decisions}
    told = _told_of(around, keys, still_open)
    keys = [told.get(event.act, key) for event, key in zip(around, keys, strict=True)]
    acts = {(event.act, event.name) for event in events}
    place: dict[str, int] = {}
    found: dict[str, list[SeenEvent]] = {}
    for number, (event, key) in enumerate(zip(around, keys, strict=True)):
        found.setdefault(key, []).append(event)
        if event.name not in LATER or key not in place:
            place[key] = number
    touched = {key for event, key in zip(around, keys, strict=True) if (event.act, event.name) in acts}
    proposed = {key for key in touched if all(event.name == PROPOSED for event in found[key])}
    closed = sorted(touched - still_open - proposed, key=place.__getitem__)
    return [Thread(key, _whole(session, key, found[key])) for key in closed]


def _around(session: SeatSession, events: Sequence[SeenEvent]) -> Sequence[SeenEvent]:
    """Return the events, with earlier ones if those may hold a roll that is narrated or revealed here."""
    first = next((event for event in events if event.name in {*LATER, ROLLED} | APART), None)
    if first is None or first.name not in LATER:
        return events
    near = session.host.latest(session.table, session.seat, most=max(NEAR, len(events))).events
    revealed = {event.fields["act"] for event in events if event.name == REVEALED}
    if events[0] in near and revealed <= {event.act for event in near}:
        return near
    whole = session.host.told(session.table, session.seat, {*TELLING, PUT, *OF_A_ROLL, *APART, REWOUND})
    start = next((number for number, one in enumerate(whole) if one == first), len(whole))
    return (*whole[:start], *events)


def _told_of(events: Sequence[SeenEvent], keys: Sequence[str], still_open: set[str]) -> dict[str, str]:
    """Map narrating commands to the threads of their rolls. An undone narration belongs to an undone roll."""
    rolls = {  # rolls that all can see: a narration joined to a hidden roll would leak it
        key
        for event, key in zip(events, keys, strict=True)
        if (event.name == ROLLED or event.went is not None) and not event.out_of_sight
    } - still_open
    told: dict[str, str] = {}
    asking = {event.fields["prompt"]["id"]: key for event, key in zip(events, keys, strict=True) if event.name == PUT}
    for undone in (False, True):
        last = None
        for event, key in zip(events, keys, strict=True):
            if event.name == REWOUND:
                last = last if event.fields.get("undo") and not undone else None
            elif event.abandoned is not undone:
                continue
            elif event.name in TELLING:
                of = last if event.name == NARRATED else asking.get(event.fields["prompt"]["id"])
                if of in rolls:
                    told[event.act] = of
                last = None
            elif key in rolls and event.name != REVEALED:
                told = {act: of for act, of in told.items() if of != key}  # the roll was not over yet
                last = key
            elif event.name in APART:
                last = None
    return told


def open_keys(state: State) -> set[str]:
    """Return the threads in which someone still has to roll or to decide."""
    asked = {request.asked_in for request in state.requests.values()}
    return asked | {request_of(state, one) or act for act, one in state.decisions.items()}


def request_of(state: State, decision: Decision) -> str:
    """Return the thread of the request that a waiting roll will meet; empty for a roll that nobody asked for."""
    fitting = (one for one in state.requests.values() if one.command == decision.command)
    return next((one.asked_in for one in fitting if one.who in decision.sides.values()), "")


def _keys(events: Sequence[SeenEvent], further: Iterable[SeenEvent] = ()) -> list[str]:
    """Return each event's thread: a command that meets a request joins the request's, a reveal what it reveals.

    A roll out of sight is a thread of its own: not everyone may know that it met a request.
    """
    hidden = {event.act for event in (*further, *events) if event.out_of_sight and event.name != REVEALED}
    found = (event for event in (*further, *events) if event.name in (ASKED, MET))
    requests = [event for event in found if event.act not in hidden]
    of_command = {event.act: asked_in(event.fields["request"]["id"]) for event in requests}

    def key(event: SeenEvent) -> str:
        if event.name == REVEALED:
            return of_command.get(event.fields["act"], str(event.fields["act"]))
        if event.name == WITHDRAWN:
            return asked_in(event.fields["request"]["id"])
        return of_command.get(event.act, event.act)

    return [key(event) for event in events]


def _whole(session: SeatSession, key: str, some: Sequence[SeenEvent]) -> tuple[SeenEvent, ...]:
    """Return all events of a thread. One without a roll happens at once, and is complete as it is."""
    if not any(event.name in OF_A_ROLL for event in some):
        return tuple(some)
    later = [event for event in some if event.name in LATER]
    return (*whole_thread(session, key, [event.act for event in some if event not in later]), *later)


def whole_thread(session: SeatSession, key: str, acts: Iterable[str] = ()) -> tuple[SeenEvent, ...]:
    """Return the events of a thread, except its reveal. `acts` are further commands that are known to belong to it."""
    known = dict.fromkeys([key, *acts])
    events = list(chain.from_iterable(session.events_of(act) for act in known))
    if sum(event.name == ASKED for event in events) > 1:  # add the other rolls that were asked for together
        ended = session.host.told(session.table, session.seat, (MET, WITHDRAWN))
        since = dict.fromkeys(one.act for one in ended if asked_in(one.fields["request"]["id"]) == key)
        events += chain.from_iterable(session.events_of(act) for act in since if act not in known)
    own = [event for event, its in zip(events, _keys(events), strict=True) if its == key and event.name != REVEALED]
    return tuple(sorted(own, key=lambda event: event.at))
