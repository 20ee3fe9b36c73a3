"""Declared overrides: the game master sets a number of a sheet by hand, within its limits, for all to see.

Which numbers, and between which limits, is the ruleset's to say: the chapter is made from its `overrides`.
"""

from collections.abc import Mapping
from typing import Annotated

from typing_extensions import Doc

from astragal.table.authoring.chapter import Action, Call, Chapter, Command, Event, Happening
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Overridable
from astragal.table.declarations import GAME_MASTER_ONLY, Seen, command, event
from astragal.table.fields.definitions import CharacterId, Name, Names, Words
from astragal.table.fields.lookup import Named
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.table import State


@event("overridden", owner="who")
class Overridden(Event, seen=Seen.ALL):
    """The game master set a number by hand."""

    who: str
    what: str
    before: int
    after: int
    why: Words

    def says(self, teller: Teller) -> str:
        why = f" ({self.why})" if self.why else ""
        return f"override: {teller.name(self.who)}, {teller.term(self.what)} {self.before} → {self.after}{why}"


@command("override", may=GAME_MASTER_ONLY, grave=True)
class Override(Command):
    """Set a number by hand. All are told what it was, what it is, and why."""

    who: Annotated[CharacterId, Doc("whose number")]
    what: Annotated[Name, Names("number"), Doc("which number")]
    value: Annotated[int, Doc("what it is from now on")]
    why: Annotated[Words, Doc("why the rules are set aside")] = ""


def overriding(overrides: Mapping[str, Overridable]) -> Chapter:
    """The chapter of overrides for a ruleset that allows these."""

    def does(call: Call, asked: Override, _: None) -> list[Overridden]:
        character = call.state.find(asked.who)
        if asked.what not in overrides:
            raise NoSuchThing("This game has no such number to override.")
        overridable = overrides[asked.what]
        least, most = overridable.limits
        if not least <= asked.value <= most:
            raise Refusal(f"{asked.what} goes from {least} to {most}, not to {asked.value}.", code="out_of_range")
        before = overridable.read(character.sheet)
        if before == asked.value:
            raise Refusal(f"{character.name} has {asked.what} {before} already.", code="no_change")
        return [Overridden(who=character.id, what=asked.what, before=before, after=asked.value, why=asked.why)]

    def fold(state: State, told: Overridden) -> State:
        """A number that the ruleset no longer knows is left as it is."""
        if told.what not in overrides or told.who not in state.characters:
            return state
        sheet = state.characters[told.who].sheet
        return state.with_sheet(told.who, overrides[told.what].write(sheet, told.after))

    chapter = Chapter(actions=[Action(Override, does)], happenings=[Happening(Overridden, Overridden.says, fold)])
    chapter.names("number")(lambda _: [Named(one, one) for one in overrides])
    return chapter
