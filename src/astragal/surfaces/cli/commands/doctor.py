"""`astragal doctor`: check the installation and the store, and suggest repairs."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Annotated

from msgspec import Struct

from astragal import __version__
from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.context import Context, NoSuchGame
from astragal.surfaces.cli.parser import FILE, AsJson, Parameter, Settings, Tables
from astragal.surfaces.cli.settings_in_use import overriding, store_in_use
from astragal.surfaces.shared.installation import how_to_install

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")
PARTS = {
    "astragal play": ("", ("prompt_toolkit",)),
    "astragal serve": ("web", ("fastapi", "jinja2", "markdown_it", "nh3", "segno", "uvicorn")),
    "astragal mcp": ("mcp", ("mcp",)),
    "PostgreSQL": ("postgres", ("psycopg",)),
}
"""Maps each part to the extra that brings it, and to the modules that it imports on demand."""
PACKAGES = {"markdown_it": "markdown-it-py"}
"""Maps modules to their packages, where the names differ."""


class Finding(Struct, frozen=True):
    """One check and its result. A missing part that nothing else needs is no fault."""

    what: str
    found: str
    sound: bool = True
    remedy: str = ""


def doctor(
    *,
    thorough: Annotated[bool, Parameter("Load every part and all of every game as well; takes seconds.")] = False,
    json: AsJson = False,
    context: Tables,
) -> int:
    """Check the installation, the store and every table, and say what to do.

    Every entry of every table is read. The rules of each game are loaded;
    other parts are only looked up, and --thorough loads them too, which finds
    those that are installed but broken. Exit code 1 if something is broken.
    """
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    findings = [
        Finding("astragal", __version__),
        Finding("Python", f"{platform.python_version()} at {sys.executable}"),
        *_games(context),
        *_settings(),
        *_store(context),
        *(_part(needs, extra, modules, thorough=thorough) for needs, (extra, modules) in PARTS.items()),
        Finding("browser", browser or "none was found; any browser opens the web table"),
        Finding("terminal", f"{os.environ.get('TERM', 'none')}, {sys.stdout.encoding}"),
    ]
    room = max(len(finding.what) for finding in findings)
    lines = list[tuple[str, str]]()
    for finding in findings:
        line = f"{'ok ' if finding.sound else 'no '} {finding.what:<{room}}  {finding.found}"
        lines.append((line, "" if finding.sound else "red"))
        if finding.remedy:
            lines.append((f"{'':{room + 6}}{finding.remedy}", ""))
    if not thorough:
        lines.append(("Parts were looked up, not loaded; astragal doctor --thorough loads each.", "dim"))
    terminal.Output().show(findings, lines, as_json=json)
    return errors.Exit.DONE if all(finding.sound for finding in findings) else errors.Exit.REFUSED


def _part(needs: str, extra: str, modules: Sequence[str], *, thorough: bool) -> Finding:
    """Check a part by looking up the modules that it needs. If `thorough`, load them."""
    missing = []
    versions = []
    for name in modules:
        try:
            module = import_module(name) if thorough else find_spec(name)
        except (ImportError, AttributeError, OSError, SyntaxError) as fault:
            missing.append(str(fault).partition("\n")[0] or type(fault).__name__)
            continue
        if module is None:
            missing.append(f"No module named {name!r}")
            continue
        try:
            versions.append(f"{name} {version(PACKAGES.get(name, name))}")
        except PackageNotFoundError:
            versions.append(f"{name} from source, not installed as a package")
    if missing:
        faults = f"not ready, and nothing else needs it: {'; '.join(missing)}"
        return Finding(needs, faults, remedy=how_to_install(extra))
    return Finding(needs, ", ".join(versions))


def _games(context: Context) -> Iterator[Finding]:
    for name in context.games:
        try:
            game = context.load(name)
        except NoSuchGame as broken:
            yield Finding(f"game {name}", str(broken), sound=False, remedy="Install it again, or remove it.")
        else:
            yield Finding(f"game {name}", f"{game.name}, version {game.version}")
    if not context.games:
        yield Finding("games", "none", sound=False, remedy="Install astragal again: its games come with it.")


def _settings() -> Iterator[Finding]:
    settings = Settings()
    yield Finding("settings", settings.file or f"no file; {FILE} would name one")
    for key in settings.overridden():
        yield Finding("settings", overriding(key))


def _store(context: Context) -> Iterator[Finding]:
    """Read every entry of every table: each has a checksum."""
    from astragal.storage import VARIABLE, Damaged, NotAStore
    from astragal.table.log.codec import is_as_written
    from astragal.table.log.store import StoreError

    store_name = store_in_use(context.db)
    try:
        store = context.store(context.db)
    except StoreError as fault:
        is_broken = isinstance(fault, (Damaged, NotAStore))
        remedy = f"Check --db or {VARIABLE}{'; restore a backup' if is_broken else ''}."
        yield Finding("store", f"{store_name}: {fault}", sound=False, remedy="" if VARIABLE in str(fault) else remedy)
        return
    with closing(store):
        tables = store.tables()
        yield Finding("store", f"{store_name}, {len(tables)} table{'' if len(tables) == 1 else 's'}")
        for table in tables:
            try:
                entries = sum(1 for _ in terminal.counted(store.read(table), f"Reading table {table}"))
                damaged = sum(not is_as_written(text) for text in store.texts(table).values())
            except StoreError as fault:
                remedy = "Entries before it can be read; astragal table restore restores a backup."
                yield Finding(f"table {table}", str(fault), sound=False, remedy=remedy)
                continue
            if damaged:
                remedy = "All else can be read and played; astragal table restore restores a backup."
                yield Finding(f"table {table}", f"{damaged} of its texts are damaged", sound=False, remedy=remedy)
            else:
                yield Finding(f"table {table}", f"{entries} entries, all sound")
