"""People page: links, devices, tokens and webhooks of each seat; and how somebody takes a seat by a link."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from astragal.surfaces.shared.ai_seats import Doing
from astragal.surfaces.web.errors import REFUSED
from astragal.surfaces.web.rendering import page, qr_svg
from astragal.surfaces.web.routes.home import reach, secret_in
from astragal.surfaces.web.security.auth import digest, forget, remember_seat, seat_cookie
from astragal.surfaces.web.session import AtTable, SeatChains, SeatSession, chains_of, context_of, go_to
from astragal.surfaces.web.table.starter import table_link
from astragal.surfaces.web.webhooks import Webhooks
from astragal.table.chapters.seats import find_seat
from astragal.table.declarations import Role, Seat
from astragal.table.log.store import Pass, PassKind, title_of
from astragal.table.refusals import NotAllowed, Refusal

router = APIRouter(prefix="/t/{table}/people")

SeatGiven = Annotated[str, Form()]


@dataclass(frozen=True)
class Placed:
    """A seat with its links, devices and tokens."""

    seat: Seat
    here: bool
    heroes: tuple[str, ...]
    invitation: Pass | None
    """The unused link, if there is one."""
    devices: int
    tokens: tuple[Pass, ...]
    chains: SeatChains


@dataclass(frozen=True)
class Shown:
    """A new secret, shown once."""

    seat: str
    kind: str
    text: str
    qr: Markup | None = None


def game_masters(at: AtTable) -> SeatSession:
    """Only the game master may hand out seats."""
    if not at.is_game_master:
        raise NotAllowed("Only the game master hands out seats.")
    return at


ByGameMaster = Annotated[SeatSession, Depends(game_masters)]


@router.get("")
def people(request: Request, at: AtTable) -> HTMLResponse:
    return _page(request, at)


# ---------------------------------------------------------------- seats


@router.post("/add")
def add(
    request: Request,
    at: ByGameMaster,
    name: Annotated[str, Form()] = "",
    role: Annotated[str, Form()] = Role.PLAYER.value,
    ai: Annotated[bool, Form()] = False,
) -> Response:
    """Add a seat, with its link or token."""
    try:
        taken = at.act("take_seat", {"name": name.strip(), "role": role, "ai": ai})
    except Refusal as refusal:
        return _page(request, at, fault=refusal.sentence)
    seat = taken.events[0].fields["seat"]["id"]
    fresh = at.anew()
    shown = _token(request, fresh, seat) if ai else _invited(request, fresh, seat)
    return _page(request, fresh, shown)


@router.post("/remove")
def remove(request: Request, at: AtTable, seat: SeatGiven = "") -> Response:
    """Remove a seat with its links, devices, tokens and open pages."""
    context = context_of(request)
    try:
        at.act("leave_seat", {"seat": seat})
    except Refusal as refusal:
        return _page(request, at, fault=refusal.sentence)
    context.auth.passes.revoke_seat(at.table, seat, context.auth.clock())
    context.hub.cut(at.table, seat)
    return _gone(request, at) if seat == at.seat else _back(request, at)


@router.post("/hand-over")
def hand_over(request: Request, at: ByGameMaster, seat: SeatGiven = "") -> Response:
    return _done(request, at, "hand_over", seat=seat)


@router.post("/stand-in")
def stand_in(request: Request, at: AtTable, seat: SeatGiven = "", by: Annotated[str, Form()] = "") -> Response:
    return _done(request, at, "name_stand_in", seat=seat, stand_in=by or None)


@router.post("/rename")
def rename(request: Request, at: AtTable, seat: SeatGiven = "", name: Annotated[str, Form()] = "") -> Response:
    return _done(request, at, "rename_seat", seat=seat, name=name.strip())


# ---------------------------------------------------------------- ways in


@router.post("/invite")
def invite(request: Request, at: ByGameMaster, seat: SeatGiven = "") -> HTMLResponse:
    """Make a new link to a seat. An unused older one ends; devices stay signed in."""
    return _page(request, at, _invited(request, at, seat))


@router.post("/table-link")
def make_table_link(request: Request, at: ByGameMaster) -> Response:
    """Make a new link to the whole table. An older one ends; who came by it stays."""
    table_link(context_of(request), at.table, anew=True)
    return _back(request, at)


@router.post("/withdraw-table-link")
def withdraw_table_link(request: Request, at: ByGameMaster) -> Response:
    context = context_of(request)
    context.auth.withdraw_table_link(at.table)
    context.table_links.pop(at.table, None)
    return _back(request, at)


@router.post("/withdraw")
def withdraw(request: Request, at: ByGameMaster, seat: SeatGiven = "") -> Response:
    """Revoke the unused link."""
    _revoke(request, at, seat, PassKind.INVITATION)
    return _back(request, at)


@router.post("/sign-out")
def sign_out(request: Request, at: AtTable, seat: SeatGiven = "") -> Response:
    """Sign out all devices of a seat: of your own or, for the game master, of any."""
    if seat != at.seat and not at.is_game_master:
        raise NotAllowed("Only the game master can sign out somebody else’s devices.")
    _revoke(request, at, seat, PassKind.SEAT)
    context_of(request).hub.cut(at.table, seat)
    return _gone(request, at) if seat == at.seat else _back(request, at)


@router.post("/token")
def issue_token(
    request: Request,
    at: ByGameMaster,
    seat: SeatGiven = "",
    copilot: Annotated[bool, Form()] = False,
    open_secrets: Annotated[bool, Form()] = False,
) -> HTMLResponse:
    """Make a token for a program at one seat of this table."""
    return _page(request, at, _token(request, at, seat, copilot=copilot, open_secrets=open_secrets))


@router.post("/revoke-token")
def revoke_token(request: Request, at: ByGameMaster, token: Annotated[str, Form()] = "") -> Response:
    auth = context_of(request).auth
    if any(one.digest == token and one.kind is PassKind.TOKEN for one in auth.passes.of_table(at.table)):
        auth.passes.revoke(token, auth.clock())
    return _back(request, at)


# ---------------------------------------------------------------- webhooks of one's own seat


def webhooks_of(request: Request, at: AtTable) -> Webhooks:
    found = context_of(request).webhooks
    if found is None or at.own.role is Role.SPECTATOR:
        raise NotAllowed("Webhooks are for those who play here.")
    return found


Hooks = Annotated[Webhooks, Depends(webhooks_of)]
Hook = Annotated[str, Form(max_length=100)]


@router.post("/webhook")
def add_webhook(
    request: Request, at: AtTable, hooks: Hooks, address: Annotated[str, Form(max_length=300)] = ""
) -> Response:
    """Send what this seat sees to another program; its secret is shown once."""
    is_owner = context_of(request).auth.owner(request) is not None
    try:
        made = hooks.add(at.table, at.seat, address.strip(), by_owner=is_owner)
    except Refusal as refusal:
        return _page(request, at, fault=refusal.sentence)
    return _page(request, at, Shown(at.seat, "webhook", made.secret))


@router.post("/test-webhook")
def try_webhook(request: Request, at: AtTable, hooks: Hooks, webhook: Hook = "") -> Response:
    try:
        hooks.test(hooks.find(at.table, at.seat, webhook))
    except Refusal as refusal:
        return _page(request, at, fault=refusal.sentence)
    return go_to(request, f"/t/{at.table}/people#webhooks")


@router.post("/remove-webhook")
def remove_webhook(request: Request, at: AtTable, hooks: Hooks, webhook: Hook = "") -> Response:
    hooks.remove(hooks.find(at.table, at.seat, webhook))
    return go_to(request, f"/t/{at.table}/people#webhooks")


# ---------------------------------------------------------------- how it is done


def _page(request: Request, at: SeatSession, shown: Shown | None = None, fault: str = "") -> HTMLResponse:
    context, whole = context_of(request), None
    ai, hooks, is_owner = context.ai, context.webhooks, context.auth.owner(request) is not None
    secret = context.table_links.get(at.table, "")
    if at.is_game_master and context.auth.find(secret, PassKind.INVITATION):  # the link to the table, while it is good
        whole = _link(request, "", secret, "Link to the table")
    return page(
        request,
        "people/people.html",
        REFUSED if fault else 200,
        at=at,
        placed=_placed(request, at),
        shown=shown,
        fault=fault,
        cursor=at.host.latest(at.table, at.seat, most=1).cursor,
        address=context.settings.address,
        whole=whole,
        reach=reach(request),
        ai=at.ai,
        models=ai.models() if is_owner and ai else None,
        is_owner=is_owner,
        webhooks=hooks.at(at.table, at.seat) if hooks and at.own.role is not Role.SPECTATOR else None,
    )


def _link(request: Request, seat: str, secret: str, label: str) -> Shown:
    settings = context_of(request).settings
    link = f"{settings.address}/join#{secret}"
    return Shown(seat, "link", link, qr_svg(link, label) if settings.is_shared else None)


def _placed(request: Request, at: SeatSession) -> list[Placed]:
    """All seats. Links, devices and tokens are listed for the game master, and for everybody their own."""
    auth = context_of(request).auth
    now = auth.clock()
    good = [one for one in auth.passes.of_table(at.table) if one.is_good(now)]
    found, ledger = [], at.host.standing(at.table, at.seat)
    here = {at.seat, *at.present, *(one.seat for one in at.ai if one.doing not in (Doing.STOPPED, Doing.GONE))}
    for seat in at.state.seats.values():
        mine = [one for one in good if one.seat == seat.id and (at.is_game_master or seat.id == at.seat)]
        found.append(
            Placed(
                seat=seat,
                here=seat.id in here,
                heroes=heroes_of(at, seat.id),
                invitation=next((one for one in mine if one.kind is PassKind.INVITATION), None),
                devices=sum(one.kind is PassKind.SEAT for one in mine),
                tokens=tuple(one for one in mine if one.kind is PassKind.TOKEN),
                chains=chains_of(ledger, seat.id, at.state.game_master),
            )
        )
    return found


def _invited(request: Request, at: SeatSession, seat: str) -> Shown:
    name = find_seat(at.state, seat).name
    _revoke(request, at, seat, PassKind.INVITATION)
    secret = context_of(request).auth.issue(PassKind.INVITATION, at.table, seat)
    return _link(request, seat, secret, f"Link to the seat of {name}")


def _token(request: Request, at: SeatSession, seat: str, **options: bool) -> Shown:
    find_seat(at.state, seat)
    return Shown(seat, "token", context_of(request).auth.issue(PassKind.TOKEN, at.table, seat, options))


def _revoke(request: Request, at: SeatSession, seat: str, kind: PassKind) -> None:
    auth = context_of(request).auth
    auth.passes.revoke_seat(at.table, seat, auth.clock(), [kind])


def _done(request: Request, at: SeatSession, command: str, **fields: str | None) -> Response:
    try:
        at.act(command, fields)
    except Refusal as refusal:
        return _page(request, at, fault=refusal.sentence)
    return _back(request, at)


def _back(request: Request, at: SeatSession) -> Response:
    return go_to(request, f"/t/{at.table}/people")


def _gone(request: Request, at: SeatSession) -> Response:
    answer = go_to(request, "/")
    forget(request, answer, seat_cookie(at.table))
    return answer


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
def look(request: Request, link: Annotated[str, Form()] = "") -> Response:
    """Show table and seat before anything is taken. Looking does not use the link up."""
    secret = secret_in(link)
    invitation = _invitation(request, secret)
    if invitation is None:
        return _taken_here_before(request, secret)
    held = context_of(request).auth.held(request, invitation.table or "")
    if invitation.seat is None:
        return _go_on(request, held) if held else _free_seats(request, invitation, secret)
    at = _seat(request, invitation, invitation.seat)
    other = at.state.seats.get(held.seat or "") if held else None
    return page(request, "people/take_seat.html", at=at, secret=secret, other=other)


@joining.post("/take")
def take(
    request: Request,
    link: Annotated[str, Form()] = "",
    name: Annotated[str, Form()] = "",
    seat: Annotated[str, Form()] = "",
) -> Response:
    """Take a seat: this device has it from now on. A link to one seat is used up, a link to the table is not."""
    secret, name = secret_in(link), name.strip()
    invitation = _invitation(request, secret)
    if invitation is None:
        return _taken_here_before(request, secret)
    auth = context_of(request).auth
    if invitation.seat is None and not any(one.seat.id == seat for one in free_seats(request, invitation.table or "")):
        said = "Somebody was faster; choose another seat." if seat else "Choose a seat."
        return _free_seats(request, invitation, secret, name=name, fault=said)
    at = _seat(request, invitation, invitation.seat or seat)
    if name and name != at.own.name:
        try:
            at.act("rename_seat", {"seat": at.seat, "name": name})
        except Refusal as refusal:
            told: dict[str, str] = {"name": name, "fault": refusal.sentence}
            if invitation.seat is None:
                return _free_seats(request, invitation, secret, seat=seat, **told)
            return page(request, "people/take_seat.html", REFUSED, at=at, secret=secret, other=None, **told)
    taken = auth.sit_down(secret) if invitation.seat else None
    own = taken[1] if taken else None if invitation.seat else auth.take_free_seat(secret, at.seat)
    if own is None:
        raise HTTPException(410, USED_UP)
    answer = go_to(request, f"/t/{at.table}")
    remember_seat(request, answer, at.table, own)
    return answer


@dataclass(frozen=True)
class FreeSeat:
    """A seat that nobody has taken, and whom one plays there."""

    seat: Seat
    heroes: tuple[str, ...]


def free_seats(request: Request, table: str) -> list[FreeSeat]:
    """Players' seats that nobody has and no link of their own is out for."""
    context = context_of(request)
    taken = context.auth.taken_seats(table)
    seats = context.host.seats(table).values()
    free = [one for one in seats if one.role is Role.PLAYER and not one.ai and one.id not in taken]
    return [FreeSeat(one, heroes_of(SeatSession(context, table, one.id), one.id)) for one in free]


