"""The sanitizer of the page, which has no library for it: held against the one that the server uses."""

import pytest

from astragal.surfaces.web.rendering import markdown
from astragal.surfaces.web.sanitizing import TAGS, clean, cleaned_by_ourselves

ORDINARY = (
    "It **hums**, *softly*.\n\n- one\n- two\n\n> they said\n\n---\n\n1. first\n2. second",
    "# Loud\n\n~~gone~~ `<b>` & co.\n\n```\n<script>\n```",
    "[the map](https://maps.example/?a=1&b=2) and [nowhere](javascript:alert(1))",
    "a\nb\\\nc &amp; d",
)
HOSTILE = (
    "<script>alert(1)</script>left",
    "<p onclick=alert(1)>x</p>",
    "<img src=x onerror=alert(1)>",
    "<svg><a href='javascript:alert(1)'>x</a></svg>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href='data:text/html,x'>x</a>",
    "<a href=' https://a.example' onmouseover=x>x</a>",
    "<a href='//a.example'>x</a>",
    "<style>*{}</style><p>a",
    "<!-- <script>x</script> --><em>a",
    "<p><!--><img src=x></p>",
    "<![CDATA[<script>x</script>]]>",
    "<?php x ?><b>y</b>",
    "<p title='\"><script>x</script>'>a</p>",
    "<a href='https://a.example/\"onclick=\"x'>x</a>",
    "<script",
    "</p></p><li>a</ol>",
    "<em><strong>a</em>b</strong>",
)


@pytest.mark.parametrize("words", ORDINARY)
def test_both_sanitizers_leave_what_people_write(words: str) -> None:
    html = markdown(words)
    assert cleaned_by_ourselves(html) == clean(html) == html


@pytest.mark.parametrize("html", HOSTILE)
def test_nothing_is_left_that_could_run_or_load(html: str) -> None:
    cleaned = cleaned_by_ourselves(html)
    assert clean(cleaned) == cleaned
    inside = cleaned.replace('rel="noopener noreferrer nofollow"', "")
    assert "=" not in inside.replace('href="https://', "").replace("&quot;onclick=&quot;x", "")
    assert "<script" not in cleaned


def test_every_element_is_closed() -> None:
    assert cleaned_by_ourselves("<p><em>a<li>b") == "<p><em>a<li>b</li></em></p>"


def test_only_known_tags_are_written() -> None:
    html = "".join(f"<{tag}>x</{tag}>" for tag in ("div", "span", "form", "input", "iframe", "object", "base", "meta"))
    assert cleaned_by_ourselves(html) == "x" * 8
    assert not TAGS & {"div", "span", "form", "iframe", "script", "style"}
