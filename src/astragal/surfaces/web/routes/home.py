"""Home page: the owner's tables, and new ones that can be played at once; for everyone else, how to get in."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from itertools import chain, count
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response

from astragal.surfaces.shared import ai_seats, sheets, words
from astragal.surfaces.shared.context import store_away
from astragal.surfaces.web import errors, network, rendering, session
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.forms.form import Widget, plain_input, read_form
from astragal.surfaces.web.security.auth import device_cookie, device_secrets, forget_cookie, remember_device
from astragal.surfaces.web.security.middleware import is_local
from astragal.table import refusals, starter
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Role
from astragal.table.fields.definitions import fields_of
from astragal.table.log.store import Pass, StoreError, title_of, titles
from astragal.table.state.pictures import plate_for
from astragal.table.state.setting import Setting
from astragal.table.state.table import HouseOptions
from astragal.table.state.things import Scene
from astragal.table.visibility.redact import plain
from astragal.wording import capitalised, in_words

NOT_HERE = (
    "Only whoever runs these tables can open them to the network, in the browser of the computer that serves them."
)


def reach(request: Request) -> dict[str, bool]:
    """Find out who can reach the tables, and whether this browser may open them to the home network."""
    context = session.context_of(request)
    is_shared = context.settings.is_shared
    may = context.open_lan is not None and is_local(request) and context.auth.owner(request) is not None
    return {"is_shared": is_shared, "may_open": may and not is_shared}


router = APIRouter()
MOST_LISTED = 30
"""The most tables on the owner's page. Each is opened, to show who sits there and where its story is."""
UNFOLDED = 4
"""The number of tables that are shown above the games; the others are folded."""
NOT_YOURS = "Only the owner of these tables can do that. Open the owner’s link on this device."


@dataclass(frozen=True)
class TableCard:
    """A table in a list."""

    id: str
    name: str
    game: str = ""
    role: str = ""
    """This browser's role there; empty if it has no seat."""
    can_be_entered: bool = False
    """True if it has a game master's seat, for its owner to take."""
    others: tuple[str, ...] = ()
    """The names of those who have taken the other seats."""
    free_seats: int = 0
    """The number of seats that are still called after their hero, because nobody has taken them."""
    last: datetime | None = None
    problem: str = ""
    plate: str = ""
    """The plate of the scene that its story is in."""


def owner(request: Request) -> Pass:
    found = session.context_of(request).auth.owner(request)
    if found is None:
        raise HTTPException(401, NOT_YOURS)
    return found


owned = APIRouter(prefix="/tables", dependencies=[Depends(owner)])


@router.get("/")
def home(request: Request, older: Annotated[int, Query(ge=0, le=2**31)] = 0) -> HTMLResponse:
    """The owner's tables, newest first, after the first `older`; for others, the tables where they have a seat."""
    context = session.context_of(request)
    held: dict[str, str] = {}
    for seat in context.auth.seats_held(request):
        if seat.table and seat.seat:
            held.setdefault(seat.table, seat.seat)  # the newest, as the table itself has it
    if context.auth.owner(request):
        newest = context.store.tables()[::-1]
        tables = [_card(context, table, held.get(table)) for table in newest[older : older + MOST_LISTED]]
        games = [(book.ruleset, bare_of(book.ruleset), worlds_of(book.ruleset)) for book in context.books.values()]
        address = f"{context.settings.address}/" if context.settings.is_shared else ""
        qr = rendering.qr_svg(address, "The address of these tables") if address else ""
        more = older + MOST_LISTED if older + MOST_LISTED < len(newest) else 0
        shown: dict[str, Any] = {
            "tables": tables,
            "at_once": MOST_LISTED if older else UNFOLDED,
            "more": more,
            "games": games,
            "address": address,
            "qr": qr,
        }
        return rendering.page(request, "home/home.html", reach=reach(request), **shown)
    listed = list(held.items())[older : older + MOST_LISTED]
    cards = [_card(context, table, seat) for table, seat in listed]
    more = older + MOST_LISTED if older + MOST_LISTED < len(held) else 0
    is_signed_in = context.auth.device(request) is not None
    return rendering.page(request, "home/welcome.html", tables=cards, more=more, is_signed_in=is_signed_in)


