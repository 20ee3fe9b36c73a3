"""What this is about, in a few seconds, with real dice."""

from collections.abc import Callable
from enum import Enum
from inspect import getsource
from time import sleep
from typing import Annotated

from annotated_types import Ge, Le

from astragal.chance import Offer, Rolls, Settled, SystemDice, Waiting, advise, d6, odds, play, replay, rule, total
from astragal.chance.notation import explain, parse, roll
from astragal.chance.notation import odds as notation_odds
from astragal.surfaces.cli.output.odds_bars import draw
from astragal.surfaces.cli.output.terminal import Paper

BREATH = 0.6
"""Seconds between two acts, where somebody watches."""
NERVE = 7
Nerve = Annotated[int, Ge(2), Le(12)]


class Crossing(Enum):
    """How it went."""

    SAFE = "across, dry and proud"
    BRUISED = "across, with a bruise"
    BACK = "back where you were"
    FALLEN = "in the river"


@rule
def cross_the_bridge(nerve: Nerve) -> Rolls[Crossing]:
    """Two dice at or under your nerve carry you over. If not, turn back, or jump for it."""
    if (yield from total(2, d6)) <= nerve:
        return Crossing.SAFE
    if not (yield from Offer("hero", "jump", (False, True))):
        return Crossing.BACK
    jump = yield from total(2, d6)
    return Crossing.BRUISED if jump <= nerve else Crossing.FALLEN


WORTH = {Crossing.SAFE: 3, Crossing.BRUISED: 2, Crossing.BACK: 0, Crossing.FALLEN: -1}


def show_demo() -> None:
    paper = Paper()
    acts: tuple[Callable[[Paper], None], ...] = (_rolls, _odds, _rule, _play, _weigh, _advise, _farewell)
    for act in acts:
        act(paper)
        paper.write()
        paper.flush()
        if paper.is_terminal:
            sleep(BREATH)


def _rolls(paper: Paper) -> None:
    paper.write("Dice, written as players write them", "bold cyan")
    for notation in ("1d20+7 # to hit", "2d20kl1 # in the dark", "10d6>=5 # a pool", "5d6! # sixes explode"):
        one = roll(notation, SystemDice())
        paper.write(f"  {one.label:>13}: {one.breakdown}")


def _odds(paper: Paper) -> None:
    strength = parse("4d6dl1")
    paper.write("Their exact odds", "bold cyan")
    paper.write(f"  4d6dl1. {explain(strength)}")
    draw(paper, notation_odds(strength))


def _rule(paper: Paper) -> None:
    paper.write("A rule is written once", "bold cyan")
    for line in getsource(cross_the_bridge.body).splitlines():
        paper.write(f"  {line}", "green")


def _play(paper: Paper) -> None:
    """Play it, jump if it comes to that, and read the record again."""
    paper.write(f"Played, with a nerve of {NERVE}", "bold cyan")
    question = cross_the_bridge(NERVE)
    found = play(question, SystemDice())
    while isinstance(found, Waiting):
        paper.write(f"  {_faces(found)}: too much. The rule waits for the hero. She jumps …")
        found = found.resume(SystemDice(), True)
    paper.write(f"  {_faces(found)}: {found.value.value}.")
    again = replay(question, found.record)
    paper.write(f"  Replayed from its record: {again.value}.")


def _weigh(paper: Paper) -> None:
    paper.write("Weighed: what happens to one who never jumps", "bold cyan")
    draw(paper, odds(cross_the_bridge(NERVE)))


def _advise(paper: Paper) -> None:
    advice = advise(cross_the_bridge(NERVE), WORTH.__getitem__, side="hero")
    choice = advice.next
    worth = ", ".join(f"{'jump' if jump else 'turn back'} {float(value):.2f}" for jump, value in choice.values.items())
    paper.write("Advised: should she?", "bold cyan")
    paper.write(f"  {worth}. {'Jump!' if choice.best else 'Turn back.'}")
    draw(paper, advice.odds)


def _farewell(paper: Paper) -> None:
    paper.write("Now you: astragal roll 1d20, astragal odds 2d6+3, astragal games, astragal --help")


def _faces(found: Settled[Crossing] | Waiting[Crossing]) -> str:
    return " and ".join(str(die.face) for die in found.record.rolled[-2:])
