"""`astragal play`: a live prompt for one seat; without a terminal, lines in and JSON lines out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

from astragal.surfaces.cli.errors import Exit
from astragal.surfaces.cli.input.options import HERE, AsSeat, Flag, Given, Parameter, Table, Where

if TYPE_CHECKING:
    from astragal.surfaces.cli.input.seats import Place

AT_FIRST = 12
"""So many of the last events are told to somebody who sits down."""


def play(
    table: Table,
    *,
    seat: AsSeat = None,
    everything: Annotated[bool, Flag, Parameter(name="--all", help="Begin with all that has happened.")] = False,
    json: Annotated[bool, Flag, Parameter(help="JSON lines, on a terminal too.")] = False,
    where: Where = HERE,
    context: Given,
) -> int:
    """Sit down at a table and play, in plain words.

    astragal play "The Gorge" --as Bo

    At the prompt: attack guard with might · spend 2 · rest · say Who goes there? ·
    odds attack guard · look · sheet kira · ? for what can be done now · quit.
    Tab completes, the arrow keys bring back what was said before.

    Where input or output is no terminal, it reads such lines, or
    {"command": "say", "fields": {"words": "Hello"}}, and writes a line of JSON
    for each event, each offer, and each command that is done or refused.
    """
    from astragal.surfaces.cli.input.seats import taken

    with taken(context, where, table, seat) as place:
        return play_at(place, everything=everything, in_lines=json)


def play_at(place: Place, *, everything: bool, in_lines: bool = False) -> int:
    """A prompt on a terminal, lines elsewhere."""
    if in_lines or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _in_lines(place, everything=everything)
    return _at_a_prompt(place, everything=everything)


def _in_lines(place: Place, *, everything: bool) -> int:
    from astragal.surfaces.cli.output.json_lines import Lines
    from astragal.surfaces.cli.play.session import Sitting

    sitting = Sitting(place, Lines())
    sitting.begin(None if everything else 0)
    end = sitting.watch()
    try:
        for line in sys.stdin:
            if not sitting.hear(line):
                break
        sitting.catch_up()
    finally:
        end()
    return Exit.REFUSED if sitting.refusals else Exit.FINE


def _at_a_prompt(place: Place, *, everything: bool) -> int:
    from astragal.surfaces.cli.play.prompt import Spoken, printing_above, reader
    from astragal.surfaces.cli.play.session import Sitting

    with printing_above():
        sitting = Sitting(place, Spoken(place))
        sitting.begin(None if everything else AT_FIRST)
        read = reader(sitting)
        end = sitting.watch()
        try:
            _converse(sitting, read)
        finally:
            end()
    return Exit.FINE


def _converse(sitting: Any, read: Any) -> None:
    """Until somebody leaves. Ctrl-C drops the line that was begun, Ctrl-D leaves."""
    while True:
        try:
            if not sitting.hear(read()):
                return
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
