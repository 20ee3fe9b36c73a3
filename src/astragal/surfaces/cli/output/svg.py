"""Odds as a picture in a file: SVG, light or dark as the page it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from astragal.chance.pictures import Row

NAMESPACE = "http://www.w3.org/2000/svg"
ROW, GAP, MARGIN, BAR, LETTER = 22, 4, 16, 320, 7.2
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1b1b1f}.title{font-weight:600}.exact{fill:#6b6b76}rect{fill:#3a7d5d}"
    "@media(prefers-color-scheme:dark){text{fill:#ececf1}.exact{fill:#9a9aa6}rect{fill:#5fb58c}}"
)


def svg(title: str, rows: Sequence[Row]) -> str:
    """A bar for each row, with its percent and its exact fraction."""
    names = int(max(len(row.words) for row in rows) * LETTER) + MARGIN
    most = max(row.chance for row in rows)
    width = max(names + BAR + 190, int(len(title) * LETTER) + 2 * MARGIN)
    height = MARGIN * 2 + ROW * (len(rows) + 1) + GAP * len(rows)
    lines = [
        f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<text class="title" x="{MARGIN}" y="{MARGIN + 12}">{escape(title)}</text>',
    ]
    for number, row in enumerate(rows):
        top = MARGIN + ROW + number * (ROW + GAP)
        lines.append(_row(row, top, names, float(row.chance / most) * BAR))
    return "\n".join([*lines, "</svg>", ""])


def _row(row: Row, top: int, names: int, bar: float) -> str:
    base, left = top + ROW - 7, MARGIN + names
    return (
        f'<text x="{left - 8}" y="{base}" text-anchor="end">{escape(row.words)}</text>'
        f'<rect x="{left}" y="{top}" width="{bar:.2f}" height="{ROW}" rx="2"/>'
        f'<text x="{left + bar + 8:.2f}" y="{base}">{row.percent} '
        f'<tspan class="exact">{escape(row.fraction)}</tspan></text>'
    )
