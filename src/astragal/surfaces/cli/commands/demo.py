"""`astragal demo`: what this is about, in a few seconds; or five minutes of a game."""

from __future__ import annotations

from typing import Annotated

from astragal.surfaces.cli.errors import Exit
from astragal.surfaces.cli.input.options import HERE, Flag, Given, Parameter, Where


def demo(
    game: Annotated[str | None, Parameter(help="A game to play for five minutes.")] = None,
    *,
    keep: Annotated[bool, Flag, Parameter(help="Keep the table; others can sit down at it.")] = False,
    where: Where = HERE,
    context: Given,
) -> int:
    """See what this is about: a rule played, replayed, weighed and advised.

    astragal demo              a demonstration of a few seconds
    astragal demo sinew_steel  a table with sample heroes, and a scene to play
    """
    if game is None:
        from astragal.surfaces.cli.demo.tour import show_demo

        show_demo()
        return Exit.FINE
    from astragal.surfaces.cli.demo.five_minutes import play_five_minutes

    return play_five_minutes(context, game, where, keep=keep)
