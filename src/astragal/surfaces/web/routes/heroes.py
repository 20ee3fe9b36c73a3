"""Hero builder: start from a sample, change it, see what it costs and what is wrong, bring the hero into the story."""

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.web import errors, rendering
from astragal.surfaces.web.forms.form import Form, Widget, form_of, read_form
from astragal.surfaces.web.session import AtTable, SeatSession, Sent, command_id, go_to, own_inputs
from astragal.table.authoring.heroes import NEAR
from astragal.table.authoring.ruleset import HeroBook, Plain, Repair, ready_heroes
from astragal.table.declarations import kind_of_command
from astragal.table.refusals import BadFields, Refusal
from astragal.wording import capitalised

MOST_REPAIRS = 4
MOST_DRAWN = 20
"""Draws until a random hero has a name that is free."""
UNREADABLE = (Refusal, ValueError, TypeError, KeyError, AttributeError)
"""Raised for a hero that can't be read yet. It has neither accounts nor repairs."""


STEPS: Mapping[str, frozenset[str]] = {
    "Who they are": frozenset({"line", "area", "choice", "fixed"}),
    "Numbers": frozenset({"number", "pairs", "group"}),
    "What they have": frozenset({"rows", "several", "switch"}),
}
"""Steps in which a hero is made, by the kinds of inputs in each."""
BALANCE = re.compile(r"\b(left|too many|of \d+)\b")
"""Matches the line of the accounts that says what is left to spend."""


class HeroDraft(Struct, frozen=True):
    """State of a hero that is being made: its form, its cost, and what is wrong with it."""

    form: Form
    accounts: tuple[str, ...]
    reasons: tuple[tuple[str, str], ...]
    """Why it can't be played yet, each with the input to change if there is one; empty if it can be played."""
    repairs: tuple[Repair, ...]
    better: Repair | None
    """For a hero who can be played: one who beats it everywhere."""

    @property
    def balance(self) -> str:
        """A line on what is left to spend."""
        first_line = self.accounts[0] if self.accounts else ""
        return next(filter(BALANCE.search, self.accounts), first_line)

    @property
    def steps(self) -> list[tuple[str, list[Widget]]]:
        """The inputs, by the title of the step that they belong to."""
        steps = []
        for title, kinds in STEPS.items():
            widgets = [widget for widget in self.form.widgets if widget.kind in kinds]
            if widgets:
                steps.append((title, widgets))
        return steps


def samples(session: SeatSession, book: HeroBook) -> Mapping[str, Plain]:
    """Sample heroes of the game or its skin, without those who are in the story already."""
    names_in_story = {character.name for character in session.state.characters.values()}
    heroes = ready_heroes(book, session.state.options, session.state.setting)
    return {name: hero for name, hero in heroes.items() if name not in names_in_story}


def random_hero(session: SeatSession, book: HeroBook, wishes: Mapping[str, str]) -> Plain:
    """Draw any hero that the game allows, with a name that is free. Wishes that it can't grant are left out."""
    if book.random is None:
        return {}
    granted_wishes = {name: wish for name, wish in wishes.items() if name in book.wishes and wish.strip()}
    names_in_story = {character.name.casefold() for character in session.state.characters.values()}
    hero: Plain = {}
    for _ in range(MOST_DRAWN):
        try:
            hero = book.random(secrets.randbelow, granted_wishes, session.state.options)
        except (Refusal, ValueError):
            hero = book.random(secrets.randbelow, {}, session.state.options)
        if str(hero.get("name", "")).casefold() not in names_in_story:
            return hero
    return {**hero, "name": f"{hero.get('name', '')} the Younger"}


def draft_of(session: SeatSession, book: HeroBook, hero: Plain) -> HeroDraft:
    """Fill the builder's form with a hero, and try whether the hero can be played."""
    form = form_of(session, book.make, _with_known_keys(session, book, hero))
    if not session.is_game_master:
        form = replace(form, first=tuple(widget for widget in form.first if widget.name != "seat"))
    accounts: tuple[str, ...] = ()
    with suppress(*UNREADABLE):
        accounts = tuple(map(session.in_skin, book.accounts(hero, session.state.options)))
    reasons: tuple[tuple[str, str], ...] = ()
    try:
        session.host.rehearse(session.table, session.seat, (book.make, hero))
    except Refusal as refusal:
        form = form.refused_with(_without_near_heroes(refusal), session.in_skin)
        reasons = tuple(_reasons(form))
        problems = {problem.rstrip(".") for problem in refusal.problems}
        accounts = tuple(line for line in accounts if line.rstrip(".") not in problems)
    repairs, better = changes(session, book, hero)
    if reasons:
        return HeroDraft(form, accounts, reasons, repairs, None)
    return HeroDraft(form, accounts, reasons, (), better)


def _without_near_heroes(refusal: Refusal) -> BadFields:
    """Leave out the problems of a refusal that only name a legal hero nearby: repairs show these."""
    paths = refusal.paths if isinstance(refusal, BadFields) else ((refusal.field,),)
    problems = []
    paths_of_problems = []
    for problem, path in zip(refusal.problems, paths, strict=True):
        if not problem.startswith(NEAR):
            problems.append(problem)
            paths_of_problems.append(path)
    return BadFields(problems, paths_of_problems)


