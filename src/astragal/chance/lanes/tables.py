"""Answer tables: a policy is asked once for each offer that differs, and each lane looks its answer up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .arithmetic import Array
from .forms import Draw, Group, builder, taken_apart
from .lane import Lane
from .runs import Run
from .seen import Seen, support_of


class Answers(NamedTuple):
    """Answers by form. `which` tells for each lane the form of its answer, where they are not all of one."""

    groups: Sequence[Group]
    numbers: list[list[Lane | int]]
    which: Lane | int


def looked_up(run: Run, step: Any, answer: Callable[[Any], Any]) -> Any:
    """The answer to a step that may have lanes inside."""
    found = run.noted(_answered, run, step, answer)
    if not isinstance(found, Answers):
        return found
    which = run.pick(found.which) if type(found.which) is Lane else found.which
    return found.groups[which].filled(found.numbers[which])


def _answered(run: Run, step: Any, answer: Callable[[Any], Any]) -> Any:
    lanes: list[Lane] = []
    form = taken_apart(step, Lane, lanes)
    if not lanes:
        return answer(step)
    seen = Seen(run, lanes, run.joined(support_of(lanes))[0])
    rows, back = seen.different()
    plain = builder(form)
    given = [answer(plain(iter(row))) for row in rows]
    groups = Draw((one, 1) for one in given).groups
    which = np.zeros(len(given), dtype=np.int64)
    numbers: list[list[Lane | int]] = []
    for number, group in enumerate(groups):
        which[list(group.places)] = number
        numbers.append([spread(run, seen, _at(group.places, column, len(given))[back]) for column in group.columns])
    return Answers(groups, numbers, spread(run, seen, which[back]))


def _at(places: Sequence[int], column: Array, size: int) -> Array:
    """The column's numbers at their places; elsewhere any of them, since nobody looks there."""
    found = np.full(size, column[0])
    found[list(places)] = column
    return found


def spread(run: Run, seen: Seen, numbers: Array) -> Lane | int:
    """A number for each lane that was seen, as a lane of its own."""
    low, high = int(numbers.min()), int(numbers.max())
    return low if low == high else Lane(run.space, seen.support, (low, high), seen.laid(numbers))
