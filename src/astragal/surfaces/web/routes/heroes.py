"""Hero builder: start from a sample, change it, see what it costs, bring the hero into the story."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response

from astragal.surfaces.web.errors import REFUSED, problem
from astragal.surfaces.web.forms.read import read_form
from astragal.surfaces.web.heroes.builder import changes, hero_book, on_the_bench, random_hero, samples
from astragal.surfaces.web.rendering import page
from astragal.surfaces.web.requests import Sent, command_id, go_to, own_inputs
from astragal.surfaces.web.session import AtTable, SeatSession
from astragal.table.authoring.ruleset import HeroBook, Plain
from astragal.table.refusals import Refusal

router = APIRouter(prefix="/t/{table}/heroes")

NONE_HERE = "The game master makes this game’s heroes at the table; spectators can’t make any."
UNMENDED = "That fix no longer fits the hero. Everything you typed is still here."


def bench(request: Request, at: AtTable) -> HeroBook | Response:
    return hero_book(at) or problem(request, 404, NONE_HERE)


Bench = Annotated[HeroBook | Response, Depends(bench)]


@router.get("")
def start(request: Request, at: AtTable, book: Bench, sample: str = "") -> Response:
    """Begin with a sample or a random hero; other query parameters are wishes."""
    if isinstance(book, Response):
        return book
    known = samples(at, book)
    hero = known.get(sample) or random_hero(at, book, dict(request.query_params))
    return _shown(request, at, book, hero or next(iter(known.values()), {}))


@router.post("/check")
def check(request: Request, at: AtTable, book: Bench, sent: Sent) -> Response:
    """Cost and faults of the hero as the form is filled in now."""
    if isinstance(book, Response):
        return book
    bench = on_the_bench(at, book, _hero(at, book, sent))
    return page(request, "heroes/accounts.html", at=at, bench=bench, checked=True)


@router.post("/mend")
def mend(request: Request, at: AtTable, book: Bench, sent: Sent) -> Response:
    """Apply a repair to the form; one that no longer fits leaves the form as it was."""
    if isinstance(book, Response):
        return book
    hero = _hero(at, book, sent)
    chosen = dict(sent).get(".repair")
    repairs, better = changes(at, book, hero)
    repaired = next((one.hero for one in (*repairs, better) if one and one.words == chosen), None)
    if repaired is None:
        return _shown(request, at, book, hero, status=REFUSED, unmended=UNMENDED)
    return _shown(request, at, book, repaired)


@router.post("")
def make(request: Request, at: AtTable, book: Bench, sent: Sent) -> Response:
    """Bring the hero into the story: the one in the form, or one that is ready."""
    if isinstance(book, Response):
        return book
    ready = own_inputs(sent).get(".sample", "")
    hero = samples(at, book).get(ready, {}) if ready else _hero(at, book, sent)
    try:
        at.act(book.make, hero, command_id=command_id(sent))
    except Refusal:
        return _shown(request, at, book, hero, status=REFUSED, refused=True)
    return go_to(request, f"/t/{at.table}")


def _shown(
    request: Request, at: SeatSession, book: HeroBook, hero: Plain, status: int = 200, **said: Any
) -> HTMLResponse:
    known = samples(at, book)
    return page(
        request,
        "heroes/builder.html",
        status,
        at=at,
        bench=on_the_bench(at, book, hero),
        samples={name: str(one.get("concept") or one.get("about") or "") for name, one in known.items()},
        wishes=book.wishes if book.random else {},
        has_random=book.random is not None,
        **said,
    )


def _hero(at: SeatSession, book: HeroBook, sent: list[tuple[str, str]]) -> dict[str, Any]:
    return read_form(at.book.command(book.make), sent)
