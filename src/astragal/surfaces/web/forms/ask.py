"""Forms of the game master: ask somebody for a roll, set a number by hand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from annotated_types import Ge, Le

from astragal.surfaces.shared.sheets import pieces_of
from astragal.surfaces.shared.words import in_words
from astragal.surfaces.web.forms.form import Option, Widget, form_of, read_form
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.rolls import card_of
from astragal.table.declarations import Role, kind_of_command
from astragal.table.fields.definitions import fields_of

CHOSEN = ("choice", "fixed", "line")
"""Of the roll's own fields, those that are chosen from what is there can be filled in for somebody else."""


def rolls_to_ask_for(session: SeatSession) -> list[str]:
    """The game's rolls that a player can make and that take a request."""
    return [
        action.name
        for chapter in session.ruleset.chapters
        for action in chapter.actions
        if action.gather is not None
        and Role.PLAYER in kind_of_command(action.command).may
        and any(field.names == "request" for field in fields_of(action.command))
    ]


def rolls_against(session: SeatSession) -> list[str]:
    """Those of them that are against a difficulty."""
    rolls = rolls_to_ask_for(session)
    return [name for name in rolls if any(field.is_against for field in fields_of(session.book.command(name)))]


EVERYBODY = "everybody"
AskKey = tuple[tuple[str, str], ...]
"""A roll and its fields, but for who makes it."""


@dataclass(frozen=True)
class AskRow:
    """Somebody, and the rolls that one click asks them for."""

    who: str
    asks: tuple[Option, ...]


def ask_rows(session: SeatSession, rolls: Sequence[str]) -> tuple[AskRow, ...]:
    """Every hero with what can be rolled on their sheet; first of all, what all of them have in common."""
    heroes = [one for one in session.state.characters.values() if one.seat is not None]
    rows: dict[str, dict[AskKey, str]] = {one.id: {} for one in heroes}
    for who in heroes:
        for piece in pieces_of(session, who) or ():
            if (command := getattr(piece, "command", None)) in rolls:
                given = getattr(piece, "fields", ())
                filled = [(f"fields.{name}", str(value)) for name, value in given if value != who.id]
                key = (("command", str(command)), *filled)
                rows[who.id][key] = in_words(session.teller.label(str(piece.label)))
    first = next(iter(rows.values()), {})
    shared = set(first).intersection(*rows.values()) if len(rows) > 1 else ()
    common = {key: words for key, words in first.items() if key in shared}
    named = [("Everybody", EVERYBODY, common), *((one.name, one.id, rows[one.id]) for one in heroes)]
    return tuple(
        AskRow(name, tuple(Option(urlencode([("who", who), *key]), words) for key, words in asks.items()))
        for name, who, asks in named
        if asks
    )


def read_ask(session: SeatSession, text: str) -> dict[str, Any]:
    """The fields of `request_roll` that a click on one of these rolls means."""
    sent = parse_qsl(text)
    given = read_form(session.book.command("request_roll"), sent)
    if given.get("who") == EVERYBODY:
        heroes = [one.id for one in session.state.characters.values() if one.seat is not None]
        given |= {"who": heroes[0] if heroes else "", "also": heroes[1:]}
    return given


@dataclass(frozen=True, kw_only=True)
class Asking:
    """The form that asks for a roll: from whom, which one, with which fields filled in, against what."""

    rows: tuple[AskRow, ...]
    people: tuple[Option, ...]
    rolls: tuple[Option, ...]
    who: str
    roll: str
    doc: str
    inputs: tuple[Widget, ...]
    has_difficulty: bool
    names: tuple[Option, ...]
    """Difficulties that the game has names for."""
    least: int | None
    most: int | None
    difficulty: str
    hidden: bool
    what_for: str


def asking_of(session: SeatSession, given: Mapping[str, Any]) -> Asking:
    """The form with these fields of `request_roll` filled in."""
    rolls = rolls_to_ask_for(session)
    roll = given.get("command") if given.get("command") in rolls else rolls[0]
    kind = session.book.command(str(roll))
    against = [field for field in fields_of(kind) if field.is_against]
    numbered = next((field for field in against if field.limit(Ge) is not None), None)
    people = [Option(one.id, one.name) for one in _heroes_first(session)]
    usual = dict(card_of(session.book.action(str(roll))).usual)
    return Asking(
        rows=ask_rows(session, rolls),
        people=tuple(people),
        rolls=tuple(Option(name, session.in_skin(in_words(name))) for name in rolls),
        who=str(given.get("who") or (people[0].value if people else "")),
        roll=str(roll),
        doc=session.in_skin(" ".join((kind.__doc__ or "").split())),
        inputs=tuple(_inputs(session, str(roll), kind, given.get("fields") or {})),
        has_difficulty=bool(rolls_against(session)),
        names=tuple(Option(name, f"{name}: {number}") for name, number in session.ruleset.difficulties.items()),
        least=numbered.limit(Ge) if numbered else None,
        most=numbered.limit(Le) if numbered else None,
        difficulty=str(given.get("difficulty") or usual.get("difficulty", "")),
        hidden=bool(given.get("hidden", False)),
        what_for=str(given.get("what_for", "")),
    )


def _heroes_first(session: SeatSession) -> list[Any]:
    return sorted(session.state.characters.values(), key=lambda one: one.seat is None)


def _inputs(session: SeatSession, roll: str, kind: type, given: Mapping[str, Any]) -> Iterator[Widget]:
    """The difficulty is the request's, words are the player's, and a line without choices is left to them too."""
    known = {field.name: field for field in fields_of(kind)}
    form = form_of(session, roll, given)
    for widget in (*form.first, *form.more):
        field = known[widget.name]
        is_players = field.is_against or field.is_free_text or field.names == "request" or field.is_seldom
        if widget.kind not in CHOSEN or field.name == kind_of_command(kind).actor or is_players:
            continue
        if widget.kind != "line" or widget.options:
            yield replace(widget, name=f"fields.{widget.name}")


# ---------------------------------------------------------------- by hand


@dataclass(frozen=True)
class Settable:
    """A number that can be set by hand, and its present value."""

    name: str
    label: str
    doc: str
    least: int
    most: int
    now: int


@dataclass(frozen=True)
class Overriding:
    people: tuple[Option, ...]
    who: str
    numbers: tuple[Settable, ...]
    what: str
    value: str
    why: str

    @property
    def chosen(self) -> Settable | None:
        return next((one for one in self.numbers if one.name == self.what), None)


def overriding_of(session: SeatSession, given: Mapping[str, Any]) -> Overriding:
    characters = {one.id: one for one in _heroes_first(session)}
    who, said = str(given.get("who", "")), session.in_skin
    character = characters.get(who) or next(iter(characters.values()), None)
    numbers = tuple(
        Settable(name, in_words(said(session.teller.term(name))), said(one.doc), *one.limits, one.read(character.sheet))
        for name, one in session.ruleset.overrides.items()
        if character is not None
    )
    what = str(given.get("what", ""))
    return Overriding(
        tuple(Option(one.id, one.name) for one in characters.values()),
        character.id if character else "",
        numbers,
        what if what in session.ruleset.overrides else (numbers[0].name if numbers else ""),
        str(given.get("value", "")),
        str(given.get("why", "")),
    )
