"""Answers to a decision, as they are typed: "3", "spend 3", "yes", "no", or the faces of dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.input.values import NO as NO_AND_NOUGHT
from astragal.surfaces.cli.input.values import NUMBER, spoken
from astragal.surfaces.cli.input.values import YES as YES_AND_ONE
from astragal.surfaces.shared.pending import Answer, Asking
from astragal.surfaces.shared.words import value_words

YES, NO = YES_AND_ONE - {"1"}, NO_AND_NOUGHT - {"0"}
"""Without 1 and 0: in an answer, those are numbers."""
SPENDING = frozenset({"spend", "pay", "use"})
DECLINING = frozenset({"decline", "pass", "keep"})
LEADING = frozenset({"answer", "i", "i'll", "take"})


def meant(asked: Sequence[Asking], said: Sequence[str]) -> tuple[str, Any]:
    """The id of the command that is answered, and the answer; the first decision that waits comes first."""
    if not asked:
        raise BadCall("Nothing waits for an answer from this seat.")
    asking = asked[0]
    value = faces(asking, said) if asking.dice else choice_of(asking, said)
    return asking.act, value


def fits(asking: Asking, said: Sequence[str]) -> bool:
    """Whether these words answer the decision."""
    try:
        faces(asking, said) if asking.dice else choice_of(asking, said)
    except BadCall:
        return False
    return True


def is_answer(said: Sequence[str]) -> bool:
    """Whether this looks like an answer, valid or not."""
    first = said[0].casefold()
    return first in SPENDING | DECLINING | YES | NO or NUMBER.fullmatch(first) is not None


def faces(asking: Asking, said: Sequence[str]) -> list[int]:
    numbers = [part for word in said for part in word.replace(",", " ").split() if part not in LEADING]
    if not numbers or not all(NUMBER.fullmatch(one) for one in numbers):
        dice = ", ".join(f"d{sides}" for sides in asking.dice)
        raise BadCall(f"Enter the faces of {dice} as numbers, in that order.")
    return [int(one) for one in numbers]


def choice_of(asking: Asking, said: Sequence[str]) -> Any:
    """The answer that the words mean. Raises `BadCall` for none, or several."""
    words = [word for word in " ".join(said).casefold().replace("−", "-").split() if word not in LEADING]
    found = _by_price(asking, words) or _by_words(asking, words)
    values = {value_words(one.value): one.value for one in found}
    if len(values) == 1:
        return next(iter(values.values()))
    listed = ", ".join(value_words(one.value) for one in (found or asking.answers))
    if found:
        raise BadCall(f"{' '.join(said)!r} could be any of {listed}. Which one?")
    raise BadCall(f"{' '.join(said)!r} is no answer to {asking.name!r}; answer one of {listed}.")


def _by_price(asking: Asking, words: Sequence[str]) -> list[Answer]:
    """ "spend 3" is the answer that costs 3; if there is none, 3 or -3."""
    if len(words) < 2 or words[0] not in SPENDING or not NUMBER.fullmatch(words[1]):
        return []
    if words[1][0] in "+-":
        return [one for one in asking.answers if one.value == int(words[1])]
    points = int(words[1])
    return [one for one in asking.answers if one.price == points] or [
        one for one in asking.answers if type(one.value) is int and abs(one.value) == points
    ]


def _by_words(asking: Asking, words: Sequence[str]) -> list[Answer]:
    text = " ".join(words)
    exact = [one for one in asking.answers if spoken(text) == spoken(value_words(one.value)) and _is_said(one, text)]
    if exact or not words:
        return exact
    if text in DECLINING or (text in NO and not _is_yes_or_no(asking)):
        return list(asking.answers[:1])
    if text in YES | NO and _is_yes_or_no(asking):
        return [one for one in asking.answers if one.value is (text in YES)]
    if text in YES and len(asking.notable) <= 2:
        return list(asking.notable[-1:])
    return [one for one in asking.answers if isinstance(one.value, str) and spoken(one.value).startswith(text)]


def _is_said(answer: Answer, text: str) -> bool:
    """Compare numbers with their sign."""
    return type(answer.value) is not int or str(answer.value) == text.removeprefix("+")


def _is_yes_or_no(asking: Asking) -> bool:
    return {type(one.value) for one in asking.answers} == {bool}
