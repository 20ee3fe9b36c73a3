"""Forms of the game master: ask someone for a roll, set a number by hand."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from annotated_types import Ge, Le
from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.shared.sheets import pieces_of
from astragal.surfaces.web.forms.choices import Option
from astragal.surfaces.web.forms.form import form_of, read_form
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.rolls import card_of
from astragal.table.declarations import Role, kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.wording import capitalised, in_words


def rolls_to_ask_for(session: SeatSession) -> list[str]:
    """Return the game's rolls that a player can make and that take a request."""
    return [
        action.name
        for chapter in session.ruleset.chapters
        for action in chapter.actions
        if action.gather is not None
        and Role.PLAYER in kind_of_command(action.command).may
        and any(field.names == "request" for field in fields_of(action.command))
    ]


def rolls_against(session: SeatSession) -> list[str]:
    """Return those of them that are against a difficulty."""
    rolls = rolls_to_ask_for(session)
    return [name for name in rolls if any(field.is_against for field in fields_of(session.book.command(name)))]


EVERYBODY = "everybody"
AskKey = tuple[tuple[str, str], ...]
"""A roll and its fields, except who makes it."""


def ask_rows(session: SeatSession, rolls: Sequence[str]) -> list[tuple[str, list[Option]]]:
    """Return each hero with the rolls on their sheet that one click asks for; first of all, those of every hero."""
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
    return [
        (name, [Option(urlencode([("who", who), *key]), words) for key, words in asks.items()])
        for name, who, asks in named
        if asks
    ]


def read_ask(session: SeatSession, text: str) -> dict[str, Any]:
    """Parse a click on one of these rolls into the fields of `request_roll`."""
    sent = parse_qsl(text)
    given = read_form(session.book.command("request_roll"), sent)
    if given.get("who") == EVERYBODY:
        heroes = [one.id for one in session.state.characters.values() if one.seat is not None]
        given |= {"who": heroes[0] if heroes else "", "also": heroes[1:]}
    return given


def asking_of(session: SeatSession, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form that asks for a roll, with these fields of `request_roll` filled in: who, which, against what.

    Of the roll's own fields, the game master can fill in those that are chosen from existing options. The difficulty
    belongs to the request. Free text and a line without options are left to the player.
    """
    rolls = rolls_to_ask_for(session)
    roll = str(given.get("command") if given.get("command") in rolls else rolls[0])
    kind = session.book.command(roll)
    fields = {field.name: field for field in fields_of(kind)}
    numbered = next((one for one in fields.values() if one.is_against and one.limit(Ge) is not None), None)
    people = [Option(one.id, one.name) for one in _heroes_first(session)]
    form, inputs = form_of(session, roll, given.get("fields") or {}), []
    for widget in form.widgets:
        field = fields[widget.name]
        is_players = field.is_against or field.is_free_text or field.names == "request" or field.is_seldom
        is_chosen = widget.kind in ("choice", "fixed") or (widget.kind == "line" and widget.options)
        if is_chosen and not is_players and field.name != kind_of_command(kind).actor:
            inputs.append(replace(widget, name=f"fields.{widget.name}"))
    usual = dict(card_of(session.book.action(roll)).usual)
    rows, chosen = ask_rows(session, rolls), session.state.characters.get(str(given.get("who")))
    first = [row for row in rows if chosen is not None and row[0] == chosen.name]
    return {
        "rows": first or rows,
        "others": [row for row in rows if row not in first] if first else [],
        "people": people,
        "rolls": [Option(name, session.in_skin(in_words(name))) for name in rolls],
        "who": str(given.get("who") or (people[0].value if people else "")),
        "roll": roll,
        "doc": session.in_skin(" ".join((kind.__doc__ or "").split())),
        "inputs": inputs,
        "has_difficulty": bool(rolls_against(session)),
        "names": [
            Option(name, f"{capitalised(name)} {number}") for name, number in session.ruleset.difficulties.items()
        ],
        "least": numbered.limit(Ge) if numbered else None,
        "most": numbered.limit(Le) if numbered else None,
        "difficulty": str(given.get("difficulty") or usual.get("difficulty", "")),
        "hidden": bool(given.get("hidden", False)),
        "what_for": str(given.get("what_for", "")),
    }


def _heroes_first(session: SeatSession) -> list[Any]:
    return sorted(session.state.characters.values(), key=lambda one: one.seat is None)


# ---------------------------------------------------------------- by hand


class Settable(Struct, frozen=True):
    """A number that can be set by hand, and its present value."""

    name: str
    label: str
    doc: str
    least: int
    most: int
    now: int


def overriding_of(session: SeatSession, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form that sets a character's number by hand, with these fields of `override` filled in."""
    characters = {one.id: one for one in _heroes_first(session)}
    character, said = (
        characters.get(str(given.get("who", ""))) or next(iter(characters.values()), None),
        session.in_skin,
    )
    numbers = [
        Settable(name, in_words(said(session.teller.term(name))), said(one.doc), *one.limits, one.read(character.sheet))
        for name, one in session.ruleset.overrides.items()
        if character is not None
    ]
    first = numbers[0] if numbers else None
    return {
        "people": [Option(one.id, one.name) for one in characters.values()],
        "who": character.id if character else "",
        "numbers": numbers,
        "chosen": next((one for one in numbers if one.name == given.get("what")), first),
        "value": str(given.get("value", "")),
        "why": str(given.get("why", "")),
    }