def _reasons(form: Form) -> Iterator[tuple[str, str]]:
    """Yield the faults of a form that was refused, those of no input first, each with the name of its input."""
    for fault in form.faults:
        yield f"{capitalised(fault).removesuffix('.')}.", ""
    for widget in form.widgets:
        for part in (widget, *widget.parts):
            if part.fault:
                yield part.fault, part.name


def _with_known_keys(session: SeatSession, book: HeroBook, hero: Plain) -> Plain:
    """Add an empty input for every key that sample heroes have, so that nobody has to know how keys are spelt."""
    with_keys = dict(hero)
    for sample in book.samples(session.state.options).values():
        for name, sample_part in sample.items():
            part = with_keys.get(name, {})
            if isinstance(sample_part, Mapping) and isinstance(part, Mapping):
                missing = {key: None for key in sample_part if key not in part}
                with_keys[name] = {**part, **missing}
    return with_keys


def changes(session: SeatSession, book: HeroBook, hero: Plain) -> tuple[tuple[Repair, ...], Repair | None]:
    """Find repairs: legal heroes near one that isn't; and the hero who beats a legal one everywhere.

    Forms refer to them by their words.
    """
    options = session.state.options
    try:
        repairs = book.repairs(hero, options)[:MOST_REPAIRS]
        better = book.better(hero, options)
    except UNREADABLE:
        return (), None
    repairs_in_skin = tuple(_in_skin(session, repair) for repair in repairs)
    return repairs_in_skin, _in_skin(session, better) if better else None


def _in_skin(session: SeatSession, repair: Repair) -> Repair:
    return replace(repair, words=session.in_skin(repair.words))


router = APIRouter(prefix="/t/{table}/heroes")

NONE_HERE = "The game master makes this game’s heroes at the table; spectators can’t make any."
UNMENDED = "That fix no longer fits the hero. Everything you typed is still here."


def heroes_here(at: AtTable) -> HeroBook:
    """Dependency: the game's hero book, if it has one and this seat may make heroes."""
    book = at.ruleset.heroes
    if book is None or at.viewer.role not in kind_of_command(at.book.command(book.make)).may:
        raise HTTPException(404, NONE_HERE)
    return book


Book = Annotated[HeroBook, Depends(heroes_here)]


@router.get("")
def start(request: Request, at: AtTable, book: Book, sample: str = "") -> Response:
    """Begin with a sample or a random hero; other query parameters are wishes."""
    heroes = samples(at, book)
    hero = heroes.get(sample) or random_hero(at, book, dict(request.query_params))
    return _builder_page(request, at, book, hero or next(iter(heroes.values()), {}))


@router.post("/check")
def check(request: Request, at: AtTable, book: Book, sent: Sent) -> Response:
    """Cost and faults of the hero as the form is filled in now."""
    bench = draft_of(at, book, read_form(at.book.command(book.make), sent))
    return rendering.page(request, "heroes/accounts.html", at=at, bench=bench, checked=True)


@router.post("/mend")
def mend(request: Request, at: AtTable, book: Book, sent: Sent) -> Response:
    """Apply a repair to the form; one that no longer fits leaves the form as it was."""
    hero = read_form(at.book.command(book.make), sent)
    chosen = dict(sent).get(".repair")
    repairs, better = changes(at, book, hero)
    for repair in (*repairs, better):
        if repair is not None and repair.words == chosen:
            return _builder_page(request, at, book, repair.hero)
    return _builder_page(request, at, book, hero, status=errors.REFUSED, unmended=UNMENDED)


@router.post("")
def make(request: Request, at: AtTable, book: Book, sent: Sent) -> Response:
    """Bring the hero into the story: the one in the form, or one that is ready."""
    sample = own_inputs(sent).get(".sample", "")
    if sample:
        hero = samples(at, book).get(sample, {})
    else:
        hero = read_form(at.book.command(book.make), sent)
    try:
        at.act(book.make, hero, command_id=command_id(sent))
    except Refusal:
        return _builder_page(request, at, book, hero, status=errors.REFUSED, refused=True)
    return go_to(request, f"/t/{at.table}")


def _builder_page(
    request: Request, at: SeatSession, book: HeroBook, hero: Plain, status: int = 200, **notices: Any
) -> HTMLResponse:
    """Render the builder with a hero. `notices` say what came of a button: `refused`, or `unmended`."""
    concepts = {}
    for name, sample in samples(at, book).items():
        concepts[name] = str(sample.get("concept") or sample.get("about") or "")
    return rendering.page(
        request,
        "heroes/builder.html",
        status,
        at=at,
        bench=draft_of(at, book, hero),
        samples=concepts,
        wishes=book.wishes if book.random else {},
        wished={**book.unwished, **request.query_params},
        unwished=book.unwished,
        choices=book.wish_choices(at.state.options),
        has_random=book.random is not None,
        **notices,
    )
