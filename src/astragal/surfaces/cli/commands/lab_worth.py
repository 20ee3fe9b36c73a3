"""`astragal lab worth` and `astragal lab builds`: what a point is worth in a fight, and which builds another beats."""

from __future__ import annotations

from typing import Annotated

from astragal.surfaces.cli.commands.lab_duel import Fighter, HowToPlay, Rules
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.input.options import AsJson, Parameter
from astragal.surfaces.cli.output.progress import watched
from astragal.surfaces.cli.output.terminal import Paper, in_json

Game = Annotated[str, Parameter("The game: astragal games lists them.")]


def worth(
    game: Game,
    *numbers: Fighter,
    against: Annotated[
        tuple[str, ...], Parameter("A foe: 'NAME=NUMBER …' or a usual one; can be repeated; default: all usual ones.")
    ] = (),
    play: Annotated[HowToPlay, Parameter("How both sides decide.")] = "best",
    rules: Rules = (),
    json: AsJson = False,
    context: Context,
) -> None:
    """Change one number, or one rule, at a time, and solve the fights again.

    astragal lab worth sinew_steel attack=12 luck=4
    astragal lab worth new_shoes dice=4 --against 'target 8'
    """
    from astragal.lab import duels
    from astragal.lab import worth as lab
    from astragal.surfaces.cli.input.fighters import fighter_from, options_from, split
    from astragal.surfaces.cli.output.rows import as_text

    book, paper = context.game(game), Paper()
    foes = {text: fighter_from(book, split(text)) for text in against} or None
    with watched("Solving"):
        found = lab.worth(
            book, fighter_from(book, numbers), foes, play=duels.Play(play), options=options_from(book, rules)
        )
    if json:
        paper.write(in_json(found))
        return
    paper.write(f"Wins {found.wins:.2%} against {', '.join(found.foes)}.")
    for title, knocks in (("number", found.numbers), ("rule of the table", found.rules), ("setting", found.skins)):
        if knocks:
            rows = [[one.name, one.before, one.after, f"{100 * one.changes:+.2f}"] for one in knocks]
            paper.write(f"\n{as_text([[title, 'now', 'changed to', 'points'], *rows])}")


def builds(
    game: Game,
    *,
    budget: Annotated[int | None, Parameter("Build points; default: the game's.", limits=(0, 99))] = None,
    play: Annotated[HowToPlay, Parameter("How both sides decide.")] = "best",
    workers: Annotated[int, Parameter("Processes that share the work.", limits=(1, 64))] = 2,
    most: Annotated[int, Parameter("Show so many of the unbeaten.", limits=(1, 200))] = 12,
    json: AsJson = False,
    context: Context,
) -> None:
    """Compare every legal build of a budget in fights: those that none beats, and how many are beaten everywhere.

    astragal lab builds sinew_steel
    astragal lab builds sinew_steel --budget 12 --play decline
    """
    from concurrent.futures import ProcessPoolExecutor

    from astragal.lab import duels
    from astragal.lab import worth as lab
    from astragal.surfaces.cli.output.rows import as_text

    book, paper = context.game(game), Paper()
    options = book.options() if budget is None else book.options(build_points=budget)
    with watched("Comparing builds") as tell, ProcessPoolExecutor(workers) as pool:
        found = lab.compare_builds(book, options=options, play=duels.Play(play), executor=pool, tell=tell)
    if json:
        paper.write(in_json(found))
        return
    unbeaten = found.unbeaten
    beaten = found.builds - sum(one.count for one in unbeaten)
    paper.write(
        f"{found.wasteful:,} of {found.builds:,} legal builds leave points that would raise a number: another is at "
        "least as good at everything.\n"
        f"In a fight the legal builds are {len(found.classes)} kinds of fighter. {beaten:,} are beaten by "
        f"another against every usual foe; unbeaten: {len(unbeaten)}:\n"
    )
    rows = [
        [
            ", ".join(f"{key} {value}" for key, value in one.build.items()),
            f"{one.count:,}",
            *(f"{win:.1%}" for win in one.wins),
        ]
        for one in unbeaten[:most]
    ]
    paper.write(as_text([["for example", "builds", *found.foes], *rows]))
