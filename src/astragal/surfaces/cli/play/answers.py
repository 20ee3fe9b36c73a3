"""Parse typed answers: "3", "spend 3", "yes", "no", words, or the faces of dice; and find what they answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.fields import NO as NO_AND_NOUGHT
from astragal.surfaces.cli.fields import NUMBER
from astragal.surfaces.cli.fields import YES as YES_AND_ONE
from astragal.surfaces.cli.play.plain_words import completed
from astragal.surfaces.cli.table_view import typed
from astragal.surfaces.shared.pending import Answer, Asking, asked_of, consents_of, prompts_of, requests_of
from astragal.surfaces.shared.words import value_words
from astragal.table.fields.lookup import find, matching, normalised

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView

YES, NO = YES_AND_ONE - {"1"}, NO_AND_NOUGHT - {"0"}
"""Words for yes and no, without 1 and 0, which are numbers in an answer."""
SPENDING = frozenset({"spend", "pay", "use"})
DECLINING = frozenset({"decline", "pass", "keep"})
UNITS = frozenset({"more", "of", "on", "please", "point", "points", "that", "this", "to", "it", "token", "tokens"})
"""Words that may follow a price besides those of the answer itself."""
LEADING = frozenset({"answer", "i", "i'll", "take"})


def meant(asked: Sequence[Asking], said: Sequence[str]) -> tuple[str, Any]:
    """Return the id of the command that is answered, and the answer. By default it is the first one that waits."""
    asking, words = _named(asked, said)
    value = faces(asking, words) if asking.dice else choice_of(asking, words)
    return asking.act, value


def _named(asked: Sequence[Asking], said: Sequence[str]) -> tuple[Asking, Sequence[str]]:
    """Find the decision whose label the words begin with (default: the first). Return it, and the rest of the words."""
    labels = {one.act: one.label for one in asked}
    for many in range(len(said) - 1, 0, -1) if len(asked) > 1 else ():
        found = matching(labels, " ".join(said[:many]))
        if len(found) == 1 and any(one.act == found[0] and fits(one, said[many:]) for one in asked):
            return next(one for one in asked if one.act == found[0]), said[many:]
    return asked[0], said


def answered(view: SeatView, said: Sequence[str], decision: str | None = None) -> tuple[str, dict[str, Any]]:
    """Build the command that answers what waits for this seat: a decision, a question, a proposal or a roll request."""
    asked, text = asked_of(view), " ".join(said)
    if decision is not None:
        found = find({one.act: one.label for one in asked}, decision, "decision")
        asked = [one for one in asked if one.act == found]
    if not asked or not fits(*_named(asked, said)):
        if any(one.own for one in prompts_of(view)):
            return "answer_prompt", {"words": text}
        if any(one.own for one in consents_of(view)) and text.casefold() in YES | NO:
            return "agree" if text.casefold() in YES else "decline", {}
    if asked:
        act, value = meant(asked, said)
        return "answer", {"act": act, "answer": value}
    requests = [one for one in requests_of(view) if one.own and one.fields is not None]
    if len(requests) == 1:
        command, fields = requests[0].command, requests[0].fields or {}
        return command, completed(view, view.book.command(command), fields, said)
    if requests:
        rolls = ", ".join(f'{one.command} "{one.name}"' for one in requests)
        raise BadCall(f"Several rolls are asked for: {rolls}. Make one of them.")
    raise BadCall("Nothing waits for an answer from this seat.")


def is_cut_short(asking: Asking, said: Sequence[str]) -> bool:
    """Return whether these words are only the beginning of what stands for an answer: "let" for "let it stand"."""
    words = _words(said)
    return not asking.dice and not _by_price(asking, words) and not _in_full(asking, words)


def fits(asking: Asking, said: Sequence[str]) -> bool:
    """Return whether these words answer the decision."""
    try:
        faces(asking, said) if asking.dice else choice_of(asking, said)
    except BadCall:
        return False
    return True


def is_answer(said: Sequence[str]) -> bool:
    """Return whether this looks like an answer, valid or not."""
    first = said[0].casefold()
    return first in SPENDING | DECLINING | YES | NO or NUMBER.fullmatch(first) is not None


def is_price(said: Sequence[str]) -> bool:
    """Return whether this can be nothing but an answer: a number, or "spend 2"."""
    first = said[0].casefold()
    numbers = said[1:] if first in SPENDING else said
    return len(numbers) == 1 and NUMBER.fullmatch(numbers[0]) is not None


def faces(asking: Asking, said: Sequence[str]) -> list[int]:
    numbers = [part for word in said for part in word.replace(",", " ").split() if part not in LEADING]
    if not numbers or not all(NUMBER.fullmatch(one) for one in numbers):
        dice = ", ".join(f"d{sides}" for sides in asking.dice)
        raise BadCall(f"Enter the faces of {dice} as numbers, in that order.")
    return [int(one) for one in numbers]


def _words(said: Sequence[str]) -> list[str]:
    """Return the words of an answer, without those that lead in."""
    return [word for word in " ".join(said).casefold().replace("−", "-").split() if word not in LEADING]


def choice_of(asking: Asking, said: Sequence[str]) -> Any:
    """Find the answer that the words mean. Raises `BadCall` if there is none, or more than one."""
    words = _words(said)
    found = _by_price(asking, words) or _by_words(asking, words)
    values = {value_words(one.value): one.value for one in found}
    if len(values) == 1:
        return next(iter(values.values()))
    listed = ", ".join(typed(asking, one) for one in (found or asking.answers))
    if found:
        raise BadCall(f"{' '.join(said)!r} could be any of {listed}. Which one?")
    raise BadCall(f"{' '.join(said)!r} is no answer to {asking.name!r}; answer one of {listed}.")


def _by_price(asking: Asking, words: Sequence[str]) -> list[Answer]:
    """Read "spend 3" or "3 luck" as the answer that costs 3; if there is none, as 3 or -3."""
    priced = words[1:] if words and words[0] in SPENDING else words
    if len(words) < 2 or not priced or not NUMBER.fullmatch(priced[0]):
        return []
    if priced[0][0] in "+-":
        return [one for one in asking.answers if one.value == int(priced[0])]
    points = int(priced[0])
    answers = [answer for answer in asking.answers if answer.price == points]
    answers = answers or [one for one in asking.answers if type(one.value) is int and abs(one.value) == points]
    answers = [answer for answer in answers if _names_only(asking, answer, priced[1:])]
    return answers if len(answers) == 1 else _most_helpful(asking, answers)


def _names_only(asking: Asking, answer: Answer, words: Sequence[str]) -> bool:
    """Return whether the words after a price belong to it: the "luck" of "spend 2 luck", not "hours in the library"."""
    known = set(normalised(f"{asking.name} {answer.words} {answer.means}").replace(":", " ").replace(",", " ").split())
    return all(word in known or word in UNITS for word in words)


def _most_helpful(asking: Asking, answers: Sequence[Answer]) -> list[Answer]:
    """Return the answer in the direction in which points bring success, if there is just one; else all of them.

    Nobody pays to make things worse: where 2 points can raise or lower a die, they go where they help, even if it takes
    more than 2 to succeed.
    """
    declined = asking.answers[0].success
    if declined is None:
        return list(answers)
    helping = {
        answer.value > 0
        for answer in asking.answers
        if type(answer.value) is int and answer.success is not None and answer.success > declined
    }
    helpful = [answer for answer in answers if (answer.value > 0) in helping]
    return helpful if len(helping) == len(helpful) == 1 else list(answers)


def _by_words(asking: Asking, words: Sequence[str]) -> list[Answer]:
    """Find the answers that the words stand for or, if there is none, those that begin with them."""
    if not words:
        return []
    text = normalised(" ".join(words))
    return _in_full(asking, words) or [
        one for one in asking.answers if any(f"{said} ".startswith(f"{text} ") for said in _sayings(one))
    ]


def _in_full(asking: Asking, words: Sequence[str]) -> list[Answer]:
    """Find the answers that the words stand for, with no word missing."""
    text = " ".join(words)
    exact = [
        one
        for one in asking.answers
        if (NUMBER.fullmatch(text) and _is_number(one.value, text))
        or (type(one.value) is not int and normalised(text) == normalised(value_words(one.value)))
    ]
    if exact or not words:
        return exact
    if text in DECLINING or (text in NO and not _is_yes_or_no(asking)):
        return [answer for answer in asking.answers[:1] if not answer.value]  # none declines a choice between defences
    if text in YES | NO and _is_yes_or_no(asking):
        return [one for one in asking.answers if one.value is (text in YES)]
    if text in YES and len(asking.notable) <= 2:
        return list(asking.notable[-1:])
    return [one for one in asking.answers if normalised(text) in _sayings(one)]


def _is_number(value: Any, text: str) -> bool:
    """Return whether the text means this number. A typed sign has to match; a bare 3 is 3 or -3."""
    return type(value) is int and (value == int(text) if text[0] in "+-" else abs(value) == int(text))


def _sayings(answer: Answer) -> list[str]:
    """List the words that stand for an answer: a value that is a word, and what the game calls it."""
    is_number = answer.words == value_words(answer.value) and not isinstance(answer.value, str)
    return [] if is_number else [normalised(word) for word in (answer.value, answer.words) if isinstance(word, str)]


def _is_yes_or_no(asking: Asking) -> bool:
    return {type(one.value) for one in asking.answers} == {bool}
