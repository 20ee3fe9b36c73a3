"""Heroes on paper: make, check, show and advance them.

A hero is made step by step, and tried out at a temporary table by the same rules as any other.
"""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.commands.skin import read_text, worn
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.fields import command_help, field_named, fields_from, value_of
from astragal.surfaces.cli.parser import FORMAT, HELP, AsJson, AsSeat, Game, Parameter, Tables
from astragal.surfaces.shared.words import first_sentence, kind_words, limits, value_words
from astragal.table import refusals
from astragal.table.declarations import convert, kind_of_command
from astragal.table.fields import definitions, lookup, validation

if TYPE_CHECKING:
    from astragal.surfaces.cli.seats import SeatClient
    from astragal.table.authoring.ruleset import HeroBook
    from astragal.table.state.table import Character

Out = Annotated[Path | None, Parameter("The file to write; default: standard output.")]
Options = Annotated[tuple[str, ...], Parameter("KEY=VALUE, an option of the table.", "--option")]
HeroJson = Annotated[bool, Parameter("Print JSON, about what was written to --out as well.")]
SkinName = Annotated[str | None, Parameter("A skin of the game, by its id, or a skin's file.")]


def new(
    game: Game,
    *words: Annotated[str, Parameter("The hero's fields: --name Kira.", "FIELDS", fields=True)],
    out: Out = None,
    options: Options = (),
    skin: SkinName = None,
    json: HeroJson = False,
    context: Context,
) -> None:
    """Make a hero: step by step, or from the fields that are given.

    astragal hero new sinew_steel --out kira.json
    astragal hero new sinew_steel --name Kira --scores REF=12 --out kira.json
    astragal hero new sinew_steel --help
    """
    workshop = Workshop.blank(context, game, options, skin)
    kind = workshop.command(workshop.heroes.make)
    if HELP & set(words):
        explain(f"astragal hero new {workshop.game.id} --field value …", kind)
        return
    if not words and sys.stdin.isatty():
        workshop = ask_for_hero(workshop, kind)
    else:
        workshop = workshop.with_hero(fields_from(kind, words))
    workshop.finish(out, as_json=json)


def random(
    game: Game,
    *,
    name: Annotated[str | None, Parameter("The hero's name.")] = None,
    wish: Annotated[tuple[str, ...], Parameter("KEY=VALUE, what the hero should be like; can be repeated.")] = (),
    seed: Annotated[str | None, Parameter("The same seed gives the same hero.")] = None,
    out: Out = None,
    options: Options = (),
    skin: SkinName = None,
    json: HeroJson = False,
    context: Context,
) -> None:
    """Make a random legal hero; or, if the game makes none, pick one of its samples."""
    from astragal.chance import SeededDice, SystemDice

    workshop = Workshop.blank(context, game, options, skin)
    heroes = workshop.heroes
    chosen = workshop.options
    dice = SystemDice() if seed is None else SeededDice(seed)
    wishes = _wishes(heroes, wish)
    if heroes.random is not None:
        hero = dict(heroes.random(lambda most: dice.face(most) - 1, wishes, chosen))
    else:
        samples = list(heroes.samples(chosen).values())
        if not samples:
            raise errors.Declined(f"{workshop.game.name} has neither random heroes nor samples.")
        hero = dict(samples[dice.face(len(samples)) - 1])
    if name:
        hero["name"] = name
    if name or options or skin:
        workshop.with_hero(hero).finish(out, as_json=json)
    else:
        workshop.with_hero(hero).write_down(out, as_json=json)  # the game's own heroes are legal


def _wishes(heroes: HeroBook, texts: Sequence[str]) -> dict[str, str]:
    """Parse wishes for a random hero, KEY=VALUE each."""
    wishes: dict[str, str] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or key not in heroes.wishes:
            listed = "; ".join(f"{name}: {words}" for name, words in heroes.wishes.items()) or "none"
            raise errors.BadCall(f"This game knows no wish {text!r}. Wishes are {listed}.")
        wishes[key] = value
    return wishes


