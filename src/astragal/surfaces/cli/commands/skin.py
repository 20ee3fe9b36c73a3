"""Skins: settings over a game, as text files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import AsJson, Game, Parameter
from astragal.table.authoring.ruleset import AppliedSkin

if TYPE_CHECKING:
    from astragal.table.authoring.ruleset import Ruleset, SkinShelf

LARGEST = 1024 * 1024
"""The largest file that is opened, in bytes."""


def worn(book: Ruleset, skin: str | None) -> tuple[str, AppliedSkin]:
    """Load and check a skin by its id or file. Return its name, and what it gives a new table. None means no skin."""
    if skin is None:
        return "", AppliedSkin({}, {})
    shelf = _shelf(book)
    wears = shelf.wear(_sound_text(book, skin))
    return Path(skin).stem if skin not in shelf.shipped() else skin, wears


def list_skins(
    game: Annotated[str | None, Parameter("One game; default: all.")] = None, *, json: AsJson = False, context: Context
) -> None:
    """List the skins that come with a game."""
    books = [context.game(game)] if game else list(context.all_games())
    skins_by_game = {book.id: sorted(book.skins.shipped()) for book in books if book.skins}
    none = f"{books[0].name} has no skins." if game else "No game here has skins."
    terminal.Output().show(
        skins_by_game, [f"{name}: {', '.join(skins)}" for name, skins in skins_by_game.items()] or [none], as_json=json
    )


def show_skin(
    game: Game, skin: Annotated[str, Parameter("Its id, or a file.")], *, json: AsJson = False, context: Context
) -> None:
    """Show all of a skin: its words, options, heroes, foes, moves and first adventure."""
    import tomllib

    book = context.game(game)
    text = _sound_text(book, skin)
    terminal.Output().write_lines([terminal.in_json(tomllib.loads(text))] if json else _shelf(book).describe(text))


def check_skin(
    game: Game, file: Annotated[Path, Parameter("The skin's file.")], *, json: AsJson = False, context: Context
) -> int:
    """Check a skin's file: every fault with its line. Exit code 1 if there is one."""
    from astragal.table.settings import FaultyFile

    shelf = _shelf(context.game(game))
    try:
        faults = list(shelf.faults(read_text(file), file.name))
    except FaultyFile as unreadable:
        faults = [str(fault) for fault in unreadable.faults]
    terminal.Output().show({"file": str(file), "faults": faults}, faults or [f"{file} has no faults."], as_json=json)
    return errors.Exit.REFUSED if faults else errors.Exit.DONE


def new_skin(
    game: Game,
    file: Annotated[Path | None, Parameter("The file to write; default: standard output.")] = None,
    *,
    json: Annotated[bool, Parameter("Print JSON about what was written to a file.")] = False,
    context: Context,
) -> None:
    """Write a template for a skin, with comments. It can be played as it is."""
    text = _shelf(context.game(game)).template()
    if file is None:
        sys.stdout.write(text)
        return
    with file.open("x", encoding="utf-8") as out:
        out.write(text)
    sentence = f"{file} is written. Change what you like, then check it: astragal skin check {game} {file}"
    terminal.Output().report(sentence, as_json=json, file=str(file))


def schema(game: Game, *, json: AsJson = False, context: Context) -> None:  # noqa: ARG001 - it is JSON anyway
    """Print the JSON schema of a game's skin files, for editors that help."""
    book = context.game(game)
    schema = _shelf(book).schema
    if schema is None:
        raise errors.Declined(f"{book.name} has no schema for its skins.")
    sys.stdout.write(schema())


def import_skins(
    game: Game,
    file: Annotated[Path, Parameter("The older file: a manifest in YAML.")],
    folder: Annotated[Path | None, Parameter("Where the skins are written; default: here.")] = None,
    *,
    json: AsJson = False,
    context: Context,
) -> None:
    """Import skins from an older file, a manifest in YAML: each becomes a skin's file. Nothing is overwritten."""
    shelf = _shelf(book := context.game(game))
    if shelf.imported is None:
        raise errors.Declined(f"{book.name} has no older format of skins.")
    text_by_file = {
        (folder or Path()) / f"{skin}.toml": text for skin, text in shelf.imported(read_text(file), file.name).items()
    }
    if existing := [str(place) for place in text_by_file if place.exists()]:
        raise errors.Declined(f"Nothing is written: {', '.join(existing)} is there already.")
    for place, text in text_by_file.items():
        with place.open("x", encoding="utf-8") as out:
            out.write(text)
        sentence = f"{place} is written. Play it: astragal table new {game} --skin {place}"
        terminal.Output().report(sentence, as_json=json, file=str(place))


def read_text(file: Path) -> str:
    """Read a small UTF-8 file. Raises `FaultyFile` with the position of the first byte that is not UTF-8."""
    from astragal.table.settings import decoded

    if not file.is_file():
        raise errors.BadCall(f"There is no file {str(file)[:80]!r}.")
    if file.stat().st_size > LARGEST:
        raise errors.Declined(f"{file} has {file.stat().st_size:,} bytes; at most {LARGEST:,} are read.")
    return decoded(file.read_bytes(), file.name)


def _sound_text(book: Ruleset, skin: str) -> str:
    """Text of a shipped skin, or of a file if it has no faults."""
    shelf = _shelf(book)
    shipped = shelf.shipped()
    if skin not in shipped and not Path(skin).exists():
        listed = ", ".join(sorted(shipped))
        raise errors.BadCall(f"{book.name} has no skin {skin[:80]!r}, and there is no such file; there are {listed}.")
    if skin in shipped:
        return shipped[skin]
    text = read_text(Path(skin))
    if faults := shelf.faults(text, skin):
        raise errors.Declined("\n".join(["The skin has faults:", *faults]))
    return text


def _shelf(book: Ruleset) -> SkinShelf:
    if book.skins is None:
        raise errors.Declined(f"{book.name} has no skins.")
    return book.skins
