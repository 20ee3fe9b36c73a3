"""What a browser would send of a form that nobody has touched."""

from __future__ import annotations

from html.parser import HTMLParser


class Inputs(HTMLParser):
    """The names and texts of a page's inputs, in order, as they stand."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.sent: list[tuple[str, str]] = []
        self._select: str | None = None
        self._chosen: str | None = None
        self._area: str | None = None
        self._text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        name = given.get("name")
        if tag == "input" and name and not (given.get("type") in ("radio", "checkbox") and "checked" not in given):
            self.sent.append((name, given.get("value") or ""))
        elif tag == "select":
            self._select, self._chosen = name, None
        elif tag == "option" and self._select and (self._chosen is None or "selected" in given):
            self._chosen = given.get("value") or ""
        elif tag == "textarea":
            self._area, self._text = name, ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._select:
            self.sent.append((self._select, self._chosen or ""))
            self._select = None
        elif tag == "textarea" and self._area:
            self.sent.append((self._area, self._text.removeprefix("\n")))
            self._area = None
