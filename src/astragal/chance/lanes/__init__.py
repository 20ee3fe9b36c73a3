"""Vectorised exact odds: the second reading runs all lanes of a control-flow path at once.

A die is an array of all its faces instead of one face. A rule's body, unchanged, runs once for each way that its `if`s
can go. An `if` on a number that differs between lanes takes one branch, with the lanes that go there; a later run takes
the other branch. Arguments can be lanes, too, so a whole grid of questions is one.

    lane.py      a number that differs from lane to lane, and the space that it belongs to
    forms.py     values, split into numbers and the rest
    runs.py      one run through a rule, and its axes
    seen.py      the lanes of a run by their numbers: answers looked up, results tallied
    weighing.py  odds; the last few lanes are walked one by one
    layers.py    chains of states, a layer at a time
    grids.py     odds over whole grids of arguments
    planning.py  lays out a question with all its decisions
    plans.py     values such a plan, backwards

What it gains: a grid of scores runs once instead of once for each point; a layer of a chain's states, once instead of
once for each path through each state (a duel of 900 states takes a third of a second, and is refused without); a
decision from a purse of many points is laid out once. A single question of a few hundred paths gains nothing, and is
walked (`readings`).

NumPy is imported in this package and nowhere else.
"""

from .grids import Grid, odds_grid
from .lane import NotInLanes
from .layers import ChainWeigher
from .planning import Planner
from .weighing import LaneWeigher, try_in_lanes

__all__ = ["ChainWeigher", "Grid", "LaneWeigher", "NotInLanes", "Planner", "odds_grid", "try_in_lanes"]
