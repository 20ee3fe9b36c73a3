"""Making a hero: where one can start from, what it costs so far, what is wrong with it, and how it could be mended."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from astragal.surfaces.web.forms.form import Form, form_of
from astragal.surfaces.web.session import SeatSession
from astragal.table.authoring.declarations import kind_of_command
from astragal.table.authoring.hero_book import HeroBook, Plain, Repair, ready_heroes
from astragal.table.refusals import Refusal
from astragal.values import frozen

MOST_REPAIRS = 4
UNREADABLE = (Refusal, ValueError, TypeError, KeyError, AttributeError)
"""Raised over a hero that can't be read yet: it has neither accounts nor repairs."""


@frozen
class Bench:
    """A hero on the bench, as it stands."""

    form: Form
    accounts: tuple[str, ...]
    reasons: tuple[str, ...]
    """Why it can't be played yet; nothing for one that can."""
    repairs: tuple[Repair, ...]


def hero_book(session: SeatSession) -> HeroBook | None:
    """How heroes are made here, if the game says so and this seat may."""
    book = session.ruleset.heroes
    if book is None or session.viewer.role not in kind_of_command(session.book.command(book.make)).may:
        return None
    return book


def samples(session: SeatSession, book: HeroBook) -> Mapping[str, Plain]:
    """Those that come with the game or its skin, without the ones who are in the story already."""
    taken = {one.name for one in session.state.characters.values()}
    known = ready_heroes(book, session.state.options, session.state.setting)
    return {name: hero for name, hero in known.items() if name not in taken}


def random_hero(session: SeatSession, book: HeroBook, wishes: Mapping[str, str]) -> Plain:
    """Any hero that the game allows; wishes that it can't grant are left out."""
    if book.random is None:
        return {}
    wished = {name: options for name, options in wishes.items() if name in book.wishes and options.strip()}
    try:
        return book.random(secrets.randbelow, wished, session.state.options)
    except (Refusal, ValueError):
        return book.random(secrets.randbelow, {}, session.state.options)


def on_the_bench(session: SeatSession, book: HeroBook, hero: Plain) -> Bench:
    form = form_of(session, book.make, hero)
    if not session.is_game_master:
        form = replace(form, first=tuple(one for one in form.first if one.name != "seat"))
    reasons: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    with suppress(*UNREADABLE):
        accounts = tuple(map(session.in_skin, book.accounts(hero, session.state.options)))
    try:
        session.host.rehearse(session.table, session.seat, (book.make, hero))
    except Refusal as refusal:
        reasons = refusal.problems
    return Bench(form, accounts, reasons, repairs(session, book, hero) if reasons else ())


def repairs(session: SeatSession, book: HeroBook, hero: Plain) -> tuple[Repair, ...]:
    """Legal heroes near to this one, known by their words."""
    try:
        found = book.repairs(hero, session.state.options)[:MOST_REPAIRS]
        return tuple(replace(one, words=session.in_skin(one.words)) for one in found)
    except UNREADABLE:
        return ()
