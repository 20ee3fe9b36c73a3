"""What people ask for of the toolkit, and of the rules beside the book. SS-67, SS+02, SS+05."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.table.chapters.clocks import ClockId
from astragal.table.declarations import command
from astragal.table.fields import CharacterId, Pays, Words
from astragal.table.seats import GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER

from .asked import Stakes, Trial
from .options import Plugin

Tier = Annotated[int, Ge(0), Le(4)]


class FeatPrice(Enum):
    """SS-67: what a feat is paid with."""

    TOKEN = "token"  # noqa: S105 - a token of Luck
    PRESSURE = "pressure"


@command("switch_plugin", may=GAME_MASTER_ONLY)
class SwitchPlugin:
    """Switch a part of the toolkit on or off. Off, it is as if it had never been on."""

    plugin: Annotated[Plugin, Doc("which part")]
    on: Annotated[bool, Doc("whether it is on")]


@command("feat", may=GAME_MASTER_OR_OWNER, actor="who")
class UseFeat:
    """Once a session: advantage on the next roll, paid before it."""

    who: Annotated[CharacterId, Doc("whose feat")]
    price: Annotated[FeatPrice, Doc("a token of Luck, or 1 Pressure"), Pays()] = FeatPrice.TOKEN


@command("ritual", may=GAME_MASTER_OR_OWNER, actor="who")
class PerformRitual(Trial):
    """Work a power that the setting knows: a test of an attribute whose failure adds 1 Pressure."""


@command("grant_favours", may=GAME_MASTER_ONLY)
class GrantFavours:
    """Give the ally tokens back, up to its 3. It never regains any by itself."""

    tokens: Annotated[int, Ge(1), Le(3), Doc("how many")] = 1


@command("raise_stress", may=GAME_MASTER_ONLY)
class RaiseStress:
    """Add to the setting's further track. At 5 its own crisis comes."""

    who: Annotated[CharacterId | None, Doc("whose it is, or whom a crisis strikes where the track is shared")] = None
    rise: Annotated[int, Ge(1), Le(5), Doc("by how much")] = 1
    why: Annotated[Words, Doc("what raises it")] = ""


@command("ease_stress", may=GAME_MASTER_ONLY)
class EaseStress:
    """Take something off the further track."""

    who: Annotated[CharacterId | None, Doc("whose it is, where each hero has one")] = None
    fall: Annotated[int, Ge(1), Le(5), Doc("by how much")] = 1
    why: Annotated[Words, Doc("what eases it")] = ""


# ---------------------------------------------------------------- wealth


@command("buy", may=GAME_MASTER_OR_OWNER, actor="who")
class Buy:
    """Buy something. What is dearer than one is rich takes a test of Luck."""

    who: Annotated[CharacterId, Doc("who buys")]
    what: Annotated[Stakes, Doc("what is bought")]
    tier: Annotated[Tier, Doc("how dear it is, from 0 to 4")]
    large: Annotated[bool, Doc("whether it is a large purchase, which costs 1 Wealth though one can afford it")] = False


@command("show_wealth", may=GAME_MASTER_ONLY)
class ShowWealth:
    """Let riches be noticed: Wealth of 3 or more adds 1 Pressure, or ticks a clock."""

    who: Annotated[CharacterId, Doc("who shows it")]
    clock: Annotated[ClockId | None, Doc("the clock that ticks; none named adds Pressure")] = None


@command("set_wealth", may=GAME_MASTER_ONLY)
class SetWealth:
    """Say how rich somebody is now: found, earned, robbed."""

    who: Annotated[CharacterId, Doc("whose Wealth")]
    wealth: Annotated[Tier, Doc("0 broke, 1 poor, 2 steady, 3 flush, 4 rich")]


@command("roll_sides", may=GAME_MASTER_ONLY)
class RollSides:
    """Roll a d20 for each side: the higher acts first in this encounter. Only where a table wants an order."""
