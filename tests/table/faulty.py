"""Games made to break the contract: the tiny game with something wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from astragal.table.authoring.chapter import Action, Chapter, EventSpec
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.contract import Step, faults, faults_at_table
from tests.table.dare import DARE

JOINING, DARING = DARE.chapters[0].actions
JOINED, DARED, PAID = DARE.chapters[0].event_specs


def game(
    *actions: Action[Any, Any], event_specs: Sequence[EventSpec[Any]] = (JOINED, DARED, PAID), **others: Any
) -> Ruleset:
    """The tiny game with other actions, or other happenings, or both."""
    chapter = Chapter(actions or (JOINING, DARING), tuple(event_specs))
    return replace(DARE, **{"chapters": (chapter,), **others})


def found(ruleset: Ruleset, *evening: Step) -> str:
    """The rules of the tiny game are in order: only others are tried by themselves."""
    contract = faults_at_table if ruleset.rules == DARE.rules else faults
    return "\n".join(contract(ruleset, evening, seeds=range(5)))


_FOUND: dict[str, str] = {}


def found_once(name: str, ruleset: Ruleset) -> str:
    """As `found`, for many tests of one game."""
    if name not in _FOUND:
        _FOUND[name] = found(ruleset)
    return _FOUND[name]


def assert_found(sentence: str, ruleset: Ruleset, *evening: Step) -> None:
    told = found(ruleset, *evening)
    assert re.search(sentence, told), told
