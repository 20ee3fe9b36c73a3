"""What is said of the toolkit, and of the rules beside the book."""

from __future__ import annotations

from astragal.table.ruleset import Teller

from . import happened_toolkit as it
from .purchase import Deal

DEAR = "it is dearer than one is rich"
RICHES = "riches draw eyes"

RICH = ("broke", "poor", "steady", "flush", "rich")
"""SS+02: Wealth in words."""


def plugin_switched(told: it.PluginSwitched, teller: Teller) -> str:
    return f"{teller.term(told.plugin.value)} is {'on' if told.on else 'off'}"


def feat_used(used: it.FeatUsed, teller: Teller) -> str:
    return f"{teller.name(used.who)} calls on {teller.term('feat')}"


def feats_restored(_: it.FeatsRestored, teller: Teller) -> str:
    return f"{teller.term('feat')} can be called on again"


def favours_granted(granted: it.FavoursGranted, teller: Teller) -> str:
    return f"{teller.term('ally')} holds {granted.held}"


def stress_moved(moved: it.StressMoved, teller: Teller) -> str:
    whose = "" if moved.track_of is None else f"{teller.name(moved.track_of)}’s "
    goes = "rises" if moved.after > moved.before else "falls"
    why = f" ({moved.why})" if moved.why else ""
    return f"{whose}{teller.term('stress')} {goes} from {moved.before} to {moved.after}{why}"


def stress_broke(broke: it.StressBroke, teller: Teller) -> str:
    return f"{teller.term('stress')} breaks over {teller.name(broke.who)}: {teller.term('stress_crisis')}"


_DEALS = {
    Deal.AFFORDED: "can afford it",
    Deal.WEALTH: "pays 1 Wealth",
    Deal.COMPLICATION: "gets it with a complication",
    Deal.DEBT: "gets it on credit",
    Deal.PRESSURE: "gets it, and it weighs on everything",
    Deal.FAVOUR: "gets it for a favour owed",
    Deal.NOTHING: "goes without",
}


def bought(told: it.Bought, teller: Teller) -> str:
    return f"{teller.name(told.who)} wants {told.what} (cost {told.tier}) and {_DEALS[told.deal]}"


def debt_name(what: str, who: str) -> str:
    return f"{who}’s debt: {what}"[:60]


def wealth_changed(changed: it.WealthChanged, teller: Teller) -> str:
    return f"{teller.name(changed.who)} is {RICH[changed.wealth]} (Wealth {changed.wealth})"


def sides_rolled(rolled: it.SidesRolled, _: Teller) -> str:
    return f"heroes {rolled.heroes}, foes {rolled.foes}: the {rolled.first.value} act first"


def sides_forgotten(_: it.SidesForgotten, __: Teller) -> str:
    return "the order of sides is over"


def clock_measured(measured: it.ClockMeasured, _: Teller) -> str:
    return f"the clock {measured.name} has {measured.size} ticks; 4 to 8 are this game’s"
