"""Scene graph: the story as far as a seat knows it, as boxes and lines.

A game master sees every draft and where each option leads. Others see the scenes that were told to them, the ways on
that they were shown, and the way that the story took: from scene to scene, and on branches that a rewind left behind.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.graph_layout import Drawing, Sizes, lay_out
from astragal.table.state.things import Scene, Way

ABOUT_SCENES = ("scene_began", "option_taken", "save_node_marked", "rewound")


class Walk(Struct, frozen=True):
    """A step of the story from one scene to another, with the words of the way on if one was taken."""

    start: str
    end: str
    words: str = ""
    left: bool = False
    """True if a rewind left it behind."""


class Branch(Struct, frozen=True):
    """A branch that a rewind left behind."""

    label: str
    """The save node that the story went back to; empty for an undo."""
    price: str
    amount: int
    scenes: tuple[str, ...]
    """The titles of the scenes that were told on it."""


class Walked(NamedTuple):
    titles: dict[str, str]
    walks: list[Walk]
    branches: list[Branch]


def walked(session: SeatSession) -> Walked:
    """Read walks, titles and branches from the log."""
    found = Walked({}, [], [])
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
            label, price = str(fields["label"]), session.teller.term(str(fields["price"]))
            found.branches.append(Branch(label, price, int(fields["amount"]), tuple(off)))
            here, by, off = saved.get(label, kept) if label else kept, "", []
    return found


SIZES = Sizes()
WIDEST_LINE = 18
MOST_LINES = 2
STUB = 30
"""Length of the line of a way on that leads to no written scene."""
ABREAST, NEAR = 5, 6
"""Number of lines that can lead back side by side between two layers, and the distance between them."""


class WayShown(Struct, frozen=True):
    """A way on from a scene."""

    number: int
    words: str
    way: str
    to: str = ""
    """The scene it leads to, as far as this seat knows."""
    leads: str = ""
    """That scene's title."""
    walked: bool = False


class Box(Struct, frozen=True, kw_only=True):
    """A scene in the picture."""

    id: str
    title: str
    lines: tuple[str, ...]
    standing: str
    """`now`, `told`, `draft` or `left behind`."""
    is_ending: bool
    saves: bool
    x: int
    y: int
    ways: tuple[WayShown, ...]
    is_chosen: bool


class Line(Struct, frozen=True):
    """A line in the picture: between two boxes, or from one into the open."""

    start: Box
    end: Box | None
    x: int
    y: int
    """`x` and `y` are where it begins, and where its number is shown."""
    way: WayShown | None
    """None if the story went on without one."""
    walked: bool
    left: bool
    path: str = ""
    takes: int = 0
    """The number of the option that a click on it takes, if it begins at the present scene; else 0."""

    @property
    def kind(self) -> str:
        return self.way.way if self.way else Way.OPEN.value

    @property
    def number(self) -> int:
        return self.way.number if self.way else 0

    @property
    def words(self) -> str:
        if self.way:
            return f"{self.start.title}: {self.number}. {self.way.words}"
        return f"{self.start.title} → {self.end.title}" if self.end else self.start.title


class Story(Struct, frozen=True):
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    width: int
    height: int
    present: Scene | None
    chosen: Box | None
    scene: Scene | None
    """The chosen scene, with its texts."""
    nodes: tuple[tuple[str, str], ...]
    branches: tuple[Branch, ...]
    runs: bool
    """True if this seat runs the game."""


def story_of(session: SeatSession, chosen: str = "") -> Story:
    """Build the graph of all scenes that this seat may know."""
    state, past, runs = session.state, walked(session), session.is_game_master
    left = {one.end: past.titles[one.end] for one in past.walks if one.end not in state.scenes}
    ways = {scene.id: tuple(_ways(scene, state.scenes, past.walks)) for scene in state.scenes.values()}
    titles = left | {scene.id: scene.title for scene in state.scenes.values()}
    told = [one for walk in past.walks for one in (walk.start, walk.end)]
    order = _in_order((*told, state.calendar.scene or "", *titles), ways, titles)
    joined = [(start, one.to) for start, some in ways.items() for one in some if one.to in titles]
    joined += [(one.start, one.end) for one in past.walks if one.start in titles and one.end in titles]
    picture = lay_out(order, joined, SIZES)
    shown = chosen if chosen in titles else state.calendar.scene or (order[0] if order else "")
    boxes: list[Box] = []
    for one in order:
        scene = state.scenes.get(one)
        standing = "now" if one == state.calendar.scene else "told" if scene and scene.entered else "draft"
        lines = wrap(titles[one], WIDEST_LINE) or [titles[one]]
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES - 1], lines[MOST_LINES - 1][: WIDEST_LINE - 1] + "…"]
        box = Box(
            id=one,
            title=titles[one],
            lines=tuple(lines),
            standing=standing if scene else "left behind",
            is_ending=scene is not None and not scene.options,
            saves=runs and scene is not None and scene.save_node,
            x=picture.spots[one].x,
            y=picture.spots[one].y,
            ways=ways.get(one, ()),
            is_chosen=one == shown,
        )
        boxes.append(box)
    drawn = _with_paths(list(_lines(boxes, past.walks)), picture)
    present = state.calendar.scene if runs else None
    return Story(
        tuple(boxes),
        tuple(replace(one, takes=one.number if one.start.id == present else 0) for one in drawn),
        picture.width + SIZES.lane * sum(_leads_back(one, picture) for one in drawn),
        picture.height,
        state.scenes.get(state.calendar.scene or ""),
        next((box for box in boxes if box.is_chosen), None),
        state.scenes.get(shown),
        tuple(state.nodes.items())[::-1],
        tuple(past.branches[::-1]),
        runs,
    )


