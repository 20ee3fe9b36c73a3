"""Burdens that press, and Assets gained, lost, taken to hand and stowed. NJ-15, NJ-17."""

from typing import Annotated

from astragal.game import Chapter, Character, Command, Event, Fact, Refusal, Seen
from astragal.game.fields import CharacterId, Doc, Name
from astragal.game.shared import ends_with

from .state import Asset, Call, Sheet, State, Who, find_named

TRAITS = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- Burdens that press


@TRAITS.event("burden_pressed", says="“{burden}” presses on {who}", adds={"pressing": "burden"})
class BurdenPressed(Event):
    """NJ-15: a Burden applies to every roll for now."""

    who: CharacterId
    burden: str


@TRAITS.command("press_burden", everyday="burden, flaw, weakness, compel")
class PressBurden(Command):
    """Say that a Burden applies to all that its bearer rolls, until the scene ends or it is lifted."""

    who: Who
    burden: Annotated[Name, Doc("the Burden")]

    def does(self, call: Call) -> list[BurdenPressed]:
        who = call.state.find(self.who)
        burden = find_named(who, who.sheet.burdens, self.burden, "Burden").name
        if burden in who.sheet.pressing:
            raise Refusal(f"“{burden}” presses on {who.name} already.", code="no_change")
        return [BurdenPressed(who=who.id, burden=burden)]


@TRAITS.event("burden_lifted", says="“{burden}” presses on {who} no longer[ ({why})]")
class BurdenLifted(Event):
    """NJ-15: a Burden presses no longer."""

    who: CharacterId
    burden: str
    why: str = ""

    def fold(self, state: State) -> State:
        pressing = state.characters[self.who].sheet.pressing
        return state.changed(self.who, pressing=tuple(name for name in pressing if name != self.burden))


@TRAITS.command("lift_burden", everyday="burden, relief, remove flaw")
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
    """NJ-15: all of them, on everyone."""
    pressed = state.characters.values()
    return [BurdenLifted(who=one.id, burden=burden, why=why) for one in pressed for burden in one.sheet.pressing]


# ---------------------------------------------------------------- Assets


def check_new(who: Character[Sheet], name: str) -> None:
    """NJ-19: names tell apart what a roll counts."""
    if who.sheet.has_name(name):
        raise Refusal(f"Something on {who.name}’s sheet is called “{name}” already.", code="name_taken")


@TRAITS.fact(
    "gain_asset",
    told="asset_gained",
    says="{who} has {asset.words}",
    adds={"assets": "asset"},
    everyday="item, gear, give, loot, inventory",
)
class GainAsset(Fact):
    """Give somebody an Asset."""

    who: Who
    asset: Annotated[Asset, Doc("the Asset")]

    def check(self, call: Call) -> None:
        check_new(call.state.find(self.who), self.asset.name)


@TRAITS.event("asset_lost", says="{who} leaves {asset} behind")
class AssetLost(Event):
    """NJ-17: an Asset is gone."""

    who: CharacterId
    asset: str

    def fold(self, state: State) -> State:
        return state.with_sheet(self.who, state.characters[self.who].sheet.without(self.asset))


@TRAITS.command("lose_asset", actor="who", everyday="item, gear, drop, lose, inventory")
class LoseAsset(Command):
    """Leave an Asset behind for good."""

    who: Who
    asset: Annotated[Name, Doc("the Asset")]

    def does(self, call: Call) -> list[AssetLost]:
        who = call.state.find(self.who)
        return [AssetLost(who=who.id, asset=find_named(who, who.sheet.assets, self.asset, "Asset").name)]


@TRAITS.event("asset_carried", says="{who} {carried:takes|stows} {asset}")
class AssetCarried(Event):
    """NJ-17: an Asset was taken to hand, or stowed."""

    who: CharacterId
    asset: str
    carried: bool

    def fold(self, state: State) -> State:
        stowed = [name for name in state.characters[self.who].sheet.stowed if name != self.asset]
        return state.changed(self.who, stowed=tuple(stowed if self.carried else [*stowed, self.asset]))


@TRAITS.command("carry_asset", actor="who", everyday="item, gear, equip, stow, inventory")
class CarryAsset(Command):
    """Take an Asset to hand, or stow it. What is stowed neither helps nor hampers."""

    who: Who
    asset: Annotated[Name, Doc("the Asset")]
    carried: Annotated[bool, Doc("whether it is to hand from now on")] = True

    def does(self, call: Call) -> list[AssetCarried]:
        who = call.state.find(self.who)
        asset = find_named(who, who.sheet.assets, self.asset, "Asset")
        if (asset in who.sheet.carried) is self.carried:
            where = "to hand" if self.carried else "stowed"
            raise Refusal(f"{who.name} has “{asset.name}” {where} already.", code="no_change")
        return [AssetCarried(who=who.id, asset=asset.name, carried=self.carried)]
