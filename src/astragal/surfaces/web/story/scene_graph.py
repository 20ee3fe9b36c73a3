"""Scene graph: what a seat knows of the story, as boxes and lines.

A game master sees every draft and where each option leads. Others see the scenes that were told to them, the ways on
that they were shown, and which way the story went: from scene to scene, and on branches that a rewind left behind.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import wrap
from typing import NamedTuple

from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.graph_layout import Drawing, Sizes, Spot, lay_out
from astragal.table.state.things import Scene, Way

ABOUT_SCENES = ("scene_began", "option_taken", "save_node_marked", "rewound")


@dataclass(frozen=True)
class Walk:
    """The story went from one scene to another; by one of its ways on, where one was taken."""

    start: str
    end: str
    words: str = ""
    left: bool = False
    """Did a rewind leave it behind?"""


@dataclass(frozen=True)
class Branch:
    """A branch that a rewind left behind."""

    label: str
    """The save node that the story went back to; none for an undo."""
    price: str
    amount: int
    scenes: tuple[str, ...]
    """The titles of the scenes that were told on it."""


@dataclass
class Walked:
    titles: dict[str, str] = field(default_factory=dict)
    walks: list[Walk] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)


def walked(session: SeatSession) -> Walked:
    """Walks, titles and branches, read from the log."""
    found = Walked()
    here = kept = by = ""
    saved: dict[str, str] = {}
    off: list[str] = []
    for event in session.host.told(session.table, session.seat, ABOUT_SCENES):
        fields = event.fields
        if event.name == "scene_began":
            scene = str(fields["scene"])
            found.titles[scene] = str(fields["title"])
            if here and here != scene:
                found.walks.append(Walk(here, scene, by, event.abandoned))
            here, by = scene, ""
            if event.abandoned:
                off.append(str(fields["title"]))
            else:
                kept = scene
        elif event.name == "option_taken":
            by = str(fields["words"])
        elif event.name == "save_node_marked":
            saved[str(fields["label"])] = here
        elif event.name == "rewound":
            label = str(fields["label"])
            found.branches.append(Branch(label, str(fields["price"]), int(fields["amount"]), tuple(off)))
            here, by, off = saved.get(label, kept) if label else kept, "", []
    return found


SIZES = Sizes()
WIDEST_LINE = 18
MOST_LINES = 2
STUB = 30
"""How far a way on reaches that leads to nothing written."""
ABREAST, NEAR = 5, 6
"""So many ways back run side by side between two layers, so far apart."""


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


def story_of(session: SeatSession, chosen: str = "") -> Story:
    """The graph of all scenes that this seat may know."""
    state, past = session.state, walked(session)
    left = {one.end: past.titles[one.end] for one in past.walks if one.end not in state.scenes}
    ways = {scene.id: tuple(_ways(scene, state.scenes, past)) for scene in state.scenes.values()}
    titles = left | {scene.id: scene.title for scene in state.scenes.values()}
    told = [one for walk in past.walks for one in (walk.start, walk.end)]
    order = _in_order((*told, state.calendar.scene or "", *titles), ways, titles)
    joined = [(start, one.to) for start, some in ways.items() for one in some if one.to in titles]
    joined += [(one.start, one.end) for one in past.walks if one.start in titles and one.end in titles]
    picture = lay_out(order, joined, SIZES)
    shown = chosen if chosen in titles else state.calendar.scene or (order[0] if order else "")
    boxes = tuple(
        _box(session, one, titles[one], ways.get(one, ()), picture.spots[one], is_chosen=one == shown) for one in order
    )
    lanes = _lanes(boxes, past.walks, picture)
    lines = tuple(_lines(lanes, picture, session.state.calendar.scene if session.is_game_master else None))
    return Story(
        boxes,
        lines,
        picture.width + SIZES.lane * sum(lane is not None for lane in lanes.values()),
        picture.height,
        state.scenes.get(state.calendar.scene or ""),
        next((box for box in boxes if box.is_chosen), None),
        state.scenes.get(shown),
        tuple(reversed(tuple(state.nodes.items()))),
        tuple(replace(one, price=session.teller.term(one.price)) for one in reversed(past.branches)),
        session.is_game_master,
    )


def _in_order(roots: Iterable[str], ways: Mapping[str, tuple[WayShown, ...]], known: Collection[str]) -> list[str]:
    """Scenes in the order they were told, then along their ways by number."""
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
        known = isinstance(option.leads_to, str) and option.leads_to in scenes  # only the game master knows it
        to = str(option.leads_to) if known else been[-1] if been else ""
        leads = scenes[to].title if to in scenes else ""
        yield WayShown(option.number, option.words, option.way.value, to, leads, bool(taken))


def _box(
    session: SeatSession, scene: str, title: str, ways: tuple[WayShown, ...], spot: Spot, *, is_chosen: bool
) -> Box:
    state, found = session.state, session.state.scenes.get(scene)
    standing = "now" if scene == state.calendar.scene else "told" if found and found.entered else "draft"
    saves = session.is_game_master and found is not None and found.save_node
    lines = wrap(title, WIDEST_LINE) or [title]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], lines[MOST_LINES - 1][: WIDEST_LINE - 1] + "…"]
    return Box(
        scene,
        title,
        tuple(lines),
        standing if found else "left behind",
        found is not None and not found.options,
        saves,
        spot.x,
        spot.y,
        ways,
        is_chosen,
    )


# ---------------------------------------------------------------- lines


class _Joined(NamedTuple):
    """A line between two boxes, or from one into the open."""

    start: Box
    end: Box | None
    x: int
    y: int
    way: WayShown | None
    """None, where the story went without one."""
    walked: bool
    left: bool

    @property
    def words(self) -> str:
        if self.way:
            return f"{self.start.title}: {self.way.number}. {self.way.words}"
        return f"{self.start.title} → {self.end.title}" if self.end else self.start.title


def _joined(boxes: Sequence[Box], walks: Sequence[Walk]) -> Iterator[_Joined]:
    """Every line of the picture."""
    at = {box.id: box for box in boxes}
    for box in boxes:
        for place, way in enumerate(box.ways, 1):
            x, y = box.x + SIZES.width * place // (len(box.ways) + 1), box.y + SIZES.height
            left = any(one.left and one.start == box.id and one.words == way.words for one in walks)
            yield _Joined(box, at.get(way.to), x, y, way, way.walked, left)
    by_ways = {(box.id, way.to) for box in boxes for way in box.ways}
    for start, end in dict.fromkeys((one.start, one.end) for one in walks):
        if start in at and end in at and (start, end) not in by_ways:
            been = [one.left for one in walks if (one.start, one.end) == (start, end)]
            x, y = at[start].x + SIZES.width // 2, at[start].y + SIZES.height
            yield _Joined(at[start], at[end], x, y, None, walked=not all(been), left=any(been))


class _Lane(NamedTuple):
    """Where a way back runs: how far out, and among those that leave or reach the same layer."""

    out: int
    low: int
    high: int


def _lanes(boxes: Sequence[Box], walks: Sequence[Walk], picture: Drawing) -> dict[_Joined, _Lane | None]:
    """A lane for each line that leads back, the longest outermost; None for the others."""
    joined = list(_joined(boxes, walks))
    back = [(one, one.end) for one in joined if one.end and (one.start.id, one.end.id) in picture.backward]
    lanes: dict[_Joined, _Lane] = {}
    left, reached = Counter[int](), Counter[int]()
    for out, (one, end) in enumerate(sorted(back, key=lambda pair: pair[0].y - pair[1].y)):
        lanes[one] = _Lane(out, left[one.y] % ABREAST, reached[end.y] % ABREAST)
        left[one.y] += 1
        reached[end.y] += 1
    return {one: lanes.get(one) for one in joined}


def _lines(lanes: Mapping[_Joined, _Lane | None], picture: Drawing, present: str | None) -> Iterator[Drawn]:
    for one, lane in lanes.items():
        if one.end is None:
            path = f"M{one.x} {one.y}V{one.y + STUB}"
        elif lane is not None:
            path = _around(one, one.end, lane, picture.width)
        else:
            path = _down(one, one.end, picture)
        number, kind = (one.way.number, one.way.way) if one.way else (0, Way.OPEN.value)
        takes = number if one.start.id == present else 0
        yield Drawn(path, kind, number, one.x, one.y, one.words, one.walked, one.left, one.end is None, takes)


def _down(line: _Joined, end: Box, picture: Drawing) -> str:
    """SVG path of a line downwards, through its bends."""
    half = SIZES.drop // 2
    path, at = f"M{line.x} {line.y}", (line.x, line.y)
    for bend in picture.bends[line.start.id, end.id]:
        path += f"C{at[0]} {at[1] + half} {bend.x} {bend.y - half} {bend.x} {bend.y}V{bend.y + SIZES.height}"
        at = (bend.x, bend.y + SIZES.height)
    top = (end.x + SIZES.width // 2, end.y)
    return f"{path}C{at[0]} {at[1] + half} {top[0]} {top[1] - half} {top[0]} {top[1]}"


def _around(line: _Joined, end: Box, lane: _Lane, right: int) -> str:
    """SVG path of a line back: out to the side, up in its lane, and in again to the top of a box."""
    x, y, turn, middle = line.x, line.y, SIZES.lane // 2, ABREAST // 2
    side = right + lane.out * SIZES.lane
    to_x, to_y = end.x + SIZES.width // 2 + (middle - lane.high) * SIZES.lane, end.y
    low, high = y + SIZES.drop // 2 + (lane.low - middle) * NEAR, to_y - SIZES.drop // 3 - (lane.high - middle) * NEAR
    return (
        f"M{x} {y}V{low - turn}Q{x} {low} {x + turn} {low}H{side - turn}Q{side} {low} {side} {low - turn}"
        f"V{high + turn}Q{side} {high} {side - turn} {high}H{to_x + turn}Q{to_x} {high} {to_x} {high + turn}V{to_y}"
    )
