"""Drawings of boxes, lines and text, rendered as SVG or PNG, light or dark."""

from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from typing import NamedTuple, TypeAlias

from .errors import MissingExtra

NAMESPACE = "http://www.w3.org/2000/svg"
LETTER = 7.2
"""Approximate width of a letter."""
SIZE = 13
SHARPNESS = 2
"""Pixels of a PNG per unit, in both directions."""


class Box(NamedTuple):
    """A filled rectangle; `share`, from 0 to 1, is the opacity of its colour."""

    x: float
    y: float
    width: float
    height: float
    colour: str = "first"
    share: float = 1


class Line(NamedTuple):
    """A line through points. The second colour is dashed, so that lines can be told apart without colours."""

    points: tuple[tuple[float, float], ...]
    colour: str = "first"


class Words(NamedTuple):
    """A line of text on a baseline; `anchor` is the side that is at `x`: start, middle or end."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    style: str = "plain"


Shape: TypeAlias = Box | Line | Words


class Drawing(NamedTuple):
    """Shapes to draw, from back to front, and a description for people who can't see them."""

    width: float
    height: float
    shapes: Sequence[Shape]
    says: str


class Colours(NamedTuple):
    """A colour scheme."""

    page: str
    plain: str
    dim: str
    first: str
    second: str


LIGHT = Colours("#ffffff", "#1b1b1f", "#6b6b76", "#3a7d5d", "#b5651d")
DARK = Colours("#17171b", "#ececf1", "#9a9aa6", "#5fb58c", "#e0a458")


def svg(drawing: Drawing, *, in_a_page: bool = False, styled: bool = True) -> str:
    """Render as SVG.

    In a page, the text takes the page's colour, because only the page knows whether it is light or dark. If not
    `styled`, the page's style sheet defines how the classes look.
    """
    style = f"text{{font:{SIZE}px system-ui,sans-serif;fill:currentColor}}.title{{font-weight:600}}.dim{{opacity:.65}}"
    has_lines = any(isinstance(shape, Line) for shape in drawing.shapes)
    style += f"{_colours(LIGHT, lines=has_lines)}.dropped{{opacity:.4}}"
    style += ".plain{fill:currentColor}polyline{stroke-width:2.5}" if has_lines else ""
    if not in_a_page:
        style += f"svg{{color:{LIGHT.plain};background:{LIGHT.page}}}@media(prefers-color-scheme:dark){{"
        style += f"svg{{color:{DARK.plain};background:{DARK.page}}}"
        style += f"{_colours(DARK, lines=has_lines)}}}"
    width, height = round(drawing.width), round(drawing.height)
    size = f' width="{width}" style="max-width:100%;height:auto"' if in_a_page and styled else ""
    says = _escaped(drawing.says)
    lines = [
        f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {width} {height}"{size} role="img" aria-label="{says}">',
        f"<title>{says}</title>" + (f"<style>{style}</style>" if styled else ""),
        *map(_svg_shape, drawing.shapes),
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def _colours(colours: Colours, *, lines: bool) -> str:
    """CSS of the colours: boxes are filled, lines are stroked and not filled."""
    named = (("first", colours.first), ("second", colours.second))
    drawn = (f"polyline.{name}{{fill:none;stroke:{it}}}" for name, it in named if lines)
    return "".join((*(f".{name}{{fill:{it}}}" for name, it in named), *drawn))


def _svg_shape(shape: Shape) -> str:
    if isinstance(shape, Line):
        broken = ' stroke-dasharray="6 4"' if shape.colour == "second" else ""
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
        return f'<polyline class="{shape.colour}"{broken} points="{points}"/>'
    if isinstance(shape, Words):
        style = f' class="{shape.style}"' if shape.style != "plain" else ""
        anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
        return f'<text x="{shape.x:.1f}" y="{shape.y:.1f}"{anchor}{style}>{_escaped(shape.text)}</text>'
    x, y, width, height, colour, share = shape
    seen = f' fill-opacity="{share:.3f}"' if share < 1 else ""
    return f'<rect class="{colour}" x="{x:.1f}" y="{y:.1f}" width="{width:.2f}" height="{height:.1f}" rx="2"{seen}/>'


def _escaped(text: str) -> str:
    """Escape text for HTML and replace line breaks and other non-printable characters by spaces."""
    from html import escape

    return escape("".join(sign if sign.isprintable() else " " for sign in text))


def png(drawing: Drawing, *, dark: bool = False) -> bytes:
    """Render as PNG, with Pillow and its built-in font."""
    try:
        image, draw, font = (import_module(f"PIL.{name}") for name in ("Image", "ImageDraw", "ImageFont"))
    except ImportError:
        raise MissingExtra("lab", "PNG pictures") from None
    colours = DARK if dark else LIGHT
    size = (round(drawing.width * SHARPNESS), round(drawing.height * SHARPNESS))
    paper = image.new("RGB", size, colours.page)
    pen, letters = draw.Draw(paper), font.load_default(SIZE * SHARPNESS)
    for shape in drawing.shapes:
        if isinstance(shape, Words):
            colour = colours.dim if shape.style in ("dim", "dropped") else colours.plain
            bold = {"stroke_width": 1, "stroke_fill": colour} if shape.style == "title" else {}
            anchor = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
            at = (shape.x * SHARPNESS, shape.y * SHARPNESS)
            pen.text(at, shape.text, fill=colour, font=letters, anchor=anchor, **bold)
        elif isinstance(shape, Line):
            corners = [(x * SHARPNESS, y * SHARPNESS) for x, y in shape.points]
            pen.line(corners, fill=getattr(colours, shape.colour), width=2 * SHARPNESS, joint="curve")
        else:
            x, y, width, height = (side * SHARPNESS for side in shape[:4])
            both = zip(*(bytes.fromhex(it[1:]) for it in (colours.page, getattr(colours, shape.colour))), strict=True)
            fill = tuple(round(page + (colour - page) * shape.share) for page, colour in both)
            pen.rectangle((x, y, x + width, y + height), fill=fill)
    file = BytesIO()
    paper.save(file, "PNG")
    return file.getvalue()
