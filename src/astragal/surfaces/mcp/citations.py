"""Narration that tells a result cites its deed. A wrong citation is refused, a number without one is warned of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from astragal.surfaces.mcp.session import ROLLED, Desk
from astragal.surfaces.mcp.views.secrets import check_keeps_secrets
from astragal.surfaces.mcp.views.untrusted_text import clean
from astragal.table.refusals import Refusal
from astragal.table.visibility.events import SeenEvent

RESULT = re.compile(
    r"\b(?:roll(?:s|ed|ing)?|natural|nat|margin|damage|harm|hits?|misses?|critical|success(?:es)?|fail(?:s|ed|ure)?|"
    r"d\d+|total|result|score[sd]?|points?)\b[^.!?\n]{0,24}?(?<![\w.])(\d{1,4})(?![\w.%]*%)"
    r"|(?<![\w.])(\d{1,4})\s+(?:damage|harm|points?|hits?|success(?:es)?|on the (?:die|dice)|against|versus|vs\.?)\b"
    r"|\b(?:a|an)\s+(?:natural\s+)?(\d{1,3})\s+(?:on|beats?|is enough|falls short)\b",
    re.IGNORECASE,
)
"""Numbers that read like something rolled."""


def check_cited(desk: Desk, words: str, cites: Sequence[str]) -> list[str]:
    """Refuse what can't be told; what may be told with care is a warning."""
    check_keeps_secrets(desk, [words])
    deeds = desk.journal().deeds
    for cite in cites:
        found = deeds.get(cite)
        if found is None:
            wrong = f"There was no deed {cite[:40]!r}."
        elif all(event.abandoned for event in found):
            wrong = f"Deed {cite} was undone by a rewind."
        elif _is_hidden(desk, cite):
            wrong = f"Deed {cite} is hidden: its result can't be told before it is revealed."
        else:
            continue
        raise Refusal(f"{wrong} {_right_one(desk)}", code="wrong_citation")
    return list(_warnings(desk, words, cites))


def with_citations(desk: Desk, words: str, cites: Sequence[str]) -> str:
    """The words as they are kept: what they tell of stands under them."""
    deeds = desk.journal().deeds
    told = [_dice(deeds[cite]) for cite in dict.fromkeys(cites)]
    return f"{words}\n\n— told of: {'; '.join(told)}" if told else words


def _right_one(desk: Desk) -> str:
    """The deed that was probably meant: the newest with dice that everyone sees."""
    shown = desk.journal(desk.window).deeds
    for act, events in reversed(shown.items()):
        if _is_roll(events) and not events[0].abandoned and not _is_hidden(desk, act):
            return f"The newest roll is {act}: {_summary(events)}."
    return "Nothing has been rolled yet that can be told: leave cites empty, or roll first with act."


def _is_hidden(desk: Desk, cite: str) -> bool:
    """Do the players see a closed card, or no card at all?"""
    state = desk.look()
    if cite in state.revealed or not desk.is_game_master():
        return False
    others = [seat.id for seat in state.seats.values() if seat.id != desk.here.seat]
    if not others:
        return False
    seen = desk.journal(others[0]).deeds.get(cite, ())
    return _is_roll(desk.journal().deeds.get(cite, ())) and all(event.closed for event in seen)


def _warnings(desk: Desk, words: str, cites: Sequence[str]) -> Iterator[str]:
    deeds = desk.journal(desk.window).deeds
    numbers = list(dict.fromkeys(next(filter(None, found.groups())) for found in RESULT.finditer(words)))
    if not numbers:
        return
    if not cites:
        yield f"{', '.join(numbers)} reads like a result, and nothing is cited. {_right_one(desk)}"
        return
    cited = [event for cite in cites for event in deeds.get(cite, [])]
    proved = {str(number) for event in cited for number in _numbers(event.fields)}
    unproved = [number for number in numbers if number not in proved]
    if unproved:
        yield f"{', '.join(unproved)} is not among the numbers of what you cite: {_summary(cited)}."


def _is_roll(events: Sequence[SeenEvent]) -> bool:
    return any(event.name == ROLLED for event in events)


def _summary(events: Sequence[SeenEvent]) -> str:
    return clean("; ".join(event.words for event in events if event.name != "decision_opened"), 160).rstrip(".")


def _dice(events: Sequence[SeenEvent]) -> str:
    """What everyone may read of an open deed: its dice, or what it is called."""
    rolled = [event.words for event in events if event.name == ROLLED]
    return clean("; ".join(rolled) or events[0].name.replace("_", " "), 160)


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield abs(value)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _numbers(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _numbers(part)
