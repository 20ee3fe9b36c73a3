"""Every ruleset there is keeps the contract: those that are installed, and those that only lie in our folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

import astragal.rulesets
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract import Step, faults, faults_at_table

GROUP = "astragal.rulesets"
INSTALLED = {point.name: point for point in entry_points(group=GROUP)}
OURS = [module.name for module in iter_modules(astragal.rulesets.__path__) if module.ispkg]


def ruleset_of(name: str) -> Ruleset:
    """As it is installed; where the installation is older than the folder, as the folder has it."""
    if name in INSTALLED:
        found = INSTALLED[name].load()
    else:
        module = import_module(f"{GROUP}.{name}")
        found = next((value for value in vars(module).values() if isinstance(value, Ruleset)), None)
    assert isinstance(found, Ruleset), f"{name} has no Ruleset"
    return found


def evening_of(name: str) -> tuple[list[Step], Mapping[str, Any]]:
    """What samples alone would not bring about, where somebody has written it down, and its options."""
    place = f"tests.rulesets.evenings.{name}"
    if find_spec(place) is None:
        return [], {}
    evening = import_module(place)
    return evening.EVENING, evening.OPTIONS


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*INSTALLED, *OURS}))
def test_the_ruleset_keeps_the_contract(name: str) -> None:
    """Every rule of ours is tried by itself, far more often: tests/chance/test_contract.py."""
    evening, options = evening_of(name)
    contract = faults_at_table if name in OURS else faults
    broken = contract(ruleset_of(name), evening, options=options, seeds=range(10))
    assert not broken, "\n".join([f"{name} breaks the contract:", *(f"- {fault}" for fault in broken)])


@pytest.mark.parametrize("name", OURS)
def test_the_ruleset_is_found_under_its_own_id(name: str) -> None:
    assert ruleset_of(name).id == name


def test_every_ruleset_of_ours_is_an_entry_point() -> None:
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert sorted(project["entry-points"][GROUP]) == sorted(OURS)
