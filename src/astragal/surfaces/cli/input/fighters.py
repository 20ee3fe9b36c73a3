"""Fighters of a duel from words: NAME=NUMBER, or one of the game's usual foes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from astragal.lab.duels import duel_of
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.input.fields import FIELD, fields_from
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.validation import read


def fighter_from(game: Ruleset, words: Sequence[str]) -> Any:
    """A fighter with the typed numbers, the others as usual; or the foe that the words name."""
    declared = duel_of(game)
    said = " ".join(words).casefold()
    known = {name.casefold(): foe for name, foe in declared.foes.items()}
    if said in known:
        return known[said]
    if words and not any(FIELD.fullmatch(word) or word.startswith("-") for word in words):
        listed = ", ".join(declared.foes)
        raise BadCall(f"There is no foe {said!r}; write NAME=NUMBER, or one of {listed}.")
    return read(declared.fighter, fields_from(declared.fighter, words))


def options_from(game: Ruleset, words: Sequence[str]) -> Any:
    """The table's options with those that are typed as NAME=VALUE."""
    return read(game.options, fields_from(game.options, words))


def split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as fault:
        raise BadCall(f"{text[:40]!r} can't be read: {fault}.") from None
