"""Heroes on paper: make, check, show and advance them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.errors import BadCall, Declined, Exit
from astragal.surfaces.cli.parser import FORMAT, HELP, HERE, AsJson, AsSeat, Game, Parameter, Where
from astragal.surfaces.cli.terminal import Paper, in_json

if TYPE_CHECKING:
    from astragal.surfaces.cli.heroes import Paperwork
    from astragal.table.authoring.ruleset import HeroBook

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
    from astragal.surfaces.cli.fields import fields_from
    from astragal.surfaces.cli.heroes import ask_for_hero, explain, heroes_of
    from astragal.table.registry import Book

    ruleset = context.game(game)
    blank = _blank(context, game, options, skin)
    kind = Book.of(ruleset).command(heroes_of(ruleset).make)
    if HELP & set(words):
        explain(ruleset, kind)
    elif not words and sys.stdin.isatty():
        _finish(context, ask_for_hero(context, blank, kind), out, as_json=json)
    else:
        _finish(context, replace(blank, hero=fields_from(kind, words)), out, as_json=json)


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
) -> int:
    """Make a random legal hero; or, if the game makes none, pick one of its samples."""
    from astragal.chance import SeededDice, SystemDice

    blank = _blank(context, game, options, skin)
    book, chosen = _book_and_options(context, blank)
    dice = SystemDice() if seed is None else SeededDice(seed)
    wishes = {}
    for one in wish:
        key, sign, value = one.partition("=")
        if not sign or key not in book.wishes:
            listed = "; ".join(f"{name}: {words}" for name, words in book.wishes.items()) or "none"
            raise BadCall(f"This game knows no wish {one!r}. Wishes are {listed}.")
        wishes[key] = value
    if book.random is not None:
        hero = dict(book.random(lambda most: dice.face(most) - 1, wishes, chosen))
    elif samples := list(book.samples(chosen).values()):
        hero = dict(samples[dice.face(len(samples)) - 1])
    else:
        raise Declined(f"{context.game(game).name} has neither random heroes nor samples.")
    if not (name or options or skin):
        return _write_down(replace(blank, hero=hero), out, as_json=json)  # the game's own heroes are legal
    return _finish(context, replace(blank, hero=hero | ({"name": name} if name else {})), out, as_json=json)


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
    from astragal.surfaces.cli.heroes import read_paper, reasons_against

    paper, sheet = Paper(), read_paper(file)
    reasons = reasons_against(context, sheet)
    book, options = _book_and_options(context, sheet)
    better = None if reasons else book.better(sheet.hero, options)
    repairs = list(book.repairs(sheet.hero, options)) if reasons else [better] if better else []
    if repair is not None:
        if not 1 <= repair <= len(repairs):
            raise BadCall(f"There is no repair {repair}; there are {len(repairs)}.")
        return _finish(context, replace(sheet, hero=dict(repairs[repair - 1].hero)), out, as_json=json)
    if json:
        found = [{"words": one.words, "hero": one.hero} for one in repairs]
        paper.write(in_json({"hero": sheet.name, "legal": not reasons, "reasons": reasons, "repairs": found}))
        return Exit.REFUSED if reasons else Exit.FINE
    for line in book.accounts(sheet.hero, options):
        if line.rstrip(".") not in reasons:  # shown below
            paper.write(line, "dim")
    hint = " Another of the same budget is at least as good at everything, and better at some of it:" if better else ""
    paper.write(f"{sheet.name} can't be played yet:" if reasons else f"{sheet.name} is ready to play.{hint}")
    for reason in reasons:
        if not any(reason.endswith(one.words) for one in repairs):
            paper.write(f"  {reason}")
    for number, one in enumerate(repairs, 1):
        paper.write(f"  {'change' if better else 'repair'} {number}: {one.words}")
    if repairs:
        paper.write(f"astragal hero check {file} --repair 1 --out FILE writes that hero.")
    return Exit.REFUSED if reasons else Exit.FINE


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
    where: Where = HERE,
    context: Context,
) -> int:
    """Show a hero's sheet: for the terminal, as JSON, as Markdown, or to print.

    astragal hero show kira.json
    astragal hero show kira.json --pdf --out kira.pdf
    astragal hero show Kira --table Gorge --pdf --out kira.pdf
    """
    from astragal.surfaces.cli.heroes import read_paper, tried_out
    from astragal.surfaces.cli.seats import taken

    formats = (json, markdown, html, pdf)
    if table is None:
        with tried_out(context, read_paper(Path(hero))) as place:
            character = next(iter(place.look().characters.values()))
            _write_sheet(place, character, formats, out)
        return Exit.FINE
    with taken(context, where, table, seat) as place:
        known = place.look().characters.values()
        found = [one for one in known if one.name.casefold() == hero.casefold() or one.id == hero]
        if not found:
            raise BadCall(f"Nobody here is called {hero!r}; there are {', '.join(one.name for one in known)}.")
        _write_sheet(place, found[0], formats, out)
    return Exit.FINE


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
    from astragal.surfaces.cli.heroes import advanced, list_ways_to_grow, read_paper

    sheet = read_paper(file)
    if not words or HELP & set(words):
        list_ways_to_grow(context, sheet, [word for word in words if word not in HELP], as_json=json)
        return
    _finish(context, advanced(context, sheet, words[0], words[1:]), out, as_json=json, replace_file=True)


# ---------------------------------------------------------------- what they share


def _blank(context: Context, game: str, options: Sequence[str], skin: str | None) -> Paperwork:
    from astragal.surfaces.cli.commands.skin import worn
    from astragal.surfaces.cli.fields import fields_from
    from astragal.surfaces.cli.heroes import Paperwork

    ruleset = context.game(game)
    name, wears = worn(ruleset, skin)
    chosen = {**wears.options, **fields_from(ruleset.options, options)}
    return Paperwork(game=ruleset.id, hero={}, options=chosen, skin=name, terms=wears.terms)


def _book_and_options(context: Context, sheet: Paperwork) -> tuple[HeroBook, Any]:
    """How the game makes heroes, and the options of the table that the hero is made for."""
    from astragal.surfaces.cli.heroes import heroes_of
    from astragal.table.fields.validation import read

    game = context.game(sheet.game)
    return heroes_of(game), read(game.options, sheet.options)


def _finish(context: Context, sheet: Paperwork, out: Path | None, *, as_json: bool, replace_file: bool = False) -> int:
    """Write the hero if it is legal, and refuse with the reasons if it is not."""
    from astragal.surfaces.cli.heroes import reasons_against

    reasons = reasons_against(context, sheet)
    if reasons:
        raise Declined("\n  ".join([f"{sheet.name} can't be played yet:", *reasons]))
    return _write_down(sheet, out, as_json=as_json, replace_file=replace_file)


def _write_down(sheet: Paperwork, out: Path | None, *, as_json: bool, replace_file: bool = False) -> int:
    if out is None:
        sys.stdout.write(sheet.written())
        return Exit.FINE
    with out.open("w" if replace_file else "x", encoding="utf-8") as file:
        file.write(sheet.written())
    Paper().report(f"{sheet.name} is written to {out}.", as_json=as_json, hero=sheet.name, file=str(out))
    return Exit.FINE


def _write_sheet(place: Any, character: Any, formats: tuple[bool, bool, bool, bool], out: Path | None) -> None:
    from astragal.surfaces.cli.heroes import as_html, as_markdown, write_sheet
    from astragal.table.visibility.redact import plain

    as_json, markdown, html, pdf = formats
    if not any(formats):
        if out is not None:
            raise BadCall("Which format for the file? --json, --markdown, --html or --pdf.")
        write_sheet(Paper(), place, character)
        return
    if pdf:
        from astragal.surfaces.shared.printing import sheet_pdf

        if out is None:
            raise BadCall("Which file for the PDF? Add --out FILE.")
        out.write_bytes(sheet_pdf(place.view, character))
        Paper().write(f"{character.name} is written to {out}.")
        return
    text = in_json(plain(character)) + "\n" if as_json else ""
    text = as_markdown(place, character) if markdown else as_html(place, character) if html else text
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
        Paper().write(f"{character.name} is written to {out}.")
