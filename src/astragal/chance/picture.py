"""Things that show themselves in a notebook, in a file or on a page: each says once what is drawn where."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .drawings import Drawing


class Picture:
    """Something that shows itself: in a notebook, as SVG text, as the bytes of a PNG."""

    __slots__ = ()

    def drawing(self, title: str = "") -> Drawing:
        """What is drawn where."""
        raise NotImplementedError

    def svg(self, title: str = "") -> str:
        """The picture as an SVG file's text, light or dark as the reader has it.

        >>> from astragal import d6, odds
        >>> odds(2 @ d6).svg("2d6")[:60]
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 536 346"'
        """
        from .drawings import svg

        return svg(self.drawing(title))

    def png(self, title: str = "", *, dark: bool = False) -> bytes:
        """The picture as a PNG file's bytes. Needs the extra `lab`.

        >>> from astragal import d6, odds
        >>> odds(2 @ d6).png("2d6")[1:4]
        b'PNG'
        """
        from .drawings import png

        return png(self.drawing(title), dark=dark)

    def _repr_html_(self) -> str:
        from .drawings import svg

        return svg(self.drawing(), in_a_page=True)
