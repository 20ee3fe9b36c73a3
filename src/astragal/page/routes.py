"""Routes that only the page has: tables as files, and the curtain between people at one screen."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import UploadFile

from astragal.surfaces.shared.picture_decoder import kind_of
from astragal.surfaces.web import rendering, session
from astragal.surfaces.web.errors import NOTHING_HERE, REFUSED
from astragal.surfaces.web.routes import home
from astragal.table.log.store import StoreError, title_of, titles
from astragal.table.refusals import Refusal
from astragal.table.state.pictures import LARGEST_PICTURE, is_webp

LARGEST_IMPORT = 256 * 1024 * 1024
"""Bytes of a file that is brought in: it is read at once, and a browser has room for about as much."""
SQLITE = "application/vnd.sqlite3"

OWNERS = [Depends(home.owner)]
files = APIRouter(prefix="/storage", dependencies=OWNERS)
seats = APIRouter(prefix="/t/{table}/curtain", dependencies=OWNERS)
ROUTERS = (files, seats)


# ---------------------------------------------------------------- tables as files


@files.get("")
def storage(request: Request) -> HTMLResponse:
    """What is stored in this browser, with ways to take it along and to bring it in."""
    return _storage_page(request)


@files.get("/{table}.jsonl")
def export(request: Request, table: str) -> Response:
    """Download one table, whole."""
    context = session.context_of(request)
    if table not in context.store.tables():
        raise HTTPException(404, NOTHING_HERE)
    lines = context.host.archive.export(table, home.game_master_of(context, table))
    name = session.file_name(title_of(context.store, table).name)
    return _download(b"".join(lines), f"{name}.jsonl", "application/jsonl")


@files.get("/tables.db")
def backup(request: Request) -> Response:
    """Download all tables as a backup, which `astragal table restore` reads, too."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "tables.db"
        session.context_of(request).host.archive.backup(copy)
        return _download(copy.read_bytes(), "astragal-tables.db", SQLITE)


@files.post("")
async def bring(request: Request) -> Response:
    """Bring in a file: the export of a table is added, a backup replaces all tables."""
    archive = session.context_of(request).host.archive
    async with request.form(max_files=1, max_fields=1) as form:
        file = form.get("file")
        data = await file.read() if isinstance(file, UploadFile) else b""
    try:
        if data.startswith(b"SQLite format 3\0"):
            with TemporaryDirectory() as folder:
                copy = Path(folder) / "backup.db"
                copy.write_bytes(data)
                archive.restore(copy)
        elif data:
            archive.import_table(data.splitlines(keepends=True))
        else:
            return _storage_page(request, "Choose a file first.")
    except (Refusal, StoreError) as fault:
        return _storage_page(request, str(fault))
    return session.go_to(request, "/")


def _storage_page(request: Request, fault: str = "") -> HTMLResponse:
    tables = titles(session.context_of(request).store)
    status = REFUSED if fault else 200
    return rendering.page(request, "home/storage.html", status, tables=tables, fault=fault)


def _download(data: bytes, name: str, media_type: str) -> Response:
    return Response(data, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


# ---------------------------------------------------------------- several people at one screen


@seats.post("")
def pass_the_screen(request: Request, at: session.AtTable, seat: Annotated[str, Form(max_length=60)]) -> Response:
    """Give this browser another seat of the table, behind a curtain: nobody can go back to what was shown before."""
    if seat not in at.state.seats:
        raise HTTPException(404, NOTHING_HERE)
    auth = session.context_of(request).auth
    auth.give_seat(auth.device_secret(request), at.table, seat)
    return session.go_to(request, f"/t/{at.table}/curtain")


@seats.get("")
def curtain(request: Request, at: session.AtTable) -> HTMLResponse:
    """Cover everything until the person of this seat has the screen."""
    seat = at.state.seats[at.seat]
    return rendering.page(request, "people/curtain.html", table=at.table, name=at.state.name, seat=seat)


# ---------------------------------------------------------------- pictures

Reencode = Callable[[bytes, int, int], Awaitable[Any]]


async def reencoded(reencode: Reencode, data: bytes, side: int) -> bytes:
    """Let the browser make an untrusted picture anew as WebP, or refuse it and say what is wrong with it."""
    if kind_of(data) is None:
        raise Refusal("This is no PNG, JPEG, WebP or GIF picture.", code="not_a_picture", field="file")
    answer = await reencode(data, side, LARGEST_PICTURE)
    picture = answer.to_bytes() if answer else b""
    if not is_webp(picture):
        raise Refusal("This picture can't be read.", code="not_a_picture", field="file")
    return picture