def heroes_of(at: SeatSession, seat: str) -> tuple[str, ...]:
    """The names of those whom a seat plays."""
    return tuple(one.name for one in at.state.characters.values() if one.seat == seat)


def _free_seats(request: Request, invitation: Pass, secret: str, seat: str = "", **said: str) -> Response:
    """Who comes by the table's link chooses among the seats that are free, or the heroes that wait there."""
    table = invitation.table or ""
    try:
        free, title = free_seats(request, table), title_of(context_of(request).store, table)
    except Refusal as gone:
        raise HTTPException(410, USED_UP) from gone
    status = REFUSED if "fault" in said else 200
    chosen = seat or (free[0].seat.id if free else "")
    shown = {"name": "", "fault": "", **said}
    return page(request, "people/pick_seat.html", status, free=free, title=title, secret=secret, chosen=chosen, **shown)


def _invitation(request: Request, secret: str) -> Pass | None:
    return context_of(request).auth.find(secret, PassKind.INVITATION)


def _seat(request: Request, invitation: Pass, seat: str) -> SeatSession:
    at = SeatSession(context_of(request), invitation.table or "", seat)
    with suppress(Refusal):
        if at.state.seats:
            return at
    raise HTTPException(410, USED_UP)


def _taken_here_before(request: Request, secret: str) -> Response:
    """Redirect somebody who follows their own used link to their seat."""
    auth = context_of(request).auth
    used = auth.passes.find(digest(secret))
    held = auth.held(request, used.table) if used and used.table else None
    if used is None or held is None or held.seat != used.seat:
        raise HTTPException(410, USED_UP)
    return _go_on(request, held)


def _go_on(request: Request, held: Pass) -> Response:
    """Lead somebody who sits there already to their seat."""
    return go_to(request, f"/t/{held.table}")
