"""`astragal doctor`: what is installed, which store is used and whether it is sound, and what to do about the rest."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from astragal.surfaces.cli.faults import Exit
from astragal.surfaces.cli.options import HERE, AsJson, Given, Where
from astragal.surfaces.cli.paper import Paper
from astragal.surfaces.cli.patience import counted
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.cli.house import House

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")
PARTS = {
    "astragal play": ("prompt_toolkit",),
    "astragal serve": ("fastapi", "jinja2", "markdown_it", "nh3", "segno", "sse_starlette", "uvicorn"),
    "astragal mcp": ("mcp",),
    "PostgreSQL": ("psycopg",),
}
"""What is imported when it is needed, by what needs it."""
PACKAGES = {"markdown_it": "markdown-it-py"}
"""The package of a module, where it has another name."""


@frozen
class Finding:
    """One thing that was looked at. What is missing and not needed is no fault."""

    what: str
    found: str
    sound: bool = True
    remedy: str = ""


def doctor(*, json: AsJson = False, where: Where = HERE, house: Given) -> int:
    """Say what is installed, which store is used, whether it is sound, and what to do.

    Ends with 1 where something is not sound.
    """
    findings = list(_findings(house, where))
    paper = Paper()
    if json:
        from astragal.surfaces.cli.telling import in_json

        paper.write(in_json(findings))
    else:
        room = max(len(one.what) for one in findings)
        for one in findings:
            paper.write(f"{'ok ' if one.sound else 'no '} {one.what:<{room}}  {one.found}", "" if one.sound else "red")
            if one.remedy:
                paper.write(f"{'':{room + 6}}{one.remedy}")
    return Exit.FINE if all(one.sound for one in findings) else Exit.REFUSED


def _findings(house: House, where: Where) -> Iterator[Finding]:
    yield Finding("astragal", _version("astragal"))
    yield Finding("Python", f"{platform.python_version()} at {sys.executable}")
    yield from _games(house)
    yield from _store(house, where)
    yield from (_part(needs, modules) for needs, modules in PARTS.items())
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    yield Finding("browser", browser or "none was found; any browser opens the web table")
    yield Finding("terminal", f"{os.environ.get('TERM', 'none')}, {sys.stdout.encoding}")


def _part(needs: str, modules: Sequence[str]) -> Finding:
    """Each is imported: one that is there and can't be loaded is of no use."""
    missing = {}
    for name in modules:
        try:
            import_module(name)
        except ImportError as fault:
            missing[name] = str(fault).partition("\n")[0]
    if missing:
        found = f"not ready, and nothing else needs it: {'; '.join(missing.values())}"
        return Finding(needs, found, remedy="Install astragal again, with all that it depends on.")
    return Finding(needs, ", ".join(f"{name} {_version(PACKAGES.get(name, name))}" for name in modules))


def _games(house: House) -> Iterator[Finding]:
    from astragal.surfaces.cli.house import NoSuchGame

    for name in house.games:
        try:
            game = house.load(name)
        except NoSuchGame as broken:
            yield Finding(f"game {name}", str(broken), sound=False, remedy="Install it again, or remove it.")
        else:
            yield Finding(f"game {name}", f"{game.name}, version {game.version}")
    if not house.games:
        yield Finding("games", "none", sound=False, remedy="Install astragal again: its games come with it.")


def _store(house: House, where: Where) -> Iterator[Finding]:
    """Every table is read through, entry by entry: each has a checksum."""
    from astragal.storage import VARIABLE, default_path
    from astragal.table.store import StoreError

    named = where.db or os.environ.get(VARIABLE) or str(default_path())
    shown = named.rpartition("@")[2] if "://" in named else named  # a password is nobody's business
    try:
        store = house.store(where.db)
    except StoreError as fault:
        yield Finding("store", f"{shown}: {fault}", sound=False, remedy="Check --db or ASTRAGAL_DB; restore a backup.")
        return
    try:
        tables = store.tables()
        yield Finding("store", f"{shown}, {len(tables)} table{'' if len(tables) == 1 else 's'}")
        for table in tables:
            try:
                entries = sum(1 for _ in counted(store.read(table), f"Reading table {table}"))
            except StoreError as fault:
                remedy = "What comes before it can be read; astragal table restore brings a backup back."
                yield Finding(f"table {table}", str(fault), sound=False, remedy=remedy)
            else:
                yield Finding(f"table {table}", f"{entries} entries, all sound")
    finally:
        store.close()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "here, not installed as a package"
