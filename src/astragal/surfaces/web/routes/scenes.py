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

    def filled(usual: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
        return {name: said.get(name) or value for name, value in usual.items()}

    ways = [filled(WAY, one) for one in fields.get("options") or ()]
    return {**filled(DRAFT, fields), "rows": [*ways, *([WAY] * (MOST_WAYS - len(ways)))]}


router = APIRouter(prefix="/t/{table}/scenes")

HERE = {"begin_scene", "improvise_scene", "end_scene", "discard_scene", "take_option", "open_option"}
HERE |= {"mark_save_node", "rewind"}
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
    options: list[dict[str, Any]] = fields["options"]
    known = [one if one.get("leads_to") != NEW else {**one, "leads_to": None} for one in options]
    try:
        # Write the scene before the new ones that it leads to: if it is refused, none of them is made.
        scene = _written(at, {**fields, "options": known})
        if known != options:
            led = [
                {**one, "leads_to": _written(at, {"title": str(one.get("words", ""))[:LONGEST_TITLE]})}
                if one.get("leads_to") == NEW
                else one
                for one in options
            ]
            _written(at, {**fields, "scene": scene, "options": led})
    except Refusal as refusal:
        draft = draft_of(fields)
        return _page(request, at, scene=draft["scene"], writing=draft, faults=refusal.problems)
    return _back(request, at, scene)


def _written(at: SeatSession, fields: dict[str, Any]) -> str:
    return str(at.act("write_scene", fields).events[0].fields["scene"])


@router.get("/rewind/{node}")
def show_rewind(request: Request, at: AtTable, node: str) -> HTMLResponse:
    """Ask before a rewind: what is left behind, and what each price would take."""
    if not at.is_game_master:
        raise NotAllowed("Only the game master goes back in the story.")
    if node not in at.state.nodes:
        raise NoSuchThing("There is no such save node on the way here.")
    prices = [
        (name, at.in_skin(in_words(at.teller.term(name))), at.in_skin(price.doc))
        for name, price in at.ruleset.prices.items()
    ]
    shown: dict[str, Any] = {
        "label": at.state.nodes[node],
        "since": left_behind(at, node),
        "prices": prices,
        "fault": "",
    }
    first = _price(at, node, prices[0][0], 1) if prices else ()
    return page(request, "story/rewind.html", at=at, node=node, price=first, **shown)


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
    return at.host.rewind_price(at.table, at.seat, Rewind(node=node, price=price, amount=amount))[1:]


# ---------------------------------------------------------------- the page


def _page(
    request: Request,
    at: SeatSession,
    *,
    scene: str = "",
    writing: Mapping[str, Any] | None = None,
    faults: Sequence[str] = (),
) -> HTMLResponse:
    shown: dict[str, Any] = {"story": story_of(at, scene), "sizes": SIZES, "writing": writing, "new": NEW}
    shown |= {"cursor": at.host.latest(at.table, at.seat, most=1).cursor, "faults": [*map(capitalised, faults)]}
    return page(request, "story/scenes.html", 400 if faults else 200, at=at, **shown)


def _back(request: Request, at: SeatSession, scene: str = "") -> Response:
    address = f"/t/{at.table}/scenes"
    return go_to(request, f"{address}?scene={scene}" if scene else address)
