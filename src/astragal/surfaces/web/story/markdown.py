"""Markdown to HTML: a small part of it, and nothing that could run, load or mislead.

Two gates, each enough by itself: the parser knows no HTML and no images, and whatever it makes is cut down to a short
list of tags.

Parsing costs about as much for each mark as for a page of plain words. So a text has a limit of marks, and one that is
over it is shown as it was written.
"""

from __future__ import annotations

import re
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

TAGS = {"p", "br", "hr", "em", "strong", "s", "ul", "ol", "li", "blockquote", "code", "pre", "a", "h4", "h5", "h6"}
SCHEMES = {"http", "https"}
RELATION = "noopener noreferrer nofollow"
SMALLEST_HEADING = 6
"""A heading in a text stands below those of the page."""
LOWERED = 3
REMEMBERED = 512

MARK = re.compile(r"[$%&*+\-:<=>@\[\\\]^_`{}~!#|\n]")
"""Where the parser stops and looks."""
DEAR = re.compile(r"[\[\n]")
"""Where it looks ahead, and looks again."""
TIMES_DEARER = 5
MOST_WORK = 800
"""A hundred lines of a list have room in it; the worst text within it costs the parser 20 ms."""


class _Parser(MarkdownIt):
    """Commonmark without HTML, images or references; links lead to web pages alone."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False, "linkify": False, "breaks": True})
        self.enable("strikethrough").disable(["image", "html_block", "html_inline", "reference", "entity"])

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the parser's own name
        return url.partition(":")[0].lower() in SCHEMES


_PARSER = _Parser()


def work(words: str) -> int:
    """Cost of parsing the text, in marks."""
    return len(MARK.findall(words)) + (TIMES_DEARER - 1) * len(DEAR.findall(words))


def plain(words: str) -> Markup:
    """The text as it was written, line by line."""
    return Markup("<p>{}</p>\n").format(escape(words).replace("\n", Markup("<br>\n")))


def markdown(words: str) -> Markup:
    """The text as HTML that is safe to show."""
    return plain(words) if work(words) > MOST_WORK else _formatted(words)


@lru_cache(REMEMBERED)
def _formatted(words: str) -> Markup:
    tokens = _PARSER.parse(words)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + LOWERED, SMALLEST_HEADING)}"
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    cleaned = nh3.clean(
        html,
        tags=TAGS,
        attributes={"a": {"href"}},
        url_schemes=SCHEMES,
        link_rel=RELATION,
        generic_attribute_prefixes=set(),
    )
    return Markup(cleaned)  # noqa: S704 - this is the place that makes it safe
