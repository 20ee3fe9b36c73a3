"""Make a hero step by step, and advance one, by the game's own commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.errors import BadCall, Declined
from astragal.surfaces.cli.heroes.workshop import Paperwork, Step, heroes_of, reasons_against, tried_out
from astragal.surfaces.cli.input.fields import field_named, fields_from
from astragal.surfaces.cli.input.values import value_of
from astragal.surfaces.cli.output.command_help import command_help
from astragal.surfaces.cli.output.rows import in_two_columns
from astragal.surfaces.cli.output.terminal import Paper
from astragal.surfaces.shared.words import first_sentence, kind_words, limits, value_words
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.lookup import spoken
from astragal.table.fields.validation import read
from astragal.table.refusals import Refusal
from astragal.table.registry import Book

if TYPE_CHECKING:
    from astragal.surfaces.cli.context import Context
    from astragal.table.authoring.ruleset import Ruleset


def explain(game: Ruleset, kind: type) -> None:
    paper = Paper()
    usage = f"astragal hero new {game.id} --field value …"
    for line in command_help(usage, kind.__doc__ or "", fields_of(kind), paper.width):
        paper.write(line)


def ask_for_hero(context: Context, blank: Paperwork, kind: type) -> Paperwork:
    """Ask for each field, show the points spent after each, and ask again for what is not legal."""
    paper, sheet = Paper(), blank
    paper.write("Enter leaves a field as it is; several values are KEY=VALUE,KEY=VALUE.")
    for field in fields_of(kind):
        if field.names == "seat":
            continue
        sheet = _asked(paper, context, sheet, field)
    while reasons := reasons_against(context, sheet):
        for reason in reasons:
            paper.write(f"  {reason}", "red")
        sheet = _mended(paper, context, sheet, kind)
    return sheet


def _asked(paper: Paper, context: Context, sheet: Paperwork, field: Field) -> Paperwork:
    doc = "; ".join(part for part in (field.doc, limits(field)) if part)
    now = sheet.hero.get(field.name, field.default)
    shown = f" [{value_words(now)}]" if now not in (None, "", (), {}) else ""
    said = _line(f"{field.name.replace('_', ' ')} ({kind_words(field.shape, field.names)}) {doc}{shown}: ")
    if not said:
        return sheet
    told = replace(sheet, hero={**sheet.hero, field.name: value_of(field, [said])})
    game = context.game(sheet.game)
    for line in heroes_of(game).accounts(told.hero, read(game.options, sheet.options)):
        paper.write(f"  {line}", "dim")
    return told


def _mended(paper: Paper, context: Context, sheet: Paperwork, kind: type) -> Paperwork:
    game = context.game(sheet.game)
    repairs = heroes_of(game).repairs(sheet.hero, read(game.options, sheet.options))
    for number, repair in enumerate(repairs, 1):
        paper.write(f"  {number}: {repair.words}")
    said = _line("Which repair, or which field to change? ")
    if said.isdigit() and 1 <= int(said) <= len(repairs):
        return replace(sheet, hero=dict(repairs[int(said) - 1].hero))
    try:
        return _asked(paper, context, sheet, field_named({one.name: one for one in fields_of(kind)}, said or "name"))
    except BadCall as bad:
        paper.write(f"  {bad}", "red")
        return sheet


def _line(question: str) -> str:
    try:
        return input(question).strip()
    except EOFError:
        raise Declined("No hero was made: the input ended.") from None


# ---------------------------------------------------------------- growing


def list_ways_to_grow(context: Context, sheet: Paperwork, named: Sequence[str], *, as_json: bool) -> None:
    game, paper = context.game(sheet.game), Paper()
    book = Book.of(game)
    if named:
        kind = _way(context, sheet, named[0])
        usage = f"astragal hero advance FILE {named[0]} --field value …"
        for line in command_help(usage, kind.__doc__ or "", fields_of(kind), paper.width):
            paper.write(line)
        return
    ways = {name: first_sentence(book.command(name)) for name in heroes_of(game).advance}
    said = f"{sheet.name} can advance by:" if ways else f"{game.name} has no commands to advance a hero on paper."
    paper.report("\n".join([said, *in_two_columns(ways, paper.width)]), as_json=as_json, commands=ways)


def advanced(context: Context, sheet: Paperwork, command: str, words: Sequence[str]) -> Paperwork:
    """The hero after one more command, if the game accepts it."""
    kind = _way(context, sheet, command)
    fields: dict[str, Any] = fields_from(kind, words)
    who = next((field for field in fields_of(kind) if field.names == "character" and field.required), None)
    if who is not None:
        fields.setdefault(who.name, sheet.name)
    from astragal.table.authoring.declarations import kind_of_command

    grown = sheet.grown(Step(kind_of_command(kind).name, fields))
    try:
        with tried_out(context, grown):
            return grown
    except Refusal as refusal:
        raise Declined(refusal.sentence) from refusal


def _way(context: Context, sheet: Paperwork, command: str) -> type:
    game = context.game(sheet.game)
    ways = {spoken(name): name for name in heroes_of(game).advance}
    if spoken(command) not in ways:
        raise BadCall(
            f"{game.name} has no command {command!r} to advance by; there are {', '.join(ways.values()) or 'none'}."
        )
    return Book.of(game).command(ways[spoken(command)])
