"""Home page: the owner's tables, and new ones that can be played at once; for everyone else, how to get in."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from itertools import count
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response
from msgspec import Struct, field
from msgspec.structs import replace

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
    is_owner_here = is_local(request) and context.auth.owner(request) is not None
    may_open = context.open_lan is not None and is_owner_here and not is_shared
    return {"is_shared": is_shared, "may_open": may_open}


router = APIRouter()
MOST_LISTED = 30
"""The most tables on the owner's page. Each is opened, to show who sits there and where its story is."""
UNFOLDED = 4
"""The number of tables that are shown above the games; the others are folded."""
NOT_YOURS = "Only the owner of these tables can do that. Open the owner’s link on this device."


class TableCard(Struct, frozen=True):
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
    owners_pass = session.context_of(request).auth.owner(request)
    if owners_pass is None:
        raise HTTPException(401, NOT_YOURS)
    return owners_pass


owned = APIRouter(prefix="/tables", dependencies=[Depends(owner)])


@router.get("/")
def home(request: Request, older: Annotated[int, Query(ge=0, le=2**31)] = 0) -> HTMLResponse:
    """The owner's tables, newest first, after the first `older`; for others, the tables where they have a seat."""
    context = session.context_of(request)
    seat_by_table: dict[str, str] = {}
    for seat_pass in context.auth.seats_held(request):
        if seat_pass.table and seat_pass.seat:
            seat_by_table.setdefault(seat_pass.table, seat_pass.seat)  # the newest, as the table itself has it
    if context.auth.owner(request):
        return _owners_home(request, older, seat_by_table)
    tables = list(seat_by_table)
    cards = [_card(context, table, seat_by_table[table]) for table in tables[older : older + MOST_LISTED]]
    return rendering.page(
        request,
        "home/welcome.html",
        tables=cards,
        more=_next_page(older, len(tables)),
        is_signed_in=context.auth.device(request) is not None,
    )


def _owners_home(request: Request, older: int, seat_by_table: Mapping[str, str]) -> HTMLResponse:
    """The owner's page: all tables, the games, and the address by which others reach it."""
    context = session.context_of(request)
    tables = context.store.tables()[::-1]
    cards = [_card(context, table, seat_by_table.get(table)) for table in tables[older : older + MOST_LISTED]]
    rulesets = [book.ruleset for book in context.books.values()]
    address = f"{context.settings.address}/" if context.settings.is_shared else ""
    return rendering.page(
        request,
        "home/home.html",
        reach=reach(request),
        tables=cards,
        at_once=MOST_LISTED if older else UNFOLDED,
        more=_next_page(older, len(tables)),
        games=[(ruleset, bare_of(ruleset), worlds_of(ruleset)) for ruleset in rulesets],
        address=address,
        qr=rendering.qr_svg(address, "The address of these tables") if address else "",
    )


def _next_page(older: int, count: int) -> int:
    """Return how many tables come before the next page of the list; 0 after the last page."""
    shown_so_far = older + MOST_LISTED
    return shown_so_far if shown_so_far < count else 0


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
def leave(request: Request, owners_pass: Annotated[Pass, Depends(owner)]) -> Response:
    """Sign the owner out of this browser, which keeps its seats."""
    auth = session.context_of(request).auth
    auth.passes.revoke(owners_pass.digest, auth.clock())
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
AGREED = "house."
"""Prefix of inputs for the house rules of every table."""
CHOSEN = "options."
"""Prefix of inputs for the game's own options."""


class Skin(Struct, frozen=True):
    """A skin as its cover shows it; without an id, the rules alone."""

    id: str
    name: str
    about: str
    cover: str = ""
    """A shipped plate, which also gives the cover its colours."""
    adventure: str = ""


class Wanted(Struct, frozen=True):
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
    skins = []
    for skin_id, text in shelf.shipped().items():
        name, _, about = shelf.describe(text)[0].partition(": ")
        skins.append(_on_cover(Skin(skin_id, name, about), shelf.wear(text).setting))
    return skins


