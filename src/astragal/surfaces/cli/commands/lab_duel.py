"""`astragal lab duel`, `worth` and `builds`: fights of a game to the end, solved; what a point in them is worth."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.parser import AsJson, Parameter
from astragal.surfaces.cli.terminal import Paper, in_json, watched

if TYPE_CHECKING:
    from astragal.lab.duels import DuelResult
    from astragal.table.authoring.ruleset import Ruleset

MOST_ROUNDS = 12

Game = Annotated[str, Parameter("The game: astragal games lists them.")]
Fighter = Annotated[str, Parameter("NAME=NUMBER of the first fighter, such as stamina=5.", "NUMBER")]
Rules = Annotated[tuple[str, ...], Parameter("An option of the table, NAME=VALUE; can be repeated.", "--set")]
HowToPlay = Literal["best", "greedy", "decline"]


def duel(
    game: Game,
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

    book = context.game(game)
    party = [fighter_from(book, words) for words in (numbers, *map(split, beside))]
    foes = [fighter_from(book, split(text)) for text in against] or party
    plays = duels.Play(play), duels.Play(theirs or play)
    with watched("Fighting"):
        found = duels.duel(book, party, foes, play=plays, first=first, options=options_from(book, rules))
    for name, chart in found.charts.items() if svg else ():
        Path(f"{svg}-{name}.svg").write_text(drawings.svg(chart), encoding="utf-8")
    paper = Paper()
    paper.write_lines([in_json(found)] if json else _lines(found))


def _lines(found: DuelResult) -> list[str]:
    rounds = [f"{number} {share:.0%}" for number, share in enumerate(found.by_round[:MOST_ROUNDS], 1)]
    left = [
        f"  {who} has on average {', '.join(f'{one.mean:.1f} {one.name}' for one in remains)} left."
        for who, remains in (("The first, winning,", found.left_if_won), ("The other, winning,", found.left_if_lost))
    ]
    exactly = f"\n  Exactly: {found.fraction}" if found.fraction and len(found.fraction) < 60 else ""
    plan = ["", "Best play of the first:", *(f"  {line}" for line in found.policy)] if found.policy else []
    return [found.sentence + exactly, f"  It ends in round {', '.join(rounds)} …", *left, *plan, "", found.about]


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
    from astragal.surfaces.cli.terminal import as_text

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
    from astragal.surfaces.cli.terminal import as_text

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


# ---------------------------------------------------------------- fighters


def fighter_from(game: Ruleset, words: Sequence[str]) -> Any:
    """A fighter with the typed numbers, the others as usual; or the foe that the words name."""
    from astragal.lab.duels import duel_of
    from astragal.surfaces.cli.fields import FIELD, fields_from
    from astragal.table.fields.validation import read

    declared = duel_of(game)
    said = " ".join(words).casefold()
    known = {name.casefold(): foe for name, foe in declared.foes.items()}
    if said in known:
        return known[said]
    if words and not any(FIELD.fullmatch(word) or word.startswith("-") for word in words):
        listed = ", ".join(declared.foes)
        raise BadCall(f"There is no foe {said!r}; write NAME=NUMBER, or one of {listed}.")
    return read(declared.fighter, fields_from(declared.fighter, words))


def options_from(game: Ruleset, words: Sequence[str]) -> Any:
    """The table's options with those that are typed as NAME=VALUE."""
    from astragal.surfaces.cli.fields import fields_from
    from astragal.table.fields.validation import read

    return read(game.options, fields_from(game.options, words))


def split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as fault:
        raise BadCall(f"{text[:40]!r} can't be read: {fault}.") from None
