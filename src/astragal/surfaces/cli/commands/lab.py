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
    from astragal.lab.duels import DuelResult
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
        result = Explorer().answer(settings)
    paper = terminal.Output()
    if svg is not None:
        paper.draw_into(svg, result.svg().encode())
    elif png is not None:
        paper.draw_into(png, result.png())
    elif json:
        paper.write(result.json().rstrip("\n"))
    elif csv:
        paper.write(result.csv().rstrip("\n"))
    else:
        paper.write(result.title, "bold")
        paper.write()
        paper.write(result.text(paper.width))


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

    with file.open("rb") as export:
        game, events, names = read_export(list(export))
    with terminal.watched("Calculating"):
        people = luck_of(Book.of(context.game(game)), events, names)
    lines: list[terminal.Line] = []
    for person in people:
        lines.append((person.words, "bold"))
        lines += [f"  {faces.words}." for faces in person.faces]
        if rolls and person.seat:
            lines += [(f"  {roll.words}", "dim") for roll in person.rolls]
    plain = [person.plain for person in people]
    terminal.Output().show(plain, lines or ["Nobody has rolled anything yet."], as_json=json)


def lint(
    game: Annotated[str, Parameter("The game, or a Python file with one.")], *, json: AsJson = False, context: Context
) -> None:
    """Check a game for faulty declarations, and its rules for what an author may have overlooked.

    astragal lab lint six_pool
    astragal lab lint examples/lanterns.py
    """
    from astragal.lab import linting

    ruleset = context.game(game)
    with terminal.watched("Looking at rules", len(ruleset.rules)) as tell:
        findings = linting.lint(ruleset, tell)
    declared = [finding for finding in findings if finding.kind is linting.Kind.DECLARED]
    overlooked = [finding for finding in findings if finding.kind is not linting.Kind.DECLARED]
    lines: list[str] = []
    for finding in declared:
        lines.append(": ".join(part for part in (finding.about, finding.words) if part))
    for rule in dict.fromkeys(finding.rule for finding in overlooked):
        lines.append(rule)
        lines += [f"  {finding.kind.value}: {finding.words}" for finding in overlooked if finding.rule == rule]
    rules = f"{len(overlooked)} findings in {len(ruleset.rules)} rules of {ruleset.name}. Not all of them are faults."
    lines.append(f"{len(declared)} faults in what is declared; {rules}" if declared else rules)
    terminal.Output().show(findings, lines, as_json=json)


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
    setting = Setting(game, find_roll(game, words[1]), reading=reading)  # type: ignore[arg-type]
    parameters = setting.roll.parameters
    values = dict(setting.values)
    values_by_axis: dict[str, tuple[Any, ...]] = {}
    for word in _joined(words[2:]):
        name, sign, text = word.partition("=")
        path = name.replace("-", "_")
        if not sign:
            raise errors.BadCall(f"A parameter is written NAME=VALUE, such as score=12, not {word!r}.")
        field = field_at(parameters, path)
        can_vary = isinstance(field.shape, shapes.NumberShape | shapes.ChoiceShape | shapes.FlagShape)
        if can_vary and (rule_odds.RANGE.fullmatch(text) or text == "all" or "," in text):
            values_by_axis[path] = tuple(rule_odds.values_in(field, text))
        else:
            values = with_value(parameters, values, path, fields.read_value(field.shape, text))
    return replace(setting, given=values).over(values_by_axis)


def _joined(words: Sequence[str]) -> list[str]:
    """Rewrite `--score 12` as `score=12`."""
    pairs: list[str] = []
    unread = list(words)
    while unread:
        word = unread.pop(0)
        if word.startswith("--") and "=" not in word and unread:
            pairs.append(f"{word[2:]}={unread.pop(0)}")
        else:
            pairs.append(word.removeprefix("--"))
    return pairs


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

    ruleset = context.game(game)
    party = [fighter_from(ruleset, words) for words in (numbers, *map(split, beside))]
    foes = [fighter_from(ruleset, split(text)) for text in against] or [duels.duel_of(ruleset).usual_foe]
    plays = (duels.Play(play), duels.Play(theirs or play))
    with terminal.watched("Fighting"):
        result = duels.duel(ruleset, party, foes, play=plays, first=first, options=options_from(ruleset, rules))
    if svg:
        for name, chart in result.charts.items():
            Path(f"{svg}-{name}.svg").write_text(drawings.svg(chart), encoding="utf-8")
    terminal.Output().show(result, _duel_lines(result), as_json=json)


