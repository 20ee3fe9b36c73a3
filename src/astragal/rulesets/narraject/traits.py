"""Burdens that press or that a rewind leaves, and Assets gained, lost, taken to hand and stowed. NJ-15, NJ-17."""

from typing import Annotated, Self

from astragal.game import Chapter, Character, Command, Event, Fact, Nature, Refusal, Seen, replace
from astragal.game.fields import CharacterId, Doc, Label, Name
from astragal.game.shared import ends_with

from .state import Asset, Burden, Call, Grade, Sheet, State, Who, find_named

TRAITS = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- Burdens that press


@TRAITS.fact("press_burden", told="burden_pressed", says="“{burden}” presses on {who}", adds={"pressing": "burden"})
class PressBurden(Fact):
    """Say that a Burden counts on every roll of its bearer, until the scene ends or it is lifted."""

    who: Who
    burden: Annotated[Name, Doc("the Burden")]

    def check(self, call: Call) -> Self:
        """NJ-15: it applies to every roll for now."""
        who = call.state.find(self.who)
        burden = find_named(who, who.sheet.burdens, self.burden, "Burden").name
        if burden in who.sheet.pressing:
            raise Refusal(f"“{burden}” presses on {who.name} already.", code="no_change")
        return replace(self, burden=burden)


@TRAITS.event("burden_lifted", says="“{burden}” presses on {who} no longer[ ({why})]")
class BurdenLifted(Event):
    """NJ-15: a Burden presses no longer."""

    who: CharacterId
    burden: str
    why: str = ""

    def changes(self, sheet: Sheet) -> Sheet:
        return replace(sheet, pressing=tuple(name for name in sheet.pressing if name != self.burden))


@TRAITS.command("lift_burden")
class LiftBurden(Command):
    """Say that a Burden no longer presses."""

    who: Who
    burden: Annotated[Name, Doc("the Burden")]

    def does(self, call: Call) -> list[BurdenLifted]:
        who = call.state.find(self.who)
        burden = find_named(who, who.sheet.burdens, self.burden, "Burden").name
        if burden not in who.sheet.pressing:
            raise Refusal(f"“{burden}” does not press on {who.name}.", code="no_change")
        return [BurdenLifted(who=who.id, burden=burden)]


@ends_with(TRAITS, "scene")
def burdens_lift_with_the_scene(state: State, why: str) -> list[BurdenLifted]:
    """NJ-15: lift every pressing Burden, on everyone."""
    lifted = []
    for character in state.characters.values():
        for burden in character.sheet.pressing:
            lifted.append(BurdenLifted(who=character.id, burden=burden, why=why))
    return lifted


# ---------------------------------------------------------------- Assets


def check_new(who: Character[Sheet], name: str) -> None:
    """NJ-19: refuse a name that is on the sheet already: a roll counts traits by name."""
    if who.sheet.has_name(name):
        raise Refusal(f"Something on {who.name}’s sheet is called “{name}” already.", code="name_taken")


@TRAITS.fact("gain_asset", told="asset_gained", says="{who} has {asset.words}", adds={"assets": "asset"})
class GainAsset(Fact):
    """Give somebody an Asset."""

    who: Who
    asset: Annotated[Asset, Doc("the Asset")]

    def check(self, call: Call) -> None:
        check_new(call.state.find(self.who), self.asset.name)


@TRAITS.fact("lose_asset", told="asset_lost", actor="who", says="{who} leaves {asset} behind")
class LoseAsset(Fact):
    """Leave an Asset behind for good."""

    who: Who
    asset: Annotated[Name, Doc("the Asset")]

    def check(self, call: Call) -> Self:
        who = call.state.find(self.who)
        return replace(self, asset=find_named(who, who.sheet.assets, self.asset, "Asset").name)

    def changes(self, sheet: Sheet) -> Sheet:
        return sheet.without(self.asset)


@TRAITS.fact("carry_asset", told="asset_carried", actor="who", says="{who} {carried:takes|stows} {asset}")
class CarryAsset(Fact):
    """Take an Asset to hand, or stow it. A stowed Asset neither helps nor hampers."""

    who: Who
    asset: Annotated[Name, Doc("the Asset")]
    carried: Annotated[bool, Label("to hand")] = True

    def check(self, call: Call) -> Self:
        """NJ-17: an Asset is to hand, or stowed."""
        who = call.state.find(self.who)
        asset = find_named(who, who.sheet.assets, self.asset, "Asset")
        if (asset in who.sheet.carried) is self.carried:
            where = "to hand" if self.carried else "stowed"
            raise Refusal(f"{who.name} has “{asset.name}” {where} already.", code="no_change")
        return replace(self, asset=asset.name)

    def changes(self, sheet: Sheet) -> Sheet:
        stowed = [name for name in sheet.stowed if name != self.asset]
        if not self.carried:
            stowed.append(self.asset)
        return replace(sheet, stowed=tuple(stowed))


# ---------------------------------------------------------------- the price of a rewind


@TRAITS.event("burden_paid", nature=Nature.LASTING, says="{who} bears a new {burden}: {name} ({grade})")
class BurdenPaid(Event):
    """A rewind left a Burden, for good."""

    who: CharacterId
    name: Name
    grade: Grade

    def changes(self, sheet: Sheet) -> Sheet:
        return replace(sheet, burdens=(*sheet.burdens, Burden(name=self.name, grade=self.grade)))


def pay_with_burdens(state: State, amount: int) -> list[BurdenPaid]:
    """Pay for a rewind: each hero gets a new Burden, minor for 1, moderate for 2, major for 3 and more."""
    heroes = [character for character in state.characters.values() if character.seat is not None]
    if not heroes:
        raise Refusal("There is nobody to pay for this.", code="price")
    grade = Grade.of(min(amount, 3)) or Grade.MINOR
    return [BurdenPaid(who=hero.id, name=name_of_echo(hero.sheet), grade=grade) for hero in heroes]


def name_of_echo(sheet: Sheet) -> str:
    """Name a Burden left by a rewind, with a number after it if the sheet has such a Burden already."""
    echo = "Echo of what was undone"
    name = echo
    number = 1
    while sheet.has_name(name):
        number += 1
        name = f"{echo} ({number})"
    return name
