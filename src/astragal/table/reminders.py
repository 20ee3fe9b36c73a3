"""Reminders for the game master: what is due next, derived from the table's state alone.

Every game has clocks, scenes and evenings; a game adds its own reminders (`Ruleset.due`) and proposals
(`Ruleset.proposals`). A reminder does nothing by itself: the game master gives the command, or does not.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby

from astragal.table.authoring.chapter import Due
from astragal.table.authoring.display import Proposal
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.chapters import chat, oracle
from astragal.table.declarations import kind_of_event
from astragal.table.refusals import DependsOnHidden
from astragal.table.state.table import State
from astragal.table.visibility import events, redact
from astragal.wording import capitalised

TALK = frozenset(kind_of_event(kind).name for kind in (chat.Said, chat.Whispered, chat.Emote, chat.Narrate))
"""Events that don't move the story on."""
STALLED_AFTER = 8
"""Number of such events in a row, without a roll, a scene, a clock or anything else, after which the story stalls."""


def due(ruleset: Ruleset, state: State) -> list[str]:
    """Return sentences, each with the command that settles it: reminders, then the game's proposals."""
    teller = Teller(state, state.terms)
    lines = reminded(ruleset, state)
    for _, proposals in groupby(ruleset.proposals(state, teller), key=lambda proposal: (proposal.who, proposal.about)):
        lines.append(_in_words(list(proposals), teller))
    return lines


def _in_words(proposals: list[Proposal], teller: Teller) -> str:
    """Put proposals on one matter into words: “Kira wants in. Ask for the roll (request_roll) or say yes (say_yes).”"""
    first = proposals[0]
    about = f"{teller.name(first.who)}: {first.about}" if first.who else first.about
    sentence = about.removesuffix(".")
    labels_by_command: dict[str, list[str]] = {}
    for command, proposals_of_command in groupby(proposals, key=lambda proposal: proposal.command):
        labels_by_command[command] = [proposal.label for proposal in proposals_of_command]
    if labels_by_command == {first.command: [first.command]}:
        return f"{sentence} ({first.command})."
    ways = [_way(command, labels) for command, labels in labels_by_command.items()]
    return f"{sentence}. {capitalised(' or '.join(ways))}."


def _way(command: str, labels: list[str]) -> str:
    return f"{' or '.join(labels)} ({command})"


def reminded(ruleset: Ruleset, state: State) -> list[str]:
    """Return the reminders without proposals. Those that depend on something hidden in this view are left out."""
    teller = Teller(state, state.terms)
    lines: list[str] = []
    for reminders in (*SHARED, *ruleset.due):
        with suppress(DependsOnHidden):
            lines += list(reminders(state, teller))
    return lines


# ---------------------------------------------------------------- what every table has


def clocks(state: State, _: Teller) -> Iterator[str]:
    """Remind of clocks that are full, and of those that lack one tick."""
    for clock in state.clocks.values():
        if clock.hands is redact.WITHHELD:
            continue
        if clock.hands.is_full:
            yield f"The clock {clock.name} is full: tell what it brings, then remove_clock or untick_clock."
        elif clock.hands.size - clock.hands.ticks == 1:
            yield f"The clock {clock.name} is full with its next tick (tick_clock)."


def scenes(state: State, _: Teller) -> Iterator[str]:
    """Remind of a ready adventure, a missing evening, scene or save node."""
    calendar = state.calendar
    adventure = state.setting.adventure
    has_begun = any(scene.entered for scene in state.scenes.values())
    if adventure not in (None, redact.WITHHELD) and not has_begun:
        opening = f" (its opening: “{adventure.opening}”)" if adventure.opening else ""
        yield f"The adventure “{adventure.title}” is ready{opening}: begin_scene “{adventure.scenes[0].title}”."
    if not calendar.sitting:
        yield "No evening is going on. A new one gives back what the rules give back (begin_evening)."
    elif calendar.scene is None:
        yield "There is no scene: set one with a hook, an action, a consequence and two to four ways on."
    elif not state.nodes:
        yield "There is no save node to go back to (mark_save_node)."


SHARED: tuple[Due, ...] = (clocks, scenes)


# ---------------------------------------------------------------- when the players stall


def stalled(state: State, newest_first: Callable[[], Iterable[events.SeenEvent]]) -> list[str]:
    """Suggest having a move dealt if the players have done nothing but talk for a while."""
    waits_for_somebody = state.decisions or state.requests or any(prompt.is_open for prompt in state.prompts.values())
    if waits_for_somebody or state.safety.stopped or not state.calendar.sitting:
        return []
    count = 0
    for event in newest_first():
        if event.abandoned:
            continue
        if event.name not in TALK:
            break
        count += 1
    if count < STALLED_AFTER:
        return []
    return [f"The story stalls, with nothing but talk for a while. Have a move dealt ({oracle.DEAL_MOVE})."]
