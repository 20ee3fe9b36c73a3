"""AIs in seats: the owner sets up models and seats them, any player can stop them, a helper assists the game master.

Only the owner sets models, addresses, keys and limits, because the server calls any address that is set.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from fastapi.responses import Response

from astragal.surfaces.shared.ai_seats import MOST_TOKENS, AiRole, AiSeats, Limits, checked_model
from astragal.surfaces.web.routes.home import owner
from astragal.surfaces.web.session import AtTable, context_of, done
from astragal.table.declarations import Role
from astragal.table.refusals import NotAllowed, Refusal

router = APIRouter(prefix="/t/{table}/ai")

HERE = "/people#ai"
Words = Annotated[str, Form(max_length=1000)]
Line = Annotated[str, Form(max_length=300)]


def player(at: AtTable) -> None:
    if at.viewer.role is Role.SPECTATOR:
        raise NotAllowed("A spectator only watches.")


owners = [Depends(owner)]
players = [Depends(player)]


def seats_of(request: Request) -> AiSeats:
    ai_seats = context_of(request).ai
    if ai_seats is None:
        raise HTTPException(404, "No AI can be seated here.")
    return ai_seats


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
    """Set up a model. Its key is written to a private file of the server, and never shown again."""
    price = None
    if reads or writes:
        price = (_amount(reads or "0"), _amount(writes or "0"))
    seats.keep_model(checked_model(name, address, interface, price), key.strip())
    return done(request, at, HERE)


@router.post("/forget-model", dependencies=owners)
def forget_model(request: Request, at: AtTable, seats: Seats, name: Line = "") -> Response:
    seats.forget_model(name)
    return done(request, at, HERE)


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
    """Seat an AI. Only the owner may, as game master."""
    if not at.is_game_master:
        raise NotAllowed("Only the game master hands out seats.")
    most_tokens = int(_amount(tokens)) if tokens else MOST_TOKENS
    most_dollars = _amount(dollars) if dollars else None
    limits = Limits(most_tokens, most_dollars)
    if role not in [ai_role.value for ai_role in AiRole]:
        raise Refusal("An AI is game master, player or helper.", code="bad_fields")
    seats.seat(at.table, at.seat, name=name.strip() or "AI", role=AiRole(role), model=model, limits=limits)
    return done(request, at, HERE)


@router.post("/start", dependencies=owners)
def start(request: Request, at: AtTable, seats: Seats, seat: Line = "") -> Response:
    seats.start(at.table, seat)
    return done(request, at, HERE)


@router.post("/stop", dependencies=players)
def stop(request: Request, at: AtTable, seats: Seats, seat: Line = "") -> Response:
    """Stop an AI at once. Everyone may, except spectators."""
    seats.stop(at.table, seat)
    return done(request, at, HERE)


@router.post("/take-over", dependencies=players)
def take_over(request: Request, at: AtTable, seats: Seats, seat: Line = "") -> Response:
    """Take over an AI's seat. The owner may, and the seat that seated the AI."""
    seated_it = any(ai.by == at.seat for ai in seats.at(at.table) if ai.seat == seat)
    if context_of(request).auth.owner(request) is None and not seated_it:
        raise NotAllowed("The one who seated the AI takes its seat over, or the owner of these tables.")
    seats.take_over(at.table, seat, at.seat)
    return done(request, at, HERE)


@router.post("/ask")
def ask(request: Request, at: AtTable, seats: Seats, words: Words = "") -> Response:
    """Ask the helper something."""
    seats.ask(at.table, at.seat, words.strip())
    return done(request, at, HERE)


@router.post("/form")
def answer_form(request: Request, at: AtTable, seats: Seats, form: Line = "", answer: Words = "") -> Response:
    """Answer the helper's proposal with yes or no, or with what is to be done."""
    fields: dict[str, Any] | None = {"answer": answer}
    if answer == "yes":
        fields = {"answer": True}
    elif answer == "no":
        fields = None
    seats.answer_form(at.table, at.seat, form, fields)
    return done(request, at, HERE)


def _amount(text: str) -> float:
    try:
        amount = float(text.replace(",", ""))
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= 1e9:
        raise Refusal(f"{text[:20]!r} is not an amount.", code="bad_fields")
    return amount
