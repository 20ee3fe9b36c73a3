"""What could come next: at the prompt of a table, and in a shell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from astragal.surfaces.cli.input.values import spoken
from astragal.surfaces.cli.play.lexicon import lexicon_of
from astragal.surfaces.cli.play.plain_words import split
from astragal.surfaces.shared.pending import asked_of
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.shapes import choices_in

if TYPE_CHECKING:
    from astragal.surfaces.cli.input.seats import Place
    from astragal.table.state.table import State

OWN_WORDS = ("look", "sheet", "odds", "quit", "?")


def at_the_prompt(place: Place, begun: str) -> list[str]:
    """Words that could stand where the line ends."""
    state = place.look()
    commands = place.book.commands_for(state.seats[place.seat].role)
    words = split(begun)
    if words and begun.endswith(" "):
        words.append("")
    if len(words) <= 1:
        answers = [str(answer.value) for asking in asked_of(place.view)[:1] for answer in asking.notable]
        return [*answers, *commands, *OWN_WORDS]
    if words[0] in OWN_WORDS:
        del words[0]
        if len(words) == 1:
            return [*commands, *_names(state)]
    kind = next((kind for name, kind in commands.items() if spoken(name) == spoken(words[0])), None)
    return list(dict.fromkeys(_for_command(place, state, kind))) if kind else list(commands)


def _for_command(place: Place, state: State, kind: type) -> Iterator[str]:
    """People, things, choices and words of the furniture that the command has room for, then its fields."""
    lexicon = lexicon_of(place.view)
    names = {field.name for field in fields_of(kind)}
    for field in fields_of(kind):
        if field.names == "character":
            yield from _names(state)
        elif field.names:
            yield from lexicon.things.get(field.names, {})
        yield from (_quoted(str(choice)) for choice in choices_in(field.shape))
    yield from (
        _quoted(phrase) for phrase, meant in lexicon.fillings.items() if any(name in names for name, _ in meant)
    )
    yield from (f"{name}=" for name in names)


def _names(state: State) -> Iterable[str]:
    return (_quoted(one.name) for one in state.characters.values())


def _quoted(phrase: str) -> str:
    return f'"{phrase}"' if " " in phrase else phrase
