"""Answer designers' questions about rules, exactly."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import FORMAT, AsJson, Game, Parameter

if TYPE_CHECKING:
    from astragal.lab.rolls import Setting
    from astragal.table.authoring.ruleset import Ruleset


def explore(
    *words: Annotated[
        str,
        Parameter(
            "A game, one of its rules, and the rule's parameters: dc=15. A range varies: bonus=0..10.",
            "GAME RULE",
            fields=True,
        ),
    ],
    against: Annotated[
        str | None, Parameter("A second setting on the same chart: 'GAME RULE PARAMETERS', in quotes.")
    ] = None,
    of: Annotated[str | None, Parameter("The part of the verdict to count: success, margin …")] = None,
    policy: Annotated[
        str | None, Parameter("How decisions are made: decline (default), best, or a policy of the game.")
    ] = None,
    goal: Annotated[str | None, Parameter("The outcome to draw, and to aim for.")] = None,
    json: Annotated[bool, Parameter("Print JSON, with exact fractions.", one_of=FORMAT)] = False,
    csv: Annotated[bool, Parameter("Print CSV.", one_of=FORMAT)] = False,
    svg: Annotated[str | None, Parameter("Draw a picture into this file.", one_of=FORMAT)] = None,
    png: Annotated[str | None, Parameter("Draw a PNG into this file.", one_of=FORMAT)] = None,
    context: Context,
) -> None:
    """Explore a rule: its odds, a curve over one parameter, a heat map over two; alone, or against another.

    astragal lab explore six_pool check dc=15 bonus=0..10
    astragal lab explore sinew_steel opposed_test attacker=6..16 defender=6..16
    astragal lab explore sinew_steel nudged_test score=10 stand.luck=0..10 --policy best
    astragal lab explore six_pool check dc=15 bonus=0..10 --against 'sinew_steel simple_test score=6..16'
    astragal lab explore examples/lanterns.py find_the_way --svg way.svg

    A list of values varies too, and all of a choice: stance=all.
    """
    from astragal.lab.explore import Explorer
    from astragal.lab.rolls import OddsOptions

    reading = OddsOptions(of=of, policy=policy, goal=goal)
    settings = [_setting(context, words, reading)]
    if against is not None:
        settings.append(_setting(context, split(against), reading))
    with terminal.watched("Calculating"):
        found = Explorer().answer(settings)
    paper = terminal.Output()
    if svg is not None:
        paper.draw_into(svg, found.svg().encode())
    elif png is not None:
        paper.draw_into(png, found.png())
    elif json or csv:
        paper.write((found.json() if json else found.csv()).rstrip("\n"))
    else:
        paper.write(found.title, "bold")
        paper.write()
        paper.write(found.text(paper.width))


def luck(
    file: Annotated[Path, Parameter("The export of a table, or of what a player saw.")],
    /,
    *,
    rolls: Annotated[bool, Parameter("List every roll with its chance.")] = False,
    json: AsJson = False,
    context: Context,
) -> None:
    """Show everybody's luck against exact expectation, and how surprising it is.

    astragal table export Gorge evening.jsonl
    astragal lab luck evening.jsonl

    The ledger is verified first. A roll counts as it fell, before Luck, rerolls or any other decision.
    """
    from astragal.lab.luck import luck as luck_of
    from astragal.lab.luck import read_export
    from astragal.table.registry import Book

    with file.open("rb") as opened:
        game, told, names = read_export(list(opened))
    with terminal.watched("Calculating"):
        found = luck_of(Book.of(context.game(game)), told, names)
    lines: list[terminal.Line] = []
    for one in found:
        lines += [(one.words, "bold"), *(f"  {faces.words}." for faces in one.faces)]
        lines += [(f"  {roll.words}", "dim") for roll in one.rolls if rolls and one.seat]
    terminal.Output().show([one.plain for one in found], lines or ["Nobody has rolled anything yet."], as_json=json)


def lint(
    game: Annotated[str, Parameter("The game, or a Python file with one.")], *, json: AsJson = False, context: Context
) -> None:
    """Check a game for faulty declarations, and its rules for what an author may have overlooked.

    astragal lab lint six_pool
    astragal lab lint examples/lanterns.py
    """
    from astragal.lab import linting

    book, lines = context.game(game), list[str]()
    with terminal.watched("Looking at rules", len(book.rules)) as tell:
        found = linting.lint(book, tell)
    declared = [one for one in found if one.kind is linting.Kind.DECLARED]
    lines += [": ".join(filter(None, (one.about, one.words))) for one in declared]
    looked_at = [one for one in found if one not in declared]
    for rule in dict.fromkeys(one.rule for one in looked_at):
        lines += [rule, *(f"  {one.kind.value}: {one.words}" for one in looked_at if one.rule == rule)]
    rules = f"{len(looked_at)} findings in {len(book.rules)} rules of {book.name}. Not all of them are faults."
    lines.append(f"{len(declared)} faults in what is declared; {rules}" if declared else rules)
    terminal.Output().show(found, lines, as_json=json)


def _setting(context: Context, words: Sequence[str], reading: object) -> Setting:
    """Parse a setting: game, rule, and a word for each parameter."""
    from msgspec.structs import replace

    from astragal.lab.rolls import Setting, field_at, find_roll, rolls_of, with_value
    from astragal.surfaces.cli import fields, rule_odds
    from astragal.table.fields import shapes

    if not words:
        raise errors.BadCall("Which game? For example: astragal lab explore six_pool check dc=15 bonus=0..10")
    game = context.game(words[0])
    if len(words) == 1:
        raise errors.BadCall(f"Which rule of {game.name}? There are {', '.join(rolls_of(game))}.")
    found = Setting(game, find_roll(game, words[1]), reading=reading)  # type: ignore[arg-type]
    values, axes = dict(found.values), {}
    for word in _joined(words[2:]):
        path, sign, text = word.partition("=")
        path = path.replace("-", "_")
        if not sign:
            raise errors.BadCall(f"A parameter is written NAME=VALUE, such as score=12, not {word!r}.")
        field = field_at(found.roll.parameters, path)
        varies = isinstance(field.shape, shapes.NumberShape | shapes.ChoiceShape | shapes.FlagShape)
        if varies and (rule_odds.RANGE.fullmatch(text) or text == "all" or "," in text):
            axes[path] = tuple(rule_odds.values_in(field, text))
        else:
            values = with_value(found.roll.parameters, values, path, fields.read_value(field.shape, text))
    return replace(found, given=values).over(axes)


def _joined(words: Sequence[str]) -> list[str]:
    """Rewrite `--score 12` as `score=12`."""
    joined: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        alone = word.startswith("--") and "=" not in word and rest
        joined.append(f"{word[2:]}={rest.pop(0)}" if alone else word.removeprefix("--"))
    return joined


# ---------------------------------------------------------------- fights


MOST_ROUNDS = 12
Fighter = Annotated[str, Parameter("NAME=NUMBER of the first fighter, such as stamina=5.", "NUMBER")]
Rules = Annotated[tuple[str, ...], Parameter("An option of the table, NAME=VALUE; can be repeated.", "--set")]
HowToPlay = Literal["best", "greedy", "decline"]


def duel(
    game: Game,
    *numbers: Fighter,
    against: Annotated[
        tuple[str, ...],
        Parameter("The other: 'NAME=NUMBER …', or a usual foe; repeated, a party; default: a middling foe."),
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
    foes = [fighter_from(book, split(text)) for text in against] or [duels.duel_of(book).usual_foe]
    plays = duels.Play(play), duels.Play(theirs or play)
    with terminal.watched("Fighting"):
        found = duels.duel(book, party, foes, play=plays, first=first, options=options_from(book, rules))
    for name, chart in found.charts.items() if svg else ():
        Path(f"{svg}-{name}.svg").write_text(drawings.svg(chart), encoding="utf-8")
    rounds = [f"{number} {share:.0%}" for number, share in enumerate(found.by_round[:MOST_ROUNDS], 1)]
    left = [
        f"  {who} has on average {', '.join(f'{one.mean:.1f} {one.name}' for one in remains)} left."
        for who, remains in (("The first, winning,", found.left_if_won), ("The other, winning,", found.left_if_lost))
    ]
    exactly = f"\n  Exactly: {found.fraction}" if found.fraction and len(found.fraction) < 60 else ""
    plan = ["", "Best play of the first:", *(f"  {line}" for line in found.policy)] if found.policy else []
    lines = [found.sentence + exactly, f"  It ends in round {', '.join(rounds)} …", *left, *plan, "", found.about]
    terminal.Output().show(found, lines, as_json=json)


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

    book = context.game(game)
    foes = {text: fighter_from(book, split(text)) for text in against} or None
    with terminal.watched("Solving"):
        found = lab.worth(
            book, fighter_from(book, numbers), foes, play=duels.Play(play), options=options_from(book, rules)
        )
    lines = [f"Wins {found.wins:.2%} against {', '.join(found.foes)}."]
    for title, knocks in (("number", found.numbers), ("rule of the table", found.rules), ("setting", found.skins)):
        if knocks:
            rows = [[one.name, one.before, one.after, f"{100 * one.changes:+.2f}"] for one in knocks]
            lines += ["", terminal.as_text([[title, "now", "changed to", "points"], *rows])]
    terminal.Output().show(found, lines, as_json=json)


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

    book = context.game(game)
    options = book.options() if budget is None else book.options(build_points=budget)
    with terminal.watched("Comparing builds") as tell, ProcessPoolExecutor(workers) as pool:
        found = lab.compare_builds(book, options=options, play=duels.Play(play), executor=pool, tell=tell)
    unbeaten = found.unbeaten
    beaten = found.builds - sum(one.count for one in unbeaten)
    told = (
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
    terminal.Output().show(
        found, [told, terminal.as_text([["for example", "builds", *found.foes], *rows])], as_json=json
    )


# ---------------------------------------------------------------- fighters


def fighter_from(game: Ruleset, words: Sequence[str]) -> Any:
    """Parse a fighter: the typed numbers, with defaults for the others; or the foe that the words name."""
    from astragal.lab.duels import duel_of
    from astragal.surfaces.cli import fields
    from astragal.table.fields import validation

    declared = duel_of(game)
    said = " ".join(words).casefold()
    known = {name.casefold(): foe for name, foe in declared.foes.items()}
    if said in known:
        return known[said]
    if words and not any(fields.FIELD.fullmatch(word) or word.startswith("-") for word in words):
        listed = ", ".join(declared.foes)
        raise errors.BadCall(f"There is no foe {said!r}; write NAME=NUMBER, or one of {listed}.")
    return validation.read(declared.fighter, fields.fields_from(declared.fighter, words))


def options_from(game: Ruleset, words: Sequence[str]) -> Any:
    """Parse a table's options from NAME=VALUE, with defaults for the others."""
    from astragal.surfaces.cli import fields
    from astragal.table.fields import validation

    return validation.read(game.options, fields.fields_from(game.options, words))


def split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as fault:
        raise errors.BadCall(f"{text[:40]!r} can't be read: {fault}.") from None
