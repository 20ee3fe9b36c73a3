"""Generated pages of the documentation are current."""

from types import ModuleType

import pytest

from tests.rulesets import options_page
from tests.surfaces.mcp import tools_page


@pytest.mark.parametrize("module", [options_page, tools_page], ids=lambda module: module.PAGE.name)
def test_the_page_is_current(module: ModuleType) -> None:
    assert module.PAGE.read_text("utf-8") == module.current(), f"python -m {module.__name__} writes it"
