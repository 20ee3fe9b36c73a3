"""`astragal demo`: a tour of a few seconds with real dice, or five minutes of a game with sample heroes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from enum import Enum
from inspect import getsource
from io import StringIO
from time import sleep
from typing import TYPE_CHECKING, Annotated

from annotated_types import Ge, Le

from astragal.chance import Offer, Rolls, Settled, SystemDice, Waiting, advise, d6, odds, play, replay, rule, total
from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import Parameter, Tables

if TYPE_CHECKING:
    from astragal.surfaces.cli.seats import SeatClient
    from astragal.table.authoring.ruleset import Ruleset

PAUSE = 0.6
"""Seconds between two parts of the tour, on a terminal."""
NERVE = 7
YOU = "You"
GUIDE = "Guide"
MOST_HEROES = 3


def demo(
    game: Annotated[str | None, Parameter("A game to play for five minutes.")] = None,
    *,
    keep: Annotated[bool, Parameter("Keep the table, so that others can join it.")] = False,
    json: Annotated[bool, Parameter("Print JSON lines, as play does.")] = False,
    context: Tables,
) -> int | None:
    """Take a tour of a few seconds: a rule played, replayed, its odds and the best decision.

    astragal demo              a tour of a few seconds
    astragal demo sinew_steel  a table with sample heroes, and a scene to play
    """
    if game is not None:
        return _play_five_minutes(context, context.game(game), keep=keep, in_lines=json)
    paper = terminal.Output()
    page = StringIO()
    for _ in _tour(terminal.Output(page) if json else paper):
        paper.write(terminal.in_json({"shown": page.getvalue().splitlines()}) if json else "")
        paper.flush()
        page.seek(page.truncate(0))
        if paper.is_terminal:
            sleep(PAUSE)
    return None


# ---------------------------------------------------------------- the tour


class Crossing(Enum):
    """Outcome of crossing the bridge."""

    SAFE = "across, dry and proud"
    BRUISED = "across, with a bruise"
    BACK = "back where you were"
    FALLEN = "in the river"


WORTH = {Crossing.SAFE: 3, Crossing.BRUISED: 2, Crossing.BACK: 0, Crossing.FALLEN: -1}
Nerve = Annotated[int, Ge(2), Le(12)]


@rule
def cross_the_bridge(nerve: Nerve) -> Rolls[Crossing]:
    """Two dice at or under your nerve carry you over. If not, turn back, or jump for it."""
    if (yield from total(2, d6)) <= nerve:
        return Crossing.SAFE
    if not (yield from Offer("hero", "jump", (False, True))):
        return Crossing.BACK
    jump = yield from total(2, d6)
    return Crossing.BRUISED if jump <= nerve else Crossing.FALLEN


def _tour(paper: terminal.Output) -> Iterator[None]:
    """Show one part after the other, with a pause at each yield."""
    from astragal.chance import notation

    paper.write("Dice, written as players write them", "bold cyan")
    for text in ("1d20+7 # to hit", "2d20kl1 # in the dark", "10d6>=5 # a pool", "5d6! # sixes explode"):
        rolled = notation.roll(text, SystemDice())
        paper.write(f"  {rolled.label:>13}: {rolled.breakdown}")
    yield
    strength = notation.parse("4d6dl1")
    paper.write("Their exact odds", "bold cyan")
    paper.write(f"  4d6dl1. {notation.explain(strength)}")
    paper.draw(notation.odds(strength))
    yield
    paper.write("A rule is written once", "bold cyan")
    for line in getsource(cross_the_bridge.body).splitlines():
        paper.write(f"  {line}", "green")
    yield
    paper.write(f"Played, with a nerve of {NERVE}", "bold cyan")
    question = cross_the_bridge(NERVE)
    played = play(question, SystemDice())
    while isinstance(played, Waiting):
        paper.write(f"  {_faces(played)}: too much. The rule waits for the hero. She jumps …")
        played = played.resume(SystemDice(), True)
    paper.write(f"  {_faces(played)}: {played.value.value}.")
    paper.write(f"  Replayed from its record: {replay(question, played.record).value}.")
    yield
    paper.write("Its exact odds, for a hero who never jumps", "bold cyan")
    paper.draw(odds(question))
    yield
    advice = advise(question, WORTH.__getitem__, side="hero")
    values = advice.next.values.items()
    worth = ", ".join(f"{'jump' if jump else 'turn back'} {float(value):.2f}" for jump, value in values)
    paper.write("Advice: should she jump?", "bold cyan")
    paper.write(f"  {worth}. {'Jump!' if advice.next.best else 'Turn back.'}")
    paper.draw(advice.odds)
    yield
    paper.write("Now you: astragal roll 1d20, astragal odds 2d6+3, astragal games, astragal --help")
    yield


def _faces(played: Settled[Crossing] | Waiting[Crossing]) -> str:
    return " and ".join(str(die.face) for die in played.record.rolled[-2:])


# ---------------------------------------------------------------- five minutes of a game


def _play_five_minutes(context: Context, game: Ruleset, *, keep: bool, in_lines: bool) -> int:
    """Seat the newcomer as a player. If the table is kept, the guide's seat can be taken from another window."""
    from astragal.surfaces.cli.commands.play import play_at
    from astragal.surfaces.cli.seats import SeatClient
    from astragal.surfaces.shared.context import AppContext
    from astragal.table.authoring.ruleset import AppliedSkin
    from astragal.table.starter import GAME_MASTERS, sample_heroes, start_table

    heroes = list(sample_heroes(game, AppliedSkin({}, {})).values())[:MOST_HEROES]
    if not heroes:
        raise errors.Declined(f"{game.name} has no sample heroes to play with; astragal table new opens a table of it.")
    with closing(context.store(context.db if keep else "memory:")) as store:
        host = context.host(store, (game,))
        opened = start_table(
            host,
            game,
            name=f"Five minutes of {game.name}"[:60],
            game_master=GUIDE,
            players=[YOU],
            heroes=[(GAME_MASTERS if number else 0, hero) for number, hero in enumerate(heroes)],
            begins=True,
        )
        place = SeatClient(AppContext(host, store), opened.table, opened.players[0])
        if sys.stdin.isatty() and not in_lines:
            terminal.Output().write_lines(_things_to_try(place, context.db, keep=keep))
        return play_at(place, everything=False, in_lines=in_lines)


def _things_to_try(place: SeatClient, db: str | None, *, keep: bool) -> Iterator[str]:
    from astragal.storage.urls import without_password
    from astragal.table.authoring.display import Score
    from astragal.table.fields.definitions import fields_of

    state = place.view.state
    hero = next(character for character in state.characters.values() if character.seat == place.seat)
    scores = [
        piece for piece in place.book.ruleset.furniture(hero, state) if isinstance(piece, Score) and piece.command
    ]
    yield f"You play {hero.name}. Try:"
    yield "  sheet            who you are"
    if scores and (command := scores[0].command):
        texts = [field for field in fields_of(place.book.command(command)) if field.is_free_text]
        stakes = ' "crossing the bridge"' if len(texts) == 1 else ""
        label = state.terms.get(scores[0].label, scores[0].label).casefold()
        roll_words = f"{command} {label}{stakes}".replace("_", " ")
        yield f"  odds {roll_words}   what would happen, exactly"
        yield f"  {roll_words}   and then do it"
    yield "  say Hello there! to be heard"
    yield "  ?                what else can be done"
    yield "  quit             to end; the table is gone then" if not keep else "  quit             to end"
    if keep:
        at = f" --db {without_password(db)}" if db else ""
        yield f'The guide’s seat: astragal play "{state.name}"{at}'
    yield ""
