"""Heroes on paper: made step by step, tried out at a table by the same rules as any other, shown, printed."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.surfaces.cli.commands.skin import read_text
from astragal.surfaces.cli.errors import BadCall, Declined
from astragal.surfaces.cli.fields import command_help, field_named, fields_from, value_of
from astragal.surfaces.cli.terminal import Paper, in_two_columns
from astragal.surfaces.shared.words import first_sentence, kind_words, limits, value_words
from astragal.table.declarations import convert
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.lookup import spoken
from astragal.table.fields.validation import read, read_json
from astragal.table.refusals import NotAllowed, Refusal
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.cli.context import Context
    from astragal.surfaces.cli.seats import Place
    from astragal.table.authoring.ruleset import HeroBook, Ruleset
    from astragal.table.state.table import Character


@frozen
class Step:
    """A command that was given since a hero was made."""

    command: str
    fields: Mapping[str, Any]


@frozen(kw_only=True)
class Paperwork:
    """A hero on paper: of which game, made how, and grown by which commands since. As its file has it."""

    game: str
    skin: str = ""
    terms: Mapping[str, str] = dataclasses.field(default_factory=dict)
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    hero: Mapping[str, Any]
    since: tuple[Step, ...] = ()

    @property
    def name(self) -> str:
        return str(self.hero.get("name", "a hero"))

    def grown(self, step: Step) -> Paperwork:
        return replace(self, since=(*self.since, step))

    def written(self) -> str:
        said = {key: value for key, value in msgspec.to_builtins(self).items() if value}
        return json.dumps({"astragal": "hero", **said}, ensure_ascii=False, indent=2) + "\n"


def read_paper(file: Path) -> Paperwork:
    """A hero's file, or why it is none."""
    try:
        found: Paperwork = convert(read_json(read_text(file)), Paperwork)
    except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
        raise BadCall(f"{file} is no hero's file: it is JSON with a game and a hero, as hero new writes it.") from fault
    return found


def heroes_of(game: Ruleset) -> HeroBook:
    if game.heroes is None:
        raise Declined(
            f"{game.name} does not say how its heroes are made outside of a table; make one with astragal do."
        )
    return game.heroes


@contextmanager
def tried_out(context: Context, paper: Paperwork) -> Iterator[Place]:
    """A table with this hero at it. Raises the game's own refusal where the hero is not legal."""
    from astragal.surfaces.cli.seats import Place
    from astragal.surfaces.shared.context import AppContext
    from astragal.table.starter import start_table

    game = context.game(paper.game)
    store = context.store("memory:")
    try:
        host = context.host(store, (game,))
        opened = start_table(
            host,
            game,
            name="Workshop",
            game_master="Workshop",
            players=["Player"],
            options=paper.options,
            skin=paper.skin,
            terms=paper.terms,
        )
        place = Place(AppContext(host, store), opened.table, opened.players[0])
        place.act(heroes_of(game).make, paper.hero)
        master = replace(place, seat=opened.seat)
        for step in paper.since:
            give(place, master, step)
        yield place
    finally:
        store.close()


def give(player: Place, master: Place, step: Step) -> None:
    """The player's command, or the game master's where it is theirs alone. Chance has no place on paper."""
    fields = {**step.fields}
    try:
        outcome = player.act(step.command, fields)
    except NotAllowed:
        outcome = master.act(step.command, fields)
    if any(event.name == "rolled" for event in outcome.events):
        raise Declined(f"{step.command} is rolled for: that happens at a table, not on paper.")


def reasons_against(context: Context, paper: Paperwork) -> list[str]:
    """Everything that keeps the hero from being played; nothing for one that is legal."""
    try:
        with tried_out(context, paper):
            return []
    except Refusal as refusal:
        return list(refusal.problems)


# ---------------------------------------------------------------- made step by step


def explain(game: Ruleset, kind: type) -> None:
    paper = Paper()
    usage = f"astragal hero new {game.id} --field value …"
    paper.write_lines(command_help(usage, kind.__doc__ or "", fields_of(kind), paper.width))


def ask_for_hero(context: Context, blank: Paperwork, kind: type) -> Paperwork:
    """Ask for each field, show the points spent after each, and ask again for what is not legal."""
    paper, sheet = Paper(), blank
    paper.write("Enter leaves a field as it is; several values are KEY=VALUE,KEY=VALUE.")
    for field in fields_of(kind):
        if field.names == "seat":
            continue
        sheet = _asked(paper, context, sheet, field)
    game = context.game(blank.game)
    while reasons := reasons_against(context, sheet):
        for reason in reasons:
            paper.write(f"  {reason}", "red")
        repairs = heroes_of(game).repairs(sheet.hero, read(game.options, sheet.options))
        for number, repair in enumerate(repairs, 1):
            paper.write(f"  {number}: {repair.words}")
        said = _line("Which repair, or which field to change? ")
        if said.isdigit() and 1 <= int(said) <= len(repairs):
            sheet = replace(sheet, hero=dict(repairs[int(said) - 1].hero))
            continue
        try:
            wrong = field_named({one.name: one for one in fields_of(kind)}, said or "name")
        except BadCall as bad:
            paper.write(f"  {bad}", "red")
        else:
            sheet = _asked(paper, context, sheet, wrong)
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


