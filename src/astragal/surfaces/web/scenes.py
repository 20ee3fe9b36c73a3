"""The story as a graph of scenes: what a seat knows of it, drawn and told.

A game master sees every draft and where each option leads. Others see the scenes that were told to them, the ways on
that they were shown, and which way the story went.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from astragal.table.things.scenes import Option, Scene, Way

from .layers import Drawing, Sizes, Spot, drawn
from .sitting import Sitting
from .walks import Branch, Walk, Walked, walked

SIZES = Sizes()
WIDEST_LINE = 18
MOST_LINES = 2
STUB = 30
"""How far a way on reaches that leads to nothing written."""


@dataclass(frozen=True)
class WayShown:
    """A way on from a scene."""

    number: int
    words: str
    way: str
    to: str = ""
    """The scene it leads to, as far as this seat knows."""
    leads: str = ""
    """That scene's title."""
    walked: bool = False


@dataclass(frozen=True)
class Box:
    """A scene in the picture."""

    id: str
    title: str
    lines: tuple[str, ...]
    standing: str
    """now, told, draft, or left behind"""
    is_ending: bool
    saves: bool
    x: int
    y: int
    ways: tuple[WayShown, ...]
    is_chosen: bool = False


@dataclass(frozen=True)
class Drawn:
    """A line in the picture: its path, where its number stands, and what it says."""

    path: str
    kind: str
    number: int
    x: int
    y: int
    words: str
    walked: bool
    left: bool
    is_stub: bool
    takes: int = 0
    """The number of the option that a click on it takes, where the story stands at its beginning."""


@dataclass(frozen=True)
class Story:
    boxes: tuple[Box, ...]
    lines: tuple[Drawn, ...]
    width: int
    height: int
    present: Scene | None
    chosen: Box | None
    scene: Scene | None
    """The chosen one, with its texts."""
    nodes: tuple[tuple[str, str], ...]
    branches: tuple[Branch, ...]
    runs: bool
    """Does this seat run the game?"""


def story_of(sitting: Sitting, chosen: str = "") -> Story:
    """All of it that this seat may know."""
    state, past = sitting.state, walked(sitting)
    left = {one.end: past.titles[one.end] for one in past.walks if one.end not in state.scenes}
    ways = {scene.id: tuple(_ways(scene, state.scenes, past)) for scene in state.scenes.values()}
    titles = left | {scene.id: scene.title for scene in state.scenes.values()}
    told = [one for walk in past.walks for one in (walk.start, walk.end)]
    order = _in_order((*told, state.calendar.scene or "", *titles), ways, titles)
    joined = [(start, one.to) for start, some in ways.items() for one in some if one.to in titles]
    joined += [(one.start, one.end) for one in past.walks if one.start in titles and one.end in titles]
    picture = drawn(order, joined, SIZES)
    shown = chosen if chosen in titles else state.calendar.scene or (order[0] if order else "")
    boxes = tuple(
        _box(sitting, one, titles[one], ways.get(one, ()), picture.spots[one], is_chosen=one == shown) for one in order
    )
    lines = tuple(_lines(boxes, past.walks, picture, sitting.state.calendar.scene if sitting.is_game_master else None))
    return Story(
        boxes,
        lines,
        picture.width,
        picture.height,
        state.scenes.get(state.calendar.scene or ""),
        next((box for box in boxes if box.is_chosen), None),
        state.scenes.get(shown),
        tuple(reversed(tuple(state.nodes.items()))),
        tuple(replace(one, price=sitting.teller.term(one.price)) for one in reversed(past.branches)),
        sitting.is_game_master,
    )


def _in_order(roots: Iterable[str], ways: Mapping[str, tuple[WayShown, ...]], known: Collection[str]) -> list[str]:
    """From those that were told first along their ways, in the order of their numbers."""
    order: dict[str, None] = {}
    for root in roots:
        todo = [root]
        while todo:
            scene = todo.pop()
            if scene in known and scene not in order:
                order[scene] = None
                todo += [way.to for way in reversed(ways.get(scene, ()))]
    return list(order)


