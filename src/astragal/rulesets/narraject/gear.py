"""Assets in play: gained, lost, taken to hand and stowed. NJ-17."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import State

from . import words
from .asked import CarryAsset, GainAsset, LoseAsset
from .happened import AssetCarried, AssetGained, AssetLost
from .sheet import Sheet, find, find_named


def _gain(call: Call, asked: GainAsset, _: None) -> list[AssetGained]:
    who = find(call.state, asked.who)
    check_new(who.name, who.sheet, asked.asset.name)
    return [AssetGained(who=who.id, asset=asked.asset)]


def check_new(name: str, sheet: Sheet, thing: str) -> None:
    """NJ-19: names tell apart what a roll counts."""
    if sheet.has_name(thing):
        raise Refusal(f"Something on {name}’s sheet is called “{thing}” already.", code="name_taken")


def _lose(call: Call, asked: LoseAsset, _: None) -> list[AssetLost]:
    who = find(call.state, asked.who)
    return [AssetLost(who=who.id, asset=find_named(who, who.sheet.assets, asked.asset, "Asset").name)]


def _carry(call: Call, asked: CarryAsset, _: None) -> list[AssetCarried]:
    who = find(call.state, asked.who)
    asset = find_named(who, who.sheet.assets, asked.asset, "Asset")
    if (asset in who.sheet.carried) is asked.carried:
        raise Refusal(
            f"{who.name} has “{asset.name}” {'to hand' if asked.carried else 'stowed'} already.", code="no_change"
        )
    return [AssetCarried(who=who.id, asset=asset.name, carried=asked.carried)]


def _add(state: State, gained: AssetGained) -> State:
    sheet = state.characters[gained.who].sheet
    return state.with_sheet(gained.who, replace(sheet, assets=(*sheet.assets, gained.asset)))


def _drop(state: State, lost: AssetLost) -> State:
    sheet = state.characters[lost.who].sheet
    assets = tuple(asset for asset in sheet.assets if asset.name != lost.asset)
    stowed = tuple(name for name in sheet.stowed if name != lost.asset)
    return state.with_sheet(lost.who, replace(sheet, assets=assets, stowed=stowed))


def _stow(state: State, told: AssetCarried) -> State:
    sheet = state.characters[told.who].sheet
    others = tuple(name for name in sheet.stowed if name != told.asset)
    return state.with_sheet(told.who, replace(sheet, stowed=others if told.carried else (*others, told.asset)))


GEAR = Chapter(
    actions=(Action(GainAsset, _gain), Action(LoseAsset, _lose), Action(CarryAsset, _carry)),
    happenings=(
        Happening(AssetGained, words.asset_gained, _add),
        Happening(AssetLost, words.asset_lost, _drop),
        Happening(AssetCarried, words.asset_carried, _stow),
    ),
)
