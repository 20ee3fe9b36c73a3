"""Markdown of people: a little of it, and nothing that runs, loads or misleads."""

import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from astragal.surfaces.web.rendering import MOST_WORK, markdown, work
from astragal.table.fields.definitions import LONGEST_TEXT

DEAREST = (
    "[", "[ ", "a[\n", "[*", "[\n", "![", "[a](", "[](", "[a](<b", "[![[", "[a](b '", "*a ", "*a", "*_", "*a **b ***c ",
    "~~a ", "`", "` ", "`a``b```c", "<", "[<", "<http://a ", "<a@b", ">", "> ", "> - ", "> a\n\n", "- ", "- a\n", "-\n",
    "* a\n+ a\n", "1. ", "1. a\n", "# a\n", "a\n=\n", "---\n", "```\n", "~~~\na\n", "a\n", "a\n\n", "\ta\n", "\\*",
    "&amp;", "[a](http://b) ", "|a|b|\n|-|-|\n", "(", "\t", " ",
)  # fmt: skip
"""What costs a parser most, again and again."""
MOST_CALLS = 60_000


def test_the_usual_marks_are_understood() -> None:
    text = markdown("It **hums**, *softly*.\n\n- one\n- two\n\n> they said")
    assert "<strong>hums</strong>" in text
    assert "<em>softly</em>" in text
    assert "<li>one</li>" in text
    assert "<blockquote>" in text


def test_a_heading_stands_below_those_of_the_page() -> None:
    assert markdown("# Loud") == "<h4>Loud</h4>\n"
    assert markdown("###### Quiet") == "<h6>Quiet</h6>\n"


@pytest.mark.parametrize(
    "nasty",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![a](http://elsewhere.example/pixel.png)",
        "[a](javascript:alert(1))",
        "[a](data:text/html;base64,AAAA)",
        "[a](JaVaScRiPt&colon;alert(1))",
        "<a href='javascript:alert(1)'>a</a>",
        "[a]: javascript:alert(1)\n\n[a]",
        "<style>*{display:none}</style>",
        "<svg onload=alert(1)>",
        "<div style='position:fixed'>",
        "<hx-partial hx-target='#log'>",
        "`<b onclick=x>`",
    ],
)
def test_nothing_gets_through_that_could_run_load_or_cover(nasty: str) -> None:
    text = markdown(nasty)
    for tag in ("<script", "<img", "<style", "<svg", "<div", "<hx-", "<b "):
        assert tag not in text
    assert not re.search(r'<a [^>]*href="(?!https?://)', text)


def test_a_link_leads_out_without_telling_where_it_came_from() -> None:
    text = markdown("[the map](https://maps.example/)")
    assert 'href="https://maps.example/"' in text
    assert 'rel="noopener noreferrer nofollow"' in text


# ---------------------------------------------------------------- what it costs


def calls(run: Callable[[], object]) -> int:
    """How many functions it calls: what it costs, on a machine of any speed."""
    count = 0

    def counted(_frame: FrameType, event: str, _what: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("again", DEAREST)
def test_no_text_costs_much_however_it_is_made(again: str) -> None:
    within = (again * LONGEST_TEXT)[:LONGEST_TEXT]
    while work(within) > MOST_WORK:
        within = within[: len(within) * 9 // 10]
    for text in (within, (again * LONGEST_TEXT)[:LONGEST_TEXT], (again * 20_000)[:20_000]):
        assert calls(lambda text=text: markdown(text)) < MOST_CALLS  # type: ignore[misc]


def test_a_text_of_too_many_marks_is_shown_as_it_was_written() -> None:
    text = "<b>&\n" + "[" * MOST_WORK
    assert markdown(text) == "<p>&lt;b&gt;&amp;<br>\n" + "[" * MOST_WORK + "</p>\n"


def test_a_long_and_ordinary_text_keeps_its_marks() -> None:
    text = "".join(f"- **Room {n}**: a chest, *locked*, and {n} coins\n" for n in range(50))
    assert markdown(text).count("<strong>") == 50