def _duel_lines(result: DuelResult) -> list[str]:
    """Describe a fight: who wins, in which round, what is left, and the best play."""
    lines = [result.sentence]
    if result.fraction and len(result.fraction) < 60:
        lines.append(f"  Exactly: {result.fraction}")
    rounds = [f"{number} {share:.0%}" for number, share in enumerate(result.by_round[:MOST_ROUNDS], 1)]
    lines.append(f"  It ends in round {', '.join(rounds)} …")
    winners = (("The first, winning,", result.left_if_won), ("The other, winning,", result.left_if_lost))
    for who, remains in winners:
        numbers = ", ".join(f"{remaining.mean:.1f} {remaining.name}" for remaining in remains)
        lines.append(f"  {who} has on average {numbers} left.")
    if result.policy:
        lines += ["", "Best play of the first:", *(f"  {line}" for line in result.policy)]
    return [*lines, "", result.about]


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

    ruleset = context.game(game)
    fighter = fighter_from(ruleset, numbers)
    foes = {text: fighter_from(ruleset, split(text)) for text in against} or None
    options = options_from(ruleset, rules)
    with terminal.watched("Solving"):
        result = lab.worth(ruleset, fighter, foes, play=duels.Play(play), options=options)
    lines = [f"Wins {result.wins:.2%} against {', '.join(result.foes)}."]
    changes = (("number", result.numbers), ("rule of the table", result.rules), ("setting", result.skins))
    for title, knocks in changes:
        if knocks:
            table = [[title, "now", "changed to", "points"]]
            table += [[knock.name, knock.before, knock.after, f"{100 * knock.changes:+.2f}"] for knock in knocks]
            lines += ["", terminal.as_text(table)]
    terminal.Output().show(result, lines, as_json=json)


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

    ruleset = context.game(game)
    options = ruleset.options() if budget is None else ruleset.options(build_points=budget)
    with terminal.watched("Comparing builds") as tell, ProcessPoolExecutor(workers) as pool:
        result = lab.compare_builds(ruleset, options=options, play=duels.Play(play), executor=pool, tell=tell)
    unbeaten = result.unbeaten
    beaten = result.builds - sum(build.count for build in unbeaten)
    text = (
        f"{result.wasteful:,} of {result.builds:,} legal builds leave points that would raise a number: another is at "
        "least as good at everything.\n"
        f"In a fight the legal builds are {len(result.classes)} kinds of fighter. {beaten:,} are beaten by "
        f"another against every usual foe; unbeaten: {len(unbeaten)}:\n"
    )
    table = [["for example", "builds", *result.foes]]
    for build in unbeaten[:most]:
        numbers = ", ".join(f"{name} {number}" for name, number in build.build.items())
        table.append([numbers, f"{build.count:,}", *(f"{win:.1%}" for win in build.wins)])
    terminal.Output().show(result, [text, terminal.as_text(table)], as_json=json)


# ---------------------------------------------------------------- fighters


def fighter_from(game: Ruleset, words: Sequence[str]) -> Any:
    """Parse a fighter: the typed numbers, with defaults for the others; or the foe that the words name."""
    from astragal.lab.duels import duel_of
    from astragal.surfaces.cli import fields
    from astragal.table.fields import validation

    declared = duel_of(game)
    text = " ".join(words).casefold()
    foe_by_name = {name.casefold(): foe for name, foe in declared.foes.items()}
    if text in foe_by_name:
        return foe_by_name[text]
    if words and not any(fields.FIELD.fullmatch(word) or word.startswith("-") for word in words):
        listed = ", ".join(declared.foes)
        raise errors.BadCall(f"There is no foe {text!r}; write NAME=NUMBER, or one of {listed}.")
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