def skin_name(ruleset: Ruleset, skin: str) -> str:
    """Return the name of a skin. One that is not shipped is named after its id."""
    if ruleset.skins is None or not skin:
        return ""
    return _shipped_name(ruleset.skins.shipped, skin)


@cache
def _shipped_name(shipped: Callable[[], Mapping[str, str]], skin: str) -> str:
    """Return the name in a shipped skin. Cached to parse its TOML once a process, not for each page of a table."""
    try:
        return str(tomllib.loads(shipped()[skin])["name"])
    except (KeyError, ValueError):
        return in_words(skin)


def worlds_of(ruleset: Ruleset) -> list[Skin]:
    """List the skins that are more than the rules alone: they have another adventure."""
    rules_alone = bare_of(ruleset)
    return [skin for skin in skins_of(ruleset) if skin.adventure != rules_alone.adventure]


def bare_of(ruleset: Ruleset) -> Skin:
    """The rules alone, with the adventure that they begin with."""
    rules_alone = Skin("", "Just the rules", "The book’s own words, in a world of your own.")
    return _on_cover(rules_alone, starter.first_setting(ruleset))


def _on_cover(skin: Skin, setting: Setting) -> Skin:
    """Complete a skin with the cover and the adventure of its setting."""
    usual_plate = plate_for(Scene(id="", title=skin.name, hook=skin.about), "")
    cover = setting.cover or usual_plate.partition("/")[2]
    return replace(skin, cover=cover, adventure=setting.adventure.title if setting.adventure else "")