def _line(question: str) -> str:
    try:
        return input(question).strip()
    except EOFError:
        raise Declined("No hero was made: the input ended.") from None


# ---------------------------------------------------------------- growing


def list_ways_to_grow(context: Context, sheet: Paperwork, named: Sequence[str], *, as_json: bool) -> None:
    from astragal.table.registry import Book

    game, paper = context.game(sheet.game), Paper()
    book = Book.of(game)
    if named:
        kind = _way(context, sheet, named[0])
        usage = f"astragal hero advance FILE {named[0]} --field value …"
        paper.write_lines(command_help(usage, kind.__doc__ or "", fields_of(kind), paper.width))
        return
    ways = {name: first_sentence(book.command(name)) for name in heroes_of(game).advance}
    said = f"{sheet.name} can advance by:" if ways else f"{game.name} has no commands to advance a hero on paper."
    paper.report("\n".join([said, *in_two_columns(ways, paper.width)]), as_json=as_json, commands=ways)


def advanced(context: Context, sheet: Paperwork, command: str, words: Sequence[str]) -> Paperwork:
    """The hero after one more command, if the game accepts it."""
    from astragal.table.declarations import kind_of_command

    kind = _way(context, sheet, command)
    fields: dict[str, Any] = fields_from(kind, words)
    who = next((field for field in fields_of(kind) if field.names == "character" and field.required), None)
    if who is not None:
        fields.setdefault(who.name, sheet.name)
    grown = sheet.grown(Step(kind_of_command(kind).name, fields))
    try:
        with tried_out(context, grown):
            return grown
    except Refusal as refusal:
        raise Declined(refusal.sentence) from refusal


def _way(context: Context, sheet: Paperwork, command: str) -> type:
    from astragal.table.registry import Book

    game = context.game(sheet.game)
    ways = {spoken(name): name for name in heroes_of(game).advance}
    if spoken(command) not in ways:
        raise BadCall(
            f"{game.name} has no command {command!r} to advance by; there are {', '.join(ways.values()) or 'none'}."
        )
    return Book.of(game).command(ways[spoken(command)])


# ---------------------------------------------------------------- shown


STYLE = (
    "body{font:12pt/1.45 Georgia,serif;max-width:40em;margin:2em auto;padding:0 1em;color:#111;background:#fff}"
    "h1{margin:0}p.game{margin:.2em 0 1.2em;color:#555}ul{list-style:none;padding:0}"
    "li{border-bottom:1px solid #ccc;padding:.35em 0}@page{margin:18mm}"
)


def write_sheet(paper: Paper, place: Place, character: Character[Any]) -> None:
    from astragal.surfaces.shared.sheets import sheet_lines

    paper.write(f"{character.name} ({place.ruleset.name})", "bold")
    for line in sheet_lines(place.view, character, paper.width - 2):
        paper.write(f"  {line}")


def as_markdown(place: Place, character: Character[Any]) -> str:
    front = {"name": character.name, "game": place.ruleset.id, "skin": place.look().skin}
    head = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items() if value]
    lines = [f"- {_escaped(' '.join(line.split()))}" for line in _whole(place, character)]
    return "\n".join(["---", *head, "---", "", f"# {_escaped(character.name)}", "", *lines, ""])


def as_html(place: Place, character: Character[Any]) -> str:
    """One file, nothing fetched: it prints as it is."""
    from html import escape

    lines = "\n".join(f"<li>{escape(line)}</li>" for line in _whole(place, character))
    name = escape(character.name)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f'<body><h1>{name}</h1><p class="game">{escape(place.ruleset.name)}</p>\n<ul>\n{lines}\n</ul></body></html>\n'
    )


def _whole(place: Place, character: Character[Any]) -> Iterable[str]:
    """Scores stand side by side for a terminal, and under each other on paper."""
    from astragal.surfaces.shared.sheets import GAP, sheet_lines

    for line in sheet_lines(place.view, character):
        yield from (part.strip() for part in line.split(GAP) if part.strip())


def _escaped(words: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|~!" else sign for sign in words)
