"""The lab: any rule of any game with sliders, for everybody; no seat and no table are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import BoundedSemaphore

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from astragal.lab.explore import Answer, Explorer
from astragal.lab.rolls import rolls_of, varying
from astragal.surfaces.web.errors import REFUSED, TooFast, problem
from astragal.surfaces.web.lab import AGAINST, MOST_PATHS, Shown, duel_shown, shown
from astragal.surfaces.web.rendering import is_part, page
from astragal.surfaces.web.requests import context_of, go_to

router = APIRouter(prefix="/lab")

WORK = 0.03
"""Seconds in which further points are begun for one request; a page asks again for the rest."""
PATIENCE = 2.0
"""Seconds to wait for another's question to be answered: one at a time, so that tables are not held up."""
FILES: Mapping[str, tuple[str, Callable[[Answer], str | bytes]]] = {
    "csv": ("text/csv; charset=utf-8", Answer.csv),
    "json": ("application/json", Answer.json),
    "svg": ("image/svg+xml", Answer.svg),
    "png": ("image/png", Answer.png),
}

_explorer = Explorer(MOST_PATHS)
_turn, _fight = BoundedSemaphore(1), BoundedSemaphore(1)


@router.get("")
def start(request: Request, game: str = "") -> Response:
    """The first roll of a game, over its first parameter."""
    context = context_of(request)
    ruleset = (context.book(game) if game else next(iter(context.books.values()))).ruleset
    roll = next(iter(rolls_of(ruleset).values()))
    over = next(iter(varying(roll)), "")
    return go_to(request, f"/lab/{ruleset.id}/{roll.name}" + (f"?.over={over}" if over else ""))


@router.get("/duel")
def choose_fight(request: Request, game: str = "") -> Response:
    """Lead to the duels of a game: of the one that was chosen, or of the first that has any."""
    rulesets = {one.ruleset.id: one.ruleset for one in context_of(request).books.values() if one.ruleset.duel}
    found = rulesets.get(game) or next(iter(rulesets.values()), None)
    return go_to(request, f"/lab/{found.id}/duel" if found else "/lab")


@router.get("/{game}/duel")
def fight(request: Request, game: str) -> HTMLResponse:
    """Two fighters of a game, and how their duel ends."""
    context = context_of(request)
    with _in_turn(request, _fight):
        found = duel_shown(context.book(game).ruleset, request.query_params.multi_items())
    template = "lab/duel_answer.html" if is_part(request) else "lab/duel.html"
    games = [book.ruleset for book in context.books.values()]
    return page(request, template, REFUSED if found.faults else 200, shown=found, games=games)


@router.get("/{game}/{rule}")
def explore(request: Request, game: str, rule: str) -> HTMLResponse:
    """The page, or only its answer where a slider was moved."""
    found = _shown(request, game, rule)
    template = "lab/answer.html" if is_part(request) else "lab/lab.html"
    games = [book.ruleset for book in context_of(request).books.values()]
    return page(
        request,
        template,
        REFUSED if found.faults else 200,
        shown=found,
        games=games,
        against=AGAINST,
        rolls_of=rolls_of,
    )


@router.get("/{game}/{rule}/odds.{kind}")
def download(request: Request, game: str, rule: str, kind: str) -> Response:
    """The whole answer as a file."""
    found = _shown(request, game, rule)
    if found.answer is None or kind not in FILES:
        return problem(request, REFUSED if found.faults else 404, " ".join(found.faults) or "There is no such format.")
    if found.answer.missing:
        return problem(request, 503, "This is still being calculated. Try again.", headers={"Retry-After": "1"})
    headers = {"Content-Disposition": f'attachment; filename="{found.sides[0].roll.name}.{kind}"'}
    media_type, made = FILES[kind]
    return Response(made(found.answer), media_type=media_type, headers=headers)


@contextmanager
def _in_turn(request: Request, turn: BoundedSemaphore) -> Iterator[None]:
    """Answer one question at a time, and refuse whoever asks too fast; people at one address share a pace."""
    if seconds := context_of(request).paces.wait(("lab", request.client.host if request.client else "")):
        raise TooFast(seconds)
    if not turn.acquire(timeout=PATIENCE):
        raise TooFast(1.0)
    try:
        yield
    finally:
        turn.release()


def _shown(request: Request, game: str, rule: str) -> Shown:
    context = context_of(request)
    with _in_turn(request, _turn):
        end = context.ticks() + WORK
        return shown(
            lambda name: context.book(name).ruleset,
            (game, rule),
            request.query_params.multi_items(),
            _explorer,
            lambda: context.ticks() > end,
        )
