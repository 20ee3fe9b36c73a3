"""`astragal table …`: tables as things that are opened, looked at, carried, stored away and forgotten."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from astragal.surfaces.cli.errors import BadCall, Declined, Exit
from astragal.surfaces.cli.input.options import HERE, AsJson, AsSeat, Flag, Given, Parameter, Table, Where
from astragal.surfaces.cli.input.seats import opened_store, table_named, taken
from astragal.surfaces.cli.output.progress import watched
from astragal.surfaces.cli.output.terminal import Paper
from astragal.table.log.listing import Title, titles

if TYPE_CHECKING:
    from astragal.table.authoring.ruleset import Ruleset

File = Annotated[Path, Parameter(help="The file.")]


def new(
    game: Annotated[str, Parameter(help="The game: astragal games lists them.")],
    name: Annotated[str, Parameter(help="What the table is called.")],
    *,
    gm: Annotated[str | None, Parameter(help="What the game master is called; else your name here.")] = None,
    players: Annotated[
        tuple[str, ...], Parameter(name="--player", negative="", help="Somebody who plays; as often as needed.")
    ] = (),
    options: Annotated[
        tuple[str, ...],
        Parameter(name="--option", negative="", help="KEY=VALUE, an option of the game; astragal games GAME."),
    ] = (),
    agreed: Annotated[
        tuple[str, ...],
        Parameter(name="--house", negative="", help="KEY=VALUE: hand_dice, seeded or witnessed, yes or no."),
    ] = (),
    skin: Annotated[str | None, Parameter(help="A skin of the game, by its id, or a skin's file.")] = None,
    json: AsJson = False,
    where: Where = HERE,
    context: Given,
) -> None:
    """Open a table. Whoever opens it is its game master.

    astragal table new sinew_steel "The Gorge" --gm Ada --player Bo --player Cy
    """
    from astragal.surfaces.cli.commands.skin import worn
    from astragal.surfaces.cli.input.fields import fields_from
    from astragal.surfaces.cli.output.narration import in_json
    from astragal.table.starter import start_table
    from astragal.table.state.table import HouseOptions

    name = _said_name(name, "A table’s")
    game_master = _your_name() if gm is None else _said_name(gm, "A game master’s")
    people = [_said_name(player, "A player’s") for player in players]
    ruleset = context.game(game)
    wears = worn(ruleset, skin)
    chosen = {**wears.options, **fields_from(ruleset.options, options)}
    with opened_store(context, where) as store:
        host = context.host(store, (ruleset,))
        opened = start_table(
            host,
            ruleset,
            name=name,
            game_master=game_master,
            players=people,
            options=chosen,
            house=fields_from(HouseOptions, agreed),
            skin=wears.name,
            terms=wears.terms,
        )
        seats = dict(zip((game_master, *people), (opened.seat, *opened.players), strict=True))
        others = [one for one in titles(store) if one.name.casefold() == name.casefold() and one.id != opened.table]
    if json:
        Paper().write(in_json({"table": opened.table, "name": name, "seats": seats}))
    else:
        _say_opened(ruleset, name, opened.table, seats, alone=not others)


def _say_opened(ruleset: Ruleset, name: str, table: str, seats: dict[str, str], *, alone: bool) -> None:
    """A name that another table has, too, means neither of them."""
    paper = Paper()
    paper.write(f"{name} ({ruleset.name}) is open: table {table}.")
    for person, seat in seats.items():
        paper.write(f"  {person}: seat {seat}")
    if not alone:
        paper.write("Another table has the same name: say the id wherever one is meant.")
    called = f'"{name}"' if alone else table
    paper.write(f"Sit down with: astragal play {called}")


def _said_name(said: str, whose: str) -> str:
    """A name without the blanks around it; one of blanks alone is none."""
    if not said.strip():
        raise Declined(f"{whose} name must not be empty.")
    return said.strip()


def _your_name() -> str:
    try:
        return getuser().capitalize()
    except OSError:  # a user without a name
        return "Game master"


def list_tables(*, json: AsJson = False, where: Where = HERE, context: Given) -> None:
    """List the tables of the store."""
    paper = Paper()
    with opened_store(context, where) as store:
        known = list(titles(store))
    if json:
        from astragal.surfaces.cli.output.narration import in_json

        paper.write(in_json([_in_list(one) for one in known]))
        return
    for one in known:
        told = f"can't be read: {one.problem}" if one.problem else one.name
        paper.write(f"{one.id}  {one.ruleset:<12}  {told}")
    if not known:
        paper.write("There is no table yet; astragal table new opens one.")


def _in_list(title: Title) -> dict[str, str]:
    problem = {"problem": title.problem} if title.problem else {}
    return {"table": title.id, "name": title.name, "game": title.ruleset, **problem}


def show(table: Table, *, seat: AsSeat = None, json: AsJson = False, where: Where = HERE, context: Given) -> None:
    """Show where a table stands: its people, its scene, what waits."""
    from astragal.surfaces.cli.output.narration import in_json
    from astragal.surfaces.cli.output.table_view import lines_on
    from astragal.table.visibility.redact import plain

    paper = Paper()
    with taken(context, where, table, seat) as place:
        for line in [in_json(plain(place.look()))] if json else lines_on(place.view):
            paper.write(line)


def log(
    table: Table,
    *,
    seat: AsSeat = None,
    last: Annotated[int | None, Parameter(help="Only so many, the newest.")] = None,
    json: Annotated[bool, Flag, Parameter(help="Print a line of JSON for each event.")] = False,
    where: Where = HERE,
    context: Given,
) -> None:
    """Print what has happened at a table, as a seat has seen it."""
    from astragal.surfaces.cli.output.narration import in_json, write_event

    paper = Paper()
    with taken(context, where, table, seat) as place:
        events = list(_followed(place))
        for event in events[-last:] if last else events:
            if json:
                paper.write(in_json(event))
            else:
                write_event(paper, event, dated=True)


def _followed(place: Any) -> Iterator[Any]:
    page = place.host.follow(place.table, place.seat)
    yield from page.events
    while page.more:
        page = place.host.follow(place.table, place.seat, page.cursor)
        yield from page.events


def seats(table: Table, *, json: AsJson = False, where: Where = HERE, context: Given) -> None:
    """List who sits at a table. `astragal do TABLE take_seat` gives somebody a seat."""
    from astragal.surfaces.cli.output.narration import in_json

    paper = Paper()
    with taken(context, where, table) as place:
        found = place.look().seats.values()
    if json:
        paper.write(
            in_json([{"seat": one.id, "name": one.name, "role": one.role.value, "ai": one.ai} for one in found])
        )
        return
    for one in found:
        paper.write(f"{one.id}  {one.role.value:<11}  {one.name}{' (a program)' if one.ai else ''}")


def export(
    table: Table,
    file: Annotated[Path | None, Parameter(help="The file to write; else standard output.")] = None,
    *,
    seat: AsSeat = None,
    transcript: Annotated[bool, Flag, Parameter(help="As Markdown for people, not for `table import`.")] = False,
    ledger: Annotated[bool, Flag, Parameter(help="The public ledger of dice, for astragal verify.")] = False,
    where: Where = HERE,
    context: Given,
) -> None:
    """Write a table as one file: whole for the game master, for others what they have seen."""
    if transcript and ledger:
        raise BadCall("--transcript and --ledger are two files: ask for one at a time.")
    with taken(context, where, table, seat) as place:
        if transcript:
            lines: Iterable[bytes] = [place.host.archive.transcript(place.table, place.seat).encode()]
        elif ledger:
            lines = (line + b"\n" for line in place.host.ledger(place.table, place.seat))
        else:
            lines = place.host.archive.export(place.table, place.seat)
        _write_lines(lines, file)
        if file is not None:
            Paper().write(f"{place.look().name} is in {file}.")


def _write_lines(lines: Iterable[bytes], file: Path | None) -> None:
    if file is None:
        sys.stdout.buffer.writelines(lines)
        sys.stdout.buffer.flush()
        return
    from astragal.storage.private_files import opener

    with open(file, "xb", opener=opener) as out, watched("Writing the table"):
        out.writelines(lines)


def import_table(file: File, *, where: Where = HERE, context: Given) -> None:
    """Make a table from its export. Its log says that it was carried here."""
    with file.open("rb") as lines, opened_store(context, where) as store, watched(f"Taking in {file.name}"):
        table = context.host(store, context.all_games()).archive.take_in(lines)
        name = table_named(store, table).name
    Paper().write(f"{name} is here: table {table}.")


def backup(file: File, *, where: Where = HERE, context: Given) -> None:
    """Write all tables of the store to one new file, while play goes on."""
    with opened_store(context, where) as store, watched("Writing all tables"):
        context.host(store, ()).archive.backup(file)
    Paper().write(f"All tables are in {file}.")


def restore(
    file: File,
    *,
    yes: Annotated[bool, Flag, Parameter(help="Yes, put the backup in the place of all tables.")] = False,
    where: Where = HERE,
    context: Given,
) -> None:
    """Put a backup in the place of all tables of the store. Each table says so in its log."""
    if not yes:
        raise BadCall("This replaces every table of the store; say --yes if that is what you want.")
    with opened_store(context, where) as store, watched("Putting the backup in place"):
        context.host(store, context.all_games()).archive.restore(file)
    Paper().write(f"The store is as it was in {file}.")


def delete(
    table: Table,
    *,
    seat: AsSeat = None,
    yes: Annotated[bool, Flag, Parameter(help="Yes, for good.")] = False,
    where: Where = HERE,
    context: Given,
) -> int:
    """Forget a table with all that belongs to it, for good."""
    with taken(context, where, table, seat) as place:
        name = place.look().name
        if not yes:
            raise Declined(f"{name} would be gone for good; say --yes if that is what you want.")
        place.host.archive.delete(place.table, place.seat)
    Paper().write(f"{name} is forgotten.")
    return Exit.FINE
