"""AIs in seats: the owner sets up models and seats them, anybody who plays stops them, the game master is helped.

Models, addresses, keys and limits are the owner's alone: whoever could set an address could have the server call it.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import Response

from astragal.surfaces.shared.ai_seats import MOST_TOKENS, AiRole, AiSeats, Limits, checked_model
from astragal.surfaces.web.errors import REFUSED
from astragal.surfaces.web.rendering import is_part, page
from astragal.surfaces.web.routes.home import owner
from astragal.surfaces.web.session import AtTable, SeatSession, context_of, go_to
from astragal.table.declarations import Role
from astragal.table.refusals import NotAllowed, Refusal

router = APIRouter(prefix="/t/{table}/ai")

Words = Annotated[str, Form(max_length=1000)]
Line = Annotated[str, Form(max_length=300)]
owners = [Depends(owner)]


def seats_of(request: Request) -> AiSeats:
    found = context_of(request).ai
    if found is None:
        raise HTTPException(404, "No AI can be seated here.")
    return found


Seats = Annotated[AiSeats, Depends(seats_of)]


@router.post("/model", dependencies=owners)
def keep_model(
    request: Request,
    at: AtTable,
    seats: Seats,
    *,
    name: Line = "",
    address: Line = "",
    interface: Line = "openai",
    key: Annotated[str, Form(max_length=500)] = "",
    reads: Line = "",
    writes: Line = "",
) -> Response:
    """Set a model up. Its key is written to a private file of the server, and shown to nobody again."""

    def work() -> None:
        price = None if not reads and not writes else (_amount(reads or "0"), _amount(writes or "0"))
        seats.keep_model(checked_model(name, address, interface, price), key.strip())

    return _done(request, at, work)


@router.post("/forget-model", dependencies=owners)
def forget_model(request: Request, at: AtTable, seats: Seats, name: Line = "") -> Response:
    return _done(request, at, lambda: seats.forget_model(name))


@router.post("/seat", dependencies=owners)
def seat(
    request: Request,
    at: AtTable,
    seats: Seats,
    *,
    name: Line = "",
    role: Line = AiRole.GAME_MASTER.value,
    model: Line = "",
    tokens: Line = "",
    dollars: Line = "",
) -> Response:
    """Seat an AI; the owner does, who runs the game."""

    def work() -> None:
        if not at.is_game_master:
            raise NotAllowed("Only the game master hands out seats.")
        limits = Limits(int(_amount(tokens)) if tokens else MOST_TOKENS, _amount(dollars) if dollars else None)
        if role not in [one.value for one in AiRole]:
            raise Refusal("An AI is game master, player or helper.", code="bad_fields")
        seats.seat(at.table, at.seat, name=name.strip() or "AI", role=AiRole(role), model=model, limits=limits)

    return _done(request, at, work)


@router.post("/start", dependencies=owners)
def start(request: Request, at: AtTable, seats: Seats, seat: Line = "") -> Response:
    return _done(request, at, lambda: seats.start(at.table, seat))


@router.post("/stop")
def stop(request: Request, at: AtTable, seats: Seats, seat: Line = "") -> Response:
    """Stop an AI at once. Whoever plays here may."""
    _check_plays(at)
    return _done(request, at, lambda: seats.stop(at.table, seat))


@router.post("/take-over")
def take_over(request: Request, at: AtTable, seats: Seats, seat: Line = "") -> Response:
    """Take an AI's seat: the owner may, and whoever seated it."""
    _check_plays(at)

    def work() -> None:
        seated_it = any(one.by == at.seat for one in seats.at(at.table) if one.seat == seat)
        if context_of(request).auth.owner(request) is None and not seated_it:
            raise NotAllowed("The one who seated the AI takes its seat over, or the owner of these tables.")
        seats.take_over(at.table, seat, at.seat)

    return _done(request, at, work)


@router.post("/ask")
def ask(request: Request, at: AtTable, seats: Seats, words: Words = "") -> Response:
    """Ask the helper something."""
    return _done(request, at, lambda: seats.ask(at.table, at.seat, words.strip()))


@router.post("/form")
def answer_form(request: Request, at: AtTable, seats: Seats, form: Line = "", answer: Words = "") -> Response:
    """Say yes or no to what the helper proposes, or what is to be done."""
    said: dict[str, Any] | None = None if answer == "no" else {"answer": True if answer == "yes" else answer}
    return _done(request, at, lambda: seats.answer_form(at.table, at.seat, form, said))


# ---------------------------------------------------------------- how it is done


def _check_plays(at: SeatSession) -> None:
    if at.viewer.role is Role.SPECTATOR:
        raise NotAllowed("A spectator only watches.")


def _amount(said: str) -> float:
    try:
        found = float(said.replace(",", ""))
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1e9:
        raise Refusal(f"{said[:20]!r} is not an amount.", code="bad_fields")
    return found


def _done(request: Request, at: SeatSession, work: Any) -> Response:
    try:
        work()
    except Refusal as refusal:
        return page(request, "errors/refusal.html", REFUSED, sentence=refusal.sentence)
    return Response(status_code=204) if is_part(request) else go_to(request, f"/t/{at.table}/people#ai")
