"""Exact odds, all lanes of a control-flow path at once: the second reading.

A die is an array of all its faces instead of one face. A rule's body, unchanged, runs once for each way that its
`if`s can go: one on a number that differs between lanes takes one branch with the lanes for which it holds, and the
reading comes back for the others. Arguments can be lanes too, so a whole grid of questions is one.

    lane.py      a number that differs from lane to lane, and the space in which it lies
    forms.py     values, taken apart into numbers and the rest
    runs.py      one run through a rule, and the axes that it lays out
    seen.py      the lanes of a run, by their numbers: answers looked up, and what the runs come to
    weighing.py  odds; the last few lanes are walked one by one
    grids.py     odds over whole grids of arguments
    planning.py  laying out a question with all its decisions
    plans.py     what a question is worth then, backwards

NumPy is imported in this package and nowhere else.
"""

from .grids import Grid, odds_grid
from .lane import NotInLanes
from .planning import Planner
from .weighing import LaneWeigher, tried

__all__ = ["Grid", "LaneWeigher", "NotInLanes", "Planner", "odds_grid", "tried"]