@router.post("/owner")
def become_owner(request: Request, link: Annotated[str, Form()] = "") -> Response:
    """Exchange the owner's link for a pass of this device."""
    context = session.context_of(request)
    auth = context.auth
    if not auth.opens_as_owner(secret_in(link)):
        raise HTTPException(
            404, "This is not an owner’s link, or it has expired. The program prints a new one when it starts."
        )
    answer = session.go_to(request, "/")
    device = auth.device_secret(request)
    auth.make_owners(device)
    remember_device(answer, context.settings, device)
    return answer


@router.post("/owner/leave")
def leave(request: Request, own: Annotated[Pass, Depends(owner)]) -> Response:
    """Sign the owner out of this browser, which keeps its seats."""
    auth = session.context_of(request).auth
    auth.passes.revoke(own.digest, auth.clock())
    return session.go_to(request, "/")


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """Sign this device out of everything: its seats at all tables, and the owner."""
    context = session.context_of(request)
    if device := context.auth.device(request):
        context.auth.passes.revoke_device(device, context.auth.clock())
    answer = session.go_to(request, "/")
    for secret in device_secrets(request):
        forget_cookie(answer, context.settings, device_cookie(secret))
    return answer


@router.post("/network/open")
def open_network(request: Request, table: Annotated[str, Form(max_length=60)] = "") -> Response:
    """Listen in the home network from now on, until the program ends."""
    context = session.context_of(request)
    if not reach(request)["may_open"] or context.open_lan is None:
        raise HTTPException(403, NOT_HERE)
    try:
        context.settings = context.open_lan()
    except (network.NoNetwork, network.NoPort) as fault:
        raise HTTPException(503, str(fault)) from fault
    return session.go_to(request, f"/t/{table}/people" if table else "/")


# ---------------------------------------------------------------- starting a table

USUAL_SEATS = 4
MOST_SEATS = 8
YOU = "Game master"
ALONE = "Player"
AGREED, CHOSEN = "house.", "options."
"""Prefixes of inputs: for the house rules of every table, and for the game's own options."""


@dataclass(frozen=True)
class Skin:
    """A skin as its cover shows it; without an id, the rules alone."""

    id: str
    name: str
    about: str
    cover: str = ""
    """A shipped plate, which also gives the cover its colours."""
    adventure: str = ""


@dataclass(frozen=True)
class Wanted:
    """Choices for a new table, or their defaults."""

    game: str
    name: str = ""
    game_master: str = ""
    skin: str = ""
    seats: int = USUAL_SEATS
    options: Mapping[str, Any] = field(default_factory=dict)
    agreed: Mapping[str, Any] = field(default_factory=dict)


def skins_of(ruleset: Ruleset) -> list[Skin]:
    shelf = ruleset.skins
    if shelf is None:
        return []
    found = []
    for skin, text in shelf.shipped().items():
        name, _, about = shelf.describe(text)[0].partition(": ")
        found.append(_on_cover(Skin(skin, name, about), shelf.wear(text).setting))
    return found


def skin_name(ruleset: Ruleset, skin: str) -> str:
    """Return the name of a skin. One that is not shipped is named after its id."""
    return _shipped_name(ruleset.skins.shipped, skin) if ruleset.skins and skin else ""


@cache
def _shipped_name(shipped: Callable[[], Mapping[str, str]], skin: str) -> str:
    try:
        return str(tomllib.loads(shipped()[skin])["name"])
    except (KeyError, ValueError):
        return in_words(skin)


def worlds_of(ruleset: Ruleset) -> list[Skin]:
    """List the skins that are more than the rules alone: they have another adventure."""
    bare = bare_of(ruleset)
    return [skin for skin in skins_of(ruleset) if skin.adventure != bare.adventure]


def bare_of(ruleset: Ruleset) -> Skin:
    """The rules alone, with the adventure that they begin with."""
    bare = Skin("", "Just the rules", "The book’s own words, in a world of your own.")
    return _on_cover(bare, starter.first_setting(ruleset))


def _on_cover(skin: Skin, setting: Setting) -> Skin:
    cover = setting.cover or plate_for(Scene(id="", title=skin.name, hook=skin.about), "").partition("/")[2]
    return replace(skin, cover=cover, adventure=setting.adventure.title if setting.adventure else "")


