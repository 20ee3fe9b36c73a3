"""What every rule must keep, and what a ruleset must have."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from astragal.chance.contract import rules_in
from astragal.rulesets import sinew_steel
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.options import Options
from astragal.table.fields.definitions import fields_of


def test_every_rule_is_listed() -> None:
    found = walk_packages(sinew_steel.__path__, f"{sinew_steel.__name__}.")
    modules = [import_module(one.name) for one in found if not one.name.endswith("__main__")]
    written = [rule for module in modules for rule in rules_in(module)]
    assert set(written) == set(SINEW_STEEL.rules)


def test_every_option_is_documented() -> None:
    assert all(field.doc for field in fields_of(Options))


def test_every_command_and_field_is_documented() -> None:
    for chapter in SINEW_STEEL.chapters:
        for action in chapter.actions:
            assert action.command.__doc__
            assert all(field.doc for field in fields_of(action.command)), action.name


def test_the_ruleset_is_declared_as_an_entry_point() -> None:
    project = tomllib.loads(Path(__file__).parents[3].joinpath("pyproject.toml").read_text())["project"]
    module, name = project["entry-points"]["astragal.rulesets"]["sinew_steel"].split(":")
    assert getattr(import_module(module), name) is SINEW_STEEL
