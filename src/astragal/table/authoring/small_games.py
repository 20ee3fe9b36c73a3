"""Small games: `game(…)` makes a ruleset with defaults for everything that a game in one file can leave out.

Its command to join takes a name and the fields of the sheet. A sheet is displayed field by field.
"""

from collections.abc import Sequence
from types import new_class
from typing import Annotated, Any, get_type_hints

from annotated_types import Le
from typing_extensions import Doc

from astragal.chance import Rule
from astragal.table.authoring.chapter import Call, Chapter, Command
from astragal.table.authoring.display import Piece, Pips, Score, Tags
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.chapters.cast import entered
from astragal.table.declarations import GAME_MASTER_AND_PLAYERS, Seen, Value, parts_of
from astragal.table.fields.definitions import Name, fields_of
from astragal.table.state.table import Character
from astragal.table.visibility.redact import WITHHELD

__all__ = ["Nothing", "game"]


class Nothing(Value, seen=Seen.ALL):
    """Default for options and game state: no fields."""


def game(
    name: str,
    *,
    sheet: type,
    rules: Sequence[Rule[..., Any]],
    chapters: Sequence[Chapter],
    options: type = Nothing,
    state: type = Nothing,
    join: str = "join",
    **further: Any,
) -> Ruleset:
    """Make a game from its sheet, its rules and its chapters.

    `options` has the options that a table agrees on, `state` the game's own state; both need defaults for all of their
    fields. `join` is the name of the command that brings a character into the story. `further` goes to `Ruleset`.
    """
    fields: dict[str, Any] = {
        "name": name,
        "sheet": sheet,
        "rules": tuple(rules),
        "chapters": (joining(sheet, join), *chapters),
        "options": options,
        "game": state,
    }
    defaults: dict[str, Any] = {
        "id": name.casefold().replace(" ", "_"),
        "version": "1",
        "books": ("homebrew",),
        "begin": lambda _: state(),
        "furniture": pieces_of,
    }
    return Ruleset(**fields, **defaults | further)


def joining(sheet: type, name: str) -> Chapter:
    """Make a chapter with the command that brings a character into the story: a name, and the fields of a sheet.

    `name` is what the command is called.
    """

    def does(self: Any, call: Call) -> Sequence[Any]:
        fields = parts_of(self)
        name_of_character = fields.pop("name")
        return [entered(call, name_of_character, sheet(**fields))]

    hints = get_type_hints(sheet, include_extras=True)
    body: dict[str, Any] = {
        "__doc__": "Bring somebody into the story.",
        "__module__": sheet.__module__,
        "__annotations__": {"name": Annotated[Name, Doc("what they are called")]} | hints,
        "does": does,
    }
    body |= {field.name: field.default for field in fields_of(sheet) if not field.required}
    chapter = Chapter()
    join = new_class("Join", (Command,), exec_body=lambda namespace: namespace.update(body))
    chapter.command(name, may=GAME_MASTER_AND_PLAYERS)(join)
    return chapter


def pieces_of(who: Character[Any], _: Any) -> list[Piece]:
    """Make a piece for each field of a sheet: pips for numbers with a maximum, scores for others, tags for the rest."""
    pieces: list[Piece] = []
    for field in fields_of(type(who.sheet)):
        value = getattr(who.sheet, field.name)
        most = field.limit(Le)
        label = field.name.replace("_", " ").capitalize()
        if value is WITHHELD or value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            pieces.append(Tags(label, (str(value),)))
        elif most is None:
            pieces.append(Score(label, value, field.doc))
        else:
            pieces.append(Pips(label, value, most, field.doc))
    return pieces