def check(
    file: Annotated[Path, Parameter("A hero's file, as hero new writes it.")],
    *,
    repair: Annotated[int | None, Parameter("Write the hero with this repair to --out.")] = None,
    out: Out = None,
    json: AsJson = False,
    context: Context,
) -> int:
    """Check a hero: everything that is not legal, and repairs; or a hero of the same budget who beats it everywhere.

    Exit code 1 if something is not legal.
    """
    workshop = Workshop(context, read_paper(file))
    heroes = workshop.heroes
    hero = workshop.sheet.hero
    name = workshop.sheet.name
    reasons = workshop.reasons()
    options = workshop.options
    better = None if reasons else heroes.better(hero, options)
    if reasons:
        repairs = list(heroes.repairs(hero, options))
    else:
        repairs = [better] if better else []
    if repair is not None:
        if not 1 <= repair <= len(repairs):
            raise errors.BadCall(f"There is no repair {repair}; there are {len(repairs)}.")
        workshop.with_hero(repairs[repair - 1].hero).finish(out, as_json=json)
        return errors.Exit.DONE
    lines: list[terminal.Line] = []
    for account in heroes.accounts(hero, options):
        if account.rstrip(".") not in reasons:
            lines.append((account, "dim"))
    if reasons:
        lines.append(f"{name} can't be played yet:")
    elif better:
        hint = "Another of the same budget is at least as good at everything, and better at some of it:"
        lines.append(f"{name} is ready to play. {hint}")
    else:
        lines.append(f"{name} is ready to play.")
    for reason in reasons:
        if not any(reason.endswith(choice.words) for choice in repairs):
            lines.append(f"  {reason}")
    change = "change" if better else "repair"
    lines += [f"  {change} {number}: {choice.words}" for number, choice in enumerate(repairs, 1)]
    if repairs:
        lines.append(f"astragal hero check {file} --repair 1 --out FILE writes that hero.")
    plain_repairs = [{"words": choice.words, "hero": choice.hero} for choice in repairs]
    plain = {"hero": name, "legal": not reasons, "reasons": reasons, "repairs": plain_repairs}
    terminal.Output().show(plain, lines, as_json=json)
    return errors.Exit.REFUSED if reasons else errors.Exit.DONE


def show(
    hero: Annotated[str, Parameter("A hero's file; with --table, a name from that table.")],
    *,
    table: Annotated[str | None, Parameter("Show a character of this table.")] = None,
    seat: AsSeat = None,
    json: Annotated[bool, Parameter("As JSON.", one_of=FORMAT)] = False,
    markdown: Annotated[bool, Parameter("As Markdown, with front matter.", one_of=FORMAT)] = False,
    html: Annotated[bool, Parameter("As a page to print.", one_of=FORMAT)] = False,
    pdf: Annotated[bool, Parameter("As a PDF in the game's own layout; needs --out.", one_of=FORMAT)] = False,
    out: Out = None,
    context: Tables,
) -> None:
    """Show a hero's sheet: for the terminal, as JSON, as Markdown, or to print.

    astragal hero show kira.json
    astragal hero show kira.json --pdf --out kira.pdf
    astragal hero show Kira --table Gorge --pdf --out kira.pdf
    """
    from astragal.surfaces.cli.seats import open_seat
    from astragal.table.visibility.redact import plain

    if table is None:
        seat_of_hero = Workshop(context, read_paper(Path(hero))).tried_out()
    else:
        seat_of_hero = open_seat(context, table, seat)
    with seat_of_hero as place:
        characters = list(place.view.state.characters.values())
        matches = characters
        if table is not None:
            matches = [
                member for member in characters if member.id == hero or member.name.casefold() == hero.casefold()
            ]
        if not matches:
            names = ", ".join(member.name for member in characters)
            raise errors.BadCall(f"Nobody here is called {hero!r}; there are {names}.")
        character = matches[0]
        if not (json or markdown or html or pdf):
            if out is not None:
                raise errors.BadCall("Which format for the file? --json, --markdown, --html or --pdf.")
            write_sheet(place, character)
            return
        if pdf:
            from astragal.surfaces.shared.printing import sheet_pdf

            if out is None:
                raise errors.BadCall("Which file for the PDF? Add --out FILE.")
            page = sheet_pdf(place.view, character)
        elif json:
            page = f"{terminal.in_json(plain(character))}\n".encode()
        elif markdown:
            page = as_markdown(place, character).encode()
        else:
            page = as_html(place, character).encode()
    if out is None:
        sys.stdout.write(terminal.harmless(page.decode()))
    else:
        out.write_bytes(page)
        terminal.Output().write(f"{character.name} is written to {out}.")


