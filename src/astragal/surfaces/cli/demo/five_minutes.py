"""`astragal demo GAME`: a table with sample heroes, and a scene to play for five minutes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from astragal.surfaces.cli.commands.play import play_at
from astragal.surfaces.cli.errors import Declined
from astragal.surfaces.cli.input.options import Where
from astragal.surfaces.cli.input.seats import Place
from astragal.surfaces.cli.output.terminal import Paper
from astragal.surfaces.shared.context import AppContext
from astragal.table.authoring.display import Score
from astragal.table.fields.definitions import fields_of
from astragal.table.starter import GAME_MASTERS, sample_heroes, start_table

if TYPE_CHECKING:
    from astragal.surfaces.cli.context import Context
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.log.store import Store

YOU, GUIDE = "You", "Guide"
MOST_HEROES = 3


def play_five_minutes(context: Context, game: str, where: Where, *, keep: bool) -> int:
    """Sit the newcomer down as a player. The guide's seat can be taken from another window, where the table is kept."""
    ruleset = context.game(game)
    with _store(context, where, keep=keep) as store:
        place = _set_up(context, ruleset, store)
        if sys.stdin.isatty():
            for line in _advice(place, where, keep=keep):
                Paper().write(line)
        return play_at(place, everything=False)


@contextmanager
def _store(context: Context, where: Where, *, keep: bool) -> Iterator[Store]:
    """A store for these five minutes, or the newcomer's own."""
    with TemporaryDirectory(prefix="astragal-") as folder:
        store = context.store(where.db if keep else str(Path(folder) / "demo.db"))
        try:
            yield store
        finally:
            store.close()


def _set_up(context: Context, ruleset: Ruleset, store: Store) -> Place:
    heroes = list(sample_heroes(ruleset, {}).values())[:MOST_HEROES]
    if not heroes:
        raise Declined(f"{ruleset.name} has no sample heroes to play with; astragal table new opens a table of it.")
    host = context.host(store, (ruleset,))
    opened = start_table(
        host,
        ruleset,
        name=f"Five minutes of {ruleset.name}"[:60],
        game_master=GUIDE,
        players=[YOU],
        heroes=[(GAME_MASTERS if number else 0, hero) for number, hero in enumerate(heroes)],
        begins=True,
    )
    return Place(AppContext(host, store), opened.table, opened.players[0])


def _advice(place: Place, where: Where, *, keep: bool) -> Iterator[str]:
    state = place.look()
    own = next(one for one in state.characters.values() if one.seat == place.seat)
    scores = [piece for piece in place.ruleset.furniture(own) if isinstance(piece, Score) and piece.command]
    yield f"You play {own.name}. Try:"
    yield "  sheet            who you are"
    if scores:
        label = state.terms.get(scores[0].label, scores[0].label).casefold()
        command = scores[0].command or ""
        texts = [field for field in fields_of(place.book.command(command)) if field.is_free_text]
        stakes = ' "crossing the bridge"' if len(texts) == 1 else ""
        asked = f"{command} {label}{stakes}".replace("_", " ")
        yield f"  odds {asked}   what would happen, exactly"
        yield f"  {asked}   and then do it"
    yield "  say Hello there! to be heard"
    yield "  ?                what else can be done"
    yield "  quit             to end; the table is gone then" if not keep else "  quit             to end"
    if keep:
        db = f" --db {where.db}" if where.db else ""
        yield f'The guide’s seat: astragal play "{state.name}"{db}'
    yield ""
