"""Markdown of people: a little of it, and nothing that runs, loads or misleads."""

import re

import pytest

from astragal.surfaces.web.markdown import markdown


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