def start(context: WebContext, wanted: Wanted) -> starter.Started:
    """Open a table with seats, sample heroes and a first scene."""
    ruleset = context.book(wanted.game).ruleset
    skin = starter.worn(ruleset, wanted.skin)
    skin = replace(skin, options={**skin.options, **wanted.options})
    heroes = list(starter.sample_heroes(ruleset, skin).items())[: wanted.seats]
    names = [hero for hero, _ in heroes]
    return starter.start_table(
        context.host,
        ruleset,
        name=wanted.name.strip() or _free_name(context, ruleset, skin.setting),
        game_master=wanted.game_master.strip() or YOU,
        players=[*map(sheets.seat_for, names), *(f"Player {place + 1}" for place in range(len(names), wanted.seats))],
        heroes=list(enumerate(hero for _, hero in heroes)),
        begins=True,
        house=wanted.agreed,
        skin=wanted.skin,
        **skin.given,
    )


def start_alone(context: WebContext, wanted: Wanted) -> starter.Started:
    """Open a table for one person with one hero, in a setting that has people, moves and an adventure ready.

    An AI runs it if the owner has set up a model. Otherwise the person does, and asks the oracle.
    """
    ruleset = context.book(wanted.game).ruleset
    skins = skins_of(ruleset)
    skin = wanted.skin or (skins[0].id if skins else "")
    alone = replace(wanted, skin=skin, seats=1, game_master=wanted.game_master or ALONE)
    opened = start(context, alone)
    host, (player,) = context.host, opened.players
    for who, one in host.look(opened.table, opened.seat).characters.items():
        if one.seat == player:
            host.act(opened.table, opened.seat, ("give_character", {"character": who, "seat": opened.seat}))
    host.act(opened.table, opened.seat, ("leave_seat", {"seat": player}))
    if context.ai is not None and (models := context.ai.models()):
        model, limits = models[0].name, ai_seats.Limits()
        context.ai.seat(
            opened.table, opened.seat, name="Vesper", role=ai_seats.AiRole.GAME_MASTER, model=model, limits=limits
        )
    return opened


def _free_name(context: WebContext, ruleset: Ruleset, setting: Setting) -> str:
    """Default name of a table: its adventure's, with a number if that is taken."""
    adventure = (setting if setting.adventure else starter.first_setting(ruleset)).adventure
    usual = (adventure.title if adventure else f"An evening of {ruleset.name}")[: sheets.LONGEST_NAME - 5]
    taken = {one.name for one in titles(context.store)}
    return next(name for name in chain([usual], (f"{usual} {n}" for n in count(2))) if name not in taken)


def inputs_of(kind: type, prefix: str, given: Mapping[str, Any]) -> list[Widget]:
    """Build inputs for options that are a plain choice, of a game or of every table. The rest is left to skins."""
    found: list[Widget] = []
    for one in fields_of(kind):
        made = plain_input(one.shape, given.get(one.name, plain(one.default)), prefix + one.name)
        if made is not None:  # its description says more than its name
            doc = words.without_clauses(one.doc or "") or in_words(one.name)
            found.append(replace(made, label=capitalised(doc)))
    return found


# ---------------------------------------------------------------- tables


@owned.get("/new")
def choose(request: Request, game: str) -> HTMLResponse:
    return _choices(request, Wanted(game))


@owned.post("")
def open_table(request: Request, sent: session.Sent) -> Response:
    """Start a table of a game, with the chosen options or the defaults."""
    context = session.context_of(request)
    said = dict(sent)
    ruleset = context.book(said.get("game", "")).ruleset
    seats = said.get("seats", "")
    wanted = Wanted(
        ruleset.id,
        name=said.get("name", ""),
        game_master=said.get("game_master", ""),
        skin=said.get("skin", ""),
        seats=min(int(seats), MOST_SEATS) if seats.isascii() and seats.isdigit() else USUAL_SEATS,
        options=_part(ruleset.options, CHOSEN, sent),
        agreed=_part(HouseOptions, AGREED, sent),
    )
    try:
        opened = start_alone(context, wanted) if said.get("alone") else start(context, wanted)
    except refusals.Refusal as refusal:
        return _choices(request, wanted, refusal.sentence)
    context.auth.renew_table_link(opened.table)
    return _entered(request, opened.table, opened.seat)


@owned.post("/{table}/enter")
def enter(request: Request, table: str) -> Response:
    """Enter a table as its game master. Only the owner may."""
    context = session.context_of(request)
    held = context.auth.held(request, table)
    if held and held.seat in context.host.seats(table):
        return session.go_to(request, f"/t/{table}")
    return _entered(request, table, game_master_of(context, table))


