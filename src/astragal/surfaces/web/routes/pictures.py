"""Pictures: serve them to seats that may see them, upload them, choose them for scenes, faces and handouts."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from astragal.surfaces.shared.pictures import side_for
from astragal.surfaces.web.errors import NOTHING_HERE, REFUSED, TooFast, problem, wants_json
from astragal.surfaces.web.rendering import alone_or_part, is_part, page
from astragal.surfaces.web.session import AtTable, SeatSession, context_of, go_to
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.pictures import PLATES, PORTRAITS, plate_for, portraits_of

router = APIRouter(prefix="/t/{table}/pictures")

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Disposition": 'inline; filename="picture.webp"',
    "Content-Encoding": "identity",  # there is nothing left to compress
    "Cache-Control": "private, max-age=86400, immutable",
    "Vary": "Cookie",
}
LONGEST_FIELD = 64 * 1024
SCENE, PORTRAIT, KEEP, SHOW = "scene", "portrait", "keep", "show"
"""Uses of a picture: for a scene, a face, or a handout that is kept or shown at once."""
DRAWN = "drawn"
"""Chosen instead of a picture: the default one."""


@dataclass(frozen=True)
class Choosing:
    """Use that a picture is chosen for, the folder of shipped pictures, and the reference of the current picture."""

    title: str
    folder: str = "plates"
    has: str = ""


def choosing(at: SeatSession, use: str) -> Choosing | None:
    """Describe the choice for a scene, a face or a handout. None if this seat can't give it a picture."""
    what, _, which = use.partition("-")
    state = at.state
    if what == PORTRAIT and which in state.characters:
        may = at.is_game_master or which in at.viewer.characters
        title = f"A portrait of {state.characters[which].name}"
        return Choosing(title, "portraits", portraits_of(state.cast.values())[which]) if may else None
    if not at.is_game_master:
        return None
    if scene := state.scenes.get(which) if what == SCENE else None:
        return Choosing(f"A picture for “{scene.title}”", has=plate_for(scene, state.setting.cover))
    return Choosing("Something to show") if use in (KEEP, SHOW) else None


@router.get("/for/{use}")
def choose(request: Request, at: AtTable, use: str) -> HTMLResponse:
    """The pictures to choose from, and a place to upload another."""
    return _form(request, at, use)


@router.get("/{digest}")
def picture(at: AtTable, digest: str) -> Response:
    """Serve an uploaded picture, if the seat may see something that refers to it."""
    found = at.host.album.seen(at.table, at.seat, digest)
    if found is None:
        raise HTTPException(404, NOTHING_HERE)
    return Response(found, media_type="image/webp", headers=HEADERS | {"ETag": f'"{digest[:32]}"'})


@router.post("/{picture}/remove")
def remove(request: Request, at: AtTable, picture: str, use: Annotated[str, Query(max_length=60)]) -> Response:
    """Remove an uploaded picture for good, and show the choice again without it."""
    fault = ""
    try:
        at.act("remove_picture", {"picture": picture})
    except Refusal as refusal:
        fault = refusal.sentence
    return _form(request, at.refreshed(), use, fault=fault)


@router.post("")
async def bring(request: Request, at: AtTable) -> Response:
    """Upload a picture, or choose one, and put it to use. The body is read only after the sender's seat is known."""
    if seconds := context_of(request).upload_paces.wait(at.admission or at.seat):
        raise TooFast(seconds)
    try:
        async with (
            asyncio.timeout(context_of(request).settings.limits.body_within),
            request.form(max_files=1, max_fields=8, max_part_size=LONGEST_FIELD) as sent,
        ):
            file = sent.get("file")
            data = await file.read() if isinstance(file, UploadFile) else b""
            said = {name: value for name, value in sent.items() if isinstance(value, str)}
    except TimeoutError:
        raise HTTPException(408, "This picture took too long to arrive, so nothing was done.") from None
    try:
        await run_in_threadpool(_check_form, at, said, has_upload=bool(data))
        side = side_for(is_portrait=said.get("use", "").startswith(PORTRAIT))
        safe = await context_of(request).reencode_picture(data, side) if data else b""
    except Refusal as refusal:
        return await run_in_threadpool(_refused, request, at, said, refusal)
    return await run_in_threadpool(_brought, request, at, said, safe)


def _refused(request: Request, at: SeatSession, said: dict[str, str], refusal: Refusal) -> Response:
    use = said.get("use", "")
    if wants_json(request) or not use:
        return problem(request, REFUSED, refusal.sentence, code=refusal.code)
    return _form(request, at.refreshed(), use, fault=refusal.sentence, said=said)


def _brought(request: Request, at: SeatSession, said: dict[str, str], safe: bytes) -> Response:
    use, title, alt = said.get("use", ""), said.get("title", "").strip()[:120], said.get("alt", "").strip()[:300]
    chosen = said.get("picture", "")
    try:
        if safe:
            kept = at.host.album.add(at.table, at.seat, safe, title=title, alt=alt)
            chosen = str(kept.events[0].fields["picture"]["id"])
        what, _, which = use.partition("-")
        fields: dict[str, Any] = {"picture": None if chosen == DRAWN else chosen, "alt": alt}
        if what == PORTRAIT:
            at.act("set_portrait", {"who": which, **fields})
        elif what == SCENE:
            at.act("set_scene_picture", {"scene": which, **fields})
        elif use in (KEEP, SHOW):
            words = said.get("words", "").strip()
            handout = {"title": title or "A picture", "words": words, "show": use == SHOW, "alt": alt}
            at.act("write_handout", {"picture": chosen or None, **handout})
    except Refusal as refusal:
        return _refused(request, at, said, refusal)
    if wants_json(request):
        return JSONResponse({"picture": chosen}, 201)
    return page(request, "pictures/done.html") if is_part(request) else go_to(request, f"/t/{at.table}")


def _check_form(at: SeatSession, said: dict[str, str], *, has_upload: bool) -> None:
    """Refuse a use that this seat has no right to, and a form that brings nothing: a handout may be words alone."""
    use = said.get("use", "")
    if use and choosing(at, use) is None:
        raise NoSuchThing("There is nothing here that you can give a picture.")
    enough = ("picture", "title", "words") if use in (KEEP, SHOW) else ("picture",)
    has_choice = bool(use) and any(said.get(name, "").strip() for name in enough)
    if not has_upload and not has_choice:
        raise Refusal("Choose a picture, or bring one.", code="bad_fields")


def _form(
    request: Request, at: SeatSession, use: str, *, fault: str = "", said: dict[str, str] | None = None
) -> HTMLResponse:
    found = choosing(at, use)
    if found is None:
        raise HTTPException(404, NOTHING_HERE)
    shipped = PLATES if found.folder == "plates" else PORTRAITS
    ours = {f"{found.folder}/{name}": one.alt for name, one in shipped.items()}
    shown = {"choosing": found, "use": use, "ours": ours, "fault": fault, "said": said or {}, "drawn": DRAWN}
    return alone_or_part(request, "pictures/choose.html", found.title, REFUSED if fault else 200, at=at, **shown)
