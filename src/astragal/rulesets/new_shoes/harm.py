"""Harm, healing and rest: harm takes dice away; at 0 you are out until the next scene. NS-10 to NS-15."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from astragal.game import Chapter, Character, Command, Event, Fact, Refusal, Seen, Teller, meters, replace
from astragal.game.fields import CharacterId, Doc
from astragal.game.shared import EveningBegan, Overridden, SceneBegan

from .state import WORN_OUT, Attribute, Call, Points, Sheet, State, Status, harm_id

HARM = Chapter(seen=Seen.ALL)

HARM_STATUS = "harm"
"""NS-15: the status of something that has no attribute to lose."""

# ---------------------------------------------------------------- harm and healing


def meter_of(attribute: Attribute) -> meters.Meter:
    """NS-10, NS-11, NS-14: harm lowers the present value, never below 0; healing restores it, up to the full value."""

    def put(sheet: Sheet, now: int) -> Sheet:
        """Write the present value. An override past the full value raises that, too."""
        points = sheet.points(attribute) or Points(now=now, full=now)
        return replace(sheet, **{attribute.value: Points(now=now, full=max(now, points.full))})

    return meters.Meter(
        attribute.value,
        most=lambda sheet: points.full if (points := sheet.points(attribute)) else 0,
        seen=Seen.ALL,
        read=lambda sheet: sheet.dice(attribute),
        write=put,
        gains="regains",
        rest=lambda state, who, rest: 1,  # NS-13: a die back to each attribute, whatever kind of rest it was
        override=f"the present value of {attribute.value}",
        limit=8,
        kept=1,  # the price of a rewind never takes the last point
    )


ATTRIBUTES = {attribute: meter_of(attribute) for attribute in Attribute}
"""NS-13: a restful scene gives each of them a die back, whatever kind of rest it was."""


def healed(who: Character[Sheet], attribute: Attribute, by: int) -> list[meters.Gained]:
    """NS-14: the difference is restored. It does not wake anyone before the scene ends."""
    return ATTRIBUTES[attribute].gained(who, by)


@HARM.event("worn_down", says=f"{{who}}: {HARM_STATUS} {{before:+}} → {{after:+}}")
class WornDown(Event):
    """NS-15: something without the attribute took its harm as a status."""

    who: CharacterId
    before: int
    after: int

    def changes(self, sheet: Sheet) -> Sheet:
        return sheet.with_status(Status(id=harm_id(self.who), name=HARM_STATUS, value=self.after, who=self.who))


def can_take(sheet: Sheet, attribute: Attribute) -> int:
    """NS-10: an attribute never falls below 0. NS-15: without it, harm counts down to −5."""
    points = sheet.points(attribute)
    return sheet.worn - WORN_OUT if points is None else points.now


def harmed(who: Character[Sheet], attribute: Attribute, by: int) -> Sequence[meters.Lost | WornDown]:
    """NS-10: the attribute is lowered by the difference. NS-15: someone without it is worn down instead."""
    taken = min(by, can_take(who.sheet, attribute))
    if who.sheet.points(attribute) is None:
        return [WornDown(who=who.id, before=who.sheet.worn, after=who.sheet.worn - taken)]
    return ATTRIBUTES[attribute].lost(who, taken)


# ---------------------------------------------------------------- knocked out


@HARM.event("knocked_out", says="{who} is out of the scene", sets={"knocked_out": True})
class KnockedOut(Event):
    """NS-12: someone is out of the scene."""

    who: CharacterId


@HARM.after(meters.Lost, WornDown, Overridden)
def harm_knocks_out(state: State, told: meters.Lost | WornDown | Overridden) -> list[KnockedOut]:
    """NS-12: at 0 you are knocked out for the scene, and a 0 that the game master sets counts like any other.

    NS-15: something without attributes is out at −5.
    """
    if isinstance(told, meters.Lost):
        is_out = not Attribute.names().isdisjoint(told.emptied)
    elif isinstance(told, WornDown):
        is_out = told.after <= WORN_OUT
    else:
        is_out = told.what in Attribute.names() and not told.after
    if not is_out or told.who is None or state.characters[told.who].sheet.knocked_out:
        return []
    return [KnockedOut(who=told.who)]


# ---------------------------------------------------------------- waking


@HARM.event("woke", sets={"knocked_out": False, "kept_down": False})
class Woke(Event):
    """NS-12: someone can act again; what stood at 0 stands at 1."""

    who: CharacterId
    raised: tuple[Attribute, ...]

    def says(self, teller: Teller) -> str:
        raised = " and ".join(teller.term(attribute.value) for attribute in self.raised)
        return f"{teller.name(self.who)} is up again{f', with {raised} at 1' if raised else ''}"

    def changes(self, sheet: Sheet) -> Sheet:
        for attribute in self.raised:
            sheet = ATTRIBUTES[attribute].put(sheet, 1)
        return sheet


def woken(who: Character[Sheet]) -> Woke:
    """NS-12: attributes at 0 rise to 1; what rest or healing gave meanwhile stays."""
    at_nothing = [one for one in Attribute if (points := who.sheet.points(one)) is not None and not points.now]
    return Woke(who=who.id, raised=tuple(at_nothing))


def wakes(who: Character[Sheet]) -> bool:
    """NS-12: true if knocked out, alive, and not kept down by the game master."""
    return who.sheet.knocked_out and not who.sheet.kept_down and not who.is_dead


@HARM.after(SceneBegan, EveningBegan)
def new_scene_wakes(state: State, began: SceneBegan | EveningBegan) -> list[Woke]:
    """NS-12: the knocked-out wake with the next scene, unless the game master says otherwise.

    If no scene is going on, the next evening counts as one: without scenes nobody would ever wake.
    """
    if isinstance(began, EveningBegan) and state.calendar.scene is not None:
        return []
    return [woken(one) for one in state.characters.values() if wakes(one)]


def find_fallen(state: State, who: str) -> Character[Sheet]:
    character = state.find(who)
    character.check_lives()
    if not character.sheet.knocked_out:
        raise Refusal(f"{character.name} is not knocked out.", code="no_change")
    return character


@HARM.fact("keep_down", told="kept_down", says="{who} will not wake with the next scene", sets={"kept_down": True})
class KeepDown(Fact):
    """Say that someone who was knocked out does not wake with the next scene."""

    who: Annotated[CharacterId, Doc("who stays down")]

    def check(self, call: Call) -> None:
        who = find_fallen(call.state, self.who)
        if who.sheet.kept_down:
            raise Refusal(f"{who.name} stays down already.", code="no_change")


@HARM.command("wake")
class Wake(Command):
    """Let someone wake now."""

    who: Annotated[CharacterId, Doc("who wakes")]

    def does(self, call: Call) -> list[Woke]:
        return [woken(find_fallen(call.state, self.who))]


@HARM.due
def waking_due(state: State, teller: Teller) -> Iterator[str]:
    """NS-12: remind the game master of those who wake with the next scene, unless kept down."""
    for one in state.characters.values():
        if wakes(one):
            when = "with the next scene" if state.calendar.scene else "with the next scene or evening"
            yield f"{teller.name(one.id)} is out, and wakes {when} unless you say otherwise (keep_down)."
