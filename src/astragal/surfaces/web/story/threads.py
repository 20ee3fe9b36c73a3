"""Threads: the events that one card is made of, from a roll's request to its narration and its reveal.

A thread's key is the id of the command that it begins with: the one that asked for the roll, or the roll itself. While
a roll is asked for, or someone decides, its thread is open, and its card is shown below the log: see
`table/pending.py`.

The first narration after a roll tells what came of it, and belongs to its thread. So does the answer to a prompt that
the roll puts to someone.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, takewhile
from typing import NamedTuple

from msgspec import Struct

from astragal.surfaces.web.session import SeatSession
from astragal.table.state.table import Decision, State
from astragal.table.state.things import asked_in
from astragal.table.visibility.events import SeenEvent

ROLLED = "rolled"
REVEALED = "revealed"
ASKED = "roll_requested"
MET = "request_met"
WITHDRAWN = "request_withdrawn"
NARRATED = "narrated"
REWOUND = "rewound"
PROPOSED = "consent_asked"
PUT = "prompt_put"
ANSWERED = "prompt_answered"
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


class KeyedEvent(NamedTuple):
    """An event, and the key of the thread that it belongs to."""

    key: str
    event: SeenEvent


def threads_of(session: SeatSession, events: Sequence[SeenEvent]) -> list[Thread]:
    """Return the whole threads that these events belong to, except open ones, ordered by their latest event.

    A reveal does not move a card, nor does the narration of a roll. A proposal is shown below the log while it waits,
    and the yes or no to it repeats it, so it has no card of its own.
    """
    nearby = _with_earlier_rolls(session, events)
    keyed_events = _keyed(nearby, _answers_of_revealed(session, nearby))
    still_open = open_keys(session.state)
    still_open |= {key for key, event in keyed_events if event.act in session.state.decisions}
    key_by_telling = _keys_of_tellings(keyed_events, still_open)
    keyed_events = [KeyedEvent(key_by_telling.get(event.act, key), event) for key, event in keyed_events]

    events_by_key: dict[str, list[SeenEvent]] = {}
    place_by_key: dict[str, int] = {}
    for place, (key, event) in enumerate(keyed_events):
        events_by_key.setdefault(key, []).append(event)
        if event.name not in LATER or key not in place_by_key:
            place_by_key[key] = place

    wanted_events = {(event.act, event.name) for event in events}
    touched = {key for key, event in keyed_events if (event.act, event.name) in wanted_events}
    proposals = {key for key in touched if all(event.name == PROPOSED for event in events_by_key[key])}
    closed = sorted(touched - still_open - proposals, key=place_by_key.__getitem__)
    return [Thread(key, _whole(session, key, events_by_key[key])) for key in closed]


def _with_earlier_rolls(session: SeatSession, events: Sequence[SeenEvent]) -> Sequence[SeenEvent]:
    """Return the events, with earlier ones if those may hold a roll that is narrated or revealed here."""
    first = next((event for event in events if event.name in {*LATER, ROLLED} | APART), None)
    if first is None or first.name not in LATER:
        return events
    newest = session.host.latest(session.table, session.seat, most=max(NEAR, len(events))).events
    revealed_acts = {event.fields["act"] for event in events if event.name == REVEALED}
    if events[0] in newest and revealed_acts <= {event.act for event in newest}:
        return newest
    log = session.host.told(session.table, session.seat, {*TELLING, PUT, *OF_A_ROLL, *APART, REWOUND})
    earlier = list(takewhile(lambda event: event != first, log))
    return (*earlier, *events)


def _answers_of_revealed(session: SeatSession, events: Sequence[SeenEvent]) -> list[SeenEvent]:
    """Return the events by which the commands that are revealed here met a request: they may lie further back."""
    answers: list[SeenEvent] = []
    for act in {str(event.fields["act"]) for event in events if event.name == REVEALED}:
        answers += [event for event in session.events_of(act) if event.name == MET]
    return answers


def _keys_of_tellings(keyed_events: Sequence[KeyedEvent], still_open: set[str]) -> dict[str, str]:
    """Map narrating commands to the threads of their rolls. An undone narration belongs to an undone roll."""
    rolls = {key for key, event in keyed_events if _is_roll_that_all_see(event)} - still_open
    key_by_prompt = {event.fields["prompt"]["id"]: key for key, event in keyed_events if event.name == PUT}
    key_by_telling: dict[str, str] = {}
    for undone in (False, True):
        latest_roll: str | None = None
        for key, event in keyed_events:
            if event.name == REWOUND:
                if undone or not event.fields.get("undo"):
                    latest_roll = None
            elif event.abandoned is not undone:
                continue
            elif event.name in TELLING:
                roll = latest_roll if event.name == NARRATED else key_by_prompt.get(event.fields["prompt"]["id"])
                if roll in rolls:
                    key_by_telling[event.act] = roll
                latest_roll = None
            elif key in rolls and event.name != REVEALED:
                # The roll was not over yet: what was told of it until here stands by itself.
                key_by_telling = {act: roll for act, roll in key_by_telling.items() if roll != key}
                latest_roll = key
            elif event.name in APART:
                latest_roll = None
    return key_by_telling


def _is_roll_that_all_see(event: SeenEvent) -> bool:
    """Return whether a narration may join the thread of this event: joined to a hidden roll, it would leak it."""
    return (event.name == ROLLED or event.went is not None) and not event.out_of_sight


def open_keys(state: State) -> set[str]:
    """Return the threads in which someone still has to roll or to decide."""
    asked_for = {request.asked_in for request in state.requests.values()}
    deciding = {request_of(state, decision) or act for act, decision in state.decisions.items()}
    return asked_for | deciding


def request_of(state: State, decision: Decision) -> str:
    """Return the thread of the request that a waiting roll will meet; empty for a roll that nobody asked for."""
    for request in state.requests.values():
        if request.command == decision.command and request.who in decision.sides.values():
            return request.asked_in
    return ""


def _keyed(events: Sequence[SeenEvent], answers: Sequence[SeenEvent] = ()) -> list[KeyedEvent]:
    """Find each event's thread: a command that meets a request joins the request's, a reveal what it reveals.

    `answers` are events elsewhere by which commands met a request. A roll out of sight is a thread of its own: not
    everyone may know that it met a request.
    """
    hidden_acts = {event.act for event in (*answers, *events) if event.out_of_sight and event.name != REVEALED}
    key_by_act: dict[str, str] = {}
    for event in (*answers, *events):
        if event.name in (ASKED, MET) and event.act not in hidden_acts:
            key_by_act[event.act] = asked_in(event.fields["request"]["id"])

    def key_of(event: SeenEvent) -> str:
        if event.name == REVEALED:
            return key_by_act.get(event.fields["act"], str(event.fields["act"]))
        if event.name == WITHDRAWN:
            return asked_in(event.fields["request"]["id"])
        return key_by_act.get(event.act, event.act)

    return [KeyedEvent(key_of(event), event) for event in events]


def _whole(session: SeatSession, key: str, events: Sequence[SeenEvent]) -> tuple[SeenEvent, ...]:
    """Return all events of a thread. One without a roll happens at once, and is complete as it is."""
    if not any(event.name in OF_A_ROLL for event in events):
        return tuple(events)
    later = [event for event in events if event.name in LATER]
    acts = [event.act for event in events if event.name not in LATER]
    return (*whole_thread(session, key, acts), *later)


def whole_thread(session: SeatSession, key: str, acts: Iterable[str] = ()) -> tuple[SeenEvent, ...]:
    """Return the events of a thread, except its reveal. `acts` are further commands that belong to it."""
    acts_of_thread = dict.fromkeys([key, *acts])
    events = list(chain.from_iterable(map(session.events_of, acts_of_thread)))
    if sum(event.name == ASKED for event in events) > 1:  # add the other rolls that were asked for together
        ended = session.host.told(session.table, session.seat, (MET, WITHDRAWN))
        ending_acts = dict.fromkeys(event.act for event in ended if asked_in(event.fields["request"]["id"]) == key)
        for act in ending_acts:
            if act not in acts_of_thread:
                events += session.events_of(act)
    members = [event for event_key, event in _keyed(events) if event_key == key and event.name != REVEALED]
    return tuple(sorted(members, key=lambda event: event.at))
