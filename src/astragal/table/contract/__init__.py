"""Contract of rulesets, ours and others': checks of their declarations, and trials at a table.

`faults(ruleset, evening)` returns a sentence for everything that a ruleset breaks, and nothing if it is in order. The
contract generates commands from their own fields. The evening is a list of `Step`s for what these don't reach: a
command that was never done is a fault, since nothing is known of it.
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
    """Return everything that the ruleset breaks, in sentences."""
    at_table = faults_at_table(ruleset, evening, options=options, seeds=seeds)
    return [*at_table, *faults_in_rules(ruleset, seeds=seeds)]


def faults_at_table(
    ruleset: Ruleset,
    evening: Sequence[Step] = (),
    *,
    options: Mapping[str, Any] | None = None,
    seeds: Sequence[int] = SEEDS,
) -> list[str]:
    """Return what the ruleset breaks in its declarations and at a table. Its rules are not checked."""
    findings = Findings()
    for fault, _ in declared_faults(ruleset):
        findings.note(fault)
    if any(faults_in_names(ruleset)):  # nothing can be played
        return findings.sentences()
    try:
        table, opened = rehearse(ruleset, options)
    except Exception as broken:  # noqa: BLE001 - whatever a ruleset raises is reported
        findings.note(f"No table of it can be opened: {told(broken)}")
    else:
        Trials(table, opened, findings, seeds).run(evening)
    return findings.sentences()


def faults_in_rules(ruleset: Ruleset, *, seeds: Sequence[int] = SEEDS) -> list[str]:
    """Return what the ruleset's rules break, each tried on its own."""
    findings = Findings()
    for rule in ruleset.rules:
        try:
            for fault in faults_in_rule(rule, seeds=seeds):
                findings.note(fault)
        except TypeError as fault:
            findings.note(f"The rule {rule.name} can't be tried: {fault}")
    return findings.sentences()
