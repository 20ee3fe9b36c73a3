"""`astragal lab duel`: two fighters of a game to the end, solved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.input.options import AsJson, Parameter
from astragal.surfaces.cli.output.progress import watched
from astragal.surfaces.cli.output.terminal import Paper, in_json

if TYPE_CHECKING:
    from astragal.lab.duels import DuelResult

MOST_ROUNDS = 12

Fighter = Annotated[str, Parameter("NAME=NUMBER of the first fighter, such as stamina=5.", "NUMBER")]
Rules = Annotated[tuple[str, ...], Parameter("An option of the table, NAME=VALUE; can be repeated.", "--set")]
HowToPlay = Literal["best", "greedy", "decline"]


def duel(
    game: Annotated[str, Parameter("The game: astragal games lists them.")],
    *numbers: Fighter,
    against: Annotated[
        tuple[str, ...],
        Parameter("The other: 'NAME=NUMBER …', or a usual foe; repeated, a party; default: the same as the first."),
    ] = (),
    beside: Annotated[tuple[str, ...], Parameter("One more on the first side: 'NAME=NUMBER …'; can be repeated.")] = (),
    play: Annotated[HowToPlay, Parameter("How the first decides.")] = "best",
    theirs: Annotated[HowToPlay | None, Parameter("How the other decides; default: as the first.")] = None,
    first: Annotated[Literal["one", "two", "either"], Parameter("Who acts first.")] = "either",
    rules: Rules = (),
    svg: Annotated[str | None, Parameter("Write charts of when to spend: FILE-attack.svg, FILE-defence.svg.")] = None,
    json: AsJson = False,
    context: Context,
) -> None:
    """Let two fighters, or two parties, fight to the end: who wins, how long it takes, what is left, and how to play.

    astragal lab duel sinew_steel stamina=5 luck=10 soak=2
    astragal lab duel sinew_steel attack=12 luck=6 --against 'tier 12' --theirs decline
    astragal lab duel six_pool points=6 --against guard --set broken_pools=no
    astragal lab duel sinew_steel attack=12 --beside attack=11 --against 'tier 10' --against 'tier 8'
    """
    from astragal.chance import drawings
    from astragal.lab import duels
    from astragal.surfaces.cli.input.fighters import fighter_from, options_from, split

    book = context.game(game)
    party = [fighter_from(book, words) for words in (numbers, *map(split, beside))]
    foes = [fighter_from(book, split(text)) for text in against] or party
    plays = duels.Play(play), duels.Play(theirs or play)
    with watched("Fighting"):
        found = duels.duel(book, party, foes, play=plays, first=first, options=options_from(book, rules))
    for name, chart in found.charts.items() if svg else ():
        Path(f"{svg}-{name}.svg").write_text(drawings.svg(chart), encoding="utf-8")
    paper = Paper()
    for line in [in_json(found)] if json else _lines(found):
        paper.write(line)


def _lines(found: DuelResult) -> list[str]:
    rounds = [f"{number} {share:.0%}" for number, share in enumerate(found.by_round[:MOST_ROUNDS], 1)]
    left = [
        f"  {who} has on average {', '.join(f'{one.mean:.1f} {one.name}' for one in remains)} left."
        for who, remains in (("The first, winning,", found.left_if_won), ("The other, winning,", found.left_if_lost))
    ]
    exactly = f"\n  Exactly: {found.fraction}" if found.fraction and len(found.fraction) < 60 else ""
    plan = ["", "Best play of the first:", *(f"  {line}" for line in found.policy)] if found.policy else []
    return [found.sentence + exactly, f"  It ends in round {', '.join(rounds)} …", *left, *plan, "", found.about]
