"""What a roll is against: named in the command, or in a request of the game master's. SP-05."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from astragal.table.chapters.requests import find_request
from astragal.table.declarations import kind_of_command
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Call
from astragal.table.seen import plain
from astragal.table.state import State
from astragal.table.things.requests import Request

from .difficulty import EASIEST, HARDEST, Circumstance, Rung, shifted


class Against(Protocol):
    """A command that is held against a difficulty."""

    @property
    def who(self) -> str: ...
    @property
    def dc(self) -> int | None: ...
    @property
    def difficulty(self) -> Rung | None: ...
    @property
    def circumstances(self) -> Sequence[Circumstance]: ...
    @property
    def request(self) -> str | None: ...


def request_of(state: State, asked: Against) -> Request | None:
    """The request that this roll answers: the one it names, or the one that fits where no difficulty is named."""
    if asked.request is None:
        return _fitting(state, asked) if asked.dc is None and asked.difficulty is None else None
    request = find_request(state, asked.request, asked.who)
    if not _is_command(request, asked):
        command = request.command.replace("_", " ")
        raise Refusal(f"You are asked to {command}, not to {kind_of_command(type(asked)).name}.", code="other_roll")
    for key, wanted in request.fields.items():
        if not _has(asked, key, wanted):
            raise Refusal(f"You are asked for a roll with {key} {wanted}.", code="other_roll")
    return request


def _fitting(state: State, asked: Against) -> Request | None:
    fitting = [
        request
        for request in state.requests.values()
        if request.who == asked.who
        and _is_command(request, asked)
        and all(_has(asked, key, wanted) for key, wanted in request.fields.items())
    ]
    if len(fitting) > 1:
        raise Refusal(f"{len(fitting)} such rolls are asked of this character; say which.", code="which_request")
    return fitting[0] if fitting else None


def _is_command(request: Request, asked: Against) -> bool:
    """SP-17: what is asked for as a check can be taken."""
    name = kind_of_command(type(asked)).name
    return request.command == name or (request.command == "check" and name == "take")


def _has(asked: Against, key: str, wanted: int | str | bool) -> bool:
    """Names of skills are the same however they are written."""
    given = plain(getattr(asked, key, None))
    return _folded(given) == _folded(wanted)


def _folded(value: object) -> object:
    return value.strip().casefold() if isinstance(value, str) else value


def is_hidden(call: Call, asked: Against) -> bool:
    """Is the difficulty the game master's secret?"""
    request = request_of(call.state, asked)
    return request is not None and request.hidden


def difficulty_of(call: Call, asked: Against) -> int:
    """SP-05: the difficulty, with what makes it easier or harder. A request has the last word."""
    request = request_of(call.state, asked)
    if request is not None and request.difficulty is not None:
        if asked.dc is not None or asked.difficulty is not None or asked.circumstances:
            raise Refusal("The game master has set the difficulty of this roll already.", code="already_set")
        return request.difficulty
    if (asked.dc is None) == (asked.difficulty is None):
        raise Refusal("Name the difficulty once: a number, or a name from trivial to nearly impossible.", code="no_dc")
    named = asked.dc if asked.difficulty is None else asked.difficulty.dc
    assert named is not None  # noqa: S101 - one of the two is given
    return within_reach(shifted(named, asked.circumstances))


def within_reach(dc: int) -> int:
    if not EASIEST <= dc <= HARDEST:
        raise Refusal(f"That comes to a difficulty of {dc}; it goes from {EASIEST} to {HARDEST}.", code="out_of_range")
    return dc
