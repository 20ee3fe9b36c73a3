"""Layered layout of a directed graph, from top to bottom: positions of boxes and routes of lines.

A box is placed below those that lead to it. A line that spans several layers gets a place of its own in each, so that
it runs between boxes and not through them. A line that leads back goes around everything, on the right.
"""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from msgspec import Struct

Line: TypeAlias = tuple[str, str]

SWEEPS = 6


class Place(NamedTuple):
    """A place in one layer: a box, or a line that passes through."""

    of: str | Line
    layer: int


Joined: TypeAlias = tuple[Mapping[Place, list[Place]], Mapping[Place, list[Place]]]
"""Neighbours of each place: those above it, and those below it."""


class Sizes(Struct, frozen=True):
    """Sizes of boxes and gaps, in the picture's own units."""

    width: int = 164
    height: int = 82
    gap: int = 26
    """Between neighbours in a layer."""
    drop: int = 92
    """Between layers."""
    lane: int = 18
    """Width of a line that passes between boxes."""
    margin: int = 16


class Spot(Struct, frozen=True):
    """A box's upper left corner."""

    x: int
    y: int


class Drawing(Struct, frozen=True):
    width: int
    """Width of the layers; lines that lead back need more."""
    height: int
    spots: Mapping[str, Spot]
    bends: Mapping[Line, tuple[Spot, ...]]
    """Points that a line passes between its ends."""
    backward: frozenset[Line]


def lay_out(boxes: Sequence[str], lines: Iterable[Line], sizes: Sizes) -> Drawing:
    """Lay out boxes and lines in layers; ties are broken by the order of the boxes."""
    known = [line for line in dict.fromkeys(lines) if line[0] in boxes and line[1] in boxes]
    backward = _backward(boxes, known)
    forward = [line for line in known if line not in backward]
    leading = {name: [start for start, end in forward if end == name] for name in boxes}
    depth: dict[str, int] = {}
    for name in TopologicalSorter(leading).static_order():  # each comes after all that lead to it
        depth[name] = max((depth[one] + 1 for one in leading[name]), default=0)
    chains = {
        (start, end): (
            Place(start, depth[start]),
            *(Place((start, end), layer) for layer in range(depth[start] + 1, depth[end])),
            Place(end, depth[end]),
        )
        for start, end in forward
    }
    joined = _neighbours(chains)
    layers = _ordered(boxes, depth, chains, joined)
    across = _across(layers, joined, sizes)
    left = min(across.values(), default=0)
    shift = sizes.margin - left
    right = max((x + _wide(place, sizes) for place, x in across.items()), default=0) + shift
    tall = sizes.height + sizes.drop
    top = sizes.margin + (sizes.drop // 2 if backward else 0)
    spots = {name: Spot(round(across[Place(name, depth[name])] + shift), top + depth[name] * tall) for name in boxes}
    bends = {
        line: tuple(
            Spot(round(across[place] + shift + sizes.lane / 2), top + place.layer * tall) for place in chain[1:-1]
        )
        for line, chain in chains.items()
    }
    width = round(right) + sizes.margin
    height = top + sizes.margin + len(layers) * tall - sizes.drop // 2
    return Drawing(width, height, spots, bends, frozenset(backward))


def _backward(boxes: Sequence[str], lines: Sequence[Line]) -> set[Line]:
    """Find the lines that close a cycle, by depth-first search."""
    onward: dict[str, list[str]] = {name: [] for name in boxes}
    for start, end in lines:
        onward[start].append(end)
    found: set[Line] = set()
    done: set[str] = set()
    for root in boxes:
        path: list[str] = []
        todo: list[tuple[str, bool]] = [(root, False)]
        while todo:
            name, leaving = todo.pop()
            if leaving:
                path.pop()
                done.add(name)
                continue
            if name in done or name in path:
                continue
            path.append(name)
            todo.append((name, True))
            for end in reversed(onward[name]):
                if end in path:
                    found.add((name, end))
                elif end not in done:
                    todo.append((end, False))
    return found


def _ordered(
    boxes: Sequence[str], depth: Mapping[str, int], chains: Mapping[Line, tuple[Place, ...]], joined: Joined
) -> list[list[Place]]:
    """Order each layer from left to right with few crossings: each place near the mean of its neighbours."""
    layers: list[list[Place]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name in boxes:
        layers[depth[name]].append(Place(name, depth[name]))
    for chain in chains.values():
        for place in chain[1:-1]:
            layers[place.layer].append(place)
    for sweep in range(SWEEPS):
        near = joined[sweep % 2]
        for layer in reversed(layers) if sweep % 2 else layers:
            places = {place: number for some in layers for number, place in enumerate(some)}
            middles = {place: _mean([places[one] for one in near.get(place, ())], places[place]) for place in layer}
            layer.sort(key=middles.__getitem__)
    return layers


def _neighbours(chains: Mapping[Line, tuple[Place, ...]]) -> Joined:
    above: dict[Place, list[Place]] = {}
    below: dict[Place, list[Place]] = {}
    for chain in chains.values():
        for upper, lower in pairwise(chain):
            above.setdefault(lower, []).append(upper)
            below.setdefault(upper, []).append(lower)
    return above, below


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _wide(place: Place, sizes: Sizes) -> int:
    return sizes.width if isinstance(place.of, str) else sizes.lane


def _across(layers: Sequence[Sequence[Place]], joined: Joined, sizes: Sizes) -> dict[Place, float]:
    """Calculate left edges: side by side first, then each moved towards its neighbours. Order and gaps are kept."""
    across: dict[Place, float] = {}
    for layer in layers:
        at = 0.0
        for place in layer:
            across[place] = at
            at += _wide(place, sizes) + sizes.gap

    def middle(place: Place) -> float:
        return across[place] + _wide(place, sizes) / 2

    for sweep in range(SWEEPS):
        near = joined[sweep % 2]
        for layer in reversed(layers) if sweep % 2 else layers:
            wanted = {
                place: _mean([middle(one) for one in near.get(place, ())], middle(place)) - _wide(place, sizes) / 2
                for place in layer
            }
            least = float("-inf")
            for place in layer:
                across[place] = max(wanted[place], least)
                least = across[place] + _wide(place, sizes) + sizes.gap
            drift = _mean([across[place] - wanted[place] for place in layer], 0)
            for place in layer:
                across[place] -= drift
    return across
