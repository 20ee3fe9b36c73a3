"""Questions of designers about rules, answered exactly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.parser import FORMAT, AsJson, Parameter
from astragal.surfaces.cli.terminal import Paper, in_json, watched

if TYPE_CHECKING:
    from astragal.lab.rolls import Setting


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
    from shlex import split

    from astragal.lab.explore import Explorer
    from astragal.lab.rolls import Reading

    reading = Reading(of=of, policy=policy, goal=goal)
    settings = [_setting(context, words, reading)]
    if against is not None:
        settings.append(_setting(context, split(against), reading))
    with watched("Calculating"):
        found = Explorer().answer(settings)
    paper = Paper()
    if svg is not None:
        _write(svg, found.svg().encode())
    elif png is not None:
        _write(png, found.png())
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
    from astragal.lab.luck import told_in
    from astragal.table.registry import Book

    with file.open("rb") as opened:
        game, told, names = told_in(list(opened))
    with watched("Calculating"):
        found = luck_of(Book.of(context.game(game)), told, names)
    paper = Paper()
    if json:
        paper.write(in_json([one.plain for one in found]))
        return
    for one in found:
        paper.write(one.words, "bold")
        for faces in one.faces:
            paper.write(f"  {faces.words}.")
        for roll in one.rolls if rolls and one.seat else ():
            paper.write(f"  {roll.words}", "dim")
    if not found:
        paper.write("Nobody has rolled anything yet.")


def lint(
    game: Annotated[str, Parameter("The game, or a Python file with one.")], *, json: AsJson = False, context: Context
) -> None:
    """Look at a game's rules for what an author may have overlooked.

    astragal lab lint six_pool
    astragal lab lint examples/lanterns.py
    """
    from astragal.lab import linting

    book, paper = context.game(game), Paper()
    with watched("Looking at rules", len(book.rules)) as tell:
        found = linting.lint(book, tell)
    if json:
        paper.write(in_json(found))
        return
    for rule in dict.fromkeys(one.rule for one in found):
        paper.write(rule)
        for one in found:
            if one.rule == rule:
                paper.write(f"  {one.kind.value}: {one.words}")
    paper.write(f"{len(found)} findings in {len(book.rules)} rules of {book.name}. Not all of them are faults.")


def _setting(context: Context, words: Sequence[str], reading: object) -> Setting:
    """A setting as it is typed: game, rule, and a word for each parameter."""
    from dataclasses import replace

    from astragal.lab.rolls import Setting, field_at, find_roll, rolls_of, with_value
    from astragal.surfaces.cli.fields import read_value
    from astragal.surfaces.cli.rule_odds import RANGE, values_in
    from astragal.table.fields.shapes import ChoiceShape, FlagShape, NumberShape

    if not words:
        raise BadCall("Which game? For example: astragal lab explore six_pool check dc=15 bonus=0..10")
    game = context.game(words[0])
    if len(words) == 1:
        raise BadCall(f"Which rule of {game.name}? There are {', '.join(rolls_of(game))}.")
    found = Setting(game, find_roll(game, words[1]), reading=reading)  # type: ignore[arg-type]
    values, axes = dict(found.values), {}
    for word in _joined(words[2:]):
        path, sign, text = word.partition("=")
        path = path.replace("-", "_")
        if not sign:
            raise BadCall(f"A parameter is written NAME=VALUE, such as score=12, not {word!r}.")
        field = field_at(found.roll.parameters, path)
        varies = isinstance(field.shape, NumberShape | ChoiceShape | FlagShape)
        if varies and (RANGE.fullmatch(text) or text == "all" or "," in text):
            axes[path] = tuple(values_in(field, text))
        else:
            values = with_value(found.roll.parameters, values, path, read_value(field.shape, text))
    return replace(found, given=values).over(axes)


def _joined(words: Sequence[str]) -> list[str]:
    """`--score 12` as `score=12`."""
    joined: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        alone = word.startswith("--") and "=" not in word and rest
        joined.append(f"{word[2:]}={rest.pop(0)}" if alone else word.removeprefix("--"))
    return joined


def _write(file: str, content: bytes) -> None:
    with Path(file).open("xb") as out:
        out.write(content)
    Paper().write(f"{file} is drawn.")
