"""Generated pages of the documentation are current."""

from types import ModuleType

import pytest

from tests.rulesets import options_page
from tests.surfaces.mcp import tools_page


@pytest.mark.parametrize("page", [options_page, tools_page], ids=lambda page: page.PAGE.name)
def test_the_page_is_current(page: ModuleType) -> None:
    assert page.PAGE.read_text("utf-8") == page.current(), f"python -m {page.__name__} writes it"