def _in_order(roots: Iterable[str], ways: Mapping[str, tuple[WayShown, ...]], known: Collection[str]) -> list[str]:
    """Sort scenes in the order they were told, then along their ways by number."""
    order: dict[str, None] = {}
    for root in roots:
        todo = [root]
        while todo:
            scene = todo.pop()
            if scene in known and scene not in order:
                order[scene] = None
                todo += [way.to for way in reversed(ways.get(scene, ()))]
    return list(order)


def _ways(scene: Scene, scenes: Mapping[str, Scene], walked: Sequence[Walk]) -> Iterator[WayShown]:
    for option in scene.options:
        walks = [one for one in walked if one.start == scene.id and one.words == option.words]
        taken = [one.end for one in walks if not one.left]
        been = taken or [one.end for one in walks]
        known = isinstance(option.leads_to, str) and option.leads_to in scenes  # only the game master knows it
        to = str(option.leads_to) if known else been[-1] if been else ""
        leads = scenes[to].title if to in scenes else ""
        yield WayShown(option.number, option.words, option.way.value, to, leads, bool(taken))


# ---------------------------------------------------------------- lines


def _lines(boxes: Sequence[Box], walks: Sequence[Walk]) -> Iterator[Line]:
    """Yield every line of the picture."""
    at = {box.id: box for box in boxes}
    for box in boxes:
        for place, way in enumerate(box.ways, 1):
            x, y = box.x + SIZES.width * place // (len(box.ways) + 1), box.y + SIZES.height
            left = any(one.left and one.start == box.id and one.words == way.words for one in walks)
            yield Line(box, at.get(way.to), x, y, way, way.walked, left)
    by_ways = {(box.id, way.to) for box in boxes for way in box.ways}
    for start, end in dict.fromkeys((one.start, one.end) for one in walks):
        if start in at and end in at and (start, end) not in by_ways:
            been = [one.left for one in walks if (one.start, one.end) == (start, end)]
            x, y = at[start].x + SIZES.width // 2, at[start].y + SIZES.height
            yield Line(at[start], at[end], x, y, None, walked=not all(been), left=any(been))


def _leads_back(line: Line, picture: Drawing) -> bool:
    return line.end is not None and (line.start.id, line.end.id) in picture.backward


def _with_paths(lines: Sequence[Line], picture: Drawing) -> list[Line]:
    """Return the lines with their SVG paths. Each that leads back has a lane of its own, the longest outermost."""
    back = [(one, one.end) for one in lines if one.end and _leads_back(one, picture)]
    leaving, reaching = Counter[int](), Counter[int]()
    paths: dict[Line, str] = {}
    for out, (line, end) in enumerate(sorted(back, key=lambda pair: pair[0].y - pair[1].y)):
        low, high = leaving[line.y] % ABREAST, reaching[end.y] % ABREAST
        paths[line] = _around(line, end, picture.width + out * SIZES.lane, low, high)
        leaving[line.y] += 1
        reaching[end.y] += 1
    for line in lines:
        if line.end is None:
            paths[line] = f"M{line.x} {line.y}V{line.y + STUB}"
        elif line not in paths:
            paths[line] = _down(line, line.end, picture)
    return [replace(line, path=paths[line]) for line in lines]


def _down(line: Line, end: Box, picture: Drawing) -> str:
    """SVG path of a line downwards, through its bends."""
    half = SIZES.drop // 2
    path, at = f"M{line.x} {line.y}", (line.x, line.y)
    for bend in picture.bends[line.start.id, end.id]:
        path += f"C{at[0]} {at[1] + half} {bend.x} {bend.y - half} {bend.x} {bend.y}V{bend.y + SIZES.height}"
        at = (bend.x, bend.y + SIZES.height)
    top = (end.x + SIZES.width // 2, end.y)
    return f"{path}C{at[0]} {at[1] + half} {top[0]} {top[1] - half} {top[0]} {top[1]}"


def _around(line: Line, end: Box, side: int, low: int, high: int) -> str:
    """SVG path of a line that leads back: out to the side, up there, and in again to the top of a box.

    `low` and `high` are its places among those that leave or reach the same layer.
    """
    x, y, turn, middle = line.x, line.y, SIZES.lane // 2, ABREAST // 2
    to_x, to_y = end.x + SIZES.width // 2 + (middle - high) * SIZES.lane, end.y
    low, high = y + SIZES.drop // 2 + (low - middle) * NEAR, to_y - SIZES.drop // 3 - (high - middle) * NEAR
    return (
        f"M{x} {y}V{low - turn}Q{x} {low} {x + turn} {low}H{side - turn}Q{side} {low} {side} {low - turn}"
        f"V{high + turn}Q{side} {high} {side - turn} {high}H{to_x + turn}Q{to_x} {high} {to_x} {high + turn}V{to_y}"
    )
