"""Contract of rules, ours and strangers': checked in their source and in play.

`faults(rule)` says in sentences what a rule breaks; a rule in order has none. A ruleset's own test needs no more
than `assert not faults(rule)` for each of `rules_in(module)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from astragal.chance.contract.behaviour import SEEDS, faults_in_play, is_refused
from astragal.chance.contract.samples import samples
from astragal.chance.contract.source import faults_in_source
from astragal.chance.steps import Rule

__all__ = ["faults", "faults_in_play", "faults_in_source", "rules_in", "samples"]


def rules_in(module: ModuleType) -> list[Rule[..., Any]]:
    """The rules that a module defines, in its order; those it imports are another's."""
    return [it for it in vars(module).values() if isinstance(it, Rule) and it.__module__ == module.__name__]


def faults(rule: Rule[..., Any], most: int = 12, seeds: Sequence[int] = SEEDS) -> list[str]:
    """All that the rule breaks, in its source and in play with sample arguments."""
    asked = samples(rule, most)
    if all(is_refused(question) for question in asked):
        return [*faults_in_source(rule), f"{rule.name} refuses all of its samples, {asked[0]} among them"]
    return faults_in_source(rule) + [fault for question in asked for fault in faults_in_play(question, seeds)]
