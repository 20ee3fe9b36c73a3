"""People page: links, devices, tokens and webhooks of each seat; and joining, which takes a seat by a link."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.shared.ai_seats import AiActivity
from astragal.surfaces.web import errors, webhooks
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.rendering import page, qr_svg
from astragal.surfaces.web.routes.home import reach, secret_in
from astragal.surfaces.web.security.auth import digest, remember_device
from astragal.surfaces.web.session import AtTable, SeatChains, SeatSession, by_game_master, chains_of, context_of, go_to
from astragal.surfaces.web.table.pictures import Face
from astragal.surfaces.web.table.sheet import Sheet, sheet_of
from astragal.table.chapters.seats import find_seat
from astragal.table.declarations import Role, Seat
from astragal.table.log.store import Pass, PassKind, title_of
from astragal.table.refusals import NotAllowed, Refusal

router = APIRouter(prefix="/t/{table}/people")

Text = Annotated[str, Form()]
Ticked = Annotated[bool, Form()]


class Placed(Struct, frozen=True):
    """A seat with its links, devices and tokens."""

    seat: Seat
    here: bool
    heroes: tuple[str, ...]
    invitation: Pass | None
    """The unused link, if there is one."""
    devices: int
    tokens: tuple[Pass, ...]
    chains: SeatChains


class Shown(Struct, frozen=True):
    """A new secret, shown once."""

    seat: str
    kind: str
    text: str
    qr: Markup | None = None


ByGameMaster = Annotated[SeatSession, by_game_master("Only the game master hands out seats.")]


def with_faults(route: Callable[..., Response]) -> Callable[..., Response]:
    """Decorate a route to show the page again, with the refusal, if the route refuses."""

    @wraps(route)
    def route_or_page(request: Request, at: SeatSession, **inputs: Any) -> Response:
        try:
            return route(request=request, at=at, **inputs)
        except Refusal as refusal:
            return _page(request, at, fault=refusal.sentence)

    return route_or_page


@router.get("")
def people(request: Request, at: AtTable) -> HTMLResponse:
    return _page(request, at)


# ---------------------------------------------------------------- seats


@router.post("/add")
@with_faults
def add(
    request: Request, at: ByGameMaster, name: Text = "", role: Text = Role.PLAYER.value, ai: Ticked = False
) -> Response:
    """Add a seat, with its link or token."""
    outcome = at.act("take_seat", {"name": name.strip(), "role": role, "ai": ai})
    seat = outcome.events[0].fields["seat"]["id"]
    fresh = at.refreshed()
    secret = _token(fresh, seat) if ai else _invited(fresh, seat)
    return _page(request, fresh, secret)


@router.post("/remove")
@with_faults
def remove(request: Request, at: AtTable, seat: Text = "") -> Response:
    """Remove a seat with its links, devices, tokens and open pages."""
    context = at.context
    at.act("leave_seat", {"seat": seat})
    context.auth.passes.revoke_seat(at.table, seat, context.auth.clock())
    context.hub.cut(at.table, seat)
    return go_to(request, "/") if seat == at.seat else _back(request, at)


@router.post("/hand-over")
@with_faults
def hand_over(request: Request, at: ByGameMaster, seat: Text = "") -> Response:
    at.act("hand_over", {"seat": seat})
    return _back(request, at)


@router.post("/stand-in")
@with_faults
def stand_in(request: Request, at: AtTable, seat: Text = "", by: Text = "") -> Response:
    at.act("name_stand_in", {"seat": seat, "stand_in": by or None})
    return _back(request, at)


@router.post("/rename")
@with_faults
def rename(request: Request, at: AtTable, seat: Text = "", name: Text = "") -> Response:
    at.act("rename_seat", {"seat": seat, "name": name.strip()})
    return _back(request, at)


# ---------------------------------------------------------------- ways in


@router.post("/invite")
def invite(request: Request, at: ByGameMaster, seat: Text = "") -> HTMLResponse:
    """Make a new link to a seat. An unused older one ends; devices stay signed in."""
    return _page(request, at, _invited(at, seat))


@router.post("/table-link")
def make_table_link(request: Request, at: ByGameMaster) -> Response:
    """Make a new link to the whole table. An older one ends, but people who came by it keep their seats."""
    at.context.auth.renew_table_link(at.table)
    return _back(request, at)


@router.post("/withdraw-table-link")
def withdraw_table_link(request: Request, at: ByGameMaster) -> Response:
    at.context.auth.withdraw_table_link(at.table)
    return _back(request, at)


@router.post("/withdraw")
def withdraw(request: Request, at: ByGameMaster, seat: Text = "") -> Response:
    """Revoke the unused link."""
    _revoke(at, seat, PassKind.INVITATION)
    return _back(request, at)


@router.post("/sign-out")
def sign_out(request: Request, at: AtTable, seat: Text = "") -> Response:
    """Sign out all devices of a seat: of your own or, for the game master, of any."""
    if seat != at.seat and not at.is_game_master:
        raise NotAllowed("Only the game master can sign out somebody else’s devices.")
    _revoke(at, seat, PassKind.SEAT)
    at.context.hub.cut(at.table, seat)
    return go_to(request, "/") if seat == at.seat else _back(request, at)


@router.post("/token")
def issue_token(
    request: Request, at: ByGameMaster, seat: Text = "", copilot: Ticked = False, open_secrets: Ticked = False
) -> HTMLResponse:
    """Make a token for a program at one seat of this table."""
    return _page(request, at, _token(at, seat, copilot=copilot, open_secrets=open_secrets))


@router.post("/revoke-token")
def revoke_token(request: Request, at: ByGameMaster, token: Text = "") -> Response:
    auth = at.context.auth
    tokens = {stored.digest for stored in auth.passes.of_table(at.table) if stored.kind is PassKind.TOKEN}
    if token in tokens:
        auth.passes.revoke(token, auth.clock())
    return _back(request, at)


# ---------------------------------------------------------------- webhooks of your own seat


def webhooks_of(at: AtTable) -> webhooks.Webhooks:
    hooks = at.context.webhooks
    if hooks is None or at.own.role is Role.SPECTATOR:
        raise NotAllowed("Webhooks are for those who play here.")
    return hooks


Hooks = Annotated[webhooks.Webhooks, Depends(webhooks_of)]
Hook = Annotated[str, Form(max_length=100)]


@router.post("/webhook")
@with_faults
def add_webhook(
    request: Request, at: AtTable, hooks: Hooks, address: Annotated[str, Form(max_length=300)] = ""
) -> Response:
    """Send what this seat sees to another program; its secret is shown once."""
    is_owner = at.context.auth.owner(request) is not None
    webhook = hooks.add(at.table, at.seat, address.strip(), by_owner=is_owner)
    return _page(request, at, Shown(at.seat, "webhook", webhook.secret))


@router.post("/test-webhook")
@with_faults
def try_webhook(request: Request, at: AtTable, hooks: Hooks, webhook: Hook = "") -> Response:
    hooks.test(hooks.find(at.table, at.seat, webhook))
    return _back(request, at, "#webhooks")


@router.post("/remove-webhook")
def remove_webhook(request: Request, at: AtTable, hooks: Hooks, webhook: Hook = "") -> Response:
    hooks.remove(hooks.find(at.table, at.seat, webhook))
    return _back(request, at, "#webhooks")


# ---------------------------------------------------------------- internals


def _page(request: Request, at: SeatSession, new_secret: Shown | None = None, fault: str = "") -> HTMLResponse:
    context = at.context
    is_owner = context.auth.owner(request) is not None
    table_secret = context.auth.table_link(at.table) if at.is_game_master else ""
    has_hidden_link = at.is_game_master and not table_secret and bool(context.auth.table_links(at.table))
    table_link = _link(at, "", table_secret, "Link to the table") if table_secret else None
    models = context.ai.models() if is_owner and context.ai else None
    own_webhooks = None
    if context.webhooks and at.own.role is not Role.SPECTATOR:
        own_webhooks = context.webhooks.at(at.table, at.seat)
    return page(
        request,
        "people/people.html",
        errors.REFUSED if fault else 200,
        at=at,
        placed=_placed(at),
        shown=new_secret,
        fault=fault,
        cursor=at.host.latest(at.table, at.seat, most=1).cursor,
        address=context.settings.address,
        whole=table_link,
        has_hidden_link=has_hidden_link,
        reach=reach(request),
        ai=at.ai,
        models=models,
        is_owner=is_owner,
        webhooks=own_webhooks,
    )


def _link(at: SeatSession, seat: str, secret: str, label: str) -> Shown:
    settings = at.context.settings
    link = f"{settings.address}/join#{secret}"
    return Shown(seat, "link", link, qr_svg(link, label) if settings.is_shared else None)


def _placed(at: SeatSession) -> Iterator[Placed]:
    """List all seats. The game master sees the links, devices and tokens of each, others only their own."""
    auth = at.context.auth
    ledger = at.host.ledger_state(at.table, at.seat)
    moment = auth.clock()
    valid_passes = [stored for stored in auth.passes.of_table(at.table) if stored.is_good(moment)]
    occupied = _occupied_seats(at)
    for seat in at.state.seats.values():
        passes: list[Pass] = []
        if at.is_game_master or seat.id == at.seat:
            passes = [stored for stored in valid_passes if stored.seat == seat.id]
        yield Placed(
            seat=seat,
            here=seat.id in occupied,
            heroes=heroes_of(at, seat.id),
            invitation=next((stored for stored in passes if stored.kind is PassKind.INVITATION), None),
            devices=sum(stored.kind is PassKind.SEAT for stored in passes),
            tokens=tuple(stored for stored in passes if stored.kind is PassKind.TOKEN),
            chains=chains_of(ledger, seat.id, at.state.game_master),
        )


def _occupied_seats(at: SeatSession) -> set[str]:
    """Return the seats of people who are connected, and of AIs that are at work."""
    working_ais = (ai.seat for ai in at.ai if ai.doing not in (AiActivity.STOPPED, AiActivity.GONE))
    return {at.seat, *at.present, *working_ais}


def _invited(at: SeatSession, seat: str) -> Shown:
    name = find_seat(at.state, seat).name
    _revoke(at, seat, PassKind.INVITATION)
    secret = at.context.auth.issue(PassKind.INVITATION, at.table, seat)
    return _link(at, seat, secret, f"Link to the seat of {name}")


def _token(at: SeatSession, seat: str, **options: bool) -> Shown:
    find_seat(at.state, seat)
    return Shown(seat, "token", at.context.auth.issue(PassKind.TOKEN, at.table, seat, options))


def _revoke(at: SeatSession, seat: str, kind: PassKind) -> None:
    auth = at.context.auth
    auth.passes.revoke_seat(at.table, seat, auth.clock(), [kind])


def _back(request: Request, at: SeatSession, part: str = "") -> Response:
    return go_to(request, f"/t/{at.table}/people{part}")


joining = APIRouter(prefix="/join")

USED_UP = (
    "This link is no longer valid: it was used, withdrawn or replaced, or has expired. "
    "Ask the game master for a new one."
)


@joining.get("")
def ask_for_link(request: Request) -> HTMLResponse:
    """Ask for the link: its secret is in the fragment, so a script sends it, or a person pastes it."""
    return page(request, "people/join.html")


@joining.post("")
def look(request: Request, link: Text = "") -> Response:
    """Show table and seat before anything is taken. Looking does not use the link up."""
    auth = context_of(request).auth
    secret = secret_in(link)
    invitation = auth.find(secret, PassKind.INVITATION)
    if invitation is None:
        return _taken_here_before(request, secret)
    held = auth.held(request, invitation.table or "")
    if invitation.seat is None:
        if held:
            return go_to(request, f"/t/{held.table}")
        return _free_seats(request, invitation, secret)
    at = _seat(request, invitation, invitation.seat)
    present_seat = at.state.seats.get(held.seat or "") if held else None
    return page(request, "people/take_seat.html", at=at, secret=secret, other=present_seat)


@joining.post("/take")
def take(request: Request, link: Text = "", name: Text = "", seat: Text = "") -> Response:
    """Take a seat: this device has it from now on. A link to one seat is used up, a link to the table is not."""
    context = context_of(request)
    secret = secret_in(link)
    name = name.strip()
    auth = context.auth
    invitation = auth.find(secret, PassKind.INVITATION)
    if invitation is None:
        return _taken_here_before(request, secret)
    if invitation.seat is None:
        free_ids = {free.seat.id for free in free_seats(request, invitation.table or "")}
        if seat not in free_ids:
            fault = "Somebody was faster; choose another seat." if seat else "Choose a seat."
            return _free_seats(request, invitation, secret, name=name, fault=fault)
    at = _seat(request, invitation, invitation.seat or seat)
    if name and name != at.own.name:
        try:
            at.act("rename_seat", {"seat": at.seat, "name": name})
        except Refusal as refusal:
            fault = refusal.sentence
            if invitation.seat is None:
                return _free_seats(request, invitation, secret, seat=seat, name=name, fault=fault)
            return page(
                request,
                "people/take_seat.html",
                errors.REFUSED,
                at=at,
                secret=secret,
                other=None,
                name=name,
                fault=fault,
            )
    device = auth.device_secret(request)
    if invitation.seat:
        is_seated = auth.sit_down(secret, device)
    else:
        is_seated = auth.take_free_seat(secret, at.seat, device)
    if not is_seated:
        raise HTTPException(410, USED_UP)
    answer = go_to(request, f"/t/{at.table}")
    remember_device(answer, context.settings, device)
    return answer


class FreeSeat(NamedTuple):
    """A seat that nobody has, with the sheets of the heroes that wait there."""

    seat: Seat
    heroes: tuple[Sheet, ...]


def free_seats(request: Request, table: str) -> list[FreeSeat]:
    """List the players' seats that are free and have no link of their own."""
    context = context_of(request)
    taken_seats = context.auth.taken_seats(table)
    seats = context.host.seats(table).values()
    viewers = [seat.id for seat in seats if seat.role is not Role.GAME_MASTER]
    free = []
    for seat in seats:
        if seat.role is Role.PLAYER and not seat.ai and seat.id not in taken_seats:
            heroes = tuple(_introduced(context, table, seat, viewers))
            free.append(FreeSeat(seat, heroes))
    return free


