"""QR codes of links, as SVG."""

from __future__ import annotations

import segno
from markupsafe import Markup


def qr_svg(link: str, label: str) -> Markup:
    """A QR code, dark on light in either theme and with the margin that cameras need; without inline style."""
    drawn = segno.make(link, micro=False).svg_inline(
        omitsize=True, dark="#1b1309", light="#fffdf7", border=4, svgclass="qr", lineclass=None, title=label
    )
    return Markup(drawn)  # noqa: S704 - segno escapes the title, and the rest is drawn
