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


Neighbours: TypeAlias = tuple[Mapping[Place, list[Place]], Mapping[Place, list[Place]]]
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
    lines_between_boxes = [line for line in dict.fromkeys(lines) if line[0] in boxes and line[1] in boxes]
    backward = _backward(boxes, lines_between_boxes)
    forward = [line for line in lines_between_boxes if line not in backward]
    depth = _depths(boxes, forward)
    chains = {line: _chain(line, depth) for line in forward}
    neighbours = _neighbours(chains)
    layers = _ordered(boxes, depth, chains, neighbours)
    across = _across(layers, neighbours, sizes)
    shift = sizes.margin - min(across.values(), default=0)
    layer_height = sizes.height + sizes.drop
    top = sizes.margin + (sizes.drop // 2 if backward else 0)
    spots: dict[str, Spot] = {}
    for name in boxes:
        x = across[Place(name, depth[name])] + shift
        spots[name] = Spot(round(x), top + depth[name] * layer_height)
    bends: dict[Line, tuple[Spot, ...]] = {}
    for line, chain in chains.items():
        spots_of_line = []
        for place in chain[1:-1]:
            x = across[place] + shift + sizes.lane / 2
            spots_of_line.append(Spot(round(x), top + place.layer * layer_height))
        bends[line] = tuple(spots_of_line)
    right = max((x + _width(place, sizes) for place, x in across.items()), default=0) + shift
    width = round(right) + sizes.margin
    height = top + sizes.margin + len(layers) * layer_height - sizes.drop // 2
    return Drawing(width, height, spots, bends, frozenset(backward))


def _depths(boxes: Sequence[str], lines: Sequence[Line]) -> dict[str, int]:
    """Calculate the layer of each box: one below the lowest of those that lead to it."""
    leading: dict[str, list[str]] = {name: [] for name in boxes}
    for start, end in lines:
        leading[end].append(start)
    depth: dict[str, int] = {}
    for name in TopologicalSorter(leading).static_order():  # each comes after all that lead to it
        depth[name] = max((depth[start] + 1 for start in leading[name]), default=0)
    return depth


def _chain(line: Line, depth: Mapping[str, int]) -> tuple[Place, ...]:
    """Return the places of a line, one in each layer, from the box where it begins to the one where it ends."""
    start, end = line
    between = [Place(line, layer) for layer in range(depth[start] + 1, depth[end])]
    return (Place(start, depth[start]), *between, Place(end, depth[end]))


def _backward(boxes: Sequence[str], lines: Sequence[Line]) -> set[Line]:
    """Find the lines that close a cycle, by depth-first search."""
    onward: dict[str, list[str]] = {name: [] for name in boxes}
    for start, end in lines:
        onward[start].append(end)
    backward: set[Line] = set()
    finished: set[str] = set()
    for root in boxes:
        path: list[str] = []
        stack: list[tuple[str, bool]] = [(root, False)]
        while stack:
            name, is_leaving = stack.pop()
            if is_leaving:
                path.pop()
                finished.add(name)
                continue
            if name in finished or name in path:
                continue
            path.append(name)
            stack.append((name, True))
            for end in reversed(onward[name]):
                if end in path:
                    backward.add((name, end))
                elif end not in finished:
                    stack.append((end, False))
    return backward


def _ordered(
    boxes: Sequence[str], depth: Mapping[str, int], chains: Mapping[Line, tuple[Place, ...]], neighbours: Neighbours
) -> list[list[Place]]:
    """Order each layer from left to right with few crossings: each place near the mean of its neighbours."""
    layers: list[list[Place]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name in boxes:
        layers[depth[name]].append(Place(name, depth[name]))
    for chain in chains.values():
        for place in chain[1:-1]:
            layers[place.layer].append(place)
    for sweep in range(SWEEPS):
        near = neighbours[sweep % 2]
        for layer in reversed(layers) if sweep % 2 else layers:
            middles = _middles(layer, near, layers)
            layer.sort(key=middles.__getitem__)
    return layers


def _middles(
    layer: Sequence[Place], near: Mapping[Place, Sequence[Place]], layers: Sequence[Sequence[Place]]
) -> dict[Place, float]:
    """Calculate the mean rank of each place's neighbours; of a place without any, its own rank."""
    ranks: dict[Place, int] = {}
    for ranked_layer in layers:
        ranks |= {place: rank for rank, place in enumerate(ranked_layer)}
    return {place: _mean([ranks[neighbour] for neighbour in near.get(place, ())], ranks[place]) for place in layer}


def _neighbours(chains: Mapping[Line, tuple[Place, ...]]) -> Neighbours:
    above: dict[Place, list[Place]] = {}
    below: dict[Place, list[Place]] = {}
    for chain in chains.values():
        for upper, lower in pairwise(chain):
            above.setdefault(lower, []).append(upper)
            below.setdefault(upper, []).append(lower)
    return above, below


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _width(place: Place, sizes: Sizes) -> int:
    return sizes.width if isinstance(place.of, str) else sizes.lane


def _across(layers: Sequence[Sequence[Place]], neighbours: Neighbours, sizes: Sizes) -> dict[Place, float]:
    """Calculate left edges: side by side first, then each moved towards its neighbours. Order and gaps are kept."""
    across: dict[Place, float] = {}
    for layer in layers:
        left = 0.0
        for place in layer:
            across[place] = left
            left += _width(place, sizes) + sizes.gap

    def middle(place: Place) -> float:
        return across[place] + _width(place, sizes) / 2

    for sweep in range(SWEEPS):
        near = neighbours[sweep % 2]
        for layer in reversed(layers) if sweep % 2 else layers:
            ideal: dict[Place, float] = {}
            for place in layer:
                middles = [middle(neighbour) for neighbour in near.get(place, ())]
                ideal[place] = _mean(middles, middle(place)) - _width(place, sizes) / 2
            leftmost = float("-inf")
            for place in layer:
                across[place] = max(ideal[place], leftmost)
                leftmost = across[place] + _width(place, sizes) + sizes.gap
            drift = _mean([across[place] - ideal[place] for place in layer], 0)
            for place in layer:
                across[place] -= drift
    return across
