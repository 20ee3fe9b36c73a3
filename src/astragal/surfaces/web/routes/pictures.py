"""Pictures: serve them to seats that may see them, upload them, choose them for scenes, faces and handouts."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from msgspec import Struct
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
LONGEST_TITLE = 120
LONGEST_ALT = 300
SCENE = "scene"
PORTRAIT = "portrait"
KEEP = "keep"
SHOW = "show"
"""Uses of a picture: for a scene, a face, or a handout that is kept or shown at once."""
DRAWN = "drawn"
"""Chosen instead of a picture: the default one."""


class Choosing(Struct, frozen=True):
    """Use that a picture is chosen for, the folder of shipped pictures, and the reference of the current picture."""

    title: str
    folder: str = "plates"
    has: str = ""


def choosing(at: SeatSession, use: str) -> Choosing | None:
    """Describe the choice for a scene, a face or a handout. None if this seat can't give it a picture."""
    kind, _, subject = use.partition("-")
    state = at.state
    if kind == PORTRAIT and subject in state.characters:
        if not at.is_game_master and subject not in at.viewer.characters:
            return None
        title = f"A portrait of {state.characters[subject].name}"
        return Choosing(title, "portraits", portraits_of(state.cast.values())[subject])
    if not at.is_game_master:
        return None
    scene = state.scenes.get(subject) if kind == SCENE else None
    if scene:
        return Choosing(f"A picture for “{scene.title}”", has=plate_for(scene, state.setting.cover))
    return Choosing("Something to show") if use in (KEEP, SHOW) else None


@router.get("/for/{use}")
def choose(request: Request, at: AtTable, use: str) -> HTMLResponse:
    """The pictures to choose from, and a place to upload another."""
    return _form(request, at, use)


@router.get("/{digest}")
def picture(at: AtTable, digest: str) -> Response:
    """Serve an uploaded picture, if the seat may see something that refers to it."""
    image = at.host.album.seen(at.table, at.seat, digest)
    if image is None:
        raise HTTPException(404, NOTHING_HERE)
    return Response(image, media_type="image/webp", headers=HEADERS | {"ETag": f'"{digest[:32]}"'})


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
            inputs = {name: text for name, text in sent.items() if isinstance(text, str)}
    except TimeoutError:
        raise HTTPException(408, "This picture took too long to arrive, so nothing was done.") from None
    use = inputs.get("use", "")
    try:
        await run_in_threadpool(_check_form, at, use, inputs, has_upload=bool(data))
        side = side_for(is_portrait=use.startswith(PORTRAIT))
        safe_image = await context_of(request).reencode_picture(data, side) if data else b""
    except Refusal as refusal:
        return await run_in_threadpool(_refused, request, at, inputs, refusal)
    return await run_in_threadpool(_put_to_use, request, at, inputs, safe_image)


def _refused(request: Request, at: SeatSession, inputs: Mapping[str, str], refusal: Refusal) -> Response:
    use = inputs.get("use", "")
    if wants_json(request) or not use:
        return problem(request, REFUSED, refusal.sentence, code=refusal.code)
    return _form(request, at.refreshed(), use, fault=refusal.sentence, inputs=inputs)


def _put_to_use(request: Request, at: SeatSession, inputs: Mapping[str, str], safe_image: bytes) -> Response:
    """Keep an uploaded picture, if there is one, and give it or the chosen one to what the form is for."""
    use = inputs.get("use", "")
    chosen = inputs.get("picture", "")
    try:
        if safe_image:
            chosen = _kept(at, inputs, safe_image)
        _use(at, use, inputs, chosen)
    except Refusal as refusal:
        return _refused(request, at, inputs, refusal)
    if wants_json(request):
        return JSONResponse({"picture": chosen}, 201)
    return page(request, "pictures/done.html") if is_part(request) else go_to(request, f"/t/{at.table}")


def _kept(at: SeatSession, inputs: Mapping[str, str], safe_image: bytes) -> str:
    """Add an uploaded picture to the table's album and return its id."""
    outcome = at.host.album.add(at.table, at.seat, safe_image, title=_title(inputs), alt=_alt(inputs))
    return str(outcome.events[0].fields["picture"]["id"])


def _use(at: SeatSession, use: str, inputs: Mapping[str, str], chosen: str) -> None:
    """Give the command that puts the chosen picture to use."""
    kind, _, subject = use.partition("-")
    alt = _alt(inputs)
    fields: dict[str, Any] = {"picture": None if chosen == DRAWN else chosen, "alt": alt}
    if kind == PORTRAIT:
        at.act("set_portrait", {"who": subject, **fields})
    elif kind == SCENE:
        at.act("set_scene_picture", {"scene": subject, **fields})
    elif use in (KEEP, SHOW):
        handout = {
            "picture": chosen or None,
            "title": _title(inputs) or "A picture",
            "words": inputs.get("words", "").strip(),
            "show": use == SHOW,
            "alt": alt,
        }
        at.act("write_handout", handout)


def _title(inputs: Mapping[str, str]) -> str:
    return inputs.get("title", "").strip()[:LONGEST_TITLE]


def _alt(inputs: Mapping[str, str]) -> str:
    """What the picture shows, for those who can't see it."""
    return inputs.get("alt", "").strip()[:LONGEST_ALT]


def _check_form(at: SeatSession, use: str, inputs: Mapping[str, str], *, has_upload: bool) -> None:
    """Refuse a use that this seat has no right to, and a form that brings nothing: a handout may be words alone."""
    if use and choosing(at, use) is None:
        raise NoSuchThing("There is nothing here that you can give a picture.")
    sufficient = ("picture", "title", "words") if use in (KEEP, SHOW) else ("picture",)
    has_choice = bool(use) and any(inputs.get(name, "").strip() for name in sufficient)
    if not has_upload and not has_choice:
        raise Refusal("Choose a picture, or bring one.", code="bad_fields")


def _form(
    request: Request, at: SeatSession, use: str, *, fault: str = "", inputs: Mapping[str, str] | None = None
) -> HTMLResponse:
    """Show the form to choose or bring a picture for this use, with a fault and what was filled in, if any."""
    choice = choosing(at, use)
    if choice is None:
        raise HTTPException(404, NOTHING_HERE)
    shipped = PLATES if choice.folder == "plates" else PORTRAITS
    return alone_or_part(
        request,
        "pictures/choose.html",
        choice.title,
        REFUSED if fault else 200,
        at=at,
        choosing=choice,
        use=use,
        ours={f"{choice.folder}/{name}": picture.alt for name, picture in shipped.items()},
        fault=fault,
        said=inputs or {},
        drawn=DRAWN,
    )
