"""Contract of rulesets, ours and strangers': read off their declarations, and tried at a table.

`faults(ruleset, evening)` says in sentences what a ruleset breaks; one in order has none. The evening is a list of
`Step`s that brings about what samples made up from the commands' own fields do not: whatever was never done is a fault,
since nothing is known of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from astragal.chance.contract import faults as faults_in_rule
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract.manifest import Findings, declared_faults, faults_in_names, told
from astragal.table.contract.rehearsal import GAME_MASTER, OTHER_PLAYER, PLAYER, SPECTATOR, Step, rehearse
from astragal.table.contract.trials import Trials

__all__ = [
    "GAME_MASTER",
    "OTHER_PLAYER",
    "PLAYER",
    "SPECTATOR",
    "Step",
    "faults",
    "faults_at_table",
    "faults_in_rules",
]

SEEDS = range(40)


def faults(
    ruleset: Ruleset,
    evening: Sequence[Step] = (),
    *,
    options: Mapping[str, Any] | None = None,
    seeds: Sequence[int] = SEEDS,
) -> list[str]:
    """All that the ruleset breaks, in sentences."""
    at_table = faults_at_table(ruleset, evening, options=options, seeds=seeds)
    return [*at_table, *faults_in_rules(ruleset, seeds=seeds)]


def faults_at_table(
    ruleset: Ruleset,
    evening: Sequence[Step] = (),
    *,
    options: Mapping[str, Any] | None = None,
    seeds: Sequence[int] = SEEDS,
) -> list[str]:
    """What the ruleset breaks in its declarations and at a table. Its rules are taken to be in order."""
    findings = Findings()
    for fault, _ in declared_faults(ruleset):
        findings.note(fault)
    if any(faults_in_names(ruleset)):  # nothing can be played
        return findings.sentences()
    try:
        table, opened = rehearse(ruleset, options)
    except Exception as broken:  # noqa: BLE001 - whatever a stranger's ruleset raises is what is to be told
        findings.note(f"No table of it can be opened: {told(broken)}")
    else:
        Trials(table, opened, findings, seeds).run(evening)
    return findings.sentences()


def faults_in_rules(ruleset: Ruleset, *, seeds: Sequence[int] = SEEDS) -> list[str]:
    """What the ruleset's rules break, each tried by itself."""
    findings = Findings()
    for rule in ruleset.rules:
        try:
            for fault in faults_in_rule(rule, seeds=seeds):
                findings.note(fault)
        except TypeError as fault:
            findings.note(f"The rule {rule.name} can't be tried: {fault}")
    return findings.sentences()
