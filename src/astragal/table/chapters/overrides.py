"""Declared overrides: the game master sets a number of a sheet by hand, within its limits, for all to see.

Which numbers, and between which limits, is the ruleset's to say: the chapter is made from its `overrides`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from typing_extensions import Doc

from astragal.table.declarations import command, event
from astragal.table.fields import CharacterId, Name, Words
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Overridable, Teller
from astragal.table.seats import GAME_MASTER_ONLY
from astragal.table.seen import Seen
from astragal.table.state import Character, State


@command("override", may=GAME_MASTER_ONLY, grave=True)
class Override:
    """Set a number by hand. All are told what it was, what it is, and why."""

    who: Annotated[CharacterId, Doc("whose number")]
    what: Annotated[Name, Doc("which number")]
    value: Annotated[int, Doc("what it is from now on")]
    why: Annotated[Words, Doc("why the rules are set aside")] = ""


@event("overridden", owner="who")
class Overridden:
    """The game master set a number by hand."""

    who: Annotated[str, Seen.ALL]
    what: Annotated[str, Seen.ALL]
    before: Annotated[int, Seen.ALL]
    after: Annotated[int, Seen.ALL]
    why: Annotated[Words, Seen.ALL]


def overriding(overrides: Mapping[str, Overridable]) -> Chapter:
    """The chapter of overrides for a ruleset that allows these."""

    def decide(call: Call, asked: Override, _: None) -> list[Overridden]:
        character = _find_character(call.state, asked.who)
        overridable = _find_overridable(overrides, asked.what)
        least, most = overridable.limits
        if not least <= asked.value <= most:
            raise Refusal(f"{asked.what} goes from {least} to {most}, not to {asked.value}.", code="out_of_range")
        before = overridable.read(character.sheet)
        if before == asked.value:
            raise Refusal(f"{character.name} has {asked.what} {before} already.", code="no_change")
        return [Overridden(who=character.id, what=asked.what, before=before, after=asked.value, why=asked.why)]

    def write(state: State, overridden: Overridden) -> State:
        """A number that the ruleset no longer knows is left as it is."""
        if overridden.what not in overrides or overridden.who not in state.characters:
            return state
        sheet = state.characters[overridden.who].sheet
        return state.with_sheet(overridden.who, overrides[overridden.what].write(sheet, overridden.after))

    return Chapter(actions=(Action(Override, decide),), happenings=(Happening(Overridden, _say_overridden, write),))


def _find_character(state: State, who: str) -> Character[object]:
    if who not in state.characters:
        raise NoSuchThing(f"There is no character {who!r} at this table.")
    return state.characters[who]


def _find_overridable(overrides: Mapping[str, Overridable], what: str) -> Overridable:
    if what not in overrides:
        known = ", ".join(sorted(overrides)) or "none"
        raise NoSuchThing(f"This game has no number {what!r} to override; it has {known}.")
    return overrides[what]


def _say_overridden(overridden: Overridden, teller: Teller) -> str:
    why = f" ({overridden.why})" if overridden.why else ""
    number = f"{teller.term(overridden.what)} {overridden.before} → {overridden.after}"
    return f"override: {teller.name(overridden.who)}, {number}{why}"
