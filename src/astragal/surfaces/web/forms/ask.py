"""Forms of the game master: ask someone for a roll, set a number by hand."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import parse_qsl, urlencode

from annotated_types import Ge, Le
from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.shared.sheets import pieces_of
from astragal.surfaces.web.forms.choices import Option
from astragal.surfaces.web.forms.form import Widget, form_of, read_form
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.rolls import card_of
from astragal.table.authoring.chapter import Action
from astragal.table.declarations import Role, kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.table.state.table import Character
from astragal.wording import capitalised, in_words


def rolls_to_ask_for(session: SeatSession) -> list[str]:
    """Return the game's rolls that a player can make and that take a request."""
    actions = chain.from_iterable(chapter.actions for chapter in session.ruleset.chapters)
    return [action.name for action in actions if _can_be_asked_for(action)]


def _can_be_asked_for(action: Action[Any, Any]) -> bool:
    if action.gather is None or Role.PLAYER not in kind_of_command(action.command).may:
        return False
    return any(field.names == "request" for field in fields_of(action.command))


def rolls_against(session: SeatSession) -> list[str]:
    """Return those of them that are against a difficulty."""
    rolls = rolls_to_ask_for(session)
    return [name for name in rolls if any(field.is_against for field in fields_of(session.book.command(name)))]


EVERYBODY = "everybody"
AskKey = tuple[tuple[str, str], ...]
"""A roll and its fields, except who makes it."""


def ask_rows(session: SeatSession, rolls: Sequence[str]) -> list[tuple[str, list[Option]]]:
    """Return each hero with the rolls on their sheet that one click asks for; first of all, those of every hero."""
    heroes = [character for character in session.state.characters.values() if character.seat is not None]
    labels_by_hero = [_rolls_on_sheet(session, hero, rolls) for hero in heroes]
    rows: list[tuple[str, list[Option]]] = []
    if len(heroes) > 1:
        shared = set(labels_by_hero[0]).intersection(*labels_by_hero)
        labels_of_all = {key: label for key, label in labels_by_hero[0].items() if key in shared}
        rows.append(("Everybody", _ask_options(EVERYBODY, labels_of_all)))
    for hero, labels in zip(heroes, labels_by_hero, strict=True):
        rows.append((hero.name, _ask_options(hero.id, labels)))
    return [(name, options) for name, options in rows if options]


def _rolls_on_sheet(session: SeatSession, hero: Character[Any], rolls: Sequence[str]) -> dict[AskKey, str]:
    """Return the label of each of these rolls that a click on the hero's sheet opens."""
    labels: dict[AskKey, str] = {}
    for piece in pieces_of(session, hero) or ():
        command = getattr(piece, "command", None)  # only pieces that can be clicked have one
        if command in rolls:
            fields = [(name, str(value)) for name, value in getattr(piece, "fields", ()) if value != hero.id]
            key = (("command", str(command)), *((f"fields.{name}", value) for name, value in fields))
            labels[key] = in_words(session.teller.label(str(piece.label)))
    return labels


def _ask_options(who: str, labels: Mapping[AskKey, str]) -> list[Option]:
    return [Option(urlencode([("who", who), *key]), label) for key, label in labels.items()]


def read_ask(session: SeatSession, text: str) -> dict[str, Any]:
    """Parse a click on one of these rolls into the fields of `request_roll`."""
    fields = read_form(session.book.command("request_roll"), parse_qsl(text))
    if fields.get("who") == EVERYBODY:
        heroes = [character.id for character in session.state.characters.values() if character.seat is not None]
        fields["who"] = heroes[0] if heroes else ""
        fields["also"] = heroes[1:]
    return fields


def asking_of(session: SeatSession, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form that asks for a roll, with these fields of `request_roll` filled in: who, which, against what.

    Of the roll's own fields, the game master can fill in those that are chosen from existing options. The difficulty
    belongs to the request. Free text and a line without options are left to the player.
    """
    rolls = rolls_to_ask_for(session)
    roll = str(given.get("command") if given.get("command") in rolls else rolls[0])
    kind = session.book.command(roll)
    against = next((field for field in fields_of(kind) if field.is_against and field.limit(Ge) is not None), None)
    people = [Option(character.id, character.name) for character in _heroes_first(session)]
    usual = dict(card_of(session.book.action(roll)).usual)
    rows = ask_rows(session, rolls)
    chosen = session.state.characters.get(str(given.get("who")))
    rows_of_chosen = [row for row in rows if chosen is not None and row[0] == chosen.name]
    difficulties = session.ruleset.difficulties.items()
    return {
        "rows": rows_of_chosen or rows,
        "others": [row for row in rows if row not in rows_of_chosen] if rows_of_chosen else [],
        "people": people,
        "rolls": [Option(name, session.in_skin(in_words(name))) for name in rolls],
        "who": str(given.get("who") or (people[0].value if people else "")),
        "roll": roll,
        "doc": session.in_skin(" ".join((kind.__doc__ or "").split())),
        "inputs": _inputs_of_game_master(session, roll, given.get("fields") or {}),
        "has_difficulty": bool(rolls_against(session)),
        "names": [Option(name, f"{capitalised(name)} {number}") for name, number in difficulties],
        "least": against.limit(Ge) if against else None,
        "most": against.limit(Le) if against else None,
        "difficulty": str(given.get("difficulty") or usual.get("difficulty", "")),
        "hidden": bool(given.get("hidden", False)),
        "what_for": str(given.get("what_for", "")),
    }


def _inputs_of_game_master(session: SeatSession, roll: str, given: Mapping[str, Any]) -> list[Widget]:
    """Return inputs for those of a roll's fields that the game master can fill in."""
    kind = session.book.command(roll)
    fields = {field.name: field for field in fields_of(kind)}
    inputs = []
    for widget in form_of(session, roll, given).widgets:
        field = fields[widget.name]
        is_left_to_player = field.is_against or field.is_free_text or field.names == "request" or field.is_seldom
        is_chosen = widget.kind in ("choice", "fixed") or (widget.kind == "line" and widget.options)
        if is_chosen and not is_left_to_player and field.name != kind_of_command(kind).actor:
            inputs.append(replace(widget, name=f"fields.{widget.name}"))
    return inputs


def _heroes_first(session: SeatSession) -> list[Character[Any]]:
    return sorted(session.state.characters.values(), key=lambda character: character.seat is None)


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
    characters = {character.id: character for character in _heroes_first(session)}
    character = characters.get(str(given.get("who", ""))) or next(iter(characters.values()), None)
    numbers = _numbers_of(session, character) if character else []
    first = numbers[0] if numbers else None
    return {
        "people": [Option(character_id, person.name) for character_id, person in characters.items()],
        "who": character.id if character else "",
        "numbers": numbers,
        "chosen": next((number for number in numbers if number.name == given.get("what")), first),
        "value": str(given.get("value", "")),
        "why": str(given.get("why", "")),
    }


def _numbers_of(session: SeatSession, character: Character[Any]) -> list[Settable]:
    """Return the numbers of a character that can be set by hand."""
    numbers = []
    for name, override in session.ruleset.overrides.items():
        label = in_words(session.in_skin(session.teller.term(name)))
        doc = session.in_skin(override.doc)
        numbers.append(Settable(name, label, doc, *override.limits, override.read(character.sheet)))
    return numbers