def advance(
    file: Annotated[Path, Parameter("The hero's file.")],
    *words: Annotated[str, Parameter("A command and its fields.", "COMMAND FIELDS", fields=True)],
    out: Out = None,
    json: HeroJson = False,
    context: Context,
) -> None:
    """Advance a hero by the game's own commands; the file remembers each.

    astragal hero advance kira.json                     by which commands
    astragal hero advance kira.json advance --help      what a command needs
    astragal hero advance kira.json advance --rises MGT=1 --out kira.json
    """
    workshop = Workshop(context, read_paper(file))
    game = workshop.game
    command_words = [word for word in words if word not in HELP]
    if not command_words:
        _list_ways(workshop, as_json=json)
        return
    name_by_words = {lookup.normalised(name): name for name in workshop.heroes.advance}
    command = name_by_words.get(lookup.normalised(command_words[0]))
    if command is None:
        listed = ", ".join(name_by_words.values()) or "none"
        raise errors.BadCall(f"{game.name} has no command {command_words[0]!r} to advance by; there are {listed}.")
    kind = workshop.command(command)
    if HELP & set(words):
        explain(f"astragal hero advance FILE {command_words[0]} --field value …", kind)
        return
    fields = fields_from(kind, words[1:])
    people = [field for field in definitions.fields_of(kind) if field.names == "character" and field.required]
    if people:
        fields.setdefault(people[0].name, workshop.sheet.name)
    step = Step(kind_of_command(kind).name, fields)
    grown = workshop.with_sheet(replace(workshop.sheet, since=(*workshop.sheet.since, step)))
    try:
        with grown.tried_out():
            grown.write_down(out, as_json=json, replace_file=True)
    except refusals.Refusal as refusal:
        raise errors.Declined(refusal.sentence) from refusal


def _list_ways(workshop: Workshop, *, as_json: bool) -> None:
    """List the commands by which a hero can advance."""
    sentence_by_command = {name: first_sentence(workshop.command(name)) for name in workshop.heroes.advance}
    heading = f"{workshop.game.name} has no commands to advance a hero on paper."
    if sentence_by_command:
        heading = f"{workshop.sheet.name} can advance by:"
    paper = terminal.Output()
    listed = "\n".join([heading, *terminal.in_two_columns(sentence_by_command, paper.width)])
    paper.report(listed, as_json=as_json, commands=sentence_by_command)


# ---------------------------------------------------------------- on paper


class Step(Struct, frozen=True):
    """A command that was given since a hero was made."""

    command: str
    fields: Mapping[str, Any]


class Paperwork(Struct, frozen=True, kw_only=True):
    """Contents of a hero's file: the game, how the hero was made, and the commands that have advanced it since."""

    game: str
    skin: str = ""
    terms: Mapping[str, str] = msgspec.field(default_factory=dict)
    options: Mapping[str, Any] = msgspec.field(default_factory=dict)
    hero: Mapping[str, Any]
    since: tuple[Step, ...] = ()

    @property
    def name(self) -> str:
        return str(self.hero.get("name", "a hero"))

    def written(self) -> str:
        contents = {key: value for key, value in msgspec.to_builtins(self).items() if value}
        return json_module.dumps({"astragal": "hero", **contents}, ensure_ascii=False, indent=2) + "\n"


def read_paper(file: Path) -> Paperwork:
    """Read a hero's file. Raises `BadCall` if it isn't one."""
    try:
        paperwork: Paperwork = convert(validation.read_json(read_text(file)), Paperwork)
    except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
        raise errors.BadCall(
            f"{file} is no hero's file: it is JSON with a game and a hero, as hero new writes it."
        ) from fault
    return paperwork


