"""Tables: open, list, show, export, back up and delete them."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from getpass import getuser
from pathlib import Path
from typing import Annotated

from msgspec.structs import replace

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.parser import FORMAT, AsJson, AsSeat, Game, Parameter, Table, Tables
from astragal.surfaces.cli.seats import open_seat, opened_store
from astragal.table.log.store import title_of, titles

File = Annotated[Path, Parameter("The file to write or read.")]


def new(
    game: Game,
    name: Annotated[str, Parameter("The table's name.")],
    *,
    gm: Annotated[str | None, Parameter("The game master's name; default: your user name.")] = None,
    players: Annotated[tuple[str, ...], Parameter("A player's name; can be repeated.", "--player")] = (),
    options: Annotated[
        tuple[str, ...],
        Parameter("KEY=VALUE, an option of the game; astragal games GAME lists them.", "--option"),
    ] = (),
    agreed: Annotated[
        tuple[str, ...],
        Parameter("KEY=VALUE, a house rule, such as hand_dice=yes; can be repeated.", "--house"),
    ] = (),
    skin: Annotated[str | None, Parameter("A skin of the game, by its id, or a skin's file.")] = None,
    json: AsJson = False,
    context: Tables,
) -> None:
    """Open a table, as its game master.

    astragal table new sinew_steel "The Gorge" --gm Ada --player Bo --player Cy
    """
    from astragal.surfaces.cli.commands.skin import worn
    from astragal.surfaces.cli.fields import fields_from
    from astragal.table.starter import start_table
    from astragal.table.state.table import HouseOptions

    name = _said_name(name, "A table’s")
    if gm is None:
        with suppress(OSError):  # a user without a name
            gm = getuser().capitalize()
    game_master = "Game master" if gm is None else _said_name(gm, "A game master’s")
    people = [_said_name(player, "A player’s") for player in players]
    ruleset = context.game(game)
    skin_name, wears = worn(ruleset, skin)
    wears = replace(wears, options={**wears.options, **fields_from(ruleset.options, options)})
    with opened_store(context) as store:
        host = context.host(store, (ruleset,))
        opened = start_table(
            host,
            ruleset,
            name=name,
            game_master=game_master,
            players=people,
            house=fields_from(HouseOptions, agreed),
            skin=skin_name,
            **wears.given,
        )
        seats = dict(zip((game_master, *people), (opened.seat, *opened.players), strict=True))
        namesakes = [
            title for title in titles(store) if title.name.casefold() == name.casefold() and title.id != opened.table
        ]
    lines = [f"{name} ({ruleset.name}) is open: table {opened.table}."]
    lines += [f"  {person}: seat {seat}" for person, seat in seats.items()]
    lines += ["Another table has the same name: use the id instead of the name."] if namesakes else []
    if adventure := wears.setting.adventure:
        first = f'begin_scene "{adventure.scenes[0].title}"'
        lines.append(f"Its first adventure is {adventure.title}: begin_evening, then {first}.")
    called = opened.table if namesakes or set(name) & set('"\\$`!') else f'"{name}"'
    lines.append(f"Sit down with: astragal play {called}")
    terminal.Output().show({"table": opened.table, "name": name, "seats": seats}, lines, as_json=json)


def _said_name(name: str, owner: str) -> str:
    """Strip a name, and refuse an empty one."""
    if not name.strip():
        raise errors.Declined(f"{owner} name must not be empty.")
    return name.strip()


def list_tables(*, json: AsJson = False, context: Tables) -> None:
    """List the tables of the store."""
    tables = []
    lines = []
    with opened_store(context) as store:
        for title in titles(store):
            problem = {"problem": title.problem} if title.problem else {}
            tables.append({"table": title.id, "name": title.name, "game": title.ruleset, **problem})
            description = f"can't be read: {title.problem}" if title.problem else title.name
            lines.append(f"{title.id}  {title.ruleset:<12}  {description}")
    terminal.Output().show(tables, lines or ["There are no tables yet; astragal table new opens one."], as_json=json)


def show(table: Table, *, seat: AsSeat = None, json: AsJson = False, context: Tables) -> None:
    """Show the state of a table: its people, its scene, what waits for a decision."""
    from astragal.surfaces.cli import table_view
    from astragal.table.visibility.redact import plain

    with open_seat(context, table, seat) as place:
        terminal.Output().show(plain(place.view.state), table_view.lines_on(place.view), as_json=json)


def log(
    table: Table,
    *,
    seat: AsSeat = None,
    last: Annotated[int | None, Parameter("Only this many, the newest.", limits=(1, 1_000_000))] = None,
    json: Annotated[bool, Parameter("Print a line of JSON for each event.")] = False,
    context: Tables,
) -> None:
    """Print what has happened at a table, as a seat has seen it."""
    from astragal.surfaces.cli import table_view

    paper = terminal.Output()
    with open_seat(context, table, seat) as place:
        events = [event for page in place.view.pages() for event in page.events]
        for event in events[-last:] if last else events:
            paper.show(event, table_view.event_lines(event, dated=True), as_json=json)


def recap(
    table: Table,
    out: Annotated[Path | None, Parameter("The file to write; default: standard output.")] = None,
    *,
    evening: Annotated[int | None, Parameter("Which evening; default: the last.", limits=(1, 100_000))] = None,
    seat: AsSeat = None,
    pdf: Annotated[bool, Parameter("As a PDF, to a file.", one_of=FORMAT)] = False,
    json: Annotated[bool, Parameter("As JSON.", one_of=FORMAT)] = False,
    context: Tables,
) -> None:
    """Recap an evening as a seat saw it: its scenes, its turning points, best and worst rolls, who was lucky."""
    from astragal.surfaces.shared.recap import chronicle_of

    if pdf and out is None:
        raise errors.BadCall("Which file for the PDF? For example: astragal table recap Gorge evening.pdf --pdf")
    with open_seat(context, table, seat) as place:
        chronicle = chronicle_of(place.view, evening)
    if pdf:
        from astragal.surfaces.shared.printing import chronicle_pdf

        data = chronicle_pdf(chronicle)
    elif json:
        data = terminal.in_json(chronicle.plain).encode() + b"\n"
    else:
        data = (chronicle.illustrated if out else terminal.harmless(chronicle.markdown)).encode()
    _write_lines([data], out)
    if out is not None:
        terminal.Output().write(f"{chronicle.title} is written to {out}.")


def seats(table: Table, *, json: AsJson = False, context: Tables) -> None:
    """List who sits at a table. `astragal do TABLE take_seat` gives somebody a seat."""
    with open_seat(context, table) as place:
        seated = place.view.state.seats.values()
    plain = [{"seat": member.id, "name": member.name, "role": member.role.value, "ai": member.ai} for member in seated]
    lines = (
        f"{member.id}  {member.role.value:<11}  {member.name}{' (an AI)' if member.ai else ''}" for member in seated
    )
    terminal.Output().show(plain, lines, as_json=json)


def picture(
    table: Table,
    file: Annotated[Path, Parameter("A PNG, JPEG, WebP or GIF picture.")],
    *,
    portrait: Annotated[str | None, Parameter("Whose face it is.", one_of="Use")] = None,
    scene: Annotated[str | None, Parameter("The scene that it shows.", one_of="Use")] = None,
    handout: Annotated[str | None, Parameter("The title of a handout that shows it.", one_of="Use")] = None,
    show: Annotated[bool, Parameter("Show the handout to everybody at once.")] = False,
    title: Annotated[str, Parameter("What it is called; default: the file's name.")] = "",
    alt: Annotated[str, Parameter("What it shows, for whoever can't see it.")] = "",
    seat: AsSeat = None,
    json: AsJson = False,
    context: Tables,
) -> None:
    """Bring a picture to a table, for a face, a scene, a handout, or for later. Only its pixels are kept.

    astragal table picture Gorge kira.jpg --portrait Kira --as Bo
    astragal table picture Gorge letter.png --handout "The letter" --show
    astragal do Gorge remove_picture letter
    """
    from astragal.surfaces.shared.pictures import reencode_untrusted, side_for

    if show and handout is None:
        raise errors.BadCall("--show goes with --handout, which says what it is.")
    picture_data = reencode_untrusted(file.read_bytes(), side_for(is_portrait=portrait is not None))
    called = title.strip() or handout or file.stem
    with open_seat(context, table, seat) as place:
        outcome = place.host.album.add(place.table, place.seat, picture_data, title=called, alt=alt)
        picture = outcome.events[0].fields["picture"]["id"]
        if portrait is not None:
            place.act("set_portrait", {"who": portrait, "picture": picture})
        elif scene is not None:
            place.act("set_scene_picture", {"scene": scene, "picture": picture})
        elif handout is not None:
            place.act("write_handout", {"title": handout, "picture": picture, "show": show})
    terminal.Output().report(f"“{called}” is brought: picture {picture}.", as_json=json, picture=picture, title=called)


def export(
    table: Table,
    file: Annotated[Path | None, Parameter("The file to write; default: standard output.")] = None,
    *,
    seat: AsSeat = None,
    transcript: Annotated[bool, Parameter("As Markdown, to read; it can't be imported again.", one_of=FORMAT)] = False,
    ledger: Annotated[bool, Parameter("The public ledger of dice, for astragal verify.", one_of=FORMAT)] = False,
    json: Annotated[bool, Parameter("Print JSON about what was written to a file.")] = False,
    context: Tables,
) -> None:
    """Write a table to one file: all of it for the game master, for others what they have seen."""
    with open_seat(context, table, seat) as place:
        if transcript:
            lines: Iterable[bytes] = [place.host.archive.transcript(place.table, place.seat).encode()]
        elif ledger:
            lines = (line + b"\n" for line in place.host.ledger(place.table, place.seat))
        else:
            lines = place.host.archive.export(place.table, place.seat)
        _write_lines(lines, file)
        if file is not None:
            name = place.view.state.name
            terminal.Output().report(f"{name} is written to {file}.", as_json=json, name=name, file=str(file))


def _write_lines(lines: Iterable[bytes], file: Path | None) -> None:
    if file is None:
        if terminal.Output().is_terminal:
            lines = (terminal.harmless(line.decode()).encode() for line in lines)
        sys.stdout.buffer.writelines(lines)
        sys.stdout.buffer.flush()
        return
    from astragal.storage.private_files import opener

    with open(file, "xb", opener=opener) as out, terminal.watched("Writing the table"):
        out.writelines(lines)


def import_table(file: File, *, json: AsJson = False, context: Tables) -> None:
    """Make a table from its export. Its log says that it was imported."""
    with file.open("rb") as lines, opened_store(context) as store, terminal.watched(f"Importing {file.name}"):
        table = context.host(store, context.all_games()).archive.import_table(lines)
        name = title_of(store, table).name
    terminal.Output().report(f"{name} is imported: table {table}.", as_json=json, table=table, name=name)


def backup(file: File, *, json: AsJson = False, context: Tables) -> None:
    """Write all tables of the store to one new file, while play goes on."""
    with opened_store(context) as store, terminal.watched("Writing all tables"):
        context.host(store, ()).archive.backup(file)
    terminal.Output().report(f"All tables are written to {file}.", as_json=json, file=str(file))


def restore(
    file: File,
    *,
    yes: Annotated[bool, Parameter("Confirm that all tables are replaced.")] = False,
    json: AsJson = False,
    context: Tables,
) -> None:
    """Replace all tables of the store by those of a backup. Each table says so in its log."""
    if not yes:
        raise errors.BadCall("This replaces every table of the store; add --yes if that is what you want.")
    with opened_store(context) as store, terminal.watched("Restoring the backup"):
        context.host(store, context.all_games()).archive.restore(file)
    terminal.Output().report(f"All tables are restored from {file}.", as_json=json, file=str(file))


def forget(
    table: Table,
    act: Annotated[str, Parameter("The command's id: astragal table log --json has it as act.")],
    *,
    seat: AsSeat = None,
    yes: Annotated[bool, Parameter("Confirm that the words are deleted for good.")] = False,
    json: AsJson = False,
    context: Tables,
) -> None:
    """Forget the words of a command for good: your own or, for the game master, anyone's.

    What came of the command and its dice stay, and the ledger can still be checked.
    """
    with open_seat(context, table, seat) as place:
        words = "; ".join(event.words for event in place.host.events_of(place.table, place.seat, act))
        if words and not yes:
            raise errors.Declined(f"“{words}” would be forgotten for good; add --yes if that is what you want.")
        place.host.archive.forget_words(place.table, place.seat, act)
    terminal.Output().report("The words are forgotten.", as_json=json, act=act)


def delete(
    table: Table,
    *,
    seat: AsSeat = None,
    yes: Annotated[bool, Parameter("Confirm that the table is deleted for good.")] = False,
    json: AsJson = False,
    context: Tables,
) -> None:
    """Delete a table with everything that belongs to it, for good."""
    with open_seat(context, table, seat) as place:
        name = place.view.state.name
        if not yes:
            raise errors.Declined(f"{name} would be deleted for good; add --yes if that is what you want.")
        place.host.archive.delete(place.table, place.seat)
        deleted = place.table
    terminal.Output().report(f"{name} is deleted.", as_json=json, table=deleted, name=name)
