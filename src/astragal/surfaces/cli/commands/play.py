"""`astragal play`: a live prompt for one seat; without a terminal, JSON lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from astragal.surfaces.cli.errors import Exit
from astragal.surfaces.cli.parser import AsSeat, Parameter, Table, Tables

if TYPE_CHECKING:
    from astragal.surfaces.cli.seats import SeatClient

AT_FIRST = 12
"""The number of recent events shown at the start."""


def play(
    table: Table,
    *,
    seat: AsSeat = None,
    everything: Annotated[bool, Parameter("Begin with everything that has happened.", "--all")] = False,
    json: Annotated[bool, Parameter("Print JSON lines, even on a terminal.")] = False,
    context: Tables,
) -> int:
    """Sit down at a table and play, in plain words.

    astragal play "The Gorge" --as Bo

    At the prompt: attack guard with might · spend 2 · rest · say Who goes there? ·
    odds attack guard · look · sheet kira · ? for what can be done now · quit.
    Tab completes, the arrow keys bring back earlier lines.

    If input or output is no terminal, it reads such lines, or
    {"command": "say", "fields": {"words": "Hello"}}, and prints a line of JSON
    for each event, each offer, and each command that is done or refused.
    """
    from astragal.surfaces.cli.seats import open_seat

    with open_seat(context, table, seat) as place:
        return play_at(place, everything=everything, in_lines=json)


def play_at(place: SeatClient, *, everything: bool, in_lines: bool = False) -> int:
    """Play at a prompt on a terminal, or in lines elsewhere."""
    from astragal.surfaces.cli.play.session import PlaySession

    if in_lines or not (sys.stdin.isatty() and sys.stdout.isatty()):
        from astragal.surfaces.cli.play.session import JsonListener

        sitting = PlaySession(place, JsonListener())
        sitting.begin(None if everything else 0)
        end = sitting.watch()
        try:
            for line in sys.stdin:
                if not sitting.hear(line):
                    break
            sitting.catch_up()
        finally:
            end()
        return Exit.REFUSED if sitting.is_refused else Exit.DONE

    from astragal.surfaces.cli.play.prompt import TextListener, printing_above, reader

    with printing_above() as above:
        sitting = PlaySession(place, TextListener(place.view))
        sitting.begin(None if everything else AT_FIRST)
        read = reader(sitting, above)
        end = sitting.watch()
        try:
            while True:
                try:
                    line = read()
                except KeyboardInterrupt:  # Ctrl-C drops the line that was begun
                    continue
                if not sitting.hear(line):
                    break
        except EOFError:  # Ctrl-D leaves
            pass
        finally:
            end()
    return Exit.DONE