class Workshop:
    """A hero on paper, and the game that it is made for."""

    def __init__(self, context: Context, sheet: Paperwork) -> None:
        self.context = context
        self.sheet = sheet
        self.game = context.game(sheet.game)

    @classmethod
    def blank(cls, context: Context, game: str, options: Sequence[str], skin: str | None) -> Workshop:
        ruleset = context.game(game)
        name, wears = worn(ruleset, skin)
        chosen = {**wears.options, **fields_from(ruleset.options, options)}
        return cls(context, Paperwork(game=ruleset.id, hero={}, options=chosen, skin=name, terms=wears.terms))

    def with_sheet(self, sheet: Paperwork) -> Workshop:
        return Workshop(self.context, sheet)

    def with_hero(self, hero: Mapping[str, Any]) -> Workshop:
        return self.with_sheet(replace(self.sheet, hero=dict(hero)))

    @property
    def heroes(self) -> HeroBook:
        """The game's hero book. Raises `Declined` if it has none."""
        if self.game.heroes is None:
            raise errors.Declined(
                f"{self.game.name} does not say how its heroes are made outside of a table; make one with astragal do."
            )
        return self.game.heroes

    @property
    def options(self) -> Any:
        """The options of the table that the hero is made for."""
        return validation.read(self.game.options, self.sheet.options)

    def command(self, name: str) -> type:
        from astragal.table import registry

        return registry.Book.of(self.game).command(name)

    @contextmanager
    def tried_out(self) -> Iterator[SeatClient]:
        """Open a temporary table with this hero. Raises the game's own refusal if the hero is not legal."""
        from astragal.surfaces.cli.seats import SeatClient
        from astragal.surfaces.shared.context import AppContext
        from astragal.table import starter

        with closing(self.context.store("memory:")) as store:
            host = self.context.host(store, (self.game,))
            sheet = self.sheet
            opened = starter.start_table(
                host,
                self.game,
                name="Workshop",
                game_master="Workshop",
                players=["Player"],
                options=sheet.options,
                skin=sheet.skin,
                terms=sheet.terms,
            )
            player = SeatClient(AppContext(host, store), opened.table, opened.players[0])
            player.act(self.heroes.make, sheet.hero)
            master = replace(player, seat=opened.seat)
            for step in sheet.since:  # given by the player, or else by the game master
                try:
                    outcome = player.act(step.command, {**step.fields})
                except refusals.NotAllowed:
                    outcome = master.act(step.command, {**step.fields})
                if any(event.name == "rolled" for event in outcome.events):
                    raise errors.Declined(f"{step.command} is rolled for: that happens at a table, not on paper.")
            yield player

    def reasons(self) -> list[str]:
        """List everything that keeps the hero from being played. It is empty if the hero is legal."""
        try:
            with self.tried_out():
                return []
        except refusals.Refusal as refusal:
            return list(refusal.problems)

    def finish(self, out: Path | None, *, as_json: bool) -> None:
        """Write the hero if it is legal, and refuse with the reasons if it is not."""
        if reasons := self.reasons():
            raise errors.Declined("\n  ".join([f"{self.sheet.name} can't be played yet:", *reasons]))
        self.write_down(out, as_json=as_json)

    def write_down(self, out: Path | None, *, as_json: bool, replace_file: bool = False) -> None:
        if out is None:
            sys.stdout.write(terminal.harmless(self.sheet.written()))
            return
        with out.open("w" if replace_file else "x", encoding="utf-8") as file:
            file.write(self.sheet.written())
        name = self.sheet.name
        terminal.Output().report(f"{name} is written to {out}.", as_json=as_json, hero=name, file=str(out))


# ---------------------------------------------------------------- made step by step


def explain(usage: str, kind: type) -> None:
    paper = terminal.Output()
    paper.write_lines(command_help(usage, kind.__doc__ or "", definitions.fields_of(kind), paper.width))


