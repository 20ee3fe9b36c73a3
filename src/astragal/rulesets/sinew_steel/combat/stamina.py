"""Stamina: harm, collapse, rest, care, lethal stakes, and what became of whom. SS-30, SS-31, SS-41."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from astragal.game import (
    GAME_MASTER_ONLY,
    Chapter,
    Character,
    Command,
    Event,
    Fact,
    NotAllowed,
    Refusal,
    Seen,
    Sight,
    Teller,
)
from astragal.game.fields import CharacterId, Doc, Ge, Le, Seldom, Words
from astragal.game.shared import Rest, Rested
from astragal.rulesets.sinew_steel.state import Call, Fate, Sheet, State, find, heroes
from astragal.rulesets.sinew_steel.terms import reason

HARM = Chapter(seen=Seen.ALL)

RESTORED = {Rest.SHORT: 1, Rest.LONG: 1, Rest.CARE: 2}
"""SS-31: care replaces what a short rest gives. A night's rest is a short rest at least, and no book gives it more."""


def find_living(call: Call, who: str) -> Character[Sheet]:
    found = find(call.state, who)
    if found.sheet.fate is Fate.DEAD:
        raise Refusal(f"{found.name} is dead.", code="dead")
    return found


# ---------------------------------------------------------------- harm


@HARM.event("harmed", owner="who")
class Harmed(Event):
    """Stamina was lost: as much of the damage as there was Stamina for."""

    who: CharacterId
    damage: int
    lost: int
    left: int
    why: Words

    def says(self, teller: Teller) -> str:
        takes = f"{teller.name(self.who)} takes {self.damage}{reason(self.why)}"
        return f"{takes}: {teller.term('stamina')} {self.left}"

    def fold(self, state: State) -> State:
        return state.changed(self.who, stamina=self.left)


def harmed(who: Character[Sheet], damage: int, why: str = "") -> list[Harmed]:
    """SS-30: damage lowers Stamina, never below 0."""
    if damage < 1:
        return []
    lost = min(damage, who.sheet.stamina)
    return [Harmed(who=who.id, damage=damage, lost=lost, left=who.sheet.stamina - lost, why=why)]


@HARM.command("harm", may=GAME_MASTER_ONLY)
class Harm(Command):
    """Take Stamina for what happens in the story: a fall, fire, hunger."""

    who: Annotated[CharacterId, Doc("who is harmed")]
    damage: Annotated[int, Ge(1), Le(20), Doc("how much")] = 1
    why: Annotated[Words, Doc("what does the harm")] = ""

    def does(self, call: Call) -> list[Harmed]:
        return harmed(find_living(call, self.who), self.damage, self.why)


@HARM.event("collapsed", owner="who", says="{who} collapses")
class Collapsed(Event):
    """Somebody went down at 0 Stamina."""

    who: CharacterId


# ---------------------------------------------------------------- healing


@HARM.event("healed", owner="who")
class Healed(Event):
    """Stamina came back."""

    who: CharacterId
    gained: int
    now: int
    why: Words

    def says(self, teller: Teller) -> str:
        recovers = f"{teller.name(self.who)} recovers {self.gained}{reason(self.why)}"
        return f"{recovers}: {teller.term('stamina')} {self.now}"

    def fold(self, state: State) -> State:
        return state.changed(self.who, stamina=self.now)


def healed(who: Character[Sheet], stamina: int, why: str = "") -> list[Healed]:
    """SS-31: never past the most. Stamina beyond it, by override, stays."""
    now = max(who.sheet.stamina, min(who.sheet.stamina_most, who.sheet.stamina + stamina))
    if now == who.sheet.stamina:
        return []
    return [Healed(who=who.id, gained=now - who.sheet.stamina, now=now, why=why)]


@HARM.command("heal", may=GAME_MASTER_ONLY)
class Heal(Command):
    """Give Stamina back for what happens in the story, never past the most."""

    who: Annotated[CharacterId, Doc("who is healed")]
    stamina: Annotated[int, Ge(1), Le(20), Doc("how much")] = 1
    why: Annotated[Words, Doc("what heals")] = ""

    def does(self, call: Call) -> list[Healed]:
        who = find_living(call, self.who)
        told = healed(who, self.stamina, self.why)
        if not told:
            raise Refusal(f"{who.name} is at {who.sheet.stamina} of {who.sheet.stamina_most} already.", code="full")
        return told


@HARM.event("got_up", owner="who", says="{who} is up again")
class GotUp(Event):
    """Somebody is up again."""

    who: CharacterId


@HARM.after(Rested)
def rest_heals(state: State, rested: Rested) -> list[Healed]:
    """SS-31: a rest gives 1, thorough care 2."""
    resting = [find(state, who) for who in rested.who]
    living = [one for one in resting if one.sheet.fate is not Fate.DEAD]
    return [told for one in living for told in healed(one, RESTORED[rested.kind])]


@HARM.after(Harmed)
def harm_fells(_: State, told: Harmed) -> list[Collapsed]:
    """SS-30: at 0 one collapses. Further harm does not fell the fallen."""
    return [Collapsed(who=told.who)] if told.lost and not told.left else []


@HARM.after(Healed)
def healing_raises(_: State, told: Healed) -> list[GotUp]:
    """SS-30: the first point brings one up again."""
    return [GotUp(who=told.who)] if told.now == told.gained else []


# ---------------------------------------------------------------- fates and lethal stakes

FATES = {Fate.DEAD: "is dead", Fate.RESCUED: "is rescued", Fate.CAPTURED: "is captured"}

Lethal: TypeAlias = Annotated[
    Fate | None, Doc("lethal stakes, called by the custodian: the fate that was agreed on if it goes wrong"), Seldom()
]


@HARM.fact("record_fate", told="fate_recorded", may=GAME_MASTER_ONLY, owner="who")
class FateRecorded(Fact):
    """Record what became of somebody who collapsed."""

    who: Annotated[CharacterId, Doc("whose fate")]
    fate: Annotated[Fate | None, Doc("dead, rescued or captured; nothing takes it back")]
    told: Annotated[Words, Doc("how it came")] = ""

    def check(self, call: Call) -> None:
        who = find(call.state, self.who)
        if who.sheet.fate is self.fate:
            raise Refusal(f"That is already so of {who.name}.", code="no_change")

    def says(self, teller: Teller) -> str:
        fate = "is back in the story" if self.fate is None else FATES[self.fate]
        return f"{teller.name(self.who)} {fate}{f': {self.told}' if self.told else ''}"

    def fold(self, state: State) -> State:
        return state.changed(self.who, fate=self.fate)


def is_warned(who: Character[Sheet], lethal: Fate | None) -> bool:
    """SS-41: whoever is concerned is warned; the custodian, who called, need not be."""
    return lethal is not None and who.seat is not None


def check_called(call: Call, who: Character[Sheet], lethal: Fate | None) -> None:
    """SS-41: lethal stakes are the custodian's to call, and not in secret: everyone concerned is warned."""
    if lethal is not None and not call.viewer.is_game_master:
        raise NotAllowed("Only the game master calls for lethal stakes.")
    if is_warned(who, lethal) and call.sight is not Sight.OPEN:
        raise Refusal(f"{who.name}’s player is warned of lethal stakes, so this can't be rolled hidden.", code="lethal")


@HARM.due
def fallen(state: State, teller: Teller) -> Iterator[str]:
    """SS-30: what a collapse means is for the table to say."""
    for one in heroes(state):
        if one.sheet.is_collapsed and one.sheet.fate is None:
            yield f"{teller.name(one.id)} is down: say what that means (record_fate), or let somebody help (heal)."
