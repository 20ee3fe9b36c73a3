"""Recap for a model that has forgotten everything: where we are, who is who, what is open, the last beats."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.tools.results import Recap, waits_lines
from astragal.surfaces.mcp.views.secrets import handles
from astragal.surfaces.mcp.views.table import due_now, people, story, waits, you
from astragal.surfaces.mcp.views.untrusted_text import MARK, clean
from astragal.table.state.things import Audience

MOST_TOKENS = 1500
SIGNS_A_TOKEN = 4
MOST_SIGNS = MOST_TOKENS * SIGNS_A_TOKEN
SHARES = {"story": 1300, "people": 1500, "open": 900, "promised": 700}
"""The most that each part may take; beats get what is left."""
QUIET = frozenset({"seat_taken", "table_opened", "option_written", "scene_written", "decision_opened", "note_written"})
"""Events that are told elsewhere in a recap."""


def recap(desk: Desk, more: str = "") -> Recap:
    """The whole in little; `more` gives one part the whole room."""
    parts = {
        "story": [f"> {clean(line, 200)}" for line in story(desk.shown_view)],
        "people": [
            f"> {one.name} ({one.played_by}): {clean('; '.join(one.sheet), 260)}" for one in people(desk.shown_view)
        ],
        "open": _open(desk),
        "promised": _promised(desk),
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
    return _as_recap([*lines, "last beats, oldest first:", *_beats(desk, room)])


def _as_recap(lines: Sequence[str]) -> Recap:
    words = "\n".join(lines)[:MOST_SIGNS]
    return Recap(words=words, tokens=-(-len(words) // SIGNS_A_TOKEN))


def _fit(lines: Sequence[str], room: int) -> list[str]:
    """As many lines as there is room for; the last one says what was left out."""
    fitting: list[str] = []
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return [*fitting, f"> ({len(lines) - number} more: recap with more set)"]
        fitting.append(line)
    return fitting


def _open(desk: Desk) -> list[str]:
    state = desk.shown()
    drafts = [f"> {one}" for one in handles(desk) if one.startswith("scene:")]
    asked = [f"> {clean(line, 200)}" for line in waits_lines(waits(desk))]
    return [
        *asked,
        *(f"> due: {line}" for line in due_now(desk)),
        *(f"> asked for: {clean(one.what_for or one.command, 120)}" for one in state.requests.values()),
        *drafts,
    ]


def _promised(desk: Desk) -> list[str]:
    """What was written down: public notes in words, secrets by handle."""
    notes = [one for one in desk.shown().notes.values() if one.audience is Audience.ALL]
    public = [f"> note {clean(one.title, 80)}: {clean(one.words, 160)}" for one in reversed(notes)]
    return [*public, *(f"> secret {one}" for one in handles(desk) if one.startswith(("note:", "clock:")))]


def _beats(desk: Desk, room: int) -> list[str]:
    """The newest beats that fit, in the order in which they happened."""
    found: list[str] = []
    for event in reversed(desk.journal(desk.window).events):
        if event.name in QUIET or event.abandoned:
            continue
        line = f"> {clean(event.words, 320)}"
        room -= len(line) + 1
        if room < 0:
            break
        found.append(line)
    return found[::-1]
