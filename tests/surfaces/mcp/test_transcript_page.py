"""The example evening in the documentation is what the server says today."""

from tests.surfaces.mcp.transcript_page import PAGE, current


def test_the_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == current(), "python -m tests.surfaces.mcp.transcript_page writes it anew"