def ask_for_hero(workshop: Workshop, kind: type) -> Workshop:
    """Ask for each field, show the points spent after each, and ask again for what is not legal."""
    paper = terminal.Output()
    field_by_name = {field.name: field for field in definitions.fields_of(kind)}
    paper.write("Enter leaves a field as it is; several values are KEY=VALUE,KEY=VALUE.")
    for field in field_by_name.values():
        if field.names != "seat":
            workshop = _asked(paper, workshop, field)
    while reasons := workshop.reasons():
        paper.write_lines((f"  {reason}", "red") for reason in reasons)
        repairs = workshop.heroes.repairs(workshop.sheet.hero, workshop.options)
        paper.write_lines(f"  {number}: {repair.words}" for number, repair in enumerate(repairs, 1))
        reply = _line("Which repair, or which field to change? ")
        if reply.isdigit() and 1 <= int(reply) <= len(repairs):
            workshop = workshop.with_hero(repairs[int(reply) - 1].hero)
            continue
        try:
            workshop = _asked(paper, workshop, field_named(field_by_name, reply or "name"))
        except errors.BadCall as bad:
            paper.write(f"  {bad}", "red")
    return workshop


def _asked(paper: terminal.Output, workshop: Workshop, field: definitions.Field) -> Workshop:
    """Ask for one field, and show the points that are spent with it."""
    doc = "; ".join(part for part in (field.doc, limits(field)) if part)
    question = f"{field.name.replace('_', ' ')} ({kind_words(field.shape, field.names)}) {doc}"
    hero = workshop.sheet.hero
    current = hero.get(field.name, field.default)
    if current not in (None, "", (), {}):
        question += f" [{value_words(current)}]"
    reply = _line(f"{question}: ")
    if not reply:
        return workshop
    changed = workshop.with_hero({**hero, field.name: value_of(field, [reply])})
    paper.write_lines((f"  {line}", "dim") for line in changed.heroes.accounts(changed.sheet.hero, changed.options))
    return changed


def _line(question: str) -> str:
    try:
        return input(question).strip()
    except EOFError:
        raise errors.Declined("No hero was made: the input ended.") from None


# ---------------------------------------------------------------- sheets


STYLE = (
    "body{font:12pt/1.45 Georgia,serif;max-width:40em;margin:2em auto;padding:0 1em;color:#111;background:#fff}"
    "h1{margin:0}p.game{margin:.2em 0 1.2em;color:#555}ul{list-style:none;padding:0}"
    "li{border-bottom:1px solid #ccc;padding:.35em 0}@page{margin:18mm}"
)


def write_sheet(place: SeatClient, character: Character[Any]) -> None:
    from astragal.surfaces.shared.sheets import sheet_lines

    paper = terminal.Output()
    paper.write(f"{character.name} ({place.book.ruleset.name})", "bold")
    paper.write_lines(f"  {line}" for line in sheet_lines(place.view, character, paper.width - 2))


def as_markdown(place: SeatClient, character: Character[Any]) -> str:
    front = {"name": character.name, "game": place.book.ruleset.id, "skin": place.view.state.skin}
    head = [f"{key}: {json_module.dumps(value, ensure_ascii=False)}" for key, value in front.items() if value]
    lines = [f"- {_escaped(' '.join(line.split()))}" for line in _whole(place, character)]
    return "\n".join(["---", *head, "---", "", f"# {_escaped(character.name)}", "", *lines, ""])


def as_html(place: SeatClient, character: Character[Any]) -> str:
    """Format a sheet as one HTML file that fetches nothing, ready to print."""
    from html import escape

    lines = "\n".join(f"<li>{escape(line)}</li>" for line in _whole(place, character))
    name = escape(character.name)
    game = escape(place.book.ruleset.name)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f'<body><h1>{name}</h1><p class="game">{game}</p>\n<ul>\n{lines}\n</ul></body></html>\n'
    )


def _whole(place: SeatClient, character: Character[Any]) -> Iterable[str]:
    """Yield the lines of a sheet for paper, where the scores that a terminal shows side by side get a line each."""
    from astragal.surfaces.shared.sheets import GAP, sheet_lines

    for line in sheet_lines(place.view, character):
        yield from (part.strip() for part in line.split(GAP) if part.strip())


def _escaped(words: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|~!" else sign for sign in words)
