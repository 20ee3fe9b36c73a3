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

    def put(sheet: Sheet, present_value: int) -> Sheet:
        """Write the present value. An override past the full value raises that, too."""
        points = sheet.points(attribute)
        full = present_value if points is None else max(present_value, points.full)
        return replace(sheet, **{attribute.value: Points(now=present_value, full=full)})

    def full_value(sheet: Sheet) -> int:
        points = sheet.points(attribute)
        return 0 if points is None else points.full

    return meters.Meter(
        attribute.value,
        most=full_value,
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
    if points is None:
        return sheet.worn - WORN_OUT
    return points.now


def harmed(who: Character[Sheet], attribute: Attribute, by: int) -> Sequence[meters.Lost | WornDown]:
    """NS-10: the attribute is lowered by the difference. NS-15: someone without it is worn down instead."""
    harm = min(by, can_take(who.sheet, attribute))
    if who.sheet.points(attribute) is None:
        worn = who.sheet.worn
        return [WornDown(who=who.id, before=worn, after=worn - harm)]
    return ATTRIBUTES[attribute].lost(who, harm)


# ---------------------------------------------------------------- knocked out


@HARM.event("knocked_out", says="{who} is out of the scene", sets={"knocked_out": True})
class KnockedOut(Event):
    """NS-12: someone is out of the scene."""

    who: CharacterId


@HARM.after(meters.Lost, WornDown, Overridden)
def harm_knocks_out(state: State, event: meters.Lost | WornDown | Overridden) -> list[KnockedOut]:
    """NS-12: at 0 you are knocked out for the scene, and a 0 that the game master sets counts like any other.

    NS-15: something without attributes is out at −5.
    """
    if isinstance(event, meters.Lost):
        is_out = not Attribute.names().isdisjoint(event.emptied)
    elif isinstance(event, WornDown):
        is_out = event.after <= WORN_OUT
    else:
        is_out = event.what in Attribute.names() and not event.after
    if not is_out or event.who is None or state.characters[event.who].sheet.knocked_out:
        return []
    return [KnockedOut(who=event.who)]


# ---------------------------------------------------------------- waking


@HARM.event("woke", sets={"knocked_out": False, "kept_down": False})
class Woke(Event):
    """NS-12: someone can act again; what stood at 0 stands at 1."""

    who: CharacterId
    raised: tuple[Attribute, ...]

    def says(self, teller: Teller) -> str:
        words = f"{teller.name(self.who)} is up again"
        if not self.raised:
            return words
        attributes = " and ".join(teller.term(attribute.value) for attribute in self.raised)
        return f"{words}, with {attributes} at 1"

    def changes(self, sheet: Sheet) -> Sheet:
        for attribute in self.raised:
            sheet = ATTRIBUTES[attribute].put(sheet, 1)
        return sheet


def woken(who: Character[Sheet]) -> Woke:
    """NS-12: attributes at 0 rise to 1; what rest or healing gave meanwhile stays."""
    raised = []
    for attribute in Attribute:
        points = who.sheet.points(attribute)
        if points is not None and points.now == 0:
            raised.append(attribute)
    return Woke(who=who.id, raised=tuple(raised))


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
    return [woken(character) for character in state.characters.values() if wakes(character)]


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
    when = "with the next scene" if state.calendar.scene else "with the next scene or evening"
    for character in state.characters.values():
        if wakes(character):
            yield f"{teller.name(character.id)} is out, and wakes {when} unless you say otherwise (keep_down)."
