"""Scene graph: the story as far as a seat knows it, as boxes and lines.

A game master sees every draft and where each option leads. Others see the scenes that were told to them, the ways on
that they were shown, and the way that the story took.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.graph_layout import Drawing, Sizes, lay_out
from astragal.surfaces.web.story.scene_picture import Box, Line, WayShown, leads_back, with_paths
from astragal.surfaces.web.story.walks import Branch, Walk, read_past
from astragal.table.state.things import Option, Scene

SIZES = Sizes()
WIDEST_LINE = 18
MOST_LINES = 2


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
    state = session.state
    present = state.calendar.scene or ""
    past = read_past(session)
    ways = {scene.id: tuple(_ways(scene, state.scenes, past.walks)) for scene in state.scenes.values()}
    titles = {walk.end: past.titles[walk.end] for walk in past.walks if walk.end not in state.scenes}
    titles |= {scene.id: scene.title for scene in state.scenes.values()}
    order = _in_order((*_scenes_on(past.walks), present, *titles), ways, titles)
    picture = lay_out(order, _connections(ways, past.walks, titles), SIZES)
    if chosen not in titles:
        chosen = present or (order[0] if order else "")
    boxes = [
        _box(session, scene_id, titles[scene_id], ways.get(scene_id, ()), picture, is_chosen=scene_id == chosen)
        for scene_id in order
    ]
    lines = with_paths(list(_lines(boxes, past.walks)), picture, SIZES)
    if session.is_game_master and present:
        lines = [replace(line, takes=line.number) if line.start.id == present else line for line in lines]
    return Story(
        boxes=tuple(boxes),
        lines=tuple(lines),
        width=picture.width + SIZES.lane * sum(leads_back(line, picture) for line in lines),
        height=picture.height,
        present=state.scenes.get(present),
        chosen=next((box for box in boxes if box.is_chosen), None),
        scene=state.scenes.get(chosen),
        nodes=tuple(state.nodes.items())[::-1],
        branches=tuple(past.branches[::-1]),
        runs=session.is_game_master,
    )


def _scenes_on(walks: Iterable[Walk]) -> Iterator[str]:
    """Yield the scenes that the story went through, in order."""
    for walk in walks:
        yield walk.start
        yield walk.end


def _connections(
    ways: Mapping[str, Iterable[WayShown]], walks: Iterable[Walk], known: Collection[str]
) -> list[tuple[str, str]]:
    """Return each pair of known scenes that a way or a walk connects."""
    pairs = [(start, way.to) for start, ways_on in ways.items() for way in ways_on]
    pairs += [(walk.start, walk.end) for walk in walks]
    return [(start, end) for start, end in pairs if start in known and end in known]


def _in_order(roots: Iterable[str], ways: Mapping[str, tuple[WayShown, ...]], known: Collection[str]) -> list[str]:
    """Sort scenes in the order they were told, then along their ways by number."""
    order: dict[str, None] = {}
    for root in roots:
        stack = [root]
        while stack:
            scene = stack.pop()
            if scene in known and scene not in order:
                order[scene] = None
                stack += [way.to for way in reversed(ways.get(scene, ()))]
    return list(order)


def _ways(scene: Scene, scenes: Mapping[str, Scene], walks: Sequence[Walk]) -> Iterator[WayShown]:
    """Yield the ways on from a scene, each with where it leads or has led."""
    for option in scene.options:
        walks_of_option = [walk for walk in walks if walk.start == scene.id and walk.words == option.words]
        is_walked = any(not walk.left for walk in walks_of_option)
        to = _goal(option, scenes, walks_of_option)
        title = scenes[to].title if to in scenes else ""
        yield WayShown(option.number, option.words, option.way.value, to, title, is_walked)


def _goal(option: Option, scenes: Mapping[str, Scene], walks: Sequence[Walk]) -> str:
    """Return the scene that an option leads to, else where it led last; walks that were left behind count least."""
    if isinstance(option.leads_to, str) and option.leads_to in scenes:  # only the game master knows it
        return option.leads_to
    ends = [walk.end for walk in walks if not walk.left] or [walk.end for walk in walks]
    return ends[-1] if ends else ""


def _box(
    session: SeatSession, scene_id: str, title: str, ways: tuple[WayShown, ...], picture: Drawing, *, is_chosen: bool
) -> Box:
    """Return the box of a scene, which may have been left behind by a rewind and be no part of the state."""
    scene = session.state.scenes.get(scene_id)
    spot = picture.spots[scene_id]
    return Box(
        id=scene_id,
        title=title,
        lines=_title_lines(title),
        standing=_standing(scene, is_present=scene_id == session.state.calendar.scene),
        is_ending=scene is not None and not scene.options,
        saves=session.is_game_master and scene is not None and scene.save_node,
        x=spot.x,
        y=spot.y,
        ways=ways,
        is_chosen=is_chosen,
    )


def _title_lines(title: str) -> tuple[str, ...]:
    """Break a title into the few lines that a box has room for."""
    lines = wrap(title, WIDEST_LINE) or [title]
    if len(lines) <= MOST_LINES:
        return tuple(lines)
    last = lines[MOST_LINES - 1][: WIDEST_LINE - 1]
    return (*lines[: MOST_LINES - 1], f"{last}…")


def _standing(scene: Scene | None, *, is_present: bool) -> str:
    if scene is None:
        return "left behind"
    if is_present:
        return "now"
    return "told" if scene.entered else "draft"


def _lines(boxes: Sequence[Box], walks: Sequence[Walk]) -> Iterator[Line]:
    """Yield every line of the picture: the ways on, then walks from scene to scene without any of those."""
    box_by_id = {box.id: box for box in boxes}
    for box in boxes:
        for place, way in enumerate(box.ways, 1):
            x = box.x + SIZES.width * place // (len(box.ways) + 1)
            y = box.y + SIZES.height
            left = any(walk.left and walk.start == box.id and walk.words == way.words for walk in walks)
            yield Line(box, box_by_id.get(way.to), x, y, way, way.walked, left)
    pairs_with_way = {(box.id, way.to) for box in boxes for way in box.ways}
    left_by_pair: dict[tuple[str, str], list[bool]] = {}
    for walk in walks:
        left_by_pair.setdefault((walk.start, walk.end), []).append(walk.left)
    for (start_id, end_id), left_behind in left_by_pair.items():
        if start_id in box_by_id and end_id in box_by_id and (start_id, end_id) not in pairs_with_way:
            start = box_by_id[start_id]
            x = start.x + SIZES.width // 2
            y = start.y + SIZES.height
            yield Line(start, box_by_id[end_id], x, y, None, walked=not all(left_behind), left=any(left_behind))
