"""Scenes page: the story as a graph to walk, write, mark with save nodes and rewind."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from astragal.surfaces.web.forms.form import form_of, read_form
from astragal.surfaces.web.rendering import alone_or_part, page
from astragal.surfaces.web.session import AtTable, SeatSession, Sent, command_id, go_to
from astragal.surfaces.web.story.log import left_behind
from astragal.surfaces.web.story.scene_graph import SIZES, story_of
from astragal.table.commands.builtin import Rewind
from astragal.table.refusals import NoSuchThing, NotAllowed, OpensRolls, Refusal
from astragal.table.state.things import Way
from astragal.table.visibility.redact import plain
from astragal.wording import capitalised, in_words

MOST_WAYS = 4


WAY: Mapping[str, Any] = {"words": "", "way": Way.OPEN.value, "leads_to": ""}
DRAFT: Mapping[str, Any] = {"scene": "", "title": "", "hook": "", "action": "", "consequence": "", "save_node": False}


def draft_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fill the form of a scene: the fields of `write_scene`, empty by default, with rows for all ways on."""
    rows = [_filled(WAY, option) for option in fields.get("options") or ()]
    while len(rows) < MOST_WAYS:
        rows.append(dict(WAY))
    return {**_filled(DRAFT, fields), "rows": rows}


def _filled(defaults: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fields.get(name) or default for name, default in defaults.items()}


router = APIRouter(prefix="/t/{table}/scenes")

HERE = {
    "begin_scene",
    "improvise_scene",
    "end_scene",
    "discard_scene",
    "take_option",
    "open_option",
    "mark_save_node",
    "rewind",
}
"""Commands of this page."""
NEW = "+"
"""Value for an option that leads to a new scene."""
LONGEST_TITLE = 60
SHORT = Query(max_length=60)


@router.get("")
def scenes(
    request: Request, at: AtTable, scene: Annotated[str, SHORT] = "", write: Annotated[str, SHORT] = ""
) -> HTMLResponse:
    """The graph, one scene in full and, for the game master, the form of a scene."""
    writing = None
    if write and at.is_game_master:
        writing = draft_of({"scene": write, **plain(at.state.scenes[write])} if write in at.state.scenes else {})
    return _page(request, at, scene=scene, writing=writing)


@router.post("/do/{command}")
def do(request: Request, at: AtTable, command: str, sent: Sent) -> Response:
    """Give one of this page's commands, then show the graph again; after a rewind, the table."""
    if command not in HERE:
        raise NoSuchThing("That can't be done on this page.")
    fields = read_form(at.book.command(command), sent)
    try:
        at.act(command, fields, command_id=command_id(sent))
    except OpensRolls:
        form = form_of(at, command, fields)
        return alone_or_part(request, "forms/form.html", form.title, at=at, form=form, said="")
    except Refusal as refusal:
        return _page(request, at, faults=refusal.problems)
    return go_to(request, f"/t/{at.table}") if command == "rewind" else _back(request, at)


@router.post("/write")
def write(request: Request, at: AtTable, sent: Sent) -> Response:
    """Write or edit a scene; its ways on can lead to new scenes."""
    fields = read_form(at.book.command("write_scene"), sent)
    fields["options"] = fields.get("options") or []
    try:
        scene = _write_with_new_scenes(at, fields)
    except Refusal as refusal:
        draft = draft_of(fields)
        return _page(request, at, scene=draft["scene"], writing=draft, faults=refusal.problems)
    return _back(request, at, scene)


def _write_with_new_scenes(at: SeatSession, fields: Mapping[str, Any]) -> str:
    """Write a scene, then the new ones that its options lead to, and return its id.

    The scene comes first: if it is refused, none of the new ones is made.
    """
    options: list[dict[str, Any]] = fields["options"]
    open_ended = [{**option, "leads_to": None} if _leads_to_new(option) else option for option in options]
    scene = _written(at, {**fields, "options": open_ended})
    if not any(map(_leads_to_new, options)):
        return scene
    leading = []
    for option in options:
        if _leads_to_new(option):
            title = str(option.get("words", ""))[:LONGEST_TITLE]
            leading.append({**option, "leads_to": _written(at, {"title": title})})
        else:
            leading.append(option)
    _written(at, {**fields, "scene": scene, "options": leading})
    return scene


def _leads_to_new(option: Mapping[str, Any]) -> bool:
    return option.get("leads_to") == NEW


def _written(at: SeatSession, fields: dict[str, Any]) -> str:
    return str(at.act("write_scene", fields).events[0].fields["scene"])


@router.get("/rewind/{node}")
def show_rewind(request: Request, at: AtTable, node: str) -> HTMLResponse:
    """Ask before a rewind: what is left behind, and what each price would take."""
    if not at.is_game_master:
        raise NotAllowed("Only the game master goes back in the story.")
    if node not in at.state.nodes:
        raise NoSuchThing("There is no such save node on the way here.")
    prices = []
    for name, price in at.ruleset.prices.items():
        label = at.in_skin(in_words(at.teller.term(name)))
        prices.append((name, label, at.in_skin(price.doc)))
    first_price = next(iter(at.ruleset.prices), None)
    return page(
        request,
        "story/rewind.html",
        at=at,
        node=node,
        price=_price(at, node, first_price, 1) if first_price is not None else (),
        label=at.state.nodes[node],
        since=left_behind(at, node),
        prices=prices,
        fault="",
    )


@router.get("/rewind/{node}/price")
def show_price(
    request: Request,
    at: AtTable,
    node: str,
    price: Annotated[str, SHORT] = "",
    amount: Annotated[int, Query(ge=1, le=20)] = 1,
) -> HTMLResponse:
    """The price as the form is filled in now."""
    try:
        return page(request, "story/rewind_price.html", price=_price(at, node, price, amount), fault="")
    except Refusal as refusal:
        return page(request, "story/rewind_price.html", price=(), fault=refusal.sentence)


def _price(at: SeatSession, node: str, price: str, amount: int) -> tuple[str, ...]:
    """Say what a rewind would take at this price."""
    rewind = Rewind(node=node, price=price, amount=amount)
    return at.host.rewind_price(at.table, at.seat, rewind)[1:]


# ---------------------------------------------------------------- the page


def _page(
    request: Request,
    at: SeatSession,
    *,
    scene: str = "",
    writing: Mapping[str, Any] | None = None,
    faults: Sequence[str] = (),
) -> HTMLResponse:
    return page(
        request,
        "story/scenes.html",
        400 if faults else 200,
        at=at,
        story=story_of(at, scene),
        sizes=SIZES,
        writing=writing,
        new=NEW,
        cursor=at.host.latest(at.table, at.seat, most=1).cursor,
        faults=[capitalised(fault) for fault in faults],
    )


def _back(request: Request, at: SeatSession, scene: str = "") -> Response:
    address = f"/t/{at.table}/scenes"
    return go_to(request, f"{address}?scene={scene}" if scene else address)