def _ways(scene: Scene, scenes: Mapping[str, Scene], past: Walked) -> Iterator[WayShown]:
    for option in scene.options:
        walks = [one for one in past.walks if one.start == scene.id and one.words == option.words]
        taken = [one.end for one in walks if not one.left]
        been = taken or [one.end for one in walks]
        to = _leads_to(option, scenes) or (been[-1] if been else "")
        leads = scenes[to].title if to in scenes else ""
        yield WayShown(option.number, option.words, option.way.value, to, leads, bool(taken))


def _leads_to(option: Option, scenes: Mapping[str, Scene]) -> str:
    """Where it leads is withheld from whoever does not run the game."""
    return option.leads_to if isinstance(option.leads_to, str) and option.leads_to in scenes else ""


def _box(sitting: Sitting, scene: str, title: str, ways: tuple[WayShown, ...], spot: Spot, *, is_chosen: bool) -> Box:
    state, found = sitting.state, sitting.state.scenes.get(scene)
    standing = "now" if scene == state.calendar.scene else "told" if found and found.entered else "draft"
    saves = sitting.is_game_master and found is not None and found.save_node
    return Box(
        scene,
        title,
        _broken(title),
        standing if found else "left behind",
        found is not None and not found.options,
        saves,
        spot.x,
        spot.y,
        ways,
        is_chosen,
    )


def _broken(title: str) -> tuple[str, ...]:
    lines = wrap(title, WIDEST_LINE) or [title]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], lines[MOST_LINES - 1][: WIDEST_LINE - 1] + "…"]
    return tuple(lines)


# ---------------------------------------------------------------- lines


def _lines(boxes: Sequence[Box], walks: Sequence[Walk], picture: Drawing, present: str | None) -> Iterator[Drawn]:
    at = {box.id: box for box in boxes}
    for box in boxes:
        count = len(box.ways)
        for place, way in enumerate(box.ways, 1):
            x, y = box.x + SIZES.width * place // (count + 1), box.y + SIZES.height
            target = at.get(way.to)
            path = _path(box, target, x, y, picture) if target else f"M{x} {y}V{y + STUB}"
            takes = way.number if box.id == present else 0
            left = any(one.left and one.start == box.id and one.words == way.words for one in walks)
            words = f"{box.title}: {way.number}. {way.words}"
            yield Drawn(path, way.way, way.number, x, y, words, way.walked, left, target is None, takes)
    by_ways = {(box.id, way.to) for box in boxes for way in box.ways}
    for walk in dict.fromkeys(walks):
        if walk.start in at and walk.end in at and (walk.start, walk.end) not in by_ways:
            start, end = at[walk.start], at[walk.end]
            x, y = start.x + SIZES.width // 2, start.y + SIZES.height
            words = f"{start.title} → {end.title}"
            yield Drawn(
                _path(start, end, x, y, picture), Way.OPEN.value, 0, x, y, words, not walk.left, walk.left, False
            )


def _path(start: Box, end: Box, x: int, y: int, picture: Drawing) -> str:
    """Down through its bends; a way back goes around on the right."""
    if (start.id, end.id) in picture.backward:
        return _around(x, y, end.x + SIZES.width // 2, end.y, picture.width - 2 * SIZES.margin)
    half = SIZES.drop // 2
    path, at = f"M{x} {y}", (x, y)
    for bend in picture.bends[start.id, end.id]:
        path += f"C{at[0]} {at[1] + half} {bend.x} {bend.y - half} {bend.x} {bend.y}V{bend.y + SIZES.height}"
        at = (bend.x, bend.y + SIZES.height)
    top = (end.x + SIZES.width // 2, end.y)
    return f"{path}C{at[0]} {at[1] + half} {top[0]} {top[1] - half} {top[0]} {top[1]}"


def _around(x: int, y: int, to_x: int, to_y: int, side: int) -> str:
    """Between the layers to the side, up there, and between the layers again to the top of a box."""
    low, high, turn = y + SIZES.drop // 2, to_y - SIZES.drop // 3, SIZES.margin
    return (
        f"M{x} {y}V{low - turn}Q{x} {low} {x + turn} {low}H{side - turn}Q{side} {low} {side} {low - turn}"
        f"V{high + turn}Q{side} {high} {side - turn} {high}H{to_x + turn}Q{to_x} {high} {to_x} {high + turn}V{to_y}"
    )