def start(context: WebContext, wanted: Wanted) -> starter.Started:
    """Open a table with seats, sample heroes and a first scene."""
    ruleset = context.book(wanted.game).ruleset
    skin = starter.worn(ruleset, wanted.skin)
    skin = replace(skin, options={**skin.options, **wanted.options})
    sample_heroes = list(starter.sample_heroes(ruleset, skin).items())[: wanted.seats]
    seats = [sheets.seat_for(name) for name, _ in sample_heroes]
    while len(seats) < wanted.seats:
        seats.append(f"Player {len(seats) + 1}")
    return starter.start_table(
        context.host,
        ruleset,
        name=wanted.name.strip() or _free_name(context, ruleset, skin.setting),
        game_master=wanted.game_master.strip() or YOU,
        players=seats,
        heroes=list(enumerate(hero for _, hero in sample_heroes)),
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
    first_skin = skins[0].id if skins else ""
    choices = replace(wanted, skin=wanted.skin or first_skin, seats=1, game_master=wanted.game_master or ALONE)
    table = start(context, choices)
    (player,) = table.players
    for character_id, character in context.host.look(table.table, table.seat).characters.items():
        if character.seat == player:
            gift = {"character": character_id, "seat": table.seat}
            context.host.act(table.table, table.seat, ("give_character", gift))
    context.host.act(table.table, table.seat, ("leave_seat", {"seat": player}))
    models = context.ai.models() if context.ai is not None else []
    if context.ai is not None and models:
        context.ai.seat(
            table.table,
            table.seat,
            name="Vesper",
            role=ai_seats.AiRole.GAME_MASTER,
            model=models[0].name,
            limits=ai_seats.Limits(),
        )
    return table


def _free_name(context: WebContext, ruleset: Ruleset, setting: Setting) -> str:
    """Default name of a table: its adventure's, with a number if that is taken."""
    adventure = (setting if setting.adventure else starter.first_setting(ruleset)).adventure
    title = adventure.title if adventure else f"An evening of {ruleset.name}"
    title = title[: sheets.LONGEST_NAME - 5]
    names = {table.name for table in titles(context.store)}
    if title not in names:
        return title
    return next(name for name in (f"{title} {number}" for number in count(2)) if name not in names)


def inputs_of(kind: type, prefix: str, values: Mapping[str, Any]) -> list[Widget]:
    """Build inputs for options that are a plain choice, of a game or of every table. The rest is left to skins."""
    widgets: list[Widget] = []
    for option in fields_of(kind):
        value = values.get(option.name, plain(option.default))
        widget = plain_input(option.shape, value, prefix + option.name)
        if widget is not None:  # its description says more than its name
            description = words.without_clauses(option.doc or "") or in_words(option.name)
            widgets.append(replace(widget, label=capitalised(description)))
    return widgets


# ---------------------------------------------------------------- tables


@owned.get("/new")
def choose(request: Request, game: str) -> HTMLResponse:
    return _choices(request, Wanted(game))


@owned.post("")
def open_table(request: Request, sent: session.Sent) -> Response:
    """Start a table of a game, with the chosen options or the defaults."""
    context = session.context_of(request)
    inputs = dict(sent)
    ruleset = context.book(inputs.get("game", "")).ruleset
    wanted = Wanted(
        ruleset.id,
        name=inputs.get("name", ""),
        game_master=inputs.get("game_master", ""),
        skin=inputs.get("skin", ""),
        seats=_number_of_seats(inputs.get("seats", "")),
        options=_part(ruleset.options, CHOSEN, sent),
        agreed=_part(HouseOptions, AGREED, sent),
    )
    try:
        table = start_alone(context, wanted) if inputs.get("alone") else start(context, wanted)
    except refusals.Refusal as refusal:
        return _choices(request, wanted, refusal.sentence)
    context.auth.renew_table_link(table.table)
    return _entered(request, table.table, table.seat)


def _number_of_seats(text: str) -> int:
    if text.isascii() and text.isdigit():
        return min(int(text), MOST_SEATS)
    return USUAL_SEATS


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
    inputs = [(name.removeprefix(prefix), text) for name, text in sent if name.startswith(prefix)]
    defaults = {option.name: plain(option.default) for option in fields_of(kind)}
    return {name: value for name, value in read_form(kind, inputs).items() if value != defaults[name]}


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
    own_seat = seat
    if seat not in seats:
        own_seat = next((row.id for row in seats.values() if row.role is Role.GAME_MASTER), None)
    story = _story_of(context, table, next(iter(seats)))
    other_names = [row.name for row in seats.values() if row.id != own_seat]
    stopped = context.host.archive.fault(table)
    return replace(
        card,
        role=seats[seat].role.value if seat and seat in seats else "",
        can_be_entered=True,
        others=tuple(name for name in other_names if name not in story.free_names),
        free_seats=sum(name in story.free_names for name in other_names),
        last=_last_played(context, table),
        problem=f"This table can only be read: {stopped}." if stopped else "",
        plate=story.plate,
    )


class StoryGlimpse(NamedTuple):
    """What a list of tables shows of a table's story."""

    plate: str = ""
    """The shipped plate of the current scene, which anyone may see."""
    free_names: frozenset[str] = frozenset()
    """The names of seats that nobody has taken: they are called after their hero."""


def _story_of(context: WebContext, table: str, seat: str) -> StoryGlimpse:
    """Look at a table's story; nothing of it is listed if it can't be read."""
    try:
        state = context.host.look(table, seat)
        scene = state.scenes.get(state.calendar.scene or "", Scene(id="", title=state.name))
        plate = plate_for(scene, state.setting.cover).partition("/")[2]
        free_names = frozenset(sheets.seat_for(character.name) for character in state.cast.values())
    except (refusals.Refusal, StoreError):
        return StoryGlimpse()
    return StoryGlimpse(plate, free_names)


def _last_played(context: WebContext, table: str) -> datetime | None:
    """Return the time of a table's last entry; None if it can't be read or is out of range."""
    with suppress(StoreError, ValueError, OverflowError, OSError):
        for entry in context.store.read(table, context.store.last(table) - 1):
            return datetime.fromtimestamp(entry.at / 1000, UTC)
    return None