@owned.get("/{table}/delete")
def ask_to_delete(request: Request, table: str) -> HTMLResponse:
    return rendering.page(request, "home/delete.html", table=_card(session.context_of(request), table, None))


@owned.post("/{table}/delete")
def delete(request: Request, table: str) -> Response:
    context = session.context_of(request)
    try:
        context.host.archive.delete(table, game_master_of(context, table))
    except refusals.ReadOnly:  # it can't be opened, so it has no game master
        context.host.archive.discard(table)
    return session.go_to(request, "/")


# ---------------------------------------------------------------- internals


def secret_in(text: str) -> str:
    """Extract the secret from a whole link, from its fragment, or from the secret itself."""
    return text.strip().rpartition("#")[2].removeprefix("key=").strip()


def _part(kind: type, prefix: str, sent: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Read the inputs of one part of the form, without defaults, which are left to the skin."""
    said = read_form(kind, [(name.removeprefix(prefix), text) for name, text in sent if name.startswith(prefix)])
    usual = {one.name: plain(one.default) for one in fields_of(kind)}
    return {name: value for name, value in said.items() if value != usual[name]}


def _choices(request: Request, wanted: Wanted, fault: str = "") -> HTMLResponse:
    ruleset = session.context_of(request).book(wanted.game).ruleset
    return rendering.page(
        request,
        "home/new_table.html",
        errors.REFUSED if fault else 200,
        game=ruleset,
        wanted=wanted,
        skins=[bare_of(ruleset), *skins_of(ruleset)],
        options=inputs_of(ruleset.options, CHOSEN, wanted.options),
        agreed=inputs_of(HouseOptions, AGREED, wanted.agreed),
        usual_name=YOU,
        most=MOST_SEATS,
        fault=fault,
    )


def _entered(request: Request, table: str, seat: str) -> Response:
    context = session.context_of(request)
    device = context.auth.device_secret(request)
    context.auth.give_seat(device, table, seat)
    answer = session.go_to(request, f"/t/{table}")
    remember_device(answer, context.settings, device)
    return answer


def game_master_of(context: WebContext, table: str) -> str:
    """Return the seat of a table's game master."""
    return next(seat.id for seat in context.host.seats(table).values() if seat.role is Role.GAME_MASTER)


def _card(context: WebContext, table: str, seat: str | None) -> TableCard:
    """Build a table's entry in the list, even if the table can't be read: it may be the one that matters."""
    card = TableCard(table, table)
    try:
        title = title_of(context.store, table)
        book = context.books.get(title.ruleset)
        card = replace(card, name=title.name, game=book.ruleset.name if book else title.ruleset)
        if title.problem:
            return replace(card, game="", problem=f"This table can't be read: {title.problem}.")
        if book is None:
            return replace(card, problem="Its game is not installed here.")
        seats = context.host.seats(table)
    except refusals.Refusal as refusal:
        return replace(card, problem=refusal.sentence)
    except StoreError as fault:
        return replace(card, problem=store_away(fault).sentence)
    own = seat if seat in seats else next((one.id for one in seats.values() if one.role is Role.GAME_MASTER), None)
    others, free = [one.name for one in seats.values() if one.id != own], frozenset[str]()
    stopped = context.host.archive.fault(table)
    last, plate = None, ""
    with suppress(StoreError, ValueError, OverflowError, OSError):  # ignore a time out of range
        for entry in context.store.read(table, context.store.last(table) - 1):
            last = datetime.fromtimestamp(entry.at / 1000, UTC)
            break
    with suppress(refusals.Refusal, StoreError):  # shipped plates, which anyone may see
        state = context.host.look(table, next(iter(seats)))
        scene = state.scenes.get(state.calendar.scene or "", Scene(id="", title=state.name))
        plate = plate_for(scene, state.setting.cover).partition("/")[2]
        free = frozenset(sheets.seat_for(one.name) for one in state.cast.values())
    return replace(
        card,
        role=seats[seat].role.value if seat and seat in seats else "",
        can_be_entered=True,
        others=tuple(name for name in others if name not in free),
        free_seats=sum(name in free for name in others),
        last=last,
        problem=f"This table can only be read: {stopped}." if stopped else "",
        plate=plate,
    )
