"""Exact odds, all lanes of a control-flow path at once: the second reading.

A die is an array of all its faces instead of one face. A rule's body, unchanged, runs once for each way that its
`if`s can go: one on a number that differs between lanes takes one branch with the lanes for which it holds, and the
reading comes back for the others. Arguments can be lanes too, so a whole grid of questions is one.

    lane.py        a number that differs from lane to lane
    arithmetic.py  what can be computed with it
    space.py       where lanes lie; what was found once
    axes.py        what lies along each axis
    ways.py        how much the combinations of dice weigh
    runs.py        one run through a rule
    forms.py       values, taken apart into numbers and the rest
    seen.py        the lanes of a run, by their numbers
    tally.py       how much weight they have
    ends.py        what the runs come to
    stragglers.py  the last few lanes, walked one by one
    tables.py      policies, asked once for each offer
    weighing.py    odds
    grids.py       odds over whole grids of arguments
    walks.py       a run that tells its story
    worth.py       what a story is worth, backwards
    asked.py       questions asked in the middle of others
    plans.py       a question with all its decisions
    planning.py    laying plans out

NumPy is imported in this package and nowhere else.
"""

from .grids import Grid, odds_grid
from .lane import NotInLanes
from .planning import Planner
from .weighing import LaneWeigher

__all__ = ["Grid", "LaneWeigher", "NotInLanes", "Planner", "odds_grid"]
