"""The documentation's table of rights is what the commands declare."""

from tests.rulesets.rights_page import PAGE, current


def test_the_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == current(), "python -m tests.rulesets.rights_page writes it anew"