def _introduced(context: WebContext, table: str, seat: Seat, viewers: list[str]) -> Iterator[Sheet]:
    """Sheets of a seat's heroes as others see them, for someone without a seat, who may not see uploaded pictures.

    They are drawn for another of the `viewers`, which are seats; if there is none, they show the names alone.
    """
    viewer = next((viewer for viewer in viewers if viewer != seat.id), None)
    at = SeatSession(context, table, viewer or seat.id)
    for character in at.state.characters.values():
        if character.seat != seat.id:
            continue
        sheet = sheet_of(at, character) if viewer else Sheet(name=character.name)
        if sheet.face is not None and sheet.face.address.startswith("/static/"):  # a shipped picture
            yield sheet
        else:
            yield replace(sheet, face=Face(character.name, ""))


def heroes_of(at: SeatSession, seat: str) -> tuple[str, ...]:
    """The names of a seat's heroes."""
    return tuple(character.name for character in at.state.characters.values() if character.seat == seat)


def _free_seats(
    request: Request, invitation: Pass, secret: str, *, seat: str = "", name: str = "", fault: str = ""
) -> Response:
    """Page to choose a free seat, or the hero that waits there, for someone who comes by the table's link."""
    table = invitation.table or ""
    try:
        free = free_seats(request, table)
        title = title_of(context_of(request).store, table)
    except Refusal as refusal:  # the table is gone
        raise HTTPException(410, USED_UP) from refusal
    first_seat = free[0].seat.id if free else ""
    return page(
        request,
        "people/pick_seat.html",
        errors.REFUSED if fault else 200,
        free=free,
        title=title,
        secret=secret,
        chosen=seat or first_seat,
        name=name,
        fault=fault,
    )


def _seat(request: Request, invitation: Pass, seat: str) -> SeatSession:
    at = SeatSession(context_of(request), invitation.table or "", seat)
    with suppress(Refusal):
        if at.state.seats:
            return at
    raise HTTPException(410, USED_UP)


def _taken_here_before(request: Request, secret: str) -> Response:
    """Redirect someone who follows their own used link to their seat."""
    auth = context_of(request).auth
    used_link = auth.passes.find(digest(secret))
    if used_link is not None and used_link.table:
        held = auth.held(request, used_link.table)
        if held is not None and held.seat == used_link.seat:
            return go_to(request, f"/t/{held.table}")
    raise HTTPException(410, USED_UP)
