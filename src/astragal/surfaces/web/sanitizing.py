"""Sanitize HTML that was made of Markdown: cut it down to a short list of tags, and links to web pages.

A server has nh3 for that. Inside a page there is no such library, and `Allowed` does it.
"""

from html import escape
from html.parser import HTMLParser

from astragal import background

if not background.IN_A_PAGE:
    import nh3

TAGS = {"p", "br", "hr", "em", "strong", "s", "ul", "ol", "li", "blockquote", "code", "pre", "a", "h4", "h5", "h6"}
EMPTY_TAGS = {"br", "hr"}
SCHEMES = {"http", "https"}
RELATION = "noopener noreferrer nofollow"
DROPPED_WHOLE = {"script", "style"}
"""Elements whose content is dropped with them. Of all others that are not allowed, the words stay."""


def clean(html: str) -> str:
    """Return the HTML with nothing in it that could run, load or mislead."""
    return cleaned_by_ourselves(html) if background.IN_A_PAGE else _cleaned_by_nh3(html)


def _cleaned_by_nh3(html: str) -> str:
    return nh3.clean(
        html,
        tags=TAGS,
        attributes={"a": {"href"}},
        url_schemes=SCHEMES,
        link_rel=RELATION,
        generic_attribute_prefixes=set(),
    )


def cleaned_by_ourselves(html: str) -> str:
    allowed = Allowed()
    allowed.feed(html)
    allowed.close()
    return allowed.text()


class Allowed(HTMLParser):
    """Writes HTML anew from what is allowed of it. What is written is made of `TAGS` and escaped text alone."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._open: list[str] = []
        self._dropping = 0

    def text(self) -> str:
        """The HTML so far, with every element closed."""
        closing = [f"</{tag}>" for tag in reversed(self._open)]
        return "".join([*self._parts, *closing])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in DROPPED_WHOLE:
            self._dropping += 1
        if self._dropping or tag not in TAGS:
            return
        if tag == "a":
            self._parts.append(_link(dict(attrs).get("href") or ""))
        else:
            self._parts.append(f"<{tag}>")
        if tag not in EMPTY_TAGS:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in DROPPED_WHOLE and self._dropping:
            self._dropping -= 1
        if self._dropping or tag not in self._open:
            return
        while (inner := self._open.pop()) != tag:
            self._parts.append(f"</{inner}>")
        self._parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._dropping:
            self._parts.append(escape(data, quote=False))


def _link(address: str) -> str:
    scheme, colon, _ = address.partition(":")
    if not colon or scheme.lower() not in SCHEMES:
        return f'<a rel="{RELATION}">'
    return f'<a href="{escape(address)}" rel="{RELATION}">'
