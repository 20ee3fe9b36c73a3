"""Boxes and lines of the scene graph as they are drawn, and the SVG paths of the lines."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.web.story.graph_layout import Drawing, Sizes
from astragal.table.state.things import Way

STUB = 30
"""Length of the line of a way on that leads to no written scene."""
ABREAST = 5
"""Number of lines that can lead back side by side between two layers."""
NEAR = 6
"""Distance between them."""


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


def leads_back(line: Line, picture: Drawing) -> bool:
    """Return whether a line goes around everything, up to a box above the one that it begins at."""
    return line.end is not None and (line.start.id, line.end.id) in picture.backward


def with_paths(lines: Sequence[Line], picture: Drawing, sizes: Sizes) -> list[Line]:
    """Return the lines with their SVG paths. Each that leads back has a lane of its own, the longest outermost."""
    path_by_line = _paths_back(lines, picture, sizes)
    for line in lines:
        if line.end is None:
            path_by_line[line] = f"M{line.x} {line.y}V{line.y + STUB}"
        elif line not in path_by_line:
            path_by_line[line] = _path_down(line, line.end, picture, sizes)
    return [replace(line, path=path_by_line[line]) for line in lines]


def _path_down(line: Line, end: Box, picture: Drawing, sizes: Sizes) -> str:
    """SVG path of a line downwards, through its bends."""
    half_drop = sizes.drop // 2
    path = f"M{line.x} {line.y}"
    x = line.x
    y = line.y
    for bend in picture.bends[line.start.id, end.id]:
        bottom = bend.y + sizes.height
        path += f"C{x} {y + half_drop} {bend.x} {bend.y - half_drop} {bend.x} {bend.y}V{bottom}"
        x = bend.x
        y = bottom
    end_x = end.x + sizes.width // 2
    return f"{path}C{x} {y + half_drop} {end_x} {end.y - half_drop} {end_x} {end.y}"


def _paths_back(lines: Sequence[Line], picture: Drawing, sizes: Sizes) -> dict[Line, str]:
    """SVG paths of the lines that lead back, the shortest on the innermost lane."""
    lines_back = [(line, line.end) for line in lines if line.end and leads_back(line, picture)]
    lines_back.sort(key=lambda pair: pair[0].y - pair[1].y)
    leaving_at = Counter[int]()
    reaching_at = Counter[int]()
    path_by_line: dict[Line, str] = {}
    for lane, (line, end) in enumerate(lines_back):
        leaving = leaving_at[line.y] % ABREAST
        reaching = reaching_at[end.y] % ABREAST
        path_by_line[line] = _path_back(line, end, picture.width + lane * sizes.lane, leaving, reaching, sizes)
        leaving_at[line.y] += 1
        reaching_at[end.y] += 1
    return path_by_line


def _path_back(line: Line, end: Box, side: int, leaving: int, reaching: int, sizes: Sizes) -> str:
    """SVG path of a line that leads back: out to the side, up there, and in again to the top of a box.

    `leaving` and `reaching` are its places among the lines that leave or reach the same layer.
    """
    corner = sizes.lane // 2
    middle = ABREAST // 2
    end_x = end.x + sizes.width // 2 + (middle - reaching) * sizes.lane
    low = line.y + sizes.drop // 2 + (leaving - middle) * NEAR
    high = end.y - sizes.drop // 3 - (reaching - middle) * NEAR
    out = f"M{line.x} {line.y}V{low - corner}Q{line.x} {low} {line.x + corner} {low}H{side - corner}"
    up = f"Q{side} {low} {side} {low - corner}V{high + corner}Q{side} {high} {side - corner} {high}"
    back_in = f"H{end_x + corner}Q{end_x} {high} {end_x} {high + corner}V{end.y}"
    return out + up + back_in
