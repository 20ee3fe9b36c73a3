"""What the tests of several rulesets share."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.chance import Rule
from astragal.chance.contract import faults


@pytest.fixture
def own_rules_are_tried_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The contract of a ruleset has that of its rules in it. `tests/chance/test_contract.py` tries every rule of ours
    with the same samples, far more often.
    """

    def faults_of_others(rule: Rule[..., Any], **how: Any) -> list[str]:
        return [] if rule.__module__.startswith("astragal.") else faults(rule, **how)

    monkeypatch.setattr("astragal.table.contract.faults_in_rule", faults_of_others)
